"""Keeps the texts of all evidence searchable; must not know what a quotation is.

The texts are held as UTF-8, one after the other, with a byte between them that no UTF-8 text
contains: a search can therefore never match across two evidence items. Bytes are searched
because one Chinese character would double a `str` and make its search six times slower.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from summarizer.model.evidence import Evidence, Witness
from summarizer.model.finding import SourcePlace
from summarizer.model.source import Completeness

SEPARATOR = b"\xff"
_CONTINUATION = bytes(range(0x80, 0xC0))


class Span(NamedTuple):
    """A half-open byte range of the corpus inside one item."""

    item: int
    """0-based position of the evidence in the sequence the corpus was built from."""
    start: int
    end: int


def encode(text: str) -> bytes:
    """UTF-8 that also carries lone surrogates, which JSON escapes bring into transcripts."""
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    """The inverse of `encode`."""
    return data.decode("utf-8", "surrogatepass")


class Corpus:
    """All evidence of one trace; immutable after construction."""

    __slots__ = ("_ascii", "_caches", "_starts", "chars", "cut_items", "data", "items")

    def __init__(self, items: Sequence[Evidence]) -> None:
        """Encode the texts of `items`; their order decides ties between equal places."""
        self.items: tuple[Evidence, ...] = tuple(items)
        parts = [encode(item.text) for item in self.items]
        self.data: bytes = SEPARATOR.join(parts)
        self.chars = sum(len(item.text) for item in self.items) + max(0, len(parts) - 1)
        """Characters of all texts, separators included: equals `len(data)` for pure ASCII."""
        self._ascii = [
            len(part) == len(item.text) for part, item in zip(parts, self.items, strict=True)
        ]
        self._starts: list[int] = []
        position = 0
        for part in parts:
            self._starts.append(position)
            position += len(part) + 1
        self._caches: dict[str, object] = {}
        self.cut_items = tuple(position for position, item in enumerate(self.items) if is_cut(item))
        """Positions of the witnesses that lost a part."""

    def __len__(self) -> int:
        return len(self.items)

    def cached(self, key: str, value: object = None) -> object | None:
        """Keep a structure derived from the corpus, for the engine's own use."""
        if value is not None:
            self._caches[key] = value
        return self._caches.get(key)

    def bounds(self, item: int) -> tuple[int, int]:
        """The half-open byte range of an item's text."""
        start = self._starts[item]
        after = self._starts[item + 1] - 1 if item + 1 < len(self._starts) else len(self.data)
        return start, after

    def item_at(self, position: int) -> int:
        """The item that holds the byte at `position`."""
        return bisect_right(self._starts, position) - 1

    def find(self, needle: bytes, start: int = 0, end: int | None = None) -> Iterator[int]:
        """Yield the byte positions of `needle`, ascending, overlaps included."""
        stop = len(self.data) if end is None else end
        position = self.data.find(needle, start, stop)
        while position >= 0:
            yield position
            position = self.data.find(needle, position + 1, stop)

    def widened(self, item: int, start: int, end: int) -> tuple[int, int]:
        """Clip a byte range to an item and grow it to whole characters."""
        low, high = self.bounds(item)
        start, end = max(start, low), min(end, high)
        while start > low and self.data[start] & 0xC0 == 0x80:
            start -= 1
        while end < high and self.data[end] & 0xC0 == 0x80:
            end += 1
        return start, end

    def text(self, start: int, end: int) -> str:
        """Decode a byte range that begins and ends on character boundaries of one item."""
        return decode(self.data[start:end])

    def char_offset(self, item: int, position: int) -> int:
        """0-based index of the character at a byte position in its item's text."""
        start, _ = self.bounds(item)
        if self._ascii[item]:
            return position - start
        return len(self.data[start:position].translate(None, _CONTINUATION))

    def byte_offset(self, item: int, char: int) -> int:
        """Byte position in the corpus of a character index of an item's text."""
        start, _ = self.bounds(item)
        if self._ascii[item]:
            return start + char
        return start + len(encode(self.items[item].text[:char]))

    def place(self, item: int) -> SourcePlace:
        """The record an item was taken from."""
        evidence = self.items[item]
        return SourcePlace(
            path=evidence.source.path,
            record=evidence.source.record,
            byte_start=evidence.source.byte_start,
            byte_end=evidence.source.byte_end,
            evidence_id=evidence.id,
            stage=evidence.stage,
            round_no=evidence.round_no,
        )


class Rank(NamedTuple):
    """How well an item suits an attribution; smaller is better."""

    foreign: int
    """0: a witness of the attributed place, 1: a witness of another, 2: no witness."""
    distance: int
    """0: exactly the attributed place, 1: of its stage before the first round, 2: of its stage,
    3: elsewhere."""


def rank(evidence: Evidence, stage: str | None, round_no: int | None) -> Rank:
    """Rank an item for a quotation attributed to `stage` and `round_no` (None: any)."""
    right_stage = stage is None or evidence.stage == stage
    right_round = round_no is None or evidence.round_no == round_no
    before_first = evidence.round_no is None
    if right_stage and right_round:
        distance = 0
    elif right_stage and before_first:
        distance = 1
    else:
        distance = 2 if right_stage else 3
    if not evidence.witness.proves_quotation:
        return Rank(2, distance)
    return Rank(0 if distance <= 1 else 1, distance)


class Ranks:
    """The rank of each item for one attribution, worked out when it is asked for."""

    __slots__ = ("_corpus", "_known", "_round_no", "_stage")

    def __init__(self, corpus: Corpus, stage: str | None, round_no: int | None) -> None:
        """Rank the items of `corpus` for a quotation attributed to `stage` and `round_no`."""
        self._corpus = corpus
        self._stage = stage
        self._round_no = round_no
        self._known: dict[int, Rank] = {}

    def __getitem__(self, item: int) -> Rank:
        """The rank of the item with this 0-based position."""
        known = self._known.get(item)
        if known is None:
            known = rank(self._corpus.items[item], self._stage, self._round_no)
            self._known[item] = known
        return known


def is_cut(evidence: Evidence) -> bool:
    """Whether a witness lost a part that could have held a quotation."""
    return evidence.witness.proves_quotation and evidence.completeness is not Completeness.FULL


def non_witness_kind(evidence: Evidence) -> Witness | None:
    """The class of a text that proves nothing; None for a witness."""
    return None if evidence.witness.proves_quotation else evidence.witness
