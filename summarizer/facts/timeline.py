"""Walks a session once and cuts it into stages, rounds, runs, changes and measurements.

Decides nothing that needs the whole session. What a run and a round are is the product's
definition (contract, section 3).
"""

from __future__ import annotations

from summarizer.evidence import EvidenceIds
from summarizer.facts.paths import TaskPaths
from summarizer.facts.runs import RunReader
from summarizer.facts.walk import Timeline, Walk
from summarizer.facts.walk_files import on_change
from summarizer.facts.walk_shell import on_shell, on_shown_file
from summarizer.model.events import Event, FileChange, FileRead, ReadResult, ShellCall


def walk(
    session: ReadResult,
    paths: TaskPaths,
    ids: EvidenceIds,
    runs: RunReader,
    original_cases: int | None,
) -> Timeline:
    """Cut a session into its parts.

    Args:
        session: what the readers understood.
        paths: where the output directory lies, in the transcript's spelling.
        ids: evidence ids, shared with the evidence.
        runs: reads evaluator outputs.
        original_cases: cases of the backup file, None when there is none; used to recognise a
            full validation whose restoration no record shows.
    """
    state = Walk(paths, ids, runs, original_cases)
    places: list[tuple[str | None, int]] = []
    for index, event in enumerate(session.events):
        stage_before = state.current
        runs_before: dict[str, int] = {name: stage.runs for name, stage in state.stages.items()}
        override = _handle(state, index, event)
        stage = override or state.current or stage_before
        places.append((stage, runs_before.get(stage or "", 0)))
    return Timeline(
        state.stages,
        state.measurements,
        state.cases,
        state.states,
        places,
        state.shown_run_files,
    )


def _handle(state: Walk, index: int, event: Event) -> str | None:
    """Process one event; return a stage for it when it differs from the current one."""
    if isinstance(event, FileChange):
        return on_change(state, index, event)
    if isinstance(event, ShellCall):
        return on_shell(state, index, event)
    if isinstance(event, FileRead):
        on_shown_file(state, index, event.path, event)
    return None
