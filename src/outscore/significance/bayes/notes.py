"""The notes that a posterior can carry."""

from __future__ import annotations

from outscore.base.notes import Note

NO_TEST = Note(
    code="posterior_is_no_p",
    text=(
        "these are chances under the stated model and prior: they are no p-values, nor 1 - p, no null hypothesis is "
        "tested, and no error rate is held"
    ),
    remedy="",
)
IDENTICAL = Note(
    code="identical_outputs",
    text="the systems have the same statistics on every item: the data cannot tell them apart",
    remedy="check that the right files were given",
)
CONSTANT = Note(
    code="zero_variance",
    text="the difference is the same on every item, so this model finds no spread and has no posterior",
    remedy="of a mean of items use --posterior sign",
)
TOO_FEW = Note(
    code="n_too_small",
    text="one item, or one cluster, shows no spread, so there is no posterior",
    remedy="give more items",
)
FEW_UNITS = Note(
    code="few_items",
    text=(
        "fewer than 30 items or clusters: a Bayesian bootstrap believes in no item but those it saw, so its intervals "
        "are too narrow (95 % ones hold 89 % at n = 10)"
    ),
    remedy="use --posterior t, or more items",
)
ONE_SIDED = Note(
    code="one_side_only",
    text=(
        "no item, or cluster, speaks for the other side: this model then gives that side no chance at all, however "
        "few they are"
    ),
    remedy="use --posterior t or sign, which leave it some, or more items",
)
NOT_THE_MEAN = Note(
    code="posterior_of_signs",
    text="this posterior is about signs or ranks of items: better can have most chance although the gain is below 0",
    remedy="use --posterior t or bootstrap for the gain itself",
)
SKEWED = Note(
    code="skewed",
    text="the differences are skewed for this many items (n < 25 skew²): the normal model fits them badly",
    remedy="compare with --posterior bootstrap",
)
RUNS_FIXED = Note(
    code="runs_fixed",
    text="the runs are taken as fixed: the posterior speaks of these trained models on new items, not of the methods",
    remedy="see the test beside it, which is of new runs and new items",
)
PAIRED = Note(
    code="paired_data",
    text="both systems answered the same items, and this model takes their items for different ones",
    remedy="use --posterior dirichlet, which knows how often both are right",
)
CORRELATION_IS_GIVEN = Note(
    code="correlation_is_given",
    text=(
        "the correlation of the folds is put in, not estimated: rho = n_test/n_total is a rule for cross-validation "
        "(Nadeau & Bengio 2003)"
    ),
    remedy="",
)
UNSTABLE = Note(
    code="decision_unstable",
    text="a chance lies within 2.6 Monte-Carlo errors of 1 - alpha: other resamples could turn what is said of it",
    remedy="use a larger -n/--resamples",
)
