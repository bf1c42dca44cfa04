"""The ``outscore`` command: finds the subcommand, and turns errors into one line and an exit code."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from outscore import __version__
from outscore.base.errors import OutscoreError, suggestion
from outscore.cli.streams import ReaderLeftError

COMMANDS = {
    "compare": "Does a system really outscore the baseline? Scores, intervals, tests.",
    "score": "Scores with their intervals, for one system or several.",
    "curve": "ROC or precision-recall curves with their bands.",
    "confusion": "Confusion matrices: gold labels by predicted labels.",
    "metrics": "List the metrics, or show one in full.",
    "formats": "List the formats that can be read and written, or show one in full.",
    "convert": "Write whatever can be read as one long table.",
    "show": "Draw a saved result again, in any format, without computing.",
    "demo": "Write example files, compare them, and say which command did it.",
}


class LazyCommands(click.Group):
    """Subcommands are imported when they are run, so that ``--help`` costs nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"outscore.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no command {args[0]!r}{suggestion(args[0], COMMANDS)} (there are: {', '.join(COMMANDS)})")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyCommands,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "auto_envvar_prefix": "OUTSCORE",
    },
    epilog="\b\nExample:\n  outscore compare -r ref.txt baseline=base.txt new=new.txt -m bleu,chrf",
)
@click.version_option(__version__, "-V", "--version", prog_name="outscore")
def group() -> None:
    """Does system A really outscore system B, or is it luck?"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and exits: 0 done, 2 usage, 3 input data, 4 a missing extra, 130 interrupted."""
    # one thread for each of our own is faster than the library's, and leaves the choice to --jobs; numpy reads it once
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # what a command makes is hardly ever garbage in cycles: look for it seldom, and not through everything at the end
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)
    for standard in (sys.stdout, sys.stderr):
        if isinstance(standard, io.TextIOWrapper):
            standard.reconfigure(errors="backslashreplace")  # a terminal without Unicode still gets its table
    try:
        group.main(args=None if arguments is None else list(arguments), prog_name="outscore", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(_say("interrupted", 130))
    except KeyboardInterrupt:
        sys.exit(_say("interrupted", 130))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except OutscoreError as error:
        sys.exit(_say(f"error: {error}", error.exit_code))
    except ReaderLeftError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except MemoryError:
        sys.exit(_say("error: not enough memory; compare fewer systems at once, or fewer --resamples", 3))


def _say(message: str, code: int) -> int:
    line = " ".join(message.split())
    click.echo(f"outscore: {''.join(c if c.isprintable() else '?' for c in line)}", err=True)
    return code


if __name__ == "__main__":
    main()
