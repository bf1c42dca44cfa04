"""``outscore judge``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore judge labelled.csv --human correct --judge llm
  outscore judge labelled.csv --human correct --judge llm --cluster document --baseline base
"""

_INPUTS = tuple(name for name in INPUTS if name != "references")


@click.command(
    "judge",
    epilog=EPILOG,
    no_args_is_help=True,
    params=options(*_INPUTS, *OUTPUTS, "baseline", "seed", "alpha", "correction", "cluster"),
)
@click.option("--human", metavar="COLUMN", required=True, help="Human labels; empty where there is none.")
@click.option(
    "--judge", metavar="COLUMN", default=None, help="The judge's, for every item.  [default: the only other column]"
)
@click.option("--lower", is_flag=True, help="Lower labels are better.")
@bundle
def command(inputs: Inputs, output: Output, **choices: Any) -> None:
    """Estimate human scores of all items, where humans labelled some and a judge all.

    Files are given as to `outscore compare`: tables with a column of human labels, which may have gaps, and one of an
    automatic judge. The labelled items must be a random sample. Scores and gains get prediction-powered intervals,
    which heed the judge's errors, beside those of the labels alone and of the judge alone.
    """
    from outscore.api import judge

    roles = tuple(name for name in (choices["human"], choices["judge"]) if name is not None)
    output.write(judge(replace(inputs, measures=roles).read(), **choices))
