"""The options that verbs share, each declared once: its type, its words and its flags.

A verb names those that it takes, with its own default: ``alpha: Alpha = 0.05``.
"""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from outscore.base.files import exists, is_folder
from outscore.base.lazy import dataclass
from outscore.base.limits import check_jobs, check_resamples
from outscore.verbs.declared import Option, Options

if TYPE_CHECKING:
    from outscore.metrics import Metric
    from outscore.significance import Test
    from outscore.significance.interval import IntervalMethod
    from outscore.verbs.history.kept import HistoryLike

DATA = (
    "what ``read`` gave; or a mapping from system names to scores ``(items,)``, ``(runs, items)``, mappings from item "
    "ids to scores, or lists of texts; or a data frame of any kind with columns system, item, score [, run, cluster, "
    "domain, metric]."
)
"""The data that verbs take which compare systems."""

FILES = (
    "NAME=PATTERN names a system; the files that match the pattern are its runs. A bare FILE is a system named after "
    "it. The first system is the baseline."
)
"""How files are given, for the help."""


def listed(values: tuple[str, ...]) -> list[str] | None:
    """Values that were typed; None for none."""
    return list(values) or None


def joined(values: tuple[str, ...]) -> str | None:
    """Lists that were typed, as one; None for none."""
    return ",".join(values) or None


def folder(text: str) -> str:
    """A folder that need not be there yet.

    Raises:
        ValueError: it is a file.
    """
    if exists(text) and not is_folder(text):
        raise ValueError(f"Directory {text!r} is a file.")
    return text


# --- files ------------------------------------------------------------------------------------------------------------

References = Annotated[
    Any,
    Option(
        "References or gold labels; repeat for several.",
        python="texts or labels, ``(items,)`` or several streams, where ``data`` are outputs.",
        flags=("-r", "--reference", "references"),
        metavar="FILE",
        group="Files",
        repeat=True,
        also=("ref", "refs", "gold", "tgt", "targets"),
    ),
]
Items = Annotated[
    Any,
    Option(
        "Table that describes the items: document, domain ...",
        python='descriptions of the items (a data frame or a mapping of columns), e.g. ``{"document": [...]}``.',
        metavar="FILE",
        group="Files",
        rare=True,
    ),
]
LACKING = {
    "pairwise": "gains on different items order no systems: use compare --all-pairs for each pair, additive or drop",
    **dict.fromkeys(("zero", "listwise", "skip", "ignore", "exclude", "omit", "remove", "dropna"), "drop"),
    **dict.fromkeys(("0", "wrong", "fill"), "zero"),
    **dict.fromkeys(("rasch", "irt", "model", "impute", "anova", "fixed-effects"), "additive"),
}
"""Other names for the ways with items that lack, or what to do where this verb has not that way."""
Missing = Annotated[
    Literal["error", "drop", "zero", "additive"],
    Option(
        "Lacking items: error, drop, zero, additive.",
        "Items that a system lacks, or without number: an error, dropped from all, scored 0, or by an additive model.",
        words=LACKING,
        metavar="HOW",
        group="Files",
    ),
]
MissingOrPairwise = Annotated[
    Literal["error", "drop", "zero", "pairwise", "additive"],
    Option(
        "Lacking: error, drop, zero, pairwise, additive.",
        "Items that some system lacks, or that have no number: an error, dropped from all systems, scored 0, or scored "
        "by an additive model; pairwise: each pair on the items that both have, corrected by holm.",
        words=LACKING,
        metavar="HOW",
        group="Files",
    ),
]

SIDES = {
    **dict.fromkeys(("larger", "higher", "better", "upper", "right"), "greater"),
    **dict.fromkeys(("smaller", "lower", "worse", "left"), "less"),
    **dict.fromkeys(("two.sided", "both"), "two-sided"),
    **dict.fromkeys(("one-sided", "one-tailed", "onesided"), "greater|less"),
}
"""The sides of a test as others call them; with a bar between what may be meant."""

TESTS = ("bootstrap", "permutation", "randomization", "paired-bs", "paired-ar", "method", "paired", "unpaired")
"""Names that others have for the option of the test."""

