"""Each fixture folder is one output and the reports that must be read from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from summarizer.eval_logs import EVAL_LOG_FORMATS, parse_evaluations
from summarizer.model.reports import EvalReport
from summarizer.model.source import Completeness

FIXTURES = Path(__file__).parent / "fixtures"
CASES = sorted(path.parent for path in FIXTURES.glob("*/*/input.txt"))
DEFAULTS = {"exit_code": None, "failed": None, "completeness": "full", "timed_out": False}


def read(folder: Path) -> tuple[str, tuple[EvalReport, ...]]:
    text = (folder / "input.txt").read_bytes().decode("utf-8", errors="surrogateescape")
    file = folder / "args.json"
    given = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    args = {**DEFAULTS, **given}
    args["completeness"] = Completeness(args["completeness"])
    return text, parse_evaluations(text, **args)


def as_json(report: EvalReport) -> dict[str, object]:
    return {
        "kind": report.kind,
        "outcome": report.outcome.value,
        "reason": report.reason,
        "cases": [report.cases_passed, report.cases_total],
        "failed_cases": list(report.failed_cases),
        "error_lines": [line.text for line in report.error_lines],
        "result_lines": [line.text for line in report.result_lines],
        "case_lines": len(report.case_lines),
        "range": [report.char_start, report.char_end],
        "operator": report.operator,
        "task_dir": report.task_dir,
        "device": report.device,
    }


@pytest.mark.parametrize("folder", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_reports_of_a_fixture(folder: Path, update_golden: bool) -> None:
    """The reports are exactly those that were checked by hand."""
    _, reports = read(folder)
    found = [as_json(report) for report in reports]
    golden = folder / "expected.json"
    if update_golden:
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(golden.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_ranges_and_lines_of_a_fixture(folder: Path) -> None:
    """Ranges ascend without overlap, and every cited line lies inside its run's range."""
    text, reports = read(folder)
    position = 0
    for report in reports:
        assert position <= report.char_start <= report.char_end <= len(text)
        position = report.char_end
        for line in report.error_lines + report.result_lines + report.case_lines:
            assert report.char_start <= line.char_start < line.char_end <= report.char_end
            shown = text[line.char_start : line.char_end]
            assert line.text == shown or "\x1b" in shown


def test_each_format_has_fixtures() -> None:
    """Every format of the table has a folder of its own."""
    folders = {path.parent.name for path in CASES}
    assert {form.name for form in EVAL_LOG_FORMATS} | {"none"} == folders
