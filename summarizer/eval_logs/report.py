"""Reads the verification report of one run; must not know builds, wrappers or exit codes.

The report's frame: a line that ends in 72 `=`, the title, 72 `=`, header lines, then blocks between
lines of 72 `-`: Inputs, Comparison, and last `Result: pass|fail`. The start of the frame can be
glued to another program's message, and a pipe to `tail`, `head` or `grep` may have left a part.

Source: `print` calls of `verification_ascendc.py` and `verification_tilelang.py` (harness versions
V1 to V7 and the CANNBot descendant, which pads labels to 13 and has more words for a match).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from summarizer.eval_logs._lines import cite, cite_whole
from summarizer.eval_logs._run import EvalKind, Judgement, RunText
from summarizer.model.reports import Outcome, TextLine
from summarizer.text.lines import Line, is_cut_note

TITLE = re.compile(r"(?:INFO: )?(AscendC|TileLang) Verification Report$")
LOOKALIKE_TITLE = re.compile(r"(?:AscendC|TileLang) Verification Report\s*\S")
HEAVY_RULE = re.compile(r".*={72}$")
LIGHT_RULE = re.compile(r"-{72}$")
STATUS = re.compile(r"Status(?: {4}| {7}): (PASS|FAIL)$")
RESULT = re.compile(r"Result: (pass|fail)$")
CASE = re.compile(r"case\[(\d{1,9})\]: (.*)$")

_HEADER = re.compile(r"(Operator|Device|Task Dir) {0,8}: (.*)$")
_INPUT = re.compile(r"inputs\[(\d{1,9})\]: ")
_CASE_TEXT = re.compile(r"output\[\d+\][^:]*: (.*)$")
_MATCHED = re.compile(r"(?:(?:bit-exact|int|bool|quant) )?matched\b")
_MISMATCH = re.compile(r"(?:output\[\d+\]|(?:list|tuple) length mismatch|dict keys mismatch|"
                       r"value mismatch|type mismatch|shape mismatch)")  # fmt: skip
_EXCEPTION = re.compile(
    r"[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt)(?::|$)|missing \w+ model: "
)
_KINDS: dict[str, EvalKind] = {"AscendC": "ascendc", "TileLang": "tilelang"}


def is_case_line(text: str) -> bool:
    """Whether a line reports one compared case."""
    match = CASE.match(text)
    return match is not None and _MISMATCH.match(match[2]) is not None


def is_signature(text: str) -> bool:
    """Whether a line, even without a frame around it, is one that only a report prints."""
    return bool(STATUS.match(text) or RESULT.match(text) or is_case_line(text))


def title_kind(text: str) -> EvalKind | None:
    """Return the kind that a title line names, None for any other line."""
    match = TITLE.match(text)
    return _KINDS[match[1]] if match else None


def case_passed(text: str) -> bool:
    """Whether a case line says that its outputs matched."""
    match = CASE.match(text)
    inner = _CASE_TEXT.match(match[2]) if match else None
    return inner is not None and _MATCHED.match(inner[1]) is not None


@dataclass(slots=True)
class _Report:
    """What was found of one report while going through its lines."""

    title_seen: bool = False
    lookalike: bool = False
    comparison_seen: bool = False
    inputs_seen: bool = False
    text_seen: bool = False
    """Whether a line with text came before."""
    status: bool = False
    result: bool = False
    verdicts: list[Line] = field(default_factory=list)
    """Status and result lines in order."""
    cases: list[Line] = field(default_factory=list)
    torn_cases: int = 0
    cases_closed: bool = False
    cut_after_case: bool = False
    """Whether something was left out behind the last case seen, where more may have stood."""
    message: list[Line] = field(default_factory=list)
    exceptions: list[Line] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    header: dict[str, str] = field(default_factory=dict)
    kind: EvalKind | None = None
    block: str = "before"
    """`before`, `header`, `Inputs`, `Comparison`, `Traceback`, `other`, `after`."""


def judge_report(run: RunText) -> Judgement | None:
    """Return what the report in this run says, None when there is no part of a report."""
    found = _collect(run.lines)
    if not (found.title_seen or found.verdicts or found.cases or found.lookalike):
        return None
    if found.lookalike and not found.title_seen:
        return Judgement(Outcome.UNKNOWN, "unrecognised")
    cases = _Cases.of(found)
    outcome, reason = _outcome(found, cases)
    if outcome is None:
        return None
    return Judgement(
        outcome=outcome,
        reason=reason,
        error_lines=_error_lines(found, outcome),
        result_lines=tuple(cite(line) for line in found.verdicts),
        case_lines=tuple(cite(line) for line in found.cases),
        cases_passed=cases.passed if cases.complete else None,
        cases_total=cases.total if cases.complete else None,
        failed_cases=cases.failed,
        kind=found.kind,
        operator=found.header.get("Operator"),
        task_dir=found.header.get("Task Dir"),
        device=found.header.get("Device"),
    )


def _collect(lines: tuple[Line, ...]) -> _Report:
    report = _Report()
    for index, line in enumerate(lines):
        before = lines[index - 1].text if index else ""
        _take(report, line, before)
        report.text_seen = report.text_seen or bool(line.text.strip())
    return report


def _take(report: _Report, line: Line, before: str) -> None:
    """Move the report's state on by one line."""
    text = line.text
    report.cut_after_case = report.cut_after_case or (bool(report.cases) and is_cut_note(text))
    if TITLE.match(text) and HEAVY_RULE.match(before):
        report.title_seen, report.kind, report.block = True, title_kind(text), "header"
        return
    if LOOKALIKE_TITLE.match(text) and HEAVY_RULE.match(before):
        report.lookalike = True
    if LIGHT_RULE.match(text) or report.block == "after":
        report.cases_closed = report.cases_closed or bool(report.cases)
        return
    if LIGHT_RULE.match(before) and text in {"Inputs", "Comparison", "Traceback"}:
        _enter(report, text)
    elif RESULT.match(text) and not line.torn:
        _take_result(report, line, before)
    else:
        _take_content(report, line)


