"""Titles, comments, profiles, and blocks that stand where they should not."""

from __future__ import annotations

import pytest

from summarizer.render.parse import parse_trace

STAGE = "## 阶段二: AscendC\n\n"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Trace: X\n", "Trace: X"),
        ("# X (7_X) - Trace\n", "X (7_X) - Trace"),
        ("文字\n\n# Trace: X\n## 阶段二: AscendC\n", "Trace: X"),
        ("## Trace: X\n### 阶段二: AscendC\n", "Trace: X"),
        ("# 阶段二: AscendC\n", None),
        ("## 阶段二: AscendC\n# Trace: X\n", None),
        ("", None),
    ],
)
def test_the_first_heading_is_the_title_unless_it_opens_a_stage(text, title):
    """Only the first heading can be the title."""
    found = parse_trace(text).title
    assert (found.text if found else None) == title


def test_facts_about_the_operator_are_the_header_only_where_they_stand_first():
    """`基本信息` before everything is the header; behind a stage it is another section."""
    doc = parse_trace(
        "# T\n## 基本信息\n- 算子: X\n## 阶段二: AscendC\n- 结果: 通过\n## 算子信息\n- a\n"
    )
    assert [section.key for section in doc.sections] == ["header", "ascendc", "other"]


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("- 关键错误信息:\n```\nx\n```\n", ["x"]),
        ("- 关键错误信息:\n\n> ```\n> x\n> ```\n", ["x"]),
        ("- 关键错误信息:\n  - 第 1 轮:\n```\nx\n```\n```\ny\n```\n", ["x", "y"]),
        ("- 关键错误信息:\n  ```\n  x\n  ```\n", ["x"]),
        ("- 关键错误信息: |\n    x\n", ["x"]),
    ],
)
def test_a_block_belongs_to_the_label_that_awaits_it(block, expected):
    """Indented or not, in a quotation or not, the block is the label's."""
    (section,) = parse_trace(STAGE + block).sections
    entry = section.entries[0]
    while entry.children:
        entry = entry.children[-1]
    assert [line.text for each in entry.blocks for line in each.lines] == expected
    assert section.blocks == ()


@pytest.mark.parametrize(
    "text",
    [
        "- 关键错误信息: 无\n```\nx\n```\n",
        "- 走偏点:\n\n---\n\n```\nx\n```\n",
        "输出如下：\n\n```\nx\n```\n",
    ],
)
def test_a_block_that_no_label_awaits_is_the_sections(text):
    """A label with a value, a rule between, or plain prose: the block stands for itself."""
    (section,) = parse_trace(STAGE + text).sections
    assert [block.lines[0].text for block in section.blocks] == ["x"]


def test_a_list_goes_on_behind_a_block_at_the_margin():
    """Indented items behind an unindented block stay below the label before it."""
    text = "- 关键错误信息:\n  - 第 1 轮:\n```\nx\n```\n  - 第 2 轮:\n```\ny\n```\n- 走偏点: 无\n"
    (section,) = parse_trace(STAGE + text).sections
    errors, drift = section.entries
    assert [child.number for child in errors.children] == [1, 2]
    assert [child.blocks[0].lines[0].text for child in errors.children] == ["x", "y"]
    assert drift.label == "drift"


def test_a_heading_is_a_label_without_a_colon():
    """`### 走偏点` holds what stands below it."""
    (section,) = parse_trace(STAGE + "### 走偏点\n\n- a\n- b\n").sections
    (entry,) = section.entries
    assert (entry.label, [child.value.text for child in entry.children]) == ("drift", ["a", "b"])


def test_tables_in_lists_and_quotations_are_kept():
    """A table anywhere in a section is the section's, with cells beyond its header."""
    table = "| a | b |\n{0}| --- | --- |\n{0}| 1 | 2 | 3 |\n"
    text = STAGE + "- x\n\n  " + table.format("  ") + "\n> " + table.format("> ")
    (section,) = parse_trace(text).sections
    rows = [[cell.text for cell in table.rows[0]] for table in section.tables]
    assert rows == [["1", "2", "3"], ["1", "2", "3"]]


