"""``outscore sequential``."""

from __future__ import annotations

import sys
from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.gate import Gated
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output
from outscore.cli.streams import print_now
from outscore.cli.typed import made_options

EPILOG = """\b
Examples:
  outscore sequential scores.csv -m accuracy --order random --orders 200
  outscore sequential scores.csv -m accuracy --margin 0.02 --fail-unless not-worse
  python evaluate.py | outscore sequential - --stop
"""

_OPTIONS = ("metrics", "baseline", "seed", "alpha", "cluster")
_OF_FILES = {"references": "-r", "metrics": "-m", "baseline": "--baseline", "cluster": "--cluster", "items": "--items"}


class Bounds(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """Two numbers, the lowest and the highest score, or ``none``."""

    name = "bounds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float] | None:
        if value == "none":
            return None
        try:
            low, high = map(float, str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is neither LOW,HIGH nor none", param, ctx)
        return low, high


@click.command(
    "sequential",
    epilog=EPILOG,
    no_args_is_help=True,
    params=[*options(*INPUTS, *OUTPUTS, *_OPTIONS), *made_options(Gated)],
)
@click.option(
    "--margin", type=float, metavar="NUMBER", default=None, help="Gains of less than this, either way, do not matter."
)
@click.option(
    "--bounds",
    type=Bounds(),
    metavar="LOW,HIGH|none",
    default="0,1",
    show_default=True,
    help="The lowest and the highest score that an item can have, known beforehand.",
)
@click.option(
    "--method",
    type=click.Choice(["auto", "betting", "mixture"]),
    default="auto",
    show_default=True,
    help="auto is betting, which needs bounds and is valid at every number of items; mixture is asymptotic.",
)
@click.option(
    "--population",
    type=click.IntRange(min=1),
    metavar="ITEMS",
    default=None,
    help="Speak of this whole test set of so many items, and not of new items.",
)
@click.option(
    "--order",
    type=click.Choice(["given", "random"]),
    default="given",
    show_default=True,
    help="The order in which items are replayed.",
)
@click.option(
    "--orders",
    type=click.IntRange(min=0),
    metavar="NUMBER",
    default=0,
    show_default=True,
    help="Random orders to tell from how many items would have been enough.",
)
@click.option(
    "--every",
    type=click.IntRange(min=1),
    metavar="ITEMS",
    default=None,
    help="Items between the interim analyses shown.  [default: at 10, 20, 50, 100, 200 ...]",
)
@click.option("--stop", is_flag=True, help="Stop at better, worse or equivalent; a stream is read no further.")
@bundle
def command(inputs: Inputs, output: Output, fail_unless: str | None, **choices: Any) -> None:
    """When could the evaluation have stopped? One that may be looked at after every item, at any time.

    Files are given as to `outscore compare`, and replayed item by item. A single - reads the scores of a running
    evaluation from stdin, a line for each item: BASELINE<TAB>SYSTEM, or a JSON object of two scores, the baseline's
    first. The interval and the p-value hold at all interim analyses together, so one may stop whenever one likes.
    """
    if fail_unless in ("not-worse", "equivalent") and choices["margin"] is None:
        raise click.UsageError(
            f"--fail-unless {fail_unless} needs the margin that does not matter: add --margin NUMBER"
        )
    if inputs.files == ("-",):
        given = {"references": inputs.references, "items": inputs.items} | choices
        stray = [option for key, option in _OF_FILES.items() if given[key]]
        stray += ["--order"] if choices["order"] == "random" else []
        stray += ["--orders"] if choices["orders"] else []
        if stray:
            raise click.UsageError(f"{', '.join(stray)}: not for a stream, which is two scores a line as they come")
        with output.keep_interrupted():
            result = _follow(output.quiet, **choices)
    else:
        from outscore.api import sequential

        data = inputs.read()
        with output.progress() as tell:
            result = sequential(data, progress=tell, **choices)
    output.write(result)
    if fail_unless and not (gate := result.gate(fail_unless)):
        decisions = ", ".join(f"{s.system}: {s.decision}" for s in gate.failing)
        click.echo(f"outscore: not {fail_unless} ({decisions})", err=True)
        sys.exit(1)


def _follow(quiet: bool, **choices: Any) -> Any:
    """The stream on stdin, each interim analysis said on stderr when it comes."""
    from outscore.api import follow
    from outscore.report.lines import look_line

    options = {key: choices[key] for key in ("alpha", "margin", "bounds", "method", "population", "every", "stop")}
    return follow(
        sys.stdin, file="stdin", tell=None if quiet else lambda look: print_now(look_line(look), err=True), **options
    )
