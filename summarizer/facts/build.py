"""Derives all facts of one output directory; the only entry of the package.

Turns events, case files and performance files into Facts. Must not know rendering or rules.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from summarizer.evidence import Attribution, EvidenceIds, collect_evidence
from summarizer.facts.builders import StageBuilder
from summarizer.facts.claims import find_contradicted_claims
from summarizer.facts.dead_ends import find_dead_ends, find_repeated_runs
from summarizer.facts.from_logs import LogText, add_log_runs, complete_from_logs
from summarizer.facts.operator import find_operator, kernel_type
from summarizer.facts.paths import TaskPaths
from summarizer.facts.performance import MeasuredFiles, measure, own_files
from summarizer.facts.runs import RunReader
from summarizer.facts.timeline import walk
from summarizer.facts.walk import CaseEvent, Timeline
from summarizer.model.events import (
    AssistantMessage,
    CallState,
    Event,
    ReadResult,
    ShellCall,
)
from summarizer.model.evidence import Evidence
from summarizer.model.facts import (
    STAGES,
    Cases,
    Facts,
    FinalResult,
    Issue,
    Operator,
    Performance,
    Pointer,
    Round,
    Session,
    Source,
    Stage,
    StageName,
    StageResult,
    Usage,
    UsageByModel,
)
from summarizer.model.reports import CaseFiles, Outcome
from summarizer.model.source import ReadIssue, SourceFile

NO_TRANSCRIPT = "none"
"""Format of the empty session that stands for a missing transcript."""

_TILELANG_ERROR = re.compile(r"^.*(?:error|exception|not found|no module).*$", re.I | re.M)
_SKIP_WORDS = re.compile(r"跳过|skip|不做|不需要|无需|直接做", re.IGNORECASE)
_SENTENCE = re.compile(r"[^\n。；！？]+[。；！？]?")


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything the facts are derived from, already read."""

    output_dir: str
    """As the caller names it."""
    recorded_root: str
    """The output directory as the transcript spells it, absolute."""
    session: ReadResult
    case_files: CaseFiles
    logs: Sequence[LogText] = ()
    """Evaluation logs of the output directory."""
    measured: MeasuredFiles = field(default_factory=MeasuredFiles)
    kernel_sources: Sequence[str] = ()
    """Texts of the kernel files in the output directory."""
    files: Sequence[SourceFile] = ()
    """Further files that were read (cases, performance, logs)."""
    issues: Sequence[ReadIssue] = ()
    chosen_because: str | None = None
    op_type: str | None = None
    level: int | None = None
    problem_id: int | None = None


@dataclass(frozen=True, slots=True)
class Derived:
    """Facts with the evidence they rest on."""

    facts: Facts
    evidence: tuple[Evidence, ...]


def derive_facts(inputs: Inputs) -> Derived:
    """Return the facts and the attributed evidence of one session."""
    session = inputs.session
    ids = EvidenceIds([file.path for file in session.files])
    paths = TaskPaths(inputs.recorded_root.rstrip("/"))
    timeline = walk(
        session, paths, ids, RunReader(posixpath.basename(paths.root)), inputs.case_files.original
    )
    if session.format == NO_TRANSCRIPT:
        add_log_runs(timeline.stages, inputs.logs, inputs.case_files)
    else:
        complete_from_logs(timeline.stages, inputs.logs)
    names = (posixpath.basename(paths.root), posixpath.basename(inputs.output_dir.rstrip("/")))
    own, foreign = own_files(inputs.measured, names)
    performance, measured_at, found = measure(
        timeline.measurements, own, timeline.states, timeline.stages, ids
    )
    performance = performance.model_copy(
        update={
            "stale_because": tuple(paths.shown(path) for path in performance.stale_because),
            "unreadable": None if performance.executed else _unreadable(inputs.issues),
        }
    )
    built = {name: _rounds(timeline.stages[name], timeline, paths) for name in STAGES}
    attribution = timeline.attribution()
    stages = _stages(timeline, built, session, ids, attribution)
    facts = Facts(
        output_dir=inputs.output_dir,
        session=_session(inputs),
        operator=_operator(inputs, stages),
        sources=_sources(inputs),
        cases=_cases(inputs, timeline, built, performance, ids),
        stages=stages,
        performance=performance,
        dead_ends=find_dead_ends(timeline.stages, built, timeline.states),
        repeated_runs=find_repeated_runs(built),
        agent_claims_contradicted=find_contradicted_claims(
            session,
            timeline.stages,
            performance,
            measured_at,
            ids,
            names[0],
        ),
        final_result=FinalResult(**{name: stages[name].result for name in STAGES}),
        last_evaluation=_last_evaluation(timeline),
        usage=_usage(session),
        read_issues=_issues([*session.issues, *inputs.issues, *foreign, *found]),
    )
    evidence = collect_evidence(session, attribution, ids, timeline.run_file_attribution())
    return Derived(facts, evidence)


