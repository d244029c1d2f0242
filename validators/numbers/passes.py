"""Rules on passed and failing cases: of which round, in which stage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from summarizer.model.facts import STAGES, Facts, Round, Run, Stage
from summarizer.model.source import Completeness
from validators.numbers.counts import FRACTION, SLOWER, compare_fraction, stage_of
from validators.numbers.own_cases import own_case_lists
from validators.outcomes import NEEDS
from validators.passages import Mention, Passage, mention_before, passages
from validators.replacing import case_list
from validators.rule import NUMBERS, OWN_LIST, CheckContext, Flag

_ROLE_BEFORE = re.compile(
    r"(?:通过|失败|pass|fail|case|用例|全量|结果|变为|变成|升到|升至|降到|降至|提升到|提高到|正确|精度"
    r"|matched|的|->|→|为|[（(，,:：])[^\d，。；]{0,12}$",
    re.IGNORECASE,
)
_ROLE_AFTER = re.compile(
    r"\s*(?:个|条)?\s*(?:case|cases|用例|full|通过|失败|未通过|pass|fail|正确|matched|变|升|降|提|->|→|[）)]|[，,]|$)",
    re.IGNORECASE,
)
_SAYS_SO = re.compile(r"\s*(?:个|条)?\s*(?:cases? passed|case\s*通过|用例通过)", re.IGNORECASE)
"""Words that say of themselves what the count before them is."""
_CHANGE = re.compile(
    r"(?:变为|变成|变|升到|升至|降到|降至|提升到|提高到|提升至|->|→|到|至)\s*(?:了)?\s*$"
)
_FAILED_COUNT = re.compile(r"(?<!未)失败[^\d，。；]{0,6}$")
_FULL = re.compile(r"全量|full", re.IGNORECASE)
_CLAUSE = re.compile(r"[，。；;,]")
_CHANGES_TO = re.compile(r"\s*(?:变为|变成|升到|升至|降到|降至|降为|提升到|提高到|提升至|->|→)")
_BESIDE = 12
_REACH = 120
"""Characters before a figure in which its role is looked for."""
_CLAUSE_ENDS = "，。；;,"
_LIST = re.compile(r"(?:失败|\bfailed:?)\s*((?:case\[\d+\][、,，\s]*)+)(?:等\s*(\d{1,5})\s*个)?")
_CASE_NUMBER = re.compile(r"case\[(\d+)\]")


def check_wrong_pass_count(context: CheckContext) -> Iterator[Flag]:
    """A number of passed cases (`n/m`) that is not what the round printed.

    It is compared with the round that the sentence names, else with the round around it, else with
    the stage. `全量` means the validation with all cases. Without a session the count is compared
    with the trace's own list of failing cases.

    Bad:
        - 第 2 轮（未通过，7/10）   (the report lists 6 matched of 10)
    Good:
        - 第 2 轮（未通过，6/10）
    """
    if context.facts is None or context.blind:
        yield from own_case_lists(context)
    for passage in passages(context):
        if passage.kind != "prose":
            continue
        masked = passage.line.masked
        for match in FRACTION.finditer(masked):
            if not _counts_cases(masked, match):
                continue
            location = passage.at(match.start(), match.end())
            if context.facts is None or context.blind:
                yield from _against_own_list(passage, match)
            if context.facts is None:
                context.ledger.unverifiable("pass counts", NEEDS, location)
                continue
            rounds = _rounds_of_fraction(context.facts, passage, match)
            if rounds is not None:
                yield from _pass_count(context, passage, match, rounds)


def _counts_cases(masked: str, match: re.Match[str]) -> bool:
    if SLOWER.match(masked, match.end()):
        return False
    if _SAYS_SO.match(masked, match.end()):
        return True
    before = _near(masked, match)
    return bool(_ROLE_BEFORE.search(before)) and bool(
        _ROLE_AFTER.match(masked, match.end()) or "通过" in before
    )


def _near(masked: str, match: re.Match[str]) -> str:
    """The words before a figure that can say what it is."""
    return masked[max(0, match.start() - _REACH) : match.start()]


def _against_own_list(passage: Passage, match: re.Match[str]) -> Iterator[Flag]:
    """Without a source: `6/10` against the failing cases that follow it."""
    masked = passage.line.masked
    start = masked.find("失败", match.end(), match.end() + _BESIDE)
    listed = _LIST.match(masked, start) if start >= 0 else None
    if listed is None:
        return
    number = int(listed[2]) if listed[2] else len(_CASE_NUMBER.findall(listed[1]))
    passed, total = int(match[1]), int(match[2])
    if total - passed != number:
        yield Flag(
            f"{match[0]} leaves {total - passed} failing cases, but {number} are listed",
            passage.at(match.start(), match.end()),
            expected=f"{total - number}/{total}",
            actual=passage.cut(match.start(), match.end()),
            notes=(OWN_LIST,),
        )


def _rounds_of_fraction(facts: Facts, passage: Passage, match: re.Match[str]) -> list[Round] | None:
    """The rounds a count may be of; None when it is of no stage."""
    masked = passage.line.masked
    full = _full_before(masked, match)
    if passage.label == "final_result" or (full is not None and passage.stage != "full_validation"):
        stage = facts.stages["full_validation"]
        named = mention_before(masked, match.start())
        if named is not None and full is not None and named.start > full:
            return _numbered(stage, named.rounds)
        return _last(stage) or None
    own = stage_of(facts, passage)
    if own is None:
        return _excerpt_rounds(facts, passage)
    numbers = _named_rounds(passage, match)
    if numbers:
        return _numbered(own, numbers)
    # What a log shows beside a statement of the agent may be of any round of the stage.
    return list(own.rounds) if passage.line.said else _last(own)


def _full_before(masked: str, match: re.Match[str]) -> int | None:
    """Offset of `全量` in the clause before a count."""
    reach = max(0, match.start() - _REACH)
    start = max(reach, *(masked.rfind(end, reach, match.start()) + 1 for end in _CLAUSE_ENDS))
    found = _FULL.search(masked, start, match.start())
    return found.start() if found is not None else None


def _numbered(stage: Stage, numbers: Sequence[int]) -> list[Round]:
    return [item for item in stage.rounds if item.round_no in numbers]


def _last(stage: Stage) -> list[Round]:
    last = stage.last_verdict
    return [last] if last is not None else []


def _excerpt_rounds(facts: Facts, passage: Passage) -> list[Round] | None:
    if passage.section.key != "eval_excerpt" or facts.last_evaluation is None:
        return None
    return [
        item
        for stage in facts.stages.values()
        for item in stage.rounds
        if any(run.evidence == facts.last_evaluation for run in item.runs)
    ]


def _named_rounds(passage: Passage, match: re.Match[str]) -> tuple[int, ...]:
    """The rounds a figure may belong to; empty when none is named.

    Right behind `第 N 轮的` it is that round's, behind a word of change the line's own. In front
    of a word of change it is of an earlier round than the line's. Further off, both the round
    named last and the line's own may be meant.
    """
    masked = passage.line.masked
    if _CHANGE.search(_near(masked, match)) and passage.rounds:
        return passage.rounds
    nearest = mention_before(masked, match.start(), passage.zero_based)
    if nearest is not None and _leads(passage, nearest):
        nearest = None
    if nearest is not None and _CLAUSE.search(masked, nearest.end, match.start()) is None:
        return nearest.rounds
    if _CHANGES_TO.match(masked, match.end()) and nearest is None and passage.rounds:
        return tuple(range(1, min(passage.rounds)))
    return (*(nearest.rounds if nearest is not None else ()), *passage.rounds)


def _leads(passage: Passage, mention: Mention) -> bool:
    """Whether a mention is the end of the list of rounds that the line begins with."""
    return set(mention.rounds) <= set(passage.rounds)


def _pass_count(
    context: CheckContext, passage: Passage, match: re.Match[str], rounds: Sequence[Round]
) -> Iterator[Flag]:
    allowed = _known_counts(rounds)
    location = passage.at(match.start(), match.end())
    if not allowed:
        bare = [item for item in rounds if _printed_no_cases(item, match)]
        if rounds and len(bare) == len(rounds):
            yield Flag(
                f"{match[0]} is stated; round {bare[0].round_no} ended"
                f" {bare[0].outcome.value} without a case list",
                location,
                expected=bare[0].outcome.value,
                actual=passage.cut(match.start(), match.end()),
            )
        else:
            context.ledger.unverifiable("pass counts", NEEDS, location)
        return
    if _FAILED_COUNT.search(_near(passage.line.masked, match)):
        allowed += [(total - passed, total) for passed, total in allowed]
    stages = context.facts.stages.values() if context.facts is not None else ()
    elsewhere = _known_counts([item for stage in stages for item in stage.rounds])
    yield from compare_fraction(context, passage, match, allowed, "passed cases", elsewhere)


def _printed_no_cases(item: Round, match: re.Match[str]) -> bool:
    """Whether a round is known to have listed no cases, or surely not that all passed."""
    if item.outcome.value == "COMPILE_ERROR":
        return True
    if item.outcome.value != "FAIL":
        return False
    return match[1] == match[2] or all(run.complete is Completeness.FULL for run in item.runs)


def _known_counts(rounds: Sequence[Round]) -> list[tuple[int, int]]:
    counts: dict[tuple[int, int], None] = {}
    for item in rounds:
        ended: list[Round | Run] = [item, *item.runs]
        for one in ended:
            if one.cases_passed is not None and one.cases_total is not None:
                counts[one.cases_passed, one.cases_total] = None
    return list(counts)


def check_wrong_failing_cases(context: CheckContext) -> Iterator[Flag]:
    """A list of failing cases that is not the round's.

    Which cases fail is what points at the fault: tails, one data type, large shapes.

    Bad:
        - 第 2 轮：未通过，6/10，失败 case[1]、case[3]   (the report fails 1, 2, 4 and 7)
    Good:
        - 第 2 轮：未通过，6/10，失败 case[1]、case[2]、case[4]、case[7]
    """
    facts = context.facts
    for passage in passages(context):
        if passage.kind != "prose" or passage.stage not in STAGES:
            continue
        for match in _LIST.finditer(passage.line.masked):
            location = passage.at(match.start(1), match.end(1))
            if facts is None:
                context.ledger.unverifiable("failing cases", NEEDS, location)
                continue
            stage = facts.stages[passage.stage]
            numbers = _named_rounds(passage, match)
            rounds = _numbered(stage, numbers) or _last(stage)
            yield from _failing(context, passage, match, rounds)


def _failing(
    context: CheckContext, passage: Passage, match: re.Match[str], rounds: Sequence[Round]
) -> Iterator[Flag]:
    lists = [(item.failed_cases, *(run.failed_cases for run in item.runs)) for item in rounds]
    known = [cases for group in lists for cases in group if cases]
    location = passage.at(match.start(1), match.end(1))
    if not known:
        context.ledger.unverifiable("failing cases", NEEDS, location)
        return
    context.ledger.checked(NUMBERS, (location.line, location.column))
    listed = tuple(int(number) for number in _CASE_NUMBER.findall(match[1]))
    count = int(match[2]) if match[2] else None
    if any(_same_cases(listed, count, truth) for truth in known):
        return
    expected = "、".join(f"case[{number}]" for number in known[0])
    yield Flag(
        "the failing cases are others",
        location,
        expected=expected,
        actual=match[1].strip(" 、,，"),
        replacement=(
            case_list(match[1], known[0]) if count is None and len(set(known)) == 1 else None
        ),
    )


def _same_cases(listed: Sequence[int], count: int | None, truth: Sequence[int]) -> bool:
    if count is not None:
        return set(listed) <= set(truth) and count == len(truth)
    return sorted(listed) == sorted(truth)
