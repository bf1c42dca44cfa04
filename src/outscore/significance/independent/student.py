"""Student's t-test of two independent samples (Student 1908; Fisher 1925)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance import ASYMPTOTIC, Outcome
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.interval import indifferent, shape_notes, t_outcome
from outscore.significance.textbook import student


@independent_test("student")
@dataclass(frozen=True)
class Student(IndependentTest):
    """Difference of the means over its standard error, with one variance for both systems."""

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

    def refuses(self, samples: IndependentSamples) -> str | None:
        return None

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(ASYMPTOTIC)
        side, level = samples.settings.alternative, samples.settings.coverage
        found = student.student(samples.system, samples.baseline, alternative=side, level=level)
        return t_outcome(found, "pooled t interval", shape_notes(samples))
