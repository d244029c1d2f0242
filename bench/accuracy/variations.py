"""Genuine variations: true traces worded, spaced, quoted or ordered otherwise."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_EVEN, Decimal

from bench.accuracy.base import Base, Facts, Line, Variation

Vary = Callable[[Base, random.Random], Iterator[Variation]]

_PREFIX = re.compile(r"^[\s>]*")


def _per_line(
    base: Base, kind: str, change: Callable[[Line], str], *, fenced: bool = False
) -> Iterator[Variation]:
    """All lines changed at once, and each changed line alone."""
    new = [line.text if line.fenced is not fenced else change(line) for line in base.lines]
    old = [line.text for line in base.lines]
    places = [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    if places:
        yield Variation(kind, "\n".join(new), "everywhere")
    for i in places:
        yield Variation(kind, "\n".join([*old[:i], new[i], *old[i + 1 :]]), new[i])


def line_ends(base: Base, rng: random.Random) -> Iterator[Variation]:
    """CRLF, a missing last line end, a byte order mark, trailing blanks."""
    text = base.text
    yield Variation("line ends: CRLF", text.replace("\n", "\r\n"))
    yield Variation("line ends: none at the end", text.rstrip("\n"))
    yield Variation("line ends: more at the end", text + "\n\n\n")
    yield Variation("blanks: trailing", re.sub(r"(?m)(?<=\S)$", "  ", text))
    yield Variation("blanks: empty lines doubled", _outside(base, lambda t: t if t else "\n"))


def _outside(base: Base, change: Callable[[str], str]) -> str:
    return "\n".join(
        line.text if line.fenced or line.is_fence else change(line.text) for line in base.lines
    )


def markup(base: Base, rng: random.Random) -> Iterator[Variation]:
    """Bold labels, both colons, other list markers, quotation marks of Markdown."""
    bold = re.compile(r"^(- )([^*:：`]{2,30}?)([:：])")
    yield Variation("labels: bold", _outside(base, lambda t: bold.sub(r"\1**\2**\3", t)))
    yield Variation("labels: bold with colon", _outside(base, lambda t: bold.sub(r"\1**\2\3**", t)))
    wide = re.compile(r"^(\s*- [^:：`|]{2,30}?): ?")
    yield Variation("labels: full-width colon", _outside(base, lambda t: wide.sub(r"\1：", t)))
    narrow = re.compile(r"^(\s*- [^:：`|]{2,30}?)： ?")
    yield Variation("labels: half-width colon", _outside(base, lambda t: narrow.sub(r"\1: ", t)))
    stars = _outside(base, lambda t: re.sub(r"^(\s*)- ", r"\1* ", t))
    yield Variation("list markers: stars", stars)
    if base.style == "own":
        yield Variation("blockquote: fences without it", re.sub(r"(?m)^(\s*)> ", r"\1", base.text))
    else:
        yield Variation("fences: tildes", base.text.replace("```", "~~~"))
    rules = _outside(base, lambda t: f"---\n\n{t}" if t.startswith("## ") else t)
    yield Variation("rules between sections", rules)


def punctuation(base: Base, rng: random.Random) -> Iterator[Variation]:
    """Full-width and half-width punctuation in sentences."""

    def half(line: Line) -> str:
        if line.section in {"table", "sources"} or "「" in line.text or line.is_fence:
            return line.text
        parts = re.split(r"(`[^`]*`)", line.text)
        return "".join(p if p.startswith("`") else p.translate(_HALF) for p in parts)

    yield from _per_line(base, "punctuation: half-width", half)


_HALF = str.maketrans({"，": ", ", "（": " (", "）": ")", "；": "; "})


def counts(base: Base, rng: random.Random) -> Iterator[Variation]:
    """`n 次`, `n 个`, `n（...）` behind a count; another wording of a sentence."""
    pattern = re.compile(r"(执行次数[:：] ?\d+)(?: 次)?$")
    for tail in (" 次", "（不含全量验证）"):
        new = _outside(base, lambda t, tail=tail: pattern.sub(rf"\1{tail}", t))
        yield Variation("counts: with a tail", new, tail)
    cases = re.compile(r"(case 数[:：] ?\d+)$")
    for tail in (" 个", "（见备份文件）", " cases"):
        new = _outside(base, lambda t, tail=tail: cases.sub(rf"\1{tail}", t))
        yield Variation("counts: with a tail", new, tail)
    yield Variation(
        "labels: with a bracket", base.text.replace(" 执行次数", " 执行次数 (本阶段)"), "bracket"
    )


WORDS = (
    ("未通过，", "失败，"),
    ("换成", "改为"),
    ("删去", "去掉"),
    ("新增", "增加"),
    ("修改无效", "没有效果"),
    ("没有启动", "未启动"),
    ("新建（", "新建文件（"),
    ("后通过", "之后通过"),
    ("由各 case 延迟计算", "按各 case 计算"),
    ("约为 reference 的", "是 reference 的"),
    ("仍慢于", "慢于"),
    ("慢于 reference", "慢于参考实现"),
    ("运行评测，", "运行评测脚本，"),
    ("replaced ", "exchanged "),
    ("cases passed", "cases were correct"),
    ("The mean latency of", "Mean latency of"),
    ("changing ", "the change of "),
    ("is slower than", "is still slower than"),
    ("没有解决", "无效"),
    ("created ", "wrote a new "),
)


def wording(base: Base, rng: random.Random) -> Iterator[Variation]:
    """Other words around the same facts."""
    for old, new in WORDS:

        def change(line: Line, old: str = old, new: str = new) -> str:
            said = "「" in line.text or line.is_fence
            return line.text if said else line.text.replace(old, new)

        yield from _per_line(base, "wording", change)


def rounding(base: Base, rng: random.Random) -> Iterator[Variation]:
    """Right figures with fewer digits."""

    def shorter(pattern: re.Pattern[str], digits: int) -> Callable[[Line], str]:
        def change(line: Line) -> str:
            if line.is_fence or "Agent 说明" in line.text:
                return line.text
            return pattern.sub(lambda m: m[1] + _rounded(base.facts, m[2], digits), line.text)

        return change

    def places(line: Line, what: re.Pattern[str], digits: int) -> str:
        return shorter(what, digits)(line) if line.section == "performance" else line.text

    statistic = re.compile(r"(\b(?:mean|median|min|max|std|reference|ascendc)=)(\d+\.\d{3,})")
    for digits in (3, 2):
        yield from _per_line(
            base, f"rounding: latencies to {digits} decimals",
            lambda line, digits=digits: places(line, statistic, digits),
        )  # fmt: skip


def _rounded(facts: Facts, printed: str, digits: int) -> str:
    """Round the value itself, not its printed form; leave it where nothing would remain."""
    exact = _value(facts, printed)
    if exact is None:
        return printed
    text = f"{exact:.{digits}f}"
    return printed if not float(text) or len(text) >= len(printed) else text


def _value(facts: Facts, printed: str) -> Decimal | None:
    """The only value of the facts that prints so; None when there is none or are several."""
    performance = facts["performance"]
    values = [
        item[key]
        for item in performance["implementations"].values()
        for key in item
        if key.endswith("_ms") and item[key] is not None
    ]
    for case in performance["per_case"]:
        values += [case[k] for k in ("reference_ms", "ascendc_ms") if case[k] is not None]
    digits = len(printed.partition(".")[2])
    step = Decimal(1).scaleb(-digits)
    exact = {
        Decimal(repr(v)) for v in values if abs(Decimal(repr(v)) - Decimal(printed)) <= step / 2
    }
    if len(exact) != 1:
        return None
    value = exact.pop()
    half = value.quantize(step, ROUND_HALF_EVEN)
    return value if half == Decimal(printed) else None


def ellipses(base: Base, rng: random.Random) -> Iterator[Variation]:
    """An honest ellipsis in a quotation, at its end or between fields."""
    for mark in ("…", "..."):

        def middle(line: Line, mark: str = mark) -> str:
            fields = line.text.split(", ")
            if len(fields) < 6:
                return line.text
            return ", ".join([*fields[:3], mark, *fields[-2:]])

        def ending(line: Line, mark: str = mark) -> str:
            fields = line.text.split(", ")
            return ", ".join([*fields[:3], mark]) if len(fields) >= 6 else line.text

        yield from _per_line(base, "ellipsis: between fields", middle, fenced=True)
        yield from _per_line(base, "ellipsis: at the end", ending, fenced=True)


def quotations(base: Base, rng: random.Random) -> Iterator[Variation]:
    """Blanks, shortened paths, backticks, a wrapped line."""

    def shortened(line: Line) -> str:
        return re.sub(r"/home/[\w./-]*/(?=[\w]+\.(?:cpp|py|o)\b)", ".../", line.text)

    def bare(line: Line) -> str:
        prefix = _PREFIX.match(line.text)
        head = prefix[0] if prefix else ""
        return head + re.sub(r"^/home/[\w./-]*/(?=\w+\.cpp:)", "", line.text[len(head) :])

    def blanks(line: Line) -> str:
        return line.text.replace(", ", ",  ")

    def curly(line: Line) -> str:
        return line.text.replace("‘", "'").replace("’", "'")

    yield from _per_line(base, "quotation: path shortened with …", shortened, fenced=True)
    yield from _per_line(base, "quotation: path shortened", bare, fenced=True)
    yield from _per_line(base, "quotation: wider blanks", blanks, fenced=True)
    yield from _per_line(base, "quotation: straight quotation marks", curly, fenced=True)


def fewer(base: Base, rng: random.Random) -> Iterator[Variation]:
    """A later line of a longer quotation left out; a note shortened to its first clause."""
    lines = base.lines
    for i in range(1, len(lines)):
        folded = any("其余" in line.text for line in lines[i : i + 8])
        inside = lines[i].fenced and lines[i - 1].fenced and lines[i].section != "excerpt"
        if inside and lines[i + 1].is_fence and not folded:
            kept = [line.text for n, line in enumerate(lines) if n != i]
            yield Variation("fewer: a line of a quotation", "\n".join(kept), lines[i].text)
    for i, line in enumerate(lines):
        if line.label == "Agent 行为记录" and "；" in line.text and "运行" not in line.text:
            parts = re.split(r"；(?![^（]*）)", line.text)
            if len(parts) > 1:
                new = [ln.text if n != i else parts[0] for n, ln in enumerate(lines)]
                yield Variation("fewer: a clause of a note", "\n".join(new), parts[0])


EXTRA = (
    ("## 产物清单", "", "- `kernel/` 目录", "- `model_new_ascendc.py`"),
    ("## 关键设计决策记录", "", "- 数据按行切分，每个核处理若干行"),
    ("## Files", "", "| file | purpose |", "| --- | --- |", "| `kernel/pybind11.cpp` | binding |"),
    ("## 违规路径记录", "", "- 外部 web 检索: 否", "- 直接整体复制参考实现: 否"),
    ("## 总结", "", "- 记录到此为止"),
)


def extras(base: Base, rng: random.Random) -> Iterator[Variation]:
    """Extra sections, in the middle and at the end."""
    heads = [i for i, line in enumerate(base.lines) if line.text.startswith("## ")]
    old = [line.text for line in base.lines]
    for block in EXTRA:
        # Any table below the summary table would be collected with it: that is a fault.
        places = [rng.choice(heads[1:3])]
        if "|" not in "".join(block):
            places.append(len(old))
        for place in places:
            new = [*old[:place], "", *block, "", *old[place:]]
            yield Variation("extra section", "\n".join(new), block[0])


def order(base: Base, rng: random.Random) -> Iterator[Variation]:
    """Sections in another order."""
    heads = [i for i, line in enumerate(base.lines) if line.text.startswith("## ")]
    old = [line.text for line in base.lines]
    parts = [old[a:b] for a, b in zip(heads, [*heads[1:], len(old)], strict=True)]
    for _ in range(2):
        i = rng.randrange(len(parts) - 1)
        moved = [*parts[:i], parts[i + 1], parts[i], *parts[i + 2 :]]
        text = "\n".join(old[: heads[0]] + [line for part in moved for line in [*part, ""]])
        yield Variation("order of sections", text, parts[i][0])
    suffix = [f"{t} (按时间序)" if t.startswith("## 评测") else t for t in old]
    yield Variation("headings: with a suffix", "\n".join(suffix))


def sentences(base: Base, rng: random.Random) -> Iterator[Variation]:
    """True English and Chinese sentences added where they belong."""
    for key, sentence in _true_sentences(base.facts):
        place = next(
            (i for i, line in base.prose(key) if line.text.startswith("## ")), None
        )  # fmt: skip
        if place is not None:
            old = [line.text for line in base.lines]
            new = [*old[: place + 1], "", f"- 备注: {sentence}", *old[place + 1 :]]
            yield Variation("true sentence added", "\n".join(new), sentence)


def _true_sentences(facts: Facts) -> Iterator[tuple[str, str]]:
    stage, performance = facts["stages"]["ascendc"], facts["performance"]
    if stage["rounds"]:
        runs, rounds = stage["evaluate_runs"], len(stage["rounds"])
        yield "ascendc", f"evaluate_ascendc.sh 共执行 {runs} 次，历经 {rounds} 轮"
        yield "ascendc", f"In {rounds} rounds evaluate_ascendc.sh was run {runs} times"
        first, last = stage["rounds"][0], stage["rounds"][-1]
        if last["cases_total"]:
            count = f"{last['cases_passed']}/{last['cases_total']}"
            yield "ascendc", f"Round {last['round_no']} ended with {count} cases passed"
            yield "ascendc", f"第 {last['round_no']} 轮全部通过，{count}"
        if first["outcome"] == "COMPILE_ERROR":
            yield "ascendc", "Round 1 did not compile, so there were no case results"
    if performance["executed"] and performance["ratio_of_means"]:
        ratio = performance["ratio_of_means"]
        yield "performance", f"AscendC takes {1 / ratio:.2f}x the time of reference (by mean)"
        yield "performance", f"按 mean 统计，AscendC 慢 {1 / ratio:.1f} 倍"
        yield "performance", f"加速比约为 {ratio:.1f}x，未达到 0.6x"
        yield "performance", f"speedup (mean reference / mean ascendc) = {ratio:.3f}"
        yield "performance", f"{performance['cases']} cases were measured"
        yield "performance", "达到 0.8x：否"
    if facts["cases"]["original"]:
        yield (
            "cases",
            f"由 {facts['cases']['original']} 个 case 精简到 {facts['cases']['reduced']} 个",
        )
        yield (
            "cases",
            f"reduced from {facts['cases']['original']} to {facts['cases']['reduced']} cases",
        )


VARY: tuple[Vary, ...] = (
    line_ends,
    markup,
    punctuation,
    counts,
    wording,
    rounding,
    ellipses,
    quotations,
    fewer,
    extras,
    order,
    sentences,
)


def variations_of(base: Base, seed: int, per_kind: int) -> list[Variation]:
    """Return at most `per_kind` variations of each kind, always the same ones."""
    chosen: list[Variation] = []
    for vary in VARY:
        rng = random.Random(f"{seed} {base.name} {vary.__name__}")
        by_kind: dict[str, list[Variation]] = {}
        for variation in vary(base, rng):
            if variation.text != base.text:
                by_kind.setdefault(variation.kind, []).append(variation)
        for kind, found in sorted(by_kind.items()):
            # The first of a kind changes everything at once.
            chosen += found[:1] + rng.sample(found[1:], min(len(found) - 1, per_kind - 1))
            del kind
    return chosen
