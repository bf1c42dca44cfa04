"""Posterior laws of a difference between two systems, exact or by numeric integration.

None of them is a test: a posterior probability speaks of the difference under a model and a prior, and is neither a
p-value nor 1 - p.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.gammas import largest_chances, mean_ratio, positive_chance, quantile


class PosteriorLaw(ABC):
    """A continuous posterior law of a difference."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """Its mean."""

    @property
    @abstractmethod
    def spread(self) -> float:
        """About its standard deviation."""

    @abstractmethod
    def above(self, c: float) -> float:
        """The chance that the difference is larger than ``c``."""

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The equal-tailed credible interval."""
        return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)

    def quantile(self, level: float) -> float:
        """The number that the difference is below with chance ``level``."""
        return quantile(self.above, level, self.mean, self.spread)

    def three(self, rope: float) -> tuple[float, float, float]:
        """The chances that the difference is larger than ``rope``, within [-rope, rope], and smaller than -rope."""
        better, worse = self.above(rope), 1 - self.above(-rope)
        return better, max(0.0, 1 - better - worse), worse


@dataclass(frozen=True)
class StudentLaw(PosteriorLaw):
    """centre + scale · T, T of Student's law with ``df`` degrees of freedom; ``scale`` above 0."""

    df: float
    centre: float
    scale: float

    @property
    def mean(self) -> float:
        return self.centre

    @property
    def spread(self) -> float:
        return self.scale

    def above(self, c: float) -> float:
        from scipy import special

        return float(special.stdtr(self.df, (self.centre - c) / self.scale))

    def quantile(self, level: float) -> float:
        from scipy import special

        return self.centre + self.scale * float(special.stdtrit(self.df, level))


def correlated_t(differences: Float, rho: float = 0.0) -> StudentLaw:
    """Posterior of the expected difference of items whose differences have pairwise correlation ρ.

    μ ~ t_{n-1}(d̄, s² (1/n + ρ/(1 - ρ))) under the prior 1/σ on (μ, σ) (Corani & Benavoli 2015, eq. 8; Nadeau & Bengio
    2003 for ρ = n_test/n_total over the folds of cross-validations). With ρ = 0 it is the Bayesian t.

    Args:
        differences: ``(n,)``, not all the same.
        rho: between 0 and 1.

    Raises:
        UsageError: ρ is not in [0, 1).
    """
    if not 0 <= rho < 1:
        raise UsageError(f"rho={rho:g}: a correlation of folds lies between 0 and 1; it is n_test/n_total")
    n = differences.size
    scale = float(differences.std(ddof=1)) * math.sqrt(1 / n + rho / (1 - rho))
    return StudentLaw(n - 1, float(differences.mean()), scale)


@dataclass(frozen=True)
class CellsLaw(PosteriorLaw):
    """Share of one cell minus share of another, where all cells have a Dirichlet law.

    Attributes:
        better, worse: parameters of the two cells; ``other``: of all other cells together, 0 where there is none.
    """

    better: float
    worse: float
    other: float

    @cached_property
    def shapes(self) -> Float:
        return np.array([self.better, self.worse, self.other], dtype=np.float64)

    @property
    def mean(self) -> float:
        return (self.better - self.worse) / float(self.shapes.sum())

    @property
    def spread(self) -> float:
        total = float(self.shapes.sum())
        return math.sqrt(((self.better + self.worse) / total - self.mean**2) / (total + 1))

    def above(self, c: float) -> float:
        held = self.shapes > 0
        return positive_chance(np.array([1 - c, -1 - c, -c])[held], self.shapes[held])

    def largest(self) -> tuple[float, float, float]:
        """The chances that ``better``, ``other`` and ``worse`` is the largest cell."""
        better, worse, other = largest_chances(self.shapes).tolist()
        return better, other, worse


def paired_cells(b: int, c: int, n: int, strength: float = 1.0) -> CellsLaw:
    """Posterior of π10 - π01, the gain in accuracy of two systems on the same n items.

    The prior is Dirichlet(strength, ...) on the four cells of the paired table.

    Args:
        b, c: items that the system alone has right, and that the baseline alone has right.
    """
    return CellsLaw(b + strength, c + strength, n - b - c + 2 * strength)


@dataclass(frozen=True)
class WeightedMeanLaw(PosteriorLaw):
    """Σ w_j s_j / Σ w_j m_j for w ~ Dirichlet(k): the Bayesian bootstrap of a mean (Rubin 1981).

    Attributes:
        sums, sizes: ``(u,)`` s_j and m_j: of an item its difference and 1, of a cluster its sum and its items.
        counts: ``(u,)`` k_j, how many units are alike.
    """

    sums: Float
    sizes: Float
    counts: Float

    @cached_property
    def mean(self) -> float:
        return mean_ratio(self.sums, self.sizes, self.counts)

    @property
    def spread(self) -> float:
        moved = self.sums - self.mean * self.sizes
        return math.sqrt(float(moved**2 @ self.counts)) / float(self.sizes @ self.counts)

    def above(self, c: float) -> float:
        return positive_chance(self.sums - c * self.sizes, self.counts)


@dataclass(frozen=True)
class BetaDifferenceLaw(PosteriorLaw):
    """p_A - p_B of two independent shares with Beta laws.

    Attributes:
        first, second: the parameters of p_A and of p_B.
    """

    first: tuple[float, float]
    second: tuple[float, float]

    @property
    def mean(self) -> float:
        (a, b), (c, d) = self.first, self.second
        return a / (a + b) - c / (c + d)

    @property
    def spread(self) -> float:
        return math.sqrt(sum(a * b / ((a + b) ** 2 * (a + b + 1)) for a, b in (self.first, self.second)))

    def above(self, c: float) -> float:
        """P(p_A - p_B > c) = ∫ P(p_B < p_A - c), over p_A by its quantiles from the one that is c."""
        from scipy import integrate, special

        def below(v: float) -> float:
            p = float(special.betaincinv(*self.first, v)) - c
            return float(special.betainc(*self.second, min(max(p, 0.0), 1.0)))

        start = float(special.betainc(*self.first, min(max(c, 0.0), 1.0)))
        # above the quantile that is 1 + c everything is below
        end = float(special.betainc(*self.first, min(max(1 + c, 0.0), 1.0)))
        found = integrate.quad(below, start, end, epsabs=1e-12, epsrel=1e-10, limit=500)[0] if end > start else 0.0
        return min(1.0, float(found) + 1 - end)


def independent_shares(x1: int, n1: int, x2: int, n2: int, strength: float = 1.0) -> BetaDifferenceLaw:
    """Posterior of p_1 - p_2 after x1 of n1 and x2 of n2, on items that the two do not share.

    The prior is Beta(strength, strength) for each.
    """
    return BetaDifferenceLaw((x1 + strength, n1 - x1 + strength), (x2 + strength, n2 - x2 + strength))


def share_interval(x: int, n: int, level: float = 0.95, strength: float = 1.0) -> tuple[float, float]:
    """Equal-tailed credible interval of one share after x of n, under Beta(strength, strength)."""
    from scipy import special

    ends = np.array([(1 - level) / 2, (1 + level) / 2])
    low, high = special.betaincinv(x + strength, n - x + strength, ends)
    return float(low), float(high)
