"""Puts foreign text into Markdown so that it stays text, and takes it out again.

Pure string work for the renderer and the rules. Escapes as little as CommonMark allows, so that
`31_ELU` or `(1000, 1000)` stay readable in the source.

Source of what must be escaped: CommonMark 0.31, sections 2.4, 2.5, 6.1-6.6; GFM 4.10, 6.5, 6.9.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_CONTROL = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)
"""C0 and C1 controls, line separators, zero-width and bidirectional marks; a tab is text."""

_BACKTICKS = re.compile(r"`+")
_INLINE = re.compile(
    r"[\\`*\[\]<|]"  # always special inside a line
    r"|(?<![^\W_])_|_(?![^\W_])"  # an underscore at the edge of a word may open emphasis
    r"|~(?=~)|(?<=~)~"  # strikethrough
    r"|&(?=#?\w+;)"  # an entity
    r"|(?<=\w)(?=://)"  # an autolink
)
_LINE_START = re.compile(r"^(\s*)([#>+=~-]|\d{1,9}(?=[.)]))")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&#(\d{1,7});|<!-- -->")
_DASHES = re.compile(r"(?<=-)-")


def visible(text: str) -> str:
    r"""Return text in which control and invisible characters are shown as escapes (`\x1b`)."""
    return _CONTROL.sub(_escape_control, text)


def _escape_control(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def code_span(text: str) -> str:
    """Return a code span that shows one line of text verbatim.

    Line ends become spaces, since a code span has none. An empty text gives an empty string:
    CommonMark has no empty code span.
    """
    flat = visible(re.sub(r"\r\n|[\r\n]", " ", text))
    if not flat:
        return ""
    longest = max((len(run) for run in _BACKTICKS.findall(flat)), default=0)
    ticks = "`" * (longest + 1)
    # One space on both sides is taken away again by the reader, unless all is space.
    touches = flat[0] == "`" or flat[-1] == "`"
    stripped = flat[0] == " " and flat[-1] == " " and flat.strip()
    inner = f" {flat} " if touches or stripped else flat
    return f"{ticks}{inner}{ticks}"


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
    flat = visible(re.sub(r"\r\n|[\r\n]", " ", text))
    escaped = _INLINE.sub(lambda m: "\\" + m[0] if m[0] else "<!-- -->", flat)
    return _LINE_START.sub(_escape_start, escaped) if at_line_start else escaped


def _escape_start(match: re.Match[str]) -> str:
    if match[2][0].isdigit():
        # `1.` would begin a list: an entity for its first digit is text everywhere.
        return f"{match[1]}&#{ord(match[2][0])};{match[2][1:]}"
    return f"{match[1]}\\{match[2]}"


def escape_cell(text: str) -> str:
    """Return a table cell that reads as the text and that the public report script keeps.

    That script drops every row that holds `Level` or `---` (artefact format 4).
    """
    cell = escape_text(text).replace("Level", "L&#101;vel")
    return _DASHES.sub("&#45;", cell)


def plain(text: str) -> str:
    """Return the text that escaped prose or a cell reads as; code spans are left as they are."""

    def restore(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        return chr(int(match[2])) if match[2] and int(match[2]) < 0x110000 else ""

    return _ESCAPED.sub(restore, text)
