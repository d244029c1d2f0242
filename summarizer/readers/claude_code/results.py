"""Turns one tool result into state, exit status and output; knows no particular session.

Source: `message.content[]` blocks of type `tool_result` and the record's `toolUseResult`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from summarizer.model.events import CallState
from summarizer.model.source import SourceRef
from summarizer.readers.claude_code.truncation import parse_version

EXIT_CODE = re.compile(r"\AExit code (-?\d{1,10})(?:\n|\Z)")
TIMED_OUT = re.compile(r"\A(?:Error: )?Command timed out after [^\n]{1,60}(?:\n|\Z)")
NO_OUTPUT = "(Bash completed with no output)"
_KILLED_BY_TIMEOUT = frozenset({124, 137, 143})
BACKGROUND = re.compile(
    r"\A(?:Command running in background with ID: (\S+?)|"
    r"Command was manually backgrounded by user with ID: (\S+?))"
    r"\.?(?: Output is being written to: (\S+?)\.?(?: [^\n]*)?)?\s*\Z"
)
_REFUSED_BY_USER = re.compile(
    r"\AThe user doesn't want to (?:proceed with this tool use|take this action right now)"
)
_REFUSED = re.compile(
    r"\A(?:Claude requested permissions? to |Permission to use .{1,200} has been denied|"
    r"Permission for this action has been denied|"
    r"This (?:Bash )?command (?:contains multiple operations|uses .{1,80} that require|"
    r"requires? approval)|"
    r"Command contains .{0,60}(?:substitution|redirection|newline|metacharacter|expansion)|"
    r"[^\n]{1,300} was blocked\. For security, Claude Code |"
    r"(?:Hook )?PreToolUse:\w+ (?:hook (?:error|returned|blocked|stopped)|denied|\[)|"
    r"(?:Hook )?PreToolUse:\w+ [^\n]{0,200}(?:denied|blocked))"
)
_INTERRUPTED = re.compile(r"\A\[Request interrupted by user(?: for tool use)?\]")
_INVALID = re.compile(r"\A<tool_use_error>(.*?)(?:</tool_use_error>\s*)?\Z", re.DOTALL)
_CWD_NOTE = re.compile(r"(?:\A|\n)Shell cwd was reset to [^\n]*")


class RawResult(NamedTuple):
    """One `tool_result` block with what its record says about it."""

    text: str
    is_error: bool | None
    data: Any
    """`toolUseResult`, when the record holds one result; else None."""
    ref: SourceRef
    timestamp: str | None
    version: str | None
    denied: bool = False
    """The record names the kind of a denial."""
    headless: bool = False
    """Nobody can answer a permission prompt: a "rejection" is an interrupt."""
    images: int = 0

    @property
    def fields(self) -> dict[str, Any]:
        """`toolUseResult` as an object; empty when it is a string, a list or missing."""
        return self.data if isinstance(self.data, dict) else {}


class Status(NamedTuple):
    """What a result says about its call."""

    state: CallState
    exit_code: int | None = None
    failed: bool | None = None
    timed_out: bool = False
    state_text: str = ""
    prefix: int = 0
    """Characters at the start of the result's text that are words of the client."""


def block_text(content: object) -> str:
    """The text of a `content` value: a string, or a list of blocks whose texts are joined."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return ""
    texts = []
    for block in content:
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict) and isinstance(block.get("text"), str):
            texts.append(block["text"])
    return "\n".join(texts)


def count_images(content: object) -> int:
    """How many image blocks a `content` list holds."""
    if not isinstance(content, list):
        return 0
    return sum(isinstance(block, dict) and block.get("type") == "image" for block in content)


def not_run_status(result: RawResult) -> Status | None:
    """The status of a call that was refused, invalid or cut off; None when it ran its course."""
    text = result.text
    if result.fields.get("interrupted") is True:
        return Status(CallState.ABORTED, state_text="interrupted")
    if not result.is_error and not result.denied:
        return None
    if _INTERRUPTED.match(text):
        return Status(CallState.ABORTED, state_text=text, prefix=len(text))
    if _REFUSED_BY_USER.match(text):
        cut_off = result.headless and not result.denied
        state = CallState.ABORTED if cut_off else CallState.REFUSED
        return Status(state, state_text=text, prefix=len(text))
    if result.denied or _REFUSED.match(text):
        return Status(CallState.REFUSED, state_text=text, prefix=len(text))
    invalid = _INVALID.match(text)
    if invalid:
        return Status(CallState.INVALID, state_text=invalid[1], prefix=len(text))
    return None


def shell_status(result: RawResult) -> Status:
    """The status of a shell command."""
    status = not_run_status(result)
    if status is not None:
        return status
    if result.is_error:
        return _failed_status(result.text)
    if result.fields.get("backgroundTaskId") or is_background_sentence(result):
        return Status(CallState.BACKGROUNDED, prefix=len(result.text))
    meaning = result.fields.get("returnCodeInterpretation")
    if isinstance(meaning, str) and meaning:
        # Non-zero by the convention of grep-like tools; the number is not recorded.
        return Status(CallState.EXECUTED, failed=False, state_text=meaning)
    reports_codes = bool(result.fields) or parse_version(result.version) >= (2, 0, 20)
    return Status(CallState.EXECUTED, exit_code=0 if reports_codes else None, failed=False)


def is_background_sentence(result: RawResult) -> bool:
    """Whether the text is the client's sentence about a background start.

    Only when there is no structured result: a command can print such a sentence.
    """
    return result.data is None and BACKGROUND.match(result.text) is not None


def _failed_status(text: str) -> Status:
    code = EXIT_CODE.match(text)
    prefix = code.end() if code else 0
    number = int(code[1]) if code else None
    timeout = TIMED_OUT.match(text[prefix : prefix + 200])
    if timeout and (number is None or number in _KILLED_BY_TIMEOUT):
        return Status(
            CallState.ABORTED,
            failed=True,
            timed_out=True,
            state_text=timeout[0].strip(),
            prefix=prefix + timeout.end(),
        )
    return Status(CallState.EXECUTED, exit_code=number, failed=True, prefix=prefix)


def printed_text(result: RawResult) -> str:
    """What a succeeding command printed: `stdout`, and `stderr` without the client's notes."""
    stdout = result.fields.get("stdout")
    if not isinstance(stdout, str):
        text = "" if result.text == NO_OUTPUT else result.text
        return _CWD_NOTE.sub("", text) if text.endswith(_last_note(text)) else text
    stderr = result.fields.get("stderr")
    if not stderr or not isinstance(stderr, str):
        return stdout
    rest = _CWD_NOTE.sub("", stderr).strip("\n")
    return f"{stdout}\n{rest}" if rest and stdout else stdout or rest


def _last_note(text: str) -> str:
    """The client's note on the last line of a text, or a text that cannot be there."""
    last = text[text.rfind("\n") + 1 :]
    return last if last.startswith("Shell cwd was reset to ") else "\0\0"
