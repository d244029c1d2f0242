"""Finds the quotations of a trace and has each one judged, once for all rules.

Walks a trace and asks `validators.quotes`; must not know how it matches, nor any rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from summarizer.model.evidence import Evidence
from summarizer.model.facts import Facts
from summarizer.model.finding import Location
from summarizer.text.markdown import unshown
from validators.names import code_index, looks_like_path
from validators.passages import Passage, mentions, passages
from validators.quotes import Corpus, Quote, Status, Verdict, check_quotations
from validators.rule import NAMES, QUOTATIONS, CheckContext

NEEDS = "the transcript or an evaluation log of the session"

_EXCERPT = "eval_excerpt"
_QUOTED_LABELS = {"errors", "drift", "behaviour", None}
_CODE_LANGUAGES = {"cpp", "c++", "c", "python", "py", "cmake", "diff", "json"}
_ERROR_WORD = re.compile(
    r"error|exception|failed|failure|fatal|mismatch|not found|no such file|undefined|cannot"
    r"|traceback|max_abs_diff|passed=false|unaligned|overflow|timed? ?out"
    r"|\bcase\[\d+\]: |\bResult: |\bStatus +: ",
    re.IGNORECASE | re.ASCII,
)
_VALUE = re.compile(r"\w=-?\d")
_DOTS = re.compile(r"[\s.…·]*")
_FOLDED = re.compile(r"其余\s*\d+\s*行|\d+ more lines", re.IGNORECASE | re.ASCII)
_ROUND_HEAD = re.compile(
    r"\s*(?:第\s*\S{1,4}\s*[轮次]|Round\s*\d+|迭代\s*\d+)(?:\s*[（(][^）)]*[）)])?\s*[:：]\s*",
    re.IGNORECASE | re.ASCII,
)
_PLACE = re.compile(r"阶段\s*([一二四])(?:\s*第\s*(\d{1,4})\s*轮)?")
_STAGE_WORDS = {"一": "tilelang", "二": "ascendc", "四": "full_validation"}
_SHORTEST_SPAN = 12
_SHORTEST_PLAIN = 12
_CLOSE = 80.0
"""Similarity from which an altered text is surely the one that was meant, cut source or not."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """One quoted text with what it is attributed to."""

    passage: Passage
    text: str
    start: int
    """0-based offset in the passage's text."""
    stage: str | None
    rounds: tuple[int, ...]
    kind: Literal["inline", "block_line"]
    may_be_code: bool = False
    """Whether it stands where changed code is shown too."""

    @property
    def location(self) -> Location:
        """Its place in the trace."""
        return self.passage.at(self.start, self.start + len(self.text))


@dataclass(frozen=True, slots=True)
class Judged:
    """A quotation and what became of it."""

    quotation: Quotation
    verdict: Verdict
    accepted: bool
    as_code: bool = False
    """True when it is no output but code that the session wrote or showed."""
    undecided: bool = False
    """True when the part of the source that could hold it is lost."""


def judged_quotations(context: CheckContext) -> tuple[Judged, ...]:
    """All quotations of a trace, judged once; empty when there is no evidence."""
    return context.once("quotations", _judge_all)


def collect_quotations(context: CheckContext) -> Iterator[Quotation]:
    """Find the quotations of a trace, in the order of the document."""
    excerpt = _excerpt_place(context)
    for passage in passages(context):
        in_excerpt = passage.section.key == _EXCERPT
        stage, rounds = excerpt if in_excerpt else (passage.stage, passage.rounds)
        if passage.kind == "code":
            yield from _block_line(passage, stage, rounds)
        elif passage.kind == "prose":
            yield from _spans(passage, stage, rounds)
            yield from _plain(passage, stage, rounds)


