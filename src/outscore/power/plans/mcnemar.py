"""Two systems that are right or wrong on the same items: power of McNemar's test, exact and by Connor's approximation.

Two systems are described by p10, the proportion of items that the system has right and the baseline wrong, and p01, the
share with the reverse; p10 - p01 is the gain in accuracy. Null hypothesis of the test: p10 = p01.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
from scipy import special

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.limits import check_memory
from outscore.engine.beta import normal_cdf, normal_ppf
from outscore.engine.extreme import Alternative, tail_of
from outscore.power.plans import (
    Closed,
    PowerAtSize,
    Question,
    claims,
    plan,
    sign_gain,
    smallest,
    smallest_gain,
)
from outscore.significance.discordant import Method, choose_variant

_MANY, _FAR = 100, 0.1
"""Discordant pairs from which Connor's approximation is this near to the exact power."""

_DENSE = 10_000  # numbers of discordant pairs
_PLACE = 150  # bytes of a number of discordant pairs
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
    method: Method = "chi2",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    gains: bool = True,
) -> McNemarPower:
    """Exact unconditional power of McNemar's test; null hypothesis: p10 = p01.

    D ~ Binomial(n, p10 + p01) items are discordant, and b ~ Binomial(D, p10/(p10 + p01)) of them favour the system.
    Power is the sum over D of P(D) P(p-value of (b, D - b) <= alpha | D); the second factor serves all sizes, and D
    runs over all but 1e-30 of its law (Connor 1987; Card et al. 2020 simulate the same number).

    Args:
        p10: proportion of items that the system has right and the baseline wrong.
        p01: proportion of items with the reverse.
        n: numbers of items.
        method: chi2, midp, exact or chi2-cc, as in ``mcnemar``.
        alternative: the side; ``greater`` claims that the system is better.
        alpha: level of the test.
        gains: whether ``size`` is wanted; it is NaN otherwise.

    Raises:
        UsageError: p10 and p01 are no proportions of one whole, alpha is not between 0 and 1, a size is below 1, or the
            method is unknown.
    """
    discordance = _check_proportions(p10, p01, alpha)
    sizes = np.atleast_1d(np.asarray(n, dtype=np.int64))
    if sizes.min() < 1:
        raise UsageError(f"n={sizes.min()}: expected at least 1 item")
    laws, pairs, most = _laws(tuple(map(int, sizes)), discordance, tail_of(alpha, alternative), method)
    favour = p10 / discordance if discordance else 0.5

    def tail(side: Alternative, against: float) -> Float:
        if alternative not in ("two-sided", side):
            return np.zeros(pairs.size)
        return np.where(most >= 0, special.bdtr(np.maximum(most, 0), pairs, against), 0.0)

    system, baseline = tail("greater", 1 - favour), tail("less", favour)
    better = system * (p10 > p01) + baseline * (p10 < p01)

    def found_gains(side: Alternative, against: float) -> Float:
        # E[b; b >= k] = D f P(b' >= k - 1) with one pair less, and so for c
        if alternative not in ("two-sided", side):
            return np.zeros(pairs.size)
        fewer, most_less = np.maximum(pairs - 1, 0), np.minimum(most, pairs - 1)
        own = np.where(most_less >= 0, special.bdtr(np.maximum(most_less, 0), fewer, against), 0.0)
        other = np.where(most >= 1, special.bdtr(np.maximum(np.minimum(most, pairs) - 1, 0), fewer, against), 0.0)
        return pairs * ((1 - against) * own - against * other)

    differences = np.full(pairs.size, np.nan)
    if gains:
        differences = found_gains("greater", 1 - favour) + found_gains("less", favour)
    rejects = np.stack([system + baseline, better, differences], axis=1)
    found = np.array([mass @ rejects[np.searchsorted(pairs, support)] for support, mass in laws])
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
    z = -normal_ppf(tail_of(alpha, alternative))
    return normal_cdf((gain * math.sqrt(n) - z * math.sqrt(psi)) / spread)


def agreement_bounds(acc_a: float, acc_b: float) -> tuple[float, float]:
    """Least and most proportion of items on which two systems of these accuracies can agree: both right or both wrong.

    Most: the worse system is right only where the better one is. Least: p10 = min(acc_a, 1 - acc_b).
    """
    for accuracy in (acc_a, acc_b):
        if not 0 <= accuracy <= 1:
            raise UsageError(f"accuracy {accuracy:.4g}: expected a proportion from 0 to 1; a gain of 2 points is 0.02")
    return abs(acc_a + acc_b - 1), 1 - abs(acc_a - acc_b)


