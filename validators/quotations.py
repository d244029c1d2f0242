"""Rules on quotations: what stands as tool output in a trace must be one, word for word."""

from __future__ import annotations

from collections.abc import Iterator

from validators.quoted import Judged, Quotation, judged_quotations
from validators.quotes import Status
from validators.replacing import source_of
from validators.rule import CheckContext, Flag


def _wrong(context: CheckContext, status: Status) -> Iterator[Judged]:
    for judged in judged_quotations(context):
        if judged.accepted or judged.undecided:
            continue
        if judged.verdict.status is status:
            yield judged


def _flag(
    judged: Judged, message: str, expected: str | None = None, replacement: str | None = None
) -> Flag:
    quotation, verdict = judged.quotation, judged.verdict
    return Flag(
        message,
        quotation.location,
        expected=_shortened(expected if expected is not None else verdict.source_text),
        actual=_shortened(quotation.text),
        source=verdict.place,
        diff=verdict.diff,
        notes=verdict.reasons,
        replacement=replacement,
    )


def _shortened(text: str | None) -> str | None:
    return text if text is None or len(text) <= 400 else text[:399] + "…"


def _attribution(quotation: Quotation) -> str:
    if quotation.stage is None:
        return "no stage"
    rounds = "/".join(str(number) for number in quotation.rounds)
    return f"{quotation.stage} round {rounds}" if rounds else quotation.stage


def check_quote_absent(context: CheckContext) -> Iterator[Flag]:
    """A quoted text that no source contains, nor anything like it.

    Readers take a quotation for what a tool printed. An invented error sends whoever learns from
    the trace after a fault that never was.

    Bad:
        - 关键错误信息: `RuntimeError: vector core exception (507035)`   (printed by no run)
    Good:
        - 关键错误信息: `ModuleNotFoundError: No module named 'tilelang'`   (as printed)
    """
    for judged in _wrong(context, Status.ABSENT):
        yield _flag(judged, "the quoted text is in no source")


def check_quote_altered(context: CheckContext) -> Iterator[Flag]:
    """A quoted text whose source is known, but whose wording is another.

    One digit, one identifier, one unit or one "not" makes another statement. White space, colour
    codes and full-width punctuation may differ.

    Bad:
        > case[1]: max_abs_diff=0.0809, passed=False
    Good:
        > case[1]: max_abs_diff=0.0809027, passed=False
    """
    for judged in _wrong(context, Status.ALTERED):
        yield _flag(
            judged,
            f"the quotation differs from its source: {judged.verdict.diff or ''}",
            replacement=source_of(judged),
        )


def check_quote_stitched(context: CheckContext) -> Iterator[Flag]:
    """A quoted text put together from fragments that stand in different places.

    Each half was printed; the whole never was. Joined, they state a connection that no tool saw.

    Bad:
        - `elu_kernel.cpp:32: error: ‘x’ was not declared, case[3] passed=False`
    Good:
        - `elu_kernel.cpp:32: error: ‘x’ was not declared`
        - `case[3] passed=False`
    """
    for judged in _wrong(context, Status.STITCHED):
        places = ", ".join(judged.verdict.evidence_ids)
        yield _flag(judged, f"the quotation joins fragments of different places: {places}")


def check_quote_from_elsewhere(context: CheckContext) -> Iterator[Flag]:
    """A genuine output that another round or stage printed.

    An error under the wrong round turns the order of cause and effect round.

    Bad:
        - 第 2 轮: `error: ‘inQueueX’ was not declared in this scope`   (printed in round 1)
    Good:
        - 第 1 轮: `error: ‘inQueueX’ was not declared in this scope`
    """
    for judged in _wrong(context, Status.WRONG_PLACE):
        witness = judged.verdict.witness
        if witness is None or not witness.proves_quotation:
            continue
        place = judged.verdict.place
        stage = place.stage if place is not None and place.stage is not None else "before all"
        found = f"{stage} round {place.round_no}" if place and place.round_no else stage
        yield _flag(
            judged,
            f"the quotation is from {found}, not from {_attribution(judged.quotation)}",
            expected=found,
        )


def check_quote_from_non_witness(context: CheckContext) -> Iterator[Flag]:
    """A quoted text that stands only in something no tool printed.

    The agent's own words, a reminder, a former trace or a file it wrote prove nothing about a run.

    Bad:
        - 关键错误信息: `all 9/9 cases verified`   (a sentence of the agent)
    Good:
        - Agent 说明（未核实）：「all 9/9 cases verified」
    """
    for judged in _wrong(context, Status.WRONG_PLACE):
        witness = judged.verdict.witness
        if witness is not None and not witness.proves_quotation:
            yield _flag(
                judged,
                f"the quotation stands only in a text that proves no output: {witness.value}",
            )


def check_quote_elided(context: CheckContext) -> Iterator[Flag]:
    """A quotation with an ellipsis; its fragments are verbatim, in order and in one place.

    Nothing is wrong; the reader is told how much was left out.

    Bad:
        > case[1]: output[1]: … passed=False
    Good:
        > case[1]: output[1]: dtype(ref=torch.float32, cand=torch.float32), …, passed=False
    """
    for judged in judged_quotations(context):
        if judged.accepted and judged.verdict.status is Status.ELIDED:
            yield _flag(
                judged,
                f"the ellipsis stands for {judged.verdict.skipped} characters of the source",
                replacement=source_of(judged),
            )
