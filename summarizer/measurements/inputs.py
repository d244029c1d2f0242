"""Reads the Inputs block that reports print and store; must not know the rest of a report.

Source: `inputs[i]: list[n]` and `inputs[i][j]: Tensor(shape=(4, 8), dtype=torch.float32, ...)`, as
the verification and performance scripts print them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from summarizer.measurements._draft import ShapeFacts, elements_of

_INPUT = re.compile(r"inputs\[(\d{1,9})\][^:]{0,200}: (.*)$")
_TENSOR = re.compile(r"Tensor\(shape=(\([\d, ]{0,400}\)), dtype=(?:torch\.)?(\w+)")


def input_case(text: str) -> int | None:
    """Return the case number of a line of the block, None for any other line."""
    match = _INPUT.match(text)
    return int(match[1]) if match else None


def input_tensor(text: str) -> tuple[str, str] | None:
    """Return (shape, dtype) when a line of the block describes a tensor, else None."""
    match = _INPUT.match(text)
    tensor = _TENSOR.match(match[2]) if match else None
    return (tensor[1], tensor[2]) if tensor else None


def shapes_of_inputs(lines: Iterable[object]) -> dict[int, ShapeFacts]:
    """Return per case the first tensor's shape and dtype, and the elements of all its tensors."""
    tensors: dict[int, list[tuple[str, str]]] = {}
    for line in lines:
        if isinstance(line, str) and (index := input_case(line)) is not None:
            tensor = input_tensor(line)
            if tensor is not None:
                tensors.setdefault(index, []).append(tensor)
    return {index: facts_of_tensors(found) for index, found in tensors.items()}


def facts_of_tensors(tensors: list[tuple[str, str]]) -> ShapeFacts:
    """Return what a non-empty list of (shape, dtype) says of a case."""
    shape, dtype = tensors[0]
    return shape, dtype, sum(elements_of(item) for item, _ in tensors)
