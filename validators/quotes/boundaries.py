"""Decides whether a match cuts a token; must not know where the text came from.

A quotation that ends inside a number (`0.18` of `0.186`) or an identifier is a substring and yet
false. Numbers keep their sign, their decimals, their exponent, their thousands and a `%`.
Between two CJK characters every place is a boundary.
"""

from __future__ import annotations

import re

from summarizer.text.normalize import CJK

_WORD = re.compile(f"[^\\W{CJK}]")
_NUMBER = re.compile(
    r"(?:(?<![\w)\]])[+-])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)*(?:[eE][+-]?\d+)?%?"
)
_REACH = 48
"""Characters looked at on either side of a boundary; no number in a log is longer."""


def _is_word(char: str) -> bool:
    return _WORD.match(char) is not None


def _near_number(text: str, at: int) -> bool:
    return text[at - 1] in "0123456789.,+-%eE" and text[at] in "0123456789.,+-%eE"


def cuts_token(text: str, at: int) -> bool:
    """Whether the place before index `at` lies inside a word, an identifier or a number.

    Args:
        text: Any text; only the surroundings of `at` are read.
        at: 0-based; 0 and `len(text)` are boundaries.
    """
    if at <= 0 or at >= len(text):
        return False
    if _is_word(text[at - 1]) and _is_word(text[at]):
        return True
    if not _near_number(text, at):
        return False
    low = max(0, at - _REACH)
    return any(
        match.start() < at - low < match.end()
        for match in _NUMBER.finditer(text[low : at + _REACH])
    )


def on_boundaries(text: str, start: int, end: int) -> bool:
    """Whether the half-open range cuts no token at either end."""
    return not cuts_token(text, start) and not cuts_token(text, end)
