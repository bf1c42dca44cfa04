"""Do gains differ between buckets of items? A test of equal mean gains, by permuted buckets or by flipped signs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.extreme import is_as_extreme
from outscore.engine.montecarlo import besag_clifford
from outscore.significance import ASYMPTOTIC, MONTE_CARLO, Outcome
from outscore.significance.gain import GainContrast
from outscore.significance.p_values import f_p
from outscore.significance.settings import Settings

CITATION = "Welch 1951; Janssen 1997; Hemerik, Goeman & Finos 2020"

FEWEST = 5
"""Units of a bucket that has a part in the test: the mean of fewer says nothing of how far it is off."""

_PRIOR = 1.0
"""Units of the pooled variance that each bucket's own variance is mixed with.

A bucket of 20 items on which right-or-wrong systems never differ has a variance of 0, and would weigh without end. For
gains that are as skewed as a lognormal law, in 5 buckets of 20, the test rejects some .12 where their deviations grow
from 1 to 3, and .05 where they are alike; Welch's F rejects .15 and .08.
"""
_ENOUGH_FOR_F = 200
"""Units of every bucket from which Welch's F law holds."""
_STOP_AT = 400  # exceedances after which p is known to 5 % of itself, and more draws would say nothing new
_BLOCK = 500
_SAME = 1e-9  # of themselves: statistics whose variances round this much are equal

Way = Literal["f", "permuted", "flipped"]


@dataclass(frozen=True)
class BucketValues:
    """The gain in one bucket as a mean over its units.

    Attributes:
        units: numbers of its units in the whole test set ``(m,)``.
        values: ``(m,)`` whose mean is the gain: of a mean of items their gains, of other scores jackknife
            pseudo-values.
    """

    units: Int
    values: Float

    @classmethod
    def of(cls, pair: GainContrast, units: Int) -> BucketValues:
        """Those of a pair on the items of a bucket, whose units have these numbers."""
        n = pair.n_units
        pseudo = n * pair.gain - (n - 1) * pair.without_units
        return cls(units, np.asarray(pseudo - pseudo.mean() + pair.gain))


def _choose(buckets: Sequence[BucketValues]) -> Way:
    units = np.concatenate([bucket.units for bucket in buckets])
    if len(np.unique(units)) < len(units):
        return "flipped"
    return "f" if min(len(bucket.values) for bucket in buckets) >= _ENOUGH_FOR_F else "permuted"


def describe_interaction(buckets: Sequence[BucketValues], unit: str) -> str:
    """The test of these buckets in words; ``unit`` is an item or a cluster."""
    return {
        "f": "Welch's F",
        "permuted": f"Welch's statistic, buckets permuted among {unit}s",
        "flipped": f"Wald's statistic, signs of {unit}s flipped, as they reach over buckets",
    }[_choose(buckets)]


def compare_buckets(buckets: Sequence[BucketValues], settings: Settings, purpose: str) -> Outcome:
    """The test that gains are the same in all buckets, two of ``FEWEST`` units or more.

    Its statistic is Welch's: squared distances of the gains from their weighted mean, in units of their variances.
    Where each unit lies in one bucket, it is held against Welch's F law if all buckets are large; else buckets are
    permuted among units, which is exact where a bucket tells nothing of the gain, and holds for equal means of unequal
    variances in buckets that are not small. Where units reach over buckets, as sentences over parts of speech, their
    values less the common gain change signs together, all of a unit at once.

    Args:
        buckets: those that have a part in it.
        settings: number of draws and seed.
        purpose: of the random numbers.
    """
    sizes = np.array([len(bucket.values) for bucket in buckets])
    everything = np.concatenate([bucket.values for bucket in buckets])
    scale = float(np.abs(everything).max(initial=0.0))
    if np.ptp(everything) <= 1e-12 * scale:
        return Outcome(p_value=1.0, p_kind=MONTE_CARLO, effect={"statistic": 0.0, "df": len(buckets) - 1})
    way = _choose(buckets)
    if way == "f":
        return _by_law(_WeighedMeans.of(everything, sizes))
    observed, draw = (_permute if way == "permuted" else _flip)(buckets, everything, sizes)
    random = (stream(settings.seed, purpose, block) for block in range(math.ceil(settings.n_resamples / _BLOCK)))
    hits = _hits((draw(generator) for generator in random), observed)
    found = besag_clifford(hits, stop_at=_STOP_AT, most=settings.n_resamples)
    return Outcome(
        p_value=found.p,
        p_kind=MONTE_CARLO,
        p_error=math.sqrt(found.p * (1 - found.p) / found.n_used),
        n_resamples=found.n_used,
        effect={"statistic": observed, "df": len(buckets) - 1},
    )


