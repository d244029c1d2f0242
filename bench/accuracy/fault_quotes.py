"""Faults in quotations: altered, stitched, invented, misplaced, given as another's."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from bench.accuracy.base import Base, Facts, Fault, Line, Maker, edited, swap_line

_PREFIX = re.compile(r"^[\s>]*")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
_IDENTIFIER = re.compile(r"[A-Za-z]+_[A-Za-z_]+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+")
_WORD = re.compile(r"[A-Za-z]{3,}")
_UNIT = re.compile(r"\b(bytes|ms|us|KB|MB)\b")
_FIELD = re.compile(r", (?:mean_abs_diff|max_abs_diff|MERE|MARE|mismatch_ratio)=[^,]+(?=,)")
_INLINE = re.compile(r"`([^`]{20,})`")
_PRINTED = re.compile(r"(?:error|Error)\b|approval|No such file|not found in file|exceeded")
_ANY = ("Q102", "Q101", "Q103", "Q104", "Q107")

Alter = Callable[[str, random.Random], "str | None"]


def known_lines(facts: Facts) -> set[str]:
    """Every line that the facts know to be printed."""
    found: set[str] = set()
    for stage in facts["stages"].values():
        for item in stage["rounds"]:
            for run in [item, *item["runs"]]:
                found.update(run["error_lines"])
                found.update(run["result_lines"])
    return found


def _at(match: re.Match[str], text: str, new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _pick(pattern: re.Pattern[str], text: str, rng: random.Random) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def digit(text: str, rng: random.Random) -> str | None:
    """One digit is another."""
    match = _pick(re.compile(r"\d"), text, rng)
    return _at(match, text, rng.choice("0123456789".replace(match[0], ""))) if match else None


def truncated(text: str, rng: random.Random) -> str | None:
    """A figure is rounded."""
    match = _pick(re.compile(r"\d+\.\d{3,}(?![\de])"), text, rng)
    return _at(match, text, f"{float(match[0]):.2f}") if match else None


def minus(text: str, rng: random.Random) -> str | None:
    """The sign of an exponent is lost."""
    match = _pick(re.compile(r"e-0?"), text, rng) if "e-0" in text else None
    return _at(match, text, "e+0") if match else None


def unit(text: str, rng: random.Random) -> str | None:
    """Another unit."""
    match = _pick(_UNIT, text, rng)
    return _at(match, text, "KB" if match[0] == "bytes" else "bytes") if match else None


def identifier(text: str, rng: random.Random) -> str | None:
    """Two letters of an identifier are exchanged."""
    match = _pick(_IDENTIFIER, text, rng)
    if match is None:
        return None
    name = match[0]
    places = [i for i in range(len(name) - 1) if name[i] != name[i + 1]]
    i = rng.choice(places)
    return _at(match, text, name[:i] + name[i + 1] + name[i] + name[i + 2 :])


def letter_case(text: str, rng: random.Random) -> str | None:
    """A letter of an identifier in the other case."""
    match = _pick(_IDENTIFIER, text, rng)
    if match is None:
        return None
    name = match[0]
    i = rng.choice([i for i, char in enumerate(name) if char.isalpha()])
    return _at(match, text, name[:i] + name[i].swapcase() + name[i + 1 :])


def negation(text: str, rng: random.Random) -> str | None:
    """A `not` is lost, a False is True."""
    for old, new in (
        ("was not ", "was "),
        (" not ", " "),
        ("=False", "=True"),
        ("No such", "Such"),
    ):
        if old in text:
            return text.replace(old, new, 1)
    return None


def order(text: str, rng: random.Random) -> str | None:
    """Two neighbouring words are exchanged."""
    words = text.split(" ")
    places = [i for i in range(1, len(words) - 2) if words[i] != words[i + 1] and words[i]]
    if not places:
        return None
    i = rng.choice(places)
    words[i], words[i + 1] = words[i + 1], words[i]
    return " ".join(words)


def dropped_word(text: str, rng: random.Random) -> str | None:
    """A word is left out without a mark."""
    words = text.split(" ")
    places = [i for i in range(1, len(words) - 1) if words[i]]
    if len(words) < 4 or not places:
        return None
    i = rng.choice(places)
    return " ".join(words[:i] + words[i + 1 :])


def added_word(text: str, rng: random.Random) -> str | None:
    """A word that nobody printed."""
    words = text.split(" ")
    if len(words) < 3:
        return None
    i = rng.randrange(1, len(words) - 1)
    return " ".join([*words[:i], "unexpectedly", *words[i:]])


def field_dropped(text: str, rng: random.Random) -> str | None:
    """A field of a report line is left out without a mark."""
    match = _pick(_FIELD, text, rng)
    return _at(match, text, "") if match else None


def roles_exchanged(text: str, rng: random.Random) -> str | None:
    """ref= and cand= of unlike figures exchanged; two figures of one line exchanged."""
    found = [m for m in _NUMBER.finditer(text) if "." in m[0]]
    pairs = [(a, b) for a, b in pairwise(found) if a[0] != b[0]]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    middle = text[first.end() : second.start()]
    return text[: first.start()] + second[0] + middle + first[0] + text[second.end() :]


def translated(text: str, rng: random.Random) -> str | None:
    """A word of the output is translated."""
    for old, new in (
        ("error", "错误"),
        ("requested", "申请"),
        ("passed", "通过"),
        ("fail", "失败"),
    ):
        if old in text:
            return text.replace(old, new, 1)
    return None


ALTERATIONS: dict[str, Alter] = {
    "quotation: digit": digit,
    "quotation: figure rounded": truncated,
    "quotation: sign of an exponent": minus,
    "quotation: unit": unit,
    "quotation: identifier": identifier,
    "quotation: letter case": letter_case,
    "quotation: negation": negation,
    "quotation: word order": order,
    "quotation: word dropped": dropped_word,
    "quotation: word added": added_word,
    "quotation: field dropped": field_dropped,
    "quotation: figures exchanged": roles_exchanged,
    "quotation: word translated": translated,
}


def _content(line: Line) -> tuple[str, str]:
    prefix = _PREFIX.match(line.text)
    assert prefix is not None
    return prefix[0], line.text[prefix.end() :]


def altered(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Every alteration of every fenced line."""
    known = known_lines(base.facts)
    for index, line in base.quoted():
        prefix, text = _content(line)
        for kind, alter in ALTERATIONS.items():
            wrong = alter(text, rng)
            if wrong and wrong != text and not any(wrong in genuine for genuine in known):
                yield swap_line(base, kind, index, prefix + wrong, _ANY, quotation=True)


