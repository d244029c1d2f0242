"""Picks short runs of a quotation and finds where they stand; must not judge what is found there.

A seed is a run of bytes that a genuine or slightly altered quotation shares with its source:
words, pieces of words, and pieces of lines with their blanks. Rare ones are worth most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from summarizer.text.normalize import CJK
from validators.quotes.corpus import Corpus, encode

HIT_LIMIT = 2048
"""Places kept per seed; a seed with more says nothing about the place."""
_REMEMBERED = 20_000
"""Seeds whose places are remembered."""
SAMPLE_BYTES = 1 << 18
_SAMPLE_PIECES = 32
_CANDIDATES = 64
LONG_FROM = 8 << 20
"""Bytes of evidence from which short seeds are avoided: they stand everywhere."""
_LONG_SEED = 7
_ENOUGH = 3
_MIN_DISTINCT = 4

_PIECE = re.compile(rf"[^\s'\"{CJK}]{{3,}}|[{CJK}]{{2,4}}|[{CJK}]")
_NAME = re.compile(r"[A-Za-z0-9_]{4,}|\d+\.\d+")
_LONG_PIECE = 24
_SHORT_TEXT = 48
_CHUNK = 20


class Seed(NamedTuple):
    """A run of a quotation."""

    data: bytes
    offset: int
    """Byte offset in the quotation it was taken from."""


class Located(NamedTuple):
    """A seed with the places where it stands."""

    seed: Seed
    hits: Sequence[int]
    """Byte positions in the corpus, ascending; at most HIT_LIMIT."""
    complete: bool
    """False when there are more places than were kept."""


def sample_of(corpus: Corpus) -> bytes:
    """A quarter of a megabyte of the corpus, evenly spread, to estimate how rare a run is."""
    cached = corpus.cached("sample")
    if isinstance(cached, bytes):
        return cached
    data = corpus.data
    if len(data) <= SAMPLE_BYTES:
        sample = data
    else:
        size = SAMPLE_BYTES // _SAMPLE_PIECES
        step = (len(data) - size) // (_SAMPLE_PIECES - 1)
        sample = b"\xff".join(data[i * step : i * step + size] for i in range(_SAMPLE_PIECES))
    corpus.cached("sample", sample)
    return sample


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield character ranges of words, halves of long words and pieces of lines."""
    for match in _PIECE.finditer(text):
        start, end = match.span()
        if end - start <= _LONG_PIECE:
            yield start, end
            continue
        for low in range(start, end - _LONG_PIECE // 2 + 1, _LONG_PIECE // 2):
            yield low, min(low + _LONG_PIECE, end)
    for match in _NAME.finditer(text):
        yield match.span()
    if len(text) <= _SHORT_TEXT:
        for low in range(0, max(1, len(text) - 4), 3):
            yield low, low + 5
        for match in re.finditer(rf"(?=([{CJK}]{{2}}))", text):
            yield match.span(1)
    for low in range(0, len(text) - _CHUNK, _CHUNK):
        yield low, low + _CHUNK


def _candidates(text: str) -> list[Seed]:
    seeds: dict[bytes, Seed] = {}
    ranges = sorted(set(_pieces(text)))
    step = max(1, len(ranges) // (4 * _CANDIDATES))
    position = 0
    done = 0
    for start, end in ranges[::step]:
        position += len(encode(text[done:start]))
        done = start
        data = encode(text[start:end])
        if len(set(data)) >= _MIN_DISTINCT:
            seeds.setdefault(data, Seed(data, position))
    return list(seeds.values())


def _counts(corpus: Corpus) -> dict[bytes, int]:
    """How often runs stand in the sample, as far as that was counted."""
    cached = corpus.cached("counts")
    if isinstance(cached, dict) and len(cached) < _REMEMBERED:
        return cached
    fresh: dict[bytes, int] = {}
    corpus.cached("counts", fresh)
    return fresh


def _by_rarity(
    corpus: Corpus, sample: bytes, found: Sequence[Seed]
) -> list[tuple[int, int, int, Seed]]:
    """The seeds worth a search, rarest and longest first: (count, -length, offset, seed)."""
    counts = _counts(corpus)
    counted = []
    for seed in found:
        count = counts.get(seed.data)
        if count is None:
            count = counts[seed.data] = sample.count(seed.data)
        counted.append((count, -len(seed.data), seed.offset, seed))
    if len(sample) == len(corpus.data):
        counted = [entry for entry in counted if entry[0]]
    # A seed with too many places is dropped later: do not look for them.
    scale = len(corpus.data) / max(1, len(sample))
    rare = [entry for entry in counted if entry[0] * scale < HIT_LIMIT / 2]
    if len(corpus.data) > LONG_FROM:
        long = [entry for entry in rare if -entry[1] >= _LONG_SEED]
        rare = long if len(long) >= _ENOUGH else rare
    return sorted(rare or counted)


def choose(corpus: Corpus, text: str, count: int, *, words: bool = False) -> list[Seed]:
    """The rarest seeds of a text, spread over it, rarest first.

    Args:
        corpus: Where they will be looked for.
        text: The quotation as written, or its canonical form.
        count: At most this many.
        words: Only runs without blanks, which no change of layout breaks.

    Returns:
        Possibly fewer; none when the text has no run that distinguishes anything.
    """
    sample = sample_of(corpus)
    found = [s for s in _candidates(text) if not (words and len(s.data.split()) > 1)]
    if len(found) > 4 * _CANDIDATES:
        found = found[:: len(found) // (4 * _CANDIDATES) + 1]
    if words:
        found = [Seed(s.data.strip(), s.offset) for s in found]
    scored = _by_rarity(corpus, sample, found)
    parts = max(1, min(count // 2, len(text) // _CHUNK))
    width = len(encode(text)) / parts + 1
    chosen: dict[bytes, Seed] = {}
    for part in range(parts):
        best = next((s for *_, s in scored if part * width <= s.offset < (part + 1) * width), None)
        if best:
            chosen.setdefault(best.data, best)
    for *_, seed in scored:
        if len(chosen) >= count:
            break
        chosen.setdefault(seed.data, seed)
    order = {seed.data: i for i, (*_, seed) in enumerate(scored)}
    return sorted(chosen.values(), key=lambda seed: order[seed.data])


def hits_of(corpus: Corpus) -> dict[bytes, Located]:
    """Places that were looked up before; shared by all quotations of a corpus."""
    cached = corpus.cached("hits")
    if isinstance(cached, dict):
        return cached
    fresh: dict[bytes, Located] = {}
    corpus.cached("hits", fresh)
    return fresh


def locate(corpus: Corpus, seed: Seed) -> Located:
    """All places of one seed, up to HIT_LIMIT."""
    known = hits_of(corpus)
    found = known.get(seed.data)
    if found is None:
        if len(known) >= _REMEMBERED:
            known.clear()
        found = known[seed.data] = Located(seed, *_places(corpus, seed.data))
    return Located(seed, found.hits, found.complete)


def _places(corpus: Corpus, data: bytes) -> tuple[Sequence[int], bool]:
    hits: list[int] = []
    position = corpus.data.find(data)
    while position >= 0:
        if len(hits) == HIT_LIMIT:
            return hits, False
        hits.append(position)
        position = corpus.data.find(data, position + 1)
    return hits, True


def locate_some(corpus: Corpus, seeds: Iterable[Seed], count: int) -> list[Located]:
    """The places of the first `count` seeds that stand anywhere."""
    found: list[Located] = []
    for seed in seeds:
        located = locate(corpus, seed)
        if located.hits:
            found.append(located)
        if len(found) == count:
            break
    return found
