"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from summarizer.pipeline import SourceOptions

_Command = TypeVar("_Command", bound=Callable[..., Any])

_PATH = click.Path(path_type=Path)


def source_options(command: _Command) -> _Command:
    """Add --transcript, --log and --performance."""
    for option in (
        click.option(
            "--performance",
            "performance",
            type=_PATH,
            multiple=True,
            help="Performance report (JSON or printed) instead of the one found.",
        ),
        click.option(
            "--log",
            "logs",
            type=_PATH,
            multiple=True,
            help="Evaluation log instead of those found.",
        ),
        click.option(
            "--transcript",
            "transcripts",
            type=_PATH,
            multiple=True,
            help="Transcript file or folder instead of searching the client's store.",
        ),
    ):
        command = option(command)
    return command


def lint_options(command: _Command) -> _Command:
    """Add what decides which findings are reported, how, and what is repaired."""
    for option in reversed(_LINT_OPTIONS):
        command = option(command)
    return command


_LINT_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--profile", help="Layout of the trace instead of the detected one."),
    click.option("--select", help="Only these rule codes, prefixes or names, comma separated."),
    click.option("--ignore", help="Not these rule codes, prefixes or names, comma separated."),
    click.option(
        "--fix", is_flag=True, help="Repair what has one right text by the sources, safely."
    ),
    click.option(
        "--unsafe-fixes",
        is_flag=True,
        help="With --fix or --diff: also repairs that a person should look at.",
    ),
    click.option("--diff", is_flag=True, help="Print what --fix would change; change nothing."),
    click.option(
        "--baseline-file",
        type=_PATH,
        help="Do not report the findings that this file knows.",
    ),
    click.option("--write-baseline", is_flag=True, help="Write all findings to the baseline file."),
    click.option(
        "--format",
        "output_format",
        type=click.Choice(["text", "json", "sarif", "github"]),
        help="How findings are printed.  [default: text]",
    ),
    click.option(
        "--fail-on",
        type=click.Choice(["error", "warning"]),
        help="Severity from which findings give exit code 1.  [default: error]",
    ),
    click.option("--statistics", is_flag=True, help="Print counts per rule instead of findings."),
    click.option(
        "--config",
        type=_PATH,
        help="Configuration file instead of the nearest trace-recorder.toml or pyproject.toml.",
    ),
    click.option("--isolated", is_flag=True, help="Read no configuration file."),
)


def operator_options(command: _Command) -> _Command:
    """Add --op-type, --level, --problem-id and --no-transcript."""
    for option in (
        click.option(
            "--no-transcript",
            is_flag=True,
            help="Work from the files of OUTPUT_DIR alone; the trace says 无会话记录.",
        ),
        click.option(
            "--problem-id", type=click.IntRange(min=0), help="Problem ID for the summary table."
        ),
        click.option("--level", type=click.IntRange(min=0), help="Level for the summary table."),
        click.option("--op-type", help="算子类型 for the summary table, e.g. vector."),
    ):
        command = option(command)
    return command


def gather_sources(
    transcripts: tuple[Path, ...],
    logs: tuple[Path, ...],
    performance: tuple[Path, ...],
    op_type: str | None = None,
    level: int | None = None,
    problem_id: int | None = None,
    no_transcript: bool = False,
) -> SourceOptions:
    """Return the options of one call together with the environment."""
    from summarizer.pipeline import SourceOptions

    return SourceOptions(
        transcripts=transcripts,
        logs=logs,
        performance=performance,
        op_type=op_type,
        level=level,
        problem_id=problem_id,
        env=dict(os.environ),
        home=_home(),
        no_transcript=no_transcript,
    )


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None
