"""Options that say what the data sets are."""

from __future__ import annotations

import click


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
