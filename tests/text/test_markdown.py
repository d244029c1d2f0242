"""Foreign text stays text: a Markdown reader shows exactly what went in."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from summarizer.text.markdown import (
    code_span,
    code_spans,
    escape_cell,
    escape_text,
    plain,
    quote_block,
    unshown,
    visible,
)

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
INVISIBLE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
PRINTABLE = st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp", "Zs")).filter(
    lambda char: visible(char) == char
)
MARKS = st.sampled_from([
    *list("\\`*_{}[]()<>#+-.!|~&=:;@/ \t"),
    "http://",
    "&amp;",
    "---",
    "Level",
])
TEXTS = st.lists(MARKS | PRINTABLE, max_size=40).map("".join)
WILD = st.text(max_size=40)


class _Text(HTMLParser):
    """Collects the text of HTML and the names of its elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.elements: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.elements.append("comment")


def read(markdown: str) -> tuple[str, list[str]]:
    """The text a person reads, and the elements it stands in."""
    parser = _Text()
    parser.feed(READER.render(markdown))
    parser.close()
    return parser.text.strip("\n"), parser.elements


@given(TEXTS)
@example("a__b__ c *d*")
def test_escaped_text_reads_as_the_text(text):
    """What went in is what a reader sees, and it is nothing but text."""
    shown, elements = read(f"- x: ‹{escape_text(text)}›")
    assert elements == ["ul", "li"]
    assert shown.strip() == f"x: ‹{text}›"


@given(TEXTS, TEXTS)
@example("x *", "* y")
@example("1~", "~2")
@example("<", "b>")
def test_two_escaped_texts_in_a_line_do_not_meet(one, two):
    """What the first leaves open cannot be closed by the second."""
    shown, elements = read(f"- x「{escape_text(one)}」与「{escape_text(two)}」")
    assert elements == ["ul", "li"]
    assert shown.strip() == f"x「{one}」与「{two}」"


@given(TEXTS)
def test_escaped_text_at_a_line_start_is_one_paragraph(text):
    """No list, heading, code block, table or quotation arises from the first characters."""
    shown, elements = read(escape_text(text, at_line_start=True) + "。\n\nend")
    assert elements == ["p", "p"]
    assert shown.strip(" \t") == f"{text}。\nend".strip(" \t")


@given(TEXTS)
def test_escaped_text_survives_in_a_heading(text):
    """A trailing `#` closes nothing."""
    shown, elements = read(f"# Trace: {escape_text(text)}")
    assert elements == ["h1"]
    assert shown.strip(" \t") == f"Trace: {text}".strip(" \t")


@given(TEXTS)
@example("-----")
@example("LevelLevel")
@example("`a\\_b` c\\_d")
def test_plain_undoes_each_escape(text):
    """The inverse gives the text back."""
    assert plain(escape_text(text)) == text
    assert plain(escape_text(text, at_line_start=True)) == text
    assert plain(escape_cell(text)) == text
    assert plain(code_span(text)) == text


@given(WILD)
def test_plain_of_anything_is_text(text):
    """Text that nobody escaped does not break the inverse."""
    assert isinstance(plain(text), str)


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        ("a&amp;b &#35; &#x41; &nosuch;", "a&b # A &nosuch;"),
        ("`a\\_b` c\\_d", "a\\_b c_d"),
        ("&#0; &#55296;", "\ufffd \ufffd"),
        ("&notit;", "&notit;"),
        ("`` ` ``", "`"),
    ],
)
def test_plain_reads_as_commonmark_does(escaped, text):
    """Entities and code spans read as CommonMark says."""
    assert plain(escaped) == text


