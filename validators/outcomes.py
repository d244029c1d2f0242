"""Rules on verdicts: what a trace says passed, failed or was skipped, against the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from summarizer.model.facts import STAGES, Facts, Stage
from summarizer.model.finding import SourcePlace
from summarizer.model.reports import Outcome
from summarizer.model.trace import Section, TextSpan
from validators.passages import labelled, passages, span_location
from validators.quoted import last_evaluation_place
from validators.round_outcomes import check_rounds, contradicting_words, outcomes_of_line
from validators.rule import VERDICTS, CheckContext, Flag
from validators.table_row import (
    COMPILED,
    CORRECT,
    CORRECT_MARK,
    STATUS,
    UNKNOWN,
    Row,
    summary_row,
)
from validators.verdicts import CHINESE, read_verdict, with_verdict

NEEDS = "the transcript or an evaluation log of the session"

_NEVER_FAILED = {"SKIP", "NOT_RUN", "NOT_VERIFIED"}
_PART = re.compile(r"([^|]{0,60}?)\(\s*(tilelang|ascendc|全量)[^)]*\)", re.IGNORECASE | re.ASCII)
_STALE = re.compile(
    r"又有修改|又被修改|过期|失效|未重新|stale|之后.{0,12}(?:修改|改动)", re.IGNORECASE | re.ASCII
)
_PLACE = re.compile(r"阶段\s*([一二四])\s*第\s*(\d{1,4})\s*轮")
_STAGE_WORDS = {"一": "tilelang", "二": "ascendc", "四": "full_validation"}


class Claimed(NamedTuple):
    """One verdict that a trace states."""

    about: str
    """`tilelang`, `ascendc`, `full_validation`, `cases` or `performance`."""
    verdict: str
    span: TextSpan
    at_head: bool
    """Whether it stands in 最终结果."""


def claimed_verdicts(context: CheckContext) -> tuple[Claimed, ...]:
    """The verdicts of stages as the trace states them."""
    return context.once("verdicts", lambda c: tuple(_claimed(c)))


def _claimed(context: CheckContext) -> Iterator[Claimed]:
    for section in context.doc.sections:
        if section.key in {*STAGES, "cases", "performance"}:
            yield from _stage_claims(section)
        for entry in labelled(section, "final_result"):
            yield from _final_claims(entry.value)


def _stage_claims(section: Section) -> Iterator[Claimed]:
    spans = [entry.value for entry in section.entries if entry.label == "result"]
    if section.status is not None:
        spans.append(section.status)
    for span in spans:
        verdict = read_verdict(span.text)
        if verdict is not None:
            yield Claimed(section.key, verdict, span, False)


def _final_claims(value: TextSpan) -> Iterator[Claimed]:
    for match in _PART.finditer(value.text):
        name = match[2].lower()
        about = "full_validation" if name == "全量" else name
        verdict = read_verdict(match[0])
        if verdict is not None:
            start = match.start() + len(match[0]) - len(match[0].lstrip(" |"))
            span = TextSpan(match[0].strip(" |"), value.line, value.column + start)
            yield Claimed(about, verdict, span, True)


def _shown(facts: Facts, about: str) -> str | None:
    """The verdict of the evidence; None when it has none to compare with."""
    if about == "cases":
        return None if facts.cases.result == "UNKNOWN" else facts.cases.result
    if about == "performance":
        if facts.performance.executed:
            return "PASS"
        if facts.performance.unreadable is not None:
            return None
        return "UNFINISHED" if facts.performance.runs else "NOT_RUN"
    return facts.stages[about].result  # type: ignore[index]  # the other keys are stages


def _agrees(claim: Claimed, shown: str) -> bool:
    if claim.verdict == shown:
        return True
    if claim.about == "tilelang" and shown in _NEVER_FAILED:
        return claim.verdict in {"SKIP", "NOT_RUN", "NOT_VERIFIED", "UNKNOWN"}
    if claim.about in {"performance", "full_validation"} and shown == "NOT_RUN":
        return claim.verdict in {"SKIP", "NOT_RUN"}
    if claim.about == "performance":
        return shown == "UNFINISHED" and claim.verdict in {"FAIL", "NOT_RUN", "UNFINISHED"}
    return claim.verdict == "PARTIAL" and shown == "FAIL" and not claim.at_head


def check_verdict_contradicts_evidence(context: CheckContext) -> Iterator[Flag]:
    """A verdict (结果, 最终结果, a round's outcome, the row's marks) that the evidence refutes.

    The verdict is what everything else is read by. Also flagged, without any source: two places of
    one trace that contradict each other.

    Bad:
        - 结果: 通过   (the last evaluation of the stage ended 9/10, Result: fail)
    Good:
        - 结果: 失败
    """
    facts = context.facts
    yield from contradicting_words(context)
    if facts is None:
        for claim in claimed_verdicts(context):
            context.ledger.unverifiable("verdicts", NEEDS, span_location(claim.span))
        yield from _inner_contradictions(context)
        return
    for claim in claimed_verdicts(context):
        yield from _compare(context, facts, claim)
    if context.blind:
        yield from _inner_contradictions(context)
    yield from check_rounds(context, facts)
    yield from _row_marks(context, facts)
    yield from _excerpt_place(context, facts)


def _compare(context: CheckContext, facts: Facts, claim: Claimed) -> Iterator[Flag]:
    shown = _shown(facts, claim.about)
    if shown is None:
        context.ledger.unverifiable("verdicts", NEEDS, span_location(claim.span))
        return
    context.ledger.checked(VERDICTS, (claim.span.line, claim.span.column))
    if _agrees(claim, shown):
        return
    if claim.about == "tilelang" and claim.verdict == "FAIL" and shown in _NEVER_FAILED:
        return  # P602 says it better
    yield Flag(
        f"{claim.about} is said to be {CHINESE[claim.verdict]}; the evidence says {shown}",
        span_location(claim.span),
        expected=shown if claim.at_head else CHINESE[shown],
        actual=claim.span.text.strip(),
        source=_deciding_place(facts, claim.about),
        replacement=_right_verdict(claim, shown),
    )


def _right_verdict(claim: Claimed, shown: str) -> str | None:
    """The claim with the right word; `完成` is the word for a measurement that ran."""
    if claim.verdict not in {"PASS", "FAIL", "SKIP", "NOT_RUN"}:
        return None
    if claim.about == "performance" and shown == "PASS":
        right = with_verdict(claim.span.text, "PASS")
        return right.replace("通过", "完成", 1) if right is not None else None
    return with_verdict(claim.span.text, shown)


def _deciding_place(facts: Facts, about: str) -> SourcePlace | None:
    """The record of the run that decided a stage."""
    if about not in facts.stages:
        return None
    stage = facts.stages[about]
    last = stage.last_verdict
    if last is None or last.decided_by is None:
        return None
    pointer = last.runs[last.decided_by].evidence
    return SourcePlace(
        pointer.path,
        pointer.record,
        pointer.byte_start,
        pointer.byte_end,
        pointer.evidence_id,
        about,
        last.round_no,
    )


def judged_stage(facts: Facts) -> Stage:
    """The stage that decides the summary row: the full validation if it ran, else AscendC."""
    full = facts.stages["full_validation"]
    return full if full.rounds else facts.stages["ascendc"]


def _inner_contradictions(context: CheckContext) -> Iterator[Flag]:
    """最终结果 against the stages' own 结果."""
    claims = claimed_verdicts(context)
    for head in (claim for claim in claims if claim.at_head):
        for claim in claims:
            if claim.at_head or claim.about != head.about or claim.verdict == head.verdict:
                continue
            if {claim.verdict, head.verdict} == {"FAIL", "PARTIAL"}:
                continue
            yield Flag(
                f"{head.about} is {head.verdict} here and"
                f" {CHINESE[claim.verdict]} in line {claim.span.line}",
                span_location(head.span),
                expected=claim.span.text.strip(),
                actual=head.span.text.strip(),
            )


