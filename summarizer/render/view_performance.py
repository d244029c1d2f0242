"""The view of the measurement: 阶段三 and the row of the summary table."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from summarizer.model.draft import Draft
from summarizer.model.facts import Facts, ImplementationFacts, Performance, Stage
from summarizer.model.reports import Outcome
from summarizer.render.words import UNKNOWN, drift_texts, number_or_unknown
from summarizer.text.markdown import code_span, escape_cell, escape_text

LARGE_CASES = 3
"""Cases shown under 典型大 shape."""

_OVERALL = {
    "mean_of_ratios": "各 case 比值的算术平均",
    "ratio_of_means": "两个均值之比",
    "geomean_of_ratios": "各 case 比值的几何平均",
}


@dataclass(frozen=True, slots=True)
class PerformanceView:
    """阶段三."""

    result: str
    configuration: str
    tested: str
    statistics_label: str
    statistics: tuple[str, ...]
    conclusions: tuple[str, ...]
    large_cases: tuple[str, ...]
    drift: tuple[tuple[str, ...], ...]


def decimals(performance: Performance) -> int:
    """Return the digits after the point in which latencies are shown: as the source has them."""
    return 3 if (performance.layout or "").startswith(("P1", "full")) else 4


def milliseconds(value: float | None, digits: int) -> str:
    """Return a latency for a text, `N/A` when unknown."""
    return UNKNOWN if value is None else f"{value:.{digits}f}"


def performance_view(facts: Facts, draft: Draft) -> PerformanceView:
    """Return the strings of 阶段三."""
    measured = facts.performance
    drift = drift_texts("performance", draft)
    if not measured.executed:
        result = "未执行"
        if measured.runs:
            result = "未完成（性能测量已启动，没有得到完整报告）"
        if measured.unreadable is not None:
            result = f"UNKNOWN（性能文件无法读取：{escape_text(measured.unreadable)}）"
        return PerformanceView(result, "", "", "", (), (), (), drift)
    digits = decimals(measured)
    computed = any(i.basis == "case_latencies" for i in measured.implementations.values())
    label = f"总体统计（{_case_counts(measured)}"
    label += "，由各 case 延迟计算）" if computed else "，全部采样）"
    return PerformanceView(
        result="完成" + ("（已过期：测量之后代码又有修改）" if measured.stale else ""),
        configuration=(
            f"device={escape_text(measured.device or UNKNOWN)}, "
            f"warmup={number_or_unknown(measured.warmup)}, "
            f"repeat={number_or_unknown(measured.repeat)}, seed={number_or_unknown(measured.seed)}"
        ),
        tested=" / ".join(measured.implementations),
        statistics_label=label,
        statistics=tuple(
            _statistics(name, item, digits) for name, item in measured.implementations.items()
        ),
        conclusions=tuple(_conclusions(measured, digits)),
        large_cases=tuple(_large_cases(measured, digits)),
        drift=drift,
    )


def _case_counts(measured: Performance) -> str:
    """The number of cases, per implementation where they differ."""
    counts = {
        name: sum(getattr(case, f"{name}_ms") is not None for case in measured.per_case)
        for name, item in measured.implementations.items()
        if item.ok
    }
    if measured.ratio_unknown_because is None or len(set(counts.values())) < 2:
        return f"{number_or_unknown(measured.cases)} 个 case"
    return "，".join(f"{name} {count} 个 case" for name, count in counts.items())


def _statistics(name: str, item: ImplementationFacts, digits: int) -> str:
    if not item.ok:
        error = f"：{code_span(item.error.splitlines()[0])}" if item.error else ""
        return f"{name}: ERROR{error}"
    parts = [
        f"{label}={value:.{digits}f}ms"
        for label, value in (
            ("mean", item.mean_ms),
            ("median", item.median_ms),
            ("min", item.min_ms),
            ("max", item.max_ms),
            ("std", item.std_ms),
        )
        if value is not None
    ]
    return f"{name}: {', '.join(parts) or 'N/A（没有每个 case 的有效延迟）'}"


def _conclusions(measured: Performance, digits: int) -> list[str]:
    lines = []
    reference, candidate = measured.mean_reference_ms, measured.mean_ascendc_ms
    ratio = measured.ratio_of_means
    if ratio is not None and reference is not None and candidate is not None:
        shown = f"{reference:.{digits}f} / {candidate:.{digits}f}"
        if reference > candidate:
            lines.append(f"AscendC 快于 reference，按 mean 统计约快 {ratio:.2f}x（{shown}）")
        elif reference < candidate:
            lines.append(
                f"AscendC 慢于 reference，按 mean 统计约为 reference 的 {ratio:.2f}x（{shown}）"
            )
        else:
            lines.append(f"AscendC 与 reference 的 mean 相同（{shown}）")
    if measured.ratio_unknown_because is not None:
        lines.append(f"加速比 UNKNOWN：{escape_text(measured.ratio_unknown_because)}")
    lines.extend(_overall(measured))
    spread = _spread(measured)
    if spread:
        lines.append(spread)
    fallback = [case.index for case in measured.per_case if case.fallback_clock]
    if fallback and len(fallback) < len(measured.per_case):
        listed = "、".join(f"case[{index}]" for index in fallback[:8])
        lines.append(f"{listed} 由 wall clock 计时，其余由设备计时，两种时钟混在一份数据中")
    if measured.disagreement is not None:
        lines.append(f"JSON 与打印的报告不一致：{escape_text(measured.disagreement)}")
    return lines


def _overall(measured: Performance) -> list[str]:
    """The report's own aggregate; the computed one where the latencies contradict it."""
    reported = measured.overall_speedup_reported
    if reported is None:
        return []
    kind = _OVERALL.get(measured.overall_is or "", "报告自身的定义")
    if measured.overall_confirmed is not False:
        partial = _rated(measured)
        of = f"，只含有比值的 {partial} 个 case" if partial < len(measured.per_case) else ""
        return [f"报告的 Overall speedup 为 {reported:.2f}x（{kind}{of}）"]
    known = {
        "mean_of_ratios": measured.mean_of_ratios,
        "geomean_of_ratios": measured.geomean_of_ratios,
    }.get(measured.overall_is or "")
    lines = ["报告的 Overall speedup 与各 case 的延迟不符，没有采用（见读取问题）"]
    return lines if known is None else [*lines, f"{kind}为 {known:.2f}x（由各 case 延迟计算）"]


