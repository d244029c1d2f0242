"""The exception tree; knows nothing of the rest of the package.

SummarizerError
├── InputError      a source is missing, unreadable, ambiguous or of an unknown format (exit 2)
├── GateError       our own rendered text failed its validation, nothing was written (exit 1)
├── ModelError      the language model was demanded and is not available (exit 3)
│   └── ReplyParseError
└── RenderError     a template could not be rendered (exit 3)

Wrong content in a trace is never an exception: it is a Finding.
"""

from __future__ import annotations


class SummarizerError(Exception):
    """Base of all errors that the command line turns into one message and an exit code."""


class InputError(SummarizerError):
    """A source that the caller named, or that had to be found, cannot be used."""


class GateError(SummarizerError):
    """The text this tool rendered did not pass the rules that `validate` applies."""


class ModelError(SummarizerError):
    """The language model failed and the caller had insisted on it."""


class ReplyParseError(ModelError):
    """A reply of the model does not have the agreed structure."""


class RenderError(SummarizerError):
    """A trace could not be rendered from its template."""
