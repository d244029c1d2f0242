"""Maps recorded paths onto the output directory and onto stages. Pure string work."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Literal

from summarizer.facts.commands import join_path

_EVALUATED = re.compile(
    r"(?:\.(?:cpp|cc|cxx|c|h|hpp|hh|inl|inc|cu|asc|py|cmake|in|sh|toml|cfg)$|^CMakeLists\.txt$)",
    re.IGNORECASE,
)
_TILELANG = re.compile(r"(?:^|/)(?:design/|model_new_tilelang\.py$)|tilelang", re.IGNORECASE)
_NOT_OURS = re.compile(r"(?:^|/)(?:trace\.md|debug_trace\.md)$|(?:^|/)kernel/build/")
_CASES = re.compile(r"\.json(?:\.\w+)*$|(?:^|/)model\.py(?:\.\w+)*$")
_REPORTS = re.compile(r"(?:^|/)(?:preformance|performance)\.json$")


Owner = Literal["cases", "tilelang", "ascendc"]
"""Whose work a file is."""


@dataclass(frozen=True, slots=True)
class TaskPaths:
    """Where the task's files lie, in the transcript's own spelling."""

    root: str
    """The output directory as the transcript spells it, absolute, without trailing slash."""

    def resolve(self, path: str, cwd: str | None) -> str:
        """Return an absolute path for a path as recorded."""
        return join_path(cwd, path)

    def relative(self, path: str) -> str | None:
        """Return the path below the output directory, None when it lies elsewhere."""
        if path == self.root:
            return "."
        if path.startswith(self.root + "/"):
            return path[len(self.root) + 1 :]
        return None

    def shown(self, path: str) -> str:
        """Return the relative path where there is one, else the path as it is."""
        return self.relative(path) or path

    def is_target(self, target: str | None, cwd: str | None) -> bool:
        """Whether an evaluator call is about this task.

        A target that cannot be resolved (a variable, a bare name) is ours unless it names
        another folder for certain.
        """
        if target is None or "$" in target:
            return True
        path = posixpath.normpath(join_path(cwd, target))
        if path == self.root or path.startswith(self.root + "/"):
            return True
        if self.root.startswith(path + "/") or not path.startswith("/"):
            return posixpath.basename(path) in {posixpath.basename(self.root), ".", ""}
        return posixpath.basename(path) == posixpath.basename(self.root)


def is_evaluated(relative: str) -> bool:
    """Whether a file below the output directory can take part in an evaluation."""
    name = posixpath.basename(relative)
    return bool(_EVALUATED.search(name)) and not _NOT_OURS.search(relative)


def is_judging(root: str, relative: str) -> bool:
    """Whether a kernel is judged by it: the reference `model.py`, the task's own case file."""
    return relative in {"model.py", f"{posixpath.basename(root)}.json"}


def is_trace(relative: str) -> bool:
    """Whether it is a trace, which no stage owns."""
    return bool(re.search(r"(?:^|/)(?:debug_)?trace\.md$", relative))


def is_case_file(relative: str) -> bool:
    """Whether it is a case file, a model with cases, or a backup of one."""
    return bool(_CASES.search(relative)) and not _REPORTS.search(relative)


def stage_of(relative: str) -> Owner | None:
    """Return the stage whose work a file is, None for files that say nothing."""
    if is_trace(relative) or _REPORTS.search(relative):
        return None
    if is_case_file(relative) and "/" not in relative:
        return "cases"
    if _TILELANG.search(relative):
        return "tilelang"
    return "ascendc"


def is_backup_of(backup: str, original: str) -> bool:
    """Whether one name is the other with a further ending (`x.json.bak` of `x.json`)."""
    return backup.startswith(original + ".") or backup == original + "~"
