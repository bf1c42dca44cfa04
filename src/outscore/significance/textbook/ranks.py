"""Wilcoxon's signed-rank test and the Mann-Whitney test, exact with ties, with their estimates.

Values that should tie must be equal as floats: bring decimals to integers first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.engine.exact import MOST_UPDATES, flip_cost, flip_law, subset_sum_cost, subset_sum_law
from outscore.engine.extreme import Alternative, tail_mass
from outscore.significance.textbook.tails import normal_p, normal_quantile

Method = Literal["auto", "exact", "normal", "normal-cc"]
Zeros = Literal["drop", "pratt"]

_HALF_TIE = 0.5  # statistics are integers here: anything below one separates them


@dataclass(frozen=True, kw_only=True)
class SignedRank:
    """Wilcoxon's signed-rank test.

    Attributes:
        w_plus: sum of the ranks of positive differences.
        w_minus: sum of the ranks of negative differences.
        p: p-value on the side of ``alternative``.
        z: standardised W+ of the normal methods, NaN for exact.
        n_nonzero: differences that are not zero.
        rank_biserial: (W+ - W-)/(W+ + W-), 0 if all differences are zero.
        method: exact, normal or normal-cc.
        zeros: drop or pratt.
        alternative: the side.
        degenerate: ``identical_outputs`` or the empty string.
    """

    w_plus: float
    w_minus: float
    p: float
    z: float
    n_nonzero: int
    rank_biserial: float
    method: Method
    zeros: Zeros
    alternative: Alternative
    degenerate: Literal["", "identical_outputs"] = ""


@dataclass(frozen=True, kw_only=True)
class RankSum:
    """The Mann-Whitney test.

    Attributes:
        u: U of the first sample, #{x > y} + ½ #{x = y}.
        superiority: U/(n m), the probability of superiority with ties split.
        p: p-value on the side of ``alternative``.
        min_p: smallest p-value that the exact method could give with these ties; None for the normal methods.
        z: standardised U of the normal methods, NaN for exact or if all values are equal.
        method: exact, normal or normal-cc.
        alternative: the side.
        degenerate: ``identical_outputs`` (all values are equal) or the empty string.
    """

    u: float
    superiority: float
    p: float
    min_p: float | None
    z: float
    method: Method
    alternative: Alternative
    degenerate: Literal["", "identical_outputs"] = ""


@dataclass(frozen=True, kw_only=True)
class Pseudomedian:
    """The Hodges-Lehmann estimate: median of the Walsh averages (d_i + d_j)/2, i <= j.

    Attributes:
        estimate: the pseudomedian.
        low: lower end of the interval that inverts the signed-rank test, -inf if n is too small for the
        level. high: upper end.
        level: nominal level.
    """

    estimate: float
    low: float
    high: float
    level: float


def doubled_ranks(values: Float) -> Int:
    """Twice the mid-ranks (1 = smallest): integers also where values tie."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    upto = np.cumsum(counts)
    return np.asarray((2 * upto - counts + 1)[place.ravel()], dtype=np.int64)


def signed_ranks(differences: Float, zeros: Zeros = "drop") -> Int:
    """Twice the signed mid-ranks of |d|, zeros left out; with ``pratt`` they take part in the ranking (Pratt 1959)."""
    if zeros not in ("drop", "pratt"):
        raise UsageError(f"zeros={zeros!r}: expected drop or pratt")
    moved = differences[differences != 0]
    ranked = doubled_ranks(np.abs(differences if zeros == "pratt" else moved))
    if zeros == "pratt":
        ranked = ranked[differences != 0]
    return np.asarray(np.where(moved > 0, ranked, -ranked), dtype=np.int64)


