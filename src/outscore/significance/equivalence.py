"""Is the gain within a margin, and what gain could these data have shown?

Equivalence and non-inferiority are tested by the procedure that gives the gain its interval in this design, with the
margin in the place of 0; never by a p-value of the difference.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.beta import normal_cdf
from outscore.engine.extreme import Alternative, tail_of
from outscore.significance import Test
from outscore.significance.crossed import Crossed, crossed_t, run_tables
from outscore.significance.gain import GainContrast
from outscore.significance.interval.rao import Rao, df_of, quantile_of, suits
from outscore.significance.interval.student import linear_t, range_of, unlike
from outscore.significance.means import TTest, cluster_t, paired_t, t_from
from outscore.significance.multibootstrap import MultiBootstrap
from outscore.significance.p_values import normal_p, normal_quantile, student_p, student_quantile
from outscore.significance.proportions import ClusteredProportions, tango, tango_score, tango_spread
from outscore.significance.runs import Runs, run_welch

ENOUGH = 0.8
"""The power that a comparison should have for a gain as large as the margin."""

_HALF = 0.5
"""Of the range of the scores seen: the widest margin that identical outputs speak for."""

SCORE = "score test"


@dataclass(frozen=True, kw_only=True)
class Tost:
    """Two one-sided tests of a gain against a margin.

    Attributes:
        statistic_lower: of H0: gain <= -margin; large where the gain lies above.
        p_lower: its p-value; that of non-inferiority.
        statistic_upper: of H0: gain >= margin; far below 0 where the gain lies below.
        p_upper: its p-value.
        low: lower end of the interval at level 1 - 2 alpha that the same tests make.
        high: upper end.
    """

    statistic_lower: float
    p_lower: float
    statistic_upper: float
    p_upper: float
    low: float
    high: float

    @property
    def p(self) -> float:
        """The larger of both p-values: at most alpha where the interval lies inside the margins (Schuirmann 1987)."""
        return max(self.p_lower, self.p_upper)


def tost_from(estimate: float, se: float, df: float, margin: float, *, alpha: float = 0.05) -> Tost:
    """Two one-sided t tests of any estimate with its standard error and degrees of freedom (Schuirmann 1987)."""
    _check(margin)

    def against(bound: float, side: Alternative) -> tuple[float, float]:
        found = t_from(estimate - bound, se, df, alternative=side)
        return found.statistic, found.p

    lower, upper = against(-margin, "greater"), against(margin, "less")
    ends = t_from(estimate, se, df, level=1 - 2 * alpha)
    return Tost(
        statistic_lower=lower[0], p_lower=lower[1], statistic_upper=upper[0], p_upper=upper[1],
        low=ends.low, high=ends.high,
    )  # fmt: skip


def tost_paired_proportions(b: int, c: int, n: int, margin: float, *, alpha: float = 0.05) -> Tost:
    """Two one-sided score tests of a paired difference of proportions, whose inversion is ``tango`` (Tango 1998).

    Null hypothesis: the chance of being right differs by at least ``margin``.

    Args:
        b: items that only the system has right; ``c``: only the baseline; ``n``: all items.
        margin: above 0 and below 1.
        alpha: level of each test; the interval covers 1 - 2 alpha.

    Raises:
        UsageError: the margin is not above 0, or no gain could reach it.
    """
    _check_proportion(margin)
    z_lower, z_upper = tango_score(b, c, n, -margin), tango_score(b, c, n, margin)
    low, high = tango(b, c, n, 1 - 2 * alpha)
    return Tost(
        statistic_lower=z_lower, p_lower=normal_p(z_lower, "greater"),
        statistic_upper=z_upper, p_upper=normal_p(z_upper, "less"), low=low, high=high,
    )  # fmt: skip


def tost_clustered_proportions(law: ClusteredProportions, margin: float, *, alpha: float = 0.05) -> Tost:
    """The same of items in clusters, by the score tests of ``ClusteredProportions``."""
    _check_proportion(margin)
    low, high = law.ends(1 - 2 * alpha)
    return Tost(
        statistic_lower=law.statistic(-margin), p_lower=law.p(-margin, "greater"),
        statistic_upper=law.statistic(margin), p_upper=law.p(margin, "less"), low=low, high=high,
    )  # fmt: skip


def _check_proportion(margin: float) -> None:
    _check(margin)
    if margin >= 1:
        points = (
            f": give {margin / 100:g} for {margin:g} {'point' if margin == 1 else 'points'}" if margin < 100 else ""
        )
        raise UsageError(f"margin {margin:g}: a difference of proportions lies below 1{points}")


def _check(margin: float) -> None:
    if not margin > 0:
        raise UsageError(f"margin {margin:g}: expected a number above 0")


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

    def ratio_to_margin(self, margin: float, alpha: float) -> float:
        """Root of how many times the items rule out a loss of ``margin`` with 80 % power, if systems are equal."""
        return (self.detectable(alpha, "greater") or 0.0) / margin


def procedure(pair: GainContrast, test: Test) -> EquivalenceProcedure:
    """The procedure that answers the question of ``test`` for this pair.

    Over runs and items for ``crossed`` and ``multibootstrap``, over runs for ``runs``; else over items: the score test
    for right or wrong items, on the CR2 variance in clusters, CR2 t for other means of clustered items, paired t for
    means. For scores of sums it is t over their linear parts (``delta``), for rankings over jackknife pseudo-values;
    neither draws anything. Where strata are resampled it is t over the pseudo-values within strata.
    """
    if pair.binary and not pair.clustered and not pair.stratified:
        return _ScoreMargin(*pair.discordant, pair.n_items)
    if pair.n_units < 2:
        return _StudentMargin(t_from(pair.gain, math.nan, 0), "undefined")
    if pair.binary and not pair.stratified:
        return _ClusteredScore.of(pair.clustered_proportions)
    if pair.identical:
        return _AllAlike(*unlike(pair), (range_of(pair) or (0.0, math.inf))[1])
    if isinstance(test, Crossed):
        found = crossed_t(*run_tables(pair), variant=test.variant).test
        return _StudentMargin(found, "crossed t over runs and items")
    if isinstance(test, Runs):
        return _StudentMargin(run_welch(*run_tables(pair)), "Welch t over runs")
    if isinstance(test, MultiBootstrap):
        spread = test.spread(pair.drawing(test.draws(pair)))
        found = t_from(pair.gain, spread.se, spread.df) if spread else t_from(pair.gain, 0.0, 0.0)
        return _StudentMargin(found, "t over resampled runs and items")
    if pair.stats.plain_mean and not pair.stratified:
        labels = pair.stats.design.labels
        if labels is not None:
            return _StudentMargin(cluster_t(pair.differences, labels), "CR2 t")
        return _StudentMargin(paired_t(pair.differences), "t")
    if suits(pair):
        return _RatioMargin.of(pair)
    if pair.stats.of_sums and not pair.stratified:
        return _StudentMargin(linear_t(pair), "t over linear parts")
    return _StudentMargin(_jackknife_t(pair), "t over jackknife pseudo-values" + (" within strata" * pair.stratified))


def levels_of(alpha: float, alternative: Alternative) -> tuple[float, float]:
    """Of the two-sided t intervals that end at the critical value, and at what 80 % of estimates exceed."""
    return 1 - 2 * tail_of(alpha, alternative), 2 * ENOUGH - 1


def root_of_items(share: float, margin: float, critical: float, more: float) -> float:
    """Root of the items by which the score test shows that equal systems keep to a margin, by the normal law."""
    under = math.sqrt(tango_spread(share / 2, share / 2, 1, -margin))
    return (critical * under + more * math.sqrt(share)) / margin


def detectable_by(se: float, df: float, levels: tuple[float, float]) -> float:
    """The gain that a t test finds with 80 % power, by the sum of both quantiles."""
    return se * sum(student_quantile(level, df) for level in levels)


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
        critical = student_quantile(1 - 2 * tail_of(alpha, alternative), self.found.df)
        return student_p(critical - gain / self.found.se, self.found.df, "greater")

    def detectable(self, alpha: float, alternative: Alternative) -> float | None:
        if self.found.degenerate:
            return None
        return detectable_by(self.found.se, self.found.df, levels_of(alpha, alternative))


@dataclass(frozen=True)
class _RatioMargin(_StudentMargin):
    """The same by the score interval of both ratios, see ``Rao``; power by half the length of the gain's."""

    pair: GainContrast

    @classmethod
    def of(cls, pair: GainContrast) -> _RatioMargin:
        (low, high), df = _ends_of(pair, pair.level), df_of(pair)
        error = (high - low) / 2 / student_quantile(pair.level, df)
        return cls(t_from(pair.gain, error, df), "Rao score interval", pair)

    def tost(self, margin: float, alpha: float) -> Tost:
        _check(margin)
        lower, upper = quantile_of(self.pair, -margin), quantile_of(self.pair, margin)
        low, high = _ends_of(self.pair, 1 - 2 * alpha)
        return Tost(
            statistic_lower=lower, p_lower=student_p(lower, self.found.df, "greater"),
            statistic_upper=upper, p_upper=student_p(upper, self.found.df, "less"), low=low, high=high,
        )  # fmt: skip


