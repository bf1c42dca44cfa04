"""McNemar's test and the sign test, which count discordant pairs (McNemar 1947; Fagerland et al. 2013)."""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import ClassVar, Literal

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.beta import binomial_cdf
from outscore.engine.extreme import Alternative
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, Test, notes, test
from outscore.significance.gain import GainContrast
from outscore.significance.p_values import normal_p
from outscore.significance.proportions import clopper_pearson
from outscore.significance.settings import Settings
from outscore.significance.student import NO_ITEM_SCORES

_MANY = 40  # pairs of a board, from which on its intervals take longer than the import of scipy

_FEWEST = 8
_MOST_DIFFERENT = 0.9
_FEWEST_DIFFERENT = 6  # at levels above .05
_FEW = 20  # items that differ, where the exact p may be twice as large

NOT_EXACT = Note(
    code="not_exact",
    text=(
        "McNemar's test is close to its nominal level where the exact one is conservative, whose p is in the effect "
        "(p_exact)"
    ),
    remedy="--test mcnemar:variant=exact for a guaranteed level",
)
EXACT_ABOVE = Note(
    code="exact_disagrees",
    text="so few items differ that the exact test, which takes their number as given, does not show the difference",
    remedy="report the counts and p_exact; more items, or --test mcnemar:variant=exact for a guaranteed level",
)

Method = Literal["chi2", "midp", "exact", "chi2-cc"]


@dataclass(frozen=True)
class DiscordantPairs:
    """Items that one of two systems gets right and the other wrong, or on which one scores higher.

    The null hypothesis of all tests of them: a discordant pair is as likely to favour either system. It is none of
    means.

    Attributes:
        b: pairs in favour of the system.
        c: pairs in favour of the baseline.

    Raises:
        UsageError: a negative count.
    """

    b: int
    c: int

    def __post_init__(self) -> None:
        if self.b < 0 or self.c < 0:
            raise UsageError(f"b={self.b}, c={self.c}: counts cannot be negative")

    @classmethod
    def of(cls, differences: Float) -> DiscordantPairs:
        """Positive and negative differences; those of zero are dropped."""
        return cls(int((differences > 0).sum()), int((differences < 0).sum()))

    def p(self, method: Method = "chi2", alternative: Alternative = "two-sided") -> float:
        """The p-value of McNemar's test, and of the sign test, which is exact or mid-p.

        ``exact``: b ~ Binomial(b + c, ½), two-sided p doubled; ``midp``: half the probability of the observed b
        is left out of each tail (Fagerland et al. 2013); ``chi2`` and ``chi2-cc``: as ``chi2``, one-sided by the
        signed root. Without discordant pairs p = 1 (one-sided mid-p: ½).

        Raises:
            UsageError: an unknown method.
        """
        if method in ("exact", "midp"):
            return self._binomial_p(alternative, midp=method == "midp")
        if method not in ("chi2", "chi2-cc"):
            raise UsageError(f"method={method!r}: expected chi2, midp, exact or chi2-cc")
        n, distance = self.b + self.c, self.b - self.c
        if n == 0:
            return 1.0
        if alternative == "two-sided":
            return normal_p(self._z(corrected=method == "chi2-cc"))
        shrink = 1 if method == "chi2-cc" else 0
        moved = distance - shrink if alternative == "greater" else distance + shrink
        return normal_p(moved / math.sqrt(n), alternative)

    def p_min(self, method: Method = "chi2", alternative: Alternative = "two-sided") -> float:
        """The least p that so many pairs could give with this method and side."""
        n = self.b + self.c
        most = DiscordantPairs(0, n) if alternative == "less" else DiscordantPairs(n, 0)
        return most.p(method, alternative)

    def chi2(self, *, corrected: bool = False) -> float:
        """(b - c)²/(b + c), ``corrected`` max(|b - c| - 1, 0)²/(b + c) (Edwards 1948); NaN without discordant pairs."""
        return self._z(corrected=corrected) ** 2 if self.b + self.c else math.nan

    def odds_ratio(self, level: float = 0.95, *, many: bool = False) -> tuple[float, float, float]:
        """b/c and the ends of its exact interval, from Clopper-Pearson on b/(b + c).

        The ratio is infinite for c = 0 and NaN without discordant pairs; ``many`` as in ``clopper_pearson``.
        """
        n = self.b + self.c
        ratio = self.b / self.c if self.c else (math.inf if self.b else math.nan)
        ends = clopper_pearson(self.b, n, level, many=many) if n else (0.0, 1.0)
        low, high = (end / (1 - end) if end < 1 else math.inf for end in ends)
        return ratio, low, high

    def _z(self, *, corrected: bool) -> float:
        return max(abs(self.b - self.c) - (1 if corrected else 0), 0) / math.sqrt(self.b + self.c)

    def _binomial_p(self, alternative: Alternative, *, midp: bool) -> float:
        b, c, n = self.b, self.c, self.b + self.c
        if alternative == "two-sided":
            if b == c:
                return 1.0
            return min(1.0, 2 * binomial_cdf(min(b, c), n) - (_point(b, n) if midp else 0.0))
        tail = binomial_cdf(c if alternative == "greater" else b, n)  # P(X >= b) = P(X <= c) at probability ½
        return tail - _point(b, n) / 2 if midp else tail


