"""``outscore recheck``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore recheck printed.txt -r ref.txt base.txt new.txt
  outscore recheck paired.json -r ref.txt base=base.txt new=new.txt --tool-resamples 500
  outscore recheck multeval.txt -r ref.txt baseline='hyps/base.opt*' sys1='hyps/sys1.opt*'
"""

_OPTIONS = ("test", "engine", "seed", "alpha", "cluster", "jobs", "cache")


@click.command(
    "recheck",
    epilog=EPILOG,
    no_args_is_help=True,
    params=[click.Argument(["printed"], metavar="PRINTED"), *options(*INPUTS, *OUTPUTS, *_OPTIONS)],
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME,...",
    help="Options of the printed metrics: bleu:tokenize=intl.  [default: as printed, else those of the printed scores]",
)
@click.option(
    "-n",
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=2),
    metavar="NUMBER",
    default=10_000,
    show_default=True,
    help="Resampled test sets of our own comparison.",
)
@click.option(
    "--tool-resamples",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    default=None,
    help="Resamples or trials that the program drew.  [default: as printed, else what its p-values allow]",
)
@click.option(
    "--tool-seed",
    metavar="NUMBER|none",
    default=None,
    help="Seed of the program, none for unseeded.  [default: as printed, else 12345, sacrebleu's]",
)
@bundle
def command(inputs: Inputs, output: Output, printed: str, **choices: Any) -> None:
    """Can the numbers that sacrebleu or MultEval printed be made again, and are they right?

    PRINTED is what the program printed or saved: sacrebleu 2's JSON, tables, LaTeX or lines, MultEval's table, LaTeX or
    log. Files are given as to `outscore compare`, those that were scored then. Every number is made again by the
    program's own rule, draw for draw where its seed is known, and set beside ours with the reasons for each difference.
    """
    if not inputs.files:
        raise click.UsageError("no systems: give the outputs that were scored, NAME=FILE for each, the baseline first")
    if printed == "-" and "-" in (*inputs.files, *inputs.references):
        raise click.UsageError("the standard input can be read once: name a file for all but one of them")
    from outscore.api import recheck

    data = inputs.read()
    with output.progress() as tell:
        result = recheck(printed, data, progress=tell, **choices)
    output.write(result)
