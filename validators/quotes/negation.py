"""Finds negations whose loss turns a statement around; must not know who lost them."""

from __future__ import annotations

import re

from summarizer.text.normalize import CJK

WORDS = (
    "no|not|non|never|none|nor|neither|nothing|without|cannot|unable|fail(?:s|ed|ure|ures|ing)?"
    "|[a-z]+n['’]t"
)
_NEGATION = re.compile(
    rf"(?<![A-Za-z0-9_])(?:{WORDS})(?![A-Za-z0-9_])|[不未无没非勿]|失败", re.IGNORECASE
)
_BEFORE = re.compile(
    r"(?<![A-Za-z0-9_])((?:no|not|never|without|cannot|[a-z]+n['’]t)[ \t]+)\Z", re.IGNORECASE
)
_GLUED = re.compile(r"[不未无没非勿]\Z")
_CJK_START = re.compile(f"[{CJK}]")
_SEVERAL = re.compile(r"[A-Za-z]\S*[ \t]+\S")


def negations(text: str) -> tuple[str, ...]:
    """The negations of a text, in order."""
    return tuple(match.group() for match in _NEGATION.finditer(text))


def cut_off(before: str, quoted: str) -> str | None:
    """The negation that stands directly before a quoted text on the same line.

    `未通过` must not be quoted as `通过`, nor `is not supported by` as `supported by`. A single
    word (`no DataCopyPad`) is the name of something and may be quoted.

    Args:
        before: Source characters before the match.
        quoted: The matched characters.
    """
    if _CJK_START.match(quoted):
        glued = _GLUED.search(before)
        return glued.group() if glued else None
    if _SEVERAL.match(quoted):
        match = _BEFORE.search(before)
        return match.group(1).strip() if match else None
    return None
