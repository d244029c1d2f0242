"""Finds and reads evaluation logs in an output directory; must not judge them.

Source: the evaluate wrappers write `.last_{ascendc,tilelang}_eval.{log,summary}`; archives keep
them without the dot; the meta documents name `eval_output.log`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from summarizer.errors import InputError
from summarizer.model.source import SourceFile

_NAME = re.compile(
    r"\.?last_(?P<kind>ascendc|tilelang)_eval\.(?P<form>log|summary)$|\.?eval_output\.log$"
)


@dataclass(frozen=True, slots=True)
class EvalLog:
    """One evaluation log as it was read."""

    text: str
    """Decoded as UTF-8; bytes that are none became U+DC80 to U+DCFF, so nothing is lost."""
    source: SourceFile
    kind: Literal["tilelang", "ascendc"] | None
    """From the file's name; None when the name does not say."""
    is_summary: bool
    """Whether it is the wrapper's summary, a selection of the log's last lines."""


def find_eval_logs(output_dir: str | Path) -> tuple[Path, ...]:
    """Return the evaluation logs directly inside `output_dir`, hidden or not, by name.

    Raises:
        InputError: The directory cannot be listed.
    """
    directory = Path(output_dir)
    try:
        return tuple(
            sorted(
                path for path in directory.iterdir() if _NAME.match(path.name) and path.is_file()
            )
        )
    except OSError as error:
        raise InputError(f"{directory}: cannot be listed: {error.strerror}") from error


def read_eval_log(path: str | Path) -> EvalLog:
    """Read one evaluation log whole.

    Raises:
        InputError: The file cannot be read.
    """
    file = Path(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    match = _NAME.match(file.name)
    kind = match["kind"] if match else None
    return EvalLog(
        text=data.decode("utf-8", errors="surrogateescape"),
        source=SourceFile(str(file), "eval_log", hashlib.sha256(data).hexdigest(), len(data)),
        kind="ascendc" if kind == "ascendc" else "tilelang" if kind == "tilelang" else None,
        is_summary=match is not None and match["form"] == "summary",
    )