_COUNTS = (
    *("bootstrap", "n-bootstrap", "n-boot", "bootstrap-samples", "n-permutations", "permutations", "iterations"),
    *("n-iter", "samples", "n-samples", "num-samples", "trials", "paired-bs-n", "paired-ar-n", "n"),
)
"""Names that others have for the number of resamples."""
_ADJUSTMENTS = ("adjust", "p-adjust", "adjustment", "multiple-testing")
"""Names that others have for a correction."""

# --- what is asked ----------------------------------------------------------------------------------------------------

Metrics = Annotated[
    "Sequence[str | Metric] | str | Metric | None",
    Option(
        "bleu, chrf, ter, accuracy ... or a column.",
        "`outscore list metrics` lists all; options as bleu:tokenize=intl.",
        python='names with options (``"bleu:tokenize=intl"``), metric objects, or column names of the data.',
        flags=("-m", "--metric", "metrics"),
        metavar="NAME,...",
        default="bleu for texts, accuracy for labels, mean for scores",
        repeat=True,
        parse=listed,
    ),
]
OneMetric = Annotated[
    "str | Metric | None",
    Option(
        "bleu, chrf, ter, accuracy ... or a column.",
        "`outscore list metrics` lists all; options as bleu:tokenize=intl.",
        flags=("-m", "--metric", "metrics"),
        metavar="NAME",
        default="bleu for texts, accuracy for labels, mean for scores",
        repeat=True,
        parse=joined,
    ),
]
Baseline = Annotated[str | None, Option("The system compared against.", metavar="NAME", default="the first")]
AllPairs = Annotated[
    bool,
    Option(
        "Compare every two systems.",
        "Each with those that stand before it, not only all with the baseline.",
        rare=True,
        also=("pairs", "pairwise"),
    ),
]
Alternative = Annotated[
    Literal["two-sided", "greater", "less"],
    Option(
        "two-sided, greater (better) or less.",
        "greater: the system is better than the baseline. Choose it before seeing the data.",
        metavar="SIDE",
        words=SIDES,
        also=("side", "sided", "sides", "one-sided", "two-sided", "tail", "tails"),
    ),
]
Cluster = Annotated[
    str | None,
    Option(
        "Column of items that belong together.",
        "Such as document; they are not independent. none ignores a column called cluster.",
        metavar="COLUMN",
        default="the column 'cluster', if any",
        also=("group", "groups", "document", "documents"),
    ),
]
Strata = Annotated[
    str | None, Option("Column of strata, resampled in fixed numbers.", metavar="COLUMN", group="Method", rare=True)
]
By = Annotated[
    str | None,
    Option(
        "Buckets: a column, length, frequency, pos ...",
        "Results in each, and of gains whether they differ between buckets. A column of the items; length: words of "
        "the reference; frequency of its rarest word in all references, or in a text (frequency:train=FILE,word=mean); "
        "pos: words by their part of speech in the gold; difficulty: the scores of five or more other systems. Numbers "
        "are cut into five buckets of as many items, or length:parts=3, length:edges=10+20+40; none for none. "
        "task:wins=true gives the win rate over a column of tasks.",
        metavar="NAME",
        default="the column 'domain', if any",
        also=("domain", "breakdown", "bucket", "buckets", "where", "subset"),
    ),
]

# --- how it is answered -----------------------------------------------------------------------------------------------

