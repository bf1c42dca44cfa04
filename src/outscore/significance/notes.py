"""The notes that a comparison can carry: one code, one text, one remedy each.

Pairs refer to them by code; numbers that belong to one pair stand in the pair itself.
"""

from __future__ import annotations

from outscore.base.notes import Note

IDENTICAL = Note(
    code="identical_outputs",
    text="the systems have the same statistics on every item: there is no difference to test, and p = 1",
    remedy="check that the right files were given",
)
ZERO_VARIANCE = Note(
    code="zero_variance",
    text="the difference is the same on every item (or every run), so a t or bootstrap p-value means nothing here",
    remedy="use --test randomization, which is exact",
)
TOO_FEW = Note(
    code="n_too_small",
    text="one item cannot be tested by this test: it has no variance to estimate",
    remedy="give more items",
)
FEW_ITEMS = Note(
    code="few_items",
    text=(
        "fewer than 30 items: bootstrap and t rest on larger samples (two-sided size of a 5 % bootstrap: 10 % "
        "at n = 10)"
    ),
    remedy="use --test randomization, or more items",
)
UNDER_200 = Note(
    code="under_200_items",
    text="fewer than 200 items: a bootstrap test rejects a little too often (6 % instead of 5 % at n = 50)",
    remedy="use --test randomization, or more items",
)
FEW_CLUSTERS = Note(
    code="few_clusters",
    text="fewer than 30 clusters: intervals and p-values rest on few independent units",
    remedy="collect more clusters; with fewer than 8 trust only --test randomization",
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
    text=(
        "one run of each system: the test cannot separate the system from its seed "
        "(true size of a 5 % test: .11, .25, .50 when runs vary by 0.5, 1, 2 standard errors)"
    ),
    remedy="give several training runs of each system if they vary: NAME='runs/sys.seed*'",
)
UNATTAINABLE = Note(
    code="alpha_unattainable",
    text="with so few items, clusters or runs that differ, no outcome could have reached alpha: see p_min",
    remedy=(
        "collect more items on which the systems differ (at least 6 for a two-sided .05), or more runs (at "
        "least 4 each)"
    ),
)
UNSTABLE = Note(
    code="decision_unstable",
    text="alpha lies inside the 99 % Monte-Carlo interval of the p-value: another seed could turn the decision",
    remedy="use -n auto, or a larger -n/--resamples",
)
SADDLEPOINT = Note(
    code="saddlepoint",
    text=(
        "fewer than ten relabellings reached the gain, too few to tell how rare it is: p is a saddlepoint "
        "approximation, as a rule within a few per cent"
    ),
    remedy="",
)
MID_P = Note(
    code="mid_p",
    text=(
        "McNemar mid-p: close to its nominal level where the exact test is conservative; the exact p is in "
        "the effect (p_exact)"
    ),
    remedy="--test mcnemar:variant=exact for a guaranteed level",
)
SKEWED = Note(
    code="skewed",
    text="the differences are skewed for this many items (n < 25 skew²): a t-test may miss its level",
    remedy="compare with --test randomization",
)
HEAVY = Note(
    code="few_items_decide",
    text="the 1 % largest differences carry more than half of the variance: a handful of items decides",
    remedy="look at those items; compare with --test sign",
)
RARE = Note(
    code="rare_differences",
    text="the systems differ on fewer than 20 items: resampling rests on those alone",
    remedy="report the counts; use an exact test",
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
TEST_IGNORES_STRATA = Note(
    code="test_ignores_strata",
    text="this test takes items as drawn from all strata together, which as a rule makes p too large",
    remedy="use --test bootstrap, which redraws within strata",
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
        "are no relabelling"
    ),
    remedy="use it only to reproduce old tables",
)
BBK = Note(
    code="bbk_one_sided",
    text=(
        "Berg-Kirkpatrick Figure 1 counts strictly and tests the observed winner one-sided: to claim a "
        "difference, double it"
    ),
    remedy="use --test bootstrap",
)
BCA_FALLBACK = Note(
    code="bca_undefined",
    text=(
        "all resamples lie on one side of the observed value, so the BCa interval is undefined; the "
        "percentile interval is given"
    ),
    remedy="",
)
INTERRUPTED = Note(
    code="interrupted",
    text="the resampling was interrupted: the result holds the resamples that were done",
    remedy="run it again for all of them",
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
