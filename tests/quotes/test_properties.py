"""Properties of the matcher that hold for any text."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from summarizer.model.evidence import Evidence, Witness
from summarizer.model.source import Completeness, SourceRef
from validators.quotes import Corpus, Quote, Status, check_quotation, check_quotations
from validators.quotes.boundaries import cuts_token, on_boundaries

WORDS = st.sampled_from([
    "error:", "case[12]", "0.186", "-3.5", "x_1", "失败", "用例", "DataCopyPad", "a/b.cpp:7",
    "85%", "=", "…", "“q”", "\x1b[1m", "|", "ms",
])  # fmt: skip
LINES = st.lists(
    st.tuples(WORDS, st.sampled_from([" ", "  ", "\n", "\r\n", "\r", "\t"])),
    min_size=1,
    max_size=25,
).map(lambda pairs: "".join(word + blank for word, blank in pairs))


def evidence(name: str, text: str, **changes: object) -> Evidence:
    values: dict[str, object] = {
        "id": name,
        "text": text,
        "witness": Witness.TOOL_OUTPUT,
        "completeness": Completeness.FULL,
        "source": SourceRef("s.jsonl", 1, 0, 1),
        "stage": None,
        "round_no": None,
    }
    return Evidence(**{**values, **changes})  # type: ignore[arg-type]


@given(LINES, st.data())
def test_verbatim_slice_passes(text: str, data: st.DataObject) -> None:
    """A slice on token boundaries is verbatim, and the range given is such a slice."""
    places = [i for i in range(len(text) + 1) if not cuts_token(text, i)]
    start = data.draw(st.sampled_from(places))
    end = data.draw(st.sampled_from(places))
    quoted = text[min(start, end) : max(start, end)].strip()
    if (
        not re.search(r"\w", quoted)
        or "\x1b" in quoted
        or not on_boundaries(text, text.find(quoted), text.find(quoted) + len(quoted))
    ):
        return
    verdict = check_quotation(Corpus([evidence("E1", text)]), Quote(quoted))
    assert verdict.status in {Status.VERBATIM, Status.FOLDED}
    assert verdict.source_text == text[verdict.char_start : verdict.char_end]


@given(LINES, st.data())
def test_changed_digit_fails(text: str, data: st.DataObject) -> None:
    """A quotation with another digit fails unless it is itself in the source."""
    digits = [m.start() for m in re.finditer(r"(?<!\x1b\[)\d", text)]
    if not digits:
        return
    at = data.draw(st.sampled_from(digits))
    changed = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
    assert not check_quotation(Corpus([evidence("E1", text)]), Quote(changed)).accepted


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(LINES, max_size=4), st.text(max_size=80))
def test_never_raises(texts: list[str], quoted: str) -> None:
    """Any text gets a verdict."""
    corpus = Corpus([evidence(f"E{i}", text) for i, text in enumerate(texts)])
    assert check_quotation(corpus, Quote(quoted)).status in Status


def test_never_across_items() -> None:
    """Text that only a join of two outputs would hold is stitched."""
    corpus = Corpus([
        evidence("E1", "the build of kernel"),
        evidence("E2", "finished at noon today"),
    ])
    verdict = check_quotation(corpus, Quote("the build of kernel finished at noon today"))
    assert verdict.status is Status.STITCHED
    assert verdict.evidence_ids == ("E1", "E2")


def test_witness_before_non_witness() -> None:
    """The tool's own output wins over the agent's echo of it, wherever they stand."""
    echo = evidence("E1", "Result: 3 of 4", witness=Witness.AGENT, stage="ascendc", round_no=1)
    real = evidence("E2", "Result:  3 of 4", stage="ascendc", round_no=1)
    verdict = check_quotation(Corpus([echo, real]), Quote("Result: 3 of 4", "ascendc", 1))
    assert verdict.status is Status.FOLDED
    assert verdict.evidence_ids == ("E2",)


def test_attributed_round_wins_ties() -> None:
    """Of equal lines the one of the attributed round is named; of near ones its twin there."""
    items = [
        evidence(f"E{r}", "case[1]: FAIL diff=0.5 at row 7", stage="a", round_no=r)
        for r in (1, 2, 3)
    ]
    verdicts = check_quotations(
        Corpus(items),
        [
            Quote("case[1]: FAIL diff=0.5 at row 7", "a", 2),
            Quote("case[1]: FAIL diff=0.6 at row 7", "a", 3),
        ],
    )
    assert [(v.status.value, v.evidence_ids) for v in verdicts] == [
        ("verbatim", ("E2",)),
        ("altered", ("E3",)),
    ]


def test_thousands_of_near_duplicates() -> None:
    """Among thousands of alike lines the one whose tokens differ least is the source."""
    lines = [
        f"case[{i}]: pass shape=[1, 8] max_abs_diff=0.{i * 7919 % 100000:05d}" for i in range(5000)
    ]
    corpus = Corpus([evidence("E1", "\n".join(lines))])
    changed = lines[3210].replace("shape=[1, 8]", "shape=[1, 9]")
    verdict = check_quotation(corpus, Quote(changed))
    assert verdict.status is Status.ALTERED
    assert verdict.source_text == lines[3210]
    assert check_quotation(corpus, Quote(lines[4999])).status is Status.VERBATIM


def test_lone_surrogates_match() -> None:
    """A quotation with a lone surrogate matches its source."""
    corpus = Corpus([evidence("E1", "value \udcb2 here\x00 and 你好")])
    assert check_quotation(corpus, Quote("value \udcb2 here")).status is Status.VERBATIM
    assert check_quotation(corpus, Quote("你好")).char_start == 18


@pytest.mark.parametrize("reach", [15_000, 40_000])
def test_ellipsis_reaches_16_kib(reach: int) -> None:
    """Fragments may lie 16 KiB apart, not farther."""
    text = "first fragment here\n" + "filler line\n" * (reach // 12) + "second fragment there"
    verdict = check_quotation(
        Corpus([evidence("E1", text)]), Quote("first fragment here … second fragment there")
    )
    assert verdict.status == ("elided" if reach < 16_384 else "stitched")
    if verdict.accepted:
        assert verdict.skipped == len(text) - len("first fragment here") - len(
            "second fragment there"
        )


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("1" * 200_000, "1"),
        ("ab " * 100_000, "ab ab ab x"),
        ("x" * 300_000, "[redacted:a]x" * 40),
        ("no " * 60_000, "no … no … no … yes"),
        ("`a` " * 50_000, "`a`" * 2000),
        ("line\r" * 60_000, "line line line other"),
        ("a" * 200_000 + " b", "c" * 100_000),
        ("- - - - " * 30_000, "- - - + -"),
    ],
    ids=["digits", "words", "marks", "ellipses", "backticks", "cr", "long", "dashes"],
)
def test_hostile_text_takes_bounded_time(text: str, quoted: str) -> None:
    """No text makes the search explode."""
    started = time.process_time()
    check_quotation(Corpus([evidence("E1", text)]), Quote(quoted))
    assert time.process_time() - started < 10
