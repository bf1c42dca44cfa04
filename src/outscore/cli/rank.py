"""``outscore rank``, beside its verb: several data sets, judgments and their wins, and which picture is drawn."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import click
from click.core import ParameterSource

from outscore.cli.command import Around, Call
from outscore.cli.history_options import without_environment
from outscore.cli.sets import Sets
from outscore.cli.typed import stray_flag
from outscore.verbs.declared import Option, declared
from outscore.verbs.humans import ScoreByHumans, Standardize

Preferences = Annotated[
    bool,
    Option(
        "FILE is a table of judgments.",
        "Preferences ([item,] system1, system2, winner), or ratings (system, item, score [, rater]) taken as "
        "preferences.",
        group="Files",
    ),
]
Wins = Annotated[
    bool,
    Option(
        "Of judgments: expected wins, means, sign tests.",
        "In place of ratings, which need a common scale: means of ratings over items, the share of decided judgments "
        "that each system wins, and the sign test over items of every two, by Holm.",
        also=("humans", "expected-wins"),
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
    wins: Wins = False
    standardize: Standardize = False
    figure: Figure = None

    def check(self, call: Call) -> Call:
        """Refuses files that do not go together, and a name of a picture without one."""
        inputs = call.inputs
        if not self.sets and not inputs.files:
            raise click.UsageError("no systems: give NAME=FILE for each, tables with --sets, or --preferences FILE")
        if self.standardize and not self.wins:
            raise click.UsageError("--standardize is about means of ratings: add --wins")
        if self._judged and (self.sets or inputs.references or inputs.items or inputs.reader):
            flag = "--wins" if self.wins else "--preferences"
            raise click.UsageError(f"{flag} reads one table of judgments: leave out the other files")
        if self.wins:
            self._check_wins(call)
        call.output.check_figure(self.figure)
        if self.sets or self._judged:
            # a history that the environment names is meant for commands that can record
            return replace(call, past=without_environment(click.get_current_context(), call.past))
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Systems, data sets or judgments."""
        if not self._judged:
            return (call.inputs.read_sets(self.sets) if self.sets else call.inputs.read(),)
        from outscore.data.judgments import read_judgments

        return (read_judgments(call.inputs.files, columns=call.inputs.columns),)

    def answer(self, call: Call) -> Any:
        """The ranks, or the wins."""
        if not self.wins:
            return super().answer(call)
        return super().answer(replace(call, verb=ScoreByHumans, chosen=self._choose(call)))

    @property
    def _judged(self) -> bool:
        """Whether the file is a table of judgments."""
        return self.preferences or self.wins

    def _choose(self, call: Call) -> dict[str, Any]:
        """The options of wins: what was given of those that a ranking has too, whose defaults are others."""
        context, known = click.get_current_context(), {one.name for one in declared(ScoreByHumans)}
        own = {"standardize": self.standardize}
        given = {
            name: value
            for name, value in call.chosen.items()
            if name in known and context.get_parameter_source(name) is not ParameterSource.DEFAULT
        }
        return {**given, **own}

    def _check_wins(self, call: Call) -> None:
        """Raises click.UsageError for what wins do not have."""
        others = {one.name for one in declared(call.verb)} - {one.name for one in declared(ScoreByHumans)}
        stray = stray_flag(click.get_current_context(), {*others, "figure"})
        stray = (
            "-n auto"
            if call.chosen["n_resamples"] == "auto"
            else "-o"
            if call.output.drawn
            else "--plot"
            if call.output.pictured
            else stray
        )
        if stray:
            raise click.UsageError(f"{stray} is about a ranking, and --wins makes none: leave it out")

    def finish(self, call: Call, result: Any) -> None:
        """Draws the picture that was named, and writes the result."""
        call.output.write(result, self.figure or "")
