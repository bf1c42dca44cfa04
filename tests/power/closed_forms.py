"""Items and powers by closed formulas that no plan uses, which other programs and textbooks print."""

from __future__ import annotations

import math

from outscore.engine.beta import normal_cdf, normal_ppf
from outscore.engine.extreme import Alternative, tail_of


def normal_items(effect: float, sd: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """Items of a paired two-sided z test, ((z + z_power) sd / effect)², the wrong side left out."""
    return ((-normal_ppf(alpha / 2) + normal_ppf(power)) * sd / effect) ** 2


def connor_items(
    p10: float, p01: float, power: float = 0.8, *, alternative: Alternative = "two-sided", alpha: float = 0.05
) -> float:
    """Items at which ``connor_power`` reaches ``power``, ((z√ψ + z_power √(ψ - δ²)) / δ)², not rounded (Connor 1987).

    Infinite where the gain is 0 or on the other side. Arguments as in ``mcnemar_power``.
    """
    gain, psi = {"two-sided": abs(p10 - p01), "greater": p10 - p01, "less": p01 - p10}[alternative], p10 + p01
    if gain <= 0:
        return math.inf
    z = -normal_ppf(tail_of(alpha, alternative))
    return ((z * math.sqrt(psi) + normal_ppf(power) * math.sqrt(psi - gain * gain)) / gain) ** 2


def two_proportions_items(
    rate: float,
    baseline: float,
    power: float = 0.8,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> float:
    """Items of each system at which the power is reached, not rounded, the wrong side left out."""
    mean = (rate + baseline) / 2
    pooled, apart = math.sqrt(2 * mean * (1 - mean)), math.sqrt(rate * (1 - rate) + baseline * (1 - baseline))
    z = -normal_ppf(tail_of(alpha, alternative))
    return ((z * pooled + normal_ppf(power) * apart) / (rate - baseline)) ** 2


def arcsine_power(rate: float, baseline: float, n: float, alpha: float = 0.05) -> float:
    """Two-sided power by Cohen's h = 2 asin √p1 - 2 asin √p2, as R's ``pwr.2p.test`` has it (Cohen 1988, ch. 6)."""
    h = 2 * (math.asin(math.sqrt(rate)) - math.asin(math.sqrt(baseline)))
    shift, z = h * math.sqrt(n / 2), -normal_ppf(alpha / 2)
    return normal_cdf(shift - z) + normal_cdf(-shift - z)
