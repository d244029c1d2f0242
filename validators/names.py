"""Decides whether a name or a piece of code occurs in a session; must not know rules.

Everything a tool printed, a file held, a change wrote or a command asked for counts; what the
agent said about itself does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from summarizer.model.evidence import Witness
from summarizer.model.facts import Facts
from summarizer.text.markdown import unshown
from validators.rule import CheckContext

_PRINTED = {witness for witness in Witness if witness.proves_quotation}
_NO_NAMES = {Witness.AGENT, Witness.INJECTED, Witness.FORMER_TRACE}
_SPLIT = re.compile(r"\s+(?:->|=>)\s+|\s*(?:→|⇒|\.\.\.|…)\s*")
_WORD = re.compile(r"[A-Za-z_][\w:.<>/-]*(?:\(\))?", re.ASCII)
_LIST = re.compile(r"\s*[,，、;；]\s*")
_PATH = re.compile(r"[\w.@+~-]*(?:/[\w.@+~<>{}-]*)+|[\w.+-]+\.[A-Za-z]\w{0,5}", re.ASCII)
_LINE_SUFFIX = re.compile(r"(?::\d+)+\Z")
_LETTER = re.compile(r"[A-Za-z]")
_CALL = re.compile(r"\(\s*\)\Z")
_SEPARATOR = "\x00"
_SHORTEST = 2
_SHORTEST_SQUEEZED = 4


class NameIndex:
    """The texts of a session in which names are looked up."""

    __slots__ = ("_known", "_layers", "_paths")

    def __init__(self, layers: Sequence[Sequence[str]], paths: frozenset[str]) -> None:
        """Index texts; `paths` are the files that the session is known to have touched.

        Args:
            layers: texts in the order in which they are worth searching; a later layer is
                prepared only when a name is in none of the earlier ones.
            paths: files.
        """
        self._layers = tuple(_Layer(texts) for texts in layers)
        self._paths = paths
        self._known: dict[str, bool] = {}

    def holds(self, name: str) -> bool:
        """Whether a name, a path or a fragment of code occurs, on token boundaries.

        White space may differ. `a -> b`, `a … b`, globs and lists hold when all their parts do.
        """
        name = name.strip()
        known = self._known.get(name)
        if known is None:
            known = not checkable(name) or self._one(name) or self._in_parts(name)
            self._known[name] = known
        return known

    def _in_parts(self, name: str) -> bool:
        return any(
            len(parts) > 1 and all(self._one(part) for part in parts) for parts in _parts(name)
        )

    def _one(self, name: str) -> bool:
        return any(self._path(form) or self._text(form) for form in _forms(name))

    def _path(self, name: str) -> bool:
        tail = "/" + " ".join(name.removeprefix("./").lstrip("/").split())
        return any(("/" + path).endswith(tail) for path in self._paths)

    def _text(self, name: str) -> bool:
        return any(layer.holds(name) for layer in self._layers)


class _Layer:
    """Some texts, with white space collapsed when they are first searched."""

    __slots__ = ("_collapsed", "_squeezed", "_texts")

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._collapsed: str | None = None
        self._squeezed: str | None = None

    def holds(self, name: str) -> bool:
        """Whether a name occurs on token boundaries, white space left aside."""
        if self._collapsed is None:
            self._collapsed = _SEPARATOR.join(" ".join(text.split()) for text in self._texts)
        needle = " ".join(name.split())
        if _bounded(self._collapsed, needle):
            return True
        if not re.search(r"\W", needle):
            return False
        squeezed = needle.replace(" ", "")
        if len(squeezed) < _SHORTEST_SQUEEZED:
            return False
        if self._squeezed is None:
            self._squeezed = self._collapsed.replace(" ", "")
        return _bounded(self._squeezed, squeezed)


def checkable(name: str) -> bool:
    """Whether a code span is a name at all: it has a letter and more than one character."""
    return len(name) >= _SHORTEST and _LETTER.search(name) is not None


def looks_like_path(name: str) -> bool:
    """Whether a code span is a file name or a path."""
    return _PATH.fullmatch(_LINE_SUFFIX.sub("", name)) is not None


def _parts(name: str) -> Iterator[list[str]]:
    """The pieces that `a -> b`, `a … b`, a glob or a list of names is made of."""
    yield [part for part in _SPLIT.split(name) if checkable(part)]
    if " " not in name:
        yield [part for part in name.split("*") if checkable(part)]
    listed = [part for part in _LIST.split(name) if part]
    if all(_WORD.fullmatch(part) for part in listed):
        yield listed


def _forms(name: str) -> Iterator[str]:
    yield name
    raw = unshown(name)
    if raw != name:
        yield raw
    without_call = _CALL.sub("", name)
    if without_call != name:
        yield without_call
    without_line = _LINE_SUFFIX.sub("", name)
    if without_line != name and looks_like_path(name):
        yield without_line


def _bounded(text: str, needle: str) -> bool:
    """Whether `needle` occurs in `text` without cutting a word at either end."""
    position = text.find(needle)
    while position >= 0:
        end = position + len(needle)
        before = text[position - 1] if position else " "
        after = text[end] if end < len(text) else " "
        if not (_joins(before, needle[0]) or _joins(needle[-1], after)):
            return True
        position = text.find(needle, position + 1)
    return False


def _joins(left: str, right: str) -> bool:
    return _wordy(left) and _wordy(right)


def _wordy(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


def name_index(context: CheckContext) -> NameIndex:
    """Everything in which a name may occur."""
    return context.once("names", lambda c: _build(c, _NO_NAMES))


def code_index(context: CheckContext) -> NameIndex:
    """Code and commands alone: what was written, read or asked for, and printed by no tool."""
    return context.once("code", lambda c: _build(c, _NO_NAMES | _PRINTED))


def _build(context: CheckContext, without: set[Witness]) -> NameIndex:
    # What was written and asked for is short and holds most names; outputs come last.
    code: dict[str, None] = {}
    printed: dict[str, None] = {}
    for item in context.evidence:
        if item.witness not in without:
            (printed if item.witness in _PRINTED else code)[item.text] = None
    known = _known_paths(context.facts) if context.facts is not None else ()
    # A code span shows the line ends and blanks of a path as one blank each.
    paths = frozenset(" ".join(path.split()) for path in known)
    return NameIndex((tuple(code), tuple(printed)), paths)


def _known_paths(facts: Facts) -> Iterator[str]:
    for stage in facts.stages.values():
        changes = list(stage.pending_changes)
        edits = list(stage.pending_failed_edits)
        for item in stage.rounds:
            changes += item.changed_files
            edits += item.failed_edits
        for change in changes:
            yield change.path
            if change.from_path is not None:
                yield change.from_path
        yield from (edit.path for edit in edits)
    yield from facts.performance.stale_because
    for dead in facts.dead_ends:
        yield from dead.files
    yield from (source.path for source in facts.sources)
