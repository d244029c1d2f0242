"""Helpers that the tests of the trace parser share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from summarizer.model.trace import CodeBlock, Entry, Table, TextSpan, TraceDoc


def _blocks(blocks: Sequence[CodeBlock], indent: str) -> Iterator[str]:
    for block in blocks:
        yield f"{indent}{block.line} ```{block.info}"
        for line in block.lines:
            yield f'{indent}{line.line}:{line.column} "{line.text}'


def _tables(tables: Sequence[Table]) -> Iterator[str]:
    for table in tables:
        for row in (table.header, *table.rows):
            cells = " | ".join(f"{cell.column}:{cell.text}" for cell in row)
            yield f"  {row[0].line} | {cells}"


def _entry(entry: Entry, indent: str) -> Iterator[str]:
    number = "" if entry.number is None else f" #{entry.number}{'z' * entry.zero_based}"
    key = f" [{entry.label}{number}] {entry.label_text} |" if entry.label else ""
    yield f"{indent}{entry.value.line}:{entry.value.column}{key} {entry.value.text}"
    for span in entry.continuation:
        yield f"{indent}{span.line}:{span.column} + {span.text}"
    yield from _blocks(entry.blocks, indent + "  ")
    for child in entry.children:
        yield from _entry(child, indent + "  ")


def _outline(doc: TraceDoc) -> Iterator[str]:
    title = f"{doc.title.line}:{doc.title.column} {doc.title.text}" if doc.title else "none"
    yield f"title {title}"
    yield f"profile {doc.profile} ({doc.profile_because})"
    yield from (f"issue {issue}" for issue in doc.issues)
    yield from (f"ignore {s.line} {','.join(s.codes)} {s.reason}" for s in doc.suppressions)
    yield f"provenance {doc.provenance}"
    for section in doc.sections:
        place = f"{section.heading.line}-{section.end_line} {section.level}"
        yield f"== {section.key} {place} {section.heading.text}"
        if section.status is not None:
            yield f"  status {section.status.column} {section.status.text}"
        for entry in section.entries:
            yield from _entry(entry, "  ")
        yield from _blocks(section.blocks, "  ")
        yield from _tables(section.tables)


def _block_spans(blocks: Sequence[CodeBlock]) -> Iterator[TextSpan]:
    for block in blocks:
        yield from block.lines


def _entry_spans(entry: Entry) -> Iterator[TextSpan]:
    yield entry.value
    yield from entry.continuation
    yield from _block_spans(entry.blocks)
    for child in entry.children:
        yield from _entry_spans(child)


def _all_spans(doc: TraceDoc) -> Iterator[TextSpan]:
    if doc.title is not None:
        yield doc.title
    for section in doc.sections:
        yield section.heading
        if section.status is not None:
            yield section.status
        for entry in section.entries:
            yield from _entry_spans(entry)
        yield from _block_spans(section.blocks)
        for table in section.tables:
            for row in (table.header, *table.rows):
                yield from row


@pytest.fixture(scope="session")
def outline() -> Callable[[TraceDoc], str]:
    """Everything that was read, as text."""
    return lambda doc: "\n".join(_outline(doc)).rstrip() + "\n"


@pytest.fixture(scope="session")
def spans() -> Callable[[TraceDoc], list[TextSpan]]:
    """All pieces of text of a trace."""
    return lambda doc: list(_all_spans(doc))
