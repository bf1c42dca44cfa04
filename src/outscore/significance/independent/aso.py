"""Almost stochastic order: is one system better at nearly every quantile of its runs?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from outscore.engine.exact import two_sample_size
from outscore.engine.normal import normal_cdf, normal_ppf
from outscore.significance import ASYMPTOTIC, Outcome, notes
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.interval import indifferent
from outscore.significance.independent.notes import LOOSE_ORDER, ORDER_OF_EQUALS
from outscore.significance.textbook.aso import almost_stochastic_order

_MANY = 200  # from where on the level of equal distributions was found to hold at .01 too
_STRICT, _USUAL = 0.2, 0.5  # thresholds of which both verdicts are given


@independent_test("aso")
@dataclass(frozen=True)
class AlmostStochasticOrder(IndependentTest):
    """The violation ratio ε is 0 where the system is better at every quantile, 1 where the baseline is, and ½ between.

    Its p-value is the level at which the upper bound ε_min falls to tau, p = Φ((ε - tau)/s), s the bootstrapped
    standard deviation of ε; it is corrected like any other. No p is below that of a permutation of the runs.

    Args:
        tau: the threshold; 0.5, as it is often used, calls equal systems different in 17 to 24 % of cases.
    """

    null: ClassVar[str] = "neither system's runs are almost stochastically larger: ε >= tau, in either direction"
    formula: ClassVar[str] = (
        "ε = ∫ max(0, G(u) - F(u))² du / ∫ (F(u) - G(u))² du, F and G the quantile functions of system and baseline; "
        "p = Φ((ε - tau)/s), two-sided twice the smaller of those of ε and 1 - ε"
    )
    applies: ClassVar[str] = (
        "runs of two systems whose whole distribution matters, not the mean alone; a secondary test beside welch"
    )
    needs: ClassVar[str] = "two or more independent runs of each system, ten or more for its level to hold"
    citation: ClassVar[str] = "del Barrio et al. 2018; Dror et al. 2019; Ulmer et al. 2022"

    tau: float = _STRICT

    def question(self, samples: IndependentSamples) -> str:
        return f"is one system better at nearly every quantile of its {samples.unit}s?"

    def refuses(self, samples: IndependentSamples) -> str | None:
        if not 0 < self.tau <= _USUAL:
            return f"aso:tau={self.tau:g} is no threshold of a violation ratio; use 0 < tau <= 0.5"
        if samples.unit == "item" and samples.shared:
            return "aso takes two independent samples, but these items are the same for both systems; use a paired test"
        return None

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(ASYMPTOTIC)
        if min(samples.sizes) < 2:
            return Outcome(p_value=None, p_kind=ASYMPTOTIC, notes=(notes.TOO_FEW,))
        n, m = samples.sizes
        ratio, spread = _ratio(samples)
        least = 1 / two_sample_size(n, m)
        p, q = (max(least, _p(r - self.tau, spread)) for r in (ratio, 1 - ratio))
        side = samples.settings.alternative
        return Outcome(
            p_value={"two-sided": min(1.0, 2 * min(p, q)), "greater": p, "less": q}[side],
            p_kind=ASYMPTOTIC,
            p_min=min(1.0, least * (2 if side == "two-sided" else 1)),
            effect=_effect(ratio, spread * normal_ppf(samples.settings.alpha)),
            notes=(
                *((ORDER_OF_EQUALS,) if min(n, m) < _MANY else ()),
                *((LOOSE_ORDER,) if self.tau > _STRICT else ()),
            ),
        )


def _ratio(samples: IndependentSamples) -> tuple[float, float]:
    """ε of the system over the baseline, and its bootstrapped standard deviation.

    The sample of the larger mean is drawn first, so that the same draws answer for both directions.
    """
    n, m = samples.sizes
    ahead = samples.gain >= 0
    first, second = (samples.system, samples.baseline) if ahead else (samples.baseline, samples.system)
    made = samples.settings
    found = almost_stochastic_order(first, second, n_resamples=made.n_resamples, seed=made.seed)
    ratio = found.violation_ratio
    return ratio if ahead else 1 - ratio, found.sigma / math.sqrt(n * m / (n + m))


def _p(distance: float, spread: float) -> float:
    """Φ(distance/spread): the level at which a bound that much above ε meets the threshold."""
    if spread > 0:
        return normal_cdf(distance / spread)
    return 0.0 if distance < 0 else 1.0


def _effect(ratio: float, quantile: float) -> dict[str, float | int | str | None]:
    """Bounds in both directions, ``quantile`` (below 0) under the ratios, and what they say at both thresholds."""
    bounds = {name: min(max(r - quantile, 0.0), 1.0) for name, r in (("system", ratio), ("baseline", 1 - ratio))}
    larger = {tau: [name for name, bound in bounds.items() if bound < tau] for tau in (_STRICT, _USUAL)}
    return {
        "violation_ratio": ratio,
        "eps_min": bounds["system"],
        "eps_min_of_baseline": bounds["baseline"],
        **{f"larger_at_{tau:g}": next(iter(names), "neither") for tau, names in larger.items()},
    }
