"""Tests of two independent proportions: Fisher's exact test, Pearson's χ² and z."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.extreme import Alternative
from outscore.significance import ASYMPTOTIC, EXACT, Outcome
from outscore.significance.independent import (
    SMALL_EXPECTED,
    IndependentSamples,
    IndependentTest,
    independent_test,
    indifferent,
)
from outscore.significance.p_values import normal_p
from outscore.significance.proportions import check_counts, newcombe

TwoMethod = Literal["fisher", "chi2", "chi2-yates", "z"]


def two_proportions(
    x1: int,
    n1: int,
    x2: int,
    n2: int,
    *,
    method: TwoMethod = "fisher",
    alternative: Alternative = "two-sided",
) -> tuple[float, float]:
    """Statistic and p-value of a test of two independent proportions, ``x1`` of ``n1`` and ``x2`` of ``n2``.

    Null hypothesis: both are equal. Wrong for systems on the same items. The statistic is χ² for the chi2 methods, z
    for z, the odds ratio of the table for fisher; NaN if it is 0/0.

    ``fisher``: conditional on the margins, two-sided by least likely tables (Fisher 1935; R); ``z``: pooled;
    ``chi2``: its square; ``chi2-yates``: with |x - E| reduced by up to ½. One-sided chi2 takes the signed
    root.

    Raises:
        UsageError: counts outside 0..n, or an unknown method.
    """
    check_counts(x1, n1)
    check_counts(x2, n2)
    z = _pooled_z(x1, n1, x2, n2, yates=method == "chi2-yates")
    if method == "fisher":
        odds = x1 * (n2 - x2), (n1 - x1) * x2
        statistic = odds[0] / odds[1] if odds[1] else (math.inf if odds[0] else math.nan)
        return statistic, fisher_p(x1, n1, x2, n2, alternative)
    if method not in ("chi2", "chi2-yates", "z"):
        raise UsageError(f"method={method!r}: expected fisher, chi2, chi2-yates or z")
    return z if method == "z" else z * z, 1.0 if math.isnan(z) else normal_p(z, alternative)


def fisher_p(x1: int, n1: int, x2: int, n2: int, alternative: Alternative = "two-sided") -> float:
    """Fisher's exact p: x1 is hypergeometric given the margins.

    Two-sided it sums the tables no likelier than the observed one.
    """
    right = x1 + x2
    k = np.arange(max(0, right - n2), min(n1, right) + 1)
    log_mass = _log_binom(n1, k) + _log_binom(n2, right - k)
    mass = np.exp(log_mass - log_mass.max())
    mass /= mass.sum()
    if alternative == "two-sided":
        # R's guard: tables within 1e-7 of the observed probability are ties
        return min(1.0, float(mass[mass <= mass[k == x1] * (1 + 1e-7)].sum()))
    return min(1.0, float(mass[k >= x1 if alternative == "greater" else k <= x1].sum()))


def _pooled_z(x1: int, n1: int, x2: int, n2: int, *, yates: bool) -> float:
    """(p1 - p2)/√(p(1 - p)(1/n1 + 1/n2)); with Yates |x1 - E| is first reduced by min(½, |x1 - E|)."""
    p = (x1 + x2) / (n1 + n2)
    if p in (0.0, 1.0):
        return math.nan
    distance = x1 - n1 * p
    reduced = math.copysign(max(abs(distance) - 0.5, 0.0), distance) if yates else distance
    return reduced * (1 / n1 + 1 / n2) / math.sqrt(p * (1 - p) * (1 / n1 + 1 / n2))


def _log_binom(n: int, k: Int) -> Float:
    from scipy import special

    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))


@dataclass(frozen=True)
class TestOfProportions(IndependentTest):
    """A test of the proportions of right items of two systems that answered items of their own."""

    null: ClassVar[str] = "both systems are right with the same probability"
    needs: ClassVar[str] = "right or wrong (1 or 0) items of each system"

    def refuses(self, samples: IndependentSamples) -> str | None:
        if samples.binary:
            return None
        return f"{self.name} needs numbers that are right or wrong (1 or 0); use welch or permutation"


def compare_proportions(samples: IndependentSamples, method: TwoMethod) -> Outcome:
    """The outcome of a test of two proportions, with Newcombe's interval of their difference."""
    exact = method == "fisher"
    if samples.constant:
        return indifferent(EXACT if exact else ASYMPTOTIC)
    (right, base), (n, m) = samples.right, samples.sizes
    side, level = samples.settings.alternative, samples.settings.coverage
    statistic, p = two_proportions(right, n, base, m, method=method, alternative=side)
    share = (right + base) / (n + m)
    small = min(n, m) * min(share, 1 - share) < 5
    return Outcome(
        p_value=p,
        p_kind=EXACT if exact else ASYMPTOTIC,
        p_min=_smallest(right + base, n, m, samples) if exact else None,
        effect={"right_system": right, "right_baseline": base, "statistic": statistic},
        ci=newcombe(right, n, base, m, level),
        ci_method="Newcombe score interval",
        notes=(SMALL_EXPECTED,) if small and not exact else (),
    )


