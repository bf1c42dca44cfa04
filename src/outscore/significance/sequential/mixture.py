"""Asymptotic confidence sequence of a mean, without bounds, which starts late; the start of either."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.significance.sequential import ConfidenceSequence, Path, marks_of
from outscore.significance.sequential.betting import Betting

Method = Literal["auto", "betting", "mixture"]
Bounds = tuple[float, float] | None

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


def read_bounds(given: Any) -> Bounds:
    """The bounds as two numbers, also where they are given as on the command line: ``"0,100"``, ``"none"``.

    Raises:
        UsageError: they are something else.
    """
    if isinstance(given, str):
        given = None if given == "none" else given.split(",")
    if given is None:
        return None
    try:
        low, high = given
        return float(low), float(high)
    except (TypeError, ValueError):
        raise UsageError(f"bounds={given!r}: expected two numbers, the lowest score and the highest, or None") from None


def start(
    *,
    alpha: float = 0.05,
    margin: float | None = None,
    bounds: Bounds = (0.0, 1.0),
    method: Method = "auto",
    largest: int = 1,
    population: int | None = None,
    ends: bool = True,
) -> ConfidenceSequence:
    """A confidence sequence of the gain.

    Args:
        alpha: level of the whole sequence.
        margin: gains of less than this, either way, do not matter; in the unit of the scores.
        bounds: lowest and highest score that an item can have, known before the first one; None where there are none.
        method: ``betting``, also called ``auto``, needs bounds and holds for every number of items; ``mixture`` needs
            none and is asymptotic.
        largest: items in the largest cluster that can come.
        population: items of the whole test set, where the gain on that set is meant; None for new items.
        ends: False where only decisions are asked for, which is faster.

    Raises:
        UsageError: a value outside its range, or values that do not go together.
    """
    if not 0 < alpha < 1:
        raise UsageError(f"alpha={alpha}: expected a number between 0 and 1")
    if method not in get_args(Method):
        raise UsageError(f"method={method!r}: expected one of {', '.join(get_args(Method))}")
    if bounds is not None and not -float("inf") < bounds[0] < bounds[1] < float("inf"):
        raise UsageError(f"bounds={bounds[0]:g},{bounds[1]:g}: expected the lowest score, then a higher one")
    reach = None if bounds is None else bounds[1] - bounds[0]
    if margin is not None and not 0 < margin < (reach or float("inf")):
        raise UsageError(f"margin={margin:g}: expected more than 0 and less than the range of the scores")
    if largest < 1 or (population is not None and population < 1):
        raise UsageError("the largest cluster and the population have 1 item or more")
    marks = marks_of(margin)
    if method == "mixture":
        if population is not None:
            raise UsageError("a population needs the method betting, and so the bounds of the scores")
        return Mixture(alpha=alpha, marks=marks)
    if reach is None:
        raise UsageError(
            "no sequence holds for every number of items if scores have no bounds: give the lowest and highest score "
            "there can be (--bounds LOW,HIGH), or ask for --method mixture, which is asymptotic"
        )
    steps = {} if ends else {"steps": 0}
    return Betting(alpha=alpha, reach=reach, marks=marks, largest=largest, population=population, **steps)
