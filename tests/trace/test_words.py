"""Headings, labels and rounds in all the ways that people write them."""

from __future__ import annotations

import pytest

from summarizer.model.trace import TextSpan
from summarizer.render.parse import parse_trace
from summarizer.render.parsing.headings import heading_status, names_section, section_key
from summarizer.render.parsing.labels import find_label, round_label


@pytest.mark.parametrize(
    ("heading", "key"),
    [
        ("阶段零: Case 精简", "cases"),
        ("阶段〇：用例精简", "cases"),
        ("阶段〇.五: 设计文档 (仅简单算子路径)", "design"),
        ("阶段一: TileLang (仅复杂算子路径)", "tilelang"),
        ("阶段二: AscendC", "ascendc"),
        ("**阶段二: AscendC**", "ascendc"),
        ("2. 阶段二: AscendC", "ascendc"),
        ("二、阶段 2：AscendC（基于 TileLang 设计）", "ascendc"),
        ("阶段三: 性能分析（如执行）", "performance"),
        ("阶段三: AscendC", "ascendc"),
        ("阶段四: 性能分析", "performance"),
        ("阶段四: 全量 73 cases 验证 (Phase 6)", "full_validation"),
        ("阶段五: Trace 记录", "other"),
        ("Phase 2: 测试用例精简 — 成功", "cases"),
        ("Phase 3: TileLang 设计表达", "tilelang"),
        ("Phase 4: AscendC 转译与验证 — 成功（第 3 次迭代）", "ascendc"),
        ("Phase 5: AscendC 性能分析", "performance"),
        ("Phase 6: AscendC 全量用例验证", "full_validation"),
        ("Phase 0: 参数确认", "other"),
        ("汇总表报告", "summary_table"),
        ("Trace 汇总表", "summary_table"),
        ("评测输出摘要 (最后一次 Phase 6 evaluate_ascendc.sh)", "eval_excerpt"),
        ("违规路径记录", "violations"),
        ("final_status", "final_status"),
        ("执行概览", "overview"),
        ("基本信息", "header"),
        ("性能分析", "performance"),
        ("AscendC 转译", "ascendc"),
        ("全量用例验证", "full_validation"),
        ("AscendC 踩坑记录", "other"),
        ("走偏点分析", "other"),
        ("证据说明", "other"),
        ("", "other"),
    ],
)
def test_a_heading_opens_its_section(heading, key):
    """Numbering, emphasis, brackets and the forks' own stage numbers do not matter."""
    assert section_key(heading) == key


@pytest.mark.parametrize(
    ("heading", "opens"),
    [
        ("阶段二: AscendC", True),
        ("Phase 4 — AscendC", True),
        ("汇总表报告", True),
        ("Phase 4 迭代历史", False),
        ("阶段二补充", False),
        ("走偏点分析", False),
        ("TileLang (精简 case)", False),
    ],
)
def test_only_stages_and_named_sections_open_below_a_deeper_heading(heading, opens):
    """Other headings are parts of the section they stand in."""
    assert names_section(heading) is opens


@pytest.mark.parametrize(
    ("heading", "status"),
    [
        ("Phase 4: AscendC 转译与验证 — 成功（第 3 次迭代）", "成功（第 3 次迭代）"),
        ("阶段四: 全量 -- 70/73 PASS", "70/73 PASS"),
        ("阶段四: 全量 - 验证 — 失败 - 3 个", "失败 - 3 个"),
        ("阶段三: 性能分析 - 大 shape", None),
        ("用例通过率", None),
    ],
)
def test_a_verdict_in_a_heading_is_found(heading, status):
    """What stands behind a dash counts when it is a verdict, with its place."""
    found = heading_status(TextSpan(heading, 7, 4))
    assert (found.text if found else None) == status
    if found is not None:
        assert found.line == 7
        assert heading[found.column - 4 :] == status


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("结果: 通过", "result", "通过"),
        ("结果：通过", "result", "通过"),
        ("**结果**: 通过", "result", "通过"),
        ("**结果：** 通过", "result", "通过"),
        ("**结果：10/10 通过**", "result", "10/10 通过"),
        ("**结果：** **通过**", "result", "**通过**"),
        ("`phase4_final_result`: PASS", "result", "PASS"),
        ("evaluate_ascendc.sh 执行次数 (Phase 4: 阶段): 4 轮", "run_count", "4 轮"),
        ("Evaluate_AscendC.sh执行次数: 4", "run_count", "4"),
        ("总体统计（10 个 case，由各 case 延迟计算）:", "statistics", ""),
        ("关键错误信息 (按时间序):", "errors", ""),
        ("关键错误信息摘要: x", "errors", "x"),
        ("Phase 6 行为记录:", "behaviour", ""),
        ("精简后 case 数: 9（移除 case 1）", "reduced_cases", "9（移除 case 1）"),
        ("Reference (torch_npu): Mean 0.1ms", "reference", "Mean 0.1ms"),
        ("ops-profiling（msprof 模式）执行详情:", "performance_details", ""),
        ("ａｓｃｅｎｄｃ: mean=1ms", "ascendc", "mean=1ms"),
    ],
)
def test_a_known_label_is_recognised(text, key, value):
    """Emphasis, both colons, brackets, case, width and blanks do not matter."""
    label = find_label(text)
    assert label is not None
    assert (label.key, label.value) == (key, value)


