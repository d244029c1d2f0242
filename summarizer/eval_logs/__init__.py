"""Turns what evaluation scripts printed into EvalReports; must not know sessions, stages or rounds.

Data flow: text -> lines as a terminal shows them -> one segment per evaluator invocation -> the
first format of EVAL_LOG_FORMATS that recognises something in the segment judges it.
A verdict is taken only from the lines that a report prints at its own places, never from words.

Adding a format: a module with a `judge_*(run) -> Judgement | None` function, one entry below, one
fixture folder in the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from summarizer.eval_logs._run import EvalKind, Judgement, RunText
from summarizer.eval_logs._segment import Segment, split_runs
from summarizer.eval_logs.build import judge_build
from summarizer.eval_logs.crash import judge_crash
from summarizer.eval_logs.environment import judge_environment, judge_trouble
from summarizer.eval_logs.files import EvalLog, find_eval_logs, read_eval_log
from summarizer.eval_logs.report import judge_report
from summarizer.eval_logs.start import never_started
from summarizer.eval_logs.summary import judge_summary
from summarizer.model.reports import EvalReport, Outcome
from summarizer.model.source import Completeness
from summarizer.text.lines import is_cut_note, split_lines

__all__ = [
    "EVAL_LOG_FORMATS",
    "EvalLog",
    "EvalLogFormat",
    "find_eval_logs",
    "never_started",
    "parse_evaluations",
    "read_eval_log",
]


@dataclass(frozen=True, slots=True)
class EvalLogFormat:
    """One way in which an evaluator's output shows how it ended."""

    name: str
    """Also the name of the fixture folders."""
    judge: Callable[[RunText], Judgement | None]
    """None when the run shows nothing of this format."""


EVAL_LOG_FORMATS: tuple[EvalLogFormat, ...] = (
    EvalLogFormat("summary", judge_summary),
    EvalLogFormat("report", judge_report),
    EvalLogFormat("environment", judge_environment),
    EvalLogFormat("build", judge_build),
    EvalLogFormat("trouble", judge_trouble),
    EvalLogFormat("crash", judge_crash),
)
"""In order of precedence: a summary's and a report's verdict outweigh what stands around them."""

_TIMEOUT_EXIT = 124  # of timeout(1)


def parse_evaluations(
    text: str,
    *,
    exit_code: int | None,
    failed: bool | None,
    completeness: Completeness,
    timed_out: bool = False,
    expected: EvalKind | None = None,
) -> tuple[EvalReport, ...]:
    """Return one report per evaluator invocation that the text shows, in order.

    Args:
        text: Everything that one command printed, as far as it is left.
        exit_code: The command's exit code; None when unknown. A pipe or a wrapper can hide the
            evaluator's own, so it never makes a verdict.
        failed: Whether the client reported a failure; None when unknown.
        completeness: What of the output is left. A pipe inside the command may have cut more.
        timed_out: Whether the client ended the command at its time limit; concerns the last run.
        expected: The implementation the command line named; stands in where the text names none.

    Returns:
        Never empty unless `never_started` has a line for this text. Without a recognisable
        invocation, one report whose outcome is no verdict, or one that a bare crash decides.
    """
    lines = split_lines(text, end_is_cut=not completeness.has_end)
    segments = split_runs(lines)
    if not segments and never_started(text, exit_code) is not None:
        return ()
    if not segments:
        segments = [Segment(0, len(lines), None, False, None)]
    last = len(segments) - 1
    preamble = tuple(lines[: segments[0].first])
    reports = []
    for number, segment in enumerate(segments):
        is_last = number == last
        run = RunText(
            lines=tuple(lines[segment.first : segment.end]),
            kind=segment.kind,
            started=segment.started,
            exit_code=exit_code if segment.exit_code is None and is_last else segment.exit_code,
            timed_out=timed_out and is_last,
            has_end=completeness.has_end or not is_last,
            preamble=preamble if number == 0 else (),
        )
        start = 0 if number == 0 and not segment.started else _start(run, len(text))
        end = len(text) if is_last else lines[segments[number + 1].first].start
        reports.append(_eval_report(run, start, end, expected, failed if is_last else None))
    return tuple(reports)


def _start(run: RunText, default: int) -> int:
    return run.lines[0].start if run.lines else default


def _eval_report(
    run: RunText, start: int, end: int, expected: EvalKind | None, failed: bool | None
) -> EvalReport:
    judgement = _judge(run, failed)
    if any(line.char_start < start for line in judgement.error_lines):
        start = 0  # what decides stands above the first line
    return EvalReport(
        kind=judgement.kind or run.kind or expected,
        outcome=judgement.outcome,
        reason=judgement.reason,
        cases_passed=judgement.cases_passed,
        cases_total=judgement.cases_total,
        failed_cases=judgement.failed_cases,
        error_lines=judgement.error_lines,
        result_lines=judgement.result_lines,
        case_lines=judgement.case_lines,
        char_start=start,
        char_end=end,
        operator=judgement.operator,
        task_dir=judgement.task_dir,
        device=judgement.device,
    )


def _judge(run: RunText, failed: bool | None) -> Judgement:
    """The first format that recognises something; else why there is no verdict."""
    found = next((made for form in EVAL_LOG_FORMATS if (made := form.judge(run))), None)
    found = found or _judge_preamble(run)
    if found is None:
        return _no_verdict(run, failed)
    if found.outcome is Outcome.UNKNOWN and _ran_out_of_time(run):
        return found._replace(outcome=Outcome.TIMEOUT, reason="timeout")
    return found


def _judge_preamble(run: RunText) -> Judgement | None:
    """Unbuffered error output can stand above the first line, when both streams are one."""
    before = replace(run, lines=run.preamble)
    return judge_build(before) or judge_trouble(before)


def _ran_out_of_time(run: RunText) -> bool:
    return run.timed_out or (run.exit_code == _TIMEOUT_EXIT and run.has_end)


def _no_verdict(run: RunText, failed: bool | None) -> Judgement:
    if _ran_out_of_time(run):
        return Judgement(Outcome.TIMEOUT, "timeout")
    if not run.has_end or any(is_cut_note(line.text) for line in run.lines):
        return Judgement(Outcome.UNKNOWN, "output_cut")
    if not any(line.text.strip() for line in run.lines):
        return Judgement(Outcome.UNKNOWN, "no_output")
    if not run.started:
        return Judgement(Outcome.UNKNOWN, "unrecognised")
    return Judgement(Outcome.UNKNOWN, "failed_without_verdict" if failed else "no_verdict")
