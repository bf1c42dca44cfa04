"""``outscore score``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from outscore.cli.output import emit, format_name
from outscore.cli.shared import all_but_tests

EPILOG = """\b
Examples:
  outscore score -r ref.txt larger='larger.run*.txt' -m bleu,chrf
  outscore score scores.csv -m accuracy --cluster document -o scores.json
"""


@click.command("score", epilog=EPILOG, no_args_is_help=True, params=all_but_tests())
def command(
    files: tuple[str, ...],
    references: tuple[str, ...],
    metrics: tuple[str, ...],
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
    """Scores with their intervals, for one system or several.

    Files are given as to `outscore compare`. Nothing is compared: intervals that overlap do not say that two systems
    are alike, as they leave out that both were scored on the same items.
    """
    name = format_name(format_, output)
    from outscore.api import read, score
    from outscore.cli.streams import progress

    data = read(files, references=references, items=items, reader=reader, columns=columns, missing=missing)
    with progress(quiet) as tell:
        result = score(data, metrics=list(metrics) or None, n_resamples=resamples, progress=tell, **choices)
    emit(result, name, output, width, cite, quiet)
    if any(note.code == "interrupted" for note in result.notes):
        raise KeyboardInterrupt
