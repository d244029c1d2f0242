"""Reads the JSON files that performance scripts leave; must not know printed reports.

* P2, P3: `preformance.json` (sic), `performance.json`: one latency per case, 4 decimals, ms;
* P1c `--json-out`: all samples, unrounded, ms;
* CANNBot: two clocks side by side (`profiler`, `wallclock`), ms; the profiler's is taken;
* ops-profiling: microseconds, geometric mean as the main figure. Converted to ms here.

Source: keys written by the harness's `performance.py` (P1c, P2, P3) and by the CANNBot descendants
`performance.py` and `msprof_perf_summary.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from summarizer.errors import InputError
from summarizer.measurements._draft import Layout, elements_of
from summarizer.measurements._json import Place, read_bytes, read_object
from summarizer.measurements.inputs import shapes_of_inputs
from summarizer.measurements.ratios import timing_of_latencies
from summarizer.model.reports import CaseTiming, ImplementationTiming, PerformanceReport
from summarizer.model.source import ReadIssue, SourceFile

_ROUNDED = 4
"""Decimals to which P2, P3 and CANNBot round latencies in ms."""
_US_PER_MS = 1000.0
OverallIs = Literal["mean_of_ratios", "ratio_of_means", "geomean_of_ratios", None]


def read_performance_json(path: str | Path) -> PerformanceReport:
    """Read one stored performance report.

    Raises:
        InputError: The file cannot be read, is no JSON object, is of no known layout, or holds
            something else than a finite number where a latency belongs.
    """
    file = Path(path)
    issues: list[ReadIssue] = []
    root = Place(file, "", read_object(file), issues)
    for form in _FORMS:
        if form.recognises(root):
            return replace(form.read(root), issues=tuple(issues))
    raise InputError(f"{file}: no known performance report")


def performance_source(path: str | Path) -> SourceFile:
    """Describe a performance file for provenance.

    Raises:
        InputError: The file cannot be read.
    """
    file = Path(path)
    data = read_bytes(file)
    kind = "performance_log" if file.suffix in {".log", ".summary", ".txt"} else "performance"
    return SourceFile(str(file), kind, hashlib.sha256(data).hexdigest(), len(data))


class _Side(NamedTuple):
    """What one implementation's block says."""

    timing: ImplementationTiming | None
    cases: dict[int, Place]
    """By case number."""


def _read_p2(root: Place) -> PerformanceReport:
    reference = _p2_side(root.inner("reference"))
    ascendc = _p2_side(root.inner("ascendc"))
    ratios = _by_index(root.items("per_case_speedup"))
    shaped = any(
        "shape" in place.value for side in (reference, ascendc) for place in side.cases.values()
    )
    cases = tuple(
        _p2_case(index, (reference, ascendc), ratios.get(index))
        for index in sorted({*reference.cases, *ascendc.cases, *ratios})
    )
    overall = root.ratio("overall_speedup")
    return _report(
        root, "P3" if shaped else "P2", reference, ascendc, cases, overall, "mean_of_ratios"
    )


def _p2_side(block: Place | None) -> _Side:
    """An implementation that failed keeps the cases measured before it did."""
    if block is None:
        return _Side(None, {})
    cases = _by_index(block.items("case_results"))
    latencies = [place.number("latency_ms") for place in cases.values()]
    return _Side(_timing(block, latencies), cases)


def _timing(block: Place, latencies: list[float | None]) -> ImplementationTiming:
    if block.value.get("ok") is not True:
        return ImplementationTiming(ok=False, error=block.text("error") or None)
    known = [latency for latency in latencies if latency is not None]
    if len(known) != len(latencies):
        return ImplementationTiming(ok=True, decimals=_ROUNDED)
    return timing_of_latencies(known, decimals=_ROUNDED)


def _p2_case(index: int, sides: tuple[_Side, _Side], ratio: Place | None) -> CaseTiming:
    reference, ascendc = (side.cases.get(index) for side in sides)
    shape, dtype, elements = _shape(next((p for p in (reference, ascendc, ratio) if p), None))
    return CaseTiming(
        index=index,
        reference_ms=_latency(sides[0], index, "latency_ms", ratio, "reference_ms"),
        ascendc_ms=_latency(sides[1], index, "latency_ms", ratio, "ascendc_ms"),
        ratio_reported=ratio.ratio("speedup") if ratio else None,
        shape=shape,
        dtype=dtype,
        elements=elements,
        fallback_clock=any(
            place is not None and place.value.get("operators") == {}
            for place in (reference, ascendc)
        ),
    )


