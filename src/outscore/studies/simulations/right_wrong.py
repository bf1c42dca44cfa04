"""Two systems that are right or wrong on each item: all outcomes with their probabilities, and what tests make of them.

An outcome is (b, c): items that only the system has right, and items that only the baseline has right. What is drawn
again is n δ*, the sum of n draws from b ones, c minus ones and noughts, whose law is exact: nothing here is sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.engine.exact import DiscreteLaw
from outscore.engine.exact_bootstrap import bootstrap_sum_law
from outscore.engine.extreme import Alternative, tail_mass

_LEFT_OUT = 1e-9  # probability of all outcomes that are not looked at, at most

Rule = Callable[[int, int, int], float]
"""p from b, c and n."""


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """The likely outcomes on n items.

    Attributes:
        b, c: counts ``(m,)``.
        mass: their probabilities ``(m,)``, which lack 1e-9 of one at most.
    """

    n: int
    b: Int
    c: Int
    mass: Float

    def proportion(self, p: Rule, level: float) -> float:
        """P(p <= level)."""
        rejected = np.array([p(int(b), int(c), self.n) <= level for b, c in zip(self.b, self.c, strict=True)])
        return float(self.mass[rejected].sum())

    def sampled_probability(self, p: Rule, level: float, n_resamples: int, *, added: bool) -> float:
        """P(sampled p <= level), the sampled one being K/B, or (K + 1)/(B + 1) with the one that is ``added``.

        K of B resamples are as extreme: K ~ Binomial(B, p).
        """
        from scipy import stats

        most = math.floor(level * (n_resamples + added) + 1e-9) - added
        exact = np.array([p(int(b), int(c), self.n) for b, c in zip(self.b, self.c, strict=True)])
        return float(self.mass @ stats.binom.cdf(most, n_resamples, np.clip(exact, 0.0, 1.0)))


def outcomes(n: int, p10: float, p01: float) -> Outcomes:
    """All outcomes but the most unlikely ones, by the multinomial law.

    Args:
        p10: proportion of items that only the system has right; ``p01`` that only the baseline has right.
    """
    from scipy import stats

    b = np.arange(n + 1)
    one = stats.binom.pmf(b, n, p10)
    # given b, c is binomial among the others
    rows = [(k, stats.binom.pmf(np.arange(n - k + 1), n - k, p01 / (1 - p10)) * one[k]) for k in b]
    found = [(k, c, m) for k, masses in rows for c, m in enumerate(masses.tolist())]
    found.sort(key=lambda row: -row[2])
    mass = np.array([m for _, _, m in found])
    kept = int(np.searchsorted(mass.cumsum(), 1 - _LEFT_OUT)) + 1
    return Outcomes(
        n=n, b=np.array([k for k, _, _ in found[:kept]]), c=np.array([c for _, c, _ in found[:kept]]), mass=mass[:kept]
    )


def bootstrap_law(b: int, c: int, n: int) -> DiscreteLaw:
    """The law of n δ* under the bootstrap."""
    return bootstrap_sum_law(np.repeat([1, -1, 0], [b, c, n - b - c]))


def permutation_law(b: int, c: int) -> DiscreteLaw:
    """The law of n δ* where the systems' outputs are permuted at random: 2 Binomial(b + c, ½) - (b + c)."""
    from scipy import stats

    k = np.arange(b + c + 1)
    return DiscreteLaw((2 * k - (b + c)).astype(np.float64), np.asarray(stats.binom.pmf(k, b + c, 0.5)))


def _tail(law: DiscreteLaw, observed: int, centre: int, side: Alternative, *, ties: bool) -> float:
    """P(at least as extreme), or P(more extreme): on whole numbers that is at least as extreme as the next one."""
    away = {"greater": 1, "less": -1, "two-sided": 1 if observed >= centre else -1}[side]
    return tail_mass(
        law.support, law.mass, observed if ties else observed + away, centre=centre, alternative=side, slack=0.5
    )


def shift(side: Alternative, *, ties: bool) -> Rule:
    """Bootstrap, P*(δ* - δ at least as far as δ is from 0); with ``>`` without ties (Berg-Kirkpatrick et al. 2012)."""

    def p(b: int, c: int, n: int) -> float:
        return _tail(_bootstrap_law(b, c, n), 2 * (b - c), b - c, side, ties=ties)

    return p


def winner(*, ties: bool) -> Rule:
    """The 2δ rule of Berg-Kirkpatrick et al. 2012, Figure 1, for the system that scored higher; strict as printed."""
    up, down = shift("greater", ties=ties), shift("less", ties=ties)
    return lambda b, c, n: (up if b >= c else down)(b, c, n)


def percentile(side: Alternative, *, ties: bool) -> Rule:
    """Bootstrap, P*(δ* on the other side of 0), twice the smaller one for two sides."""

    def p(b: int, c: int, n: int) -> float:
        law = _bootstrap_law(b, c, n)
        # the tail of a gain that lies at 0 or beyond
        below, above = _tail(law, 0, 1, "less", ties=ties), _tail(law, 0, -1, "greater", ties=ties)
        return {"two-sided": min(1.0, 2 * min(below, above)), "greater": below, "less": above}[side]

    return p


def randomization(side: Alternative, *, ties: bool) -> Rule:
    """Permutation of outputs, P(δ* at least as extreme as δ), which with ties is the exact McNemar test."""

    def p(b: int, c: int, n: int) -> float:
        del n
        return _tail(permutation_law(b, c), b - c, 0, side, ties=ties)

    return p


_bootstrap_law = lru_cache(maxsize=20_000)(bootstrap_law)


def rules(side: Alternative) -> Iterator[tuple[str, bool, Rule]]:
    """Procedures by name, counted with ties and without."""
    made: Mapping[str, Callable[..., Rule]] = {
        "bootstrap, shift": shift,
        "bootstrap, percentile": percentile,
        "randomization": randomization,
    }
    for name, make in made.items():
        for ties in (True, False):
            yield name, ties, make(side, ties=ties)
