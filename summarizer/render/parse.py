"""Reads any trace.md into a TraceDoc: ours, a template's, or one written by hand.

Tolerant of every layout found in the wild; what is not understood stays as prose. Pure: decoding
and file access are the caller's.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from summarizer.model.trace import CodeBlock, Entry, Section, Suppression, Table, TextSpan, TraceDoc
from summarizer.render.parsing.blocks import BlockReader, Node, build_tree, find_label, make_entry
from summarizer.render.parsing.labels import (
    HEADING_STATUS,
    PHASE_HEADING,
    PROFILE_MARKERS,
    SECTION_PATTERNS,
    STAGE_HEADING,
    ZERO_BASED_WORD,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_SUPPRESSION = re.compile(r"<!--[ \t]*trace-recorder:[ \t]*ignore[ \t]+([^<>]{1,400})-->")
_CODES = re.compile(r"[A-Z]\d{0,3}(?:[, ]+[A-Z]\d{0,3})*(?![^\s,])")
_MAX_NESTING = 60
"""Nesting of quotes and lists that is followed; deeper text is reported as an issue."""
_TOO_DEEP = re.compile(r"^\s*(?:>\s*){50}|^[ \t]{120}")
_PROVENANCE = re.compile(r"<!-- (trace-recorder .*) -->\s*\Z")
_FENCE = re.compile(r"^\s*(?:>\s*)*(?:`{3,}|~{3,})")


def parse_trace(text: str, *, profile: str | None = None) -> TraceDoc:
    """Return a trace as data.

    Args:
        text: the whole file, decoded; line ends may be of any kind.
        profile: name of the layout; detected when None.
    """
    # Markdown treats a lone \r as a line end and NUL as U+FFFD; keep lines and columns as they
    # are by turning only what would move them.
    lines = split_trace(text)
    body = "\n".join(line.replace("\0", "\ufffd") for line in lines)
    reader = BlockReader(lines)
    nodes = build_tree(_markdown().parse(body))
    title, sections = _sections(nodes, reader)
    name, because = (profile, "named by the caller") if profile else _profile(text, sections)
    return TraceDoc(
        title=title,
        sections=tuple(_finish(sections, len(lines))),
        profile=name,
        profile_because=because,
        text=text,
        suppressions=_suppressions(lines),
        provenance=match[1] if (match := _PROVENANCE.search(text)) else None,
        issues=_issues(lines, nodes),
    )


def split_trace(text: str) -> list[str]:
    """Return the lines of a trace without their ends, as positions count them."""
    return re.split(r"\r\n|\r|\n", text)


@functools.lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Blocks and tables are needed, links and emphasis are not.
    return (
        MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
        .enable("table")
        .disable(["inline", "reference"])
    )


class _Builder:
    """One section while its blocks are read."""

    def __init__(self, key: str, heading: TextSpan, level: int, status: TextSpan | None) -> None:
        self.key = key
        self.heading = heading
        self.level = level
        self.status = status
        self.entries: list[Entry] = []
        self.blocks: list[CodeBlock] = []
        self.tables: list[Table] = []
        self.sub: _SubHeading | None = None

    def add_entries(self, entries: Sequence[Entry]) -> None:
        """Add to the open sub-heading, else to the section."""
        (self.sub.children if self.sub is not None else self.entries).extend(entries)

    def add_blocks(self, blocks: Sequence[CodeBlock]) -> None:
        """The same for code blocks."""
        (self.sub.blocks if self.sub is not None else self.blocks).extend(blocks)

    def close_sub(self) -> None:
        """Turn the open sub-heading into an entry."""
        if self.sub is not None:
            sub = self.sub
            blocks, children = tuple(sub.blocks), tuple(sub.children)
            self.entries.append(make_entry([sub.heading], blocks, children, is_heading=True))
            self.sub = None

    def section(self) -> Section:
        """Return the frozen section."""
        self.close_sub()
        return Section(
            key=self.key,
            heading=self.heading,
            level=self.level,
            status=self.status,
            entries=tuple(_number_from_zero(self.entries)),
            blocks=tuple(self.blocks),
            tables=tuple(self.tables),
        )


class _SubHeading:
    """A heading below a section's own, for example one iteration."""

    def __init__(self, heading: TextSpan) -> None:
        self.heading = heading
        self.blocks: list[CodeBlock] = []
        self.children: list[Entry] = []


def _sections(nodes: Sequence[Node], reader: BlockReader) -> tuple[TextSpan | None, list[Section]]:
    title: TextSpan | None = None
    current = _Builder("header", TextSpan("", 1, 1), 0, None)
    done: list[Section] = []
    for node in nodes:
        if node.token.type == "heading_open":
            spans = reader.spans(node)
            heading = spans[0] if spans else TextSpan("", 1, 1)
            level = int(node.token.tag[1:])
            if level == 1 and title is None:
                title = heading
                continue
            if _opens_section(heading.text, level, current):
                done.append(current.section())
                current = _open(heading, level)
            else:
                current.close_sub()
                current.sub = _SubHeading(heading)
        else:
            _add(node, current, reader)
    done.append(current.section())
    return title, done


