"""A t test of means, paired or of two samples: its power by the noncentral t law, and the rules of thumb beside it.

Null hypothesis: the mean difference is 0. Power counts rejections on either side where the test is two-sided; R's
``power.t.test`` leaves the wrong side out unless it is told ``strict = TRUE``, and so does ``strict=False`` here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy import optimize, special

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.extreme import Alternative, tail_of
from outscore.power.plans import Closed, PowerAtSize, Question, claims, partial_moments, plan, round_up

_FEWEST = 2.0
_MOST = 1e15
_NODES = 999  # of the law of the standard deviation, over which the size of significant gains is averaged


@dataclass(frozen=True, kw_only=True)
class TDesign:
    """A t test of two systems.

    Attributes:
        sd: standard deviation of the differences, or of the scores of each system where they are not paired.
        paired: both systems answer the same items; otherwise n items each.
        skewness: of the differences.
        alpha: level; ``alternative``: the side.
        strict: rejections on the wrong side count too.
    """

    sd: float
    paired: bool = True
    skewness: float = 0.0
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    strict: bool = True

    def __post_init__(self) -> None:
        if not self.sd > 0:
            raise UsageError(f"sd={self.sd}: expected a standard deviation above 0")
        if math.isnan(self.skewness):
            raise UsageError("skewness=nan: expected a number")

    def error(self, n: float) -> float:
        """Standard error of the gain on n items; n need not be whole."""
        return self.sd * math.sqrt((1 if self.paired else 2) / n)

    def power(self, n: float, effect: float, *, gains: bool = True) -> PowerAtSize:
        """The chance of a rejection on n items where the gain is ``effect``; ``gains`` as in ``t_power``."""
        df = (n - 1) * (1 if self.paired else 2)
        skewness = self.skewness / math.sqrt(n)
        return t_power(
            effect, self.error(n), df, self.alpha, self.alternative, strict=self.strict, skewness=skewness, gains=gains
        )

    def items(self, effect: float, power: float) -> float:
        """Items at which the power is reached, not rounded; infinite where no number is enough."""
        if not claims(effect, self.alternative):
            return math.inf

        def missing(n: float) -> float:
            return power - self.power(n, effect, gains=False).power

        if missing(_FEWEST) <= 0:
            return _FEWEST
        most = 2 * _FEWEST
        while missing(most) > 0:
            most *= 2
            if most > _MOST:
                return math.inf
        return _root(missing, most / 2, most)

    def detectable(self, n: float, power: float) -> float:
        """The smallest gain, on the claimed side, that n items show with this power; infinite where none is enough."""
        sign = -1.0 if self.alternative == "less" else 1.0
        error = self.error(n)
        high = 1.0

        def missing(steps: float) -> float:
            return power - self.power(n, sign * steps * error, gains=False).power

        if not missing(0.0) > 0:
            raise UsageError(f"{n:g} items reject so often without a gain: a larger power, or less skewness")
        while missing(high) > 0:
            high *= 2
            if high > _MOST:
                return math.inf
        return error * _root(missing, 0.0, high)


def t_power(
    effect: float,
    error: float,
    df: float,
    alpha: float,
    alternative: Alternative,
    *,
    strict: bool = True,
    skewness: float = 0.0,
    gains: bool = True,
) -> PowerAtSize:
    """The power of a t test with this standard error and these degrees of freedom: T is noncentral, effect / error.

    Args:
        skewness: of the mean, to the first order of which the law is mended (Edgeworth): its correlation with the
            estimated variance makes T skew the other way.
        gains: whether the size of significant gains is wanted, which takes most of the time.
    """
    shift = effect / error
    critical = -float(special.stdtrit(df, tail_of(alpha, alternative)))  # 1 - alpha would round to 1
    sides = [side for side, without in ((1, "less"), (-1, "greater")) if alternative != without]
    powers = [1 - float(special.nctdtr(df, side * shift, critical)) for side in sides]
    sizes: tuple[float, ...] = ()
    masses: tuple[float, ...] = ()
    if gains or any(map(math.isnan, powers)):
        # given the estimated deviation, as a multiple u of the true one, the gain is normal and rejected beyond u t
        bound = critical * _deviations(df)
        sizes, masses = zip(*(partial_moments(side * shift, bound) for side in sides), strict=True)
        # far out the noncentral t law has no number, and the average over the nodes is as good
        powers = [mass if math.isnan(power) else power for power, mass in zip(powers, masses, strict=True)]
    if skewness:
        bends = [side * _bend(critical, side * shift) for side in sides]
        powers = [min(max(power - skewness * bend, 0.0), 1.0) for power, bend in zip(powers, bends, strict=True)]
    wrong = sum(power for side, power in zip(sides, powers, strict=True) if side * shift < 0)
    return PowerAtSize(
        power=sum(powers) if strict else sum(powers) - wrong,
        wrong=wrong if strict else 0.0,
        size=error * sum(sizes) / sum(masses) if sum(masses) > 0 else None,
    )


@lru_cache(maxsize=32)  # the search for a gain asks for one law many times
def _deviations(df: float) -> Float:
    """Estimated deviations as multiples of the true one, equally likely each."""
    return np.asarray(np.sqrt(special.chdtri(df, (np.arange(_NODES) + 0.5) / _NODES) / df))


def _bend(critical: float, shift: float) -> float:
    """Loss of P(T > critical) for each unit of skewness of the mean."""
    y = critical - shift
    return math.exp(-y * y / 2) / math.sqrt(2 * math.pi) * (2 * y * y + 1 + 3 * shift * y) / 6


def van_belle_items(effect: float, sd: float) -> float:
    """Items of each group for 80 % at 5 %, two-sided, two samples, by the rule of thumb 16 (sd / effect)².

    Source: van Belle 2008, Statistical Rules of Thumb, 2.1.
    """
    return 16 * (sd / effect) ** 2


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(optimize.brentq(function, low, high, xtol=1e-12, rtol=1e-12, maxiter=500))


@plan("t")
@dataclass(frozen=True)
class TPlan(Closed):
    """Power of a t test by the noncentral t law.

    Args:
        sd: standard deviation of the differences item by item; of the scores of each system where not paired.
        paired: both systems answer the same items; otherwise n runs, or other independent items, of each.
        strict: two-sided power counts rejections on the wrong side; false leaves them out, as R's default does.
        skewness: of the differences, where they are not near normal.
    """

    null: ClassVar[str] = "the mean difference on new items is 0"
    unit: ClassVar[str] = "unit of the scores"
    citation: ClassVar[str] = "Student 1908; Cohen 1988"
    also: ClassVar[tuple[str, ...]] = (
        "t_test",
        "paired_t",
        "paired_t_test",
        "two_sample_t:paired=false",
        "ttest_ind:paired=false",
    )
    outside: ClassVar[Mapping[str, str]] = {**Closed.outside, "d": "--effect in standard deviations, beside t:sd=1"}

    sd: float
    paired: bool = True
    strict: bool = True
    skewness: float = 0.0

    @property
    def procedure(self) -> str:  # type: ignore[override]
        return "paired t" if self.paired else "two-sample t"

    @property
    def sizes(self) -> str:  # type: ignore[override]
        return "items" if self.paired else "runs or items of each system"

    @property
    def assumes(self) -> str:
        of = "the differences" if self.paired else "the scores of each system"
        shape = f", with skewness {self.skewness:.3g} and" if self.skewness else " and near normal, with"
        return f"{of} are independent{shape} standard deviation {self.sd:g}"

    def power(self, n: float, question: Question) -> PowerAtSize:
        return self._design(question).power(n, question.effect)

    def items(self, question: Question) -> float | None:
        return round_up(self._design(question).items(question.effect, question.target))

    def detectable(self, n: float, question: Question) -> float | None:
        gain = self._design(question).detectable(n, question.target)
        return gain if math.isfinite(gain) else None

    def _design(self, question: Question) -> TDesign:
        return TDesign(
            sd=self.sd,
            paired=self.paired,
            skewness=self.skewness,
            alpha=question.alpha,
            alternative=question.alternative,
            strict=self.strict,
        )
