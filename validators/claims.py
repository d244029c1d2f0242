"""Rules on statements in prose: names that exist, words that the agent really said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from summarizer.model.evidence import Witness
from summarizer.model.trace import TextSpan
from summarizer.text.marks import unmarked
from validators.names import checkable, name_index
from validators.passages import Passage, labelled, passages, span_location
from validators.prose import FILLER, Inline
from validators.quoted import NEEDS, judged_quotations
from validators.quotes import Corpus, Quote, check_quotations
from validators.replacing import only
from validators.rule import NAMES, NUMBERS, STATEMENTS, CheckContext, Flag
from validators.table_row import HEADER, UNKNOWN, summary_row

_LABELS = {"behaviour", "drift"}
_FILE = re.compile(
    r"(?<![\w./-])[\w./-]*\w\.(?:cpp|cc|h|hpp|py|sh|json|bak|txt|log|so|cmake)(?![\w/])",
    re.ASCII,
)
_AGENT = re.compile(r"子代理\s+([A-Za-z0-9_-]{6,})")
_CLAUSE = re.compile(r"[，,；;。！!？?\n]")
_BLANKS = re.compile(r"[\s*`\\]+")
_SHORTEST_CLAUSE = 8
_LOG = "日志："
_FIGURE = re.compile(r"\d+(?:\.\d+)?(?:/\d+)?|PASS|FAIL|[A-Z]+_ERROR|TIMEOUT|UNKNOWN")
"""A figure or an outcome."""
_TITLE = re.compile(r"^\s*Trace\s*[:：]|\s*(?:AscendC)?\s*(?:-\s*)?Trace\s*$", re.IGNORECASE)
_BRACKETED = re.compile(r"[（(][^）)]{0,200}[）)]")
_FOLDER = re.compile(r"[（(]\s*(\d{1,4}_\w+)\s*[）)]", re.ASCII)


def check_name_not_in_evidence(context: CheckContext) -> Iterator[Flag]:
    """A file, identifier or piece of code in a note that occurs nowhere in the session.

    Notes say which file and which logic changed. A name that no tool printed, no file held and no
    change wrote was made up, and so was the change.

    Bad:
        - 第 2 轮: 把 `DataCopy` 换成 `DataCopyUnaligned`   (no such name in the session)
    Good:
        - 第 2 轮: 把 `DataCopy` 换成 `DataCopyPad`
    """
    quoted = {(q.quotation.passage.span, q.quotation.start) for q in judged_quotations(context)}
    for passage in passages(context):
        if passage.kind != "prose" or not _tells_what_was_done(passage):
            continue
        yield from _wrong_agents(context, passage)
        for name in _names(passage):
            if (passage.span, name.start) in quoted or not checkable(name.text):
                continue
            if not context.evidence:
                context.ledger.unverifiable("names", NEEDS, passage.at(name.start, name.end))
            elif name_index(context).holds(name.text):
                context.ledger.checked(NAMES, (passage.span.line, name.start))
            else:
                yield Flag(
                    f"{name.text!r} occurs nowhere in the session",
                    passage.at(name.start, name.end),
                    actual=name.text,
                )


def _tells_what_was_done(passage: Passage) -> bool:
    """Notes and drift points; in layouts without those labels whatever stands below a round."""
    below_round = passage.label is None and passage.stage is not None and bool(passage.rounds)
    return passage.label in _LABELS or below_round


def _wrong_agents(context: CheckContext, passage: Passage) -> Iterator[Flag]:
    """`（子代理 a1b2c3）`: an agent of the session."""
    known = context.once("agents", lambda c: frozenset(item.agent_id for item in c.evidence))
    for match in _AGENT.finditer(passage.line.masked):
        location = passage.at(match.start(1), match.end(1))
        if context.evidence and match[1] not in known:
            yield Flag(f"no agent {match[1]!r} in the session", location, actual=match[1])


def _names(passage: Passage) -> Iterator[Inline]:
    line = passage.line
    yield from line.codes
    for match in _FILE.finditer(line.masked):
        if FILLER not in match[0]:
            yield Inline(match[0], match.start(), match.end())


def check_statement_not_by_agent(context: CheckContext) -> Iterator[Flag]:
    """A sentence given as the agent's own words that the agent never wrote.

    Unverified statements are kept apart from facts by their mark; the mark is worth nothing when
    the words are not the agent's.

    Bad:
        - Agent 说明（未核实）：「全部用例通过」   (the agent wrote 「10 个用例中 9 个通过」)
    Good:
        - Agent 说明（未核实）：「10 个用例中 9 个通过」
    """
    found = [(passage, said) for passage in passages(context) for said in _said(passage)]
    if not context.evidence:
        for passage, said in found:
            location = passage.at(said.start, said.end)
            context.ledger.unverifiable("statements of the agent", NEEDS, location)
        return
    # The matcher accepts witnesses of printed text only; here the agent is the witness.
    spoken = [
        replace(item, witness=Witness.TOOL_OUTPUT, stage=None, round_no=None)
        for item in context.evidence
        if item.witness is Witness.AGENT
    ]
    quotes = [Quote(_plain(said.text)) for _, said in found]
    for (passage, said), verdict in zip(
        found, check_quotations(Corpus(spoken), quotes), strict=True
    ):
        if verdict.accepted:
            context.ledger.checked(STATEMENTS, (passage.span.line, said.start))
            continue
        yield Flag(
            "the agent did not say this",
            passage.at(said.start, said.end),
            expected=verdict.source_text,
            actual=said.text,
            source=verdict.place,
            diff=verdict.diff,
            notes=verdict.reasons,
        )


def _said(passage: Passage) -> tuple[Inline, ...]:
    return passage.line.said if passage.kind == "prose" else ()


def _plain(text: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


def check_agent_claim_as_fact(context: CheckContext) -> Iterator[Flag]:
    """A statement of the agent that the evidence contradicts, repeated as if it were a fact.

    The agent's account of its own work is no evidence. What a log refutes may be shown as the
    agent's words beside what the log says, never as the trace's own statement.

    Bad:
        - ascendc 约为 reference 的 1.2x
    Good:
        - 与日志不符：Agent 说明（未核实）：「ascendc 约为 reference 的 1.2x」，日志：均值之比 0.15x
    """
    if context.facts is None:
        return
    for claim in context.facts.agent_claims_contradicted:
        clauses = [
            _squeezed(clause)
            for clause in _CLAUSE.split(claim.text)
            if claim.says in clause and len(_squeezed(clause)) >= _SHORTEST_CLAUSE
        ]
        for passage in passages(context):
            if passage.kind != "prose":
                continue
            text = _squeezed(_without_said(passage))
            if any(clause in text for clause in clauses):
                yield Flag(
                    f"the agent's statement {claim.says!r} stands here as a fact",
                    passage.at(0),
                    expected=claim.shows,
                    actual=claim.text,
                    notes=(f"kind: {claim.kind}",),
                )


def check_counter_evidence(context: CheckContext) -> Iterator[Flag]:
    """Figures set against a statement of the agent that are not what the evidence shows.

    Behind `日志：` stands what refutes the statement; a wrong figure there refutes nothing.

    Bad:
        - 与日志不符：Agent 说明（未核实）：「整体约 1.8x 加速」，日志：均值之比 0.73x
    Good:
        - 与日志不符：Agent 说明（未核实）：「整体约 1.8x 加速」，日志：均值之比 0.37x
    """
    claims = context.facts.agent_claims_contradicted if context.facts is not None else ()
    for passage in passages(context):
        for said in _said(passage):
            words = _squeezed(said.text)
            shows = [claim.shows for claim in claims if _squeezed(claim.text) == words]
            log = passage.line.masked.find(_LOG, said.end)
            if not shows or log < 0:
                continue
            context.ledger.checked(NUMBERS, (passage.span.line, log, "log"))
            yield from _against_log(passage, log, list(dict.fromkeys(shows)))


def _against_log(passage: Passage, start: int, shows: list[str]) -> Iterator[Flag]:
    """Each figure must be one of the facts', and as many figures must be the same figures."""
    truth = _FIGURE.findall("；".join(shows))
    stated = list(_FIGURE.finditer(passage.line.masked, start))
    wrong = [match for match in stated if match[0] not in truth]
    same_count = len(stated) == len(truth)
    right = {m.start(): f for m, f in zip(stated, truth, strict=True)} if same_count else {}
    if not wrong and same_count:
        pairs = zip(stated, truth, strict=True)
        wrong = [match for match, figure in pairs if match[0] != figure]
    for match in wrong:
        yield Flag(
            f"the evidence against this statement is {'; '.join(shows)!r}",
            passage.at(match.start(), match.end()),
            expected="; ".join(shows),
            actual=match[0],
            replacement=right.get(match.start()),
        )


