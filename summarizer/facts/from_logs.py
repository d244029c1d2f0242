"""Runs that only a log file of the output directory shows.

Used without a transcript, and to complete a run of which the wrapper script printed a summary
only (artefact formats 13.2). A log keeps the last run, so it proves that one and no count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from summarizer.eval_logs import parse_evaluations
from summarizer.facts.builders import RunBuilder, StageBuilder
from summarizer.model.events import CallState, Output, ShellCall
from summarizer.model.facts import Pointer, StageName
from summarizer.model.reports import CaseFiles, EvalReport, Outcome
from summarizer.model.source import Completeness, SourceRef

_EXIT = re.compile(r"^===== .*exit=(\d+) =====\s*$|^FAIL \(exit=(\d+)\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LogText:
    """One evaluation log as it was read."""

    path: str
    text: str
    kind: str | None
    """`tilelang` or `ascendc` by its name, None when the name does not say."""
    is_summary: bool
    """The wrapper's selection of the log's last lines."""
    size: int
    """Bytes."""


def add_log_runs(
    stages: Mapping[StageName, StageBuilder], logs: Sequence[LogText], case_files: CaseFiles
) -> None:
    """Add the last run of each kind that a log holds, for sessions without a transcript."""
    seen: set[str] = set()
    for log in sorted(logs, key=lambda log: log.is_summary):
        reports = _reports(log)
        if not reports:
            continue
        report = reports[-1]
        kind = log.kind or report.kind or "ascendc"
        if kind in seen:
            continue
        seen.add(kind)
        name: StageName = "tilelang" if kind == "tilelang" else "ascendc"
        if name == "ascendc" and _is_full(report, case_files):
            name = "full_validation"
        stage = stages[name]
        stage.entered = True
        stage.add_run(_run(log, report, stage.runs), 0)


def complete_from_logs(stages: Mapping[StageName, StageBuilder], logs: Sequence[LogText]) -> None:
    """Give the last run of a kind the cases of its log, where the transcript has a summary only.

    The log must agree with the summary's outcome; else it may be of another run and is left.
    """
    for log in logs:
        if log.is_summary or log.kind is None:
            continue
        names: tuple[StageName, ...] = ("tilelang",)
        if log.kind == "ascendc":
            names = ("ascendc", "full_validation")
        runs = [run for name in names for item in stages[name].rounds for run in item.runs]
        if not runs:
            continue
        last = max(runs, key=lambda run: run.order)
        reports = _reports(log)
        if last.report.reason != "summary_line" or not reports:
            continue
        if reports[-1].outcome is last.report.outcome:
            last.report = reports[-1]
            last.evidence = Pointer(path=log.path, record=1, byte_start=0, byte_end=log.size)


def _reports(log: LogText) -> tuple[EvalReport, ...]:
    code = exit_code(log.text)
    return parse_evaluations(
        log.text,
        exit_code=code,
        failed=None if code is None else code != 0,
        completeness=Completeness.TAIL if log.is_summary else Completeness.FULL,
        timed_out=False,
        expected="tilelang" if log.kind == "tilelang" else "ascendc",
    )


def exit_code(text: str) -> int | None:
    """Return the exit code that a wrapper wrote into its log, None when it did not."""
    matches = list(_EXIT.finditer(text))
    return int(matches[-1][1] or matches[-1][2]) if matches else None


def _is_full(report: EvalReport, case_files: CaseFiles) -> bool:
    """The full set was restored and this report is over it."""
    total = report.cases_total
    return total is not None and case_files.identical is True and total == case_files.original


def _run(log: LogText, report: EvalReport, index: int) -> RunBuilder:
    ref = SourceRef(log.path, 1, 0, log.size)
    code = exit_code(log.text)
    call = ShellCall(
        call_id="",
        ref=ref,
        timestamp=None,
        command="",
        state=CallState.EXECUTED,
        exit_code=code,
        failed=report.outcome is not Outcome.PASS,
        outputs=(Output(log.text, Completeness.FULL, ref),),
    )
    pointer = Pointer(path=log.path, record=1, byte_start=0, byte_end=log.size)
    return RunBuilder(call, "script", report, pointer, Completeness.FULL, 0, index)
