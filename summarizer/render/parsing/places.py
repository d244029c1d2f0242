"""Finds the text of Markdown tokens again in the user's lines; must not know what it means.

markdown-it-py tells lines; columns, table cells and what HTML hides are worked out here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from summarizer.model.trace import CodeBlock, TextSpan

if TYPE_CHECKING:
    from markdown_it.token import Token

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAGS_BEFORE = re.compile(r"(?:\s*</?[A-Za-z][^<>]*>)*\s*")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_BULLET = re.compile(r"\A[\s>]*(?:[-*+]|\d{1,9}[.)])\s+")
_ROW_PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[ \t]*")
_CELL_END = re.compile(r"(?<!\\)\|")


def first_line(token: Token) -> int:
    """Return the 0-based index of a block's first line."""
    return token.map[0] if token.map is not None else 0


def last_line(token: Token) -> int:
    """Return the 0-based index of a block's last line."""
    return token.map[1] - 1 if token.map is not None else 0


def text_spans(token: Token, lines: Sequence[str]) -> list[TextSpan]:
    """Return the lines of a paragraph or heading, without the comment that may end them.

    Args:
        token: the `inline` token.
        lines: the lines of the file.
    """
    spans = []
    index, last = first_line(token), last_line(token)
    for text in token.content.split("\n"):
        stripped = _without_comment(text.strip())
        # The reader drops lines that hold nothing but exotic blanks, so the next may be lower.
        while index < last and stripped not in _as_read(lines[index]):
            index += 1
        spans.append(_placed(stripped, index, lines))
        index += 1
    return spans


def _without_comment(text: str) -> str:
    while text.endswith("-->") and (start := text.rfind("<!--")) >= 0:
        text = text[:start].rstrip()
    return text


def _placed(text: str, index: int, lines: Sequence[str]) -> TextSpan:
    line = lines[index] if index < len(lines) else ""
    shown = _as_read(line).rstrip()
    # A text mostly reaches to the line's end; what stands before it may hold the same characters.
    column = len(shown) - len(text) if shown.endswith(text) else shown.find(text)
    if column < 0:
        return TextSpan(text, index + 1, 1)
    return TextSpan(line[column : column + len(text)], index + 1, column + 1)


def _as_read(line: str) -> str:
    """The line as the Markdown reader sees it; every character keeps its place."""
    return line.replace("\0", "\ufffd")


def html_spans(token: Token, lines: Sequence[str]) -> list[TextSpan]:
    """Return the lines of an HTML block that a reader of the page may see."""
    shown = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), token.content)
    spans = []
    for offset, text in enumerate(shown.split("\n")):
        bare = _BULLET.sub("", _TAGS_BEFORE.sub("", text, count=1), count=1)
        bare = _without_tags_behind(bare).strip()
        if bare:
            spans.append(_placed(bare, first_line(token) + offset, lines))
    return spans


def _without_tags_behind(text: str) -> str:
    while text.rstrip().endswith(">") and (start := text.rfind("<")) >= 0:
        if _TAG.fullmatch(text.rstrip(), start) is None:
            break
        text = text[:start]
    return text


def code_block(token: Token, lines: Sequence[str]) -> CodeBlock:
    """Return a fenced or indented block; its lines are without container prefixes."""
    first = first_line(token)
    offset = 1 if token.type == "fence" else 0
    content = token.content.removesuffix("\n")
    spans = []
    for number, text in enumerate(content.split("\n") if content or token.content else []):
        index = first + offset + number
        line = lines[index] if index < len(lines) else ""
        if _as_read(line).endswith(text):
            start = len(line) - len(text)
            spans.append(TextSpan(line[start:], index + 1, start + 1))
        else:  # a tab in the prefix: the reader turned a part of it into blanks
            column = max(_as_read(line).rfind(text.strip()), 0)
            spans.append(TextSpan(text, index + 1, column + 1))
    return CodeBlock(tuple(spans), first + 1, token.info.strip())


def row_cells(index: int, lines: Sequence[str]) -> tuple[TextSpan, ...]:
    r"""Return all cells of a table row as they stand in the file, `\|` included.

    A Markdown reader drops the cells that its header has no column for; here they are kept.

    Args:
        index: 0-based index of the row's line.
        lines: the lines of the file.
    """
    line = lines[index] if index < len(lines) else ""
    prefix = _ROW_PREFIX.match(line)
    start = prefix.end() if prefix is not None else 0
    if line.startswith("|", start):
        start += 1
    bounds = [match.start() for match in _CELL_END.finditer(line, start)]
    if not bounds or line[bounds[-1] + 1 :].strip():
        bounds.append(len(line))
    cells = []
    for end in bounds:
        text = line[start:end]
        blanks = len(text) - len(text.lstrip())
        cells.append(TextSpan(text.strip(), index + 1, start + blanks + 1))
        start = end + 1
    return tuple(cells)
