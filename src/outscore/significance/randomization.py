"""Randomization (permutation, sign-flip, "approximate randomization"): exact where it can be had, else sampled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.base.notes import Note
from outscore.engine import extreme
from outscore.significance import EXACT, SADDLEPOINT, Outcome, Test, notes, sampled, test
from outscore.significance.experiment import Pairing
from outscore.significance.laws import randomization_law, saddlepoint_p, smallest_p
from outscore.significance.panel import MIRRORED, OBSERVED

_FEW_HITS = 10


@test("randomization")
@dataclass(frozen=True)
class Randomization(Test):
    """Exchange the two systems' outputs on each item (cluster) at random; how often is the gain as large?

    All runs of an item move together; the statistic is the gain of the statistics averaged over runs. The law is
    exact where it can be had: sums of whole numbers by a dynamic programme, ratios of two whole sums by one in two
    dimensions, any metric by enumeration when few items differ. Else it is sampled; where fewer than ten relabellings
    of a mean reach the gain, p comes from a saddlepoint approximation, which holds where sampling sees nothing.

    Args:
        exact: ``auto`` takes the exact law where it is affordable, ``never`` samples, whatever is found.
    """

    null: ClassVar[str] = "the two systems' outputs are exchangeable within each item"
    formula: ClassVar[str] = (
        "p = P(|δ*| ≥ |δ|), δ* the gain after exchanging both outputs of each item with probability ½: of all 2ⁿ "
        "exchanges, or (b + 1)/(B + 1) where b of B random ones count"
    )
    applies: ClassVar[str] = (
        "any metric and any number of items, clusters or not: the first choice where neither counts nor a t-test do; "
        "of several runs it takes the runs as fixed"
    )
    needs: ClassVar[str] = "items (clusters) that both systems answered; six that differ for a two-sided p below .05"
    citation: ClassVar[str] = "Fisher 1935; Noreen 1989; Riezler & Maxwell 2005; Zmigrod et al. 2022"

    exact: Literal["auto", "never"] = "auto"

    def refuses(self, pair: Pairing) -> str | None:
        return None

    def run(self, pair: Pairing) -> Outcome:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=EXACT, p_min=1.0, notes=(notes.IDENTICAL,))
        law = randomization_law(pair) if self.exact == "auto" else None
        found: list[Note] = [notes.ITEMS_ONLY] if pair.has_runs else []
        side, gain = pair.settings.alternative, pair.pooled_gain
        # what is exchanged is the gain of averaged statistics, near the mean of the runs' gains but not the same
        pooled: dict[str, float | int | str | None] = {"pooled_gain": gain} if pair.has_runs else {}
        if law is not None:
            p = extreme.tail_mass(law.support, law.mass, gain, alternative=side, slack=pair.slack)
            floor = smallest_p(pair, law, side)
            return Outcome(p_value=p, p_kind=EXACT, p_min=floor, effect=pooled, notes=tuple(found))
        sides = 2 if side == "two-sided" else 1
        floor = min(1.0, sides * 0.5**pair.n_different)
        hits = pair.randomized_placed.as_extreme(OBSERVED, MIRRORED, side, positive=gain >= 0)
        tiny = saddlepoint_p(pair, side) if self.exact == "auto" and hits.total < _FEW_HITS else None
        if tiny is not None:
            found.append(notes.SADDLEPOINT)
            return Outcome(p_value=tiny, p_kind=SADDLEPOINT, p_min=floor, effect=pooled, notes=tuple(found))
        return sampled(hits, p_min=floor, effect=pooled, notes=found)
