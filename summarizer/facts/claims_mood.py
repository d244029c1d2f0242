"""Tells what a sentence asserts from goals, conditions, plans and talk of other things.

A contradiction must be certain, so a sentence that may mean anything else is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.facts.claims_base import Sentence

_UNSURE = re.compile(
    r"目标|期望|期待|预期|预计|希望|要求|应该|应当|应能|应可|理应|让|使得|以便|必须|(?<![无不])需要|(?<![无不])须|计划|打算|准备|争取"
    r"|如果|若|假如|假设|倘若|要是|只要|只有.{0,20}才|除非|一旦|直到|直至|等到|等待|(?:^|[，,：:])\s*等"
    r"|确保|保证|确认是否|是否|能否|会不会|可能|也许|大概|估计|推测|看起来|似乎|理论上|下一步|接下来"
    r"|将会|才能|才算|不是|并非|尚未|还没|无法|没有达到|未达到|未能"
    r"|\b(?:if|when|once|until|unless|should|would|must|goal|target|expect\w*|aim|plan|want|hope"
    r"|will|ensure|make sure|need(?:s|ed)? to|whether|may|might|probably|not yet)\b",
    re.IGNORECASE,
)
_CONDITION_AFTER = re.compile(
    r"的话|则|才|通过后|后再|之后再|即可|就可以|就能|吗|\bif\b|\bthen\b", re.IGNORECASE
)
_PLAN_HEADING = re.compile(
    r"目标|计划|下一步|接下来|待办|\b(?:todo|plan|goals?|next)\b", re.IGNORECASE
)
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)、])")
_ELSEWHERE = re.compile(
    r"上次|上一次|上回|之前|此前|先前|以前|以往|历史|曾经?|当时|前一个任务|上一个|上个"
    r"|其他算子|其它算子|别的算子|另一个|参考实现|示例"
    r"|\b(?:previous\w*|last time|earlier|before|other)\b",
    re.IGNORECASE,
)
_OTHER_SUBJECT = re.compile(
    r"单元测试|单测|冒烟|自测|自检|随机测试|仿真|模拟器|孪生|复现"
    r"|\b(?:unit[ -]?tests?|ut|pytest|gtest|ctest|unittest|simulat\w*|camodel|cannsim"
    r"|smoke|cpu|numpy)\b",
    re.IGNORECASE,
)
_OTHER_STEP = re.compile(
    r"编译|构建|语法|退化|格式|文件|脚本|检查项|步骤|手工|手动"
    r"|\b(?:builds?|compil\w*|lint|mypy|ruff|checks|steps|validate\w*)\b",
    re.IGNORECASE,
)
"""Named in another clause, such a step does not change what a figure is of."""
_OPERATOR = re.compile(r"(?<![\w/])\d{1,3}_[A-Za-z]\w+")


def stated_lines(text: str) -> Iterator[str]:
    """The lines of a message, without the list under a heading of plans or goals."""
    planned = False
    for line in text.split("\n"):
        if planned and _LIST_ITEM.match(line):
            continue
        yield line
        heading = line.rstrip(" *").endswith((":", "：")) or line.startswith("#")
        planned = heading and _PLAN_HEADING.search(line) is not None


def is_asserted(sentence: Sentence, says: str) -> bool:
    """Whether a sentence states its figure of this task's evaluation, without any reserve."""
    if sentence.ending in {"?", "？"}:
        return False
    text = sentence.text
    position = text.find(says)
    end = position + len(says) if position >= 0 else len(text)
    clause_end = re.search(r"[，,]", text[end:])
    rest = text[end : end + clause_end.start()] if clause_end else text[end:]
    following = text[end : end + len(rest) + 6]
    if _UNSURE.search(text[:end]) or _UNSURE.search(rest) or _CONDITION_AFTER.search(following):
        return False
    own_clause = re.split(r"[，,]", text[:end])[-1] + rest
    if _ELSEWHERE.search(text[:end]) or _OTHER_STEP.search(own_clause):
        return False
    return not _is_of_another(text, sentence.operator)


def is_of_something_else(text: str, operator: str | None) -> bool:
    """Whether a text speaks of another operator, or of any check that is no evaluation."""
    return _OTHER_STEP.search(text) is not None or _is_of_another(text, operator)


def _is_of_another(text: str, operator: str | None) -> bool:
    if _OTHER_SUBJECT.search(text):
        return True
    named = set(_OPERATOR.findall(text))
    return operator is not None and bool(named - {operator})


def has_reserve(text: str) -> bool:
    """Whether a text holds any word of a goal, a condition, a plan or an earlier time."""
    return any(p.search(text) for p in (_UNSURE, _CONDITION_AFTER, _ELSEWHERE))
