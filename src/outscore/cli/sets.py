"""Options that say what the data sets are."""

from typing import Annotated

import click

from outscore.verbs.declared import Option

Sets = Annotated[
    tuple[str, ...],
    Option(
        "Data sets: folders, or tables with all systems.",
        "Folders in which all FILEs lie. Quote the pattern.",
        metavar="PATTERN",
        repeat=True,
        group="Files",
    ),
]


def sets_options() -> list[click.Option]:
    """Several data sets, as folders, as tables, or told apart by a column."""
    return [
        click.Option(
            ["--sets"],
            multiple=True,
            metavar="PATTERN",
            help="The data sets: folders in which all FILEs lie, or tables that hold all systems. Quote the pattern.",
        ),
        click.Option(
            ["--set", "column"],
            metavar="COLUMN",
            default=None,
            help="Column that names the data set of an item.  [default: the column 'domain', if any]",
        ),
    ]
