"""The runner: selection, isolation of a crash, suppression, order, counting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from summarizer.errors import InputError
from summarizer.model.finding import Location, Severity
from validators import RETIRED_CODES, RULES, CheckContext, Fix, Rule, run_rules
from validators.rule import CLAIM_KINDS, Flag

TWO_FAULTS = ("evaluate_ascendc.sh 执行次数: 4", "evaluate_ascendc.sh 执行次数: 3")


@pytest.fixture(name="faulty")
def _faulty(frozen: Callable[[str], Any], make_context: Callable[..., CheckContext]) -> Any:
    """A context of a trace with a wrong run count and a wrong latency unit."""
    session = frozen("elu")
    text = session.trace.replace(*TWO_FAULTS).replace("repeat=50", "repeat=10")
    return lambda changed=text: make_context(changed, session)


def _codes(report: Any) -> list[str]:
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ((), (), ["N201", "N208"]),
        (("N201",), (), ["N201"]),
        (("N",), ("N201",), ["N208"]),
        (("wrong-run-count",), (), ["N201"]),
        (("n208",), (), ["N208"]),
        (("Q",), (), []),
        ((), ("N",), []),
    ],
)
def test_rules_are_selected_by_code_prefix_or_name(
    faulty: Any, select: tuple[str, ...], ignore: tuple[str, ...], expected: list[str]
) -> None:
    """`select` narrows, `ignore` takes away, both by code, prefix or name."""
    assert _codes(run_rules(faulty(), select=select, ignore=ignore)) == expected


@pytest.mark.parametrize("wanted", ["Z9", "", "wrong"])
def test_an_unknown_code_is_an_input_error(faulty: Any, wanted: str) -> None:
    """A misspelt code must not silently select nothing."""
    with pytest.raises(InputError, match="no rule"):
        run_rules(faulty(), select=(wanted,))


def _crash(context: CheckContext) -> Iterator[Flag]:
    yield Flag("seen before the crash", Location(2))
    raise ZeroDivisionError("boom")


def _fine(context: CheckContext) -> Iterator[Flag]:
    yield Flag("later", Location(5, 3))
    yield Flag("earlier", Location(1))
    yield Flag("earlier", Location(1))


def _rule(code: str, check: Callable[[CheckContext], Iterator[Flag]]) -> Rule:
    return Rule(code, f"rule-{code.lower()}", Severity.INFO, Fix.NONE, "", "", "", check)


CRASHED = next(rule for rule in RULES if rule.code == "X901")


def test_a_crash_is_an_error_and_stops_no_other_rule(faulty: Any) -> None:
    """A rule that raises yields X901 with its name; what it had found stays, others run."""
    rules = (_rule("A1", _crash), _rule("B2", _fine), CRASHED)
    report = run_rules(faulty(), rules=rules)
    assert sorted(_codes(report)) == ["A1", "B2", "B2", "X901"]
    crash = next(finding for finding in report.findings if finding.code == "X901")
    assert crash.severity is Severity.ERROR
    assert "A1" in crash.message
    assert "ZeroDivisionError: boom" in crash.message


def test_a_crash_can_be_ignored_only_by_name(faulty: Any) -> None:
    """Selecting another family does not hide that a selected rule crashed."""
    rules = (_rule("A1", _crash), CRASHED)
    assert "X901" in _codes(run_rules(faulty(), rules=rules, select=("A1",)))
    assert "X901" not in _codes(run_rules(faulty(), rules=rules, ignore=("X901",)))


def test_findings_are_sorted_and_equal_ones_merged(faulty: Any) -> None:
    """Findings come by place; the same finding twice is one."""
    report = run_rules(faulty(), rules=(_rule("B2", _fine),))
    assert [(f.location.line, f.message) for f in report.findings] == [(1, "earlier"), (5, "later")]


def test_a_comment_suppresses_its_codes_on_its_line(faulty: Any) -> None:
    """A suppressed finding is kept apart, not lost; other codes on the line stay."""
    text = faulty().doc.text
    comment = " <!-- trace-recorder: ignore N201 counted by hand -->"
    hidden = text.replace(TWO_FAULTS[1], TWO_FAULTS[1] + comment)
    report = run_rules(faulty(hidden))
    assert _codes(report) == ["N208"]
    assert [finding.code for finding in report.suppressed] == ["N201"]
    other = text.replace(TWO_FAULTS[1], TWO_FAULTS[1] + comment.replace("N201", "N202"))
    assert _codes(run_rules(faulty(other))) == ["N201", "N208"]


def test_a_claim_is_counted_once(faulty: Any) -> None:
    """Counts are per claim, in a fixed order of kinds, and do not depend on other rules."""
    report = run_rules(faulty())
    assert tuple(report.checked) == CLAIM_KINDS
    again = run_rules(faulty())
    assert dict(again.checked) == dict(report.checked)
    assert report.checked["quotations verified"] > 10
    assert report.checked["numbers recomputed"] > 60
    assert report.checked["cannot be checked"] == 0


def test_the_table_is_sound() -> None:
    """Codes are unique, ordered, of a known family, and none is a retired one."""
    codes = [rule.code for rule in RULES]
    assert codes == sorted(codes)
    assert len(set(codes)) == len(codes)
    assert len({rule.name for rule in RULES}) == len(codes)
    assert all(code[0] in "QNCSDPX" and code[1:].isdigit() for code in codes)
    assert not RETIRED_CODES & set(codes)
