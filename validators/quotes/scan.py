"""Finds many byte strings in one pass over large evidence; an accelerator, never a requirement.

With numpy at hand and more than LARGE_BYTES of evidence, all strings are looked for at once: the
evidence is sampled at every `stride`-th byte, each sample of `gram` bytes is hashed into a table,
and only samples that the table knows are compared. A string of `gram + stride - 1` bytes has a
sample inside it wherever it stands, so nothing is missed. Without numpy, or below that size,
`seeds.locate` does the same with one search per string.
"""

from __future__ import annotations

import importlib
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from validators.quotes.corpus import Corpus
from validators.quotes.seeds import HIT_LIMIT, Located, Seed, hits_of, sample_of

LARGE_BYTES = 20 << 20
"""Below this size the import of numpy costs more than it saves."""
MIN_STRINGS = 8
_BLOCK = 1 << 20
"""Samples hashed at a time."""
_RUNS = 16
"""Runs of a string that are compared for rarity."""
_MANY = 2000
"""Places of a gram, estimated, from which a string gets a search of its own."""
_MULTIPLIER = 0x9E3779B97F4A7C15


class Grid(NamedTuple):
    """One way to sample."""

    gram: int
    """Bytes compared per sample, at most 8."""
    stride: int
    """Bytes between samples; divides 8."""

    @property
    def run(self) -> int:
        """Bytes of the shortest string that this grid cannot miss."""
        return self.gram + self.stride - 1


GRIDS = (Grid(8, 4), Grid(6, 2))
"""For long strings and for short ones; shorter ones than the last are left to `locate`."""


