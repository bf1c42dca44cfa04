"""``curve``: labels and numbers in, ROC or precision-recall curves with their bands out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    Alpha,
    Cluster,
    Missing,
    NumberOfResamples,
    ReadingOptions,
    Seed,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results import Curves

Kind = Literal["roc", "pr"]

KindOfCurve = Annotated[
    Kind,
    Option(
        "roc, or pr (precision over recall).",
        "roc is recall over the false positive rate.",
        metavar="NAME",
    ),
]
Positive = Annotated[
    str,
    Option("The gold label of positive items.", metavar="LABEL", default="1 or true"),
]
Column = Annotated[
    str,
    Option(
        "the column of numbers, higher for positive items.",
        default="``score``, or the only one",
        only="python",
    ),
]


@dataclass(frozen=True, kw_only=True)
class DrawCurve(ReadingOptions, WorkingOptions):
    """ROC or precision-recall curves with their bands, and the areas under them.

    At a threshold the items with a higher number are taken as positive: recall and the false positive rate do not
    increase with it, precision may do either. A band speaks of one threshold at a time, kept while the items are drawn
    anew; a resample in which a coordinate is 0/0 widens its band on both sides.
    """

    files = (
        "Files are given as to `outscore compare`: a gold label for each item, and a number for each item and system; "
        "one system is enough. The terminal shows some of the points; CSV and JSON hold all."
    )
    examples = (
        "outscore curve scores.csv --kind pr -o curves.csv",
        "outscore curve -r gold.txt base=base.scores new=new.scores --positive spam",
        "outscore curve scores.csv --cluster document --plot curves.svg",
    )
    given: ClassVar[Mapping[str, str]] = {"data": "as in ``compare``; one system is enough."}
    raises: ClassVar[Mapping[str, str]] = {"UsageError": "an option is wrong.", "InputError": "the data are wrong."}

    missing: Missing = "error"
    kind: KindOfCurve = "roc"
    positive: Positive = ""
    column: Column = ""
    cluster: Cluster = None
    n_resamples: NumberOfResamples = 10_000
    alpha: Alpha = 0.05
    seed: Seed = 12345

    def run(self, data: Any) -> "Curves":
        """Draws the curves."""
        from outscore.verbs.curve.run import curve

        return curve(data, self)


curve = verb(DrawCurve, "curve")
