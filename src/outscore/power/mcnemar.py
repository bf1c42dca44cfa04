"""Power of McNemar's test: exact, without simulation, and by Connor's normal approximation.

Two systems are described by p10, the share of items that the system has right and the baseline wrong, and p01, the
share with the reverse; p10 - p01 is the gain in accuracy. Null hypothesis of the test: p10 = p01.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.engine.normal import normal_cdf, normal_ppf
from outscore.significance.discordant import Method

ROUNDING = 1e-12  # bounds are differences of decimals: 0.9 - 0.8 is not 0.1


@dataclass(frozen=True, kw_only=True)
class McNemarPower:
    """Power of McNemar's test on test sets of several sizes.

    Attributes:
        n: numbers of items ``(sizes,)``.
        power: probability that the test rejects ``(sizes,)``; its type-I error where p10 = p01.
        right_side: probability that it rejects in favour of the better system, 0 where neither is; the rest of
            ``power`` are gains of the wrong sign (type S errors).
        size: the mean absolute gain in accuracy among rejections ``(sizes,)``; NaN where there are none.
    """

    n: Int
    power: Float
    right_side: Float
    size: Float


def mcnemar_power(
    p10: float,
    p01: float,
    n: int | Sequence[int] | Int,
    *,
    method: Method = "midp",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> McNemarPower:
    """Exact unconditional power of McNemar's test; null hypothesis: p10 = p01.

    D ~ Binomial(n, p10 + p01) items are discordant, and b ~ Binomial(D, p10/(p10 + p01)) of them favour the system.
    Power is the sum over D of P(D) P(p-value of (b, D - b) <= alpha | D); the second factor serves all sizes, and D
    runs over all but 1e-30 of its law (Connor 1987; Card et al. 2020 simulate the same number).

    Args:
        p10: share of items that the system has right and the baseline wrong.
        p01: share of items with the reverse.
        n: numbers of items.
        method: midp, exact, chi2 or chi2-cc, as in ``mcnemar``.
        alternative: the side; ``greater`` claims that the system is better.
        alpha: level of the test.

    Raises:
        UsageError: p10 and p01 are no shares of one whole, alpha is not between 0 and 1, a size is below 1, or the
            method is unknown.
    """
    from scipy import special

    discordance = _checked(p10, p01, alpha)
    sizes = np.atleast_1d(np.asarray(n, dtype=np.int64))
    if sizes.min() < 1:
        raise UsageError(f"n={sizes.min()}: expected at least 1 item")
    laws = [_discordant_law(int(size), discordance) for size in sizes]
    pairs = np.unique(np.concatenate([support for support, _ in laws]))
    most = _most_against(pairs, _tail(alpha, alternative), method)
    favour = p10 / discordance if discordance else 0.5

    def tail(side: Alternative, against: float) -> Float:
        if alternative not in ("two-sided", side):
            return np.zeros(pairs.size)
        return np.where(most >= 0, special.bdtr(np.maximum(most, 0), pairs, against), 0.0)

    system, baseline = tail("greater", 1 - favour), tail("less", favour)
    better = system * (p10 > p01) + baseline * (p10 < p01)

    def gains(side: Alternative, against: float) -> Float:
        # E[b; b >= k] = D f P(b' >= k - 1) with one pair less, and so for c
        if alternative not in ("two-sided", side):
            return np.zeros(pairs.size)
        fewer, most_less = np.maximum(pairs - 1, 0), np.minimum(most, pairs - 1)
        own = np.where(most_less >= 0, special.bdtr(np.maximum(most_less, 0), fewer, against), 0.0)
        other = np.where(most >= 1, special.bdtr(np.maximum(np.minimum(most, pairs) - 1, 0), fewer, against), 0.0)
        return pairs * ((1 - against) * own - against * other)

    differences = gains("greater", 1 - favour) + gains("less", favour)
    rejects = np.stack([system + baseline, better, differences], axis=1)
    starts = [int(np.searchsorted(pairs, support[0])) for support, _ in laws]
    found = np.array([mass @ rejects[s : s + mass.size] for s, (_, mass) in zip(starts, laws, strict=True)])
    with np.errstate(invalid="ignore"):
        size = found[:, 2] / found[:, 0] / sizes
    power, right = np.minimum(found[:, :2], 1.0).T  # sums of probabilities may be off by rounding
    return McNemarPower(n=sizes, power=power, right_side=right, size=size)


def connor_power(
    p10: float, p01: float, n: int, *, alternative: Alternative = "two-sided", alpha: float = 0.05
) -> float:
    """Approximate power of the χ² test, Φ((δ√n - z√ψ) / √(ψ - δ²)) with δ = p10 - p01 and ψ = p10 + p01 (Connor 1987).

    Null hypothesis: p10 = p01. Two-sided counts the right side only. Arguments as in ``mcnemar_power``.
    """
    gain, psi, spread = _moments(p10, p01, alternative, alpha)
    z = -normal_ppf(_tail(alpha, alternative))
    return normal_cdf((gain * math.sqrt(n) - z * math.sqrt(psi)) / spread)


def connor_items(
    p10: float, p01: float, power: float = 0.8, *, alternative: Alternative = "two-sided", alpha: float = 0.05
) -> float:
    """Items at which ``connor_power`` reaches ``power``, ((z√ψ + z_power √(ψ - δ²)) / δ)², not rounded (Connor 1987).

    Infinite where the gain is 0 or on the other side. Arguments as in ``mcnemar_power``.
    """
    gain, psi, spread = _moments(p10, p01, alternative, alpha)
    if gain <= 0:
        return math.inf
    z = -normal_ppf(_tail(alpha, alternative))
    return ((z * math.sqrt(psi) + normal_ppf(power) * spread) / gain) ** 2


def agreement_bounds(acc_a: float, acc_b: float) -> tuple[float, float]:
    """Least and most share of items on which two systems of these accuracies can agree: both right or both wrong.

    Most: the worse system is right only where the better one is. Least: p10 = min(acc_a, 1 - acc_b).
    """
    for accuracy in (acc_a, acc_b):
        if not 0 <= accuracy <= 1:
            raise UsageError(f"accuracy {accuracy}: expected a share from 0 to 1")
    return abs(acc_a + acc_b - 1), 1 - abs(acc_a - acc_b)


def discordant_shares(acc_a: float, acc_b: float, agreement: float) -> tuple[float, float]:
    """p10 and p01 of two systems by their accuracies and the share of items on which both are right or both wrong.

    p10 = (1 - agreement + Δ)/2 and p01 = (1 - agreement - Δ)/2 with Δ = acc_a - acc_b (Card et al. 2020).

    Raises:
        UsageError: an accuracy that is no share, or an agreement that these accuracies do not allow.
    """
    least, most = agreement_bounds(acc_a, acc_b)
    if not least - ROUNDING <= agreement <= most + ROUNDING:
        raise UsageError(f"agreement {agreement}: accuracies {acc_a:g} and {acc_b:g} allow {least:.4g} to {most:.4g}")
    gain = acc_a - acc_b
    return max((1 - agreement + gain) / 2, 0.0), max((1 - agreement - gain) / 2, 0.0)


def _discordant_law(n: int, discordance: float) -> tuple[Int, Float]:
    """Numbers of discordant pairs and their probabilities, Binomial(n, discordance).

    By Bernstein's inequality less than 2 e^-72 lies further than 12 sd + 48 from the mean.
    """
    mean, sd = n * discordance, math.sqrt(n * discordance * (1 - discordance))
    reach = 12 * sd + 48 if sd else 0.0
    support = np.arange(max(0, math.ceil(mean - reach)), min(n, math.floor(mean + reach)) + 1)
    below = support[:-1]
    growth = np.log((n - below) * discordance) - np.log((below + 1) * (1 - discordance))
    logs = np.concatenate([[0.0], np.cumsum(growth)])
    mass = np.exp(logs - logs.max())
    return support, mass / mass.sum()


def _most_against(pairs: Int, tail: float, method: Method) -> Int:
    """How many of the discordant pairs may favour the other system where one tail still rejects; -1 for never."""
    from scipy import special

    z = normal_ppf(tail)
    if method in ("chi2", "chi2-cc"):
        shrink = 1 if method == "chi2-cc" else 0
        most = np.floor((pairs - shrink + z * np.sqrt(pairs)) / 2).astype(np.int64)
        return np.where(pairs > 0, np.clip(most, -1, pairs), -1)
    if method not in ("exact", "midp"):
        raise UsageError(f"method={method!r}: expected midp, exact, chi2 or chi2-cc")

    def at_most(k: Int) -> Float:
        return np.where(k >= 0, special.bdtr(np.maximum(k, 0), pairs, 0.5), 0.0)

    def p(k: Int) -> Float:
        return at_most(k) if method == "exact" else (at_most(k) + at_most(k - 1)) / 2

    # the normal quantile is at most a few off: walk to the last one that is not above the tail
    most = np.clip(np.floor((pairs - 1 + z * np.sqrt(pairs)) / 2).astype(np.int64), -1, pairs)
    while (up := (most < pairs) & (p(np.minimum(most + 1, pairs)) <= tail)).any():
        most += up
    while (down := (most >= 0) & (p(most) > tail)).any():
        most -= down
    return most


def _moments(p10: float, p01: float, alternative: Alternative, alpha: float) -> tuple[float, float, float]:
    """Gain on the claimed side, ψ and √(ψ - δ²).

    Raises:
        UsageError: in addition, without variance the approximation says nothing.
    """
    psi = _checked(p10, p01, alpha)
    gain = p10 - p01
    variance = psi - gain * gain
    if variance <= 0:
        raise UsageError(f"p10={p10}, p01={p01}: the normal approximation needs differences that vary")
    return {"two-sided": abs(gain), "greater": gain, "less": -gain}[alternative], psi, math.sqrt(variance)


def _tail(alpha: float, alternative: Alternative) -> float:
    """The level of one tail."""
    return alpha / 2 if alternative == "two-sided" else alpha


def _checked(p10: float, p01: float, alpha: float) -> float:
    """The share of discordant items."""
    if not (p10 >= 0 and p01 >= 0 and p10 + p01 <= 1 + ROUNDING):
        raise UsageError(f"p10={p10}, p01={p01}: expected shares of items, together at most 1")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha={alpha}: expected a number between 0 and 1, such as 0.05")
    return min(p10 + p01, 1.0)
