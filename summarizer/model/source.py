"""Where a text came from; must not know any file format."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Completeness(str, Enum):
    """How much of an output the text at hand still holds."""

    FULL = "full"
    """Everything that was printed."""
    HEAD = "head"
    """The beginning; the end is lost."""
    TAIL = "tail"
    """The end; the beginning is lost."""
    HEAD_TAIL = "head_tail"
    """The beginning and the real end; the middle is lost."""
    PREVIEW = "preview"
    """A short beginning shown in place of an output that is stored elsewhere."""
    UNKNOWN = "unknown"
    """Nothing says how much is missing."""

    @property
    def has_end(self) -> bool:
        """Whether the last characters of the output are really its end."""
        return self in {Completeness.FULL, Completeness.TAIL, Completeness.HEAD_TAIL}


@dataclass(frozen=True, slots=True)
class SourceRef:
    """One record of one raw file."""

    path: str
    """The file, as it was opened."""
    record: int
    """1-based number of the record (JSONL: line; whole-file sources: 1)."""
    byte_start: int | None
    """Offset of the record's first byte in the raw file; None where a store has none."""
    byte_end: int | None
    """Offset after the record's last byte (half-open)."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file that was read, for provenance."""

    path: str
    kind: str
    """`transcript`, `subagent`, `side_file`, `eval_log`, `performance`, `performance_log`,
    `cases`, `cases_backup`, `model`, `trace`."""
    sha256: str
    """Hex digest of the bytes that were read (the snapshot, not a later state)."""
    bytes: int


@dataclass(frozen=True, slots=True)
class ReadIssue:
    """Something in a source that was not understood or not there; counted, never silent."""

    kind: str
    """Short stable word: `bad_json`, `not_an_object`, `torn_last_line`, `unknown_type`,
    `missing_side_file`, `missing_subagent`, `decoded_leniently`, `still_growing`, ..."""
    path: str
    record: int | None
    """1-based record of the first occurrence; None when it concerns the whole file."""
    message: str
    count: int = 1
