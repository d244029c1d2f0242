"""`trace-recorder record`: write trace.md of a finished session."""

from __future__ import annotations

from pathlib import Path

import click

from summarizer.cli.exits import CLEAN, FINDINGS, printable, say, write_out
from summarizer.cli.options import gather_sources, operator_options, source_options


@click.command("record")
@click.argument("output_dir", type=click.Path(path_type=Path))
@source_options
@operator_options
@click.option("--profile", help="Layout of the trace (default: T6).")
@click.option("--force", is_flag=True, help="Replace a trace.md that is foreign or was edited.")
@click.option("--dry-run", is_flag=True, help="Print the trace instead of writing it.")
@click.option(
    "--evidence",
    "evidence_path",
    type=click.Path(path_type=Path),
    help="Also write the evidence items as JSON to this new file (not inside OUTPUT_DIR).",
)
def command(
    output_dir: Path,
    transcripts: tuple[Path, ...],
    logs: tuple[Path, ...],
    performance: tuple[Path, ...],
    op_type: str | None,
    level: int | None,
    problem_id: int | None,
    no_transcript: bool,
    profile: str | None,
    force: bool,
    dry_run: bool,
    evidence_path: Path | None,
) -> int:
    """Write OUTPUT_DIR/trace.md from the evidence of the session that filled OUTPUT_DIR."""
    from summarizer.cli.report import findings_text
    from summarizer.cli.summary import record_summary
    from summarizer.evidence_file import check_destination, check_no_source, write_evidence
    from summarizer.pipeline import record_run

    options = gather_sources(
        transcripts, logs, performance, op_type, level, problem_id, no_transcript
    )
    if evidence_path is not None:
        check_destination(evidence_path, output_dir, force=force)
        check_no_source(evidence_path, (*transcripts, *logs, *performance))
    recorded = record_run(output_dir, options, profile=profile, force=force, dry_run=dry_run)
    if evidence_path is not None:
        check_no_source(evidence_path, [Path(source.path) for source in recorded.facts.sources])
        write_evidence(evidence_path, recorded.evidence)
    if dry_run:
        write_out(recorded.text)
    say(printable(record_summary(recorded)))
    if not recorded.passed:
        say(printable(findings_text(recorded.findings, "trace.md")))
        say("trace-recorder: the trace failed its own rules; nothing was written")
        return FINDINGS
    return CLEAN
