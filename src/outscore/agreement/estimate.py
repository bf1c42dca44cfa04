"""Coefficients with their standard errors and intervals, from the statistics of units alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from outscore.agreement import RatingMeasure
from outscore.base.arrays import Bool, Float
from outscore.base.lazy import dataclass
from outscore.engine import intervals
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator, Batch, Draws, collect
from outscore.engine.independent import Weights, resample
from outscore.engine.lattice import collapse
from outscore.engine.sampling import Sampling
from outscore.engine.weights import ATOM, multinomial_counts
from outscore.significance.p_values import normal_quantile, student_quantile

IntervalName = Literal["auto", "bca", "percentile", "analytic"]

_SLACK = 1e-12  # values of resamples this close are equal
_STEP = 1e-30  # of a derivative by complex numbers: there is no difference in which digits could be lost
_EQUAL_ROWS = 20  # units for each distinct row from which counts of rows are drawn sooner than counts of units


@dataclass(frozen=True, kw_only=True)
class AgreementEstimate:
    """A coefficient of agreement; NaN for what is undefined.

    Attributes:
        value: the coefficient; ``observed`` and ``expected``: its parts.
        error: standard error; ``df``: degrees of freedom of Student's law that goes with it, infinite for the normal.
        tail: degrees of freedom by the kurtosis of what units contribute; few where few units make most of the error.
        replicates: ``(B,)`` values of resampled units, NaN where undefined; empty where none were drawn.
        jackknife: ``(units,)`` values without each unit.
    """

    value: float
    observed: float
    expected: float
    error: float
    df: float
    tail: float
    replicates: Float
    jackknife: Float

    def interval(self, method: IntervalName, level: float) -> tuple[tuple[float, float] | None, str]:
        """Ends and the name of the method that gave them; None where there is nothing to vary."""
        if method == "analytic":
            if not self.error > 0:
                return None, ""
            half = (normal_quantile(level) if math.isinf(self.df) else student_quantile(level, self.df)) * self.error
            low, high = self.value - half, min(1.0, self.value + half)
            return (low, high), "normal" if math.isinf(self.df) else "t"
        return self.percentiles(method, level)

    def fisher(self, level: float, least: float = 0.0) -> tuple[float, float] | None:
        """Ends on the scale of Fisher's z, by this error at least (unless NaN); None at 1, or where nothing varies."""
        if not (self.error > 0 and abs(self.value) < 1):
            return None
        half = student_quantile(level, self.tail) * max(self.error / (1 - self.value**2), least)
        low, high = (math.tanh(math.atanh(self.value) + way) for way in (-half, half))
        return low if self.expected else max(low, 0.0), high  # percent agreement is never negative

    def percentiles(self, method: IntervalName, level: float) -> tuple[tuple[float, float] | None, str]:
        """The bootstrap interval, from the replicates that are defined."""
        drawn = self.replicates[np.isfinite(self.replicates)]
        left_out = self.jackknife[np.isfinite(self.jackknife)]
        if drawn.size < 2 or not np.isfinite(self.value) or float(np.ptp(drawn)) <= _SLACK:
            return None, ""
        if method == "bca" and left_out.size > 1:
            found = intervals.bca(self.value, drawn, left_out, level, slack=_SLACK)
        else:
            found = intervals.percentile(drawn, level)
        return (found.low, found.high), f"{'BCa' if found.method == 'bca' else found.method} bootstrap"


def estimates(
    measures: Sequence[RatingMeasure], large_sample: Sequence[bool], design: Design, sampling: Sampling | None
) -> tuple[list[AgreementEstimate], bool]:
    """Estimates of several coefficients from the same resamples.

    Args:
        measures: of the same units.
        large_sample: for each whether its standard error is that of a large sample.
        design: the units that are resampled together.
        sampling: of the bootstrap; None draws nothing.

    Returns:
        The estimates, and whether the drawing was interrupted.
    """
    drawn = None if sampling is None else _resample(measures, design, sampling)
    return [
        _estimate(measure, large, design, np.zeros(0) if drawn is None else drawn.values[i])
        for i, (measure, large) in enumerate(zip(measures, large_sample, strict=True))
    ], drawn is not None and drawn.interrupted


