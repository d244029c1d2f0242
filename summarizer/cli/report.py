"""Renders findings as text, JSON, SARIF or GitHub annotations; decides nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import click

from summarizer import __version__
from summarizer.cli.exits import printable
from summarizer.cli.snippets import changed_part, snippet, source_line
from summarizer.model.finding import Finding, Location, Severity, SourcePlace

_LINE_END = re.compile(r"\r\n|\r|\n")
_SARIF_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_GITHUB_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


_LONG = 40
"""Characters from which only the differing part of a range is marked."""
_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def findings_text(
    findings: Sequence[Finding], path: str, text: str | None = None, *, color: bool = False
) -> str:
    """Return `path:line:column: CODE message (rule-name)` lines with what belongs to each.

    Args:
        findings: In the order they are shown.
        path: How the trace is called.
        text: The trace; with it the line is shown, and carets under the range.
        color: Whether codes and carets are coloured.
    """
    lines = _LINE_END.split(text) if text is not None else []
    shown: list[str] = []
    for finding in findings:
        shown.append(_headline(finding, path, color))
        if lines and not finding.code.startswith("X"):
            shown += snippet(lines, _marked(finding, lines), color=color)
        shown += [printable(line) for line in _details(finding)]
    return "\n".join(shown)


def _marked(finding: Finding, lines: Sequence[str]) -> Location:
    """The place of a finding; of a long text with a known right one, only what differs."""
    place = finding.location
    if finding.replacement is None or place.end_column is None or place.end_line != place.line:
        return place
    if not 1 <= place.line <= len(lines):
        return place
    old = lines[place.line - 1][place.column - 1 : place.end_column - 1]
    start, end, _ = changed_part(old, finding.replacement)
    if len(old) < _LONG or end <= start:
        return place
    return replace(place, column=place.column + start, end_column=place.column + end)


def _headline(finding: Finding, path: str, color: bool) -> str:
    place = printable(f"{path}:{finding.location.line}:{finding.location.column}")
    code = finding.code
    if color:
        place = click.style(place, bold=True)
        code = click.style(code, fg=_COLORS[finding.severity], bold=True)
    return f"{place}: {code} {printable(finding.message)} ({finding.rule})"


def _details(finding: Finding) -> Iterator[str]:
    if finding.diff is not None and finding.diff not in finding.message:
        yield f"    diff: {finding.diff}"
    if finding.expected is not None and finding.diff is None:
        yield f"    expected: {source_line(finding.expected)}"
    if finding.source is not None:
        yield f"    source: {_where(finding.source)}"
        if finding.diff is not None and finding.expected:
            yield f"      {source_line(finding.expected)}"
    for note in finding.notes:
        yield f"    note: {note}"


def _where(source: SourcePlace) -> str:
    where = f"{source.path}:{source.record}"
    if source.byte_start is not None:
        where += f" bytes {source.byte_start}-{source.byte_end}"
    if source.stage is not None:
        where += f", {source.stage}"
        where += f" round {source.round_no}" if source.round_no is not None else ""
    return where


def statistics_text(
    findings: Sequence[Finding], suppressed: Sequence[Finding] = (), in_baseline: int = 0
) -> str:
    """Return one line per code with its count, and what was left out and why.

    Args:
        findings: What is reported.
        suppressed: What comments in the traces asked to be left out.
        in_baseline: How many findings a baseline file knows.
    """
    counts = Counter((finding.code, finding.rule) for finding in findings)
    lines = [f"{count:6} {code} {rule}" for (code, rule), count in sorted(counts.items())]
    if suppressed:
        codes = Counter(finding.code for finding in suppressed)
        listed = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
        lines.append(f"{len(suppressed):6} suppressed by comments ({listed})")
    if in_baseline:
        lines.append(f"{in_baseline:6} known to the baseline file")
    return "\n".join(lines)


def findings_json(checked: Sequence[tuple[str, Sequence[Finding], str | None, str]]) -> str:
    """Return JSON: one object per trace with its findings, an interface.

    Args:
        checked: (path, findings, why there was no evidence, profile) per trace.
    """
    items = [
        {
            "path": path,
            "profile": profile,
            "evidence_missing": why,
            "findings": [_plain(finding) for finding in findings],
        }
        for path, findings, why, profile in checked
    ]
    return json.dumps({"schema_version": 1, "traces": items}, ensure_ascii=True, indent=1)


def _plain(finding: Finding) -> dict[str, object]:
    value = asdict(finding)
    value["severity"] = finding.severity.value
    return value


def findings_github(findings: Sequence[Finding], path: str) -> str:
    """Return GitHub workflow annotations; newlines and commas are escaped as GitHub asks."""
    lines = []
    for finding in findings:
        level = _GITHUB_LEVELS[finding.severity]
        text = _escape_github(f"{finding.code} {finding.message} ({finding.rule})")
        place = f"line={finding.location.line},col={finding.location.column}"
        if finding.location.end_column is not None:
            place += f",endLine={finding.location.end_line or finding.location.line}"
            place += f",endColumn={finding.location.end_column}"
        title = _escape_property(f"trace-recorder ({finding.code})")
        lines.append(f"::{level} file={_escape_property(path)},{place},title={title}::{text}")
    return "\n".join(lines)


def _escape_github(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_github(text).replace(":", "%3A").replace(",", "%2C")


def findings_sarif(checked: Sequence[tuple[str, Sequence[Finding]]], root: Path) -> str:
    """Return SARIF 2.1.0; a trace outside `root` is named by its file name only.

    Source: OASIS SARIF 2.1.0, sections 3.13 to 3.30.
    """
    from validators import RULES

    index_of = {rule.code: index for index, rule in enumerate(RULES)}
    results = []
    for path, findings in checked:
        uri = _relative_uri(Path(path), root)
        for finding in findings:
            results.append({
                "ruleId": finding.code,
                "ruleIndex": index_of[finding.code],
                "level": _SARIF_LEVELS[finding.severity],
                "message": {"text": printable(finding.message)},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": uri, "uriBaseId": "SRCROOT"},
                            "region": _region(finding.location),
                        }
                    }
                ],
            })
    rules = [
        {
            "id": rule.code,
            "name": rule.name,
            "shortDescription": {"text": rule.name},
            "fullDescription": {"text": rule.explanation or rule.name},
            "defaultConfiguration": {"level": _SARIF_LEVELS[rule.severity]},
            "help": {"text": f"Bad:\n{rule.bad}\n\nGood:\n{rule.good}"},
        }
        for rule in RULES
    ]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "trace-recorder",
                        "version": __version__,
                        "rules": rules,
                    }
                },
                "originalUriBaseIds": {
                    "SRCROOT": {"description": {"text": "The folder the linter ran in."}}
                },
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
    return json.dumps(log, ensure_ascii=True, indent=1)


def _region(place: Location) -> dict[str, int]:
    """A SARIF region: 1-based, its end column exclusive as ours."""
    region = {"startLine": place.line, "startColumn": place.column}
    if place.end_column is not None:
        region["endLine"] = place.end_line or place.line
        region["endColumn"] = place.end_column
    return region


def _relative_uri(path: Path, root: Path) -> str:
    from urllib.parse import quote

    try:
        relative = path.resolve().relative_to(root.resolve())
    except ValueError:
        relative = Path(path.name)
    return quote(relative.as_posix())
