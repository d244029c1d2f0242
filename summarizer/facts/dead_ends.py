"""Finds rounds whose change did not help, by outcomes and file contents alone.

Definition: product contract, section 6 (`dead_ends`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from summarizer.facts.builders import RoundBuilder, StageBuilder
from summarizer.facts.files import State
from summarizer.facts.walk import LoggedState
from summarizer.model.facts import STAGES, DeadEnd, Pointer, RepeatedRun, Round, StageName
from summarizer.model.reports import Outcome


def find_dead_ends(
    stages: Mapping[StageName, StageBuilder],
    built: Mapping[StageName, tuple[Round, ...]],
    states: Sequence[LoggedState],
) -> tuple[DeadEnd, ...]:
    """Return at most one dead end per round, in order of stage and round.

    A round is compared with the latest earlier round of its stage that has a verdict over the
    same number of cases.
    """
    found = []
    for name in STAGES:
        rounds = built[name]
        for index, item in enumerate(rounds):
            previous = _comparable(rounds[:index], item)
            if previous is None or not item.outcome.is_verdict or item.outcome is Outcome.PASS:
                continue
            builder = stages[name].rounds[index]
            if not builder.work.counts or _blurred(builder):
                continue
            kind = _kind(builder, item, previous, states)
            if kind is not None:
                found.append(_dead_end(name, item, previous, kind))
    return tuple(found)


def _blurred(builder: RoundBuilder) -> bool:
    """Whether it is not certain what the round's code was, or that it changed at all."""
    unseen = any(change.names_target for change in builder.runs[0].unseen)
    counting = [change for change in builder.work.changes if change.counts]
    unsure = all(c.how in {"sed", "patch", "script"} and not c.content_known for c in counting)
    return unseen or unsure


def _comparable(earlier: Sequence[Round], item: Round) -> Round | None:
    for candidate in reversed(earlier):
        if candidate.outcome.is_verdict and candidate.cases_total == item.cases_total:
            return candidate
    return None


def _kind(
    builder: RoundBuilder, item: Round, previous: Round, states: Sequence[LoggedState]
) -> str | None:
    if _was_reverted(builder, states):
        return "reverted"
    passed, passed_before = item.cases_passed, previous.cases_passed
    if passed is not None and passed_before is not None and passed < passed_before:
        return "worse"
    if item.signature is not None and item.signature == previous.signature:
        return "ineffective"
    return None


def _was_reverted(builder: RoundBuilder, states: Sequence[LoggedState]) -> bool:
    """Whether all files of the round later held, at one moment, what they held before it."""
    before = builder.work.before
    if not before:
        return False
    now: dict[str, State] = {}
    for entry in states[: builder.closed_at]:
        now[entry.path] = entry.state
    for entry in states[builder.closed_at :]:
        now[entry.path] = entry.state
        if all(_equal(now.get(path), state) for path, state in before.items()):
            return True
    return False


def _equal(now: State | None, before: State) -> bool:
    if now is before:
        return True
    return isinstance(now, str) and isinstance(before, str) and now == before


def _dead_end(stage: str, item: Round, previous: Round, kind: str) -> DeadEnd:
    pointers: list[Pointer] = [change.evidence for change in item.changed_files if change.counts]
    pointers.extend(run.evidence for run in item.runs)
    files = dict.fromkeys(change.path for change in item.changed_files if change.counts)
    return DeadEnd.model_validate({
        "stage": stage,
        "round_no": item.round_no,
        "kind": kind,
        "detail": f"{score(previous)} -> {score(item)}",
        "files": tuple(files),
        "compared_with": previous.round_no,
        "evidence": tuple(pointers),
    })


def score(item: Round) -> str:
    """Return `6/10` where cases were counted, else the outcome."""
    if item.cases_total is None:
        return item.outcome.value
    return f"{item.cases_passed}/{item.cases_total}"


def find_repeated_runs(built: Mapping[StageName, tuple[Round, ...]]) -> tuple[RepeatedRun, ...]:
    """Return rounds in which an evaluation was run again without a change."""
    return tuple(
        RepeatedRun(
            stage=name,
            round_no=item.round_no,
            runs=len(item.runs),
            evidence=tuple(run.evidence for run in item.runs),
        )
        for name in STAGES
        for item in built[name]
        if len(item.runs) > 1 and not any(run.unseen_changes for run in item.runs[1:])
    )
