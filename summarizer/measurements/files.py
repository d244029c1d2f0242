"""Finds performance files in an output directory; must not read them.

Source: `preformance.json` (sic) and `performance.json` of P2 and P3, `.last_performance.log` and
`.summary` of the wrapper, `perf_<time>/summary.{md,csv}` of the full-case script,
`perf_result.json` of CANNBot. Archives keep hidden files without their dot.
"""

from __future__ import annotations

import re
from pathlib import Path

from summarizer.errors import InputError

_NAME = re.compile(
    r"p(?:re|er)formance\.json$|perf_result\.json$|\.?last_performance\.(?:log|summary)$"
)
_FULL_CASE_FOLDER = re.compile(r"perf_\d{8}_\d{6}$")
_FULL_CASE_NAMES = ("summary.md", "summary.csv")


def find_odd_performance_files(output_dir: str | Path) -> tuple[Path, ...]:
    """Return what has the name of a performance file and is none: a folder, a pipe, a dead link.

    Raises:
        InputError: The directory cannot be listed.
    """
    directory = Path(output_dir)
    try:
        entries = sorted(directory.iterdir())
        return tuple(path for path in entries if _NAME.match(path.name) and not path.is_file())
    except OSError as error:
        raise InputError(f"{directory}: cannot be listed: {error.strerror}") from error


def find_performance_files(output_dir: str | Path) -> tuple[Path, ...]:
    """Return the performance files of an output directory, JSON first, then logs, then folders.

    Raises:
        InputError: The directory cannot be listed.
    """
    directory = Path(output_dir)
    try:
        entries = sorted(directory.iterdir())
        found = [path for path in entries if _NAME.match(path.name) and path.is_file()]
        folders = [path for path in entries if _FULL_CASE_FOLDER.match(path.name) and path.is_dir()]
    except OSError as error:
        raise InputError(f"{directory}: cannot be listed: {error.strerror}") from error
    stored = [path for path in found if path.suffix == ".json"]
    logs = [path for path in found if path.suffix != ".json"]
    tables = [
        folder / name
        for folder in folders
        for name in _FULL_CASE_NAMES
        if (folder / name).is_file()
    ]
    return (*stored, *logs, *tables)
