"""Reads names off C++ and Python sources: scopes, types, functions, calls.

Uses tree-sitter, which accepts broken code. Must not know diffs or sessions.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

Language_ = Literal["cpp", "python"]

_CPP = {".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".hh", ".cu", ".asc", ".inl", ".inc"}
_PYTHON = {".py", ".pyi"}

MAX_PARSED_CHARS = 400_000
"""Sources above this size get no scopes; a hand-written kernel is far below."""

# fmt: off
KEYWORDS = frozenset({
    "if", "for", "while", "switch", "return", "sizeof", "alignof", "decltype", "catch",
    "defined", "typeid", "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast",
    "noexcept", "alignas", "throw", "new", "delete", "not", "and", "or", "in", "elif", "print",
    "assert", "except", "with", "lambda", "yield", "await", "super", "str", "int", "float",
    "len", "range", "isinstance", "list", "dict", "tuple", "set", "bool", "type",
})
# fmt: on
"""Words before a parenthesis that are no calls worth naming."""

_TAIL_COMMENT: dict[str, re.Pattern[str]] = {
    "cpp": re.compile(r"//.*$|/\*.*?\*/"),
    "python": re.compile(r"(?:^|\s)#.*$"),
}
_CALL = re.compile(r"([A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)*)\s*(?:<[\w\s:,*&]*>)?\s*\(")


@dataclass(frozen=True, slots=True)
class Scope:
    """A function, method or class with the lines it covers."""

    name: str
    first_line: int
    last_line: int
    """0-based, inclusive."""
    is_type: bool


def language_of(path: str) -> Language_ | None:
    """Return the grammar for a file name, None when there is none."""
    suffix = posixpath.splitext(path)[1].lower()
    if suffix in _CPP:
        return "cpp"
    if suffix in _PYTHON:
        return "python"
    return None


@functools.lru_cache(maxsize=2)
def _parser(language: Language_) -> Parser:
    from tree_sitter import Language, Parser

    if language == "cpp":
        import tree_sitter_cpp

        return Parser(Language(tree_sitter_cpp.language()))
    import tree_sitter_python

    return Parser(Language(tree_sitter_python.language()))


@functools.lru_cache(maxsize=64)
def scopes(text: str, path: str) -> tuple[Scope, ...]:
    """Return functions and types of a source text, outer before inner."""
    language = language_of(path)
    if language is None or len(text) > MAX_PARSED_CHARS:
        return ()
    source = text.encode("utf-8", "surrogatepass")
    found = []
    for node in _nodes(_parser(language).parse(source).root_node):
        name = _scope_name(node, source)
        if name:
            is_type = "class" in node.type or "struct" in node.type
            found.append(Scope(name, node.start_point[0], node.end_point[0], is_type))
    return tuple(found)


def _nodes(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.named_children))


def _scope_name(node: Node, source: bytes) -> str | None:
    if node.type in {"class_specifier", "struct_specifier", "class_definition"}:
        if node.child_by_field_name("body") is None:
            return None
        return _field_text(node, "name", source)
    if node.type == "function_definition":
        if (name := _field_text(node, "name", source)) is not None:
            return name
        return _declarator_name(node, source)
    return None


def _declarator_name(node: Node, source: bytes) -> str | None:
    """The name inside a C++ function declarator, without parameters."""
    current = node.child_by_field_name("declarator")
    while current is not None:
        inner = current.child_by_field_name("declarator")
        if inner is None:
            break
        current = inner
    if current is None:
        return None
    text = source[current.start_byte : current.end_byte].decode("utf-8", "replace")
    return text if len(text) <= 80 and "\n" not in text else None


def _field_text(node: Node, name: str, source: bytes) -> str | None:
    child = node.child_by_field_name(name)
    if child is None:
        return None
    return source[child.start_byte : child.end_byte].decode("utf-8", "replace")


def scope_of_line(text: str, path: str, line: int) -> str | None:
    """Return the innermost named scope around a 0-based line, None at file level."""
    best: Scope | None = None
    for scope in scopes(text, path):
        if scope.first_line <= line <= scope.last_line:
            narrower = best is None or (
                scope.last_line - scope.first_line <= best.last_line - best.first_line
            )
            if narrower:
                best = scope
    return best.name if best is not None else None


def calls_in(line: str) -> list[str]:
    """Return the names called in a piece of code, in order, keywords left out."""
    return [
        name
        for name in (match[1] for match in _CALL.finditer(line))
        if name.rsplit(".", 1)[-1] not in KEYWORDS and name not in KEYWORDS
    ]


def without_comment(line: str, path: str) -> str:
    """Return a line without the comment at its end."""
    return _TAIL_COMMENT[language_of(path) or "cpp"].sub("", line)


def is_comment(line: str, path: str) -> bool:
    """Whether a line holds nothing but a comment."""
    stripped = line.strip()
    if language_of(path) == "python":
        return stripped.startswith("#")
    return stripped.startswith(("//", "/*", "*"))