def choose_variant(n: int, differ: int, alpha: float = 0.05) -> Literal["chi2", "exact"]:
    """The variant for n items of which so many differ.

    On fewer than 8 items, or where more than nine in ten differ, the score test errs in up to 7.8 % at 5 %: the numbers
    that differ are then too much alike for the steps of the binomial laws to even out. At a level of .1 two wins of two
    would do, one-sided: it errs in up to 13 %, and in 11 % where the exact test is taken below six that differ.
    """
    few = alpha > 0.05 + 1e-9 and differ < _FEWEST_DIFFERENT
    return "chi2" if n >= _FEWEST and differ <= _MOST_DIFFERENT * n and not few else "exact"


def _point(k: int, n: int) -> float:
    """P(X = k) for Binomial(n, ½)."""
    if n < 1000:
        return float(math.comb(n, k) / 2**n)
    return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))


@test("mcnemar")
@dataclass(frozen=True)
class McNemar(Test):
    """Among the items that one system gets right and the other wrong, is either system right more often?

    Args:
        variant: ``chi2``, the score test, agrees with Tango's interval and has the most power where few items differ.
            ``auto`` takes it from 8 items on if no more than nine in ten differ, and at levels above 5 % six or more,
            else ``exact``: at 5 % it errs in 5.6 % at most, at 10 % in 11 %. ``exact`` never exceeds its level;
            ``chi2-cc`` is corrected for continuity.
    """

    also: ClassVar[tuple[str, ...]] = ("mcnemar_midp:variant=midp", "mcnemar_exact:variant=exact")
    null: ClassVar[str] = "each system is as likely to be right alone as the other"
    formula: ClassVar[str] = (
        "b items that the system alone gets right, c that the baseline alone does; chi2: (b - c)²/(b + c); chi2-cc: "
        "(|b - c| - 1)²/(b + c); exact: p = min(1, 2 P(X ≤ min(b, c))), X ~ Binomial(b + c, ½); midp: p - P(X = min(b,"
        " c))"
    )
    applies: ClassVar[str] = "right or wrong answers to independent items, one run of each system"
    needs: ClassVar[str] = "items that are 1 or 0, one run of each system, no clusters"
    citation: ClassVar[str] = "McNemar 1947; Fagerland et al. 2013; interval: Tango 1998"

    variant: Literal["chi2", "midp", "exact", "chi2-cc"] = "chi2"

    def refuses(self, pair: GainContrast) -> str | None:
        if not pair.binary:
            return f"mcnemar needs one run of right or wrong (1 or 0) items: not {pair.stats.name}; use --test auto"
        return None

    def run(self, pair: GainContrast) -> Outcome:
        pairs, side = DiscordantPairs(*pair.discordant), pair.settings.alternative
        many = len(pair.resamples.pairs) >= _MANY
        ratio, low, high = pairs.odds_ratio(1 - pair.settings.alpha, many=many)
        said = []
        if pair.identical:
            said.append(notes.IDENTICAL)
        elif self.variant in ("chi2", "midp"):
            said.append(NOT_EXACT)
        if pair.clustered:
            said.append(notes.TEST_IGNORES_CLUSTERS)
        # also one-sided, where a p without any pair is one half or less
        p, exact = 1.0 if pair.identical else pairs.p(self.variant, side), pairs.p("exact", side)
        if p <= pair.settings.alpha < exact and pairs.b + pairs.c < _FEW:
            said.append(EXACT_ABOVE)
        return Outcome(
            p_value=p,
            p_kind=EXACT if self.variant in ("midp", "exact") else ASYMPTOTIC,
            p_min=pairs.p_min(self.variant, side),
            effect={
                "statistic": self._statistic(pairs),
                "odds_ratio": ratio,
                "odds_ratio_ci_low": low,
                "odds_ratio_ci_high": high,
                "p_exact": exact,
            },
            notes=tuple(said),
        )

    def _statistic(self, pairs: DiscordantPairs) -> float:
        """As scipy and statsmodels have it: χ², of the exact laws the smaller count."""
        if self.variant in ("chi2", "chi2-cc"):
            return pairs.chi2(corrected=self.variant == "chi2-cc") if pairs.b + pairs.c else 0.0
        return float(min(pairs.b, pairs.c))


