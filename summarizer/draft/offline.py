"""The deterministic drafter: words notes and drift points from the facts, without a model.

Same facts, same bytes. A presumable cause is written only where two rounds and a diff carry it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from summarizer.draft.wording import (
    STAGE_NAMES,
    agent_words,
    attempt_words,
    changes_words,
    failed_edit_words,
    fragment,
    headline,
    judging_word,
    names,
    outcome_words,
    run_words,
    unseen_words,
)
from summarizer.model.draft import Draft, DriftNote, RoundNote, Statement
from summarizer.model.facts import (
    STAGES,
    Attempt,
    ChangedFile,
    ContradictedClaim,
    DeadEnd,
    DegenerationCheck,
    Facts,
    FailedEdit,
    Pointer,
    RepeatedRun,
    Round,
    Stage,
    UnseenChange,
)
from summarizer.model.reports import Outcome
from summarizer.text.markdown import code_span

_PERFORMANCE_CLAIMS = {"ratio"}


def draft_offline(facts: Facts) -> Draft:
    """Return the notes of every round and the drift points of every stage."""
    rounds: list[RoundNote] = []
    drift: list[DriftNote] = []
    for name in STAGES:
        stage = facts.stages[name]
        rounds.extend(_round_note(name, item) for item in stage.rounds)
        if pending := _pending_note(name, stage):
            rounds.append(pending)
        drift.extend(_drift(facts, name, stage))
    drift.extend(_performance_drift(facts))
    return Draft(tuple(rounds), tuple(drift), "offline")


def _statement(text: str, *pointers: Pointer | None, presumed: bool = False) -> Statement:
    ids = tuple(dict.fromkeys(p.evidence_id for p in pointers if p is not None and p.evidence_id))
    return Statement(text, ids, presumed)


def _round_note(stage: str, item: Round) -> RoundNote:
    return RoundNote(stage, item.round_no, tuple(_round_statements(item)))


def _round_statements(item: Round) -> Iterator[Statement]:
    yield from _changes(item.changed_files)
    yield from _failed_edits(item.failed_edits)
    yield from _checks(item.degeneration_checks)
    yield from _attempts(item.attempts)
    for number, run in enumerate(item.runs):
        unseen = _unseen(run.unseen_changes, item)
        if unseen is not None:
            yield unseen
        again = "未改代码，再次" if number and not run.unseen_changes else ""
        again = again or ("再次" if number else "")
        yield _statement(again + run_words(run), run.evidence)


def _unseen(changes: Sequence[UnseenChange], item: Round | None = None) -> Statement | None:
    """Name the commands that may have changed the code; beside known changes only those near it."""
    known = item is not None and any(change.counts for change in item.changed_files)
    named = [change for change in changes if change.names_target or not known]
    if not named:
        return None
    text = f"可能有未观察到的修改：{unseen_words(named)}"
    return _statement(text, *(change.evidence for change in named))


def _changes(changes: Sequence[ChangedFile]) -> Iterator[Statement]:
    words = changes_words(changes)
    pointers = [change.evidence for change in changes]
    for text in words:
        yield _statement(text, *pointers)


def _failed_edits(edits: Sequence[FailedEdit]) -> Iterator[Statement]:
    return _merged((failed_edit_words(edit), edit.evidence) for edit in edits)


def _attempts(attempts: Sequence[Attempt]) -> Iterator[Statement]:
    return _merged((attempt_words(attempt), attempt.evidence) for attempt in attempts)


def _merged(items: Iterable[tuple[str, Pointer]]) -> Iterator[Statement]:
    """One statement for equal texts, with their number."""
    grouped: dict[str, list[Pointer]] = {}
    for text, pointer in items:
        grouped.setdefault(text, []).append(pointer)
    for text, pointers in grouped.items():
        times = f"（共 {len(pointers)} 次）" if len(pointers) > 1 else ""
        yield _statement(text + times, *pointers)


def _checks(checks: Sequence[DegenerationCheck]) -> Iterator[Statement]:
    for check in checks:
        if check.passed is None:
            text = "运行退化检测，结果不在记录中"
        elif check.passed:
            text = "退化检测通过"
        else:
            kind = f"（Type {check.regression_type}）" if check.regression_type else ""
            text = f"退化检测未通过{kind}"
            shown = fragment(check.lines[0]) if check.lines else None
            text += f"：{shown}" if shown else ""
        yield _statement(text, check.evidence)


def _pending_note(name: str, stage: Stage) -> RoundNote | None:
    """What was done and never evaluated in this stage."""
    statements: list[Statement] = []
    statements.extend(_changes(stage.pending_changes))
    unseen = _unseen(stage.pending_unseen)
    if unseen is not None:
        statements.append(unseen)
    statements.extend(_failed_edits(stage.pending_failed_edits))
    statements.extend(_attempts(stage.pending_attempts))
    return RoundNote(name, 0, tuple(statements)) if statements else None


def _drift(facts: Facts, name: str, stage: Stage) -> Iterator[DriftNote]:
    dead_ends = {d.round_no: d for d in facts.dead_ends if d.stage == name}
    repeated = {r.round_no: r for r in facts.repeated_runs if r.stage == name}
    for index, item in enumerate(stage.rounds):
        if item.round_no in dead_ends:
            yield _dead_end_note(dead_ends[item.round_no], item)
        elif item.outcome in {Outcome.FAIL, Outcome.COMPILE_ERROR}:
            yield _failure_note(name, item, stage.rounds[index + 1 :], dead_ends)
        if item.round_no in repeated:
            yield _repeated_note(repeated[item.round_no], item)
        yield from _smaller_notes(name, item)
    for note in _failed_edits(stage.pending_failed_edits):
        yield DriftNote(name, None, "failed_edit", (note,))
    for note in _attempts(stage.pending_attempts):
        yield DriftNote(name, None, "not_started", (note,))
    yield from _claims(facts, name)


def _judging_notes(name: str, item: Round) -> Iterator[DriftNote]:
    """A reference or case file changed between two runs: the verdicts do not compare."""
    for path in dict.fromkeys(c.path for c in item.changed_files if c.judging and c.counts):
        changes = [change for change in item.changed_files if change.path == path]
        text = f"第 {item.round_no} 轮：评测所依据的{judging_word(path)} {code_span(path)} 被修改"
        note = _statement(text, *(change.evidence for change in changes))
        yield DriftNote(name, item.round_no, "judging_changed", (note,))


def _smaller_notes(name: str, item: Round) -> Iterator[DriftNote]:
    yield from _judging_notes(name, item)
    prefix = f"第 {item.round_no} 轮："
    for note in _failed_edits(item.failed_edits):
        yield DriftNote(name, item.round_no, "failed_edit", (_prefixed(prefix, note),))
    for note in _attempts(item.attempts):
        yield DriftNote(name, item.round_no, "not_started", (_prefixed(prefix, note),))
    for check in item.degeneration_checks:
        if check.passed is False:
            kind = f"（Type {check.regression_type}）" if check.regression_type else ""
            note = _statement(f"{prefix}退化检测未通过{kind}", check.evidence)
            yield DriftNote(name, item.round_no, "degeneration", (note,))


def _prefixed(prefix: str, note: Statement) -> Statement:
    return Statement(prefix + note.text, note.evidence, note.presumed)


def _dead_end_note(dead: DeadEnd, item: Round) -> DriftNote:
    files = names(dead.files, 4)
    before, after = (part.strip() for part in dead.detail.split("->", 1))
    compared = f"第 {dead.compared_with} 轮"
    if dead.kind == "ineffective":
        text = f"第 {item.round_no} 轮：修改 {files} 后，失败签名与{compared}完全相同"
        shown = fragment(headline(item.error_lines)) if item.error_lines else None
        text += f"（{shown}）" if shown else ""
        text += "，修改无效"
    else:
        text = f"第 {item.round_no} 轮：修改 {files} 后结果由{compared}的 {before} 变为 {after}"
        if dead.kind == "reverted":
            text += "，这些文件随后恢复为修改前的内容"
    statements = [_statement(text, *dead.evidence)]
    statements.extend(_what_was_tried(item))
    return DriftNote(dead.stage, item.round_no, dead.kind, tuple(statements))


def _what_was_tried(item: Round) -> Iterator[Statement]:
    tried = [change for change in item.changed_files if change.counts and change.changes]
    for text in changes_words(tried)[:2]:
        yield _statement(f"所做修改：{text}", *(change.evidence for change in tried))


def _failure_note(
    name: str, item: Round, later: Sequence[Round], dead_ends: dict[int, DeadEnd]
) -> DriftNote:
    """A failing round: what it was, and which later change ended the failure."""
    text = f"第 {item.round_no} 轮：{outcome_words(item)}"
    if item.cases_total is None and item.error_lines:
        shown = fragment(headline(item.error_lines))
        text += f"，{shown}" if shown else ""
    statements = [_statement(text, *(run.evidence for run in item.runs))]
    cure = _cure(item, later, dead_ends)
    if cure is not None:
        statements.append(_cause(item, cure))
    elif judged := [number for number in later if number.outcome.is_verdict]:
        numbers = "、".join(f"第 {number.round_no} 轮" for number in judged)
        statements.append(_statement(f"{numbers}没有消除该失败"))
    elif later:
        statements.append(_statement("此后的评测没有可见的结论"))
    else:
        statements.append(_statement("此后没有再运行评测"))
    return DriftNote(name, item.round_no, "failed_round", tuple(statements))


def _cure(item: Round, later: Sequence[Round], dead_ends: dict[int, DeadEnd]) -> Round | None:
    """The next round that is no dead end and in which this failure is gone."""
    for candidate in later:
        if candidate.round_no in dead_ends or not candidate.outcome.is_verdict:
            continue
        gone = item.outcome is Outcome.COMPILE_ERROR and (
            candidate.outcome is not Outcome.COMPILE_ERROR
        )
        return candidate if gone or candidate.outcome is Outcome.PASS else None
    return None


def _cause(item: Round, cure: Round) -> Statement:
    """Say which change ended the failure; presume a cause only from what it took out."""
    changed = [change for change in cure.changed_files if change.counts and change.changes]
    taken = _taken_out(changed)
    pointers = [change.evidence for change in changed] + [run.evidence for run in cure.runs]
    ended = "编译通过" if item.outcome is Outcome.COMPILE_ERROR else outcome_words(cure)
    named = [word for word in taken if any(word in line for line in item.error_lines)]
    if item.outcome is Outcome.COMPILE_ERROR and named:
        text = (
            f"推测：编译错误由 {names(named, 3)} 引起——错误行写有该名字，"
            f"第 {cure.round_no} 轮把它移除后{ended}"
        )
        return _statement(text, *pointers, presumed=True)
    pairs = [pair for change in changed for part in change.changes for pair in part.replaced]
    swaps = [pair for pair in dict.fromkeys(pairs) if _is_name(pair[0]) and _is_name(pair[1])]
    if swaps and cure.outcome is Outcome.PASS:
        listed = "、".join(f"{code_span(old)} 换成 {code_span(new)}" for old, new in swaps[:3])
        blamed = names([old for old, _ in swaps[:3]])
        text = f"推测：失败与 {blamed} 有关——第 {cure.round_no} 轮把 {listed} 后{ended}"
        return _statement(text, *pointers, presumed=True)
    files = dict.fromkeys(change.path for change in cure.changed_files if change.counts)
    if not files:
        commands = [change for run in cure.runs[:1] for change in run.unseen_changes]
        text = f"第 {cure.round_no} 轮{ended}，此前没有观察到修改"
        text += f"，运行过 {unseen_words(commands)}" if commands else ""
        return _statement(text, *pointers, *(change.evidence for change in commands))
    text = f"第 {cure.round_no} 轮修改 {names(files, 4)} 后{ended}"
    return _statement(text, *pointers)


_NAME = re.compile(r"[A-Za-z_][\w:.]*(?:<[\w:, ]*>)?$")


def _is_name(text: str) -> bool:
    return bool(_NAME.match(text))


def _taken_out(changes: Sequence[ChangedFile]) -> list[str]:
    """Identifiers that a change removed and did not put back."""
    removed: dict[str, None] = {}
    kept: set[str] = set()
    for change in changes:
        for part in change.changes:
            for line in part.removed_lines:
                removed.update(dict.fromkeys(re.findall(r"[A-Za-z_]\w{2,}", line)))
            for line in part.added_lines:
                kept.update(re.findall(r"[A-Za-z_]\w{2,}", line))
    return [word for word in removed if word not in kept]


def _repeated_note(repeated: RepeatedRun, item: Round) -> DriftNote:
    outcomes = "、".join(outcome_words(run, run.reason) for run in item.runs)
    text = f"第 {item.round_no} 轮：代码未改，评测运行 {repeated.runs} 次（{outcomes}）"
    note = _statement(text, *repeated.evidence)
    return DriftNote(repeated.stage, item.round_no, "repeated_run", (note,))


def _claims(facts: Facts, name: str) -> Iterator[DriftNote]:
    """Contradicted statements of the agent, one note per sentence."""
    grouped: dict[str, list[ContradictedClaim]] = {}
    for claim in facts.agent_claims_contradicted:
        if claim.kind not in _PERFORMANCE_CLAIMS and (claim.stage or "ascendc") == name:
            grouped.setdefault(claim.text, []).append(claim)
    for text, claims in grouped.items():
        yield _claim_note(name, text, claims)


def _claim_note(stage: str, text: str, claims: Sequence[ContradictedClaim]) -> DriftNote:
    said = agent_words(text, claims[0].agent_id is not None)
    shows = "；".join(dict.fromkeys(_claim_shows(claim) for claim in claims))
    words = f"与日志不符：{said}，日志：{shows}"
    pointers = [claim.evidence for claim in claims]
    pointers += [claim.contradicted_by for claim in claims if claim.contradicted_by]
    return DriftNote(stage, None, "contradicted_claim", (_statement(words, *pointers),))


def _claim_shows(claim: ContradictedClaim) -> str:
    where = STAGE_NAMES.get(claim.stage or "", "")
    return f"{where} {claim.shows}".strip()


def _performance_drift(facts: Facts) -> Iterator[DriftNote]:
    grouped: dict[str, list[ContradictedClaim]] = {}
    for claim in facts.agent_claims_contradicted:
        if claim.kind in _PERFORMANCE_CLAIMS:
            grouped.setdefault(claim.text, []).append(claim)
    for text, claims in grouped.items():
        yield _claim_note("performance", text, claims)
    if facts.performance.stale:
        files = names(facts.performance.stale_because, 4)
        note = _statement(
            f"测量之后 {files} 又被修改，性能数据对应的是修改前的实现，未重新测量",
            facts.performance.evidence,
        )
        yield DriftNote("performance", None, "stale", (note,))
    unfinished = [run for run in facts.performance.runs if not run.completed]
    for run in unfinished:
        note = _statement(f"一次性能测量没有得到报告（{_why(run.reason)}）", run.evidence)
        yield DriftNote("performance", None, "unfinished_measurement", (note,))


def _why(reason: str) -> str:
    return {
        "interrupted": "被中断",
        "no_report": "输出中没有报告",
        "incomplete_report": "报告不完整",
        "error": "命令失败",
    }.get(reason, reason)
