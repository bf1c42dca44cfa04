"""``outscore test``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, correct_jointly, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore test welch -r ref.txt base='hyps/base.run*' new='hyps/new.run*' -m bleu
  outscore test permutation:statistic=mean scores.csv --unit item
  outscore test wilcoxon base=a.seg new=b.seg
"""

_OPTIONS = (
    *("metrics", "baseline", "all_pairs", "n_resamples", "engine", "seed", "alpha", "alternative", "correction"),
    *("cluster", "jobs", "cache"),
)


@click.command(
    "test",
    epilog=EPILOG,
    no_args_is_help=True,
    params=[click.Argument(["name"], metavar="NAME"), *correct_jointly(options(*INPUTS, *OUTPUTS, *_OPTIONS))],
)
@click.option(
    "--unit",
    type=click.Choice(["run", "item"]),
    default=None,
    help="What one number stands for, in a test of independent samples: the score of a run, or of an item; of plain "
    "numbers each can be a run.  [default: run, if every system has several on the same items; else item]",
)
@bundle
def command(inputs: Inputs, output: Output, name: str, unit: Any, **choices: Any) -> None:
    """Run the test NAME on these systems; `outscore tests` lists the tests and what each is for.

    A test of pairs is `outscore compare --test NAME`. Tests of independent samples and of several systems compare the
    scores of runs or of items, and systems may have items of their own. Files are given as to `outscore compare`.
    """
    if not inputs.files:
        raise click.UsageError("no systems: give NAME=FILE for each, the baseline first")
    from outscore.api import test
    from outscore.significance.kinds import kind_of, make_test

    make_test(name)  # a wrong option is said before any file is read
    data = inputs.read() if kind_of(name) == "paired" else inputs.read_apart()
    with output.progress() as tell:
        result = test(data, name, unit=unit, progress=tell, **choices)
    output.write(result)
