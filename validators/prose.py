"""Reads one line of a trace: its prose, its code spans, and what it says the agent said.

Prose is returned with everything verbatim masked by one filler per character, so that patterns
see only the trace's own words and every offset is a column of the file. Must not know rules.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

FILLER = "\u25af"
"""Stands for one masked character."""

_TICKS = re.compile(r"`+")
_SAID = re.compile(r"说明\s*[（(]未核实[）)]\s*[：:]\s*「")
_BEFORE_LOG = "」，日志："


class Inline(NamedTuple):
    """A verbatim piece of a line."""

    text: str
    """Its content, without backticks or 「」."""
    start: int
    """0-based offset of the content in the line."""
    end: int
    """Half-open."""


class Line(NamedTuple):
    """One line, taken apart."""

    masked: str
    """As long as the line; code spans and statements of the agent are fillers."""
    codes: tuple[Inline, ...]
    said: tuple[Inline, ...]
    """Statements marked as the agent's own, still with their Markdown escapes."""


@functools.lru_cache(maxsize=1 << 16)
@functools.lru_cache(maxsize=4096)
def read_line(text: str) -> Line:
    """Take one line apart; statements of the agent win over code spans inside them."""
    said = tuple(_statements(text))
    masked = text
    for piece in said:
        masked = _mask(masked, piece.start, piece.end)
    codes: list[Inline] = []
    hidden = masked
    for start, end, width in _code_spans(masked):
        codes.append(_content(text, start + width, end - width))
        hidden = _mask(hidden, start, end)
    return Line(hidden, tuple(codes), said)


def _mask(text: str, start: int, end: int) -> str:
    return text[:start] + FILLER * (end - start) + text[end:]


def _statements(text: str) -> list[Inline]:
    """Find the statements; each reaches to the 」 before `，日志：`, else to the last 」."""
    opened = list(_SAID.finditer(text))
    found = []
    for index, match in enumerate(opened):
        limit = opened[index + 1].start() if index + 1 < len(opened) else len(text)
        end = text.rfind(_BEFORE_LOG, match.end(), limit)
        if end < 0:
            end = text.rfind("」", match.end(), limit)
        if end >= 0:
            found.append(Inline(text[match.end() : end], match.end(), end))
    return found


def _code_spans(text: str) -> list[tuple[int, int, int]]:
    """Return (start, end, width of the backtick run) of the code spans of one line."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    closers: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        closers.setdefault(runs[index][1] - runs[index][0], []).append(index)
    spans = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        if _escaped(text, start):
            # The backslash takes the first backtick; the rest of the run may still open a span.
            start += 1
        width = end - start
        later = closers.get(width, [])
        while later and later[-1] <= index:
            later.pop()
        if width and later:
            closing = later[-1]
            spans.append((start, runs[closing][1], width))
            index = closing
        index += 1
    return spans


def _escaped(text: str, position: int) -> bool:
    before = position
    while before > 0 and text[before - 1] == "\\":
        before -= 1
    return (position - before) % 2 == 1


def _content(text: str, start: int, end: int) -> Inline:
    """Drop the blank that Markdown asks for beside a backtick."""
    content = text[start:end]
    if content.startswith(" ") and content.endswith(" ") and content.strip():
        start, end = start + 1, end - 1
    return Inline(text[start:end], start, end)
