"""`trace-recorder facts`: the facts as JSON, an interface."""

from __future__ import annotations

from pathlib import Path

import click

from summarizer.cli.exits import write_out
from summarizer.cli.options import gather_sources, operator_options, source_options


@click.command("facts")
@click.argument("output_dir", type=click.Path(path_type=Path))
@source_options
@operator_options
def command(
    output_dir: Path,
    transcripts: tuple[Path, ...],
    logs: tuple[Path, ...],
    performance: tuple[Path, ...],
    op_type: str | None,
    level: int | None,
    problem_id: int | None,
    no_transcript: bool,
) -> int:
    """Print the facts of OUTPUT_DIR as JSON."""
    from summarizer.pipeline import derive

    options = gather_sources(
        transcripts, logs, performance, op_type, level, problem_id, no_transcript
    )
    facts = derive(output_dir, options).facts
    write_out(facts_json(facts.model_dump(mode="json")) + "\n")
    return 0


def facts_json(value: object) -> str:
    """Return JSON text; lone surrogates of broken sources are escaped, never lost."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=1)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, indent=1)
    return text
