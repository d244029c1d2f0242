"""What a terminal shows of a text: control codes and carriage returns; must not know its meaning.

Two views exist and are never mixed. `all` is everything the log holds without its colour codes.
`after_cr` is what a person saw at the end: of each line only the text after the last carriage
return that overwrote something. Both are described as removals, so that the caller keeps the way
back to the original characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Source: ECMA-48 (CSI, OSC, DCS, SOS, PM, APC and two-character sequences). A string sequence
# never crosses a line end here: an unterminated one must not swallow the rest of a log. The last
# alternative drops a bare introducer, so that removing one code can never build another.
ANSI = re.compile(
    r"[\x1b\x9b](?:"
    r"(?:(?<=\x1b)\[|(?<=\x9b))[0-?]*[ -/]*(?:[@-~]|\Z)"
    r"|(?<=\x1b)(?:"
    r"\][^\x07\x1b\n\r]*(?:\x07|\x1b\\)"
    r"|[PX^_][^\x1b\n\r]*\x1b\\"
    r"|[ -/]+[0-~]"
    r"|[0-Z\\^-~]"
    r"))?"
)
"""One terminal control code, or an introducer that belongs to none."""

_OVERWRITTEN = re.compile(r"^[^\n]*\r(?=[^\r\n])", re.MULTILINE)
"""From the line's start to the last carriage return that something follows."""


def overwritten_spans(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield half-open ranges that later text of the same line overwrote, ascending.

    A `\r` before the line end (CRLF, also doubled) overwrites nothing. Text that a shorter
    successor leaves standing on a real screen counts as overwritten.
    """
    for match in _OVERWRITTEN.finditer(text):
        yield match.span()


def strip_ansi(text: str) -> str:
    """The text without terminal control codes; nothing else changes."""
    if "\x1b" not in text and "\x9b" not in text:
        return text
    return ANSI.sub("", text)


def last_screen(text: str) -> str:
    """The text without control codes and without what a carriage return overwrote."""
    text = strip_ansi(text)
    return _OVERWRITTEN.sub("", text) if "\r" in text else text