def _block_line(
    passage: Passage, stage: str | None, rounds: tuple[int, ...]
) -> Iterator[Quotation]:
    quoting = passage.section.key == _EXCERPT or (
        passage.stage is not None and passage.label in _QUOTED_LABELS
    )
    code = passage.info.split(" ", 1)[0].lower() in _CODE_LANGUAGES
    text = passage.span.text
    if not quoting or code or _DOTS.fullmatch(text) or _FOLDED.search(text):
        return
    stripped = text.strip()
    yield Quotation(passage, stripped, text.index(stripped), stage, rounds, "block_line")


def _spans(passage: Passage, stage: str | None, rounds: tuple[int, ...]) -> Iterator[Quotation]:
    """Code spans that are tool output."""
    if passage.stage is None and passage.section.key != _EXCERPT:
        return
    strict = passage.label == "errors" or passage.section.key == _EXCERPT
    for code in passage.line.codes:
        if not (_is_output(code.text) or (strict and _is_quoted(code.text))):
            continue
        named = () if strict else _mentioned(passage)
        wanted = tuple(dict.fromkeys((*rounds, *named)))
        yield Quotation(passage, code.text, code.start, stage, wanted, "inline", not strict)


def _mentioned(passage: Passage) -> tuple[int, ...]:
    found = mentions(passage.line.masked, passage.zero_based)
    return tuple(number for mention in found for number in mention.rounds)


def _is_output(text: str) -> bool:
    """Several words, or a name with its value, and an error word among them."""
    worded = " " in text.strip() or _VALUE.search(text) is not None
    return worded and _ERROR_WORD.search(text) is not None


def _is_quoted(text: str) -> bool:
    """Long enough for a quotation, and no mere file name."""
    if looks_like_path(text):
        return False
    return len(text) >= _SHORTEST_SPAN or _ERROR_WORD.search(text) is not None


def _plain(passage: Passage, stage: str | None, rounds: tuple[int, ...]) -> Iterator[Quotation]:
    """An error text written after 关键错误信息 without any mark of quotation."""
    if passage.label != "errors" or passage.stage is None:
        return
    line = passage.line
    if line.codes or line.said or _FOLDED.search(line.masked):
        return
    text = passage.value
    head = _ROUND_HEAD.match(text)
    text = (text[head.end() :] if head else text).strip().strip("\"“”'")
    ascii_share = sum(char.isascii() for char in text) / max(1, len(text))
    if len(text) < _SHORTEST_PLAIN or ascii_share < 0.9 or not _is_output(text):
        return
    start = passage.span.text.rfind(text)
    if start >= 0:
        yield Quotation(passage, text, start, stage, rounds, "inline")


def _excerpt_place(context: CheckContext) -> tuple[str | None, tuple[int, ...]]:
    """Stage and round of the excerpt: as its own text says, else the last evaluation."""
    section = context.doc.section(_EXCERPT)
    if section is None:
        return None, ()
    lines = [p for p in passages(context) if p.section is section and p.kind == "prose"]
    for text in (section.heading.text, *(p.line.masked for p in lines)):
        match = _PLACE.search(text)
        if match:
            return _STAGE_WORDS[match[1]], ((int(match[2]),) if match[2] else ())
    return last_evaluation_place(context.facts) or (None, ())


def last_evaluation_place(facts: Facts | None) -> tuple[str, tuple[int, ...]] | None:
    """Stage and 1-based round of the last evaluation with a verdict; None when unknown."""
    if facts is None or facts.last_evaluation is None:
        return None
    for name, stage in facts.stages.items():
        for item in stage.rounds:
            if any(run.evidence == facts.last_evaluation for run in item.runs):
                return name, (item.round_no,)
    return None


def _judge_all(context: CheckContext) -> tuple[Judged, ...]:
    quotations = tuple(collect_quotations(context))
    if not context.evidence:
        for quotation in quotations:
            context.ledger.unverifiable("quotations", NEEDS, quotation.location)
        return ()
    corpus = Corpus(_attributed(context))
    asked: list[Quote] = []
    owners: list[int] = []
    for index, quotation in enumerate(quotations):
        for quote in _quotes(quotation):
            asked.append(quote)
            owners.append(index)
    best: dict[int, Verdict] = {}
    for index, verdict in zip(owners, check_quotations(corpus, asked), strict=True):
        if index not in best or _better(verdict, best[index]):
            best[index] = verdict
    return tuple(
        _settle(context, quotation, best[index]) for index, quotation in enumerate(quotations)
    )


