"""Means of human labels where a judge gave a number to every item and humans labelled some, taken at random.

Angelopoulos et al. 2023 (prediction-powered inference), Angelopoulos, Duchi & Zrnic 2023 (PPI++), Rogan & Gladen 1978.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outscore.base.arrays import Array, Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.significance.independent import IndependentSamples
from outscore.significance.independent.permutation import Permutation
from outscore.significance.means import TTest, cluster_t, paired_t, satterthwaite, t_from, welch
from outscore.significance.notes import FEW_DIFFERENCES
from outscore.significance.p_values import normal_quantile
from outscore.significance.proportions import Ends, clopper_pearson, wilson
from outscore.significance.settings import Settings

ENOUGH = 5
"""Labelled disagreements from which the variance of the judge's errors can be told from labels."""

FEW_OTHERS = replace(
    FEW_DIFFERENCES,
    text="under 300 labelled items or clusters have another label than the commonest: intervals of scores may cover "
    "too little, 95 % ones of 100 skewed labels (60 to 90 % are 0, few are 10 or 25) in 83 to 88 % of cases, even if "
    "no large label is among them",
    remedy="label more items, drawn at random",
)

_RIGHT_OR_WRONG = (-1.0, 0.0, 1.0)
"""Labels, and gains of labels."""


def tune_weight(labels: Float, judged: Float, clusters: Array | None = None) -> float:
    """The weight of the judge that makes the variance smallest, at least 0 (Angelopoulos, Duchi & Zrnic 2023, §6).

    cov(labels, judged) / ((1 + n/N) var(judged)), n labelled and N other items, at most the slope of the labels on the
    judge, which the optimum never exceeds; where items come in clusters, of the sums over clusters that
    ``prediction_powered`` takes its variance of. The estimate does not depend on the unit of the judge.

    Args:
        labels: ``(items,)``, NaN where there is none; ``judged``: ``(items,)``.
        clusters: ``(items,)``, if items are not independent.
    """
    known = np.isfinite(labels)
    n, others = int(known.sum()), int((~known).sum())
    variance = float(judged.var(ddof=1))
    if n < 2 or others < 2 or variance == 0 or (clusters is not None and len(np.unique(clusters[known])) < 3):
        return 0.0
    if clusters is None:
        (_, shared), (_, spread) = np.cov(labels[known], judged[known])
        ratio = float(shared / max((1 + n / others) * variance, spread))
    else:
        place = _encode(clusters)
        judge = _average_subset(judged, known, place).sums - _average_subset(judged, ~known, place).sums
        squares = float((judge**2).sum())
        ratio = float((_average_subset(labels, known, place).sums * judge).sum()) / squares if squares > 0 else 0.0
    return max(0.0, ratio) if math.isfinite(ratio) else 0.0


@dataclass(frozen=True, kw_only=True)
class _SubsetMean:
    """The contributions of clusters to the mean of a part of the items.

    Attributes:
        mean: of the part.
        sums: ``(clusters,)`` deviations from it, summed over each cluster, over the number of items, and divided by
            √(1 - proportion of the cluster): the CR2 of a mean, so that their squares add up to its variance.
        df: Satterthwaite degrees of freedom (see ``clustered``).
    """

    mean: float
    sums: Float
    df: float


def _average_subset(values: Float, here: Bool, place: Int) -> _SubsetMean:
    """The part of some items ``(items,)`` in clusters of these numbers."""
    size = int(place.max()) + 1
    mean = float(values[here].mean())
    sizes = np.bincount(place[here], minlength=size).astype(np.float64)
    shrink = 1 - sizes / sizes.sum()
    if shrink.min() <= 0:  # one cluster says nothing of how clusters vary
        return _SubsetMean(mean=mean, sums=np.full(size, math.nan), df=0.0)
    sums = np.bincount(place[here], weights=values[here] - mean, minlength=size) / sizes.sum()
    return _SubsetMean(mean=mean, sums=sums / np.sqrt(shrink), df=satterthwaite(sizes[sizes > 0]))


def _encode(clusters: Array) -> Int:
    return np.asarray(np.unique(clusters, return_inverse=True)[1].ravel(), dtype=np.int64)


