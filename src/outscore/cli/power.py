"""``outscore power``."""

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
  outscore power mcnemar:baseline=0.8,agreement=0.9 --effect 0.02
  outscore power t:sd=0.35 --effect 0.02 --design-effect 1.8
  outscore power -r ref.txt base=base.txt new=new.txt -m bleu --effect 0.5 --sizes 500,1000,2000,4000
  outscore power -r ref.txt base='base.run*' new='new.run*' -m bleu --effect 1 --cost-run 40 --cost-item 0.5
"""


class Sizes(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """Numbers of items, joined by commas."""

    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        sizes = [part.strip() for part in str(value).split(",")]
        if not all(size.isdecimal() for size in sizes):
            self.fail(f"{value!r}: expected whole numbers of items, such as 500,1000,2000", param, ctx)
        return tuple(int(size) for size in sizes)


class Effect(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A gain, or ``pilot``; ``observed`` is refused with the reason."""

    name = "effect"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | str:
        if value in ("pilot", "observed"):
            return str(value)
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is neither a gain nor pilot", param, ctx)


@click.command(
    "power",
    epilog=EPILOG,
    no_args_is_help=True,
    params=[
        *options(*INPUTS, *OUTPUTS, "metrics", "baseline", "engine", "seed", "alpha", "alternative", "cluster"),
        *executor_options(),
    ],
)
@click.option(
    "--effect",
    type=Effect(),
    metavar="GAIN|pilot",
    default=None,
    help="The smallest gain that matters, in the metric's own unit; pilot: that of the pilot, for other sizes.",
)
@click.option(
    "--sizes", type=Sizes(), metavar="ITEMS,...", default=None, help="Numbers of items.  [default: around the answer]"
)
@click.option("--power", "target", type=float, default=0.8, show_default=True, help="The power that is wanted.")
@click.option(
    "--design-effect",
    type=float,
    default=1.0,
    show_default=True,
    help="Of clustered items, 1 + (m - 1) ICC, m = Σm²/Σm over clusters; for a pilot give --cluster instead.",
)
@click.option("--cost-run", type=float, default=None, help="Of a run of one system: weighs runs against items.")
@click.option("--cost-item", type=float, default=None, help="Of an item.")
@click.option(
    "--budget", type=float, default=None, help="What runs and items may cost.  [default: the least for --power]"
)
@click.option(
    "--test", metavar="auto|NAME", default="auto", show_default=True, help="Of the simulated test sets, as in compare."
)
@click.option(
    "--by",
    type=click.Choice(["auto", "shift", "scale", "exchange"]),
    default="auto",
    show_default=True,
    help="How the gain is made from a pilot: scores shifted, differences scaled, outputs exchanged.",
)
@click.option(
    "--simulations",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Simulated test sets of each size.",
)
@click.option(
    "-n",
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=2),
    metavar="NUMBER",
    default=999,
    show_default=True,
    help="Resamples of each simulated test set, where the test draws them.",
)
@bundle
def command(inputs: Inputs, output: Output, metrics: list[str] | None, **choices: Any) -> None:
    """How many items, and runs, are needed to find a gain that matters?

    Either the name of a design with what is known of it: t:sd=0.3, two-proportions:baseline=0.8,
    mcnemar:p10=0.1,p01=0.05 or mcnemar:baseline=0.8,agreement=0.9, crossed:run=1,item=300,residual=100 (variances),
    bleu:p0=0.13,b0=25.8, fake:p10=0.1,p01=0.05. Or the files of two systems, a pilot, given as to `outscore compare`:
    test sets are drawn from it, the gain is set to --effect, and the test is run on each.
    """
    from outscore.api import plan

    if not inputs.files:
        raise click.UsageError("no design and no files: name a design, such as t:sd=0.3, or the files of a pilot")
    data: Any = inputs.files[0]
    if not _is_design(inputs.files):
        data = inputs.read()
    with output.progress() as tell:
        result = plan(
            data, metric=",".join(metrics or []) or None, progress=tell, checkpoint=Path("power.cells"), **choices
        )
    output.write(result)


def _is_design(files: tuple[str, ...]) -> bool:
    """Whether a design is named, or misspelt: ``NAME:OPTION=...`` is no way to write a file."""
    from outscore.power.plans import plans

    name, colon, _ = files[0].partition(":")
    return len(files) == 1 and not Path(files[0]).exists() and (plans.knows(name) or bool(colon and "=" not in name))
