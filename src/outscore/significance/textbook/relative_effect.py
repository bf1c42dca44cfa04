"""The probability of superiority with its standard error, and the Brunner-Munzel test of it.

P(X > Y) + ½ P(X = Y) is one half where neither of two independent samples tends to larger values, whatever their
variances. Values that should tie must be equal as floats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.extreme import Alternative
from outscore.significance.textbook.student import Degenerate, t_from

_LARGEST = 1e300  # what stands for an infinite statistic, so that two of them can be compared


@dataclass(frozen=True, kw_only=True)
class BrunnerMunzelResult:
    """The Brunner-Munzel test.

    Attributes:
        superiority: p̂, the share of pairs in which x is larger, ties counted half.
        statistic: (p̂ - ½) / se; ±inf if the samples do not overlap.
        df: degrees of freedom by Welch and Satterthwaite.
        se: standard error of p̂.
        p: p-value on the side of ``alternative``.
        low, high: ends of the interval of the probability of superiority, within 0 and 1.
        degenerate: why the numbers say less than they seem to, or the empty string.
    """

    superiority: float
    statistic: float
    df: float
    se: float
    p: float
    low: float
    high: float
    degenerate: Degenerate = ""


def placements(x: Float, y: Float) -> Float:
    """For each x_i ``(n,)`` the share of y that lies below it, ties counted half."""
    ordered = np.sort(y)
    below, upto = (np.searchsorted(ordered, x, side=side) for side in ("left", "right"))
    return np.asarray((below + upto) / (2 * y.size))


def brunner_munzel(
    x: Float, y: Float, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> BrunnerMunzelResult:
    """The Brunner-Munzel test.

    Null hypothesis: P(X > Y) + ½ P(X = Y) = ½ (Brunner & Munzel 2000).

    t = (p̂ - ½) / √(s_x²/n + s_y²/m), s² being the variances of the placements (ddof 1), against Student's law.

    Args:
        x: shape ``(n,)``, at least two values.
        y: shape ``(m,)``, at least two values.
        alternative: the side; ``greater`` means that x tends to be larger.
        level: level of the interval.
    """
    of_x, of_y = placements(x, y), placements(y, x)
    estimate = float(of_x.mean())
    parts = [float(v.var(ddof=1)) / v.size if v.size > 1 else math.nan for v in (of_x, of_y)]
    below = sum(part**2 / (v.size - 1) for part, v in zip(parts, (of_x, of_y), strict=True) if v.size > 1)
    df = sum(parts) ** 2 / below if below > 0 else float(x.size + y.size - 2)
    found = t_from(estimate - 0.5, math.sqrt(sum(parts)), df, alternative=alternative, level=level)
    return BrunnerMunzelResult(
        superiority=estimate, statistic=found.statistic, df=df, se=found.se, p=found.p,
        low=max(0.0, found.low + 0.5), high=min(1.0, found.high + 0.5), degenerate=found.degenerate,
    )  # fmt: skip


def relabelled_brunner_munzel(pooled: Float, labels: Float) -> Float:
    """The statistics ``(b,)`` of the Brunner-Munzel test under permutations (Neubert & Brunner 2007).

    Args:
        pooled: shape ``(N,)``.
        labels: shape ``(b, N)``, 1 where a value falls to the first sample and else 0.

    Returns:
        Statistics; where samples do not overlap they are as far from 0 as a float can say.
    """
    order = np.argsort(pooled, kind="stable")
    _, first, place = np.unique(pooled[order], return_index=True, return_inverse=True)
    ends = np.append(first[1:], pooled.size)
    sums, squares, sizes = [], [], []
    own = labels[:, order]
    for mask, other in ((own, 1.0 - own), (1.0 - own, own)):
        upto = np.concatenate([np.zeros((len(labels), 1)), np.cumsum(other, axis=1)], axis=1)
        share = (upto[:, first] + upto[:, ends])[:, place] / (2 * other.sum(axis=1, keepdims=True))
        sums.append((mask * share).sum(axis=1))
        squares.append((mask * share**2).sum(axis=1))
        sizes.append(mask.sum(axis=1))
    parts = [
        (square - total**2 / size) / (size - 1) / size for total, square, size in zip(sums, squares, sizes, strict=True)
    ]
    distance = sums[0] / sizes[0] - 0.5
    error = np.sqrt(np.maximum(sum(parts), 0.0))
    found = np.copysign(np.where(distance == 0, 0.0, _LARGEST), distance)
    # the variance of placements that are all alike is rounding noise
    return np.asarray(np.divide(distance, error, out=found, where=error > 1e-9))