def _rated(measured: Performance) -> int:
    """Cases that a ratio can be computed for; all where no latency is listed."""
    if not any(case.reference_ms is not None for case in measured.per_case):
        return len(measured.per_case)
    return sum(case.ratio is not None for case in measured.per_case)


def _spread(measured: Performance) -> str:
    # The report's own ratio is of unrounded latencies where ours is of printed ones.
    ratios = [
        (case.ratio_reported or case.ratio, case.index)
        for case in measured.per_case
        if case.ratio is not None
    ]
    if len(ratios) < 2:
        return ""
    low, high = min(ratios), max(ratios)
    median = statistics.median(ratio for ratio, _ in ratios)
    slower = sum(ratio < 1 for ratio, _ in ratios)
    return (
        f"各 case 比值：最小 {low[0]:.2f}x（case[{low[1]}]），中位数 {median:.2f}x，"
        f"最大 {high[0]:.2f}x（case[{high[1]}]）；{slower}/{len(ratios)} 个 case 慢于 reference"
    )


def _large_cases(measured: Performance, digits: int) -> list[str]:
    sized = [case for case in measured.per_case if case.elements is not None]
    largest = sorted(sized, key=lambda case: (-(case.elements or 0), case.index))[:LARGE_CASES]
    lines = []
    for case in largest:
        timings = [
            f"{name}={value:.{digits}f}ms"
            for name, value in (
                ("reference", case.reference_ms),
                ("tilelang", case.tilelang_ms),
                ("ascendc", case.ascendc_ms),
            )
            if value is not None and value > 0
        ]
        lines.append(
            f"case[{case.index}] shape={escape_text(case.shape or UNKNOWN)}, "
            f"{escape_text(case.dtype or UNKNOWN)}: {', '.join(timings) or UNKNOWN}"
        )
    return lines


def table_note(measured: Performance) -> str:
    """Return what the table's figures are."""
    text = (
        "延迟单位为 ms，取 mean；加速比 = PyTorch 参考延迟 / 生成AscendC代码延迟（均值之比）；"
        "0.6x、0.8x 两列按未取整的比值严格大于判定"
    )
    if measured.stale:
        text += "；性能数据已过期"
    return text


def summary_row(facts: Facts) -> tuple[str, ...]:
    """Return the thirteen cells of the summary table, escaped, `N/A` where unknown."""
    measured = facts.performance
    judged = _judged_stage(facts)
    digits = decimals(measured)
    correct = {"PASS": True, "FAIL": False}.get(judged.result)
    ratio = measured.ratio_of_means
    operator = facts.operator
    cells = (
        number_or_unknown(operator.level),
        number_or_unknown(operator.problem_id),
        operator.name or UNKNOWN,
        operator.type or UNKNOWN,
        _mark(_compiled(facts.stages["ascendc"], facts.stages["full_validation"])),
        _mark(correct),
        milliseconds(measured.mean_reference_ms, digits),
        milliseconds(measured.mean_ascendc_ms, digits),
        UNKNOWN if ratio is None else f"{ratio:.2f}",
        UNKNOWN if correct is None else "成功" if correct else "失败",
        _yes(correct),
        _yes(measured.at_least_06x),
        _yes(measured.at_least_08x),
    )
    return tuple(escape_cell(cell) for cell in cells)


def _judged_stage(facts: Facts) -> Stage:
    """The full validation if it ran, else the AscendC stage."""
    full = facts.stages["full_validation"]
    return full if full.rounds else facts.stages["ascendc"]


def _compiled(ascendc: Stage, full: Stage) -> bool | None:
    last = full.last_verdict or ascendc.last_verdict
    return None if last is None else last.outcome is not Outcome.COMPILE_ERROR


def _mark(value: bool | None) -> str:
    return UNKNOWN if value is None else "✅" if value else "❌"


def _yes(value: bool | None) -> str:
    return UNKNOWN if value is None else "是" if value else "否"
