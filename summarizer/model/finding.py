"""Findings of rules; must not know which rule made them or how they are printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(str, Enum):
    """error: must not be published; warning: published, reader told; info: for the log."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the checked trace."""

    line: int
    """1-based line of the user's file."""
    column: int = 1
    """1-based, in characters."""
    end_line: int | None = None
    end_column: int | None = None
    """Exclusive end; None when the finding concerns the line."""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where in the evidence the truth stands."""

    path: str
    record: int
    byte_start: int | None = None
    byte_end: int | None = None
    evidence_id: str | None = None
    stage: str | None = None
    round_no: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a rule."""

    code: str
    rule: str
    """The rule's name."""
    severity: Severity
    message: str
    """One phrase; names what is wrong with `!r`-quoted identifiers."""
    location: Location
    expected: str | None = None
    """What the evidence says."""
    actual: str | None = None
    """What the trace says."""
    source: SourcePlace | None = None
    diff: str | None = None
    """Token diff for altered quotations: `-removed-` and `+added+` in running text."""
    notes: tuple[str, ...] = ()
    replacement: str | None = None
    """What the text between the location's ends should be; None when only a person can say."""
