"""The chance that a test rejects, and what the gains look like that it calls significant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from outscore.base.arrays import Float
from outscore.engine.extreme import Alternative


@dataclass(frozen=True, kw_only=True)
class PowerAtSize:
    """Power of a test at one size.

    Attributes:
        power: probability that it rejects.
        wrong: probability that it rejects in favour of the wrong system.
        size: the mean absolute value of a significant gain, in the unit of the gain; None where none is.
    """

    power: float
    wrong: float
    size: float | None

    def type_s(self, effect: float) -> float | None:
        """Proportion of significant gains of the wrong sign; None without a right sign (Gelman & Carlin 2014)."""
        return self.wrong / self.power if effect and self.power > 0 else None

    def type_m(self, effect: float) -> float | None:
        """How many times too large significant gains are on average; None without a gain (Gelman & Carlin 2014)."""
        return self.size / abs(effect) if effect and self.size is not None else None


def tail_of(alpha: float, alternative: Alternative) -> float:
    """The level of one tail."""
    return alpha / 2 if alternative == "two-sided" else alpha


def claims(effect: float, alternative: Alternative) -> bool:
    """Whether a gain of this sign is what the test looks for."""
    return effect != 0 and (alternative == "two-sided" or (effect > 0) == (alternative == "greater"))


def partial_moments(shift: float, bound: Float | float) -> tuple[float, float]:
    """E[X; X > bound] and P(X > bound) for a normal X with this mean and variance 1, averaged over bounds ``(m,)``."""
    inside = special.ndtr(shift - bound)
    density = np.exp(-((bound - shift) ** 2) / 2) / np.sqrt(2 * np.pi)
    return float(np.mean(shift * inside + density)), float(np.mean(inside))