def _session(inputs: Inputs) -> Session:
    session = inputs.session
    return Session(
        format=session.format,
        client=session.client if session.format != NO_TRANSCRIPT else None,
        client_versions=session.client_versions,
        session_ids=session.session_ids,
        started_at=session.started_at,
        ended_at=session.ended_at,
        chosen_because=inputs.chosen_because,
    )


_DESIGN_PATHS = (
    ("design/design.md", "design.md (简单算子)"),
    ("design/tile_level/", "TileLang (复杂算子)"),
)
"""Beginning of a written file's path -> design path in the words of template T11."""


def _design_path(stages: Mapping[StageName, Stage]) -> str | None:
    """Return which design path the session's written files show, None when none."""
    written = [
        change.path
        for stage in stages.values()
        for changes in (*(item.changed_files for item in stage.rounds), stage.pending_changes)
        for change in changes
    ]
    for beginning, words in _DESIGN_PATHS:
        if any(path.startswith(beginning) for path in written):
            return words
    return None


def _operator(inputs: Inputs, stages: Mapping[StageName, Stage]) -> Operator:
    operator = find_operator(inputs.session, inputs.recorded_root)
    derived = kernel_type(inputs.kernel_sources)
    source = "option" if inputs.op_type else "kernel_sources" if derived else None
    return operator.model_copy(
        update={
            "type": inputs.op_type or derived,
            "type_source": source,
            "design_path": _design_path(stages),
            "level": inputs.level if inputs.level is not None else operator.level,
            "problem_id": (
                inputs.problem_id if inputs.problem_id is not None else operator.problem_id
            ),
        }
    )


def _sources(inputs: Inputs) -> tuple[Source, ...]:
    files = [*inputs.session.files, *inputs.files]
    return tuple(
        Source(path=file.path, kind=file.kind, sha256=file.sha256, bytes=file.bytes)
        for file in {(file.path, file.kind): file for file in files}.values()
    )


def _unreadable(issues: Sequence[ReadIssue]) -> str | None:
    """Why a performance file that is there says nothing; None when there is no such file."""
    for issue in issues:
        if issue.kind == "unreadable_performance_file":
            message = issue.message.removeprefix(f"{issue.path}:").strip()
            return re.sub(r"^(\d+): ", r"line \1: ", message)
    return None


def _issues(issues: Sequence[ReadIssue]) -> tuple[Issue, ...]:
    return tuple(
        Issue(
            kind=issue.kind,
            path=issue.path,
            record=issue.record,
            message=issue.message,
            count=issue.count,
        )
        for issue in issues
    )


def _usage(session: ReadResult) -> Usage:
    by_model = {
        name: UsageByModel(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            messages=usage.messages,
        )
        for name, usage in session.usage.items()
    }
    return Usage(
        input_tokens=sum(usage.input_tokens for usage in by_model.values()),
        output_tokens=sum(usage.output_tokens for usage in by_model.values()),
        by_model=by_model,
    )