def _attributed(context: CheckContext) -> tuple[Evidence, ...]:
    """The evidence, with the output of each run under the rounds that the facts give it.

    One command may copy the full cases back and evaluate them, or close two rounds: its output
    then belongs to more than the place where the command began.
    """
    owners: dict[str, dict[tuple[str, int], None]] = {}
    if context.facts is not None:
        for name, stage in context.facts.stages.items():
            for item in stage.rounds:
                for run in item.runs:
                    if run.evidence.evidence_id is not None:
                        places = owners.setdefault(run.evidence.evidence_id, {})
                        places[name, item.round_no] = None
    items: list[Evidence] = []
    for item_of in context.evidence:
        places = owners.get(item_of.id, {})
        own = (item_of.stage, item_of.round_no)
        items.append(item_of)
        items.extend(
            replace(item_of, stage=stage, round_no=round_no)
            for stage, round_no in places
            if (stage, round_no) != own
        )
    return tuple(items)


def _quotes(quotation: Quotation) -> Iterator[Quote]:
    """One question per round the quotation may belong to, and per reading of shown escapes."""
    texts = [quotation.text]
    raw = unshown(quotation.text)
    if raw != quotation.text:
        texts.append(raw)
    for text in texts:
        for round_no in quotation.rounds or (None,):
            yield Quote(text, quotation.stage, round_no, quotation.kind)


_ORDER = {
    Status.VERBATIM: 0,
    Status.FOLDED: 1,
    Status.REDACTED: 2,
    Status.ELIDED: 3,
    Status.WRONG_PLACE: 4,
    Status.ALTERED: 5,
    Status.STITCHED: 6,
    Status.ABSENT: 7,
}


def _better(one: Verdict, other: Verdict) -> bool:
    return (_ORDER[one.status], -one.similarity) < (_ORDER[other.status], -other.similarity)


def _settle(context: CheckContext, quotation: Quotation, verdict: Verdict) -> Judged:
    claim = (quotation.location.line, quotation.location.column)
    if verdict.accepted or _unattributed(context, quotation, verdict):
        context.ledger.checked(QUOTATIONS, claim)
        return Judged(quotation, verdict, True)
    if quotation.may_be_code and code_index(context).holds(quotation.text):
        context.ledger.checked(NAMES, claim)
        return Judged(quotation, verdict, True, as_code=True)
    if _cut(verdict):
        context.ledger.unverifiable(
            "quotations", "the part of an output that the client cut off", quotation.location
        )
        return Judged(quotation, verdict, False, undecided=True)
    return Judged(quotation, verdict, False)


def _unattributed(context: CheckContext, quotation: Quotation, verdict: Verdict) -> bool:
    """Whether a text found elsewhere stands where no stage owns it.

    A log file names no round. The reason for skipping a stage that was never evaluated was printed
    before that stage began.
    """
    if verdict.status is not Status.WRONG_PLACE or verdict.place is None:
        return False
    if verdict.witness is None or not verdict.witness.proves_quotation:
        return False
    place = verdict.place
    if place.stage is None and verdict.witness.value in {"eval_log", "performance_file"}:
        return True
    if context.facts is None or quotation.stage not in context.facts.stages:
        return False
    stage = context.facts.stages[quotation.stage]
    if stage.rounds:
        return False
    reason = stage.skip_evidence
    named = reason is not None and reason.evidence_id == place.evidence_id
    return named or place.stage in {None, "cases"}


def _cut(verdict: Verdict) -> bool:
    """Whether the text may stand in the lost part of a cut source."""
    if not any(reason.startswith("source_cut") for reason in verdict.reasons):
        return False
    return not (verdict.status is Status.ALTERED and verdict.similarity >= _CLOSE)
