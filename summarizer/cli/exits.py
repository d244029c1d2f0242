"""Exit codes and the one place that turns exceptions into messages.

Precedence, highest first: 2 bad input or usage, 3 model or environment, 4 evidence missing,
1 findings, 0 clean.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

import click

from summarizer.errors import GateError, InputError, ModelError, RenderError

CLEAN = 0
FINDINGS = 1
BAD_INPUT = 2
ENVIRONMENT = 3
NOTHING_CHECKED = 4
INTERRUPTED = 130


@contextmanager
def reported_errors() -> Iterator[None]:
    """Turn the package's exceptions into one message on stderr and the documented exit code."""
    try:
        yield
    except InputError as error:
        fail(str(error), BAD_INPUT)
    except GateError as error:
        fail(str(error), FINDINGS)
    except (ModelError, RenderError) as error:
        fail(str(error), ENVIRONMENT)
    except BrokenPipeError:
        # The reader of a pipe has gone: nothing more to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(CLEAN) from None
    except OSError as error:
        # Sources are guarded where they are read; what is left is our own output.
        fail(f"cannot write the output: {error.strerror or error}", ENVIRONMENT)


def fail(message: str, code: int) -> None:
    """Print one message on stderr and exit."""
    say(f"trace-recorder: {printable(message)}")
    raise SystemExit(code)


def say(text: str) -> None:
    """Print a diagnostic on stderr; where nobody can read it, the exit code has to do."""
    with suppress(OSError):
        click.echo(text, err=True)


def printable(text: str) -> str:
    """Return text that can neither move a terminal's cursor nor break an encoder."""
    shown = []
    for char in text:
        code = ord(char)
        if char in "\n\t" or (code >= 0x20 and not 0x7F <= code < 0xA0):
            shown.append(f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else char)
        else:
            shown.append(f"\\x{code:02x}")
    return "".join(shown).encode("utf-8", "backslashreplace").decode("utf-8")


def write_out(text: str) -> None:
    """Write a result to stdout as UTF-8, whatever the locale says."""
    data = text.encode("utf-8", "surrogateescape")
    # The interpreter gives None for a descriptor that was closed before it started.
    output: TextIO | None = sys.stdout
    if output is None:
        raise OSError(errno.EBADF, "standard output is closed")
    stream = getattr(output, "buffer", None)
    if stream is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    stream.write(data)
    stream.flush()
