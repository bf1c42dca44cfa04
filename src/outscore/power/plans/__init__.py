"""Named designs of an evaluation that is still to be made: ``t:sd=0.3``, ``mcnemar:p10=0.1,p01=0.05``.

A plan knows, or simulates, the chance that its test finds a gain. What it takes for granted are its options. The law of
the power of its test is in the same file.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
from scipy import optimize, special

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.registry import Registry, spell
from outscore.engine.extreme import Alternative

MOST_ITEMS = 10**9
"""Beyond that an evaluation is not planned."""

_NOTHING = 2.0**-60  # of the largest gain


@dataclass(frozen=True, kw_only=True)
class Question:
    """The question asked of a plan.

    Attributes:
        effect: the gain to be found, in the metric's own unit, positive where the system is better.
        alpha: level of the test; ``alternative``: its side.
        target: the power that is wanted.
    """

    effect: float
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    target: float = 0.8


@dataclass(frozen=True)
class Plan(ABC):
    """A named design.

    Class attributes:
        null: the null hypothesis of its test, in words.
        procedure: the test, in words.
        unit: of measurement of the gain.
        sizes: the things that n counts.
        citation: the source.
        also: what others call it, see ``Registry``; ``outside``: what stands beside the design and is no option of it.
    """

    name: ClassVar[str]
    null: ClassVar[str]
    procedure: ClassVar[str]
    unit: ClassVar[str]
    sizes: ClassVar[str] = "items"
    citation: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    outside: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("n", "items", "sizes"), "--sizes"),
        **dict.fromkeys(("effect", "delta", "gain"), "--effect"),
        "alternative": "--alternative",
        "alpha": "--alpha",
        "power": "--power",
    }

    @property
    def label(self) -> str:
        """Its name with the options that differ from the defaults."""
        return spell(self)

    @property
    @abstractmethod
    def assumes(self) -> str:
        """The assumptions, in words."""

    def effect(self, given: float | None) -> float:
        """The gain to be found.

        Raises:
            UsageError: none is given, or one where the options say it already.
        """
        if given is None:
            raise UsageError(
                f"{self.name}: the gain to be found is missing: give the smallest one that matters, --effect"
            )
        return given

    def gain_of_proportions(self, p10: float, p01: float, given: float | None) -> float:
        """The gain p10 - p01 of two proportions of items that are options.

        Raises:
            UsageError: another gain is given.
        """
        own = p10 - p01
        if given is not None and not math.isclose(given, own, abs_tol=1e-9):
            raise UsageError(f"{self.name}: p10 - p01 is {own:g}, but --effect is {given:g}; leave one of them out")
        return own


@dataclass(frozen=True)
class Closed(Plan):
    """A plan whose power is computed and not simulated."""

    kind: ClassVar[str] = "asymptotic"

    @abstractmethod
    def power(self, n: float, question: Question) -> PowerAtSize:
        """The power of the test on n items."""

    def range(self, n: float, question: Question) -> tuple[float, float] | None:
        """The least and the most power where an option that is not known leaves it open; None where none does."""
        del n, question
        return None

    def items(self, question: Question) -> float | None:
        """A whole number of items with the wanted power, where one item less has not; None where no number has it.

        It is the smallest where power grows with every item. That of an exact test rises in steps, between which it
        falls a little, so that a few numbers below may have it too.
        """
        if not claims(question.effect, question.alternative):
            return None
        return smallest(lambda n: self.power(n, question).power >= question.target)

    @abstractmethod
    def detectable(self, n: float, question: Question) -> float | None:
        """The smallest gain, on the claimed side, that n items show with the wanted power; None where none."""


def smallest(enough: Callable[[int], bool]) -> int | None:
    """The smallest number of items that is enough, where more are enough too; None beyond ``MOST_ITEMS``."""
    high = 2
    while not enough(high):
        high *= 2
        if high > MOST_ITEMS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def smallest_gain(power: Callable[[float], float], target: float, most: float) -> float | None:
    """The gain from 0 to ``most`` that is found with this power, which grows with it; None if ``most`` is not."""
    if not (most > 0 and power(most) >= target):
        return None
    least = most * _NOTHING
    if power(least) >= target:
        return least
    return float(optimize.brentq(lambda gain: power(gain) - target, least, most, xtol=1e-15, rtol=1e-14))


def sign_gain(gain: float, alternative: Alternative) -> float:
    """A gain on the side that is claimed."""
    return -gain if alternative == "less" else gain


def round_up(items: float) -> int | None:
    """Items rounded up; None where there is no such number."""
    return None if math.isinf(items) else math.ceil(items)


plans: Registry[Plan] = Registry(
    "plan", "outscore.power.plans", "outscore.plans", families={"bleu": "fake", "margin": "two_proportions"}
)
plan = plans.register


@dataclass(frozen=True, kw_only=True)
class PowerAtSize:
    """Power of a test at one size.

    Attributes:
        power: probability that it rejects.
        wrong: probability that it rejects in favour of the wrong system.
        size: the mean absolute value of a significant gain, in the unit of the gain; None where none is.
    """

    power: float
    wrong: float
    size: float | None

    def type_s(self, effect: float) -> float | None:
        """Proportion of significant gains of the wrong sign; None without a right sign (Gelman & Carlin 2014)."""
        return self.wrong / self.power if effect and self.power > 0 else None

    def type_m(self, effect: float) -> float | None:
        """How many times too large significant gains are on average; None without a gain (Gelman & Carlin 2014)."""
        return self.size / abs(effect) if effect and self.size is not None else None


def claims(effect: float, alternative: Alternative) -> bool:
    """Whether a gain of this sign is what the test looks for."""
    return effect != 0 and (alternative == "two-sided" or (effect > 0) == (alternative == "greater"))


def partial_moments(shift: float, bound: Float | float) -> tuple[float, float]:
    """E[X; X > bound] and P(X > bound) for a normal X with this mean and variance 1, averaged over bounds ``(m,)``."""
    inside = special.ndtr(shift - bound)
    with np.errstate(over="ignore"):
        density = np.exp(-((bound - shift) ** 2) / 2) / np.sqrt(2 * np.pi)
    return float(np.mean(shift * inside + density)), float(np.mean(inside))
