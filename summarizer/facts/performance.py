"""Establishes the measurement of record and what follows from it.

Source of record: the last completed run; its JSON when it agrees with its printed report (product
contract, section 2). Ratios are computed from unrounded inputs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from summarizer.evidence import EvidenceIds
from summarizer.facts.builders import StageBuilder
from summarizer.facts.paths import is_evaluated, stage_of
from summarizer.facts.performance_checks import (
    IMPLEMENTATIONS,
    belongs_elsewhere,
    inconsistencies,
    overall_confirmed,
    states_its_ratio,
    usable,
    why_no_ratio,
)
from summarizer.facts.runs import combined_output
from summarizer.facts.walk import LoggedState, Measurement
from summarizer.measurements import (
    agree,
    geomean_of_ratios,
    mean_of_ratios,
    parse_performance,
)
from summarizer.model.events import CallState, ShellCall
from summarizer.model.facts import (
    CaseFacts,
    ImplementationFacts,
    MeasurementRun,
    Performance,
    Pointer,
    StageName,
)
from summarizer.model.reports import CaseTiming, ImplementationTiming, PerformanceReport
from summarizer.model.source import ReadIssue

_INPUT = re.compile(
    r"^inputs\[(\d+)\](?:\[\w+\])*: Tensor\(shape=\(([\d, ]*)\), dtype=(?:torch\.)?(\w+)", re.M
)


@dataclass(frozen=True, slots=True)
class MeasuredFiles:
    """Performance files of the output directory, already read."""

    json_report: PerformanceReport | None = None
    json_path: str | None = None
    printed: PerformanceReport | None = None
    """A saved printed report (`.last_performance.log`), used when no transcript shows one."""
    printed_path: str | None = None


@dataclass(frozen=True, slots=True)
class _Printed:
    """A completed run with its report."""

    report: PerformanceReport
    measurement: Measurement
    pointer: Pointer


def own_files(
    files: MeasuredFiles, names: Sequence[str]
) -> tuple[MeasuredFiles, tuple[ReadIssue, ...]]:
    """Return the files without those that say they are of another operator, and an issue for each.

    Args:
        files: what lies in the output directory.
        names: names of this task's operator, of which a file needs to state only one.
    """
    issues: list[ReadIssue] = []
    for key, report, path in (
        ("json_report", files.json_report, files.json_path),
        ("printed", files.printed, files.printed_path),
    ):
        other = belongs_elsewhere(report, names) if report is not None else None
        if other is not None:
            issues.append(ReadIssue("foreign_performance_file", path or "", None, other))
            files = replace(files, **{key: None})
    return files, tuple(issues)


def measure(
    measurements: Sequence[Measurement],
    files: MeasuredFiles,
    states: Sequence[LoggedState],
    stages: Mapping[StageName, StageBuilder],
    ids: EvidenceIds,
) -> tuple[Performance, int | None, tuple[ReadIssue, ...]]:
    """Return the performance facts, the index of the event that printed them, and issues."""
    runs: list[MeasurementRun] = []
    completed: list[_Printed] = []
    for item in measurements:
        printed, run = _read(item, ids)
        if run is not None:
            runs.append(run)
        if printed is not None:
            completed.append(printed)
    last = completed[-1] if completed else None
    printed_report = last.report if last is not None else files.printed
    record, source, disagreement = _of_record(files.json_report, printed_report)
    if record is None:
        return Performance(executed=False, runs=tuple(runs)), None, ()
    since = last.measurement.log_position if last is not None else None
    stale = _changed_since(states, since)
    shapes = _shapes(stages, record.cases)
    facts = _facts(record, printed_report, shapes)
    pointer = last.pointer if last is not None else _file_pointer(files, source)
    path = files.json_path if source == "json" else pointer.path if pointer is not None else None
    return (
        facts.model_copy(
            update={
                "source_of_record": source,
                "disagreement": disagreement,
                "stale": bool(stale),
                "stale_because": stale,
                "runs": tuple(runs),
                "evidence": pointer,
                "json_path": files.json_path if source == "json" else None,
            }
        ),
        last.measurement.order if last is not None else None,
        tuple(inconsistencies(record, path or "")),
    )


def _file_pointer(files: MeasuredFiles, source: str | None) -> Pointer | None:
    path = files.json_path if source == "json" else files.printed_path
    return Pointer(path=path, record=1) if path is not None else None


def _read(item: Measurement, ids: EvidenceIds) -> tuple[_Printed | None, MeasurementRun | None]:
    call = item.call
    text, complete, output = combined_output(call)
    source = output.source if output is not None else call.result_ref or call.ref
    pointer = Pointer(
        path=source.path,
        record=source.record,
        byte_start=source.byte_start,
        byte_end=source.byte_end,
        call_id=call.call_id,
        evidence_id=ids.of(source),
    )
    reports = parse_performance(text, completeness=complete) if text else ()
    report = next((r for r in reversed(reports) if _is_complete(r)), None)
    run = MeasurementRun(
        completed=report is not None,
        reason="report" if report is not None else _why_incomplete(call, bool(reports)),
        command=call.command,
        started_at=call.timestamp,
        evidence=pointer,
    )
    if report is None:
        return None, run
    return _Printed(report, item, pointer), run


def _is_complete(report: PerformanceReport) -> bool:
    return report.complete and (report.reference is not None or report.ascendc is not None)


def _why_incomplete(call: ShellCall, has_report: bool) -> str:
    if call.state is CallState.ABORTED:
        return "interrupted"
    if has_report:
        return "incomplete_report"
    return "error" if call.failed else "no_report"


def _of_record(
    stored: PerformanceReport | None, printed: PerformanceReport | None
) -> tuple[PerformanceReport | None, str | None, str | None]:
    """Return the report of record, `json` or `printed`, and how the two differ."""
    if stored is None:
        return printed, "printed" if printed is not None else None, None
    if printed is None:
        return stored, "json", None
    difference = agree(stored, printed)
    if difference is None:
        return stored, "json", None
    return printed, "printed", difference


def _changed_since(states: Sequence[LoggedState], since: int | None) -> tuple[str, ...]:
    """Files of the measured implementation that changed after the measurement."""
    if since is None:
        return ()
    changed = [state.path for state in states[since:] if _is_measured(state)]
    return tuple(dict.fromkeys(changed))


def _is_measured(state: LoggedState) -> bool:
    return is_evaluated(state.path) and stage_of(state.path.rsplit("/", 1)[-1]) != "tilelang"


def _shapes(
    stages: Mapping[StageName, StageBuilder], cases: int | None
) -> dict[int, tuple[str, str, int]]:
    """Shapes of the timed cases, from an evaluation report over as many cases."""
    if cases is None:
        return {}
    runs = [
        run
        for name in ("ascendc", "tilelang", "full_validation")
        for item in stages[name].rounds
        for run in item.runs
    ]
    for run in runs:
        if run.report.cases_total != cases:
            continue
        shapes = input_shapes(combined_output(run.call)[0])
        if len(shapes) == cases:
            return shapes
    return {}


def input_shapes(text: str) -> dict[int, tuple[str, str, int]]:
    """Return (shape of the first tensor, its dtype, elements of all tensors) by case index.

    Source: the Inputs block of verification and P1 performance reports.
    """
    shapes: dict[int, tuple[str, str, int]] = {}
    for match in _INPUT.finditer(text):
        index, dims, dtype = int(match[1]), match[2], match[3]
        count = 1
        for dim in re.findall(r"\d+", dims):
            count *= int(dim)
        if index in shapes:
            shape, first_dtype, elements = shapes[index]
            shapes[index] = (shape, first_dtype, elements + count)
        else:
            shapes[index] = (f"({dims})", dtype, count)
    return shapes


def _facts(
    record: PerformanceReport,
    printed: PerformanceReport | None,
    shapes: dict[int, tuple[str, str, int]],
) -> Performance:
    reason, confirmed = why_no_ratio(record), overall_confirmed(record)
    cases = tuple(_case(record, case, shapes.get(case.index)) for case in record.per_case)
    record = usable(record)
    timings = {name: getattr(record, name) for name in IMPLEMENTATIONS}
    means = {name: _mean(timing) for name, timing in timings.items()}
    ratio = _ratio(means["reference"], means["ascendc"]) if reason is None else None
    config = usable(printed) if printed is not None else record
    return Performance(
        executed=True,
        layout=record.layout,
        device=record.device or config.device,
        warmup=record.warmup if record.warmup is not None else config.warmup,
        repeat=record.repeat if record.repeat is not None else config.repeat,
        seed=record.seed if record.seed is not None else config.seed,
        cases=record.cases,
        implementations={
            name: _implementation(timing) for name, timing in timings.items() if timing is not None
        },
        mean_reference_ms=means["reference"],
        mean_ascendc_ms=means["ascendc"],
        mean_tilelang_ms=means["tilelang"],
        ratio_of_means=ratio,
        ratio_unknown_because=reason,
        mean_of_ratios=mean_of_ratios(record),
        geomean_of_ratios=geomean_of_ratios(record),
        at_least_06x=ratio > 0.6 if ratio is not None else None,
        at_least_08x=ratio > 0.8 if ratio is not None else None,
        overall_speedup_reported=record.overall_reported,
        overall_is=record.overall_is,
        overall_confirmed=confirmed,
        per_case=cases,
    )


def _mean(timing: ImplementationTiming | None) -> float | None:
    return timing.mean_ms if timing is not None and timing.ok else None


def _ratio(reference: float | None, candidate: float | None) -> float | None:
    if reference is None or candidate is None or reference <= 0 or candidate <= 0:
        return None
    ratio = reference / candidate
    return ratio if math.isfinite(ratio) else None


def _implementation(timing: ImplementationTiming) -> ImplementationFacts:
    return ImplementationFacts(
        ok=timing.ok,
        error=timing.error,
        mean_ms=timing.mean_ms,
        median_ms=timing.median_ms,
        min_ms=timing.min_ms,
        max_ms=timing.max_ms,
        std_ms=timing.std_ms,
        std_kind=timing.std_kind,
        basis=timing.basis,
    )


def _case(
    report: PerformanceReport, case: CaseTiming, known: tuple[str, str, int] | None
) -> CaseFacts:
    shape, dtype, elements = known or (case.shape, case.dtype, case.elements)
    if case.shape is not None:
        shape, dtype, elements = case.shape, case.dtype, case.elements
    return CaseFacts(
        index=case.index,
        reference_ms=case.reference_ms,
        ascendc_ms=case.ascendc_ms,
        tilelang_ms=case.tilelang_ms,
        ratio=_ratio(case.reference_ms, case.ascendc_ms),
        ratio_reported=case.ratio_reported if states_its_ratio(report, case) else None,
        shape=shape,
        dtype=dtype,
        elements=elements,
        fallback_clock=case.fallback_clock,
    )
