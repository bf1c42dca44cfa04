"""Paired t and z tests of a mean of items (Student 1908; Dror et al., Algorithms 3.3 and 3.4)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.extreme import Alternative
from outscore.significance import ASYMPTOTIC, Outcome, Test, notes, test
from outscore.significance.gain import GainContrast
from outscore.significance.interval.student import linear_t
from outscore.significance.means import TTest, cluster_t, paired_t, t_from

NO_ITEM_SCORES = "has no score of its own for each item; use --test randomization or bootstrap"


@test("t")
@dataclass(frozen=True)
class StudentT(Test):
    """Mean difference over its standard error, against Student's law.

    With clusters the standard error is the cluster-robust CR2 and the degrees of freedom are Satterthwaite's.
    """

    also: ClassVar[tuple[str, ...]] = ("paired_t", "paired_ttest", "t_paired", "ttest_rel", "student", "dependent_t")
    null: ClassVar[str] = "the mean difference on new items is 0"
    formula: ClassVar[str] = (
        "t = d̄/(s_d/√n), d the items' differences, with n - 1 degrees of freedom; with clusters t = d̄/√V, V the CR2"
        " variance, and Satterthwaite's degrees of freedom"
    )
    applies: ClassVar[str] = "means of 30 or more items, or of fewer that are near normal, and of any items in clusters"
    needs: ClassVar[str] = "a score for each item, and two or more items (clusters)"
    citation: ClassVar[str] = "Student 1908; Pustejovsky & Tipton 2018; Miller 2024"

    def refuses(self, pair: GainContrast) -> str | None:
        return None if pair.has_t else f"{pair.stats.name} {NO_ITEM_SCORES}"

    def run(self, pair: GainContrast) -> Outcome:
        if pair.identical:
            return _identical(pair)
        side, level = pair.settings.alternative, pair.settings.coverage
        if not pair.stats.plain_mean:
            by_weight = linear_t(pair)
            found = t_from(by_weight.estimate, by_weight.se, by_weight.df, alternative=side, level=level)
            return _outcome(pair, found, "delta method interval")
        differences = pair.differences
        if pair.clustered:
            labels = pair.stats.design.labels
            assert labels is not None
            if pair.binary and pair.n_units > 1:
                return _test_proportions(pair)
            found = cluster_t(differences, labels, alternative=side, level=level)
            return _outcome(pair, found, "CR2 t interval")
        return _outcome(pair, paired_t(differences, alternative=side, level=level), "t interval")


@test("z")
@dataclass(frozen=True)
class KnownVarianceZ(Test):
    """Mean difference over its standard error, where the standard deviation of the differences is known beforehand.

    Args:
        sigma: that standard deviation; never one estimated from these data.
    """

    null: ClassVar[str] = "the mean difference on new items is 0, the standard deviation being known"
    formula: ClassVar[str] = "z = d̄/(σ/√n), d the items' differences"
    applies: ClassVar[str] = "means of items where the standard deviation of the differences is known from elsewhere"
    needs: ClassVar[str] = "a score for each item, and that standard deviation (sigma)"
    citation: ClassVar[str] = "Dror et al. 2020, Statistical Significance Testing for NLP, Algorithm 3.3"
    instead: ClassVar[str] = "t"

    sigma: float

    def refuses(self, pair: GainContrast) -> str | None:
        if self.sigma <= 0 or not math.isfinite(self.sigma):
            return "z:sigma must be above 0"
        return None if pair.stats.plain_mean else f"{pair.stats.name} {NO_ITEM_SCORES}"

    def run(self, pair: GainContrast) -> Outcome:
        if pair.identical:
            return _identical(pair)
        side, level = pair.settings.alternative, pair.settings.coverage
        found = paired_z(pair.differences, self.sigma, alternative=side, level=level)
        outcome = _outcome(pair, found, "z interval")
        ignored = (notes.TEST_IGNORES_CLUSTERS,) if pair.clustered else ()
        return replace(outcome, notes=(*outcome.notes, *ignored))


def paired_z(differences: Float, sigma: float, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Paired z test with known σ of the differences.

    Null hypothesis H_mean. z = d̄/(σ/√n).

    Never put an estimated deviation in the place of σ: at n = 10 the size is then .083 instead of .05.

    Raises:
        UsageError: σ is not positive.
    """
    if not sigma > 0:
        raise UsageError(f"sigma={sigma}: a z test needs the known, positive deviation of the differences")
    n = differences.size
    mean = float(differences.mean()) if n else math.nan
    return t_from(mean, sigma / math.sqrt(n) if n else math.nan, math.inf, alternative=alternative, level=level)


def _identical(pair: GainContrast) -> Outcome:
    return Outcome(
        p_value=1.0,
        p_kind=ASYMPTOTIC,
        effect={"statistic": 0.0},
        notes=(notes.IDENTICAL,),
    )


def _test_proportions(pair: GainContrast) -> Outcome:
    """The same test of right or wrong items in clusters, whose interval is that of the score tests (``tango``).

    Where clusters show no variance, each counts as one item.
    """
    law = pair.clustered_proportions
    statistic = law.statistic(0.0)
    return Outcome(
        p_value=law.p(0.0, pair.settings.alternative),
        p_kind=ASYMPTOTIC,
        effect={"statistic": statistic, "df": law.found.df, "se": law.found.se},
        notes=tuple(_note_few(pair)),
    )


def _note_few(pair: GainContrast) -> list[Note]:
    """Few items have a note whatever the test (``few_differences``)."""
    return [notes.FEW_CLUSTERS] if pair.clustered and pair.n_units < 30 else []


def _outcome(pair: GainContrast, found: TTest, method: str) -> Outcome:
    said: list[Note] = [notes.ITEMS_ONLY] if pair.has_runs else []
    if pair.n_units < 2:
        return Outcome(p_value=None, p_kind=ASYMPTOTIC, notes=(*said, notes.TOO_FEW))
    constant = found.degenerate == "zero_variance"
    if constant:
        said.append(notes.ZERO_VARIANCE)
    said += _note_few(pair)
    said += pair.shape_notes if pair.stats.plain_mean else ()
    return Outcome(
        p_value=None if constant else found.p,  # that of an infinite t would be 0, whatever the number of items
        p_kind=ASYMPTOTIC,
        effect={"statistic": found.statistic, "df": found.df, "se": found.se},
        ci=(found.low, found.high),
        ci_method="degenerate" if constant else method,
        notes=tuple(said),
    )
