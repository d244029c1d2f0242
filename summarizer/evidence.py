"""Gives every citable text of a session a stable id, a witness class, a stage and a round.

Turns events and log files into Evidence. Must not know how quotations are matched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from summarizer.model.events import (
    AgentCall,
    AssistantMessage,
    CallState,
    Event,
    FileChange,
    FileRead,
    OtherCall,
    Output,
    ReadResult,
    ShellCall,
)
from summarizer.model.evidence import Evidence, Witness
from summarizer.model.facts import Pointer
from summarizer.model.source import Completeness, SourceRef


@dataclass(frozen=True, slots=True)
class Attribution:
    """Where in the task an event stands."""

    stage: str | None
    round_no: int | None
    """1-based round the event leads to or belongs to; None before the first round."""


NOWHERE = Attribution(None, None)


class EvidenceIds:
    """Makes ids from places: `E34` is record 34 of the first file, `E2-7` record 7 of the third.

    The same sources give the same ids, whatever is cited.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._index = {path: index for index, path in enumerate(dict.fromkeys(paths))}

    def of(self, ref: SourceRef) -> str:
        """Return the id of a record; unknown files are numbered as they come."""
        index = self._index.setdefault(ref.path, len(self._index))
        return f"E{ref.record}" if index == 0 else f"E{index}-{ref.record}"

    def pointer(self, ref: SourceRef, call_id: str | None) -> Pointer:
        """Return a pointer to a record."""
        return Pointer(
            path=ref.path,
            record=ref.record,
            byte_start=ref.byte_start,
            byte_end=ref.byte_end,
            call_id=call_id,
            evidence_id=self.of(ref),
        )


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of an event before it is attributed."""

    text: str
    witness: Witness
    source: SourceRef
    completeness: Completeness = Completeness.FULL
    timestamp: str | None = None


def collect_evidence(
    session: ReadResult,
    attribution: Mapping[int, Attribution],
    ids: EvidenceIds,
    run_files: Mapping[int, Attribution],
) -> tuple[Evidence, ...]:
    """Return the evidence of a session in order of appearance.

    Args:
        session: what the readers understood.
        attribution: by index in `session.events`.
        ids: id maker shared with the facts.
        run_files: events that show a file which a run of this session wrote, by event index, with
            the run's place; they witness that run.
    """
    evidence: list[Evidence] = []
    used: dict[str, int] = {}
    for index, event in enumerate(session.events):
        place = run_files.get(index, attribution.get(index, NOWHERE))
        for text in _texts(event, index in run_files):
            if not text.text:
                continue
            evidence.append(_evidence(event, text, place, ids, used))
    return tuple(evidence)


def _evidence(
    event: Event, text: _Text, place: Attribution, ids: EvidenceIds, used: dict[str, int]
) -> Evidence:
    base = ids.of(text.source)
    used[base] = used.get(base, 0) + 1
    suffix = "" if used[base] == 1 else f".{used[base]}"
    return Evidence(
        id=base + suffix,
        text=text.text,
        witness=text.witness,
        completeness=text.completeness,
        source=text.source,
        stage=place.stage,
        round_no=place.round_no,
        call_id=getattr(event, "call_id", None),
        timestamp=text.timestamp,
        agent_id=event.agent_id,
    )


def _texts(event: Event, is_run_file: bool) -> Iterator[_Text]:
    if isinstance(event, ShellCall):
        yield from _shell_texts(event)
    elif isinstance(event, FileChange):
        yield from _change_texts(event)
    elif isinstance(event, (FileRead, OtherCall)):
        if event.output is not None:
            yield _from_output(event.output, _output_witness(event, is_run_file))
    elif isinstance(event, AssistantMessage):
        yield _Text(event.text, Witness.AGENT, event.ref, timestamp=event.timestamp)
    elif isinstance(event, AgentCall):
        source = event.result_ref or event.ref
        yield _Text(event.prompt, Witness.AGENT, event.ref, timestamp=event.timestamp)
        yield _Text(event.result_text, Witness.AGENT, source, timestamp=event.ended_at)
    else:
        yield _Text(event.text, Witness.INJECTED, event.ref, timestamp=event.timestamp)


def _output_witness(event: FileRead | OtherCall, is_run_file: bool) -> Witness:
    if isinstance(event, OtherCall):
        return Witness.TOOL_OUTPUT
    return Witness.RUN_FILE if is_run_file else Witness.FILE_CONTENT


def _shell_texts(event: ShellCall) -> Iterator[_Text]:
    yield _Text(event.command, Witness.COMMAND, event.ref, timestamp=event.timestamp)
    for output in event.outputs:
        yield _from_output(output, Witness.TOOL_OUTPUT)
    if event.state_text:
        # A refusal or an abort is the client's own word, which a tool result really held.
        source = event.result_ref or event.ref
        yield _Text(event.state_text, Witness.TOOL_OUTPUT, source, timestamp=event.ended_at)


def _change_texts(event: FileChange) -> Iterator[_Text]:
    for old, new, _ in event.edits:
        yield _Text(old, Witness.CHANGE, event.ref, timestamp=event.timestamp)
        yield _Text(new, Witness.CHANGE, event.ref, timestamp=event.timestamp)
    if event.content is not None:
        yield _Text(event.content, Witness.CHANGE, event.ref, timestamp=event.timestamp)
    if event.state_text and event.state is not CallState.EXECUTED:
        source = event.result_ref or event.ref
        yield _Text(event.state_text, Witness.TOOL_OUTPUT, source, timestamp=event.ended_at)


def _from_output(output: Output, witness: Witness) -> _Text:
    return _Text(output.text, witness, output.source, output.completeness, output.timestamp)
