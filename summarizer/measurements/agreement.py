"""Compares a stored performance report with the printed one; must not read files.

Printed numbers are rounded, so a stored value agrees when it rounds to the printed one. Stored
ratios are themselves rounded to four digits, which widens the interval by half of such a digit.
"""

from __future__ import annotations

from collections.abc import Iterator

from summarizer.model.reports import CaseTiming, ImplementationTiming, PerformanceReport

_RATIO_DECIMALS = {"P1": 2, "P1b": 2, "P1c": 2, "P2": 2, "P3": 3, "full_case": 3, "cannbot": 2}
_STORED_RATIO_DECIMALS = 4
_STATISTICS = ("mean_ms", "median_ms", "min_ms", "max_ms", "std_ms")
_NAMES = ("reference", "tilelang", "ascendc")
_SHOWN = 8
"""Differences that are spelt out; the rest is counted."""
# Binary floats: a tie at the last printed digit may fall to either side.
_SLACK = 1e-9


def agree(json_report: PerformanceReport, printed_report: PerformanceReport) -> str | None:
    """Return None when both say the same within the printed digits, else all differences.

    What only one of the two states (a cut-off header, say) is no difference.

    Args:
        json_report: From `read_performance_json`.
        printed_report: From `parse_performance`, of the run that should have written the file.
    """
    found = list(_differences(json_report, printed_report))
    if len(found) > _SHOWN:
        found[_SHOWN:] = [f"另有 {len(found) - _SHOWN} 处不一致"]
    return "；".join(found) or None


def _differences(stored: PerformanceReport, printed: PerformanceReport) -> Iterator[str]:
    for label, mine, theirs in (
        ("算子", stored.operator, printed.operator),
        ("device", stored.device, printed.device),
        ("warmup", stored.warmup, printed.warmup),
        ("repeat", stored.repeat, printed.repeat),
        ("seed", stored.seed, printed.seed),
    ):
        if mine is not None and theirs is not None and mine != theirs:
            yield f"{label} 不一致: JSON 为 {mine}，打印报告为 {theirs}"
    for name in _NAMES:
        yield from _implementation(name, getattr(stored, name), getattr(printed, name))
    yield from _cases(stored, printed)
    digits = _RATIO_DECIMALS[printed.layout]
    if not _close_ratio(stored.overall_reported, printed.overall_reported, digits):
        yield (
            f"总体加速比不一致: JSON 为 {stored.overall_reported}，"
            f"打印报告为 {printed.overall_reported}"
        )


def _implementation(
    name: str, stored: ImplementationTiming | None, printed: ImplementationTiming | None
) -> Iterator[str]:
    if stored is None or printed is None:
        return
    if stored.ok != printed.ok:
        yield f"{name} 状态不一致: JSON 为 {_state(stored)}，打印报告为 {_state(printed)}"
        return
    if (
        stored.error
        and printed.error
        and stored.error.splitlines()[0] != printed.error.splitlines()[0]
    ):
        yield f"{name} 错误信息不一致: JSON 为 {stored.error!r}，打印报告为 {printed.error!r}"
    if stored.basis != printed.basis or printed.decimals is None or stored.basis != "report":
        return  # computed from the same case latencies, which are compared themselves
    for statistic in _STATISTICS:
        mine, theirs = getattr(stored, statistic), getattr(printed, statistic)
        if not _close(mine, theirs, printed.decimals):
            yield f"{name} {statistic} 不一致: JSON 为 {mine}，打印报告为 {theirs}"


def _state(timing: ImplementationTiming) -> str:
    return "OK" if timing.ok else "ERROR"


def _cases(stored: PerformanceReport, printed: PerformanceReport) -> Iterator[str]:
    """A printed report lists no case when one side failed, so only listed ones are compared."""
    if not printed.per_case:
        return
    mine = {case.index: case for case in stored.per_case}
    if printed.complete and set(mine) != {case.index for case in printed.per_case}:
        yield f"用例数不一致: JSON 为 {len(mine)}，打印报告为 {len(printed.per_case)}"
    digits = _latency_decimals(printed)
    ratio_digits = _RATIO_DECIMALS[printed.layout]
    for case in printed.per_case:
        other = mine.get(case.index)
        if other is None:
            yield f"case[{case.index}] 不在 JSON 中"
            continue
        yield from _case(other, case, digits, ratio_digits)


def _latency_decimals(printed: PerformanceReport) -> int:
    known = [
        timing.decimals
        for timing in (printed.reference, printed.ascendc, printed.tilelang)
        if timing is not None and timing.decimals is not None
    ]
    return min(known, default=3)


def _case(stored: CaseTiming, printed: CaseTiming, digits: int, ratio_digits: int) -> Iterator[str]:
    for key in ("reference_ms", "ascendc_ms", "tilelang_ms"):
        mine, theirs = getattr(stored, key), getattr(printed, key)
        if not _close(mine, theirs, digits):
            yield f"case[{printed.index}] {key} 不一致: JSON 为 {mine}，打印报告为 {theirs}"
    if not _close_ratio(stored.ratio_reported, printed.ratio_reported, ratio_digits):
        yield (
            f"case[{printed.index}] 加速比不一致: JSON 为 {stored.ratio_reported}，"
            f"打印报告为 {printed.ratio_reported}"
        )


def _close(stored: float | None, printed: float | None, decimals: int) -> bool:
    """Whether the stored value can have been printed like this; unknown ones do not differ."""
    if stored is None or printed is None:
        return True
    return abs(stored - printed) <= 0.5 * 10.0**-decimals + _SLACK


def _close_ratio(stored: float | None, printed: float | None, decimals: int) -> bool:
    if stored is None or printed is None:
        return True
    widened = 0.5 * 10.0**-decimals + 0.5 * 10.0**-_STORED_RATIO_DECIMALS
    return abs(stored - printed) <= widened + _SLACK
