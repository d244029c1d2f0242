"""Foreign text stays text: a Markdown reader shows exactly what went in."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from summarizer.text.markdown import (
    code_span,
    escape_cell,
    escape_text,
    plain,
    quote_block,
    visible,
)

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
QUOTE = chr(34)
TEXTS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp", "Zs")) | st.just(" "),
    max_size=60,
)


def shown(markdown: str) -> str:
    """The text a person reads, or the HTML when anything but one paragraph arises."""
    rendered = READER.render("- x: " + markdown)
    match = re.fullmatch(r"<ul>\n<li>x: ?(.*)</li>\n</ul>\n", rendered, re.DOTALL)
    body = (match[1] if match else rendered).replace("<!-- -->", "")
    return html.unescape(body)


@given(TEXTS)
def test_escaped_text_reads_as_the_text(text):
    """What went in is what a reader sees, up to blanks at the edges."""
    assert shown(escape_text(text)).strip() == text.strip()


@given(TEXTS)
def test_plain_undoes_escape(text):
    """The inverse gives the text back."""
    assert plain(escape_text(text)) == text
    assert plain(escape_cell(text)) == text


@pytest.mark.parametrize(
    "text", ["31_ELU", "(1000, 1000)", "a-b", "1 + 2 = 3", "x.y", "C&A", "a ~ b", "名_称"]
)
def test_harmless_text_stays_as_it_is(text):
    """Nothing is escaped that needs no escape."""
    assert escape_text(text) == text


@pytest.mark.parametrize(
    "text",
    ["# x", "- x", "+ x", "> x", "1. x", "12) x", "===", "---", "```", "~~~", "| a |", "<b>"],
)
def test_no_block_arises_at_a_line_start(text):
    """A line of escaped text alone is a paragraph."""
    rendered = READER.render(escape_text(text, at_line_start=True))
    assert rendered.startswith("<p>")
    assert rendered.count("<") == 2


@given(TEXTS.filter(lambda text: text.strip() != ""))
def test_code_span_is_verbatim(text):
    """A code span shows its text character by character."""
    assert READER.render("x " + code_span(text) + " y") == (
        f"<p>x <code>{html.escape(text, quote=False)}</code> y</p>\n".replace(QUOTE, "&quot;")
    )


@given(st.lists(TEXTS, max_size=5))
def test_quoted_lines_are_verbatim(lines):
    """The block's content is the lines; no line of the file starts as one of ours."""
    block = quote_block(lines, 4)
    assert all(line.startswith("    >") for line in block)
    text = "- a\n  - b:\n" + "\n".join(block) + "\n"
    fences = [token.content for token in READER.parse(text) if token.type == "fence"]
    assert fences == ["".join(line + "\n" for line in lines)]


@given(st.text(max_size=40))
def test_nothing_invisible_survives(text):
    """Control, zero-width and direction characters are shown, line ends never pass."""
    for made in (visible(text), escape_text(text), code_span(text), *quote_block([text])):
        assert not re.search("[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]", made)


@given(TEXTS)
def test_cells_keep_their_row(text):
    """A cell neither ends early nor loses the row to the public report script."""
    cell = escape_cell(text)
    assert "Level" not in cell
    assert "---" not in cell
    table = f"| a | b |\n| --- | --- |\n| {cell} | end |\n"
    assert READER.render(table).count("<td>") == 2
