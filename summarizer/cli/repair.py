"""`validate --fix` and `--diff`: repairs traces, and says what was done."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from summarizer.cli.exits import printable, say
from summarizer.cli.snippets import changed_part
from summarizer.errors import InputError
from summarizer.fixes import Fixed, edits_of, fix_text, fixable, identity, in_doubt
from summarizer.model.finding import Finding
from summarizer.writer import replace_file

if TYPE_CHECKING:
    from summarizer.pipeline import Checked

_BOM = b"\xef\xbb\xbf"
_SHOWN = 60
_ENCODING = "utf-8"


@dataclass(frozen=True, slots=True)
class Repair:
    """A checked trace with its repaired text."""

    checked: Checked
    fixed: Fixed

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.fixed.text != self.checked.doc.text


def repair(
    checked: Checked, shown: Sequence[Finding], profile: str | None, *, with_unsafe: bool
) -> Repair:
    """Return the repaired text of a trace; nothing is written.

    Args:
        checked: The trace and its sources.
        shown: The findings that are reported: only what they say is repaired.
        profile: Layout the caller named.
        with_unsafe: Whether repairs are wanted that a person should look at.
    """
    from summarizer.pipeline import recheck
    from validators import RULES, Fix

    safe = {rule.code for rule in RULES if rule.fix is Fix.SAFE}
    unsafe = {rule.code for rule in RULES if rule.fix is Fix.UNSAFE}
    if not any(fixable(finding, safe, unsafe, with_unsafe=with_unsafe) for finding in shown):
        return Repair(checked, Fixed(checked.doc.text, (), ()))
    reported = {identity(finding) for finding in shown}

    def check(text: str) -> tuple[Finding, ...]:
        return recheck(checked, text, profile=profile).findings

    def wanted(finding: Finding, found: Sequence[Finding]) -> bool:
        allowed = fixable(finding, safe, unsafe, with_unsafe=with_unsafe)
        return allowed and identity(finding) in reported and not in_doubt(finding, found)

    return Repair(checked, fix_text(checked.doc.text, check, wanted))


def fixable_count(checked: Checked, shown: Sequence[Finding]) -> tuple[int, int]:
    """How many reported findings --fix, and only --unsafe-fixes, could try to repair."""
    from validators import RULES, Fix

    class_of = {rule.code: rule.fix for rule in RULES}
    edits = edits_of(checked.doc.text, [f for f in shown if not in_doubt(f, checked.findings)])
    counts = Counter(class_of[edit.finding.code] for edit in edits)
    return counts[Fix.SAFE], counts[Fix.UNSAFE]


def write_repair(one: Repair) -> None:
    """Write a repaired trace atomically; BOM, line ends, odd bytes and permissions stay.

    A link stays a link: the file it points at is replaced.

    Raises:
        InputError: the file has changed since it was read, or cannot be written.
    """
    path = one.checked.path
    try:
        target = path.resolve(strict=True)
        old = target.read_bytes()
        mode = stat.S_IMODE(target.stat().st_mode)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    bom = _BOM if old.startswith(_BOM) else b""
    if old != bom + _encoded(one.checked.doc.text):
        raise InputError(f"{path}: was changed by somebody else meanwhile; nothing was written")
    replace_file(target, bom + _encoded(one.fixed.text))
    try:
        target.chmod(mode)
    except OSError as error:
        raise InputError(f"{path}: permissions not restored: {error.strerror}") from error


def _encoded(text: str) -> bytes:
    return text.encode(_ENCODING, "surrogateescape")


def tell_repair(one: Repair) -> None:
    """Say on stderr what was repaired, and what could not be without causing another finding."""
    path = one.checked.path
    for finding in one.fixed.applied:
        say(printable(f"{path}:{finding.location.line}: fixed {finding.code}: {_change(finding)}"))
    for finding in one.fixed.refused:
        say(
            printable(
                f"{path}:{finding.location.line}: {finding.code} not fixed: the repair would"
                " leave or cause a finding"
            )
        )


def _change(finding: Finding) -> str:
    """What was there and what is there now, of long texts only what differs."""
    new, old = finding.replacement or "", finding.actual or ""
    if old and len(old) > _SHOWN:
        start, old_end, new_end = changed_part(old, new)
        old, new = old[start:old_end], new[start:new_end]
    return f"{_short(old)} -> {_short(new)}" if old else _short(new)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def relative_name(path: Path) -> str:
    """A path as it is shown in a diff or an annotation: from the working directory if below it."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return str(path)
