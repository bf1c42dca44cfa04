"""``compare``: outputs or scores of two or more systems in, a comparison that holds out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    DATA,
    FILES,
    TESTS,
    AllPairs,
    Alpha,
    Alternative,
    Baseline,
    By,
    Cache,
    Cluster,
    Engine,
    HistoryFile,
    IntervalName,
    JointCorrection,
    Metrics,
    MissingOrPairwise,
    ReadingOptions,
    Resamples,
    Seed,
    Strata,
    WorkingOptions,
    joined,
)

if TYPE_CHECKING:
    from outscore.results.comparison import Comparison
    from outscore.significance import Named
    from outscore.significance.bayes import Method

Margin = float | str | Mapping[str, float | str]
"""A number in the metric's own unit, ``1%`` of the baseline's score, or one of them for each metric by its name."""

MarginOption = Annotated[
    Margin | None,
    Option(
        "The largest difference that does not matter.",
        "Adds equivalence (TOST) and non-inferiority; of posteriors it is the ROPE. In the metric's own unit (0.02 "
        "is 2 points of accuracy), as 1% of the baseline's score where that is no share, or METRIC=NUMBER,...; choose "
        "it before seeing the data.",
        python="the largest gain or loss that does not matter, fixed beforehand: a number in the metric's own unit, "
        'a per cent of the baseline\'s score (``"1%"``; of a share it is refused), or one of them for each metric '
        '(``{"bleu": 0.5, "chrf": 0.3}``). Adds equivalence and non-inferiority; of posteriors it is the ROPE.',
        flags=("--margin", "margins"),
        also=("equivalence", "tost", "noninferiority", "non-inferiority", "rope", "delta", "epsilon"),
        metavar="NUMBER",
        repeat=True,
        parse=joined,
    ),
]
AnyTest = Annotated[
    "str | Named",
    Option(
        "auto chooses and says why; t, welch, friedman ...",
        "auto goes by metric, design and number of items, and takes one of pairs: bootstrap, randomization, mcnemar, "
        "t, z, sign, wilcoxon, rao, crossed, runs, multibootstrap, multeval. Others compare the scores of runs or of "
        "items, and systems may have items of their own: of independent samples, as welch, mann-whitney, permutation "
        "or aso (of which --correct auto is holm); of several systems at once, as anova or friedman, with corrections "
        "of their own and no side. `outscore list tests` has all; options as bootstrap:form=percentile.",
        metavar="NAME",
        group="Method",
        also=TESTS,
    ),
]
PosteriorName = Annotated[
    "str | Method | None",
    Option(
        "Also P(better), P(worse): auto, dirichlet, t ...",
        "Under a model and a prior that are stated, with P(within) for a --margin, the ROPE; these are no p-values. "
        "auto goes by metric and design; dirichlet, t, bootstrap, sign, signed-rank, or beta beside a test of "
        "independent samples; options as t:rho=0.1 or sign:strength=2.",
        metavar="NAME",
        group="Method",
        also=("bayes", "bayesian", "credible"),
    ),
]
UnitOfNumbers = Annotated[
    Literal["run", "item"] | None,
    Option(
        "Of one number: the score of a run, or of an item.",
        "In a test of independent samples or of several systems; of plain numbers without ids each can be a run.",
        metavar="UNIT",
        default="run, if every system has several on the same items; else item",
        group="Method",
        rare=True,
    ),
]
Flips = Annotated[
    int | Literal["auto", "all"],
    Option(
        "What changed: items that decide; --show-words.",
        "So many of each pair, outputs side by side, those that speak for the system and against it, where they differ "
        "most, or all that differ; auto keeps as many as a page has room for. Beside them a result keeps the resampled "
        "gains, and gains by length and cluster; for HTML all of it is kept in any case.",
        flags=("--show-flips", "flips"),
        metavar="NUMBER|all",
        least=0,
        default="0",
        group="Output",
        also=("details", "show-items", "examples", "show-examples", "diff"),
    ),
]


Words = Annotated[
    int,
    Option(
        "Also the words that one system has right more often.",
        "So many words and n-grams of the references, up to four words, with p and intervals that are corrected over "
        "all of them; of texts.",
        flags=("--show-words", "words"),
        metavar="NUMBER",
        least=0,
        default="0",
        group="Output",
        rare=True,
        also=("ngrams", "show-ngrams", "compare-ngrams"),
    ),
]
CriticalRegions = Annotated[
    bool,
    Option(
        "Also for which values of its statistic a test rejects.",
        "The critical region of each test at alpha by itself, with its size, where the law of the statistic is at "
        "hand: of t, z, welch, student, crossed, runs, mcnemar, sign, and where p is exact of wilcoxon, randomization "
        "and bootstrap.",
        flags=("--critical", "critical"),
        group="Output",
        rare=True,
        also=("critical-value", "critical-region"),
    ),
]


@dataclass(frozen=True, kw_only=True)
class Compare(ReadingOptions, WorkingOptions):
    """Does a system really outscore the baseline?"""

    files = (
        f"{FILES} Files hold one output a line, one number a line, a table (CSV, TSV, JSONL) of system, item, "
        "score [, run, cluster, domain, metric], others by -c item=ID, or a format of `outscore list readers`; also "
        ".gz, -, FILE#SYSTEM."
    )
    examples = (
        "outscore compare -r ref.txt baseline=base.txt new=new.txt -m bleu,chrf,ter",
        "outscore compare last.txt now.txt -r ref.txt --show-flips 5 --show-words 5",
        "outscore compare scores.csv -m accuracy --margin 0.02 --fail-unless not-worse",
        "outscore compare scores.csv -m accuracy --cluster document",
        "outscore compare -r ref.txt base='hyps/base.opt*' sys1='hyps/sys1.opt*' -m bleu",
        "outscore compare base=a.seg new=b.seg -o result.json",
        "outscore compare -r ref.txt base='hyps/base.run*' new='hyps/new.run*' -m bleu --test welch",
        "outscore compare traffic.csv -m accuracy --test fisher",
        "outscore compare scores.csv -m accuracy --posterior auto --margin 0.01",
    )
    given: ClassVar[Mapping[str, str]] = {"data": DATA}

    missing: MissingOrPairwise = "error"
    metrics: Metrics = None
    baseline: Baseline = None
    all_pairs: AllPairs = False
    alternative: Alternative = "two-sided"
    margin: MarginOption = None
    cluster: Cluster = None
    by: By = None
    test: AnyTest = "auto"
    unit: UnitOfNumbers = None
    posterior: PosteriorName = None
    n_resamples: Resamples = 10_000
    interval: IntervalName = "auto"
    correction: JointCorrection = "auto"
    alpha: Alpha = 0.05
    strata: Strata = None
    engine: Engine = "cyclic"
    seed: Seed = 12345
    history: HistoryFile = None
    cache: Cache = None
    flips: Flips = 0
    words: Words = 0
    critical: CriticalRegions = False

    def run(self, data: Any) -> "Comparison":
        """Compares the systems."""
        from outscore.verbs.compare.run import compare

        return compare(data, self)


compare = verb(Compare, "compare")
