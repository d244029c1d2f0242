"""The command line: one lazily imported module per command."""

from __future__ import annotations

import importlib
import sys

import click

from summarizer import __version__
from summarizer.cli.exits import INTERRUPTED, reported_errors, say

COMMANDS: dict[str, tuple[str, str]] = {
    "record": ("summarizer.cli.record", "Write trace.md of a finished session."),
    "validate": ("summarizer.cli.validate", "Lint trace.md files against their sources."),
    "facts": ("summarizer.cli.facts", "Print the facts of an output directory as JSON."),
    "inspect": ("summarizer.cli.inspect", "Show what a reader understood of a transcript."),
    "explain": ("summarizer.cli.explain", "Show the source lines behind a line of a trace."),
    "rule": ("summarizer.cli.rule", "Print the rule table or explain one rule."),
    "demo": ("summarizer.cli.demo", "Record a bundled real session and show the result."),
}
"""Name -> (module with a `command`, one-line help); modules load only when called."""


class _LazyGroup(click.Group):
    """A group that imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, None when there is none of that name."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = importlib.import_module(entry[0]).command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="trace-recorder", message="%(prog)s %(version)s")
def cli() -> None:
    """Write trace.md of an AscendC operator session from the evidence, and lint every trace.md.

    Results go to stdout, diagnostics to stderr. Exit codes: 0 clean, 1 findings, 2 bad input or
    usage, 3 model or environment, 4 nothing could be checked.
    """


def main(argv: list[str]) -> int:
    """Run the command line and return its exit code; never raises SystemExit."""
    try:
        with reported_errors():
            result = cli.main(args=argv, prog_name="trace-recorder", standalone_mode=False)
            return result if isinstance(result, int) else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        say("trace-recorder: interrupted")
        return INTERRUPTED
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 1


def entrypoint() -> None:
    """Entry of the console script."""
    sys.exit(main(sys.argv[1:]))
