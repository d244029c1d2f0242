"""Stored reports that are damaged or unknown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizer.errors import InputError
from summarizer.measurements import (
    find_odd_performance_files,
    find_performance_files,
    parse_performance,
    performance_source,
    read_performance_csv,
    read_performance_json,
)
from summarizer.model.source import Completeness

FIXTURES = Path(__file__).parent / "fixtures"
P2 = (FIXTURES / "json" / "P2-fallback" / "input.json").read_text(encoding="utf-8")
PRINTED = [
    path.read_text(encoding="utf-8") for path in sorted(FIXTURES.glob("printed/*/input.txt"))
]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('"latency_ms": 0.0101', '"latency_ms": NaN', "reference.case_results[0]."),
        ('"latency_ms": 0.0101', '"latency_ms": "fast"', "'latency_ms' is no finite number"),
        ('"latency_ms": 0.0101', '"latency_ms": true', "no finite number"),
        ('"latency_ms": 0.0101', f'"latency_ms": 1{"0" * 400}', "no finite number"),
        ('"index": 1,', '"index": 0,', "there twice"),
        ('"index": 1,', '"index": "one",', "no whole number"),
        ('"latency_ms": 0.0101', '"latency_ms": 1e308', "no number that can have been measured"),
        ('"case_results": [', '"case_results": [7,', "no list of objects"),
        ('"reference": {', '"other": {', "no known performance report"),
        ("{", "{{", ":1: not JSON"),
        (P2, "[]", "no JSON object"),
        (P2, "[" * 100_000, "not JSON"),
        (P2, "9" * 5_000, "not JSON"),
    ],
)
def test_damage_is_an_input_error_that_names_the_place(
    tmp_path: Path, old: str, new: str, place: str
) -> None:
    """A value of the wrong kind names file and key; nothing is guessed or repaired."""
    path = tmp_path / "preformance.json"
    assert old in P2
    path.write_text(P2.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_performance_json(path)
    assert str(path) in str(caught.value)
    assert place in str(caught.value)


@pytest.mark.parametrize("value", ["1.5", '"x"', "true"])
def test_damaged_setting_costs_only_itself(tmp_path: Path, value: str) -> None:
    """No latency rests on the warm-up count, so the rest is read and the damage is an issue."""
    path = tmp_path / "preformance.json"
    path.write_text(P2.replace('"warmup": 1', f'"warmup": {value}', 1), encoding="utf-8")
    report = read_performance_json(path)
    assert report.warmup is None
    assert report.reference is not None
    assert report.reference.mean_ms is not None
    assert ["warmup" in issue.message for issue in report.issues] == [True]


def test_case_that_one_list_lacks_has_no_latency(tmp_path: Path) -> None:
    """What stands beside a ratio does not fill an implementation's own list."""
    value = json.loads(P2)
    last = value["ascendc"]["case_results"].pop()["index"]
    path = tmp_path / "preformance.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    case = next(c for c in read_performance_json(path).per_case if c.index == last)
    assert (case.reference_ms is not None, case.ascendc_ms) == (True, None)


def test_odd_files_are_named(tmp_path: Path) -> None:
    """A pipe or a folder with the name of a performance file is found, never opened."""
    os.mkfifo(tmp_path / "preformance.json")
    (tmp_path / "performance.json").mkdir()
    assert find_performance_files(tmp_path) == ()
    assert [path.name for path in find_odd_performance_files(tmp_path)] == [
        "performance.json",
        "preformance.json",
    ]


def test_other_encodings_and_missing_files(tmp_path: Path) -> None:
    """A byte order mark is accepted, bytes that are no UTF-8 and missing files are input errors."""
    path = tmp_path / "performance.json"
    path.write_bytes(b"\xef\xbb\xbf" + P2.encode())
    assert read_performance_json(path).cases == 3
    path.write_bytes(b"\xc4\xe3")
    for read in (read_performance_json, read_performance_csv):
        with pytest.raises(InputError, match=r"performance\.json"):
            read(path)
        with pytest.raises(InputError, match="absent"):
            read(tmp_path / "absent")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a,b\n1,2\n",
        "case_index,reference_mean_ms\n0,nan\n",
        "case_index,reference_mean_ms\n0,1\n0,2\n",
        "case_index,reference_mean_ms\n-1,1\n",
        "case_index,impl,mean_ms\n0,other,1\n",
        "case_index,impl,mean_ms\n0,ascendc,1\n0,ascendc,2\n",
        "case_index,reference_mean_ms\n0," + "9" * 200_000 + "\n",
        "case_index,reference_mean_ms\n\0,1\n",
    ],
)
def test_damaged_tables_are_input_errors(tmp_path: Path, text: str) -> None:
    """Unknown columns, repeated cases and cells that are no numbers are refused."""
    path = tmp_path / "summary.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"summary\.csv"):
        read_performance_csv(path)


def test_files_are_found_in_both_spellings(tmp_path: Path) -> None:
    """JSON comes first, then logs hidden or not, then the full-case folders."""
    folder = tmp_path / "perf_20260423_150154"
    folder.mkdir()
    for path in (
        tmp_path / "preformance.json",
        tmp_path / "performance.json",
        tmp_path / "perf_result.json",
        tmp_path / ".last_performance.log",
        tmp_path / "last_performance.summary",
        folder / "summary.csv",
        tmp_path / "4_Abs.json",
        tmp_path / "trace.md",
    ):
        path.write_text("x", encoding="utf-8")
    found = [path.relative_to(tmp_path).as_posix() for path in find_performance_files(tmp_path)]
    assert found == [
        "perf_result.json",
        "performance.json",
        "preformance.json",
        ".last_performance.log",
        "last_performance.summary",
        "perf_20260423_150154/summary.csv",
    ]
    with pytest.raises(InputError, match="absent"):
        find_performance_files(tmp_path / "absent")
    source = performance_source(tmp_path / ".last_performance.log")
    assert (source.kind, source.bytes) == ("performance_log", 1)


@given(
    st.one_of(st.text(), st.sampled_from(PRINTED)), st.integers(0), st.integers(0), st.booleans()
)
def test_any_part_of_any_text_is_read(text: str, first: int, second: int, full: bool) -> None:
    """No text crashes the parser, and a cut report has no case that the whole one lacks."""
    completeness = Completeness.FULL if full else Completeness.UNKNOWN
    start, end = sorted((first % (len(text) + 1), second % (len(text) + 1)))
    whole = parse_performance(text, completeness=Completeness.FULL)
    known = {case.index for report in whole for case in report.per_case}
    for report in parse_performance(text[start:end], completeness=completeness):
        if not full:
            assert {case.index for case in report.per_case} <= known or start > 0


KEYS = st.sampled_from([
    "reference", "ascendc", "case_results", "index", "latency_ms", "ok", "per_case_speedup",
    "overall_speedup", "results", "repeat", "profiler", "per_case", "geomean_speedup", "ref_us",
    "shape", "speedup",
])  # fmt: skip
LEAVES = st.none() | st.floats() | st.text() | st.booleans() | st.integers()


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)))
def test_any_json_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, value: object
) -> None:
    """Whatever a JSON file holds: a report or an InputError."""
    path = tmp_path_factory.mktemp("json") / "preformance.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    try:
        report = read_performance_json(path)
    except InputError:
        return
    assert report.form == "json"
