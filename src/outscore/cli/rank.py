"""``outscore rank``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.history_options import HistoryOptions, without_environment
from outscore.cli.inputs import Inputs
from outscore.cli.options import HISTORY, INPUTS, OUTPUTS, correct_jointly, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore rank -r ref.txt 'systems/*.txt' -m bleu --plot board.svg
  outscore rank scores.csv -m accuracy --cluster document --history history.db
  outscore rank --sets 'tasks/*.csv' -m accuracy --plot ranks.svg --figure ranks
  outscore rank --preferences votes.csv --elo
"""

_OPTIONS = (
    *("metrics", "test", "n_resamples", "engine", "seed", "alpha", "interval", "correction"),
    *("cluster", "strata", "jobs", "cache"),
    *HISTORY,
)


@click.command(
    "rank", epilog=EPILOG, no_args_is_help=True, params=correct_jointly(options(*INPUTS, *OUTPUTS, *_OPTIONS))
)
@click.option(
    "--sets",
    multiple=True,
    metavar="PATTERN",
    help="Data sets, each one number for each system: folders in which all FILEs lie, or tables that hold all systems. "
    "Quote the pattern.",
)
@click.option(
    "--blocks",
    metavar="COLUMN",
    default=None,
    help="Rank within each value of this column too, for mean ranks; item: every item; none.  "
    "[default: the column 'domain', if any]",
)
@click.option(
    "--preferences",
    is_flag=True,
    help="FILE is a table of judgments: preferences ([item,] system1, system2, winner), or ratings (system, item, "
    "score [, rater]) taken as preferences.",
)
@click.option(
    "--ties",
    type=click.Choice(["half", "davidson"]),
    default="half",
    show_default=True,
    help="Of preferences: half a win for each, or an outcome of their own.",
)
@click.option("--elo", is_flag=True, help="Ratings on the scale of Elo, mean 1500, rather than in log odds.")
@click.option("--lower", is_flag=True, help="Of judgments that are ratings: lower is better, as of ranks.")
@click.option(
    "--figure",
    type=click.Choice(["board", "wins", "ranks"]),
    default=None,
    help="What --plot draws: the rank sets, who beats whom, or mean ranks with their critical difference.  "
    "[default: all]",
)
@bundle
def command(
    inputs: Inputs,
    output: Output,
    history_choice: HistoryOptions,
    sets: tuple[str, ...],
    preferences: bool,
    figure: str | None,
    **choices: Any,
) -> None:
    """Which ranks can the systems of a leaderboard have?

    Files are given as to `outscore compare`. Every two systems are compared on shared resamples and corrected
    together: rank sets, tiers and letters hold for all systems at once. With --preferences, FILE holds judgments
    between two systems, and Bradley-Terry ratings are ranked.
    """
    if not sets and not inputs.files:
        raise click.UsageError("no systems: give NAME=FILE for each, tables with --sets, or --preferences FILE")
    if preferences and (sets or inputs.references or inputs.items or inputs.reader):
        raise click.UsageError("--preferences reads one table of judgments: leave out the other files")
    if sets or preferences:
        # a history that the environment names is meant for commands that can record
        history_choice = without_environment(click.get_current_context(), history_choice)
    history = history_choice.find_history()
    output.check_figure(figure)
    from outscore.api import rank, read_judgments

    data: Any
    if preferences:
        data = read_judgments(inputs.files, columns=inputs.columns)
    else:
        data = inputs.read_sets(sets) if sets else inputs.read()
    with output.progress() as tell:
        result = rank(data, history=history, progress=tell, **choices)
    if figure is not None:
        output.draw(result, figure=figure)
    output.write(result)