_Draw = Callable[["np.random.Generator"], Float]


def _hits(drawn: Iterator[Float], observed: float) -> Iterator[bool]:
    for block in drawn:
        yield from is_as_extreme(block, observed, alternative="greater", slack=_SAME * observed).tolist()


@dataclass(frozen=True)
class _WeighedMeans:
    """Means of buckets with their weights, one over their variances, of values or of many permutations of them.

    Attributes:
        sizes: units of each bucket ``(buckets,)``.
        weights: ``(..., buckets)``.
        statistics: Welch's ``(...)``.
    """

    sizes: Int
    weights: Float
    statistics: Float

    @classmethod
    def of(cls, values: Float, sizes: Int) -> _WeighedMeans:
        """Those of values ``(..., units)`` that stand bucket by bucket."""
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        means = np.add.reduceat(values, starts, axis=-1) / sizes
        squares = np.maximum(np.add.reduceat(values**2, starts, axis=-1) - sizes * means**2, 0.0)
        pooled = squares.sum(axis=-1, keepdims=True) / (sizes.sum() - len(sizes))
        variances = (squares + _PRIOR * pooled) / ((sizes - 1 + _PRIOR) * sizes)
        weights = 1 / np.maximum(variances, np.finfo(float).tiny)
        centre = (weights * means).sum(axis=-1, keepdims=True) / weights.sum(axis=-1, keepdims=True)
        return cls(sizes, weights, np.asarray((weights * (means - centre) ** 2).sum(axis=-1)))


def _permute(buckets: Sequence[BucketValues], everything: Float, sizes: Int) -> tuple[float, _Draw]:
    """The statistic, and what draws it with buckets permuted among units."""
    values = everything - everything.mean()

    def draw(generator: np.random.Generator) -> Float:
        rows = generator.permuted(np.broadcast_to(values, (_BLOCK, len(values))), axis=1)
        return _WeighedMeans.of(rows, sizes).statistics

    return float(_WeighedMeans.of(values, sizes).statistics), draw


def _by_law(found: _WeighedMeans) -> Outcome:
    """Welch's F (1951): the statistic over its degrees of freedom, less what the weights err by."""
    k, shares = len(found.sizes), found.weights / found.weights.sum()
    errors = float(((1 - shares) ** 2 / (found.sizes - 1)).sum())
    f = float(found.statistics) / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * errors)
    return Outcome(
        p_value=f_p(f, k - 1, (k**2 - 1) / (3 * errors)),
        p_kind=ASYMPTOTIC,
        effect={"statistic": float(found.statistics), "df": k - 1},
    )


def _flip(buckets: Sequence[BucketValues], everything: Float, sizes: Int) -> tuple[float, _Draw]:
    """The statistic, and what draws it with the signs of units flipped; its variance is that of the null hypothesis.

    Values of units that are in several buckets hang together, so the buckets' gains have covariances.
    """
    _, places = np.unique(np.concatenate([bucket.units for bucket in buckets]), return_inverse=True)
    columns = np.repeat(np.arange(len(sizes)), sizes)
    table = np.zeros((int(places.max()) + 1, len(sizes)))
    gains = np.array([bucket.values.mean() for bucket in buckets])
    own = np.array([bucket.values.var(ddof=1) for bucket in buckets])
    pooled = float(everything.var())
    variances = ((sizes - 1) * own + _PRIOR * pooled) / ((sizes - 1 + _PRIOR) * sizes)
    common = float((gains / variances).sum() / (1 / variances).sum())
    table[places.ravel(), columns] = everything - common
    squares = table.T @ table
    squares += _PRIOR * np.trace(squares) / sizes.sum() * np.eye(len(sizes))
    scale = 1 / np.sqrt(sizes * (sizes + _PRIOR))
    inverse = np.linalg.pinv(squares * np.outer(scale, scale), hermitian=True)
    weights = inverse.sum(axis=0)
    contrast = inverse - np.outer(weights, weights) / weights.sum()

    def statistics(means: Float) -> Float:
        return np.asarray(np.einsum("...b,bc,...c->...", means, contrast, means))

    def draw(generator: np.random.Generator) -> Float:
        signs = 2.0 * generator.integers(0, 2, (_BLOCK, len(table))) - 1
        return statistics(signs @ table / sizes)

    return float(statistics(gains - common)), draw
