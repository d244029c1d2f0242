"""Turns Markdown block tokens into entries, code blocks and tables with their places.

markdown-it-py finds the structure; columns are found again in the user's lines. Must not know
what a section means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from summarizer.model.trace import CodeBlock, Entry, Table, TextSpan
from summarizer.render.parsing.labels import EXACT_LABELS, LABELS, ROUND

if TYPE_CHECKING:
    from markdown_it.token import Token

_LABEL = re.compile(
    r"^(?:\*\*|__)?([^:：*`「」]{1,80}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?[ \t]*(.*)$"
)
_LIST_PREFIX = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")
_TAGS = re.compile(r"(?:<!--.*-->|</?[A-Za-z][^<>]*>)+|<!--.*|.*-->")
_BRACKETS = re.compile(r"\s*[（(\[【][^）)\]】]*[）)\]】]\s*")


@dataclass(frozen=True, slots=True)
class Node:
    """A block token with the tokens inside it."""

    token: Token
    children: tuple[Node, ...]


def build_tree(tokens: Sequence[Token]) -> tuple[Node, ...]:
    """Nest a flat token list; works without recursion so that depth cannot hurt."""
    root: list[Node] = []
    stack: list[tuple[Token, list[Node]]] = []
    for token in tokens:
        target = stack[-1][1] if stack else root
        if token.nesting == 1:
            stack.append((token, []))
        elif token.nesting == -1 and stack:
            opened, children = stack.pop()
            (stack[-1][1] if stack else root).append(Node(opened, tuple(children)))
        else:
            target.append(Node(token, ()))
    while stack:
        opened, children = stack.pop()
        (stack[-1][1] if stack else root).append(Node(opened, tuple(children)))
    return tuple(root)


class BlockReader:
    """Reads nodes of one document; keeps the user's lines to find columns."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def spans(self, node: Node) -> list[TextSpan]:
        """Return the text lines of a paragraph or heading with their places."""
        inline = next((c.token for c in node.children if c.token.type == "inline"), None)
        if inline is None or inline.map is None:
            return []
        spans = []
        for offset, text in enumerate(inline.content.split("\n")):
            spans.append(self.place(text, inline.map[0] + offset))
        return spans

    def place(self, text: str, index: int, start: int = 0) -> TextSpan:
        """Find a text in the user's line with a 0-based index."""
        line = self.lines[index] if index < len(self.lines) else ""
        stripped = text.strip()
        column = line.replace("\0", "\ufffd").find(stripped, start) if stripped else -1
        if column < 0:
            return TextSpan(stripped, index + 1, 1)
        return TextSpan(line[column : column + len(stripped)], index + 1, column + 1)

    def code_block(self, token: Token) -> CodeBlock:
        """Return a fenced or indented block; its lines are without container prefixes."""
        first = token.map[0] if token.map is not None else 0
        offset = 1 if token.type == "fence" else 0
        content = token.content[:-1] if token.content.endswith("\n") else token.content
        texts = content.split("\n") if content else []
        spans = []
        for number, text in enumerate(texts):
            index = first + offset + number
            line = self.lines[index] if index < len(self.lines) else ""
            column = line.replace("\0", "\ufffd").rfind(text) if text else len(line)
            own = line[column : column + len(text)] if column >= 0 else text
            spans.append(TextSpan(own, index + 1, max(column, 0) + 1))
        return CodeBlock(tuple(spans), first + 1, token.info.strip())

    def table(self, node: Node) -> Table:
        """Return a pipe table with each cell's place."""
        rows: list[tuple[TextSpan, ...]] = []
        for row in _rows(node):
            rows.append(self._cells(row))
        line = node.token.map[0] + 1 if node.token.map is not None else 1
        return Table(rows[0] if rows else (), tuple(rows[1:]), line)

    def _cells(self, row: Node) -> tuple[TextSpan, ...]:
        index = row.token.map[0] if row.token.map is not None else 0
        line = self.lines[index] if index < len(self.lines) else ""
        cells: list[TextSpan] = []
        position = 0
        for cell in row.children:
            text = "".join(c.token.content for c in cell.children if c.token.type == "inline")
            position = line.find("|", position) + 1 if "|" in line[position:] else position
            written = text if text in line[position:] else text.replace("|", "\\|")
            found = line.find(written, position) if written else position
            column = found if found >= 0 else position
            cells.append(TextSpan(text, index + 1, column + 1))
            position = column + len(written)
        return tuple(cells)

    def list_entries(self, node: Node) -> list[Entry]:
        """Return the items of a bullet or ordered list."""
        return [self.item(child) for child in node.children if child.token.type == "list_item_open"]

    def item(self, node: Node) -> Entry:
        """Return one list item with everything below it."""
        texts: list[TextSpan] = []
        blocks: list[CodeBlock] = []
        children: list[Entry] = []
        for child in node.children:
            kind = child.token.type
            if kind in {"paragraph_open", "heading_open"}:
                texts.extend(self.spans(child))
            elif kind in {"bullet_list_open", "ordered_list_open"}:
                children.extend(self.list_entries(child))
            else:
                blocks.extend(self.blocks_in(child))
                texts.extend(self.quoted_texts(child))
        if not texts:
            line = node.token.map[0] + 1 if node.token.map is not None else 1
            texts = [TextSpan("", line, 1)]
        return make_entry(texts, tuple(blocks), tuple(children))

    def html_entries(self, node: Node) -> list[Entry]:
        """Return the lines of an HTML block as prose; comments and lone tags are left out."""
        first = node.token.map[0] if node.token.map is not None else 0
        entries = []
        for offset, text in enumerate(node.token.content.split("\n")):
            bare = _LIST_PREFIX.sub("", text)
            if bare.strip() and not _TAGS.fullmatch(bare.strip()):
                entries.append(make_entry([self.place(bare, first + offset)]))
        return entries

    def blocks_in(self, node: Node) -> Iterator[CodeBlock]:
        """Yield the code blocks inside a node, blockquotes included."""
        if node.token.type in {"fence", "code_block"}:
            yield self.code_block(node.token)
        for child in node.children:
            yield from self.blocks_in(child)

    def quoted_texts(self, node: Node) -> Iterator[TextSpan]:
        """Yield paragraphs of a blockquote, which are further lines of its item."""
        if node.token.type != "blockquote_open":
            return
        for child in node.children:
            if child.token.type == "paragraph_open":
                yield from self.spans(child)
            elif child.token.type == "blockquote_open":
                yield from self.quoted_texts(child)


