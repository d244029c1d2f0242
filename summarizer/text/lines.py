r"""Turns an output into lines as a terminal shows them; must not know what they mean.

A line ends at a line feed. Control codes are taken out, and of a line that a progress bar rewrote
with carriage returns the last state is kept. Offsets stay those of the given text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from summarizer.text.terminal import strip_ansi

# What clients, shells and programs write where they left something out. Bounded, and searched in
# the first characters only, so that megabyte lines stay cheap.
_CUT = re.compile(
    r"(?:\.\.\.|…|\[|<)[^\n]{0,60}?"
    r"(?:truncated|omitted|(?:characters|chars|bytes|lines) removed|省略|截断)",
    re.IGNORECASE,
)
_CUT_ALONE = re.compile(r"\s*(?:\.\.\.|…|\[|<)")
_CUT_SEARCH_LIMIT = 20_000


class Line(NamedTuple):
    """One line as a terminal shows it."""

    text: str
    """Without control codes and without what a carriage return overwrote."""
    start: int
    end: int
    """Half-open offsets of the visible part in the given text, line end excluded."""
    torn: bool
    """Whether the line may lack its beginning or its end because something was cut out there."""


def split_lines(text: str, *, end_is_cut: bool = False) -> list[Line]:
    """Return the lines of `text`, without an empty last one.

    Args:
        text: Any text.
        end_is_cut: Whether the text stops before the output did; a last line without a line end
            is then torn.
    """
    lines: list[Line] = []
    position = 0
    for piece in text.split("\n"):
        visible, shift = _last_state(piece)
        start = position + shift
        lines.append(Line(strip_ansi(visible), start, start + len(visible), False))
        position += len(piece) + 1
    if text.endswith("\n") or not text:
        lines.pop()
    elif end_is_cut:
        lines[-1] = lines[-1]._replace(torn=True)
    _mark_cuts(lines)
    return lines


def is_cut_note(text: str) -> bool:
    """Whether a line tells that a client or a program left something out."""
    return _CUT.search(text, 0, _CUT_SEARCH_LIMIT) is not None


def _last_state(piece: str) -> tuple[str, int]:
    """The part of a line that was visible at the end, and its offset in the line."""
    if "\r" not in piece:
        return piece, 0
    end = len(piece)
    while True:
        cr = piece.rfind("\r", 0, end)
        state = piece[cr + 1 : end]
        if cr < 0 or strip_ansi(state):
            return state, cr + 1
        end = cr


def _mark_cuts(lines: list[Line]) -> None:
    """Mark the lines at both sides of a note that says that something was left out."""
    for index, line in enumerate(lines):
        if not is_cut_note(line.text):
            continue
        lines[index] = line._replace(torn=True)
        if _CUT_ALONE.match(line.text) is None:
            continue  # the note stands inside the line, so its neighbours are whole
        for step in (-1, 1):
            near = _next_with_text(lines, index, step)
            if near is not None:
                lines[near] = lines[near]._replace(torn=True)


def _next_with_text(lines: list[Line], index: int, step: int) -> int | None:
    index += step
    while 0 <= index < len(lines):
        if lines[index].text.strip():
            return index
        index += step
    return None
