"""``outscore audit``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.executor_options import executor_options
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore audit scores.csv -m accuracy --cluster document
  outscore audit base=a.seg new=b.seg --test t,bootstrap,randomization
  outscore audit scores.csv --cluster document --ignore-clusters --test mcnemar
  outscore audit -r ref.txt base='base.run*' new='new.run*' -m bleu --test crossed,randomization,multeval
"""

_OPTIONS = (
    *("metrics", "baseline", "engine", "seed", "alpha", "interval", "alternative"),
    *("cluster", "strata", "cache"),
)


@click.command(
    "audit",
    epilog=EPILOG,
    no_args_is_help=True,
    params=[
        *options(*INPUTS, *OUTPUTS, *_OPTIONS),
        *executor_options(),
    ],
)
@click.option(
    "--test",
    metavar="auto|NAME,...",
    default="auto",
    show_default=True,
    help="The tests to be measured, all on the same null versions; options as bootstrap:form=percentile.",
)
@click.option(
    "--rounds", type=click.IntRange(min=1), default=1000, show_default=True, help="Null versions of each kind."
)
@click.option(
    "-n",
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=2),
    metavar="NUMBER",
    default=999,
    show_default=True,
    help="Resampled test sets of each null version, where a test draws them.",
)
@click.option(
    "--ignore-clusters",
    is_flag=True,
    help="Make null versions by clusters but tell the tests nothing of them: what does ignoring them cost?",
)
@bundle
def command(inputs: Inputs, output: Output, **choices: Any) -> None:
    """Can a test be trusted on these very data?

    Makes null versions of the data, in which the systems are on a par and clusters, runs, ties and shapes stay, and
    counts how often the tests reject on them and how often the intervals hold what is there. Files are given as to
    `outscore compare`.
    """
    from outscore.api import audit

    data = inputs.read()
    with output.progress() as tell:
        result = audit(data, progress=tell, checkpoint=Path("audit.cells"), **choices)
    output.write(result)
