"""Handles `user` records: prompts, tool results, and what the client says in the user's role."""

from __future__ import annotations

from dataclasses import replace

from summarizer.model.events import CallState, InjectedText, Output, ShellCall, UserMessage
from summarizer.model.source import Completeness
from summarizer.readers.claude_code import messages
from summarizer.readers.claude_code.hooks import parse_hook_execution
from summarizer.readers.claude_code.joins import take_result
from summarizer.readers.claude_code.known import QUIET_BLOCKS
from summarizer.readers.claude_code.state import Envelope, Walk, string


def take_user(walk: Walk, envelope: Envelope) -> None:
    """Takes one record."""
    message = envelope.value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        take_text(walk, envelope, content)
        return
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    results = sum(one.get("type") == "tool_result" for one in blocks)
    for block in blocks:
        kind = string(block.get("type")) or "(no type)"
        if kind == "tool_result":
            take_result(walk, envelope, block, alone=results == 1)
        elif kind == "text":
            take_text(walk, envelope, block.get("text"))
        elif kind not in QUIET_BLOCKS:
            walk.unknown("content block", kind, envelope.ref)


def take_text(walk: Walk, envelope: Envelope, text: object) -> None:
    """Takes a text in the user's role, whoever wrote it."""
    if not isinstance(text, str):
        return
    pieces = messages.split_user_text(
        text,
        is_meta=envelope.value.get("isMeta") is True,
        is_summary=envelope.value.get("isCompactSummary") is True,
    )
    for kind, piece in pieces:
        if kind == messages.NOTIFICATION:
            take_notification(walk, envelope, piece)
        elif kind == messages.BASH_INPUT:
            _take_command(walk, envelope, piece)
        elif kind == messages.BASH_OUTPUT:
            _take_command_output(walk, envelope, piece)
        elif walk.is_new_text(kind, envelope, piece):
            _take_piece(walk, envelope, kind, piece)


def take_notification(walk: Walk, envelope: Envelope, text: str) -> None:
    """Takes a notification about a background task; copies of it are dropped."""
    if walk.is_new_notice(walk.background.notified(text, envelope.timestamp)):
        walk.emit(InjectedText(envelope.ref, envelope.timestamp, text, "other", envelope.agent_id))


def take_hook_report(walk: Walk, envelope: Envelope, text: str, call_id: str | None) -> None:
    """Takes a hook's report that it executed a command."""
    execution = parse_hook_execution(text, envelope.ref, envelope.timestamp)
    if execution is not None:
        walk.hooks.append((execution, call_id))
        return
    walk.context.issues.add(
        "broken_hook_block",
        envelope.ref.path,
        envelope.ref.record,
        "a hook's report of an execution could not be read",
    )


def _take_piece(walk: Walk, envelope: Envelope, kind: str, text: str) -> None:
    ref, timestamp, agent_id = envelope.ref, envelope.timestamp, envelope.agent_id
    if kind == messages.USER:
        if agent_id is None:
            walk.emit(UserMessage(ref, timestamp, text))
            walk.note_last("prompt", envelope)
            return
        walk.prompts.setdefault(agent_id, text)
        kind = "prompt_of_subagent"
    elif kind == "interrupt":
        _interrupt(walk, agent_id, text)
    elif kind == "hook_execution":
        take_hook_report(walk, envelope, text, None)
    walk.emit(InjectedText(ref, timestamp, text, kind, agent_id))
    walk.note_last("note", envelope)


def _interrupt(walk: Walk, agent_id: str | None, text: str) -> None:
    """Marks the calls of one agent that have no result yet."""
    others = []
    for wire_id in walk.recent:
        waiting = walk.open.get(wire_id)
        if waiting is None:
            continue
        if waiting.request.agent_id == agent_id:
            walk.interrupted.setdefault(waiting.request.call_id, text)
        else:
            others.append(wire_id)
    walk.recent = others


def _take_command(walk: Walk, envelope: Envelope, text: str) -> None:
    found = messages.tags(text)
    call = ShellCall(
        call_id=f"user:{string(envelope.value.get('uuid')) or envelope.ref.record}",
        ref=envelope.ref,
        timestamp=envelope.timestamp,
        command=found.get("bash-input", text),
        state=CallState.NO_RESULT,
        cwd=walk.tally.shared(string(envelope.value.get("cwd"))),
        by_user=True,
    )
    walk.user_shell = walk.emit(call)
    walk.note_last("note", envelope)
    if "bash-stdout" in found or "bash-stderr" in found:
        _take_command_output(walk, envelope, text)


def _take_command_output(walk: Walk, envelope: Envelope, text: str) -> None:
    place, walk.user_shell = walk.user_shell, None
    call = place[0][place[1]] if place is not None else None
    if place is None or not isinstance(call, ShellCall):
        walk.emit(InjectedText(envelope.ref, envelope.timestamp, text, "command"))
        return
    found = messages.tags(text)
    outputs = tuple(
        Output(found[key], Completeness.FULL, envelope.ref, "result", envelope.timestamp)
        for key in ("bash-stdout", "bash-stderr")
        if found.get(key)
    )
    place[0][place[1]] = replace(
        call,
        state=CallState.EXECUTED,
        result_ref=envelope.ref,
        ended_at=envelope.timestamp,
        outputs=outputs,
    )
