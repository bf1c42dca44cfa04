"""``replicate``: the same systems on several data sets in, on how many of them a gain holds out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    SIDES,
    Alpha,
    Baseline,
    Cache,
    Cluster,
    IntervalName,
    Metrics,
    Missing,
    NumberOfResamples,
    ReadingOptions,
    Seed,
    Strata,
    TestName,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results.replication import Replication

Column = Annotated[
    str | None,
    Option(
        "Column that names the data set of an item.",
        "item: every item is a data set, for tables of one number for each system and data set.",
        flags=("--set", "column"),
        metavar="COLUMN",
        group="Files",
        default="the column 'domain', if any",
        also=("by", "domain", "dataset", "data-set", "task", "group"),
    ),
]
Claim = Annotated[
    Literal["greater", "less"],
    Option(
        "The claim: greater (better) or less.",
        "greater: the system is better than the baseline. Choose it before seeing the data.",
        metavar="SIDE",
        words=SIDES,
    ),
]
CorrectionOverSets = Annotated[
    str,
    Option(
        "Over all gains: holm, bh, max-t, none ...",
        "Over all systems, metrics and data sets together: holm, bonferroni, hochberg, hommel, sidak, holm-sidak, bh, "
        "by, none; max-t uses their joint law.",
        flags=("--correct", "correction"),
        metavar="NAME",
        group="Method",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Replicate(ReadingOptions, WorkingOptions):
    """On how many data sets does the gain over the baseline hold, and on which?

    Every data set is tested by itself, one-sided; the counts say on how many the gain holds, and further tests take
    each data set for one number.
    """

    files = (
        "Files are given as to `outscore compare`. With --sets 'DIR/*' they lie in every folder of DIR, each a data "
        "set; with --set COLUMN a column tells the data sets apart."
    )
    examples = (
        "outscore replicate scores.csv --set domain -m accuracy",
        "outscore replicate --sets 'tasks/*' -r ref.txt base=base.txt new=new.txt -m bleu",
        "outscore replicate leaderboard.csv -c item=@columns --set item",
        "outscore replicate --sets 'tables/*.csv' -m accuracy --plot forest.svg",
    )
    given: ClassVar[Mapping[str, str]] = {
        "data": "a mapping from names of data sets to what ``compare`` takes; or one such thing, of which ``column`` "
        "tells the data sets apart."
    }

    missing: Missing = "error"
    column: Column = None
    metrics: Metrics = None
    baseline: Baseline = None
    alternative: Claim = "greater"
    cluster: Cluster = None
    test: TestName = "auto"
    n_resamples: NumberOfResamples = 10_000
    interval: IntervalName = "auto"
    correction: CorrectionOverSets = "holm"
    alpha: Alpha = 0.05
    strata: Strata = None
    seed: Seed = 12345
    cache: Cache = None

    def run(self, data: Any) -> "Replication":
        """Tests every data set, and counts."""
        from outscore.verbs.replicate.run import replicate

        return replicate(data, self)


replicate = verb(Replicate, "replicate")
