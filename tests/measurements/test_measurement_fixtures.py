"""Each fixture folder is one report, printed or stored, and what must be read from it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from summarizer.measurements import (
    geomean_of_ratios,
    mean_of_ratios,
    parse_performance,
    ratio_of_means,
    read_performance_csv,
    read_performance_json,
)
from summarizer.model.reports import PerformanceReport
from summarizer.model.source import Completeness

FIXTURES = Path(__file__).parent / "fixtures"
CASES = sorted(path.parent for path in FIXTURES.glob("*/*/input.*"))


def read(folder: Path) -> tuple[PerformanceReport, ...]:
    if folder.parent.name == "json":
        return (read_performance_json(folder / "input.json"),)
    if folder.parent.name == "csv":
        return (read_performance_csv(folder / "input.csv"),)
    file = folder / "args.json"
    given = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    text = (folder / "input.txt").read_bytes().decode("utf-8")
    completeness = Completeness(given.get("completeness", "full"))
    return parse_performance(text, completeness=completeness)


def as_json(report: PerformanceReport, folder: Path) -> dict[str, object]:
    value = asdict(report)
    value["lines"] = [line.text for line in report.lines]
    for issue in value["issues"]:
        issue["path"] = Path(issue["path"]).relative_to(folder).as_posix()
    value["computed"] = {
        "ratio_of_means": _rounded(ratio_of_means(report)),
        "mean_of_ratios": _rounded(mean_of_ratios(report)),
        "geomean_of_ratios": _rounded(geomean_of_ratios(report)),
    }
    for name in ("reference", "ascendc", "tilelang"):
        if value[name] is not None:
            value[name] = {key: _rounded(item) for key, item in value[name].items()}
    plain: dict[str, object] = json.loads(json.dumps(value))
    return plain


def _rounded(value: object) -> object:
    return round(value, 12) if isinstance(value, float) else value


@pytest.mark.parametrize("folder", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_reports_of_a_fixture(folder: Path, update_golden: bool) -> None:
    """The reports are exactly those that were checked by hand."""
    found = [as_json(report, folder) for report in read(folder)]
    golden = folder / "expected.json"
    if update_golden:
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(golden.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "folder", [path for path in CASES if path.parent.name == "printed"], ids=lambda path: path.name
)
def test_cited_lines_are_in_the_text(folder: Path) -> None:
    """Every citable line is the text at its offsets, colour codes apart."""
    text = (folder / "input.txt").read_bytes().decode("utf-8")
    for report in read(folder):
        for line in report.lines:
            shown = text[line.char_start : line.char_end]
            assert line.text == shown or "\x1b" in shown
