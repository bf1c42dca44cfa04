"""Asymptotic confidence sequence of a mean: no bounds are needed, but the sequence starts late."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.significance.sequential import ConfidenceSequence, Path

START = 100
"""Units before the sequence starts: the central limit theorem must hold from there on."""

_TIGHTEST = 500  # units at which the sequence is narrowest


class Mixture(ConfidenceSequence):
    """Robbins' normal mixture with the variance estimated (Waudby-Smith, Arbour et al. 2024, Theorem 2.2).

    With mean μ and standard deviation s of t units the interval is
    μ ± s sqrt(2 (t ρ² + 1) / (t ρ)² · log(sqrt(t ρ² + 1) / alpha)). Clusters enter by the residuals of the ratio of
    their sums to their sizes.

    Args:
        alpha: level of the whole sequence.
        marks: ``(marks,)`` gains to decide about; the first is 0.
    """

    name: ClassVar[str] = "mixture"
    kind: ClassVar[str] = "asymptotic"
    citation: ClassVar[str] = "Waudby-Smith et al. 2024"

    def __init__(self, *, alpha: float, marks: Float) -> None:
        self._alpha, self._marks = alpha, marks
        self._rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / _TIGHTEST
        self._sums = np.zeros(6)
        self._ends = np.array([-np.inf, -np.inf])

    def _add_units(self, sums: Float, sizes: Float) -> Path:
        terms = np.stack([np.ones_like(sums), sums, sizes, sums * sums, sums * sizes, sizes * sizes])
        totals = self._sums[:, None] + np.cumsum(terms, axis=1)
        if len(sums):
            self._sums = totals[:, -1]
        t, s, n, ss, sn, nn = totals
        gain = s / n
        deviation = np.sqrt(np.maximum(ss - 2 * gain * sn + gain**2 * nn, 0.0) / t) / (n / t)
        # sums of squares leave rounding noise where all units are alike
        started = (t >= START) & (deviation > 1e-7 * np.sqrt(ss / t) / (n / t))
        spread = t * self._rho2 + 1
        half = np.full_like(gain, np.inf)
        half[started] = (deviation * np.sqrt(2 * spread / (t**2 * self._rho2) * np.log(np.sqrt(spread) / self._alpha)))[
            started
        ]
        z2 = np.divide(gain**2, deviation**2, out=np.zeros_like(gain), where=started)
        ends = np.maximum.accumulate(np.concatenate([self._ends[:, None], [gain - half, -gain - half]], axis=1), axis=1)
        self._ends = ends[:, -1]
        low, high = ends[0, 1:], -ends[1, 1:]
        return Path(
            gain=gain,
            low=low,
            high=high,
            log_e=np.where(started, t**2 * self._rho2 * z2 / (2 * spread) - np.log(spread) / 2, 0.0),
            above=low[:, None] > self._marks,
            below=high[:, None] < self._marks,
        )
