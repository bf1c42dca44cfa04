"""The normal law, from the standard library: scipy's special functions cost a tenth of a second to import."""

from __future__ import annotations

import math
from statistics import NormalDist

_STANDARD = NormalDist()


def normal_cdf(z: float) -> float:
    """Φ(z), accurate in both tails."""
    return math.erfc(-z / math.sqrt(2)) / 2


def normal_ppf(p: float) -> float:
    """Φ⁻¹(p); ±inf at 0 and 1."""
    if p <= 0 or p >= 1:
        return math.copysign(math.inf, p - 0.5)
    return _STANDARD.inv_cdf(p)
