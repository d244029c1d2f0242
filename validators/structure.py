"""Rules on the parts of a trace that other programs rely on: sections, summary row, hash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.model.finding import Location
from summarizer.model.trace import Section, Table, TraceDoc
from summarizer.text.provenance import read_provenance
from validators.passages import file_lines, labelled, span_location
from validators.replacing import result_in_form, template_cell
from validators.rule import CheckContext, Flag
from validators.table_row import HEADER, UNKNOWN, Row, report_script_rows, summary_row
from validators.verdicts import read_verdict

_HEADINGS = {
    "cases": "## 阶段零: Case 精简",
    "tilelang": "## 阶段一: TileLang",
    "ascendc": "## 阶段二: AscendC",
    "performance": "## 阶段三: 性能分析",
    "full_validation": "## 阶段四: 全量用例验证",
    "summary_table": "## 汇总表报告",
    "eval_excerpt": "## 评测输出摘要",
    "violations": "## 违规路径记录",
    "final_status": "## final_status",
}
_ALWAYS = ("cases", "tilelang", "ascendc", "eval_excerpt")
_WITHOUT_TABLE = {"T1", "T2", "T3", "T4", "T7", "T8", "T9", "T10"}
_WITH_STATUS = {"T8", "T9", "T10"}
"""Templates that end with a record of violations and a final status."""
_FREE_LAYOUTS = {"phase", "overview"}

_STAGE_FIELDS = ("result", "run_count", "errors", "behaviour", "drift")
_FIELDS = {
    "header": ("operator",),
    "cases": ("result", "original_cases", "reduced_cases"),
    "tilelang": _STAGE_FIELDS,
    "ascendc": _STAGE_FIELDS,
    "full_validation": ("result",),
}
_FIELD_WORDS = {
    "operator": "算子",
    "result": "结果",
    "original_cases": "原始 case 数",
    "reduced_cases": "精简后 case 数",
    "run_count": "执行次数",
    "errors": "关键错误信息",
    "behaviour": "Agent 行为记录",
    "drift": "走偏点",
}

_FINAL = re.compile(
    r"(?:PASS|FAIL|SKIP|NOT_RUN|NOT_VERIFIED|UNKNOWN) \(tilelang\)"
    r" \| (?:PASS|FAIL|NOT_RUN|NOT_VERIFIED|UNKNOWN) \(ascendc\)"
    r"(?: \| FAIL \(全量(?: \d+/\d+)?\))?"
)

_MARKS = {"✅", "❌", UNKNOWN}
_BRACKET_MARKS = {"[成功]", "[失败]"}
_YES_NO = {"是", "否", UNKNOWN}
_PIPE = re.compile(r"(?<!\\)\|")
_INTEGER = re.compile(r"\d+|N/A")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?|N/A")


def required_sections(doc: TraceDoc, *, own: bool, full_ran: bool) -> tuple[str, ...]:
    """The sections that a trace of this layout must have, in the template's order.

    Args:
        doc: The trace.
        own: Whether this tool wrote it.
        full_ran: Whether the evidence shows a validation with the full cases.
    """
    if doc.profile in _FREE_LAYOUTS:
        return ("ascendc",)
    wanted = set(_ALWAYS)
    if doc.profile not in _WITHOUT_TABLE:
        wanted |= {"performance", "summary_table"}
    if doc.profile in _WITH_STATUS:
        wanted |= {"violations", "final_status"}
    if own or full_ran:
        wanted.add("full_validation")
    return tuple(key for key in _HEADINGS if key in wanted)


def check_missing_section(context: CheckContext) -> Iterator[Flag]:
    """A section that the trace's layout requires is not there.

    Readers look for each stage by its heading; a stage that is left out looks like a stage that
    never happened. A full validation that the evidence shows needs its section too.

    Bad:
        ## 阶段二: AscendC
        ## 汇总表报告
    Good:
        ## 阶段一: TileLang
        - 结果: 跳过
        ## 阶段二: AscendC
    """
    doc, facts = context.doc, context.facts
    full_ran = facts is not None and bool(facts.stages["full_validation"].rounds)
    present = {section.key for section in doc.sections}
    for key in required_sections(doc, own=context.provenance, full_ran=full_ran):
        if key not in present:
            yield Flag(
                f"section {_HEADINGS[key]!r} is missing",
                Location(1),
                expected=_HEADINGS[key],
                notes=(f"layout {doc.profile}: {doc.profile_because}",),
            )


def check_missing_field(context: CheckContext) -> Iterator[Flag]:
    """A field that the template puts into a section is not there, or the excerpt quotes nothing.

    A missing 执行次数 or 走偏点 cannot be told from one that was forgotten; `无` and `0` say that
    there was nothing.

    Bad:
        ## 阶段二: AscendC
        - 结果: 通过
    Good:
        ## 阶段二: AscendC
        - 结果: 通过
        - evaluate_ascendc.sh 执行次数: 1
        - 关键错误信息: 无
        - Agent 行为记录: 第 1 轮: 新建 `kernel/elu_kernel.cpp`
        - 走偏点: 无
    """
    doc, facts = context.doc, context.facts
    if doc.profile in _FREE_LAYOUTS or doc.profile == "unknown":
        return
    for section in doc.sections:
        for label in _fields_of(section):
            if next(labelled(section, label), None) is None:
                yield Flag(
                    f"the field {_FIELD_WORDS[label]!r} is missing",
                    span_location(section.heading),
                    expected=f"- {_FIELD_WORDS[label]}: ...",
                )
    excerpt = doc.section("eval_excerpt")
    evaluated = facts is not None and facts.last_evaluation is not None
    if excerpt is not None and evaluated and not _quotes_something(excerpt):
        yield Flag(
            "评测输出摘要 quotes nothing of the last evaluation",
            span_location(excerpt.heading),
        )


def _fields_of(section: Section) -> tuple[str, ...]:
    """The fields a section needs; a stage that never ran needs its result alone."""
    fields = _FIELDS.get(section.key, ())
    result = next(labelled(section, "result"), None)
    verdict = read_verdict(result.value.text) if result is not None else None
    return ("result",) if fields and verdict in {"SKIP", "NOT_RUN"} else fields


def _quotes_something(section: Section) -> bool:
    blocks = [*section.blocks, *(block for entry in section.entries for block in entry.blocks)]
    if any(line.text.strip() for block in blocks for line in block.lines):
        return True
    return any("`" in entry.value.text for entry in section.entries)


def check_malformed_summary_row(context: CheckContext) -> Iterator[Flag]:
    """The summary table has other columns, or a cell another wording, than the template.

    The row is read by position by other programs: thirteen cells, in this order, with these
    words. Unknown cells are `N/A`.

    Bad:
        | 2 | 1 | RotaryMul | vector | yes | ✅ | 0.086 | 0.186 | 0.46x | ok | 是 | 否 | 否 |
    Good:
        | 2 | 1 | RotaryMul | vector | ✅ | ✅ | 0.086 | 0.186 | 0.46 | 成功 | 是 | 否 | 否 |
    """
    section = context.doc.section("summary_table")
    if section is None or not section.tables:
        return
    table = section.tables[0]
    header = tuple(" ".join(cell.text.split()) for cell in table.header)
    if header != HEADER:
        yield Flag(
            "the summary table's header differs from the template",
            _header_location(table),
            expected=" | ".join(HEADER),
            actual=" | ".join(header),
            replacement=" | ".join(HEADER) if len(header) == len(HEADER) else None,
        )
    row = summary_row(context.doc)
    if row is not None:
        number = row.cells[0].line
        count = len(_PIPE.split(file_lines(context.doc)[number - 1].strip().strip("|")))
        marks = _BRACKET_MARKS if context.doc.profile == "T12" else set()
        yield from _malformed_cells(row, count, marks)


def _header_location(table: Table) -> Location:
    """The header from its first cell to its last; its line where it has none."""
    if not table.header:
        return Location(table.line)
    last = table.header[-1]
    end = last.column + len(last.text)
    return Location(table.line, table.header[0].column, last.line, end)


def _malformed_cells(row: Row, count: int, extra_marks: set[str]) -> Iterator[Flag]:
    """The row as other programs split it: Markdown pads and cuts rows to the header's width."""
    if count != len(HEADER):
        yield Flag(
            f"the summary row has {count} cells instead of {len(HEADER)}",
            Location(row.cells[0].line),
            expected=str(len(HEADER)),
            actual=str(count),
        )
        return
    words = {
        4: _MARKS | extra_marks,
        5: _MARKS | extra_marks,
        9: {"成功", "失败", UNKNOWN},
        10: _YES_NO,
        11: _YES_NO,
        12: _YES_NO,
    }
    patterns = {0: _INTEGER, 1: _INTEGER, 6: _DECIMAL, 7: _DECIMAL, 8: _DECIMAL}
    for column, name in enumerate(HEADER):
        text = row.text(column)
        if column in words and text in words[column]:
            continue
        if column in patterns and patterns[column].fullmatch(text):
            continue
        if column not in words and column not in patterns and text:
            continue
        allowed = " / ".join(sorted(words[column])) if column in words else "a number or N/A"
        yield Flag(
            f"cell {column + 1} ({name}) of the summary row is malformed: {text!r}",
            span_location(row.span(column)),
            expected=allowed if column in words or column in patterns else "a name or N/A",
            actual=text,
            replacement=template_cell(row.span(column).text, column, text),
        )


