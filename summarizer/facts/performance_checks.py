"""Judges what of a performance report can be relied on; must not know sessions.

A latency of zero or below is no measurement, and no ratio is taken over different sets of cases.
"""

from __future__ import annotations

import math
import posixpath
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from summarizer.facts.operator import is_task_folder
from summarizer.model.reports import CaseTiming, ImplementationTiming, PerformanceReport
from summarizer.model.source import ReadIssue

IMPLEMENTATIONS = ("reference", "tilelang", "ascendc")

_DEVICE = re.compile(r"[A-Za-z0-9][\w.:-]*", re.ASCII)
_STORED_RATIO = 0.5e-4
_PRINTED_RATIO = 0.5e-2
"""Half of the last digit of a ratio: scripts store four decimals and print two or three."""
_SLACK = 1e-9
_SHOWN = 8


def belongs_elsewhere(report: PerformanceReport, names: Sequence[str]) -> str | None:
    """Return whose report this is when it says it is of none of these operators, else None."""
    folder = posixpath.basename((report.output_dir or "").rstrip("/"))
    stated = [name for name in (report.operator, folder) if name]
    # Copied and renamed directories are common: only names of the benchmark's form are compared.
    known = [name for name in names if is_task_folder(name)]
    if not stated or not known or set(names) & set(stated):
        return None
    return stated[0] if all(is_task_folder(name) for name in stated) else None


def usable(report: PerformanceReport) -> PerformanceReport:
    """Return the report without statistics that rest on latencies which are no measurements."""
    device = report.device if report.device and _DEVICE.fullmatch(report.device) else None
    return replace(
        report,
        device=device,
        reference=_usable_timing(report, "reference"),
        ascendc=_usable_timing(report, "ascendc"),
        tilelang=_usable_timing(report, "tilelang"),
    )


def _usable_timing(report: PerformanceReport, name: str) -> ImplementationTiming | None:
    timing: ImplementationTiming | None = getattr(report, name)
    if timing is None or timing.mean_ms is None:
        return timing
    if timing.mean_ms > 0 and not (timing.basis == "case_latencies" and _empty(report, name)):
        return timing
    return ImplementationTiming(ok=timing.ok, error=timing.error, decimals=timing.decimals)


def _measured(report: PerformanceReport, name: str) -> set[int]:
    return {case.index for case in report.per_case if (_latency(case, name) or 0) > 0}


def _empty(report: PerformanceReport, name: str) -> list[int]:
    """Numbers of the cases whose latency is zero or below."""
    latencies = [(case.index, _latency(case, name)) for case in report.per_case]
    return [index for index, value in latencies if value is not None and value <= 0]


def _latency(case: CaseTiming, name: str) -> float | None:
    value: float | None = getattr(case, f"{name}_ms")
    return value


def why_no_ratio(report: PerformanceReport) -> str | None:
    """Return why the means of reference and AscendC cannot be compared, None when they can."""
    for name in ("reference", "ascendc"):
        if empty := _empty(report, name):
            return f"{name} 在 {_listed(empty)} 的延迟不大于 0，不是有效测量"
    reference, ascendc = _measured(report, "reference"), _measured(report, "ascendc")
    if not reference or not ascendc or reference == ascendc:
        return None
    if len(reference) != len(ascendc):
        return f"reference 有 {len(reference)} 个 case 的延迟，ascendc 有 {len(ascendc)} 个"
    return f"reference 与 ascendc 测量的 case 不同：{_listed(sorted(reference ^ ascendc))}"


def _listed(indices: Sequence[int]) -> str:
    shown = "、".join(f"case[{index}]" for index in indices[:_SHOWN])
    return shown if len(indices) <= _SHOWN else f"{shown} 等 {len(indices)} 个 case"


def inconsistencies(report: PerformanceReport, path: str) -> Iterator[ReadIssue]:
    """Name the stated values that the report's own latencies contradict."""
    if report.device and not _DEVICE.fullmatch(report.device):
        yield _issue(path, f"device is no device name: {report.device[:60]!r}")
    for name in IMPLEMENTATIONS:
        if empty := _empty(report, name):
            yield _issue(path, f"{name} 在 {_listed(empty)} 的延迟不大于 0")
    for case in report.per_case:
        if case.ratio_reported is not None and not states_its_ratio(report, case):
            computed = _shown(case.reference_ms, case.ascendc_ms)
            message = f"case[{case.index}] 的加速比为 {case.ratio_reported:.4g}，{computed}"
            yield _issue(path, message)
    if overall_confirmed(report) is False:
        yield _issue(
            path, f"overall speedup 为 {report.overall_reported:.4g}，与各 case 的延迟不符"
        )


def _issue(path: str, message: str) -> ReadIssue:
    return ReadIssue("inconsistent_performance", path, None, message)


def _shown(reference: float | None, ascendc: float | None) -> str:
    if reference is None or ascendc is None or reference <= 0 or ascendc <= 0:
        return "其延迟得不出比值"
    return f"由其延迟计算为 {reference / ascendc:.4g}"


def states_its_ratio(report: PerformanceReport, case: CaseTiming) -> bool:
    """Whether a case's stated ratio can be that of its latencies; True where one is missing."""
    if case.ratio_reported is None or case.reference_ms is None or case.ascendc_ms is None:
        return True
    bounds = _bounds(case, _half_unit(report))
    return bounds is not None and _within(case.ratio_reported, bounds, report)


def overall_confirmed(report: PerformanceReport) -> bool | None:
    """Whether the stated overall speed-up follows from the latencies; None when nobody can say.

    A script leaves out the cases that have no ratio, so those that have one decide.
    """
    stated, half = report.overall_reported, _half_unit(report)
    listed = [c for c in report.per_case if c.reference_ms is not None and c.ascendc_ms is not None]
    if stated is None or not listed:
        return None
    bounds = [b for b in (_bounds(case, half) for case in listed) if b is not None]
    if not bounds:
        return False
    if report.overall_is not in _MEANS:
        return None
    mean = _MEANS[report.overall_is]
    return _within(stated, (mean([b[0] for b in bounds]), mean([b[1] for b in bounds])), report)


def _geometric_mean(values: Sequence[float]) -> float:
    if min(values) <= 0:
        return 0.0
    return math.exp(statistics.fmean(math.log(value) for value in values))


_MEANS: Mapping[str | None, Callable[[Sequence[float]], float]] = {
    "mean_of_ratios": statistics.fmean,
    "geomean_of_ratios": _geometric_mean,
}


def _half_unit(report: PerformanceReport) -> float:
    """How far a latency of the report may be from the one its ratios were taken of, ms."""
    timings = (report.reference, report.ascendc)
    known = [t.decimals for t in timings if t is not None and t.decimals is not None]
    coarse = 3 if report.form != "json" and report.layout.startswith(("P1", "full")) else 4
    return 0.5 * 10.0 ** -min([*known, coarse])


def _bounds(case: CaseTiming, half: float) -> tuple[float, float] | None:
    reference, ascendc = case.reference_ms, case.ascendc_ms
    if reference is None or ascendc is None or reference <= 0 or ascendc <= 0:
        return None
    high = (reference + half) / (ascendc - half) if ascendc > half else math.inf
    return max(reference - half, 0.0) / (ascendc + half), high


def _within(stated: float, bounds: tuple[float, float], report: PerformanceReport) -> bool:
    slack = (_STORED_RATIO if report.form == "json" else _PRINTED_RATIO) + _SLACK
    return bounds[0] - slack <= stated <= bounds[1] + slack
