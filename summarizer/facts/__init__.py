"""Facts: what happened in a session, derived by code alone.

`shell` and `commands` read command lines, `files` follows file contents, `timeline` cuts the
session into stages, rounds and runs, `changes` names what an edit changed, `dead_ends` and
`claims` judge, `performance` finds the measurement of record, `build` puts all together.
"""

from summarizer.facts.build import NO_TRANSCRIPT, Derived, Inputs, derive_facts
from summarizer.facts.from_logs import LogText
from summarizer.facts.performance import MeasuredFiles

__all__ = ["NO_TRANSCRIPT", "Derived", "Inputs", "LogText", "MeasuredFiles", "derive_facts"]
