"""Reads the framed performance reports (88-wide rules); must not know Markdown or files.

P1 family: a table of statistics over all samples, then per implementation one line per case; P1b
adds per-case speed-ups and an overall one (ratio of the means). P2: per-case speed-ups and an
overall one (mean of the ratios), no means. CANNBot: as P2, once per clock; the device clock counts.
The top may be cut off.

Source: `print` calls of the harness's `performance.py`, versions P1 to P3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from summarizer.measurements._draft import Draft, Row, decimals_of, number
from summarizer.measurements.inputs import input_case, input_tensor
from summarizer.model.reports import ImplementationTiming
from summarizer.text.lines import Line

HEAVY_RULE = re.compile(r".*={88}$")
TITLE = re.compile(r"Performance Report( \(AscendC\)( — Profiler \+ Wall Clock)?)?$")
TABLE = re.compile(r"Impl +Status +Mean\(ms\) +Median +Min +Max +Std$")
SPEEDUP_HEAD = re.compile(
    r"Per-Case Speedup \(reference / ascendc\)$|Case +Ref\(ms\) +AscendC\(ms\)"
)
SPEEDUP_ROW = re.compile(r"\[(\d{1,9}) *\] +(\S+) +(\S+) +(\S+)x$")
OVERALL_MEANS = re.compile(r"Overall +: ref_mean=(\S+) ms, asc_mean=(\S+) ms, speedup=(\S+)x$")
OVERALL_RATIOS = re.compile(r"Overall speedup(?: \(profiler\))?: (\S+)x$")
OVERALL_WALL_CLOCK = re.compile(r"Overall speedup \(wallclock\): ")
_WALL_CLOCK = re.compile(r"--- Host-side \(")
FALLBACK = re.compile(r"\s*警告: .*无法获取有效.*time\.perf_counter\(\)")

_LIGHT_RULE = re.compile(r"-{88}$")
_HEADER = re.compile(
    r"(Operator|Task Dir|Output Dir|JSON Path|Device|Warmup|Repeat|Seed) {0,8}: (.*)$"
)
_STATISTICS = re.compile(
    r"(reference|tilelang|ascendc) +(OK|ERROR) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)$"
)
_SECTION = re.compile(r"(reference|tilelang|ascendc) -> ")
_CASE_MEAN = re.compile(
    r"case\[(\d{1,9})\] mean=(\S+) ms, median=\S+ ms, samples\(ms\): \[[^\]]*\]$"
)
_SECTION_ERROR = re.compile(r"error {6}: (.*)$")
_IMPLEMENTATION = re.compile(r"(reference|ascendc) +(OK|ERROR) +\S")
_ERROR = re.compile(r" {2}error: (.*)$")


def is_title(text: str, before: str) -> bool:
    """Whether a line is the title of a framed report."""
    return TITLE.match(text) is not None and HEAVY_RULE.match(before) is not None


def continues_headless(text: str) -> bool:
    """Whether a line can only stand inside a framed report, whose top is then cut off."""
    return bool(
        TABLE.match(text)
        or SPEEDUP_HEAD.match(text)
        or SPEEDUP_ROW.match(text)
        or OVERALL_MEANS.match(text)
        or OVERALL_RATIOS.match(text)
    )


def parse_printed(lines: Sequence[Line]) -> Draft:
    """Return what one framed report says.

    Args:
        lines: From the rule above the title (or the first line that is left) to the next report.
    """
    draft = Draft("P1")
    reader = _Reader(draft)
    for line in lines:
        reader.take(line)
    reader.finish()
    return draft


class _Reader:
    """Goes through the lines of one report; each method takes one kind of line."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.section: str | None = None
        self.wall_clock = False
        self.open_error: str | None = None
        self.takers: tuple[Callable[[Line], bool], ...] = (
            self._rule,
            self._title,
            self._statistics,
            self._section,
            self._case_mean,
            self._speedup,
            self._overall,
            self._implementation,
            self._error,
            self._input,
            self._header,
        )

    def take(self, line: Line) -> None:
        """Let the first kind that knows the line have it; else it may continue an error."""
        if any(taker(line) for taker in self.takers):
            return
        if self.open_error is not None and not line.torn:
            self.draft.errors[self.open_error].append(line.text)

    def finish(self) -> None:
        """An error at the very end has no mark after it: only its first line is certain."""
        if self.open_error is not None:
            del self.draft.errors[self.open_error][1:]
        if self.draft.layout == "P2" and False in self.draft.status.values():
            self.draft.ended = self.draft.ended or {"reference", "ascendc"} <= set(
                self.draft.status
            )

    def _rule(self, line: Line) -> bool:
        if not (_LIGHT_RULE.match(line.text) or HEAVY_RULE.match(line.text)):
            return False
        self.open_error = None
        return True

    def _title(self, line: Line) -> bool:
        match = TITLE.match(line.text)
        if match is None:
            return False
        self.draft.layout = "cannbot" if match[2] else "P2" if match[1] else "P1"
        self.draft.cite(line)
        return True

    def _header(self, line: Line) -> bool:
        match = _HEADER.match(line.text)
        if match is None or self.draft.ended or line.torn:
            return False
        if match[1] not in self.draft.header:
            self.draft.header[match[1]] = match[2].strip()
            self.draft.cite(line)
        return True

    def _input(self, line: Line) -> bool:
        index = input_case(line.text)
        if index is None:
            return False
        self.draft.has_inputs = True
        tensor = input_tensor(line.text)
        if tensor is not None and not line.torn:
            self.draft.inputs.setdefault(index, []).append(tensor)
        return True

    def _statistics(self, line: Line) -> bool:
        if TABLE.match(line.text):
            self.draft.cite(line)
            return True
        match = _STATISTICS.match(line.text)
        if match is None or line.torn:
            return False
        self.draft.status[match[1]] = match[2] == "OK"
        self.draft.table[match[1]] = _table_timing(match)
        self.draft.cite(line)
        return True

    def _section(self, line: Line) -> bool:
        match = _SECTION.match(line.text)
        if match is None:
            return False
        self.section, self.open_error = match[1], None
        self.draft.means.setdefault(match[1], {})
        self.draft.cite(line)
        return True

    def _case_mean(self, line: Line) -> bool:
        match = _CASE_MEAN.match(line.text)
        if match is None or self.section is None or line.torn:
            return False
        mean = number(match[2])
        if mean is not None:
            self.draft.means[self.section][int(match[1])] = mean
        self.draft.cite(line)
        return True

    def _speedup(self, line: Line) -> bool:
        self.wall_clock = self.wall_clock or _WALL_CLOCK.match(line.text) is not None
        if SPEEDUP_HEAD.match(line.text):
            self.draft.cite(line)
            return True
        match = SPEEDUP_ROW.match(line.text)
        if match is None or line.torn or self.wall_clock:
            return False
        reference, ascendc, ratio = match[2], match[3], match[4]
        self.draft.rows[int(match[1])] = Row(number(reference), number(ascendc), number(ratio))
        self.draft.decimals = decimals_of(reference) or self.draft.decimals
        self.draft.cite(line)
        return True

    def _overall(self, line: Line) -> bool:
        means = OVERALL_MEANS.match(line.text)
        ratios = OVERALL_RATIOS.match(line.text)
        if (means is None and ratios is None) or line.torn:
            return False
        if means is not None:
            self.draft.layout, value = "P1b", means[3]
        else:
            value = ratios[1] if ratios else ""
            if self.draft.layout != "cannbot":
                self.draft.layout = "P2"
        self.draft.overall = number(value)
        self.draft.ended = True
        self.draft.cite(line)
        return True

    def _implementation(self, line: Line) -> bool:
        match = _IMPLEMENTATION.match(line.text)
        if match is None or self.draft.layout != "P2":
            return False
        self.section, self.open_error = match[1], None
        self.draft.status[match[1]] = match[2] == "OK"
        self.draft.cite(line)
        return True

    def _error(self, line: Line) -> bool:
        match = _SECTION_ERROR.match(line.text) or _ERROR.match(line.text)
        if match is None or self.section is None:
            return False
        self.open_error = self.section
        self.draft.status[self.section] = False
        self.draft.errors[self.section] = [match[1]]
        self.draft.cite(line)
        return True


def _table_timing(match: re.Match[str]) -> ImplementationTiming:
    values = [number(match[column]) for column in range(3, 8)]
    if match[2] != "OK" or values[0] is None:
        return ImplementationTiming(ok=match[2] == "OK")
    mean, median, minimum, maximum, deviation = values
    return ImplementationTiming(
        ok=True,
        mean_ms=mean,
        median_ms=median,
        min_ms=minimum,
        max_ms=maximum,
        std_ms=deviation,
        basis="report",
        std_kind="sample",
        decimals=decimals_of(match[3]),
    )
