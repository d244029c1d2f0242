"""Every version of the trace template: which one is recognised, and what it must contain.

The traces are made up after the templates, with nothing in them but what a version needs.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from summarizer.pipeline import check_text
from summarizer.render.parse import parse_trace
from validators.structure import required_sections

HEAD = "# Trace: Gelu\n\n- 时间: 2026-04-20\n- 算子: Gelu\n- 最终结果: {final}\n"
CASES = (
    "## 阶段零: Case 精简\n\n- 结果: 通过\n- 原始 case 数: 20\n- 精简后 case 数: 10\n- 备注: 无\n"
)
DESIGN = "## 阶段〇.五: 设计文档 (仅简单算子路径)\n\n- 结果: 通过\n- 说明: 单输入\n- 备注: 无\n"
STAGE = """## {title}

- 结果: {result}
- evaluate_{name}.sh 执行次数: {runs}
- 关键错误信息: 无
- Agent 行为记录:
  - 第 1 轮: 新建 `kernel/gelu.cpp`
- 走偏点: 无
"""
CONTRACT = """## {title}

- phase{n}_final_result: PASS
- phase{n}_{short}_iterations: 1
- {short}_last_error_summary: |
    null
- Agent 行为记录:
  - 第 1 轮: 新建 `kernel/gelu.cpp`
- 走偏点: 无
"""
PERFORMANCE = "## 阶段三: 性能分析（如执行）\n\n- 结果: 未执行\n"
DETAILS = """## 阶段三: 性能分析（如执行）

- 结果: 完成
- performance-analyzer 执行详情:
  - 测试的实现: reference / ascendc
  - 各实现平均耗时: reference 0.086ms, ascendc 0.186ms
"""
EXAMPLE = """## 阶段三: 性能分析

- 结果: 完成
- performance-analyzer 执行详情:
  - 总体统计:
    - reference: mean=0.086ms
    - ascendc: mean=0.186ms
"""
HEADER = (
    "| Level | Problem ID | 算子名称 | 算子类型 | 编译通过 | 精度正确 | PyTorch 参考延迟 |"
    " 生成AscendC代码延迟 | 加速比 | 最终状态 | 精度正确 | 性能0.6x pytorch | 性能0.8x pytorch |"
)
TABLE = f"""## 汇总表报告

- 说明: 延迟单位为 ms

{HEADER}
|{" --- |" * 13}
| 1 | 2 | Gelu | vector | {{mark}} | {{mark}} | 0.086 | 0.186 | 0.46 | 成功 | 是 | 否 | 否 |
"""
EXCERPT = "## 评测输出摘要\n\n```\nStatus    : PASS\nResult: pass\n```\n"
VIOLATIONS = "## 违规路径记录\n\n- 外部 web 检索: 否\n- 直接整体复制参考实现: 否\n"
STATUS = '## final_status\n\n```json\n{"schema_version": 2, "failure_type": "success"}\n```\n'

BOTH, SKIPPED = "PASS (tilelang) | PASS (ascendc)", "SKIP (tilelang) | PASS (ascendc)"
TILELANG = STAGE.format(title="阶段一: TileLang", result="通过", name="tilelang", runs=1)
SKIP = STAGE.format(title="阶段一: TileLang", result="跳过", name="tilelang", runs=0)
ASCENDC = STAGE.format(title="阶段二: AscendC", result="通过", name="ascendc", runs=1)
OLD = (HEAD.format(final=BOTH), CASES, TILELANG, ASCENDC)
NEW = (HEAD.format(final=SKIPPED), CASES, SKIP, ASCENDC)
BY_CONTRACT = (
    HEAD.format(final=BOTH),
    CASES,
    CONTRACT.format(title="阶段一: TileLang", n=3, short="tl"),
    CONTRACT.format(title="阶段二: AscendC", n=4, short="ac"),
    PERFORMANCE,
    EXCERPT,
    VIOLATIONS,
    STATUS,
)
WITH_TABLE = (*NEW, EXAMPLE, TABLE.format(mark="✅"), EXCERPT)
STAGES = ("cases", "tilelang", "ascendc")
PLAIN = (*STAGES, "eval_excerpt")
TABLED = (*STAGES, "performance", "summary_table", "eval_excerpt")
STATUSED = (*PLAIN, "violations", "final_status")


class Version(NamedTuple):
    """One version of the template."""

    name: str
    parts: tuple[str, ...]
    detected: str
    """The layout it is taken for: versions that write the same text share a name."""
    required: tuple[str, ...]


VERSIONS = (
    Version("T1", (*OLD, PERFORMANCE, EXCERPT), "T1", PLAIN),
    Version("T2", (*OLD, PERFORMANCE, EXCERPT), "T1", PLAIN),
    Version("T3", (*OLD, DETAILS, EXCERPT), "T3", PLAIN),
    Version("T4", (*NEW, PERFORMANCE, EXCERPT), "T4", PLAIN),
    Version("T5", WITH_TABLE, "T6", TABLED),
    Version("T6", WITH_TABLE, "T6", TABLED),
    Version("T7", (*OLD, DETAILS, EXCERPT, VIOLATIONS), "T7", PLAIN),
    Version("T8", (*OLD, DETAILS, EXCERPT, VIOLATIONS, STATUS), "T8", STATUSED),
    Version("T9", BY_CONTRACT, "T9", STATUSED),
    Version("T10", BY_CONTRACT, "T9", STATUSED),
    Version("T11", (*NEW[:2], DESIGN, *WITH_TABLE[2:]), "T11", TABLED),
    Version("T12", (*NEW, EXAMPLE, TABLE.format(mark="[成功]"), EXCERPT), "T12", TABLED),
)


def _text(parts: tuple[str, ...]) -> str:
    return "\n".join(parts)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_a_version_is_recognised_by_its_markers(version: Version) -> None:
    """The layout named is the newest whose marker is there, and a reason is given."""
    doc = parse_trace(_text(version.parts))
    assert (doc.profile, bool(doc.profile_because)) == (version.detected, True)
    assert required_sections(doc, own=False, full_ran=False) == version.required


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_a_trace_with_all_that_its_version_asks_for_is_clean(version: Version) -> None:
    """Nothing but `cannot be checked` is said of it."""
    findings = check_text(_text(version.parts), None).findings
    assert {finding.code for finding in findings} == {"X902"}


@pytest.mark.parametrize(
    ("version", "key"),
    [(version, key) for version in VERSIONS for key in version.required],
    ids=lambda value: value.name if isinstance(value, Version) else value,
)
def test_a_section_that_the_version_requires_is_missed(version: Version, key: str) -> None:
    """Each required section is missed by name when it is left out."""
    kept = tuple(part for part in version.parts if key not in _keys(part))
    assert len(kept) == len(version.parts) - 1
    findings = check_text(_text(kept), None, profile=version.detected).findings
    missing = [finding.expected for finding in findings if finding.code == "S401"]
    (left_out,) = (part for part in version.parts if part not in kept)
    assert missing == [left_out.split("\n", 1)[0].split(" (")[0].split("（")[0]]


def _keys(part: str) -> set[str]:
    return {section.key for section in parse_trace(part).sections}


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_a_profile_that_is_named_overrides_detection(version: Version) -> None:
    """The caller's word counts, and decides which sections are required."""
    doc = parse_trace(_text(version.parts), profile="T6")
    assert doc.profile == "T6"
    assert required_sections(doc, own=False, full_ran=False) == TABLED
