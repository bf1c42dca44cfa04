"""``correlate``: metrics against human judgments of the same outputs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    SIDES,
    Alpha,
    Cache,
    Cluster,
    Correction,
    NumberOfResamples,
    ReadingOptions,
    Seed,
    WorkingOptions,
    listed,
)

if TYPE_CHECKING:
    from outscore.metrics import Metric
    from outscore.results.correlation import Correlations

MissingOutputs = Annotated[
    Literal["pairwise", "error", "drop", "zero"],
    Option(
        "Outputs without a number: pairwise, drop ...",
        "pairwise leaves out an output of which some number is missing, and keeps the others of its item; drop leaves "
        "out the whole item in all systems, error refuses it, zero scores it 0.",
        metavar="HOW",
        group="Files",
    ),
]
Human = Annotated[
    "str | Metric",
    Option(
        "The humans' column.",
        "Or mean:column=NAME,lower=true where lower is better.",
        python="what the humans gave: a column, or ``mean:column=NAME,lower=true`` where lower is better.",
        metavar="COLUMN",
    ),
]
OtherMetrics = Annotated[
    "Sequence[str | Metric] | str | Metric | None",
    Option(
        "Metrics to be computed, or columns.",
        "`outscore list metrics` lists all; options as bleu:tokenize=intl.",
        python="as in ``compare``.",
        flags=("-m", "--metric", "metrics"),
        metavar="NAME,...",
        default="every other column of numbers",
        repeat=True,
        parse=listed,
    ),
]
Levels = Annotated[
    Sequence[str] | str | None,
    Option(
        "system, segment, segment-by-item ...",
        "segment: all segments together; segment-by-item and segment-by-system: within each item, or system, then the "
        "mean.",
        python="``system``, ``segment``, ``segment-by-item``, ``segment-by-system``; a list or names joined by commas.",
        flags=("--level", "levels"),
        metavar="NAME,...",
        default="system,segment-by-item; of fewer than three systems segment",
    ),
]
Coefficients = Annotated[
    Sequence[str] | str,
    Option(
        "pearson, spearman, kendall, accuracy ...",
        "kendall is tau-b; kendall-c; accuracy is pairwise, with ties of segments calibrated.",
        python="``pearson``, ``spearman``, ``kendall``, ``kendall-c``, ``accuracy``; likewise.",
        flags=("--coefficient", "coefficients"),
        metavar="NAME,...",
    ),
]
GainTest = Annotated[
    Literal["perm-systems", "perm-items", "perm-both", "williams", "none"],
    Option(
        "Of every two metrics: perm-items, williams ...",
        "Permute their scores of systems (perm-systems), items (perm-items), or single outputs (perm-both); williams: "
        "Pearson over systems; none.",
        metavar="NAME",
        group="Method",
    ),
]
Resampled = Annotated[
    Literal["auto", "both", "systems", "items"],
    Option(
        "auto, or resampled: both, systems or items.",
        "Those that intervals resample: they speak of new ones of these. auto: both, but differences of --level system "
        "by MOVER of jackknife t on Fisher's z.",
        metavar="UNITS",
        group="Method",
    ),
]
Side = Annotated[
    Literal["two-sided", "greater", "less"],
    Option(
        "Of the tests: two-sided, greater or less.",
        "greater: the first metric agrees better. Choose it before seeing the data.",
        metavar="SIDE",
        words=SIDES,
    ),
]


@dataclass(frozen=True, kw_only=True)
class Correlate(ReadingOptions, WorkingOptions):
    """How well do metrics agree with humans, and which metric agrees better?

    Correlations come with intervals over new systems and items, and every two metrics are tested.
    """

    files = (
        "Files are given as to `outscore compare`, with a column of what the humans gave each output. Metrics are "
        "columns or are computed."
    )
    examples = (
        "outscore correlate judged.csv --human adequacy",
        "outscore correlate judged.csv --human adequacy -m comet,chrf --level system",
        "outscore correlate judged.csv --human mean:column=mqm,lower=true",
        "outscore correlate judged.csv --human adequacy --coefficient accuracy --level segment-by-item",
    )
    given: ClassVar[Mapping[str, str]] = {"data": "as in ``compare``; what the humans gave is a column."}
    raises: ClassVar[Mapping[str, str]] = {"UsageError": "an option is wrong.", "InputError": "the data are wrong."}

    missing: MissingOutputs = "pairwise"
    human: Human
    metrics: OtherMetrics = None
    levels: Levels = None
    coefficients: Coefficients = "pearson,kendall"
    alternative: Side = "two-sided"
    cluster: Cluster = None
    test: GainTest = "perm-systems"
    resample: Resampled = "auto"
    n_resamples: NumberOfResamples = 1000
    correction: Correction = "holm"
    alpha: Alpha = 0.05
    seed: Seed = 12345
    cache: Cache = None

    def run(self, data: Any) -> "Correlations":
        """Correlates the metrics with the humans."""
        from outscore.verbs.correlate.run import correlate

        return correlate(data, self)


correlate = verb(Correlate, "correlate")
