"""``outscore rank``, beside its verb: several data sets, judgments, and which picture is drawn."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import click

from outscore.cli.command import Around, Call
from outscore.cli.history_options import without_environment
from outscore.cli.sets import Sets
from outscore.verbs.declared import Option

Preferences = Annotated[
    bool,
    Option(
        "FILE is a table of judgments.",
        "Preferences ([item,] system1, system2, winner), or ratings (system, item, score [, rater]) taken as "
        "preferences.",
        group="Files",
    ),
]
Figure = Annotated[
    Literal["board", "wins", "ranks"] | None,
    Option(
        "What --plot draws.",
        "The rank sets, who beats whom, or mean ranks with their critical difference.",
        group="Output",
        default="all",
        rare=True,
    ),
]


@dataclass(frozen=True, kw_only=True)
class AroundRank(Around):
    """Data sets, or judgments, in place of systems."""

    sets: Sets = ()
    preferences: Preferences = False
    figure: Figure = None

    def check(self, call: Call) -> Call:
        """Refuses files that do not go together, and a name of a picture without one."""
        inputs = call.inputs
        if not self.sets and not inputs.files:
            raise click.UsageError("no systems: give NAME=FILE for each, tables with --sets, or --preferences FILE")
        if self.preferences and (self.sets or inputs.references or inputs.items or inputs.reader):
            raise click.UsageError("--preferences reads one table of judgments: leave out the other files")
        call.output.check_figure(self.figure)
        if self.sets or self.preferences:
            # a history that the environment names is meant for commands that can record
            return replace(call, past=without_environment(click.get_current_context(), call.past))
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Systems, data sets or judgments."""
        if not self.preferences:
            return (call.inputs.read_sets(self.sets) if self.sets else call.inputs.read(),)
        from outscore.data.judgments import read_judgments

        return (read_judgments(call.inputs.files, columns=call.inputs.columns),)

    def finish(self, call: Call, result: Any) -> None:
        """Draws the picture that was named, and writes the result."""
        if self.figure is not None:
            call.output.draw(result, figure=self.figure)
        super().finish(call, result)
