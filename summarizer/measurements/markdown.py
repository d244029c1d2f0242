"""Reads the Markdown forms of performance reports; must not know the framed form.

P2 `--markdown`: `## Performance Analysis`, per implementation a list of latencies, a table, and
`**Overall speedup**`. P3 prints the same heading with tables that name shape and dtype. The
full-case script writes `summary.md`: statistics per implementation and the ratio of the means.

Source: `performance.py` P2 and P3, `performance_full_case.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from summarizer.measurements._draft import Draft, Row, decimals_of, number
from summarizer.model.reports import ImplementationTiming
from summarizer.text.lines import Line

ANALYSIS = re.compile(r"## Performance Analysis$")
SUMMARY = re.compile(r"# Performance Summary$")
SHAPED_TABLE = re.compile(r"\| Case \| Shape \| DType \|")

_ITEM = re.compile(r"(?:- )?\*\*(Operator|Task Dir|Device|Timestamp|Warmup|Repeat|Seed)\*\*: (.*)$")
_PAIR = re.compile(r"\*\*(Warmup|Repeat|Seed)\*\*: (\d+)")
_IMPLEMENTATION = re.compile(r"### (Reference|Ascendc|Tilelang) \((OK|ERROR)\)$")
_SHORT_IMPLEMENTATION = re.compile(r"- \*\*(Reference|AscendC)\*\*: .*\((OK|ERROR)\)$")
_LATENCY = re.compile(r"- case\[(\d{1,9})\]: latency=(\S+) ms")
_ERROR = re.compile(r"- (?:\*\*)?(?:Error|error|错误)(?:\*\*)?: (.*)$")
_ROW = re.compile(r"\| (\d{1,9}) \| (\S+) \| (\S+) \| (\S+?)x \|$")
_SHAPED_ROW = re.compile(
    r"\| (\d{1,9}) \| ([^|]{0,400}?) \| ([^|]{0,60}?) \| (\S+) \| (\S+) \| (\S+?)x \|$"
)
_OVERALL = re.compile(r"\*\*Overall speedup\*\*: (\S+)x$|\| Overall speedup \| (\S+)x \|$")
_STATISTICS = re.compile(
    r"\| (reference|tilelang|ascendc) \| ([^|]{1,40}?)"
    r" \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|"
)
_MEANS_RATIO = re.compile(r"\*\*AscendC vs Reference Speedup\*\*: (\S+)x$")


def begins(text: str) -> bool:
    """Whether a line is the heading of a Markdown report."""
    return bool(ANALYSIS.match(text) or SUMMARY.match(text))


def continues_headless(text: str) -> bool:
    """Whether a line can only stand inside such a report, whose top is then cut off."""
    return SHAPED_TABLE.match(text) is not None


def parse_markdown(lines: Sequence[Line]) -> Draft:
    """Return what one Markdown report says.

    Args:
        lines: From its heading (or the first line that is left) to the next report.
    """
    reader = _Reader(Draft("P2"))
    for line in lines:
        reader.take(line)
    return reader.draft


class _Reader:
    """Goes through the lines of one report; each method takes one kind of line."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.section: str | None = None
        self.takers: tuple[Callable[[Line], bool], ...] = (
            self._heading,
            self._item,
            self._implementation,
            self._latency,
            self._row,
            self._statistics,
            self._overall,
            self._error,
        )

    def take(self, line: Line) -> None:
        """Let the first kind that knows the line have it."""
        if not line.torn and any(taker(line) for taker in self.takers):
            self.draft.cite(line)

    def _heading(self, line: Line) -> bool:
        if SUMMARY.match(line.text):
            self.draft.layout = "full_case"
        elif SHAPED_TABLE.match(line.text):
            self.draft.layout = "P3"
        else:
            return ANALYSIS.match(line.text) is not None
        return True

    def _item(self, line: Line) -> bool:
        match = _ITEM.match(line.text)
        if match is None:
            return False
        self.draft.header.setdefault(match[1], match[2].strip())
        for pair in _PAIR.finditer(line.text):  # one line can hold several
            self.draft.header[pair[1]] = pair[2]
        return True

    def _implementation(self, line: Line) -> bool:
        match = _IMPLEMENTATION.match(line.text) or _SHORT_IMPLEMENTATION.match(line.text)
        if match is None:
            return False
        self.section = match[1].lower()
        self.draft.status[self.section] = match[2] == "OK"
        return True

    def _latency(self, line: Line) -> bool:
        match = _LATENCY.match(line.text)
        if match is None or self.section is None:
            return False
        value = number(match[2].rstrip(","))
        if value is not None:
            self.draft.means.setdefault(self.section, {})[int(match[1])] = value
        return True

    def _row(self, line: Line) -> bool:
        shaped = _SHAPED_ROW.match(line.text)
        plain = _ROW.match(line.text)
        if shaped is not None:
            index, reference, ascendc, ratio = (shaped[group] for group in (1, 4, 5, 6))
            row = Row(number(reference), number(ascendc), number(ratio), shaped[2], shaped[3])
        elif plain is not None:
            index, reference, ascendc, ratio = plain.groups()
            row = Row(number(reference), number(ascendc), number(ratio))
        else:
            return False
        self.draft.rows[int(index)] = row
        self.draft.decimals = decimals_of(reference) or self.draft.decimals
        return True

    def _statistics(self, line: Line) -> bool:
        match = _STATISTICS.match(line.text)
        if match is None or self.draft.layout != "full_case":
            return False
        mean, median, minimum, maximum, deviation = (number(match[n]) for n in range(3, 8))
        ok = mean is not None
        self.draft.status[match[1]] = ok
        self.draft.table[match[1]] = ImplementationTiming(
            ok=ok,
            mean_ms=mean,
            median_ms=median,
            min_ms=minimum,
            max_ms=maximum,
            std_ms=deviation,
            basis="report" if ok else None,
            std_kind="sample" if ok else None,
            decimals=decimals_of(match[3]),
        )
        return True

    def _overall(self, line: Line) -> bool:
        match = _OVERALL.match(line.text) or _MEANS_RATIO.match(line.text)
        if match is None:
            return False
        self.draft.overall = number(next(group for group in match.groups() if group))
        self.draft.ended = True
        return True

    def _error(self, line: Line) -> bool:
        match = _ERROR.match(line.text)
        if match is None or self.section is None or self.draft.status.get(self.section, True):
            return False
        self.draft.errors[self.section] = [match[1]]
        return True
