"""Standard errors inside resamples, for studentized bootstraps of any smooth metric.

The standard error of a score f(S) is that of its linearisation (infinitesimal jackknife): with g the gradient of f at
the sums S, the squared error is g' M g, where M = sum of w_i (s_i - s̄)(s_i - s̄)' . The M of every resample is one more
product of the weights with fixed columns; where units are few, what each adds is cheaper. Nothing is nested.
"""

from __future__ import annotations

import math

import numpy as np

from outscore.base.arrays import Float, Int, ScoreFunction
from outscore.base.lazy import dataclass
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.lattice import lattice
from outscore.engine.resampling import bootstrap, bootstrap_by_counts
from outscore.engine.sampling import Sampling

_UNITS_OF_A_MOMENT = 8  # a moment costs as much as so many units in a column
_STEP = 1e-6
_CELLS = 2**14
_ROUNDING = 1e-8
_EPSILON = float(np.finfo(float).eps)
_MOST_ROUNDINGS = 2.0**14
"""Rounding errors, in units of the last digit, that the squares of a resample without spread may be off by."""


@dataclass(frozen=True)
class DrawsWithErrors(Draws):
    """Draws whose two rows of values are a statistic and its standard error.

    Attributes:
        centre: the statistic on the data, which they vary around; ``error`` its standard error.
    """

    centre: float
    error: float

    @classmethod
    def of(cls, drawn: Draws, centre: Float, error: float) -> DrawsWithErrors:
        """The draws beside both on the data."""
        return cls(**vars(drawn), centre=float(centre), error=float(error))


def resample_with_errors(rows: Float, statistic: ScoreFunction, design: Design, sampling: Sampling) -> DrawsWithErrors:
    """A statistic on bootstrap resamples, each with its own standard error.

    Args:
        rows: whole-number statistics ``(units, k)``.
        statistic: sums ``(..., k)`` to values ``(...)``, smooth.
        design: what is resampled together.

    Returns:
        The draws, whose rows of values are the statistic and its standard error.
    """
    counts = np.flatnonzero((rows >= 0).all(axis=0))
    if len(rows) <= _UNITS_OF_A_MOMENT * rows.shape[1] ** 2:
        return _resample_by_units(rows, statistic, design, sampling, counts)
    return _resample_by_moments(rows, statistic, design, sampling, counts)


def _resample_by_units(
    rows: Float, statistic: ScoreFunction, design: Design, sampling: Sampling, counts: Int
) -> DrawsWithErrors:
    """The draws by what every unit adds to each of them: cheap while units are few, however many columns there are."""
    n, moved = len(rows), rows - rows.mean(axis=0)
    squared, totals = moved**2, rows.sum(axis=0)

    def add_products(weights: Float) -> Float:
        plain = weights @ rows
        gradient = gradient_of(statistic, plain, counts)
        adds = gradient @ moved.T
        drift = np.einsum("bi,bi->b", weights, adds)
        squares = np.einsum("bi,bi,bi->b", weights, adds, adds) - drift**2 / n
        passed = _term_size(gradient, weights @ squared, plain, totals, drift, n)
        return np.stack([statistic(plain), spread(squares, passed)])

    drawn = bootstrap_by_counts(design, add_products, sampling, Accumulator.nothing())
    return DrawsWithErrors.of(drawn, statistic(totals), add_products(np.ones((1, n)))[1, 0])


