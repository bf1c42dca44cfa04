"""Equivalence by two one-sided tests, and non-inferiority by one of them."""

from __future__ import annotations

from dataclasses import dataclass

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.significance.textbook.clustered import ClusteredShares
from outscore.significance.textbook.proportions import tango, tango_score
from outscore.significance.textbook.student import paired_t, t_from
from outscore.significance.textbook.tails import normal_p


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


def tost(differences: Float, margin: float, *, alpha: float = 0.05) -> Tost:
    """Two one-sided paired t tests.

    Null hypothesis: the expected difference is at least ``margin`` away from 0.

    Args:
        differences: shape ``(n,)``, system minus baseline.
        margin: the largest difference that does not matter, above 0, fixed before seeing the data.
        alpha: level of each test; the interval covers 1 - 2 alpha.

    Raises:
        UsageError: the margin is not above 0.
    """
    plain = paired_t(differences)
    return tost_from(plain.estimate, plain.se, plain.df, margin, alpha=alpha)


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
        alpha: as in ``tost``.

    Raises:
        UsageError: the margin is not above 0, or no gain could reach it.
    """
    _check_share(margin)
    z_lower, z_upper = tango_score(b, c, n, -margin), tango_score(b, c, n, margin)
    low, high = tango(b, c, n, 1 - 2 * alpha)
    return Tost(
        statistic_lower=z_lower, p_lower=normal_p(z_lower, "greater"),
        statistic_upper=z_upper, p_upper=normal_p(z_upper, "less"), low=low, high=high,
    )  # fmt: skip


def tost_clustered_shares(law: ClusteredShares, margin: float, *, alpha: float = 0.05) -> Tost:
    """The same of items in clusters, by the score tests of ``ClusteredShares``."""
    _check_share(margin)
    low, high = law.ends(1 - 2 * alpha)
    return Tost(
        statistic_lower=law.statistic(-margin), p_lower=law.p(-margin, "greater"),
        statistic_upper=law.statistic(margin), p_upper=law.p(margin, "less"), low=low, high=high,
    )  # fmt: skip


def _check_share(margin: float) -> None:
    _check(margin)
    if margin >= 1:
        raise UsageError(f"margin {margin:g}: a difference of shares lies below 1")


def _check(margin: float) -> None:
    if not margin > 0:
        raise UsageError(f"margin {margin:g}: expected a number above 0")
