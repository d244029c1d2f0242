"""Markdown marks and line prefixes: each reading removes what it names and nothing else."""

from __future__ import annotations

import time

import pytest

from summarizer.text.marks import (
    code_mark_spans,
    unmarked,
    without_code_marks,
    without_numbers,
    without_prefixes,
)


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        (r"a\_b \* c\|d", "a_b * c|d"),
        ("`foo` and ``b`r``", "foo and ``b`r``"),
        ("在`foo`中", "在foo中"),
        ("**bold** and *it*", "bold and it"),
        ("_two words_", "two words"),
        ("__init__ and _x_", "__init__ and _x_"),
        ("**kwargs, *args, **more", "**kwargs, *args, **more"),
        ("a*b*c", "a*b*c"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("&lt;T&gt; &amp;x", "<T> &x"),
        ("L&#101;vel &x; b&lt c &#x41;", "Level &x; b&lt c A"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("3. item", "3. item"),
    ],
)
def test_unmarked(marked: str, text: str) -> None:
    """Markdown is read as a reader sees it; names and products stay."""
    assert unmarked(marked) == text


def test_code_mark_spans_agree() -> None:
    """The ranges are those that the plain function removes."""
    text = "use `a` and ``b c`` but not `d"
    kept = "".join(
        char
        for i, char in enumerate(text)
        if not any(start <= i < end for start, end in code_mark_spans(text))
    )
    assert kept == without_code_marks(text) == "use a and b c but not `d"


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("> a\n> - b\n  * c", "a\nb\nc"),
        ("1. a\n-5 b\n-- c", "1. a\n-5 b\n-- c"),
    ],
)
def test_prefixes(text: str, bare: str) -> None:
    """Quote marks and bullets go, numbers and dashes that say something stay."""
    assert without_prefixes(text) == bare


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("     1→a\n     2→b", "a\nb"),
        ("1\ta\n2\tb\n3\tc", "a\nb\nc"),
        ("1\ta\n3\tb", "1\ta\n3\tb"),
        ("1\ta", "1\ta"),
        ("1\ta\nx\n2\tb", "1\ta\nx\n2\tb"),
    ],
)
def test_line_numbers(text: str, bare: str) -> None:
    """Only numbers that count up line by line are a viewer's."""
    assert without_numbers(text) == bare


@pytest.mark.parametrize("text", ["_a " * 50_000, "*a" * 50_000, "`" * 100_000, "> " * 100_000])
def test_time_is_linear(text: str) -> None:
    """Hostile Markdown takes no more than its length allows."""
    started = time.process_time()
    unmarked(text)
    without_prefixes(text)
    without_numbers(text)
    assert time.process_time() - started < 5
