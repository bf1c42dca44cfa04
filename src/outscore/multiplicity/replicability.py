"""On how many data sets does a gain hold, and on which? (Dror et al. 2017)

p-values are one-sided, all to the same side, and of one data set each. The partial conjunction null hypothesis H^{u/n}
says that fewer than u of n data sets have an effect (Benjamini & Heller 2008).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.beta import normal_cdf, normal_ppf
from outscore.engine.extreme import Alternative
from outscore.significance.p_values import chi2_p, holm

Combination = Literal["bonferroni", "fisher", "stouffer"]


@dataclass(frozen=True, kw_only=True)
class Combined:
    """One p-value of the hypothesis that no data set has an effect, with its statistic."""

    statistic: float
    p: float


@dataclass(frozen=True, kw_only=True)
class Replicability:
    """How many data sets have an effect.

    Attributes:
        combination: ``bonferroni`` holds under any dependence, ``fisher`` and ``stouffer`` for independent data sets.
        p: ``(n,)`` p-values of H^{u/n}, u = 1 ... n, at most 1; they need not grow with u.
        p_monotone: ``(n,)`` the same, each at least those before it.
        count: K̂, the largest u whose monotone p is at most alpha: with confidence 1 - alpha so many have an effect.
        identified: numbers of the data sets on which Holm's procedure finds an effect; which ones ``fisher`` and
            ``stouffer`` count beyond these is not known.
    """

    combination: Combination
    p: Float
    p_monotone: Float
    count: int
    identified: tuple[int, ...]


def replicability(
    p: Sequence[float] | Array, *, alpha: float = 0.05, combination: Combination = "bonferroni"
) -> Replicability:
    """On how many data sets an effect holds (Dror et al. 2017).

    Bonferroni: (n - u + 1) p_(u). Fisher: P(χ²_{2(n-u+1)} >= -2 Σ_{i>=u} ln p_(i)). Stouffer: the sum of the normal
    quantiles of the n - u + 1 largest p over the root of their number. With Bonferroni the count is the number of Holm
    rejections.

    Args:
        p: ``(n,)`` one-sided p-values, none of them 0.
        alpha: level of the count and of the identified data sets.
        combination: as above.

    Raises:
        UsageError: a p-value outside (0, 1], or none at all.
    """
    given = _check(p)
    ordered = np.sort(given)
    n = len(ordered)
    largest = [_combine(ordered[u:], combination) for u in range(n)]
    plain = np.minimum(1.0, largest)
    monotone = np.maximum.accumulate(plain)
    return Replicability(
        combination=combination, p=plain, p_monotone=monotone, count=int((monotone <= alpha).sum()),
        identified=tuple(np.flatnonzero(holm(given) <= alpha).tolist()),
    )  # fmt: skip


def fisher(p: Sequence[float] | Array) -> Combined:
    """-2 Σ ln p, χ² with 2n degrees of freedom for independent data sets (Fisher 1932)."""
    given = _check(p)
    statistic = -2 * float(np.log(given).sum())
    return Combined(statistic=statistic, p=chi2_p(statistic, 2 * len(given)))


def stouffer(p: Sequence[float] | Array, weights: Sequence[float] | Array | None = None) -> Combined:
    """Σ w z / √Σ w², standard normal for independent data sets (Stouffer et al. 1949; weights: Lipták 1958).

    Args:
        p: ``(n,)`` one-sided p-values.
        weights: ``(n,)``, as a rule the roots of the numbers of items; equal by default.
    """
    given = _check(p)
    w = np.ones(len(given)) if weights is None else np.asarray(weights, dtype=np.float64)
    z = np.array([-normal_ppf(float(one)) for one in given])
    statistic = float(w @ z) / math.sqrt(float(w @ w))
    return Combined(statistic=statistic, p=normal_cdf(-statistic))


def simes(p: Sequence[float] | Array) -> Combined:
    """min n p_(i) / i, valid for independent and positively dependent data sets (Simes 1986)."""
    ordered = np.sort(_check(p))
    n = len(ordered)
    smallest = float((n * ordered / np.arange(1, n + 1)).min())
    return Combined(statistic=smallest, p=min(1.0, smallest))


def to_one_side(p: float, gain: float, side: Alternative = "greater") -> float:
    """The one-sided p-value behind a symmetric two-sided one: half of it with the gain on that side, else 1 - half."""
    if side == "two-sided":
        raise UsageError("a one-sided p-value needs a side: greater or less")
    toward = gain >= 0 if side == "greater" else gain <= 0
    return p / 2 if toward else 1 - p / 2


def _combine(largest: Float, combination: Combination) -> float:
    """p of the hypothesis that none of the data sets with these p-values, in increasing order, has an effect."""
    if combination == "bonferroni":
        return len(largest) * float(largest[0])
    return fisher(largest).p if combination == "fisher" else stouffer(largest).p


def _check(p: Sequence[float] | Array) -> Float:
    given = np.asarray(p, dtype=np.float64)
    if not given.size or not ((given > 0) & (given <= 1)).all():
        raise UsageError("p-values of data sets lie above 0 and at most at 1: a sampled one is (b + 1)/(B + 1)")
    return given
