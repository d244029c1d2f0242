"""All kinds of faults, one injected at a time; imports nothing of what is measured."""

from __future__ import annotations

import random
from collections import defaultdict

from bench.accuracy import fault_numbers, fault_quotes, fault_structure, fault_words
from bench.accuracy.base import Base, Fault, Maker

MAKERS: tuple[Maker, ...] = (
    *fault_numbers.MAKERS,
    *fault_quotes.MAKERS,
    *fault_words.MAKERS,
    *fault_structure.MAKERS,
)


def faults_of(base: Base, seed: int, per_kind: int) -> list[Fault]:
    """Return at most `per_kind` faults of each kind for one genuine trace, always the same ones.

    A fault that leaves the text as it was is dropped.
    """
    by_kind: dict[str, list[Fault]] = defaultdict(list)
    for maker in MAKERS:
        rng = random.Random(f"{seed} {base.name} {maker.__name__}")
        for fault in maker(base, rng):
            if fault.text != base.text:
                by_kind[fault.kind].append(fault)
    rng = random.Random(f"{seed} {base.name}")
    chosen: list[Fault] = []
    for kind in sorted(by_kind):
        found = by_kind[kind]
        chosen += found if len(found) <= per_kind else rng.sample(found, per_kind)
    return chosen