@pytest.mark.parametrize(
    "text",
    [
        "Agent 说明（未核实）：「结果: 通过」",
        "子 Agent 说明（未核实）：「最终结果: PASS」",
        "与日志不符：Agent 说明（未核实）：「x」，日志：y",
        "`结果: 通过` 写入文件",
        "推测：结果未知",
        "结果分析: 三处不同",
        "算子类型: vector",
        "编译错误: x",
        "恢复 model.py.bak 后运行: 全部通过",
        "结果",
        "",
        ":",
        "：：",
    ],
)
def test_prose_with_a_colon_is_no_label(text):
    """Statements of the agent, code spans and longer words stay prose."""
    assert find_label(text) is None


@pytest.mark.parametrize(
    ("text", "number", "kind"),
    [
        ("第 2 轮: x", 2, "轮"),
        ("第2轮（未通过，6/10）:", 2, "轮"),
        ("**第 2 轮**", 2, "轮"),
        ("第 1-3 轮: x", 1, "轮"),
        ("第 1 轮至第 3 轮: x", 1, "轮"),
        ("第十二轮: x", 12, "轮"),
        ("第二十轮: x", 20, "轮"),
        ("第３轮: x", 3, "轮"),
        ("第 2 次: x", 2, "轮"),
        ("Round 4: x", 4, "round"),
        ("round #4", 4, "round"),
        ("Iteration 0", 0, "iteration"),
        ("迭代 0 (tl_iteration=0)", 0, "迭代"),
    ],
)
def test_a_round_is_recognised(text, number, kind):
    """Digits of any kind, Chinese numerals, ranges and the forks' own words."""
    found = round_label(text)
    assert found is not None
    assert (found.number, found.kind) == (number, kind)


@pytest.mark.parametrize(
    "text",
    ["迭代 2 次后通过", "第 2 次评测后", "第 12345 轮", "尝试 1: x", "Rounding 3", "轮 2", "第轮"],
)
def test_other_counts_are_no_rounds(text):
    """Tries inside a round, numbers of calls and broken words name no round."""
    assert round_label(text) is None


@pytest.mark.parametrize("text", ["第二轮的结果不同", "第 2 轮修改了 tiling"])
def test_prose_about_a_round_keeps_its_words(text):
    """A sentence that begins with a round is not cut in two."""
    assert find_label(text) is None


def test_each_kind_of_round_counts_for_itself():
    """迭代 that begin at 0 do not shift 第 N 轮 in the same section."""
    doc = parse_trace("## 阶段二: AscendC\n### 迭代 0\n- 第 1 轮: a\n### 迭代 1\n- 第 2 轮: b\n")
    first, second = doc.sections[0].entries
    assert (first.zero_based, second.zero_based) == (True, True)
    assert (second.number, second.children[0].number) == (1, 2)
    assert not second.children[0].zero_based


def test_rounds_from_one_are_not_shifted():
    """Without a 迭代 0 the counting begins at 1."""
    doc = parse_trace("## 阶段二: AscendC\n### 迭代 1\n### 迭代 2\n")
    assert [entry.zero_based for entry in doc.sections[0].entries] == [False, False]