def test_lists_and_prose_in_a_quotation_are_kept():
    """A quotation is read like the rest."""
    (section,) = parse_trace(STAGE + "> 结果: 通过\n>\n> - 备注: x\n").sections
    assert [(e.label, e.value.text) for e in section.entries] == [("result", "通过"), ("note", "x")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x <!-- trace-recorder: ignore N201 -->", [(1, ("N201",), "")]),
        (
            "<!-- trace-recorder: ignore N201,Q101 因为 A, B -->\nx",
            [(2, ("N201", "Q101"), "因为 A, B")],
        ),
        ("<!--trace-recorder:ignore Q -->", [(2, ("Q",), "")]),
        ("x <!-- trace-recorder: ignore -->", []),
        ("x <!-- trace-recorder: ignore this -->", []),
        ("```\n<!-- trace-recorder: ignore N201 -->\n```", []),
        ("> <!-- trace-recorder: ignore N201 -->", []),
        ("x `<!-- trace-recorder: ignore N201 -->`", []),
        ("x \\<!-- trace-recorder: ignore N201 -->", []),
        ("    <!-- trace-recorder: ignore N201 -->", []),
    ],
)
def test_only_real_comments_leave_findings_out(text, found):
    """Comments in quotations, code or escaped text mean nothing."""
    suppressions = parse_trace(text).suppressions
    assert [(each.line, each.codes, each.reason) for each in suppressions] == found


@pytest.mark.parametrize(
    ("text", "provenance"),
    [
        ("x\n<!-- trace-recorder 1.0 profile=T6 -->\n", "trace-recorder 1.0 profile=T6"),
        ("x\r\n<!-- trace-recorder 1.0 profile=T6 -->\r\n\r\n", "trace-recorder 1.0 profile=T6"),
        ("<!-- trace-recorder 1.0 -->\nx", None),
        ("x <!-- trace-recorder 1.0 -->", None),
        ("> <!-- trace-recorder 1.0 -->", None),
    ],
)
def test_provenance_counts_on_the_last_line_only(text, provenance):
    """Anywhere else it may be quoted text."""
    assert parse_trace(text).provenance == provenance


def test_a_comment_behind_a_value_is_not_part_of_it():
    """The reader of the page does not see it, so the value ends before it."""
    (section,) = parse_trace(STAGE + "- 结果: 通过 <!-- trace-recorder: ignore S405 -->\n").sections
    assert section.entries[0].value.text == "通过"


@pytest.mark.parametrize(
    ("text", "profile"),
    [
        ("## 阶段二: AscendC\n", "T1"),
        ("- 最终结果: SKIP (tilelang) | PASS (ascendc)\n## 阶段二: AscendC\n", "T4"),
        ("## 阶段三: 性能分析\n- performance-analyzer 执行详情:\n  - 加速比: 1\n", "T3"),
        ("## 阶段三: 性能分析\n- 总体统计:\n", "T6"),
        ("## 阶段二: AscendC\n## 汇总表报告\n", "T6"),
        ("## 阶段二: AscendC\n## 汇总表报告\n| a |\n|---|\n| [成功] |\n", "T12"),
        ("## 阶段二: AscendC\n## 违规路径记录\n", "T7"),
        ("## 阶段二: AscendC\n## 违规路径记录\n## final_status\n", "T8"),
        ("## 阶段二: AscendC\n- phase4_final_result: PASS\n## final_status\n", "T9"),
        ("## 阶段〇.五: 设计文档\n## 汇总表报告\n", "T11"),
        ("## Phase 4: AscendC\n", "phase"),
        ("## 执行概览\n## Phase 4: AscendC\n", "overview"),
        ("## 阶段二: AscendC\n<!-- trace-recorder 1.0 profile=T11 -->\n", "T11"),
        ("# 笔记\n", "unknown"),
        ("## 阶段二: AscendC\n```\n## 汇总表报告\nphase4_final_result: [成功]\n```\n", "T1"),
    ],
)
def test_a_layout_is_told_by_its_structure(text, profile):
    """The newest template whose marker is there, or the layout of its own; never by quoted text."""
    doc = parse_trace(text)
    assert doc.profile == profile
    assert doc.profile_because


@pytest.mark.parametrize(
    ("line", "text", "column"),
    [
        ("1. 1", "1", 4),
        ("- -x", "-x", 3),
        ("> > > x", "x", 7),
        ("\t- 结果: 结果", "\t- 结果: 结果".strip(), 2),
        ("- 结果: 结果", "结果", 7),
        ("- **结果：成功**", "成功", 8),
        ("x\0y", "x\0y", 1),
    ],
)
def test_a_place_is_that_of_the_text_and_not_of_its_double(line, text, column):
    """Marks before a text may hold the same characters; columns count from 1."""
    (section,) = parse_trace(line).sections
    found = [entry.value for entry in section.entries] + [
        span for block in section.blocks for span in block.lines
    ]
    assert [(span.text, span.column) for span in found] == [(text, column)]


def test_html_shows_its_text_without_tags_and_comments():
    """What a reader of the page sees is read, label and all."""
    (section,) = parse_trace(
        STAGE
        + "<details>\n<summary><b>结果: 失败</b></summary>\n<!-- 走偏点: x -->\n1 < 2\n</details>\n"
    ).sections
    assert [(e.label, e.value.text) for e in section.entries] == [("result", "失败")]
    assert [span.text for span in section.entries[0].continuation] == ["1 < 2"]
