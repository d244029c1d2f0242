"""Applies the plain `sed` substitutions whose effect can be computed with certainty.

Whatever needs more than literal text, `.`, `^` and `$` is left unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_ESCAPED = re.compile(r"\\(.)")
_UNKNOWN_VALUE = re.compile(r"\$[\w{(]|`")
"""What the shell would have filled in."""
_SPECIAL_BASIC = re.compile(r"[*\[\]\\]")
_SPECIAL_EXTENDED = re.compile(r"[*\[\]\\(){}+?|]")
_LITERAL_ESCAPES = frozenset("./*[]$^&#,@!:-")


@dataclass(frozen=True, slots=True)
class Substitution:
    """One `s/old/new/` command."""

    pattern: re.Pattern[str]
    replacement: str
    everywhere: bool

    def apply(self, text: str) -> str:
        """Return the text after the command, line by line as sed does."""
        count = 0 if self.everywhere else 1
        lines = text.split("\n")
        # What follows the last line end is no line, unless it holds something.
        end = len(lines) - (lines[-1] == "")
        done = [self.pattern.sub(lambda _: self.replacement, x, count) for x in lines[:end]]
        return "\n".join([*done, *lines[end:]])


def substitutions(words: Sequence[str]) -> tuple[Substitution, ...] | None:
    """Return what the scripts of a `sed -i` do, in order; None when it cannot be computed.

    Args:
        words: the arguments of sed.
    """
    extended = False
    scripts: list[str] = []
    plain: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        if word in {"-e", "--expression"} and index + 1 < len(words):
            index += 1
            scripts.append(words[index])
        elif word in {"-E", "-r", "--regexp-extended"}:
            extended = True
        elif re.fullmatch(r"-i(?:\.\w+)?|--in-place(?:=.*)?", word):
            pass
        elif word.startswith("-"):
            return None
        else:
            plain.append(word)
        index += 1
    parsed = [_parse(script, extended) for script in scripts or plain[:1]]
    known = tuple(item for item in parsed if item is not None)
    return known if known and len(known) == len(parsed) else None


def _parse(script: str, extended: bool) -> Substitution | None:
    if len(script) < 4 or script[0] != "s" or script[1].isalnum() or script[1] in "\\\n ":
        return None
    parts = _split(script[2:], script[1])
    if _UNKNOWN_VALUE.search(script):
        return None
    if len(parts) != 3 or parts[2] not in {"", "g"} or "\n" in script or not parts[0]:
        return None
    pattern = _pattern(parts[0], _SPECIAL_EXTENDED if extended else _SPECIAL_BASIC)
    replacement = _replacement(parts[1])
    if pattern is None or replacement is None:
        return None
    return Substitution(re.compile(pattern), replacement, parts[2] == "g")


def _split(text: str, delimiter: str) -> list[str]:
    """Split at the delimiter; an escaped one is part of the text."""
    parts = [""]
    index = 0
    while index < len(text):
        if text[index] == "\\" and index + 1 < len(text):
            escaped = text[index + 1]
            parts[-1] += escaped if escaped == delimiter == "/" else "\\" + escaped
            index += 2
            continue
        if text[index] == delimiter:
            parts.append("")
        else:
            parts[-1] += text[index]
        index += 1
    return parts


def _pattern(text: str, special: re.Pattern[str]) -> str | None:
    """The pattern in Python's notation."""
    out: list[str] = []
    index = 0
    while index < len(text):
        char = text[index]
        if char == "\\" and index + 1 < len(text) and text[index + 1] in _LITERAL_ESCAPES:
            index += 1
            out.append(re.escape(text[index]))
        elif char == "^" and index == 0:
            out.append("^")
        elif char == "$" and index == len(text) - 1:
            out.append(r"\Z")
        elif char in "^$" or special.match(char):
            return None
        else:
            out.append("." if char == "." else re.escape(char))
        index += 1
    return "".join(out)


def _replacement(text: str) -> str | None:
    if any(match[1] not in _LITERAL_ESCAPES for match in _ESCAPED.finditer(text)):
        return None
    if "&" in _ESCAPED.sub("", text):
        return None
    return _ESCAPED.sub(r"\1", text)
