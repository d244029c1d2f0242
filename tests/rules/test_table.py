"""The rule table as people read it."""

from __future__ import annotations

import pytest

from validators import RULES, Rule, explain_rule, rules_table_markdown


def test_each_rule_is_one_row() -> None:
    """The table has a header, a rule and one row per code, in order, all five columns wide."""
    lines = rules_table_markdown().split("\n")
    assert len(lines) == len(RULES) + 2
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:]] == [r.code for r in RULES]
    assert all(line.replace("\\|", "").count("|") == 6 for line in lines)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_each_rule_is_explained(rule: Rule) -> None:
    """An explanation has a first sentence, a reason and both examples."""
    text = explain_rule(rule.code)
    assert rule.explanation.count("\n\n") >= 1, "what it flags, then why it matters"
    assert rule.explanation.split("\n\n")[0].endswith(".")
    assert rule.bad
    assert rule.good
    assert rule.bad != rule.good
    assert text.startswith(f"# {rule.code} {rule.name}\n")
    for line in (*rule.bad.split("\n"), *rule.good.split("\n")):
        assert f"    {line}" in text


def test_an_unknown_code_has_no_explanation() -> None:
    """The caller decides how to say that there is no such rule."""
    with pytest.raises(KeyError):
        explain_rule("Z999")
