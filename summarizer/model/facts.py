"""The facts of one session, an interface: `trace-recorder facts` prints exactly this.

Values come from evidence by code alone. None means that no source says so.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from summarizer.model.reports import Outcome
from summarizer.model.source import Completeness

StageName = Literal["tilelang", "ascendc", "full_validation"]
STAGES: tuple[StageName, ...] = ("tilelang", "ascendc", "full_validation")

StageResult = Literal["PASS", "FAIL", "SKIP", "NOT_RUN", "NOT_VERIFIED", "UNKNOWN"]


class FactModel(BaseModel):
    """Base: frozen and closed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Pointer(FactModel):
    """A place in a raw source."""

    path: str
    record: int
    """1-based."""
    byte_start: int | None = None
    byte_end: int | None = None
    """Half-open range of the record in the raw file; null where a store has none."""
    call_id: str | None = None
    evidence_id: str | None = None
    """Id of the evidence item, where the place is one."""


class Operator(FactModel):
    """Which operator the session was about."""

    name: str | None = None
    folder: str | None = None
    """Name of the output directory, e.g. `31_ELU`."""
    level: int | None = None
    problem_id: int | None = None
    type: str | None = None
    """`vector`, `cube`, `cv`, or what the caller gave."""
    type_source: Literal["kernel_sources", "option"] | None = None
    design_path: str | None = None


class Source(FactModel):
    """A file that was read."""

    path: str
    kind: str
    sha256: str
    bytes: int


class Cases(FactModel):
    """Case reduction."""

    original: int | None = None
    reduced: int | None = None
    result: Literal["PASS", "FAIL", "SKIP", "UNKNOWN"] = "UNKNOWN"
    """PASS: reduced and both counts known; SKIP: no reduction happened."""
    original_from: str | None = None
    reduced_from: str | None = None
    """Which source gave the number: `backup_file`, `case_file`, `eval_report`,
    `performance_json`, `performance_report`, `tool_output`."""
    evidence: Pointer | None = None


class ApiChange(FactModel):
    """What changed in one named scope of one file, read off the diff."""

    scope: str | None = None
    """Enclosing function, method or class; None at file level."""
    replaced: tuple[tuple[str, str], ...] = ()
    """(from, to): a call or type exchanged for another in the same statement."""
    removed_calls: tuple[str, ...] = ()
    added_calls: tuple[str, ...] = ()
    """Calls whose number in this scope went down or up, in order of appearance."""
    arguments: tuple[tuple[str, str, str], ...] = ()
    """(call, old arguments, new arguments): same call, other arguments."""
    values: tuple[tuple[str, str, str], ...] = ()
    """(name, old value, new value) of constants and simple assignments."""
    added_names: tuple[str, ...] = ()
    removed_names: tuple[str, ...] = ()
    """Declared constants, variables, functions, types that came or went, with their text."""
    removed_lines: tuple[str, ...] = ()
    added_lines: tuple[str, ...] = ()
    """The diff's lines without indentation, blank ones dropped."""
    loose_removed: tuple[str, ...] = ()
    loose_added: tuple[str, ...] = ()
    """Those of them that are no edited version of one another."""


class FileOutline(FactModel):
    """What a newly written file contains."""

    lines: int
    types: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    """Distinct calls in order of first appearance."""


class ChangedFile(FactModel):
    """One change of one file inside a round."""

    path: str
    """Relative to the output directory where it lies below it, else as recorded."""
    how: Literal[
        "write",
        "edit",
        "multi_edit",
        "notebook",
        "copy",
        "move",
        "redirect",
        "sed",
        "patch",
        "delete",
        "script",
    ]
    created: bool | None = None
    from_path: str | None = None
    """Source of a copy or move."""
    restores_round: int | None = None
    """Set when the new content equals the file's content at the end of that round."""
    restores_state_before_round: int | None = None
    counts: bool = True
    """False for backups and files that do not take part in an evaluation."""
    judging: bool = False
    """True for the reference model and the case file: what the kernel is judged by."""
    content_known: bool = True
    """False when the new content is in no source (a shell change)."""
    outline: FileOutline | None = None
    changes: tuple[ApiChange, ...] = ()
    lines_added: int | None = None
    lines_removed: int | None = None
    agent_id: str | None = None
    command: str | None = None
    """The shell command for changes made by a shell, as recorded."""
    evidence: Pointer


class UnseenChange(FactModel):
    """A command that may have changed the code; what it wrote is in no record."""

    command: str
    """Its first line, as recorded."""
    names_target: bool
    """Whether it names files of the output directory, or writes wherever it is told."""
    evidence: Pointer


