"""``outscore correlate``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, drop_missing, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore correlate judged.csv --human adequacy
  outscore correlate judged.csv --human adequacy -m comet,chrf --level system,segment-by-item
  outscore correlate judged.csv --human mean:column=mqm,lower=true --coefficient accuracy --level segment-by-item
"""

_OPTIONS = ("metrics", "seed", "alpha", "alternative", "correction", "cluster", "jobs", "cache")


@click.command(
    "correlate", epilog=EPILOG, no_args_is_help=True, params=drop_missing(options(*INPUTS, *OUTPUTS, *_OPTIONS))
)
@click.option(
    "--human",
    metavar="COLUMN",
    required=True,
    help="What the humans gave: a column, or mean:column=NAME,lower=true where lower is better.",
)
@click.option(
    "--level",
    "levels",
    metavar="NAME,...",
    default=None,
    help="system; segment: all segments together; segment-by-item and segment-by-system: within each item, or system, "
    "then the mean.  [default: system,segment-by-item; of fewer than three systems segment]",
)
@click.option(
    "--coefficient",
    "coefficients",
    metavar="NAME,...",
    default="pearson,kendall",
    show_default=True,
    help="pearson, spearman, kendall (tau-b), kendall-c, accuracy (pairwise; ties of segments calibrated).",
)
@click.option(
    "--test",
    type=click.Choice(["perm-systems", "perm-items", "perm-both", "williams", "none"]),
    default="perm-systems",
    show_default=True,
    help="Of every two metrics: permute their scores of systems, items, or single outputs; williams: Pearson over "
    "systems.",
)
@click.option(
    "--resample",
    type=click.Choice(["both", "systems", "items"]),
    default="both",
    show_default=True,
    help="What intervals resample: they speak of new ones of these.",
)
@click.option(
    "-n",
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=2),
    default=1000,
    show_default=True,
    help="Resampled sets, and permutations of two metrics.",
)
@bundle
def command(inputs: Inputs, output: Output, **choices: Any) -> None:
    """How well do metrics agree with humans, and which metric agrees better?

    Files are given as to `outscore compare`, with a column of what the humans gave each output. Metrics are columns or
    are computed. Correlations come with intervals over resampled systems and items, and every two metrics are tested.
    """
    from outscore.api import correlate

    data = inputs.read()
    with output.progress() as tell:
        result = correlate(data, missing=inputs.missing, progress=tell, **choices)
    output.write(result)
