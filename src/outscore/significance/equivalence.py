"""Is the gain within a margin, and what gain could these data have shown?

Equivalence and non-inferiority are tested by the procedure that gives the gain its interval in this design, with the
margin in the place of 0; never by a p-value of the difference.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from outscore.engine.extreme import Alternative
from outscore.engine.normal import normal_cdf
from outscore.significance import Test
from outscore.significance.crossed import Crossed, replicated
from outscore.significance.experiment import PairedComparison
from outscore.significance.multibootstrap import MultiBootstrap
from outscore.significance.runs import Runs
from outscore.significance.textbook.clustered import ClusteredShares, cluster_t
from outscore.significance.textbook.crossed import crossed_t, run_welch
from outscore.significance.textbook.student import TTest, paired_t, t_from
from outscore.significance.textbook.tails import normal_quantile, student_p, student_quantile
from outscore.significance.textbook.tost import Tost, tost_clustered_shares, tost_from, tost_paired_proportions

ENOUGH = 0.8
"""The power that a comparison should have for a gain as large as the margin."""

_HALF = 0.5
"""Of the range of the scores seen: the widest margin that identical outputs speak for."""

SCORE = "score test"


class EquivalenceProcedure(ABC):
    """How the gain of a pair is judged against a margin; ``method`` names it."""

    method: str

    @abstractmethod
    def tost(self, margin: float, alpha: float) -> Tost | None:
        """Both one-sided tests, and the interval at level 1 - 2 alpha; None where the data show no variance."""

    @abstractmethod
    def power(self, gain: float, alpha: float, alternative: Alternative) -> float | None:
        """The chance that the difference test finds a true gain of this size, on data as variable as these.

        The gain is one fixed beforehand. At the observed gain this would be the p-value in another form.
        """

    @abstractmethod
    def detectable(self, alpha: float, alternative: Alternative) -> float | None:
        """The smallest true gain with a ``power`` of 80 %."""


def procedure(pair: PairedComparison, test: Test) -> EquivalenceProcedure:
    """The procedure that answers the question of ``test`` for this pair.

    Over runs and items for ``crossed`` and ``multibootstrap``, over runs for ``runs``; else over items: the score test
    for right or wrong items, on the CR2 variance in clusters, CR2 t for other means of clustered items, paired t for
    means. For corpus scores it is t over jackknife pseudo-values: each of its sides has a level of .03 to .06 with 10
    to 20 items (micro-F1, a BLEU-like score) and of .04 to .05 with 50, no further off than the studentized bootstrap,
    and it draws nothing. Where strata are resampled it is t over the pseudo-values within strata.
    """
    if pair.binary and not pair.clustered and not pair.stratified:
        return _ScoreMargin(*pair.discordant, pair.n_items)
    if pair.n_units < 2:
        return _StudentMargin(t_from(pair.gain, math.nan, 0), "undefined")
    if pair.binary and not pair.stratified:
        return _ClusteredScore.of(pair.clustered_shares)
    if pair.identical:
        return _AllAlike(pair.n_units, float(np.ptp(pair.panel.pseudo_values[pair.baseline].mean(axis=0))))
    if isinstance(test, Crossed):
        found = crossed_t(*(replicated(pair, s) for s in (pair.system, pair.baseline)), variant=test.variant).test
        return _StudentMargin(found, "crossed t over runs and items")
    if isinstance(test, Runs):
        return _StudentMargin(
            run_welch(*(replicated(pair, s) for s in (pair.system, pair.baseline))), "Welch t over runs"
        )
    if isinstance(test, MultiBootstrap):
        spread = test.run(pair).effect
        found = t_from(pair.gain, float(spread.get("se") or 0.0), float(spread.get("df") or 0.0))
        return _StudentMargin(found, "t over redrawn runs and items")
    if pair.panel.plain_mean and not pair.stratified:
        labels = pair.panel.design.labels
        if labels is not None:
            return _StudentMargin(cluster_t(pair.differences, labels), "CR2 t")
        return _StudentMargin(paired_t(pair.differences), "t")
    return _StudentMargin(_jackknife_t(pair), "t over jackknife pseudo-values" + (" within strata" * pair.stratified))


@dataclass(frozen=True)
class _StudentMargin(EquivalenceProcedure):
    """t tests of an estimate with its standard error."""

    found: TTest
    method: str

    def tost(self, margin: float, alpha: float) -> Tost | None:
        if self.found.degenerate:
            return None
        return tost_from(self.found.estimate, self.found.se, self.found.df, margin, alpha=alpha)

    def power(self, gain: float, alpha: float, alternative: Alternative) -> float | None:
        if self.found.degenerate:
            return None
        critical = student_quantile(1 - 2 * _tail(alpha, alternative), self.found.df)
        return student_p(critical - gain / self.found.se, self.found.df, "greater")

    def detectable(self, alpha: float, alternative: Alternative) -> float | None:
        if self.found.degenerate:
            return None
        levels = (1 - 2 * _tail(alpha, alternative), 2 * ENOUGH - 1)
        return self.found.se * sum(student_quantile(level, self.found.df) for level in levels)


@dataclass(frozen=True)
class _ScoreMargin(EquivalenceProcedure):
    """Score tests of right or wrong items, of which the system has ``b`` right alone and the baseline ``c``.

    Power is Connor's (1987) approximation of that of McNemar's test, for as many disagreements as there are, and at
    least as many as the gain itself takes.
    """

    b: float
    c: float
    n: float
    method: str = SCORE

    def tost(self, margin: float, alpha: float) -> Tost:
        return tost_paired_proportions(int(self.b), int(self.c), int(self.n), margin, alpha=alpha)

    def critical(self, level: float) -> float:
        """The quantile of a two-sided interval at a level."""
        return normal_quantile(level)

    def power(self, gain: float, alpha: float, alternative: Alternative) -> float:
        critical = self.critical(1 - 2 * _tail(alpha, alternative))
        share = max((self.b + self.c) / self.n, gain)
        distance = gain * math.sqrt(self.n) - critical * math.sqrt(share)
        return normal_cdf(distance / math.sqrt(share - gain**2))

    def detectable(self, alpha: float, alternative: Alternative) -> float | None:
        if math.sqrt(self.n) <= self.critical(1 - 2 * _tail(alpha, alternative)):
            return None  # not even a system that is right wherever the baseline is wrong
        low, high = 0.0, 1.0
        while low < (middle := (low + high) / 2) < high:
            low, high = (low, middle) if self.power(middle, alpha, alternative) >= ENOUGH else (middle, high)
        return high


@dataclass(frozen=True)
class _ClusteredScore(_ScoreMargin):
    """The same of items in clusters, whose counts are those of the independent items that they are worth."""

    law: ClusteredShares | None = None

    @classmethod
    def of(cls, law: ClusteredShares) -> _ClusteredScore:
        worth = law.n_effective / law.n
        return cls(law.b * worth, law.c * worth, law.n_effective, f"{SCORE} on the CR2 variance", law)

    def tost(self, margin: float, alpha: float) -> Tost:
        assert self.law is not None
        return tost_clustered_shares(self.law, margin, alpha=alpha)

    def critical(self, level: float) -> float:
        assert self.law is not None
        return student_quantile(level, self.law.found.df)


@dataclass(frozen=True)
class _AllAlike(EquivalenceProcedure):
    """No unit of ``n`` differs, so there is no variance; but units that differ cannot be frequent.

    Taken for granted is that no unit, seen or not, moves the mean by more than ``reach``/n, the range of the baseline's
    own (pseudo-)values. Then a gain of m needs a share of at least m/reach units that differ, and none of n is seen
    with a chance of at most (1 - m/reach)^n. As few units do not tell their range, no margin counts for more than half
    of it, and units too few to reach alpha by that give no answer.
    """

    n: int
    reach: float
    method: str = "exact binomial, as no unit differs"

    def tost(self, margin: float, alpha: float) -> Tost | None:
        if self.reach == 0 or _HALF**self.n > alpha:
            return None
        p = max(1 - margin / self.reach, _HALF) ** self.n
        most = self.reach * -math.expm1(math.log(alpha) / self.n)
        return Tost(statistic_lower=math.nan, p_lower=p, statistic_upper=math.nan, p_upper=p, low=-most, high=most)

    def power(self, gain: float, alpha: float, alternative: Alternative) -> None:
        return None

    def detectable(self, alpha: float, alternative: Alternative) -> None:
        return None


def _jackknife_t(pair: PairedComparison) -> TTest:
    """t over pseudo-values of the units, whose means within strata are not part of their variance."""
    design, n = pair.panel.design, pair.n_units
    values = design.centred(n * pair.gain - (n - 1) * pair.without_units)
    strata = design.strata_of_units
    squares = sum(len(h) / (len(h) - 1) * float(values[h] @ values[h]) for h in strata if len(h) > 1)
    constant = float(np.ptp(pair.without_units)) <= pair.slack
    return t_from(pair.gain, 0.0 if constant else math.sqrt(squares) / n, n - len(strata))


def _tail(alpha: float, alternative: Alternative) -> float:
    """The level of one tail of the difference test."""
    return alpha / 2 if alternative == "two-sided" else alpha
