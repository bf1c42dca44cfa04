"""``outscore show``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

import outscore
from outscore.base.errors import InputError
from outscore.cli.output import OUTPUTS, Output, options

EPILOG = """\b
Examples:
  outscore show result.json -f latex
  outscore show result.json -v --width 100
  outscore show result.json -o report.html
"""


@click.command("show", epilog=EPILOG, no_args_is_help=True, params=options(*OUTPUTS))
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--figure",
    metavar="NAME",
    default=None,
    help="What --plot or -o FILE.svg draws of several pictures: board, wins or ranks of a leaderboard, the "
    "name of one of a study.  [default: all; with -o the first]",
)
def command(file: Path, figure: str | None, **written: Any) -> None:
    """Draw a result saved with ``-o FILE.json`` again, without computing."""
    output = Output(**written)
    if file.resolve() in [one.resolve() for one in output.output]:
        raise InputError("would be overwritten by its own picture", file=str(file), remedy="name another -o FILE")
    output.check_figure(figure)
    result = outscore.load(sys.stdin if str(file) == "-" else file)
    output.write(result, figure or "")
