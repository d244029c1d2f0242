"""Renders findings as text, JSON, SARIF or GitHub annotations; decides nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from summarizer import __version__
from summarizer.cli.exits import printable
from summarizer.model.finding import Finding, Severity

_SARIF_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_GITHUB_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def findings_text(findings: Sequence[Finding], path: str) -> str:
    """Return `path:line:column: CODE message (rule-name)` lines with what belongs to each."""
    lines = []
    for finding in findings:
        place = f"{path}:{finding.location.line}:{finding.location.column}"
        lines.append(f"{place}: {finding.code} {finding.message} ({finding.rule})")
        if finding.diff is not None:
            lines.append(f"    diff: {finding.diff}")
        if finding.expected is not None and finding.diff is None:
            lines.append(f"    expected: {finding.expected}")
        if finding.source is not None:
            source = finding.source
            where = f"{source.path}:{source.record}"
            if source.byte_start is not None:
                where += f" bytes {source.byte_start}-{source.byte_end}"
            if source.stage is not None:
                where += f", {source.stage}"
                where += f" round {source.round_no}" if source.round_no is not None else ""
            lines.append(f"    source: {where}")
        lines += [f"    note: {note}" for note in finding.notes]
    return printable("\n".join(lines))


def statistics_text(findings: Sequence[Finding]) -> str:
    """Return one line per code with its count."""
    counts = Counter((finding.code, finding.rule) for finding in findings)
    return "\n".join(f"{count:6} {code} {rule}" for (code, rule), count in sorted(counts.items()))


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
        lines.append(
            f"::{level} file={_escape_property(path)},line={finding.location.line},"
            f"col={finding.location.column}::{text}"
        )
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

    results = []
    for path, findings in checked:
        uri = _relative_uri(Path(path), root)
        for finding in findings:
            region = {
                "startLine": finding.location.line,
                "startColumn": finding.location.column,
            }
            results.append({
                "ruleId": finding.code,
                "level": _SARIF_LEVELS[finding.severity],
                "message": {"text": printable(finding.message)},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": uri, "uriBaseId": "SRCROOT"},
                            "region": region,
                        }
                    }
                ],
            })
    rules = [
        {
            "id": rule.code,
            "name": rule.name,
            "shortDescription": {"text": rule.name},
            "fullDescription": {"text": rule.explanation},
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
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
    return json.dumps(log, ensure_ascii=True, indent=1)


def _relative_uri(path: Path, root: Path) -> str:
    from urllib.parse import quote

    try:
        relative = path.resolve().relative_to(root.resolve())
    except ValueError:
        relative = Path(path.name)
    return quote(relative.as_posix())
