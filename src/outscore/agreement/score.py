"""The score interval of a coefficient of agreement: where the variance at the estimate says nothing.

The variance is that of a population in which a unit is clear with probability κ, and all raters give it the same label,
and otherwise all guess: for two raters and two labels every population with equal frequencies of labels is such a one
(Bloch & Kraemer 1989, eq. 3.6; Donner & Eliasziw 1992, §2). Of several raters none has a larger variance at the same
agreement of pairs, so that intervals are rather too long where raters err each for themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from outscore.agreement.chance import Guessing
from outscore.base.arrays import Float
from outscore.significance.p_values import normal_quantile

_STEPS = 400
_HALVINGS = 50


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The variance of a coefficient as a polynomial of its true value κ.

    (1 - κ)(guess + κ² tilt) + κ(1 - κ)² clear, the first term from units on which raters guess.
    """

    guess: float
    tilt: float
    clear: float

    def compute(self, kappa: Float) -> Float:
        """Not negative; 0 at 1."""
        rest = 1 - kappa
        return np.maximum(rest * (self.guess + kappa**2 * self.tilt + kappa * rest * self.clear), 0.0)


def spread(chance: Guessing, own: Guessing, possible: float) -> Spread:
    """The variance from the frequencies of labels.

    Args:
        chance: of raters with the same frequencies of labels.
        own: of raters with frequencies of their own, where the coefficient heeds them.
        possible: the denominator of the coefficient, what agreement beyond chance can come to.
    """
    shares, matrix = chance.proportions[0], chance.matrix
    by_label = 2 * (matrix @ shares - shares @ matrix @ shares)
    of_unit = np.bincount(chance.unit, weights=chance.weight)
    scale = (chance.size * possible) ** 2
    squares = of_unit**2
    single = float((squares / chance.given).sum()) * float(shares @ by_label**2)
    whole = float(squares.sum())
    return Spread(
        guess=float((own.weight**2 * own.spreads).sum()) / scale,
        tilt=(single + whole * possible**2) / scale,
        clear=whole * float(shares @ (possible - by_label) ** 2) / scale,
    )


def score_interval(value: float, spread: Spread, level: float) -> tuple[float, float]:
    """From the lowest to the highest value that lies within the normal quantile of its own standard errors."""
    z = normal_quantile(level)

    # less agreement than such a population can have: its variance is that of guessing
    least = spread.compute(np.zeros(1)) if value < 0 and not spread.compute(np.array([value])) > 0 else 0.0

    def beyond(kappa: Float) -> Float:
        return (value - kappa) ** 2 - z**2 * np.maximum(spread.compute(kappa), least * (kappa < 1))

    def end(limit: float) -> float:
        grid = np.linspace(value, limit, _STEPS)
        last = int(np.flatnonzero(beyond(grid) <= 0)[-1])
        if last == len(grid) - 1:
            return limit
        inside, outside = grid[last], grid[last + 1]
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if beyond(middle) > 0 else (middle, outside)
        return float(inside)

    return end(-1.0), end(1.0)
