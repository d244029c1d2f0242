"""What is taken from a stored performance report, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from summarizer.facts import MeasuredFiles
from summarizer.measurements import read_performance_json
from summarizer.model.facts import Facts
from tests.builders import Story

Latencies = Sequence[float | None]


def stored(reference: Latencies, ascendc: Latencies, **changes: object) -> dict[str, object]:
    """A P2 report over those latencies, with the ratios that its script would write."""
    sides = {
        name: {
            "ok": True,
            "error": "",
            "case_results": [{"index": i, "latency_ms": ms} for i, ms in enumerate(values)],
        }
        for name, values in (("reference", reference), ("ascendc", ascendc))
    }
    ratios = [
        {"index": i, "reference_ms": one, "ascendc_ms": other, "speedup": one / other}
        for i, (one, other) in enumerate(zip(reference, ascendc, strict=False))
        if one and other
    ]
    overall = sum(r["speedup"] for r in ratios) / len(ratios) if ratios else None
    value = {"op": "31_ELU", "device": "npu", "warmup": 5, "repeats": 50, "seed": 0, **sides}
    return {**value, "per_case_speedup": ratios, "overall_speedup": overall, **changes}


def facts_of(tmp_path: Path, value: dict[str, object]) -> Facts:
    path = tmp_path / "preformance.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    files = MeasuredFiles(json_report=read_performance_json(path), json_path=str(path))
    return Story().derive(measured=files).facts


@pytest.mark.parametrize(
    ("reference", "ascendc", "reason"),
    [
        ([0.2, 0.4, 9.0], [0.1, 0.1], "reference 有 3 个 case 的延迟，ascendc 有 2 个"),
        ([0.2, 0.4], [0.1, None], "reference 有 2 个 case 的延迟，ascendc 有 1 个"),
        ([None, 0.4], [0.1, None], "reference 与 ascendc 测量的 case 不同：case[0]、case[1]"),
        ([0.2, 0.4], [0.0, 0.1], "ascendc 在 case[0] 的延迟不大于 0，不是有效测量"),
        ([0.2, 0.4], [-1.0, -1.0], "ascendc 在 case[0]、case[1] 的延迟不大于 0，不是有效测量"),
        ([0.0, 0.4], [0.1, 0.1], "reference 在 case[0] 的延迟不大于 0，不是有效测量"),
    ],
)
def test_no_ratio_over_other_cases_or_empty_latencies(tmp_path, reference, ascendc, reason):
    """The ratio and both flags are unknown, and the reason is kept."""
    measured = facts_of(tmp_path, stored(reference, ascendc)).performance
    assert measured.ratio_unknown_because == reason
    assert (measured.ratio_of_means, measured.at_least_06x, measured.at_least_08x) == (None,) * 3


def test_same_cases_give_a_ratio(tmp_path):
    """A sound report has a ratio and no issue."""
    facts = facts_of(tmp_path, stored([0.2, 0.4], [0.1, 0.1]))
    assert facts.performance.ratio_of_means == pytest.approx(3.0)
    assert facts.performance.overall_confirmed is True
    assert facts.read_issues == ()


def test_empty_latencies_leave_no_statistics(tmp_path):
    """A mean that counts a zero is no mean."""
    measured = facts_of(tmp_path, stored([0.2, 0.4], [0.0, 0.1])).performance
    assert measured.implementations["ascendc"].mean_ms is None
    assert measured.mean_ascendc_ms is None
    assert measured.mean_reference_ms == pytest.approx(0.3)


def test_stated_overall_that_contradicts_the_latencies_is_an_issue(tmp_path):
    """The computed figures stand, the stated one is named as an issue."""
    facts = facts_of(tmp_path, stored([0.2, 0.4], [0.1, 0.1], overall_speedup=9.99))
    assert facts.performance.overall_confirmed is False
    assert facts.performance.mean_of_ratios == pytest.approx(3.0)
    assert [issue.kind for issue in facts.read_issues] == ["inconsistent_performance"]


def test_stated_ratio_that_contradicts_the_latencies_is_an_issue(tmp_path):
    """One wrong stored ratio is dropped and named."""
    value = stored([0.2, 0.4], [0.1, 0.1])
    value["per_case_speedup"][0]["speedup"] = 0.5
    facts = facts_of(tmp_path, value)
    assert [case.ratio_reported for case in facts.performance.per_case] == [None, 4.0]
    assert ["case[0]" in issue.message for issue in facts.read_issues] == [True]


def test_device_that_is_no_name_is_an_issue(tmp_path):
    """A line end in a device name never reaches the trace."""
    facts = facts_of(tmp_path, stored([0.2], [0.1], device="npu\n## x"))
    assert facts.performance.device is None
    assert ["\n" in issue.message for issue in facts.read_issues] == [False]


def test_report_of_another_operator_is_not_counted(tmp_path):
    """What says it is of 26_GELU is no measurement of 31_ELU."""
    facts = facts_of(tmp_path, stored([0.2], [0.1], op="26_GELU", output_dir="/x/26_GELU"))
    assert not facts.performance.executed
    assert [issue.kind for issue in facts.read_issues] == ["foreign_performance_file"]


def test_report_that_names_one_of_both_is_own(tmp_path):
    """An archive may have renamed the folder; one matching name is enough."""
    facts = facts_of(tmp_path, stored([0.2], [0.1], output_dir="/archive/A_31"))
    assert facts.performance.executed
