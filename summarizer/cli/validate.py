"""`trace-recorder validate`: lint trace.md files against their sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from summarizer.cli.exits import CLEAN, FINDINGS, NOTHING_CHECKED, printable, write_out
from summarizer.cli.options import gather_sources, source_options
from summarizer.errors import InputError
from summarizer.model.finding import Severity

if TYPE_CHECKING:
    from summarizer.pipeline import Checked

_RANK = {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}


@click.command("validate")
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
@source_options
@click.option("--profile", help="Layout of the trace instead of the detected one.")
@click.option("--select", help="Only these rule codes or prefixes, comma separated.")
@click.option("--ignore", help="Not these rule codes or prefixes, comma separated.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    show_default=True,
    help="Severity from which findings give exit code 1.",
)
@click.option("--statistics", is_flag=True, help="Print counts per rule instead of findings.")
def command(
    traces: tuple[Path, ...],
    transcripts: tuple[Path, ...],
    logs: tuple[Path, ...],
    performance: tuple[Path, ...],
    profile: str | None,
    select: str | None,
    ignore: str | None,
    output_format: str,
    fail_on: str,
    statistics: bool,
) -> int:
    """Lint each TRACE (a trace.md, or a directory that holds one) against its sources."""
    from summarizer.pipeline import check_trace

    options = gather_sources(transcripts, logs, performance)
    checked = [
        check_trace(path, options, profile=profile, select=_codes(select), ignore=_codes(ignore))
        for path in _trace_files(traces)
    ]
    _print(checked, output_format, statistics)
    for one in checked:
        if one.why_no_evidence is not None:
            click.echo(printable(f"{one.path}: no sources: {one.why_no_evidence}"), err=True)
    return _exit_code(checked, Severity(fail_on))


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _trace_files(paths: tuple[Path, ...]) -> list[Path]:
    """A directory stands for its trace.md, or for those of its sub-directories."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        if (path / "trace.md").exists():
            files.append(path / "trace.md")
            continue
        below = sorted(path.rglob("trace.md"))
        if not below:
            raise InputError(f"{path}: no trace.md in it or below it")
        files.extend(below)
    return list(dict.fromkeys(files))


def _print(checked: list[Checked], output_format: str, statistics: bool) -> None:
    from summarizer.cli import report

    if statistics:
        findings = [finding for one in checked for finding in one.findings]
        text = report.statistics_text(findings)
    elif output_format == "json":
        text = report.findings_json([
            (str(c.path), c.findings, c.why_no_evidence, c.doc.profile) for c in checked
        ])
    elif output_format == "sarif":
        text = report.findings_sarif([(str(c.path), c.findings) for c in checked], Path.cwd())
    elif output_format == "github":
        text = "\n".join(
            filter(None, (report.findings_github(c.findings, str(c.path)) for c in checked))
        )
    else:
        text = "\n".join(
            filter(None, (report.findings_text(c.findings, str(c.path)) for c in checked))
        )
    if text:
        write_out(text + "\n")


def _exit_code(checked: list[Checked], fail_on: Severity) -> int:
    """Highest precedence first: 4 when a trace could be compared with nothing, then 1."""
    if any(not one.compared for one in checked):
        return NOTHING_CHECKED
    findings = [finding for one in checked for finding in one.findings]
    if any(_RANK[finding.severity] >= _RANK[fail_on] for finding in findings):
        return FINDINGS
    return CLEAN
