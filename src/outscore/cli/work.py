"""Options of commands whose work is cut into cells, and what they say when it is stopped."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from outscore.base.notes import Note


def work_options() -> list[click.Option]:
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


def stop_if_interrupted(notes: Iterable[Note]) -> None:
    """Ends a command that was interrupted and has said what it found by then.

    Raises:
        KeyboardInterrupt: there is a note of it; the message says where the work can go on, if it can.
    """
    stopped = next((note for note in notes if note.code == "interrupted"), None)
    if stopped is not None:
        raise KeyboardInterrupt(f"interrupted; {stopped.remedy}" if "--resume" in stopped.remedy else "")
