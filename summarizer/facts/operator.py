"""Establishes which operator a session was about and what kind of kernel it wrote.

Source: the description path in the first prompt (`{BENCH}/level{L}/{id}_{Name}.py`), else the
folder's name; the type from the kernel sources.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from summarizer.model.events import InjectedText, ReadResult, UserMessage
from summarizer.model.facts import Operator

_DESCRIPTION = re.compile(r"([^\s，,；;\"'`]*?level(\d+)/(\d+)_([A-Za-z_]\w*)\.(?:py|json|md))")
_LEVEL_AND_ID = re.compile(r"(?:^|/)level(\d+)/(\d+)_([A-Za-z_]\w*)(?:/|$)")
_FOLDER = re.compile(r"(\d+)_([A-Za-z_]\w*)$")
_TASK = re.compile(r"\d+_\w+", re.ASCII)

_CUBE = re.compile(
    r"\b(?:Mmad|LoadData|LoadDataWithTranspose|Fixpipe|MatmulImpl|Matmul|REGIST_MATMUL_OBJ|"
    r"IterateAll|IterateBatch|Conv2D|Gemm)\b"
)
_VECTOR = re.compile(
    r"\b(?:Adds?|Subs?|Muls?|Divs?|Exp|Ln|Sqrt|Rsqrt|Reciprocal|Abs|Relu|LeakyRelu|Maxs?|Mins?|"
    r"Cast|Duplicate|Select|Compare|CompareScalar|ReduceSum|ReduceMax|ReduceMin|WholeReduceSum|"
    r"BlockReduceSum|Tanh|Erf|Sigmoid|Power|Axpy|Gather|Sort32|Not|And|Or|ShiftLeft|ShiftRight|"
    r"Neg|Sign|Floor|Ceil|Round|GetValue|SetValue|DataCopyPad|DataCopy)\s*(?:<[^<>()]*>)?\("
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)


def is_task_folder(name: str) -> bool:
    """Whether a name has the form of a problem's folder, number and name: `31_ELU`."""
    return _TASK.fullmatch(name) is not None


def find_operator(session: ReadResult | None, output_dir: str) -> Operator:
    """Return name, level and id as far as a source says them.

    Args:
        session: the transcript, None without one.
        output_dir: the output directory's path.
    """
    folder = posixpath.basename(output_dir.rstrip("/"))
    named = _FOLDER.match(folder)
    match = _from_prompt(session, folder) or _LEVEL_AND_ID.search(output_dir + "/")
    if match is not None:
        groups = match.groups()[-3:]
        level, number, name = int(groups[0]), int(groups[1]), groups[2]
        return Operator(name=name, folder=folder, level=level, problem_id=number)
    if named is not None:
        return Operator(name=named[2], folder=folder, problem_id=int(named[1]))
    return Operator(name=folder or None, folder=folder or None)


def _from_prompt(session: ReadResult | None, folder: str) -> re.Match[str] | None:
    """The description path of the first prompt; among several the one of this folder."""
    if session is None:
        return None
    for event in session.events:
        if not isinstance(event, (UserMessage, InjectedText)) or event.agent_id is not None:
            continue
        matches = list(_DESCRIPTION.finditer(event.text))
        own = [m for m in matches if f"{m[3]}_{m[4]}" == folder]
        if own or matches:
            return (own or matches)[0]
        if isinstance(event, UserMessage):
            return None
    return None


def kernel_type(sources: Iterable[str]) -> str | None:
    """Return `vector`, `cube` or `cv`, None when the sources do not decide it.

    Comments and string literals are ignored, so that a mention decides nothing.
    """
    cube = vector = False
    for text in sources:
        code = _COMMENT.sub(" ", text)
        cube = cube or _CUBE.search(code) is not None
        vector = vector or _VECTOR.search(code) is not None
    if cube:
        return "cv" if vector and cube and _mixes(sources) else "cube"
    return "vector" if vector else None


_COMPUTE = re.compile(
    r"\b(?:Adds?|Muls?|Exp|ReduceSum|ReduceMax|Cast|Relu|Maxs?|Mins?|Div|Sub)\s*(?:<[^<>()]*>)?\("
)


def _mixes(sources: Iterable[str]) -> bool:
    """Whether cube code stands beside vector arithmetic, not only beside data movement."""
    return any(_COMPUTE.search(_COMMENT.sub(" ", text)) for text in sources)
