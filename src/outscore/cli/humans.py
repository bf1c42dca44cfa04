"""``outscore humans``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.options import WRITTEN, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore humans ratings.csv --standardize
  outscore humans preferences.csv --cluster document
  outscore humans ratings.tsv -c rater=worker -c item=seg_id -c score=adequacy
"""


_OPTIONS = ("files", "seed", "alpha", "correction", *WRITTEN)


@click.command("humans", epilog=EPILOG, no_args_is_help=True, params=options(*_OPTIONS))
@click.option(
    "-c",
    "--column",
    "columns",
    multiple=True,
    metavar="ROLE=NAME",
    help="What a column is for, where its name does not say it: system, item, rater, score, or first, second, winner "
    "(winner_name, winner_position where a cell could be either).",
)
@click.option(
    "--standardize", is_flag=True, help="Ratings as deviations from the rater's mean, in the rater's deviations."
)
@click.option("--lower", is_flag=True, help="Lower ratings are better, as of ranks.")
@click.option("--cluster", metavar="COLUMN", default=None, help="Column of items that belong together: document ...")
@click.option(
    "-n",
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=2),
    default=1000,
    show_default=True,
    help="Resampled sets of items for the intervals of wins.",
)
@bundle
def command(output: Output, files: tuple[str, ...], columns: tuple[str, ...], **choices: Any) -> None:
    """Score systems by human ratings or preferences.

    FILE is a table of ratings (system, item, score [, rater]), of ranks (with --lower), or of preferences (item,
    system1, system2, winner). Mean ratings get intervals over items; expected wins and pairs of systems rest on what
    the same rater said of the same item.
    """
    from outscore.api import humans
    from outscore.data.judgments import read_judgments

    output.write(humans(read_judgments(files, columns=columns), **choices))
