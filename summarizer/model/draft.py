"""Prose of a trace before it is rendered: what a drafter may state.

A drafter words statements; numbers, outcomes and quotations come from the facts through the
fields of the facts, never from here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence or clause with the evidence it rests on."""

    text: str
    """Inline Markdown on one line: foreign text is escaped, code fragments stand in code spans
    and are verbatim source text."""
    evidence: tuple[str, ...] = ()
    """Evidence ids."""
    presumed: bool = False
    """A presumable cause: the text carries the mark 推测."""


@dataclass(frozen=True, slots=True)
class RoundNote:
    """What the agent did in one round."""

    stage: str
    round_no: int
    """1-based; 0 for what happened before the first round or was never evaluated."""
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class DriftNote:
    """One drift point (走偏点)."""

    stage: str
    round_no: int | None
    kind: str
    """`reverted`, `worse`, `ineffective`, `repeated_run`, `failed_edit`, `not_started`,
    `contradicted_claim`, `degeneration`, `unverified_change`."""
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """All prose of one trace."""

    rounds: tuple[RoundNote, ...]
    drift: tuple[DriftNote, ...]
    drafter: str
    """`offline` or the model's name."""
