"""Laws of tests that no command has, which oracles know: exact ones, slow twins of draws, and those of single sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy import special

from outscore.base.arrays import Array
from outscore.engine.saddlepoint import draw_cumulant, lattice_tail, tail_outside


def bayesian_mean_tail(values: Array | Sequence[float], above: float = 0.0) -> float:
    """P(Σ w_i x_i > c) under the Bayesian bootstrap, w ~ Dirichlet(1, ..., 1), in exact rational arithmetic.

    The tail is the divided difference of (x - c)_+^{n-1} over the values (Rubin 1981; Diaconis and Efron 1987
    for the formula Σ_{x_i>c} ∏_{j≠i} (x_i - c)/(x_i - x_j) of distinct values); repeated values take
    derivatives, so ties are allowed. O(n²) operations on growing fractions: meant for n up to about a
    hundred.

    Args:
        values: shape ``(n,)``.
        above: the c of the tail.
    """
    x = sorted(Fraction(float(v)) for v in values)
    c, degree = Fraction(float(above)), len(x) - 1
    table = [_truncated_power(v - c, degree, 0) for v in x]
    for order in range(1, len(x)):
        table = [
            (table[i + 1] - table[i]) / (x[i + order] - x[i])
            if x[i + order] != x[i]
            else _truncated_power(x[i] - c, degree, order)
            for i in range(len(x) - order)
        ]
    return float(table[0])


def bayesian_mean_moments(values: Array | Sequence[float]) -> tuple[float, float]:
    """Posterior mean x̄ and variance Σ(x - x̄)²/(n (n + 1)) of the mean by the Bayesian bootstrap (Rubin 1981)."""
    x = np.asarray(values, dtype=np.float64)
    return float(x.mean()), float(x.var() / (x.size + 1))


def _truncated_power(distance: Fraction, degree: int, order: int) -> Fraction:
    """The ``order``-th derivative of x_+^degree over order!, at x = distance."""
    if distance <= 0:
        return Fraction(0)
    return math.comb(degree, order) * distance ** (degree - order)


def phipson_smyth(exceedances: int, n_resamples: int, n_distinct: int) -> float:
    """Exact p when permutations are drawn with replacement from few: (1/m) Σ_{j=1}^{m} P(Bin(B, j/m) <= b).

    Null hypothesis: that of the permutation test; smaller than (b + 1)/(B + 1), which is its limit for many
    permutations (Phipson & Smyth 2010, eq. 2; ``statmod::permp``). With so few permutations, enumerate them instead.

    Args:
        exceedances: b, draws at least as extreme as observed.
        n_resamples: B, draws.
        n_distinct: m, equally likely distinct permutations.
    """
    chances = np.arange(1, n_distinct + 1) / n_distinct
    return float(special.bdtr(exceedances, n_resamples, chances).mean())


def draw_tail(values: Array | Sequence[float], at: float, span: float) -> float:
    """P(S >= at) for the sum S of as many draws with replacement as there are values: nδ* of the bootstrap of a mean.

    Args:
        values: shape ``(n,)``, not all equal.
        at: a point of the lattice.
        span: distance of neighbouring sums, the greatest common divisor of the differences between values.
    """
    points, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    n = int(counts.sum())
    atom = math.exp(n * math.log(counts[-1] / n))
    outside = tail_outside(at, span, n * float(points[0]), n * float(points[-1]), atom)
    return lattice_tail(draw_cumulant(points, counts / n, n), at, span) if outside is None else outside


def standard_error(exceedances: int, n_resamples: int) -> float:
    """√(p̂(1 - p̂)/B) with p̂ = b/B: the Monte-Carlo standard error of a p-value; NaN for B = 0."""
    if n_resamples == 0:
        return math.nan
    share = exceedances / n_resamples
    return math.sqrt(share * (1 - share) / n_resamples)
