"""``outscore score``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore score -r ref.txt larger='larger.run*.txt' -m bleu,chrf
  outscore score scores.csv -m accuracy --cluster document -o scores.json
"""


_OPTIONS = (
    *("metrics", "n_resamples", "engine", "seed", "alpha", "interval"),
    *("cluster", "strata", "domain", "jobs", "cache"),
)


@click.command("score", epilog=EPILOG, no_args_is_help=True, params=options(*INPUTS, *OUTPUTS, *_OPTIONS))
@bundle
def command(inputs: Inputs, output: Output, **choices: Any) -> None:
    """Scores with their intervals, for one system or several.

    Files are given as to `outscore compare`. Nothing is compared: intervals that overlap do not say that two systems
    are alike, as they leave out that both were scored on the same items.
    """
    from outscore.api import score

    data = inputs.read()
    with output.progress() as tell:
        result = score(data, progress=tell, **choices)
    output.write(result)