def _smallest(right: int, n: int, m: int, samples: IndependentSamples) -> float:
    """The smallest p of Fisher's test with these margins: that of one of the tables at either end."""
    ends = max(0, right - m), min(n, right)
    return min(fisher_p(x, n, right - x, m, samples.settings.alternative) for x in ends)


@independent_test("fisher")
@dataclass(frozen=True)
class Fisher(TestOfProportions):
    """How probable is a table at least as unlikely as this one, given how many items there are and are right in all?"""

    also: ClassVar[tuple[str, ...]] = ("fisher_exact",)
    formula: ClassVar[str] = (
        "p = the sum of the hypergeometric probabilities of all tables with these margins that are no likelier than "
        "this one"
    )
    applies: ClassVar[str] = (
        "right or wrong answers of two systems to different items, few or many; it never exceeds its level, and is "
        "conservative with few items"
    )
    citation: ClassVar[str] = "Fisher 1935; interval: Newcombe 1998"

    def run(self, samples: IndependentSamples) -> Outcome:
        return compare_proportions(samples, "fisher")


@independent_test("chi2")
@dataclass(frozen=True)
class Chi2(TestOfProportions):
    """How far are the counts of right and wrong items from what equal proportions would give?

    Without Yates' correction it is the square of ``two-proportions``.

    Args:
        yates: bring the counts nearer to what is expected by up to one half, which makes the test conservative.
    """

    also: ClassVar[tuple[str, ...]] = ("chi_squared", "chi_square", "chisq")
    formula: ClassVar[str] = (
        "χ² = Σ (O - E)²/E over the four counts of right and wrong items, E those of equal proportions, with 1 degree "
        "of freedom; yates: |O - E| less ½"
    )
    applies: ClassVar[str] = (
        "right or wrong answers of two systems to different items, at least five expected of each kind"
    )
    citation: ClassVar[str] = "Pearson 1900; Yates 1934; interval: Newcombe 1998"

    yates: bool = False

    def run(self, samples: IndependentSamples) -> Outcome:
        return compare_proportions(samples, "chi2-yates" if self.yates else "chi2")


@independent_test("two-proportions")
@dataclass(frozen=True)
class TwoProportions(TestOfProportions):
    """Difference of the proportions of right items over its standard error under equal proportions."""

    also: ClassVar[tuple[str, ...]] = ("prop", "proportions_z", "two_proportion_z")
    formula: ClassVar[str] = "z = (p_A - p_B)/√(p (1 - p)(1/n + 1/m)), p the proportion of right items among all n + m"
    applies: ClassVar[str] = (
        "right or wrong answers of two systems to different items, at least five expected of each kind"
    )
    citation: ClassVar[str] = "Fleiss, Levin & Paik 2003, §3.2; interval: Newcombe 1998"

    def run(self, samples: IndependentSamples) -> Outcome:
        return compare_proportions(samples, "z")
