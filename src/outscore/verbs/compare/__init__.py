"""``compare``: outputs or scores of two or more systems in, a comparison that holds out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    DATA,
    FILES,
    AllPairs,
    Alpha,
    Alternative,
    Baseline,
    Cache,
    Cluster,
    Domain,
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
    TestName,
    WorkingOptions,
    joined,
)

if TYPE_CHECKING:
    from outscore.results import Comparison

Margin = float | str | Mapping[str, float | str]
"""A number in the metric's own unit, ``1%`` of the baseline's score, or one of them for each metric by its name."""

MarginOption = Annotated[
    Margin | None,
    Option(
        "The largest difference that does not matter.",
        "Adds equivalence (TOST) and non-inferiority. In the metric's own unit, as 1% of the baseline's score, or "
        "METRIC=NUMBER,...; "
        "choose it before seeing the data.",
        python="the largest gain or loss that does not matter, fixed beforehand: a number in the metric's own unit, "
        'a per cent of the baseline\'s score (``"1%"``), or one of them for each metric '
        '(``{"bleu": 0.5, "chrf": 0.3}``). Adds equivalence and non-inferiority.',
        flags=("--margin", "margins"),
        also=("equivalence", "tost", "noninferiority", "non-inferiority", "rope", "delta", "epsilon"),
        metavar="NUMBER",
        repeat=True,
        parse=joined,
    ),
]
Details = Annotated[
    bool,
    Option(
        "Also which items decide, for -o FILE.html, .json.",
        "The resampled gains, gains by length and cluster, and the items that speak most for and against a system, "
        "with their texts; for HTML they are always kept.",
        group="Output",
        also=("show-items", "examples", "show-examples", "diff"),
    ),
]


@dataclass(frozen=True, kw_only=True)
class Compare(ReadingOptions, WorkingOptions):
    """Does a system really outscore the baseline?"""

    files = (
        f"{FILES} Files hold one output a line, one number a line, a table (CSV, TSV, JSONL) with columns system, "
        "item, score [, run, cluster, domain, metric], or a format that `outscore list readers` names; .gz and - "
        "(stdin) work too. FILE#PATTERN picks systems from a table."
    )
    examples = (
        "outscore compare -r ref.txt baseline=base.txt new=new.txt -m bleu,chrf,ter",
        "outscore compare scores.csv -m accuracy --cluster document",
        "outscore compare scores.csv -m accuracy --margin 0.02 --fail-unless not-worse",
        "outscore compare -r ref.txt base='hyps/base.opt*' sys1='hyps/sys1.opt*' -m bleu",
        "outscore compare base=a.seg new=b.seg -o result.json",
    )
    given: ClassVar[Mapping[str, str]] = {"data": DATA}

    missing: MissingOrPairwise = "error"
    metrics: Metrics = None
    baseline: Baseline = None
    all_pairs: AllPairs = False
    alternative: Alternative = "two-sided"
    margin: MarginOption = None
    cluster: Cluster = None
    domain: Domain = None
    test: TestName = "auto"
    n_resamples: Resamples = 10_000
    interval: IntervalName = "auto"
    correction: JointCorrection = "auto"
    alpha: Alpha = 0.05
    strata: Strata = None
    engine: Engine = "cyclic"
    seed: Seed = 12345
    history: HistoryFile = None
    cache: Cache = None
    details: Details = False

    def run(self, data: Any) -> "Comparison":
        """Compares the systems."""
        from outscore.verbs.compare.run import compare

        return compare(data, self)


compare = verb(Compare, "compare")
