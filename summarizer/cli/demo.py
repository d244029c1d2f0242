"""`trace-recorder demo`: record the bundled real session and show the result."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from summarizer.cli.exits import CLEAN, FINDINGS, printable, say, write_out


@click.command("demo")
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    help="Copy the session to this new directory and leave it and its trace there.",
)
def command(keep: Path | None) -> int:
    """Record a bundled real session and show its trace and the report."""
    from summarizer.errors import InputError

    if keep is None:
        with tempfile.TemporaryDirectory(prefix="trace-recorder-demo-") as folder:
            return _record(Path(folder))
    try:
        keep.mkdir(parents=True)
    except OSError as error:
        raise InputError(f"{keep}: cannot be made: {error.strerror}") from error
    return _record(keep)


def _record(folder: Path) -> int:
    from summarizer.cli.report import findings_text
    from summarizer.cli.summary import record_summary
    from summarizer.example import copy_example
    from summarizer.pipeline import SourceOptions, record_run

    example = copy_example(folder)
    options = SourceOptions(transcripts=(example.transcript,))
    recorded = record_run(example.output_dir, options)
    write_out(recorded.text)
    say(printable("\n" + record_summary(recorded)))
    if not recorded.passed:
        say(findings_text(recorded.findings, "trace.md"))
        return FINDINGS
    return CLEAN
