"""What is asked about a quotation and what is answered; must not know how it is found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from summarizer.model.evidence import Witness
from summarizer.model.finding import SourcePlace


class Status(str, Enum):
    """Outcome of checking one quotation (product rules, "Quotation verdicts")."""

    VERBATIM = "verbatim"
    """Character for character in one witness."""
    FOLDED = "folded"
    """Equal after the documented normalisation."""
    REDACTED = "redacted"
    """Equal but for our own mark of a secret."""
    ELIDED = "elided"
    """Fragments around an ellipsis, verbatim, in order, in one place, hiding no negation."""
    ALTERED = "altered"
    """The source is known, the wording is another."""
    STITCHED = "stitched"
    """Verbatim fragments of different places presented as one text."""
    WRONG_PLACE = "wrong_place"
    """Verbatim, but of another round or stage, or only in a text that proves nothing."""
    ABSENT = "absent"
    """No source is similar."""

    @property
    def accepted(self) -> bool:
        """Whether the quotation is genuine."""
        return self in {Status.VERBATIM, Status.FOLDED, Status.REDACTED, Status.ELIDED}


@dataclass(frozen=True, slots=True)
class Quote:
    """One quotation to be checked, without its container's prefixes and quotation marks."""

    text: str
    stage: str | None = None
    """Stage it is attributed to, as in `Evidence.stage`; None: any."""
    round_no: int | None = None
    """1-based round it is attributed to; None: any."""
    kind: Literal["inline", "block_line", "block"] = "inline"
    """`inline`: code span or quotation marks in prose (Markdown escapes may stand in it);
    `block_line`: one line of a fenced block; `block`: several lines of one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one quotation."""

    status: Status
    evidence_ids: tuple[str, ...] = ()
    """Where it was found; for `altered` the closest text, for `stitched` one per fragment in the
    quotation's order; empty for `absent`."""
    place: SourcePlace | None = None
    """The first of them; byte range of the whole record, stage and round of the evidence."""
    char_start: int | None = None
    """0-based, in the text of the first evidence; None when nothing was found."""
    char_end: int | None = None
    """Half-open end in the same text."""
    witness: Witness | None = None
    """Class of the first evidence."""
    source_text: str | None = None
    """The original characters of that range; None when nothing was found."""
    similarity: float = 0.0
    """0-100, for display only: 100 for accepted verdicts, never decides acceptance."""
    diff: str | None = None
    """Token diff of `altered`: `-removed-` from the source, `+added+` by the quotation."""
    skipped: int = 0
    """Source characters hidden by the ellipses of an elided quotation."""
    reasons: tuple[str, ...] = ()
    """Short stable words, some with `: detail`. Needed readings: `markdown`, `line_prefixes`,
    `line_numbers`, `after_cr`, `backticks`. Place: `found_in: stage/round`, `non_witness: class`,
    `source_cut: ids` (a witness of the attributed place lost a part that might hold it). Wording:
    `negation_cut_off`, `negation_hidden`, `negation_redacted`, `skipped_lines_negate` (a remark on
    an accepted ellipsis), `fragment_altered`, `fragment_absent`, `different_sources`,
    `order_changed`, `apart`, `compared: first N characters`, `empty`."""

    @property
    def accepted(self) -> bool:
        """Whether the quotation is genuine."""
        return self.status.accepted
