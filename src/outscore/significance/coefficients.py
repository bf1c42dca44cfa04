"""How two measurements of the same things go together, row by row.

Numbers come as rows ``(groups, n)``: each row is a group of things that are compared with each other. A coefficient is
NaN in a row in which it is undefined, as one of the measurements is the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Literal

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.engine.extreme import count, p_from_count, tolerance
from outscore.engine.intervals import mover, quantile
from outscore.significance.p_values import student_quantile
from outscore.significance.settings import Ends, Settings

BY_CHANCE = Note(
    code="accuracy_by_chance",
    text="no higher than judgments shuffled within groups give: agreement with humans is not shown",
    remedy="claim nothing by it",
)

_ALL_PAIRS = 200
"""Things in a row up to which comparing all pairs is faster than sorting."""

_ROUNDING = 1e-11

NamedEnds = tuple[Ends, str]
PERCENTILE, MOVER = "percentile", "MOVER of jackknife t on Fisher's z"


def pearson(x: Float, y: Float) -> Float:
    """Pearson's r of each row ``(groups,)``: how near the points lie to a line."""
    a, b = (v - v.mean(axis=1, keepdims=True) for v in (x, y))
    spread = np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    found = np.full(len(x), np.nan)
    np.divide((a * b).sum(axis=1), spread, out=found, where=~_constant(x) & ~_constant(y))
    return np.asarray(np.clip(found, -1.0, 1.0))


def spearman(x: Float, y: Float) -> Float:
    """Spearman's rho of each row: Pearson's r of the mid-ranks."""
    from scipy.stats import rankdata

    return pearson(*(rankdata(_equalize(v), axis=1) for v in (x, y)))


def kendall(x: Float, y: Float) -> Float:
    """Kendall's tau-b of each row: concordant less discordant pairs, over what is left without ties (Kendall 1945)."""
    if x.shape[1] > _ALL_PAIRS:
        return _sorted_kendall(x, y, "b")
    of_x, of_y = _signs(x), _signs(y)
    untied = np.sqrt(np.abs(of_x).sum(axis=1) * np.abs(of_y).sum(axis=1))
    found = np.full(len(x), np.nan)
    np.divide((of_x * of_y).sum(axis=1), untied, out=found, where=untied > 0)
    return found


def kendall_c(x: Float, y: Float) -> Float:
    """Stuart's tau-c of each row: 2 (C - D) m / (n² (m - 1)), m the fewer distinct values (Stuart 1953)."""
    if x.shape[1] > _ALL_PAIRS:
        return _sorted_kendall(x, y, "c")
    n = x.shape[1]
    fewer = np.minimum(_distinct(x), _distinct(y))
    found = np.full(len(x), np.nan)
    concordant = (_signs(x) * _signs(y)).sum(axis=1)
    np.divide(2 * fewer * concordant, n**2 * (fewer - 1.0), out=found, where=fewer > 1)
    return found


def accuracy(x: Float, y: Float, epsilon: float = 0.0, same: Bool | None = None) -> Float:
    """Pairwise accuracy of each row: the proportion of pairs that x orders, or ties, as y does (Deutsch et al. 2023).

    Args:
        x: pairs of which differ by ``epsilon`` or less are tied.
        y: tied where equal.
        same: ``(pairs,)`` pairs of a thing with its own copy in a resample, which are left out.
    """
    of_x, of_y = _differences(x), _signs(y)
    agree = np.where(np.abs(of_x) <= epsilon + _slack(x), of_y == 0, np.sign(of_x) * of_y > 0)
    known = ~np.isnan(of_x) & ~np.isnan(_differences(y))
    if same is not None:
        known &= ~same
    counts = known.sum(axis=1)
    return np.where(counts > 0, (agree & known).sum(axis=1) / np.maximum(counts, 1), np.nan)


def calibrated_accuracy(x: Float, y: Float, same: Bool | None = None) -> tuple[float, float]:
    """Pairwise accuracy over all rows at the threshold that makes it largest, and that threshold (Deutsch et al. 2023).

    The candidates are 0 and every difference of two values of x in a row; of several best ones the smallest.

    Args:
        x, y, same: as in ``accuracy``; where all rows have as many pairs this is the mean of their accuracies, else
            the accuracy over all pairs.
    """
    of_x = _differences(x)
    kept = ~np.isnan(of_x) & ~np.isnan(_differences(y))
    if same is not None:
        kept &= ~same
    distance, of_y = of_x[kept], _signs(y)[kept]
    if not distance.size:
        return math.nan, math.nan
    # a pair is right as a tie where the threshold reaches it, else in its order
    gain = (of_y == 0).astype(np.int64) - (np.sign(distance) * of_y > 0)
    ordered = int((np.sign(distance) * of_y > 0).sum())
    size = np.abs(distance)
    order = np.argsort(size, kind="stable")
    size, right = size[order], ordered + np.cumsum(gain[order])
    last = np.flatnonzero(np.append(np.diff(size) > _slack(x), True))
    found = [(ordered, 0.0)] if size[0] > _slack(x) else []
    thresholds = np.where(size[last] <= _slack(x), 0.0, size[last])
    best = int(np.argmax(right[last]))
    found.append((int(right[last][best]), float(thresholds[best])))
    exceedances, epsilon = max(found, key=lambda each: (each[0], -each[1]))
    return exceedances / size.size, epsilon


def note_by_chance(x: Float, y: Float, settings: Settings) -> tuple[Note, ...]:
    """A note where calibrated accuracy is no higher than for y shuffled within rows."""
    generator = stream(settings.seed, "shuffled judgments")
    n = round(10 / settings.alpha)
    shuffled = np.array([calibrated_accuracy(x, generator.permuted(y, axis=1))[0] for _ in range(n)])
    as_high = count(shuffled, calibrated_accuracy(x, y)[0], alternative="greater", slack=tolerance(1.0))
    return (BY_CHANCE,) if p_from_count(int(as_high), n) > settings.alpha else ()


