"""Computes statistics over case latencies; must not know where the latencies came from."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from summarizer.model.reports import ImplementationTiming, PerformanceReport


def timing_of_latencies(
    latencies_ms: Sequence[float], *, decimals: int | None
) -> ImplementationTiming:
    """Return statistics of one implementation over one latency per case.

    Args:
        latencies_ms: One entry per case, milliseconds; may be empty.
        decimals: Digits after the point of these inputs; None when they are not rounded.
    """
    if not latencies_ms:
        return ImplementationTiming(ok=True, decimals=decimals)
    return ImplementationTiming(
        ok=True,
        mean_ms=statistics.fmean(latencies_ms),
        median_ms=statistics.median(latencies_ms),
        min_ms=min(latencies_ms),
        max_ms=max(latencies_ms),
        std_ms=statistics.stdev(latencies_ms) if len(latencies_ms) > 1 else None,
        basis="case_latencies",
        std_kind="sample" if len(latencies_ms) > 1 else None,
        decimals=decimals,
    )


def ratio_of_means(report: PerformanceReport) -> float | None:
    """Mean reference latency divided by mean AscendC latency; None without both means."""
    reference = report.reference.mean_ms if report.reference else None
    ascendc = report.ascendc.mean_ms if report.ascendc else None
    return _ratio(reference, ascendc)


def mean_of_ratios(report: PerformanceReport) -> float | None:
    """Arithmetic mean of reference / AscendC per case; None when a case lacks one."""
    ratios = _ratios(report)
    return statistics.fmean(ratios) if ratios else None


def geomean_of_ratios(report: PerformanceReport) -> float | None:
    """Geometric mean of reference / AscendC per case; None when a case lacks a positive one."""
    ratios = _ratios(report)
    if not ratios or min(ratios) <= 0:
        return None
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def _ratios(report: PerformanceReport) -> list[float] | None:
    """One ratio per case; None when a case is missing or has none."""
    if not report.complete:
        return None
    ratios = [_ratio(case.reference_ms, case.ascendc_ms) for case in report.per_case]
    known = [ratio for ratio in ratios if ratio is not None]
    return known if len(known) == len(ratios) else None


def _ratio(reference: float | None, ascendc: float | None) -> float | None:
    """Latencies of zero are below the clock's resolution: no ratio can be taken from them."""
    if reference is None or ascendc is None or reference <= 0 or ascendc <= 0:
        return None
    ratio = reference / ascendc
    return ratio if math.isfinite(ratio) else None
