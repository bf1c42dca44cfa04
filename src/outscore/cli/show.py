"""``outscore show``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from outscore.base.errors import InputError
from outscore.cli.output import emit, format_name, format_options


@click.command("show", epilog="Example:  outscore show result.json -f latex", no_args_is_help=True)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@format_options
def command(file: Path, format_: str | None, output: Path | None, width: int | None, cite: bool, quiet: bool) -> None:
    """Draw a result saved with ``-o FILE.json`` again, without computing."""
    from outscore.api import load

    name = format_name(format_, output)
    if output is not None and output.resolve() == file.resolve():
        raise InputError("would be overwritten by its own picture", file=str(file), remedy="name another -o FILE")
    emit(load(sys.stdin if str(file) == "-" else file), name, output, width, cite, quiet)
