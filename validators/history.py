"""Rule on sentences that set one round beside another: what cured it, what it equals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.model.facts import STAGES, Round
from validators.changes import reversed_changes
from validators.passages import Passage, passages
from validators.rule import VERDICTS, CheckContext, Flag

_CURE = re.compile(r"第\s*(\d{1,4})\s*轮(?!次)[^，。；第]{0,80}后(编译)?通过")
_SAME = re.compile(
    r"(?:签名|错误|报错|结果)[^，。；第]{0,4}(?:与|同|和)\s*第\s*(\d{1,4})\s*轮\s*(?:完全)?(?:相同|一致|一样)"
)
_RESTORED = re.compile(r"(?:内容)?(?:回到|恢复到|还原为?|恢复为)\s*第\s*(\d{1,4})\s*轮")
_EXIT = re.compile(r"退出码\s*[:：=为]?\s*(\d{1,3})")


def check_wrong_history(context: CheckContext) -> Iterator[Flag]:
    """A sentence that relates two rounds in a way the session does not bear out.

    Which round ended a failure, which round failed alike, which state was restored, what was
    replaced by what: these are the causes that a reader takes away.

    Bad:
        - 第 3 轮把 `DataCopy` 换成 `DataCopyPad` 后通过   (round 3 failed, round 4 passed)
    Good:
        - 第 4 轮把 `DataCopy` 换成 `DataCopyPad` 后通过
    """
    if context.facts is None:
        return
    for passage in passages(context):
        if passage.kind != "prose" or passage.stage not in STAGES:
            continue
        rounds = {r.round_no: r for r in context.facts.stages[passage.stage].rounds}
        yield from _cured(context, passage, rounds)
        yield from _alike(context, passage, rounds)
        yield from _restored(context, passage, rounds)
        yield from _exited(context, passage, rounds)
        yield from reversed_changes(context, passage, context.facts.stages[passage.stage])


def _flag(passage: Passage, match: re.Match[str], message: str, expected: str) -> Flag:
    location = passage.at(match.start(), match.end())
    return Flag(
        message, location, expected=expected, actual=passage.cut(match.start(), match.end())
    )


def _cured(context: CheckContext, passage: Passage, rounds: dict[int, Round]) -> Iterator[Flag]:
    """`第 4 轮把 A 换成 B 后通过`, `第 2 轮把它移除后编译通过`."""
    for match in _CURE.finditer(passage.line.masked):
        item = rounds.get(int(match[1]))
        if item is None:
            continue  # N202 says so
        context.ledger.checked(VERDICTS, (passage.span.line, match.start(), "cure"))
        outcomes = {item.outcome.value, *(run.outcome.value for run in item.runs)}
        if not outcomes & ({"PASS", "FAIL"} if match[2] else {"PASS"}):
            message = f"round {match[1]} did not end so; the evidence says {item.outcome.value}"
            yield _flag(passage, match, message, item.outcome.value)


def _alike(context: CheckContext, passage: Passage, rounds: dict[int, Round]) -> Iterator[Flag]:
    """`失败签名与第 1 轮完全相同`, said of the round that the line is about."""
    for match in _SAME.finditer(passage.line.masked):
        other = rounds.get(int(match[1]))
        own = rounds.get(passage.rounds[0]) if passage.rounds else None
        if other is None or own is None:
            continue
        context.ledger.checked(VERDICTS, (passage.span.line, match.start(), "alike"))
        if own is other or own.signature is None or own.signature != other.signature:
            message = f"round {own.round_no} did not fail like round {other.round_no}"
            alike = [
                number
                for number, item in rounds.items()
                if item is not own and item.signature == own.signature is not None
            ]
            expected = f"like round {alike[0]}" if alike else "like no other round"
            yield _flag(passage, match, message, expected)


def _restored(context: CheckContext, passage: Passage, rounds: dict[int, Round]) -> Iterator[Flag]:
    """`内容回到第 2 轮结束时的状态`, said of a change of the round that the line is about."""
    for match in _RESTORED.finditer(passage.line.masked):
        changes = [c for number in passage.rounds if number in rounds
                   for c in rounds[number].changed_files]  # fmt: skip
        known = {c.restores_round for c in changes if c.restores_round is not None}
        before = {c.restores_state_before_round for c in changes}
        known |= {number - 1 for number in before if number is not None}
        if not known:
            continue
        context.ledger.checked(VERDICTS, (passage.span.line, match.start(), "restored"))
        if int(match[1]) not in known:
            expected = " or ".join(f"round {number}" for number in sorted(known))
            yield _flag(passage, match, f"the state restored is that of {expected}", expected)


def _exited(context: CheckContext, passage: Passage, rounds: dict[int, Round]) -> Iterator[Flag]:
    """`退出码 1`, of a run of the round that the line is about."""
    for match in _EXIT.finditer(passage.line.masked):
        known = {
            run.exit_code
            for number in passage.rounds
            if number in rounds
            for run in rounds[number].runs
            if run.exit_code is not None
        }
        if not known:
            continue
        context.ledger.checked(VERDICTS, (passage.span.line, match.start(), "exit"))
        if int(match[1]) not in known:
            expected = " or ".join(str(code) for code in sorted(known))
            yield _flag(passage, match, f"the exit code is {expected}", expected)