def disagreements(labels: Float, judged: Float, clusters: Array | None = None) -> int:
    """Labelled items on which the judge says otherwise, or clusters with such an item.

    Of grades, where nearly all differ a little, how many make up the errors: (Σe²)²/Σe⁴, e the residuals of the labels
    on the judge's numbers, summed over clusters. As many items that err as much as each other count in full; few large
    errors among many small ones count like few.
    """
    known = np.isfinite(labels)
    y, f = labels[known], judged[known]
    place = np.arange(len(y)) if clusters is None else _encode(clusters[known])
    if np.isin(y, _RIGHT_OR_WRONG).all() and np.isin(judged, _RIGHT_OR_WRONG).all():
        return len(np.unique(place[y != f]))
    y, f = y - y.mean(), f - f.mean()
    spread = float((f**2).sum())
    squares = np.bincount(place, weights=y - f * (float((y * f).sum()) / spread if spread else 0.0)) ** 2
    return int(squares.sum() ** 2 / (squares**2).sum()) if squares.any() else 0


def n_others(labels: Float, clusters: Array | None = None) -> int:
    """Labelled items with another label than the commonest one, or clusters with such an item."""
    values, counts = np.unique(labels[np.isfinite(labels)], return_counts=True)
    other = np.isfinite(labels) & (labels != values[counts.argmax()])
    return int(other.sum()) if clusters is None else len(np.unique(clusters[other]))


def labelled_p(labels: Float, judged: Float, tests: int) -> float:
    """p of how far the judge's mean of labelled items lies from that of the others, over all choices of as many items.

    Null hypothesis: labelled items are a simple random sample. Of right or wrong this is the hypergeometric law; a law
    that is too dear is drawn, often enough for so many ``tests`` together. Distances within two standard errors, which
    show nothing, get 1 without a law.
    """
    known = np.isfinite(labels)
    chosen, others = judged[known], judged[~known]
    error = math.sqrt(judged.var() * judged.size / max(chosen.size * others.size, 1))
    if not others.size or not abs(chosen.mean() - others.mean()) > 2 * error:
        return 1.0
    settings = Settings(n_resamples=1000 + 300 * tests)
    found = Permutation("mean").run(IndependentSamples(system=chosen, baseline=others, unit="item", settings=settings))
    return 1.0 if found.p_value is None else found.p_value


def prediction_powered(
    labels: Float,
    judged: Float,
    *,
    weight: float = 1.0,
    tuned: bool = False,
    clusters: Array | None = None,
    level: float = 0.95,
) -> TTest:
    """Mean label: the judge's mean of unlabelled items plus its mean error on labelled ones, w f̄_U + mean_L(y - w f).

    Null hypothesis: the mean label is 0 over the population of items. Both parts come from items of their own, so that
    their variances add up, and degrees of freedom are Welch's. Where items come in clusters the deviations are summed
    within clusters, each part with the small-sample factors of its own (CR2); degrees of freedom are Welch's of those
    of the parts, and at most the larger of these. Weight 0 leaves the t test of the labels.

    Args:
        labels: ``(items,)``, NaN where there is none; ``judged``: ``(items,)``.
        weight: w, of the judge.
        tuned: the weight was chosen from these labels: as in a regression one degree of freedom goes to it (10 labelled
            clusters: without this the interval covers .91).
        clusters: ``(items,)``, if items are not independent.
        level: of the interval.
    """
    known = np.isfinite(labels)
    if weight == 0 or (~known).sum() < 2:
        return mean_t(labels[known], None if clusters is None else clusters[known], level)
    corrected, predicted = labels[known] - weight * judged[known], weight * judged[~known]
    sampled = int(known.sum()) if clusters is None else len(np.unique(clusters[known]))
    wider = math.sqrt((sampled - 1) / (sampled - 2)) if tuned and sampled > 2 else 1.0
    if clusters is None:
        return welch(corrected.mean() + wider * (corrected - corrected.mean()), -predicted, level=level)
    place = _encode(clusters)
    errors, others = (
        _average_subset(labels - weight * judged, known, place),
        _average_subset(weight * judged, ~known, place),
    )
    errors = replace(errors, sums=wider * errors.sums, df=errors.df - (wider > 1))
    return _t_of_subsets(errors.mean + others.mean, errors.sums + others.sums, (errors, others), level)


def _t_of_subsets(estimate: float, sums: Float, parts: Sequence[_SubsetMean], level: float) -> TTest:
    """The t test of an estimate whose deviations come from clusters ``(clusters,)`` of several parts."""
    variance = float((sums**2).sum())
    each = [float((part.sums**2).sum()) for part in parts]
    below = sum(v**2 / part.df for v, part in zip(each, parts, strict=True) if v > 0 and part.df > 0)
    most = max(part.df for part in parts)
    df = min(variance**2 / below, most) if below > 0 else most
    return t_from(estimate, math.sqrt(variance), df, level=level)


def mean_t(values: Float, clusters: Array | None, level: float) -> TTest:
    """The t test of a mean, by clusters (CR2) where there are any."""
    return paired_t(values, level=level) if clusters is None else cluster_t(values, clusters, level=level)


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """A proportion corrected by error rates, with the ends of its interval; NaN where it is undefined."""

    estimate: float
    low: float
    high: float


