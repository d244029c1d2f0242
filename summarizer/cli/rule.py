"""`trace-recorder rule`: the rule table, or one rule explained."""

from __future__ import annotations

import click

from summarizer.cli.exits import write_out
from summarizer.errors import InputError


@click.command("rule")
@click.argument("code", required=False)
def command(code: str | None) -> int:
    """Print the rule table, or explain the rule with CODE (or name)."""
    from validators import RETIRED_CODES, RULES, explain_rule, rules_table_markdown

    if code is None:
        write_out(rules_table_markdown() + "\n")
        return 0
    wanted = code.upper()
    rule = next((r for r in RULES if wanted == r.code or code == r.name), None)
    if rule is None:
        retired = " (retired)" if wanted in RETIRED_CODES else ""
        raise InputError(f"no rule {code!r}{retired}; `trace-recorder rule` lists all")
    write_out(explain_rule(rule.code) + "\n")
    return 0
