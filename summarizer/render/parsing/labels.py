"""The words of trace layouts: headings, labels, profile markers. Data, no logic.

Source: the template versions T1-T12 of the public harness and the traces found in the wild.
"""

from __future__ import annotations

import re

SECTION_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("header", re.compile(r"^(?:基本信息|算子信息)")),
    ("summary_table", re.compile(r"汇总表")),
    ("eval_excerpt", re.compile(r"评测输出摘要|评测输出")),
    ("violations", re.compile(r"违规路径")),
    ("final_status", re.compile(r"^final_status", re.IGNORECASE)),
    ("overview", re.compile(r"执行概览|阶段概览")),
    ("cases", re.compile(r"^阶段\s*零|^Phase\s+\d.*(?:用例精简|精简)", re.IGNORECASE)),
    ("design", re.compile(r"^阶段\s*〇\.五|^Phase\s+\d.*设计文档", re.IGNORECASE)),
    ("full_validation", re.compile(r"^阶段\s*四|^Phase\s+\d.*(?:全量|full)", re.IGNORECASE)),
    ("performance", re.compile(r"^阶段\s*三|^Phase\s+\d.*(?:性能|performance)", re.IGNORECASE)),
    ("tilelang", re.compile(r"^阶段\s*一|^Phase\s+\d.*TileLang", re.IGNORECASE)),
    ("ascendc", re.compile(r"^阶段\s*二|^Phase\s+\d.*AscendC", re.IGNORECASE)),
)
"""Section key by heading text; the first that matches counts."""

STAGE_HEADING = re.compile(
    r"^(?:阶段\s*[零〇一二三四五](?:\.五)?|Phase\s+\d+)\s*[:：]?", re.IGNORECASE
)
"""A heading that opens a stage, known or not."""

PHASE_HEADING = re.compile(r"^Phase\s+\d+\s*[:：]", re.IGNORECASE)

HEADING_STATUS = re.compile(r"\s(?:—|--|–|-)\s*(\S.*)$")
"""The verdict behind a dash in a heading."""

LABELS: tuple[tuple[str, str], ...] = (
    ("evaluate_tilelang.sh 执行次数", "run_count"),
    ("evaluate_ascendc.sh 执行次数", "run_count"),
    ("phase3_tl_iterations", "run_count"),
    ("phase4_ac_iterations", "run_count"),
    ("phase6_full_verify_runs", "full_run_count"),
    ("phase3_final_result", "result"),
    ("phase4_final_result", "result"),
    ("phase6_final_result", "full_result"),
    ("phase4_ac_cap_violated", "cap_violated"),
    ("tl_last_error_summary", "errors"),
    ("ac_last_error_summary", "errors"),
    ("原始 case 数", "original_cases"),
    ("精简后 case 数", "reduced_cases"),
    ("原始用例数", "original_cases"),
    ("原始用例", "original_cases"),
    ("精简后用例", "reduced_cases"),
    ("精简后", "reduced_cases"),
    ("最终结果", "final_result"),
    ("最终状态", "final_result"),
    ("关键错误信息", "errors"),
    ("关键错误", "errors"),
    ("Agent 行为记录", "behaviour"),
    ("行为记录", "behaviour"),
    ("走偏点", "drift"),
    ("performance-analyzer 执行详情", "performance_details"),
    ("ops-profiling", "performance_details"),
    ("测试配置", "configuration"),
    ("测试的实现", "implementations"),
    ("总体统计", "statistics"),
    ("各实现平均耗时", "mean_latencies"),
    ("性能结论", "conclusions"),
    ("典型大 shape case 观察", "large_cases"),
    ("性能设计检查", "design_check"),
    ("性能迭代", "tuning"),
    ("失败 case 分析", "failed_cases"),
    ("根因推测", "cause"),
    ("加速比", "speedup"),
    ("执行次数", "run_count"),
    ("迭代次数", "iteration_count"),
    ("设计路径", "design_path"),
    ("读取问题", "read_issue"),
    ("来源", "source"),
    ("产物", "products"),
    ("编译", "build"),
    ("说明", "explanation"),
    ("备注", "note"),
    ("时间", "time"),
    ("日期", "time"),
    ("算子名称", "operator"),
    ("算子", "operator"),
    ("结果", "result"),
    ("状态", "result"),
)
"""Label as printed (brackets and emphasis stripped) -> canonical key."""

EXACT_LABELS = {"reference": "reference", "tilelang": "tilelang", "ascendc": "ascendc"}
"""Labels that count only when they are the whole label."""

ROUND = re.compile(
    r"^(?:第\s*(\d{1,4})\s*[轮次]|Round\s+(\d{1,4})\b|Iteration\s+(\d{1,4})\b|迭代\s*(\d{1,4})(?!\d))",
    re.IGNORECASE,
)
ZERO_BASED_WORD = re.compile(r"^(?:迭代|Iteration)\s*0\b", re.IGNORECASE)

PROFILE_MARKERS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("T9", re.compile(r"phase4_final_result"), "contract field names in 阶段二"),
    ("T8", re.compile(r"^##\s+final_status", re.MULTILINE), "a final_status section"),
    ("T11", re.compile(r"阶段\s*〇\.五|^- 设计路径\s*[:：]", re.MULTILINE), "a design.md path"),
    ("T7", re.compile(r"^##\s+违规路径记录", re.MULTILINE), "a section 违规路径记录"),
    ("T12", re.compile(r"\[成功\]"), "[成功] marks in the summary row"),
    ("T6", re.compile(r"^##\s+汇总表报告|总体统计", re.MULTILINE), "a summary table"),
    ("T3", re.compile(r"performance-analyzer 执行详情"), "performance-analyzer details"),
    ("T4", re.compile(r"最终结果\s*[:：]\s*SKIP|结果\s*[:：]\s*跳过"), "a skipped TileLang"),
)
"""Markers of template versions, the most telling first; 汇总表报告 without more is T6."""