def restrict(measure: RatingMeasure, here: Bool) -> RatingMeasure:
    """The measure of some of the units ``(units,)``; the others stay, and add nothing."""
    pairable = None if measure.pairable is None else measure.pairable & here
    return replace(measure, rows=np.where(here[:, None], measure.rows, 0.0), pairable=pairable)


def influence(measure: RatingMeasure, design: Design) -> Float:
    """``(units,)`` by how much each unit moves the coefficient: its derivative in the direction of the unit.

    Taken by a complex step, which is exact to rounding (Squire & Trapp 1998). Where some units have a single rating,
    their proportion is taken as fixed, as Gwet 2014 (§6.3) does.
    """
    rows = design.gather(measure.rows)
    total = rows.sum(axis=0)
    moved: Float = measure.value(total + 1j * _STEP * rows).imag / _STEP
    if measure.pairable is not None:
        used = (measure.rows != 0).any(axis=1)
        parts = design.gather(np.column_stack([measure.pairable, used]).astype(np.float64))
        shares = parts / parts.sum(axis=0)
        moved = moved + float(measure.value(total)) * (shares[:, 0] - shares[:, 1])
    return moved


def _estimate(measure: RatingMeasure, large_sample: bool, design: Design, replicates: Float) -> AgreementEstimate:
    rows = design.gather(measure.rows)
    total = rows.sum(axis=0)
    used = (rows != 0).any(axis=1)
    n = int(used.sum())
    large = large_sample and design.labels is None
    with np.errstate(all="ignore"):
        moved = influence(measure, design) ** 2
        squares, fourth = float(moved.sum()), float((moved**2).sum())
        observed, expected = (float(part) for part in measure.parts(total))
    return AgreementEstimate(
        value=float(measure.value(total)),
        observed=observed,
        expected=expected,
        error=math.sqrt(squares * (1 if large else n / (n - 1))) if n > 1 else math.nan,
        df=math.inf if large else max(n - 1, 1),
        # the variance of a mean of squares is (kurtosis - 1)/n of its square, that of χ² with f degrees 2/f
        tail=min(max(n - 1, 1), 2 * n * squares**2 / max(n * fourth - squares**2, 1e-300)) if squares > 0 else math.nan,
        replicates=replicates,
        jackknife=np.where(used, measure.value(total - rows), math.nan),
    )


def _resample(measures: Sequence[RatingMeasure], design: Design, sampling: Sampling) -> Draws:
    """Values of all measures on the same resampled units ``(measures, B)``."""
    units = design.gather(np.concatenate([measure.rows for measure in measures], axis=1))
    bounds = np.cumsum([measure.rows.shape[1] for measure in measures])[:-1]
    weights, rows = _draw(units, design, sampling.seed)

    def scores(part: Batch) -> Float:
        counts = np.concatenate([weights(atom) for atom in part.atoms])[: part.size]
        sums = np.split(counts @ rows, bounds, axis=1)
        return np.stack([measure.value(each) for measure, each in zip(measures, sums, strict=True)])

    parts = sampling.portions(max(rows.shape))
    return collect("bootstrap", parts, scores, Accumulator.nothing(), sampling.runtime, independent=True)


def _draw(units: Float, design: Design, seed: int) -> tuple[Weights, Float]:
    """How units are drawn, and their rows; equal rows of a stratum are counted together where that is quicker."""
    strata = design.strata_of_units
    of_unit = np.empty(len(units))
    for h, members in enumerate(strata):
        of_unit[members] = h
    distinct, multiplicity = collapse(np.column_stack([of_unit, units]))
    if len(distinct) * _EQUAL_ROWS > len(units):
        return resample(strata, seed), units
    places = [np.flatnonzero(distinct[:, 0] == h) for h in range(len(strata))]

    def weights(atom: int) -> Float:
        counts = np.empty((ATOM, len(distinct)))
        for h, rows in enumerate(places):
            counts[:, rows] = multinomial_counts(multiplicity[rows], seed, atom, f"bootstrap of stratum {h}")
        return counts

    return weights, distinct[:, 1:]