def _latency(
    side: _Side, index: int, key: str, ratio: Place | None, ratio_key: str
) -> float | None:
    """The latency in an implementation's own list; only without a list the one beside the ratio.

    A case that the list lacks was not measured, whatever an older ratio says.
    """
    if side.cases:
        return side.cases[index].number(key) if index in side.cases else None
    return ratio.number(ratio_key) if ratio else None


def _shape(place: Place | None) -> tuple[str | None, str | None, int | None]:
    """Shape as the script prints it (a list), dtype, elements of this one tensor."""
    value = place.value.get("shape") if place else None
    if place is None or not isinstance(value, list):
        return (
            (value if isinstance(value, str) else None),
            place.text("dtype") if place else None,
            None,
        )
    if not all(isinstance(size, int) and not isinstance(size, bool) for size in value):
        return str(value), place.text("dtype"), None
    return str(value), place.text("dtype"), elements_of(str(value))


def _by_index(places: list[Place]) -> dict[int, Place]:
    """Case objects by their number.

    Raises:
        InputError: A number is missing or appears twice.
    """
    found: dict[int, Place] = {}
    for place in places:
        index = place.integer("index")
        if index is None or index < 0:
            raise place.error("index", "no case number")
        if index in found:
            raise place.error("index", f"there twice: {index}")
        found[index] = place
    return found


def _report(
    root: Place,
    layout: Layout,
    reference: _Side,
    ascendc: _Side,
    cases: tuple[CaseTiming, ...],
    overall: float | None,
    overall_is: OverallIs,
) -> PerformanceReport:
    return PerformanceReport(
        layout=layout,
        form="json",
        device=root.text("device"),
        warmup=root.setting("warmup"),
        repeat=root.setting("repeats"),
        seed=root.setting("seed"),
        reference=reference.timing,
        ascendc=ascendc.timing,
        tilelang=None,
        per_case=cases,
        overall_reported=overall,
        overall_is=overall_is if overall is not None else None,
        operator=root.text("op"),
        output_dir=root.text("output_dir"),
    )


def _read_p1c(root: Place) -> PerformanceReport:
    sides = {place.text("impl"): place for place in root.items("results")}
    inputs = root.value.get("inputs")
    shapes = shapes_of_inputs(inputs if isinstance(inputs, list) else [])
    cases: dict[str, dict[int, Place]] = {
        name: _by_index(place.items("case_results")) for name, place in sides.items() if name
    }
    indices = sorted({index for places in cases.values() for index in places})

    def mean(name: str, index: int) -> float | None:
        place = cases.get(name, {}).get(index)
        return place.number("mean_ms") if place else None

    nothing = (None, None, None)
    return PerformanceReport(
        layout="P1c",
        form="json",
        device=root.text("device"),
        warmup=root.setting("warmup"),
        repeat=root.setting("repeat"),
        seed=root.setting("seed"),
        reference=_p1c_timing(sides.get("reference")),
        ascendc=_p1c_timing(sides.get("ascendc")),
        tilelang=_p1c_timing(sides.get("tilelang")),
        per_case=tuple(
            CaseTiming(
                index,
                mean("reference", index),
                mean("ascendc", index),
                mean("tilelang", index),
                None,
                *shapes.get(index, nothing),
            )
            for index in indices
        ),
        overall_reported=None,
        overall_is=None,
        operator=root.text("op"),
        output_dir=root.text("task_dir"),
    )


def _p1c_timing(block: Place | None) -> ImplementationTiming | None:
    if block is None:
        return None
    if block.value.get("ok") is not True:
        return ImplementationTiming(ok=False, error=block.text("error") or None)
    mean = block.number("mean_ms")
    return ImplementationTiming(
        ok=True,
        mean_ms=mean,
        median_ms=block.number("median_ms"),
        min_ms=block.number("min_ms"),
        max_ms=block.number("max_ms"),
        std_ms=block.number("stdev_ms"),
        basis="report" if mean is not None else None,
        std_kind="sample" if mean is not None else None,
    )


