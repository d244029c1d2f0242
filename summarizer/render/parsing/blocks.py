"""Turns Markdown block tokens into entries, code blocks and tables; must not know sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from summarizer.model.trace import CodeBlock, Entry, Table, TextSpan
from summarizer.render.parsing.labels import find_label
from summarizer.render.parsing.places import (
    code_block,
    first_line,
    html_spans,
    last_line,
    row_cells,
    text_spans,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

_LITERAL = {"|", "|-", "|+", ">", ">-"}
"""YAML's way to begin a verbatim block, used by the template versions T9 and T10."""

_LISTS = {"bullet_list_open", "ordered_list_open"}


@dataclass(frozen=True, slots=True)
class Node:
    """A block token with the tokens inside it."""

    token: Token
    children: tuple[Node, ...]


def build_tree(tokens: Sequence[Token]) -> tuple[Node, ...]:
    """Nest a flat token list."""
    stack: list[tuple[Token | None, list[Node]]] = [(None, [])]
    for token in tokens:
        if token.nesting == 1:
            stack.append((token, []))
        elif token.nesting == -1:
            opened, children = stack.pop()
            if opened is not None:
                stack[-1][1].append(Node(opened, tuple(children)))
        else:
            stack[-1][1].append(Node(token, ()))
    return tuple(stack[0][1])


@dataclass(slots=True)
class Content:
    """What a container holds, in order within each kind."""

    texts: list[TextSpan] = field(default_factory=list)
    children: list[Entry] = field(default_factory=list)
    blocks: list[CodeBlock] = field(default_factory=list)


def read_content(nodes: Sequence[Node], lines: Sequence[str]) -> Content:
    """Read the blocks inside a list item or a blockquote; tables are read by `tables_in`."""
    content = Content()
    for node in nodes:
        kind = node.token.type
        if kind in _LISTS:
            content.children += list_entries(node, lines)
        elif kind in {"fence", "code_block"}:
            content.blocks.append(code_block(node.token, lines))
        elif kind == "blockquote_open":
            inner = read_content(node.children, lines)
            content.texts += inner.texts
            content.children += inner.children
            content.blocks += inner.blocks
        else:
            content.texts += node_texts(node, lines)
    return content


def node_texts(node: Node, lines: Sequence[str]) -> list[TextSpan]:
    """Return the lines of a paragraph, a heading or an HTML block; empty for other nodes."""
    if node.token.type == "html_block":
        return html_spans(node.token, lines)
    if node.token.type not in {"paragraph_open", "heading_open"}:
        return []
    return [
        span
        for child in node.children
        if child.token.type == "inline"
        for span in text_spans(child.token, lines)
    ]


def list_entries(node: Node, lines: Sequence[str]) -> list[Entry]:
    """Return the items of a bullet or ordered list, each with everything below it."""
    entries = []
    for item in node.children:
        content = read_content(item.children, lines)
        texts = content.texts or [TextSpan("", first_line(item.token) + 1, 1)]
        entries.append(make_entry(texts, content.blocks, content.children))
    return entries


def paragraph_entries(texts: Sequence[TextSpan]) -> list[Entry]:
    """Return one entry per line that begins with a label; other lines continue the one before."""
    groups: list[list[TextSpan]] = []
    for span in texts:
        if groups and find_label(span.text) is None:
            groups[-1].append(span)
        else:
            groups.append([span])
    return [make_entry(group) for group in groups]


def make_entry(
    texts: Sequence[TextSpan],
    blocks: Sequence[CodeBlock] = (),
    children: Sequence[Entry] = (),
    *,
    heading: bool = False,
) -> Entry:
    """Return an entry; its label is a known one or None.

    Args:
        texts: its lines, at least one.
        blocks: code blocks directly below it.
        children: list items below it.
        heading: whether it stems from a heading, where a label needs no colon.
    """
    first, rest = texts[0], tuple(texts[1:])
    label = find_label(first.text, bare=heading or bool(blocks or children))
    if label is None:
        return Entry(None, None, first, rest, tuple(blocks), tuple(children))
    offset = first.text.rfind(label.value) if label.value else len(first.text)
    value = TextSpan(label.value, first.line, first.column + max(offset, 0))
    if label.value in _LITERAL and rest:
        # The indented lines are verbatim text, whatever the Markdown reader made of them.
        blocks = [CodeBlock(rest, first.line), *blocks]
        value, rest = replace(value, text=""), ()
    return Entry(
        label.key, label.printed, value, rest, tuple(blocks), tuple(children), label.number
    )


def tables_in(node: Node, lines: Sequence[str]) -> Iterator[Table]:
    """Yield the tables inside a node, those in lists and blockquotes too."""
    if node.token.type != "table_open":
        for child in node.children:
            yield from tables_in(child, lines)
        return
    rows = [row_cells(first_line(row.token), lines) for row in _rows(node)]
    yield Table(rows[0] if rows else (), tuple(rows[1:]), first_line(node.token) + 1)


def _rows(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.token.type == "tr_open":
            yield child
        else:
            yield from _rows(child)


def code_lines(tokens: Sequence[Token]) -> set[int]:
    """Return the 0-based indices of all lines that are code or stand in a blockquote."""
    quoting = {"fence", "code_block", "blockquote_open"}
    return {
        index
        for token in tokens
        if token.type in quoting
        for index in range(first_line(token), last_line(token) + 1)
    }
