"""The rules that hold a trace.md to its sources: `run_rules(CheckContext(doc, facts, evidence))`.

One table (`registry.RULES`) of stable codes; pure functions from a parsed trace and the evidence
to findings. No model, no file, no network. Must not know how facts are derived or how a trace is
rendered: both arrive as arguments.
"""

from __future__ import annotations

from validators.registry import RETIRED_CODES, RULES
from validators.rule import UNCHECKED, CheckContext, Fix, Rule, RuleReport
from validators.runner import run_rules
from validators.table import explain_rule, rules_table_markdown

__all__ = [
    "RETIRED_CODES",
    "RULES",
    "UNCHECKED",
    "CheckContext",
    "Fix",
    "Rule",
    "RuleReport",
    "explain_rule",
    "rules_table_markdown",
    "run_rules",
]