def _read_two_clocks(root: Place) -> PerformanceReport:
    """The device clock where it measured anything, else the wall clock, marked on every case."""
    ratios = root.inner("per_case_speedup")
    overall = root.inner("overall_speedup")
    measured = [_clock_side(root, name, "profiler") for name in ("reference", "ascendc")]
    clock = "profiler" if any(side.cases for side in measured) else "wallclock"
    reference, ascendc = (_clock_side(root, name, clock) for name in ("reference", "ascendc"))
    by_index = _by_index(ratios.items(clock)) if ratios else {}
    key = "latency_ms" if clock == "profiler" else "mean_ms"
    cases = tuple(
        CaseTiming(
            index=index,
            reference_ms=_latency(reference, index, key, by_index.get(index), "reference_ms"),
            ascendc_ms=_latency(ascendc, index, key, by_index.get(index), "ascendc_ms"),
            ratio_reported=by_index[index].ratio("speedup") if index in by_index else None,
            fallback_clock=clock == "wallclock"
            or any(
                index in side.cases and side.cases[index].value.get("operators") == {}
                for side in (reference, ascendc)
            ),
        )
        for index in sorted({*reference.cases, *ascendc.cases, *by_index})
    )
    value = overall.ratio(clock) if overall else None
    return _report(root, "cannbot", reference, ascendc, cases, value, "mean_of_ratios")


def _clock_side(root: Place, name: str, clock: str) -> _Side:
    outer = root.inner(name)
    block = outer.inner(clock) if outer else None
    if block is None:
        return _Side(None, {})
    cases = _by_index(block.items("case_results"))
    key = "latency_ms" if clock == "profiler" else "mean_ms"
    return _Side(_timing(block, [place.number(key) for place in cases.values()]), cases)


def _read_microseconds(root: Place) -> PerformanceReport:
    """Cases are numbered by their place where the file gives no number."""
    cases = []
    errors: dict[str, str] = {}
    for position, place in enumerate(root.items("per_case")):
        number = place.value.get("case")
        shape, dtype, elements = _shape(place)
        cases.append(
            CaseTiming(
                index=number if isinstance(number, int) and number >= 0 else position,
                reference_ms=_from_us(place.number("ref_us")),
                ascendc_ms=_from_us(place.number("asc_us")),
                ratio_reported=place.ratio("speedup"),
                shape=shape,
                dtype=dtype,
                elements=elements,
            )
        )
        for name, key in (("reference", "ref_error"), ("ascendc", "asc_error")):
            if text := place.text(key):
                errors.setdefault(name, text)
    overall = root.ratio("geomean_speedup")
    reference = _Side(
        _us_timing([case.reference_ms for case in cases], errors.get("reference")), {}
    )
    ascendc = _Side(_us_timing([case.ascendc_ms for case in cases], errors.get("ascendc")), {})
    return _report(root, "cannbot", reference, ascendc, tuple(cases), overall, "geomean_of_ratios")


def _us_timing(latencies: list[float | None], error: str | None) -> ImplementationTiming:
    known = [latency for latency in latencies if latency is not None]
    if error is not None or len(known) != len(latencies):
        return ImplementationTiming(ok=False, error=error)
    return timing_of_latencies(known, decimals=None)


def _from_us(value: float | None) -> float | None:
    return None if value is None else value / _US_PER_MS


@dataclass(frozen=True, slots=True)
class _Form:
    """One layout of stored reports."""

    recognises: Callable[[Place], bool]
    read: Callable[[Place], PerformanceReport]


def _is_microseconds(root: Place) -> bool:
    cases = root.value.get("per_case")
    return "geomean_speedup" in root.value and isinstance(cases, list)


def _is_p1c(root: Place) -> bool:
    return isinstance(root.value.get("results"), list) and "repeat" in root.value


def _is_two_clocks(root: Place) -> bool:
    return isinstance(root.value.get("overall_speedup"), dict)


def _is_p2(root: Place) -> bool:
    return all(isinstance(root.value.get(name), dict) for name in ("reference", "ascendc"))


_FORMS: tuple[_Form, ...] = (
    _Form(_is_microseconds, _read_microseconds),
    _Form(_is_p1c, _read_p1c),
    _Form(_is_two_clocks, _read_two_clocks),
    _Form(_is_p2, _read_p2),
)
