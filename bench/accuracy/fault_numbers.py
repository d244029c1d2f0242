"""Faults in figures: counts, `n/m`, latencies, ratios, cells, settings, shapes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from bench.accuracy.base import (
    Base,
    Facts,
    Fault,
    Line,
    Maker,
    edited,
    substitutions,
    swap_line,
    wrong_decimal,
    wrong_integer,
)

_STAGES = ("tilelang", "ascendc", "full_validation")
_FRACTION = re.compile(r"(?<![\d/.\w])(\d+/\d+)(?![\d/.])")
_RUNS = re.compile(r"(?:执行次数[^:：]*[:：]\s*|was run )(\d+)")
_ORIGINAL = re.compile(r"原始 case 数[:：]\s*(\d+)")
_REDUCED = re.compile(r"精简后 case 数[:：]\s*(\d+)")
_STATISTIC = re.compile(r"\b(?:mean|median|min|max|std)=(\d+\.\d+)ms")
_CASE_LATENCY = re.compile(r"\b(?:reference|ascendc)=(\d+\.\d+)ms")
_PAIR = re.compile(r"[（(](\d+\.\d+) / (\d+\.\d+)[）)]")
_RATIO = re.compile(r"(\d+\.\d+)x")
_MEANS_EN = re.compile(r"of reference is (\d+\.\d+) ms and of ascendc (\d+\.\d+) ms")
_SHAPE = re.compile(r"shape=(\([\d, ]+\))")
_FAILING = re.compile(r"(?:失败|failed) (case\[\d+\](?:[、,] ?case\[\d+\])*)")


def _said(match: re.Match[str], line: Line) -> bool:
    """Whether the match stands in words of the agent or in their refutation (its own kinds)."""
    return 0 <= line.text.find("Agent 说明") < match.start()


def _fractions(facts: Facts) -> set[str]:
    found = set()
    for stage in facts["stages"].values():
        for item in stage["rounds"]:
            for run in [item, *item["runs"]]:
                found.add(f"{run['cases_passed']}/{run['cases_total']}")
    return found


def run_count(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Another number of runs, of each stage."""
    yield from substitutions(
        base, "run count: digit", base.prose(*_STAGES), _RUNS,
        lambda m, line: wrong_integer(m[1], rng), ("N201",),
    )  # fmt: skip


