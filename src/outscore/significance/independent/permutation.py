"""Permutation test of two independent samples (Fisher 1935; Pitman 1937; Janssen 1997)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from outscore.base.notes import INTERRUPTED, Note
from outscore.engine.montecarlo import Exceedances
from outscore.engine.two_samples import of_random_labellings
from outscore.significance import EXACT, Outcome, sampled
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.interval import indifferent, shape_notes
from outscore.significance.independent.notes import UNEQUAL_SPREADS
from outscore.significance.textbook.permutation import Relabelling, smallest_p

_FEW = 30


@independent_test("permutation")
@dataclass(frozen=True)
class Permutation(IndependentTest):
    """Deal the pooled numbers to the two systems at random: how often is their difference as large?

    The law is exact where it can be had: two distinct values, up to two million labellings, sums of whole numbers.

    Args:
        statistic: ``studentized``, Welch's t, which holds its level for equal means of unequal variances too, if
            samples are not small; ``mean``, the difference of the means, is a test of equal distributions only.
        exact: ``auto`` takes the exact law where it is affordable, ``never`` samples.
    """

    null: ClassVar[str] = (
        "both systems' numbers come from one distribution; studentized and from many numbers: they have equal means"
    )
    formula: ClassVar[str] = (
        "p = P(|t*| ≥ |t|), t* = (Ā* - B̄*)/√(s_A*²/n + s_B*²/m) after relabelling the n + m numbers at random; mean:"
        " t* = Ā* - B̄*"
    )
    applies: ClassVar[str] = (
        "independent samples of any shape and any size: exact under equal distributions, and the first choice for a "
        "handful of runs"
    )
    needs: ClassVar[str] = "one or more runs, or items, of each system; four of each for a p below .05"
    citation: ClassVar[str] = "Fisher 1935; Pitman 1937; Janssen 1997; Phipson & Smyth 2010"

    statistic: Literal["studentized", "mean"] = "studentized"
    exact: Literal["auto", "never"] = "auto"

    def refuses(self, samples: IndependentSamples) -> str | None:
        return None

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(EXACT)
        settings, side = samples.settings, samples.settings.alternative
        # one number has no variance of its own
        studentized = self.statistic == "studentized" and min(samples.sizes) > 1
        relabelling = Relabelling(samples.system, samples.baseline, studentized)
        # of equal distributions it is exact, whatever their shape; of equal means it is not
        shape = (*shape_notes(samples), *_spread_notes(samples)) if studentized else ()
        law = relabelling.law if self.exact == "auto" else None
        if law is not None:
            p, least = relabelling.p(law, side)
            return Outcome(p_value=p, p_kind=EXACT, p_min=least, notes=shape)
        draws, interrupted = of_random_labellings(
            lambda labels: relabelling.statistic(labels @ relabelling.columns),
            *samples.sizes,
            settings.n_resamples,
            settings.seed,
            settings.runtime,
        )
        exceedances = Exceedances(np.array([relabelling.exceedances(draws, side)]), np.array([draws.size]))
        said = (*shape, *((INTERRUPTED,) if interrupted else ()))
        return sampled(exceedances, p_min=smallest_p(*samples.sizes, side), effect={}, notes=said)


def _spread_notes(samples: IndependentSamples) -> tuple[Note, ...]:
    spreads = sorted((float(samples.system.std()), float(samples.baseline.std())))
    few = min(samples.sizes) < _FEW
    return (UNEQUAL_SPREADS,) if few and spreads[1] > 2 * spreads[0] else ()
