"""Shows a place of a text as compilers do: the line, and carets under the range."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import click

from summarizer.cli.exits import printable
from summarizer.model.finding import Location

WIDTH = 100
"""Terminal columns of a line that are shown; longer ones are cut around the range."""
_LEFT = 30
"""Columns before the range that a cut line keeps."""
_CUT = "…"
_INDENT = "    "


def snippet(lines: Sequence[str], place: Location, *, color: bool = False) -> list[str]:
    """Return the line of a place with its number, and a line of carets beneath it.

    Empty when the file has no such line. A range that goes on in the next line ends at its own.

    Args:
        lines: All lines of the file, without their ends.
        place: The range; without an end the line's text is marked from its column on.
        color: Whether the carets may be coloured.
    """
    if not 1 <= place.line <= len(lines):
        return []
    line = lines[place.line - 1]
    start = min(place.column - 1, len(line))
    shown, before, size = _window(line, start, _end(line, start, place))
    number = f"{place.line:>4}"
    carets = click.style("^" * max(1, size), fg="red", bold=True) if color else "^" * max(1, size)
    return [
        f"{_INDENT}{number} | {shown}",
        f"{_INDENT}{' ' * len(number)} | {' ' * before}{carets}",
    ]


def _end(line: str, start: int, place: Location) -> int:
    if place.end_column is None or place.end_line not in {None, place.line}:
        return max(start, len(line.rstrip()))
    return max(start, min(place.end_column - 1, len(line)))


def _window(line: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the shown part of a line, the columns before the range, and those of the range.

    Each character is measured as it is shown, so an escaped control character takes its four.
    """
    cells = [_shown(char) for char in line[: end + WIDTH]]
    widths = [display_width(cell) for cell in cells]
    first = 0
    if sum(widths[:end]) > WIDTH or len(line) > len(cells):
        first = _back(widths, start, _LEFT)
    last, used = first, 0
    while last < len(cells) and used + widths[last] <= WIDTH:
        used += widths[last]
        last += 1
    left = _CUT if first else ""
    right = _CUT if last < len(line) else ""
    text = left + "".join(cells[first:last]) + right
    before = display_width(left) + sum(widths[first:start])
    return text, before, sum(widths[start : min(end, last)])


def _back(widths: Sequence[int], start: int, columns: int) -> int:
    """Index of the first character that is at most so many columns before `start`."""
    used = 0
    while start > 0 and used + widths[start - 1] <= columns:
        start -= 1
        used += widths[start]
    return start


def _shown(char: str) -> str:
    """A character as it goes to the terminal: nothing that moves the cursor or has no shape."""
    if char == "\t":
        return "    "
    if unicodedata.category(char) in {"Cf", "Zl", "Zp"}:
        return f"\\u{ord(char):04x}"
    return printable(char)


def display_width(text: str) -> int:
    """Return how many terminal columns a text takes: two for wide characters, none for marks."""
    width = 0
    for char in text:
        if char.isascii():
            width += 1
        elif unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
            continue
        else:
            width += 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
    return width


def changed_part(old: str, new: str) -> tuple[int, int, int]:
    """Return where two texts part and meet again: start, end in `old`, end in `new`; 0-based.

    Both ends are moved out to blanks, so that whole words are shown.
    """
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    longest = min(len(old), len(new)) - start
    while end < longest and old[-1 - end] == new[-1 - end]:
        end += 1
    while start > 0 and _in_word(old[start - 1]):
        start -= 1
    while end > 0 and _in_word(old[len(old) - end]):
        end -= 1
    return start, len(old) - end, len(new) - end


def _in_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char in "_.")


def source_line(text: str) -> str:
    """Return a source's text for one line of output, cut when it is long."""
    first = text.strip("\r\n").replace("\r\n", "\n").split("\n")
    shown = printable(first[0].replace("\t", "    "))
    if len(first) > 1:
        return f"{shown[:WIDTH]} {_CUT} ({len(first)} lines)"
    return shown if len(shown) <= 2 * WIDTH else shown[: 2 * WIDTH] + _CUT