def run_count_total(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The runs of the full validation counted among those of 阶段二."""
    full = base.facts["stages"]["full_validation"]["evaluate_runs"]
    if full:
        yield from substitutions(
            base, "run count: other stage's runs added", base.prose("ascendc"), _RUNS,
            lambda m, line: str(int(m[1]) + full), ("N201",),
        )  # fmt: skip


def case_counts(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Original and reduced counts: a digit."""
    for kind, pattern in (("original", _ORIGINAL), ("reduced", _REDUCED)):
        yield from substitutions(
            base, f"case count: {kind}, digit", base.prose("cases"), pattern,
            lambda m, line: wrong_integer(m[1], rng), ("N203",),
        )  # fmt: skip


def case_counts_exchanged(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The original count in the place of the reduced one and the other way round."""
    cases = base.facts["cases"]
    if cases["original"] == cases["reduced"]:
        return
    for pattern, other in ((_ORIGINAL, cases["reduced"]), (_REDUCED, cases["original"])):
        yield from substitutions(
            base, "case count: exchanged", base.prose("cases"), pattern,
            lambda m, line, other=other: str(other), ("N203",),
        )  # fmt: skip


def fractions(base: Base, rng: random.Random) -> Iterator[Fault]:
    """`n/m`: the passed, the total, another round's."""
    known = _fractions(base.facts)

    def numerator(match: re.Match[str], line: Line) -> str | None:
        passed, total = match[1].split("/")
        wrong = f"{wrong_integer(passed, rng)}/{total}"
        return None if _said(match, line) or match[1] not in known or wrong in known else wrong

    def denominator(match: re.Match[str], line: Line) -> str | None:
        passed, total = match[1].split("/")
        wrong = f"{passed}/{wrong_integer(total, rng, taken=(0,))}"
        return None if _said(match, line) or match[1] not in known else wrong

    def elsewhere(match: re.Match[str], line: Line) -> str | None:
        own = _stage_fractions(base.facts, line)
        others = sorted(f for f in known - own - {match[1]} if "None" not in f)
        if _said(match, line) or match[1] not in own or not others:
            return None
        return rng.choice(others)

    where = ("tilelang", "ascendc", "full_validation")
    codes = ("N204", "S405")
    yield from substitutions(base, "n/m: passed", base.prose(*where), _FRACTION, numerator, codes)
    yield from substitutions(base, "n/m: total", base.prose(*where), _FRACTION, denominator, codes)
    yield from substitutions(
        base, "n/m: another round's", base.prose(*where), _FRACTION, elsewhere, codes
    )


def _stage_fractions(facts: Facts, line: Line) -> set[str]:
    """Fractions that may be true in a line: those of its round and, in a comparison, the others."""
    rounds = facts["stages"][line.section]["rounds"]
    compares = len(_FRACTION.findall(line.text)) > 1
    mentioned = {int(n) for n in re.findall(r"第 (\d+) 轮", line.text)} | {line.round_no}
    return {
        f"{r['cases_passed']}/{r['cases_total']}"
        for r in rounds
        if compares or r["round_no"] in mentioned
    }


def failing_cases(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A list of failing cases with one replaced, one dropped, one added."""

    def changed(what: str, match: re.Match[str], line: Line) -> str | None:
        numbers = re.findall(r"\d+", match[1])
        other = next(n for n in map(str, range(99)) if n not in numbers)
        joint = "、" if "、" in match[1] or "、" in line.text else ", "
        if what == "dropped":
            numbers = numbers[:-1]
        elif what == "added":
            numbers = [*numbers, other]
        else:
            numbers = [*numbers[:-1], other]
        return joint.join(f"case[{n}]" for n in numbers) or None

    for what in ("replaced", "dropped", "added"):
        yield from substitutions(
            base, f"failing cases: one {what}", base.prose(*_STAGES), _FAILING,
            lambda m, line, what=what: changed(what, m, line), ("N210",),
        )  # fmt: skip


def latencies(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A digit of a latency: statistics, single cases, means in a sentence."""
    for kind, pattern in (("statistic", _STATISTIC), ("case", _CASE_LATENCY)):
        yield from substitutions(
            base, f"latency: {kind}, digit", base.prose("performance"), pattern,
            lambda m, line: wrong_decimal(m[1], rng), ("N205",),
        )  # fmt: skip
    yield from substitutions(
        base, "latency: mean in a sentence, digit", base.prose("performance"), _MEANS_EN,
        lambda m, line: wrong_decimal(m[1], rng), ("N205",),
    )  # fmt: skip
    yield from substitutions(
        base, "latency: pair in brackets, digit", base.prose("performance"), _PAIR,
        lambda m, line: wrong_decimal(m[1], rng), ("N205", "N206"),
    )  # fmt: skip


def units(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A latency in ms written with us or s."""
    yield from substitutions(
        base, "latency: unit", base.prose("performance"),
        re.compile(r"=\d+\.\d*[1-9]\d*(ms)"), lambda m, line: rng.choice(("us", "s")), ("N205",),
    )  # fmt: skip


def roles(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Reference and AscendC exchanged in a line; mean and median exchanged."""
    for index, line in base.prose("performance"):
        text = line.text
        both = "reference=" in text and "ascendc=" in text
        if both or _MEANS_EN.search(text):
            new = _exchanged(text, "reference", "ascendc")
            if len(set(re.findall(r"\d+\.\d+", text))) > 1:
                yield swap_line(base, "latency: roles exchanged", index, new, ("N205",))
        statistics = dict(re.findall(r"(mean|median)=(\d+\.\d+)", text))
        if len(set(statistics.values())) == 2:
            new = _exchanged(text, "mean=", "median=")
            yield swap_line(base, "latency: mean and median exchanged", index, new, ("N205",))
        pair = _PAIR.search(text)
        if pair and pair[1] != pair[2]:
            start, end = pair.span()
            swapped = f"{text[start]}{pair[2]} / {pair[1]}{text[end - 1]}"
            new = text[:start] + swapped + text[end:]
            yield swap_line(base, "latency: pair exchanged", index, new, ("N205", "N206"))


def _exchanged(text: str, one: str, other: str) -> str:
    return text.replace(one, "\0").replace(other, one).replace("\0", other)


def statistics_of_other(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The whole line of the other implementation under this one's name."""
    found = [(i, line) for i, line in base.prose("performance") if _STATISTIC.search(line.text)]
    values = [line.text.split(": ", 1) for _, line in found]
    if len(found) == 2 and values[0][1] != values[1][1]:
        for (index, line), other in zip(found, reversed(values), strict=True):
            new = f"{line.text.split(': ', 1)[0]}: {other[1]}"
            yield swap_line(base, "latency: other implementation's line", index, new, ("N205",))


def ratios(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A digit of a ratio; its inverse; another aggregate in its place."""
    performance = base.facts["performance"]
    if not performance["executed"]:
        return

    def plain(match: re.Match[str], line: Line) -> bool:
        return not _said(match, line) and "日志：" not in line.text

    def inverted(match: re.Match[str], line: Line) -> str | None:
        value = float(match[1])
        wrong = f"{1 / value:.2f}" if value else match[1]
        return wrong if plain(match, line) and abs(float(wrong) / value - 1) > 0.2 else None

    def aggregate(match: re.Match[str], line: Line) -> str | None:
        means = performance["ratio_of_means"], performance["mean_of_ratios"]
        own = [f"{value:.2f}" for value in means]
        if not plain(match, line) or own[0] == own[1] or match[1] not in own:
            return None
        return own[1 - own.index(match[1])]

    rounded = performance["source_of_record"] != "json"

    def digit(match: re.Match[str], line: Line) -> str | None:
        wrong = wrong_decimal(match[1], rng)
        value = float(match[1])
        # A quotient of two figures with three decimals may lie anywhere near.
        unsure = not value or (rounded and abs(float(wrong) / value - 1) <= 0.5)
        return wrong if plain(match, line) and not unsure else None

    where = "performance"
    codes = ("N206", "N213")
    yield from substitutions(base, "ratio: digit", base.prose(where), _RATIO, digit, codes)
    yield from substitutions(base, "ratio: inverted", base.prose(where), _RATIO, inverted, codes)
    yield from substitutions(
        base, "ratio: other aggregate", base.prose(where), _RATIO, aggregate, codes
    )


def aggregate_names(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The right figure under another aggregate's name."""
    performance = base.facts["performance"]
    if not performance["executed"]:
        return
    means, ratio = performance["mean_of_ratios"], performance["ratio_of_means"]
    if f"{means:.2f}" == f"{ratio:.2f}":
        return
    words = (("算术平均", "几何平均"), ("arithmetic mean of ratios", "ratio of means"))
    for old, new in words:
        yield from substitutions(
            base, "ratio: aggregate misnamed", base.prose("performance"),
            re.compile(f"({old})"), lambda m, line, new=new: new, ("N206",),
        )  # fmt: skip


def slower_cases(base: Base, rng: random.Random) -> Iterator[Fault]:
    """`9/10 个 case 慢于 reference`, and which case was the slowest."""
    yield from substitutions(
        base, "cases slower than reference: digit", base.prose("performance"),
        re.compile(r"(\d+)/\d+ 个 case 慢于"),
        lambda m, line: wrong_integer(m[1], rng), ("N203", "N204"),
    )  # fmt: skip
    yield from substitutions(
        base, "extreme ratio: other case", base.prose("performance"),
        re.compile(r"最[小大] \d+\.\d+x（case\[(\d+)\]"),
        lambda m, line: wrong_integer(m[1], rng, taken=_alike(base.facts, int(m[1]))), ("N206",),
    )  # fmt: skip


def _alike(facts: Facts, index: int) -> tuple[int, ...]:
    """Cases whose ratio prints like that of the given one."""
    ratios = {c["index"]: f"{c['ratio'] or 0:.2f}" for c in facts["performance"]["per_case"]}
    return tuple(i for i, shown in ratios.items() if shown == ratios.get(index))


def direction(base: Base, rng: random.Random) -> Iterator[Fault]:
    """慢于 as 快于, slower as faster."""
    words = (("慢于 reference，按", "快于 reference，按"), ("slower than", "faster than"))
    for old, new in words:
        yield from substitutions(
            base, "direction: slower as faster", base.prose("performance"),
            re.compile(f"({old})"), lambda m, line, new=new: new, ("N213", "N206"),
        )  # fmt: skip


def settings(base: Base, rng: random.Random) -> Iterator[Fault]:
    """warmup, repeat, seed, device."""
    for name in ("warmup", "repeat", "seed"):
        yield from substitutions(
            base, f"configuration: {name}", base.prose("performance"),
            re.compile(rf"\b{name}=(\d+)"), lambda m, line: wrong_integer(m[1], rng), ("N208",),
        )  # fmt: skip
    yield from substitutions(
        base, "configuration: device", base.prose("performance"),
        re.compile(r"\bdevice=(\w+)"), lambda m, line: "npu" if m[1] != "npu" else "cpu", ("N208",),
    )  # fmt: skip


def shapes(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A dimension, a data type, the number of the case."""

    def dimension(match: re.Match[str], line: Line) -> str:
        sizes = [int(n) for n in re.findall(r"\d+", match[1])]
        place = rng.randrange(len(sizes))
        sizes[place] *= 2
        return "(" + ", ".join(map(str, sizes)) + ("," if len(sizes) == 1 else "") + ")"

    where = "performance"
    yield from substitutions(
        base, "shape: dimension", base.prose(where), _SHAPE, dimension, ("N212",)
    )
    yield from substitutions(
        base, "shape: data type", base.prose(where), re.compile(r"\), (float\d+)"),
        lambda m, line: "float16" if m[1] == "float32" else "float32", ("N212",),
    )  # fmt: skip
    yield from substitutions(
        base, "shape: number of the case", base.prose(where), re.compile(r"case\[(\d+)\] shape"),
        lambda m, line: wrong_integer(m[1], rng), ("N212", "N205"),
    )  # fmt: skip


def measured_cases(base: Base, rng: random.Random) -> Iterator[Fault]:
    """`总体统计（10 个 case`."""
    yield from substitutions(
        base, "case count: measured, digit", base.prose("performance"),
        re.compile(r"（(\d+) 个 case，"), lambda m, line: wrong_integer(m[1], rng), ("N203",),
    )  # fmt: skip


def sizes(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Lines of a new file, number of its functions, lines left out."""
    where = ("tilelang", "ascendc")
    yield from substitutions(
        base, "size: lines of a file", base.prose(*where), re.compile(r"新建（(\d+) 行"),
        lambda m, line: wrong_integer(m[1], rng), ("N211",),
    )  # fmt: skip
    yield from substitutions(
        base, "size: functions or calls", base.prose(*where), re.compile(r"等 (\d+) 个"),
        lambda m, line: wrong_integer(m[1], rng), ("N211", "N210"),
    )  # fmt: skip
    yield from substitutions(
        base, "folded lines: digit", base.prose(), re.compile(r"其余 (\d+) 行未列出"),
        lambda m, line: wrong_integer(m[1], rng), ("D506",),
    )  # fmt: skip
    yield from substitutions(
        base, "attempts not started: digit", base.prose(*where),
        re.compile(r"另有 (\d+) 次调用没有启动"),
        lambda m, line: wrong_integer(m[1], rng), ("N201",),
    )  # fmt: skip


def round_numbers(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A round that the session does not have."""
    for index, line in base.prose(*_STAGES):
        match = re.match(r"(\s*(?:-|###) (?:第 |Round ))(\d+)", line.text)
        if match:
            count = len(base.facts["stages"][line.section]["rounds"])
            new = f"{match[1]}{count + rng.randrange(2, 5)}{line.text[match.end() :]}"
            yield swap_line(base, "round: number beyond the last", index, new, ("N202",))


def said_of_rounds(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A sentence on how many rounds there were."""
    heading = next((i for i, line in base.prose("ascendc") if line.text.startswith("## ")), None)
    rounds = len(base.facts["stages"]["ascendc"]["rounds"])
    if heading is None or not rounds:
        return
    wrong = rounds + 2
    sentences = (
        (f"- 备注: AscendC 共 {wrong} 轮", ("N202",)),
        (f"- Note: AscendC took {wrong} rounds in total", ("N202",)),
    )
    for sentence, codes in sentences:
        text, touched = edited(base, heading + 1, heading + 1, ["", sentence])
        yield Fault("round count in a sentence", text, touched, codes, "", sentence, at=sentence)


MAKERS: tuple[Maker, ...] = (
    run_count,
    run_count_total,
    case_counts,
    case_counts_exchanged,
    fractions,
    failing_cases,
    latencies,
    units,
    roles,
    statistics_of_other,
    ratios,
    aggregate_names,
    slower_cases,
    direction,
    settings,
    shapes,
    measured_cases,
    sizes,
    round_numbers,
    said_of_rounds,
)
