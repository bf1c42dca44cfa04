"""The score interval of a weighted sum of proportions, slowly: every likelihood is maximised by searching its root."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scipy.optimize import brentq


def moved(ratio: float, worth: float, pull: float) -> float:
    """Where the log likelihood of a proportion rises by ``pull`` for each unit."""
    if ratio == 0 or (ratio == 1 and pull <= worth):
        return ratio  # at its limit already, or held there
    if ratio == 1:
        return worth / pull  # beside 1 itself
    return float(brentq(lambda x: worth * (ratio - x) - pull * x * (1 - x), 0.0, ratio, xtol=1e-15))


def reach_by_hand(
    ratios: Sequence[float],
    worth: Sequence[float],
    weights: Sequence[float],
    correlations: Sequence[Sequence[float]],
    quantile: float,
) -> tuple[float, float]:
    """How far the ends lie below and above the sum."""
    found = []
    for side in (-1, 1):
        shares = [p if a * side < 0 else 1 - p for p, a in zip(ratios, weights, strict=True)]

        def move(pull: float, shares: Sequence[float] = shares) -> tuple[float, float]:
            at = [moved(p, n, pull * abs(a)) for p, n, a in zip(shares, worth, weights, strict=True)]
            errors = [a * math.sqrt(x * (1 - x) / n) for x, n, a in zip(at, worth, weights, strict=True)]
            square = sum(
                one * other * correlations[i][j] for i, one in enumerate(errors) for j, other in enumerate(errors)
            )
            return sum(abs(a) * (p - x) for p, x, a in zip(shares, at, weights, strict=True)), math.sqrt(square)

        def beyond(log: float) -> float:
            distance, error = move(math.exp(log))
            return distance - quantile * error

        if not any(shares):
            found.append(0.0)
            continue
        low = high = math.log(min(n / abs(a) for n, a in zip(worth, weights, strict=True)))
        while beyond(low) >= 0 and low > -60:
            low -= 1
        while beyond(high) <= 0:
            high += 1
        # at small pulls nothing moves where all are at a limit: the last change of sign is the end
        found.append(move(math.exp(brentq(beyond, low, high, xtol=1e-14)))[0])
    return found[0], found[1]
