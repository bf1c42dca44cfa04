"""The Brunner-Munzel test (Brunner & Munzel 2000), for few numbers by permutation (Neubert & Brunner 2007).

P(A > B) + ½ P(A = B) is one half where neither of two independent samples tends to larger values, whatever their
variances. Values that should tie must be equal as floats. The
probability itself is what ``prob-better`` is about: how often a run of the system beats one of the baseline?
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED
from outscore.base.rng import stream
from outscore.engine.exact import law_of
from outscore.engine.extreme import Alternative, count, tail_mass
from outscore.engine.intervals import percentile
from outscore.engine.montecarlo import Exceedances
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, make_outcome, notes
from outscore.significance.independent import (
    NO_OVERLAP,
    SUPERIORITY_OF_FEW,
    IndependentSamples,
    IndependentTest,
    independent_test,
    indifferent,
)
from outscore.significance.independent.permutation import smallest_p
from outscore.significance.means import TTest, t_from
from outscore.significance.two_samples import Statistic, statistics_at_random, statistics_of_all, two_sample_size

_FEW = 10  # below, the t approximation rejects too often (.056 with 7 of each)

_MOST_LABELLINGS = 2**16

_ROUNDING = 1e-9

_LARGEST = 1e300  # what stands for an infinite statistic, so that two of them can be compared


@independent_test("brunner-munzel")
@dataclass(frozen=True)
class BrunnerMunzel(IndependentTest):
    """Is a number of the system as likely to lie above one of the baseline as below it?

    Like Mann-Whitney's, but the systems may vary by different amounts.

    Args:
        variant: ``t`` is the approximation by Student's law; ``permutation`` permutes the labels of the pooled
            numbers, all ways where they are few, else at random; ``auto`` does that with fewer than 10 numbers of a
            system, or where the samples do not overlap, and else takes t.
    """

    null: ClassVar[str] = "a number of the system is as likely to be larger than one of the baseline as to be smaller"
    formula: ClassVar[str] = (
        "t = n m (R̄_A - R̄_B)/((n + m) √(n S_A² + m S_B²)), R the mid-ranks among all n + m numbers, S² the variance"
        " of R less the rank within the system; Satterthwaite's degrees of freedom; permutation: p = P(|t*| ≥ |t|) "
        "over permutations"
    )
    applies: ClassVar[str] = (
        "independent samples of numbers of which only the order means something, whatever their variances"
    )
    needs: ClassVar[str] = "two or more runs, or items, of each system; four of each for a p below .05"
    citation: ClassVar[str] = "Brunner & Munzel 2000; Neubert & Brunner 2007"

    variant: Literal["auto", "t", "permutation"] = "auto"

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(ASYMPTOTIC if self.variant == "t" else EXACT)
        if min(samples.sizes) < 2:
            return Outcome(p_value=None, p_kind=ASYMPTOTIC, notes=(notes.TOO_FEW,))
        side, level = samples.settings.alternative, 1 - samples.settings.alpha
        found = brunner_munzel(samples.system, samples.baseline, alternative=side, level=level)
        apart = found.se == 0
        share = superiority(samples.system, samples.baseline)
        effect: dict[str, float | int | str | None] = {"superiority": share}
        if not apart:
            # the interval of the proportion itself, which lies within 0 and 1
            effect |= {
                "superiority_ci_low": max(0.0, found.low + 0.5),
                "superiority_ci_high": min(1.0, found.high + 0.5),
            }
            effect |= {"statistic": found.statistic, "df": found.df}
        if self.variant == "permutation" or (self.variant == "auto" and (apart or min(samples.sizes) < _FEW)):
            pooled = samples.pooled
            outcome = permute(lambda labels: permuted_brunner_munzel(pooled, labels), samples, effect)
        else:
            outcome = Outcome(
                p_value=None if apart else found.p,
                p_kind=ASYMPTOTIC,
                effect=effect,
                notes=(notes.NOT_A_MEAN_TEST, *((NO_OVERLAP,) if apart else ())),
            )
        return replace(outcome, favours=share - 0.5)


def permute(statistic: Statistic, samples: IndependentSamples, effect: dict[str, float | int | str | None]) -> Outcome:
    """The outcome of a statistic whose labels are permuted, all ways where they are few."""
    (n, m), settings, side = samples.sizes, samples.settings, samples.settings.alternative
    observed = float(statistic(np.repeat([1.0, 0.0], [n, m])[None])[0])

    def slack(at: float) -> float:
        return _ROUNDING * max(1.0, abs(at))

    if two_sample_size(n, m) <= _MOST_LABELLINGS:
        values = statistics_of_all(statistic, n, m)
        law = law_of(values, np.full(values.size, 1 / values.size))
        p, *ends = (
            tail_mass(law.support, law.mass, at, alternative=side, slack=slack(at))
            for at in (observed, float(law.support[0]), float(law.support[-1]))
        )
        return Outcome(p_value=p, p_kind=EXACT, p_min=min(ends), effect=effect, notes=(notes.NOT_A_MEAN_TEST,))
    draws, interrupted = statistics_at_random(statistic, n, m, settings.n_resamples, settings.seed, settings.runtime)
    extreme = int(count(draws, observed, alternative=side, slack=slack(observed)))
    said = [notes.NOT_A_MEAN_TEST, *([INTERRUPTED] if interrupted else [])]
    exceedances = Exceedances(np.array([extreme]), np.array([draws.size]))
    return make_outcome(exceedances, p_min=smallest_p(n, m, side), effect=effect, notes=said)


def placements(x: Float, y: Float) -> Float:
    """For each x_i ``(n,)`` the proportion of y that lies below it, ties counted half."""
    ordered = np.sort(y)
    below, upto = (np.searchsorted(ordered, x, side=side) for side in ("left", "right"))
    return np.asarray((below + upto) / (2 * y.size))


def superiority(x: Float, y: Float) -> float:
    """P(X > Y) + ½ P(X = Y): the proportion of pairs in which x is larger, ties counted half."""
    return float(placements(x, y).mean())


def brunner_munzel(x: Float, y: Float, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """The Brunner-Munzel test, whose estimate is the probability of superiority less ½.

    Null hypothesis: P(X > Y) + ½ P(X = Y) = ½ (Brunner & Munzel 2000).

    t = (p̂ - ½) / √(s_x²/n + s_y²/m), s² being the variances of the placements (ddof 1), against Student's law.

    Args:
        x: shape ``(n,)``, at least two values.
        y: shape ``(m,)``, at least two values.
        alternative: the side; ``greater`` means that x tends to be larger.
        level: level of the interval.
    """
    of_x, of_y = placements(x, y), placements(y, x)
    parts = [float(v.var(ddof=1)) / v.size if v.size > 1 else math.nan for v in (of_x, of_y)]
    below = sum(part**2 / (v.size - 1) for part, v in zip(parts, (of_x, of_y), strict=True) if v.size > 1)
    df = sum(parts) ** 2 / below if below > 0 else float(x.size + y.size - 2)
    return t_from(float(of_x.mean()) - 0.5, math.sqrt(sum(parts)), df, alternative=alternative, level=level)


def permuted_brunner_munzel(pooled: Float, labels: Float) -> Float:
    """The statistics ``(b,)`` of the Brunner-Munzel test under permutations (Neubert & Brunner 2007).

    Args:
        pooled: shape ``(N,)``.
        labels: shape ``(b, N)``, 1 where a value falls to the first sample and else 0.

    Returns:
        Statistics; where samples do not overlap they are as far from 0 as a float can say.
    """
    order = np.argsort(pooled, kind="stable")
    _, first, place = np.unique(pooled[order], return_index=True, return_inverse=True)
    ends = np.append(first[1:], pooled.size)
    sums, squares, sizes = [], [], []
    own = labels[:, order]
    for mask, other in ((own, 1.0 - own), (1.0 - own, own)):
        upto = np.concatenate([np.zeros((len(labels), 1)), np.cumsum(other, axis=1)], axis=1)
        share = (upto[:, first] + upto[:, ends])[:, place] / (2 * other.sum(axis=1, keepdims=True))
        sums.append((mask * share).sum(axis=1))
        squares.append((mask * share**2).sum(axis=1))
        sizes.append(mask.sum(axis=1))
    parts = [
        (square - total**2 / size) / (size - 1) / size for total, square, size in zip(sums, squares, sizes, strict=True)
    ]
    distance = sums[0] / sizes[0] - 0.5
    error = np.sqrt(np.maximum(sum(parts), 0.0))
    found = np.copysign(np.where(distance == 0, 0.0, _LARGEST), distance)
    # the variance of placements that are all alike is rounding noise
    return np.asarray(np.divide(distance, error, out=found, where=error > 1e-9))


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
