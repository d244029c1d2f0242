"""What is collected while the records of a session go by; the handlers write, `finish` reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from summarizer.model.events import Event
from summarizer.model.source import SourceRef
from summarizer.readers.claude_code.background import Background
from summarizer.readers.claude_code.context import Context, Request
from summarizer.readers.claude_code.files import AgentFile
from summarizer.readers.claude_code.hooks import HookExecution
from summarizer.readers.claude_code.lines import JsonObject
from summarizer.readers.claude_code.tally import Tally

Slot = Event | Request
"""An event, or a call whose result has not come yet."""


class Open(NamedTuple):
    """A call that waits for its result: where its event will stand."""

    request: Request
    stream: list[Slot]
    place: int
    """Index in the stream."""


class Progress(NamedTuple):
    """A sub-agent's record that was repeated inside the parent's file."""

    agent_id: str
    call_id: str | None
    record: JsonObject
    ref: SourceRef


class Envelope(NamedTuple):
    """What every record says about itself."""

    value: JsonObject
    ref: SourceRef
    timestamp: str | None
    agent_id: str | None
    """None for the main agent."""


def string(value: object) -> str | None:
    """The value when it is a string."""
    return value if isinstance(value, str) else None


@dataclass(slots=True)
class Walk:
    """The state of one reading."""

    context: Context
    tally: Tally = field(default_factory=Tally)
    main: list[Slot] = field(default_factory=list)
    agents: dict[str, list[Slot]] = field(default_factory=dict)
    """Streams of sub-agents with a file of their own, by agent id."""
    agent_calls: dict[str, str] = field(default_factory=dict)
    """Agent id -> call that started it, where a record or meta file says so."""
    prompts: dict[str, str] = field(default_factory=dict)
    """Agent id -> its first prompt."""
    inline_agents: dict[str, None] = field(default_factory=dict)
    """Ids of sub-agents whose records stand in a main file."""
    open: dict[str, Open] = field(default_factory=dict)
    """Calls without a result so far, by the id that the result will name."""
    calls: dict[str, str | None] = field(default_factory=dict)
    """Every call id seen -> timestamp of its request."""
    results: dict[str, str | None] = field(default_factory=dict)
    """Every call id answered -> timestamp of the result."""
    tasks: dict[str, str] = field(default_factory=dict)
    """Call id -> background task id."""
    recent: list[str] = field(default_factory=list)
    """Ids of the calls since the last interrupt."""
    interrupted: dict[str, str] = field(default_factory=dict)
    """Call id -> the interrupt's words, for calls that were open then."""
    hooks: list[tuple[HookExecution, str | None]] = field(default_factory=list)
    """Executions by a hook with the call id, where the record names it."""
    progress: list[Progress] = field(default_factory=list)
    user_shell: tuple[list[Slot], int] | None = None
    """Where the last command that the user typed stands, until its output came."""
    last: tuple[str, SourceRef] | None = None
    """Kind and place of the main agent's last step: `call`, `result`, `prompt`, `answer`,
    `note`."""
    session: str | None = None
    """Session id of the latest record that named one."""
    repeating: bool = False
    """The records are second copies (`progress`): any known call id is a repetition."""
    background: Background = field(init=False)
    _stream: list[Slot] = field(init=False)
    _file_agent: str | None = None
    _records: set[str] = field(default_factory=set)
    _texts: set[tuple[str, str, int]] = field(default_factory=set)
    _notices: set[tuple[str, str]] = field(default_factory=set)
    _chain: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.background = Background(self.context)
        self._stream = self.main

    def begin_file(self, path: Path) -> None:
        """The next records are those of a session file."""
        self._stream, self._file_agent = self.main, None

    def begin_agent(self, agent: AgentFile) -> None:
        """The next records are those of a sub-agent's file."""
        self.begin_stream(agent.agent_id)
        if agent.tool_use_id:
            self.agent_calls.setdefault(agent.agent_id, agent.tool_use_id)

    def begin_stream(self, agent_id: str) -> None:
        """The next records are those of this sub-agent."""
        self._file_agent = agent_id
        self._stream = self.agents.setdefault(agent_id, [])

    def emit(self, event: Slot) -> tuple[list[Slot], int]:
        """Adds an event; returns where it stands."""
        self._stream.append(event)
        return self._stream, len(self._stream) - 1

    def unknown(self, what: str, name: str, ref: SourceRef) -> None:
        """Counts a name that this reader does not know."""
        self.context.issues.add(
            "unknown_type",
            ref.path,
            ref.record,
            f"{what} {name[:80]!r} is not known",
            detail=f"{what} {name[:80]}",
        )

    def note_last(self, kind: str, envelope: Envelope) -> None:
        """Remembers the main agent's last step."""
        if envelope.agent_id is None:
            self.last = (kind, envelope.ref)

    def is_replay(self, value: JsonObject) -> bool:
        """Whether a record was seen before: same id, or a fork of one that was."""
        uuid = value.get("uuid")
        if not isinstance(uuid, str) or not uuid:
            return False
        if uuid in self._records:
            return True
        origin = value.get("forkedFrom")
        if isinstance(origin, dict):
            source = origin.get("messageUuid")
            if isinstance(source, str) and source in self._records:
                return True
        self._records.add(uuid)
        return False

    def is_new_text(self, kind: str, envelope: Envelope, text: str) -> bool:
        """False for a text that was replayed under another record id (same time, same words)."""
        if envelope.timestamp is None:
            return True
        key = (envelope.timestamp, kind, hash(text))
        if key in self._texts:
            self.note_replay(envelope.ref)
            return False
        self._texts.add(key)
        return True

    def note_replay(self, ref: SourceRef) -> None:
        """Counts a record that stands elsewhere too; copies by design are not counted."""
        if not self.repeating:
            self.context.issues.add(
                "replayed", ref.path, ref.record, "records that stand elsewhere too; counted once"
            )

    def is_new_notice(self, notice: tuple[str, str] | None) -> bool:
        """False for a notification that was written before."""
        if notice is None:
            return True
        if notice in self._notices:
            return False
        self._notices.add(notice)
        return True

    def agent_of(self, value: JsonObject) -> str | None:
        """Whose record it is; None for the main agent."""
        if self._file_agent is not None:
            return self._file_agent
        if value.get("isSidechain") is not True:
            return None
        own, uuid, parent = value.get("agentId"), value.get("uuid"), value.get("parentUuid")
        if isinstance(own, str) and own:
            agent_id = own
        elif isinstance(parent, str) and parent in self._chain:
            agent_id = self._chain[parent]
        else:
            agent_id = f"sidechain-{uuid[:8]}" if isinstance(uuid, str) else "sidechain"
        if isinstance(uuid, str):
            self._chain[uuid] = agent_id
        self.inline_agents.setdefault(agent_id)
        return agent_id
