"""``outscore history``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from outscore.base.errors import inflect
from outscore.cli.bundles import bundle
from outscore.cli.options import OUTPUTS, options
from outscore.cli.output import Output
from outscore.cli.streams import print_now

EPILOG = """\b
Examples:
  outscore compare -r ref.txt base.txt new.txt --history history.db
  outscore history --history history.db
  outscore history --history history.db --correct-history lond
  outscore history export history.jsonl --history history.db
"""

_OF_COMMAND = "outscore.history"


def _file_option(command: Any) -> Any:
    return click.option(
        "--history",
        "file",
        metavar="FILE",
        type=click.Path(path_type=Path),
        envvar="OUTSCORE_HISTORY",
        default=None,
        help="The history.  [default: OUTSCORE_HISTORY, if set]",
    )(command)


@click.group("history", epilog=EPILOG, invoke_without_command=True, params=options(*OUTPUTS))
@_file_option
@click.option("--test-set", metavar="NAME", default=None, help="One test set: its name, or how its digest begins.")
@click.option("--family", metavar="NAME", default=None, help="The uses of one family.")
@click.option(
    "--correct-history",
    "correction",
    metavar="NAME",
    default=None,
    help="Decide anew over all uses: alpha-spending, lond, lord, saffron, addis.  [default: as decided then]",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of that correction.")
@bundle
def command(file: Path | None, output: Output, **choices: Any) -> None:
    """List what was compared on which test set, how often, and what holds over all of it.

    `outscore compare --history FILE`, like `outscore rank`, records every use of a test set, which is known by its
    items and references, whatever the files are called. The same comparison made again is no new use.
    """
    ctx = click.get_current_context()
    ctx.meta[_OF_COMMAND] = file
    if ctx.invoked_subcommand is not None:
        return
    from outscore.api import history

    output.write(history(_choose_history(None), **choices))


@command.command("export")
@click.argument("to", metavar="FILE.jsonl", type=click.Path(path_type=Path))
@_file_option
def export(to: Path, file: Path | None) -> None:
    """Write every use to a file of text, for others to import."""
    from outscore.api import export_history

    source = _choose_history(file)
    if to.resolve() == source.resolve():
        raise click.UsageError("the history would be overwritten by its own text: name another FILE.jsonl")
    print_now(f"wrote {inflect(export_history(source, to), 'comparison')} to {to}", err=True)


@command.command("import")
@click.argument("source", metavar="FILE.jsonl", type=click.Path(path_type=Path))
@_file_option
def import_(source: Path, file: Path | None) -> None:
    """Add what was exported from another history; what is there already is left out."""
    from outscore.api import import_history

    added, there = import_history(_choose_history(file), source)
    print_now(f"added {inflect(added, 'comparison')}; {there} had been there", err=True)


@command.command("check")
@_file_option
def check(file: Path | None) -> None:
    """Is the file whole, and is everything in it as it was written? Ends with 3 if not."""
    from outscore.api import check_history

    source = _choose_history(file)
    n, faults = check_history(source)
    for fault in faults:
        print_now(f"{source}: {fault}", err=True)
    if faults:
        sys.exit(3)
    print_now(f"{source}: {inflect(n, 'comparison')}, all as they were recorded")


def _choose_history(file: Path | None) -> Path:
    """The history named here, or before the name of the subcommand."""
    found: Path | None = file or click.get_current_context().meta.get(_OF_COMMAND)
    if found is None:
        raise click.UsageError("which history? name it by --history FILE, or in OUTSCORE_HISTORY")
    return found
