"""Findings of old traces that are known and not to be reported again.

A baseline file is JSON and an interface: `{"schema_version": 1, "findings": [{"path", "code",
"fingerprint", "message", "count"}]}`. Paths are relative to the file, with `/`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from summarizer.errors import InputError
from summarizer.fixes import identity
from summarizer.model.finding import Finding

SCHEMA_VERSION = 1
NEVER_HIDDEN = "X"
"""Family about the checker itself: silence must mean checked and clean."""

Key = tuple[str, str, str]
"""Path, code, fingerprint."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What a baseline left of the findings."""

    shown: tuple[tuple[Finding, ...], ...]
    """Per trace, in the order given."""
    hidden: int
    unused: int
    """Entries of checked traces that no finding needed; counted with their multiplicity."""


def fingerprint(finding: Finding) -> str:
    """Return 16 hex digits that stay when lines are shifted, and change with what is said."""
    code, message = identity(finding)
    text = "\x00".join((code, message, finding.actual or "", finding.expected or ""))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def baseline_key(finding: Finding, trace: Path, baseline: Path) -> Key:
    """Return what identifies a finding in a baseline file."""
    return _relative(trace, baseline), finding.code, fingerprint(finding)


def _relative(trace: Path, baseline: Path) -> str:
    base = baseline.resolve().parent
    return Path(os.path.relpath(trace.resolve(), base)).as_posix()


def dump_baseline(checked: Iterable[tuple[Path, Sequence[Finding]]], baseline: Path) -> str:
    """Return the text of a baseline file that hides these findings.

    Args:
        checked: Each trace with its findings.
        baseline: Where the file will lie; paths are relative to its folder.
    """
    counts: Counter[Key] = Counter()
    messages: dict[Key, str] = {}
    for trace, findings in checked:
        for finding in findings:
            if finding.code.startswith(NEVER_HIDDEN):
                continue
            key = baseline_key(finding, trace, baseline)
            counts[key] += 1
            messages[key] = finding.message
    items = [
        {
            "path": path,
            "code": code,
            "fingerprint": mark,
            "message": messages[path, code, mark],
            "count": count,
        }
        for (path, code, mark), count in sorted(counts.items())
    ]
    value = {"schema_version": SCHEMA_VERSION, "findings": items}
    return json.dumps(value, ensure_ascii=True, indent=1) + "\n"


def load_baseline(path: Path) -> Counter[Key]:
    """Read a baseline file.

    Raises:
        InputError: it cannot be read, is no baseline, or of a newer version.
    """
    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON: {error}") from error
    if not isinstance(value, dict) or "schema_version" not in value:
        raise InputError(f"{path}: no baseline file; --write-baseline makes one")
    if value["schema_version"] != SCHEMA_VERSION:
        raise InputError(
            f"{path}: schema_version {value['schema_version']!r}; this version reads"
            f" {SCHEMA_VERSION}"
        )
    items = value.get("findings")
    if not isinstance(items, list):
        raise InputError(f"{path}: 'findings' is not a list")
    counts: Counter[Key] = Counter()
    for number, item in enumerate(items, 1):
        key, count = _entry(item, f"{path}: entry {number} of 'findings'")
        counts[key] += count
    return counts


def _entry(item: object, place: str) -> tuple[Key, int]:
    if not isinstance(item, dict):
        raise InputError(f"{place} is not an object")
    values = [item.get(name) for name in ("path", "code", "fingerprint")]
    count = item.get("count", 1)
    if not all(isinstance(value, str) for value in values):
        raise InputError(f"{place}: 'path', 'code' and 'fingerprint' must be texts")
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise InputError(f"{place}: 'count' must be a positive number")
    return (str(values[0]), str(values[1]), str(values[2])), count


def apply_baseline(
    checked: Sequence[tuple[Path, Sequence[Finding]]], known: Counter[Key], baseline: Path
) -> Applied:
    """Leave out the findings that a baseline knows, each entry as often as it counts."""
    left = Counter(known)
    shown: list[tuple[Finding, ...]] = []
    hidden = 0
    for trace, findings in checked:
        kept = []
        for finding in findings:
            key = baseline_key(finding, trace, baseline)
            if left[key] > 0 and not finding.code.startswith(NEVER_HIDDEN):
                left[key] -= 1
                hidden += 1
            else:
                kept.append(finding)
        shown.append(tuple(kept))
    paths = {_relative(trace, baseline) for trace, _ in checked}
    unused = sum(count for key, count in left.items() if key[0] in paths)
    return Applied(tuple(shown), hidden, unused)
