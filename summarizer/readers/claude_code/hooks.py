"""Commands that a hook executed in the agent's place.

Source: `additionalContext` of the harness's PreToolUse hook. It runs the command itself and
replaces the agent's by an `echo`; the tool result then says nothing and this block is what the
command printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from summarizer.model.events import CallState, Output, ShellCall
from summarizer.model.source import Completeness, SourceRef

MARK = "[skill_script_hook intercepted execution]"
_NOOP = "[hook-noop] original command was intercepted"
_LIMIT = 8_000
"""Characters of each stream that the hook keeps."""
_BLOCK = re.compile(
    r"\[skill_script_hook intercepted execution\][ \t]*\n"
    r"command: (?P<command>.*?)\n"
    r"cwd: (?P<cwd>[^\n]*)\n"
    r"exit_code: (?P<code>[^\n]*)\n"
    r"duration_ms: [^\n]*\n"
    r"(?P<streams>.*)\Z",
    re.DOTALL,
)
_STREAM = re.compile(r"^--- (stdout|stderr) ---[ \t]*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HookExecution:
    """What the hook ran."""

    command: str
    cwd: str
    exit_code: int | None
    stdout: str
    stderr: str
    ref: SourceRef
    timestamp: str | None


def parse_hook_execution(text: str, ref: SourceRef, timestamp: str | None) -> HookExecution | None:
    """Reads a block; None when the text holds none or a broken one."""
    match = _BLOCK.search(text)
    if match is None:
        return None
    code = match["code"].strip()
    pieces = _STREAM.split(match["streams"], maxsplit=2)
    streams = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    return HookExecution(
        command=match["command"],
        cwd=match["cwd"].strip(),
        exit_code=int(code) if re.fullmatch(r"-?\d{1,9}", code, re.ASCII) else None,
        stdout=_stream(streams.get("stdout", "")),
        stderr=_stream(streams.get("stderr", "")),
        ref=ref,
        timestamp=timestamp,
    )


def _stream(text: str) -> str:
    text = text.replace("</system-reminder>", "").rstrip("\n")
    return text


def replaced_by_hook(call: ShellCall) -> bool:
    """Whether the call's own output is the placeholder of the hook."""
    return any(_NOOP in output.text for output in call.outputs) or _NOOP in call.command


def apply_hook(call: ShellCall, execution: HookExecution) -> ShellCall:
    """The call as it really went: command, exit status and output of the hook's run."""
    outputs = tuple(
        Output(text, _completeness(text), execution.ref, "result", execution.timestamp)
        for text in (execution.stdout, execution.stderr)
        if text
    )
    code = execution.exit_code
    return replace(
        call,
        command=execution.command or call.command,
        cwd=execution.cwd or call.cwd,
        state=CallState.EXECUTED,
        exit_code=code,
        failed=None if code is None else code != 0,
        ended_at=execution.timestamp or call.ended_at,
        outputs=outputs,
        state_text="executed by a hook",
    )


def _completeness(text: str) -> Completeness:
    # Which end the hook kept is not documented, so a full-length piece proves neither.
    return Completeness.UNKNOWN if len(text) >= _LIMIT else Completeness.FULL
