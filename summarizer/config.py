"""Settings of `validate` that stand in a file; must not know the command line.

`trace-recorder.toml`, or the table `[tool.trace-recorder]` of pyproject.toml, nearest upwards
from the working directory. In one folder the former wins. Nothing is merged from further up.
"""

from __future__ import annotations

import fnmatch
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from summarizer.errors import InputError

OWN_FILE = "trace-recorder.toml"
PROJECT_FILE = "pyproject.toml"
_TABLE = "trace-recorder"
FORMATS = ("text", "json", "sarif", "github")
FAIL_ON = ("error", "warning")
_KEYS = (
    "select",
    "ignore",
    "fail-on",
    "profile",
    "format",
    "baseline-file",
    "per-file-ignores",
)


@dataclass(frozen=True, slots=True)
class Config:
    """What a file sets; None and empty mean that it does not."""

    path: Path | None = None
    """The file itself; None when there is none."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    profile: str | None = None
    output_format: str | None = None
    baseline_file: Path | None = None
    """Absolute; relative ones are taken from the folder of the file."""
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Pattern of a path, relative to the folder of the file -> codes, prefixes or names."""

    def ignored_for(self, trace: Path) -> tuple[str, ...]:
        """Codes that are not wanted for one trace, every pattern that fits taken together.

        A pattern without a slash is matched against each part of the path as well.
        """
        if self.path is None:
            return ()
        found: list[str] = []
        resolved = trace.resolve()
        try:
            relative = resolved.relative_to(self.path.resolve().parent)
        except ValueError:
            relative = resolved
        for pattern, codes in self.per_file_ignores.items():
            if _fits(relative, pattern):
                found += codes
        return tuple(dict.fromkeys(found))


def _fits(path: Path, pattern: str) -> bool:
    if fnmatch.fnmatchcase(path.as_posix(), pattern.removeprefix("./")):
        return True
    if "/" in pattern:
        return False
    return any(fnmatch.fnmatchcase(part, pattern) for part in path.parts)


def find_config(start: Path) -> Config:
    """Return the settings of the nearest file at or above a folder; empty ones without a file.

    Raises:
        InputError: the file cannot be read, is no TOML, or has an unknown key or a wrong value.
    """
    for folder in (start, *start.parents):
        own = folder / OWN_FILE
        if own.is_file():
            return read_config(own)
        project = folder / PROJECT_FILE
        # Most projects' files are none of ours: only one that names us is parsed.
        if project.is_file() and _TABLE in _text(project):
            found = read_config(project)
            if found.path is not None:
                return found
    return Config()


def read_config(path: Path) -> Config:
    """Read one file; of a pyproject.toml only our table, empty settings when it has none.

    Raises:
        InputError: as for `find_config`.
    """
    table: Any = _parse(path)
    where = str(path)
    if path.name == PROJECT_FILE:
        table = table.get("tool", {})
        table = table.get(_TABLE) if isinstance(table, dict) else None
        if table is None:
            return Config()
        where = f"{path}: [tool.{_TABLE}]"
    if not isinstance(table, dict):
        raise InputError(f"{where}: must be a table")
    for key in table:
        if key not in _KEYS:
            raise InputError(f"{where}: unknown key {key!r}; known are {', '.join(_KEYS)}")
    baseline = _word(table, "baseline-file", where)
    return Config(
        path=path,
        select=_codes(table.get("select", []), "select", where),
        ignore=_codes(table.get("ignore", []), "ignore", where),
        fail_on=_word(table, "fail-on", where, FAIL_ON),
        profile=_word(table, "profile", where),
        output_format=_word(table, "format", where, FORMATS),
        baseline_file=path.absolute().parent / baseline if baseline is not None else None,
        per_file_ignores=_per_file(table.get("per-file-ignores", {}), where),
    )


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from error


def _parse(path: Path) -> dict[str, Any]:
    toml = _toml_reader()
    text = _text(path)
    if toml is None:
        raise InputError(f"{path}: reading TOML needs Python 3.11 or the package tomli")
    try:
        value: dict[str, Any] = toml.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no TOML: {error}") from error
    return value


def _toml_reader() -> ModuleType | None:
    """`tomllib`, which Python has from 3.11 on, else the package it was made from."""
    for name in ("tomllib", "tomli"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _codes(value: object, key: str, where: str) -> tuple[str, ...]:
    """A list of texts, or one text with commas."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise InputError(f"{where}: {key!r} must be a list of rule codes")
    return tuple(part.strip() for part in parts if part.strip())


def _word(
    table: Mapping[str, Any], key: str, where: str, allowed: tuple[str, ...] = ()
) -> str | None:
    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise InputError(f"{where}: {key!r} must be a text")
    if allowed and value not in allowed:
        raise InputError(f"{where}: {key!r} is {value!r}; allowed are {', '.join(allowed)}")
    return value


def _per_file(value: object, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: 'per-file-ignores' must be a table of lists")
    return {
        pattern: _codes(codes, f"per-file-ignores.{pattern}", where)
        for pattern, codes in value.items()
    }
