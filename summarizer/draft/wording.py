"""Words facts in Chinese, one statement at a time.

Everything between backticks is verbatim source text; every figure is a field of the facts. Must
not know templates or rules.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from summarizer.model.facts import (
    ApiChange,
    Attempt,
    ChangedFile,
    FailedEdit,
    FileOutline,
    Round,
    Run,
    UnseenChange,
)
from summarizer.model.reports import Outcome
from summarizer.text.markdown import code_span, escape_text

MAX_FRAGMENT = 120
"""Characters of one code fragment in a note; longer ones are named by their calls instead."""
MAX_NAMES = 8
"""Names listed in a note; the rest is counted."""
MAX_LINES = 5
"""Added or removed lines shown in full; from there on calls and declarations are named."""

_SCRIPT = re.compile(
    r"(?:\S*python3?\s+(?:-u\s+)?|bash\s+(?:-x\s+)?|sh\s+)?\S*"
    r"(?:evaluate_(?:tilelang|ascendc)|wrap-evaluate)\.sh(?:\s+(?:tilelang|ascendc)\b)?"
    r"|\S*python3?\s+(?:-u\s+)?\S*verification_(?:tilelang|ascendc)\.py"
)

OUTCOMES = {
    Outcome.PASS: "通过",
    Outcome.FAIL: "未通过",
    Outcome.COMPILE_ERROR: "编译失败",
    Outcome.ENVIRONMENT_ERROR: "环境错误",
    Outcome.TIMEOUT: "超时",
    Outcome.UNKNOWN: "结论未知",
}

REASONS = {
    "output_cut": "客户端截断了输出，结论不在记录中",
    "output_cut_head": "客户端截断了输出的开头，结论不在记录中",
    "no_output": "记录中没有输出",
    "unrecognised": "输出中没有可识别的评测报告",
    "interrupted": "运行被中断",
    "timeout": "运行超时",
    "not_logged": "子代理的输出没有记录",
    "task_directory_missing": "任务目录不存在",
}
"""Words for EvalReport.reason where there is no verdict; other reasons are shown as they are."""

STAGE_NAMES = {
    "tilelang": "TileLang",
    "ascendc": "AscendC",
    "full_validation": "全量验证",
}

_ATTEMPTS = {
    "refused": "被拒绝，没有执行",
    "invalid": "调用无效，没有执行",
    "not_found": "没有启动",
    "guard_failed": "前置命令失败，没有执行",
    "aborted": "启动前被中断",
    "no_result": "记录中没有结果",
}


def names(items: Iterable[str], limit: int = MAX_NAMES) -> str:
    """Return code spans joined by 、, the rest counted."""
    listed = list(items)
    text = "、".join(code_span(item) for item in listed[:limit])
    return text + (f" 等 {len(listed)} 个" if len(listed) > limit else "")


def fragment(text: str) -> str | None:
    """Return a code span for a short one-line fragment, None when it is too long to show."""
    flat = text.strip()
    if not flat or len(flat) > MAX_FRAGMENT or "\n" in flat:
        return None
    return code_span(flat)


def score(item: Round | Run) -> str:
    """Return `6/10`, or nothing when no cases were counted."""
    if item.cases_total is None:
        return ""
    return f"{item.cases_passed}/{item.cases_total}"


def outcome_words(item: Round | Run, reason: str = "") -> str:
    """Return the outcome with its figures: `未通过，6/10，失败 case[1]、case[2]`."""
    parts = [OUTCOMES[item.outcome]]
    if not item.outcome.is_verdict and reason:
        parts[0] += f"（{REASONS.get(reason, reason)}）"
    if counted := score(item):
        parts.append(counted)
    if item.failed_cases:
        shown = "、".join(f"case[{number}]" for number in item.failed_cases[:MAX_NAMES])
        rest = len(item.failed_cases) - MAX_NAMES
        parts.append(f"失败 {shown}" + (f" 等 {len(item.failed_cases)} 个" if rest > 0 else ""))
    return "，".join(parts)


def script_words(run: Run) -> str:
    """Return the part of the command that names the script, verbatim."""
    match = _SCRIPT.search(run.command)
    return code_span(match[0] if match else run.command.strip().split("\n", 1)[0][:MAX_FRAGMENT])


def run_words(run: Run) -> str:
    """Return `运行 <script>：<outcome>`, with the first error line."""
    if not run.command:
        log = code_span(base_name(run.evidence.path))
        return f"日志 {log} 保存的最后一次运行：{outcome_words(run, run.reason)}"
    text = f"运行 {script_words(run)}：{outcome_words(run, run.reason)}"
    if run.background:
        text = text.replace("运行 ", "后台运行 ", 1)
    if run.agent_id is not None:
        text = f"子代理{text}"
    if run.outcome is not Outcome.PASS and run.exit_code is not None and not run.outcome.is_verdict:
        text += f"，退出码 {run.exit_code}"
    if run.cases_total is None and run.error_lines:
        line = headline(run.error_lines)
        shown = fragment(line)
        if shown is not None:
            text += f"，{shown}"
    return text


def headline(lines: Sequence[str]) -> str:
    """Return the line that says most: the first compiler error, else the last line."""
    for line in lines:
        match = re.search(r"[^/\s:]+:\d+(?::\d+)?: (?:fatal )?error: .*", line)
        if match:
            return match[0]
    return lines[-1]


def outline_words(shape: FileOutline) -> str:
    """Return what a new file contains."""
    parts = [f"{shape.lines} 行"]
    if shape.types:
        parts.append(f"类型 {names(shape.types, 4)}")
    if shape.functions:
        parts.append(f"函数 {names(shape.functions)}")
    if shape.calls:
        parts.append(f"调用 {names(shape.calls, 10)}")
    return "；".join(parts)


def change_words(change: ApiChange) -> str:
    """Return what changed in one scope."""
    parts: list[str] = []
    for old, new in change.replaced:
        shown_old, shown_new = fragment(old), fragment(new)
        if shown_old and shown_new:
            parts.append(f"{shown_old} 换成 {shown_new}")
    for name, old, new in change.values:
        parts.append(f"{code_span(name)} 由 {code_span(old)} 改为 {code_span(new)}")
    for call, old, new in change.arguments:
        shown_old, shown_new = fragment(old), fragment(new)
        if shown_new and not shown_old:
            parts.append(f"{code_span(call)} 的参数改为 {shown_new}")
        elif shown_new and shown_old:
            parts.append(f"{code_span(call)} 的参数由 {shown_old} 改为 {shown_new}")
    parts += _lines_words("删去", change.loose_removed, change.removed_calls, change.removed_names)
    parts += _lines_words("新增", change.loose_added, change.added_calls, change.added_names)
    if not parts:
        parts.append(f"改动 {len(change.added_lines)} 行（原 {len(change.removed_lines)} 行）")
    text = "，".join(parts)
    if change.scope is None:
        return text
    return f"{code_span(change.scope)} 中{' ' if text.startswith('`') else ''}{text}"


def _lines_words(
    verb: str, lines: Sequence[str], calls: Sequence[str], declared: Sequence[str]
) -> list[str]:
    """Show few short lines as they are, many by the calls and names in them."""
    lines = [line for line in lines if len(line) > 2]
    shown = [fragment(line) for line in lines]
    if lines and len(lines) <= MAX_LINES and all(shown):
        return [f"{verb} " + "、".join(text for text in shown if text)]
    parts = []
    listed = list(dict.fromkeys([*declared, *calls]))
    if listed:
        parts.append(f"{verb} {names(listed)}（共 {len(lines)} 行）")
    elif lines:
        parts.append(f"{verb} {len(lines)} 行")
    return parts


def file_words(changes: Sequence[ChangedFile]) -> str:
    """Return what happened to one file; all changes concern the same path, in order."""
    first = changes[0]
    clauses: list[str] = []
    for change in changes:
        clauses.extend(_one_change(change))
    merged = "；".join(dict.fromkeys(clauses))
    who = f"（子代理 {first.agent_id}）" if first.agent_id is not None else ""
    judging = f"（{judging_word(first.path)}）" if first.judging else ""
    return f"{code_span(first.path)}{judging}{who}：{merged}"


def judging_word(path: str) -> str:
    """Return what a file is that kernels are judged by."""
    return "参考实现" if path.endswith(".py") else "用例文件"


def _one_change(change: ChangedFile) -> list[str]:
    if change.how in {"copy", "move"} and change.from_path is not None:
        return [_copy_words(change)]
    if change.how == "delete":
        return ["删除"]
    if not change.content_known:
        return [f"由命令修改，内容不在记录中（{_how_words(change)}）"]
    clauses: list[str] = []
    if change.outline is not None:
        verb = "新建" if change.created is not False else "重写"
        clauses.append(f"{verb}（{outline_words(change.outline)}）")
    clauses.extend(change_words(item) for item in change.changes)
    if change.restores_round is not None:
        clauses.append(f"内容回到第 {change.restores_round} 轮结束时的状态")
    if not clauses:
        clauses.append("写入后内容未变" if not change.counts else _how_words(change))
    return clauses


def unseen_words(changes: Sequence[UnseenChange]) -> str:
    """Return the first commands that may have changed the code, with a count of the rest."""
    commands = list(dict.fromkeys(change.command.strip() for change in changes))
    shown = "、".join(_command_start(text) for text in commands[:3])
    more = f" 等 {len(commands)} 条命令" if len(commands) > 3 else ""
    return shown + more


def _command_start(text: str) -> str:
    """The command, or its first whole words where it is long: half a word is no name."""
    if len(text) <= MAX_FRAGMENT:
        return code_span(text)
    whole = text[: MAX_FRAGMENT + 1].rsplit(None, 1)[0]
    return code_span(whole) + "…" if len(whole) <= MAX_FRAGMENT else "一条很长的命令"


def _copy_words(change: ChangedFile) -> str:
    verb = "移动" if change.how == "move" else "复制"
    source = code_span(change.from_path or "")
    if not change.counts:
        return f"由 {source} {verb}而来（备份）"
    text = f"由 {source} {verb}覆盖"
    if change.restores_round is not None:
        text += f"，内容回到第 {change.restores_round} 轮结束时的状态"
    return text


def _how_words(change: ChangedFile) -> str:
    return {
        "sed": "sed 原地修改",
        "redirect": "重定向写入",
        "patch": "git 恢复",
        "script": "脚本写入",
    }.get(change.how, change.how)


def changes_words(changes: Sequence[ChangedFile]) -> list[str]:
    """Return one clause per file, in order of first change; changes by others apart."""
    grouped: dict[tuple[str, str | None], list[ChangedFile]] = {}
    for change in changes:
        grouped.setdefault((change.path, change.agent_id), []).append(change)
    return [file_words(group) for group in grouped.values()]


def attempt_words(attempt: Attempt) -> str:
    """Return why an evaluation was no run."""
    match = _SCRIPT.search(attempt.command)
    script = code_span(match[0] if match else attempt.command.strip().split("\n", 1)[0][:80])
    text = f"{script} {_ATTEMPTS[attempt.reason]}，不计入执行次数"
    shown = fragment(attempt.text) if attempt.text else None
    return f"{text}：{shown}" if shown else text


def failed_edit_words(edit: FailedEdit) -> str:
    """Return that an edit was rejected, with the tool's words."""
    message = re.sub(r"</?tool_use_error>", "", edit.message)
    shown = fragment(message)
    text = f"对 {code_span(edit.path)} 的一次编辑被工具拒绝，文件未变"
    return f"{text}：{shown}" if shown else text


def agent_words(text: str, sub_agent: bool = False) -> str:
    """Return a statement of the agent, marked as unverified and escaped."""
    who = "子 Agent" if sub_agent else "Agent"
    return f"{who} 说明（未核实）：「{escape_text(text)}」"


def base_name(path: str) -> str:
    """Return the last component of a path."""
    return posixpath.basename(path)