def _rounds(stage: StageBuilder, timeline: Timeline, paths: TaskPaths) -> tuple[Round, ...]:
    rounds = []
    for builder in stage.rounds:
        last_run = builder is stage.rounds[-1]
        stale = last_run and _changed_after(builder.runs[-1].order, stage.name, timeline)
        rounds.append(builder.build(stale))
    return tuple(rounds)


def _changed_after(order: int, stage: str, timeline: Timeline) -> bool:
    """Whether files that this stage evaluates changed after its last run."""
    same = {"tilelang"} if stage == "tilelang" else {"ascendc", "full_validation"}
    return any(state.order > order and state.stage in same for state in timeline.states)


def _stages(
    timeline: Timeline,
    built: Mapping[StageName, tuple[Round, ...]],
    session: ReadResult,
    ids: EvidenceIds,
    attribution: dict[int, Attribution],
) -> dict[StageName, Stage]:
    stages: dict[StageName, Stage] = {}
    for name in STAGES:
        builder, rounds = timeline.stages[name], built[name]
        result, reason = _result(name, rounds, timeline, session.format == NO_TRANSCRIPT)
        stage = Stage(
            result=result,
            reason=reason,
            evaluate_runs=_count(rounds, "script"),
            direct_runs=_count(rounds, "direct"),
            attempts_not_started=sum(len(r.attempts) for r in rounds) + len(builder.work.attempts),
            started_at=_time(session.events, builder.first_event),
            ended_at=_time(session.events, builder.last_event, end=True),
            rounds=rounds,
            pending_changes=tuple(builder.work.changes),
            pending_unseen=tuple(u for u in builder.work.unseen if u.names_target),
            pending_attempts=tuple(builder.work.attempts),
            pending_failed_edits=tuple(builder.work.failed_edits),
            stale=bool(rounds) and rounds[-1].stale,
        )
        if result == "SKIP":
            stage = stage.model_copy(update=_skip_reason(session, timeline, ids))
        stages[name] = stage
    return stages


def _count(rounds: Sequence[Round], kind: str) -> int:
    return sum(run.kind == kind for item in rounds for run in item.runs)


def _time(events: Sequence[Event], index: int | None, end: bool = False) -> str | None:
    if index is None:
        return None
    event = events[index]
    ended = getattr(event, "ended_at", None) if end else None
    return ended or event.timestamp


def _result(
    name: str, rounds: Sequence[Round], timeline: Timeline, blind: bool
) -> tuple[StageResult, str | None]:
    """Return a stage's result and, where there is no verdict, why.

    Args:
        name: the stage.
        rounds: its rounds.
        timeline: what the walk found.
        blind: whether there is no transcript, so that absence of a run proves nothing.
    """
    verdicts = [item for item in rounds if item.outcome.is_verdict]
    if verdicts:
        return ("PASS" if verdicts[-1].outcome is Outcome.PASS else "FAIL"), None
    if rounds:
        outcomes = {run.outcome for item in rounds for run in item.runs}
        last = rounds[-1].runs[-1]
        if Outcome.UNKNOWN in outcomes:
            return "UNKNOWN", last.reason
        return "NOT_VERIFIED", last.reason
    if blind:
        return "UNKNOWN", "no_transcript"
    if name == "tilelang" and timeline.stages["ascendc"].entered:
        return "SKIP", None
    return "NOT_RUN", None


