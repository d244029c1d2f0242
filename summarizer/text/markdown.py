r"""Puts foreign text into Markdown so that it stays text, and takes it out again.

Pure string work for the renderer and the parser; must not know traces. Escapes as little as
CommonMark allows, so that `31_ELU`, `case[1]` or `(1000, 1000)` stay readable in the source.

Source of what must be escaped: CommonMark 0.31, sections 2.4, 2.5, 4, 5 and 6; GFM 0.29, sections
4.10 (tables), 6.5 (strikethrough) and 6.9 (autolinks).
"""

from __future__ import annotations

import html.entities
import re
import sys
from collections.abc import Iterator, Sequence

_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0a-\x1f\x7f-\x9f"  # controls but the tab
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\udfff"  # lone surrogates cannot be written as UTF-8
    "\U000e0000-\U000e007f"  # invisible copies of ASCII
    "]"
)
_SHOWN = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
_LINE_END = re.compile(r"\r\n|[\r\n]")
_BACKTICKS = re.compile(r"`+")

_INLINE = re.compile(
    r"([*_~])\1*"  # a run that may open or close emphasis: decided by its neighbours
    r"|`"
    r"|\\(?=[!-/:-@\[-`{-~]|\Z)"  # a backslash before anything else is text
    r"|\](?=[(\[])"  # a link needs `](` or `][`: no definition stands in the file
    r"|<(?=[A-Za-z/!?]|\Z)"
    r"|&(?=#?\w{1,32};)"
    r"|(?:(?<=http)|(?<=https)|(?<=ftp)):(?=//)|(?<=www)\.(?=\S)"
    r"|(?<!\S)\#(?=\#*\s*\Z)",  # closes a heading
    re.IGNORECASE,
)
_LINE_START = re.compile(  # what stands before the character to escape
    r" {0,3}(?=\#{1,6}(?:\s|\Z)|[>|\[]|=+\s*\Z|-(?:[\s-]|\Z)|\+(?:\s|\Z))"
    r"| {0,3}\d{1,9}(?=[.)](?:\s|\Z))"
)
_DEEP = re.compile(r" {4}| {0,3}\t")

_ESCAPED = re.compile(
    r"\\([!-/:-@\[-`{-~])"
    r"|&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_DASHES = re.compile(r"-(?=--)")


def visible(text: str) -> str:
    r"""Return text in which control and invisible characters are shown as escapes.

    `\x1b`, `\u200b`, `\U000e0041`; lone surrogates too. A tab is text and stays.
    """
    return _INVISIBLE.sub(_shown, text)


def unshown(text: str) -> str:
    """Return text with the escapes that `visible` writes turned back into the characters."""
    return _SHOWN.sub(_unshown, text) if "\\" in text else text


def _unshown(match: re.Match[str]) -> str:
    code = int(match[0][2:], 16)
    char = chr(code) if code <= sys.maxunicode else ""
    return char if _INVISIBLE.fullmatch(char) else match[0]


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _one_line(text: str) -> str:
    return visible(_LINE_END.sub(" ", text))


def code_span(text: str) -> str:
    """Return a code span that shows one line of text verbatim.

    Line ends become spaces, since a code span has none. An empty text gives an empty string:
    CommonMark has no empty code span.
    """
    flat = _one_line(text)
    if not flat:
        return ""
    longest = max((len(run) for run in _BACKTICKS.findall(flat)), default=0)
    ticks = "`" * (longest + 1)
    # One space on both sides is taken away again by the reader, unless all is space.
    touches = flat[0] == "`" or flat[-1] == "`"
    stripped = flat[0] == " " and flat[-1] == " " and flat.strip(" ")
    inner = f" {flat} " if touches or stripped else flat
    return f"{ticks}{inner}{ticks}"


def code_spans(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, width of the backtick run) of the code spans of one line.

    Offsets are 0-based and half-open and include the backticks. Linear in the length of the text.
    """
    runs = [match.span() for match in _BACKTICKS.finditer(text)]
    later: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[index][1] - runs[index][0], []).append(index)
    index = 0
    while index < len(runs):
        start, end = runs[index]
        start += _escapes_next(text, start)  # an escaped backtick opens nothing, the rest may
        closers = later.get(end - start, [])
        while closers and closers[-1] <= index:
            closers.pop()
        if start < end and closers:
            index = closers[-1]
            yield start, runs[index][1], end - start
        index += 1


def _escapes_next(text: str, position: int) -> bool:
    before = position
    while before > 0 and text[before - 1] == "\\":
        before -= 1
    return (position - before) % 2 == 1


def quote_block(lines: Sequence[str], indent: int = 0) -> list[str]:
    """Return lines of a fenced block inside a blockquote, each with its prefix.

    The prefix keeps every quoted line from being a heading, a table row or a fence of the file,
    also for readers that work line by line; the text inside the block is verbatim.

    Args:
        lines: the lines, without line ends.
        indent: spaces in front, for a block inside a list item.
    """
    longest = max((len(run) for line in lines for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    prefix = " " * indent + ">"
    shown = (visible(line) for line in lines)
    return [
        f"{prefix} {fence}",
        *(f"{prefix} {line}" if line else prefix for line in shown),
        f"{prefix} {fence}",
    ]


def escape_text(text: str, *, at_line_start: bool = False) -> str:
    """Return one line of prose in which no Markdown can arise and which reads as the text.

    Args:
        text: any text; line ends become spaces.
        at_line_start: whether it begins a line or a list item, where more is special.
    """
    escaped = _INLINE.sub(_escape_inline, _one_line(text))
    return _escape_start(escaped) if at_line_start else escaped


def _escape_inline(match: re.Match[str]) -> str:
    run = match[0]
    if not match[1]:
        return "\\" + run
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    # What follows a text is not known here, so its edges count as something to attach to.
    free = before.isspace() and after.isspace()
    inside_word = run[0] == "_" and before.isalnum() and after.isalnum()
    return run if free or inside_word else "".join("\\" + char for char in run)


def _escape_start(text: str) -> str:
    if _DEEP.match(text):  # would be an indented code block
        return f"&#{ord(text[0])};{text[1:]}"
    before = _LINE_START.match(text)
    return f"{before[0]}\\{text[before.end() :]}" if before is not None else text


def escape_cell(text: str) -> str:
    """Return a table cell that reads as the text and that the public report script keeps.

    That script drops every row that holds `Level` or `---`.

    Source: `utils/generate_report_dynamic.py` of the harness.
    """
    cell = escape_text(text).replace("|", "\\|").replace("Level", "L&#101;vel")
    return _DASHES.sub(r"-\\", cell)


def plain(text: str) -> str:
    """Return the text that one line of escaped prose reads as.

    Undoes `escape_text`, `escape_cell` and `code_span`: backslash escapes, entities, code spans.
    Emphasis, links and HTML of a foreign file stay as they are.
    """
    pieces: list[str] = []
    done = 0
    for start, end, width in code_spans(text):
        content = text[start + width : end - width]
        if content[0] == content[-1] == " " and content.strip(" "):
            content = content[1:-1]
        pieces += (_ESCAPED.sub(_restored, text[done:start]), content)
        done = end
    return "".join((*pieces, _ESCAPED.sub(_restored, text[done:])))


def _restored(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    name = match[2]
    if not name.startswith("#"):
        return html.entities.html5.get(name + ";", match[0])
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    # Source: CommonMark 2.5, numbers that are no character read as U+FFFD.
    valid = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if valid else "\ufffd"
