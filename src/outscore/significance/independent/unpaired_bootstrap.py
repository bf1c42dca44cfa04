"""Bootstrap test of two independent samples, each resampled by itself (Efron & Tibshirani 1993; Hall 1992)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED
from outscore.engine import intervals
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.lattice import lattice
from outscore.engine.resampling import bootstrap
from outscore.significance import MONTE_CARLO, Outcome, make_outcome, notes
from outscore.significance.independent import (
    CONSTANT_SAMPLES,
    SMALL_SAMPLES,
    IndependentSamples,
    IndependentTest,
    independent_test,
    indifferent,
    shape_notes,
)
from outscore.significance.statistics import MIRRORED, OBSERVED

_ROUNDING = 1e-12


@independent_test("unpaired-bootstrap")
@dataclass(frozen=True)
class UnpairedBootstrap(IndependentTest):
    """Resample the numbers of each system with replacement, each by itself, and see how the gain varies.

    Args:
        form: ``studentized`` asks how often the resampled gain lies as far from the gain as the gain lies from 0, in
            units of each resample's own standard error; ``shift`` the same in plain units; ``percentile`` how often
            the resampled gain has the other sign.
    """

    null: ClassVar[str] = "the expected scores of the two systems are the same"
    formula: ClassVar[str] = (
        "p = P*(|δ* - δ|/se* ≥ |δ|/se), se² = s_A²/n + s_B²/m, both samples resampled; shift: p = P*(|δ* - δ| ≥ |δ|); "
        "percentile: p = 2 min(P*(δ* ≤ 0), P*(δ* ≥ 0))"
    )
    applies: ClassVar[str] = (
        "independent samples of any shape that are not small: 30 numbers or more of each system, or fewer with the "
        "studentized form"
    )
    needs: ClassVar[str] = "two or more runs, or items, of each system"
    citation: ClassVar[str] = "Efron & Tibshirani 1993, §16.2; Hall 1992"

    form: Literal["studentized", "shift", "percentile"] = "studentized"

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(MONTE_CARLO)
        if min(samples.sizes) < 2:
            return Outcome(p_value=None, p_kind=MONTE_CARLO, notes=(notes.TOO_FEW,))
        if np.ptp(samples.system) == 0 == np.ptp(samples.baseline):
            return Outcome(p_value=None, p_kind=MONTE_CARLO, notes=(CONSTANT_SAMPLES,))
        drawn, error = _resample(samples)
        gain, side = samples.gain, samples.settings.alternative
        values, errors = drawn.values
        level, doubled = samples.settings.coverage, False
        interval = None
        if self.form == "studentized":
            exceedances = drawn.exceedances(
                intervals.studentized_extreme(gain, error, values, errors, alternative=side)
            )
            interval = intervals.studentized(gain, error, values, errors, level)
        elif self.form == "percentile":
            exceedances, doubled = drawn.series(0).smaller_tail(MIRRORED, side)
            interval = intervals.percentile(values, level)
        else:
            exceedances = drawn.series(0).count_as_extreme(OBSERVED, MIRRORED, side, positive=gain >= 0)
        said = [*shape_notes(samples), *([INTERRUPTED] if drawn.interrupted else [])]
        if min(samples.sizes) < 30 and self.form != "studentized":
            said.append(SMALL_SAMPLES)
        found = make_outcome(exceedances, doubled=doubled, effect={"se": float(values.std(ddof=1))}, notes=said)
        if interval is None:
            return found
        method = f"{interval.method} bootstrap interval"
        return replace(found, ci=(interval.low, interval.high), ci_method=method)


def _resample(samples: IndependentSamples) -> tuple[Draws, float]:
    """Resampled gains and their standard errors, and the standard error of the gain; the samples are two strata."""
    n, m = samples.sizes
    values = samples.pooled - samples.pooled.mean()  # squares of numbers near 0 lose no digits
    of_system = np.repeat([1.0, 0.0], [n, m])
    columns = np.stack([values, values**2], axis=1)
    rows = lattice(np.concatenate([columns * of_system[:, None], columns * (1 - of_system)[:, None]], axis=1))

    def resample_both(sums: Float) -> Float:
        x, xx, y, yy = (sums * rows.steps).T
        squares = _square_error(x, xx, n) + _square_error(y, yy, m)
        return np.stack([x / n - y / m, np.sqrt(squares)])

    def score(sums: Iterator[Float]) -> Float:
        return resample_both(next(sums))

    accumulator = Accumulator(
        groups=(slice(0, 1),),
        first=np.array([0]),
        second=np.array([-1]),
        marks=np.array([[2 * samples.gain, 0.0]]),
        slack=np.array([samples.slack]),
    )
    design = Design(n + m, strata=(1 - of_system).astype(np.int64))
    drawn = bootstrap([rows.integers], score, design, samples.settings.sampling, accumulator)
    return drawn, float(resample_both(rows.integers.sum(axis=0)[None])[1, 0])


def _square_error(total: Float, squares: Float, size: int) -> Float:
    """Squared standard errors of means, from sums and sums of squares; 0 for what rounding alone can make."""
    around = squares - total**2 / size
    return np.where(around > _ROUNDING * squares, around, 0.0) / (size * (size - 1))
