"""The values that the modules of this package exchange; must not know any format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from summarizer.model.reports import Outcome, TextLine
from summarizer.text.lines import Line

EvalKind = Literal["tilelang", "ascendc"]


@dataclass(frozen=True, slots=True)
class RunText:
    """The part of an output that belongs to one evaluator invocation."""

    lines: tuple[Line, ...]
    kind: EvalKind | None
    """As its first line or its report title says."""
    started: bool
    """Whether the first line of the script (or of its wrapper) is in the text."""
    exit_code: int | None = None
    """Of this invocation: from the wrapper's last line, else the command's for the last run."""
    timed_out: bool = False
    has_end: bool = True
    """Whether the output is known to go on until the invocation's end."""
    preamble: tuple[Line, ...] = ()
    """What stands above the first invocation of the output; empty for later ones."""


class Judgement(NamedTuple):
    """What one format's module makes of a run."""

    outcome: Outcome
    reason: str
    """Stable word, see `EvalReport.reason`."""
    error_lines: tuple[TextLine, ...] = ()
    result_lines: tuple[TextLine, ...] = ()
    case_lines: tuple[TextLine, ...] = ()
    cases_passed: int | None = None
    cases_total: int | None = None
    failed_cases: tuple[int, ...] = ()
    kind: EvalKind | None = None
    operator: str | None = None
    task_dir: str | None = None
    device: str | None = None
