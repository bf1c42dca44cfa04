"""``outscore confusion``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore confusion -r gold.txt base=base.txt new=new.txt
  outscore confusion predictions.csv -o confusion.md
"""


@click.command(
    "confusion",
    epilog=EPILOG,
    no_args_is_help=True,
    params=options(*INPUTS, *OUTPUTS, "seed", "alpha", "cluster"),
)
@bundle
def command(inputs: Inputs, output: Output, **choices: Any) -> None:
    """Confusion matrices: gold labels by predicted labels, with precision, recall and F1 of each class.

    Files are given as to `outscore compare`: a gold label for each item, and a predicted one for each item and system.
    """
    from outscore.api import confusion

    output.write(confusion(inputs.read(), **choices))