def rogan_gladen(labels: Float, judged: Float, *, clusters: Array | None = None, level: float = 0.95) -> Corrected:
    """Proportion of right items by a judge who errs at rates known from labelled items, with its interval.

    (q + specificity - 1) / (sensitivity + specificity - 1), q the proportion that the judge calls right among
    unlabelled items (Rogan & Gladen 1978). Normal interval by the delta method, the three proportions being
    independent; where items come in clusters, t of the derivatives summed over clusters, each proportion with its own
    small-sample factors (CR2).
    Below ``ENOUGH`` labelled disagreements the variance of the error rates says nothing: their ends are then those of
    Clopper & Pearson 1934, of clusters with an error among all where there are clusters, and the squared distances
    from the estimate that each proportion makes are added up (Zou & Donner 2008).

    Args:
        labels: ``(items,)`` 0 or 1, NaN where there is none; ``judged``: ``(items,)`` 0 or 1.
        clusters: ``(items,)``, if items are not independent.

    Returns:
        Estimate and ends, at most 1 and at least 0; NaN where the judge is no better than chance or a class is not
        labelled.
    """
    known = np.isfinite(labels)
    of_right, of_wrong = known & (labels == 1), known & (labels == 0)
    nothing = Corrected(estimate=math.nan, low=math.nan, high=math.nan)
    if not (of_right.any() and of_wrong.any() and (~known).any()):
        return nothing
    called, sensitivity, miscalled = (float(judged[here].mean()) for here in (~known, of_right, of_wrong))
    youden = sensitivity - miscalled
    if youden <= 0:
        return nothing
    share = (called - miscalled) / youden
    slopes = (1 / youden, -share / youden, -(1 - share) / youden)
    if disagreements(labels, judged, clusters) < ENOUGH:
        ends = [
            _mean_ends(judged, ~known, clusters, level),
            _error_ends(judged, of_right, 1.0, clusters, level),
            _error_ends(judged, of_wrong, 0.0, clusters, level),
        ]
        below, above = _square_and_add(slopes, (called, sensitivity, miscalled), ends)
    elif clusters is None:
        sizes = [here.sum() for here in (~known, of_right, of_wrong)]
        means = np.array([called, sensitivity, miscalled])
        variance = float((np.array(slopes) ** 2 * means * (1 - means) / sizes).sum())
        below = above = normal_quantile(level) * math.sqrt(variance)
    else:
        place = _encode(clusters)
        parts = [
            _average_subset(slope * judged, here, place)
            for slope, here in zip(slopes, (~known, of_right, of_wrong), strict=True)
        ]
        made = _t_of_subsets(share, sum((part.sums for part in parts), np.zeros(1)), parts, level)
        below = above = made.high - made.estimate
    low, estimate, high = np.clip([share - below, share, share + above], 0.0, 1.0).tolist()
    return Corrected(estimate=estimate, low=low, high=high)


def _mean_ends(judged: Float, here: Bool, clusters: Array | None, level: float) -> Ends:
    """Of the proportion that the judge calls right."""
    if clusters is None:
        return wilson(int(judged[here].sum()), int(here.sum()), level)
    made = mean_t(judged[here], clusters[here], level)
    return made.low, made.high


def _error_ends(judged: Float, here: Bool, label: float, clusters: Array | None, level: float) -> Ends:
    """Of the proportion that the judge calls right among the labelled items that have this label.

    Of clusters: errors are at most as frequent as clusters with one, and of their least frequency nothing is known.
    """
    if clusters is None:
        return clopper_pearson(int(judged[here].sum()), int(here.sum()), level)
    with_error = len(np.unique(clusters[here & (judged != label)]))
    most = clopper_pearson(with_error, len(np.unique(clusters[here])), level)[1]
    return (1 - most, 1.0) if label else (0.0, most)


def _square_and_add(slopes: Sequence[float], means: Sequence[float], ends: Sequence[Ends]) -> tuple[float, float]:
    """How far a sum of independent shares, each with its slope and its ends, reaches below and above."""
    below = above = 0.0
    for slope, mean, (low, high) in zip(slopes, means, ends, strict=True):
        down, up = slope * (low - mean), slope * (high - mean)
        below += min(down, up) ** 2
        above += max(down, up) ** 2
    return math.sqrt(below), math.sqrt(above)


def binary(labels: Float, judged: Float) -> bool:
    """Whether both say right (1) or wrong (0) of every item."""
    return bool(np.isin(np.append(labels[np.isfinite(labels)], judged), (0.0, 1.0)).all())
