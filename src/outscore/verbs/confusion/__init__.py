"""``confusion``: gold and predicted labels in, confusion matrices out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from outscore.verbs.declared import verb
from outscore.verbs.options import Alpha, Cluster, Missing, ReadingOptions, Seed

if TYPE_CHECKING:
    from outscore.results import Confusion


@dataclass(frozen=True, kw_only=True)
class CountConfusions(ReadingOptions):
    """Gold labels by predicted labels for each run of each system, with precision, recall and F1 of each class.

    Above the matrices stand the accuracies with their intervals, as `outscore score` gives them.
    """

    files = (
        "Files are given as to `outscore compare`: a gold label for each item, and a predicted one for each item and "
        "system; one system is enough."
    )
    examples = (
        "outscore confusion -r gold.txt base=base.txt new=new.txt",
        "outscore confusion predictions.csv -o confusion.md",
        "outscore confusion predictions.csv --cluster document",
    )
    given: ClassVar[Mapping[str, str]] = {
        "data": "as in ``compare``: predicted labels and gold labels; one system is enough."
    }
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong.",
        "InputError": "the data are wrong, or have more different labels than a matrix can show.",
    }

    missing: Missing = "error"
    cluster: Cluster = None
    alpha: Alpha = 0.05
    seed: Seed = 12345

    def run(self, data: Any) -> "Confusion":
        """Counts the confusions."""
        from outscore.verbs.confusion.run import confusion

        return confusion(data, self)


confusion = verb(CountConfusions, "confusion")