def discordant_proportions(acc_a: float, acc_b: float, agreement: float) -> tuple[float, float]:
    """p10 and p01 of two systems by their accuracies and the proportion of items on which both are right or both wrong.

    p10 = (1 - agreement + Δ)/2 and p01 = (1 - agreement - Δ)/2 with Δ = acc_a - acc_b (Card et al. 2020).

    Raises:
        UsageError: an accuracy that is no share, or an agreement that these accuracies do not allow.
    """
    least, most = agreement_bounds(acc_a, acc_b)
    if not least - ROUNDING <= agreement <= most + ROUNDING:
        raise UsageError(f"agreement {agreement}: accuracies {acc_a:g} and {acc_b:g} allow {least:.4g} to {most:.4g}")
    gain = acc_a - acc_b
    return max((1 - agreement + gain) / 2, 0.0), max((1 - agreement - gain) / 2, 0.0)


@lru_cache(maxsize=32)  # the search for a gain asks for one law many times
def _laws(
    sizes: tuple[int, ...], discordance: float, tail: float, method: Method
) -> tuple[list[tuple[Int, Float]], Int, Int]:
    """Laws of the discordant pairs of each size, all their numbers, and for each of those ``_most_against``."""
    laws = [discordant_law(size, discordance) for size in sizes]
    pairs = np.unique(np.concatenate([support for support, _ in laws]))
    return laws, pairs, _most_against(pairs, tail, method)


def discordant_law(n: int, discordance: float) -> tuple[Int, Float]:
    """Numbers of discordant pairs and their probabilities, Binomial(n, discordance).

    By Bernstein's inequality less than 2 e^-72 lies further than 12 sd + 48 from the mean. Of more than ``_DENSE``
    every k-th stands for its neighbours, k odd as p goes by even and odd numbers: it changes power by less than 1e-6.
    """
    mean, sd = n * discordance, math.sqrt(n * discordance * (1 - discordance))
    reach = 12 * sd + 48 if sd else 0.0
    check_memory(f"law of {n:,} items", _PLACE * 2 * reach)
    support = np.arange(max(0, math.ceil(mean - reach)), min(n, math.floor(mean + reach)) + 1)
    below = support[:-1]
    growth = np.log((n - below) * discordance) - np.log((below + 1) * (1 - discordance))
    logs = np.concatenate([[0.0], np.cumsum(growth)])
    mass = np.exp(logs - logs.max())
    step = support.size // _DENSE | 1
    return support[::step], mass[::step] / mass[::step].sum()


def _most_against(pairs: Int, tail: float, method: Method) -> Int:
    """How many of the discordant pairs may favour the other system where one tail still rejects; -1 for never."""
    z = normal_ppf(tail)
    if method in ("chi2", "chi2-cc"):
        shrink = 1 if method == "chi2-cc" else 0
        most = np.floor((pairs - shrink + z * np.sqrt(pairs)) / 2).astype(np.int64)
        return np.where(pairs > 0, np.clip(most, -1, pairs), -1)
    if method not in ("exact", "midp"):
        raise UsageError(f"method={method!r}: expected chi2, midp, exact or chi2-cc")

    def at_most(k: Int) -> Float:
        return np.where(k >= 0, special.bdtr(np.maximum(k, 0), pairs, 0.5), 0.0)

    def p(k: Int) -> Float:
        return at_most(k) if method == "exact" else (at_most(k) + at_most(k - 1)) / 2

    # the normal quantile is at most a few off: walk to the last one that is not above the tail
    half = 1 if method == "exact" else 0
    most = np.clip(np.floor((pairs - half + z * np.sqrt(pairs)) / 2).astype(np.int64), -1, pairs)
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
    psi = _check_proportions(p10, p01, alpha)
    gain = p10 - p01
    variance = psi - gain * gain
    if variance <= 0:
        raise UsageError(f"p10={p10}, p01={p01}: the normal approximation needs differences that vary")
    return {"two-sided": abs(gain), "greater": gain, "less": -gain}[alternative], psi, math.sqrt(variance)


def _check_proportions(p10: float, p01: float, alpha: float) -> float:
    """The proportion of discordant items."""
    if not (p10 >= 0 and p01 >= 0 and p10 + p01 <= 1 + ROUNDING):
        raise UsageError(f"p10={p10}, p01={p01}: expected proportions of items, together at most 1")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha={alpha}: expected a number between 0 and 1, such as 0.05")
    return min(p10 + p01, 1.0)


