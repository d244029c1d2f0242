"""Whatever stands in a file: nothing crashes, nothing vanishes, every place is right."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summarizer.render.parse import parse_trace, split_trace

FRAGMENTS = [
    "## 阶段二: AscendC",
    "### 阶段一: TileLang",
    "# Trace: X",
    "#### 迭代 0",
    "## 汇总表报告",
    "#",
    "##### 走偏点",
    "- 结果: 通过",
    "- 关键错误信息:",
    "- **算子**：X",
    "* 第 1 轮: 写 `a.cpp`",
    "1. 第 2 次",
    "+ x",
    "- Agent 行为记录",
    "- tl_last_error_summary: |",
    "结果: x",
    "---",
    "===",
    "***",
    "| a | b |",
    "| --- | --- |",
    "| 1 | 2 | 3 |",
    "a | b",
    "```",
    "````cpp",
    "~~~",
    "> ",
    "> > - x",
    "[a]: b",
    "[a]: /url 't'",
    "<details>",
    "<div>x",
    "<!--",
    "-->",
    "<?",
    "<!-- c -->",
    "<!-- trace-recorder: ignore N201 因为 -->",
    "<!-- trace-recorder 0.1 profile=T6 -->",
    "\\",
    "&amp;",
    "plain",
    "「结果: x」",
    "\t- x",
    "\x0c",
    "\u3000",
    "\x85",
    "\u2028",
    "\0",
    "\ud800",
    "\udcff",
    "\x1b[31mred",
    "",
]
PREFIXES = ["", "", "", "  ", "    ", "      ", "\t", "> ", "  > ", "- ", "  - ", "1. "]
LINES = st.builds("".join, st.tuples(st.sampled_from(PREFIXES), st.sampled_from(FRAGMENTS)))
FILES = st.builds(
    lambda lines, end: end.join(lines),
    st.lists(LINES | st.text(max_size=12), max_size=25),
    st.sampled_from(["\n", "\n", "\r\n", "\r"]),
)

HIDDEN = re.compile(r"<|-->|```|~~~|\?|\[")
"""Parts of lines that may stand in a comment, a tag or a fence."""
SILENT = re.compile(r"[\s>*+#=_`~|:\d.)-]*\Z")
"""Lines of marks only: rules, fences, delimiter rows, empty items."""


@given(FILES)
@example("\x0c\n结果: 通过")
@example("- x\n\n      - y\n")
def test_every_place_is_right(spans, text):
    """Each piece of text stands at its line and column, except where a tab was split."""
    lines = split_trace(text)
    for span in spans(parse_trace(text)):
        line = lines[span.line - 1]
        start = span.column - 1
        assert 0 <= start <= len(line)
        own = line[start : start + len(span.text)]
        assert own == span.text or "\t" in line


@given(FILES)
def test_no_line_vanishes(spans, text):
    """Each line with text is in the result, unless it may be a comment, a tag or a fence."""
    doc = parse_trace(text)
    if HIDDEN.search(text) and ("<!--" in text or "<?" in text):
        return
    found = {span.line for span in spans(doc)}
    for number, line in enumerate(split_trace(text), 1):
        if not (SILENT.match(line) or HIDDEN.search(line)):
            assert number in found, line


@given(FILES)
def test_sections_follow_each_other(text):
    """Sections are in order, end where the next begins, and hold what lies between."""
    doc = parse_trace(text)
    assert doc.text == text
    ends = [section.end_line for section in doc.sections]
    starts = [section.heading.line for section in doc.sections]
    assert all(end == start - 1 for end, start in zip(ends, starts[1:], strict=False))
    assert not ends or ends[-1] == len(split_trace(text))
    for section in doc.sections:
        for entry in section.entries:
            assert section.heading.line <= entry.value.line <= section.end_line


@pytest.mark.parametrize(
    "text",
    [
        ">" * 5000 + "x",
        "- " * 5000 + "x",
        "\n".join("  " * depth + "- a" for depth in range(100)),
    ],
)
def test_what_is_nested_too_deeply_is_named(text):
    """Text that the Markdown reader gives up on is an issue, not silence."""
    issues = parse_trace(text).issues
    assert any("nested too deeply" in issue for issue in issues)


def test_honest_nesting_is_read_without_an_issue(spans):
    """Ten levels are read."""
    text = "\n".join("  " * depth + f"- a{depth}" for depth in range(10))
    doc = parse_trace(text)
    assert not doc.issues
    assert "a9" in {span.text for span in spans(doc)}


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("- a:\n  ```\n  x\n", "line 2: this fence is never closed"),
        ("```\nx\n", "line 1: this fence is never closed"),
        ("```", "line 1: this fence is never closed"),
        ("> ```\n> x\ny", "line 1: this fence is never closed"),
        ("a\0b", "the file holds NUL bytes"),
        ("a\udcb4b", "the file holds bytes that are no UTF-8"),
    ],
)
def test_what_had_to_be_guessed_is_an_issue(text, issue):
    """Unclosed fences and bytes that are no text are named."""
    assert parse_trace(text).issues == (issue,)


@pytest.mark.parametrize("text", ["```\n```", "```\nx\n```", "> ~~~\n> x\n> ~~~", "- ```\n  ```\n"])
def test_a_closed_fence_is_no_issue(text):
    """Empty and nested blocks that are closed give no issue."""
    assert parse_trace(text).issues == ()


N = 30_000
LONG = {
    "a line of one megabyte": "- 结果: " + "x" * 1_000_000,
    "blanks before a colon": "- 结果" + " " * N + ": y",
    "brackets": "- " + "（a：" * N + ": x",
    "emphasis": "- **结果" + "**" * N,
    "backtick runs": " ".join("`" * width for width in range(1, 600)),
    "dashes in a heading": "## " + "- " * N,
    "comments": "x <!-- trace-recorder: ignore " * 5000 + " " * N,
    "tags": "<div>\n" + "<a> " * N + "x",
    "closing tags": "<div>\n" + "x" + "</a>" * 5000 + "<",
    "pipes": "|" * N + "\n" + "|-" * N + "|\n" + "|" * N,
    "headings": "## 阶段二: AscendC\n" * 3000,
    "fences": "```\n" * 10001,
    "numbers": "- 第 " + "1" * N + " 轮: x",
}


@pytest.mark.parametrize("name", LONG)
def test_long_input_takes_linear_time(name):
    """Input built to make patterns backtrack is read at once."""
    start = time.perf_counter()
    parse_trace(LONG[name])
    assert time.perf_counter() - start < 5
