"""Rules on what a trace must not do: advise, call a skipped design a failure, stay vague."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.model.trace import TextSpan
from validators.passages import Passage, labelled, passages, span_location
from validators.prose import FILLER
from validators.rule import CheckContext, Flag
from validators.verdicts import read_verdict, with_verdict

_ADVICE = re.compile(
    r"建议|应该(?:改|优化|考虑|尝试|增加|避免|先|用|把|将)|应当(?:改|优化|考虑|尝试|增加|避免)"
    r"|可以考虑|可考虑|不妨|推荐(?:使用|采用|改)|后续(?:可以|可|应|需|建议)|下一步(?:可|应|需|建议|计划)"
    r"|有待(?:改进|优化)|需要(?:改进|进一步优化)|改进方向|优化方向"
    r"|\b(?:(?:we|you|one|agents?) should|recommend(?:ed|s)?|consider(?:ing)? \w+ing|suggestions?"
    r"|it is suggested|next steps?)\b",
    re.IGNORECASE | re.ASCII,
)
_OUTSIDE = {"other"}
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|‘[^’\n]{1,400}’|「[^」\n]{1,400}」|『[^』\n]{1,400}』"
)
"""What stands in quotation marks: somebody else's words, such as an error text."""
_NAME = re.compile(r"[A-Za-z_][\w.:<>/-]{2,}", re.ASCII)
_PLAIN_WORDS = {
    "agent", "bug", "bugs", "error", "errors", "fix", "fixed", "code", "issue", "issues", "case",
    "cases", "kernel", "ascendc", "tilelang", "round", "pass", "passed", "fail", "failed", "test",
    "tests", "the", "and", "for", "was", "were", "with", "all", "some", "problem", "problems",
    "logic", "implementation", "improved", "updated", "changed", "none", "n/a", "npu", "phase",
}  # fmt: skip
_TOOLS = re.compile(r"退化检测|精度验证脚本|编译脚本|评测脚本")
_NONE = re.compile(r"\s*(?:无|没有|none|n/a|-|—)\s*[。.]?\s*", re.IGNORECASE | re.ASCII)
_LEAD = re.compile(
    r"^[\s>*+-]*(?:\*\*)?(?:第[^轮次]{1,12}[轮次]|Round\s*\d+|迭代\s*\d+)"
    r"(?:\s*[（(][^）)]*[）)])?(?:\*\*)?\s*[:：]?",
    re.IGNORECASE | re.ASCII,
)
_FIRST_TRY = re.compile(r"一次(?:性)?(?:编译)?通过|首次(?:即|就)?通过|直接通过")


def check_advice(context: CheckContext) -> Iterator[Flag]:
    """Advice or a proposal for improvement in the text.

    A trace records what happened. Proposals belong to whoever reads many traces, and one that
    stands among facts is taken for one.

    Bad:
        - 走偏点: 建议先检查对齐，再使用 `DataCopy`
    Good:
        - 走偏点: 第 2 轮使用 `DataCopy` 后未通过，第 4 轮换成 `DataCopyPad` 后通过
    """
    for passage in passages(context):
        if passage.kind != "prose" or passage.section.key in _OUTSIDE:
            continue
        masked = _QUOTED.sub(lambda quoted: FILLER * len(quoted[0]), passage.line.masked)
        match = _ADVICE.search(masked)
        if match:
            yield Flag(
                f"advice in a record of facts: {match[0]!r}",
                passage.at(match.start(), match.end()),
                actual=match[0],
            )


def check_skipped_as_failed(context: CheckContext) -> Iterator[Flag]:
    """TileLang was skipped or never verified, and the trace calls that a failure.

    TileLang is a design medium; leaving its verification out is 跳过 with the reason. Counted as a
    failure it lowers the score of an operator that has none.

    Bad:
        - 最终结果: FAIL (tilelang) | PASS (ascendc)   (TileLang was never evaluated)
    Good:
        - 最终结果: SKIP (tilelang) | PASS (ascendc)
    """
    if not _never_failed(context):
        return
    section = context.doc.section("tilelang")
    spans: list[TextSpan] = [entry.value for entry in labelled(section, "result")]
    if section is not None and section.status is not None:
        spans.append(section.status)
    for span in spans:
        if read_verdict(span.text) == "FAIL":
            yield _skipped(span)
    for part in context.doc.sections:
        for entry in labelled(part, "final_result"):
            tilelang = entry.value.text.split("|", 1)[0]
            if "tilelang" in tilelang.lower() and read_verdict(tilelang) == "FAIL":
                yield _skipped(entry.value)


def _skipped(span: TextSpan) -> Flag:
    return Flag(
        "TileLang was never evaluated; that is no failure",
        span_location(span),
        expected="跳过 / SKIP",
        actual=span.text.strip(),
        replacement=with_verdict(span.text, "SKIP"),
    )


def _never_failed(context: CheckContext) -> bool:
    """Whether TileLang was not evaluated: by the facts, else by the trace's own run count."""
    if context.facts is not None:
        return context.facts.stages["tilelang"].result in {"SKIP", "NOT_RUN", "NOT_VERIFIED"}
    counts = list(labelled(context.doc.section("tilelang"), "run_count"))
    return bool(counts) and re.match(r"\D*0(?!\d)", counts[0].value.text) is not None


def check_vague_note(context: CheckContext) -> Iterator[Flag]:
    """A note of a round that names no file, no identifier, no command and no figure.

    "修复了 bug" tells nobody what was done. A note says which file or which logic changed.

    Bad:
        - 第 2 轮: 修复了 bug
    Good:
        - 第 2 轮: `kernel/elu_kernel.cpp` 的 `CopyIn` 改用 `DataCopyPad`
    """
    for passage in passages(context):
        if passage.kind != "prose" or passage.label != "behaviour" or passage.has_children:
            continue
        if not passage.item_start:
            continue
        text = _said_in(passage)
        if text and not _NONE.fullmatch(text) and not _concrete(text):
            yield Flag(
                "the note names no file, identifier, command or figure",
                passage.at(0),
                actual=text.replace(FILLER, "").strip(),
            )


def _said_in(passage: Passage) -> str:
    """The note without its label and its round."""
    masked = passage.line.masked.rstrip()
    stated = passage.value.rstrip()
    value = masked[len(masked) - len(stated) :] if stated else ""
    if not passage.span.text.rstrip().endswith(stated):
        value = masked
    return _LEAD.sub("", value).strip()


def _concrete(text: str) -> bool:
    if FILLER in text or _TOOLS.search(text) or _FIRST_TRY.search(text):
        return True
    if any(char.isdigit() for char in text):
        return True
    return any(match[0].lower() not in _PLAIN_WORDS for match in _NAME.finditer(text))
