"""Laws of made data: how often the smallest of several p-values is significant, and what a field of research finds.

Each test rejects where ``|Z| > c``, Z being normal with variance 1 and a mean that is 0 where nothing is to be found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.engine.beta import normal_ppf
from outscore.power.plans.t import TDesign
from outscore.power.ppv import ResearchField

_NODES = 400  # enough for 1e-9 with correlations up to .995
_FAR = 9.0


def critical(level: float) -> float:
    """The c that |Z| exceeds with this probability."""
    return -normal_ppf(level / 2)


def p_any(level: float, k: int, correlation: float = 0.0, shift: float = 0.0) -> float:
    """P(some |Z_j| > c) for k statistics, every two of which have the same correlation.

    1 - (1 - level)^k without correlation and shift (Søgaard et al. 2014, §3.3). With correlation each is √ρ U +
    √(1 - ρ) E_j, and the integral goes over U.

    Args:
        level: of each test.
        k: tests.
        correlation: from 0 to below 1.
        shift: mean of each statistic.
    """
    c = critical(level)
    if correlation == 0:
        return float(1 - (1 - (_normal_below(-c - shift) + _normal_below(shift - c))) ** k)
    nodes, weights = _integration_nodes(-_FAR, _FAR, 10)
    own, moved = math.sqrt(1 - correlation), shift + math.sqrt(correlation) * nodes
    inside = _normal_below((c - moved) / own) - _normal_below((-c - moved) / own)
    return float(1 - (weights * _density(nodes)) @ inside**k)


def p_subset_or_whole(level: float) -> float:
    """P(some |Z| > c) for two random halves and for the whole that they make, Z = (Z1 + Z2)/√2."""
    c = critical(level)
    # the whole binds where the first half lies beyond this point: the integrand has a kink there
    kink = c * (math.sqrt(2) - 1)
    inside = 0.0
    for low, high in ((-c, -kink), (-kink, kink), (kink, c)):
        nodes, weights = _integration_nodes(low, high, 1)
        upper = np.minimum(c, c * math.sqrt(2) - nodes)
        lower = np.maximum(-c, -c * math.sqrt(2) - nodes)
        inside += float((weights * _density(nodes)) @ (_normal_below(upper) - _normal_below(lower)))
    return 1 - inside


def p_none(level: float, times: Sequence[float], drift: float = 0.0) -> float:
    """P(no |Z| > c) at interim analyses of a growing sample; Z(t) = W(t)/√t for a normal walk W with this drift.

    By recursive integration over what stays inside (Armitage, McPherson & Rowe 1969, §2). One analysis gives 1 - power,
    many the probability that a test which is repeated as data come in stays silent.

    Args:
        level: of each interim analysis.
        times: sizes of the sample, growing.
        drift: mean of the walk at time 1, in standard deviations: a gain of d sd and times in items give a drift of d.
    """
    c = critical(level)
    at, (nodes, weights) = times[0], _integration_nodes(-c * math.sqrt(times[0]), c * math.sqrt(times[0]), 1)
    mass = weights * _density((nodes - drift * at) / math.sqrt(at)) / math.sqrt(at)
    for later in times[1:]:
        step, bound = math.sqrt(later - at), c * math.sqrt(later)
        ahead, beside = _integration_nodes(-bound, bound, 1)
        moves = _density((ahead[:, None] - nodes - drift * (later - at)) / step) / step
        mass, nodes, at = beside * (moves @ mass), ahead, later
    return float(mass.sum())


def p_loss(level: float, times: Sequence[float], drift: float = 0.0) -> float:
    """P(significant at some interim analysis, but not at the last one), as in ``p_none``."""
    return p_none(level, times[-1:], drift) - p_none(level, times, drift)


def bootstrap_size(level: float, n: int) -> float:
    """How often the shift bootstrap of n normal numbers rejects: P(|t| > c √((n - 1)/n)) with n - 1 degrees of freedom.

    As if the resampled mean were normal with the variance of divisor n, which is right to about a tenth of itself at
    n = 10.
    """
    from scipy import special

    return float(2 * special.stdtr(n - 1, -critical(level) * math.sqrt((n - 1) / n)))


def p_inflated(level: float, effect: float) -> float:
    """How often a test rejects whose statistic has this variance and not 1, a design effect that it does not know."""
    return float(2 * _normal_below(-critical(level) / math.sqrt(effect)))


def _integration_nodes(low: float, high: float, by_metric: int) -> tuple[Float, Float]:
    """Nodes and weights of Gauss and Legendre, over panels of equal width."""
    nodes, weights = _legendre()
    edges = np.linspace(low, high, by_metric + 1)
    half = (edges[1] - edges[0]) / 2
    middles = (edges[1:] + edges[:-1]) / 2
    return (middles[:, None] + half * nodes).ravel(), np.tile(half * weights, by_metric)


@cache
def _legendre() -> tuple[Float, Float]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights


def _density(x: Float) -> Float:
    return np.asarray(np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi))


def _normal_below(x: Float | float) -> Float:
    from scipy import special

    return np.asarray(special.ndtr(x))


FIXED, SAME, CERTAIN = "power held", "same test sets", "everything found"
"""The power as the level falls: it is held, as by the formula; or falls, too; or is 1 at any level."""

NEAR = 0.8
"""A p is just significant from this proportion of the level on."""

_SMALLEST, _LARGEST = 1e-9, 0.5
_HALVINGS = 60


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A field whose tests are two-sided paired t tests of normal differences.

    Attributes:
        odds: true hypotheses for each null one; ``power`` of the tests at ``alpha``.
        items: of each test set.
    """

    odds: float
    power: float
    items: int
    alpha: float

    @property
    def field(self) -> ResearchField:
        """The field of the formula."""
        return ResearchField(odds=self.odds, power=self.power)

    def shift(self, part: str, level: float) -> float:
        """The true gain over its standard error, where it is one."""
        if part == CERTAIN:
            return 100.0
        return _detectable(level if part == FIXED else self.alpha, self.items, self.power)

    def power_at(self, part: str, level: float) -> float:
        """The power of the test at this level."""
        if part == FIXED:
            return self.power
        design = self._design(level)
        return max(design.power(self.items, self.shift(part, level) * design.error(self.items)).power, _SMALLEST)

    def ppv(self, part: str, level: float) -> float:
        """The proportion of true ones among the significant."""
        return ResearchField(odds=self.odds, power=self.power_at(part, level)).ppv(level)

    def cutoff(self, wanted: float) -> float | None:
        """The level at which the same test sets have this predictive value; None where none has."""
        if self.ppv(SAME, _SMALLEST) < wanted or self.ppv(SAME, _LARGEST) > wanted:
            return None
        low, high = math.log(_SMALLEST), math.log(_LARGEST)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            enough = self.ppv(SAME, math.exp(middle)) >= wanted
            low, high = (middle, high) if enough else (low, middle)
        return math.exp(low)

    def proportion_near(self) -> float:
        """The proportion of true ones where p lies just below alpha, from ``NEAR`` times alpha on."""
        shift = self.shift(FIXED, self.alpha)
        designs = [self._design(level) for level in (self.alpha, NEAR * self.alpha)]
        power, less = (one.power(self.items, shift * one.error(self.items)).power for one in designs)
        true = self.odds * (power - less)
        return true / (true + (1 - NEAR) * self.alpha)

    @staticmethod
    def _design(level: float) -> TDesign:
        return TDesign(sd=1.0, alpha=level)


@cache
def _detectable(level: float, items: int, power: float) -> float:
    """The gain over its standard error that a test at this level has this power for."""
    design = TDesign(sd=1.0, alpha=level)
    return design.detectable(items, power) / design.error(items)
