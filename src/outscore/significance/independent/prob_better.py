"""P(A > B): how often does a run of the system beat a run of the baseline? (Bouthillier et al. 2021)"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.intervals import percentile
from outscore.significance import Outcome
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.brunner_munzel import BrunnerMunzel, superiority
from outscore.significance.independent.notes import SUPERIORITY_OF_FEW

_BLOCK_CELLS = 2**20


@independent_test("prob-better")
@dataclass(frozen=True)
class ProbBetter(IndependentTest):
    """The proportion of pairs of runs in which the system is better, ties half, with a bootstrap interval over runs.

    p is that of the Brunner-Munzel test of P(A > B) = ½, which permutes runs where they are few. A gain is called
    meaningful where the interval lies above ½ and reaches beyond the threshold.

    Args:
        threshold: P(A > B) from which a difference is worth having.
    """

    null: ClassVar[str] = "a new run of the system is as likely to beat one of the baseline as to lose to it"
    formula: ClassVar[str] = (
        "P(A > B) = (#{A > B} + ½ #{A = B})/(n m) over all pairs of runs; p of brunner-munzel against ½"
    )
    applies: ClassVar[str] = "runs of two systems, to say how often retraining would turn the order; an effect size"
    needs: ClassVar[str] = "two or more independent runs of each system; four of each for a p below .05"
    citation: ClassVar[str] = "Bouthillier et al. 2021; Brunner & Munzel 2000; Neubert & Brunner 2007"

    threshold: float = 0.75

    def refuses(self, samples: IndependentSamples) -> str | None:
        if not 0.5 < self.threshold < 1:
            return f"prob-better:threshold={self.threshold:g} is no probability above one half; use 0.75"
        if samples.unit == "item" and samples.shared:
            return "prob-better needs independent samples, but both systems have the same items; use a paired test"
        return None

    def run(self, samples: IndependentSamples) -> Outcome:
        found = BrunnerMunzel().run(samples)
        if samples.constant or found.p_value is None:
            return found
        made = samples.settings
        draws = resample_superiority(samples.system, samples.baseline, made.n_resamples, made.seed)
        ends = percentile(draws, 1 - made.alpha)
        low, high = ends.low, ends.high
        return replace(
            found,
            effect={
                "prob_better": superiority(samples.system, samples.baseline),
                "prob_better_ci_low": low,
                "prob_better_ci_high": high,
                f"reaches_{self.threshold:g}": _reach(low, high, self.threshold),
            },
            notes=(*found.notes, *((SUPERIORITY_OF_FEW,) if min(samples.sizes) < 20 else ())),
        )


def resample_superiority(system: Float, baseline: Float, n_resamples: int, seed: int) -> Float:
    """P(A > B) + ½ P(A = B) of bootstrap samples ``(n_resamples,)``."""
    ordered = np.sort(baseline)
    below, upto = (np.searchsorted(ordered, system, side=side) for side in ("left", "right"))
    size = max(1, _BLOCK_CELLS // (system.size + baseline.size))
    found = []
    for block, start in enumerate(range(0, n_resamples, size)):
        generator = stream(seed, "prob-better", block)
        drawn = min(size, n_resamples - start)
        own, other = (generator.multinomial(v.size, np.full(v.size, 1 / v.size), drawn) for v in (system, baseline))
        # how many resampled numbers of the baseline lie below each number of the system, ties half
        beaten = np.concatenate([np.zeros((drawn, 1)), np.cumsum(other, axis=1)], axis=1)
        won = (own * (beaten[:, below] + beaten[:, upto])).sum(axis=1) / 2
        found.append(won / (system.size * baseline.size))
    return np.concatenate(found)


def _reach(low: float, high: float, threshold: float) -> str:
    """The verdict of the interval on a threshold above one half, and on its mirror image for the baseline."""
    for name, near, far in (("system", low, high), ("baseline", 1 - high, 1 - low)):
        if near > 0.5:
            return f"{name}, meaningful" if far > threshold else f"{name}, not meaningful"
    return "inconclusive"
