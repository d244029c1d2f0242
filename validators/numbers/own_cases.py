"""Compares counts of passed cases with the trace's own list of failing ones; needs no evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.model.facts import STAGES
from summarizer.model.finding import Location
from summarizer.model.trace import Section, TextSpan
from validators.passages import labelled
from validators.rule import OWN_LIST, CheckContext, Flag

_FRACTION = re.compile(r"(?<![A-Za-z0-9_./])(\d{1,5})\s*/\s*(\d{1,5})(?![A-Za-z0-9_/%]|\.\d)")
_FAILED = re.compile(r"(\d{1,5})\s*(?:个|条)?\s*(?:case|cases|用例)?\s*(?:失败|未通过|failed)")
_ITEM = re.compile(r"\s*[`*]{0,2}case\s*\[?(\d{1,6})\]?", re.IGNORECASE | re.ASCII)


def own_case_lists(context: CheckContext) -> Iterator[Flag]:
    """Flag `41/50` beside a list of other than nine failing cases, and heads that say otherwise."""
    for name in STAGES:
        section = context.doc.section(name)
        if section is None:
            continue
        failing = _listed(section)
        for entry in labelled(section, "result"):
            yield from _result(entry.value, failing)
    yield from _head(context)


def _listed(section: Section) -> frozenset[int]:
    """Numbers of the cases that hang below 失败 case; empty without such a list."""
    return frozenset(
        int(match[1])
        for entry in labelled(section, "failed_cases")
        for child in entry.children
        if (match := _ITEM.match(child.value.text))
    )


def _result(value: TextSpan, failing: frozenset[int]) -> Iterator[Flag]:
    fraction = _FRACTION.search(value.text)
    if fraction is None or int(fraction[1]) > int(fraction[2]):
        return
    left = int(fraction[2]) - int(fraction[1])
    if failing and len(failing) != left:
        expected = f"{int(fraction[2]) - len(failing)}/{fraction[2]}"
        yield _flag(
            value,
            fraction,
            f"{fraction[0]} leaves {left} failing cases, but {len(failing)} are listed",
            expected,
        )
    stated = _FAILED.search(value.text, fraction.end())
    if stated is not None and int(stated[1]) != left:
        message = f"{fraction[0]} leaves {left} failing cases, not {stated[1]}"
        yield _flag(value, stated, message, str(left))


def _head(context: CheckContext) -> Iterator[Flag]:
    """最终结果 repeats the count of the full validation."""
    section = context.doc.section("full_validation")
    results = [_FRACTION.search(entry.value.text) for entry in labelled(section, "result")]
    known = {(match[1], match[2]) for match in results if match is not None}
    for part in context.doc.sections if known else ():
        for entry in labelled(part, "final_result"):
            for match in _FRACTION.finditer(entry.value.text):
                same_total = {one for one in known if one[1] == match[2]}
                if same_total and (match[1], match[2]) not in same_total:
                    shown = "/".join(min(same_total))
                    message = f"the full validation's own section says {shown}"
                    yield _flag(entry.value, match, message, shown)


def _flag(value: TextSpan, match: re.Match[str], message: str, expected: str) -> Flag:
    start = value.column + match.start()
    return Flag(
        message,
        Location(value.line, start, value.line, value.column + match.end()),
        expected=expected,
        actual=match[0],
        notes=(OWN_LIST,),
    )
