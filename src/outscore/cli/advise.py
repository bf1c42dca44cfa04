"""``outscore advise``, beside its verb: the options that were typed, for the commands that it names."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import click
from click.core import ParameterSource

from outscore.cli.command import Around, Call
from outscore.cli.typed import DeclaredClickOption


@dataclass(frozen=True, kw_only=True)
class AroundAdvise(Around):
    """Commands in place of calls in Python."""

    drawn: ClassVar[bool] = False

    def check(self, call: Call) -> Call:
        """Keeps the files and options as they were typed, too."""
        call = super().check(call)
        typed = [*call.inputs.files, *_recover_options(click.get_current_context())]
        return replace(call, chosen={**call.chosen, "arguments": typed})


def _recover_options(context: click.Context) -> Iterator[str]:
    """The options about the data that the user gave, as words of a command line."""
    for parameter in context.command.params:
        given = context.get_parameter_source(str(parameter.name))
        of_data = isinstance(parameter, DeclaredClickOption) and parameter.declared.group != "Work"
        if of_data and given not in (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP):
            value = context.params[str(parameter.name)]
            for each in value if parameter.multiple else [value]:
                yield from (parameter.opts[0], str(each))
