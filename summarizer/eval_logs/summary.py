"""Reads what the evaluate wrappers print and keep; must not know the report they wrap.

Full log: `===== AscendC 验证开始 <date> =====` ... `===== 验证结束 <date> exit=N =====`.
Summary: `PASS: AscendC 验证通过` or `FAIL (exit=N): AscendC 验证失败`, then lines copied from the
last 30 of the log that contain certain words; what stood further up is lost.

Source: the harness's `wrap-evaluate.sh`; files `.last_{ascendc,tilelang}_eval.{log,summary}`.
"""

from __future__ import annotations

import re

from summarizer.eval_logs._lines import cite, cite_whole
from summarizer.eval_logs._run import EvalKind, Judgement, RunText
from summarizer.eval_logs.build import is_compiler_error
from summarizer.eval_logs.report import CASE, STATUS, case_passed, is_case_line
from summarizer.model.reports import Outcome
from summarizer.text.lines import Line

LOG_START = re.compile(r"===== (AscendC|TileLang) 验证开始 .*=====$")
LOG_END = re.compile(r"===== (?:(?:AscendC|TileLang) )?验证结束 .*\bexit=(\d{1,3}) =====$")
SUMMARY = re.compile(
    r"(?:(?P<pass>PASS): (?P<kind_pass>AscendC|TileLang) 验证通过"
    r"|FAIL \(exit=(?P<exit>\d{1,3})\): (?P<kind_fail>AscendC|TileLang) 验证失败)$"
)
_KINDS: dict[str, EvalKind] = {"AscendC": "ascendc", "TileLang": "tilelang"}


def log_start_kind(text: str) -> EvalKind | None:
    """Return the kind that the log's first line names, None for any other line."""
    match = LOG_START.match(text)
    return _KINDS[match[1]] if match else None


def log_end_exit(text: str) -> int | None:
    """Return the exit code that the log's last line names, None for any other line."""
    match = LOG_END.match(text)
    return int(match[1]) if match else None


def summary_kind(text: str) -> EvalKind | None:
    """Return the kind that a summary's first line names, None for any other line."""
    match = SUMMARY.match(text)
    return _KINDS[match["kind_pass"] or match["kind_fail"]] if match else None


def judge_summary(run: RunText) -> Judgement | None:
    """Return the verdict of a wrapper's summary, None when there is no summary."""
    for index, line in enumerate(run.lines):
        match = SUMMARY.match(line.text)
        if match is not None and not line.torn:
            kind = _KINDS[match["kind_pass"] or match["kind_fail"]]
            if match["pass"]:
                return _of_pass(line, run.lines[index + 1 :], kind)
            return _of_failure(line, run.lines[index + 1 :], kind, int(match["exit"]))
    return None


def _of_pass(head: Line, copied: tuple[Line, ...], kind: EvalKind) -> Judgement:
    status = cite_whole(line for line in copied if STATUS.match(line.text))
    return Judgement(Outcome.PASS, "summary_line", result_lines=(cite(head), *status), kind=kind)


def _of_failure(head: Line, copied: tuple[Line, ...], kind: EvalKind, code: int) -> Judgement:
    """The copied lines are a selection, so the cases are never counted."""
    cases = [line for line in copied if is_case_line(line.text) and not line.torn]
    compiler = [line for line in copied if is_compiler_error(line.text) and not line.torn]
    status = cite_whole(line for line in copied if STATUS.match(line.text))
    failing = [line for line in cases if not case_passed(line.text)]
    outcome = Outcome.FAIL
    if code == _TIMEOUT_EXIT and not (cases or status or compiler):
        outcome = Outcome.TIMEOUT
    elif compiler and not cases and not status:
        outcome = Outcome.COMPILE_ERROR
    return Judgement(
        outcome,
        "summary_line",
        error_lines=cite_whole(failing + compiler),
        result_lines=(cite(head), *status),
        case_lines=tuple(cite(line) for line in cases),
        failed_cases=_indices(failing),
        kind=kind,
    )


_TIMEOUT_EXIT = 124


def _indices(lines: list[Line]) -> tuple[int, ...]:
    matches = (CASE.match(line.text) for line in lines)
    return tuple(sorted({int(match[1]) for match in matches if match}))
