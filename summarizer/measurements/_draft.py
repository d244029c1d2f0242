"""Collects what a textual performance report says, whatever its layout; must not read lines."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from summarizer.measurements.ratios import timing_of_latencies
from summarizer.model.reports import (
    CaseTiming,
    ImplementationTiming,
    PerformanceReport,
    TextLine,
)
from summarizer.text.lines import Line

Layout = Literal["P1", "P1b", "P1c", "P2", "P3", "full_case", "cannbot"]
IMPLEMENTATIONS = ("reference", "tilelang", "ascendc")
OVERALL_IS: Mapping[Layout, Literal["mean_of_ratios", "ratio_of_means", None]] = {
    "P1": None,
    "P1b": "ratio_of_means",
    "P1c": None,
    "P2": "mean_of_ratios",
    "P3": "mean_of_ratios",
    "full_case": "ratio_of_means",
    "cannbot": "mean_of_ratios",
}
_NUMBER = re.compile(r"\d{1,15}(?:\.(\d{1,20}))?$")
_INTEGER = re.compile(r"\d{1,15}$")
_DIMENSION = re.compile(r"\d{1,15}")
_NO_SHAPE = (None, None, None)
ShapeFacts = tuple[str | None, str | None, int | None]
"""(shape as printed, dtype, elements of all tensor inputs)."""


def number(text: str) -> float | None:
    """A printed number without sign, None for `-`, `nan`, `inf` and anything else."""
    return float(text) if _NUMBER.match(text) else None


def decimals_of(text: str) -> int | None:
    """Digits after the point of a printed number, None when it is none."""
    match = _NUMBER.match(text)
    return len(match[1] or "") if match else None


def integer(text: str | None) -> int | None:
    """A printed whole number, None for anything else."""
    return int(text) if text is not None and _INTEGER.match(text) else None


def elements_of(shape: str) -> int:
    """Product of the dimensions of a printed shape; 1 for a scalar `()`."""
    return math.prod(int(size) for size in _DIMENSION.findall(shape))


@dataclass(slots=True)
class Row:
    """One line of a per-case table."""

    reference_ms: float | None = None
    ascendc_ms: float | None = None
    ratio: float | None = None
    shape: str | None = None
    dtype: str | None = None


@dataclass(slots=True)
class Draft:
    """One report while its lines are being read."""

    layout: Layout
    header: dict[str, str] = field(default_factory=dict)
    status: dict[str, bool] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)
    table: dict[str, ImplementationTiming] = field(default_factory=dict)
    means: dict[str, dict[int, float]] = field(default_factory=dict)
    """Per implementation the latency of each case, ms."""
    rows: dict[int, Row] = field(default_factory=dict)
    inputs: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    """Per case the (shape, dtype) of its tensors."""
    overall: float | None = None
    decimals: int | None = None
    fallbacks: int = 0
    has_inputs: bool = False
    ended: bool = False
    headless: bool = False
    lines: list[TextLine] = field(default_factory=list)

    def cite(self, line: Line) -> None:
        """Keep a line as citable, unless a part of it is missing."""
        if not line.torn:
            self.lines.append(TextLine(line.text, line.start, line.end))

    def indices(self) -> list[int]:
        """Numbers of the timed cases, ascending."""
        found = set(self.rows)
        for means in self.means.values():
            found |= set(means)
        return sorted(found)

    def report(self) -> PerformanceReport:
        """Return the finished value."""
        cases = tuple(self._case(index) for index in self.indices())
        overall_is = OVERALL_IS[self.layout] if self.overall is not None else None
        return PerformanceReport(
            layout=self.layout,
            form="printed",
            device=self.header.get("Device"),
            warmup=integer(self.header.get("Warmup")),
            repeat=integer(self.header.get("Repeat")),
            seed=integer(self.header.get("Seed")),
            reference=self._timing("reference", cases),
            ascendc=self._timing("ascendc", cases),
            tilelang=self._timing("tilelang", cases),
            per_case=cases,
            overall_reported=self.overall,
            overall_is=overall_is,
            operator=self.header.get("Operator"),
            output_dir=self.header.get("Output Dir") or self.header.get("Task Dir"),
            generated_at=self.header.get("Timestamp"),
            complete=self._is_whole(),
            lines=tuple(sorted(self.lines, key=_place)),
        )

    def _is_whole(self) -> bool:
        """Whether the end was seen and no case is missing from the list (top or middle cut off)."""
        indices = self.indices()
        return self.ended and indices == list(range(len(indices)))

    def _case(self, index: int) -> CaseTiming:
        row = self.rows.get(index, Row())
        shape, dtype, elements = self._shape(index, row)
        both = 2 * len(self.indices())
        return CaseTiming(
            index=index,
            reference_ms=_first(row.reference_ms, self._mean("reference", index)),
            ascendc_ms=_first(row.ascendc_ms, self._mean("ascendc", index)),
            tilelang_ms=self._mean("tilelang", index),
            ratio_reported=row.ratio,
            shape=shape,
            dtype=dtype,
            elements=elements,
            # One warning per implementation and case: only when all warn is it known which did.
            fallback_clock=self.fallbacks >= both > 0,
        )

    def _shape(self, index: int, row: Row) -> ShapeFacts:
        tensors = self.inputs.get(index)
        if tensors:
            return tensors[0][0], tensors[0][1], sum(elements_of(shape) for shape, _ in tensors)
        if row.shape is not None:
            return row.shape, row.dtype, elements_of(row.shape)
        return _NO_SHAPE

    def _mean(self, implementation: str, index: int) -> float | None:
        return self.means.get(implementation, {}).get(index)

    def _timing(
        self, implementation: str, cases: tuple[CaseTiming, ...]
    ) -> ImplementationTiming | None:
        error = "\n".join(self.errors.get(implementation, ())) or None
        known = self.table.get(implementation)
        ok = self.status.get(implementation, known.ok if known else error is None)
        if not ok or error is not None:
            return ImplementationTiming(ok=False, error=error)
        if known is not None:
            return known
        values = [_latency(case, implementation) for case in cases]
        latencies = [value for value in values if value is not None]
        if latencies and len(latencies) == len(values) and self._is_whole():
            return timing_of_latencies(latencies, decimals=self.decimals)
        return ImplementationTiming(ok=True) if implementation in self.status else None


def _place(line: TextLine) -> int:
    return line.char_start


def _first(value: float | None, other: float | None) -> float | None:
    return other if value is None else value


def _latency(case: CaseTiming, implementation: str) -> float | None:
    if implementation == "reference":
        return case.reference_ms
    return case.ascendc_ms if implementation == "ascendc" else case.tilelang_ms
