"""``outscore humans``, beside its verb: how the table is read."""

from dataclasses import dataclass
from typing import Annotated, Any

from outscore.cli.command import Around, Call
from outscore.verbs.declared import Option

Columns = Annotated[
    tuple[str, ...],
    Option(
        "Of the table: rater=worker, score=adequacy.",
        "What a column is for, where its name does not say it: system, item, rater, score, or first, second, winner "
        "(winner_name, winner_position where a cell could be either).",
        flags=("-c", "--column", "columns"),
        metavar="ROLE=NAME",
        repeat=True,
        group="Files",
    ),
]


@dataclass(frozen=True, kw_only=True)
class AroundHumans(Around):
    """Judgments in place of systems."""

    drawn = False

    columns: Columns = ()

    def check(self, call: Call) -> Call:
        """Leaves it to the reader to refuse files, and none."""
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Ratings or preferences."""
        from outscore.data.judgments import read_judgments

        return (read_judgments(call.inputs.files, columns=self.columns),)