@test("sign")
@dataclass(frozen=True)
class Sign(Test):
    """On more than half of the items where they differ, is one system better? Items without a difference are left out.

    Args:
        variant: ``exact`` or ``midp``.
    """

    also: ClassVar[tuple[str, ...]] = ("binomial",)
    null: ClassVar[str] = "a win is as likely as a loss"
    formula: ClassVar[str] = (
        "p = min(1, 2 P(X ≤ min(W, L))), X ~ Binomial(W + L, ½) with W wins and L losses; midp: p - P(X = min(W, L))"
    )
    applies: ClassVar[str] = (
        "only the direction of a difference means something, not its size; items are independent, and the claim is "
        "about wins, not about the mean"
    )
    needs: ClassVar[str] = "a score for each item; six items that differ for a two-sided p below .05"
    citation: ClassVar[str] = "Dror et al. 2018, The Hitchhiker's Guide to Testing Statistical Significance in NLP"

    variant: Literal["exact", "midp"] = "exact"

    def refuses(self, pair: GainContrast) -> str | None:
        return None if pair.stats.plain_mean else f"{pair.stats.name} {NO_ITEM_SCORES}"

    def run(self, pair: GainContrast) -> Outcome:
        pairs, side = DiscordantPairs.of(pair.differences), pair.settings.alternative
        return Outcome(
            # also one-sided, where a mid-p without any win is one half
            p_value=1.0 if pair.identical else pairs.p(self.variant, side),
            p_kind=EXACT,
            p_min=pairs.p_min(self.variant, side),
            favours=float(pairs.b - pairs.c),
            notes=rank_notes(pair),
        )


def rank_notes(pair: GainContrast) -> tuple[Note, ...]:
    """The notes that belong to a test of signs or ranks."""
    if pair.identical:
        return (notes.IDENTICAL,)
    return (
        notes.NOT_A_MEAN_TEST,
        *((notes.TEST_IGNORES_CLUSTERS,) if pair.clustered else ()),
        *((notes.ITEMS_ONLY,) if pair.has_runs else ()),
    )


def p_by_disagreements(
    a: float, b: float, half: float, n: int, settings: Settings, family: int = 1
) -> tuple[list[int | None], dict[int, float]]:
    """Of x and y right answers of n, on how many items two systems may differ for a gain to be shown by McNemar's test.

    For the smallest and the largest gain of counts that are at most ``half`` a place off a and b, and p, ``family``
    times, at the greatest number for the one, the least for the other. |y - x| items differ at least, min(x + y,
    2n - x - y) at most, by steps of two. At one net gain p rises with them, as (x - y)² is divided by their number,
    and more where the test is exact.
    """

    def ends(share: float) -> tuple[int, int]:
        low, high = math.ceil(n * (share - half) - 1e-6), math.floor(n * (share + half) + 1e-6)
        return (max(0, low), min(n, high)) if low <= high else (round(share * n),) * 2

    def of(x: int, y: int) -> tuple[int | None, list[tuple[int, float]]]:
        differ = range(abs(y - x), min(x + y, 2 * n - x - y) + 1, 2)

        def p(d: int) -> float:
            found = DiscordantPairs((d + y - x) // 2, (d - y + x) // 2)
            return min(1.0, family * found.p(choose_variant(n, d, settings.alpha), settings.alternative))

        shown = bisect_right(differ, settings.alpha, key=p)
        return differ[shown - 1] if shown else None, [(d, p(d)) for d in (differ[0], differ[-1])]

    xs, ys, up = ends(a), ends(b), b >= a
    x, y = xs[up], ys[not up]
    worst, best = of(x, y if (y > x) == up else x), of(xs[not up], ys[up])  # a gain of another side is none
    return [worst[0], best[0]], dict((best[1][0], worst[1][1]))
