"""Compares what the agent says of passing cases with the runs it had seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.facts.claims_base import Hit, Observed, Sentence, score, stage_named
from summarizer.facts.claims_mood import has_reserve, is_of_something_else
from summarizer.model.reports import Outcome

_FRACTION = re.compile(r"(?<![\d./])(\d{1,5})\s*/\s*(\d{1,5})(?![\d./x])")
_OF_CASES = re.compile(
    r"(\d{1,5})\s*个\s*(?:case|用例)[^\d，,]{0,6}(\d{1,5})\s*个(?:通过|成功)", re.I
)
_PASSING = re.compile(r"通过|matched|pass|成功", re.IGNORECASE)
_NAMES_CASES = re.compile(r"case|用例", re.IGNORECASE)
_NOT_PASSING = re.compile(r"未通过|没通过|不通过|没有通过|未能通过|失败|没过")
_CASES = r"(?:\d{1,5}\s*个\s*)?(?:测试)?(?:case|用例|测试)s?"
_ALL_PASSED = re.compile(
    r"(?:(?:AscendC|TileLang|evaluate_\w+(?:\.sh)?|kernel|算子|结果|现在|目前|本轮|这次|终于)\s*的?\s*)*"
    r"(?P<says>"
    rf"(?:所有|全部)的?\s*(?:{_CASES})?\s*(?:均|都|全部|已经|已)*\s*(?:验证|测试)?(?:通过|成功|passed)"
    rf"|{_CASES}\s*(?:均|都|全部|已经|已)+\s*通过"
    r"|(?:评测|评估|精度|正确性|精度验证|功能验证|验证|测试)\s*(?:均|都|全部|已经|已)*\s*通过"
    r"|all\s+(?:\d{1,5}\s+)?(?:test\s*)?(?:cases|tests)\s+(?:have\s+)?pass(?:ed)?"
    r"|(?:evaluation|verification)\s+passed"
    r")\s*了?",
    re.IGNORECASE,
)
_OWNS_UP = re.compile(
    r"失败|未通过|没通过|没过|不通过|不匹配|不一致|报错|超差|除了?|以外|之外|外[，,]|其余|其他|剩余|部分|仍|还有"
    r"|mismatch|error|fail|except|remaining|wrong",
    re.IGNORECASE,
)


def _fractions(text: str) -> Iterator[tuple[str, int, int]]:
    """(as written, passed, total) of clauses that say how many cases pass."""
    for match in _OF_CASES.finditer(text):
        yield match[0], int(match[2]), int(match[1])
    for match in _FRACTION.finditer(text):
        clause = re.split(r"[，,]", text[match.start() :], maxsplit=1)[0]
        before = re.split(r"[，,]", text[: match.start()])[-1]
        if _PASSING.search(before + clause) and not _NOT_PASSING.search(before + clause):
            yield match[0], int(match[1]), int(match[2])


def never_ran(sentence: Sentence) -> Iterator[Hit]:
    """A passing result although every evaluation asked for until then had not started."""
    for says, passed, total in _fractions(sentence.text):
        if passed <= total:
            yield Hit("case_count", says, "没有任何评测运行启动过", "ascendc", None)
            return


def check_case_counts(sentence: Sentence) -> Iterator[Hit]:
    """`9/9 通过`, `10 个 case 中 9 个通过`: no run up to then had that result."""
    verdicts = [item for item in sentence.observed if item.run.report.outcome.is_verdict]
    for says, passed, total in _fractions(sentence.text):
        if passed > total or not verdicts:
            continue
        reports = [item.run.report for item in verdicts]
        if any((r.cases_passed, r.cases_total) == (passed, total) for r in reports):
            continue
        against = _comparable(verdicts, total, sentence.text)
        if against is not None:
            yield Hit("case_count", says, score(against.run), against.stage, against.run)


def _comparable(verdicts: list[Observed], total: int, text: str) -> Observed | None:
    """The last run over as many cases; a total that no run had may be one of something else."""
    stage = stage_named(text)
    if stage == "tilelang":  # what AscendC showed says nothing of it
        verdicts = [item for item in verdicts if item.stage == stage]
    same = [item for item in verdicts if item.run.report.cases_total == total]
    if same:
        return same[-1]
    named = stage is not None or _NAMES_CASES.search(text) is not None
    counted = any(item.run.report.cases_total is not None for item in verdicts)
    return verdicts[-1] if verdicts and named and not counted else None


def check_all_passed(sentence: Sentence) -> Iterator[Hit]:
    """`全部通过`, `验证通过` right after a run that failed.

    The words carry no figure, so they count only where nothing else can be meant: nothing happened
    since the run, and the message owns up to no failure and speaks of no other check.
    """
    latest = sentence.right_after
    if latest is None or latest.run.report.outcome not in {Outcome.FAIL, Outcome.COMPILE_ERROR}:
        return
    whole = sentence.message.text
    if _OWNS_UP.search(whole) or has_reserve(sentence.text):
        return
    if is_of_something_else(whole, sentence.operator) or _names_another(whole, latest):
        return
    for clause in re.split(r"[，,：:]", sentence.text):
        match = _ALL_PASSED.fullmatch(clause.strip(" \t*_`|.✅🎉"))
        if match is not None:
            says = match["says"]
            yield Hit("case_count", says, score(latest.run), latest.stage, latest.run)
            return


def _names_another(text: str, latest: Observed) -> bool:
    """Whether a message names a stage that the last run is not of."""
    lowered = text.lower()
    named = {name for name in ("tilelang", "ascendc") if name in lowered}
    own = "tilelang" if latest.stage == "tilelang" else "ascendc"
    return bool(named - {own})
