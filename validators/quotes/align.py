"""Lays a quotation beside its closest source and draws the difference; accepts nothing.

The only user of rapidfuzz. Nothing here may influence whether a quotation passes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, LCSseq

from summarizer.text.normalize import CJK

_TOKEN = re.compile(rf"\d+(?:\.\d+)*(?:[eE][+-]?\d+)?|[{CJK}]|[^\W{CJK}]+|\s+|.", re.DOTALL)
_SHORT = 64
"""Characters up to which rapidfuzz's partial alignment is optimal."""
_MEDIUM = 1000
"""Characters up to which it is fast and good enough."""
_CONTEXT_TOKENS = 12
_ROUNDS = 3
_SHIFT = 3
"""Tokens by which the ends of a short alignment are moved to find the best ones."""


class Token(NamedTuple):
    """A word, a number, a CJK character, a blank or a single other character."""

    text: str
    start: int


class Aligned(NamedTuple):
    """The part of a window that is closest to a quotation."""

    similarity: float
    """0-100: normalised Indel similarity by characters."""
    start: int
    end: int
    """Half-open range in the window."""
    by_tokens: float
    """0-100: the same by tokens; of many near-duplicates the source is the one whose tokens
    differ least."""

    @property
    def closeness(self) -> float:
        """What places are compared by: tokens first, characters between words that changed."""
        return 2 * self.by_tokens + self.similarity


def tokens(text: str) -> list[Token]:
    """Split a text into tokens; joined they give the text again."""
    return [Token(match.group(), match.start()) for match in _TOKEN.finditer(text)]


def shared(quoted: str, window: str) -> float:
    """The share of the quotation's characters that stand in the window in order, 0-1."""
    return LCSseq.similarity(quoted, window) / max(1, len(quoted))


def align(quoted: str, window: str) -> Aligned:
    """The part of `window` closest to `quoted`, on token boundaries.

    Args:
        quoted: Canonical quotation, non-empty.
        window: Canonical source text.
    """
    if len(quoted) <= _SHORT:
        return _aligned_short(quoted, window)
    theirs: Sequence[Token] | None = None
    if len(quoted) <= _MEDIUM:
        # Near-duplicate lines in one window mislead a common subsequence: place it first.
        found = fuzz.partial_ratio_alignment(quoted, window)
        if found is not None:
            slack = 8 + len(quoted) // 8
            theirs = _tokens_in(window, found.dest_start - slack, found.dest_end + slack)
    aligned = _narrowed(quoted, window, tokens(window) if theirs is None else theirs)
    return _with_tokens(quoted, window, aligned)


def _tokens_in(window: str, start: int, end: int) -> list[Token]:
    """The tokens of a part of a window, whole words only, with their place in the window."""
    start, end = max(0, start), min(len(window), end)
    while start > 0 and _is_word(window[start - 1]) and _is_word(window[start]):
        start -= 1
    while end < len(window) and _is_word(window[end - 1]) and _is_word(window[end]):
        end += 1
    return [Token(t.text, t.start + start) for t in tokens(window[start:end])]


def _is_word(char: str) -> bool:
    return char.isalnum() or char in "_."


def _narrowed(quoted: str, window: str, theirs: Sequence[Token]) -> Aligned:
    ours = tokens(quoted)
    low, high = 0, len(theirs)
    for _ in range(_ROUNDS):
        narrowed = _narrow(ours, theirs, low, high)
        if narrowed == (low, high):
            break
        low, high = narrowed
    if low >= high:
        return Aligned(0.0, 0, 0, 0.0)
    start, end = theirs[low].start, theirs[high - 1].start + len(theirs[high - 1].text)
    return _rated(quoted, window, start, end)


def _aligned_short(quoted: str, window: str) -> Aligned:
    found = fuzz.partial_ratio_alignment(quoted, window)
    if found is None or found.dest_end <= found.dest_start:
        return Aligned(0.0, 0, 0, 0.0)
    reach = 16 * _SHIFT
    nearby = _tokens_in(window, found.dest_start - reach, found.dest_end + reach)
    places = [token for token in nearby if not token.text.isspace()]
    first = next((i for i, t in enumerate(places) if t.start + len(t.text) > found.dest_start), 0)
    last = next(
        (i for i, t in enumerate(places) if t.start + len(t.text) >= found.dest_end),
        len(places) - 1,
    )
    ours = [token.text for token in tokens(quoted) if not token.text.isspace()]
    theirs = [token.text for token in places]
    best = Aligned(0.0, 0, 0, 0.0)
    for low in range(max(0, first - _SHIFT), min(len(places), first + _SHIFT + 1)):
        for high in range(max(low, last - _SHIFT), min(len(places), last + _SHIFT + 1)):
            end = places[high].start + len(places[high].text)
            rated = _rated(quoted, window, places[low].start, end)._replace(
                by_tokens=100 * Indel.normalized_similarity(ours, theirs[low : high + 1])
            )
            if rated.closeness > best.closeness:
                best = rated
    return best


