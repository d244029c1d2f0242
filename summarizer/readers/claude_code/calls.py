"""Joins a tool call and its result to an event; one function per family of tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from summarizer.model.events import (
    AgentCall,
    CallState,
    Event,
    FileChange,
    FileRead,
    Hunk,
    OtherCall,
    ShellCall,
)
from summarizer.readers.claude_code.context import Context, Request
from summarizer.readers.claude_code.outputs import other_output, read_output, shell_outputs
from summarizer.readers.claude_code.results import (
    RawResult,
    Status,
    block_text,
    not_run_status,
    shell_status,
)

_NO_RESULT = Status(CallState.NO_RESULT)
AGENT_TOOLS = frozenset({"Agent", "Task"})


def build_event(request: Request, result: RawResult | None, context: Context) -> Event:
    """The event of one call.

    Args:
        request: The `tool_use` block.
        result: Its `tool_result`; None when the transcript holds none.
        context: Receives issues and side files.
    """
    build = _BUILDERS.get(request.name, _other_call)
    return build(request, result, context)


def _shell_call(request: Request, result: RawResult | None, context: Context) -> ShellCall:
    status = shell_status(result) if result else _NO_RESULT
    ended = result is not None and status.state in {CallState.EXECUTED, CallState.ABORTED}
    return ShellCall(
        call_id=request.call_id,
        ref=request.ref,
        timestamp=request.timestamp,
        command=request.text("command"),
        state=status.state,
        cwd=request.cwd,
        description=request.text("description") or None,
        result_ref=result.ref if result else None,
        ended_at=result.timestamp if result and ended else None,
        exit_code=status.exit_code,
        failed=status.failed,
        timed_out=status.timed_out,
        outputs=shell_outputs(result, status, context) if result else (),
        state_text=status.state_text,
        agent_id=request.agent_id,
    )


def _tool_status(result: RawResult | None) -> Status:
    """The status of a file tool, whose errors mean that nothing was done."""
    if result is None:
        return _NO_RESULT
    status = not_run_status(result)
    if status is not None:
        return status
    if result.is_error:
        return Status(CallState.INVALID, failed=True, state_text=result.text)
    return Status(CallState.EXECUTED)


def _write(request: Request, result: RawResult | None, context: Context) -> FileChange:
    fields = result.fields if result else {}
    return _change(request, result, "write", content=request.text("content"), fields=fields)


def _edit(request: Request, result: RawResult | None, context: Context) -> FileChange:
    fields = result.fields if result else {}
    edits = (_edit_item(request.input),)
    return _change(request, result, "edit", edits=edits, fields=fields)


def _multi_edit(request: Request, result: RawResult | None, context: Context) -> FileChange:
    fields = result.fields if result else {}
    items = request.input.get("edits")
    edits = (
        tuple(_edit_item(one) for one in items if isinstance(one, dict))
        if (isinstance(items, list))
        else ()
    )
    return _change(request, result, "multi_edit", edits=edits, fields=fields)


def _notebook(request: Request, result: RawResult | None, context: Context) -> FileChange:
    fields = result.fields if result else {}
    edits = (("", request.text("new_source"), False),)
    return _change(request, result, "notebook", edits=edits, fields=fields)


def _edit_item(item: dict[str, Any]) -> tuple[str, str, bool]:
    old, new = item.get("old_string"), item.get("new_string")
    return (
        old if isinstance(old, str) else "",
        new if isinstance(new, str) else "",
        item.get("replace_all") is True,
    )


def _change(
    request: Request,
    result: RawResult | None,
    how: Literal["write", "edit", "multi_edit", "notebook"],
    *,
    fields: dict[str, Any],
    edits: tuple[tuple[str, str, bool], ...] = (),
    content: str | None = None,
) -> FileChange:
    status = _tool_status(result)
    kind, original, modified = (
        fields.get("type"),
        fields.get("originalFile"),
        fields.get("userModified") is True,
    )
    written = fields.get("content")
    if modified and isinstance(written, str):
        content = written
    return FileChange(
        call_id=request.call_id,
        ref=request.ref,
        timestamp=request.timestamp,
        path=request.text("file_path", "notebook_path", "path"),
        how=how,
        state=status.state,
        edits=edits,
        content=content,
        original=original if isinstance(original, str) else None,
        hunks=_hunks(fields.get("structuredPatch")),
        created={"create": True, "update": False}.get(kind) if isinstance(kind, str) else None,
        user_modified=modified,
        result_ref=result.ref if result else None,
        ended_at=result.timestamp if result else None,
        state_text=status.state_text,
        agent_id=request.agent_id,
    )


def _hunks(patch: object) -> tuple[Hunk, ...]:
    """One hunk per run of changed lines; context lines only move the line number."""
    hunks: list[Hunk] = []
    for part in patch if isinstance(patch, list) else []:
        lines = part.get("lines") if isinstance(part, dict) else None
        if not isinstance(lines, list):
            continue
        start = part.get("oldStart")
        hunks += _runs([str(line) for line in lines], start if isinstance(start, int) else None)
    return tuple(hunks)


def _runs(lines: list[str], line_no: int | None) -> list[Hunk]:
    runs: list[Hunk] = []
    removed: list[str] = []
    added: list[str] = []
    offset = 0
    for line in [*lines, " "]:
        mark, text = line[:1], line[1:]
        if mark == "-":
            removed.append(text)
        elif mark == "+":
            added.append(text)
        elif mark != "\\":  # "\ No newline at end of file"
            if removed or added:
                first = None if line_no is None else line_no + offset
                runs.append(Hunk(first, tuple(removed), tuple(added)))
                offset += len(removed)
                removed, added = [], []
            offset += 1
    return runs


def _file_read(request: Request, result: RawResult | None, context: Context) -> FileRead:
    status = _tool_status(result)
    done = result is not None and status.state is CallState.EXECUTED
    return FileRead(
        call_id=request.call_id,
        ref=request.ref,
        timestamp=request.timestamp,
        path=request.text("file_path", "path"),
        state=status.state,
        output=read_output(result, request.input, context) if result and done else None,
        result_ref=result.ref if result else None,
        ended_at=result.timestamp if result else None,
        agent_id=request.agent_id,
    )


def _agent_call(request: Request, result: RawResult | None, context: Context) -> AgentCall:
    status = _NO_RESULT
    if result is not None:
        launched = result.fields.get("status") == "async_launched"
        ran = Status(CallState.BACKGROUNDED if launched else CallState.EXECUTED)
        status = not_run_status(result) or ran
    child = result.fields.get("agentId") if result else None
    return AgentCall(
        call_id=request.call_id,
        ref=request.ref,
        timestamp=request.timestamp,
        prompt=request.text("prompt"),
        state=status.state,
        child_agent_id=child if isinstance(child, str) else None,
        result_text=_answer(result) if result else "",
        description=request.text("description") or None,
        result_ref=result.ref if result else None,
        ended_at=result.timestamp if result else None,
        agent_id=request.agent_id,
    )


def _answer(result: RawResult) -> str:
    """The sub-agent's answer without the client's trailer block."""
    answer = block_text(result.fields.get("content"))
    return answer or result.text


def _other_call(request: Request, result: RawResult | None, context: Context) -> OtherCall:
    status = _NO_RESULT
    if result is not None:
        status = not_run_status(result) or Status(CallState.EXECUTED)
    return OtherCall(
        call_id=request.call_id,
        ref=request.ref,
        timestamp=request.timestamp,
        name=request.name,
        state=status.state,
        output=other_output(result, context) if result else None,
        result_ref=result.ref if result else None,
        ended_at=result.timestamp if result else None,
        agent_id=request.agent_id,
    )


_BUILDERS: dict[str, Callable[[Request, RawResult | None, Context], Event]] = {
    "Bash": _shell_call,
    "PowerShell": _shell_call,
    "Write": _write,
    "Edit": _edit,
    "MultiEdit": _multi_edit,
    "NotebookEdit": _notebook,
    "Read": _file_read,
    "NotebookRead": _file_read,
    "Agent": _agent_call,
    "Task": _agent_call,
}
"""Tool name -> builder; every other tool becomes an `OtherCall`."""
