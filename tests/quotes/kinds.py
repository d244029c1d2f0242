"""The kinds of genuine and false quotations: line of the evidence -> quoted text, or None.

Shares no code with the matcher.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.quotes.logs import DTYPES

Maker = Callable[[str, random.Random], "str | None"]


def _sub(pattern: str, change: Callable[[re.Match[str], random.Random], str]) -> Maker:
    def make(line: str, rng: random.Random) -> str | None:
        found = list(re.finditer(pattern, line))
        if not found:
            return None
        match = rng.choice(found)
        return line[: match.start()] + change(match, rng) + line[match.end() :]

    return make


def _other_digit(match: re.Match[str], rng: random.Random) -> str:
    return rng.choice([d for d in "123456789" if d != match.group()])


def _swap_case(match: re.Match[str], _rng: random.Random) -> str:
    return match.group().swapcase()


def _typo(match: re.Match[str], rng: random.Random) -> str:
    word = match.group()
    i = rng.randrange(1, len(word) - 1)
    return word[:i] + ("q" if word[i] != "q" else "z") + word[i + 1 :]


def _fixed(new: str) -> Callable[[re.Match[str], random.Random], str]:
    return lambda _match, _rng: new


def _slice(line: str, rng: random.Random) -> str | None:
    words = [m.span() for m in re.finditer(r"\S+", line)]
    if len(words) < 5:
        return None
    first = rng.randrange(len(words) - 3)
    last = rng.randrange(first + 2, len(words))
    if first and re.search(r"(?:\b(?:no|not|never|without)|n't)\s*$", line[: words[first][0]]):
        return None
    return line[words[first][0] : words[last][1]]


def _drop_word(line: str, rng: random.Random) -> str | None:
    words = line.split(" ")
    inner = [i for i in range(1, len(words) - 1) if re.search(r"[A-Za-z]{3}", words[i])]
    if not inner:
        return None
    del words[rng.choice(inner)]
    return " ".join(words)


def _swap_words(line: str, rng: random.Random) -> str | None:
    words = line.split(" ")
    inner = [
        i
        for i in range(len(words) - 1)
        if re.search(r"\w", words[i])
        and re.search(r"\w", words[i + 1])
        and words[i] != words[i + 1]
    ]
    if not inner:
        return None
    i = rng.choice(inner)
    words[i], words[i + 1] = words[i + 1], words[i]
    return " ".join(words)


def _swap_numbers(line: str, rng: random.Random) -> str | None:
    found = list(re.finditer(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", line))
    if len(found) < 2:
        return None
    one, two = sorted(rng.sample(found, 2), key=lambda m: m.start())
    if one.group() == two.group():
        return None
    return (
        line[: one.start()]
        + two.group()
        + line[one.end() : two.start()]
        + one.group()
        + line[two.end() :]
    )


def _hide(pattern: str) -> Maker:
    def make(line: str, rng: random.Random) -> str | None:
        match = re.search(pattern, line)
        if not match or match.start() < 8 or match.end() > len(line) - 6:
            return None
        return (
            line[: match.start()].rstrip()
            + rng.choice([" … ", " ... "])
            + line[match.end() :].lstrip()
        )

    return make


def _cut_number(line: str, _rng: random.Random) -> str | None:
    found = list(re.finditer(r"\d+\.\d{3,}", line))
    return line[: found[-1].end() - 1] if found else None


_NEGATIVE = r"\b(?:no|not|never|without|fail\w*)\b|n't|[不未无没非]|失败"


def _honest(line: str, rng: random.Random) -> str | None:
    words = [m.span() for m in re.finditer(r"\S+", line)]
    options = [
        (i, j)
        for i in range(1, len(words) - 2)
        for j in range(i + 1, min(i + 6, len(words) - 1))
        if not re.search(_NEGATIVE, line[words[i][0] : words[j - 1][1]], re.IGNORECASE)
    ]
    if not options:
        return None
    i, j = rng.choice(options)
    mark = rng.choice([" … ", " ... ", " [...] ", "…"])
    return line[: words[i - 1][1]] + mark + line[words[j][0] :]


def _fullwidth(line: str, _rng: random.Random) -> str | None:
    new = line.translate(str.maketrans(",:();", "，：（）；"))
    return new if new != line else None


def halfwidth(line: str, _rng: random.Random) -> str | None:
    new = line.translate(str.maketrans("，：（）", ",:()"))
    return new if new != line else None


def _curly(line: str, _rng: random.Random) -> str | None:
    new = line.translate(str.maketrans("'\"‘’", "’”''"))
    return new if new != line else None


def _redact(line: str, rng: random.Random) -> str | None:
    words = [m for m in re.finditer(r"[A-Za-z0-9_/]{9,}", line)]
    if not words:
        return None
    match = rng.choice(words)
    return line[: match.start()] + "[redacted:secret-1]" + line[match.end() :]


def _shorten_path(line: str, _rng: random.Random) -> str | None:
    match = re.search(r"/home/[\w/]*?(?=/(?:kernel|op_kernel|op_host|build))", line)
    return line[: match.start()] + "…" + line[match.end() :] if match else None


def _wrap(line: str, rng: random.Random) -> str | None:
    spaces = [m.start() for m in re.finditer(r"(?<=\S) (?=\S)", line)]
    if not spaces:
        return None
    i = rng.choice(spaces)
    return line[:i] + "\n    " + line[i + 1 :]


def _quote_marks(line: str, rng: random.Random) -> str | None:
    wrapped = _wrap(line, rng)
    return "> " + wrapped.replace("\n    ", "\n> ") if wrapped else None


def _escape(line: str, _rng: random.Random) -> str | None:
    new = re.sub(r"([_*|<>\[\]])", r"\\\1", line)
    return new if new != line else None


def _entities(line: str, _rng: random.Random) -> str | None:
    new = line.replace("<", "&lt;").replace(">", "&gt;")
    return new if new != line else None


GENUINE: dict[str, Maker] = {
    "whole_line": lambda line, rng: line,
    "slice": _slice,
    "rewrapped": _wrap,
    "indented": lambda line, rng: "      " + line,
    "trailing_blanks": lambda line, rng: line + "   \t",
    "wider_blanks": lambda line, rng: re.sub(" ", "  ", line),
    "backticks": _sub(r"(?<![\w`'])[A-Za-z_]{5,}(?![\w`'])", lambda m, r: f"`{m.group()}`"),
    "bold": _sub(r"(?<![\w*.:/-])[A-Za-z]{4,}(?![\w*])", lambda m, r: f"**{m.group()}**"),
    "escaped": _escape,
    "entities": _entities,
    "full_width": _fullwidth,
    "half_width": halfwidth,
    "curly_quotes": _curly,
    "blockquote": _quote_marks,
    "bullet": lambda line, rng: "- " + line.lstrip(),
    "honest_ellipsis": _honest,
    "short_path": _shorten_path,
    "redacted": _redact,
    "full_width_digits": _sub(r"\d", lambda m, r: chr(ord(m.group()) + 0xFEE0)),
    "trailing_ellipsis": lambda line, rng: (s + "…") if (s := _slice(line, rng)) else None,
    "cjk_short": lambda line, rng: (
        (m.group()) if (m := re.search(r"(?<![不未无没非])[一-鿿]{2,4}", line)) else None
    ),
}
"""Kinds that a reader accepts."""

ELIDED = frozenset({"honest_ellipsis", "short_path", "trailing_ellipsis"})

UNIQUE = frozenset({"slice", "trailing_ellipsis", "redacted"})
"""Kinds that may leave so little of a line that it stands elsewhere, too."""

CUT = frozenset({"percent", "number_cut", "identifier_cut"})
"""Kinds whose text may stand in the evidence with a token cut at its end."""

UNITS = {
    "ms": "us", "GiB": "MiB", "MiB": "KiB", "s": "ms", "毫秒": "微秒", "兆字节": "千字节",
}  # fmt: skip
SYNONYMS = {
    "error": "fault", "warning": "remark", "failed": "broke", "exceeds": "surpasses",
    "Running": "Executing", "support": "allow", "refused": "denied", "provided": "given",
}  # fmt: skip

TAILS = (" because of stale cache", " on every device", " (see log)")


def _swap(table: dict[str, str]) -> Callable[[re.Match[str], random.Random], str]:
    return lambda match, _rng: table[match.group()]


def _move_point(match: re.Match[str], _rng: random.Random) -> str:
    one, two = match.groups()
    return f"{one}{two}." if one == "0" else f".{one}{two}"


def _other_type(match: re.Match[str], rng: random.Random) -> str:
    return rng.choice([name for name in DTYPES if name != match.group()])


ALTERED: dict[str, Maker] = {
    "digit": _sub(r"\d", _other_digit),
    "decimal_point": _sub(r"(?<=\d)\.(?=\d)", _fixed("")),
    "point_moved": _sub(r"(\d)\.(\d)", _move_point),
    "negation_dropped": _sub(r"(?<=\w )(?:not|no|never) ", _fixed("")),
    "negation_added": _sub(r"(?<=\w )(?=(?:has|support|expects|finished)\b)", _fixed("not ")),
    "negation_swapped": _sub(r"\b(?:is|was|has)\b", lambda m, r: m.group() + "n't"),
    "cjk_negation": _sub(r"(?<=[一-鿿])[不未没](?=[一-鿿])", _fixed("")),
    "cjk_word": _sub(r"编译|精度|内存|用例|核函数|显存", _fixed("任务")),
    "cjk_digit": _sub(r"(?<=[一-鿿])\d", _other_digit),
    "identifier_case": _sub(r"\b[a-z](?=\w*_\d)|\b[A-Z](?=[a-z]+[A-Z])", _swap_case),
    "identifier_typo": _sub(r"[A-Za-z_]{7,}", _typo),
    "identifier_cut": _sub(r"(?<=[A-Za-z]{5})[a-z](?![A-Za-z0-9_])", _fixed("")),
    "unit": _sub(r"(?<=\d )(?:ms|GiB|MiB|s)\b", _swap(UNITS)),
    "cjk_unit": _sub(r"毫秒|兆字节", _swap(UNITS)),
    "percent": _sub(r"(?<=\d)%\Z", _fixed("")),
    "sign": _sub(r"(?<=[= ])-(?=\d\.)", _fixed("")),
    "word_dropped": _drop_word,
    "word_added": _sub(r"(?<=\w) (?=\w)", _fixed(" really ")),
    "synonym": _sub(r"\b(?:" + "|".join(SYNONYMS) + r")\b", _swap(SYNONYMS)),
    "words_swapped": _swap_words,
    "numbers_swapped": _swap_numbers,
    "invented_tail": lambda line, rng: line + rng.choice(TAILS),
    "invented_head": lambda line, rng: "Fatal problem, " + line,
    "number_cut": _cut_number,
    "number_rounded": _sub(r"\d\.\d{5,}", lambda m, r: m.group()[:4]),
    "bracket_dropped": _sub(r"[\[\]]", _fixed("")),
    "list_number": _sub(r"^3\.(?= Summ)", _fixed("7.")),
    "hash_added": _sub(r"(?<= )(?=\d{2,}\b)", _fixed("#")),
    "line_number": _sub(r"(?<=cpp:)\d+", lambda m, r: str(int(m.group()) + r.randint(1, 9))),
    "path_changed": _sub(r"(?<=/)(?:work|agents|kernel|build)(?=/|_)", _fixed("src")),
    "type_changed": _sub(r"float16|float32|bfloat16|int8|int32", _other_type),
    "verdict_changed": _sub(r"\bpass\b|FAIL\b", _swap({"pass": "FAIL", "FAIL": "pass"})),
    "hidden_negation": _hide(r"\b(?:is|does|was|no longer)? ?\b(?:not|no|never|without)\b"),
    "hidden_cjk_negation": _hide(r"[不未没](?=[一-鿿])"),
}  # fmt: skip
"""Kinds that change what the source says."""
