"""Joins what became known later about commands that went on in the background.

Sources: `<task-notification>` texts, results of BashOutput, TaskOutput, KillShell and TaskStop,
reads of the task's output file, and that file itself where it still exists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from summarizer.model.events import Output, ShellCall
from summarizer.model.source import Completeness
from summarizer.readers.claude_code.context import Context
from summarizer.readers.claude_code.messages import tags
from summarizer.readers.claude_code.results import BACKGROUND, RawResult
from summarizer.readers.claude_code.truncation import TASK_MARK
from summarizer.readers.times import instant

POLLS = frozenset({"BashOutput", "TaskOutput", "AgentOutputTool", "BashOutputTool"})
KILLS = frozenset({"KillShell", "KillBash", "TaskStop"})
_EXIT = re.compile(r"(?:exit code:? ?)(-?\d{1,10})")
_TAGGED = re.compile(r"<(status|exit_code|output|stdout|stderr)>\n?(.*?)\n?</\1>", re.DOTALL)
_ENDED = frozenset({"completed", "failed", "killed", "stopped", "error", "cancelled"})


@dataclass(frozen=True, slots=True)
class End:
    """How a background command ended, as told by one record."""

    status: str
    exit_code: int | None
    timestamp: str | None
    text: str = ""


@dataclass(slots=True)
class Task:
    """Everything recorded about one background task after its start."""

    outputs: list[Output] = field(default_factory=list)
    end: End | None = None
    running: bool = False
    """A poll saw it running and nothing later told its end."""
    output_path: str | None = None
    transcript: str = ""


class Background:
    """Collects by task id; `finish` gives the completed event."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._tasks: dict[str, Task] = {}
        self._by_path: dict[str, str] = {}

    def started(self, task_id: str, result: RawResult) -> None:
        """Notes a start; the sentence names the output file."""
        sentence = BACKGROUND.match(result.text)
        path = sentence[3] if sentence else None
        self._task(task_id).transcript = result.ref.path
        if path:
            self._note_path(task_id, path)

    def _task(self, task_id: str) -> Task:
        return self._tasks.setdefault(task_id, Task())

    def _note_path(self, task_id: str, path: str) -> None:
        self._task(task_id).output_path = path
        self._by_path[path] = task_id

    def notified(self, text: str, timestamp: str | None) -> tuple[str, str] | None:
        """Reads a notification; returns (task id, status), None when it has no task id."""
        found = tags(text)
        task_id, status = found.get("task-id"), found.get("status", "")
        if not task_id:
            return None
        if found.get("output-file"):
            self._note_path(task_id, found["output-file"])
        if status in _ENDED:
            summary = found.get("summary", "")
            code = _EXIT.findall(summary)
            self._ended(task_id, End(status, int(code[-1]) if code else None, timestamp, summary))
        return task_id, status

    def _ended(self, task_id: str, end: End) -> None:
        task = self._task(task_id)
        # Notifications are written several times; the first tells when, a number beats none.
        if task.end is None or (task.end.exit_code is None and end.exit_code is not None):
            task.end = end

    def polled(self, name: str, requested: dict[str, Any], result: RawResult) -> bool:
        """Reads a poll's result; False when it belongs to no known shell task."""
        task_id = _task_id(requested)
        if task_id not in self._tasks or result.is_error:
            return False
        poll = _parse_poll(result)
        task = self._task(task_id)
        if poll.status in _ENDED:
            self._ended(task_id, End(poll.status, poll.exit_code, result.timestamp))
        elif poll.status == "running":
            task.running = True
        if poll.text:
            new_only = name.startswith("BashOutput")
            completeness = poll.completeness
            if completeness is Completeness.FULL:
                completeness = _poll_part(poll.status, new_only and bool(task.outputs))
            output = Output(poll.text, completeness, result.ref, "poll", result.timestamp)
            if new_only:
                task.outputs.append(output)
            else:
                _add_piece(task.outputs, output)
        return True

    def killed(self, requested: dict[str, Any], result: RawResult) -> None:
        """Reads the result of a kill."""
        task_id = _task_id(requested)
        if task_id in self._tasks and not result.is_error:
            message = result.fields.get("message")
            text = message if isinstance(message, str) else result.text
            self._ended(task_id, End("killed", None, result.timestamp, text))

    def was_read(self, path: str, output: Output) -> None:
        """Joins what a read of a task's output file showed."""
        task_id = self._by_path.get(path)
        if task_id is not None:
            _add_piece(self._task(task_id).outputs, replace(output, via="read"))

    def finish(self, call: ShellCall, task_id: str) -> ShellCall:
        """The started call with everything that became known later."""
        task = self._tasks.get(task_id)
        if task is None:
            return call
        if task.output_path:
            side = self._context.side_file(task.output_path, task.transcript)
            if side is not None and side.text:
                whole = Completeness.FULL if task.end else Completeness.HEAD
                piece = Output(side.text, whole, side.ref, "side_file", call.timestamp)
                _add_piece(task.outputs, piece)
        outputs = (*call.outputs, *(_judged(one, task.end) for one in task.outputs))
        if task.end is None:
            return replace(call, outputs=outputs, finished=False if task.running else None)
        end = task.end
        return replace(
            call,
            outputs=outputs,
            finished=True,
            exit_code=end.exit_code,
            failed=_failed(end),
            ended_at=end.timestamp,
            state_text=end.text or end.status,
        )


