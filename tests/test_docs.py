"""The README tells the truth: tables, commands, excerpt and report are what the tool prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from summarizer.cli.main import COMMANDS, main
from validators import RULES, rules_table_markdown

README = Path(__file__).resolve().parent.parent / "README.md"

EXCERPT_LINES = (
    "- evaluate_ascendc.sh 执行次数: 4",
    "  - 第 3 轮（未通过，2/10）:",
    "  - 第 4 轮（通过，10/10）:",
    "  - 第 3 轮：修改",
    "  - 与日志不符：Agent 说明（未核实）：「AscendC：共执行",
    "    - AscendC 慢于 reference",
    "    - 报告的 Overall speedup",
    "| 1 | 31 | ELU |",
)
"""Beginnings of the trace lines that the README shows; note lines below 第 N 轮 come along."""


def section(name: str) -> str:
    text = README.read_text(encoding="utf-8")
    match = re.search(rf"<!-- {name}:begin -->\n(.*?)<!-- {name}:end -->", text, re.DOTALL)
    assert match is not None, name
    return match[1]


def replace_section(name: str, content: str) -> None:
    text = README.read_text(encoding="utf-8")
    block = f"<!-- {name}:begin -->\n{content}<!-- {name}:end -->"
    pattern = rf"<!-- {name}:begin -->\n.*?<!-- {name}:end -->"
    README.write_text(re.sub(pattern, lambda _: block, text, flags=re.DOTALL), encoding="utf-8")


def check(name: str, content: str, update: bool) -> None:
    if update:
        replace_section(name, content)
    assert section(name) == content


def excerpt(trace: str) -> str:
    """The chosen lines of a trace; a chosen round comes with its notes, not with its quotation."""
    lines = trace.split("\n")
    kept: list[str] = []
    follow = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        below = follow and line.startswith("    - ")
        quoted = line.endswith(":") and not following.startswith("    - ")
        chosen = line.startswith(EXCERPT_LINES) and not quoted
        if chosen or below:
            kept.append(line)
        follow = below or (chosen and following.startswith("    - "))
    return "\n".join(kept) + "\n"


@pytest.fixture
def demo(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Trace and report of `demo`."""
    assert main(["demo"]) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_rule_table(update_golden):
    """The rule table is the registry's."""
    check("rules", rules_table_markdown().rstrip("\n") + "\n", update_golden)


def test_excerpt(demo, update_golden):
    """The excerpt consists of lines of the real trace."""
    check("excerpt", f"```\n{excerpt(demo[0])}```\n", update_golden)


def test_report(demo, update_golden):
    """The report is the demo's, its temporary folder aside."""
    report = re.sub(r"/\S*/trace-recorder-demo-\w+/", "/tmp/trace-recorder-demo/", demo[1])
    check("report", f"```\n{report.strip()}\n```\n", update_golden)


def test_every_command_is_in_the_readme():
    """Each command stands in the README's table."""
    text = README.read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"| `{name}" in text, name


def test_the_two_commands():
    """The README names both set-up commands."""
    text = README.read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text


def test_every_rule_is_explained(capsys):
    """`rule CODE` explains each rule with a bad and a good example."""
    for rule in RULES:
        assert main(["rule", rule.code]) == 0
        out = capsys.readouterr().out
        assert rule.name in out
        assert "Bad" in out
        assert "Good" in out
