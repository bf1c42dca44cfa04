"""``outscore bayes``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore bayes scores.csv -m accuracy --rope 0.01
  outscore bayes -r ref.txt baseline=base.txt new=new.txt -m bleu --rope 0.3
  outscore bayes folds.csv --method t:rho=0.1 --rope 0.01
  outscore bayes data-sets.csv --method signed-rank --rope 0.01 --all-pairs
"""

_OPTIONS = ("metrics", "baseline", "all_pairs", "n_resamples", "seed", "alpha", "cluster", "jobs", "cache")


@click.command("bayes", epilog=EPILOG, no_args_is_help=True, params=options(*INPUTS, *OUTPUTS, *_OPTIONS))
@click.option(
    "--method",
    metavar="auto|NAME",
    default="auto",
    show_default=True,
    help="auto, dirichlet, t, bootstrap, sign, signed-rank, or beta for systems with items of their own; options as "
    "t:rho=0.1 or sign:strength=2.",
)
@click.option(
    "--rope",
    type=float,
    metavar="WIDTH",
    default=0.0,
    show_default=True,
    help="Gains from -WIDTH to WIDTH count as practically equivalent. Choose it before seeing the data.",
)
@bundle
def command(inputs: Inputs, output: Output, method: str, **choices: Any) -> None:
    """Compute the posterior probability that a system is better than the baseline.

    For each system the posterior probabilities that it is better, within the ROPE (region of practical equivalence) and
    worse, with the posterior mean and a credible interval, under a model and a prior that are stated. Files are given
    as to `outscore compare`. Nothing is tested: these probabilities are no p-values.
    """
    from outscore.api import bayes
    from outscore.significance.bayes import SampleMethod, methods

    apart = method != "auto" and isinstance(methods.make(method), SampleMethod)
    data = inputs.read_apart() if apart else inputs.read()
    with output.progress() as tell:
        result = bayes(data, method=method, progress=tell, **choices)
    output.write(result)
