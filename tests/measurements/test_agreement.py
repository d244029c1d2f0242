"""A stored report against the printed one of the same run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from summarizer.measurements import agree, parse_performance, read_performance_json
from summarizer.model.reports import PerformanceReport
from summarizer.model.source import Completeness

FIXTURES = Path(__file__).parent / "fixtures"


def printed(name: str) -> PerformanceReport:
    text = (FIXTURES / "printed" / name / "input.txt").read_bytes().decode("utf-8")
    return parse_performance(text, completeness=Completeness.FULL)[0]


def stored(name: str) -> PerformanceReport:
    return read_performance_json(FIXTURES / "json" / name / "input.json")


PAIRS = [
    ("abs", "abs-log-glued-rule"),
    ("abs", "abs-summary"),
    ("P1c", "P1c-tilelang_error"),
    ("P2-fallback", "P2-fallback_ok"),
    ("P2-fallback", "P2-markdown"),
    ("P2-fallback", "P2-tail"),
    ("P3", "P3"),
]


@pytest.mark.parametrize(("file", "output"), PAIRS)
def test_the_same_run_agrees(file: str, output: str) -> None:
    """Rounding in the printed report is no difference."""
    assert agree(stored(file), printed(output)) is None


def test_each_kind_of_difference_is_named() -> None:
    """One changed field gives one line that names it; a change below the digits gives none."""
    mine, theirs = stored("P2-fallback"), printed("P2-fallback_ok")
    assert theirs.reference is not None
    first = theirs.per_case[0]
    for changed, word in (
        (replace(theirs, repeat=50), "repeat"),
        (replace(theirs, operator="5_Other"), "算子"),
        (replace(theirs, overall_reported=0.94), "总体加速比"),
        (replace(theirs, reference=replace(theirs.reference, ok=False)), "reference 状态"),
        (replace(theirs, per_case=theirs.per_case[:2]), "用例数"),
        (replace(theirs, per_case=(replace(first, reference_ms=0.0102), *theirs.per_case[1:])),
         "case[0] reference_ms"),
        (replace(theirs, per_case=(replace(first, ratio_reported=1.07), *theirs.per_case[1:])),
         "case[0] 加速比"),
    ):  # fmt: skip
        difference = agree(mine, changed)
        assert difference is not None
        assert word in difference
        assert "\n" not in difference
    assert agree(mine, replace(theirs, overall_reported=0.935)) is None


def test_every_difference_is_told() -> None:
    """All differences are listed; a long list ends with the number of those left out."""
    mine, theirs = stored("P2-fallback"), printed("P2-fallback_ok")
    two = agree(mine, replace(theirs, repeat=50, warmup=49))
    assert two is not None
    assert two.count("不一致") == 2
    cases = tuple(replace(case, reference_ms=7.0, ascendc_ms=7.0) for case in theirs.per_case)
    many = agree(mine, replace(theirs, repeat=50, warmup=49, seed=9, device="x", per_case=cases))
    assert many is not None
    left = 2 * len(cases) + 4 - 8
    assert many.endswith(f"另有 {left} 处不一致")
