"""Draws labelled quotations from evidence; shares no code with the matcher.

The labels say what a careful reader would answer. A changed text that happens to stand in the
evidence as well is left out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from summarizer.model.evidence import Evidence, Witness
from tests.quotes.kinds import ALTERED, CUT, ELIDED, GENUINE, UNIQUE, halfwidth
from tests.quotes.logs import Source, fill, sources

__all__ = ["ALTERED", "GENUINE", "Case", "Generator"]


@dataclass(frozen=True)
class Case:
    """One labelled quotation."""

    kind: str
    text: str
    stage: str | None
    round_no: int | None
    expected: frozenset[str]
    """Acceptable statuses, the first named in the tables being the usual one."""
    genuine: bool
    evidence_id: str | None
    """Where it was taken from; None when any place will do."""
    char_start: int | None
    char_end: int | None


INVENTED = (
    "Segmentation fault (core dumped) while loading libascendcl.so at 0x{b}",
    "Traceback: KeyError 'tiling_key_{a}' raised by scheduler thread {c}",
    "aicore exception: vector core timeout, hardware reset issued by driver {b}",
    "段错误，驱动程序重启后恢复，错误码为{b}，联系管理员处理",
    "ImportError: libhccl_alg.so: cannot open shared object file, pid {b}",
)


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text).split("\r")[-1]


def _all(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _with(case: Case, **changes: object) -> Case:
    return replace(case, **changes)  # type: ignore[arg-type]


class Generator:
    """Draws labelled quotations from evidence."""

    def __init__(self, evidence: list[Evidence], seed: int) -> None:
        self.rng = random.Random(seed)
        self.evidence = evidence
        self.lines = sources(evidence)
        self.witnesses = [s for s in self.lines if s.item.witness is Witness.TOOL_OUTPUT]
        self._flat = "\x00".join(" ".join(_all(i.text).split()) for i in evidence)
        self._screen = "\x00".join(
            " ".join("\n".join(map(_plain, re.split("\r*\n", i.text))).split()) for i in evidence
        )

    def _stands(self, text: str) -> bool:
        flat = " ".join(_all(text).split())
        half = halfwidth(flat, self.rng) or flat
        return any(t in where for t in (flat, half) for where in (self._flat, self._screen))

    @staticmethod
    def _core(text: str) -> str:
        """The longest part of a text with gaps."""
        return max(re.split(r"\s*(?:…|\.\.\.)\s*|\[redacted:secret-1\]", text), key=len)

    def _stands_whole(self, text: str) -> bool:
        """Whether a text stands there without a token cut at its end."""
        whole = re.escape(" ".join(text.split())) + r"(?![\w%]|\.\d)"
        return any(re.search(whole, where) for where in (self._flat, self._screen))

    def _line(self) -> tuple[Source, str]:
        source = self.rng.choice(self.witnesses)
        return source, _plain(source.line)

    def _case(self, kind: str, text: str, source: Source | None, *expected: str) -> Case:
        item = source.item if source else None
        accepted = {"verbatim", "folded", "elided", "redacted"}
        return Case(
            kind, text, item.stage if item else "ascendc", item.round_no if item else 1,
            frozenset(expected), set(expected) <= accepted,
            item.id if item and kind != "cjk_short" else None,
            source.start if source else None, source.end if source else None,
        )  # fmt: skip

    def genuine(self, kind: str) -> Case | None:
        source, line = self._line()
        text = GENUINE[kind](line, self.rng)
        if text is None:
            return None
        unique = kind != "cjk_short" and self._flat.count(self._core(text)) == 1
        if kind in UNIQUE and not unique:
            return None
        if kind in ELIDED:
            return self._case(kind, text, source, "elided")
        expected = ("redacted",) if kind == "redacted" else ("verbatim", "folded")
        return self._case(kind, text, source, *expected)

    def altered(self, kind: str) -> Case | None:
        source, line = self._line()
        text = ALTERED[kind](line, self.rng)
        if text is None or text == line or len(text) < 12:
            return None
        if self._stands_whole(text) if kind in CUT else self._stands(text):
            return None
        return self._case(kind, text, source, "altered")

    def block(self) -> Case | None:
        """Several lines, joined by a blank or as they are."""
        index = self.rng.randrange(len(self.witnesses) - 12)
        run = self.witnesses[index : index + self.rng.randint(2, 10)]
        if any("\r" in s.line or "\x1b" in s.line or s.item is not run[0].item for s in run):
            return None
        joined = self.rng.choice(["\n", " ", "\n  "]).join(s.line for s in run)
        if len({s.end for s in run}) != len(run) or run[-1].end - run[0].start > len(joined) + 60:
            return None
        return self._case("block", joined, run[0], "verbatim", "folded")

    def long_block(self) -> Case | None:
        """More than four thousand characters."""
        item = self.rng.choice(self.witnesses).item
        text = item.text[: self.rng.randint(4100, 4800)]
        text = text[: text.rfind("\n")]
        if len(text) < 4000 or "\r" in text.replace("\r\n", "") or "\x1b" in text:
            return None
        first = Source(item, 0, text)
        return self._case("long_block", text.replace("\r\n", "\n"), first, "verbatim", "folded")

    def long_altered(self) -> Case | None:
        """A long block with one digit changed in the middle."""
        case = self.long_block()
        if case is None:
            return None
        text = ALTERED["digit"](case.text[2000:2300], self.rng)
        if text is None:
            return None
        changed = case.text[:2000] + text + case.text[2300:]
        first = Source(next(i for i in self.evidence if i.id == case.evidence_id), 0, case.text)
        return (
            None if self._stands(changed) else self._case("long_altered", changed, first, "altered")
        )

    def wrong_round(self) -> Case | None:
        source, line = self._line()
        if self._flat.count(" ".join(line.split())) != 1 or source.item.round_no is None:
            return None
        case = self._case("wrong_round", line, source, "wrong_place")
        other = 1 if source.item.round_no != 1 else 2
        return _with(case, round_no=other)

    def wrong_stage(self) -> Case | None:
        source, line = self._line()
        if self._flat.count(" ".join(line.split())) != 1:
            return None
        case = self._case("wrong_stage", line, source, "wrong_place")
        return _with(case, stage="performance", round_no=None)

    def agent_words(self) -> Case | None:
        source = self.rng.choice([s for s in self.lines if s.item.witness is Witness.AGENT])
        return self._case("agent_words", source.line, source, "wrong_place")

    def two_messages(self) -> Case | None:
        one, first = self._line()
        two, second = self._line()
        if (
            one.item is two.item
            or min(len(first), len(second)) < 30
            or max(len(first), len(second)) > 160
        ):
            return None
        text = self.rng.choice([" ", "\n", ". "]).join((first, second))
        if self._stands(text):
            return None
        return self._case("two_messages", text, one, "stitched")

    def reversed_fragments(self) -> Case | None:
        source, line = self._line()
        words = line.split(" ")
        if len(words) < 8 or len(line) < 50:
            return None
        middle = len(words) // 2
        if self._flat.count(" ".join(words[:middle])) != 1:
            return None
        text = " ".join(words[middle:]) + " … " + " ".join(words[:middle])
        return self._case("reversed_fragments", text, source, "stitched")

    def far_fragments(self) -> Case | None:
        one, first = self._line()
        two, second = self._line()
        if (
            one.item is two.item
            or min(len(first), len(second)) < 30
            or "…" in first + second
            or "..." in first + second
        ):
            return None
        return self._case("far_fragments", f"{first} … {second}", one, "stitched")

    def invented(self) -> Case | None:
        text = fill(self.rng.choice(INVENTED), self.rng)
        return self._case("invented", text, None, "absent")

    def cases(self, per_kind: int, tries: int = 400) -> list[Case]:
        """Up to `per_kind` quotations of every kind."""
        makers: list[Callable[[], Case | None]] = []
        makers += [lambda k=k: self.genuine(k) for k in GENUINE]  # type: ignore[misc]
        makers += [lambda k=k: self.altered(k) for k in ALTERED]  # type: ignore[misc]
        makers += [
            self.block, self.long_block, self.long_altered, self.wrong_round, self.wrong_stage,
            self.agent_words, self.two_messages, self.reversed_fragments, self.far_fragments,
            self.invented,
        ]  # fmt: skip
        found: list[Case] = []
        for maker in makers:
            made = 0
            for _ in range(tries):
                case = maker()
                if case:
                    found.append(case)
                    made += 1
                if made == per_kind:
                    break
        return found
