"""Genuine traces as a person would write them, from the facts as JSON: Chinese and English."""

from __future__ import annotations

from bench.accuracy.base import Facts

HEADER = (
    "| Level | Problem ID | 算子名称 | 算子类型 | 编译通过 | 精度正确 | PyTorch 参考延迟 "
    "| 生成AscendC代码延迟 | 加速比 | 最终状态 | 精度正确 | 性能0.6x pytorch | 性能0.8x pytorch |"
)
_ZH = {
    "PASS": "通过", "FAIL": "未通过", "COMPILE_ERROR": "编译失败", "TIMEOUT": "超时",
    "UNKNOWN": "结论未知", "SKIP": "跳过", "NOT_RUN": "未执行",
}  # fmt: skip
_EN = {
    "PASS": "PASS", "FAIL": "FAIL", "COMPILE_ERROR": "COMPILE_ERROR", "TIMEOUT": "TIMEOUT",
    "UNKNOWN": "UNKNOWN", "SKIP": "SKIP", "NOT_RUN": "NOT_RUN",
}  # fmt: skip


def chinese(facts: Facts) -> str:
    """The template's layout, worded by hand: bold labels, both colons, blocks without `>`."""
    operator, cases, final = facts["operator"], facts["cases"], facts["final_result"]
    lines = [
        f"# Trace: {operator['name']}",
        "",
        f"- **时间**: {facts['session']['started_at'][:10]}",
        f"- **算子**：{operator['name']}（{operator['folder']}）",
        f"- **最终结果**: {final['tilelang']} (tilelang) | {final['ascendc']} (ascendc)",
        "",
        "## 阶段零: Case 精简",
        "",
        f"- 结果：{'通过' if cases['result'] == 'PASS' else '失败'}",
        f"- 原始 case 数：{_or_na(cases['original'])}",
        f"- 精简后 case 数：{_or_na(cases['reduced'])}",
        "- 备注: 无",
        "",
    ]
    for key, title in (("tilelang", "阶段一: TileLang"), ("ascendc", "阶段二: AscendC")):
        lines += ["## " + title, "", *_stage_zh(facts, key), ""]
    lines += ["## 阶段三: 性能分析", "", *_performance_zh(facts), ""]
    lines += ["## 阶段四: 全量用例验证", "", *_stage_zh(facts, "full_validation"), ""]
    lines += ["## 汇总表报告", "", "- 说明: 单位 ms，取 mean", "", *_table(facts), ""]
    lines += ["## 评测输出摘要", "", *_excerpt(facts), ""]
    return "\n".join(lines)


def _or_na(value: object) -> str:
    return "N/A" if value is None else str(value)


def _script(key: str) -> str:
    return "evaluate_tilelang.sh" if key == "tilelang" else "evaluate_ascendc.sh"


def _stage_zh(facts: Facts, key: str) -> list[str]:
    stage = facts["stages"][key]
    word = "失败" if stage["result"] == "FAIL" else _ZH[stage["result"]]
    marked = "（其后代码又有修改，结论已过期）" if stage["stale"] else ""
    if not stage["rounds"]:
        return [f"- 结果: {word}", f"- {_script(key)} 执行次数: {stage['evaluate_runs']}",
                "- 关键错误信息: 无", "- Agent 行为记录: 无", "- 走偏点: 无"]  # fmt: skip
    lines = [f"- 结果: {word}{marked}", f"- {_script(key)} 执行次数: {stage['evaluate_runs']} 次"]
    failing = [r for r in stage["rounds"] if r["error_lines"]]
    lines.append("- 关键错误信息 (按时间序):" if failing else "- 关键错误信息: 无")
    for item in failing:
        lines.append(f"  - 第 {item['round_no']} 轮:")
        lines += ["    ```", *(f"    {line}" for line in item["error_lines"][:3]), "    ```"]
    lines.append("- Agent 行为记录:")
    lines += [f"  - 第 {r['round_no']} 轮: {_note_zh(r)}" for r in stage["rounds"]]
    drift = [
        f"  - 第 {r['round_no']} 轮{_ended_zh(r)}"
        for r in stage["rounds"]
        if r["outcome"] != "PASS"
    ]
    return [*lines, *(["- **走偏点**：", *drift] if drift else ["- **走偏点**：无"])]


def _count(item: Facts) -> str:
    total = item["cases_total"]
    return "" if total is None else f"{item['cases_passed']}/{total}"


def _ended_zh(item: Facts) -> str:
    count = _count(item)
    return f"（{_ZH[item['outcome']]}{'，' + count if count else ''}）：{_effect_zh(item)}"


