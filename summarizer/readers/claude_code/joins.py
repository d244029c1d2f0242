"""Gives a tool result to the call it answers."""

from __future__ import annotations

from dataclasses import replace

from summarizer.model.events import AgentCall, CallState, Event, FileRead, OtherCall, ShellCall
from summarizer.readers.claude_code.background import KILLS, POLLS, task_id_of
from summarizer.readers.claude_code.calls import build_event
from summarizer.readers.claude_code.context import Request
from summarizer.readers.claude_code.lines import JsonObject
from summarizer.readers.claude_code.results import RawResult, block_text, count_images
from summarizer.readers.claude_code.state import Envelope, Walk, string


def take_result(walk: Walk, envelope: Envelope, block: JsonObject, *, alone: bool) -> None:
    """Takes one `tool_result` block.

    Args:
        walk: Receives the event.
        envelope: The record.
        block: The block.
        alone: The record holds one result, so its `toolUseResult` is about this one.
    """
    value, ref = envelope.value, envelope.ref
    is_error = block.get("is_error")
    result = RawResult(
        text=block_text(block.get("content")),
        is_error=is_error if isinstance(is_error, bool) else None,
        data=value.get("toolUseResult") if alone else None,
        ref=ref,
        timestamp=envelope.timestamp,
        version=walk.tally.version,
        denied=isinstance(value.get("toolDenialKind"), str),
        headless=str(value.get("entrypoint", "")).startswith("sdk"),
        images=count_images(block.get("content")),
    )
    call_id = string(block.get("tool_use_id")) or ""
    waiting = walk.open.pop(call_id, None)
    if waiting is not None:
        walk.results[call_id] = envelope.timestamp
        walk.note_last("result", envelope)
        waiting.stream[waiting.place] = _joined(walk, waiting.request, result)
    elif call_id in walk.calls:
        if walk.repeating or walk.results.get(call_id) == envelope.timestamp:
            walk.note_replay(ref)
        else:
            walk.context.issues.add(
                "second_result", ref.path, ref.record, "its call has a result already; not used"
            )
    else:
        walk.calls[call_id] = None
        walk.context.issues.add(
            "orphan_result", ref.path, ref.record, "a result whose call is not in the transcript"
        )
        request = Request(call_id, "unknown", {}, ref, envelope.timestamp, None, envelope.agent_id)
        walk.emit(build_event(request, result, walk.context))


def _joined(walk: Walk, request: Request, result: RawResult) -> Event:
    event = build_event(request, result, walk.context)
    if isinstance(event, ShellCall) and event.state is CallState.BACKGROUNDED:
        task_id = task_id_of(result)
        if task_id:
            walk.tasks[request.call_id] = task_id
            walk.background.started(task_id, result)
    elif isinstance(event, FileRead) and event.output is not None:
        walk.background.was_read(event.path, event.output)
    elif isinstance(event, AgentCall) and event.child_agent_id:
        walk.agent_calls.setdefault(event.child_agent_id, event.call_id)
    elif isinstance(event, OtherCall):
        return _joined_other(walk, event, request, result)
    return event


def _joined_other(walk: Walk, event: OtherCall, request: Request, result: RawResult) -> OtherCall:
    if request.name in KILLS:
        walk.background.killed(request.input, result)
    elif request.name in POLLS and walk.background.polled(request.name, request.input, result):
        # The text is an output of the command that was polled, not of another call.
        return replace(event, output=None)
    return event
