"""Time of facts, notes, rendering and validation against a plain JSON decode, side by side.

Two sessions of the wanted size. `mixed`: the records of the real sessions under tests/readers,
again and again, and the bundled session's work once per 5 MB; target at most 4. `dense`: nothing
but the bundled session's work, more than a thousand rounds: the worst that can be thought of,
without a target.
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
    text = text.replace("toolu_", f"toolu_{number:05d}_")
    text = text.replace('"uuid":"', f'"uuid":"{number:05d}-')
    return text.replace('"id":"msg_', f'"id":"msg_{number:05d}_')


def records(path: Path) -> list[str]:
    """The lines of a transcript."""
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def real_records() -> list[str]:
    """Records of the real sessions among the test data (folders named by client version)."""
    found: list[str] = []
    for folder in sorted((ROOT / "tests/readers/fixtures/claude_code").iterdir()):
        for path in sorted(folder.rglob("*.jsonl")):
            if folder.name.startswith("v"):
                found.extend(_good(path))
    return found


def _good(path: Path) -> list[str]:
    lines = path.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    return [line for line in lines if line.startswith("{") and line.endswith("}")]


def grow(work: list[str], filler: list[str], target: Path, megabytes: int) -> None:
    """Write the work once per 5 MB and filler between, until the file has the wanted size."""
    size = number = 0
    next_work = 0
    with target.open("w", encoding="utf-8", errors="surrogateescape") as out:
        while size < megabytes * 1_000_000:
            due = not filler or size >= next_work
            next_work += 5_000_000 if due else 0
            text = copy_of(work if due else filler, number)
            size += len(text)
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
    with tempfile.TemporaryDirectory() as folder:
        example = copy_example(Path(folder))
        work = records(example.transcript)
        for name, filler in (("mixed", real_records()), ("dense", [])):
            big = Path(folder) / f"{name}.jsonl"
            grow(work, filler, big, options.size_mb)
            decode, ours, rounds = measure(example.output_dir, big, options.runs)
            print(f"{name}: {big.stat().st_size / 1e6:.0f} MB, {rounds} AscendC rounds")
            print(f"  json.loads over its lines      {decode:7.2f} s")
            print(f"  facts, notes, render, validate {ours:7.2f} s")
            print(f"  ratio {ours / decode:.2f}" + (" (target at most 4)" if filler else ""))
            big.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
