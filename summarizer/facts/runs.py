"""Reads the outcome of evaluator calls out of what their commands printed.

The parsing of reports is `eval_logs`' work; here it is decided which call a report belongs to and
whether a call ever started.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from summarizer.eval_logs import never_started, parse_evaluations
from summarizer.facts.commands import ScriptCall
from summarizer.facts.operator import is_task_folder
from summarizer.model.events import CallState, Output, ShellCall
from summarizer.model.facts import DegenerationCheck, Pointer
from summarizer.model.reports import EvalReport, Outcome
from summarizer.model.source import Completeness

AttemptReason = Literal["not_found", "guard_failed", "aborted"]

_CHECK_LINE = re.compile(
    r"^\s*(?:\[(?:PASS|FAIL|ERROR)\]|退化检测|\{.*\"(?:regression|valid)\")"
    r"|实现验证通过|PyTorch 退化"
)
_CHECK_PASSED = re.compile(
    r"\"regression\":\s*false|\"valid\":\s*true|退化检测[:：]\s*通过|^\[PASS\].*实现验证通过",
    re.MULTILINE,
)
_CHECK_FAILED = re.compile(
    r"\"regression\":\s*true|\"valid\":\s*false|退化检测[:：]\s*(?:失败|未通过)|^\[FAIL\] 检测到",
    re.MULTILINE,
)
_CHECK_TYPE = re.compile(r"\"regression_type\":\s*\"?(?:Type\s*)?([1-4])|Type ([1-4])")
_NO_TRACE = {"no_output", "unrecognised", "output_cut"}
_CRASHES = {"traceback", "crash", "missing_interpreter", "missing_module"}
_STARTED = re.compile(
    r"^(?:Detected local|Building kernel and running|\[\d/\d\] |\[build_ascendc\]|=====+ )|"
    r"Verification Report",
    re.MULTILINE,
)
"""What an evaluation script prints first; its absence says that a crash was the guard's."""


@dataclass(frozen=True, slots=True)
class NotStarted:
    """Why a call was no run."""

    reason: AttemptReason
    text: str
    """What was said instead, verbatim; empty when nothing was."""


def first_line(text: str) -> str:
    """Return the first line that is not blank."""
    return next((line.strip() for line in text.split("\n") if line.strip()), "")


def combined_output(event: ShellCall) -> tuple[str, Completeness, Output | None]:
    """Return the best text of everything a command printed.

    A background command's output file, once read whole, replaces the pieces seen before; else
    the pieces are joined in order.

    Returns:
        The text, how complete it is, and the output it was taken from (the last one of several).
    """
    pieces = [output for output in event.outputs if output.text]
    for output in reversed(pieces):
        if output.via in {"read", "side_file"} and output.completeness is Completeness.FULL:
            return output.text, output.completeness, output
    if not pieces:
        return "", Completeness.FULL if event.outputs else Completeness.UNKNOWN, None
    if len(pieces) == 1:
        return pieces[0].text, pieces[0].completeness, pieces[0]
    text = "\n".join(piece.text.rstrip("\n") for piece in pieces)
    worst = next(
        (p.completeness for p in pieces if p.completeness is not Completeness.FULL),
        Completeness.FULL,
    )
    return text, worst, pieces[-1]