def _rows(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.token.type == "tr_open":
            yield child
        else:
            yield from _rows(child)


def make_entry(
    texts: Sequence[TextSpan],
    blocks: tuple[CodeBlock, ...] = (),
    children: tuple[Entry, ...] = (),
    *,
    is_heading: bool = False,
) -> Entry:
    """Return an entry; its label is known or None. A heading is a label without a colon."""
    first = texts[0]
    found = find_label(first.text)
    if found is None and is_heading:
        found = find_label(first.text + ":")
    rest = tuple(texts[1:])
    if found is None:
        return Entry(None, None, first, rest, blocks, children)
    key, printed, value, number = found
    column = first.column + max(first.text.rfind(value) if value else len(first.text), 0)
    return Entry(key, printed, TextSpan(value, first.line, column), rest, blocks, children, number)


def find_label(text: str) -> tuple[str, str, str, int | None] | None:
    """Return (key, label as printed, value, round number) of a known label, None otherwise."""
    plain = text.lstrip("*_ ")
    match = _LABEL.match(text)
    number = ROUND.match(plain)
    if number is not None:
        printed = match[1] if match is not None else number[0]
        value = match[2] if match is not None else plain[number.end() :].strip()
        return "round", printed.strip(), value.strip(), int(next(g for g in number.groups() if g))
    if match is None:
        return None
    label = " ".join(_BRACKETS.sub(" ", match[1]).split())
    value = match[2].strip()
    if text.startswith("**") and value.endswith("**") and value.count("**") % 2:
        value = value[:-2].rstrip()
    if label.lower() in EXACT_LABELS:
        return EXACT_LABELS[label.lower()], match[1].strip(), value, None
    key = next((key for word, key in LABELS if _is_label(label, word)), None)
    return (key, match[1].strip(), value, None) if key is not None else None


def _is_label(label: str, word: str) -> bool:
    """A label may be cut short by nothing and continued by a short word (`关键错误信息摘要`)."""
    return label == word or (label.startswith(word) and len(label) <= len(word) + 2)