def _opens_section(text: str, level: int, current: _Builder) -> bool:
    """A stage or a heading of the same or a higher rank; deeper ones are parts of a section."""
    if STAGE_HEADING.match(text):
        return True
    if current.level and level > current.level:
        return _key(text) != "other" and current.key == "other"
    return True


def _open(heading: TextSpan, level: int) -> _Builder:
    key = _key(heading.text)
    status = None
    match = HEADING_STATUS.search(heading.text)
    if match is not None:
        column = heading.column + match.start(1)
        status = TextSpan(match[1].strip(), heading.line, column)
    return _Builder(key, heading, level, status)


def _key(text: str) -> str:
    return next((key for key, pattern in SECTION_PATTERNS if pattern.search(text)), "other")


def _add(node: Node, current: _Builder, reader: BlockReader) -> None:
    kind = node.token.type
    if kind == "paragraph_open":
        current.add_entries(_paragraph(reader.spans(node)))
    elif kind in {"bullet_list_open", "ordered_list_open"}:
        current.add_entries(reader.list_entries(node))
    elif kind in {"fence", "code_block"}:
        current.add_blocks([reader.code_block(node.token)])
    elif kind == "blockquote_open":
        current.add_blocks(list(reader.blocks_in(node)))
        texts = list(reader.quoted_texts(node))
        if texts:
            current.add_entries([make_entry(texts)])
    elif kind == "table_open":
        current.tables.append(reader.table(node))
    elif kind == "html_block":
        current.add_entries(reader.html_entries(node))


def _paragraph(spans: Sequence[TextSpan]) -> list[Entry]:
    """One entry, or one per line when further lines begin with labels of their own."""
    groups: list[list[TextSpan]] = []
    for span in spans:
        if groups and find_label(span.text) is None:
            groups[-1].append(span)
        else:
            groups.append([span])
    return [make_entry(group) for group in groups]


def _number_from_zero(entries: Sequence[Entry]) -> list[Entry]:
    """Mark the rounds of a section that counts from 0."""
    if not any(_has_zero(entry) for entry in entries):
        return list(entries)
    return [_zero_based(entry) for entry in entries]


def _has_zero(entry: Entry) -> bool:
    if entry.label == "round" and entry.number == 0:
        return True
    if entry.label_text is not None and ZERO_BASED_WORD.match(entry.label_text):
        return True
    return any(_has_zero(child) for child in entry.children)


def _zero_based(entry: Entry) -> Entry:
    children = tuple(_zero_based(child) for child in entry.children)
    zero = entry.label == "round"
    return replace(entry, children=children, zero_based=zero)


def _finish(sections: Sequence[Section], last_line: int) -> list[Section]:
    """Fill in where each section ends; an empty header section is left out."""
    kept = [s for s in sections if s.key != "header" or s.entries or s.tables or s.blocks]
    finished = []
    for index, section in enumerate(kept):
        following = kept[index + 1].heading.line - 1 if index + 1 < len(kept) else last_line
        finished.append(replace(section, end_line=following))
    return finished


def _profile(text: str, sections: Sequence[Section]) -> tuple[str, str]:
    headings = [section.heading.text for section in sections]
    if any(section.key == "overview" for section in sections):
        return "overview", "a section 执行概览"
    if any(PHASE_HEADING.match(heading) for heading in headings):
        return "phase", "headings of the form Phase N"
    if not any(STAGE_HEADING.match(heading) for heading in headings):
        return "unknown", "no stage headings"
    for name, pattern, because in PROFILE_MARKERS:
        if pattern.search(text):
            return name, because
    return "T1", "stage headings and no later marker"


def _suppressions(lines: Sequence[str]) -> tuple[Suppression, ...]:
    """Comments outside fences; a comment on a line of its own covers the next line."""
    found = []
    fenced = False
    for number, line in enumerate(lines, 1):
        if _FENCE.match(line):
            fenced = not fenced
        match = None if fenced or line.lstrip().startswith(">") else _SUPPRESSION.search(line)
        codes = _CODES.match(match[1]) if match is not None else None
        if match is not None and codes is not None:
            alone = line.strip() == match[0]
            listed = tuple(code for code in re.split(r"[,\s]+", codes[0]) if code)
            reason = match[1][codes.end() :].strip()
            found.append(Suppression(number + 1 if alone else number, listed, reason))
    return tuple(found)


def _issues(lines: Sequence[str], nodes: Sequence[Node]) -> tuple[str, ...]:
    issues = []
    last = nodes[-1].token if nodes else None
    if last is not None and last.type == "fence" and last.map is not None:
        closing = lines[last.map[1] - 1].strip() if last.map[1] - 1 < len(lines) else ""
        if last.map[1] - 1 == last.map[0] or not closing.startswith(last.markup):
            issues.append(f"line {last.map[0] + 1}: a code fence is never closed")
    deep = next((n for n, line in enumerate(lines, 1) if _TOO_DEEP.match(line)), None)
    if deep is not None:
        issues.append(f"line {deep}: nested too deeply to be read")
    if any("\udc80" <= char <= "\udcff" for line in lines for char in line):
        issues.append("the file holds bytes that are no UTF-8")
    if any("\0" in line for line in lines):
        issues.append("the file holds NUL bytes")
    return tuple(issues)
