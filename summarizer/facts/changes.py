"""Says what an edit changed, in names: which scope, which call became which, which values.

Everything it returns is text of the two versions; it interprets nothing. Must not know rounds.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from summarizer.facts.syntax import (
    calls_in,
    is_comment,
    language_of,
    scope_of_line,
    scopes,
    without_comment,
)
from summarizer.model.facts import ApiChange, FileOutline

_TOKEN = re.compile(
    r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\w*|\s+|[^\w\s]", re.UNICODE
)
_IDENTIFIER = re.compile(r"[A-Za-z_][\w:]*$")
_NUMBER = re.compile(r"[-+]?\d[\w.]*$")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\])?\s*=\s*[-+]?$")
_DECLARED = re.compile(
    r"^(?:(?:static|constexpr|const|inline|extern|mutable|auto|unsigned|template\s*<[^>]*>|"
    r"[A-Za-z_][\w:]*(?:<[^;=(]*>)?[*&]?)\s+)+([A-Za-z_]\w*)\s*(?:=|;|\{|\[)"
    r"|^#define\s+(\w+)|^(?:def|class|struct|using)\s+(\w+)|^([A-Za-z_]\w*)\s*=[^=]"
)
_NOT_DECLARED = frozenset({"return", "delete", "else", "goto", "throw", "case"})

SIMILAR_ENOUGH = 0.5
"""Share of equal tokens from which a removed and an added line count as one edited line when
both sides have as many lines."""

CLEARLY_SIMILAR = 0.85
"""The same when they have not: then a wrong partner is more likely than an edited line."""

MAX_DIFF_LINES = 6_000
"""Files longer than this are compared with difflib's junk heuristic on."""


class _Group(NamedTuple):
    """One place where the two versions differ."""

    scope: str | None
    removed: tuple[str, ...]
    added: tuple[str, ...]


def describe_change(before: str, after: str, path: str) -> tuple[ApiChange, ...]:
    """Return what changed between two whole versions of a file, grouped by scope."""
    old, new = before.splitlines(), after.splitlines()
    groups = []
    for i1, i2, j1, j2 in _different(old, new):
        scope = scope_of_line(after, path, j1) if j2 > j1 else scope_of_line(before, path, i1)
        groups.append(_Group(scope, tuple(old[i1:i2]), tuple(new[j1:j2])))
    return _by_scope(groups, path)


