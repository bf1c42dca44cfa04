"""The Brunner-Munzel test (Brunner & Munzel 2000), for few numbers by permutation (Neubert & Brunner 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.notes import INTERRUPTED
from outscore.engine.exact import law_of, two_sample_size
from outscore.engine.extreme import count, tail_mass
from outscore.engine.montecarlo import Exceedances
from outscore.engine.two_samples import of_every_labelling, of_random_labellings
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, notes, sampled
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.interval import indifferent
from outscore.significance.independent.notes import NO_OVERLAP
from outscore.significance.textbook import relative_effect
from outscore.significance.textbook.permutation import smallest_p

_FEW = 10  # below, the t approximation rejects too often (.056 with 7 of each)
_MOST_LABELLINGS = 2**16
_ROUNDING = 1e-9


@independent_test("brunner-munzel")
@dataclass(frozen=True)
class BrunnerMunzel(IndependentTest):
    """Is a number of the system as likely to lie above one of the baseline as below it?

    Like Mann-Whitney's, but the systems may vary by different amounts.

    Args:
        variant: ``t`` is the approximation by Student's law; ``permutation`` relabels the pooled numbers, all ways
            where they are few, else at random; ``auto`` does that with fewer than 10 numbers of a system, or where the
            samples do not overlap, and else takes t.
    """

    null: ClassVar[str] = "a number of the system is as likely to be larger than one of the baseline as to be smaller"
    formula: ClassVar[str] = (
        "t = n m (R̄_A - R̄_B)/((n + m) √(n S_A² + m S_B²)), R the mid-ranks among all n + m numbers, S² the variance"
        " of R less the rank within the system; Satterthwaite's degrees of freedom; permutation: p = P(|t*| ≥ |t|) "
        "over relabellings"
    )
    applies: ClassVar[str] = (
        "independent samples of numbers of which only the order means something, whatever their variances"
    )
    needs: ClassVar[str] = "two or more runs, or items, of each system; four of each for a p below .05"
    citation: ClassVar[str] = "Brunner & Munzel 2000; Neubert & Brunner 2007"

    variant: Literal["auto", "t", "permutation"] = "auto"

    def refuses(self, samples: IndependentSamples) -> str | None:
        return None

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(ASYMPTOTIC if self.variant == "t" else EXACT)
        if min(samples.sizes) < 2:
            return Outcome(p_value=None, p_kind=ASYMPTOTIC, notes=(notes.TOO_FEW,))
        side, level = samples.settings.alternative, 1 - samples.settings.alpha
        found = relative_effect.brunner_munzel(samples.system, samples.baseline, alternative=side, level=level)
        apart = found.se == 0
        effect: dict[str, float | int | str | None] = {"superiority": found.superiority}
        if not apart:
            effect |= {"superiority_low": found.low, "superiority_high": found.high}
            effect |= {"statistic": found.statistic, "df": found.df}
        if self.variant == "permutation" or (self.variant == "auto" and (apart or min(samples.sizes) < _FEW)):
            return _by_permutation(samples, effect)
        return Outcome(
            p_value=None if apart else found.p,
            p_kind=ASYMPTOTIC,
            effect=effect,
            notes=(notes.NOT_A_MEAN_TEST, *((NO_OVERLAP,) if apart else ())),
        )


def _by_permutation(samples: IndependentSamples, effect: dict[str, float | int | str | None]) -> Outcome:
    (n, m), settings, side = samples.sizes, samples.settings, samples.settings.alternative
    pooled = samples.pooled

    def statistic(labels: Float) -> Float:
        return relative_effect.relabelled_brunner_munzel(pooled, labels)

    observed = float(statistic(np.repeat([1.0, 0.0], [n, m])[None])[0])

    def slack(at: float) -> float:
        return _ROUNDING * max(1.0, abs(at))

    if two_sample_size(n, m) <= _MOST_LABELLINGS:
        values = of_every_labelling(statistic, n, m)
        law = law_of(values, np.full(values.size, 1 / values.size))
        p, *ends = (
            tail_mass(law.support, law.mass, at, alternative=side, slack=slack(at))
            for at in (observed, float(law.support[0]), float(law.support[-1]))
        )
        return Outcome(p_value=p, p_kind=EXACT, p_min=min(ends), effect=effect, notes=(notes.NOT_A_MEAN_TEST,))
    draws, interrupted = of_random_labellings(statistic, n, m, settings.n_resamples, settings.seed, settings.runtime)
    extreme = int(count(draws, observed, alternative=side, slack=slack(observed)))
    said = [notes.NOT_A_MEAN_TEST, *([INTERRUPTED] if interrupted else [])]
    exceedances = Exceedances(np.array([extreme]), np.array([draws.size]))
    return sampled(exceedances, p_min=smallest_p(n, m, side), effect=effect, notes=said)
