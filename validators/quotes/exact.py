"""Searches a quotation character for character; must not know any normalisation."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from summarizer.text.terminal import strip_ansi
from validators.quotes.boundaries import cuts_token
from validators.quotes.corpus import Corpus, Rank, Ranks, encode
from validators.quotes.negation import cut_off
from validators.quotes.seeds import hits_of

CONTEXT = 96
"""Bytes looked at on either side of a match."""


@dataclass(frozen=True, slots=True)
class Match:
    """A part of one evidence text that equals a quotation."""

    item: int
    char_start: int
    char_end: int
    """Half-open range in the item's text."""
    rank: Rank
    negation: str | None = None
    """Negation that stands directly before the match."""
    names: tuple[str, ...] = ()
    """Readings and views that were needed; empty for a literal match."""

    @property
    def order(self) -> tuple[bool, Rank, int, int]:
        """Sort key, best first."""
        return self.negation is not None, self.rank, self.item, self.char_start


def edge(before: str, quoted: str, after: str) -> tuple[bool, str | None]:
    """Whether a match cuts a token at an end, and the negation it cuts off.

    Args:
        before: Text before the match, as a reader sees it (without control codes).
        quoted: The match.
        after: Text after it.
    """
    text = before + quoted + after
    start, end = len(before), len(before) + len(quoted)
    if cuts_token(text, start) or cuts_token(text, end):
        return True, None
    return False, cut_off(before, quoted)


def find_exact(corpus: Corpus, text: str, ranks: Ranks) -> Match | None:
    """The best literal occurrence of `text` on token boundaries.

    Args:
        corpus: Where to search.
        text: Non-empty, without blanks at its ends.
        ranks: One per item; an occurrence of the best rank ends the search.

    Returns:
        The first occurrence of the best rank; one that cuts off a negation only when no other
        exists.
    """
    needle = encode(text)
    best: Match | None = None
    known = hits_of(corpus).get(needle)
    find = _known_finder(known.hits) if known and known.complete else corpus.data.find
    position = find(needle)
    while position >= 0:
        if splits_ascii_word(corpus.data, position, position + len(needle)):
            position = find(needle, position + 1)
            continue
        item = corpus.item_at(position)
        if best is not None and best.negation is None and ranks[item] >= best.rank:
            position = find(needle, corpus.bounds(item)[1])
            continue
        found = _accept(corpus, item, position, position + len(needle), text, ranks[item])
        if found and (best is None or found.order < best.order):
            best = found
            if found.negation is None and found.rank.foreign == 0 and found.rank.distance == 0:
                break
        position = find(needle, position + 1)
    return best


def _known_finder(hits: Sequence[int]) -> Callable[..., int]:
    """A `bytes.find` that reads places which were looked up before."""

    def find(_needle: bytes, start: int = 0) -> int:
        at = bisect_left(hits, start)
        return hits[at] if at < len(hits) else -1

    return find


_WORD_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


def splits_ascii_word(data: bytes, start: int, end: int) -> bool:
    """Whether a byte range surely cuts an ASCII word; a cheap test before `edge`."""
    if start > 0 and data[start] in _WORD_BYTES and data[start - 1] in _WORD_BYTES:
        return True
    return end < len(data) and data[end - 1] in _WORD_BYTES and data[end] in _WORD_BYTES


def _accept(corpus: Corpus, item: int, start: int, end: int, text: str, rank: Rank) -> Match | None:
    low, high = corpus.widened(item, start - CONTEXT, end + CONTEXT)
    before = strip_ansi(corpus.text(low, start))
    after = strip_ansi(corpus.text(end, high))
    cut, negation = edge(before, text, after)
    if cut:
        return None
    char_start = corpus.char_offset(item, start)
    return Match(item, char_start, char_start + len(text), rank, negation)
