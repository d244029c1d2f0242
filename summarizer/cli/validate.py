"""`trace-recorder validate`: lint trace.md files against their sources."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from summarizer.cli.exits import (
    BAD_INPUT,
    CLEAN,
    FINDINGS,
    NOTHING_CHECKED,
    printable,
    say,
    write_out,
)
from summarizer.cli.options import gather_sources, lint_options, source_options
from summarizer.cli.settings import Settings, read_settings
from summarizer.errors import InputError
from summarizer.model.finding import Finding, Severity

if TYPE_CHECKING:
    from summarizer.cli.repair import Repair
    from summarizer.pipeline import Checked, SourceOptions

_RANK = {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}


@dataclass(frozen=True, slots=True)
class Linted:
    """A checked trace with the findings that are reported."""

    checked: Checked
    shown: tuple[Finding, ...]


@click.command("validate")
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
@source_options
@lint_options
def command(
    traces: tuple[Path, ...],
    transcripts: tuple[Path, ...],
    logs: tuple[Path, ...],
    performance: tuple[Path, ...],
    **given: Any,  # noqa: ANN401  # the values of `lint_options`, read in `read_settings` alone
) -> int:
    """Lint each TRACE (a trace.md, or a directory that holds one) against its sources."""
    failed: dict[str, None] = {}
    files = _trace_files(traces, failed)
    settings = read_settings(given, files)
    sources = gather_sources(transcripts, logs, performance)
    checked = _check_all(files, sources, settings, failed)
    known = _without_known(checked, settings)
    linted, in_baseline = known.linted, known.hidden
    code = CLEAN
    if settings.write_baseline and not failed:  # else the file would forget what is in the others
        _write_baseline(checked, settings)
    elif settings.write_baseline:
        say("trace-recorder: no baseline written: not every trace could be read")
    elif settings.diff:
        code = FINDINGS if _print_diffs(linted, settings) else CLEAN
    else:
        if settings.fix:
            linted = _fix_all(linted, settings, failed)
        _print(linted, settings, in_baseline)
        code = _findings_code(linted, settings.fail_on)
    _notes(linted, count_fixable=not (settings.fix or settings.diff))
    _tell_unused(known.unused, settings)
    for message in failed:
        say(printable(f"trace-recorder: {message}"))
    if failed:
        return BAD_INPUT
    return NOTHING_CHECKED if any(not one.compared for one in checked) else code


def _trace_files(paths: Sequence[Path], failed: dict[str, None]) -> list[Path]:
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
            failed[f"{path}: no trace.md in it or below it"] = None
        files.extend(below)
    return list(dict.fromkeys(files))


def _check_all(
    files: Sequence[Path], sources: SourceOptions, settings: Settings, failed: dict[str, None]
) -> list[Checked]:
    """Check each file; one that cannot be read does not keep the others from being checked."""
    from summarizer.pipeline import check_trace

    checked = []
    for path in files:
        try:
            checked.append(
                check_trace(
                    path,
                    sources,
                    profile=settings.profile,
                    select=settings.select,
                    ignore=(*settings.ignore, *settings.ignored_for[path]),
                )
            )
        except InputError as error:
            failed[str(error)] = None
    return checked


@dataclass(frozen=True, slots=True)
class _Known:
    linted: list[Linted]
    hidden: int
    unused: int


def _without_known(checked: Sequence[Checked], settings: Settings) -> _Known:
    """Leave out the findings that the baseline file knows.

    Raises:
        InputError: the baseline file cannot be read.
    """
    pairs = [(one.path, one.findings) for one in checked]
    if settings.baseline is None or settings.write_baseline:
        return _Known([Linted(one, one.findings) for one in checked], 0, 0)
    from summarizer.baseline import apply_baseline, load_baseline

    applied = apply_baseline(pairs, load_baseline(settings.baseline), settings.baseline)
    linted = [Linted(one, shown) for one, shown in zip(checked, applied.shown, strict=True)]
    return _Known(linted, applied.hidden, applied.unused)


def _write_baseline(checked: Sequence[Checked], settings: Settings) -> None:
    """Write the baseline file.

    Raises:
        InputError: it cannot be written, or lies where only trace.md may be created.
    """
    from summarizer.baseline import dump_baseline
    from summarizer.writer import replace_file

    path = settings.baseline
    assert path is not None  # `read_settings` asked for it
    for one in checked:
        if path.resolve().parent == one.path.resolve().parent:
            raise InputError(f"{path}: lies beside {one.path}, where only trace.md may be created")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no directory {str(path.parent)!r}")
    text = dump_baseline([(one.path, one.findings) for one in checked], path)
    replace_file(path, text.encode("ascii"))
    count = sum(not f.code.startswith("X") for one in checked for f in one.findings)
    say(printable(f"{path}: {count} findings written"))


def _repairs(
    linted: Sequence[Linted], settings: Settings, *, unsafe: bool
) -> list[tuple[Linted, Repair]]:
    from summarizer.cli.repair import repair

    return [
        (one, repair(one.checked, one.shown, settings.profile, with_unsafe=unsafe))
        for one in linted
    ]


def _print_diffs(linted: Sequence[Linted], settings: Settings) -> bool:
    """Print what --fix would change; return whether it would change anything."""
    from summarizer.cli.repair import relative_name
    from summarizer.fixes import unified_diff

    changed = False
    for one, repaired in _repairs(linted, settings, unsafe=settings.unsafe):
        if repaired.changed:
            changed = True
            name = relative_name(one.checked.path)
            write_out(printable(unified_diff(one.checked.doc.text, repaired.fixed.text, name)))
    return changed


def _fix_all(linted: Sequence[Linted], settings: Settings, failed: dict[str, None]) -> list[Linted]:
    """Write the repaired traces; return what is left to report."""
    from summarizer.cli.repair import tell_repair, write_repair
    from summarizer.pipeline import recheck

    left = []
    for one, repaired in _repairs(linted, settings, unsafe=settings.unsafe):
        if not repaired.changed:
            tell_repair(repaired)
            left.append(one)
            continue
        try:
            write_repair(repaired)
        except InputError as error:
            failed[str(error)] = None
            left.append(one)
            continue
        tell_repair(repaired)
        path = one.checked.path
        again = recheck(
            one.checked,
            repaired.fixed.text,
            profile=settings.profile,
            select=settings.select,
            ignore=(*settings.ignore, *settings.ignored_for[path]),
        )
        left += _without_known([again], settings).linted
    return left


def _print(linted: Sequence[Linted], settings: Settings, in_baseline: int) -> None:
    from summarizer.cli import report

    if settings.statistics:
        text = report.statistics_text(
            [finding for one in linted for finding in one.shown],
            [finding for one in linted for finding in one.checked.suppressed],
            in_baseline,
        )
    else:
        text = _formatted(linted, settings.output_format)
    if text:
        write_out(text + "\n")


def _formatted(linted: Sequence[Linted], output_format: str) -> str:
    from summarizer.cli import report
    from summarizer.cli.repair import relative_name

    if output_format == "json":
        return report.findings_json([
            (str(c.path), one.shown, c.why_no_evidence, c.doc.profile)
            for one in linted
            for c in (one.checked,)
        ])
    if output_format == "sarif":
        return report.findings_sarif(
            [(str(one.checked.path), one.shown) for one in linted], Path.cwd()
        )
    if output_format == "github":
        parts = [
            report.findings_github(one.shown, relative_name(one.checked.path)) for one in linted
        ]
    else:
        color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        parts = [
            report.findings_text(
                one.shown, str(one.checked.path), one.checked.doc.text, color=color
            )
            for one in linted
        ]
    return "\n".join(filter(None, parts))


def _notes(linted: Sequence[Linted], *, count_fixable: bool) -> None:
    """Say what a reader of the findings must know besides them."""
    from summarizer.cli.repair import fixable_count

    for one in linted:
        checked = one.checked
        if checked.why_no_evidence is not None:
            say(printable(f"{checked.path}: no sources: {checked.why_no_evidence}"))
        for suppression in checked.doc.suppressions:
            if not suppression.reason:
                codes = ", ".join(suppression.codes)
                say(
                    printable(
                        f"{checked.path}:{suppression.line}: {codes} ignored: no reason given"
                    )
                )
    if not count_fixable:
        return
    counts = [fixable_count(one.checked, one.shown) for one in linted]
    safe, unsafe = sum(pair[0] for pair in counts), sum(pair[1] for pair in counts)
    if safe:
        say(f"{safe} fixable with --fix")
    if unsafe:
        say(f"{unsafe} fixable with --unsafe-fixes")


def _tell_unused(unused: int, settings: Settings) -> None:
    if unused:
        say(printable(f"{settings.baseline}: {unused} entries are of no use any more"))


def _findings_code(linted: Sequence[Linted], fail_on: Severity) -> int:
    findings = [finding for one in linted for finding in one.shown]
    return FINDINGS if any(_RANK[f.severity] >= _RANK[fail_on] for f in findings) else CLEAN