def check_row_count(context: CheckContext) -> Iterator[Flag]:
    r"""The public report script would take no row, or more than one, out of this file.

    That script keeps every line after the first `## 汇总表报告` that starts with `|`, unless the
    line holds `Level` or `---`. A row with such a cell is lost without a word, and any other table
    further down, even a quoted log, becomes a row of the report.

    Bad:
        | 1 | 31 | Level\_Norm | vector | ✅ | ✅ | ... |
    Good:
        | 1 | 31 | L&#101;vel\_Norm | vector | ✅ | ✅ | ... |
    """
    section = context.doc.section("summary_table")
    if section is None:
        return
    rows = report_script_rows(context.doc)
    row = summary_row(context.doc)
    own_line = row.cells[0].line if row is not None else None
    if all(line != own_line for line, _ in rows):
        yield Flag(
            "the report script takes no row out of this trace",
            Location(own_line or section.heading.line),
            expected="one row",
            actual="no row" if row is None else "a row with `Level`, `---` or no text is dropped",
        )
    for line, text in rows:
        if line != own_line:
            yield Flag(
                "the report script takes this line for a further row",
                Location(line),
                expected="one row",
                actual=text[:120],
            )


def check_malformed_final_result(context: CheckContext) -> Iterator[Flag]:
    """The line 最终结果 is missing or does not have the template's form.

    It is the only machine-readable verdict at the head of a trace: two parts, one per
    implementation, and a failed full validation after them. Phase layouts have no such line.

    Bad:
        - 最终结果: PARTIAL PASS (ascendc: 41/50 full cases)
    Good:
        - 最终结果: SKIP (tilelang) | PASS (ascendc) | FAIL (全量 41/50)
    """
    doc = context.doc
    if doc.profile in _FREE_LAYOUTS:
        return
    entries = [e for section in doc.sections for e in labelled(section, "final_result")]
    if not entries:
        yield Flag(
            "the line '最终结果' is missing",
            Location(doc.title.line if doc.title is not None else 1),
            expected="- 最终结果: SKIP (tilelang) | PASS (ascendc)",
        )
        return
    value = entries[0].value
    text = " ".join(value.text.replace("*", "").split())
    if not _FINAL.fullmatch(text):
        yield Flag(
            f"最终结果 does not have the template's form: {text!r}",
            span_location(value),
            expected="{SKIP|PASS|FAIL} (tilelang) | {PASS|FAIL} (ascendc)",
            actual=text,
            replacement=result_in_form(text),
        )


def check_provenance_hash(context: CheckContext) -> Iterator[Flag]:
    """The text was changed after trace-recorder wrote it.

    The comment on the last line holds a hash of everything before it. An edited trace may still be
    right, but it is no longer what was generated from the evidence.

    Bad:
        - 结果: 通过 (edited by hand, hash of the original text below)
    Good:
        - 结果: 失败 (as generated)
    """
    provenance = read_provenance(context.doc.text)
    if provenance is None or provenance.intact:
        return
    actual = context.hash_text(provenance.covered)
    if actual == provenance.text_sha256:
        yield Flag(
            "something was written behind the comment of trace-recorder",
            Location(len(context.doc.text.split("\n"))),
        )
    else:
        last = len(context.doc.text.rstrip("\n").split("\n"))
        yield Flag(
            "the text was edited after trace-recorder wrote it",
            Location(last),
            expected=f"sha256 {provenance.text_sha256[:12]}",
            actual=f"sha256 {actual[:12]}",
        )
