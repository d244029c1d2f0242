"""Finds statements of the agent that a log contradicts.

Only figures with a clear role are judged, and only against what had been observed when the agent
spoke. A statement that nothing contradicts is left alone; it is never taken for a fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from summarizer.evidence import EvidenceIds
from summarizer.facts.builders import RoundBuilder, StageBuilder
from summarizer.facts.claims_base import Check, Hit, Observed, Sentence, score, stage_named
from summarizer.facts.claims_cases import (
    check_all_passed,
    check_case_counts,
    never_ran,
)
from summarizer.facts.claims_mood import is_asserted, stated_lines
from summarizer.model.events import AssistantMessage, ReadResult
from summarizer.model.facts import STAGES, ContradictedClaim, Performance, Pointer, StageName
from summarizer.model.reports import Outcome

_SENTENCE = re.compile(r"([^\n。；！？;!?]+)([。；！？;!?]?)")
_TRIM = " \t\r|*-#>`"

_RUN_COUNT = re.compile(r"evaluate_(tilelang|ascendc)(?:\.sh)?[^\d\n]{0,16}?\**(\d{1,4})\s*次")
_ROUND_COUNT = re.compile(
    r"(TileLang|AscendC)?[^\d\n]{0,6}共\s*\**(\d{1,4})\**\s*轮", re.IGNORECASE
)
_ROUND_PASSED = re.compile(
    r"第\s*(\d{1,4})\s*[轮次]\s*(?:即|就|验证|已|才)*通过(?!大部分|部分|了部分)"
)
_RATIO = re.compile(r"(?<![\w.\[(])\**(\d+(?:\.\d+)?)\s*(?:x|×|倍)(?![\w(\]])", re.IGNORECASE)
_RATIO_CONTEXT = re.compile(r"加速|性能|reference|pytorch|参考|快|慢|持平|speed", re.IGNORECASE)
_NAMES_CASES = re.compile(r"case|shape|用例|最大|最小|个别", re.IGNORECASE)
_THRESHOLD = re.compile(r"(?:满足|达到|达标|超过|高于)[^\d\n]{0,6}(0\.[68])\d*\s*x", re.IGNORECASE)
_FIRST_TRY = re.compile(
    r"一次(?:性)?(?:顺利|就)?(?:全部)?(?:完成|通过)|首次(?:运行)?即(?:全部)?通过"
)
_NO_DETOUR = re.compile(r"(?:没有|无|未)走偏|走偏点\s*[:：]\s*无")
_FIXED = re.compile(r"已修复|修复完成|问题已解决|fixed", re.IGNORECASE)


def find_contradicted_claims(
    session: ReadResult,
    stages: Mapping[StageName, StageBuilder],
    performance: Performance,
    measured_at: int | None,
    ids: EvidenceIds,
    operator: str | None = None,
) -> tuple[ContradictedClaim, ...]:
    """Return the contradicted statements in order of appearance, each said once.

    Args:
        session: the events; only assistant messages are looked at.
        stages: the runs to judge by.
        performance: the measurement of record.
        measured_at: index of the event that produced it, None when nothing was measured.
        ids: evidence ids.
        operator: name of the task's operator; statements about another one are not judged.
    """
    observed = _observed(stages)
    found: list[ContradictedClaim] = []
    seen: set[tuple[str, str]] = set()
    for index, event in enumerate(session.events):
        if not isinstance(event, AssistantMessage):
            continue
        known = tuple(item for item in observed if item.run.order < index)
        measured = performance if measured_at is not None and measured_at < index else None
        refused = _refused_before(stages, session, index)
        if not known and measured is None and not refused:
            continue
        latest = _right_before(session, known, index)
        for sentence in _sentences(event, known, stages, measured, latest, operator):
            for hit in _contradictions(sentence):
                if (hit.kind, hit.says) not in seen:
                    seen.add((hit.kind, hit.says))
                    found.append(_claim(sentence, hit, performance, ids))
    return tuple(found)


def _refused_before(
    stages: Mapping[StageName, StageBuilder], session: ReadResult, index: int
) -> bool:
    """Whether an evaluation had been asked for and had not started before this event."""
    if any(stage.rounds for stage in stages.values()):
        return False
    attempts = [a for stage in stages.values() for a in stage.work.attempts]
    position = session.events[index].ref
    return any(
        attempt.evidence.path != position.path or attempt.evidence.record < position.record
        for attempt in attempts
    )


def _observed(stages: Mapping[StageName, StageBuilder]) -> list[Observed]:
    items = [
        Observed(name, item.round_no, run)
        for name in STAGES
        for item in stages[name].rounds
        for run in item.runs
    ]
    return sorted(items, key=lambda item: (item.run.order, item.run.run_index))


def _right_before(session: ReadResult, known: tuple[Observed, ...], index: int) -> Observed | None:
    """The last run, when only messages of the agent stand between it and this event."""
    if not known:
        return None
    between = session.events[known[-1].run.order + 1 : index]
    silent = all(isinstance(event, AssistantMessage) for event in between)
    return known[-1] if silent else None


def _sentences(
    message: AssistantMessage,
    known: tuple[Observed, ...],
    stages: Mapping[StageName, StageBuilder],
    measured: Performance | None,
    latest: Observed | None,
    operator: str | None,
) -> Iterator[Sentence]:
    orders = {id(item.run) for item in known}
    rounds: dict[StageName, tuple[RoundBuilder, ...]] = {
        name: tuple(r for r in stages[name].rounds if id(r.runs[0]) in orders) for name in STAGES
    }
    matches = (m for line in stated_lines(message.text) for m in _SENTENCE.finditer(line))
    for match in matches:
        text = match[1].strip(_TRIM)
        if text:
            yield Sentence(text, message, known, rounds, measured, match[2], latest, operator)


def _contradictions(sentence: Sentence) -> Iterator[Hit]:
    judged = sentence.observed or sentence.measured is not None
    for check in _CHECKS if judged else (never_ran,):
        for hit in check(sentence):
            if is_asserted(sentence, hit.says):
                yield hit


def _claim(
    sentence: Sentence, hit: Hit, performance: Performance, ids: EvidenceIds
) -> ContradictedClaim:
    ref = sentence.message.ref
    against = hit.against.evidence if hit.against is not None else performance.evidence
    return ContradictedClaim(
        text=sentence.text,
        kind=hit.kind,
        stage=hit.stage,
        says=hit.says,
        shows=hit.shows,
        agent_id=sentence.message.agent_id,
        evidence=Pointer(
            path=ref.path,
            record=ref.record,
            byte_start=ref.byte_start,
            byte_end=ref.byte_end,
            evidence_id=ids.of(ref),
        ),
        contradicted_by=against,
    )


def _check_run_count(sentence: Sentence) -> Iterator[Hit]:
    for match in _RUN_COUNT.finditer(sentence.text):
        stage: StageName = "tilelang" if match[1] == "tilelang" else "ascendc"
        own = [item for item in sentence.observed if item.stage == stage]
        full = [item for item in sentence.observed if item.stage == "full_validation"]
        total = len(own) + (len(full) if stage == "ascendc" else 0)
        if total and int(match[2]) not in {len(own), total}:
            shows = f"{total} 次（其中全量验证 {total - len(own)} 次）" if full else f"{total} 次"
            last = [item for item in sentence.observed if item.stage in {stage, "full_validation"}]
            yield Hit("run_count", f"{match[2]} 次", shows, stage, last[-1].run)


def _check_round_count(sentence: Sentence) -> Iterator[Hit]:
    for match in _ROUND_COUNT.finditer(sentence.text):
        stage = stage_named(match[1] or sentence.text)
        rounds = sentence.rounds[stage] if stage is not None else ()
        runs = sum(len(item.runs) for item in rounds)
        if stage and rounds and int(match[2]) not in {len(rounds), runs}:
            yield Hit("round_count", match[0], f"{len(rounds)} 轮", stage, rounds[-1].runs[-1])


def _check_round_passed(sentence: Sentence) -> Iterator[Hit]:
    """`第 3 轮通过`: that round did not pass."""
    for match in _ROUND_PASSED.finditer(sentence.text):
        stage = stage_named(sentence.text) or "ascendc"
        rounds = sentence.rounds[stage]
        number = int(match[1])
        if not rounds or _passed(rounds, number):
            continue
        judged = rounds[min(number, len(rounds)) - 1].build()
        shows = f"第 {judged.round_no} 轮 {judged.outcome.value}"
        if judged.cases_total is not None:
            shows += f"（{judged.cases_passed}/{judged.cases_total}）"
        passing = next((r for r in rounds if r.build().outcome is Outcome.PASS), None)
        if passing is not None:
            shows += f"，第 {passing.round_no} 轮 PASS"
        against = rounds[min(number, len(rounds)) - 1].runs[-1]
        yield Hit("round_passed", match[0], shows, stage, against)


def _passed(rounds: Sequence[RoundBuilder], number: int) -> bool:
    """Whether that round, or the run with that number, passed."""
    if number <= len(rounds) and rounds[number - 1].build().outcome is Outcome.PASS:
        return True
    runs = [run for item in rounds for run in item.runs]
    return number <= len(runs) and runs[number - 1].report.outcome is Outcome.PASS


def _check_ratio(sentence: Sentence) -> Iterator[Hit]:
    measured = sentence.measured
    if measured is None or not measured.executed or not _RATIO_CONTEXT.search(sentence.text):
        return
    known = _known_ratios(measured, sentence.text)
    threshold = _THRESHOLD.search(sentence.text)
    for match in _RATIO.finditer(sentence.text):
        if threshold and threshold.start() <= match.start() < threshold.end():
            continue
        value, digits = float(match[1]), len(match[1].partition(".")[2])
        if known and not any(abs(ratio - value) <= 0.5000001 * 10**-digits for ratio in known):
            yield Hit("ratio", match[0].strip("* "), ratio_summary(measured), None, None)
    ratio = measured.ratio_of_means
    if threshold and ratio is not None and ratio <= float(threshold[1]):
        yield Hit("ratio", threshold[0], ratio_summary(measured), None, None)


def _known_ratios(measured: Performance, text: str) -> list[float]:
    """Ratios a sentence may mean: the two overall ones, those of single cases if it names cases.

    A mean of ratios that no report printed is no excuse: the agent did not see it.
    """
    values = [measured.ratio_of_means, measured.overall_speedup_reported]
    if _NAMES_CASES.search(text):
        values.extend(case.ratio for case in measured.per_case)
    ratios = [value for value in values if value is not None and value > 0]
    return ratios + [1 / value for value in ratios]


def ratio_summary(measured: Performance) -> str:
    """Return the known aggregates, each under its own name."""
    parts = []
    if measured.ratio_of_means is not None:
        parts.append(f"均值之比 {measured.ratio_of_means:.2f}x")
    if measured.overall_speedup_reported is not None:
        parts.append(f"报告的 Overall {measured.overall_speedup_reported:.2f}x")
    return "，".join(parts)


def _check_first_try(sentence: Sentence) -> Iterator[Hit]:
    match = _FIRST_TRY.search(sentence.text)
    if match is None:
        return
    named = stage_named(sentence.text)
    everything = re.search(r"所有|全部阶段|各阶段|均", sentence.text) is not None
    for stage in STAGES if everything or named is None else (named,):
        rounds = sentence.rounds[stage]
        first = rounds[0].build() if rounds else None
        if first is not None and first.outcome.is_verdict and first.outcome is not Outcome.PASS:
            shows = f"第 1 轮 {first.outcome.value}"
            if first.cases_total is not None:
                shows += f"（{first.cases_passed}/{first.cases_total}）"
            yield Hit("first_try", match[0], shows, stage, rounds[0].runs[-1])
            return


def _check_no_detour(sentence: Sentence) -> Iterator[Hit]:
    match = _NO_DETOUR.search(sentence.text)
    if match is None:
        return
    failed = [
        item
        for item in sentence.observed
        if item.run.report.outcome in {Outcome.FAIL, Outcome.COMPILE_ERROR}
    ]
    if failed:
        last = failed[-1]
        shows = f"{len(failed)} 次评测未通过"
        yield Hit("no_detour", match[0], shows, last.stage, last.run)


def _check_fixed(sentence: Sentence) -> Iterator[Hit]:
    """`已修复` although the last evaluation this agent ran did not pass."""
    match = _FIXED.search(sentence.text)
    own = [
        item
        for item in sentence.observed
        if item.run.call.agent_id == sentence.message.agent_id
        and item.run.report.outcome.is_verdict
    ]
    if match is None or sentence.message.agent_id is None or not own:
        return
    last = own[-1]
    if last.run.report.outcome is not Outcome.PASS:
        yield Hit("fixed", match[0], score(last.run), last.stage, last.run)


_CHECKS: tuple[Check, ...] = (
    check_case_counts,
    check_all_passed,
    _check_run_count,
    _check_round_count,
    _check_round_passed,
    _check_ratio,
    _check_first_try,
    _check_no_detour,
    _check_fixed,
)