def _ends_of(pair: GainContrast, level: float) -> tuple[float, float]:
    ends = Rao().find(pair.at(level))[0]
    assert ends is not None
    return ends


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
        critical = self.critical(1 - 2 * tail_of(alpha, alternative))
        share = max((self.b + self.c) / self.n, gain)
        distance = gain * math.sqrt(self.n) - critical * math.sqrt(share)
        return normal_cdf(distance / math.sqrt(share - gain**2))

    def detectable(self, alpha: float, alternative: Alternative) -> float | None:
        if math.sqrt(self.n) <= self.critical(1 - 2 * tail_of(alpha, alternative)):
            return None  # not even a system that is right wherever the baseline is wrong
        low, high = 0.0, 1.0
        while low < (middle := (low + high) / 2) < high:
            low, high = (low, middle) if self.power(middle, alpha, alternative) >= ENOUGH else (middle, high)
        return high

    def ratio_to_margin(self, margin: float, alpha: float) -> float:
        share, more = (self.b + self.c) / self.n, normal_quantile(2 * ENOUGH - 1)
        return root_of_items(share, margin, self.critical(1 - 2 * alpha), more) / math.sqrt(self.n)


@dataclass(frozen=True)
class _ClusteredScore(_ScoreMargin):
    """The same of items in clusters, whose counts are those of the independent items that they are worth."""

    law: ClusteredProportions | None = None

    @classmethod
    def of(cls, law: ClusteredProportions) -> _ClusteredScore:
        worth = law.n_effective / law.n
        return cls(law.b * worth, law.c * worth, law.n_effective, f"{SCORE} on the CR2 variance", law)

    def tost(self, margin: float, alpha: float) -> Tost:
        assert self.law is not None
        return tost_clustered_proportions(self.law, margin, alpha=alpha)

    def critical(self, level: float) -> float:
        assert self.law is not None
        return student_quantile(level, self.law.found.df)


