"""Rules on completeness: every round, every failure and every dead end is in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from summarizer.model.evidence import Evidence
from summarizer.model.facts import STAGES, DeadEnd, Round, Stage, StageName
from summarizer.model.finding import Location, SourcePlace
from summarizer.model.reports import Outcome
from summarizer.model.trace import Entry, Section, TextSpan
from validators.passages import Passage, labelled, mentions, passages, span_location
from validators.quoted import Judged, judged_quotations, last_evaluation_place
from validators.replacing import with_figure
from validators.rule import NUMBERS, CheckContext, Flag

_FOLDED_ROUNDS = re.compile(r"其余\s*(\d+)\s*轮")
_FOLDED_SIGNATURES = re.compile(r"其余\s*(\d+)\s*(?:种|个|类)[^，。]{0,8}(?:错误|失败|签名)")
_FOLDED_LINES = re.compile(r"其余\s*(\d+)\s*行")
_NONE = re.compile(r"\s*(?:无|没有|none|n/a|-|—)?\s*[。.]?\s*", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_KINDS = {
    "reverted": "was taken back",
    "worse": "made the result worse",
    "ineffective": "changed nothing",
}
_SHORTEST_OVERLAP = 8


class StageText(NamedTuple):
    """A stage of the evidence with the section that tells of it."""

    name: StageName
    stage: Stage
    section: Section
    passages: tuple[Passage, ...]


def told_stages(context: CheckContext) -> Iterator[StageText]:
    """The stages of the facts that have a section; a missing one is S401's."""
    if context.facts is None:
        return
    for name in STAGES:
        section = context.doc.section(name)
        if section is not None:
            own = tuple(p for p in passages(context) if p.section is section)
            yield StageText(name, context.facts.stages[name], section, own)


def _mentioned_rounds(told: StageText, label: str | None = None) -> set[int]:
    found: set[int] = set()
    for passage in told.passages:
        if passage.kind != "prose" or (label is not None and passage.label != label):
            continue
        if label is not None and passage.line.said:
            continue  # what a log shows beside a statement of the agent is no drift point
        found.update(passage.rounds)
        if label is not None and passage.rounds:
            continue  # a drift point about one round may name others it is compared with
        for mention in mentions(passage.line.masked, passage.zero_based):
            found.update(mention.rounds)
    return found


def _place(context: CheckContext, evidence_id: str | None) -> SourcePlace | None:
    """The record behind an evidence id."""
    if evidence_id is None:
        return None
    by_id = context.once("evidence by id", _by_id)
    item = by_id.get(evidence_id)
    if item is None:
        return None
    source = item.source
    return SourcePlace(
        source.path,
        source.record,
        source.byte_start,
        source.byte_end,
        item.id,
        item.stage,
        item.round_no,
    )


def _by_id(context: CheckContext) -> dict[str, Evidence]:
    return {item.id: item for item in context.evidence}


def _decided(item: Round) -> str | None:
    run = item.runs[item.decided_by] if item.decided_by is not None else None
    return run.evidence.evidence_id if run is not None else None


def _result(item: Round) -> str:
    counted = f" {item.cases_passed}/{item.cases_total}" if item.cases_total is not None else ""
    return f"{item.outcome.value}{counted}"


def check_dead_end_missing(context: CheckContext) -> Iterator[Flag]:
    """A dead end of the session that the stage's drift points do not mention.

    An attempt that was taken back, made things worse or changed nothing is the most useful thing a
    trace can tell; without it the next session tries it again.

    Bad:
        - 走偏点: 无   (round 3 fell from 6/10 to 2/10 and was taken back)
    Good:
        - 走偏点:
          - 第 3 轮：修改 `kernel/elu_kernel.cpp` 后结果由第 2 轮的 6/10 变为 2/10，随后恢复
    """
    for told in told_stages(context):
        dead_ends = [d for d in _dead_ends(context) if d.stage == told.name]
        told_rounds = _mentioned_rounds(told, "drift") if dead_ends else set()
        for dead in dead_ends:
            if dead.round_no in told_rounds:
                continue
            pointer = dead.evidence[0].evidence_id if dead.evidence else None
            yield Flag(
                f"round {dead.round_no} {_KINDS[dead.kind]} and is in no drift point",
                _label_location(told, "drift"),
                expected=f"第 {dead.round_no} 轮 ({dead.detail})",
                source=_place(context, pointer),
                notes=(f"files: {', '.join(dead.files)}",) if dead.files else (),
            )


