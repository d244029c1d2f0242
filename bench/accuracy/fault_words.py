"""Faults in words: outcomes, names, directions, histories, what is left out, advice."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from bench.accuracy.base import Base, Facts, Fault, Line, Maker, edited, substitutions, swap_line

_STAGES = ("tilelang", "ascendc", "full_validation")
_CODE = re.compile(r"`([A-Za-z_][\w.:<>]*)`")
_PATH = re.compile(r"`([\w./]+\.(?:cpp|py))`")
_WORDS = {"通过": "失败", "失败": "通过", "未执行": "通过", "完成": "未执行"}
_ENGLISH = {"PASS": "FAIL", "FAIL": "PASS", "NOT_RUN": "PASS", "COMPILE_ERROR": "PASS"}


def stage_results(base: Base, rng: random.Random) -> Iterator[Fault]:
    """结果, and the status in a heading."""

    def other(match: re.Match[str], line: Line) -> str | None:
        return _WORDS.get(match[1])

    codes = ("S405", "P602")
    yield from substitutions(
        base, "result of a stage", base.prose("cases", *_STAGES, "performance"),
        re.compile(r"^- 结果[:：] ?(通过|失败|未执行|完成)"), other, codes,
    )  # fmt: skip
    yield from substitutions(
        base, "result of a stage, in the heading", base.prose(*_STAGES, "performance"),
        re.compile(r"^## Phase .* — (PASS|FAIL|NOT_RUN)"),
        lambda m, line: _ENGLISH[m[1]], codes,
    )  # fmt: skip


def skipped(base: Base, rng: random.Random) -> Iterator[Fault]:
    """跳过 called a failure or a success."""
    where = list(base.prose("tilelang"))
    for word, code in (("失败", "P602"), ("通过", "S405")):
        yield from substitutions(
            base, f"skipped TileLang as {'failed' if word == '失败' else 'passed'}", iter(where),
            re.compile(r"^- 结果[:：] ?(跳过)"), lambda m, line, word=word: word, (code,),
        )  # fmt: skip
    for word, code in (("FAIL", "P602"), ("PASS", "S405")):
        kind = "failed" if word == "FAIL" else "passed"
        yield from substitutions(
            base, f"skipped TileLang as {kind}", iter(where),
            re.compile(r"^## Phase .* — (SKIP)"), lambda m, line, word=word: word, (code,),
        )  # fmt: skip
        yield from substitutions(
            base, f"skipped TileLang as {kind}", base.prose("head"),
            re.compile(r"(SKIP) \(tilelang\)"), lambda m, line, word=word: word, (code,),
        )  # fmt: skip


def final_result(base: Base, rng: random.Random) -> Iterator[Fault]:
    """最终结果 of AscendC; its form."""
    yield from substitutions(
        base, "final result: AscendC", base.prose("head"),
        re.compile(r"(PASS|FAIL|NOT_RUN) \(ascendc\)"), lambda m, line: _ENGLISH[m[1]], ("S405",),
    )  # fmt: skip
    yield from substitutions(
        base, "final result: TileLang", base.prose("head"),
        re.compile(r"(PASS) \(tilelang\)"), lambda m, line: "FAIL", ("S405",),
    )  # fmt: skip
    for index, line in base.prose("head"):
        if "最终结果" in line.text:
            new = re.sub(r"[:：].*", ": 成功", line.text.replace("**", ""))
            yield swap_line(base, "final result: malformed", index, new, ("S404",))
            text, touched = edited(base, index, index + 1, [])
            yield Fault("final result: missing", text, touched, ("S404",), line.text, "")


def round_outcomes(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The outcome behind a round's number, and behind a command."""
    zh = {"编译失败": "通过", "未通过": "通过", "通过": "未通过"}
    yield from substitutions(
        base, "outcome of a round", base.prose(*_STAGES),
        re.compile(r"第 \d+ 轮（(编译失败|未通过|通过)"), lambda m, line: zh[m[1]], ("S405",),
    )  # fmt: skip
    yield from substitutions(
        base, "outcome of a round", base.prose(*_STAGES),
        re.compile(r"Round \d+ \((PASS|FAIL|COMPILE_ERROR)"),
        lambda m, line: _ENGLISH[m[1]], ("S405",),
    )  # fmt: skip
    yield from substitutions(
        base, "outcome of a run", base.prose(*_STAGES),
        re.compile(r"(?:运行 `[^`]+`：|运行评测，)(编译失败|未通过|通过)"),
        lambda m, line: None if "再次" in line.text else zh[m[1]], ("S405",),
    )  # fmt: skip
    yield from substitutions(
        base, "outcome of a degeneration check", base.prose(*_STAGES),
        re.compile(r"退化检测(通过)"), lambda m, line: "未通过", ("S405",),
    )  # fmt: skip
    yield from substitutions(
        base, "build failure as wrong results", base.prose(*_STAGES),
        re.compile(r"第 \d+ 轮（(编译失败)"), lambda m, line: "超时", ("S405",),
    )  # fmt: skip