def wilcoxon(
    differences: Float,
    *,
    method: Method = "auto",
    zeros: Zeros = "drop",
    alternative: Alternative = "two-sided",
) -> SignedRank:
    """Wilcoxon's signed-rank test.

    Null hypothesis: differences are symmetric about zero; it is no test of the mean.

    ``exact``: all sign assignments of the observed ranks, also with ties, two-sided P(|W+ - μ| >= |w - μ|);
    ``normal``: variance Σr²/4, which holds for ties (Wilcoxon 1945; Pratt 1959); ``normal-cc``:
    with continuity correction ½; ``auto``: exact as long as the dynamic programme is affordable.

    Args:
        differences: shape ``(n,)``.
        method: as above.
        zeros: drop them, or rank them and then leave them out (pratt).
        alternative: the side.
    """
    ranks = signed_ranks(differences, zeros)
    chosen = _chosen(method, flip_cost(ranks) if method == "auto" else 0)
    plus, minus = float(ranks[ranks > 0].sum()) / 2, float(-ranks[ranks < 0].sum()) / 2
    z, p = math.nan, 1.0
    if ranks.size and chosen == "exact":
        law = flip_law(ranks)
        p = tail_mass(law.support, law.mass, float(ranks.sum()), alternative=alternative, slack=_HALF_TIE)
    elif ranks.size:
        sd = math.sqrt(float((ranks.astype(np.float64) ** 2).sum()) / 16)
        z, p = _normal((plus - minus) / 2, sd, chosen, alternative)
    return SignedRank(
        w_plus=plus, w_minus=minus, p=p, z=z, n_nonzero=int(ranks.size),
        rank_biserial=(plus - minus) / (plus + minus) if ranks.size else 0.0, method=chosen, zeros=zeros,
        alternative=alternative, degenerate="" if ranks.size else "identical_outputs",
    )  # fmt: skip


def mann_whitney(x: Float, y: Float, *, method: Method = "auto", alternative: Alternative = "two-sided") -> RankSum:
    """Mann-Whitney test of two independent samples.

    Null hypothesis: both come from one distribution.

    ``exact``: conditional on the ties, by dynamic programme on doubled ranks; ``normal``: tie-corrected
    variance; ``normal-cc``: with continuity correction ½; ``auto``: exact where affordable (Mann & Whitney
    1947).

    Args:
        x: shape ``(n,)``.
        y: shape ``(m,)``.
        method: as above.
        alternative: the side; ``greater`` means that x tends to be larger.
    """
    n, m = x.size, y.size
    if not n or not m:
        raise UsageError("the Mann-Whitney test needs values in both samples")
    ranks = doubled_ranks(np.concatenate([x, y]))
    chosen = _chosen(method, subset_sum_cost(ranks, n) if method == "auto" else 0)
    observed = float(ranks[:n].sum())
    u = observed / 2 - n * (n + 1) / 2
    degenerate = bool((ranks == ranks[0]).all())
    z, p, least = math.nan, 1.0, 1.0 if chosen == "exact" else None
    if chosen == "exact" and not degenerate:
        law = subset_sum_law(ranks, n)
        centre = float(n * (n + m + 1))

        def tail(at: float) -> float:
            return tail_mass(law.support, law.mass, at, centre=centre, alternative=alternative, slack=_HALF_TIE)

        p, least = tail(observed), min(tail(float(end)) for end in law.support[[0, -1]])
    elif not degenerate:
        _, ties = np.unique(ranks, return_counts=True)
        size = n + m
        tie_part = float((ties.astype(np.float64) ** 3 - ties).sum()) / (size * (size - 1))
        sd = math.sqrt(n * m / 12 * (size + 1 - tie_part))
        z, p = _normal(u - n * m / 2, sd, chosen, alternative)
    return RankSum(
        u=u, superiority=u / (n * m), p=p, min_p=least, z=z, method=chosen, alternative=alternative,
        degenerate="identical_outputs" if degenerate else "",
    )  # fmt: skip


