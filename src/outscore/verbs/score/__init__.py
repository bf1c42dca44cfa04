"""``score``: outputs or scores of one or more systems in, their scores with intervals out; nothing is compared."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    DATA,
    Alpha,
    By,
    Cache,
    Cluster,
    IntervalName,
    Metrics,
    Missing,
    NumberOfResamples,
    ReadingOptions,
    Seed,
    Strata,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results.scores import Scores


CurveOfNumbers = Annotated[
    Literal["roc", "pr", "threshold", "profile"] | None,
    Option(
        "Also curves: roc, pr, threshold, profile.",
        "roc is recall over the false positive rate, pr precision over recall, threshold accuracy, precision and "
        "recall by threshold, profile the proportion of items above each score; each point with its band. Without -m "
        "the score is the area, or the iqm; the positive label is an option of it: auc:positive=spam.",
        metavar="NAME",
    ),
]
Confusion = Annotated[
    bool,
    Option(
        "Also confusion matrices, of labels.",
        "Gold labels by predicted labels for each run, with precision, recall and F1 of each class. Without -m the "
        "score is the accuracy.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ScoreSystems(ReadingOptions, WorkingOptions):
    """Scores with their intervals, for one system or several.

    Nothing is compared: intervals that overlap do not say that two systems are alike, as they leave out that both were
    scored on the same items.
    """

    files = "Files are given as to `outscore compare`; one system is enough."
    examples = (
        "outscore score -r ref.txt larger='larger.run*.txt' -m bleu,chrf",
        "outscore score scores.csv -m accuracy --cluster document -o scores.json",
        "outscore score scores.csv --curve roc -m auc:positive=spam --plot curves.svg",
        "outscore score -r gold.txt base=base.txt new=new.txt --confusion",
        "outscore score -r ref.txt base=base.txt new=new.txt -m bleu --interval max-t",
    )
    given: ClassVar[Mapping[str, str]] = {"data": DATA}

    missing: Missing = "error"
    metrics: Metrics = None
    curve: CurveOfNumbers = None
    confusion: Confusion = False
    cluster: Cluster = None
    by: By = None
    n_resamples: NumberOfResamples = 10_000
    interval: IntervalName = "auto"
    alpha: Alpha = 0.05
    strata: Strata = None
    seed: Seed = 12345
    cache: Cache = None

    def run(self, data: Any) -> "Scores":
        """Scores the systems."""
        from outscore.verbs.score.run import score

        return score(data, self)


score = verb(ScoreSystems, "score")
