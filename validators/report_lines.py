"""Rule on lines given as output of the verification script that no version of it prints.

Needs no evidence: the frame of the report is fixed. Must not know how quotations are matched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from validators.passages import Passage, passages
from validators.quoted import collect_quotations, judged_quotations
from validators.rule import CheckContext, Flag

_STATUS = re.compile(r"Status\s*:\s*((?:PASS|FAIL).*)\Z", re.IGNORECASE | re.ASCII)
_RESULT = re.compile(r"Result\s*:\s*((?:pass|fail).*)\Z", re.IGNORECASE | re.ASCII)
_TITLE = re.compile(r"(?:AscendC|TileLang) Verification Report(.*)\Z")
_CASE = re.compile(r"case\[(\d{1,6})\]: (.*)\Z", re.DOTALL)
_RANGE = re.compile(
    r"\[?case\s?\[?\s?\d{1,6}\]?\s*(?:[-~～–—,，]|至|到)\s*(?:case\s?)?\[?\d{1,6}\]?[^:：]{0,400}[:：]",
    re.IGNORECASE | re.ASCII,
)
_OUTPUT = re.compile(r"output\[(\d{1,6})\]")
_VERDICTS = {"PASS", "FAIL"}
_RESULTS = {"pass", "fail"}
_FIGURES = re.compile(r"(?:dtype\s*=|max_abs_diff\s*=|mean_abs_diff\s*=|MERE\s*=|MARE\s*=|matched)")
_PARTS = (
    "output[", "list length mismatch", "tuple length mismatch", "dict keys mismatch",
    "value mismatch", "type mismatch", "shape mismatch",
)  # fmt: skip
_ONE_DTYPE = re.compile(r"(?:output\[\d{1,6}\][^:]{0,40}: )?dtype=(?!\()", re.ASCII)


def check_line_never_printed(context: CheckContext) -> Iterator[Flag]:
    """A line stands as output of the verification script, and no version of it prints such a line.

    The script prints `PASS` or `FAIL` and nothing after it, one line per case with its output, no
    ranges, no counts. Whoever writes `Result: fail (3/73)` has not quoted but retold. What a log at
    hand really holds is not flagged, and with a transcript the rules on quotations decide.

    Bad:
        Result: fail (3/73)
    Good:
        Result: fail
    """
    if context.evidence and not context.blind:
        return
    proved = {
        (judged.quotation.passage.span, judged.quotation.start)
        for judged in judged_quotations(context)
        if judged.accepted
    }
    for quotation in collect_quotations(context):
        if (quotation.passage.span, quotation.start) in proved:
            continue
        seen = impossible(quotation.text.strip())
        if seen is not None:
            message, expected = seen
            yield Flag(message, quotation.location, expected=expected, actual=quotation.text)
    yield from _disagreeing(context)


def impossible(text: str) -> tuple[str, str] | None:
    """Say why the script cannot have printed a line and what it prints; None when it can."""
    status, result, title = _STATUS.match(text), _RESULT.match(text), _TITLE.match(text)
    if status is not None and status[1].strip() not in _VERDICTS:
        return "the script prints `PASS` or `FAIL` after `Status` and nothing else", "PASS or FAIL"
    if result is not None and result[1].strip() not in _RESULTS:
        return "the script prints `pass` or `fail` after `Result` and nothing else", "pass or fail"
    if title is not None and title[1].strip():
        return "the script's title has no addition", "Verification Report"
    if _RANGE.match(text):
        return "the script prints one line per case, never a range", "case[i]: output[i]: ..."
    return _impossible_case(text)


def _impossible_case(text: str) -> tuple[str, str] | None:
    case = _CASE.match(text)
    if case is None:
        return None
    if not case[2].startswith(_PARTS):
        if _FIGURES.match(case[2]) is None:
            return None  # an error text may stand here
        fields = "dtype(ref=..., cand=...), " if _ONE_DTYPE.match(case[2]) else ""
        expected = f"case[{case[1]}]: output[{case[1]}]: {fields}..."
        return "the script names the output: `case[i]: output[i]: ...`", expected
    output = _OUTPUT.match(case[2])
    if output is not None and output[1] != case[1]:
        return "case and output have the same number in every line", f"output[{case[1]}]"
    if _ONE_DTYPE.match(case[2]):
        return "the script prints both types", "dtype(ref=..., cand=...)"
    return None


def _disagreeing(context: CheckContext) -> Iterator[Flag]:
    """Status and Result of one report always agree; judged where a block holds one of each."""
    blocks: dict[tuple[int, str | None, tuple[int, ...]], list[Passage]] = {}
    previous: Passage | None = None
    start = 0
    for passage in passages(context):
        if passage.kind != "code" or passage.section.key != "eval_excerpt":
            continue
        if previous is None or passage.span.line != previous.span.line + 1:
            start = passage.span.line
        blocks.setdefault((start, passage.label, passage.rounds), []).append(passage)
        previous = passage
    for lines in blocks.values():
        status = [m for p in lines if (m := _STATUS.match(p.span.text.strip()))]
        result = [p for p in lines if _RESULT.match(p.span.text.strip())]
        if len(status) != 1 or len(result) != 1:
            continue
        first = status[0][1].split(" ", 1)[0].lower()
        last = result[0].span.text.split(":", 1)[1].strip().split(" ", 1)[0]
        if {first, last} == _RESULTS:
            yield Flag(
                "`Status` and `Result` of one report always agree",
                result[0].at(0),
                expected=first,
                actual=last,
            )
