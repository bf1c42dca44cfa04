"""``outscore confusion``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from outscore.cli.output import emit, format_name
from outscore.cli.shared import all_but_tests

EPILOG = """\b
Examples:
  outscore confusion -r gold.txt base=base.txt new=new.txt
  outscore confusion predictions.csv -o confusion.md
"""


@click.command(
    "confusion",
    epilog=EPILOG,
    no_args_is_help=True,
    params=all_but_tests("metrics", "strata", "domain", "resamples", "engine", "jobs", "cache"),
)
def command(
    files: tuple[str, ...],
    references: tuple[str, ...],
    output: Path | None,
    format_: str | None,
    width: int | None,
    cite: bool,
    quiet: bool,
    items: str | None,
    reader: str | None,
    columns: tuple[str, ...],
    missing: Any,
    **choices: Any,
) -> None:
    """Confusion matrices: gold labels by predicted labels, with precision, recall and F1 of each class.

    Files are given as to `outscore compare`: a gold label for each item, and a predicted one for each item and system.
    """
    name = format_name(format_, output)
    from outscore.api import confusion, read

    data = read(files, references=references, items=items, reader=reader, columns=columns, missing=missing)
    emit(confusion(data, **choices), name, output, width, cite, quiet)
