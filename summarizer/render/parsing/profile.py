"""Tells which layout a trace has, and by what; looks at structure only, never at quoted text.

Source: the markers by which the template versions differ. Which template made a trace stands
nowhere in it, so the newest one whose marker is there is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from summarizer.model.trace import Entry, Section
from summarizer.render.parsing.headings import PHASE, names_stage

_RECORDED = re.compile(r"\bprofile=([\w.-]{1,40})")
_CONTRACT = re.compile(r"`?phase[346]_")


def detect_profile(sections: Sequence[Section], provenance: str | None) -> tuple[str, str]:
    """Return the name of a layout and the reason for it.

    Args:
        sections: the sections of the trace.
        provenance: content of the comment that this tool leaves; None without one.
    """
    recorded = _RECORDED.search(provenance or "")
    if recorded is not None:
        return recorded[1], "the provenance comment names it"
    keys = {section.key for section in sections}
    headings = [section.heading.text for section in sections]
    if "overview" in keys:
        return "overview", "a section 执行概览"
    stages = [heading for heading in headings if names_stage(heading)]
    if any(PHASE.match(heading) for heading in stages):
        return "phase", "headings of the form Phase N"
    if not stages:
        return "unknown", "no stage headings"
    return _template(sections, keys)


def _template(sections: Sequence[Section], keys: set[str]) -> tuple[str, str]:
    entries = [entry for section in sections for entry in _walk(section.entries)]
    labels = {entry.label for entry in entries}
    worked_example = any("总体统计" in (entry.label_text or "") for entry in entries)
    markers = (
        ("T9", any(_CONTRACT.match(e.label_text or "") for e in entries), "contract field names"),
        ("T8", "final_status" in keys, "a section final_status"),
        ("T11", "design" in keys or "design_path" in labels, "a design.md path"),
        ("T7", "violations" in keys, "a section 违规路径记录"),
        ("T12", _has_bracket_marks(sections), "[成功] marks in the summary row"),
        ("T6", "summary_table" in keys or worked_example, "a summary table"),
        ("T4", _skips(sections), "a skipped TileLang"),
        ("T3", "performance_details" in labels, "performance-analyzer details"),
    )
    return next(
        ((name, because) for name, found, because in markers if found),
        ("T1", "stage headings and no later marker"),
    )


def _walk(entries: Sequence[Entry]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from _walk(entry.children)


def _has_bracket_marks(sections: Sequence[Section]) -> bool:
    return any(
        cell.text.strip() == "[成功]"
        for section in sections
        if section.key == "summary_table"
        for table in section.tables
        for row in table.rows
        for cell in row
    )


def _skips(sections: Sequence[Section]) -> bool:
    wanted = {("header", "final_result"): "SKIP", ("tilelang", "result"): "跳过"}
    return any(
        entry.value.text.startswith(wanted.get((section.key, entry.label or ""), "\0"))
        for section in sections
        for entry in section.entries
    )
