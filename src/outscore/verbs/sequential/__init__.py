"""``sequential``: an evaluation replayed item by item, and when it could have stopped."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import DATA, Alpha, Baseline, Cluster, Metrics, Missing, Progress, ReadingOptions, Seed

if TYPE_CHECKING:
    from outscore.results.sequences import Sequences


def _bounds(text: str) -> tuple[float, float] | None:
    """Two numbers, the lowest and the highest score, or ``none``."""
    if text == "none":
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is neither LOW,HIGH nor none") from None
    return low, high


Margin = Annotated[
    float | None,
    Option("Gains of less than this do not matter.", "Either way.", metavar="NUMBER"),
]
Bounds = Annotated[
    tuple[float, float] | None,
    Option(
        "Lowest and highest score of an item, or none.",
        "Known beforehand; none where there are none, for mixture alone.",
        python="lowest and highest score that an item can have, known beforehand; None where there are none, for "
        "``mixture`` alone.",
        metavar="LOW,HIGH",
        default="0,1",
        parse=_bounds,
    ),
]
Method = Annotated[
    Literal["auto", "betting", "mixture"],
    Option(
        "auto is betting; mixture is asymptotic.",
        "betting needs bounds and is valid at every number of items.",
        metavar="NAME",
        group="Method",
    ),
]
Population = Annotated[
    int | None,
    Option(
        "Items of the whole test set, if only it is meant.",
        "Speak of this whole test set of so many items, and not of new items.",
        metavar="ITEMS",
        least=1,
        rare=True,
    ),
]
Order = Annotated[
    Literal["given", "random"],
    Option("Items are replayed as given, or at random.", metavar="HOW", group="Method"),
]
Orders = Annotated[
    int,
    Option(
        "Random orders, to tell how many items suffice.",
        "From them the distribution of stopping times is told; 0 for none.",
        metavar="NUMBER",
        least=0,
        group="Method",
    ),
]
Every = Annotated[
    int | None,
    Option(
        "Items between the interim analyses shown.",
        "Every item can decide, shown or not.",
        metavar="ITEMS",
        least=1,
        default="at 10, 20, 50, 100 ...",
        group="Output",
        rare=True,
    ),
]
Stop = Annotated[
    bool,
    Option("Stop at the decision: better, worse, equivalent.", "A stream is read no further.", group="Output"),
]


@dataclass(frozen=True, kw_only=True)
class Replay(ReadingOptions):
    """When could the evaluation have stopped?

    Interval and p-value hold at all interim analyses, systems and metrics together: one may stop whenever one likes.
    """

    files = (
        "Files are given as to `outscore compare`, and replayed. A single - follows a running evaluation on stdin, a "
        "line for each item: BASELINE<TAB>SYSTEM, or a JSON object of two scores, the baseline's first."
    )
    examples = (
        "outscore sequential scores.csv -m accuracy --order random --orders 200",
        "outscore sequential scores.csv -m accuracy --margin 0.02 --fail-unless not-worse",
        "outscore sequential base=a.scores new=b.scores --bounds 0,100 --every 100",
        "python evaluate.py | outscore sequential - --stop",
    )
    given: ClassVar[Mapping[str, str]] = {"data": DATA}
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong, or the metric is no mean over items.",
        "InputError": "the data are wrong, or a score is out of bounds.",
    }

    missing: Missing = "error"
    metrics: Metrics = None
    baseline: Baseline = None
    margin: Margin = None
    bounds: Bounds = (0.0, 1.0)
    cluster: Cluster = None
    population: Population = None
    method: Method = "auto"
    alpha: Alpha = 0.05
    order: Order = "given"
    orders: Orders = 0
    seed: Seed = 12345
    every: Every = None
    stop: Stop = False
    progress: Progress = None

    def run(self, data: Any) -> "Sequences":
        """Replays the evaluation."""
        from outscore.verbs.sequential.run import sequential

        return sequential(data, self)


sequential = verb(Replay, "sequential")