def task_id_of(result: RawResult) -> str | None:
    """The id of the background task that a result started."""
    recorded = result.fields.get("backgroundTaskId")
    if isinstance(recorded, str) and recorded:
        return recorded
    match = BACKGROUND.match(result.text)
    return (match[1] or match[2]) if match else None


def _task_id(requested: dict[str, Any]) -> str:
    for key in ("task_id", "bash_id", "shell_id", "agentId"):
        if isinstance(requested.get(key), str):
            return str(requested[key])
    return ""


def _poll_part(status: str, continues: bool) -> Completeness:
    """What a poll shows: a running command has more to print, a later piece has no beginning."""
    if status not in _ENDED:
        return Completeness.UNKNOWN if continues else Completeness.HEAD
    return Completeness.TAIL if continues else Completeness.FULL


def _judged(output: Output, end: End | None) -> Output:
    """A read of the output file is the whole output only when the command had ended by then."""
    if output.via != "read" or output.completeness is not Completeness.FULL:
        return output
    read_at, ended_at = instant(output.timestamp), instant(end.timestamp) if end else None
    if read_at is not None and ended_at is not None and read_at >= ended_at:
        return output
    return replace(output, completeness=Completeness.HEAD)


def _failed(end: End) -> bool | None:
    if end.exit_code is not None:
        return end.exit_code != 0
    return {"completed": False, "failed": True, "error": True}.get(end.status)


@dataclass(frozen=True, slots=True)
class _Poll:
    status: str
    exit_code: int | None
    text: str
    completeness: Completeness


def _parse_poll(result: RawResult) -> _Poll:
    task = result.fields.get("task")
    fields = task if isinstance(task, dict) else result.fields
    tagged = {match[1]: match[2] for match in _TAGGED.finditer(result.text)} if not fields else {}
    status = fields.get("status", tagged.get("status", ""))
    code = fields.get("exitCode", tagged.get("exit_code"))
    pieces = [
        value
        for key in ("output", "stdout", "stderr")
        for value in (fields.get(key, tagged.get(key)),)
        if isinstance(value, str) and value
    ]
    text = "\n".join(pieces)
    mark = TASK_MARK.match(text)
    if mark is not None:
        return _Poll(str(status), _number(code), text[mark.end() :], Completeness.UNKNOWN)
    return _Poll(str(status), _number(code), text, Completeness.FULL)


def _number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,10}\s*", value, re.ASCII):
        return int(value)
    return None


def _add_piece(outputs: list[Output], piece: Output) -> None:
    """Adds a piece unless one at hand holds it all; replaces a beginning that it continues."""
    if any(known.text.startswith(piece.text) for known in outputs):
        return
    outputs[:] = [known for known in outputs if not piece.text.startswith(known.text)]
    outputs.append(piece)
