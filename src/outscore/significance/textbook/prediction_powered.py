"""Means of human labels where a judge gave a number to every item and humans labelled some, taken at random.

Angelopoulos et al. 2023 (prediction-powered inference), Angelopoulos, Duchi & Zrnic 2023 (PPI++), Rogan & Gladen 1978.
"""

from __future__ import annotations

import math

import numpy as np

from outscore.base.arrays import Array, Bool, Float
from outscore.significance.textbook.clustered import cluster_t
from outscore.significance.textbook.student import TTest, paired_t, t_from, welch
from outscore.significance.textbook.tails import normal_quantile


def tuned_weight(labels: Float, judged: Float) -> float:
    """The weight of the judge that makes the variance smallest, from 0 to 1 (Angelopoulos, Duchi & Zrnic 2023, §6).

    cov(labels, judged) / ((1 + n/N) var(judged)), n labelled and N other items.

    Args:
        labels: ``(items,)``, NaN where there is none; ``judged``: ``(items,)``.
    """
    known = np.isfinite(labels)
    n, others = int(known.sum()), int((~known).sum())
    variance = float(judged.var(ddof=1))
    if n < 2 or others < 2 or variance == 0:
        return 0.0
    covariance = float(np.cov(labels[known], judged[known])[0, 1])
    return min(1.0, max(0.0, covariance / ((1 + n / others) * variance)))


def prediction_powered(
    labels: Float, judged: Float, *, weight: float = 1.0, clusters: Array | None = None, level: float = 0.95
) -> TTest:
    """Mean label: the judge's mean of unlabelled items plus its mean error on labelled ones, w f̄_U + mean_L(y - w f).

    Null hypothesis: the mean label is 0 over the population of items. Both parts come from items of their own, so that
    their variances add up, and degrees of freedom are Welch's. Where items come in clusters the deviations are summed
    within clusters, and degrees of freedom are the clusters with labels less one. Weight 0 leaves the t test of the
    labels.

    Args:
        labels: ``(items,)``, NaN where there is none; ``judged``: ``(items,)``.
        weight: w, of the judge.
        clusters: ``(items,)``, if items are not independent.
        level: of the interval.
    """
    known = np.isfinite(labels)
    if weight == 0 or (~known).sum() < 2:
        return mean_t(labels[known], None if clusters is None else clusters[known], level)
    corrected, predicted = labels[known] - weight * judged[known], weight * judged[~known]
    if clusters is None:
        return welch(corrected, -predicted, level=level)
    deviations = np.empty(len(labels))
    deviations[known] = (corrected - corrected.mean()) / len(corrected)
    deviations[~known] = (predicted - predicted.mean()) / len(predicted)
    _, place = np.unique(clusters, return_inverse=True)
    sums = np.bincount(place.ravel(), weights=deviations)
    error = math.sqrt(float((sums**2).sum()) * sums.size / (sums.size - 1)) if sums.size > 1 else math.nan
    labelled = len(np.unique(clusters[known]))
    return t_from(float(corrected.mean() + predicted.mean()), error, labelled - 1, level=level)


def mean_t(values: Float, clusters: Array | None, level: float) -> TTest:
    """The t test of a mean, by clusters (CR2) where there are any."""
    return paired_t(values, level=level) if clusters is None else cluster_t(values, clusters, level=level)


def rogan_gladen(labels: Float, judged: Float, *, level: float = 0.95) -> tuple[float, float, float]:
    """Share of right items by a judge who errs at rates known from labelled items, with its interval.

    (q + specificity - 1) / (sensitivity + specificity - 1), q the share that the judge calls right among unlabelled
    items (Rogan & Gladen 1978); normal interval by the delta method, the three shares being independent.

    Args:
        labels: ``(items,)`` 0 or 1, NaN where there is none; ``judged``: ``(items,)`` 0 or 1.

    Returns:
        Estimate and ends, at most 1 and at least 0; NaN where the judge is no better than chance or a class is not
        labelled.
    """
    known = np.isfinite(labels)
    right, wrong = (judged[known & (labels == value)] for value in (1.0, 0.0))
    others = judged[~known]
    if not (right.size and wrong.size and others.size):
        return math.nan, math.nan, math.nan
    sensitivity, specificity, called = float(right.mean()), float(1 - wrong.mean()), float(others.mean())
    youden = sensitivity + specificity - 1
    if youden <= 0:
        return math.nan, math.nan, math.nan
    share = (called + specificity - 1) / youden
    variance = called * (1 - called) / others.size
    variance += share**2 * sensitivity * (1 - sensitivity) / right.size
    variance += (1 - share) ** 2 * specificity * (1 - specificity) / wrong.size
    half = normal_quantile(level) * math.sqrt(variance) / youden
    low, estimate, high = np.clip([share - half, share, share + half], 0.0, 1.0).tolist()
    return estimate, low, high


def binary(labels: Float, judged: Float) -> bool:
    """Whether both say right (1) or wrong (0) of every item."""
    return bool(_is_binary(labels[np.isfinite(labels)]).all() and _is_binary(judged).all())


def _is_binary(values: Float) -> Bool:
    return np.isin(values, (0.0, 1.0))