def _different(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the line ranges (0-based, half-open) in which two versions differ.

    An edit touches a small place of a file: equal lines at both ends are set aside first.
    """
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    a, b = old[start : len(old) - end], new[start : len(new) - end]
    junk = len(a) + len(b) > MAX_DIFF_LINES
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=junk).get_opcodes():
        if tag != "equal":
            yield i1 + start, i2 + start, j1 + start, j2 + start


def describe_fragments(edits: Iterable[tuple[str, str]], path: str) -> tuple[ApiChange, ...]:
    """Return what changed when only the replaced fragments are known, not the whole file."""
    groups = []
    for old_text, new_text in edits:
        old, new = old_text.splitlines(), new_text.splitlines()
        for i1, i2, j1, j2 in _different(old, new):
            scope = scope_of_line(new_text, path, j1) if j2 > j1 else None
            groups.append(_Group(scope, tuple(old[i1:i2]), tuple(new[j1:j2])))
    return _by_scope(groups, path)


def count_lines(before: str, after: str) -> tuple[int, int]:
    """Return (lines added, lines removed) between two versions."""
    added = removed = 0
    for i1, i2, j1, j2 in _different(before.splitlines(), after.splitlines()):
        removed += i2 - i1
        added += j2 - j1
    return added, removed


def outline(content: str, path: str) -> FileOutline:
    """Return what a new file contains: types, functions and calls in order of appearance."""
    lines = content.splitlines()
    found = scopes(content, path)
    called: list[str] = []
    if language_of(path) is not None:
        functions = {scope.name.rsplit("::", 1)[-1] for scope in found}
        for line in lines:
            if not is_comment(line, path):
                code = without_comment(line, path)
                called.extend(name for name in calls_in(code) if name not in functions)
    return FileOutline(
        lines=len(lines),
        types=_unique(scope.name for scope in found if scope.is_type),
        functions=_unique(scope.name for scope in found if not scope.is_type),
        calls=_unique(called),
    )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _by_scope(groups: Sequence[_Group], path: str) -> tuple[ApiChange, ...]:
    order: dict[str | None, list[_Group]] = {}
    for group in groups:
        order.setdefault(group.scope, []).append(group)
    described = []
    for scope, members in order.items():
        change = _describe_scope(scope, members, path)
        if change.removed_lines or change.added_lines:
            described.append(change)
    return tuple(described)


def _describe_scope(scope: str | None, groups: Sequence[_Group], path: str) -> ApiChange:
    replaced: list[tuple[str, str]] = []
    arguments: list[tuple[str, str, str]] = []
    values: list[tuple[str, str, str]] = []
    loose_removed: list[str] = []
    loose_added: list[str] = []
    removed_lines: list[str] = []
    added_lines: list[str] = []
    for group in groups:
        removed = [line.strip() for line in group.removed if line.strip()]
        added = [line.strip() for line in group.added if line.strip()]
        removed_lines.extend(removed)
        added_lines.extend(added)
        pairs, only_removed, only_added = _pair_lines(removed, added)
        loose_removed.extend(only_removed)
        loose_added.extend(only_added)
        for old, new in pairs:
            if not (is_comment(old, path) and is_comment(new, path)):
                _describe_line(old, new, replaced, arguments, values)
    removed_calls, added_calls = _call_difference(loose_removed, loose_added, path)
    return ApiChange(
        scope=scope,
        replaced=tuple(dict.fromkeys(replaced)),
        removed_calls=removed_calls,
        added_calls=added_calls,
        arguments=tuple(dict.fromkeys(arguments)),
        values=tuple(dict.fromkeys(values)),
        added_names=_declared(loose_added, path),
        removed_names=_declared(loose_removed, path),
        removed_lines=tuple(removed_lines),
        added_lines=tuple(added_lines),
        loose_removed=tuple(loose_removed),
        loose_added=tuple(loose_added),
    )


def _tokens(line: str) -> list[str]:
    return _TOKEN.findall(line)


def _pair_lines(
    removed: Sequence[str], added: Sequence[str]
) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Match edited lines in order; what finds no partner was really removed or added."""
    pairs: list[tuple[str, str]] = []
    only_added = list(added)
    only_removed: list[str] = []
    position = 0
    threshold = SIMILAR_ENOUGH if len(removed) == len(added) else CLEARLY_SIMILAR
    for old in removed:
        best, best_score = -1, threshold
        for index in range(position, len(only_added)):
            matcher = difflib.SequenceMatcher(
                None, _words(old), _words(only_added[index]), autojunk=False
            )
            score = matcher.ratio() if matcher.real_quick_ratio() >= best_score else 0.0
            if score > best_score:
                best, best_score = index, score
        if best < 0:
            only_removed.append(old)
            continue
        pairs.append((old, only_added.pop(best)))
        position = best
    return pairs, only_removed, only_added


def _words(line: str) -> list[str]:
    return [token for token in _tokens(line) if not token.isspace()]


class _Segment(NamedTuple):
    """A replaced stretch of one edited line, as character ranges."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def _segments(old: str, new: str) -> list[_Segment]:
    a, b = _tokens(old), _tokens(new)
    starts_a, starts_b = _offsets(a), _offsets(b)
    merged: list[_Segment] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        segment = _Segment(starts_a[i1], starts_a[i2], starts_b[j1], starts_b[j2])
        if merged:
            last = merged[-1]
            between = old[last.old_end : segment.old_start]
            # Stretches parted only by punctuation read as one change (`a.B` -> `c.D`).
            if len(between) <= 2 and not any(ch.isalnum() or ch in ",;(" for ch in between):
                merged[-1] = _Segment(
                    last.old_start, segment.old_end, last.new_start, segment.new_end
                )
                continue
        merged.append(segment)
    return merged


def _offsets(tokens: Sequence[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets


def _describe_line(
    old: str,
    new: str,
    replaced: list[tuple[str, str]],
    arguments: list[tuple[str, str, str]],
    values: list[tuple[str, str, str]],
) -> None:
    for segment in _segments(old, new):
        source = old[segment.old_start : segment.old_end].strip()
        target = new[segment.new_start : segment.new_end].strip()
        if not source and not target:
            continue
        assigned = _ASSIGNED.search(old[: segment.old_start])
        if assigned and _NUMBER.match(source) and _NUMBER.match(target):
            values.append((assigned[1], source, target))
        elif source and target:
            replaced.append((source, target))
        else:
            outer_old = _enclosing_call(old, segment.old_start)
            outer_new = _enclosing_call(new, segment.new_start)
            _describe_arguments(outer_old, outer_new, replaced, arguments)


def _describe_arguments(
    old: tuple[str, str] | None,
    new: tuple[str, str] | None,
    replaced: Sequence[tuple[str, str]],
    arguments: list[tuple[str, str, str]],
) -> None:
    """Something was only inserted or only taken out: say so for the call around it."""
    if old is None or new is None:
        return
    if old[0] == new[0] or (old[0], new[0]) in replaced:
        arguments.append((new[0], old[1], new[1]))


def _enclosing_call(line: str, position: int) -> tuple[str, str] | None:
    """Return (name, argument text) of the call around a character position."""
    depth = 0
    for index in range(position - 1, -1, -1):
        if line[index] == ")":
            depth += 1
        elif line[index] == "(":
            if depth:
                depth -= 1
                continue
            name = re.search(r"([A-Za-z_][\w:.]*)\s*(?:<[^()]*>)?\s*$", line[:index])
            if name is None:
                return None
            return name[1], line[index + 1 : _closing(line, index)]
    return None


def _closing(line: str, opening: int) -> int:
    depth = 0
    for index in range(opening, len(line)):
        if line[index] == "(":
            depth += 1
        elif line[index] == ")":
            depth -= 1
            if not depth:
                return index
    return len(line)


def _call_difference(
    removed: Sequence[str], added: Sequence[str], path: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    gone = [name for line in removed for name in _code_calls(line, path)]
    come = [name for line in added for name in _code_calls(line, path)]
    less, more = Counter(gone) - Counter(come), Counter(come) - Counter(gone)
    return (
        tuple(name for name in dict.fromkeys(gone) if less[name] > 0),
        tuple(name for name in dict.fromkeys(come) if more[name] > 0),
    )


def _code_calls(line: str, path: str) -> list[str]:
    return [] if is_comment(line, path) else calls_in(without_comment(line, path))


def _declared(lines: Sequence[str], path: str) -> tuple[str, ...]:
    names = []
    for line in lines:
        if is_comment(line, path):
            continue
        match = _DECLARED.match(line)
        if match is None or line.split(None, 1)[0] in _NOT_DECLARED:
            continue
        name = next(group for group in match.groups() if group)
        if _IDENTIFIER.match(name) and len(name) > 1:
            names.append(name)
    return _unique(names)
