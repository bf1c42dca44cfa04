"""Welch's t-test of two independent samples (Welch 1947)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance import ASYMPTOTIC, Outcome
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.interval import indifferent, shape_notes, t_outcome
from outscore.significance.textbook import student


@independent_test("welch")
@dataclass(frozen=True)
class Welch(IndependentTest):
    """Difference of the means over its standard error; the variances of the systems may differ."""

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

    def refuses(self, samples: IndependentSamples) -> str | None:
        return None

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(ASYMPTOTIC)
        side, level = samples.settings.alternative, samples.settings.coverage
        if min(samples.sizes) < 2:
            return t_outcome(student.t_from(samples.gain, float("nan"), 0), "")
        found = student.welch(samples.system, samples.baseline, alternative=side, level=level)
        return t_outcome(found, "Welch t interval", shape_notes(samples))
