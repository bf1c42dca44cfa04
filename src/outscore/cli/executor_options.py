"""Options of commands whose work is cut into cells."""

from __future__ import annotations

from pathlib import Path

import click


def executor_options() -> list[click.Option]:
    """How the work is done, and where its cells are kept."""
    return [
        click.Option(
            ["-j", "--jobs"],
            type=click.IntRange(min=1),
            default=None,
            help="Processes; they change no result.  [default: all cores]",
        ),
        click.Option(
            ["--dask"],
            metavar="ADDRESS|FILE|local",
            default=None,
            help="Work on a Dask cluster: its address, its scheduler file, or one of --jobs processes here.",
        ),
        click.Option(
            ["--resume"],
            type=click.Path(path_type=Path, file_okay=False),
            default=None,
            metavar="DIR",
            help="Keep cells here as they are done, and take those that are there.",
        ),
    ]
