"""``outscore curve``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from outscore.cli.output import emit, format_name
from outscore.cli.shared import all_but_tests

EPILOG = """\b
Examples:
  outscore curve scores.csv --kind pr -o curves.csv
  outscore curve -r gold.txt base=base.scores new=new.scores --positive spam
"""


@click.command(
    "curve", epilog=EPILOG, no_args_is_help=True, params=all_but_tests("metrics", "strata", "domain", "engine", "cache")
)
@click.option(
    "--kind",
    type=click.Choice(["roc", "pr"]),
    default="roc",
    show_default=True,
    help="Recall over the false positive rate, or precision over recall.",
)
@click.option("--positive", metavar="LABEL", default="", help="The gold label of positive items.  [default: 1 or true]")
def command(
    files: tuple[str, ...],
    references: tuple[str, ...],
    output: Path | None,
    format_: str | None,
    width: int | None,
    cite: bool,
    quiet: bool,
    resamples: int,
    items: str | None,
    reader: str | None,
    columns: tuple[str, ...],
    missing: Any,
    **choices: Any,
) -> None:
    """ROC or precision-recall curves with their bands, and the areas under them.

    Files are given as to `outscore compare`: a gold label for each item, and a number for each item and system. At a
    threshold the items with a higher number are taken as positive. The terminal shows some of the points; CSV and JSON
    hold all.
    """
    name = format_name(format_, output)
    from outscore.api import curve, read
    from outscore.cli.streams import progress

    data = read(files, references=references, items=items, reader=reader, columns=columns, missing=missing)
    with progress(quiet) as tell:
        result = curve(data, n_resamples=resamples, progress=tell, **choices)
    emit(result, name, output, width, cite, quiet)
    if any(note.code == "interrupted" for note in result.notes):
        raise KeyboardInterrupt