TestName = Annotated[
    "str | Test",
    Option(
        "auto chooses and says why; t, bootstrap ...",
        "auto goes by metric, design and number of items; bootstrap, randomization, mcnemar, t, z, sign, "
        "wilcoxon, rao, crossed, runs, multibootstrap, multeval; options as bootstrap:form=percentile.",
        metavar="NAME",
        group="Method",
        also=TESTS,
    ),
]
Resamples = Annotated[
    int | Literal["auto"],
    Option(
        "Resampled test sets, at least; or auto.",
        "auto draws until chance in the drawing could hardly turn a decision, at most a million.",
        flags=("-n", "--resamples", "n_resamples"),
        metavar="NUMBER",
        least=2,
        most=check_resamples,
        group="Method",
        also=_COUNTS,
    ),
]
NumberOfResamples = Annotated[
    int,
    Option(
        "Resampled test sets, at least.",
        flags=("-n", "--resamples", "n_resamples"),
        metavar="NUMBER",
        least=2,
        most=check_resamples,
        group="Method",
        also=_COUNTS,
    ),
]
ResamplesOfEach = Annotated[
    int,
    Option(
        "Resamples of each test set that is made.",
        "Where the test draws them.",
        flags=("-n", "--resamples", "n_resamples"),
        metavar="NUMBER",
        least=2,
        most=check_resamples,
        group="Method",
        rare=True,
    ),
]
Engine = Annotated[
    Literal["cyclic", "iid"],
    Option(
        "How test sets are resampled: cyclic is fast.",
        "Every drawn vector of weights is used in all its rotations (at least twenty vectors, so more test sets than "
        "asked for may be drawn); iid, the slow twin, draws each by itself.",
        group="Method",
        rare=True,
    ),
]
Seed = Annotated[
    int,
    Option(
        "Seed of the resampling; 0 is a seed too.",
        metavar="NUMBER",
        least=0,
        group="Method",
        rare=True,
        also=("random-state", "random-seed"),
    ),
]
Alpha = Annotated[
    float,
    Option(
        "Level; intervals cover 1 - alpha.",
        metavar="NUMBER",
        group="Method",
        also=("ci", "level", "confidence", "confidence-level", "conf-level", "significance-level"),
    ),
]
IntervalName = Annotated[
    "str | IntervalMethod",
    Option(
        "auto, bca, t ...; see `outscore list intervals`.",
        "auto goes by metric, design and number of items; another, for all gains and scores that it covers: "
        "percentile, delta, wilson, tango ...; max-t covers all gains, and all scores, at once. Options as "
        "percentile:quantile=7.",
        metavar="NAME",
        group="Method",
        also=("ci", "ci-method", "intervals"),
    ),
]
JointCorrection = Annotated[
    str,
    Option(
        "Over all pairs and metrics: auto, holm, none ...",
        "p and intervals of gains alike: auto (max-t; holm where systems have several runs or there are fewer than 20 "
        "items or clusters), max-t, max-t-step-down, holm, bonferroni, hochberg, hommel, sidak, holm-sidak, bh, by, "
        "none. Intervals by max-t cover together; by holm and its kind each covers 1 - alpha/m; by bh, by and none "
        "each 1 - alpha by itself.",
        flags=("--correct", "correction"),
        metavar="NAME",
        group="Method",
        also=_ADJUSTMENTS,
    ),
]
Correction = Annotated[
    str,
    Option(
        "Over all pairs: holm, bonferroni, bh, none ...",
        "holm, bonferroni, hochberg, hommel, sidak, holm-sidak, bh, by, none.",
        flags=("--correct", "correction"),
        metavar="NAME",
        group="Method",
        also=_ADJUSTMENTS,
    ),
]

# --- history and work -------------------------------------------------------------------------------------------------

HistoryFile = Annotated[
    "HistoryLike",
    Option(
        "file in which every look at the test set is recorded, or a ``History``, which corrects over them too.",
        group="History",
        only="python",
    ),
]
Jobs = Annotated[
    int | None,
    Option(
        "Cores to use; they change no result.",
        flags=("-j", "--jobs"),
        metavar="NUMBER",
        least=1,
        most=check_jobs,
        group="Work",
        default="all",
        rare=True,
        also=("n-jobs", "threads", "workers", "cores"),
    ),
]
Cache = Annotated[
    "str | os.PathLike[str] | None",
    Option("Keep counted statistics here for the next time.", metavar="DIR", group="Work", rare=True),
]
Progress = Annotated[
    Callable[[str, int, int], None] | None, Option("called with (what, done, of).", group="Work", only="python")
]
Dask = Annotated[
    str | None,
    Option(
        "Work on a Dask cluster.",
        "Its address, its scheduler file, or local: one of --jobs processes here.",
        metavar="ADDRESS|FILE|local",
        group="Work",
        rare=True,
    ),
]
Resume = Annotated[
    "str | os.PathLike[str] | None",
    Option(
        "Keep what is done here, and go on with it.",
        "Cells are kept as they are done, and those that are there are taken.",
        metavar="DIR",
        parse=folder,
        group="Work",
        rare=True,
    ),
]
Checkpoint = Annotated[
    "str | os.PathLike[str] | None",
    Option("folder that keeps what was done when the work is interrupted.", group="Work", only="python"),
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ReadingOptions(Options):
    """Options of a verb that reads systems, given as objects; what ``read`` gave has had them."""

    references: References = None
    items: Items = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WorkingOptions(Options):
    """How the work is done; it changes no number."""

    jobs: Jobs = None
    progress: Progress = None
