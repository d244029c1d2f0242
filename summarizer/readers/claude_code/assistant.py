"""Handles `assistant` records: the model's words and its tool calls."""

from __future__ import annotations

from summarizer.model.events import AssistantMessage, InjectedText
from summarizer.readers.claude_code.context import Request
from summarizer.readers.claude_code.joins import take_result
from summarizer.readers.claude_code.known import QUIET_BLOCKS
from summarizer.readers.claude_code.lines import JsonObject
from summarizer.readers.claude_code.state import Envelope, Open, Walk, string

_CALL_BLOCKS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def take_assistant(walk: Walk, envelope: Envelope) -> None:
    """Takes one record: normally one block of an API message."""
    message = envelope.value.get("message")
    if not isinstance(message, dict):
        walk.unknown("content of", "assistant record without message", envelope.ref)
        return
    walk.tally.usage_row(envelope.value)
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for block in blocks if isinstance(blocks, list) else []:
        if isinstance(block, dict):
            _take_block(walk, envelope, message, block)


def _take_block(walk: Walk, envelope: Envelope, message: JsonObject, block: JsonObject) -> None:
    kind = string(block.get("type")) or "(no type)"
    if kind == "text":
        _take_text(walk, envelope, message, block.get("text"))
    elif kind in _CALL_BLOCKS:
        _take_call(walk, envelope, block)
    elif kind.endswith("tool_result"):
        # Server tools answer inside the model's message.
        take_result(walk, envelope, block, alone=False)
    elif kind not in QUIET_BLOCKS:
        walk.unknown("content block", kind, envelope.ref)


def _take_text(walk: Walk, envelope: Envelope, message: JsonObject, text: object) -> None:
    if not isinstance(text, str) or not text.strip():
        return
    ref, timestamp, agent_id = envelope.ref, envelope.timestamp, envelope.agent_id
    if not walk.is_new_text("assistant", envelope, text):
        return
    model = walk.tally.shared(string(message.get("model")))
    is_error = envelope.value.get("isApiErrorMessage") is True
    if is_error or model == "<synthetic>":
        kind = "api_error" if is_error else "other"
        walk.emit(InjectedText(ref, timestamp, text, kind, agent_id))
        return
    walk.emit(AssistantMessage(ref, timestamp, text, model, agent_id))
    walk.note_last("answer", envelope)


def _take_call(walk: Walk, envelope: Envelope, block: JsonObject) -> None:
    ref = envelope.ref
    wire_id = string(block.get("id")) or f"{ref.path}:{ref.record}"
    call_id = wire_id
    if wire_id in walk.calls:
        if walk.repeating or walk.calls[wire_id] == envelope.timestamp:
            walk.note_replay(ref)
            return
        # Some model servers count their ids from one again; a replay keeps its time.
        call_id = f"{wire_id}~{ref.record}"
        walk.context.issues.add(
            "reused_call_id", ref.path, ref.record, f"call id {wire_id!r} names a second call"
        )
    walk.calls[wire_id] = envelope.timestamp
    asked = block.get("input")
    request = Request(
        call_id=call_id,
        name=string(block.get("name")) or "unknown",
        input=asked if isinstance(asked, dict) else {},
        ref=ref,
        timestamp=envelope.timestamp,
        cwd=walk.tally.shared(string(envelope.value.get("cwd"))),
        agent_id=envelope.agent_id,
    )
    walk.recent.append(wire_id)
    walk.open[wire_id] = Open(request, *walk.emit(request))
    walk.note_last("call", envelope)
