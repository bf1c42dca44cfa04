"""Where a result goes: stdout or a file, in a format by name or by suffix."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from outscore.cli.streams import say

if TYPE_CHECKING:
    from outscore.results import Result

FORMAT_OPTIONS: list[Any] = [
    click.option(
        "-f",
        "--format",
        "format_",
        metavar="NAME",
        default=None,
        help="terminal, markdown, latex, json, csv, sentence.  [default: by the suffix of -o, else terminal]",
    ),
    click.option(
        "-o", "--output", type=click.Path(path_type=Path), default=None, help="Write to this file instead of stdout."
    ),
    click.option(
        "-w",
        "--width",
        type=click.IntRange(0, 15),
        default=None,
        help="Decimals.  [default: the custom of each metric]",
    ),
    click.option("--cite", is_flag=True, help="Add BibTeX for the metrics and methods used."),
    click.option("-q", "--quiet", is_flag=True, help="No progress and no messages on stderr."),
]


def format_options(command: Any) -> Any:
    """Adds the options that ``emit`` reads."""
    for option in reversed(FORMAT_OPTIONS):
        command = option(command)
    return command


def format_name(format_: str | None, output: Path | None) -> str:
    """The format asked for, checked before any work is done.

    Raises:
        UsageError: no format has that name or that suffix.
    """
    from outscore.report.formats import format_for
    from outscore.results.comparison import formats

    name = format_ or (format_for(output) if output else "terminal")
    formats.make(name)
    return name


def emit(result: Result, name: str, output: Path | None, width: int | None, cite: bool, quiet: bool) -> None:
    """Draws a result and puts it where it belongs."""
    text = result.to("terminal:color=true" if name == "terminal" and _colourful(output) else name, width=width)
    if output is not None:
        from outscore.base.files import write_whole

        write_whole(output, text)
        if not quiet:
            click.echo(f"wrote {output}", err=True)
    else:
        say(text, nl=not text.endswith("\n"))
    if cite:
        from outscore.report.bibliography import bibtex

        references = bibtex(result.provenance.citations)
        if references:
            # beside a machine-readable result the references would break it
            say(references, err=output is None and name in ("json", "csv"))


def _colourful(output: Path | None) -> bool:
    return output is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