def _row_marks(context: CheckContext, facts: Facts) -> Iterator[Flag]:
    """Columns 5, 6, 10 and 11 of the summary row."""
    row = summary_row(context.doc)
    if row is None:
        return
    judged = judged_stage(facts)
    last = facts.stages["full_validation"].last_verdict or facts.stages["ascendc"].last_verdict
    compiled = None if last is None else last.outcome is not Outcome.COMPILE_ERROR
    correct = {"PASS": True, "FAIL": False}.get(judged.result)
    for column, truth in (
        (COMPILED, compiled),
        (CORRECT_MARK, correct),
        (STATUS, correct),
        (CORRECT, correct),
    ):
        yield from _mark(context, row, column, truth)


_TRUE = {"✅", "是", "成功", "[成功]"}
_FALSE = {"❌", "否", "失败", "[失败]"}


def read_mark(text: str) -> bool | None:
    """What a mark of the row says; None for `N/A` and everything else."""
    return True if text in _TRUE else False if text in _FALSE else None


_MARK_PAIRS = (("✅", "❌"), ("是", "否"), ("成功", "失败"), ("[成功]", "[失败]"))


def _right_mark(text: str, column: int, truth: bool | None) -> str:
    """The mark for a truth, in the writing of the wrong one."""
    if truth is None:
        return UNKNOWN
    usual = {STATUS: _MARK_PAIRS[2], CORRECT: _MARK_PAIRS[1]}.get(column, _MARK_PAIRS[0])
    pair = next((pair for pair in _MARK_PAIRS if text in pair), usual)
    return pair[0] if truth else pair[1]


