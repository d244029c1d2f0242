"""Makes evidence in the style of an operator session; shares no code with the matcher."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from summarizer.model.evidence import Evidence, Witness
from summarizer.model.source import Completeness, SourceRef

DTYPES = ("float16", "float32", "bfloat16", "int8", "int32")
NAMES = (
    "DataCopyPad",
    "TQueBind",
    "GlobalTensor",
    "LocalTensor",
    "SetFlag",
    "WaitFlag",
    "PipeBarrier",
    "ReduceMax",
)
FILES = (
    "kernel/elu_kernel.cpp",
    "kernel/pybind11.cpp",
    "op_host/tiling.cpp",
    "op_kernel/softmax_v2.cpp",
)
CJK_LINES = (
    "[ERROR] 第{a}个算子编译失败：不支持的数据类型{d}，请检查输入{b}",
    "精度校验未通过，最大误差{x}超过阈值0.001，用例{a}",
    "警告：核函数{n}的入口没有被调用，已跳过{b}个用例",
    "内存分配失败，申请{b}字节，剩余{a}字节，设备{c}不可用",
    "用例{a}执行完成，耗时{x}毫秒，显存占用{b}兆字节",
)
LINES = (
    "{p}:{a}:{c}: error: no matching function for call to '{n}({d}, {b})'",
    "{p}:{b}:{c}: warning: variable ‘{v}’ is not used in this scope [-Wunused-{v}]",
    "{p}:{a}: undefined reference to `AscendC::{n}<{d}>::{v}()'",
    "RuntimeError: The tensor {v} has shape ({b}, {a}) but {n} does not support dtype {d}",
    "AssertionError: max_abs_diff={x} exceeds atol={y} at index ({a}, {b})",
    "[build_ascendc] Running: cmake --build /home/user/agents/work/{v}/build -j {c} --target {n}",
    "-- Build files have been written to: /home/user/agents/work/{v}/kernel/build_{b}",
    "[ {c}%] Building CXX object CMakeFiles/{v}.dir/home/user/agents/{p}.o",
    "tests/test_{v}.py::test_{n}[{d}-{b}] FAILED with mean error {x} and ratio {y}",
    "E   torch.cuda.OutOfMemoryError: need {y} GiB but device {c} never released {b} MiB",
    "Latency of {n}: mean {x} ms, median {y} ms, speed-up {z} over {a} runs",
    '\tstatus: "{v}" finished   after {y} s; retry {c} was refused without reason {b}',
    "note: candidate expects {c} arguments, {a} provided while instantiating '{n}<{d}>'",
    "3. Summarize the {v} table with {a} rows and {b} columns",
)
PROSE = (
    "The fix for {n} on {d} should work because {v} has {b} lanes.",
    "I changed {p} line {a} so that {n} no longer stalls on {v}.",
)


@dataclass(frozen=True)
class Source:
    """A line of the evidence with its place."""

    item: Evidence
    start: int
    line: str
    """As it stands there, without its end."""

    @property
    def end(self) -> int:
        return self.start + len(self.line)


def fill(template: str, rng: random.Random) -> str:
    word = "".join(rng.choice("abcdefghijklmnoprstuvw") for _ in range(rng.randint(4, 8)))
    return template.format(
        a=rng.randint(2, 999), b=rng.randint(10, 99999), c=rng.randint(2, 64),
        d=rng.choice(DTYPES), n=rng.choice(NAMES), p=rng.choice(FILES),
        v=f"{word}_{rng.randint(1, 99)}",
        x=f"{rng.choice(['', '-'])}0.{rng.randint(10000, 9999999)}",
        y=f"{rng.uniform(0.2, 90):.3f}",
        z=f"{rng.uniform(0.2, 4):.2f}x",
    )  # fmt: skip


def _case_lines(rng: random.Random, count: int) -> Iterator[str]:
    for i in range(count):
        shape = f"[{rng.choice([1, 2, 8, 32])}, {rng.choice([128, 256, 1000, 4096])}]"
        verdict = rng.choice(["pass", "pass", "pass", "FAIL"])
        yield (
            f"case[{i}]: {verdict} shape={shape} dtype={rng.choice(DTYPES)} "
            f"max_abs_diff={rng.uniform(0, 1):.7f} mismatch={rng.uniform(0, 100):.2f}%"
        )


def _output(rng: random.Random, lines: int, cases: int) -> str:
    made = [fill(rng.choice(LINES), rng) for _ in range(lines)]
    made += [fill(rng.choice(CJK_LINES), rng) for _ in range(max(1, lines // 4))]
    rng.shuffle(made)
    for i in range(len(made)):
        if rng.random() < 0.06:
            made[i] = f"\x1b[1;31m{made[i].split(' ')[0]}\x1b[0m " + " ".join(
                made[i].split(" ")[1:]
            )
        elif rng.random() < 0.05:
            bar = "".join(f"{p:3d}%|{'#' * (p // 10)}\r" for p in (10, 40, 70))
            made[i] = bar + made[i]
    made += _case_lines(rng, cases)
    passed = rng.randint(0, cases)
    made += [
        f"Summary: {passed} of {cases} cases passed",
        f"Status    : {rng.choice(['PASS', 'FAIL'])}",
    ]
    end = "\r\n" if rng.random() < 0.2 else "\n"
    return end.join(made) + end


def make_evidence(seed: int, rounds: int = 4, lines: int = 40, cases: int = 30) -> list[Evidence]:
    """Tool outputs of two stages with `rounds` rounds each, and the agent's words between them."""
    rng = random.Random(seed)
    made: list[Evidence] = []
    for stage in ("tilelang", "ascendc"):
        for round_no in (None, *range(1, rounds + 1)):
            texts = [
                (Witness.TOOL_OUTPUT, _output(rng, lines, cases)),
                (Witness.AGENT, "\n".join(fill(rng.choice(PROSE), rng) for _ in range(3))),
            ]
            for witness, text in texts:
                number = len(made) + 1
                ref = SourceRef("session.jsonl", number, number * 1000, number * 1000 + 900)
                made.append(
                    Evidence(f"E{number}", text, witness, Completeness.FULL, ref, stage, round_no)
                )
    return made


def sources(evidence: list[Evidence]) -> list[Source]:
    """Every line of at least twelve characters."""
    found = []
    for item in evidence:
        for match in re.finditer(r"[^\r\n][^\n]*?(?=\r*\n|\Z)", item.text):
            if len(match.group()) >= 12:
                found.append(Source(item, match.start(), match.group()))
    return found