def numpy_or_none() -> Any:  # noqa: ANN401 - numpy is no dependency, so there is no type for it
    """The numpy module if it is installed."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None


def prefetch(corpus: Corpus, strings: Iterable[bytes]) -> None:
    """Look up many strings at once, so that `locate` and `find_exact` find them known.

    Does nothing where one search per string is as good.
    """
    if len(corpus.data) < LARGE_BYTES:
        return
    known = hits_of(corpus)
    wanted = {data for data in strings if data not in known and len(data) >= GRIDS[-1].run}
    if len(wanted) < MIN_STRINGS:
        return
    numpy = numpy_or_none()
    if numpy is None:
        return
    for grid in GRIDS:
        fitting = sorted(data for data in wanted if len(data) >= grid.run)
        wanted.difference_update(fitting)
        for data, (hits, complete) in scan(
            numpy, corpus.data, fitting, grid, sample_of(corpus)
        ).items():
            known[data] = Located(Seed(data, 0), hits, complete)


def scan(
    numpy: Any,  # noqa: ANN401
    data: bytes,
    strings: Sequence[bytes],
    grid: Grid,
    sample: bytes,
) -> dict[bytes, tuple[list[int], bool]]:
    """All places of `strings` in `data`.

    Args:
        numpy: The module.
        data: The evidence.
        strings: What to look for, each at least `grid.run` bytes long.
        grid: How to sample.
        sample: A part of `data` that tells which grams are rare.

    Returns:
        Ascending places per string, and whether these are all: at most HIT_LIMIT are kept. Strings
        without a rare part are missing.
    """
    starts = _rare_runs(numpy, sample, len(data) / max(1, len(sample)), strings, grid)
    found: dict[bytes, list[int]] = {string: [] for string in starts}
    grams: dict[int, list[tuple[bytes, int]]] = {}
    for string, start in starts.items():
        for offset in range(start, start + grid.stride):
            grams.setdefault(_value(string, offset, grid), []).append((string, offset))
    if not grams:
        return {}
    keys = numpy.array(sorted(grams), dtype=numpy.uint64)
    for value, position in _samples(numpy, data, keys, grid):
        for string, offset in grams[value]:
            start = position - offset
            if start >= 0 and data.startswith(string, start) and len(found[string]) <= HIT_LIMIT:
                found[string].append(start)
    return {
        string: (sorted(hits)[:HIT_LIMIT], len(hits) <= HIT_LIMIT) for string, hits in found.items()
    }


def _value(string: bytes, offset: int, grid: Grid) -> int:
    return int.from_bytes(string[offset : offset + grid.gram], "little")


def _rare_runs(
    numpy: Any,  # noqa: ANN401
    sample: bytes,
    scale: float,
    strings: Sequence[bytes],
    grid: Grid,
) -> dict[bytes, int]:
    """Where in each string the run of grams begins that is rarest in a sample of the evidence.

    Strings without a rare run are left out: to compare all its places would cost more than a
    search of their own.
    """
    candidates: list[tuple[bytes, int]] = []
    for string in strings:
        last = len(string) - grid.run
        candidates += [(string, i) for i in range(0, last + 1, max(1, last // _RUNS))]
    raw = numpy.frombuffer(sample + b"\xff" * 8, dtype=numpy.uint8).astype(numpy.uint64)
    values = numpy.zeros(len(sample), dtype=numpy.uint64)
    for i in range(grid.gram):
        values |= raw[i : i + len(sample)] << numpy.uint64(8 * i)
    values.sort()
    wanted = numpy.array(
        [_value(s, start + i, grid) for s, start in candidates for i in range(grid.stride)],
        dtype=numpy.uint64,
    )
    counts = numpy.searchsorted(values, wanted, "right") - numpy.searchsorted(values, wanted)
    totals = counts.reshape(-1, grid.stride).sum(axis=1).tolist() if candidates else []
    best: dict[bytes, tuple[int, int]] = {}
    for (string, start), total in zip(candidates, totals, strict=True):
        if total * scale <= _MANY * grid.stride and (string not in best or total < best[string][0]):
            best[string] = total, start
    return {string: start for string, (_, start) in best.items()}


def _samples(
    numpy: Any,  # noqa: ANN401
    data: bytes,
    keys: Any,  # noqa: ANN401
    grid: Grid,
) -> Iterable[tuple[int, int]]:
    """Yield (value, position) of every sample that equals a key; blocks ascend."""
    bits = min(24, max(16, len(keys).bit_length() + 6))
    shift = numpy.uint64(64 - bits)
    multiplier = numpy.uint64(_MULTIPLIER)
    mask = numpy.uint64((1 << (8 * grid.gram)) - 1)
    table = numpy.zeros(1 << bits, dtype=bool)
    table[(keys * multiplier) >> shift] = True
    for offset in range(0, 8, grid.stride):
        usable = (len(data) - offset) // 8
        if usable <= 0:
            continue
        samples = numpy.frombuffer(data, dtype="<u8", count=usable, offset=offset)
        for low in range(0, usable, _BLOCK):
            block = samples[low : low + _BLOCK]
            block = block & mask if grid.gram < 8 else block
            places = numpy.flatnonzero(table[(block * multiplier) >> shift])
            values = block[places]
            index = numpy.minimum(numpy.searchsorted(keys, values), len(keys) - 1)
            equal = keys[index] == values
            for place, value in zip(places[equal].tolist(), values[equal].tolist(), strict=True):
                yield value, (low + place) * 8 + offset
    yield from _tail(data, keys.tolist(), grid)


def _tail(data: bytes, keys: Sequence[int], grid: Grid) -> Iterable[tuple[int, int]]:
    """The samples at the end that no whole word of eight bytes covers."""
    for position in range(max(0, len(data) - 16) // 8 * 8, len(data) - grid.gram + 1):
        covered = any(
            position % 8 == offset and (position - offset) // 8 < (len(data) - offset) // 8
            for offset in range(0, 8, grid.stride)
        )
        if position % grid.stride or covered:
            continue
        value = int.from_bytes(data[position : position + grid.gram], "little")
        at = bisect_left(keys, value)
        if at < len(keys) and keys[at] == value:
            yield value, position
