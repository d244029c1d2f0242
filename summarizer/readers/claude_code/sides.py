"""Handles records beside the conversation: system, attachment, queue and progress records."""

from __future__ import annotations

from summarizer.model.events import InjectedText
from summarizer.readers.claude_code.attachments import attachment_text, hook_texts
from summarizer.readers.claude_code.hooks import MARK
from summarizer.readers.claude_code.known import QUIET_ATTACHMENTS
from summarizer.readers.claude_code.lines import JsonObject
from summarizer.readers.claude_code.results import block_text
from summarizer.readers.claude_code.state import Envelope, Progress, Walk, string
from summarizer.readers.claude_code.user import take_hook_report, take_notification, take_text

_SILENT = frozenset({"compact_boundary", "microcompact_boundary", "turn_duration"})
_SYSTEM_KINDS = {"api_error": "api_error", "local_command": "command"}


def take_system(walk: Walk, envelope: Envelope) -> None:
    """Takes a message of the client."""
    value = envelope.value
    subtype, text = string(value.get("subtype")) or "", string(value.get("content"))
    if not text or subtype in _SILENT:
        return
    kind = _SYSTEM_KINDS.get(subtype, "other")
    if MARK in text:
        kind = "hook_execution"
    if walk.is_new_text("system", envelope, text):
        if kind == "hook_execution":
            take_hook_report(walk, envelope, text, string(value.get("toolUseID")))
        walk.emit(InjectedText(envelope.ref, envelope.timestamp, text, kind, envelope.agent_id))


def take_attachment(walk: Walk, envelope: Envelope) -> None:
    """Takes what the client attached to the conversation."""
    attachment = envelope.value.get("attachment")
    if not isinstance(attachment, dict):
        return
    kind = string(attachment.get("type")) or "(no type)"
    if kind.startswith(("hook_", "async_hook")):
        _take_hook(walk, envelope, attachment)
    elif kind == "queued_command":
        # A prompt the user typed while the agent worked (nothing else records it), or a
        # notification.
        take_text(walk, envelope, block_text(attachment.get("prompt")))
    elif kind in {"edited_text_file", "file"}:
        text = attachment_text(attachment)
        if text and walk.is_new_text("attachment", envelope, text):
            walk.emit(
                InjectedText(envelope.ref, envelope.timestamp, text, "reminder", envelope.agent_id)
            )
    elif kind not in QUIET_ATTACHMENTS:
        walk.unknown("attachment", kind, envelope.ref)


def _take_hook(walk: Walk, envelope: Envelope, attachment: JsonObject) -> None:
    call_id = string(attachment.get("toolUseID"))
    for text in hook_texts(attachment):
        if not walk.is_new_text("hook", envelope, text):
            continue
        kind = "hook"
        if MARK in text:
            kind = "hook_execution"
            take_hook_report(walk, envelope, text, call_id)
        walk.emit(InjectedText(envelope.ref, envelope.timestamp, text, kind, envelope.agent_id))


def take_queue(walk: Walk, envelope: Envelope) -> None:
    """Takes a queue record: it repeats prompts; only notifications say something new."""
    text = block_text(envelope.value.get("content"))
    if text.lstrip().startswith("<task-notification>"):
        take_notification(walk, envelope, text)


def take_progress(walk: Walk, envelope: Envelope) -> None:
    """Puts a repeated record of a sub-agent aside until the sub-agent's own file was read."""
    data = envelope.value.get("data")
    if not isinstance(data, dict) or data.get("type") != "agent_progress":
        return
    inner, agent_id = data.get("message"), string(data.get("agentId"))
    if isinstance(inner, dict) and agent_id:
        call_id = string(envelope.value.get("parentToolUseID"))
        walk.progress.append(Progress(agent_id, call_id, inner, envelope.ref))
