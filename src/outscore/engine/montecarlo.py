"""How sure a p-value by sampling is, and rules that stop sampling early (SPEC 0.2).

The p-value itself, (b + 1)/(B + 1), is ``extreme.p_from_count``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np

from outscore.base.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Sequential:
    """A sequential Monte-Carlo p-value.

    Attributes:
        p: the p-value.
        n_used: draws made, l.
        exceedances: how many of them were at least as extreme as observed, g.
        stopped_early: whether h exceedances were reached.
    """

    p: float
    n_used: int
    exceedances: int
    stopped_early: bool


def standard_error(exceedances: int, n_resamples: int) -> float:
    """√(p̂(1 - p̂)/B) with p̂ = b/B: the Monte-Carlo standard error of a p-value (SPEC 0.2); NaN for B =
    0.
    """
    if n_resamples == 0:
        return math.nan
    share = exceedances / n_resamples
    return math.sqrt(share * (1 - share) / n_resamples)


def standard_error_plus_one(exceedances: int, n_resamples: int) -> float:
    """√(p(1 - p)/(B + 1)) with p = (b + 1)/(B + 1): never zero, also when nothing exceeded."""
    p = (exceedances + 1) / (n_resamples + 1)
    return math.sqrt(p * (1 - p) / (n_resamples + 1))


def exceedance_interval(exceedances: int, n_resamples: int, level: float = 0.99) -> tuple[float, float]:
    """Clopper-Pearson interval of the p-value that infinitely many resamples would give, from b ~ Bin(B,
    p).
    """
    from scipy import special

    if not 0 <= exceedances <= n_resamples:
        raise UsageError(f"{exceedances} exceedances of {n_resamples} resamples")
    alpha, rest = (1 - level) / 2, n_resamples - exceedances
    low = float(special.betaincinv(exceedances, rest + 1, alpha)) if exceedances else 0.0
    high = float(special.betaincinv(exceedances + 1, rest, 1 - alpha)) if rest else 1.0
    return low, high


def decision_stable(exceedances: int, n_resamples: int, alpha: float = 0.05, level: float = 0.99) -> bool:
    """Whether more resamples could hardly change the decision at ``alpha``: alpha lies outside the interval
    of p.
    """
    if _tail_bound(exceedances / n_resamples, alpha, n_resamples) < (1 - level) / 2:
        return True  # so far away that the interval needs no computing
    low, high = exceedance_interval(exceedances, n_resamples, level)
    return not low <= alpha <= high


def _tail_bound(share: float, alpha: float, n_resamples: int) -> float:
    """Chernoff's bound exp(-B KL(share, alpha)) on the chance of a share at least so far from alpha, on its side."""
    parts = ((share, alpha), (1 - share, 1 - alpha))
    distance = sum(p * math.log(p / q) for p, q in parts if p > 0)
    return math.exp(-n_resamples * distance)


def besag_clifford(exceeds: Iterable[bool | int], stop_at: int = 10, most: int | None = None) -> Sequential:
    """Sequential p-value: draw until h exceedances, then p = h/l; otherwise p = (g + 1)/(B_max + 1).

    Null hypothesis: that of the resampling scheme; p is valid under it for every h and B_max (Besag &
    Clifford 1991).

    Args:
        exceeds: for each draw in turn, whether it is at least as extreme as observed; drawn from lazily.
        stop_at: h; the relative error of p is about 1/√h.
        most: B_max; all of ``exceeds`` if not given.
    """
    drawn = hits = 0
    for hit in islice(exceeds, most):
        drawn += 1
        hits += bool(hit)
        if hits == stop_at:
            return Sequential(p=hits / drawn, n_used=drawn, exceedances=hits, stopped_early=True)
    return Sequential(p=(hits + 1) / (drawn + 1), n_used=drawn, exceedances=hits, stopped_early=False)


def phipson_smyth(exceedances: int, n_resamples: int, n_distinct: int) -> float:
    """Exact p when relabellings are drawn with replacement from few: (1/m) Σ_{j=1}^{m} P(Bin(B, j/m) <= b).

    Null hypothesis: that of the relabelling; smaller than (b + 1)/(B + 1), which is its limit for many
    relabellings (Phipson & Smyth 2010, eq. 2; ``statmod::permp``). With so few relabellings, enumerate them
    instead.

    Args:
        exceedances: b, draws at least as extreme as observed.
        n_resamples: B, draws.
        n_distinct: m, equally likely distinct relabellings.
    """
    from scipy import special

    chances = np.arange(1, n_distinct + 1) / n_distinct
    return float(special.bdtr(exceedances, n_resamples, chances).mean())
