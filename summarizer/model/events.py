"""Typed steps of one agent session, the same for every client.

Readers produce them, facts consume them. Events hold what the client recorded; they hold no
verdict. A tool call and its result are one event, placed where the call stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypeAlias

from summarizer.model.source import Completeness, ReadIssue, SourceFile, SourceRef


class CallState(str, Enum):
    """What became of a requested tool call."""

    EXECUTED = "executed"
    BACKGROUNDED = "backgrounded"
    """Started; the client did not wait for its end (see `ShellCall.finished`)."""
    REFUSED = "refused"
    """By the user, a permission rule or a hook, before it ran."""
    INVALID = "invalid"
    """Rejected by the tool: bad arguments, text to replace not found, file not read yet."""
    ABORTED = "aborted"
    """Started and cut off: interrupt or timeout."""
    NO_RESULT = "no_result"
    """The transcript holds no result."""


@dataclass(frozen=True, slots=True)
class Output:
    """A piece of text that a tool printed, as far as it is still there."""

    text: str
    """Decoded text without the client's own frame ("Exit code 1", persisted-output tags,
    system reminders, line-number prefixes of a Read where the raw content is at hand)."""
    completeness: Completeness
    source: SourceRef
    """The record (or the side file) the text was taken from."""
    via: str = "result"
    """How it was obtained: `result`, `side_file`, `poll`, `notification`, `read`."""
    timestamp: str | None = None
    """When this piece became visible, as recorded."""


@dataclass(frozen=True, slots=True)
class UserMessage:
    """Something the user typed (injected text is `InjectedText`)."""

    ref: SourceRef
    timestamp: str | None
    text: str
    agent_id: str | None = None
    event: Literal["user_message"] = "user_message"


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """Prose of the model: a claim, never evidence."""

    ref: SourceRef
    timestamp: str | None
    text: str
    model: str | None = None
    agent_id: str | None = None
    """None for the main agent, else the sub-agent's id."""
    event: Literal["assistant_message"] = "assistant_message"


@dataclass(frozen=True, slots=True)
class InjectedText:
    """Text of the harness in the user's role: reminders, compaction summaries, hook output.

    Never a witness, except hook output that replaced a command (kind `hook_execution`).
    """

    ref: SourceRef
    timestamp: str | None
    text: str
    kind: str
    """`reminder`, `compaction_summary`, `command`, `hook`, `hook_execution`, `prompt_of_subagent`,
    `api_error`, `interrupt`, `other`."""
    agent_id: str | None = None
    event: Literal["injected_text"] = "injected_text"


@dataclass(frozen=True, slots=True)
class ShellCall:
    """One shell command: request, what became of it, and everything it printed."""

    call_id: str
    ref: SourceRef
    timestamp: str | None
    command: str
    state: CallState
    cwd: str | None = None
    """Working directory the record names."""
    description: str | None = None
    result_ref: SourceRef | None = None
    ended_at: str | None = None
    """When the end became known; None while it is not."""
    exit_code: int | None = None
    """The number, where the client recorded one; never derived from silence."""
    failed: bool | None = None
    """True: failed; False: the client reported success; None: unknown."""
    timed_out: bool = False
    finished: bool | None = None
    """For backgrounded calls: True once an end was recorded, False while running, None unknown."""
    outputs: tuple[Output, ...] = ()
    """In order of appearance; several for background runs."""
    state_text: str = ""
    """The client's own words for a refusal, an invalid call or an abort."""
    agent_id: str | None = None
    by_user: bool = False
    event: Literal["shell_call"] = "shell_call"


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place of a change."""

    old_start: int | None
    """1-based first line in the old file; None when the client gave no place."""
    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """A change that a file tool made (or tried to make); shell changes are in `ShellCall`."""

    call_id: str
    ref: SourceRef
    timestamp: str | None
    path: str
    how: Literal["write", "edit", "multi_edit", "notebook"]
    state: CallState
    """EXECUTED means that the file was changed; INVALID a failed edit, file unchanged."""
    edits: tuple[tuple[str, str, bool], ...] = ()
    """(old text, new text, replace all) as requested, for edits."""
    content: str | None = None
    """The whole new text, for writes."""
    original: str | None = None
    """The whole old text where the client recorded it."""
    hunks: tuple[Hunk, ...] = ()
    """Places as the client recorded them; empty when it did not."""
    created: bool | None = None
    """For writes: whether the file is new; None when unknown."""
    user_modified: bool = False
    result_ref: SourceRef | None = None
    ended_at: str | None = None
    state_text: str = ""
    """The tool's error text for a failed change."""
    agent_id: str | None = None
    event: Literal["file_change"] = "file_change"


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that the agent looked at through the client's read tool."""

    call_id: str
    ref: SourceRef
    timestamp: str | None
    path: str
    state: CallState
    output: Output | None = None
    result_ref: SourceRef | None = None
    ended_at: str | None = None
    agent_id: str | None = None
    event: Literal["file_read"] = "file_read"


@dataclass(frozen=True, slots=True)
class AgentCall:
    """A sub-agent that was started; its own steps are events with its `agent_id`."""

    call_id: str
    ref: SourceRef
    timestamp: str | None
    prompt: str
    state: CallState
    child_agent_id: str | None = None
    """The id its events carry; None when unknown."""
    child_seen: bool = False
    """Whether the sub-agent's own records were found."""
    result_text: str = ""
    """The sub-agent's answer: a claim, not evidence."""
    description: str | None = None
    result_ref: SourceRef | None = None
    ended_at: str | None = None
    agent_id: str | None = None
    event: Literal["agent_call"] = "agent_call"


@dataclass(frozen=True, slots=True)
class OtherCall:
    """Any other tool call; kept so that nothing a tool printed is lost."""

    call_id: str
    ref: SourceRef
    timestamp: str | None
    name: str
    state: CallState
    output: Output | None = None
    result_ref: SourceRef | None = None
    ended_at: str | None = None
    agent_id: str | None = None
    event: Literal["other_call"] = "other_call"


Event: TypeAlias = (
    UserMessage
    | AssistantMessage
    | InjectedText
    | ShellCall
    | FileChange
    | FileRead
    | AgentCall
    | OtherCall
)
"""Any step of a session; `event` tells which."""


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Token totals of one model, each API message counted once."""

    input_tokens: int
    """Fresh input plus cache writes and cache reads."""
    output_tokens: int
    messages: int


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Everything that the readers understood of one session (one or several files)."""

    format: str
    """Key of the reader in `READERS`."""
    client: str
    client_versions: tuple[str, ...]
    session_ids: tuple[str, ...]
    files: tuple[SourceFile, ...]
    events: tuple[Event, ...]
    """In order of execution: file order, sub-agents merged by time."""
    issues: tuple[ReadIssue, ...]
    cwds: tuple[str, ...] = ()
    """Working directories in order of first appearance."""
    usage: Mapping[str, ModelUsage] = field(default_factory=dict)
    """By model name."""
    record_types: Mapping[str, int] = field(default_factory=dict)
    """How many records of each type were seen, understood or not."""
    started_at: str | None = None
    ended_at: str | None = None
    """First and last timestamp of the records (ISO 8601 with offset, as recorded)."""
