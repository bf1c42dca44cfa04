"""Wilcoxon's signed-rank test, exact with ties (Wilcoxon 1945), and the ranks and laws that it shares with rank sums.

Values that should tie must be equal as floats: bring decimals to integers first.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.exact import MOST_UPDATES, flip_cost, flip_law
from outscore.engine.extreme import Alternative, tail_mass
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, Test, test
from outscore.significance.discordant import rank_notes
from outscore.significance.gain import GainContrast
from outscore.significance.p_values import normal_p
from outscore.significance.student import NO_ITEM_SCORES

Method = Literal["auto", "exact", "normal", "normal-cc"]

Zeros = Literal["drop", "pratt"]

HALF_TIE = 0.5  # statistics are integers here: anything below one separates them


def chosen_law(method: Method, cost: int) -> Method:
    """The method itself, for ``auto`` exact as long as the dynamic programme is affordable."""
    if method not in ("auto", "exact", "normal", "normal-cc"):
        raise UsageError(f"method={method!r}: expected auto, exact, normal or normal-cc")
    if method != "auto":
        return method
    return "exact" if cost <= MOST_UPDATES else "normal"


def normal_tail(distance: float, sd: float, method: Method, alternative: Alternative) -> float:
    """p of a statistic this far from its mean, moved by ½ towards the mean (or the tail's inside)."""
    shift = 0.0
    if method == "normal-cc":
        shift = {
            "greater": 0.5,
            "less": -0.5,
            "two-sided": math.copysign(0.5, distance) if distance else 0.0,
        }[alternative]
    return normal_p((distance - shift) / sd, alternative)


@dataclass(frozen=True, kw_only=True)
class SignedRank:
    """Wilcoxon's signed-rank test.

    Attributes:
        w_plus: sum of the ranks of positive differences.
        w_minus: sum of the ranks of negative differences.
        n_nonzero: differences that are not zero.
        p: p-value on the side that was asked for.
        p_min: smallest p-value that as many ranks could give; None for the normal methods.
    """

    w_plus: float
    w_minus: float
    n_nonzero: int
    p: float
    p_min: float | None

    @property
    def rank_biserial(self) -> float:
        """(W+ - W-)/(W+ + W-), 0 if all differences are zero."""
        return (self.w_plus - self.w_minus) / (self.w_plus + self.w_minus) if self.n_nonzero else 0.0

    @property
    def p_kind(self) -> str:
        """``exact`` or ``asymptotic``."""
        return ASYMPTOTIC if self.p_min is None else EXACT


def sign_ranks(differences: Float, zeros: Zeros = "drop") -> Int:
    """Twice the signed mid-ranks of |d|, zeros left out; with ``pratt`` they take part in the ranking (Pratt 1959)."""
    if zeros not in ("drop", "pratt"):
        raise UsageError(f"zeros={zeros!r}: expected drop or pratt")
    moved = differences[differences != 0]
    ranked = double_ranks(np.abs(differences if zeros == "pratt" else moved))
    if zeros == "pratt":
        ranked = ranked[differences != 0]
    return np.asarray(np.where(moved > 0, ranked, -ranked), dtype=np.int64)


def wilcoxon(
    differences: Float,
    *,
    method: Method = "auto",
    zeros: Zeros = "drop",
    alternative: Alternative = "two-sided",
) -> SignedRank:
    """Wilcoxon's signed-rank test.

    Null hypothesis: differences are symmetric about zero; it is no test of the mean.

    ``exact``: all sign assignments of the observed ranks, also with ties, two-sided P(|W+ - μ| >= |w - μ|);
    ``normal``: variance Σr²/4, which holds for ties (Wilcoxon 1945; Pratt 1959); ``normal-cc``:
    with continuity correction ½; ``auto``: exact as long as the dynamic programme is affordable.

    Args:
        differences: shape ``(n,)``.
        method: as above.
        zeros: drop them, or rank them and then leave them out (pratt).
        alternative: the side.
    """
    ranks = sign_ranks(differences, zeros)
    chosen = chosen_law(method, flip_cost(ranks) if method == "auto" else 0)
    plus, minus = float(ranks[ranks > 0].sum()) / 2, float(-ranks[ranks < 0].sum()) / 2
    sides = 2 if alternative == "two-sided" else 1
    p, p_min = 1.0, min(1.0, sides * 0.5**ranks.size) if chosen == "exact" else None
    if ranks.size and chosen == "exact":
        law = flip_law(ranks)
        p = tail_mass(law.support, law.mass, float(ranks.sum()), alternative=alternative, slack=HALF_TIE)
    elif ranks.size:
        sd = math.sqrt(float((ranks.astype(np.float64) ** 2).sum()) / 16)
        p = normal_tail((plus - minus) / 2, sd, chosen, alternative)
    return SignedRank(w_plus=plus, w_minus=minus, n_nonzero=int(ranks.size), p=p, p_min=p_min)


@test("wilcoxon")
@dataclass(frozen=True)
class Wilcoxon(Test):
    """Are the ranks of wins and losses balanced? Ties share mid-ranks, and the law is conditional on them.

    Args:
        variant: ``auto`` is exact while that is affordable, else normal; ``exact``, ``normal``, ``normal-cc``.
        zeros: items without a difference: left out (``drop``) or ranked and then left out (``pratt``).
    """

    also: ClassVar[tuple[str, ...]] = ("signed_rank", "wilcoxon_signed_rank")
    null: ClassVar[str] = "differences are distributed symmetrically about 0"
    formula: ClassVar[str] = (
        "W = Σ r over the items with d > 0, r the mid-rank of |d|; p from the law of W under random signs of the "
        "ranks; normal: z = (W - Σ r/2)/√(Σ r²/4)"
    )
    applies: ClassVar[str] = (
        "differences whose order of size means something and whose distribution is symmetric; over data sets (five or"
        " more) rather than items; items are independent"
    )
    needs: ClassVar[str] = "a score for each item; six items that differ for a two-sided p below .05"
    citation: ClassVar[str] = "Wilcoxon 1945"

    variant: Literal["auto", "exact", "normal", "normal-cc"] = "auto"
    zeros: Literal["drop", "pratt"] = "drop"

    def refuses(self, pair: GainContrast) -> str | None:
        return None if pair.stats.plain_mean else f"{pair.stats.name} {NO_ITEM_SCORES}"

    def run(self, pair: GainContrast) -> Outcome:
        side = pair.settings.alternative
        # whole numbers: ranks of equal differences tie exactly
        found = wilcoxon(pair.whole_differences, method=self.variant, zeros=self.zeros, alternative=side)
        return Outcome(
            p_value=found.p,
            p_kind=EXACT if pair.identical else found.p_kind,
            p_min=1.0 if pair.identical else found.p_min,
            favours=found.rank_biserial,
            effect={"statistic": found.w_plus, "rank_biserial": found.rank_biserial},
            notes=rank_notes(pair),
        )


def double_ranks(values: Float) -> Int:
    """Twice the mid-ranks (1 = smallest): integers also where values tie."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    upto = np.cumsum(counts)
    return np.asarray((2 * upto - counts + 1)[place.ravel()], dtype=np.int64)