def _dead_ends(context: CheckContext) -> tuple[DeadEnd, ...]:
    return context.facts.dead_ends if context.facts is not None else ()


def _label_location(told: StageText, label: str) -> Location:
    entry = next(labelled(told.section, label), None)
    return span_location(entry.value if entry is not None else told.section.heading)


def check_round_missing(context: CheckContext) -> Iterator[Flag]:
    """A round of the session that its stage's section does not mention.

    Rounds that are left out hide what was tried. A stage that passed at once may be brief.

    Bad:
        - 第 1 轮: ...
        - 第 3 轮: ...
    Good:
        - 第 1 轮: ...
        - 第 2 轮: ...
        - 第 3 轮: ...
    """
    for told in told_stages(context):
        rounds = told.stage.rounds
        if len(rounds) == 1 and rounds[0].outcome is Outcome.PASS:
            continue
        known = _mentioned_rounds(told)
        missing = [item for item in rounds if item.round_no not in known]
        if not missing or len(missing) == _folded(told, _FOLDED_ROUNDS):
            continue
        listed = "、".join(str(item.round_no) for item in missing)
        yield Flag(
            f"{len(missing)} of {len(rounds)} rounds are not mentioned: {listed}",
            _label_location(told, "behaviour"),
            expected="; ".join(f"第 {item.round_no} 轮 {_result(item)}" for item in missing),
            source=_place(context, _decided(missing[0])),
        )


def _folded(told: StageText, pattern: re.Pattern[str]) -> int:
    counts = (
        int(match[1])
        for passage in told.passages
        if passage.kind == "prose"
        for match in pattern.finditer(passage.line.masked)
    )
    return sum(counts)


def check_failure_signature_missing(context: CheckContext) -> Iterator[Flag]:
    """A failure of the session of which not one line is quoted.

    Each distinct failure (outcome, failing cases, error text) needs at least one of its lines, or
    a count that says how many failures were left out.

    Bad:
        - 关键错误信息: 无   (round 1 ended 3/8)
    Good:
        - 关键错误信息:
          - 第 1 轮（未通过，3/8）:
            > case[1]: output[1]: dtype(ref=torch.float32, ...), ..., passed=False
    """
    for told in told_stages(context):
        shown = _shown_texts(context, told.section)
        missing = [
            rounds
            for rounds in _signatures(told.stage)
            if not any(_quoted(line, shown) for item in rounds for line in _lines(item))
        ]
        if not missing or len(missing) == _folded(told, _FOLDED_SIGNATURES):
            continue
        for rounds in missing:
            first = rounds[0]
            listed = "、".join(f"第 {item.round_no} 轮" for item in rounds)
            yield Flag(
                f"no line of the failure of {listed} is quoted ({_result(first)})",
                _label_location(told, "errors"),
                expected=_lines(first)[0],
                source=_place(context, _decided(first)),
            )


def _signatures(stage: Stage) -> list[list[Round]]:
    """Rounds with the same failure, failures without any line left out."""
    grouped: dict[str, list[Round]] = {}
    for item in stage.rounds:
        if item.signature is not None and _lines(item):
            grouped.setdefault(item.signature, []).append(item)
    return list(grouped.values())


def _lines(item: Round) -> tuple[str, ...]:
    return item.error_lines or item.result_lines


def _shown_texts(context: CheckContext, section: Section) -> list[str]:
    texts: list[str] = []
    for judged in judged_quotations(context):
        if judged.quotation.passage.section is section:
            texts.extend(_readings(judged))
    return texts


def _readings(judged: Judged) -> Iterator[str]:
    """The quotation, and the source it was found in: an altered quotation is Q102's alone."""
    for text in (judged.quotation.text, judged.verdict.source_text):
        if text is not None and text.strip():
            yield _BLANKS.sub(" ", text.strip())


def _quoted(line: str, shown: list[str]) -> bool:
    wanted = _BLANKS.sub(" ", line.strip())
    return any(
        text == wanted or (len(text) >= _SHORTEST_OVERLAP and (text in wanted or wanted in text))
        for text in shown
    )


