"""The notes that a comparison can carry: one code, one text, one remedy each.

Pairs refer to them by code; numbers that belong to one pair stand in the pair itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote

from outscore.base.notes import Note

IDENTICAL = Note(
    code="identical_outputs",
    text="the systems have the same statistics on every item: there is no difference to test, and p = 1",
    remedy="check that the right files were given",
)
ZERO_VARIANCE = Note(
    code="zero_variance",
    text="the difference is the same on every item (or every run): a t or bootstrap p-value means nothing here, nor "
    "does an interval of one point, where what a score can be is not known",
    remedy="use --test randomization, which is exact where outputs are exchangeable",
)
_WITHOUT_VARIANCE = ("randomization", "mcnemar", "sign", "wilcoxon")
"""Tests that need no variance to be estimated."""


def note_same_everywhere(test: str, *, clustered: bool, has_runs: bool) -> Note:
    """``ZERO_VARIANCE`` in the words of one test, and of what is drawn: items, clusters or runs."""
    unit = "cluster" if clustered else "item"
    every = f"every {unit} (or every run)" if has_runs else f"every {unit}"
    if test in _WITHOUT_VARIANCE:
        return Note(
            code=ZERO_VARIANCE.code,
            text=f"the difference is the same on {every}: p stands, as it needs no variance, but an interval of one "
            "point means nothing, where what a score can be is not known",
            remedy=f"give more {unit}s",
        )
    text = ZERO_VARIANCE.text.replace("every item (or every run)", every)
    return Note(code=ZERO_VARIANCE.code, text=text, remedy=ZERO_VARIANCE.remedy)


TOO_FEW = Note(
    code="n_too_small",
    text="one item, or cluster, cannot be tested by this test: it has no variance to estimate",
    remedy="give more",
)
FEW_ITEMS = Note(
    code="few_items",
    text=(
        "fewer than 30 items: a bootstrap rests on larger samples (its two-sided test at 5 % rejects in 10 % at n = 10)"
    ),
    remedy="give more items",
)
UNDER_200 = Note(
    code="under_200_items",
    text="fewer than 200 items: a bootstrap test rejects a little too often (6 % instead of 5 % at n = 50)",
    remedy="give more items, or use --test bootstrap:form=studentized",
)
FEW_CLUSTERS = Note(
    code="few_clusters",
    text="fewer than 30 clusters: intervals and p-values rest on few independent units",
    remedy="collect more clusters; with 5 or fewer no permutation of clusters reaches a two-sided .05, only t can",
)
BEYOND_LIMITS = Note(
    code="interval_beyond_limits",
    text="the formula of this interval knows no limits: it has ends that no score, or no gain, can have",
    remedy="use --interval auto, which keeps to what there can be",
)
FEW_RUNS = Note(
    code="few_runs",
    text="fewer than 5 runs of a system: the run-to-run variance is known poorly, so intervals are wide",
    remedy="at least 5 runs of each system are advised for claims about methods",
)
ONE_HAS_RUNS = Note(
    code="one_run_only",
    text=(
        "a system with one run beside one with several: its variation between runs cannot be estimated, so "
        "only these trained models are compared"
    ),
    remedy="give at least two runs of each system",
)
SINGLE_RUN = Note(
    code="single_run",
    text="one run of each system: p leaves out what another seed would change",
    remedy=(
        "give several training runs of each system if they vary: NAME='runs/sys.seed*' (with one each, a test at 5 % "
        "tells systems that are alike apart in 11, 25, 50 % of cases where runs vary by 0.5, 1, 2 standard errors)"
    ),
)
UNATTAINABLE = Note(
    code="alpha_unattainable",
    text="with so few items, clusters or runs that differ, no outcome could have reached alpha",
    remedy=(
        "collect more items, or clusters, on which the systems differ (as a rule 6 or more for a two-sided .05), or "
        "more runs (at least 4 each)"
    ),
)
UNSTABLE = Note(
    code="decision_unstable",
    text="other resamples could turn the decision: alpha lies inside the 99 % Monte-Carlo interval of p",
    remedy="use a larger -n/--resamples (ten times as many take ten times as long), or -n auto (up to 1,000,000)",
)
SADDLEPOINT = Note(
    code="saddlepoint",
    text=(
        "fewer than ten permutations reached the gain, too few to tell how rare it is: p is a saddlepoint "
        "approximation, as a rule within a few per cent"
    ),
    remedy="",
)
SKEWED = Note(
    code="skewed",
    text="the differences are skewed for this many items (n < 25 skew²): a test of their mean may miss its level",
    remedy="give more items; look at those that gain and lose most",
)
HEAVY = Note(
    code="few_items_decide",
    text="the 1 % largest differences carry more than half of the variance: a handful of items decides",
    remedy="look at those items; compare with --test sign",
)
ONE_DECIDES = replace(
    HEAVY,
    text="one item (or cluster) carries more than half of the variance of the differences: it decides alone",
    remedy="look at it; bring items that have scales of their own, as games, to one scale, or compare with --test sign",
)
RARE = Note(
    code="rare_differences",
    text="the systems differ on fewer than 20 items: resampling rests on those alone",
    remedy="report the counts",
)
_SKEWED_GAINS = (
    "tests of means may reject too often, 5 % ones of 10 to 30 skewed gains in 8 to 10 % of cases, and in up to 40 % "
    "where a few large ones make up for many small losses, even if the sample shows no large one"
)
FEW_DIFFERENCES = Note(
    code="few_differences",
    text=f"under 300 items or clusters differ: {_SKEWED_GAINS}",
    remedy="give more items; look at those that gain and lose most",
)


def note_few_effective(n: float) -> Note:
    """``FEW_DIFFERENCES`` of a score to which items add so unequally that they count like ``n``."""
    held = f"items hold very different parts of what the score is divided by, and count like {n:.0f} of equal size"
    return replace(FEW_DIFFERENCES, text=f"{held}: {_SKEWED_GAINS}")


RARE_CLASSES = Note(
    code="rare_classes",
    text=(
        "a class has few gold items (under 15; of kappa and mcc answers too): 95 % intervals are wide, and cover in "
        "86 to 97 % of cases where four of ten classes are as rare (93 to 98 % with one of three; of kappa and mcc of "
        "two, 75 to 95 %), and one-sided tests of 5 % reject in up to 8 %"
    ),
    remedy="give more items of rare classes",
)
NOT_A_MEAN_TEST = Note(
    code="not_a_test_of_the_mean",
    text=(
        "this test is about signs or ranks: it can reject although the mean difference is 0 (skewed "
        "differences), and the reverse"
    ),
    remedy="choose it before seeing the data, and say what it tests",
)
CLUSTERS_IGNORED = Note(
    code="clusters_ignored",
    text="items come in clusters that the test ignores, and the design effect is above 1.1: p-values are too small",
    remedy="name the clusters: --cluster COLUMN",
)
TEST_IGNORES_CLUSTERS = Note(
    code="test_ignores_clusters",
    text="this test takes items as independent although clusters are given",
    remedy="use --test t, randomization or bootstrap, which respect clusters",
)
SMALL_STRATA = Note(
    code="small_strata",
    text=(
        "some strata hold fewer than 10 items (clusters), which resampled by themselves vary too little: a bootstrap "
        "rejects too often (a 5 % test in 16 % of cases with strata of 2, in 9 % with strata of 5)"
    ),
    remedy="join small strata",
)
TEST_IGNORES_STRATA = Note(
    code="test_ignores_strata",
    text="this test takes items as drawn from all strata together, which as a rule makes p too large",
    remedy="use --test bootstrap, which resamples within strata",
)
MULTEVAL_SIZE = Note(
    code="multeval_pseudo_replication",
    text=(
        "pooled randomization takes runs for extra items: under the null it rejects at 5 % in 17 to 65 % of cases, "
        "even without any run-to-run variance"
    ),
    remedy="use the default test over runs and items",
)
MULTEVAL_AS_CODED = Note(
    code="multeval_as_coded",
    text=(
        "the law that MultEval 0.5.1 prints: strict counting, and for three or more runs pseudo-systems that "
        "are no valid permutation"
    ),
    remedy="use it only to reproduce old tables",
)
BBK = Note(
    code="bbk_one_sided",
    text=(
        "Berg-Kirkpatrick Figure 1 counts strictly, adds nothing, and tests the observed winner one-sided: identical "
        "systems get p = 0; to claim a difference, double it"
    ),
    remedy="use --test bootstrap",
)
WITHIN_MARGIN = Note(
    code="within_margin",
    text="the gain, or loss, is real but smaller than the margin: both the difference and the equivalence are shown",
    remedy="",
)
DESCRIBED = "described"


def note_descriptive(tested: str) -> Note:
    """Of a metric that describes beside others; ``tested`` is how it is named to be tested, if it can be."""
    return Note(
        code=DESCRIBED,
        text="this metric says how the outputs are, not how good: its gain and interval describe, and it is outside "
        "the family of tests",
        remedy=f"name it alone{f', or -m {quote(tested)}' if tested else ''}, to test it",
    )


P_AND_INTERVAL = Note(
    code="p_and_interval",
    text="p and the interval disagree about a gain of 0, as they come from different laws; no difference is claimed",
    remedy="report both numbers, or collect more items",
)
RANKS_AND_INTERVAL = replace(
    P_AND_INTERVAL,
    text="p judges ranks or signs, the interval the mean; they disagree, and what is claimed must hold by both",
    remedy="for the mean take its own test, t; for ranks report p and how often each is ahead",
)
BCA_FALLBACK = Note(
    code="bca_undefined",
    text=(
        "all resamples lie on one side of the observed value, so the BCa interval is undefined; the "
        "percentile interval is given"
    ),
    remedy="",
)
NOT_RECORDED = Note(
    code="not_recorded",
    text="the resampling was interrupted, so that the history does not know of this look",
    remedy="run it again: a look counts when it is whole",
)
ITEMS_ONLY = Note(
    code="runs_fixed",
    text="this test takes the runs as fixed: it speaks of these trained models, not of the methods",
    remedy="leave --test at auto for a claim about methods",
)
RUNS_ONLY = Note(
    code="test_set_fixed",
    text="this test takes the test set as fixed: it speaks of new runs on these items, not of new items",
    remedy="leave --test at auto for a claim about methods on new text",
)
UNEQUAL_SPREAD = Note(
    code="unequal_spread",
    text="the systems' numbers vary by very different amounts, and this test takes their variances for equal",
    remedy="use welch, or welch-anova for all systems at once",
)
VERY_UNEQUAL = 4.0
"""Ratio of two variances above which that is said."""
FEW_INFORMATIVE = Note(
    code="few_informative_items",
    text="the systems differ on so few items that the χ² law of the statistic is a rough approximation",
    remedy="give more items, or law=permutation",
)
POOL = Note(
    code="depends_on_the_pool",
    text="whether two systems differ here depends on which other systems are compared with them (mean ranks)",
    remedy="for a claim about two systems use outscore compare --test wilcoxon --all-pairs --correct holm",
)
INTERVAL_RUNS_FIXED = Note(
    code="interval_runs_fixed",
    text="the interval takes the runs as fixed: it speaks of these trained models, not of the methods",
    remedy="--interval t covers new runs and new items",
)
STUDENTIZED_FALLBACK = Note(
    code="studentized_undefined",
    text=(
        "in too many resamples the items have all the same score, so the studentized interval is undefined; the "
        "percentile interval is given"
    ),
    remedy="more items",
)


def note_joint_in_clusters(alike: float) -> Note:
    """That max-t intervals are too short in clusters that count like so many of equal size."""
    return Note(
        code="max_t_in_clusters",
        text=f"max-t intervals are too short here, as the clusters count like {alike:.1f} of equal size: three of "
        "95 % hold together in .75, .87 and .90 of cases where clusters count like 7, 12 and 30",
        remedy="use --interval auto, whose intervals of several gains hold together, or collect more clusters",
    )


OCONNOR = Note(
    code="interval_off_centre",
    text=(
        "the interval mean ± 2 sd is centred at the mean of the resamples, not at the observed value, and its nominal "
        "level is 95.4 %, whatever alpha is"
    ),
    remedy="use --interval normal:bias_corrected=true, or bca",
)
WALD = Note(
    code="wald_interval",
    text=(
        "a Wald interval covers too little near 0 and 1 and where few items differ (88 % instead of 95 % for an "
        "accuracy of .9 on 50 items)"
    ),
    remedy="use --interval wilson for scores, tango for gains",
)
BOOTSTRAP_OF_FEW_RUNS = Note(
    code="bootstrap_of_few_runs",
    text=(
        "fewer than 10 runs: where runs vary more than items do, a bootstrap of runs rejects too often (a 5 % test in "
        "10 % of cases at 3 runs and 7 % at 5, without rescale in 19 and 10 %)"
    ),
    remedy="use multibootstrap:form=t or --test crossed",
)
NOISY_ITEMS = Note(
    code="noisy_items",
    text=(
        "runs of one system differ on single items more than on the whole; a bootstrap of runs and items counts this "
        "noise up to three times and rejects too seldom"
    ),
    remedy="use --test crossed",
)
UNDER_30_LABELS = Note(
    code="under_30_labels",
    text="fewer than 30 items (or clusters) are labelled: the error of the judge is known poorly",
    remedy="label more items, or clusters, drawn at random",
)


FEW_LABELS = "few_labels"


def note_few_labels(counts: Sequence[str], clustered: bool) -> Note:
    """So few labelled errors of the judge that their variance cannot be told.

    Args:
        counts: for each system or gain on how many labelled items, or clusters with labels, the judge says otherwise.
    """
    unit = "clusters with labels" if clustered else "labelled items"
    return Note(
        code=FEW_LABELS,
        text=(
            f"fewer than 5 {unit} make up what judge and humans differ by ({'; '.join(counts)}), too few to tell how "
            "far the judge errs: tuned estimates are those of the labels alone, Rogan-Gladen has bounds on the error "
            "rates, and the intervals of weight 1 are too short"
        ),
        remedy="label more items, drawn at random",
    )


LABELLED_DIFFER = Note(
    code="labelled_differ",
    text="the judge scores labelled items otherwise than the others, by more than chance (p < .01): they are no random "
    "sample, and every estimate that rests on them is off",
    remedy="draw the items to be labelled at random",
)
JUDGE_ALONE = Note(
    code="judge_alone",
    text=(
        "the interval of the judge alone knows nothing of the judge's errors: it can lie beside the truth however "
        "many items there are"
    ),
    remedy="report the prediction-powered estimate",
)
FEW_DATA_SETS = Note(
    code="few_data_sets",
    text="fewer than 6 data sets: a two-sided Wilcoxon or sign test across them cannot reach .05, whatever the gains",
    remedy="give more data sets; the count of data sets can still be had",
)
ONE_NUMBER_EACH = Note(
    code="one_number_each",
    text=(
        "a data set with one number for each system says nothing of its own error: no test within it, and no count of "
        "the data sets on which a gain holds"
    ),
    remedy="give the scores of its items",
)
COUNTS_APART = Note(
    code="counts_apart",
    text="each count of data sets holds at alpha by itself, not all systems and metrics together",
    remedy="count the gains whose p-value is at most alpha after the correction over all of them",
)
