"""Reads any trace.md into a TraceDoc: ours, a template's, or one written by hand.

Tolerant of every layout found in the wild; what is not understood stays as prose, and what could
not be read is named in `issues`. Pure: decoding and file access are the caller's.

    lines -> block tokens (markdown-it-py) -> sections (parsing.sections)
                                                -> entries, blocks, tables (parsing.blocks)
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from summarizer.model.trace import TraceDoc
from summarizer.render.parsing.blocks import build_tree, code_lines
from summarizer.render.parsing.comments import read_provenance_comment, read_suppressions
from summarizer.render.parsing.places import first_line, last_line
from summarizer.render.parsing.profile import detect_profile
from summarizer.render.parsing.sections import read_sections

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNDECODED = re.compile("[\udc80-\udcff]")
_FENCE_END = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z")
_DEEPEST = 60
"""Nesting of containers from which nothing is read; no honest trace comes near."""


def parse_trace(text: str, *, profile: str | None = None) -> TraceDoc:
    """Return a trace as data.

    Args:
        text: the whole file, decoded; line ends may be of any kind, also lone carriage returns.
        profile: name of the layout; detected when None.
    """
    lines = split_trace(text)
    tokens = _markdown().parse("\n".join(lines))
    title, sections = read_sections(build_tree(tokens), lines)
    provenance = read_provenance_comment(lines)
    name, because = detect_profile(sections, provenance)
    return TraceDoc(
        title=title,
        sections=sections,
        profile=profile or name,
        profile_because="named by the caller" if profile else because,
        text=text,
        suppressions=read_suppressions(lines, code_lines(tokens)),
        provenance=provenance,
        issues=tuple(_issues(text, lines, tokens)),
    )


def split_trace(text: str) -> list[str]:
    """Return the lines of a trace without their ends, as positions count them."""
    return _LINE_END.split(text)


@functools.lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # `inline`: emphasis and links stay as written. `reference`: a line such as `[case 0]: matched`
    # would vanish. `lheading`: a rule of `=` below a quoted report would make it a heading.
    return (
        MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
        .enable("table")
        .disable(["inline", "reference", "lheading"])
    )


def _issues(text: str, lines: Sequence[str], tokens: Sequence[Token]) -> Iterator[str]:
    if _UNDECODED.search(text):
        yield "the file holds bytes that are no UTF-8"
    if "\0" in text:
        yield "the file holds NUL bytes"
    for token in tokens:
        if token.type == "fence" and not _is_closed(token, lines):
            yield f"line {first_line(token) + 1}: this fence is never closed"
    deep = next((t for t in tokens if t.level >= _DEEPEST - 1 and t.nesting == 1), None)
    if deep is not None:
        yield f"line {first_line(deep) + 1}: nested too deeply, what is inside was not read"


def _is_closed(token: Token, lines: Sequence[str]) -> bool:
    last = last_line(token)
    inside = token.content.count("\n")
    return last > first_line(token) + inside and _FENCE_END.match(lines[last]) is not None
