"""Tells commands that may have written files from those known to leave them alone.

A transcript shows the words of a command and what it printed, never what an interpreter or an
unknown tool wrote. What is not known to be harmless may have changed the code.
"""

from __future__ import annotations

import re

from summarizer.facts.shell import ShellStep

_HARMLESS_NAMES = """
[ test true false : cat tail head less more grep egrep fgrep rg ag ls ll dir tree stat file wc
sort uniq cut tr column nl fold rev diff cmp comm md5sum sha1sum sha256sum echo printf pwd cd
pushd popd dirname basename realpath readlink which type whereis command hash date sleep wait
ps pgrep top htop free df du uname hostname whoami id env printenv export unset set ulimit kill
pkill killall jobs bg fg exit return break continue read local declare alias seq jq yq xxd od
hexdump strings nm objdump readelf ldd c++filt npu-smi nvidia-smi lscpu lspci dmesg pip pip3
conda apt apt-get yum dnf npm mkdir touch chmod chown ping curl wget gdb history man info help
clear shopt trap bc expr mktemp sed tee cp mv rm install unlink
"""
_HARMLESS = frozenset(_HARMLESS_NAMES.split())
"""Commands that write no code, or whose writing is followed as file operations."""

_GIT_READING = """
status diff log show branch blame rev-parse ls-files ls-tree add commit config remote fetch
grep describe init tag push reflog shortlog cat-file rev-list version help
"""
_GIT_READS = frozenset(_GIT_READING.split())
_TREE_WIDE = frozenset({"patch", "git"})
"""Tools that write wherever their input or the index says."""

_BUILDS = re.compile(r"build_(?:ascendc|tilelang)\.py$")
"""The harness's own build scripts: they compile the code and leave it alone."""

_INTERPRETER = re.compile(r"(?:python(?:\d(?:\.\d+)?)?|perl|ruby|node)$")
_WRITES = re.compile(
    r"[\"'][rwaxbt]*[wax+][rwaxbt+]*[\"']|write|\bdump\(|\.save|to_csv|to_json|shutil"
    r"|rename|os\.replace|os\.remove|unlink|rmtree|subprocess|system\(|popen|\bexec|spawn"
    r"|fileinput|inplace|import_module|runpy|>",
    re.IGNORECASE,
)
_ENVIRONMENT = re.compile(r"env|activate|setvars|bashrc|profile", re.IGNORECASE)
_FIND_WRITES = frozenset({"-exec", "-execdir", "-delete", "-ok", "-okdir", "-fprint"})
_AWK_WRITES = re.compile(r">|system\s*\(|inplace")


def may_write(step: ShellStep) -> bool:
    """Whether a step may have changed files in a way that its words do not show."""
    name = step.name
    if name == "git":
        return _git_may_write(step)
    if name == "find":
        return any(word in _FIND_WRITES for word in step.argv)
    if name == "xargs":
        words = [word for word in step.argv[1:] if not word.startswith("-")]
        inner = next((word for word in words if not word.isdigit() and word != "{}"), "cat")
        return inner in {"sed", "cp", "mv", "rm"} or inner not in _HARMLESS
    if name in {"awk", "gawk", "mawk"}:
        return any(_AWK_WRITES.search(word) for word in step.argv[1:])
    if not name or name in _HARMLESS:
        return False
    if name in {"source", "."}:
        return not any(_ENVIRONMENT.search(word) for word in step.argv[1:2])
    if _INTERPRETER.match(name):
        return _code_may_write(step)
    return True


def writes_anywhere(step: ShellStep) -> bool:
    """Whether the tool writes files that its words need not name."""
    return step.name in _TREE_WIDE


def is_inline(step: ShellStep) -> bool:
    """Whether an interpreter runs code that stands in the command itself."""
    flags = any(word in {"-c", "-e", "-ne"} for word in step.argv[1:])
    return bool(_INTERPRETER.match(step.name)) and (flags or step.heredoc is not None)


def _git_may_write(step: ShellStep) -> bool:
    words = [word for word in step.argv[1:] if not word.startswith("-")]
    if not words or any(word in _GIT_READS for word in words[:2]):
        return False
    return words[:2] not in (["stash", "list"], ["stash", "show"], ["worktree", "list"])


def _code_may_write(step: ShellStep) -> bool:
    """Inline code that holds no word for writing only reads; a script's code is not seen."""
    words = step.argv[1:]
    if not words and step.heredoc is None:
        return any("<" in redirect.operator for redirect in step.redirects)
    if any(word in {"-V", "--version", "-h", "--help"} for word in words):
        return False
    if words[:2] in {("-m", "pip"), ("-m", "json.tool"), ("-m", "py_compile")}:
        return False
    if any(re.match(r"-\w*i", word) for word in words) and not step.name.startswith("python"):
        return True
    for index, word in enumerate(words):
        if word in {"-c", "-e", "-ne"} and index + 1 < len(words):
            return bool(_WRITES.search(words[index + 1]))
        if not word.startswith("-"):
            return not _BUILDS.search(word)
    return step.heredoc is None or bool(_WRITES.search(step.heredoc))
