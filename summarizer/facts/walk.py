"""What is known while a session is walked, and what the walk leaves behind.

Plain workpieces; the rules of the walk are in `walk_files` and `walk_shell`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from summarizer.evidence import Attribution, EvidenceIds
from summarizer.facts.builders import RunBuilder, StageBuilder
from summarizer.facts.commands import ScriptCall
from summarizer.facts.files import FileStates, State
from summarizer.facts.paths import TaskPaths
from summarizer.facts.runs import RunReader
from summarizer.model.events import FileChange, ShellCall
from summarizer.model.facts import STAGES, Pointer, StageName
from summarizer.model.source import SourceRef


@dataclass(slots=True)
class Measurement:
    """A performance run as it was called."""

    call: ShellCall
    script: ScriptCall
    order: int
    log_position: int


@dataclass(slots=True)
class CaseEvent:
    """A backup, reduction or restoration of the cases."""

    what: str
    """`backup`, `restore`, `rewrite`."""
    path: str
    order: int
    call: ShellCall | FileChange


@dataclass(slots=True)
class LoggedState:
    """One change of an evaluated file, in order of time."""

    path: str
    state: State
    order: int
    stage: str


@dataclass(slots=True)
class RunFile:
    """A file that holds the output of a run."""

    run: RunBuilder
    stage: str


@dataclass(slots=True)
class Timeline:
    """Everything the walk found."""

    stages: dict[StageName, StageBuilder]
    measurements: list[Measurement]
    cases: list[CaseEvent]
    states: list[LoggedState]
    places: list[tuple[str | None, int]]
    """Per event: stage and the number of runs of that stage seen before it."""
    run_files: dict[int, tuple[str, int]]
    """Events that show a run's own output file: stage and run index."""

    def _rounds(self) -> dict[str, list[int]]:
        return {name: stage.round_of_run() for name, stage in self.stages.items()}

    def attribution(self) -> dict[int, Attribution]:
        """Return stage and round of each event."""
        rounds = self._rounds()
        placed = {}
        for index, (stage, runs) in enumerate(self.places):
            placed[index] = Attribution(stage, _round(rounds.get(stage or "", []), runs))
        return placed

    def run_file_attribution(self) -> dict[int, Attribution]:
        """Return the round that each shown run file belongs to."""
        rounds = self._rounds()
        return {
            index: Attribution(stage, rounds[stage][run])
            for index, (stage, run) in self.run_files.items()
        }


def _round(rounds: list[int], runs_before: int) -> int | None:
    """The round that the next run closes; after the last run, the last round."""
    if not rounds:
        return None
    return rounds[min(runs_before, len(rounds) - 1)]


@dataclass(slots=True)
class Walk:
    """State of the walk."""

    paths: TaskPaths
    ids: EvidenceIds
    runs: RunReader
    original_cases: int | None
    files: FileStates = field(default_factory=FileStates)
    stages: dict[StageName, StageBuilder] = field(
        default_factory=lambda: {name: StageBuilder(name) for name in STAGES}
    )
    measurements: list[Measurement] = field(default_factory=list)
    cases: list[CaseEvent] = field(default_factory=list)
    states: list[LoggedState] = field(default_factory=list)
    run_files: dict[str, RunFile] = field(default_factory=dict)
    shown_run_files: dict[int, tuple[str, int]] = field(default_factory=dict)
    snapshots: list[tuple[str, int, dict[str, State]]] = field(default_factory=list)
    """(stage, round, states of evaluated files) after each run."""
    current: StageName | None = None
    backed_up: bool = False
    full: bool = False
    reduced_total: int | None = None

    def pointer(self, ref: SourceRef, call_id: str | None) -> Pointer:
        """Return a pointer to a record."""
        return self.ids.pointer(ref, call_id)

    def stage(self, name: Literal["tilelang", "ascendc"]) -> StageBuilder:
        """Return the stage an AscendC or TileLang event belongs to at this moment."""
        if name == "ascendc" and self.full:
            return self.stages["full_validation"]
        return self.stages[name]
