"""A trace.md as data: sections, labelled fields, quotations, tables, each with its place.

Produced by `render.parse`, consumed by the validators. Must not know profiles' wording beyond
the canonical keys below.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SECTION_KEYS = (
    "header",
    "cases",
    "design",
    "tilelang",
    "ascendc",
    "performance",
    "full_validation",
    "summary_table",
    "eval_excerpt",
    "violations",
    "final_status",
    "overview",
    "other",
)
"""Canonical section keys; `header` is everything before the first section heading."""


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A run of characters of the user's file."""

    text: str
    line: int
    """1-based line of the first character."""
    column: int
    """1-based column of the first character, in characters."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced (or indented) block: its content lines without any container prefix."""

    lines: tuple[TextSpan, ...]
    line: int
    """Line of the opening fence."""
    info: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A pipe table."""

    header: tuple[TextSpan, ...]
    rows: tuple[tuple[TextSpan, ...], ...]
    line: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A list item, a `label: value` line or a paragraph, with everything nested below it."""

    label: str | None
    """Canonical key of a known label (`result`, `run_count`, `errors`, `behaviour`, `drift`,
    `original_cases`, `reduced_cases`, `note`, `time`, `operator`, `final_result`, `round`,
    `statistics`, ...); None for prose and unknown labels."""
    label_text: str | None
    """The label as printed."""
    value: TextSpan
    """The text after the label (the whole text for prose); first line for multi-line items."""
    continuation: tuple[TextSpan, ...] = ()
    """Further text lines of the same item."""
    blocks: tuple[CodeBlock, ...] = ()
    children: tuple[Entry, ...] = ()
    number: int | None = None
    """Round or iteration number for `round` entries, as printed."""
    zero_based: bool = False
    """True when the numbering in this section starts at 0."""


@dataclass(frozen=True, slots=True)
class Section:
    """One heading with what stands below it, up to the next heading of the same or higher rank."""

    key: str
    """One of SECTION_KEYS."""
    heading: TextSpan
    level: int
    status: TextSpan | None = None
    """A verdict printed in the heading itself (`Phase 4: ... — 成功`)."""
    entries: tuple[Entry, ...] = ()
    blocks: tuple[CodeBlock, ...] = ()
    """Blocks that belong to no list item."""
    tables: tuple[Table, ...] = ()
    end_line: int = 0
    """1-based last line of the section."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """`<!-- trace-recorder: ignore CODE[, CODE] reason -->` and the line it covers."""

    line: int
    codes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class TraceDoc:
    """One trace.md."""

    title: TextSpan | None
    sections: tuple[Section, ...]
    profile: str
    """Name of the layout: a template (`T6`, `T11`, ...), `phase`, `overview`, `unknown`."""
    profile_because: str
    text: str
    """The whole file, decoded, line ends as in the file."""
    suppressions: tuple[Suppression, ...] = ()
    provenance: str | None = None
    """Content of the provenance comment on the last line, if any."""
    issues: tuple[str, ...] = field(default=())
    """What the parser had to guess (bad encoding, unclosed fence, ...)."""

    def section(self, key: str) -> Section | None:
        """The first section with that key, or None."""
        return next((s for s in self.sections if s.key == key), None)
