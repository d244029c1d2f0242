"""Measures the transcript reader against plain `json.loads` over the same lines.

    python bench/bench_reading.py [--size-mb 100] [--rounds 5]

A transcript of the wanted size is made by repeating recorded sessions of the test data with fresh
record and call ids. Time: one process, both candidates in turn, medians. Memory: one fresh
process per measurement, peak resident set above that of an empty Python process.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TIME_TARGET = 1.5
MEMORY_TARGET = 2.5
_RECORD_ID = re.compile(
    r'("(?:uuid|parentUuid|sourceToolAssistantUUID|logicalParentUuid)":")[0-9a-f]{8}(?=-)'
)
_CALL = re.compile(r"\btoolu_\w+")
_MESSAGE = re.compile(r"\bmsg_\w+")
_YEAR = re.compile(r'("timestamp":")\d{4}')


def source_lines() -> list[str]:
    """All lines of the recorded sessions below tests/, in a fixed order."""
    found = []
    for number, path in enumerate(sorted((ROOT / "tests").rglob("*.jsonl"))):
        if path.parent.name.startswith(("malformed", "synthetic")):
            continue
        for line in path.read_bytes().split(b"\n"):
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and "sessionId" in record:
                found.append(line.decode().replace("toolu_", f"toolu_{number}_"))
    if not found:
        raise SystemExit("no recorded sessions below tests/")
    return found


def refreshed(line: str, copy: int) -> str:
    """The line as it would stand in another session: other ids, another year."""
    line = _RECORD_ID.sub(rf"\g<1>{copy:08x}", line)
    line = _CALL.sub(rf"\g<0>_{copy}", line)
    line = _MESSAGE.sub(rf"\g<0>_{copy}", line)
    return _YEAR.sub(rf"\g<1>{2100 + copy % 7000}", line)


def write_transcript(path: Path, size: int) -> None:
    """Repeats the lines with fresh ids and rising times until the file has `size` bytes."""
    lines = source_lines()
    written = copy = 0
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        while written < size:
            copy += 1
            for line in lines:
                written += stream.write(refreshed(line, copy) + "\n")
                if written >= size:
                    break


def plain(path: Path) -> int:
    """Decodes every line and keeps nothing."""
    count = 0
    with path.open("rb") as stream:
        for line in stream:
            json.loads(line)
            count += 1
    return count


def reader(path: Path) -> int:
    """Reads the file as the product does."""
    from summarizer.readers import read_transcripts

    return len(read_transcripts([path]).events)


def peak_above_empty(path: Path, what: str) -> int:
    """Peak bytes of a fresh process that runs one candidate, above an empty process."""
    return _peak([what, str(path)]) - _peak(["empty", str(path)])


def _peak(arguments: list[str]) -> int:
    command = [sys.executable, __file__, "--child", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout)


def _peak_of_this_process() -> int:
    """Peak resident set, bytes (`VmHWM`: `ru_maxrss` would carry over the parent's peak)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def child(what: str, path: str) -> None:
    """Runs one candidate and prints the peak resident set in bytes."""
    if what == "reader":
        from summarizer.readers import read_transcripts

        result = read_transcripts([path])
        assert result.events
    print(_peak_of_this_process())


def main() -> int:
    """Prints both ratios; exit status 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size-mb", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--child", nargs=2, metavar=("WHAT", "PATH"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        write_transcript(path, options.size_mb * 1_000_000)
        size = path.stat().st_size
        print(f"transcript: {size / 1e6:.1f} MB, {plain(path)} lines, {reader(path)} events")
        times: dict[str, list[float]] = {"json.loads": [], "read_transcripts": []}
        for _ in range(options.rounds):
            for name, run in (("json.loads", plain), ("read_transcripts", reader)):
                begin = time.perf_counter()
                run(path)
                times[name].append(time.perf_counter() - begin)
        medians = {name: statistics.median(values) for name, values in times.items()}
        for name, values in times.items():
            listed = " ".join(f"{value:.2f}" for value in values)
            print(f"{name:17} median {medians[name]:.2f} s  ({listed})")
        ratio = medians["read_transcripts"] / medians["json.loads"]
        memory = peak_above_empty(path, "reader") / size
    print(f"time ratio {ratio:.2f} (target <= {TIME_TARGET})")
    print(f"peak memory {memory:.2f} x file size (target <= {MEMORY_TARGET})")
    return int(ratio > TIME_TARGET or memory > MEMORY_TARGET)


if __name__ == "__main__":
    sys.exit(main())