def altered_inline(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The same for output quoted in a sentence."""
    known = known_lines(base.facts)
    for index, line in base.prose("tilelang", "ascendc", "full_validation"):
        for match in _INLINE.finditer(line.text):
            if not _PRINTED.search(match[1]):
                continue
            for kind, alter in ALTERATIONS.items():
                wrong = alter(match[1], rng)
                if not wrong or wrong == match[1] or any(wrong in one for one in known):
                    continue
                new = line.text[: match.start(1)] + wrong + line.text[match.end(1) :]
                yield swap_line(
                    base, f"{kind}, in a sentence", index, new, (*_ANY, "C301"), quotation=True
                )


def stitched(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The beginning of one line with the end of another."""
    quoted = list(base.quoted())
    known = known_lines(base.facts)
    for (index, line), (_, other) in pairwise(quoted):
        prefix, text = _content(line)
        end = _content(other)[1]
        first, second = text.split(", "), end.split(", ")
        if len(first) < 4 or len(second) < 4:
            continue
        wrong = ", ".join([*first[: len(first) // 2], *second[len(second) // 2 :]])
        if not any(wrong in one for one in known):
            yield swap_line(
                base, "quotation: stitched", index, prefix + wrong,
                ("Q103", "Q102", "Q101", "Q107"), quotation=True,
            )  # fmt: skip


INVENTED = {
    "invented line: range of cases": "[case 0-13: matched]",
    "invented line: count behind Result": "Result: fail (3/73)",
    "invented line: matched case": "case[0]: output[0]: matched, MERE=1.25e-07, MARE=3.5e-06",
    "invented line: summary": "Summary: 12 passed, 1 failed in 3.41s",
    "invented line: error": "RuntimeError: aclrtSynchronizeStream failed, error code 507015",
    "invented line: partial": "Result: pass (partial)",
}


def invented(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A line that nothing printed, among real ones in an excerpt or an error block."""
    known = known_lines(base.facts)
    for index, line in base.quoted():
        prefix, _ = _content(line)
        for kind, wrong in INVENTED.items():
            if wrong not in known:
                text, touched = edited(base, index, index, [prefix + wrong])
                yield Fault(
                    kind,
                    text,
                    touched,
                    ("Q101", "Q107", "Q102", "Q103", "Q104"),
                    "",
                    wrong,
                    True,
                    f"{index}",
                )


def verdict_lines(base: Base, rng: random.Random) -> Iterator[Fault]:
    """`Result: pass` for `Result: fail` and the other way round."""
    for index, line in base.quoted("excerpt"):
        for old, new in (("pass", "fail"), ("fail", "pass"), ("PASS", "FAIL"), ("FAIL", "PASS")):
            if line.text.endswith(old):
                wrong = line.text.removesuffix(old) + new
                codes = ("Q104", "Q102", "Q101", "S405")
                yield swap_line(base, "excerpt: verdict", index, wrong, codes, quotation=True)


def elsewhere(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A genuine line of one round under another."""
    for key in ("tilelang", "ascendc", "full_validation"):
        rounds = base.facts["stages"][key]["rounds"]
        lines = {r["round_no"]: set(_of_round(r)) for r in rounds}
        for index, line in base.quoted(key):
            prefix, text = _content(line)
            own = lines.get(line.round_no or 0, set())
            if text not in own:
                continue
            others = sorted(
                one
                for number, printed in lines.items()
                if number != line.round_no
                for one in printed - own
                if "case[" in one or "rror" in one
            )
            # A header that names several rounds covers them all.
            if others and "、第" not in _header(base, index):
                wrong = rng.choice(others)
                yield swap_line(
                    base, "quotation: of another round", index, prefix + wrong, ("Q104",),
                    quotation=True,
                )  # fmt: skip


def _header(base: Base, index: int) -> str:
    return next(
        (
            base.lines[i].text
            for i in range(index, -1, -1)
            if re.match(r"\s*(?:-|###) (?:第|Round)", base.lines[i].text)
        ),
        "",
    )


def _of_round(item: Facts) -> Iterator[str]:
    for run in [item, *item["runs"]]:
        yield from run["error_lines"]
        yield from run["result_lines"]


def excerpt_elsewhere(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The excerpt quotes an earlier evaluation."""
    quoted = list(base.quoted("excerpt"))
    if not quoted:
        return
    rounds = [r for key in ("tilelang", "ascendc", "full_validation")
              for r in base.facts["stages"][key]["rounds"]]  # fmt: skip
    last = set(_of_round(rounds[-1]))
    others = sorted({line for r in rounds[:-1] for line in r["error_lines"]} - last)
    start, stop = quoted[0][0], quoted[-1][0] + 1
    prefix = _content(quoted[0][1])[0]
    for other in others[:6]:
        text, touched = edited(base, start, stop, [prefix + other])
        yield Fault(
            "excerpt: of an earlier evaluation", text, touched, ("Q104",), "", other, True, other
        )


def agent_words(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The agent's words quoted as if a tool had printed them."""
    for index, line in base.quoted("ascendc", "excerpt", "full_validation"):
        prefix, _ = _content(line)
        for claim in base.facts["agent_claims_contradicted"]:
            text, touched = edited(base, index, index, [prefix + claim["text"]])
            yield Fault(
                "quotation: the agent's words", text, touched, ("Q105", "Q101", "Q104"), "",
                claim["text"], True, f"{index}",
            )  # fmt: skip


def statements(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The agent's words altered; the figures set against them."""
    for index, line in base.prose():
        for match in re.finditer(r"「([^」]+)」", line.text):
            said = match[1]
            for kind, wrong in (
                ("agent's words: digit", digit(said, rng)),
                (
                    "agent's words: word added",
                    said[: len(said) // 2] + "基本" + said[len(said) // 2 :],
                ),
                ("agent's words: cut without a mark", _cut_out(said)),
            ):
                if wrong and wrong != said:
                    new = line.text[: match.start(1)] + wrong + line.text[match.end(1) :]
                    yield swap_line(base, kind, index, new, ("C302",))
        start = line.text.find("日志：")
        if start > 0:
            figure = re.search(r"\d+(?:/\d+)?(?= 次|）|x| 轮|$)", line.text[start:])
            if figure:
                place = start + figure.start()
                wrong = digit(figure[0], rng) or ""
                new = line.text[:place] + wrong + line.text[start + figure.end() :]
                yield swap_line(base, "counter-evidence: figure", index, new, ("D507",))


def _cut_out(said: str) -> str | None:
    clauses = said.split("，")
    return "，".join([clauses[0], *clauses[2:]]) if len(clauses) > 2 else None


MAKERS: tuple[Maker, ...] = (
    altered,
    altered_inline,
    stitched,
    invented,
    verdict_lines,
    elsewhere,
    excerpt_elsewhere,
    agent_words,
    statements,
)
