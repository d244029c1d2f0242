"""Cuts the parts of the evidence that may hold a quotation; must not judge them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log2
from typing import NamedTuple

from validators.quotes.corpus import Corpus, Ranks, Span, encode
from validators.quotes.seeds import Located, Seed, choose, locate, locate_some
from validators.quotes.views import Reading

LINE_REACH = 1 << 16
"""Bytes looked at for the ends of a line that holds carriage returns."""
PIVOTS = 6
"""Seeds tried, rarest first, for a place where a quotation stands unaltered."""
PIVOT_WINDOWS = 1024
SMALL_BYTES = 8 << 20
SEEDS_SMALL = 24
SEEDS_LARGE = 10
"""Seeds per refused quotation; each costs one pass over the evidence."""
VOTED = 48
"""Windows kept per refused quotation; twice as many for a short one."""
SHORT = 24


def span_around(corpus: Corpus, position: int, before: int, after: int) -> Span:
    """The part of an item around a byte position, on character boundaries.

    A window with a carriage return is grown to whole lines, since what a line shows depends on
    all of it.
    """
    item = corpus.item_at(position)
    start, end = corpus.widened(item, position - before, position + after)
    if b"\r" in corpus.data[start:end]:
        low, high = corpus.bounds(item)
        floor = max(low, start - LINE_REACH)
        line = corpus.data.rfind(b"\n", floor, start)
        start = line + 1 if line >= 0 else floor
        line = corpus.data.find(b"\n", end, min(high, end + LINE_REACH))
        end = line if line >= 0 else min(high, end + LINE_REACH)
        start, end = corpus.widened(item, start, end)
    return Span(item, start, end)


def merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Join overlapping spans of the same item; `spans` must ascend by start."""
    current: Span | None = None
    for span in spans:
        if current and span.item == current.item and span.start <= current.end:
            current = Span(current.item, current.start, max(current.end, span.end))
            continue
        if current:
            yield current
        current = span
    if current:
        yield current


def pivot_windows(
    corpus: Corpus, text: str, before: int, after: int, ranks: Ranks
) -> Iterator[tuple[list[Span], bool]]:
    """Yield windows around the rarest seeds of a text: one group per seed, and if it has all.

    Args:
        corpus: The evidence.
        text: What must stand in the window, in canonical form.
        before: Bytes before the seed that belong to the window.
        after: Bytes after it.
        ranks: One per item; better ranked windows come first.
    """
    for seed in choose(corpus, text, PIVOTS, words=True):
        located = locate(corpus, seed)
        hits = located.hits
        spans = (
            span_around(corpus, hit, before + seed.offset, after + len(encode(text)) - seed.offset)
            for hit in hits[:PIVOT_WINDOWS]
        )
        group = sorted(spans, key=lambda span: span.start)
        complete = located.complete and len(hits) <= PIVOT_WINDOWS
        yield sorted(group, key=lambda span: (ranks[span.item], span.start)), complete


def seeds_of(corpus: Corpus, forms: Sequence[Reading]) -> list[Seed]:
    """The seeds that a quotation in these readings will ask for, if it is not found literally."""
    if not forms or len(corpus.data) <= SMALL_BYTES:
        return []
    text = forms[-1].text
    return choose(corpus, text, PIVOTS, words=True) + choose(corpus, text, 2 * SEEDS_LARGE)


def windows_for(corpus: Corpus, text: str) -> list[Span]:
    """Windows that share rare runs with a canonical quotation, best first."""
    count = SEEDS_SMALL if len(corpus.data) <= SMALL_BYTES else SEEDS_LARGE
    located = locate_some(corpus, choose(corpus, text, 2 * count), count)
    limit = VOTED if len(text) > SHORT else 2 * VOTED
    return vote(corpus, located, len(encode(text)), limit)


class _Cluster(NamedTuple):
    """Seeds on about one diagonal."""

    weight: float
    hit: int
    """Place of the heaviest seed."""
    heaviest: int
    seeds: frozenset[int]


def vote(corpus: Corpus, located: Sequence[Located], size: int, limit: int) -> list[Span]:
    """Windows that several seeds point at, heaviest first.

    Seeds whose distance in the source is about their distance in the quotation lie on one
    diagonal. Each window's weight is the rarity and length of the distinct seeds in it. Every
    seed keeps one window, so that the parts of a stitched quotation all survive.

    Args:
        corpus: The evidence.
        located: Seeds with their places.
        size: Bytes of the quotation.
        limit: Windows kept for their weight.
    """
    slack = 48 + size // 6
    points = sorted(_points(corpus, located))
    weights = [_weight(corpus, entry) for entry in located]
    clusters: list[_Cluster] = []
    group: dict[int, int] = {}
    first = last = current = 0
    for item, diagonal, index, hit in points:
        apart = diagonal - last > slack // 2 or diagonal - first > slack or item != current
        if group and apart:
            clusters.append(_cluster(group, weights))
            group = {}
        if not group:
            first, current = diagonal, item
        last = diagonal
        group.setdefault(index, hit)
    if group:
        clusters.append(_cluster(group, weights))
    return _windows(corpus, clusters, located, size, limit)


def _points(corpus: Corpus, located: Sequence[Located]) -> Iterator[tuple[int, int, int, int]]:
    """Yield (item, diagonal, seed, hit) of all hits of seeds that say something."""
    for index, entry in enumerate(located):
        if not entry.complete:
            continue
        item, after = 0, -1
        for hit in entry.hits:
            if hit >= after:
                item = corpus.item_at(hit)
                after = corpus.bounds(item)[1]
            yield item, hit - entry.seed.offset, index, hit


def _weight(corpus: Corpus, entry: Located) -> float:
    rarity = log2(2 + len(corpus.data) / (1 + len(entry.hits)))
    return rarity * min(len(entry.seed.data), 24)


def _cluster(group: dict[int, int], weights: Sequence[float]) -> _Cluster:
    heaviest = max(group, key=lambda index: weights[index])
    total = sum(weights[index] for index in group)
    return _Cluster(total, group[heaviest], heaviest, frozenset(group))


def _windows(
    corpus: Corpus,
    clusters: list[_Cluster],
    located: Sequence[Located],
    size: int,
    limit: int,
) -> list[Span]:
    clusters.sort(key=lambda cluster: -cluster.weight)
    covered: set[int] = set()
    chosen: list[Span] = []
    reach = 96 + size // 4
    for place, cluster in enumerate(clusters):
        if place >= limit and cluster.seeds <= covered:
            continue
        covered |= cluster.seeds
        offset = located[cluster.heaviest].seed.offset
        chosen.append(span_around(corpus, cluster.hit, offset + reach, size - offset + reach))
    return chosen
