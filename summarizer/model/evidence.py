"""Citable source text with a stable id; must not know how it is matched or shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from summarizer.model.source import Completeness, SourceRef


class Witness(str, Enum):
    """What a text may prove (product rule "Witness")."""

    TOOL_OUTPUT = "tool_output"
    """Printed by a tool in this session."""
    EVAL_LOG = "eval_log"
    """An evaluation or performance log file of the output directory."""
    RUN_FILE = "run_file"
    """Read of a file that a run of this session wrote and nobody changed since."""
    PERFORMANCE_FILE = "performance_file"
    """The performance JSON."""
    FILE_CONTENT = "file_content"
    """Read of any other file: proves what the file says, not what a run printed."""
    CHANGE = "change"
    """Text the agent wrote into or removed from a file: proves names and code, no run."""
    COMMAND = "command"
    """A shell command as requested: proves what was asked for."""
    AGENT = "agent"
    """The agent's own words, also a sub-agent's answer."""
    INJECTED = "injected"
    """Reminders, summaries, prompts."""
    FORMER_TRACE = "former_trace"

    @property
    def proves_quotation(self) -> bool:
        """Whether a verbatim match here proves that a tool printed the text."""
        return self in {
            Witness.TOOL_OUTPUT,
            Witness.EVAL_LOG,
            Witness.RUN_FILE,
            Witness.PERFORMANCE_FILE,
        }


@dataclass(frozen=True, slots=True)
class Evidence:
    """One citable text. Quotations never span two of them."""

    id: str
    """Stable within a session: `E` + call id or record, for example `E34`."""
    text: str
    witness: Witness
    completeness: Completeness
    source: SourceRef
    stage: str | None
    """`cases`, `tilelang`, `ascendc`, `performance`, `full_validation`, or None (before all)."""
    round_no: int | None
    """1-based round of that stage in which the text appeared; None before its first round."""
    call_id: str | None = None
    timestamp: str | None = None
    agent_id: str | None = None
