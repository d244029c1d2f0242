"""Time of `trace-recorder --version` as a process against `python -c pass`, in turn."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 21


def once(command: list[str]) -> float:
    """Seconds of one process."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def main() -> int:
    """Measure in turn and print the ratio; target at most 6."""
    script = Path(sys.executable).parent / "trace-recorder"
    plain = [sys.executable, "-c", "pass"]
    ours = [str(script), "--version"]
    for command in (plain, ours):
        once(command)
    pairs = [(once(plain), once(ours)) for _ in range(RUNS)]
    base = statistics.median(pair[0] for pair in pairs)
    version = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    print(f"python -c pass           {base * 1000:6.1f} ms")
    print(f"trace-recorder --version {version * 1000:6.1f} ms")
    print(f"ratio {ratio:.2f} (target at most 6), {RUNS} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
