"""``outscore ppv``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.options import OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore ppv --odds 0.1 --power 0.5
  outscore ppv --odds 0.25 --power 0.8 --bias 0.1 --teams 10
  outscore ppv --odds 1 --p 0.03
"""


@click.command("ppv", epilog=EPILOG, no_args_is_help=True, params=options(*OUTPUTS))
@click.option(
    "--odds",
    type=float,
    required=True,
    help="True effects for each null one among the hypotheses tested: odds, not a probability.",
)
@click.option("--power", type=float, default=0.8, show_default=True, help="Of the tests.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the tests.")
@click.option("--wanted", type=float, default=0.95, show_default=True, help="The value to find a cut-off for.")
@click.option("--bias", type=float, default=None, help="Proportion of what is no finding and is reported as one.")
@click.option("--teams", type=click.IntRange(min=1), default=None, help="Teams that test the same.")
@click.option(
    "--p", "p", type=float, default=None, help="A p-value: at least how probable is the null hypothesis given it?"
)
@bundle
def command(output: Output, **choices: Any) -> None:
    """With what probability is a significant result true?

    The positive predictive value of a field whose hypotheses are true with these odds and whose tests have this power
    (Ioannidis 2005), the cut-off at which it has a wanted value, and what bias and many teams do to it.
    """
    from outscore.api import ppv

    output.write(ppv(**choices))
