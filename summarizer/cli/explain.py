"""`trace-recorder explain TRACE.md:LINE`: the source lines behind a statement."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from summarizer.cli.exits import CLEAN, NOTHING_CHECKED, printable, write_out
from summarizer.cli.options import gather_sources, source_options
from summarizer.errors import InputError

if TYPE_CHECKING:
    from summarizer.explain import Explanation, SourceSnippet

MAX_SHOWN = 400
"""Characters of one source line that are shown."""


@click.command("explain")
@click.argument("place", metavar="TRACE.md:LINE")
@source_options
def command(
    place: str,
    transcripts: tuple[Path, ...],
    logs: tuple[Path, ...],
    performance: tuple[Path, ...],
) -> int:
    """Show the source lines behind line LINE of TRACE.md."""
    from summarizer.explain import explain_line

    match = re.fullmatch(r"(.+?):(\d+)(?::\d+)?", place)
    if match is None:
        raise InputError(f"{place!r}: write it as TRACE.md:LINE, for example trace.md:42")
    options = gather_sources(transcripts, logs, performance)
    found = explain_line(Path(match[1]), int(match[2]), options)
    write_out(printable(_text(found)) + "\n")
    return CLEAN if found.snippets else NOTHING_CHECKED


def _text(found: Explanation) -> str:
    lines = [f"{found.kind}: {found.line.strip()}"]
    if found.note:
        lines.append(found.note)
    for snippet in found.snippets:
        lines.append("")
        lines += _snippet_lines(snippet)
    return "\n".join(lines)


def _snippet_lines(snippet: SourceSnippet) -> list[str]:
    item = snippet.evidence
    source = item.source
    where = f"{source.path} record {source.record}"
    if source.byte_start is not None:
        where += f" bytes {source.byte_start}-{source.byte_end}"
    about = [item.id, item.witness.value]
    if item.stage is not None:
        about.append(item.stage + (f" round {item.round_no}" if item.round_no is not None else ""))
    if item.completeness.value != "full":
        about.append(f"output incomplete: {item.completeness.value}")
    lines = [where, f"  ({', '.join(about)})"]
    for offset, text in enumerate(snippet.lines):
        number = snippet.first_line + offset
        mark = ">" if number == snippet.hit else " "
        shown = (
            text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + f" … ({len(text)} characters)"
        )
        lines.append(f"  {mark}{number:5} | {shown}")
    return lines
