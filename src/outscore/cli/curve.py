"""``outscore curve``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore curve scores.csv --kind pr -o curves.csv
  outscore curve -r gold.txt base=base.scores new=new.scores --positive spam
"""


@click.command(
    "curve",
    epilog=EPILOG,
    no_args_is_help=True,
    params=options(*INPUTS, *OUTPUTS, "n_resamples", "seed", "alpha", "cluster", "jobs"),
)
@click.option(
    "--kind",
    type=click.Choice(["roc", "pr"]),
    default="roc",
    show_default=True,
    help="Recall over the false positive rate, or precision over recall.",
)
@click.option("--positive", metavar="LABEL", default="", help="The gold label of positive items.  [default: 1 or true]")
@bundle
def command(inputs: Inputs, output: Output, **choices: Any) -> None:
    """ROC or precision-recall curves with their bands, and the areas under them.

    Files are given as to `outscore compare`: a gold label for each item, and a number for each item and system. At a
    threshold the items with a higher number are taken as positive. The terminal shows some of the points; CSV and JSON
    hold all.
    """
    from outscore.api import curve

    data = inputs.read()
    with output.progress() as tell:
        result = curve(data, progress=tell, **choices)
    output.write(result)