def _mark(context: CheckContext, row: Row, column: int, truth: bool | None) -> Iterator[Flag]:
    text = row.text(column)
    if text not in _TRUE | _FALSE | {UNKNOWN}:
        return  # S402 says what is wrong with it
    span = row.span(column)
    context.ledger.checked(VERDICTS, (span.line, span.column))
    if read_mark(text) != truth:
        words = {True: "success", False: "failure", None: "nothing (N/A)"}
        yield Flag(
            f"cell {column + 1} says {text!r}; the evidence says {words[truth]}",
            span_location(span),
            expected=words[truth],
            actual=text,
            replacement=span.text.replace(text, _right_mark(text, column, truth)),
        )


def _excerpt_place(context: CheckContext, facts: Facts) -> Iterator[Flag]:
    """The evaluation that 评测输出摘要 names must be the last one with a verdict."""
    place = last_evaluation_place(facts)
    if place is None:
        return
    for passage in passages(context):
        if passage.section.key != "eval_excerpt" or passage.kind != "prose":
            continue
        masked = passage.line.masked
        match = _PLACE.search(masked)
        if match is None:
            continue
        claimed = (_STAGE_WORDS[match[1]], int(match[2]))
        context.ledger.checked(VERDICTS, (passage.span.line, match.start()))
        if claimed != (place[0], place[1][0]):
            yield Flag(
                "the excerpt is not of the last evaluation with a verdict",
                passage.at(match.start(), match.end()),
                expected=f"{place[0]} round {place[1][0]}",
                actual=match[0],
            )
            continue
        stage = facts.stages[place[0]]  # type: ignore[index]  # a key of the facts
        by_number = {item.round_no: item for item in stage.rounds}
        yield from outcomes_of_line(context, passage, by_number)


def check_stale_unmarked(context: CheckContext) -> Iterator[Flag]:
    """A verdict or a measurement of code that was changed afterwards, without saying so.

    What was evaluated is not what is in the folder. The figures stay true of the older code only.

    Bad:
        - 结果: 通过   (the kernel was edited after the last evaluation)
    Good:
        - 结果: 通过（其后代码又有修改）
    """
    facts = context.facts
    if facts is None:
        return
    for claim in claimed_verdicts(context):
        if claim.at_head or claim.about not in STAGES or claim.verdict not in {"PASS", "FAIL"}:
            continue
        if facts.stages[claim.about].stale and not _STALE.search(claim.span.text):
            yield Flag(
                "the code was changed after this verdict",
                span_location(claim.span),
                expected=f"{claim.span.text.strip()}（其后代码又有修改）",
                actual=claim.span.text.strip(),
                replacement=f"{claim.span.text.rstrip()}（其后代码又有修改）",
            )
    section = context.doc.section("performance")
    if not facts.performance.stale or section is None:
        return
    own = [p for p in passages(context) if p.section is section and p.kind == "prose"]
    if not any(_STALE.search(p.line.masked) for p in own):
        yield Flag(
            "the code was changed after this measurement",
            span_location(section.heading),
            expected="a remark that the measurement is stale",
            notes=(f"changed afterwards: {', '.join(facts.performance.stale_because)}",),
        )
