"""Names every performance figure that the facts allow to state; must not read traces."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from summarizer.model.facts import CaseFacts, Performance
from validators.numbers.printed import Interval, Printed, around, exactly, quotient, rounds_to

IMPLEMENTATIONS = ("reference", "tilelang", "ascendc")
STATISTICS = ("mean", "median", "min", "max", "std")


class Ratio(NamedTuple):
    """A speed-up that the facts know, under its own name."""

    name: str
    """`ratio_of_means`, `mean_of_ratios`, `geomean`, `overall`, `ratio_of_medians`,
    `min_of_ratios`, `median_of_ratios`, `max_of_ratios`, `case[3]`, `tilelang/ascendc`, ..."""
    words: str
    """For a message."""
    value: Interval


def input_half_unit(performance: Performance) -> float:
    """How far a latency of the facts may be from the measured one, ms.

    Stored figures are taken as exact; a printed report rounds to 3 decimals (P1) or 4 (others).
    """
    if performance.source_of_record != "printed":
        return 0.0
    return 0.0005 if (performance.layout or "").startswith(("P1", "full")) else 0.00005


def latency(performance: Performance, implementation: str, statistic: str) -> Interval | None:
    """A statistic of an implementation, ms; None when no source has it."""
    item = performance.implementations.get(implementation)
    value: float | None = getattr(item, f"{statistic}_ms", None) if item is not None else None
    if value is None and statistic == "mean":
        value = getattr(performance, f"mean_{implementation}_ms", None)
    return None if value is None else around(value, input_half_unit(performance))


def case_latency(case: CaseFacts, implementation: str, half_unit: float) -> Interval | None:
    """Latency of one case, ms."""
    value: float | None = getattr(case, f"{implementation}_ms", None)
    return None if value is None else around(value, half_unit)


def known_ratios(performance: Performance) -> dict[str, Ratio]:
    """Every ratio by name; reference over AscendC unless the name says otherwise."""
    found = [*_aggregates(performance), *_pairs(performance), *_cases(performance)]
    return {ratio.name: ratio for ratio in found}


def _aggregates(performance: Performance) -> Iterable[Ratio]:
    half = input_half_unit(performance)
    means = _of(performance, "mean", "reference", "ascendc")
    if means is None and performance.ratio_of_means is not None:
        means = exactly(performance.ratio_of_means)
    elif means is not None and performance.ratio_of_means is not None:
        means = _reaching(means, performance.ratio_of_means)
    if means is not None:
        yield Ratio("ratio_of_means", "the ratio of the means", means)
    medians = _of(performance, "median", "reference", "ascendc")
    if medians is not None:
        yield Ratio("ratio_of_medians", "the ratio of the medians", medians)
    cases = _case_ratios(performance, half)
    for name, words, value in (
        ("mean_of_ratios", "the mean of the per-case ratios", performance.mean_of_ratios),
        ("geomean", "the geometric mean of the ratios", performance.geomean_of_ratios),
    ):
        if value is not None:
            spread = _spread(name, [interval for _, interval in cases])
            yield Ratio(name, words, _reaching(spread, value) if spread else exactly(value))
    overall = performance.overall_speedup_reported
    if overall is not None:
        # The script prints two decimals; a stored value is exact, which the wider bound contains.
        reported = around(overall, 0.005) if half else exactly(overall)
        yield Ratio("overall", "the overall speed-up of the report", reported)
    if cases:
        middles = [interval for _, interval in cases]
        yield Ratio("min_of_ratios", "the smallest per-case ratio", _each(min, middles))
        yield Ratio("median_of_ratios", "the median per-case ratio", _each(_median, middles))
        yield Ratio("max_of_ratios", "the largest per-case ratio", _each(max, middles))


def _of(performance: Performance, statistic: str, over: str, under: str) -> Interval | None:
    one, other = latency(performance, over, statistic), latency(performance, under, statistic)
    return None if one is None or other is None else quotient(one, other)


def _reaching(interval: Interval, value: float) -> Interval:
    return Interval(min(interval.low, value), max(interval.high, value))


def _pairs(performance: Performance) -> Iterable[Ratio]:
    for over, under in (("tilelang", "ascendc"), ("reference", "tilelang")):
        value = _of(performance, "mean", over, under)
        if value is not None:
            yield Ratio(f"{over}/{under}", f"the ratio of the means {over} / {under}", value)


def _cases(performance: Performance) -> Iterable[Ratio]:
    for case, interval in _case_ratios(performance, input_half_unit(performance)):
        name = f"case[{case.index}]"
        yield Ratio(name, f"the ratio of {name}", interval)


def _case_ratios(performance: Performance, half: float) -> list[tuple[CaseFacts, Interval]]:
    found = []
    for case in performance.per_case:
        one = case_latency(case, "reference", half)
        other = case_latency(case, "ascendc", half)
        interval = None if one is None or other is None else quotient(one, other)
        if case.ratio is not None:
            interval = _reaching(interval, case.ratio) if interval else exactly(case.ratio)
        if interval is not None and case.ratio_reported is not None:
            interval = _reaching(interval, case.ratio_reported)
        if interval is not None:
            found.append((case, interval))
    return found


def _median(values: list[float]) -> float:
    return statistics.median(values)


def _each(function: object, intervals: list[Interval]) -> Interval:
    assert callable(function)
    return Interval(function([i.low for i in intervals]), function([i.high for i in intervals]))


def _spread(name: str, intervals: list[Interval]) -> Interval | None:
    if not intervals or any(i.low <= 0 for i in intervals):
        return None
    mean = statistics.fmean if name == "mean_of_ratios" else statistics.geometric_mean
    return Interval(mean([i.low for i in intervals]), mean([i.high for i in intervals]))


def ratios_of(stated: Mapping[tuple[str, str], Sequence[Interval]]) -> dict[str, Ratio]:
    """Ratios between figures that a text states itself.

    Args:
        stated: (implementation, `mean` or `median`) -> the values stated for it, ms.

    Returns:
        Ratios by the names of `known_ratios`, none where a figure is stated in two ways.
    """
    found: list[Ratio] = []
    for name, words, statistic, over, under in (
        ("ratio_of_means", "the ratio of the means", "mean", "reference", "ascendc"),
        ("ratio_of_medians", "the ratio of the medians", "median", "reference", "ascendc"),
        ("tilelang/ascendc", "the ratio tilelang / ascendc", "mean", "tilelang", "ascendc"),
        ("reference/tilelang", "the ratio reference / tilelang", "mean", "reference", "tilelang"),
    ):
        one, other = _single(stated, over, statistic), _single(stated, under, statistic)
        value = None if one is None or other is None else quotient(one, other)
        if value is not None:
            found.append(Ratio(name, words, value))
    return {ratio.name: ratio for ratio in found}


def _single(
    stated: Mapping[tuple[str, str], Sequence[Interval]], name: str, statistic: str
) -> Interval | None:
    """The value on which all statements agree; the most precise of them."""
    values = stated.get((name, statistic), ())
    if not values or max(v.low for v in values) > min(v.high for v in values):
        return None
    return min(values, key=lambda value: value.high - value.low)


def same_as(printed: Printed, ratios: dict[str, Ratio], besides: Iterable[str]) -> str | None:
    """Words for another known ratio, or the inverse of one, that a wrong figure equals."""
    wanted = set(besides)
    for name, ratio in ratios.items():
        if name in wanted and _inverse_fits(printed, ratio.value):
            return f"inverted: it is {ratio.words} with the roles exchanged"
    for name, ratio in ratios.items():
        if name not in wanted and rounds_to(ratio.value, printed):
            return f"it is {ratio.words}"
    for name, ratio in ratios.items():
        if name not in wanted and _inverse_fits(printed, ratio.value):
            return f"it is {ratio.words} with the roles exchanged"
    return None


def _inverse_fits(printed: Printed, value: Interval) -> bool:
    inverse = quotient(exactly(1.0), value)
    return inverse is not None and rounds_to(inverse, printed)
