"""Time of facts, notes, rendering and validation against a plain JSON decode, side by side.

Two sessions of the wanted size. `long outputs`: the bundled session's work a few times between
real compiler outputs of 10 to 30 KB, which is what makes real sessions large; target at most 4.
`dense`: nothing but the bundled session's work, again and again, more than a thousand rounds: the
worst that can be thought of, without a target.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from summarizer.example import copy_example
from summarizer.pipeline import SourceOptions, finish, gather


def copy_of(lines: list[str], number: int) -> str:
    """One copy of records with ids of its own."""
    text = "\n".join(lines) + "\n"
    text = text.replace("toolu_stub_", f"toolu_{number:05d}_")
    text = text.replace('"uuid":"', f'"uuid":"{number:05d}-')
    return text.replace('"id":"msg_', f'"id":"msg_{number:05d}_')


def records(path: Path) -> list[str]:
    """The lines of a transcript."""
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def grow(work: list[str], filler: list[str], target: Path, megabytes: int, every: int) -> None:
    """Write work and filler until the file has the wanted size; `every` copies of filler a work."""
    size = number = 0
    with target.open("w", encoding="utf-8") as out:
        while size < megabytes * 1_000_000:
            text = copy_of(work if number % every == 0 else filler, number)
            size += len(text.encode("utf-8"))
            out.write(text)
            number += 1


def measure(output_dir: Path, transcript: Path, runs: int) -> tuple[float, float, int]:
    """Median seconds of the plain decode and of our work, and the number of AscendC rounds."""
    lines = [line for line in transcript.read_bytes().split(b"\n") if line]
    decode: list[float] = []
    ours: list[float] = []
    rounds = 0
    for _ in range(runs):
        started = time.perf_counter()
        for line in lines:
            json.loads(line)
        decode.append(time.perf_counter() - started)
        gathered = gather(output_dir, SourceOptions(transcripts=(transcript,)))
        started = time.perf_counter()
        recorded = finish(gathered, profile=None)
        ours.append(time.perf_counter() - started)
        rounds = len(recorded.facts.stages["ascendc"].rounds)
    return statistics.median(decode), statistics.median(ours), rounds


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size-mb", type=int, default=50)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    long_outputs = next(
        (ROOT / "tests/sessions/claude-code_C_12_Softmax/projects").glob("*/*.jsonl")
    )
    with tempfile.TemporaryDirectory() as folder:
        example = copy_example(Path(folder))
        work = records(example.transcript)
        filler = [line for line in records(long_outputs) if '"toolu_stub_0017"' in line]
        for name, every in (("long outputs", 60), ("dense", 1)):
            big = Path(folder) / f"{name}.jsonl"
            grow(work, filler, big, options.size_mb, every)
            decode, ours, rounds = measure(example.output_dir, big, options.runs)
            print(f"{name}: {big.stat().st_size / 1e6:.0f} MB, {rounds} AscendC rounds")
            print(f"  json.loads over its lines      {decode:7.2f} s")
            print(f"  facts, notes, render, validate {ours:7.2f} s")
            print(f"  ratio {ours / decode:.2f}" + (" (target at most 4)" if every > 1 else ""))
            big.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