def _enter(report: _Report, block: str) -> None:
    report.block = block
    report.inputs_seen = report.inputs_seen or block == "Inputs"
    report.comparison_seen = report.comparison_seen or block == "Comparison"


def _take_result(report: _Report, line: Line, before: str) -> None:
    """A result line counts at the end of a frame, or where the frame was cut or filtered away."""
    if LIGHT_RULE.match(before) or (
        not report.title_seen and (not report.text_seen or is_signature(before))
    ):
        report.verdicts.append(line)
        report.result = True
        report.block = "after"


def _take_content(report: _Report, line: Line) -> None:
    text = line.text
    if STATUS.match(text) and report.block in {"before", "header"}:
        if not line.torn:
            report.verdicts.append(line)
            report.status = True
            report.block = "header"
    elif report.block == "header" and (match := _HEADER.match(text)):
        report.header.setdefault(match[1], match[2].strip())
    elif report.block == "Inputs" and (match := _INPUT.match(text)):
        report.inputs.append(int(match[1]))
    elif is_case_line(text):
        _take_case(report, line)
    elif _EXCEPTION.match(text) and report.block in {"before", "Traceback"}:
        report.exceptions.append(line)
    elif report.block == "Comparison" and text.strip() and not report.cases:
        report.message.append(line)


def _take_case(report: _Report, line: Line) -> None:
    report.cases_closed = report.cut_after_case = False
    if line.torn:
        report.torn_cases += 1
    else:
        report.cases.append(line)
    if report.block not in {"Comparison", "before"}:
        report.block = "Comparison"


@dataclass(frozen=True, slots=True)
class _Cases:
    """What the case lines prove."""

    passed: int
    total: int
    failed: tuple[int, ...]
    complete: bool
    """Whether these are provably all cases of the report."""
    counts_differ: bool
    """Whether the Inputs block, whole itself, lists another number of cases."""

    @classmethod
    def of(cls, report: _Report) -> _Cases:
        """Count the case lines of a report."""
        states = {_case_index(line.text): case_passed(line.text) for line in report.cases}
        total = len(report.cases)
        gapless = sorted(states) == list(range(total)) and report.torn_cases == 0
        begun = report.comparison_seen or 0 in states
        # A block that goes on after its last case shows that no case is missing at the end.
        ended = (report.cases_closed or report.result) and not report.cut_after_case
        inputs = report.inputs
        inputs_whole = report.inputs_seen and inputs == list(range(len(inputs))) and bool(inputs)
        differ = bool(inputs_whole and report.comparison_seen and gapless and ended
                      and total and len(inputs) != total)  # fmt: skip
        return cls(
            passed=sum(states.values()),
            total=total,
            failed=tuple(sorted(index for index, passed in states.items() if not passed)),
            complete=total > 0 and gapless and begun and ended and not differ,
            counts_differ=differ,
        )


def _case_index(text: str) -> int:
    match = CASE.match(text)
    return int(match[1]) if match else -1


def _outcome(report: _Report, cases: _Cases) -> tuple[Outcome | None, str]:
    """The verdict of the result line, else of the status line, else what the cases prove."""
    said = {_verdict(line.text) for line in report.verdicts}
    all_match = cases.complete and not cases.failed
    if (
        len(said) > 1
        or (Outcome.PASS in said and cases.failed)
        or (Outcome.FAIL in said and all_match)
    ):
        return Outcome.UNKNOWN, "conflicting_lines"
    if not said:
        return _without_verdict_line(report, cases)
    (outcome,) = said
    if cases.counts_differ:
        return outcome, "case_counts_differ"
    if outcome is Outcome.FAIL and _is_error_report(report):
        return outcome, "error_report"
    return outcome, "result_line" if report.result else "status_line"


def _without_verdict_line(report: _Report, cases: _Cases) -> tuple[Outcome | None, str]:
    """One case that differs makes the whole report a failure; matching ones alone prove nothing."""
    if cases.failed:
        return Outcome.FAIL, "failing_case_listed"
    if report.title_seen or report.cases:
        return Outcome.UNKNOWN, "output_cut"
    return None, ""


def _verdict(text: str) -> Outcome:
    return Outcome.PASS if text.endswith(("PASS", "pass")) else Outcome.FAIL


def _is_error_report(report: _Report) -> bool:
    """An error stands where the cases would; without a title only an exception's text shows it."""
    if report.cases or report.torn_cases:
        return False
    if report.message:
        return not report.message[0].torn
    return bool(report.exceptions)


def _error_lines(report: _Report, outcome: Outcome) -> tuple[TextLine, ...]:
    if outcome not in {Outcome.FAIL, Outcome.UNKNOWN}:
        return ()
    if report.cases or report.torn_cases:
        return cite_whole(line for line in report.cases if not case_passed(line.text))
    return cite_whole(report.message + report.exceptions)
