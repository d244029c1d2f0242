"""Divides an output into performance reports and joins what one run printed in pieces.

Must not know how a single report is laid out. One run can print several reports: P1c one per
implementation and a merged one, P3 a framed one and Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from summarizer.measurements import markdown, printed
from summarizer.measurements._draft import IMPLEMENTATIONS, Draft
from summarizer.model.reports import PerformanceReport
from summarizer.model.source import Completeness
from summarizer.text.lines import Line, split_lines


class _Part(NamedTuple):
    """A range of lines that holds one report."""

    first: int
    form: Literal["printed", "markdown"]
    headless: bool


def parse_performance(text: str, *, completeness: Completeness) -> tuple[PerformanceReport, ...]:
    """Return one report per performance run that the text shows, in order.

    Args:
        text: Everything that one command printed, or a saved report.
        completeness: What of the output is left; a last report that has no closing line of its own
            is complete only when the output is.

    Returns:
        Empty when no report is recognisable.
    """
    lines = split_lines(text, end_is_cut=not completeness.has_end)
    parts = _parts(lines)
    drafts = []
    for number, part in enumerate(parts):
        end = parts[number + 1].first if number + 1 < len(parts) else len(lines)
        parse = printed.parse_printed if part.form == "printed" else markdown.parse_markdown
        draft = parse(lines[part.first : end])
        draft.headless = part.headless
        begun = parts[number - 1].first if number else 0
        warned = lines[begun : part.first] if part.form == "printed" else ()
        draft.fallbacks = sum(printed.FALLBACK.match(line.text) is not None for line in warned)
        if draft.layout == "P1" and not draft.ended:
            # This layout has no closing line: only a cut output can have lost something.
            draft.ended = number + 1 < len(parts) or completeness.has_end
        drafts.append(draft)
    return tuple(draft.report() for draft in _joined(drafts))


def _parts(lines: Sequence[Line]) -> list[_Part]:
    parts: list[_Part] = []
    tables = 0
    closed = True
    for index, line in enumerate(lines):
        before = lines[index - 1].text if index else ""
        text = line.text
        begun: _Part | None = None
        if printed.is_title(text, before):
            begun = _Part(index - 1, "printed", False)
        elif markdown.begins(text):
            begun = _Part(index, "markdown", False)
        elif printed.continues_headless(text):
            is_table = printed.TABLE.match(text) is not None
            if closed or parts[-1].form != "printed" or (is_table and tables):
                begun = _Part(index, "printed", True)
            tables += is_table
        elif markdown.continues_headless(text) and (not parts or parts[-1].form != "markdown"):
            begun = _Part(index, "markdown", True)
        if begun is not None:
            parts.append(begun)
            tables = int(printed.TABLE.match(text) is not None)
        if begun is not None or _closes(text):
            closed = _closes(text)
    return parts


def _closes(text: str) -> bool:
    """Whether a line ends a framed report; with two clocks only the second one's total does."""
    return bool(
        printed.OVERALL_MEANS.match(text)
        or printed.OVERALL_WALL_CLOCK.match(text)
        or (printed.OVERALL_RATIOS.match(text) and "(profiler)" not in text)
    )


def _joined(drafts: list[Draft]) -> list[Draft]:
    joined: list[Draft] = []
    for draft in drafts:
        before = joined[-1] if joined else None
        if before is not None and _is_markdown_of(before, draft):
            joined[-1] = _with_markdown(before, draft)
        elif _is_merge(draft):
            children = _children(joined, draft)
            del joined[len(joined) - len(children) :]
            joined.append(_merged(children, draft))
        else:
            joined.append(draft)
    return joined


def _is_markdown_of(framed: Draft, other: Draft) -> bool:
    """The same run's Markdown: same operator and settings, same cases."""
    if framed.layout != "P2" or other.layout not in {"P2", "P3"} or other.table:
        return False
    keys = ("Operator", "Device", "Warmup", "Repeat")
    same = all(
        framed.header.get(key, other.header.get(key))
        == other.header.get(key, framed.header.get(key))
        for key in keys
    )
    return same and framed.indices() == other.indices() and not _is_frame(other)


def _is_frame(draft: Draft) -> bool:
    return any(line.text.startswith("Performance Report") for line in draft.lines)


def _with_markdown(framed: Draft, other: Draft) -> Draft:
    """Shapes and the third digit of the ratios come from the Markdown, the rest from the frame."""
    result = replace(framed, layout=other.layout, lines=framed.lines + other.lines)
    if other.layout == "P3":
        result.rows = {**framed.rows, **other.rows}
        result.overall = framed.overall if other.overall is None else other.overall
    result.ended = framed.ended and (other.ended or other.layout == "P2")
    return result


def _is_merge(draft: Draft) -> bool:
    """The last report of P1c: a table, but neither inputs nor cases."""
    return draft.layout == "P1" and bool(draft.table) and not draft.has_inputs and not draft.means


def _children(joined: list[Draft], merge: Draft) -> list[Draft]:
    """The reports of single implementations directly before the merged one."""
    children: list[Draft] = []
    seen: set[str] = set()
    for draft in reversed(joined):
        names = set(draft.table)
        if draft.layout != "P1" or len(names) != 1 or names & seen:
            break
        if draft.headless:
            # Its top is lost, so only the merged table can tell that it belongs here.
            belongs = names <= set(merge.table)
        else:
            belongs = draft.header.get("Task Dir") == merge.header.get("Task Dir")
        if not belongs:
            break
        seen |= names
        children.insert(0, draft)
    return children


def _merged(children: list[Draft], merge: Draft) -> Draft:
    if not children:
        return merge
    merge.layout = "P1c"
    merge.lines = [line for draft in children for line in draft.lines] + merge.lines
    for draft in children:
        for name in IMPLEMENTATIONS:
            if name in draft.means:
                merge.means[name] = draft.means[name]
            if name in draft.errors:
                merge.errors.setdefault(name, draft.errors[name])
            if name in draft.table:
                merge.table.setdefault(name, draft.table[name])
                merge.status.setdefault(name, draft.status[name])
        merge.inputs = merge.inputs or draft.inputs
    return merge