class FailedEdit(FactModel):
    """An edit that the tool rejected."""

    path: str
    message: str
    """First line of the tool's words."""
    evidence: Pointer


class DegenerationCheck(FactModel):
    """One run of validate_*_impl.py."""

    passed: bool | None
    regression_type: int | None = None
    lines: tuple[str, ...] = ()
    """Verbatim result lines."""
    evidence: Pointer


class Run(FactModel):
    """One evaluation run."""

    outcome: Outcome
    kind: Literal["script", "direct"]
    reason: str
    """Why this outcome; see EvalReport.reason."""
    cases_passed: int | None = None
    cases_total: int | None = None
    failed_cases: tuple[int, ...] = ()
    error_lines: tuple[str, ...] = ()
    result_lines: tuple[str, ...] = ()
    command: str = ""
    """As recorded, whole."""
    agent_id: str | None = None
    exit_code: int | None = None
    started_at: str | None = None
    ended_at: str | None = None
    complete: Completeness = Completeness.UNKNOWN
    background: bool = False
    unseen_changes: tuple[UnseenChange, ...] = ()
    """Commands since the previous run of the stage that may have changed the code."""
    evidence: Pointer


class Attempt(FactModel):
    """An evaluation that was asked for and never started."""

    command: str
    reason: Literal["refused", "invalid", "not_found", "guard_failed", "aborted", "no_result"]
    text: str = ""
    """First line of what was said instead, verbatim."""
    before_round: int
    """1-based number of the round it falls in (the next round to be closed)."""
    evidence: Pointer


