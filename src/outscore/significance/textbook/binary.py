"""Sign test and McNemar's test on discordant pairs, with the odds ratio.

b counts items that the system has right and the baseline wrong (or: positive differences), c the reverse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.significance.textbook.proportions import clopper_pearson
from outscore.significance.textbook.tails import normal_p

Method = Literal["midp", "exact", "chi2", "chi2-cc"]


@dataclass(frozen=True, kw_only=True)
class Discordance:
    """A test on discordant pairs.

    Attributes:
        statistic: χ² of the chi2 methods, otherwise b; NaN where χ² is 0/0.
        p: p-value on the side of ``alternative``.
        b: pairs in favour of the system.
        c: pairs in favour of the baseline.
        odds_ratio: b/c, infinite for c = 0, NaN without discordant pairs.
        odds_low: lower end of its exact interval, from Clopper-Pearson on b/(b + c).
        odds_high: upper end.
        level: level of that interval.
        method: midp, exact, chi2 or chi2-cc.
        alternative: the side.
        min_p: the least p these b + c pairs could give with this method and side.
        degenerate: ``no_discordant_pairs`` or the empty string.
    """

    statistic: float
    p: float
    b: int
    c: int
    odds_ratio: float
    odds_low: float
    odds_high: float
    level: float
    method: Method
    alternative: Alternative
    min_p: float
    degenerate: Literal["", "no_discordant_pairs"] = ""


def mcnemar(
    b: int, c: int, *, method: Method = "midp", alternative: Alternative = "two-sided", level: float = 0.95
) -> Discordance:
    """McNemar's test.

    Null hypothesis: a discordant pair is as likely to favour either system.

    ``exact``: b ~ Binomial(b + c, ½), two-sided p doubled; ``midp``: half the probability of the observed b
    is left out of each tail (Fagerland et al. 2013); ``chi2``: (b - c)²/(b + c); ``chi2-cc``: max(|b - c| -
    1, 0)²/(b + c) (Edwards 1948). One-sided chi2 takes the signed root. Without discordant pairs p = 1
    (one-sided mid-p: ½).

    Raises:
        UsageError: a negative count or an unknown method.
    """
    if b < 0 or c < 0:
        raise UsageError(f"b={b}, c={c}: counts cannot be negative")
    low, high = clopper_pearson(b, b + c, level) if b + c else (0.0, 1.0)
    statistic, p = _p(b, c, method, alternative)
    n = b + c
    return Discordance(
        statistic=statistic,
        p=p,
        b=b,
        c=c,
        odds_ratio=b / c if c else (math.inf if b else math.nan),
        odds_low=low / (1 - low) if low < 1 else math.inf,
        odds_high=high / (1 - high) if high < 1 else math.inf,
        level=level,
        method=method,
        alternative=alternative,
        min_p=_p(*((0, n) if alternative == "less" else (n, 0)), method, alternative)[1],
        degenerate="" if n else "no_discordant_pairs",
    )


def sign_test(
    differences: Float,
    *,
    method: Method = "exact",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Discordance:
    """Sign test.

    Null hypothesis H_med: P(d > 0) = P(d < 0); it is no test of the mean. Zero differences are dropped.

    The same as ``mcnemar`` on the numbers of positive and negative differences; arguments as there.
    """
    positive, negative = int((differences > 0).sum()), int((differences < 0).sum())
    return mcnemar(positive, negative, method=method, alternative=alternative, level=level)


def _p(b: int, c: int, method: Method, alternative: Alternative) -> tuple[float, float]:
    """Statistic and p of one method."""
    if method in ("exact", "midp"):
        return float(b), _binomial_p(b, c, alternative, midp=method == "midp")
    if method not in ("chi2", "chi2-cc"):
        raise UsageError(f"method={method!r}: expected midp, exact, chi2 or chi2-cc")
    if b + c == 0:
        return math.nan, 1.0
    shrink = 1 if method == "chi2-cc" else 0
    root = math.sqrt(b + c)
    if alternative == "two-sided":
        z = max(abs(b - c) - shrink, 0) / root
        return z * z, normal_p(z)
    z = (b - c - shrink if alternative == "greater" else b - c + shrink) / root
    return (max(abs(b - c) - shrink, 0) / root) ** 2, normal_p(z, alternative)


def _binomial_p(b: int, c: int, alternative: Alternative, *, midp: bool) -> float:
    n = b + c
    if alternative == "two-sided":
        if b == c:
            return 1.0
        return min(1.0, 2 * _lower_tail(min(b, c), n) - (_point(b, n) if midp else 0.0))
    tail = _lower_tail(c if alternative == "greater" else b, n)  # P(X >= b) = P(X <= c) at probability ½
    return tail - _point(b, n) / 2 if midp else tail


def _lower_tail(k: int, n: int) -> float:
    from scipy import special

    return float(special.bdtr(k, n, 0.5)) if n else 1.0


def _point(k: int, n: int) -> float:
    """P(X = k) for Binomial(n, ½)."""
    if n < 1000:
        return float(math.comb(n, k) / 2**n)
    return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))
