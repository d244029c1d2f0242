"""Removes what Markdown and viewers add around a text; must not know whose text it is.

Each function is a declared, separate reading of a text. None is part of the canonical form, since
every one of them removes characters that might as well be content.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
# CommonMark 0.31, 6.2: a reference ends in a semicolon; `html.unescape` alone also takes `&lt`.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_CODE = re.compile(r"(?<![A-Za-z0-9_`])(`+)(?!`)([^`\n]+)(?<!`)\1(?![A-Za-z0-9_`])")
_STARS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1(?![\w*])", re.ASCII)
# Underscores only around several words: `__init__` is a name, not an emphasised `init`.
_UNDERSCORES = re.compile(r"(?<!\w)(_{1,2})([^\s_][^_\n]*[^\s_])\1(?!\w)", re.ASCII)
_BLANK = re.compile(r"\s")
_PREFIX = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:[-*+•][ \t]+)?", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]*(\d{1,7})(?:→|\t)", re.MULTILINE)


def unmarked(text: str) -> str:
    """Markdown source read as text: escapes, entities, code spans, emphasis and `<br>`.

    List numbers and headings stay; underscores inside a name stay.
    """
    text = _BREAK.sub("\n", text)
    text = without_code_marks(text)
    text = _STARS.sub(r"\2", text)
    text = _UNDERSCORES.sub(lambda m: m[2] if _BLANK.search(m[2]) else m[0], text)
    text = _ESCAPE.sub(r"\1", text)
    return _ENTITY.sub(lambda match: html.unescape(match.group()), text)


def without_code_marks(text: str) -> str:
    """The text without the backticks around code spans."""
    return _CODE.sub(r"\2", text) if "`" in text else text


def code_mark_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open ranges of the backticks that `without_code_marks` removes."""
    for match in _CODE.finditer(text):
        yield match.span(1)
        yield match.end(2), match.end()


def without_prefixes(text: str) -> str:
    """Each line without blockquote marks, a bullet and indentation; list numbers stay."""
    return _PREFIX.sub("", text)


def number_spans(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield the ranges of line numbers that a file viewer put before lines (`12→` or `12\t`).

    Only runs of at least two lines whose numbers count up by one are line numbers; anything else
    may be a column of data.
    """
    matches = list(_NUMBERED.finditer(text))
    numbers = [int(match.group(1)) for match in matches]
    for i, match in enumerate(matches):
        after_previous = i > 0 and _follows(text, matches[i - 1], match, numbers[i - 1], numbers[i])
        before_next = i + 1 < len(matches) and _follows(
            text, match, matches[i + 1], numbers[i], numbers[i + 1]
        )
        if after_previous or before_next:
            yield match.span()


def _follows(
    text: str, one: re.Match[str], two: re.Match[str], number: int, next_number: int
) -> bool:
    adjacent = text.find("\n", one.end(), two.start()) == text.rfind("\n", one.end(), two.start())
    return next_number == number + 1 and adjacent


def without_numbers(text: str) -> str:
    """The text without the line numbers that `number_spans` finds."""
    pieces: list[str] = []
    done = 0
    for start, end in number_spans(text):
        pieces.append(text[done:start])
        done = end
    return "".join((*pieces, text[done:]))