def correlate_known(coefficient: Callable[[Float, Float], Float], x: Float, y: Float) -> Float:
    """A coefficient of each row over the things of which both measurements are there; NaN with fewer than two.

    Args:
        coefficient: of rows without gaps.
        x, y: ``(groups, n)``, NaN for what is missing.
    """
    known = ~np.isnan(x) & ~np.isnan(y)
    if known.all():
        return coefficient(x, y)
    found, sizes = np.full(len(x), np.nan), known.sum(axis=1)
    for size in np.unique(sizes[sizes > 1]).tolist():  # rows of a size together: there are thousands
        there = known & (sizes == size)[:, None]
        found[sizes == size] = coefficient(x[there].reshape(-1, size), y[there].reshape(-1, size))
    return found


COEFFICIENTS: dict[str, Callable[[Float, Float], Float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "kendall-c": kendall_c,
    "accuracy": accuracy,
}


def intervals(
    name: str, judged: Float, scored: Sequence[Float], resampled: Float, alpha: float, *, left_out: bool
) -> dict[tuple[int, int], NamedEnds]:
    """Intervals ``(i, i)`` of the coefficient of each row ``(1, n)`` and ``(i, k)`` of differences.

    Percentile, with what is undefined at both ends; those of differences by the jackknife where things may be left out
    and it has some, as resampling both hides differences: of .26 that p shows over 12 systems by Kendall .005 was left.
    """
    found, n = {}, len(scored)
    each, alike = _jackknife(name, judged, scored, alpha) if left_out else (np.full((n, 3), np.nan), np.eye(n))
    for i, k in combinations_with_replacement(range(n), 2):
        if i != k and np.isfinite(ends := mover(each[i], each[k], alike[i, k])).all():
            found[i, k] = (float(ends[0]), float(ends[1])), MOVER
            continue
        drawn, most = (resampled[i], 1.0) if i == k else (resampled[i] - resampled[k], 2.0)
        least = 0.0 if i == k and name == "accuracy" else -most
        low, high = (quantile(np.nan_to_num(drawn, nan=v), p) for v, p in ((least, alpha / 2), (most, 1 - alpha / 2)))
        found[i, k] = (float(low), float(high)), PERCENTILE
    return found


def _jackknife(name: str, judged: Float, scored: Sequence[Float], alpha: float) -> tuple[Float, Float]:
    """Low end, value, high end ``(metrics, 3)`` by jackknife t on Fisher's z, and how estimates correlate; NaN where
    one is perfect or undefined without something, does not vary, or varies as the other does.
    """
    n, of, rounding = judged.shape[1], COEFFICIENTS[name], tolerance(1.0)
    left, *each = (np.tile(v, (n, 1))[~np.eye(n, dtype=np.bool_)].reshape(n, n - 1) for v in (judged, *scored))
    r = np.array([np.append(of(x, left), of(whole, judged)) for x, whole in zip(each, scored, strict=True)])
    half = 0.5 if name == "accuracy" else 1.0  # of the range, which ends at 1
    r = (r - 1) / half + 1
    r[~((np.ptp(r[:, :-1], axis=1) > rounding) & (np.abs(r).max(axis=1) < 1 - rounding))] = np.nan
    z = np.arctanh(r)
    reach = student_quantile(1 - alpha, n - 1) * np.sqrt((n - 1) * z[:, :-1].var(axis=1))
    ends = 1 + half * (np.tanh([z[:, -1] - reach, z[:, -1], z[:, -1] + reach]) - 1)
    alike = np.atleast_2d(np.corrcoef(r[:, :-1]))
    return ends.T, np.where(alike < 1 - rounding, alike, np.nan)


@lru_cache(maxsize=8)
def pairs_of(n: int) -> tuple[Int, Int]:
    """The numbers of both members of each pair ``(pairs,)``, in the order in which all functions here take them."""
    first, second = np.triu_indices(n, 1)
    return first, second


def _differences(values: Float) -> Float:
    """Differences ``(groups, pairs)``."""
    first, second = pairs_of(values.shape[1])
    return np.asarray(values[:, first] - values[:, second])


def _signs(values: Float) -> Float:
    """1, 0 or -1 for each pair ``(groups, pairs)``; differences by rounding are ties."""
    differences, slack = _differences(values), _slack(values)
    return np.subtract(differences > slack, differences < -slack, dtype=np.float64)


def _slack(values: Float) -> float:
    # of a row with gaps the largest that is there
    return tolerance(float(np.fmax.reduce(np.abs(values), axis=None, initial=0.0)))


def _equalize(values: Float) -> Float:
    """The values, equal where they differ by rounding alone."""
    return np.asarray(np.round(values / _ROUNDING / max(float(np.abs(values).max()), 1e-300)))


def _constant(values: Float) -> Bool:
    return np.asarray(np.ptp(values, axis=1) <= _slack(values))


def _distinct(values: Float) -> Int:
    ordered = np.sort(values, axis=1)
    return np.asarray(1 + (np.diff(ordered, axis=1) > _slack(values)).sum(axis=1))


def _sorted_kendall(x: Float, y: Float, variant: Literal["b", "c"]) -> Float:
    """Kendall's tau in n log n steps (Knight 1966)."""
    from scipy.stats import kendalltau

    a, b = _equalize(x), _equalize(y)
    return np.array([float(kendalltau(p, q, variant=variant).statistic) for p, q in zip(a, b, strict=True)])
