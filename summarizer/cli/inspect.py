"""`trace-recorder inspect`: what a reader understood of a transcript."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from summarizer.cli.exits import printable, write_out

if TYPE_CHECKING:
    from summarizer.model.events import Event, ReadResult


@click.command("inspect")
@click.argument("transcripts", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is printed.",
)
@click.option("--events", is_flag=True, help="List every event (text form).")
def command(transcripts: tuple[Path, ...], output_format: str, events: bool) -> int:
    """Show what the reader understood of one session's TRANSCRIPTS."""
    from summarizer.readers import read_transcripts

    session = read_transcripts(transcripts)
    if output_format == "json":
        from dataclasses import asdict

        from summarizer.cli.facts import facts_json

        write_out(facts_json(asdict(session)) + "\n")
        return 0
    write_out(printable(_overview(session)) + "\n")
    if events:
        write_out(printable("\n".join(_line(event) for event in session.events)) + "\n")
    return 0


def _overview(session: ReadResult) -> str:
    kinds = Counter(event.event for event in session.events)
    states = Counter(
        f"{event.event} {event.state.value}" for event in session.events if hasattr(event, "state")
    )
    lines = [
        f"format: {session.format}",
        f"client: {session.client} {', '.join(session.client_versions)}",
        f"sessions: {', '.join(session.session_ids)}",
        f"time: {session.started_at} to {session.ended_at}",
        f"working directories: {', '.join(session.cwds)}",
    ]
    lines += [f"file: {f.kind} {f.path} ({f.bytes} bytes)" for f in session.files]
    lines += [f"events: {count} {name}" for name, count in sorted(kinds.items())]
    lines += [f"calls: {count} {name}" for name, count in sorted(states.items())]
    lines += [f"records: {n} {name}" for name, n in sorted(session.record_types.items())]
    lines += [
        f"tokens: {name} in {usage.input_tokens} out {usage.output_tokens}"
        for name, usage in session.usage.items()
    ]
    lines += [
        f"issue: {issue.kind} {issue.path}"
        + (f" record {issue.record}" if issue.record is not None else "")
        + f": {issue.message}"
        + (f" ({issue.count} times)" if issue.count > 1 else "")
        for issue in session.issues
    ]
    return "\n".join(lines)


def _line(event: Event) -> str:
    head = f"{event.ref.record:6} {event.timestamp or '-':24} {event.event:17}"
    state = getattr(event, "state", None)
    text = (
        getattr(event, "command", None)
        or getattr(event, "path", None)
        or getattr(event, "text", None)
        or getattr(event, "prompt", "")
    )
    flat = " ".join(str(text).split())
    shown = flat if len(flat) <= 100 else flat[:99] + "…"
    who = f" [{event.agent_id}]" if event.agent_id else ""
    return f"{head} {state.value if state else '':12}{who} {shown}"