def check_wrong_operator(context: CheckContext) -> Iterator[Flag]:
    """Title, 算子 or the first cells of the summary row name another operator than the session's.

    The report over many traces is keyed by level, problem id and name.

    Bad:
        | 2 | 31 | ELU | vector | ...   (the folder is level1/31_ELU)
    Good:
        | 1 | 31 | ELU | vector | ...
    """
    if context.facts is None:
        return
    operator = context.facts.operator
    names = tuple(name for name in (operator.name, operator.folder) if name is not None)
    row = summary_row(context.doc)
    stated: list[tuple[TextSpan, str, tuple[str, ...]]] = []
    for section in context.doc.sections[:1]:
        stated += [(e.value, e.value.text, names) for e in labelled(section, "operator")]
    if context.doc.title is not None:
        title = context.doc.title
        stated.append((title, _TITLE.sub("", title.text), names))
    if row is not None and len(row.cells) == len(HEADER):
        cells = (operator.level, operator.problem_id, None, operator.type)
        stated.append((row.span(2), row.text(2), names))
        stated += [
            (row.span(column), row.text(column), (str(value),))
            for column, value in enumerate(cells)
            if value is not None
        ]
    for span, text, allowed in stated:
        yield from _operator(context, span, text, allowed)


def _operator(
    context: CheckContext, span: TextSpan, text: str, allowed: tuple[str, ...]
) -> Iterator[Flag]:
    claimed = _key(_BRACKETED.sub("", text))
    if not allowed or not claimed or claimed == _key(UNKNOWN):
        return
    for match in _FOLDER.finditer(text):
        # `ELU（31_ELU）`: the folder beside the name.
        if _key(match[1]) not in {_key(name) for name in allowed}:
            claimed = _key(match[1])
    context.ledger.checked(NAMES, (span.line, span.column))
    # `31_ELU ELU`, folder and name side by side, is as right as either.
    keys = {_key(name) for name in allowed} | {_key("".join(reversed(allowed)))}
    # The brackets may be part of the name.
    if claimed not in keys and _key(text) not in keys:
        expected = " or ".join(dict.fromkeys(allowed))
        yield Flag(
            f"{text.strip()!r} is not the session's operator ({expected})",
            span_location(span),
            expected=expected,
            actual=text.strip(),
            replacement=_right_name(span.text, text.strip(), allowed),
        )


def _right_name(written: str, claimed: str, allowed: tuple[str, ...]) -> str | None:
    """The text with the one allowed name; None where there are several, or one in brackets."""
    name = only(allowed)
    if name is None or written.count(claimed) != 1 or _BRACKETED.search(claimed):
        return None
    return written.replace(claimed, name)


def _key(text: str) -> str:
    r"""Letters and digits alone: `31\\_ELU`, `31_ELU` and `31 elu` are one."""
    return "".join(char for char in text.lower() if char.isalnum())


def _without_said(passage: Passage) -> str:
    text = passage.span.text
    for said in passage.line.said:
        text = text[: said.start] + FILLER * (said.end - said.start) + text[said.end :]
    return text


def _squeezed(text: str) -> str:
    return _BLANKS.sub("", unmarked(text))