@dataclass(frozen=True)
class _AllAlike(EquivalenceProcedure):
    """No unit of ``n`` differs, so there is no variance; but units that differ cannot be frequent.

    Taken for granted is that no unit, seen or not, moves the gain by more than ``reach``/n. Then a gain of m needs a
    proportion of at least m/reach units that differ, and none of n is seen with a chance of at most (1 - m/reach)^n. As
    few units do not tell their range, no margin counts for more than half of it, and units too few to reach alpha by
    that give no answer.
    """

    n: float
    reach: float
    highest: float
    method: str = "exact binomial, as no unit differs"

    def tost(self, margin: float, alpha: float) -> Tost | None:
        if self.reach == 0 or _HALF**self.n > alpha:
            return None
        p = max(1 - margin / self.reach, _HALF) ** self.n
        most = min(self.reach * -math.expm1(math.log(alpha) / self.n), self.highest)
        return Tost(statistic_lower=math.nan, p_lower=p, statistic_upper=math.nan, p_upper=p, low=-most, high=most)

    def power(self, gain: float, alpha: float, alternative: Alternative) -> None:
        return None

    def detectable(self, alpha: float, alternative: Alternative) -> None:
        return None


def _jackknife_t(pair: GainContrast) -> TTest:
    """t over pseudo-values of the units, whose means within strata are not part of their variance."""
    design, n = pair.stats.design, pair.n_units
    values = design.centre(n * pair.gain - (n - 1) * pair.without_units)
    strata = design.strata_of_units
    squares = sum(len(h) / (len(h) - 1) * float(values[h] @ values[h]) for h in strata if len(h) > 1)
    constant = float(np.ptp(pair.without_units)) <= pair.slack
    return t_from(pair.gain, 0.0 if constant else math.sqrt(squares) / n, n - len(strata))
