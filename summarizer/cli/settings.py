"""What `validate` was asked for: the command line, and the configuration file behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from summarizer.errors import InputError
from summarizer.model.finding import Severity


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line and the configuration file say together."""

    select: tuple[str, ...]
    ignore: tuple[str, ...]
    ignored_for: dict[Path, tuple[str, ...]]
    """Trace -> further codes that the configuration ignores for it."""
    profile: str | None
    output_format: str
    fail_on: Severity
    baseline: Path | None
    write_baseline: bool
    statistics: bool
    fix: bool
    unsafe: bool
    diff: bool


def read_settings(given: dict[str, Any], files: Sequence[Path]) -> Settings:
    """Join the command line, which wins, with the nearest configuration file.

    Args:
        given: The values of `options.lint_options`.
        files: The traces that are linted.

    Raises:
        InputError: the configuration is wrong, or options exclude each other.
    """
    from summarizer.config import Config, find_config, read_config

    if given["isolated"]:
        config = Config()
    elif given["config"] is not None:
        config = read_config(given["config"])
    else:
        config = find_config(Path.cwd())
    baseline = given["baseline_file"] or config.baseline_file
    _refuse_contradictions(given, baseline)
    settings = Settings(
        select=_codes(given["select"]) or config.select,
        ignore=_codes(given["ignore"]) or config.ignore,
        ignored_for={path: config.ignored_for(path) for path in files},
        profile=given["profile"] or config.profile,
        output_format=given["output_format"] or config.output_format or "text",
        fail_on=Severity(given["fail_on"] or config.fail_on or "error"),
        baseline=baseline,
        write_baseline=given["write_baseline"],
        statistics=given["statistics"],
        fix=given["fix"],
        unsafe=given["unsafe_fixes"],
        diff=given["diff"],
    )
    _known_codes(settings, config.path)
    return settings


def _refuse_contradictions(given: dict[str, Any], baseline: Path | None) -> None:
    if given["fix"] and given["diff"]:
        raise InputError("--fix and --diff exclude each other: --diff only shows the changes")
    if given["unsafe_fixes"] and not (given["fix"] or given["diff"]):
        raise InputError("--unsafe-fixes needs --fix, or --diff to see them only")
    if given["write_baseline"] and baseline is None:
        raise InputError("--write-baseline needs --baseline-file FILE")
    if given["write_baseline"] and (given["fix"] or given["diff"]):
        raise InputError("--write-baseline and --fix or --diff exclude each other")


def _known_codes(settings: Settings, config: Path | None) -> None:
    """Refuse a code of no rule once, before any work is done."""
    from validators.registry import RETIRED_CODES, RULES

    per_file = [code for codes in settings.ignored_for.values() for code in codes]
    for wanted in (*settings.select, *settings.ignore, *per_file):
        if any(rule.code.startswith(wanted.upper()) or rule.name == wanted for rule in RULES):
            continue
        retired = " (retired)" if wanted.upper() in RETIRED_CODES else ""
        where = f" (options and {config})" if config is not None else ""
        raise InputError(f"no rule {wanted!r}{retired}{where}; `trace-recorder rule` lists all")


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())
