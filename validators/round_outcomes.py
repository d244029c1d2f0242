"""Compares the outcomes that a trace states for rounds, runs and checks with the facts'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.model.facts import STAGES, Facts, Round
from validators.passages import Passage, mentions, passages
from validators.prose import FILLER
from validators.replacing import only
from validators.rule import VERDICTS, CheckContext, Flag
from validators.verdicts import OUTCOMES

_OUTCOME_WORDS = "|".join(sorted(OUTCOMES, key=len, reverse=True))
_ROUND_OUTCOME = re.compile(
    rf"\s*[*]*\s*[（(:：]\s*[*]*\s*({_OUTCOME_WORDS})(?![A-Za-z一-鿿])", re.IGNORECASE | re.ASCII
)
_RUN_OUTCOME = re.compile(
    rf"(?:(?:运行|评测)\s*{FILLER}+\s*[：:]|(?:运行|执行|再次)评测(?:脚本)?\s*[：:，,])"
    rf"\s*({_OUTCOME_WORDS})(?![A-Za-z一-鿿])",
    re.ASCII,
)
_CHECK = re.compile(r"退化检测\s*(未通过|不通过|通过)")
_ALL_PASSED = re.compile(r"(?:未通过|不通过)\s*[，,：:（(]\s*(\d{1,5})/\1(?!\d)")
_NOT_ALL = re.compile(r"（\s*通过\s*[，,]\s*(\d{1,5})/(\d{1,5})\s*）")


def check_rounds(context: CheckContext, facts: Facts) -> Iterator[Flag]:
    """`第 2 轮（通过，...）` and `第 2 轮: 通过` against the round."""
    for passage in passages(context):
        stages = {name: facts.stages[name] for name in STAGES}
        stage = stages.get(passage.stage)  # type: ignore[call-overload]  # None is no key
        if passage.kind != "prose" or stage is None:
            continue
        by_number = {item.round_no: item for item in stage.rounds}
        yield from outcomes_of_line(context, passage, by_number)
        yield from _outcomes_of_runs(context, passage, by_number)
        yield from _checks(context, passage, by_number)


def outcomes_of_line(
    context: CheckContext, passage: Passage, by_number: dict[int, Round]
) -> Iterator[Flag]:
    """The outcome that a line states right behind a round's number."""
    masked = passage.line.masked
    found = mentions(masked, passage.zero_based)
    for index, mention in enumerate(found):
        match = _ROUND_OUTCOME.match(masked, mention.end)
        if match is None:
            continue
        claimed = OUTCOMES.get(match[1]) or OUTCOMES[match[1].upper()]
        for number in passage.rounds if index == 0 and passage.rounds else mention.rounds:
            item = by_number.get(number)
            if item is None:
                continue
            context.ledger.checked(VERDICTS, (passage.span.line, match.start(1), number))
            if not _same_outcome(claimed, item, match[1]):
                yield Flag(
                    f"round {number} is said to have ended {match[1]!r};"
                    f" the evidence says {item.outcome.value}",
                    passage.at(match.start(1), match.end(1)),
                    expected=item.outcome.value,
                    actual=match[1],
                    replacement=_word_like(match[1], item.outcome.value),
                )


def _outcomes_of_runs(
    context: CheckContext, passage: Passage, by_number: dict[int, Round]
) -> Iterator[Flag]:
    """``运行 `bash evaluate_ascendc.sh`：通过`` against the runs of the round."""
    items = [by_number[number] for number in passage.rounds if number in by_number]
    for match in _RUN_OUTCOME.finditer(passage.line.masked):
        if not items:
            continue
        context.ledger.checked(VERDICTS, (passage.span.line, match.start(1), "run"))
        claimed = OUTCOMES[match[1]]
        if not any(_same_outcome(claimed, item, match[1]) for item in items):
            shown = " or ".join(dict.fromkeys(r.outcome.value for i in items for r in i.runs))
            outcome = only(run.outcome.value for item in items for run in item.runs)
            yield Flag(
                f"the run is said to have ended {match[1]!r}; the evidence says {shown}",
                passage.at(match.start(1), match.end(1)),
                expected=shown,
                actual=match[1],
                replacement=_word_like(match[1], outcome),
            )


def _checks(context: CheckContext, passage: Passage, by_number: dict[int, Round]) -> Iterator[Flag]:
    """`退化检测通过` against the checks of the round."""
    for match in _CHECK.finditer(passage.line.masked):
        known = {
            check.passed
            for number in passage.rounds
            if number in by_number
            for check in by_number[number].degeneration_checks
        } - {None}
        if not known:
            continue
        context.ledger.checked(VERDICTS, (passage.span.line, match.start(1), "check"))
        if (match[1] == "通过") not in known:
            yield Flag(
                "the degeneration check ended otherwise",
                passage.at(match.start(1), match.end(1)),
                expected="通过" if True in known else "未通过",
                actual=match[1],
                replacement="通过" if True in known else "未通过",
            )


def contradicting_words(context: CheckContext) -> Iterator[Flag]:
    """`未通过，8/8` and `（通过，7/8）`: a word and a count that cannot both be true."""
    for passage in passages(context):
        if passage.kind != "prose":
            continue
        masked = passage.line.masked
        wrong = list(_ALL_PASSED.finditer(masked))
        wrong += [match for match in _NOT_ALL.finditer(masked) if match[1] != match[2]]
        for match in wrong:
            yield Flag(
                "the word and the count contradict each other",
                passage.at(match.start(), match.end()),
                actual=passage.cut(match.start(), match.end()),
            )


def _word_like(word: str, outcome: str | None) -> str | None:
    """The word for an outcome in the language of the wrong one."""
    if outcome is None or word.isascii():
        return outcome
    return next((chinese for chinese, value in OUTCOMES.items() if value == outcome), None)


def _same_outcome(claimed: str, item: Round, word: str) -> bool:
    """A build failure may be called a failure; any run of the round may be meant."""
    outcomes = {item.outcome.value, *(run.outcome.value for run in item.runs)}
    if word == "失败" or word.upper() == "FAIL":
        return bool(outcomes & {"FAIL", "COMPILE_ERROR"})
    return claimed in outcomes
