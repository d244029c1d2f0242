"""Rules on counts: runs, rounds, cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from summarizer.model.facts import STAGES, Facts, Round, Stage
from summarizer.model.finding import Location
from validators.outcomes import NEEDS
from validators.passages import (
    Mention,
    Passage,
    labelled,
    mentions,
    passages,
    span_location,
)
from validators.replacing import only, with_figure
from validators.rule import NUMBERS, CheckContext, Flag

_INTEGER = re.compile(r"\d{1,6}")
_RUNS = re.compile(
    r"evaluate_(?:ascendc|tilelang)\.sh[^，。；、\d]{0,12}?"
    r"(?:(?:执行|运行|跑)了?|\b(?:run|ran|executed))\s*(\d{1,4})\s*(?:次|times?\b)",
    re.ASCII,
)
_NOT_STARTED = re.compile(r"(\d{1,4})\s*次调用没有启动")
_DIRECT = re.compile(r"直接调用\s*verification\s*脚本\s*(\d{1,4})\s*次")
_REPEATED = re.compile(r"代码未改，评测运行\s*(\d{1,4})\s*次")
_ALL_ROUNDS = re.compile(r"(?:共|总共|一共|历经|经过|用了?|\btook)\s*(\d{1,4})\s*(?:轮|rounds?\b)")
FRACTION = re.compile(r"(?<![A-Za-z0-9_./])(\d{1,5})\s*/\s*(\d{1,5})(?![A-Za-z0-9_/%]|\.\d)")
"""`n/m`; no date, no path, no quotient of decimals."""
SLOWER = re.compile(r"\s*个?\s*(?:case|用例)?\s*(慢于|快于|更慢|更快)", re.IGNORECASE)
"""What follows a count of cases that are slower or faster than the reference."""
_CASES_IN_LABEL = re.compile(r"[（(]\s*(\d{1,5})\s*个?\s*case")


def check_wrong_run_count(context: CheckContext) -> Iterator[Flag]:
    """A number of evaluation runs that is not the number in the session.

    A run starts when the script's first line executes; attempts that never started, direct calls
    of the verification script and the runs of the full validation do not count in a stage's
    执行次数.

    Bad:
        - evaluate_ascendc.sh 执行次数: 3   (the session holds 4 runs)
    Good:
        - evaluate_ascendc.sh 执行次数: 4
    """
    for name in STAGES:
        section = context.doc.section(name)
        for entry in labelled(section, "run_count"):
            match = _INTEGER.search(entry.value.text)
            if match is None:
                continue
            location = Location(
                entry.value.line,
                entry.value.column + match.start(),
                entry.value.line,
                entry.value.column + match.end(),
            )
            if context.facts is None:
                context.ledger.unverifiable("run counts", NEEDS, location)
                continue
            stage = context.facts.stages[name]
            yield from _compare(
                context,
                location,
                int(match[0]),
                stage.evaluate_runs,
                "runs",
                _other_run_counts(context.facts, stage),
            )
    yield from _run_counts_in_prose(context)


def _other_run_counts(facts: Facts, stage: Stage) -> dict[str, int]:
    full = facts.stages["full_validation"].evaluate_runs
    return {
        "the number of rounds": len(stage.rounds),
        "runs and attempts that never started": stage.evaluate_runs + stage.attempts_not_started,
        "runs and direct calls of the verification script": stage.evaluate_runs + stage.direct_runs,
        "the runs of this stage and of the full validation": stage.evaluate_runs + full,
    }


def _compare(
    context: CheckContext,
    location: Location,
    claimed: int,
    truth: int,
    what: str,
    others: dict[str, int] | None = None,
    replacement: str | None = None,
    of_round: bool = False,
) -> Iterator[Flag]:
    """Compare a count with the truth; where it is of one round, the round may be the wrong part."""
    context.ledger.checked(NUMBERS, (location.line, location.column))
    if claimed == truth:
        return
    named = [words for words, value in (others or {}).items() if value == claimed]
    yield Flag(
        f"{claimed} {what} are stated; the evidence has {truth}",
        location,
        expected=str(truth),
        actual=str(claimed),
        notes=(f"{claimed} is {named[0]}",) if named else (),
        replacement=None if of_round else replacement or str(truth),
    )


def _run_counts_in_prose(context: CheckContext) -> Iterator[Flag]:
    facts = context.facts
    if facts is None:
        return
    for passage in passages(context):
        stage = stage_of(facts, passage)
        if passage.kind != "prose" or stage is None or passage.label == "run_count":
            continue
        masked = passage.line.masked
        for pattern, truth, what in (
            (_RUNS, stage.evaluate_runs, "runs"),
            (_NOT_STARTED, stage.attempts_not_started, "calls that did not start"),
            (_DIRECT, stage.direct_runs, "direct runs"),
        ):
            for match in pattern.finditer(masked):
                location = passage.at(match.start(1), match.end(1))
                yield from _compare(context, location, int(match[1]), truth, what)
        for match in _REPEATED.finditer(masked):
            item = _round(stage, passage.rounds[0] if passage.rounds else None)
            if item is not None:
                location = passage.at(match.start(1), match.end(1))
                yield from _compare(
                    context, location, int(match[1]), len(item.runs), "runs", of_round=True
                )


def stage_of(facts: Facts, passage: Passage) -> Stage | None:
    """The stage a passage tells of, None outside the evaluated stages."""
    return next((s for name, s in facts.stages.items() if name == passage.stage), None)


def _round(stage: Stage, number: int | None) -> Round | None:
    return next((item for item in stage.rounds if item.round_no == number), None)


def check_wrong_round_count(context: CheckContext) -> Iterator[Flag]:
    """A round that the session does not have, or a wrong number of rounds.

    A round is one cycle of change and evaluation; a run repeated without a change belongs to the
    same round.

    Bad:
        - 第 5 轮: ...   (the stage has 4 rounds)
    Good:
        - 第 4 轮: ...
    """
    facts = context.facts
    seen: set[tuple[int, int]] = set()
    for passage in passages(context):
        if passage.kind != "prose" or passage.stage not in STAGES:
            continue
        if passage.heads_round:
            yield from _listed_twice(passage, seen)
        masked = passage.line.masked
        found = mentions(masked, passage.zero_based)
        totals = list(_ALL_ROUNDS.finditer(masked))
        if facts is None:
            if found or totals:
                context.ledger.unverifiable("round numbers", NEEDS, passage.at(0))
            continue
        stage = facts.stages[passage.stage]
        for match in totals:
            location = passage.at(match.start(1), match.end(1))
            yield from _compare(context, location, int(match[1]), len(stage.rounds), "rounds")
        for mention in found:
            if mention.counts_rounds:
                yield from _beyond(context, passage, mention, stage)


def _listed_twice(passage: Passage, seen: set[tuple[int, int]]) -> Iterator[Flag]:
    """A round that heads two items of one list, or stands twice in one heading."""
    if passage.label not in {"behaviour", "errors"} or not passage.has_children:
        return
    leading = [m for m in mentions(passage.line.masked, passage.zero_based) if m.counts_rounds]
    numbers = [n for m in leading for n in m.rounds if n in passage.rounds]
    twice = next((n for n in numbers if numbers.count(n) > 1), None)
    if passage.label == "behaviour" and twice is None and len(passage.rounds) == 1:
        key = (passage.section.heading.line, passage.rounds[0])
        twice = passage.rounds[0] if key in seen else None
        seen.add(key)
    if twice is not None:
        yield Flag(f"round {twice} is listed twice", passage.at(0), actual=f"第 {twice} 轮")


def _beyond(
    context: CheckContext, passage: Passage, mention: Mention, stage: Stage
) -> Iterator[Flag]:
    location = passage.at(mention.start, mention.end)
    context.ledger.checked(NUMBERS, (location.line, location.column, "round"))
    known = {item.round_no for item in stage.rounds}
    wrong = [number for number in mention.rounds if number not in known]
    pending = bool(stage.pending_changes or stage.pending_attempts)
    if not known and pending and wrong == [1]:
        return  # work that no run closed is the first round in the making
    if wrong:
        yield Flag(
            f"round {wrong[0]} does not exist: the stage has {len(known)} rounds",
            location,
            expected=f"at most {len(known)}",
            actual=passage.span.text[mention.start : mention.end],
        )


def check_wrong_case_count(context: CheckContext) -> Iterator[Flag]:
    """A number of cases (original, reduced, measured, slower than the reference) that is wrong.

    What a result is worth depends on how many cases stand behind it.

    Bad:
        - 精简后 case 数: 9   (the evaluation lists 10 cases)
    Good:
        - 精简后 case 数: 10
    """
    facts = context.facts
    section = context.doc.section("cases")
    for label, what in (("original_cases", "original"), ("reduced_cases", "reduced")):
        for entry in labelled(section, label):
            match = _INTEGER.search(entry.value.text)
            if match is None:
                continue
            location = span_location(entry.value)
            truth = getattr(facts.cases, what) if facts is not None else None
            if truth is None:
                context.ledger.unverifiable("case counts", NEEDS, location)
                continue
            right = with_figure(entry.value.text, str(truth))
            yield from _compare(
                context, location, int(match[0]), truth, f"{what} cases", replacement=right
            )
    if facts is not None:
        yield from _measured_cases(context, facts)


def _measured_cases(context: CheckContext, facts: Facts) -> Iterator[Flag]:
    measured = facts.performance
    ratios = [case.ratio for case in measured.per_case if case.ratio is not None]
    for passage in passages(context):
        if passage.kind != "prose" or passage.stage != "performance":
            continue
        masked = passage.line.masked
        label = _CASES_IN_LABEL.search(masked)
        if label and passage.item_start and measured.cases is not None and "统计" in masked:
            location = passage.at(label.start(1), label.end(1))
            yield from _compare(context, location, int(label[1]), measured.cases, "measured cases")
        for match in FRACTION.finditer(masked):
            slower = SLOWER.match(masked, match.end())
            if slower is None or not ratios:
                continue
            below = sum(ratio < 1 for ratio in ratios)
            above = sum(ratio > 1 for ratio in ratios)
            truth = (below if slower[1] in {"慢于", "更慢"} else above, len(ratios))
            yield from compare_fraction(context, passage, match, [truth], "cases")


def compare_fraction(
    context: CheckContext,
    passage: Passage,
    match: re.Match[str],
    allowed: Sequence[tuple[int, int]],
    what: str,
    elsewhere: Sequence[tuple[int, int]] = (),
) -> Iterator[Flag]:
    """Compare `n/m` with the counts that would be right.

    A count that is right `elsewhere` has no sure repair: the round it is put to may be wrong.
    """
    location = passage.at(match.start(), match.end())
    context.ledger.checked(NUMBERS, (location.line, location.column))
    claimed = (int(match[1]), int(match[2]))
    if claimed not in allowed:
        shown = " or ".join(f"{passed}/{total}" for passed, total in dict.fromkeys(allowed))
        yield Flag(
            f"{claimed[0]}/{claimed[1]} {what} are stated; the evidence has {shown}",
            location,
            expected=shown,
            actual=match[0],
            replacement=None if claimed in elsewhere else only(shown.split(" or ")),
        )
