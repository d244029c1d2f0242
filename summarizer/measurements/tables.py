"""Reads the CSV files of the full-case performance script; must not know JSON or printed reports.

`summary.csv`: one row per case, `{implementation}_{mean,median,min,max,stdev}_ms` and
`ascendc_vs_ref_speedup` (ratio of the case's means, 3 decimals, blank if missing).
`groups/npuN.csv`: one row per case and implementation, a share of the cases.

Source: `performance_full_case.py`.
"""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from summarizer.errors import InputError
from summarizer.measurements._draft import IMPLEMENTATIONS
from summarizer.measurements._json import read_bytes
from summarizer.measurements.ratios import timing_of_latencies
from summarizer.model.reports import CaseTiming, ImplementationTiming, PerformanceReport

Latencies = dict[str, float | None]
"""Mean latency of one case by implementation, ms; None where the cell is blank."""


def read_performance_csv(path: str | Path) -> PerformanceReport:
    """Read `summary.csv` or a file of `groups/`.

    Raises:
        InputError: The file cannot be read, has other columns, repeats a case, or holds something
            else than a finite number in a latency cell.
    """
    file = Path(path)
    reader = csv.DictReader(io.StringIO(_decoded(file), newline=""))
    try:
        names = set(reader.fieldnames or ())
        rows = list(reader)
    except csv.Error as error:
        raise InputError(f"{file}:{reader.line_num}: not CSV: {error}") from error
    if {"case_index", "reference_mean_ms"} <= names:
        cases, ratios = _wide(file, rows)
    elif {"case_index", "impl", "mean_ms"} <= names:
        cases, ratios = _long(file, rows), {}
    else:
        raise InputError(f"{file}: no known performance table")
    timings = tuple(_case(index, cases[index], ratios.get(index)) for index in sorted(cases))
    return PerformanceReport(
        layout="full_case",
        form="csv",
        device=None,
        warmup=None,
        repeat=None,
        seed=None,
        reference=_timing([case.reference_ms for case in timings]),
        ascendc=_timing([case.ascendc_ms for case in timings]),
        tilelang=_timing([case.tilelang_ms for case in timings]),
        per_case=timings,
        overall_reported=None,
        overall_is=None,
    )


def _decoded(file: Path) -> str:
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 at byte {error.start}") from error


def _wide(
    file: Path, rows: list[dict[str, str]]
) -> tuple[dict[int, Latencies], dict[int, float | None]]:
    cases: dict[int, Latencies] = {}
    ratios: dict[int, float | None] = {}
    for line, row in enumerate(rows, 2):
        index = _index(file, line, row)
        if index in cases:
            raise InputError(f"{file}:{line}: case {index} appears twice")
        cases[index] = {
            name: _cell(file, line, row.get(f"{name}_mean_ms")) for name in IMPLEMENTATIONS
        }
        ratios[index] = _cell(file, line, row.get("ascendc_vs_ref_speedup"))
    return cases, ratios


def _long(file: Path, rows: list[dict[str, str]]) -> dict[int, Latencies]:
    cases: dict[int, Latencies] = {}
    for line, row in enumerate(rows, 2):
        name = row.get("impl") or ""
        if name not in IMPLEMENTATIONS:
            raise InputError(f"{file}:{line}: unknown implementation {name[:60]!r}")
        case = cases.setdefault(_index(file, line, row), {})
        if name in case:
            raise InputError(f"{file}:{line}: {name} of this case appears twice")
        case[name] = _cell(file, line, row.get("mean_ms"))
    return cases


def _index(file: Path, line: int, row: dict[str, str]) -> int:
    text = (row.get("case_index") or "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise InputError(f"{file}:{line}: no case number: {text[:60]!r}")
    return int(text)


def _cell(file: Path, line: int, text: str | None) -> float | None:
    """A blank cell, and `-`, mean that the implementation gave no figure."""
    text = (text or "").strip()
    if text in {"", "-", "N/A"}:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{file}:{line}: no finite number: {text[:60]!r}")
    return value


def _case(index: int, latencies: Latencies, ratio: float | None) -> CaseTiming:
    return CaseTiming(
        index,
        latencies.get("reference"),
        latencies.get("ascendc"),
        latencies.get("tilelang"),
        ratio,
    )


def _timing(latencies: list[float | None]) -> ImplementationTiming | None:
    """None when the table has no figure at all; not ok when some cases have none."""
    known = [latency for latency in latencies if latency is not None]
    if not known:
        return None
    if len(known) != len(latencies):
        return ImplementationTiming(ok=False)
    return timing_of_latencies(known, decimals=None)
