"""Welch's and Student's t-tests of two independent samples (Student 1908; Fisher 1925; Welch 1947)."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.extreme import Alternative
from outscore.significance import ASYMPTOTIC, Outcome, notes
from outscore.significance.independent import (
    CONSTANT_SAMPLES,
    IndependentSamples,
    IndependentTest,
    independent_test,
    indifferent,
    shape_notes,
)
from outscore.significance.means import TTest, t_from, welch


def t_outcome(found: TTest, method: str, said: tuple[Note, ...] = ()) -> Outcome:
    """The outcome of a t-test of two samples; none where there is no variance to judge by.

    Args:
        said: notes on the samples.
    """
    if found.degenerate == "n_too_small":
        return Outcome(p_value=None, p_kind="asymptotic", notes=(notes.TOO_FEW,))
    constant = found.degenerate == "zero_variance"
    return Outcome(
        p_value=None if constant else found.p,  # that of an infinite t would be 0, however few the numbers
        p_kind="asymptotic",
        effect={"statistic": None if constant else found.statistic, "df": found.df, "se": found.se},
        ci=(found.low, found.high),
        ci_method="degenerate" if constant else method,
        notes=(CONSTANT_SAMPLES,) if constant else said,
    )


@dataclass(frozen=True)
class TwoSampleT(IndependentTest):
    """The difference of the means over its standard error.

    Class attributes:
        called: what its interval is called.
    """

    called: ClassVar[str]

    @abstractmethod
    def compute(self, samples: IndependentSamples) -> TTest:
        """The t-test of samples that are not all alike."""

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(ASYMPTOTIC)
        return t_outcome(self.compute(samples), self.called, (*shape_notes(samples), *self.spread_notes(samples)))

    def spread_notes(self, samples: IndependentSamples) -> tuple[Note, ...]:
        """A warning about variances that the test cannot judge by."""
        return ()


@independent_test("welch")
@dataclass(frozen=True)
class Welch(TwoSampleT):
    """Difference of the means over its standard error; the variances of the systems may differ."""

    also: ClassVar[tuple[str, ...]] = ("t", "welch_t", "unequal_variances_t", "ttest_ind")
    null: ClassVar[str] = "the expected scores of the two systems are the same"
    formula: ClassVar[str] = (
        "t = (Ā - B̄)/√(a + b), a = s_A²/n, b = s_B²/m, with (a + b)²/(a²/(n - 1) + b²/(m - 1)) degrees of freedom"
    )
    applies: ClassVar[str] = (
        "the default for independent samples of real numbers, such as run scores; the numbers are near normal or many, "
        "and their variances may differ"
    )
    needs: ClassVar[str] = "two or more runs, or items, of each system"
    citation: ClassVar[str] = "Welch 1947; Satterthwaite 1946"
    called: ClassVar[str] = "Welch t interval"

    def compute(self, samples: IndependentSamples) -> TTest:
        if min(samples.sizes) < 2:
            return t_from(samples.gain, float("nan"), 0)
        side, level = samples.settings.alternative, samples.settings.coverage
        return welch(samples.system, samples.baseline, alternative=side, level=level)


@independent_test("student")
@dataclass(frozen=True)
class Student(TwoSampleT):
    """Difference of the means over its standard error, with one variance for both systems."""

    also: ClassVar[tuple[str, ...]] = ("t", "student_t", "ttest_ind", "pooled_t")
    null: ClassVar[str] = "the expected scores of the two systems are the same, their variances being equal"
    formula: ClassVar[str] = (
        "t = (Ā - B̄)/(s √(1/n + 1/m)), s² = ((n - 1) s_A² + (m - 1) s_B²)/(n + m - 2), with n + m - 2 degrees of "
        "freedom"
    )
    applies: ClassVar[str] = (
        "independent samples of near normal numbers that vary by the same amount under both systems; where that is not "
        "known, welch loses next to nothing and is right in either case"
    )
    needs: ClassVar[str] = "three or more runs, or items, of both systems together"
    citation: ClassVar[str] = "Student 1908; Fisher 1925"
    called: ClassVar[str] = "pooled t interval"

    def compute(self, samples: IndependentSamples) -> TTest:
        side, level = samples.settings.alternative, samples.settings.coverage
        return student(samples.system, samples.baseline, alternative=side, level=level)

    def spread_notes(self, samples: IndependentSamples) -> tuple[Note, ...]:
        if min(samples.sizes) < 2:
            return ()
        one, other = (float(v.var(ddof=1)) for v in (samples.system, samples.baseline))
        return (notes.UNEQUAL_SPREAD,) if max(one, other) > notes.VERY_UNEQUAL * min(one, other) else ()


def student(x: Float, y: Float, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Student's t test of two independent samples.

    Null hypothesis: equal means, equal variances assumed.
    """
    df = x.size + y.size - 2
    squares = sum(float(((v - v.mean()) ** 2).sum()) for v in (x, y))
    se = math.sqrt(squares / df * (1 / x.size + 1 / y.size)) if df > 0 else math.nan
    scale = float(max(np.abs(x).max(), np.abs(y).max()))
    return t_from(float(x.mean() - y.mean()), se, df, alternative=alternative, level=level, scale=scale)
