"""Matching of quotations against evidence: `check_quotations(Corpus(evidence), quotes)`.

Accepts by equality after documented normalisation, on token boundaries, inside one evidence text;
a similarity never accepts anything. Must not know traces, rules or findings' codes.
"""

from __future__ import annotations

from validators.quotes.corpus import Corpus
from validators.quotes.engine import check_quotation, check_quotations
from validators.quotes.verdict import Quote, Status, Verdict

__all__ = ["Corpus", "Quote", "Status", "Verdict", "check_quotation", "check_quotations"]
