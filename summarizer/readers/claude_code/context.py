"""State that the parts of the reader share while one session is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from summarizer.model.source import SourceFile, SourceRef
from summarizer.readers.claude_code.files import SideText, read_side_file
from summarizer.readers.issues import IssueLog


class Request(NamedTuple):
    """A tool call as the agent asked for it."""

    call_id: str
    name: str
    input: dict[str, Any]
    ref: SourceRef
    timestamp: str | None
    cwd: str | None
    agent_id: str | None

    def text(self, *keys: str) -> str:
        """The first of these inputs that is a string, else an empty string."""
        for key in keys:
            value = self.input.get(key)
            if isinstance(value, str):
                return value
        return ""


@dataclass(slots=True)
class Context:
    """What has been learnt so far."""

    issues: IssueLog
    session_ids: dict[str, None] = field(default_factory=dict)
    """In order of appearance."""
    side_sources: dict[str, SourceFile] = field(default_factory=dict)
    """Side files that were read, by path."""
    _side_files: dict[tuple[str, str], SideText | None] = field(default_factory=dict)

    def side_file(self, recorded: str, transcript: str) -> SideText | None:
        """Reads a side file and remembers it as a source; None when it is not there."""
        key = (recorded, transcript)
        if key in self._side_files:
            return self._side_files[key]
        read = read_side_file(recorded, transcript, tuple(self.session_ids))
        self._side_files[key] = read
        if read is not None:
            self.side_sources[read.source.path] = read.source
        return read
