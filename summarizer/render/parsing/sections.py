"""Parts a document at its headings and sorts what stands below each; must not know rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from summarizer.model.trace import CodeBlock, Entry, Section, Table, TextSpan
from summarizer.render.parsing.blocks import (
    Node,
    list_entries,
    make_entry,
    node_texts,
    paragraph_entries,
    read_content,
    tables_in,
)
from summarizer.render.parsing.headings import (
    heading_status,
    names_section,
    section_key,
)
from summarizer.render.parsing.labels import round_label
from summarizer.render.parsing.places import code_block, first_line

_TITLE = re.compile(r"Trace\b", re.IGNORECASE)
_COLON = (":", "：")


def read_sections(
    nodes: Sequence[Node], lines: Sequence[str]
) -> tuple[TextSpan | None, tuple[Section, ...]]:
    """Return the title and the sections of a document.

    Args:
        nodes: its top-level blocks.
        lines: the lines of the file.
    """
    title: TextSpan | None = None
    current = _Builder("header", TextSpan("", 1, 1), 0)
    done: list[Section] = []
    for node in nodes:
        if node.token.type != "heading_open":
            current.add(node, lines)
            continue
        heading = (node_texts(node, lines) or [TextSpan("", first_line(node.token) + 1, 1)])[0]
        level = int(node.token.tag[1:])
        if title is None and not done and _is_title(heading.text, level):
            title = heading
        elif level <= current.level or not current.level or names_section(heading.text):
            done.append(current.section())
            current = _Builder(_key(heading, done), heading, level)
        else:
            current.open_part(heading)
    done.append(current.section())
    return title, _with_ends(done, len(lines))


def _is_title(text: str, level: int) -> bool:
    if names_section(text):
        return False
    return level == 1 or _TITLE.match(text) is not None


def _key(heading: TextSpan, before: Sequence[Section]) -> str:
    """Facts about the operator are the header only where they stand first."""
    key = section_key(heading.text)
    if key == "header" and not all(_is_empty(section) for section in before):
        return "other"
    return key


class _Builder:
    """One section while its blocks are read."""

    def __init__(self, key: str, heading: TextSpan, level: int) -> None:
        self.key = key
        self.heading = heading
        self.level = level
        self.entries: list[Entry] = []
        self.blocks: list[CodeBlock] = []
        self.tables: list[Table] = []
        self.part: tuple[TextSpan, list[Entry], list[CodeBlock]] | None = None
        self.expects_block = False
        """Whether the last node left an entry that a block at the margin may belong to."""

    def add(self, node: Node, lines: Sequence[str]) -> None:
        """Add one top-level block."""
        kind = node.token.type
        self.tables += tables_in(node, lines)
        if kind in {"bullet_list_open", "ordered_list_open"}:
            self._add_list(list_entries(node, lines), _indent(node, lines))
        elif kind in {"fence", "code_block"}:
            self._add_blocks([code_block(node.token, lines)])
        elif kind == "blockquote_open":
            content = read_content(node.children, lines)
            self._add_entries([*paragraph_entries(content.texts), *content.children])
            self._add_blocks(content.blocks)
        elif kind in {"paragraph_open", "html_block"}:
            self._add_entries(paragraph_entries(node_texts(node, lines)))
        else:
            self.expects_block = False

    def _target(self) -> tuple[list[Entry], list[CodeBlock]]:
        return (self.part[1], self.part[2]) if self.part else (self.entries, self.blocks)

    def _add_entries(self, entries: Sequence[Entry]) -> None:
        if entries:
            self._target()[0].extend(entries)
            self.expects_block = True

    def _add_list(self, entries: Sequence[Entry], indent: int) -> None:
        """Items that stay indented after a block at the margin go on below the item before it."""
        target = self._target()[0]
        interrupted = self.expects_block and target and _holds_blocks(target[-1])
        if interrupted and indent >= 2 and target[-1].label not in {None, "round"}:
            target[-1] = replace(target[-1], children=(*target[-1].children, *entries))
        else:
            self._add_entries(entries)

    def _add_blocks(self, blocks: Sequence[CodeBlock]) -> None:
        """A block at the margin belongs to the labelled item before it that awaits one.

        `- 关键错误信息:` with an unindented fence below it ends the list for a Markdown reader;
        a person reads the fence as the item's text.
        """
        if not blocks:
            return
        entries, own = self._target()
        attached = _attached(entries[-1], blocks) if self.expects_block and entries else None
        if attached is None:
            own.extend(blocks)
            self.expects_block = False
        else:
            entries[-1] = attached

    def open_part(self, heading: TextSpan) -> None:
        """Begin a deeper heading; it becomes an entry with what stands below it."""
        self._close_part()
        self.part = (heading, [], [])
        self.expects_block = False

    def _close_part(self) -> None:
        if self.part is not None:
            heading, entries, blocks = self.part
            self.entries.append(make_entry([heading], blocks, entries, heading=True))
            self.part = None

    def section(self) -> Section:
        """Return the finished section."""
        self._close_part()
        return Section(
            key=self.key,
            heading=self.heading,
            level=self.level,
            status=heading_status(self.heading),
            entries=_numbered_from_zero(self.entries),
            blocks=tuple(self.blocks),
            tables=tuple(self.tables),
        )


def _indent(node: Node, lines: Sequence[str]) -> int:
    index = first_line(node.token)
    line = lines[index] if index < len(lines) else ""
    return len(line) - len(line.lstrip(" "))


def _holds_blocks(entry: Entry) -> bool:
    return bool(entry.blocks) or (bool(entry.children) and _holds_blocks(entry.children[-1]))


def _attached(entry: Entry, blocks: Sequence[CodeBlock]) -> Entry | None:
    """The entry with blocks below its last labelled item; None when that awaits none."""
    if entry.children:
        last = _attached(entry.children[-1], blocks)
        return replace(entry, children=(*entry.children[:-1], last)) if last is not None else None
    said = (entry.continuation[-1] if entry.continuation else entry.value).text
    if entry.label is None or (said and not said.endswith(_COLON)):
        return None
    return replace(entry, blocks=(*entry.blocks, *blocks))


def _numbered_from_zero(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Mark the rounds of each kind (迭代, Round, ...) that counts from 0 in this section."""
    kinds = set(_kinds_with_zero(entries))
    return tuple(_marked(entry, kinds) for entry in entries) if kinds else tuple(entries)


def _kind(entry: Entry) -> str:
    found = round_label(entry.label_text or "") if entry.label == "round" else None
    return found.kind if found is not None else ""


def _kinds_with_zero(entries: Iterable[Entry]) -> Iterable[str]:
    for entry in entries:
        if entry.label == "round" and entry.number == 0:
            yield _kind(entry)
        yield from _kinds_with_zero(entry.children)


def _marked(entry: Entry, kinds: set[str]) -> Entry:
    children = tuple(_marked(child, kinds) for child in entry.children)
    return replace(entry, children=children, zero_based=_kind(entry) in kinds)


def _is_empty(section: Section) -> bool:
    return not (section.entries or section.blocks or section.tables)


def _with_ends(sections: Sequence[Section], line_count: int) -> tuple[Section, ...]:
    """Fill in where each section ends; a header with nothing in it is left out."""
    kept = [s for s in sections if s.level or not _is_empty(s)]
    ends = [section.heading.line - 1 for section in kept[1:]]
    return tuple(
        replace(section, end_line=end)
        for section, end in zip(kept, [*ends, line_count], strict=False)
    )
