"""Measures the quotation matcher: time as a ratio to one `bytes.find`, and accuracy.

    python bench/bench_quotes.py [--mb 1 10 100] [--quotes 20 200 2000] [--naive] [--accuracy]

1 find is one `bytes.find` of an absent needle over the same evidence, in the same run; CPU time.
The quotations have 12 to 4,800 characters; the mix is 60 % verbatim, 20 % folded, 15 % altered or
elided, 5 % invented. numpy, if installed, is used above 20 MB.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.quotes.logs import make_evidence
from tests.quotes.mutants import Generator
from validators.quotes import Corpus, Quote, check_quotations
from validators.quotes.align import fuzz
from validators.quotes.exact import find_exact
from validators.quotes.scan import numpy_or_none, prefetch

FOLDED = ("rewrapped", "full_width", "backticks", "wider_blanks", "curly_quotes")
ALTERED = ("digit", "word_dropped", "identifier_typo", "unit")


def make_corpus(megabytes):
    """Evidence of about the given size; the first part is what quotations are drawn from."""
    made, size, seed = [], 0, 0
    while size < megabytes * 1e6:
        for item in make_evidence(seed, lines=300, cases=400):
            made.append(replace(item, id=f"E{len(made)}"))
            size += len(item.text.encode())
        seed += 1
    return made


def make_mix(evidence, count):
    """Labelled quotations in the mix of the module's docstring."""
    generator = Generator(evidence[:400], 3)
    rng = random.Random(5)
    cases = []
    while len(cases) < count:
        draw = rng.random()
        if draw < 0.4:
            case = generator.genuine("whole_line")
        elif draw < 0.6:
            case = rng.choice((generator.block, generator.long_block))()
        elif draw < 0.8:
            case = generator.genuine(rng.choice(FOLDED))
        elif draw < 0.88:
            case = generator.altered(rng.choice(ALTERED))
        elif draw < 0.9:
            case = generator.long_altered()
        elif draw < 0.95:
            case = generator.genuine("honest_ellipsis")
        else:
            case = generator.invented()
        if case:
            cases.append(case)
    return cases


def cpu(work):
    """CPU seconds of one call, and its result."""
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def one_find(data):
    return min(cpu(lambda: data.find(b"zq absent needle 0123 never there"))[0] for _ in range(5))


def bench_exact(evidence, find):
    corpus = Corpus(evidence)
    absent = [f"absent quotation number {i} of the list {i * 7919}" for i in range(200)]
    from validators.quotes.corpus import rank

    ranks = [rank(item, None, None) for item in evidence]

    def work():
        prefetch(corpus, (text.encode() for text in absent))
        return [find_exact(corpus, text, ranks) for text in absent]

    seconds, _ = cpu(work)
    print(f"  exact only, 200 absent             {seconds:8.3f} s {seconds / find:8.0f} finds")


def bench_mix(evidence, find, count):
    cases = make_mix(evidence, count)
    corpus = Corpus(evidence)
    quotes = [Quote(case.text) for case in cases]
    seconds, verdicts = cpu(lambda: check_quotations(corpus, quotes))
    right = sum(v.status.value in c.expected for v, c in zip(verdicts, cases, strict=True))
    print(
        f"  all verdicts, {count:5d} quotations     {seconds:8.3f} s {seconds / find:8.0f} finds"
        f"   right {right}/{count}"
    )
    return seconds


def bench_naive(evidence, ours, count):
    """`partial_ratio_alignment` over the whole evidence, on a few of the same quotations."""
    cases = make_mix(evidence, count)
    text = "\n".join(item.text for item in evidence)
    # Its time grows with the length, so long quotations are left out: a favour to it.
    some = [case for case in cases if len(case.text) <= 800]
    seconds, _ = cpu(lambda: [fuzz.partial_ratio_alignment(c.text, text) for c in some[:6]])
    whole = seconds / len(some[:6]) * count
    print(f"  naive alignment, {count} quotations     {whole:8.3f} s {whole / ours:8.1f} x slower")


def bench_accuracy(seeds, per_kind):
    wrong, misplaced, total, placed = Counter(), Counter(), Counter(), 0
    accepted = refused = 0
    for seed in range(seeds):
        evidence = make_evidence(1000 + seed)
        cases = Generator(evidence, 2000 + seed).cases(per_kind)
        quotes = [Quote(case.text, case.stage, case.round_no) for case in cases]
        for case, verdict in zip(cases, check_quotations(Corpus(evidence), quotes), strict=True):
            total[case.kind] += 1
            accepted += verdict.accepted and not case.genuine
            refused += case.genuine and not verdict.accepted
            wrong[case.kind] += verdict.status.value not in case.expected
            if case.evidence_id and verdict.evidence_ids:
                placed += 1
                misplaced[case.kind] += case.evidence_id not in verdict.evidence_ids
    count = sum(total.values())
    print(f"accuracy: {count} quotations of {len(total)} kinds")
    print(f"  altered accepted {accepted}, genuine refused {refused}")
    print(f"  verdicts {100 * (1 - sum(wrong.values()) / count):.2f} %", dict(+wrong))
    print(f"  places   {100 * (1 - sum(misplaced.values()) / placed):.2f} %", dict(+misplaced))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, nargs="*", default=[1, 10, 100])
    parser.add_argument("--quotes", type=int, nargs="*", default=[20, 200])
    parser.add_argument("--naive", action="store_true")
    parser.add_argument("--accuracy", action="store_true")
    parser.add_argument("--seeds", type=int, default=2)
    options = parser.parse_args()
    print("numpy", "is installed" if numpy_or_none() else "is not installed")
    for megabytes in options.mb:
        evidence = make_corpus(megabytes)
        data = Corpus(evidence).data
        find = one_find(data)
        print(f"{len(data) / 1e6:.1f} MB in {len(evidence)} items, 1 find = {1000 * find:.2f} ms")
        bench_exact(evidence, find)
        for count in options.quotes:
            seconds = bench_mix(evidence, find, count)
            if options.naive and count == options.quotes[0]:
                bench_naive(evidence, seconds, count)
    if options.accuracy:
        bench_accuracy(options.seeds, 20)


if __name__ == "__main__":
    main()
