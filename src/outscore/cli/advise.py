"""``outscore advise``."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore advise scores.csv -m accuracy
  outscore advise -r ref.txt base='base.run*' new='new.run*' -m bleu,chrf
  outscore advise base=a.seg new=b.seg -f markdown -o advice.md
"""

_OF_THE_DATA = ("metrics", "baseline", "alpha", "alternative", "cluster", "strata")


@click.command(
    "advise", epilog=EPILOG, no_args_is_help=True, params=options(*INPUTS, *OUTPUTS, *_OF_THE_DATA, "jobs", "cache")
)
@click.pass_context
@bundle
def command(context: click.Context, /, inputs: Inputs, output: Output, **choices: Any) -> None:
    """Which test suits the data, which to avoid, and the command to run.

    Looks at the metric, the design, the number of items and the shape of the differences, and says in words what
    follows from them. It looks at no p-value and not at who is ahead, so that the test is chosen before anybody knows.
    Files are given as to `outscore compare`.
    """
    from outscore.api import advise

    data = inputs.read()
    with output.progress() as tell:
        result = advise(data, progress=tell, arguments=[*inputs.files, *_recover_options(context)], **choices)
    output.write(result)


def _recover_options(context: click.Context) -> list[str]:
    """The options about the data that the user gave, as words of a command line."""
    words: list[str] = []
    about = ("references", "items", "reader", "columns", "missing", "exclude", *_OF_THE_DATA)
    for parameter in context.command.params:
        given = context.get_parameter_source(str(parameter.name))
        if parameter.name in about and given not in (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP):
            value = context.params[parameter.name]
            for each in value if parameter.multiple else [value]:
                words += [parameter.opts[0], str(each)]
    return words
