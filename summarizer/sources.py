"""Gathers everything about an output directory that is not the transcript itself.

Reads case files, performance files, evaluation logs and kernel sources; decides nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from summarizer.cases import read_case_files
from summarizer.errors import InputError
from summarizer.eval_logs import EvalLog, find_eval_logs, read_eval_log
from summarizer.measurements import (
    find_odd_performance_files,
    find_performance_files,
    parse_performance,
    read_performance_json,
)
from summarizer.model.reports import CaseFiles, PerformanceReport
from summarizer.model.source import Completeness, ReadIssue, SourceFile

_KERNEL_SUFFIXES = {".cpp", ".cc", ".cxx", ".h", ".hpp", ".asc"}
MAX_KERNEL_BYTES = 2_000_000
"""Kernel sources above this size are not looked at for the operator type."""


@dataclass(frozen=True, slots=True)
class StoredPerformance:
    """A performance file as it was read."""

    report: PerformanceReport
    source: SourceFile
    text: str


@dataclass(frozen=True, slots=True)
class DirectorySources:
    """What an output directory holds beside the session's own record."""

    case_files: CaseFiles
    performance_json: StoredPerformance | None
    performance_log: StoredPerformance | None
    eval_logs: tuple[EvalLog, ...]
    kernel_sources: tuple[str, ...]
    files: tuple[SourceFile, ...]
    """Case files, performance files and logs, for provenance."""
    issues: tuple[ReadIssue, ...]


def read_directory(
    output_dir: Path, *, logs: Sequence[Path] = (), performance: Sequence[Path] = ()
) -> DirectorySources:
    """Read the files of an output directory.

    Args:
        output_dir: an existing directory.
        logs: evaluation logs the caller named; they replace the ones found.
        performance: performance files the caller named; they replace the ones found.

    Raises:
        InputError: a named file cannot be read or is not what it is named as.
    """
    issues: list[ReadIssue] = []
    case_files = read_case_files(output_dir)
    stored = [
        item
        for path in (performance or find_performance_files(output_dir))
        if (item := _performance(path, bool(performance), issues)) is not None
    ]
    if not performance:
        issues.extend(
            ReadIssue("unreadable_performance_file", str(path), None, "not a regular file")
            for path in find_odd_performance_files(output_dir)
        )
    issues.extend(issue for item in stored for issue in item.report.issues)
    json_file = next((item for item in stored if item.report.form == "json"), None)
    log_file = next((item for item in stored if item.report.form == "printed"), None)
    eval_logs = tuple(read_eval_log(path) for path in (logs or find_eval_logs(output_dir)))
    files = [*_case_sources(case_files, issues)]
    files += [item.source for item in (json_file, log_file) if item is not None]
    files += [log.source for log in eval_logs]
    return DirectorySources(
        case_files=case_files,
        performance_json=json_file,
        performance_log=log_file,
        eval_logs=eval_logs,
        kernel_sources=_kernel_sources(output_dir),
        files=tuple(files),
        issues=tuple(issues),
    )


def _performance(path: Path, named: bool, issues: list[ReadIssue]) -> StoredPerformance | None:
    """Read one performance file; a found one that is unreadable is reported, not fatal."""
    try:
        if path.exists() and not path.is_file():  # reading a pipe would wait for ever
            raise InputError(f"{path}: not a regular file")
        data = path.read_bytes()
        text = data.decode("utf-8", "surrogateescape")
        if path.suffix == ".json":
            report = read_performance_json(path)
        else:
            reports = parse_performance(text, completeness=Completeness.FULL)
            if not reports:
                raise InputError(f"{path}: no performance report in it")
            report = reports[-1]
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except InputError as error:
        if named:
            raise
        issues.append(ReadIssue("unreadable_performance_file", str(path), None, str(error)))
        return None
    kind = "performance" if report.form == "json" else "performance_log"
    source = SourceFile(str(path), kind, hashlib.sha256(data).hexdigest(), len(data))
    return StoredPerformance(report, source, text)


def _case_sources(case_files: CaseFiles, issues: list[ReadIssue]) -> list[SourceFile]:
    sources = []
    for path, kind in (
        (case_files.current_path, "cases"),
        (case_files.backup_path, "cases_backup"),
    ):
        if path is None:
            continue
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            issues.append(ReadIssue("vanished", path, None, f"cannot be read: {error.strerror}"))
            continue
        sources.append(SourceFile(path, kind, hashlib.sha256(data).hexdigest(), len(data)))
    return sources


def _kernel_sources(output_dir: Path) -> tuple[str, ...]:
    """Texts of the kernel files below `kernel/`, build products left out."""
    texts = []
    kernel = output_dir / "kernel"
    if not kernel.is_dir():
        return ()
    for path in sorted(kernel.rglob("*")):
        relative = path.relative_to(kernel)
        if relative.parts[0] == "build" or path.suffix not in _KERNEL_SUFFIXES:
            continue
        try:
            if path.is_file() and path.stat().st_size <= MAX_KERNEL_BYTES:
                texts.append(path.read_bytes().decode("utf-8", "replace"))
        except OSError:
            continue
    return tuple(texts)
