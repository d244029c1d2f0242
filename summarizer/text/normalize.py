"""Turns a text into the form in which quotations are compared; must not know what is quoted.

The canonical form decides whether a quotation is genuine, so it folds layout and glyphs only:

* terminal control codes are removed (`terminal.py`);
* text is composed to NFC. Not NFKC: that would turn `x²` into `x2` and `①` into `1`;
* full-width ASCII, full stops, quotation marks, brackets and hyphens of other scripts become
  their ASCII counterpart; `…` becomes `...`. The enumeration comma `、`, dashes (`—`) and
  every other digit or letter stay what they are;
* a run of white space (line ends, indentation, U+3000, U+2028, no-break spaces) becomes one
  blank; at both ends it goes. Between two CJK characters, and between CJK text and ASCII
  punctuation, it goes as well: Chinese lines are joined without a blank, and `，` is
  retyped as `, `.

It keeps case, digits, list numbers, brackets and backticks, and it keeps zero-width characters:
one that is missing from a quotation is a difference, not layout.

Each step is one pattern with one replacement. `canonical` applies the steps with `re.sub`,
`canonical_map` applies the same steps and keeps the way back, so the two cannot disagree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from summarizer.text.terminal import ANSI

Replacement = tuple[int, int, str]
"""(start, end, new text): the half-open range is replaced."""

_FULL_WIDTH = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
_GLYPHS = {
    **_FULL_WIDTH,
    "。": ".", "｡": ".",
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'",
    "“": '"', "”": '"', "„": '"', "‟": '"', "「": '"', "」": '"', "『": '"', "』": '"',
    "【": "[", "】": "]", "〔": "[", "〕": "]",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "−": "-",
    "…": "...",
}  # fmt: skip
_GLYPH = re.compile("[" + re.escape("".join(_GLYPHS)) + "]")
_BLANKS = re.compile(r"\s+")

CJK = (
    "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Body of a character class: scripts written without blanks between words."""
_POINT = ",.;:!?()"
# The blank comes first so that the search skips everything else.
_CJK_BLANK = re.compile(
    f" (?:(?<=[{CJK}] )(?=[{CJK}{_POINT}])|(?<=[{_POINT}] )(?=[{CJK}])"
    f"|(?<=[{CJK}][{_POINT}] )|(?<=[{CJK}] [{_POINT}] ))"
)
_HAS_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True, slots=True)
class Mapped:
    """A text made from another one, with the way back."""

    text: str
    starts: Sequence[int]
    """Per character of `text`: 0-based index of the first original character behind it;
    non-decreasing."""
    ends: Sequence[int]
    """Per character of `text`: index after the last original character behind it; half-open."""

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Map the non-empty half-open range of `text` to the range of the original behind it."""
        return self.starts[start], self.ends[end - 1]


def identity(text: str) -> Mapped:
    """The text as it is, mapped onto itself."""
    return Mapped(text, range(len(text)), range(1, len(text) + 1))


def replaced(mapped: Mapped, changes: Iterable[Replacement]) -> Mapped:
    """Apply replacements (ascending, disjoint) and keep the way back to the first original.

    Every character of a replacement points at the whole replaced range.
    """
    text, starts, ends = mapped.text, mapped.starts, mapped.ends
    pieces: list[str] = []
    new_starts: list[int] = []
    new_ends: list[int] = []
    done = 0
    for start, end, new in changes:
        if start == end:
            continue
        pieces += (text[done:start], new)
        new_starts += starts[done:start]
        new_ends += ends[done:start]
        if new:
            new_starts += [starts[start]] * len(new)
            new_ends += [ends[end - 1]] * len(new)
        done = end
    if done == 0:
        return mapped
    pieces.append(text[done:])
    new_starts += starts[done:]
    new_ends += ends[done:]
    return Mapped("".join(pieces), new_starts, new_ends)


def removed(mapped: Mapped, spans: Iterable[tuple[int, int]]) -> Mapped:
    """Drop half-open ranges (ascending, disjoint) of `mapped.text`."""
    return replaced(mapped, ((start, end, "") for start, end in spans))


@dataclass(frozen=True, slots=True)
class _Step:
    """One pattern with one replacement."""

    pattern: re.Pattern[str]
    new: Callable[[re.Match[str]], str]

    def changes(self, text: str) -> Iterator[Replacement]:
        for match in self.pattern.finditer(text):
            new = self.new(match)
            if new != match.group():
                yield match.start(), match.end(), new


def _nothing(_match: re.Match[str]) -> str:
    return ""


def _blank(_match: re.Match[str]) -> str:
    return " "


def _glyph(match: re.Match[str]) -> str:
    return _GLYPHS[match.group()]


_STRIP_CODES = _Step(ANSI, _nothing)
_FOLD_GLYPHS = _Step(_GLYPH, _glyph)
_ONE_BLANK = _Step(_BLANKS, _blank)
_CLOSE_CJK = _Step(_CJK_BLANK, _nothing)


def _is_mark(char: str) -> bool:
    return unicodedata.combining(char) != 0 or "\u1160" <= char <= "\u11ff"


def _composed(text: str) -> Iterator[Replacement]:
    """NFC by clusters (a character and the marks that follow it), each with its range."""
    start = 0
    for end in chain((i for i in range(1, len(text)) if not _is_mark(text[i])), (len(text),)):
        cluster = text[start:end]
        if not cluster.isascii():
            new = unicodedata.normalize("NFC", cluster)
            if new != cluster:
                yield start, end, new
        start = end


def _outer_blanks(text: str) -> Iterator[tuple[int, int]]:
    inner = len(text.lstrip())
    if inner < len(text):
        yield 0, len(text) - inner
    if inner:
        yield len(text.rstrip()), len(text)


def _apply(text: str, changes: Iterable[Replacement]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, new in changes:
        pieces += (text[done:start], new)
        done = end
    return "".join((*pieces, text[done:]))


def canonical(text: str) -> str:
    """The canonical form alone; idempotent, and equal to `canonical_map(text).text`."""
    if "\x1b" in text or "\x9b" in text:
        text = ANSI.sub("", text)
    if text.isascii():
        return " ".join(text.split())
    if not unicodedata.is_normalized("NFC", text):
        text = _apply(text, _composed(text))
    text = _GLYPH.sub(_glyph, text)
    text = " ".join(text.split())
    return _CJK_BLANK.sub("", text) if _HAS_CJK.search(text) else text


def canonical_map(text: str | Mapped) -> Mapped:
    """The canonical form with the way back to the original characters.

    Args:
        text: The original, or a view of it (then the map leads to the view's original).
    """
    mapped = identity(text) if isinstance(text, str) else text
    mapped = replaced(mapped, _STRIP_CODES.changes(mapped.text))
    if not mapped.text.isascii():
        if not unicodedata.is_normalized("NFC", mapped.text):
            mapped = replaced(mapped, _composed(mapped.text))
        mapped = replaced(mapped, _FOLD_GLYPHS.changes(mapped.text))
    mapped = removed(mapped, _outer_blanks(mapped.text))
    mapped = replaced(mapped, _ONE_BLANK.changes(mapped.text))
    return replaced(mapped, _CLOSE_CJK.changes(mapped.text))
