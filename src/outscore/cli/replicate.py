"""``outscore replicate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore replicate scores.csv --set domain -m accuracy
  outscore replicate --sets 'tasks/*' -r ref.txt base=base.txt new=new.txt -m bleu
  outscore replicate --sets 'tables/*.csv' -m accuracy --plot forest.svg
  outscore replicate leaderboard.csv -c item=@columns --set item
"""

_OPTIONS = (
    *("metrics", "baseline", "test", "n_resamples", "engine", "seed", "alpha", "interval"),
    *("cluster", "strata", "jobs", "cache"),
)


@click.command("replicate", epilog=EPILOG, no_args_is_help=True, params=options(*INPUTS, *OUTPUTS, *_OPTIONS))
@click.option(
    "--sets",
    multiple=True,
    metavar="PATTERN",
    help="The data sets: folders in which all FILEs lie, or tables that hold all systems. Quote the pattern.",
)
@click.option(
    "--set",
    "column",
    metavar="COLUMN",
    default=None,
    help="Column that names the data set of an item; item: every item is a data set, for tables of one number each.  "
    "[default: the column 'domain', if any]",
)
@click.option(
    "--alternative",
    type=click.Choice(["greater", "less"]),
    default="greater",
    show_default=True,
    help="The claim: greater, the system is better than the baseline. Choose it before seeing the data.",
)
@click.option(
    "--correct",
    "correction",
    metavar="NAME",
    default="holm",
    show_default=True,
    help="Over all systems, metrics and data sets together: holm, bonferroni, hochberg, hommel, sidak, holm-sidak, bh, "
    "by, max-t, none.",
)
@bundle
def command(inputs: Inputs, output: Output, sets: tuple[str, ...], column: str | None, **choices: Any) -> None:
    """On how many data sets does the gain hold, and on which?

    Files are given as to `outscore compare`. With --sets 'DIR/*' they lie in every folder of DIR, each a data set;
    with --set COLUMN a column tells the data sets apart. Every data set is tested by itself, one-sided; the counts say
    on how many the gain holds, and further tests take each data set for one number.
    """
    if sets and column:
        raise click.UsageError("--sets and --set both say what the data sets are: give one of them")
    if not sets and not inputs.files:
        raise click.UsageError("no systems: give NAME=FILE for each, the baseline first, or tables with --sets")
    from outscore.api import replicate

    folder = next((file for file in inputs.files if Path(file).is_dir()), None)
    if folder:
        raise click.UsageError(f"{folder!r} is a folder: quote the pattern of the data sets, --sets 'DIR/*'")
    data = inputs.read_sets(sets) if sets else inputs.read()
    with output.progress() as tell:
        result = replicate(data, column=column, progress=tell, **choices)
    output.write(result)