@pytest.mark.parametrize(
    "text",
    [
        "31_ELU", "(1000, 1000)", "a-b", "1 + 2 = 3", "x.y", "C&A", "a ~ b", "名_称",
        "case[1]、case[2]",
        "2 * 3", "x < 3", "C:\\foo\\bar",
        "a | b", "a__b", "-0.5", "#3", "std=0.1ms", "a://b", "1.5",
    ],
)  # fmt: skip
def test_harmless_text_stays_as_it_is(text):
    """Nothing is escaped that needs no escape."""
    assert escape_text(text) == text
    assert escape_text(text, at_line_start=True) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("# x", "\\# x"), ("- x", "\\- x"), ("+ x", "\\+ x"), ("> x", "\\> x"), ("1. x", "1\\. x"),
        ("12) x", "12\\) x"), ("===", "\\==="), ("---", "\\---"), ("| a |", "\\| a |"),
        ("[x]: /y", "\\[x]: /y"), ("    x", "&#32;   x"), ("\tx", "&#9;x"), ("* x", "\\* x"),
    ],
)  # fmt: skip
def test_a_line_start_is_escaped_where_a_block_would_begin(text, escaped):
    """One character is escaped, the rest stays readable."""
    assert escape_text(text, at_line_start=True) == escaped


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("见 http://x.y 与 www.z.org", "见 http\\://x.y 与 www\\.z.org"),
        ("[a](b) ![c](d)", "[a\\](b) ![c\\](d)"),
        ("vector<float>", "vector\\<float>"),
        ("1~2~3", "1\\~2\\~3"),
        ("__init__", "\\_\\_init\\_\\_"),
        ("&lt;", "\\&lt;"),
        ("a\\*b", "a\\\\\\*b"),
        ("a\nb\r\nc", "a b c"),
    ],
)
def test_inline_marks_are_escaped(text, escaped):
    """Links, tags, autolinks, strikethrough, emphasis and entities are taken as text."""
    assert escape_text(text) == escaped


@given(TEXTS.filter(lambda text: text != ""))
@example("   ")
@example(" a ")
@example("`` `")
def test_code_span_is_verbatim(text):
    """A code span shows its text character by character, wherever it stands."""
    expected = html.escape(text, quote=False).replace(chr(34), "&quot;")
    assert READER.render(f"x{code_span(text)}y") == f"<p>x<code>{expected}</code>y</p>\n"


@given(TEXTS)
def test_code_spans_are_those_of_a_reader(text):
    """The ranges found are the code spans that a Markdown reader finds."""
    inline = MarkdownIt("zero").enable(["backticks", "escape"]).parseInline(text)[0]
    wanted = [child.content for child in inline.children or () if child.type == "code_inline"]
    found = [text[start + width : end - width] for start, end, width in code_spans(text)]
    stripped = [c[1:-1] if c[0] == c[-1] == " " and c.strip(" ") else c for c in found]
    assert stripped == wanted


@given(st.lists(TEXTS, max_size=5), st.sampled_from([0, 2, 4]))
@example(["\tx", "", "    y"], 4)
def test_quoted_lines_are_verbatim(lines, indent):
    """The block's content is the lines; no line of the file starts as one of ours."""
    block = quote_block(lines, indent)
    assert all(line.startswith(" " * indent + ">") for line in block)
    before = {0: "x\n\n", 2: "- a:\n", 4: "- a:\n  - b:\n"}[indent]
    tokens = READER.parse(before + "\n".join(block) + "\n- next\n")
    fences = [token.content for token in tokens if token.type == "fence"]
    assert fences == ["".join(line + "\n" for line in lines)]


def test_quoted_control_codes_are_shown():
    """Escape codes and carriage returns are visible, tabs stay."""
    assert quote_block(["a\x1b[31m\tb\rc\u202e"])[1] == "> a\\x1b[31m\tb\\x0dc\\u202e"


@given(WILD)
@example("\ud800 \udcb4 \U000e0041")
def test_nothing_invisible_survives(text):
    """Control, zero-width, direction characters and lone surrogates are shown, line ends go."""
    for made in (
        visible(text),
        escape_text(text),
        escape_cell(text),
        code_span(text),
        *quote_block([text]),
    ):
        assert not INVISIBLE.search(made)
        made.encode()


@given(WILD)
@example("\ud800 \udcb4 \U000e0041 \x00")
def test_shown_characters_come_back(text):
    """`unshown` undoes `visible`; an escape of a visible character is text."""
    assert unshown(visible(text)) == unshown(text)
    assert unshown("\\x41 \\ud7ff \\U00110000") == "\\x41 \\ud7ff \\U00110000"


@given(TEXTS)
@example("-----")
@example("a|b\\|c")
def test_cells_keep_their_row(text):
    """A cell neither ends early nor loses the row to the public report script."""
    cell = escape_cell(text)
    assert "Level" not in cell
    assert "---" not in cell
    rendered = READER.render(f"| a | b |\n| --- | --- |\n| ‹{cell}› | end |\n")
    cells = re.findall(r"<td>(.*?)</td>", rendered)
    assert [html.unescape(each) for each in cells] == [f"‹{text}›", "end"]
