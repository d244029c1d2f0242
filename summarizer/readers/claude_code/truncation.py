"""Decides what a cut output still holds; must not know tools or files.

Source of the marks: results of the Bash tool in sessions of versions 1.0.24 to 2.1.197.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from summarizer.model.source import Completeness

CHARS_MARK = re.compile(r"\n\n\.\.\. \[(\d{1,12}) characters truncated\] \.\.\.\n\n")
LINES_MARK = re.compile(r"\n*\.\.\. \[(\d{1,12}) lines truncated\] \.\.\.\s*\Z")
OTHER_MARK = re.compile(r"\[OUTPUT TRUNCATED - exceeded \d{1,12} token limit\]")
TASK_MARK = re.compile(r"\A\s*\[Truncated\. Full output: ([^\]\n]{1,4096})\]\s*\n?")
PERSISTED = re.compile(
    r"\A<persisted-output>\nOutput too large \(([\d.]+ ?[KMG]?B)\)\. "
    r"Full output saved to: ([^\n]{1,4096})\n"
)
_PREVIEW = re.compile(r"\n\nPreview \(first [^)\n]{1,20}\):\n")
_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})", re.ASCII)

_HALF = 5_000
"""Characters kept on each side of the mark of a failing command."""
_SLACK = 700
"""Trimmed blanks, and names that an exporter shortened, make a side smaller than that."""
_OUTPUT_LIMIT = 30_000
"""Bytes of output kept before anything else happens (default of the client)."""
_TOLERANCE = 0.06
"""How far the estimated bytes of an output may be from the limit to count as cut there."""
_LAST_REAL_TAIL = (2, 1, 42)
"""Newest version measured whose failing outputs end with their real end."""
_LAST_LINES_MARK = (2, 1, 1)


class Kept(NamedTuple):
    """A text and what it still holds of the output."""

    text: str
    completeness: Completeness


def parse_version(version: str | None) -> tuple[int, ...]:
    """`2.1.197` -> (2, 1, 197); an empty tuple when unknown."""
    match = _VERSION.match(version or "")
    return tuple(int(part) for part in match.groups()) if match else ()


def failed_output(content: str, prefix: int, version: str | None) -> Kept:
    """The output of a failing command.

    Args:
        content: The result's text with its `Exit code N` line.
        prefix: Length of that line with its newline, 0 when there is none.
        version: The client's version, None when unknown.

    Returns:
        The text without the prefix; a mark in the middle stays, as it separates the two pieces.
    """
    text = content[prefix:]
    for match in CHARS_MARK.finditer(content):
        before, after = match.start(), len(content) - match.end()
        if _half(before) and _half(after):
            total = before + after + int(match[1]) - prefix
            kept = content[prefix:before] + content[match.end() :]
            return Kept(text, _two_pieces(kept, total, version))
    return Kept(text, Completeness.FULL)


def _half(length: int) -> bool:
    return _HALF - _SLACK <= length <= _HALF


def _two_pieces(kept: str, total: int, version: str | None) -> Completeness:
    """Whether the second piece is the real end.

    Newer clients first cut an output to its first 30,000 bytes: then the second piece is the
    end of that part only. An ASCII output shows this exactly (the total is 30,000); with wider
    characters the bytes of the lost middle can only be estimated from those at hand.
    """
    parsed = parse_version(version)
    if parsed and parsed <= _LAST_REAL_TAIL:
        return Completeness.HEAD_TAIL
    kept_bytes = len(kept.encode("utf-8", "surrogatepass"))
    ascii_only = kept_bytes == len(kept)
    if total >= _OUTPUT_LIMIT:
        cut = ascii_only and total % 1_000 == 0
        return Completeness.HEAD if cut else Completeness.HEAD_TAIL
    estimate = total * kept_bytes / max(len(kept), 1)
    if abs(estimate - _OUTPUT_LIMIT) > _TOLERANCE * _OUTPUT_LIMIT:
        return Completeness.HEAD_TAIL
    return Completeness.UNKNOWN if ascii_only else Completeness.HEAD


def succeeded_output(text: str, version: str | None) -> Kept:
    """The output of a succeeding command, without the mark that ends a cut one."""
    match = LINES_MARK.search(text[-200:])
    if match is not None:
        kept = text[: max(len(text) - 200, 0) + match.start()]
        parsed = parse_version(version)
        fits = len(kept) >= _OUTPUT_LIMIT - 100 or (len(kept) >= 1_000 and len(kept) % 1_000 == 0)
        if fits and (not parsed or parsed <= _LAST_LINES_MARK):
            return Kept(kept, Completeness.HEAD)
    return Kept(text, Completeness.FULL)


def persisted_preview(content: str) -> str:
    """The part of a stored output that the client showed in its place."""
    match = _PREVIEW.search(content)
    shown = (content[match.end() :] if match else content).rstrip()
    return shown.removesuffix("</persisted-output>").removesuffix("\n").removesuffix("\n...")


def holds_all(text: str, size: int | None, shown_size: str | None) -> bool:
    """Whether a text is the whole stored output.

    Args:
        text: The text at hand.
        size: `persistedOutputSize`, bytes; None when not recorded.
        shown_size: The size in the client's sentence, e.g. `137.8KB`; used without `size`.
    """
    length = len(text.encode("utf-8", "surrogatepass"))
    if size is not None:
        return length >= size
    match = re.fullmatch(r"([\d.]+) ?([KMG]?)B", shown_size or "")
    if match is None:
        return False
    try:
        shown = float(match[1]) * float(1024 ** " KMG".index(match[2] or " "))
    except ValueError:
        return False
    # The sentence gives one decimal; outer blank lines may have been trimmed from the text.
    return length >= shown * 0.99 - 200
