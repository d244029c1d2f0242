"""Turns a shell command line into the simple commands it runs, in order.

Parsing is done by tree-sitter's bash grammar, which survives half-written input. Knows nothing
of evaluators or transcripts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_MAX_DEPTH = 8
"""Nesting of `bash -c "bash -c ..."` that is followed."""

_MAX_LEVEL = 150
"""Nesting of groups that is followed; nobody types more, hostile input may."""

_WRAPPERS = {"nohup", "time", "sudo", "command", "exec", "builtin", "setsid", "unbuffer", "env"}
_WRAPPERS_WITH_VALUE = {"timeout", "nice", "ionice", "stdbuf", "taskset", "chrt", "numactl"}
_SHELLS = {"bash", "sh", "zsh", "dash"}
_TESTS = {"test", "[", "grep", "egrep", "cmp", "diff", "false", "which", "pgrep"}
"""Commands that are run to decide whether the next one is."""
_ASCII_ONLY = bytes(byte if byte < 0x80 else ord(".") for byte in range(256))
"""Beyond ASCII everything is part of a word to a shell, and never of a variable's name."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")


@dataclass(frozen=True, slots=True)
class Redirect:
    """One output or input redirection."""

    operator: str
    """`>`, `>>`, `<`, `&>`, `>|`, ..."""
    target: str


@dataclass(frozen=True, slots=True)
class ShellStep:
    """One simple command of a command line."""

    argv: tuple[str, ...]
    """Words after quote removal; variables set earlier in the same line are filled in, others
    stay as written."""
    cwd: str | None
    """Directory set by an earlier `cd` of the same line; None when there was none."""
    redirects: tuple[Redirect, ...] = ()
    heredoc: str | None = None
    """Body of a here-document with a quoted delimiter or without expansions; else None."""
    guarded_by: tuple[int, ...] = ()
    """Indices of steps joined in front of this one by `&&`."""
    alternative: bool = False
    """Runs only if something before it failed (`||`)."""
    conditional: bool = False
    """Inside `if`, `case` or a function body: may not have run at all."""
    tested: bool = False
    """Behind `[ ... ] &&`: ran only if the test held."""
    in_loop: bool = False
    piped_into: tuple[str, ...] = ()
    """Names of the commands behind it in its pipeline."""
    start: int = 0
    """Character offset in the command line."""

    @property
    def name(self) -> str:
        """Base name of the program."""
        return self.argv[0].rsplit("/", 1)[-1] if self.argv else ""


@dataclass(slots=True)
class _State:
    """What is known while walking the tree."""

    source: bytes
    steps: list[ShellStep]
    variables: dict[str, str]
    cwd: str | None
    depth: int
    """Nesting of inline scripts."""
    level: int = 0
    """Nesting in the syntax tree."""


