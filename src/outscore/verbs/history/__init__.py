"""``history``: what was compared on which test set, how often, and what holds over all of it."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, Options, verb

if TYPE_CHECKING:
    from outscore.results.history import Uses
    from outscore.verbs.history.kept import HistoryLike, Recorder

OneSet = Annotated[
    str | None,
    Option("One test set: its name, or how its digest begins.", metavar="NAME", default="all of them"),
]
OneFamily = Annotated[str | None, Option("The uses of one family.", metavar="NAME", default="all of them")]
DecideAnew = Annotated[
    str | None,
    Option(
        "Decide over all uses: lond, alpha-spending ...",
        "alpha-spending, lond, lord, saffron, addis, over the history of each family at --alpha.",
        flags=("--correct-history", "correction"),
        metavar="NAME",
        default="as decided then",
    ),
]
LevelOfAll = Annotated[float, Option("Level of that correction.", metavar="NUMBER")]


@dataclass(frozen=True, kw_only=True)
class ListUses(Options):
    """How often was a test set used, for which comparisons, and what holds over all of them?

    `outscore compare --history FILE`, like `outscore rank`, records every use of a test set, which is known by its
    items and references, whatever the files are called. The same comparison made again is no new use.

    What changed since last week's run is another question: `outscore compare -r REF last=OLD now=NEW --show-flips 5
    --show-words 5`.
    """

    examples = (
        "outscore history --history history.db",
        "outscore history --history history.db --correct-history lond",
        "outscore history --history history.db --export history.jsonl",
        "outscore history --history team.db --import history.jsonl",
    )
    given: ClassVar[Mapping[str, str]] = {"file": "the history, which ``compare(..., history=FILE)`` writes."}
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "no such correction, test set or family.",
        "InputError": "the file is missing or damaged.",
    }

    test_set: OneSet = None
    family: OneFamily = None
    correction: DecideAnew = None
    alpha: LevelOfAll = 0.05

    def run(self, file: "str | os.PathLike[str]") -> "Uses":
        """Lists the uses, by test set."""
        from outscore.verbs.history.run import history

        return history(file, self)


history = verb(ListUses, "history")


def recorder(history: "HistoryLike") -> "Recorder | None":
    """Open the history that is meant, to record in it; None for none.

    Faults of the history are reported here, before any work is done.

    Raises:
        UsageError: no such correction.
        InputError: the file cannot be used.
    """
    if history is None:
        return None
    from outscore.verbs.history.kept import Recorder, history_from  # SQLite, for the few who ask for it

    return Recorder(history_from(history))