def _skip_reason(session: ReadResult, timeline: Timeline, ids: EvidenceIds) -> dict[str, object]:
    """Why TileLang was skipped: a tool's words, else the agent's."""
    first = timeline.stages["ascendc"].first_event
    limit = first if first is not None else len(session.events)
    for index in range(limit - 1, -1, -1):
        event = session.events[index]
        if isinstance(event, ShellCall) and event.failed and event.state is CallState.EXECUTED:
            for output in event.outputs:
                lines = [m[0] for m in _TILELANG_ERROR.finditer(output.text)]
                line = next((x for x in reversed(lines) if "tilelang" in x.lower()), None)
                if line is not None:
                    return {
                        "skip_reason": line,
                        "skip_reason_source": "tool",
                        "skip_evidence": ids.pointer(output.source, event.call_id),
                    }
    for index in range(min(limit + 1, len(session.events)) - 1, -1, -1):
        event = session.events[index]
        if isinstance(event, AssistantMessage):
            for match in _SENTENCE.finditer(event.text):
                if "tilelang" in match[0].lower() and _SKIP_WORDS.search(match[0]):
                    return {
                        "skip_reason": match[0].strip().rstrip("。；"),
                        "skip_reason_source": "agent",
                        "skip_evidence": ids.pointer(event.ref, None),
                    }
    return {}


def _cases(
    inputs: Inputs,
    timeline: Timeline,
    built: Mapping[StageName, tuple[Round, ...]],
    performance: Performance,
    ids: EvidenceIds,
) -> Cases:
    files = inputs.case_files
    backup = next((item for item in timeline.cases if item.what == "backup"), None)
    original, original_from = files.original, "backup_file" if files.original is not None else None
    if original is None and built["full_validation"]:
        totals = [r.cases_total for r in built["full_validation"] if r.cases_total is not None]
        if totals:
            original, original_from = totals[-1], "eval_report"
    backed_up = backup is not None or files.backup_path is not None
    reduced, reduced_from = _reduced(files, built, performance, backed_up)
    if original is None and not backed_up and reduced is not None:
        # Never reduced: the count at hand is the original one.
        original, original_from, reduced, reduced_from = reduced, reduced_from, None, None
    result = _case_result(inputs.session, backup, original, reduced)
    if inputs.session.format == NO_TRANSCRIPT and result == "SKIP":
        result = "UNKNOWN"
    evidence = None
    if backup is not None:
        ref = backup.call.result_ref or backup.call.ref
        evidence = ids.pointer(ref, backup.call.call_id)
    return Cases.model_validate({
        "original": original,
        "reduced": reduced,
        "result": result,
        "original_from": original_from,
        "reduced_from": reduced_from,
        "evidence": evidence,
    })


def _reduced(
    files: CaseFiles,
    built: Mapping[StageName, tuple[Round, ...]],
    performance: Performance,
    backed_up: bool,
) -> tuple[int | None, str | None]:
    """Number of reduced cases, in the order of artefact section 9."""
    if files.backup_path is not None and files.identical is False and files.current is not None:
        return files.current, "case_file"
    for name in ("ascendc", "tilelang"):
        totals = [r.cases_total for r in built[name] if r.cases_total is not None]
        if totals:
            return totals[-1], "eval_report"
    if backed_up and performance.cases is not None:
        kind = "performance_json" if performance.source_of_record == "json" else None
        return performance.cases, kind or "performance_report"
    return None, None


def _case_result(
    session: ReadResult, backup: CaseEvent | None, original: int | None, reduced: int | None
) -> str:
    if backup is not None:
        return "PASS" if original is not None and reduced is not None else "UNKNOWN"
    refused = any(
        isinstance(event, ShellCall)
        and event.state in {CallState.REFUSED, CallState.INVALID}
        and ".json.bak" in event.command
        for event in session.events
    )
    if refused:
        return "FAIL"
    if original is not None and reduced is not None:
        return "PASS"
    return "SKIP"


def _last_evaluation(timeline: Timeline) -> Pointer | None:
    runs = [
        run
        for name in STAGES
        for item in timeline.stages[name].rounds
        for run in item.runs
        if run.report.outcome.is_verdict and run.kind == "script"
    ]
    if not runs:
        return None
    return max(runs, key=lambda run: (run.call.ended_at or "", run.order)).evidence
