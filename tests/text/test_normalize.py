"""The canonical form: what it folds, what it keeps, and the way back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizer.text.normalize import canonical, canonical_map, identity, removed
from summarizer.text.terminal import last_screen, overwritten_spans, strip_ansi

ALPHABET = (
    "ab1.0-_ \t\n\r,:()[]'\"*`|m\\失败，：（…“’５\x1b\x9b\x07e\u0301\u00e9\u200b\u2028\u3000"
    "\u00a0\ud800\U0001f600\u1100\u1161"
)
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=60)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("a\r\nb\rc\u2028d\u3000e\u00a0f", "a b c d e f"),
        ("  indented  \t\n", "indented"),
        ("\x1b[1;31merror\x1b[0m: x", "error: x"),
        ("\x1b]0;title\x07done \x1b]8;;http://x\x1b\\link", "done link"),
        ("torn \x1b[3", "torn"),
        ("\x1b\x1b[0m[0m", "[0m"),
        ("‘a’ “b” 「c」", '\'a\' "b" "c"'),
        ("错误：error（１２３）", "错误:error(123)"),
        ("错误: error", "错误:error"),
        ("失败，\n请重试", "失败,请重试"),
        ("第 3 轮", "第 3 轮"),
        ("wait…", "wait..."),
        ("1–2 −3 a‑b", "1-2 -3 a-b"),
        ("cafe\u0301", "caf\u00e9"),
    ],
)
def test_folded(text: str, form: str) -> None:
    """Layout and glyphs are folded."""
    assert canonical(text) == form


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("x²", "x2"),
        ("①", "1"),
        ("١", "1"),
        ("Error", "error"),
        ("7. Summarize", "3. Summarize"),
        ("case[12]", "case 12"),
        ("a\u200bb", "ab"),
        ("1、2", "1,2"),
        ("ab", "a b"),
        ("a — b", "a - b"),
        ("`a`", "a"),
        ("1, 234", "1,234"),
    ],
)
def test_kept_apart(one: str, two: str) -> None:
    """Digits, case, list numbers, brackets, zero-width characters and backticks count."""
    assert canonical(one) != canonical(two)


@given(TEXTS)
def test_idempotent(text: str) -> None:
    """The canonical form of a canonical form is itself."""
    form = canonical(text)
    assert canonical(form) == form


@given(TEXTS)
def test_map_agrees(text: str) -> None:
    """The mapped form equals the plain one; its map ascends and stays inside the original."""
    mapped = canonical_map(text)
    assert mapped.text == canonical(text)
    assert len(mapped.starts) == len(mapped.ends) == len(mapped.text)
    assert list(mapped.starts) == sorted(mapped.starts)
    assert list(mapped.ends) == sorted(mapped.ends)
    assert all(
        0 <= start < end <= len(text) for start, end in zip(mapped.starts, mapped.ends, strict=True)
    )


@given(TEXTS, st.data())
def test_map_points_at_equal_text(text: str, data: st.DataObject) -> None:
    """The original behind a part of the form has that part as its form, blanks aside."""
    mapped = canonical_map(text)
    if not mapped.text or "\x1b" in text or "\x9b" in text:
        return  # half a control code is another text
    start = data.draw(st.integers(0, len(mapped.text) - 1))
    end = data.draw(st.integers(start + 1, len(mapped.text)))
    low, high = mapped.original_span(start, end)
    part = mapped.text[start:end].replace(" ", "")
    assert part in canonical(text[low:high]).replace(" ", "")


@given(TEXTS)
def test_views_are_removals(text: str) -> None:
    """What stayed on the screen is the text without its overwritten ranges."""
    mapped = removed(identity(text), overwritten_spans(text))
    assert "".join(text[start] for start in mapped.starts) == mapped.text
    assert canonical(last_screen(strip_ansi(text))) == canonical(last_screen(text))


def test_screen_view() -> None:
    r"""A carriage return hides what stands before it, unless the line ends there."""
    assert last_screen(" 10%\r 50%\r100% done\r\nnext\r\n") == "100% done\r\nnext\r\n"
    assert last_screen("a\r\r\n") == "a\r\r\n"


@pytest.mark.parametrize(
    "text",
    [
        " " * 300_000 + "x" + " " * 300_000 + "y",
        "\r" + "a" * 500_000,
        ("a" * 1000 + "\r") * 400,
        "\x1b[" * 200_000,
        "\x1b]" * 200_000,
        "\x1b" * 100_000 + "[0m" * 100_000,
        "e" + "\u0301" * 100_000,
    ],
    ids=["blanks", "cr", "many-cr", "csi", "osc", "nested", "marks"],
)
def test_time_is_linear(text: str) -> None:
    """Hostile text takes no more than its length allows."""
    started = time.process_time()
    canonical_map(text)
    list(overwritten_spans(text))
    assert time.process_time() - started < 5
