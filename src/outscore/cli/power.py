"""``outscore power``, beside its verb: a design by name in place of files, or odds in place of both."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from outscore.cli.command import Around, Call
from outscore.cli.inputs import Inputs
from outscore.cli.typed import stray_flag
from outscore.verbs.declared import declared
from outscore.verbs.power.ppv import ODDS, Bias, PValue, Teams, Wanted, ppv

Odds = Annotated[float | None, ODDS]


@dataclass(frozen=True, kw_only=True)
class AroundPower(Around):
    """A design, or a pilot; or nothing but the odds, for the predictive value."""

    odds: Odds = None
    wanted: Wanted = 0.95
    bias: Bias = None
    teams: Teams = None
    p: PValue = None

    def check(self, call: Call) -> Call:
        """Refuses to plan of nothing, and options of one question beside the other."""
        own = {one.name for one in declared(type(self))}
        context = click.get_current_context()
        if self.odds is None:
            if stray := stray_flag(context, own):
                raise click.UsageError(f"{stray} is about the predictive value of significant results: give --odds too")
            if not call.inputs.files:
                raise click.UsageError(
                    "no design and no files: name a design, such as t:sd=0.3, the files of a pilot, or --odds"
                )
            return call
        others = {one.name for one in (*declared(call.verb), *declared(Inputs))} - {"target", "alpha"}
        if stray := next(iter(call.inputs.files), None) or stray_flag(context, others):
            raise click.UsageError(
                f"--odds asks for the predictive value, which rests on --power and --alpha alone: leave out {stray}"
            )
        return call

    def answer(self, call: Call) -> Any:
        """The power, or the predictive value."""
        if self.odds is None:
            return super().answer(call)
        how = {one.name: getattr(self, one.name) for one in declared(type(self))}
        return ppv(power=call.chosen["target"], alpha=call.chosen["alpha"], **how)

    def read(self, call: Call) -> tuple[Any, ...]:
        """The design as it is written, or the pilot."""
        return (call.inputs.files[0] if _is_design(call.inputs.files) else call.inputs.read(),)


def _is_design(files: tuple[str, ...]) -> bool:
    """Whether a design is named, or misspelt: ``NAME:OPTION=...`` is no way to write a file."""
    from outscore.power.plans import plans

    name, colon, _ = files[0].partition(":")
    return len(files) == 1 and not Path(files[0]).exists() and (plans.knows(name) or bool(colon and "=" not in name))
