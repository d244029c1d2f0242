"""Every labelled session gives exactly the facts that a person read off its raw records."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from summarizer.example import copy_example
from summarizer.pipeline import SourceOptions, derive

HERE = Path(__file__).parent
SESSIONS = sorted(path.parent for path in HERE.glob("*/labels.json"))


def _copy(folder: Path, target: Path) -> tuple[Path, tuple[Path, ...]]:
    """Copy a session where it may be written to; return output directory and transcripts."""
    if not (folder / "projects").is_dir():
        example = copy_example(target)
        return example.output_dir, (example.transcript,)
    shutil.copytree(folder, target, dirs_exist_ok=True)
    output_dir = next((target / "output").glob("level*/*"))
    return output_dir, tuple(sorted((target / "projects").glob("*/*.jsonl")))


@pytest.fixture(params=SESSIONS, ids=lambda folder: folder.name)
def labelled(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[dict[str, Any], Any]:
    """Labels and facts of one session."""
    folder: Path = request.param
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    output_dir, transcripts = _copy(folder, tmp_path)
    facts = derive(output_dir, SourceOptions(transcripts=transcripts)).facts
    return labels, facts


def test_case_counts_agree(labelled):
    """Original and reduced case counts are those of the labels."""
    labels, facts = labelled
    counts = labels["case_counts"]
    assert (facts.cases.original, facts.cases.reduced) == (counts["original"], counts["reduced"])


@pytest.mark.parametrize("stage", ["tilelang", "ascendc"])
def test_runs_rounds_and_results_agree(labelled, stage):
    """Counts of runs, every round's outcome and figures, and the stage's result agree."""
    labels, facts = labelled
    expected = labels[stage]
    runs = expected[f"evaluate_{stage}_executions"]
    if stage == "ascendc":
        runs -= expected.get("of_these_full_validation") or labels["full_validation"]["executions"]
    assert facts.stages[stage].evaluate_runs == runs
    assert facts.stages[stage].result == _word(expected["result"])
    rounds = facts.stages[stage].rounds
    assert [item.round_no for item in rounds] == list(range(1, len(rounds) + 1))
    assert len(rounds) == len(expected.get("rounds", []))
    for item, label in zip(rounds, expected.get("rounds", []), strict=True):
        assert item.outcome.value == label["outcome"]
        assert item.cases_passed == label.get("cases_passed")
        assert item.cases_total == label.get("cases_total")
        if "failed_cases" in label:
            assert list(item.failed_cases) == label["failed_cases"]


def _word(text: str) -> str:
    return re.split(r"[:\s]", text)[0]


@pytest.mark.parametrize("stage", ["tilelang", "ascendc"])
def test_error_lines_are_verbatim(labelled, stage):
    """Each labelled error line is among the round's error lines, character by character."""
    labels, facts = labelled
    for item, label in zip(
        facts.stages[stage].rounds, labels[stage].get("rounds", []), strict=True
    ):
        for line in label.get("key_error_lines", []):
            if not line.startswith("Result:"):
                assert line in item.error_lines


def test_full_validation_agrees(labelled):
    """Runs and figures of the full validation are those of the labels."""
    labels, facts = labelled
    expected = labels["full_validation"]
    stage = facts.stages["full_validation"]
    assert stage.evaluate_runs == expected["executions"]
    for item, label in zip(stage.rounds, expected.get("runs", []), strict=False):
        assert item.outcome.value == label["outcome"]
        assert (item.cases_passed, item.cases_total) == (
            label["cases_passed"],
            label["cases_total"],
        )
    if "cases_total" in expected:
        last = stage.rounds[-1]
        assert (last.cases_passed, last.cases_total) == (
            expected["cases_passed"],
            expected["cases_total"],
        )


def test_performance_agrees(labelled):
    """Means, their ratio and the report's own figure agree to the printed digits."""
    labels, facts = labelled
    expected = labels["performance"]
    assert facts.performance.executed is expected["executed"]
    for key in ("mean_reference_ms", "mean_ascendc_ms", "ratio_of_means"):
        if expected.get(key) is not None:
            assert getattr(facts.performance, key) == pytest.approx(expected[key], abs=6e-4)
    if expected.get("overall_speedup_reported") is not None:
        assert facts.performance.overall_speedup_reported == expected["overall_speedup_reported"]


def test_final_result_and_dead_ends_agree(labelled):
    """The three results and the dead ends are those of the labels."""
    labels, facts = labelled
    for name, value in labels["final_result"].items():
        assert getattr(facts.final_result, name) == _word(value)
    assert len(facts.dead_ends) == len(labels["dead_ends"])
    for found, label in zip(facts.dead_ends, labels["dead_ends"], strict=True):
        if "kind" in label:
            assert (found.round_no, found.kind) == (label["round"], label["kind"])


def test_unsupported_claims_are_found(labelled):
    """Each labelled false statement with a figure is among the contradicted claims."""
    labels, facts = labelled
    found = " ".join(claim.text for claim in facts.agent_claims_contradicted)
    for label in labels.get("claims", []):
        assert label["text"] in found
    for phrase in _PHRASES.get(labels.get("op", ""), ()):
        assert phrase in found


_PHRASES = {"31_ELU": ("3 次", "1.8x", "没有走偏"), "26_GELU": ("1.2x", "一次通过")}
"""What the agent of the recorded labels said wrongly, by operator."""


def test_session_d_measurement_is_stale(tmp_path):
    """The kernel changed after the measurement of session D, so its figures are marked stale."""
    output_dir, transcripts = _copy(HERE / "claude-code_D_26_GELU", tmp_path)
    facts = derive(output_dir, SourceOptions(transcripts=transcripts)).facts
    assert facts.performance.stale
    assert facts.performance.stale_because == ("kernel/gelu_kernel.cpp",)


def test_cut_away_verdict_is_unknown(tmp_path):
    """A run whose end the client cut away is UNKNOWN with that reason, never guessed."""
    output_dir, transcripts = _copy(HERE / "claude-code_C_12_Softmax", tmp_path)
    facts = derive(output_dir, SourceOptions(transcripts=transcripts)).facts
    runs = facts.stages["ascendc"].rounds[0].runs
    assert [(run.outcome.value, run.reason) for run in runs] == [
        ("FAIL", "error_report"),
        ("UNKNOWN", "output_cut"),
    ]