def hodges_lehmann(differences: Float, level: float = 0.95) -> Pseudomedian:
    """The Hodges-Lehmann estimate of the centre of symmetry with its interval (Hodges & Lehmann 1963).

    The interval inverts the signed-rank test: from the C-th smallest to the C-th largest Walsh average, C by
    the law of W+ without ties (exact for n <= 200, normal beyond). All differences take part, zeros too.

    Raises:
        UsageError: no differences.
    """
    d = np.sort(differences)
    n = d.size
    if not n:
        raise UsageError("the Hodges-Lehmann estimate needs differences")
    walsh = n * (n + 1) // 2
    middle = (_walsh_order(d, (walsh + 1) // 2) + _walsh_order(d, walsh // 2 + 1)) / 2
    alpha = (1 - level) / 2
    if n <= 200:
        law = flip_law(np.arange(1, n + 1))
        # W+ = (S + Σr)/2; C - 1 is the largest w with P(W+ <= w) <= α.
        count = int((np.cumsum(law.mass) <= alpha * (1 + 1e-12)).sum())
    else:
        sd = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        count = math.floor(walsh / 2 - normal_quantile(level) * sd)
    if count < 1:
        return Pseudomedian(estimate=middle, low=-math.inf, high=math.inf, level=level)
    low, high = _walsh_order(d, count), _walsh_order(d, walsh + 1 - count)
    return Pseudomedian(estimate=middle, low=low, high=high, level=level)


def shift(x: Float, y: Float) -> float:
    """The Hodges-Lehmann estimate of how far x lies above y: the median of all differences x_i - y_j.

    Found by bisection over how many differences lie at or below a value, so that they need not be held.

    Source: Hodges & Lehmann 1963, eq. 4.4.
    """
    x, y = np.sort(x), np.sort(y)
    pairs = x.size * y.size

    def order(k: int) -> float:
        low, high = float(x[0] - y[-1]), float(x[-1] - y[0])
        while True:
            middle = low + (high - low) / 2
            if not low < middle < high:
                return high if _pairs_at_most(x, y, low) < k else low
            low, high = (middle, high) if _pairs_at_most(x, y, middle) < k else (low, middle)

    return (order((pairs + 1) // 2) + order(pairs // 2 + 1)) / 2


def _pairs_at_most(x: Float, y: Float, at: float) -> int:
    """Number of differences x_i - y_j at or below ``at``; both samples sorted."""
    return int(np.searchsorted(x, y + at, side="right").sum())


def _walsh_order(ordered: Float, k: int) -> float:
    """The k-th smallest Walsh average of sorted values: bisection on how many lie at or below, then the average."""
    low, high = float(ordered[0]), float(ordered[-1])
    if _walsh_count(ordered, low) >= k:
        return low
    while True:
        middle = low + (high - low) / 2
        if not low < middle < high:
            return high
        low, high = (low, middle) if _walsh_count(ordered, middle) >= k else (middle, high)


def _walsh_count(ordered: Float, at: float) -> int:
    """Number of Walsh averages at or below ``at``."""
    partners = np.searchsorted(ordered, 2 * at - ordered, side="right") - np.arange(ordered.size)
    return int(np.maximum(partners, 0).sum())


def _chosen(method: Method, cost: int) -> Method:
    if method not in ("auto", "exact", "normal", "normal-cc"):
        raise UsageError(f"method={method!r}: expected auto, exact, normal or normal-cc")
    if method != "auto":
        return method
    return "exact" if cost <= MOST_UPDATES else "normal"


def _normal(distance: float, sd: float, method: Method, alternative: Alternative) -> tuple[float, float]:
    """z and p of a statistic this far from its mean, moved by ½ towards the mean (or the tail's inside)."""
    shift = 0.0
    if method == "normal-cc":
        shift = {
            "greater": 0.5,
            "less": -0.5,
            "two-sided": math.copysign(0.5, distance) if distance else 0.0,
        }[alternative]
    z = (distance - shift) / sd
    return z, normal_p(z, alternative)
