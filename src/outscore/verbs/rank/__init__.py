"""``rank``: scores or preferences of many systems in, the ranks that each can have out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    Alpha,
    Cache,
    Cluster,
    HistoryFile,
    IntervalName,
    JointCorrection,
    Metrics,
    Missing,
    ReadingOptions,
    Resamples,
    Seed,
    Strata,
    TestName,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results.leaderboard import Leaderboard

Blocks = Annotated[
    str | None,
    Option(
        "Rank within each of its values too, for mean ranks.",
        "item: every item by itself; none. Of several data sets each is a block.",
        metavar="COLUMN",
        default="the column 'domain', if any",
        rare=True,
    ),
]
Ties = Annotated[
    Literal["half", "davidson"],
    Option("Of preferences: half a win for each, or an outcome of their own.", rare=True),
]
Elo = Annotated[bool, Option("Of judgments: ratings on the scale of Elo.", "Mean 1500, rather than in log odds.")]
Lower = Annotated[bool, Option("Of judgments that are ratings: lower is better, as of ranks.", rare=True)]


@dataclass(frozen=True, kw_only=True)
class Rank(ReadingOptions, WorkingOptions):
    """Which ranks can the systems of a leaderboard have?

    Every two systems are compared on shared resamples and corrected together: rank sets, the leaders, tiers and letters
    hold for all systems at once.
    """

    files = (
        "Files are given as to `outscore compare`, other columns by -c item=ID. With --sets each data set is one "
        "number for each system. With --preferences, FILE holds judgments between two systems, and Bradley-Terry "
        "ratings are ranked; with --wins they give expected wins, and means of ratings."
    )
    examples = (
        "outscore rank -r ref.txt 'systems/*.txt' -m bleu --plot board.svg",
        "outscore rank --sets 'tasks/*.csv' -m accuracy --plot ranks.svg --figure ranks",
        "outscore rank --preferences votes.csv --elo",
        "outscore rank --wins ratings.csv --standardize --cluster document",
        "outscore rank --wins ratings.tsv -c rater=worker -c item=seg_id -c score=adequacy",
        "outscore rank scores.csv -m accuracy --cluster document --history looks.db",
    )
    given: ClassVar[Mapping[str, str]] = {
        "data": "as in ``compare``; or data sets, a mapping from their names to what ``read`` gave (``read_sets``), "
        "each of which then counts as one number for each system; or judgments (``read_judgments``, or a data frame "
        "with columns [item,] system1, system2, winner), of which Bradley and Terry's ratings are ranked."
    }

    missing: Missing = "error"
    metrics: Metrics = None
    cluster: Cluster = None
    blocks: Blocks = None
    ties: Ties = "half"
    elo: Elo = False
    lower: Lower = False
    test: TestName = "auto"
    n_resamples: Resamples = 10_000
    interval: IntervalName = "auto"
    correction: JointCorrection = "auto"
    alpha: Alpha = 0.05
    strata: Strata = None
    seed: Seed = 12345
    history: HistoryFile = None
    cache: Cache = None

    def run(self, data: Any) -> "Leaderboard":
        """Ranks the systems."""
        from outscore.verbs.rank.run import rank

        return rank(data, self)


rank = verb(Rank, "rank")