def _effect_zh(item: Facts) -> str:
    names = "、".join(dict.fromkeys(f"`{c['path']}`" for c in item["changed_files"]))
    return f"修改 {names} 后没有解决" if names else "未改代码"


def _note_zh(item: Facts) -> str:
    parts = [_change_zh(change) for change in item["changed_files"][:3]]
    count = _count(item)
    failed = "、".join(f"case[{n}]" for n in item["failed_cases"])
    parts.append(f"运行评测，{_ZH[item['outcome']]}{'，' + count if count else ''}"
                 f"{'，失败 ' + failed if failed else ''}")  # fmt: skip
    return "；".join(parts)


def _change_zh(change: Facts) -> str:
    path = f"`{change['path']}`"
    if change["created"]:
        return f"新建 {path}"
    swaps = [pair for c in change["changes"] for pair in c["replaced"]]
    if swaps:
        return f"{path} 里把 `{swaps[0][0]}` 换成 `{swaps[0][1]}`"
    return f"修改 {path}"


def _means(facts: Facts) -> tuple[str, str]:
    performance = facts["performance"]
    digits = _digits(performance)
    keys = ("mean_reference_ms", "mean_ascendc_ms")
    reference, ascendc = (f"{performance[key]:.{digits}f}" for key in keys)
    return reference, ascendc


def _digits(performance: Facts) -> int:
    """Decimals that the report gives: a printed one has three, the JSON four."""
    return 4 if performance["source_of_record"] == "json" else 3


def _performance_zh(facts: Facts) -> list[str]:
    performance = facts["performance"]
    if not performance["executed"]:
        return ["- 结果: 未执行"]
    reference, ascendc = _means(facts)
    lines = [
        "- 结果: 完成" + ("（已过期：测量之后代码又有修改）" if performance["stale"] else ""),
        "- performance-analyzer 执行详情:",
        f"  - 测试配置: {_settings(performance)}",
        "  - 总体统计:",
        *_statistics(performance),
        "  - 性能结论:",
    ]
    if performance["ratio_of_means"] < 1:
        lines += [
            f"    - AscendC 仍慢于 reference，按 mean 统计约为 reference 的 {_ratio(performance)}x"
            f"（{reference} / {ascendc}）；reference 约快 {1 / performance['ratio_of_means']:.2f}x"
        ]
    lines += [f"    - 各 case 比值的算术平均为 {performance['mean_of_ratios']:.2f}x"]
    lines += ["  - 典型大 shape case 观察:", *_large(performance), "- 走偏点: 无"]
    return lines


def _settings(performance: Facts) -> str:
    return ", ".join(f"{key}={performance[key]}" for key in ("device", "warmup", "repeat", "seed"))


def _statistics(performance: Facts) -> list[str]:
    digits = _digits(performance)
    return [
        f"    - {name}: "
        + ", ".join(f"{s}={item[f'{s}_ms']:.{digits}f}ms" for s in ("mean", "median", "min", "max"))
        for name, item in performance["implementations"].items()
        if item["ok"]
    ]


def _large(performance: Facts) -> list[str]:
    cases = sorted(performance["per_case"], key=lambda c: -(c["elements"] or 0))[:3]
    digits = _digits(performance)
    return [
        f"    - case[{c['index']}] shape={c['shape']}, {c['dtype']}:"
        f" reference={c['reference_ms']:.{digits}f}ms, ascendc={c['ascendc_ms']:.{digits}f}ms"
        for c in cases
        if c["shape"]
    ]


def _ratio(performance: Facts) -> str:
    return f"{performance['ratio_of_means']:.2f}"


def _table(facts: Facts) -> list[str]:
    operator, final, performance = facts["operator"], facts["final_result"], facts["performance"]
    if final["ascendc"] not in {"PASS", "FAIL"}:
        verdict = ["N/A", "N/A"]
        status = ["N/A", "N/A"]
    else:
        right = final["ascendc"] == "PASS" and final["full_validation"] in {"PASS", "NOT_RUN"}
        verdict = ["✅", "✅" if right else "❌"]
        status = ["成功", "是"] if right else ["失败", "否"]
    measured, flags = ["N/A"] * 3, ["N/A"] * 2
    if performance["executed"] and performance["ratio_of_means"]:
        measured = [*_means(facts), _ratio(performance)]
        over = (performance["at_least_06x"], performance["at_least_08x"])
        flags = ["是" if flag else "否" for flag in over]
    cells = [
        operator["level"], operator["problem_id"], operator["name"], operator["type"],
        *verdict, *measured, *status, *flags,
    ]  # fmt: skip
    row = "| " + " | ".join("N/A" if cell is None else str(cell) for cell in cells) + " |"
    return [HEADER, "| " + " | ".join(["---"] * 13) + " |", row]