class Round(FactModel):
    """One edit-and-evaluate cycle of a stage."""

    round_no: int
    """1-based."""
    outcome: Outcome
    cases_passed: int | None = None
    cases_total: int | None = None
    failed_cases: tuple[int, ...] = ()
    error_lines: tuple[str, ...] = ()
    """Complete lines as printed (terminal view: colour codes removed), of the deciding run."""
    result_lines: tuple[str, ...] = ()
    signature: str | None = None
    """Outcome, failing case numbers and error text; None for PASS and without verdict."""
    changed_files: tuple[ChangedFile, ...] = ()
    degeneration_checks: tuple[DegenerationCheck, ...] = ()
    failed_edits: tuple[FailedEdit, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    runs: tuple[Run, ...] = ()
    decided_by: int | None = None
    """0-based index in `runs` of the run whose verdict the round has; None without a verdict."""
    stale: bool = False
    """Target files changed after the last run of the stage."""


class Stage(FactModel):
    """One stage that is evaluated."""

    result: StageResult
    reason: str | None = None
    """For NOT_VERIFIED and UNKNOWN: why, a stable word."""
    skip_reason: str | None = None
    skip_reason_source: Literal["tool", "agent"] | None = None
    skip_evidence: Pointer | None = None
    evaluate_runs: int = 0
    direct_runs: int = 0
    attempts_not_started: int = 0
    started_at: str | None = None
    ended_at: str | None = None
    rounds: tuple[Round, ...] = ()
    pending_changes: tuple[ChangedFile, ...] = ()
    """Changes after the last round that no run of the stage evaluated."""
    pending_unseen: tuple[UnseenChange, ...] = ()
    """Commands after the last round that may have changed the code."""
    pending_attempts: tuple[Attempt, ...] = ()
    pending_failed_edits: tuple[FailedEdit, ...] = ()
    stale: bool = False

    @property
    def last_verdict(self) -> Round | None:
        """The last round with a verdict, None without one."""
        return next((item for item in reversed(self.rounds) if item.outcome.is_verdict), None)


class ImplementationFacts(FactModel):
    """Statistics of one implementation, milliseconds."""

    ok: bool
    error: str | None = None
    mean_ms: float | None = None
    median_ms: float | None = None
    min_ms: float | None = None
    max_ms: float | None = None
    std_ms: float | None = None
    std_kind: str | None = None
    basis: str | None = None
    """`report`: printed by the script; `case_latencies`: computed here over the cases."""


class CaseFacts(FactModel):
    """Latencies of one case."""

    index: int
    reference_ms: float | None = None
    ascendc_ms: float | None = None
    tilelang_ms: float | None = None
    ratio: float | None = None
    """reference / ascendc, from the unrounded inputs at hand."""
    ratio_reported: float | None = None
    """As the report states it; null where its latencies contradict that (a read issue)."""
    shape: str | None = None
    dtype: str | None = None
    elements: int | None = None
    fallback_clock: bool = False


class MeasurementRun(FactModel):
    """One performance run that was started."""

    completed: bool
    reason: str
    """`report`, `interrupted`, `no_report`, `error`."""
    command: str
    started_at: str | None = None
    evidence: Pointer


class Performance(FactModel):
    """Source of record: the last completed run (JSON when it agrees with the printed report)."""

    executed: bool
    unreadable: str | None = None
    """Why the only performance file there is could not be read."""
    layout: str | None = None
    source_of_record: Literal["json", "printed"] | None = None
    disagreement: str | None = None
    """How JSON and printed report differ, when they do."""
    device: str | None = None
    warmup: int | None = None
    repeat: int | None = None
    seed: int | None = None
    cases: int | None = None
    implementations: dict[str, ImplementationFacts] = Field(default_factory=dict)
    """Keys `reference`, `tilelang`, `ascendc`; only those that were measured."""
    mean_reference_ms: float | None = None
    mean_ascendc_ms: float | None = None
    mean_tilelang_ms: float | None = None
    ratio_of_means: float | None = None
    """mean_reference_ms / mean_ascendc_ms, unrounded."""
    mean_of_ratios: float | None = None
    geomean_of_ratios: float | None = None
    ratio_unknown_because: str | None = None
    """Why the means cannot be compared (other cases, no usable latency)."""
    at_least_06x: bool | None = None
    at_least_08x: bool | None = None
    """Strictly greater than 0.6 (0.8) on the unrounded ratio of means."""
    overall_speedup_reported: float | None = None
    overall_is: str | None = None
    overall_confirmed: bool | None = None
    """Whether it follows from the report's own latencies; null when that cannot be computed."""
    per_case: tuple[CaseFacts, ...] = ()
    stale: bool = False
    stale_because: tuple[str, ...] = ()
    """Files that changed after the measurement."""
    runs: tuple[MeasurementRun, ...] = ()
    evidence: Pointer | None = None
    """The printed report of the run of record."""
    json_path: str | None = None


class DeadEnd(FactModel):
    """A round whose change did not help; at most one per round."""

    stage: StageName
    round_no: int
    kind: Literal["reverted", "worse", "ineffective"]
    detail: str = ""
    """Result of the round it is compared with and its own, for example `6/10 -> 2/10`."""
    compared_with: int | None = None
    """1-based round of the same stage."""
    files: tuple[str, ...] = ()
    evidence: tuple[Pointer, ...] = ()


class RepeatedRun(FactModel):
    """Runs repeated without a change in between."""

    stage: StageName
    round_no: int
    runs: int
    evidence: tuple[Pointer, ...] = ()


class ContradictedClaim(FactModel):
    """A statement of the agent that a log contradicts."""

    text: str
    """The sentence, verbatim."""
    kind: str
    """`case_count`, `run_count`, `round_passed`, `ratio`, `first_try`, `no_detour`, `fixed`."""
    stage: StageName | None = None
    says: str
    """The figure as the agent put it, verbatim part of `text`."""
    shows: str
    """What the evidence shows, in the words of a fact: `6/10`, `5`, `0.37`."""
    agent_id: str | None = None
    evidence: Pointer
    contradicted_by: Pointer | None = None


class FinalResult(FactModel):
    """Same values as the stage results."""

    tilelang: StageResult
    ascendc: StageResult
    full_validation: StageResult


class UsageByModel(FactModel):
    """Tokens of one model."""

    input_tokens: int
    output_tokens: int
    messages: int


class Usage(FactModel):
    """Token totals; each API message counted once."""

    input_tokens: int = 0
    output_tokens: int = 0
    by_model: dict[str, UsageByModel] = Field(default_factory=dict)


class Issue(FactModel):
    """Something in a source that was not read or not found."""

    kind: str
    path: str
    record: int | None = None
    message: str
    count: int = 1


class Session(FactModel):
    """The transcript(s) the facts rest on."""

    format: str | None = None
    client: str | None = None
    client_versions: tuple[str, ...] = ()
    session_ids: tuple[str, ...] = ()
    started_at: str | None = None
    ended_at: str | None = None
    chosen_because: str | None = None


class Facts(FactModel):
    """Everything that was established about one output directory."""

    schema_version: Literal[1] = 1
    output_dir: str
    session: Session
    operator: Operator
    sources: tuple[Source, ...]
    cases: Cases
    stages: dict[StageName, Stage]
    performance: Performance
    dead_ends: tuple[DeadEnd, ...] = ()
    repeated_runs: tuple[RepeatedRun, ...] = ()
    agent_claims_contradicted: tuple[ContradictedClaim, ...] = ()
    final_result: FinalResult
    last_evaluation: Pointer | None = None
    """The last evaluation run with a verdict, over all stages."""
    usage: Usage = Usage()
    read_issues: tuple[Issue, ...] = ()
