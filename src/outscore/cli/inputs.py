"""Files and histories that a command reads, from the options that name them."""

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

import click

import outscore
from outscore.base.errors import UsageError
from outscore.base.files import exists
from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option

if TYPE_CHECKING:
    from outscore.data import Dataset
    from outscore.verbs.history.kept import History

Reader = Annotated[
    str | None,
    Option(
        "lines, scores, table, jsonl ...; `outscore list readers` lists all.",
        metavar="NAME",
        default="by content",
        group="Files",
        rare=True,
    ),
]
Columns = Annotated[
    tuple[str, ...],
    Option(
        "Of a table: item=question_id, domain=category.",
        "What a column is for, where its name does not say it: item=task+id, label=length; item=@row numbers the rows, "
        "item=@columns takes headers as items.",
        flags=("-c", "--column", "columns"),
        metavar="ROLE=NAME",
        repeat=True,
        group="Files",
        rare=True,
    ),
]
Annotators = Annotated[
    str | None,
    Option(
        "Columns of a wide table, or patterns: 'rater*'.",
        "One for each annotator.",
        metavar="COLUMN,...",
        group="Files",
    ),
]
ReaderOfLabels = Annotated[
    str | None,
    Option(
        "json:rows=PATH,item=PATH,annotator=PATH,label=PATH.",
        "Where labels stand in nested JSON; `outscore list readers jsonl` explains paths.",
        metavar="NAME",
        default="by content",
        group="Files",
        rare=True,
    ),
]
Exclude = Annotated[
    tuple[str, ...],
    Option(
        "Leave a system out, by its name or a pattern.",
        "As if it had not been given; repeat for several.",
        metavar="SYSTEM",
        repeat=True,
        group="Files",
        rare=True,
    ),
]
Sets = Annotated[
    tuple[str, ...],
    Option(
        "Data sets: folders, or tables with all systems.",
        "Folders in which all FILEs lie. Quote the pattern.",
        metavar="PATTERN",
        repeat=True,
        group="Files",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Files, and how they are to be read.

    Attributes:
        files: NAME=PATTERN of systems, bare files, or tables.
        references: files of references or gold labels.
        items: table that describes the items.
        reader: name of the reader; None for the one that suits the content.
        columns: ROLE=NAME of columns.
        missing: treatment of items that a system lacks.
        exclude: systems that are left out.
        measures: metrics, as they were typed: columns of these names are measures of a system and no systems.
    """

    files: tuple[str, ...]
    references: tuple[str, ...] = ()
    items: str | None = None
    reader: Reader = None
    columns: Columns = ()
    missing: Any = "error"
    exclude: Exclude = ()
    measures: tuple[str, ...] = ()

    def read(self) -> "Dataset":
        """All systems on the same items; with ``pairwise`` what only ``compare`` can align."""
        found: Dataset = outscore.read(self.files, **self._how)
        return found

    def read_apart(self) -> tuple["Dataset", ...]:
        """Systems with items of their own."""
        return outscore.read_apart(self.files, **self._how)

    def read_sets(self, patterns: tuple[str, ...]) -> dict[str, "Dataset"]:
        """Several data sets: folders in which all files lie, or tables."""
        from outscore.verbs.shared.sets import read_sets

        return read_sets(patterns, self.files, **self._how)

    def __post_init__(self) -> None:
        strays = [one for one in self.files if self.measures and one.isalnum() and not exists(one)]
        if not strays:
            return
        from outscore.metrics import metrics

        if stray := next((one for one in strays if metrics.knows(one.lower())), ""):
            asked = ",".join((*self.measures, stray.lower()))
            raise UsageError(f"{stray}: no such file; several metrics stand with commas between them: -m {asked}")

    @property
    def _how(self) -> dict[str, Any]:
        return {
            "references": self.references,
            "items": self.items,
            "reader": self.reader,
            "columns": self.columns,
            "missing": self.missing,
            "exclude": self.exclude,
            "measures": self.measures,
        }


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
            return outscore.History(
                file=self.history, family=self.family, correction=self.correct_history, test_set=self.test_set
            )
        if self.correct_history or self.family or self.test_set:
            raise click.UsageError("--correct-history, --family and --test-set are about a history: add --history FILE")
        return None


def without_environment(context: click.Context, history_choice: HistoryOptions) -> HistoryOptions:
    """Without a history that only the environment names."""
    named = context.get_parameter_source("history") is not click.core.ParameterSource.ENVIRONMENT
    return history_choice if named else dataclasses.replace(history_choice, history=None)