@plan("mcnemar")
@dataclass(frozen=True)
class McNemarPlan(Closed):
    """Exact power of McNemar's test, from the disagreements or from accuracies and agreement.

    Args:
        p10: proportion of items that the system has right and the baseline wrong; ``p01`` the reverse. Their difference
            is the gain.
        baseline: accuracy of the baseline, where the gain is given by itself.
        agreement: proportion of items on which both are right or both wrong. Where it is not known the power is that of
            the least agreement that the accuracies allow, and the range goes to the most.
        variant: chi2 (exact below 8 items), midp, exact or chi2-cc, as in the test.
    """

    null: ClassVar[str] = "the systems are right equally often"
    kind: ClassVar[str] = "exact"
    unit: ClassVar[str] = "accuracy 0-1"
    citation: ClassVar[str] = "McNemar 1947; Connor 1987; Card et al. 2020"

    p10: float | None = None
    p01: float | None = None
    baseline: float | None = None
    agreement: float | None = None
    variant: Literal["chi2", "midp", "exact", "chi2-cc"] = "chi2"

    def __post_init__(self) -> None:
        shares = (self.p10 is None) + (self.p01 is None)
        if shares == 1 or (shares == 0) != (self.baseline is None):
            raise UsageError(
                "mcnemar needs either baseline and --effect (and agreement, if it is known), as in "
                "mcnemar:baseline=0.8,agreement=0.9, or p10 and p01"
            )
        if shares == 0 and self.agreement is not None:
            raise UsageError("mcnemar: p10 and p01 say the agreement; leave agreement out")

    @property
    def procedure(self) -> str:  # type: ignore[override]
        return {"midp": "McNemar mid-p", "exact": "McNemar exact", "chi2": "McNemar"}.get(
            self.variant, "McNemar with continuity correction"
        )

    @property
    def assumes(self) -> str:
        if self.p10 is not None:
            return (
                f"independent items; the system alone is right on {self.p10:.4g}, the baseline alone on {self.p01:.4g}"
            )
        known = f"the systems agree on {self.agreement:.4g}" if self.agreement is not None else "agreement is not known"
        return f"independent items; the baseline is right on {self.baseline:.4g} of them; {known}"

    def effect(self, given: float | None) -> float:
        if self.p10 is None or self.p01 is None:
            return super().effect(given)
        return self.gain_of_proportions(self.p10, self.p01, given)

    def power(self, n: float, question: Question) -> PowerAtSize:
        return self._power(n, question, *self._find_proportions(question.effect, most=False))

    def items(self, question: Question) -> float | None:
        if not claims(question.effect, question.alternative):
            return None
        p10, p01 = self._find_proportions(question.effect, most=False)

        def enough(n: int) -> bool:
            if n * (p10 + p01) > _MANY and p10 + p01 > (p10 - p01) ** 2:
                near = connor_power(p10, p01, n, alternative=question.alternative, alpha=question.alpha)
                if abs(near - question.target) > _FAR:
                    return near > question.target
            return self._power(n, question, p10, p01, gains=False).power >= question.target

        return smallest(enough)

    def range(self, n: float, question: Question) -> tuple[float, float] | None:
        if self.p10 is not None or self.agreement is not None:
            return None
        found = [
            self._power(n, question, *self._find_proportions(question.effect, most=most)).power
            for most in (False, True)
        ]
        return min(found), max(found)

    def detectable(self, n: float, question: Question) -> float | None:
        side = question.alternative

        def power(gain: float) -> float:
            effect = sign_gain(gain, side)
            if not self._is_possible(effect):
                return 0.0
            return self._power(n, question, *self._find_proportions(effect, most=False), gains=False).power

        return smallest_gain(power, question.target, self._largest(side == "less"))

    def _is_possible(self, effect: float) -> bool:
        """Whether systems that lie so far apart can agree as often as was said."""
        if self.agreement is None or self.baseline is None:
            return True
        least, most = agreement_bounds(self.baseline + effect, self.baseline)
        return least - ROUNDING <= self.agreement <= most + ROUNDING

    def _largest(self, less: bool) -> float:
        """The largest gain that the options leave room for."""
        if self.p10 is not None and self.p01 is not None:
            return self.p10 + self.p01
        assert self.baseline is not None, "checked when made"
        room = self.baseline if less else 1 - self.baseline
        if self.agreement is None:
            return room
        # systems that are both right, or both wrong, on many items must agree on some
        apart = self.agreement + (2 * self.baseline - 1) * (1 if less else -1)
        return min(room, 1 - self.agreement, apart)

    def _find_proportions(self, effect: float, *, most: bool) -> tuple[float, float]:
        """p10 and p01 for a gain, with the most or the least agreement where it is not known."""
        if self.p10 is not None and self.p01 is not None:
            together = self.p10 + self.p01
            return (together + effect) / 2, (together - effect) / 2
        assert self.baseline is not None, "checked when made"
        accuracy = self.baseline + effect
        bounds = agreement_bounds(accuracy, self.baseline)
        return discordant_proportions(
            accuracy, self.baseline, bounds[most] if self.agreement is None else self.agreement
        )

    def _power(self, n: float, question: Question, p10: float, p01: float, *, gains: bool = True) -> PowerAtSize:
        method = choose_variant(int(n), 0) if self.variant == "chi2" else self.variant
        found = mcnemar_power(
            p10, p01, int(n), method=method, alternative=question.alternative, alpha=question.alpha, gains=gains
        )
        power, size = float(found.power[0]), float(found.size[0])
        wrong = power - float(found.right_side[0]) if p10 != p01 else 0.0
        return PowerAtSize(power=power, wrong=wrong, size=None if math.isnan(size) else size)