def names(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A file, an identifier, an API that the session never saw; an agent without a record."""

    def file_of(match: re.Match[str], line: Line) -> str:
        stem, dot, suffix = match[1].rpartition(".")
        return f"{stem}{rng.choice(('_v2', '_tiling', '_host'))}{dot}{suffix}"

    def name_of(match: re.Match[str], line: Line) -> str | None:
        if "." in match[1] or len(match[1]) < 4 or "Agent 说明" in line.text:
            return None
        return match[1].split("<")[0] + rng.choice(("Aligned", "Ex", "Fast", "_unrolled"))

    where = ("tilelang", "ascendc", "full_validation")
    yield from substitutions(
        base, "name: invented file", base.prose(*where), _PATH, file_of, ("C301",)
    )
    yield from substitutions(
        base, "name: invented identifier", base.prose(*where), _CODE, name_of, ("C301",)
    )
    yield from substitutions(
        base, "name: unknown agent", base.prose(*where), re.compile(r"子代理 ([\w-]+)）"),
        lambda m, line: "a1b2c3d4e5f6a7b8c", ("C301",),
    )  # fmt: skip
    for index, line in base.prose("ascendc"):
        if line.label in {"Agent 行为记录", ""} and re.match(r"\s*-.*`[^`]+\.cpp`", line.text):
            api = rng.choice(("SetFlag<HardEvent::MTE2_V>", "TQueBind", "WholeReduceMax"))
            zh = base.style != "en"
            extra = f"；新增 `{api}`" if zh else f", using `{api}`"
            yield swap_line(base, "name: invented API", index, line.text + extra, ("C301",))


def reversed_changes(base: Base, rng: random.Random) -> Iterator[Fault]:
    """`A 换成 B` as `B 换成 A`; arguments and additions the other way round."""
    patterns = (
        ("change: exchanged names reversed", re.compile(r"(`[^`]+`) 换成 (`[^`]+`)")),
        ("change: exchanged names reversed", re.compile(r"replaced (`[^`]+`) with (`[^`]+`)")),
        ("change: arguments reversed", re.compile(r"由 (`[^`]+`) 改为 (`[^`]+`)")),
        ("change: removed and added reversed", re.compile(r"(删去) .*(新增) ")),
    )
    for index, line in base.prose(*_STAGES):
        for kind, pattern in patterns:
            for match in pattern.finditer(line.text):
                new = (
                    line.text[: match.start(1)]
                    + match[2]
                    + line.text[match.end(1) : match.start(2)]
                    + match[1]
                    + line.text[match.end(2) :]
                )
                yield swap_line(
                    base, kind, index, new, ("C304", "C305", "C306", "C301"), at=f"{index}:{kind}"
                )


def history(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Which round cured, which failed alike, which state came back."""
    rounds = {r["round_no"]: r for r in base.facts["stages"]["ascendc"]["rounds"]}

    def cured(match: re.Match[str], line: Line) -> str | None:
        wrong = [n for n, r in rounds.items() if r["outcome"] not in {"PASS", "FAIL"}]
        wrong += [
            n for n, r in rounds.items() if r["outcome"] == "FAIL" and "编译" not in line.text
        ]
        wrong = [n for n in wrong if str(n) != match[1]]
        return str(rng.choice(wrong)) if wrong and line.section == "ascendc" else None

    def alike(match: re.Match[str], line: Line) -> str | None:
        own = rounds.get(line.round_no or 0, {}).get("signature")
        wrong = [n for n, r in rounds.items() if r["signature"] != own and n != line.round_no]
        return str(rng.choice(wrong)) if wrong else None

    where = ("ascendc",)
    yield from substitutions(
        base, "history: round that cured", base.prose(*where),
        re.compile(r"第 (\d+) 轮[^，。；第]{0,60}后(?:编译)?通过"), cured, ("C304", "N204"),
    )  # fmt: skip
    yield from substitutions(
        base, "history: round that failed alike", base.prose(*where),
        re.compile(r"签名与第 (\d+) 轮完全相同"), alike, ("C304",),
    )  # fmt: skip
    yield from substitutions(
        base, "history: state that came back", base.prose(*where),
        re.compile(r"回到第 (\d+) 轮结束"),
        lambda m, line: str(int(m[1]) - 1) if int(m[1]) > 1 else str(int(m[1]) + 1), ("C304",),
    )  # fmt: skip
    for index, line in base.prose(*where):
        if line.label == "走偏点" and line.round_no in rounds and "没有解决" in line.text:
            own = rounds[line.round_no]["signature"]
            other = [n for n, r in rounds.items() if n != line.round_no and r["signature"] != own]
            if other:
                new = line.text + f"，失败签名与第 {other[0]} 轮完全相同"
                yield swap_line(base, "history: round that failed alike", index, new, ("C304",))


def _item_end(base: Base, index: int) -> int:
    """Index behind the list item that begins at a line."""
    indent = len(base.lines[index].text) - len(base.lines[index].text.lstrip())
    for i in range(index + 1, len(base.lines)):
        text = base.lines[i].text
        if not text.strip() or len(text) - len(text.lstrip()) <= indent:
            return i
    return len(base.lines)


def _removed(base: Base, kind: str, start: int, stop: int, codes: tuple[str, ...]) -> Fault:
    text, touched = edited(base, start, stop, [], around=1)
    was = base.lines[start].text
    return Fault(kind, text, touched, codes, was, "", at=f"{start}", anywhere=True)


def removed_rounds(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Every mention of a round of a stage, gone."""
    for key in _STAGES:
        rounds = base.facts["stages"][key]["rounds"]
        # A stage that passed at once may be told in one word.
        for item in rounds if _failed(rounds) else ():
            yield from _without_round(base, key, item["round_no"])


def _failed(rounds: list[Facts]) -> list[Facts]:
    return [item for item in rounds if item["outcome"] != "PASS"]


def _without_round(base: Base, key: str, number: int) -> Iterator[Fault]:
    mention = re.compile(rf"第 {number} 轮|Round {number}\b")
    kept: list[str] = []
    touched: set[int] = set()
    skip = 0
    for index, line in enumerate(base.lines):
        if index < skip:
            continue
        if line.section == key and not line.fenced and mention.search(line.text):
            if line.text.startswith("### "):
                skip = _section_end(base, index, ("## ", "### "))
            else:
                skip = _item_end(base, index) if line.text.lstrip().startswith("-") else index + 1
            touched.add(len(kept) + 1)
            continue
        if line.section == key and line.text.startswith("## "):
            touched.add(len(kept) + 1)
        kept.append(line.text)
    if skip:
        yield Fault(
            "left out: a round", "\n".join(kept), frozenset(touched), ("D502",),
            f"round {number} of {key}", "", at=f"{key}{number}", anywhere=True,
        )  # fmt: skip


def _section_end(base: Base, index: int, starts: tuple[str, ...]) -> int:
    return next(
        (i for i in range(index + 1, len(base.lines)) if base.lines[i].text.startswith(starts)),
        len(base.lines),
    )


def removed_failures(base: Base, rng: random.Random) -> Iterator[Fault]:
    """No line of a failure is quoted any more."""
    for key in ("ascendc", "tilelang", "full_validation"):
        for item in base.facts["stages"][key]["rounds"]:
            lines = {line for run in [item, *item["runs"]] for line in run["error_lines"]}
            if not lines:
                continue
            fingers = [line[-70:] for line in lines] + [line[:60] for line in lines]
            kept = [ln.text for ln in base.lines if not any(f in ln.text for f in fingers)]
            text = "\n".join(kept)
            text = re.sub(r"`[^`\n]*: error: [^`\n]*`", "报错", text)
            heads = {i + 1 for i, t in enumerate(kept) if t.startswith("## ")}
            yield Fault(
                "left out: a failure", text, frozenset(heads), ("D503",),
                f"round {item['round_no']} of {key}", "", at=f"{key}{item['round_no']}",
                anywhere=True,
            )  # fmt: skip


def removed_dead_ends(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A dead end is no longer among the drift points."""
    for end in base.facts["dead_ends"]:
        drift = [
            (i, line)
            for i, line in base.prose(end["stage"])
            if (line.label == "走偏点" or base.style == "en")
            and re.match(rf"\s*- (?:第 {end['round_no']} 轮|Round {end['round_no']}\b)", line.text)
        ]
        mention = re.compile(rf"第 {end['round_no']} 轮|Round {end['round_no']}\b")
        mentions = [
            line
            for _, line in base.prose(end["stage"])
            if line.label == "走偏点" and mention.search(line.text)
        ]
        # Another drift point may tell of the same round; then it is not left out.
        if len(drift) == 1 and len(mentions) <= 1:
            start = drift[0][0]
            yield _removed(base, "left out: a dead end", start, _item_end(base, start), ("D501",))


def drift_denied(base: Base, rng: random.Random) -> Iterator[Fault]:
    """走偏点: 无, though rounds failed."""
    for index, line in base.prose("ascendc", "tilelang", "full_validation"):
        if re.match(r"- (?:\*\*)?走偏点(?:\*\*)?[:：]$", line.text):
            failed = [r for r in base.facts["stages"][line.section]["rounds"]
                      if r["outcome"] != "PASS"]  # fmt: skip
            if not failed:
                continue
            text, touched = edited(base, index, _item_end(base, index), ["- 走偏点: 无"])
            yield Fault(
                "left out: drift denied", text, touched, ("D505", "D501"), line.text, "无",
                at=f"{index}",
            )  # fmt: skip


def claims_as_facts(base: Base, rng: random.Random) -> Iterator[Fault]:
    """What the agent said wrongly, as the trace's own statement."""
    for claim in base.facts["agent_claims_contradicted"]:
        key = claim["stage"] or "performance"
        heading = next((i for i, line in base.prose(key) if line.text.startswith("## ")), None)
        clause = next(c for c in re.split(r"[。；;]", claim["text"]) if claim["says"] in c)
        if heading is None or len(clause) < 10:
            continue
        new = ["", "- 备注: " + clause.strip().replace("**", "")]
        text, touched = edited(base, heading + 1, heading + 1, new)
        codes = ("D504", "N201", "N204", "N206", "S405", "C304", "N213")
        yield Fault("agent's claim as a fact", text, touched, codes, "", clause, at=claim["says"])


ADVICE = (
    "建议先检查对齐，再使用 `DataCopy`",
    "后续可以考虑增大 tile 以提升性能",
    "下一步应优化 `Compute` 的流水",
    "The agent should use `DataCopyPad` from the start",
    "It is recommended to raise the tile size",
    "Consider using double buffering",
)
VAGUE = (
    "修复了 bug",
    "优化了代码逻辑",
    "修改了一些问题",
    "fixed the bug",
    "improved the implementation",
)


def advice(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Advice among the facts."""
    for index, line in base.prose("ascendc", "performance"):
        if line.text.startswith("## "):
            for sentence in ADVICE:
                text, touched = edited(base, index + 1, index + 1, ["", f"- 备注: {sentence}"])
                yield Fault(
                    "advice", text, touched, ("P601",), "", sentence, at=f"{index}{sentence}"
                )


def vague(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A note that says nothing."""
    for index, line in base.prose("ascendc"):
        if line.label != "Agent 行为记录" or line.round_no is None:
            continue
        if re.match(r"  - 第 \d+ 轮: .", line.text):
            head = re.match(r"  - 第 \d+ 轮: ", line.text)
        else:
            head = re.match(r"    - (?=`)", line.text)
        for sentence in VAGUE if head else ():
            yield swap_line(
                base, "vague note", index, f"{head[0] if head else ''}{sentence}", ("P603",),
                at=f"{index}{sentence}",
            )  # fmt: skip


def stale(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The mark of a stale verdict or measurement is gone, where nothing else says so."""

    def unless_said(match: re.Match[str], line: Line) -> str | None:
        others = [one for _, one in base.prose(line.section) if one is not line]
        return None if any("测量之后" in one.text for one in others) else ""

    yield from substitutions(
        base, "stale mark removed", base.prose("ascendc", "performance"),
        re.compile(r"^(?:- 结果.*|## Phase.*?)(（(?:已过期|其后)[^）]*）| \(stale.*\))$"),
        unless_said, ("S408",),
    )  # fmt: skip
    for index, line in base.prose("performance"):
        if line.text.startswith("- 已过期"):
            yield _removed(base, "stale mark removed", index, index + 1, ("S408",))


def times(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A time before the session began, or after it ended."""
    yield from substitutions(
        base, "time: before the evidence", base.prose("head"),
        re.compile(r"时间(?:\*\*)?: (.*)"),
        lambda m, line: re.sub(r"\d{4}(?=-)", lambda y: str(int(y[0]) - 1), m[1]), ("S410",),
    )  # fmt: skip


MAKERS: tuple[Maker, ...] = (
    stage_results,
    skipped,
    final_result,
    round_outcomes,
    names,
    reversed_changes,
    history,
    removed_rounds,
    removed_failures,
    removed_dead_ends,
    drift_denied,
    claims_as_facts,
    advice,
    vague,
    stale,
    times,
)
