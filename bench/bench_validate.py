"""Time of validating one trace against a large transcript, and how it grows.

Two parts, each printed as ratios measured in one run:

- Reading the transcript, deriving the facts and checking the trace, in one process and without
  imports, against `json.loads` over the transcript's lines; the target is at most 3.
- Checking alone, with quotations of growing size: long ones, near-duplicate lines, repetitive
  text. Twice the input may take about twice the time; four times would be quadratic.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.bench_session import copy_of, real_records, records
from summarizer.example import copy_example
from summarizer.model.evidence import Evidence, Witness
from summarizer.model.source import Completeness, SourceRef
from summarizer.pipeline import SourceOptions, check_text, check_trace, derive, record_run
from validators.quotes import Corpus, Quote, check_quotations

SIZES = (1, 2, 4)


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """Median CPU seconds of some calls; the first one, which imports, does not count."""
    work()
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return statistics.median(seconds)


def fill(target: Path, work: list[str], megabytes: int) -> None:
    """Write the session's own work once and records of other real sessions for the rest."""
    filler, size, number = real_records(), 0, 0
    with target.open("w", encoding="utf-8", errors="surrogateescape") as out:
        while size < megabytes * 1_000_000:
            text = copy_of(filler if number else work, number)
            size += len(text)
            out.write(text)
            number += 1


def measure_whole(megabytes: int, runs: int) -> None:
    """Validate the bundled session's trace against a transcript of the wanted size."""
    with tempfile.TemporaryDirectory() as folder:
        example = copy_example(Path(folder))
        big = Path(folder) / "big.jsonl"
        fill(big, records(example.transcript), megabytes)
        options = SourceOptions(transcripts=(big,))
        text = record_run(example.output_dir, options, dry_run=True).text
        trace = example.output_dir / "trace.md"
        trace.write_text(text, encoding="utf-8")
        lines = [line for line in big.read_bytes().split(b"\n") if line]
        decode = median_seconds(lambda: [json.loads(line) for line in lines], runs)
        whole = median_seconds(lambda: check_trace(trace, options), runs)
        derived = derive(example.output_dir, options)
        rules = median_seconds(lambda: check_text(text, derived), runs)
        print(f"one trace, transcript of {big.stat().st_size / 1e6:.1f} MB")
        print(f"  json.loads over its lines          {decode:7.3f} s")
        print(f"  validate: read, derive, check      {whole:7.3f} s")
        print(f"  of these the rules                 {rules:7.3f} s")
        print(f"  ratio {whole / decode:.2f} (target at most 3)")


def evidence_of(text: str) -> list[Evidence]:
    """One tool output."""
    size = len(text.encode())
    source = SourceRef("log.txt", 1, 0, size)
    return [Evidence("E1", text, Witness.TOOL_OUTPUT, Completeness.FULL, source, None, None)]


def case_line(index: int) -> str:
    """A report line that differs from its neighbours in few digits."""
    return (
        f"case[{index}]: output[{index}]: matched, MERE={index % 97}.5e-09,"
        f" MARE=0.000{index % 89:03d}, threshold=0.000976562, mare_threshold=0.00976562"
    )


def long_quotation(scale: int) -> tuple[str, list[str]]:
    """One quotation of many lines (over 4,000 characters) with a changed digit in its middle."""
    lines = [case_line(i) for i in range(100 * scale)]
    wrong = list(lines)
    wrong[len(lines) // 2] = wrong[len(lines) // 2].replace("0.000976562", "0.000976563")
    return "\n".join(lines), ["\n".join(wrong)]


def near_duplicates(scale: int) -> tuple[str, list[str]]:
    """Thousands of alike lines, twenty quotations that are none of them."""
    lines = [case_line(i) for i in range(2000 * scale)]
    return "\n".join(lines), [case_line(i).replace("matched", "matches") for i in range(20)]


def repetitive(scale: int) -> tuple[str, list[str]]:
    """The same words over and over, and a quotation with one word too many."""
    text = "error: out of memory " * (4000 * scale)
    return text, ["error: out of memory " * (400 * scale) + "error: out of mercy"]


def unsegmented(scale: int) -> tuple[str, list[str]]:
    """Text without blanks, accented and Chinese, with one sign changed."""
    text = "é精度校验失败" * (6000 * scale)
    return text, ["é精度校验失败" * (800 * scale) + "é精度校验成功"]


def not_closed(scale: int) -> tuple[str, list[str]]:
    """A quotation of nothing but brackets and commas."""
    return "[[,]," * (8000 * scale), ["[[,]," * (1000 * scale) + "]]"]


GROWTH = (long_quotation, near_duplicates, repetitive, unsegmented, not_closed)


def measure_growth(runs: int) -> None:
    """Print the time at 1x, 2x, 4x as ratios to 1x."""
    print("checking quotations, time relative to 1x")
    for make in GROWTH:
        seconds = []
        for scale in SIZES:
            text, quoted = make(scale)
            evidence, quotes = evidence_of(text), [Quote(one) for one in quoted]
            seconds.append(
                median_seconds(
                    lambda evidence=evidence, quotes=quotes: check_quotations(
                        Corpus(evidence), quotes
                    ),
                    runs,
                )
            )
        shown = "  ".join(
            f"{scale}x {second / seconds[0]:5.2f}"
            for scale, second in zip(SIZES, seconds, strict=True)
        )
        print(f"  {make.__name__:18} {seconds[0]:7.3f} s   {shown}")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size-mb", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    measure_whole(options.size_mb, options.runs)
    measure_growth(options.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
