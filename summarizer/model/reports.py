"""What evaluation and performance scripts reported; produced by `eval_logs` and `measurements`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from summarizer.model.source import ReadIssue


class Outcome(str, Enum):
    """How an evaluation run ended. PASS, FAIL and COMPILE_ERROR are verdicts."""

    PASS = "PASS"
    FAIL = "FAIL"
    COMPILE_ERROR = "COMPILE_ERROR"
    ENVIRONMENT_ERROR = "ENVIRONMENT_ERROR"
    TIMEOUT = "TIMEOUT"
    UNKNOWN = "UNKNOWN"

    @property
    def is_verdict(self) -> bool:
        """Whether the run said something about the implementation."""
        return self in {Outcome.PASS, Outcome.FAIL, Outcome.COMPILE_ERROR}


@dataclass(frozen=True, slots=True)
class TextLine:
    """A complete line of an output."""

    text: str
    """The line without its end."""
    char_start: int
    char_end: int
    """Half-open offsets in the text it was taken from."""


@dataclass(frozen=True, slots=True)
class EvalReport:
    """One evaluator invocation as its output shows it."""

    kind: Literal["tilelang", "ascendc"] | None
    """From the report title or the script's first line; None when neither is in the text."""
    outcome: Outcome
    reason: str
    """Why this outcome, a stable word: `result_line`, `status_line`, `all_cases_listed`,
    `error_report`, `compiler_error`, `traceback`, `task_directory_missing`, `timeout`,
    `interrupted`, `output_cut`, `no_output`, `summary_line`, ..."""
    cases_passed: int | None
    cases_total: int | None
    """None when the report lists no cases (error report, build failure) or the list is cut."""
    failed_cases: tuple[int, ...]
    """0-based case numbers as printed, ascending."""
    error_lines: tuple[TextLine, ...]
    """Compiler `error:` lines, the final exception line, failing case lines; complete lines, in
    order of appearance, duplicates dropped."""
    result_lines: tuple[TextLine, ...]
    """`Status    : ...` and `Result: ...` lines, in order."""
    case_lines: tuple[TextLine, ...]
    """All `case[i]: ...` lines, in order."""
    char_start: int
    char_end: int
    """Half-open range of this run in the text."""
    operator: str | None = None
    """Value of the `Operator` header."""
    task_dir: str | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True)
class CaseTiming:
    """Latencies of one case."""

    index: int
    """0-based, as printed."""
    reference_ms: float | None
    ascendc_ms: float | None
    tilelang_ms: float | None = None
    ratio_reported: float | None = None
    """Per-case speed-up as the report states it (reference / ascendc)."""
    shape: str | None = None
    """As printed, e.g. `(1000, 1000)`; first tensor input."""
    dtype: str | None = None
    elements: int | None = None
    """Product of the shape's dimensions, all tensor inputs of the case added."""
    fallback_clock: bool = False
    """True when this case was timed by wall clock although the report is of device time."""


@dataclass(frozen=True, slots=True)
class ImplementationTiming:
    """Statistics of one implementation over the run, milliseconds."""

    ok: bool
    error: str | None = None
    mean_ms: float | None = None
    median_ms: float | None = None
    min_ms: float | None = None
    max_ms: float | None = None
    std_ms: float | None = None
    basis: Literal["report", "case_latencies"] | None = None
    """`report`: printed by the script over all samples; `case_latencies`: computed here over one
    latency per case."""
    std_kind: Literal["sample", None] = None
    decimals: int | None = None
    """Digits after the point of the inputs; bounds the error of what is computed from them."""


@dataclass(frozen=True, slots=True)
class PerformanceReport:
    """One performance run, printed or stored."""

    layout: Literal["P1", "P1b", "P1c", "P2", "P3", "full_case", "cannbot"]
    form: Literal["printed", "json", "csv"]
    device: str | None
    warmup: int | None
    repeat: int | None
    seed: int | None
    reference: ImplementationTiming | None
    ascendc: ImplementationTiming | None
    tilelang: ImplementationTiming | None
    per_case: tuple[CaseTiming, ...]
    overall_reported: float | None
    """The script's own aggregate speed-up, as printed or stored."""
    overall_is: Literal["mean_of_ratios", "ratio_of_means", "geomean_of_ratios", None]
    """What that aggregate is, by the layout's definition."""
    operator: str | None = None
    output_dir: str | None = None
    generated_at: str | None = None
    complete: bool = True
    """False when the report's end, or a part of its case list, is missing."""
    lines: tuple[TextLine, ...] = ()
    """Citable lines of a printed report: header, table rows, per-case rows, overall."""
    issues: tuple[ReadIssue, ...] = ()
    """Values of a stored report that are no usable numbers (an infinite ratio, for instance)."""

    @property
    def cases(self) -> int | None:
        """Number of timed cases, None when the report lists none."""
        return len(self.per_case) or None


@dataclass(frozen=True, slots=True)
class CaseFiles:
    """Case counts that the files of an output directory prove (artefact format CS1-CS3)."""

    original: int | None
    """Cases of the backup; None when there is no backup."""
    current: int | None
    """Cases of the file in use."""
    current_path: str | None
    backup_path: str | None
    identical: bool | None
    """Whether current and backup hold the same bytes (the full set was restored)."""
    form: Literal["CS1", "CS2", "CS3"] | None
    shapes: tuple[tuple[str, str, int], ...] = ()
    """Per case of the current file: (shape text, dtype, elements); empty when unreadable."""
    issues: tuple[ReadIssue, ...] = ()
    """Lines that are no JSON, several candidates, backups that contradict each other."""
