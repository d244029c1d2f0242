"""Divides a command's output into evaluator invocations; must not judge them.

A command can run the evaluator several times (loop, retry, check and evaluate), and a pipe can have
cut off any part. An invocation begins at the script's first line, at a refusal, at a report's title
when the open one already has a report, or at report lines that cannot continue the open report.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from summarizer.eval_logs import report, summary
from summarizer.eval_logs._run import EvalKind
from summarizer.eval_logs.environment import precheck_kind, precheck_reason
from summarizer.text.lines import Line

_FIRST_LINES: tuple[tuple[re.Pattern[str], EvalKind | None], ...] = (
    (re.compile(r"Detected local Ascend environment, building kernel"), "ascendc"),
    (re.compile(r"Detected local TileLang-Ascend environment, running"), "tilelang"),
    (re.compile(r"Building kernel and running local verification$"), "ascendc"),
    (re.compile(r"\[1/4\] Packaging "), None),
    (re.compile(r"\[1/3\] Streaming .*\(attempt 1/\d+\)$"), "ascendc"),
)
_LATER_LINES: tuple[tuple[re.Pattern[str], EvalKind], ...] = (
    (re.compile(r"\[3/4\] Running verification inside container "), "tilelang"),
    (re.compile(r"\[3/[34]\] Building and verifying AscendC "), "ascendc"),
)


@dataclass(slots=True)
class _Open:
    """The invocation that lines are being added to."""

    first: int
    kind: EvalKind | None = None
    started: bool = False
    only_wrapper: bool = False
    """The wrapper's first line was the last thing seen."""
    report: str = "none"
    """`none`, `open` or `closed`."""
    last_case: int = -1
    exit_code: int | None = None
    headless: bool = False
    """Begun by report lines without a title."""
    refused: bool = False
    result_seen: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """One invocation as a range of lines."""

    first: int
    end: int
    """Half-open range of line indices."""
    kind: EvalKind | None
    started: bool
    exit_code: int | None


def split_runs(lines: list[Line]) -> list[Segment]:
    """Return the invocations in order; an empty list when no line belongs to an evaluator.

    Lines before the first one belong to it only when its own beginning is missing.
    """
    runs: list[_Open] = []
    blank_so_far = True
    for index, line in enumerate(lines):
        before = lines[index - 1].text if index else ""
        current = runs[-1] if runs else None
        begun = None
        if not _is_stray_result(line.text, before, blank_so_far):
            begun = _begin(current, line.text, before, index)
        blank_so_far = blank_so_far and not line.text.strip()
        if begun is not None:
            runs.append(begun)
        elif current is not None:
            _continue(current, line.text, before)
    runs = _without_repeats(runs, lines)
    if not runs:
        return []
    ends = [run.first for run in runs[1:]] + [len(lines)]
    return [
        Segment(run.first, end, run.kind, run.started, run.exit_code)
        for run, end in zip(runs, ends, strict=True)
    ]


def _begin(current: _Open | None, text: str, before: str, index: int) -> _Open | None:
    """Return a new invocation when this line opens one."""
    return (
        _begin_wrapped(text, index)
        or _begin_script(current, text, index)
        or _begin_report(current, text, before, index)
    )


def _begin_wrapped(text: str, index: int) -> _Open | None:
    if kind := summary.log_start_kind(text):
        return _Open(index, kind, started=True, only_wrapper=True)
    if kind := summary.summary_kind(text):
        return _Open(index, kind, started=True, report="closed", result_seen=True, refused=True)
    return None


def _begin_script(current: _Open | None, text: str, index: int) -> _Open | None:
    for pattern, kind in _FIRST_LINES:
        if pattern.match(text):
            if current is not None and current.only_wrapper:
                current.only_wrapper = False
                return None
            return _Open(index, kind, started=True)
    if precheck_reason(text) is not None:
        if current is not None and current.only_wrapper:
            current.only_wrapper = False
            return None
        return _Open(index, precheck_kind(text), started=True, report="closed", refused=True)
    return None


def _begin_report(current: _Open | None, text: str, before: str, index: int) -> _Open | None:
    """A title needs a run without a report; bare report lines need one that they can continue."""
    if _is_title(text, before):
        if current is None or current.report != "none":
            return _Open(index - 1, report.title_kind(text), report="open")
        current.report, current.only_wrapper = "open", False
        current.kind = report.title_kind(text) or current.kind
        return None
    if not report.is_signature(text):
        return None
    if current is None:
        return _headless(text, before, index)
    if current.report == "closed" and not current.refused:
        return _headless(text, before, index)
    case = report.CASE.match(text)
    if case and current.report == "open" and int(case[1]) <= current.last_case:
        return _headless(text, before, index)
    return None


def _is_stray_result(text: str, before: str, is_first: bool) -> bool:
    """A result line neither below a report's line nor at the very top proves nothing."""
    if report.RESULT.match(text) is None:
        return False
    return not (is_first or report.LIGHT_RULE.match(before) or report.is_signature(before))


def _headless(text: str, before: str, index: int) -> _Open:
    rule_above = report.LIGHT_RULE.match(before) is not None and index > 0
    run = _Open(index - 1 if rule_above else index, report="open", headless=True)
    _continue(run, text, before)
    return run


def _is_title(text: str, before: str) -> bool:
    """Whether this line is a title, or what imitates one, below a heavy rule."""
    if report.HEAVY_RULE.match(before) is None:
        return False
    return bool(report.TITLE.match(text) or report.LOOKALIKE_TITLE.match(text))


def _continue(run: _Open, text: str, before: str) -> None:
    """Take notice of a line that belongs to the open invocation."""
    code = summary.log_end_exit(text)
    if code is not None:
        run.exit_code, run.report = code, "closed"
        return
    for pattern, kind in _LATER_LINES:
        if pattern.match(text):
            run.kind = run.kind or kind
    if case := report.CASE.match(text):
        if report.is_case_line(text):
            run.last_case = int(case[1])
            run.report = "open" if run.report == "none" else run.report
    elif report.RESULT.match(text) and run.report == "open":
        run.report, run.result_seen = "closed", True
    elif text.strip():
        run.only_wrapper = False


def _without_repeats(runs: list[_Open], lines: list[Line]) -> list[_Open]:
    """Drop report lines that are shown again after their report (`grep` in a saved log).

    They have no result line of their own and each of them stands in the run before.
    """
    kept: list[_Open] = []
    for number, run in enumerate(runs):
        end = runs[number + 1].first if number + 1 < len(runs) else len(lines)
        if run.headless and not run.result_seen and kept:
            shown = {line.text for line in lines[kept[-1].first : run.first]}
            own = (line.text for line in lines[run.first : end] if report.is_signature(line.text))
            if all(text in shown for text in own):
                continue
        kept.append(run)
    return kept