def _resample_by_moments(
    rows: Float, statistic: ScoreFunction, design: Design, sampling: Sampling, counts: Int
) -> DrawsWithErrors:
    """Products of columns beside the columns: cheap while columns are few, however many units there are."""
    n, k = rows.shape
    moved, totals = rows - rows.mean(axis=0), rows.sum(axis=0)
    used = np.flatnonzero(np.ptp(rows, axis=0) > 0)
    first, second = np.triu_indices(len(used))
    products = lattice(moved[:, used[first]] * moved[:, used[second]])

    def add_products(sums: Float) -> Float:
        plain = sums[:, :k]
        moments = np.zeros((len(sums), k, k))
        flat = sums[:, k:] * products.steps
        moments[:, used[first], used[second]] = flat
        moments[:, used[second], used[first]] = flat
        gradient = gradient_of(statistic, plain, counts)
        # sums of the moved rows correct the moments from the data's mean to the resample's own
        drift = np.einsum("bi,bi->b", gradient, plain - totals)
        squares = np.einsum("bi,bij,bj->b", gradient, moments, gradient) - drift**2 / n
        passed = _term_size(gradient, np.einsum("bii->bi", moments), plain, totals, drift, n)
        return np.stack([statistic(plain), spread(squares, passed)])

    columns = np.concatenate([rows, products.integers], axis=1)
    drawn = bootstrap([columns], lambda sums: add_products(next(sums)), design, sampling, Accumulator.nothing())
    return DrawsWithErrors.of(drawn, statistic(totals), add_products(columns.sum(axis=0)[None, :])[1, 0])


def _term_size(gradient: Float, squared: Float, plain: Float, totals: Float, drift: Float, units: int) -> Float:
    """How large the terms were whose difference is the squared error ``(b,)``.

    What rounding alone can make of a difference of equal squares is no spread: units that all have the same score.
    """
    steep = np.abs(gradient)
    scale = (steep * np.sqrt(np.maximum(squared, 0.0))).sum(axis=1)
    return np.asarray(scale**2 + np.abs(drift) * (steep * (np.abs(plain) + np.abs(totals))).sum(axis=1) / units)


def spread(squares: Float, passed: Float) -> Float:
    """Roots of sums of squares ``(...)``, 0 where rounding of terms as large as ``passed (...)`` makes as much."""
    return np.sqrt(np.where(squares > _MOST_ROUNDINGS * _EPSILON * passed, squares, 0.0))


def influences(rows: Float, statistic: ScoreFunction) -> Float:
    """Influence of each unit on a statistic to first order ``(units,)``: its row less the mean row, along the gradient.

    They sum to 0, and the root of the sum of their squares is the standard error (Jaeckel 1972).

    Args:
        rows, statistic: as in ``resample_with_errors``.
    """
    moved, gradient = rows - rows.mean(axis=0), slopes(rows, statistic)
    values = moved @ gradient
    noise = _ROUNDING * float((np.abs(gradient) * np.sqrt((moved**2).sum(axis=0))).sum())
    return values if math.sqrt(float((values**2).sum())) > noise else np.zeros_like(values)


def slopes(rows: Float, statistic: ScoreFunction) -> Float:
    """The gradient ``(k,)`` of a statistic at the sums of the rows."""
    counts = np.flatnonzero((rows >= 0).all(axis=0))
    return np.asarray(gradient_of(statistic, rows.sum(axis=0)[None, :], counts)[0])


def gradient_of(statistic: ScoreFunction, sums: Float, counts: Int) -> Float:
    """Central differences of ``statistic`` along every column of ``sums (b, k)``.

    A sum of counts that is 0 stays 0 whatever is drawn, so nothing depends on its derivative, which for a logarithm of
    matches does not exist; it is left at 0.
    """
    k = sums.shape[-1]
    still = np.zeros(sums.shape, dtype=np.bool_)
    still[..., counts] = sums[..., counts] == 0
    steps = np.where(still, 0.0, _STEP * np.maximum(np.abs(sums), 1.0))
    gradient = np.zeros_like(sums)
    at_once = max(1, _CELLS // max(sums.size, 1))  # a call for each column takes longer than few rows do
    for first in range(0, k, at_once):
        along = np.arange(first, min(first + at_once, k))
        moved = np.zeros((len(along), *sums.shape))
        moved[np.arange(len(along)), ..., along] = np.moveaxis(steps[..., along], -1, 0)
        rise = statistic(sums + moved) - statistic(sums - moved)
        step = 2 * np.moveaxis(steps[..., along], -1, 0)
        slope = np.divide(rise, step, out=np.zeros_like(rise), where=step > 0)
        gradient[..., along] = np.moveaxis(slope, 0, -1)
    return gradient
