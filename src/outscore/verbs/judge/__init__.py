"""``judge``: human labels of some items and a judge's of all, estimates that heed the judge's errors."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, Options, verb
from outscore.verbs.options import LACKING, Alpha, Baseline, Cluster, Correction, Items

if TYPE_CHECKING:
    from outscore.results.judge import Judgements

HumanColumn = Annotated[
    str | None,
    Option("Human labels; empty where there is none.", metavar="COLUMN", default="the column 'human', if any"),
]
JudgeColumn = Annotated[
    str | None, Option("The judge's, for every item.", metavar="COLUMN", default="the only other column")
]
MissingLabels = Annotated[
    Literal["error", "drop"],
    Option(
        "Lacking items: error, drop; no label is no 0.",
        "Items that some system lacks, or that the judge gave no label: an error, or dropped from all systems. An item "
        "without a human label is none of them, and is not labelled 0.",
        words={**LACKING, "pairwise": "drop"},
        metavar="HOW",
        group="Files",
    ),
]
Lower = Annotated[bool, Option("Lower labels are better.")]


@dataclass(frozen=True, kw_only=True)
class Judge(Options):
    """Estimate human scores of all items, where humans labelled some and a judge all.

    First it says how far the judge alone is off. The labelled items must be a random sample. Scores and gains get
    prediction-powered intervals, which heed the judge's errors, beside those of the labels alone and of the judge
    alone; for labels of right and wrong also the judge's share corrected by its error rates.
    """

    files = (
        "Files are given as to `outscore compare`, other columns by -c item=ID: tables with a column of human labels, "
        "which may have gaps, and one of an automatic judge."
    )
    examples = (
        "outscore judge labelled.csv --human correct --judge llm",
        "outscore judge labelled.csv --human correct --judge llm --cluster document",
        "outscore judge labelled.csv --human errors --judge llm --lower --baseline base",
    )
    given: ClassVar[Mapping[str, str]] = {
        "data": "as in ``compare``: a column of human labels, empty where there is none, and a column of the judge's. "
        "Several runs of a system are averaged. A table that names no systems is about one; what ``read`` reads of it "
        "needs both names as ``measures``."
    }
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong.",
        "InputError": "the data are wrong, or fewer than two items of a system are labelled.",
    }

    items: Items = None
    missing: MissingLabels = "error"
    human: HumanColumn = None
    judge: JudgeColumn = None
    lower: Lower = False
    baseline: Baseline = None
    cluster: Cluster = None
    correction: Correction = "holm"
    alpha: Alpha = 0.05

    def run(self, data: Any) -> "Judgements":
        """Makes the estimates."""
        from outscore.verbs.judge.run import judge

        return judge(data, self)


judge = verb(Judge, "judge")
