"""Finds the summary row of a trace and names its cells; must not know rules."""

from __future__ import annotations

from typing import NamedTuple

from summarizer.model.trace import TextSpan, TraceDoc
from summarizer.text.marks import unmarked
from validators.passages import file_lines

HEADER = (
    "Level",
    "Problem ID",
    "算子名称",
    "算子类型",
    "编译通过",
    "精度正确",
    "PyTorch 参考延迟",
    "生成AscendC代码延迟",
    "加速比",
    "最终状态",
    "精度正确",
    "性能0.6x pytorch",
    "性能0.8x pytorch",
)
"""The thirteen columns. 精度正确 occurs twice, so cells are addressed by position.

Source: the trace template's summary table, an interface of the public report script."""

COMPILED, CORRECT_MARK, REFERENCE_MS, CANDIDATE_MS, RATIO = 4, 5, 6, 7, 8
STATUS, CORRECT, AT_LEAST_06, AT_LEAST_08 = 9, 10, 11, 12

UNKNOWN = "N/A"
_HEADING = "## 汇总表报告"
_SHORTEST_ROW = 5


class Row(NamedTuple):
    """The first data row of the summary table."""

    cells: tuple[TextSpan, ...]

    def text(self, column: int) -> str:
        """Text of a cell without Markdown, `` when the row is too short."""
        if column >= len(self.cells):
            return ""
        return unmarked(self.cells[column].text).strip()

    def span(self, column: int) -> TextSpan:
        """Place of a cell, of the last one when the row is too short."""
        return self.cells[min(column, len(self.cells) - 1)]


def summary_row(doc: TraceDoc) -> Row | None:
    """Return the first row of the first table of the summary section, None without one."""
    section = doc.section("summary_table")
    if section is None:
        return None
    for table in section.tables:
        for row in table.rows:
            if row:
                return Row(row)
    return None


def report_script_rows(doc: TraceDoc) -> list[tuple[int, str]]:
    """Return the (1-based line, text) that the public report script takes out of a trace.

    Source: `utils/generate_report_dynamic.py`: from the line after the first occurrence of the
    heading's text to the end of the file, each stripped line that starts with `|`, holds neither
    `Level` nor `---` and is longer than five characters.
    """
    lines = file_lines(doc)
    start = next((index for index, line in enumerate(lines) if _HEADING in line), None)
    if start is None:
        return []
    rows = []
    for number, line in enumerate(lines[start + 1 :], start + 2):
        text = line.strip()
        kept = "Level" not in text and "---" not in text and len(text) > _SHORTEST_ROW
        if text.startswith("|") and kept:
            rows.append((number, text))
    return rows