@dataclass(frozen=True, slots=True)
class _Context:
    """How the part being walked is reached."""

    guarded_by: tuple[int, ...] = ()
    alternative: bool = False
    conditional: bool = False
    tested: bool = False
    in_loop: bool = False
    piped_into: tuple[str, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    heredoc: str | None = None


@functools.lru_cache(maxsize=1)
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def parse_command(command: str) -> tuple[ShellStep, ...]:
    """Return the simple commands of `command` in source order.

    Nested `bash -c '...'` and `eval '...'` are followed; here-document bodies, strings and
    comments never yield commands.
    """
    return tuple(_parse(command, None, {}, 0))


def _parse(command: str, cwd: str | None, variables: dict[str, str], depth: int) -> list[ShellStep]:
    # The grammar knows no lone surrogates and would split their bytes.
    source = _SURROGATES.sub("\ufffd", command).encode("utf-8")
    state = _State(source, [], dict(variables), cwd, depth)
    # The grammar's scanner hands code points to C functions that take bytes, and reads out of
    # bounds. Same length, so places in the tree are places in the source.
    _walk(_parser().parse(source.translate(_ASCII_ONLY)).root_node, state, _Context())
    return state.steps


def _walk(node: Node, state: _State, context: _Context) -> None:
    if state.level >= _MAX_LEVEL:
        return
    state.level += 1
    handler = _HANDLERS.get(node.type)
    if handler is not None:
        handler(node, state, context)
    else:
        for child in node.named_children:
            _walk(child, state, context)
    state.level -= 1


def _walk_list(node: Node, state: _State, context: _Context) -> None:
    """`a && b`, `a || b`: the right side is guarded by every step of the left one."""
    operator = next((c.type for c in node.children if c.type in {"&&", "||"}), "")
    children = node.named_children
    before = len(state.steps)
    _walk(children[0], state, context)
    left = tuple(range(before, len(state.steps)))
    tested = context.tested or _is_test(children[0]) or any(_tests(state.steps[i]) for i in left)
    for child in children[1:]:
        if operator == "&&":
            guards = context.guarded_by + left
            _walk(child, state, replace(context, guarded_by=guards, tested=tested))
        else:
            _walk(child, state, replace(context, alternative=True))


def _is_test(node: Node) -> bool:
    """Whether `[ ... ]` or `[[ ... ]]` decides the left side of a list."""
    return node.type == "test_command" or (
        node.type in {"list", "negated_command"} and any(_is_test(c) for c in node.named_children)
    )


def _tests(step: ShellStep) -> bool:
    return step.name in _TESTS


def _walk_pipeline(node: Node, state: _State, context: _Context) -> None:
    children = node.named_children
    names = [_pipeline_name(child, state) for child in children]
    for index, child in enumerate(children):
        behind = tuple(name for name in names[index + 1 :] if name)
        _walk(child, state, replace(context, piped_into=behind + context.piped_into))


def _pipeline_name(node: Node, state: _State) -> str:
    name = next((c for c in _descend(node) if c.type == "command_name"), None)
    return _text(name, state).rsplit("/", 1)[-1] if name is not None else ""


def _descend(node: Node) -> Iterator[Node]:
    """Depth-first, without recursion: trees of hostile input can be deep."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.named_children))


def _walk_subshell(node: Node, state: _State, context: _Context) -> None:
    """A subshell's `cd` and variables end with it."""
    cwd, variables = state.cwd, dict(state.variables)
    for child in node.named_children:
        _walk(child, state, context)
    state.cwd, state.variables = cwd, variables


def _walk_loop(node: Node, state: _State, context: _Context) -> None:
    for child in node.named_children:
        if child.type in {"do_group", "compound_statement"}:
            _walk(child, state, replace(context, in_loop=True))
        elif node.type == "while_statement":
            _walk(child, state, context)


def _walk_conditional(node: Node, state: _State, context: _Context) -> None:
    inner = replace(context, conditional=True)
    for index, child in enumerate(node.named_children):
        # The condition of an `if` is always run.
        first = index == 0 and node.type == "if_statement"
        _walk(child, state, context if first else inner)


def _walk_redirected(node: Node, state: _State, context: _Context) -> None:
    inner, tails = _redirects_of(node, state, context)
    body = node.child_by_field_name("body")
    before = len(state.steps)
    if body is not None and body.type in {"list", "pipeline"}:
        # The grammar hangs `a && b > f` on the whole list; bash binds it to `b`.
        _walk(body, state, context)
        if len(state.steps) > before:
            last = state.steps[-1]
            state.steps[-1] = replace(
                last, redirects=last.redirects + inner.redirects, heredoc=inner.heredoc
            )
    elif body is not None:
        _walk(body, state, inner)
    elif inner.redirects:
        state.steps.append(_step((), state, inner, node))
    # `cat <<EOF && next` hangs the rest of the line below the here-document.
    guards = context.guarded_by + tuple(range(before, len(state.steps)))
    for tail in tails:
        _walk(tail, state, replace(context, guarded_by=guards))


def _redirects_of(node: Node, state: _State, context: _Context) -> tuple[_Context, list[Node]]:
    """Return the context inside the redirections and what hangs behind a here-document."""
    redirects: list[Redirect] = list(context.redirects)
    heredoc = context.heredoc
    tails: list[Node] = []
    for child in node.named_children:
        if child.type == "file_redirect":
            redirects.append(_redirect(child, state))
        elif child.type == "heredoc_redirect":
            heredoc = _heredoc(child, state)
            for part in child.named_children:
                if part.type == "file_redirect":
                    redirects.append(_redirect(part, state))
                elif part.type in {"pipeline", "command", "list", "redirected_statement"}:
                    tails.append(part)
    return replace(context, redirects=tuple(redirects), heredoc=heredoc), tails


def _redirect(node: Node, state: _State) -> Redirect:
    operator = next((c.type for c in node.children if not c.is_named), ">")
    destination = node.child_by_field_name("destination")
    return Redirect(operator, _word(destination, state) if destination is not None else "")


def _heredoc(node: Node, state: _State) -> str | None:
    start = next((c for c in node.named_children if c.type == "heredoc_start"), None)
    body = next((c for c in node.named_children if c.type == "heredoc_body"), None)
    if body is None:
        return ""
    quoted = start is not None and _text(start, state)[:1] in {"'", '"', "\\"}
    if not quoted and any(child.is_named for child in body.children if "expansion" in child.type):
        return None
    return _text(body, state)


def _walk_assignment(node: Node, state: _State, context: _Context) -> None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is not None and value is not None:
        for part in _descend(value):
            if part.type == "command_substitution":
                _walk_subshell(part, state, context)
        state.variables[_text(name, state)] = _word(value, state)


def _walk_command(node: Node, state: _State, context: _Context) -> None:
    words: list[str] = []
    redirects = list(context.redirects)
    heredoc = context.heredoc
    for child in node.named_children:
        if child.type == "file_redirect":
            redirects.append(_redirect(child, state))
        elif child.type == "heredoc_redirect":
            heredoc = _heredoc(child, state)
        elif child.type == "herestring_redirect":
            continue
        else:
            for part in _descend(child):
                if part.type in {"command_substitution", "process_substitution"}:
                    _walk_subshell(part, state, replace(context, redirects=(), heredoc=None))
            words.append(_word(child, state))
    context = replace(context, redirects=tuple(redirects), heredoc=heredoc)
    _add_step(_unwrap(words), state, context, node)


def _add_step(words: list[str], state: _State, context: _Context, node: Node) -> None:
    if not words:
        return
    name = words[0].rsplit("/", 1)[-1]
    if name == "cd":
        target = next((w for w in words[1:] if not w.startswith("-")), None)
        if target is not None:
            state.cwd = _join(state.cwd, target)
        state.steps.append(_step(tuple(words), state, context, node))
        return
    script = _inline_script(name, words)
    if script is not None and state.depth < _MAX_DEPTH:
        _add_nested(script, state, context)
        return
    state.steps.append(_step(tuple(words), state, context, node))


def _add_nested(script: str, state: _State, context: _Context) -> None:
    offset = len(state.steps)
    for step in _parse(script, state.cwd, state.variables, state.depth + 1):
        guards = context.guarded_by + tuple(index + offset for index in step.guarded_by)
        state.steps.append(
            replace(
                step,
                guarded_by=guards,
                alternative=step.alternative or context.alternative,
                conditional=step.conditional or context.conditional,
                tested=step.tested or context.tested,
                in_loop=step.in_loop or context.in_loop,
                piped_into=step.piped_into + context.piped_into,
                redirects=step.redirects + context.redirects,
            )
        )


def _inline_script(name: str, words: list[str]) -> str | None:
    """The script of `bash -c '...'` or `eval ...`, else None."""
    if name == "eval":
        return " ".join(words[1:])
    if name not in _SHELLS:
        return None
    for index, word in enumerate(words[1:], 1):
        if not word.startswith("-"):
            return None
        if re.fullmatch(r"-[a-z]*c", word) and index + 1 < len(words):
            return words[index + 1]
    return None


def _step(words: tuple[str, ...], state: _State, context: _Context, node: Node) -> ShellStep:
    return ShellStep(
        argv=words,
        cwd=state.cwd,
        redirects=context.redirects,
        heredoc=context.heredoc,
        guarded_by=context.guarded_by,
        alternative=context.alternative,
        conditional=context.conditional,
        tested=context.tested,
        in_loop=context.in_loop,
        piped_into=context.piped_into,
        start=len(state.source[: node.start_byte].decode("utf-8", "replace")),
    )


def _unwrap(words: list[str]) -> list[str]:
    """Drop assignments and wrappers in front (`VAR=1 timeout 60 nohup bash x.sh`)."""
    while words:
        name = words[0].rsplit("/", 1)[-1]
        if _ASSIGNMENT.match(words[0]):
            words = words[1:]
        elif name in _WRAPPERS:
            words = words[1:]
            while words and words[0].startswith("-"):
                words = words[1:]
        elif name in _WRAPPERS_WITH_VALUE:
            words = words[1:]
            while words and words[0].startswith("-"):
                takes_value = words[0] in {"-s", "-k", "-n", "-c", "-p", "-o", "-i", "-e"}
                words = words[2:] if takes_value else words[1:]
            if name in {"timeout", "taskset", "chrt"}:
                words = words[1:]
        else:
            return words
    return words


def _join(base: str | None, path: str) -> str:
    if path.startswith(("/", "~", "$")) or base is None:
        return path
    return base.rstrip("/") + "/" + path


def _text(node: Node, state: _State) -> str:
    return state.source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _word(node: Node, state: _State) -> str:
    """The word after quote removal, with known variables filled in."""
    kind = node.type
    text = _text(node, state)
    if kind in {"command_name", "concatenation"} and node.named_children:
        return "".join(_word(child, state) for child in node.named_children)
    if kind == "raw_string":
        return text[1:-1]
    if kind == "string":
        return _expand(re.sub(r'\\([\\"$`])', r"\1", text[1:-1]), state)
    if kind in {"simple_expansion", "expansion"}:
        return _expand(text, state)
    if kind == "word":
        return _expand(re.sub(r"\\(.)", r"\1", text), state)
    return text


def _expand(text: str, state: _State) -> str:
    def known(match: re.Match[str]) -> str:
        return state.variables.get(match[1] or match[2], match[0])

    return _VARIABLE.sub(known, text)


def _skip(node: Node, state: _State, context: _Context) -> None:
    """Comments and function bodies run nothing by themselves."""


_HANDLERS: dict[str, Any] = {
    "list": _walk_list,
    "pipeline": _walk_pipeline,
    "subshell": _walk_subshell,
    "command_substitution": _walk_subshell,
    "for_statement": _walk_loop,
    "c_style_for_statement": _walk_loop,
    "while_statement": _walk_loop,
    "if_statement": _walk_conditional,
    "case_statement": _walk_conditional,
    "redirected_statement": _walk_redirected,
    "variable_assignment": _walk_assignment,
    "command": _walk_command,
    "function_definition": _skip,
    "comment": _skip,
}
