"""Takes the records of a session one by one, in file order."""

from __future__ import annotations

from collections.abc import Callable

from summarizer.model.source import SourceRef
from summarizer.readers.claude_code.assistant import take_assistant
from summarizer.readers.claude_code.known import STATE_TYPES
from summarizer.readers.claude_code.lines import JsonObject
from summarizer.readers.claude_code.sides import (
    take_attachment,
    take_progress,
    take_queue,
    take_system,
)
from summarizer.readers.claude_code.state import Envelope, Walk, string
from summarizer.readers.claude_code.user import take_user

_UNFINISHED = frozenset({"call", "result", "prompt"})


def take_record(walk: Walk, value: JsonObject, ref: SourceRef) -> None:
    """Takes one record of any type."""
    kind = string(value.get("type")) or "(no type)"
    walk.tally.record_type(kind, value)
    session = value.get("sessionId")
    if session != walk.session and isinstance(session, str) and session:
        walk.session = session
        walk.context.session_ids.setdefault(session)
    if walk.is_replay(value):
        # The usage of a repeated row may be the more complete one.
        walk.tally.usage_row(value)
        walk.note_replay(ref)
        return
    walk.tally.envelope(value)
    take = _HANDLERS.get(kind)
    if take is not None:
        timestamp = value.get("timestamp")
        if not isinstance(timestamp, str):
            timestamp = None
        take(walk, Envelope(value, ref, timestamp, walk.agent_of(value)))
    elif kind not in STATE_TYPES:
        walk.unknown("record type", kind, ref)


def take_repeated(walk: Walk) -> None:
    """Takes the repeated records of sub-agents for what their own files do not hold."""
    walk.repeating = True
    for agent_id, call_id, record, ref in walk.progress:
        if call_id:
            walk.agent_calls.setdefault(agent_id, call_id)
        walk.begin_stream(agent_id)
        take_record(walk, record, ref)
    walk.progress = []


def note_growth(walk: Walk) -> None:
    """Notes when the session's last file does not end with the agent's answer."""
    if walk.last is None or walk.last[0] not in _UNFINISHED:
        return
    kind, ref = walk.last
    walk.context.issues.add(
        "still_growing",
        ref.path,
        ref.record,
        f"the last step is a {kind}, no final answer: the session was cut off, "
        "or the file is a copy of a running one",
    )


_HANDLERS: dict[str, Callable[[Walk, Envelope], None]] = {
    "assistant": take_assistant,
    "user": take_user,
    "system": take_system,
    "attachment": take_attachment,
    "queue-operation": take_queue,
    "progress": take_progress,
}
"""Record type -> handler."""