class RunReader:
    """Assigns evaluator reports to evaluator calls; keeps nothing between calls."""

    def __init__(self, folder: str = "") -> None:
        """Know the name of the task's output directory, to tell reports of others by."""
        self._folder = folder

    def _own(self, reports: tuple[EvalReport, ...]) -> tuple[EvalReport, ...]:
        """Leave out what a loop over several operators printed about the other ones.

        Where every report names another task the directory was renamed, and all are kept.
        """
        own = tuple(report for report in reports if not self._of_another(report))
        return own or reports

    def _of_another(self, report: EvalReport) -> bool:
        stated = (report.task_dir or report.operator or "").rstrip("/").rpartition("/")[2]
        comparable = is_task_folder(stated) and is_task_folder(self._folder)
        return comparable and stated != self._folder

    def read(
        self, event: ShellCall, calls: list[ScriptCall]
    ) -> list[tuple[ScriptCall, tuple[EvalReport, ...], NotStarted | None]]:
        """Return per call its runs, or why it never started.

        Args:
            event: an executed, backgrounded or aborted shell call.
            calls: its evaluator calls for this task, in order, not empty.
        """
        text, complete, _ = combined_output(event)
        missing = never_started(text, event.exit_code)
        expected = calls[0].kind if len({call.kind for call in calls}) == 1 else None
        reports = parse_evaluations(
            text,
            exit_code=event.exit_code,
            failed=event.failed,
            completeness=complete,
            timed_out=event.timed_out,
            expected=expected,
        )
        reports = self._own(reports)
        if event.state is CallState.ABORTED and not event.timed_out and not text:
            return [(call, (), NotStarted("aborted", event.state_text)) for call in calls]
        if not reports:
            failure = NotStarted("not_found", missing or first_line(text))
            return [(call, (), failure) for call in calls]
        return _assign(event, calls, reports, missing, text)

    def reread(
        self, call: ShellCall, text: str, complete: Completeness, how: str, stage: str
    ) -> EvalReport | None:
        """Parse a shown output file of a run that had no verdict so far; None if it says none."""
        shown = Completeness(how) if how in {"head", "tail"} else complete
        reports = parse_evaluations(
            text,
            exit_code=None,
            failed=None,
            completeness=shown,
            timed_out=False,
            expected="tilelang" if stage == "tilelang" else "ascendc",
        )
        return reports[-1] if reports else None


def _assign(
    event: ShellCall,
    calls: list[ScriptCall],
    reports: tuple[EvalReport, ...],
    missing: str | None,
    text: str,
) -> list[tuple[ScriptCall, tuple[EvalReport, ...], NotStarted | None]]:
    """One report per call in order; the last call takes what is left (a loop or a retry)."""
    assigned: list[tuple[ScriptCall, tuple[EvalReport, ...], NotStarted | None]] = []
    rest = list(reports)
    for position, call in enumerate(calls):
        last = position == len(calls) - 1
        same = [r for r in rest if r.kind in {None, call.kind}]
        taken = tuple(same) if last else tuple(same[:1])
        rest = [r for r in rest if r not in taken]
        if _blocked(event, call, taken, text):
            failure = NotStarted("guard_failed", missing or "")
            assigned.append((call, (), failure))
        elif taken:
            assigned.append((call, taken, None))
        elif missing is not None:
            assigned.append((call, (), NotStarted("not_found", missing)))
        else:
            assigned.append((call, (), NotStarted("guard_failed", "")))
    return assigned


def _blocked(
    event: ShellCall, call: ScriptCall, reports: tuple[EvalReport, ...], text: str
) -> bool:
    """`validate && evaluate` that failed and shows nothing of the evaluation: it never ran."""
    if not call.step.guarded_by or event.failed is not True:
        return False
    if _STARTED.search(text):
        return False
    return all(
        report.reason in _CRASHES
        or (report.outcome is Outcome.UNKNOWN and report.reason in _NO_TRACE)
        for report in reports
    )


def degeneration_check(event: ShellCall, call: ScriptCall, alone: bool) -> DegenerationCheck | None:
    """Return what a validate_*_impl.py call said, None when it did not run.

    Args:
        event: the shell call.
        call: the check inside it.
        alone: whether the exit status is this check's own.
    """
    text, _, _ = combined_output(event)
    lines = tuple(line for line in text.split("\n") if _CHECK_LINE.search(line))
    passed: bool | None = None
    if _CHECK_FAILED.search(text):
        passed = False
    elif _CHECK_PASSED.search(text):
        passed = True
    elif alone and event.exit_code is not None and not call.step.piped_into:
        passed = event.exit_code == 0
    kind = _CHECK_TYPE.search(text) if passed is False else None
    number = int(kind[1] or kind[2]) if kind else None
    placeholder = Pointer(path=event.ref.path, record=event.ref.record)
    return DegenerationCheck(
        passed=passed, regression_type=number, lines=lines[:12], evidence=placeholder
    )
