"""``outscore advise``, beside its verb: the options that were typed, and tests that are measured in its place."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import click
from click.core import ParameterSource

from outscore.cli.command import Around, Call
from outscore.cli.typed import DeclaredClickOption, stray_flag
from outscore.verbs.audit import TESTS, AuditedResamples, AuditTest, IgnoreClusters, Rounds
from outscore.verbs.declared import declared
from outscore.verbs.options import Dask, Engine, IntervalName, Resume, Seed


@dataclass(frozen=True, kw_only=True)
class AroundAdvise(Around):
    """Commands in place of calls in Python; and tests that are measured."""

    drawn: ClassVar[bool] = False

    test: Annotated[str | None, TESTS] = None
    rounds: Rounds = 1000
    n_resamples: AuditedResamples = 999
    interval: IntervalName = "auto"
    ignore_clusters: IgnoreClusters = False
    engine: Engine = "cyclic"
    seed: Seed = 12345
    dask: Dask = None
    resume: Resume = None

    def check(self, call: Call) -> Call:
        """Keeps the files and options as they were typed, too."""
        call = super().check(call)
        own = {one.name for one in declared(type(self))}
        if self.test is None and (stray := stray_flag(click.get_current_context(), own)):
            raise click.UsageError(f"{stray} is about tests that are measured: name them with --test")
        typed = [*call.inputs.files, *_recover_options(click.get_current_context())]
        return replace(call, chosen={**call.chosen, "arguments": typed})

    def answer(self, call: Call) -> Any:
        """The advice, or the measured tests."""
        if self.test is None:
            return super().answer(call)
        known = {one.name for one in declared(AuditTest)}
        own = {one.name: getattr(self, one.name) for one in declared(type(self))}
        shared = {name: value for name, value in call.chosen.items() if name in known}
        chosen = {**shared, **own, "checkpoint": Path("advise.cells")}
        return super().answer(replace(call, verb=AuditTest, chosen=chosen))


def _recover_options(context: click.Context) -> Iterator[str]:
    """The options about the data that the user gave, as words of a command line."""
    for parameter in context.command.params:
        given = context.get_parameter_source(str(parameter.name))
        of_data = isinstance(parameter, DeclaredClickOption) and parameter.declared.group != "Work"
        if of_data and given not in (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP):
            value = context.params[str(parameter.name)]
            for each in value if parameter.multiple else [value]:
                yield from (parameter.opts[0], str(each))
