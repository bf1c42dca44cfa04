"""P(A > B): how often does a run of the system beat a run of the baseline? (Bouthillier et al. 2021)"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.intervals import percentile
from outscore.significance import Outcome
from outscore.significance.independent import SUPERIORITY_OF_FEW, IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.brunner_munzel import BrunnerMunzel, permute, superiority

_BLOCK_CELLS = 2**20


@independent_test("prob-better")
@dataclass(frozen=True)
class ProbBetter(IndependentTest):
    """The proportion of pairs of runs in which the system is better, ties half, with a bootstrap interval over runs.

    p is that of the Brunner-Munzel test of P(A > B) = ½, which permutes runs where they are few. A gain is called
    meaningful where the interval lies above ½ and reaches beyond the threshold.

    Args:
        threshold: P(A > B) from which a difference is worth having.
        over: ``scores`` compares runs by their scores; ``items`` on each item by itself, and averages over items: the
            probability of improvement of Agarwal et al. (2021), items being their tasks. Its p permutes whole runs.
    """

    null: ClassVar[str] = "a new run of the system is as likely to beat one of the baseline as to lose to it"
    formula: ClassVar[str] = (
        "P(A > B) = (#{A > B} + ½ #{A = B})/(n m) over all pairs of runs; p of brunner-munzel against ½"
    )
    applies: ClassVar[str] = "runs of two systems, to say how often retraining would turn the order; an effect size"
    needs: ClassVar[str] = "two or more independent runs of each system; four of each for a p below .05"
    citation: ClassVar[str] = (
        "Bouthillier et al. 2021; Agarwal et al. 2021; Brunner & Munzel 2000; Neubert & Brunner 2007"
    )

    threshold: float = 0.75
    over: Literal["scores", "items"] = "scores"

    def refuses(self, samples: IndependentSamples) -> str | None:
        if not 0.5 < self.threshold < 1:
            return f"prob-better:threshold={self.threshold:g} is no probability above one half; use 0.75"
        if samples.unit == "item" and samples.shared:
            return "prob-better needs independent samples, but both systems have the same items; use a paired test"
        if self.over == "items" and samples.by_item is None:
            return f"{self.label} needs several runs of a mean of items; use prob-better"
        return None

    def run(self, samples: IndependentSamples) -> Outcome:
        made = samples.settings
        if self.over == "items":
            wins = _count_wins(*(samples.by_item or ()))
            better, found = _permute_runs(wins, samples)
            draws = _resample_wins(wins, samples.sizes, made.n_resamples, made.seed)
        else:
            found = BrunnerMunzel().run(samples)
            if samples.constant or found.p_value is None:
                return found
            better = superiority(samples.system, samples.baseline)
            draws = resample_superiority(samples.system, samples.baseline, made.n_resamples, made.seed)
        ends = percentile(draws, 1 - made.alpha)
        low, high = ends.low, ends.high
        return replace(
            found,
            effect={
                "prob_better": better,
                "prob_better_ci_low": low,
                "prob_better_ci_high": high,
                f"reaches_{self.threshold:g}": _reach(low, high, self.threshold),
            },
            notes=(*found.notes, *((SUPERIORITY_OF_FEW,) if min(samples.sizes) < 20 else ())),
        )


def _count_wins(system: Float, baseline: Float) -> Float:
    """On which share of the items each run, of the system and then of the baseline, beats each; ties half."""
    runs = np.concatenate([system, baseline])
    return np.array([((one > runs) + (one == runs) / 2).mean(axis=1) for one in runs])


def _permute_runs(wins: Float, samples: IndependentSamples) -> tuple[float, Outcome]:
    """The mean over items of P(A > B), and the outcome of permuting which runs are whose."""
    n, m = samples.sizes

    def statistic(labels: Float) -> Float:
        return np.asarray(((labels @ wins) * (1 - labels)).sum(axis=1) / (n * m) - 0.5)

    observed = float(statistic(np.repeat([1.0, 0.0], [n, m])[None])[0])
    return observed + 0.5, replace(permute(statistic, samples, {}), favours=observed)


def _resample_wins(wins: Float, sizes: tuple[int, int], n_resamples: int, seed: int) -> Float:
    """The mean over items of P(A > B) of bootstrap samples of runs ``(n_resamples,)``."""
    n, m = sizes
    generator = stream(seed, "prob-better", 0)
    own, other = (generator.multinomial(k, np.full(k, 1 / k), n_resamples) for k in sizes)
    return np.asarray((own @ wins[:n, n:] * other).sum(axis=1) / (n * m))


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
