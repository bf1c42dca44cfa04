"""Options of the history in which a comparison is recorded, and over which it is corrected."""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import click

from outscore.verbs.declared import Option

if TYPE_CHECKING:
    from outscore.verbs.history.kept import History

HistoryFile = Annotated[
    str | None,
    Option(
        "Record this use of the test set in FILE.",
        "And say how often there were others; `outscore history` lists them.",
        metavar="FILE",
        group="History",
        default="OUTSCORE_HISTORY, if set",
        envvar="OUTSCORE_HISTORY",
        rare=True,
    ),
]
CorrectHistory = Annotated[
    str | None,
    Option(
        "Decide over all uses ever made.",
        "alpha-spending, lond, lord, saffron, addis.",
        metavar="NAME",
        group="History",
        rare=True,
    ),
]
Family = Annotated[
    str | None,
    Option(
        "The uses in a history that are corrected together.",
        metavar="NAME",
        group="History",
        default="each metric by itself",
        rare=True,
    ),
]
TestSet = Annotated[
    str | None,
    Option(
        "Know the test set of a history by this name.",
        metavar="NAME",
        group="History",
        default="by its items and references",
        rare=True,
    ),
]


@dataclass(frozen=True, kw_only=True)
class HistoryOptions:
    """A history, and what belongs together in it.

    Attributes:
        history: the file; None for none.
        correct_history: how decisions are corrected over all uses; None for not at all.
        family: the uses that are corrected together; None for those of each metric.
        test_set: the name by which the test set is known; None for its items and references.
    """

    history: HistoryFile = None
    correct_history: CorrectHistory = None
    family: Family = None
    test_set: TestSet = None

    def find_history(self) -> "History | None":
        """The history that these options mean; None for none.

        Raises:
            UsageError: an option about a history without one.
        """
        if self.history:
            from outscore.verbs.history.kept import History

            return History(
                file=self.history, family=self.family, correction=self.correct_history, test_set=self.test_set
            )
        if self.correct_history or self.family or self.test_set:
            raise click.UsageError("--correct-history, --family and --test-set are about a history: add --history FILE")
        return None


def without_environment(context: click.Context, history_choice: HistoryOptions) -> HistoryOptions:
    """Without a history that only the environment names."""
    named = context.get_parameter_source("history") is not click.core.ParameterSource.ENVIRONMENT
    return history_choice if named else dataclasses.replace(history_choice, history=None)
