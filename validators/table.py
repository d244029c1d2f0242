"""Words the rule table for people; must not know what a rule does."""

from __future__ import annotations

from validators.registry import RULES
from validators.rule import Rule


def rules_table_markdown() -> str:
    """Return the table of all rules, one row each, ordered by code."""
    rows = ["| Code | Name | Severity | Fix | Flags |", "| --- | --- | --- | --- | --- |"]
    rows += [
        f"| {rule.code} | `{rule.name}` | {rule.severity.value} | {rule.fix.value} |"
        f" {_first_sentence(rule)} |"
        for rule in RULES
    ]
    return "\n".join(rows)


def _first_sentence(rule: Rule) -> str:
    text = " ".join(rule.explanation.split("\n\n", 1)[0].split())
    return text.replace("|", "\\|")


def explain_rule(code: str) -> str:
    """Return what a rule flags and why, with an example of each kind, as Markdown.

    Raises:
        KeyError: no such code.
    """
    rule = next((rule for rule in RULES if rule.code == code), None)
    if rule is None:
        raise KeyError(code)
    parts = [
        f"# {rule.code} {rule.name}",
        f"Severity: {rule.severity.value}. Fix: {rule.fix.value}.",
        rule.explanation,
        f"Bad:\n\n{_indented(rule.bad)}",
        f"Good:\n\n{_indented(rule.good)}",
    ]
    return "\n\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.split("\n"))