def _rated(quoted: str, window: str, start: int, end: int) -> Aligned:
    while start < end and window[start].isspace():
        start += 1
    while start < end and window[end - 1].isspace():
        end -= 1
    similarity = 100 * Indel.normalized_similarity(quoted, window[start:end])
    return Aligned(similarity, start, end, 0.0)


def _with_tokens(quoted: str, window: str, aligned: Aligned) -> Aligned:
    ours = [t.text for t in tokens(quoted) if not t.text.isspace()]
    theirs = [t.text for t in tokens(window[aligned.start : aligned.end]) if not t.text.isspace()]
    return aligned._replace(by_tokens=100 * Indel.normalized_similarity(ours, theirs))


def with_ends(quoted: str, window: str, aligned: Aligned) -> Aligned:
    """Take in the source's first or last token where the quotation replaced just that one.

    The closest part of `3. Summarize` to `7. Summarize` is `. Summarize`; the reader wants to see
    that the 3 became a 7.
    """
    ours = [t.text for t in tokens(quoted) if not t.text.isspace()]
    nearby = _tokens_in(window, aligned.start - 32, aligned.end + 32)
    theirs = [t for t in nearby if not t.text.isspace()]
    inside = [t for t in theirs if aligned.start <= t.start < aligned.end]
    if len(ours) < 2 or not inside:
        return aligned
    first, last = theirs.index(inside[0]), theirs.index(inside[-1])
    start, end = aligned.start, aligned.end
    if ours[1] == inside[0].text and first > 0 and _same_kind(ours[0], theirs[first - 1].text):
        start = theirs[first - 1].start
    follows = theirs[last + 1] if last + 1 < len(theirs) else None
    if follows and ours[-2] == inside[-1].text and _same_kind(ours[-1], follows.text):
        end = follows.start + len(follows.text)
    return aligned._replace(start=start, end=end)


def _same_kind(one: str, two: str) -> bool:
    return one[0].isdigit() == two[0].isdigit() and one[0].isalpha() == two[0].isalpha()


class _Block(NamedTuple):
    """A run of equal tokens."""

    ours: int
    theirs: int
    size: int


def _narrow(ours: Sequence[Token], theirs: Sequence[Token], low: int, high: int) -> tuple[int, int]:
    """Drop outer blocks of equal tokens that lie farther away than they are worth."""
    blocks = [
        _Block(op.src_start, low + op.dest_start, op.src_end - op.src_start)
        for op in Indel.opcodes([t.text for t in ours], [t.text for t in theirs[low:high]])
        if op.tag == "equal"
    ]
    if not blocks:
        return low, low
    first, last = 0, len(blocks) - 1
    while first < last and _gap(blocks[first], blocks[first + 1]) > blocks[first].size:
        first += 1
    while last > first and _gap(blocks[last - 1], blocks[last]) > blocks[last].size:
        last -= 1
    head, tail = blocks[first], blocks[last]
    after = len(ours) - tail.ours - tail.size
    new_low = max(low, head.theirs - head.ours)
    new_high = min(high, tail.theirs + tail.size + after)
    return new_low, new_high


def _gap(one: _Block, two: _Block) -> int:
    return two.theirs - one.theirs - one.size


def diff(quoted: str, source: str) -> str:
    """A token diff that reads at once: `max=[-0.081-]{+0.08+}`.

    Args:
        quoted: Canonical quotation.
        source: Canonical source text beside it.

    Returns:
        `[-...-]` stands only in the source, `{+...+}` only in the quotation; long equal runs
        are shortened to a `…`.
    """
    theirs = [token.text for token in tokens(source)]
    ours = [token.text for token in tokens(quoted)]
    pieces: list[str] = []
    operations = Indel.opcodes(theirs, ours)
    removed = added = ""
    for op in operations:
        if op.tag == "equal":
            pieces.append(_change(removed, added))
            removed = added = ""
            run = theirs[op.src_start : op.src_end]
            pieces.append(
                _shortened(run, not pieces[0] and len(pieces) == 1, op.src_end == len(theirs))
            )
        else:
            removed += "".join(theirs[op.src_start : op.src_end])
            added += "".join(ours[op.dest_start : op.dest_end])
    pieces.append(_change(removed, added))
    return "".join(pieces)


def _change(removed: str, added: str) -> str:
    return (f"[-{removed}-]" if removed else "") + (f"{{+{added}+}}" if added else "")


def _shortened(run: Sequence[str], at_start: bool, at_end: bool) -> str:
    if len(run) <= 2 * _CONTEXT_TOKENS + 2:
        return "".join(run)
    head = "" if at_start else "".join(run[:_CONTEXT_TOKENS])
    tail = "" if at_end else "".join(run[-_CONTEXT_TOKENS:])
    return f"{head}…{tail}"
