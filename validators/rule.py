"""What a rule is, what it is given and what it gives back; must not know any single rule."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from summarizer.model.evidence import Evidence
from summarizer.model.facts import Facts
from summarizer.model.finding import Finding, Location, Severity, SourcePlace
from summarizer.model.trace import TraceDoc

QUOTATIONS = "quotations verified"
NUMBERS = "numbers recomputed"
NAMES = "names found in the evidence"
STATEMENTS = "statements of the agent found"
VERDICTS = "verdicts compared"
UNCHECKED = "cannot be checked"

CLAIM_KINDS = (QUOTATIONS, NUMBERS, NAMES, STATEMENTS, VERDICTS, UNCHECKED)
"""Keys of `RuleReport.checked`, in its order."""

OWN_LIST = "by the trace's own figures"
"""Note of a flag that holds whatever a session would show: the trace contradicts itself."""

T = TypeVar("T")


class Fix(str, Enum):
    """Whether a finding can be repaired without a person."""

    SAFE = "safe"
    """The right text follows from the evidence and changes no meaning but the wrong one."""
    UNSAFE = "unsafe"
    """A repair is known, but a person should look at it."""
    NONE = "none"
    """Only a person can decide."""


@dataclass(frozen=True, slots=True)
class Flag:
    """What a check saw, before the runner gives it the code of its rule."""

    message: str
    location: Location
    expected: str | None = None
    actual: str | None = None
    source: SourcePlace | None = None
    diff: str | None = None
    notes: tuple[str, ...] = ()
    replacement: str | None = None
    """What the text between the location's ends should be; None when only a person can say."""


Check = Callable[["CheckContext"], Iterable[Flag]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the rule table; the code and the name are public and permanent."""

    code: str
    name: str
    """Says which pattern is flagged."""
    severity: Severity
    fix: Fix
    explanation: str
    """What is flagged and why it matters."""
    bad: str
    good: str
    check: Check


@dataclass(frozen=True, slots=True)
class Unverifiable:
    """One claim that no source at hand can confirm or refute."""

    kind: str
    """What is claimed, a plural noun: `run counts`."""
    needs: str
    """Which source would decide."""
    location: Location


class Ledger:
    """Which claims were compared with a source; a claim counts once, however many rules see it."""

    __slots__ = ("_checked", "_unverifiable")

    def __init__(self) -> None:
        """Start with nothing compared."""
        self._checked: dict[str, set[Hashable]] = {}
        self._unverifiable: dict[Unverifiable, None] = {}

    def checked(self, kind: str, claim: Hashable) -> None:
        """Note that `claim` (any identity, such as line, column and role) was compared."""
        self._checked.setdefault(kind, set()).add(claim)

    def unverifiable(self, kind: str, needs: str, location: Location) -> None:
        """Note that a claim could not be compared with anything."""
        self._unverifiable[Unverifiable(kind, needs, location)] = None

    def open_claims(self) -> tuple[Unverifiable, ...]:
        """The claims without a source, in the order they were met."""
        return tuple(self._unverifiable)

    def counts(self) -> dict[str, int]:
        """Number of claims per kind of `CLAIM_KINDS`."""
        counts = {kind: len(self._checked.get(kind, ())) for kind in CLAIM_KINDS}
        counts[UNCHECKED] = len(self._unverifiable)
        return counts


@dataclass(frozen=True, slots=True)
class CheckContext:
    """Everything a check may look at."""

    doc: TraceDoc
    facts: Facts | None
    """None when no source of the session was found."""
    evidence: tuple[Evidence, ...]
    provenance: bool
    """Whether the trace carries this tool's own comment on its last line."""
    hash_text: Callable[[str], str]
    """Hex digest of the text before that comment."""
    ledger: Ledger = field(default_factory=Ledger, compare=False, repr=False)
    _cache: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    @property
    def blind(self) -> bool:
        """Whether only files of the output directory are known, not the session itself."""
        return self.facts is not None and self.facts.session.client is None

    def once(self, key: str, build: Callable[[CheckContext], T]) -> T:
        """Return what `build` makes of this context, built at most once per key."""
        if key not in self._cache:
            self._cache[key] = build(self)
        return self._cache[key]  # type: ignore[return-value]  # one key, one type


@dataclass(frozen=True, slots=True)
class RuleReport:
    """What became of one trace."""

    findings: tuple[Finding, ...]
    """By place, then code."""
    checked: Mapping[str, int]
    """Claims compared per kind, in the order of `CLAIM_KINDS`."""
    suppressed: tuple[Finding, ...] = ()
    """Findings that a comment in the trace asked to be left out."""