def last_round(facts: Facts) -> tuple[str, Facts] | None:
    """Stage and round of the last evaluation with a verdict."""
    for key in ("full_validation", "ascendc", "tilelang"):
        rounds = [r for r in facts["stages"][key]["rounds"] if r["outcome"] in {"PASS", "FAIL"}]
        if rounds:
            return key, rounds[-1]
    return None


def _excerpt(facts: Facts) -> list[str]:
    last = last_round(facts)
    if last is None:
        return ["没有任何一次评测得到结论"]
    lines = [*last[1]["result_lines"][:1], *last[1]["error_lines"][:3]]
    lines += last[1]["result_lines"][1:]
    return ["```", *lines, "```"]


def english(facts: Facts) -> str:
    """Phase headings, iterations from 0, English sentences."""
    operator, cases, stages = facts["operator"], facts["cases"], facts["stages"]
    lines = [
        f"# {operator['name']} AscendC Trace",
        "",
        f"## Phase 2: Case reduction — {'DONE' if cases['result'] == 'PASS' else 'FAILED'}",
        "",
        f"- 原始 case 数: {_or_na(cases['original'])}",
        f"- 精简后 case 数: {_or_na(cases['reduced'])}",
        "",
    ]
    titles = (
        ("tilelang", "Phase 3: TileLang design"),
        ("ascendc", "Phase 4: AscendC translation"),
        ("full_validation", "Phase 6: Full validation"),
    )
    for key, title in titles:
        if key == "full_validation":
            lines += _performance_en(facts)
        stage = stages[key]
        mark = " (stale: the code was changed afterwards, 已过期)" if stage["stale"] else ""
        lines += [f"## {title} — {_EN[stage['result']]}{mark}", "", *_stage_en(stage, key)]
    lines += ["## 汇总表报告", "", *_table(facts), "", "## 评测输出摘要", "", *_excerpt(facts), ""]
    return "\n".join(lines)


def _stage_en(stage: Facts, key: str) -> list[str]:
    if not stage["rounds"]:
        return ["- Nothing was evaluated in this phase", ""]
    runs = stage["evaluate_runs"]
    lines = [f"- {_script(key)} was run {runs} {'time' if runs == 1 else 'times'}", ""]
    for item in stage["rounds"]:
        lines += [f"### Round {item['round_no']} ({_EN[item['outcome']]})", ""]
        lines += [_change_en(change) for change in item["changed_files"][:3]]
        count = _count(item)
        if count:
            failed = ", ".join(f"case[{n}]" for n in item["failed_cases"])
            lines.append(f"- {count} cases passed" + (f", failed {failed}" if failed else ""))
        if item["error_lines"]:
            lines += ["", "```", *item["error_lines"][:3], "```"]
        lines.append("")
    unsolved = [item for item in stage["rounds"] if item["outcome"] != "PASS"]
    if unsolved:
        lines += ["### 走偏点", "", *(_drift_en(item) for item in unsolved), ""]
    return lines


def _drift_en(item: Facts) -> str:
    names = ", ".join(dict.fromkeys(f"`{c['path']}`" for c in item["changed_files"]))
    return f"- Round {item['round_no']}: changing {names} did not solve it"


def _change_en(change: Facts) -> str:
    path = f"`{change['path']}`"
    if change["created"]:
        return f"- created {path}"
    swaps = [pair for c in change["changes"] for pair in c["replaced"]]
    if swaps:
        return f"- replaced `{swaps[0][0]}` with `{swaps[0][1]}` in {path}"
    return f"- changed {path}"


def _performance_en(facts: Facts) -> list[str]:
    performance = facts["performance"]
    if not performance["executed"]:
        return ["## Phase 5: Performance — NOT_RUN", ""]
    reference, ascendc = _means(facts)
    ratio = _ratio(performance)
    stale = "the code was changed after this measurement"
    return [
        "## Phase 5: Performance — DONE",
        "",
        *([f"- 已过期 (stale): {stale}"] if performance["stale"] else []),
        f"- Settings: {_settings(performance)}",
        *(line.strip() for line in _statistics(performance)),
        f"- The mean latency of reference is {reference} ms and of ascendc {ascendc} ms",
        f"- Speedup of AscendC over reference (ratio of means): {ratio}x ({reference} / {ascendc})",
        f"- The arithmetic mean of ratios per case is {performance['mean_of_ratios']:.2f}x",
        f"- AscendC is slower than reference, speedup {ratio}x"
        if performance["ratio_of_means"] < 1
        else f"- AscendC is faster than reference, speedup {ratio}x",
        *(line.strip() for line in _large(performance)),
        "",
    ]
