"""How sure a p-value by sampling is, and rules that stop sampling early.

The p-value itself, (b + 1)/(B + 1), is ``extreme.p_from_count``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

from outscore.base.arrays import Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.beta import beta_cdf, beta_ppf, normal_ppf


@dataclass(frozen=True, kw_only=True)
class SequentialMonteCarlo:
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


def standard_error_plus_one(exceedances: int, n_resamples: int) -> float:
    """√(p(1 - p)/(B + 1)) with p = (b + 1)/(B + 1): never zero, also when nothing exceeded."""
    p = (exceedances + 1) / (n_resamples + 1)
    return math.sqrt(p * (1 - p) / (n_resamples + 1))


@lru_cache(maxsize=1024)  # of a board's thousands of pairs many exceed equally often
def exceedance_interval(exceedances: float, n_resamples: float, level: float = 0.99) -> tuple[float, float]:
    """Clopper-Pearson interval of the p-value that infinitely many resamples would give, from b ~ Bin(B, p)."""
    if not 0 <= exceedances <= n_resamples:
        raise UsageError(f"{exceedances} exceedances of {n_resamples} resamples")
    alpha, rest = (1 - level) / 2, n_resamples - exceedances
    low = beta_ppf(alpha, exceedances, rest + 1) if exceedances else 0.0
    return low, beta_ppf(1 - alpha, exceedances + 1, rest) if rest else 1.0


def decision_stable(exceedances: float, n_resamples: float, alpha: float = 0.05, level: float = 0.99) -> bool:
    """Whether more resamples could hardly change the decision: ``alpha`` lies outside the interval of p."""
    # the interval leaves alpha out where the tail of Bin(B, alpha) from b on is below (1 - level)/2, and so is the tail
    # where its bound is
    if _tail_bound(exceedances / n_resamples, alpha, n_resamples) < (1 - level) / 2:
        return True  # so far away that the interval needs no computing
    rest = n_resamples - exceedances
    below = exceedances > 0 and beta_cdf(alpha, exceedances, rest + 1) < (1 - level) / 2
    return below or (rest > 0 and beta_cdf(1 - alpha, rest, exceedances + 1) < (1 - level) / 2)


def _tail_bound(share: float, alpha: float, n_resamples: float) -> float:
    """Chernoff's bound exp(-B KL(p, alpha)) on the probability of a proportion p at least so far from alpha."""
    parts = ((share, alpha), (1 - share, 1 - alpha))
    distance = sum(p * math.log(p / q) for p, q in parts if p > 0)
    return math.exp(-n_resamples * distance)


@dataclass(frozen=True)
class Exceedances:
    """Resamples that count against the null hypothesis, batch by batch.

    Attributes:
        counts: ``(batches,)`` how many count.
        sizes: ``(batches,)`` how many were drawn.
        independent: whether the resamples of a batch are independent; batches are independent of each other.
    """

    counts: Int
    sizes: Int
    independent: bool = True

    @property
    def total(self) -> int:
        """b, resamples that count."""
        return int(self.counts.sum())

    @property
    def drawn(self) -> int:
        """B, resamples drawn."""
        return int(self.sizes.sum())

    @property
    def spread(self) -> float:
        """Variance of the proportion that counts, as a multiple of that of as many independent resamples (design
        effect).

        Where resamples depend on each other it is measured by the variance between batches, which are at least twenty
        as a rule: whatever the dependence within them, they are a sample of independent shares. Where none or all count
        there is no variance to measure.
        """
        b, drawn, batches = self.total, self.drawn, len(self.sizes)
        if self.independent or batches < 2 or not 0 < b < drawn:
            return 1.0
        share = b / drawn
        between = float(((self.counts - share * self.sizes) ** 2).sum()) * batches / (batches - 1) / drawn**2
        return between / (share * (1 - share) / drawn)

    @property
    def error(self) -> float:
        """Monte-Carlo standard error of (b + 1)/(B + 1), never 0."""
        simple = standard_error_plus_one(self.total, self.drawn)
        least = standard_error_plus_one(0, self.drawn)
        return simple if self.independent else max(least, simple * math.sqrt(self.spread))

    def interval(self, level: float = 0.99) -> tuple[float, float]:
        """Interval of the p-value that infinitely many resamples would give.

        Clopper-Pearson of as many independent resamples as these are worth, and no wider knowledge than the batches
        allow.
        """
        worth = self._effective_number(level)
        return exceedance_interval(self.total / worth, self.drawn / worth, level)

    def decides(self, alpha: float, level: float = 0.99) -> bool:
        """Whether more resamples could hardly change the decision at ``alpha``: it lies outside the interval of p."""
        worth = self._effective_number(level)
        return decision_stable(self.total / worth, self.drawn / worth, alpha, level)

    def _effective_number(self, level: float) -> float:
        """How many of these resamples are worth one that is independent of all others, with a margin for not knowing.

        Below one, which happens (see ``cyclic``), it is taken for one: nothing is gained from a lucky estimate.
        """
        if self.independent:
            return 1.0
        # the variance between few batches is itself uncertain, as in a t interval; its quantile by Cornish-Fisher
        # (Abramowitz & Stegun 26.7.5), as scipy's takes long to import
        z, df = normal_ppf((1 + level) / 2), max(len(self.sizes) - 1, 1)
        t_over_z = 1 + (z**2 + 1) / (4 * df) + (5 * z**4 + 16 * z**2 + 3) / (96 * df**2)
        return max(1.0, self.spread) * t_over_z**2


def besag_clifford(exceeds: Iterable[bool | int], stop_at: int = 10, most: int | None = None) -> SequentialMonteCarlo:
    """Sequential p-value: draw until h exceedances, then p = h/l; otherwise p = (g + 1)/(B_max + 1).

    Null hypothesis: that of the resampling scheme; p is valid under it for every h and B_max (Besag &
    Clifford 1991).

    Args:
        exceeds: for each draw in turn, whether it is at least as extreme as observed; drawn from lazily.
        stop_at: h; the relative error of p is about 1/√h.
        most: B_max; all of ``exceeds`` if not given.
    """
    drawn = exceedances = 0
    for hit in islice(exceeds, most):
        drawn += 1
        exceedances += bool(hit)
        if exceedances == stop_at:
            return SequentialMonteCarlo(
                p=exceedances / drawn, n_used=drawn, exceedances=exceedances, stopped_early=True
            )
    return SequentialMonteCarlo(
        p=(exceedances + 1) / (drawn + 1), n_used=drawn, exceedances=exceedances, stopped_early=False
    )
