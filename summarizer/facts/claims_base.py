"""What the checks of the agent's statements share; must not judge any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from summarizer.facts.builders import RoundBuilder, RunBuilder
from summarizer.model.events import AssistantMessage
from summarizer.model.facts import Performance, StageName


@dataclass(frozen=True, slots=True)
class Observed:
    """A run that had ended when a sentence was written."""

    stage: StageName
    round_no: int
    run: RunBuilder


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with what was known then."""

    text: str
    message: AssistantMessage
    observed: tuple[Observed, ...]
    """Runs that started before the message, in order."""
    rounds: dict[StageName, tuple[RoundBuilder, ...]]
    measured: Performance | None
    """The measurement of record, when it was made before the message."""
    ending: str = ""
    """The mark that ends it, for example `？`; empty at a line end."""
    right_after: Observed | None = None
    """The last run, when nothing but messages came between it and this one."""
    operator: str | None = None
    """Name of the task's operator, for example `31_ELU`."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A contradiction in one sentence."""

    kind: str
    says: str
    shows: str
    stage: StageName | None
    against: RunBuilder | None


Check = Callable[[Sentence], Iterator[Hit]]


def score(run: RunBuilder) -> str:
    """What a run showed, in the words of a fact."""
    report = run.report
    if report.cases_total is None:
        return report.outcome.value
    return f"{report.cases_passed}/{report.cases_total}"


def stage_named(text: str) -> StageName | None:
    """The one stage that a text names."""
    has_tilelang = "tilelang" in text.lower()
    has_ascendc = "ascendc" in text.lower()
    if "全量" in text:
        return "full_validation"
    if has_tilelang != has_ascendc:
        return "tilelang" if has_tilelang else "ascendc"
    return None
