"""Every rule by its cases: a bad and an ok one each, with exactly the expected codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from summarizer.model.finding import Finding
from validators import RETIRED_CODES, RULES, CheckContext, run_rules

HERE = Path(__file__).parent
GOLDEN = HERE / "findings.golden.txt"
CASES = HERE / "cases"

NOT_BY_A_TRACE = {"X901"}
"""Rules that no trace can trigger; `test_runner.py` covers them."""


def test_a_case_gives_exactly_its_codes(
    rule_case: Any, make_context: Callable[..., CheckContext]
) -> None:
    """A case yields the codes in its header, one per finding, and no others."""
    report = run_rules(make_context(rule_case.text, rule_case.session))
    found = sorted(finding.code for finding in report.findings)
    assert found == sorted(rule_case.expect), _shown(report.findings)


def test_a_case_is_about_its_rule(rule_case: Any) -> None:
    """A bad case expects the code of its folder, an ok case does not."""
    code, kind = rule_case.path.parent.name, rule_case.path.stem.split("-", 1)[0]
    assert kind in {"bad", "ok"}
    assert (code in rule_case.expect) == (kind == "bad")


def test_every_rule_has_a_bad_and_an_ok_case() -> None:
    """A rule without both kinds of case cannot be trusted."""
    for rule in RULES:
        kinds = {path.stem.split("-", 1)[0] for path in (CASES / rule.code).glob("*.md")}
        assert kinds == {"bad", "ok"} or rule.code in NOT_BY_A_TRACE, rule.code


def test_no_case_is_of_an_unknown_or_retired_code() -> None:
    """A folder of cases belongs to a rule of the table."""
    codes = {rule.code for rule in RULES}
    folders = {path.name for path in CASES.iterdir()}
    assert folders <= codes
    assert not folders & RETIRED_CODES


def test_findings_read_as_in_the_golden(
    make_context: Callable[..., CheckContext], all_cases: list[Any], update_golden: bool
) -> None:
    """Places, messages, expected and actual text of all bad cases are as reviewed."""
    lines = []
    for case in all_cases:
        if case.path.stem.startswith("bad"):
            report = run_rules(make_context(case.text, case.session))
            lines.append(f"== {case.path.parent.name}/{case.path.stem}")
            lines.extend(_shown(report.findings))
    text = "\n".join(lines) + "\n"
    if update_golden:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def _shown(findings: tuple[Finding, ...]) -> list[str]:
    lines = []
    for finding in findings:
        place = f"{finding.location.line}:{finding.location.column}"
        lines.append(f"{place} {finding.severity.value} {finding.code} {finding.message}")
        for name in ("expected", "actual", "diff"):
            value = getattr(finding, name)
            if value is not None:
                lines.append(f"    {name}: {value}")
        if finding.source is not None:
            lines.append(f"    source: {finding.source.evidence_id}")
        lines.extend(f"    note: {note}" for note in finding.notes)
    return lines
