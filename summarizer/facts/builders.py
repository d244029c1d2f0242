"""Mutable workpieces of the segmentation; turned into frozen facts at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from summarizer.facts.files import FileStates, State, same_state
from summarizer.model.events import ShellCall
from summarizer.model.facts import (
    Attempt,
    ChangedFile,
    DegenerationCheck,
    FailedEdit,
    Pointer,
    Round,
    Run,
    StageName,
    UnseenChange,
)
from summarizer.model.reports import EvalReport, Outcome
from summarizer.model.source import Completeness


@dataclass(slots=True)
class RunBuilder:
    """One evaluation run while its output is still being joined."""

    call: ShellCall
    kind: str
    """`script` or `direct`."""
    report: EvalReport
    evidence: Pointer
    complete: Completeness
    order: int
    """Index of the event that started it."""
    run_index: int
    """0-based number of the run in its stage."""
    unseen: tuple[UnseenChange, ...] = ()
    """Commands since the previous run of the stage that may have changed the code."""

    def build(self) -> Run:
        """Return the frozen fact."""
        report = self.report
        return Run(
            outcome=report.outcome,
            kind="direct" if self.kind == "direct" else "script",
            reason=report.reason,
            cases_passed=report.cases_passed,
            cases_total=report.cases_total,
            failed_cases=report.failed_cases,
            error_lines=tuple(line.text for line in report.error_lines),
            result_lines=tuple(line.text for line in report.result_lines),
            command=self.call.command,
            agent_id=self.call.agent_id,
            exit_code=self.call.exit_code,
            started_at=self.call.timestamp,
            ended_at=self.call.ended_at,
            complete=self.complete,
            background=self.call.finished is not None,
            unseen_changes=self.unseen,
            evidence=self.evidence,
        )


@dataclass(slots=True)
class Work:
    """What happened between two runs of a stage."""

    changes: list[ChangedFile] = field(default_factory=list)
    before: dict[str, State] = field(default_factory=dict)
    """State of each evaluated file before its first change in this stretch."""
    checks: list[DegenerationCheck] = field(default_factory=list)
    failed_edits: list[FailedEdit] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    unseen: list[UnseenChange] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """Whether an evaluated file changed."""
        return any(change.counts for change in self.changes)

    def drop_undone(self, files: FileStates, shown: Callable[[str], str]) -> None:
        """Changes of a file that holds its earlier content again do not count."""
        undone = [path for path, old in self.before.items() if same_state(files.get(path), old)]
        names = {shown(path) for path in undone}
        self.changes = [
            change.model_copy(update={"counts": False}) if change.path in names else change
            for change in self.changes
        ]
        for path in undone:
            del self.before[path]

    def take_judging(self, other: Work) -> None:
        """Take over the changes of case files that another stretch holds."""
        taken = [change for change in other.changes if change.judging]
        other.changes = [change for change in other.changes if not change.judging]
        self.changes.extend(taken)

    def merge(self, other: Work) -> None:
        """Append what came later."""
        self.changes.extend(other.changes)
        for path, state in other.before.items():
            self.before.setdefault(path, state)
        self.checks.extend(other.checks)
        self.failed_edits.extend(other.failed_edits)
        self.attempts.extend(other.attempts)


@dataclass(slots=True)
class RoundBuilder:
    """One round while further runs may still join it."""

    round_no: int
    work: Work
    runs: list[RunBuilder] = field(default_factory=list)
    closed_at: int = 0
    """Position in the log of file states when the round's first run started."""

    def deciding(self) -> int | None:
        """Index of the run that ended last among those with a verdict."""
        best: int | None = None
        for index, run in enumerate(self.runs):
            if not run.report.outcome.is_verdict:
                continue
            if best is None or _ended(run) >= _ended(self.runs[best]):
                best = index
        return best

    def build(self, stale: bool = False) -> Round:
        """Return the frozen fact."""
        decided_by = self.deciding()
        deciding = self.runs[decided_by if decided_by is not None else -1]
        report = deciding.report
        lines = tuple(line.text for line in report.error_lines)
        return Round(
            round_no=self.round_no,
            outcome=report.outcome,
            cases_passed=report.cases_passed,
            cases_total=report.cases_total,
            failed_cases=report.failed_cases,
            error_lines=lines,
            result_lines=tuple(line.text for line in report.result_lines),
            signature=signature(report.outcome, report.failed_cases, lines),
            changed_files=tuple(self.work.changes),
            degeneration_checks=tuple(self.work.checks),
            failed_edits=tuple(self.work.failed_edits),
            attempts=tuple(self.work.attempts),
            runs=tuple(run.build() for run in self.runs),
            decided_by=decided_by,
            stale=stale,
        )


def _ended(run: RunBuilder) -> tuple[str, int]:
    """Sort key: end as recorded (ISO 8601, all in UTC), then order of start."""
    return (run.call.ended_at or run.call.timestamp or "", run.order)


def signature(outcome: Outcome, failed: tuple[int, ...], lines: tuple[str, ...]) -> str | None:
    """Return the failure signature: outcome, failing cases, error text; None unless it failed."""
    if outcome not in {Outcome.FAIL, Outcome.COMPILE_ERROR}:
        return None
    cases = ",".join(map(str, failed))
    return "\n".join([f"{outcome.value} [{cases}]", *lines])


@dataclass(slots=True)
class StageBuilder:
    """One stage while the session is walked."""

    name: StageName
    rounds: list[RoundBuilder] = field(default_factory=list)
    work: Work = field(default_factory=Work)
    """What is not yet closed by a run."""
    runs: int = 0
    entered: bool = False
    first_event: int | None = None
    last_event: int | None = None

    def touch(self, order: int) -> None:
        """Note that an event belongs to the stage."""
        self.entered = True
        if self.first_event is None:
            self.first_event = order
        self.last_event = order

    def add_run(self, run: RunBuilder, log_position: int) -> None:
        """Close a round with a run, or repeat the last one when nothing changed.

        Where a command may have changed the code, a different result is a round of its own.
        """
        run.unseen = tuple(self.work.unseen)
        if not self.rounds or self.work.counts or (run.unseen and self._differs(run)):
            self.rounds.append(RoundBuilder(len(self.rounds) + 1, self.work, [], log_position))
        else:
            self.rounds[-1].work.merge(self.work)
        self.work = Work()
        self.rounds[-1].runs.append(run)
        self.runs += 1

    def _differs(self, run: RunBuilder) -> bool:
        last, new = self.rounds[-1].runs[-1].report, run.report
        return (last.outcome, last.cases_passed, last.failed_cases) != (
            new.outcome,
            new.cases_passed,
            new.failed_cases,
        ) or [line.text for line in last.error_lines] != [line.text for line in new.error_lines]

    def round_of_run(self) -> list[int]:
        """Return the 1-based round number of each run, in order of start."""
        pairs = sorted((run.run_index, item.round_no) for item in self.rounds for run in item.runs)
        return [number for _, number in pairs]
