"""Laws of runs by normal theory: the chance of a wrong sign, and how often tests reject a true null hypothesis.

Model: y_sri = a_sr + c_si + e_sri for system s, run r, item i, no difference between systems. The variance of
what an item does to a run, var c + var e, is 1/2, so that the paired difference of two single runs on an item has
variance 1; ``share`` of it is c, the same in all runs of a system. A run's a has the standard deviation ``ratio``/√n,
``ratio`` times the standard error of the paired difference of two single runs.
"""

from __future__ import annotations

import math

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.engine.beta import normal_cdf
from outscore.engine.extreme import Alternative

_GRID = 20_001  # quantiles that a law is summed over


def probability_of_wrong_sign(gain: float, deviation: float, n: int) -> float:
    """Chance that the mean gain of n new runs has the other sign than the true gain, by the normal law.

    Args:
        gain: the true one.
        deviation: √(s_A² + s_B²) of the runs of both systems.
    """
    if deviation == 0:
        return 0.0 if gain else 0.5
    return normal_cdf(-abs(gain) * math.sqrt(n) / deviation)


@dataclass(frozen=True, kw_only=True)
class EqualSystems:
    """Two systems without a difference, with R runs each.

    Attributes:
        runs: R, two or more.
        ratio, share: see the module.
    """

    runs: int
    ratio: float
    share: float

    @property
    def averaged(self) -> float:
        """Variance of the difference of two means over runs on an item; a mean over items has an n-th of it."""
        return self.share + (1 - self.share) / self.runs

    @property
    def gain(self) -> float:
        """n times the variance of the gain, over new runs and new items."""
        return self.averaged + 2 * self.ratio**2 / self.runs

    def inflation(self, procedure: str) -> float | None:
        """Standard deviation of the gain over the one that a randomization test takes it to have.

        Args:
            procedure: ``single``, ``pooled``, ``coded`` or ``items``; None is returned for others.
        """
        r, c = self.runs, self.share
        taken = {
            "pooled": 1 / r,
            # (r, i) moves by u_π(r) + u_π⁻¹(r), u = ±1/2: twice u in cycles of one and two, else two different ones
            "coded": (r / 2 + 1 + (r / 2 - 1) * c) / r**2,
            "items": self.averaged,
        }
        if procedure == "single":
            return math.sqrt(1 + 2 * self.ratio**2)
        return math.sqrt(self.gain / taken[procedure]) if procedure in taken else None

    def size(self, procedure: str, permutations: int, alpha: float, alternative: Alternative) -> float | None:
        """How often a test rejects on many items; None where there is no law.

        Args:
            procedure: as in ``inflation``, or ``runs``: Welch's t of the scores of the runs.
            permutations: of a randomization test, whose p-value is (b + 1)/(permutations + 1).
        """
        if procedure == "runs":
            return self._size_of_welch(alpha, alternative)
        inflation = self.inflation(procedure)
        return None if inflation is None else sampled_size(inflation, permutations, alpha, alternative)

    def _size_of_welch(self, alpha: float, alternative: Alternative) -> float | None:
        """Welch's t knows the variance of runs and residuals only; what a system does to an item adds to the gain.

        Given W = s_A²/(s_A² + s_B²), which is Beta((R-1)/2, (R-1)/2), t has 2(R-1) degrees of freedom, and the test
        takes it to have (R-1)/(W² + (1-W)²).
        """
        from scipy.stats import beta, t

        seen = (2 * self.ratio**2 + 1 - self.share) / self.runs
        if seen == 0:
            return None
        inflation = math.sqrt(self.gain / seen)
        w = beta.ppf(_quantiles(), (self.runs - 1) / 2, (self.runs - 1) / 2)
        df = (self.runs - 1) / (w**2 + (1 - w) ** 2)
        tails = 2 if alternative == "two-sided" else 1
        beyond = t.sf(t.isf(alpha / tails, df) / inflation, 2 * (self.runs - 1))
        return float(tails * np.mean(beyond))


def sampled_size(inflation: float, permutations: int, alpha: float, alternative: Alternative) -> float:
    """How often (b + 1)/(B + 1) <= alpha where a normal statistic varies more than its permutations do.

    Args:
        inflation: standard deviation of the statistic over that of its permutations.
        permutations: B.
    """
    from scipy.stats import binom, norm

    z = norm.ppf(_quantiles()) * inflation
    p = {"two-sided": 2 * norm.sf(np.abs(z)), "greater": norm.sf(z), "less": norm.cdf(z)}[alternative]
    most = math.floor(alpha * (permutations + 1) + 1e-9) - 1
    return float(np.mean(binom.cdf(most, permutations, p)))


def _quantiles() -> Float:
    return (np.arange(_GRID) + 0.5) / _GRID
