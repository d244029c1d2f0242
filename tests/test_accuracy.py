"""The published accuracy is what the bench measured, and a sample of it holds in every test run."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from bench.accuracy.run import RESULTS, Tally, markdown, measure
from bench.accuracy.subjects import read_subjects

ROOT = Path(__file__).resolve().parent.parent
GENERATOR = (
    "base", "faults", "fault_numbers", "fault_quotes", "fault_structure", "fault_words",
    "handwriting", "variations",
)  # fmt: skip
RECALL = 0.959
"""Share of the sample's faults that must be found."""


@pytest.fixture(scope="module")
def sample() -> Tally:
    """One fault of each kind and one variation of each kind per genuine trace of two sessions."""
    chosen = ("A_31_ELU", "D_26_GELU")
    return measure(read_subjects(chosen), seed=11, per_kind=1, per_variation=1)


def test_no_altered_quotation_is_accepted(sample):
    """Each altered, stitched, invented or misplaced quotation is refused."""
    assert sample.quotations > 50
    assert sample.quotations_accepted == 0, "\n".join(sample.missed)


def test_no_genuine_text_is_refused(sample):
    """Genuine traces and their variations have no finding."""
    assert sum(sample.varied.values()) > 100
    assert sample.cried_wolf == []


def test_faults_are_found(sample):
    """At least the measured share of faults is found."""
    injected, found = sum(sample.injected.values()), sum(sample.found.values())
    assert len(sample.injected) >= 40
    assert found >= RECALL * injected, "\n".join(sample.missed)


def test_published_results_are_large_enough():
    """The stored run has the faults, kinds and variations that were promised."""
    measured = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert measured["faults"] >= 1000
    assert measured["kinds"] >= 40
    assert measured["variations"] >= 300
    assert measured["altered_quotations_accepted"] == 0
    assert measured["genuine_quotations_refused"] == 0


def test_readme_shows_the_results(update_golden):
    """The README's accuracy section, when there is one, is made of results.json."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    pattern = re.compile(r"(<!-- accuracy:begin -->\n)(.*?)(<!-- accuracy:end -->)", re.DOTALL)
    match = pattern.search(text)
    if match is None:
        return
    table = markdown(json.loads(RESULTS.read_text(encoding="utf-8")))
    if update_golden:
        readme.write_text(pattern.sub(lambda m: m[1] + table + m[3], text), encoding="utf-8")
    else:
        assert match[2] == table


@pytest.mark.parametrize("name", GENERATOR)
def test_the_generator_is_independent(name):
    """What makes faults and variations imports nothing that could share their mistakes."""
    tree = ast.parse((ROOT / "bench" / "accuracy" / f"{name}.py").read_text(encoding="utf-8"))
    imported = {
        node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
    } | {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    ours = {one for one in imported if one.split(".")[0] in {"validators", "summarizer", "tests"}}
    assert ours == set()
    assert {one for one in imported if one.startswith("bench")} <= {
        f"bench.accuracy{suffix}" for suffix in ("", *(f".{module}" for module in GENERATOR))
    }