def check_drift_denied(context: CheckContext) -> Iterator[Flag]:
    """走偏点 says 无 although rounds of the stage failed or runs were repeated for nothing.

    A failing round is an attempt that proved wrong. Saying that there was none contradicts the
    evidence, even where no attempt was a dead end in the strict sense.

    Bad:
        - 走偏点: 无   (round 1 ended 3/8)
    Good:
        - 走偏点:
          - 第 1 轮：未通过，3/8
    """
    for told in told_stages(context):
        if any(dead.stage == told.name for dead in _dead_ends(context)):
            continue
        failed = [r for r in told.stage.rounds if r.outcome.value in {"FAIL", "COMPILE_ERROR"}]
        if not failed:
            continue
        for entry in labelled(told.section, "drift"):
            empty = not entry.children and not entry.blocks and not entry.continuation
            if empty and _NONE.fullmatch(entry.value.text):
                yield Flag(
                    f"走偏点 says none; {len(failed)} of {len(told.stage.rounds)} rounds failed",
                    span_location(entry.value),
                    expected="; ".join(f"第 {r.round_no} 轮 {_result(r)}" for r in failed),
                    actual=entry.value.text.strip() or None,
                    source=_place(context, _decided(failed[0])),
                )


def check_folded_line_count(context: CheckContext) -> Iterator[Flag]:
    """A count of lines left out that does not add up with the lines shown.

    `其余 N 行未列出` stands for lines of the failure that are not quoted; with the quoted ones it
    must make the number of lines that the evidence holds.

    Bad:
        (five lines quoted of eight)
        - 其余 2 行未列出
    Good:
        (five lines quoted of eight)
        - 其余 3 行未列出
    """
    for told in told_stages(context):
        by_number = {item.round_no: item for item in told.stage.rounds}
        for group in labelled(told.section, "errors"):
            for entry in group.children:
                yield from _count_of_group(context, entry, by_number)
    yield from _count_of_excerpt(context)


def _count_of_group(
    context: CheckContext, entry: Entry, by_number: dict[int, Round]
) -> Iterator[Flag]:
    folded = _folded_spans(entry)
    shown = sum(bool(line.text.strip()) for block in entry.blocks for line in block.lines)
    head = f"{entry.label_text or ''} {entry.value.text}"
    named = [number for mention in mentions(head) for number in mention.rounds]
    item = by_number.get(named[0]) if named else None
    if not shown or item is None:
        return
    left = len(_lines(item)) - shown
    if folded:
        yield from _compare_count(context, *folded[0], left)
    elif left > 0 and context.provenance:
        yield Flag(
            f"{left} lines of this failure are neither quoted nor counted",
            span_location(entry.value),
            expected=f"其余 {left} 行未列出",
        )


def _folded_spans(entry: Entry) -> list[tuple[TextSpan, int]]:
    found = []
    for span in (*entry.continuation, *(child.value for child in entry.children)):
        match = _FOLDED_LINES.search(span.text)
        if match:
            found.append((span, int(match[1])))
    return found


def _count_of_excerpt(context: CheckContext) -> Iterator[Flag]:
    section = context.doc.section("eval_excerpt")
    place = last_evaluation_place(context.facts)
    if section is None or place is None or context.facts is None:
        return
    stage = next(s for name, s in context.facts.stages.items() if name == place[0])
    run = next(
        run
        for item in stage.rounds
        for run in item.runs
        if run.evidence == context.facts.last_evaluation
    )
    shown = sum(bool(line.text.strip()) for block in section.blocks for line in block.lines)
    for entry in section.entries:
        match = _FOLDED_LINES.search(entry.value.text)
        if match and shown:
            total = len(run.error_lines) + len(run.result_lines)
            yield from _compare_count(context, entry.value, int(match[1]), total - shown)


def _compare_count(
    context: CheckContext, span: TextSpan, number: int, expected: int
) -> Iterator[Flag]:
    context.ledger.checked(NUMBERS, (span.line, span.column, "folded lines"))
    if number != expected:
        yield Flag(
            f"{number} lines are said to be left out; it is {expected}",
            span_location(span),
            expected=str(expected),
            actual=str(number),
            replacement=with_figure(span.text, str(expected)) if expected > 0 else None,
        )
