"""Arithmetic of printed figures and reading of words."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.names import NameIndex
from validators.numbers.printed import (
    Interval,
    Printed,
    around,
    exactly,
    in_milliseconds,
    parse_printed,
    quotient,
    rounds_to,
    shown_like,
)
from validators.passages import leading_rounds, mentions
from validators.prose import FILLER, read_line
from validators.verdicts import read_verdict

VALUES = st.decimals(min_value="0.0001", max_value="9999", places=6)
DIGITS = st.integers(min_value=0, max_value=5)


@given(value=VALUES, digits=DIGITS, rounding=st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]))
def test_a_correctly_rounded_value_is_never_refused(
    value: Decimal, digits: int, rounding: str
) -> None:
    """Half up and half to even are both correct rounding."""
    shown = str(value.quantize(Decimal(1).scaleb(-digits), rounding=rounding))
    printed = parse_printed(shown)
    assert printed is not None
    assert rounds_to(exactly(float(value)), printed)


@given(value=VALUES, digits=DIGITS, step=st.sampled_from([-2, -1, 1, 2]))
def test_the_next_printed_value_is_refused_unless_it_is_a_tie(
    value: Decimal, digits: int, step: int
) -> None:
    """One unit of the last digit beside the right rounding is wrong."""
    unit = Decimal(1).scaleb(-digits)
    wrong = value.quantize(unit, rounding=ROUND_HALF_UP) + step * unit
    tie = abs(wrong - value) == unit / 2
    if wrong < 0 or tie:
        return
    printed = parse_printed(f"{wrong:f}")
    assert printed is not None
    assert not rounds_to(exactly(float(value)), printed)


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("5.04", 5.04, 0.005),
        ("1,234.5", 1234.5, 0.05),
        ("24", 24.0, 0.5),
        ("1e-05", 1e-05, 0.5e-05),
        ("9.1e-05", 9.1e-05, 0.05e-05),
    ],
)
def test_a_printed_decimal_has_its_precision(text: str, value: float, half_unit: float) -> None:
    """The precision is half a unit of the last digit."""
    printed = parse_printed(text)
    assert printed is not None
    assert printed.value == pytest.approx(value)
    assert printed.half_unit == pytest.approx(half_unit)


@pytest.mark.parametrize("text", ["", "abc", "1.2.3", "1e999", "-1", "nan", "0x10"])
def test_what_is_no_decimal_is_none(text: str) -> None:
    """Nothing but unsigned decimals is read."""
    assert parse_printed(text) is None


def test_a_mean_that_is_off_is_found() -> None:
    """5.04 is no rounding of 5.44."""
    assert not rounds_to(exactly(5.44), Printed(5.04, 0.005))


def test_rounded_inputs_give_an_interval() -> None:
    """0.075 / 0.078 may be anything from 0.949 to 0.974."""
    found = quotient(around(0.075, 0.0005), around(0.078, 0.0005))
    assert found is not None
    assert found.low == pytest.approx(0.949, abs=0.001)
    assert found.high == pytest.approx(0.974, abs=0.001)
    assert quotient(exactly(1.0), Interval(0.0, 1.0)) is None


def test_what_was_printed_once_is_not_printed_otherwise() -> None:
    """A report's 0.050 is no 0.051, though both allow values close to 0.0505."""
    known = around(0.050, 0.0005)
    assert rounds_to(known, Printed(0.050, 0.0005))
    assert not rounds_to(known, Printed(0.051, 0.0005))
    assert rounds_to(known, Printed(0.05, 0.005))


def test_units_are_converted_with_their_precision() -> None:
    """456.3us is 0.4563 ms."""
    printed = in_milliseconds(Printed(456.3, 0.05), "us")
    assert rounds_to(exactly(0.4563), printed)
    assert shown_like(0.45, Printed(0.4, 0.05), 2) == "0.45"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- 第 1 轮：x", (1,)),
        ("  - 第 1 轮、第 2 轮、第 3 轮（未通过）:", (1, 2, 3)),
        ("- **第2-4轮**: x", (2, 3, 4)),
        ("### Round 3", (3,)),
        ("- 第一轮: x", (1,)),
        ("- 修改后第 3 轮通过", ()),
        ("- 第 9-1 轮", (9,)),
    ],
)
def test_a_line_begins_with_its_rounds(text: str, expected: tuple[int, ...]) -> None:
    """Only rounds at the start of a line are what the line is about."""
    assert leading_rounds(text) == expected


def test_iterations_from_zero_are_shifted() -> None:
    """迭代 0 is the first round."""
    assert leading_rounds("- 迭代 0: x", zero_based=True) == (1,)
    assert [m.rounds for m in mentions("第 1 轮后第 2 次", zero_based=False)] == [(1,), (2,)]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("通过", "PASS"),
        ("未通过", "FAIL"),
        ("部分成功", "PARTIAL"),
        ("跳过（安装失败）", "SKIP"),
        ("9/10 PASS", "PARTIAL"),
        ("10/10 PASS", "PASS"),
        ("通过（全量 15/16）", "PASS"),
        ("结果PASS", "PASS"),
        ("未完成", "UNFINISHED"),
        ("passenger", None),
        ("", None),
    ],
)
def test_verdict_words_are_read(text: str, verdict: str | None) -> None:
    """The first word counts, the longest at its place."""
    assert read_verdict(text) == verdict


def test_a_line_is_masked_without_moving_a_column() -> None:
    """Code and statements become fillers of the same length; escapes open no code span."""
    text = "改 `a b` 与 ``c ` d``，\\`不是`；Agent 说明（未核实）：「说 `x` 了」，日志：1"
    line = read_line(text)
    assert len(line.masked) == len(text)
    assert [code.text for code in line.codes] == ["a b", "c ` d"]
    assert [said.text for said in line.said] == ["说 `x` 了"]
    assert all(text[code.start : code.end] == code.text for code in line.codes)
    assert line.masked.endswith(f"「{FILLER * 7}」，日志：1")


@given(st.text(alphabet="`\\ab「」 说明（未核实）：，日志", max_size=60))
def test_masking_keeps_the_length_of_any_line(text: str) -> None:
    """Offsets in the masked line are offsets in the file."""
    line = read_line(text)
    assert len(line.masked) == len(text)
    for piece in (*line.codes, *line.said):
        assert text[piece.start : piece.end] == piece.text


NAMES = NameIndex(
    [["void CopyIn(uint32_t off) {\n    DataCopyPad(xLocal, xGm[off], len);\n}"], ["3.14 px_b"]],
    frozenset({"kernel/elu_kernel.cpp", "/abs/model.py"}),
)


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("CopyIn", True),
        ("CopyIn()", True),
        ("Copy", False),
        ("DataCopyPad(xLocal,xGm[off],len)", True),
        ("DataCopyPad(xLocal, xGm[off], le", False),
        ("elu_kernel.cpp", True),
        ("elu_kernel.cpp:32", True),
        ("kernel/elu_kernel.cpp", True),
        ("other/elu_kernel.cpp", False),
        ("kernel.cpp", False),
        ("model.py", True),
        ("CopyIn -> DataCopyPad", True),
        ("CopyIn -> DataCopyAll", False),
        ("CopyIn, DataCopyPad", True),
        ("xGm[off], zz", False),
        ("px_a", False),
        ("1", True),
        ("阶段", True),
    ],
)
def test_a_name_holds_on_token_boundaries(name: str, holds: bool) -> None:
    """Part of a name is no name; white space, call brackets and line numbers do not matter."""
    assert NAMES.holds(name) is holds
