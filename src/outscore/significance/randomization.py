"""Randomization (permutation, sign-flip, "approximate randomization"): exact where it can be had, else sampled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.base.notes import Note
from outscore.engine import extreme
from outscore.significance import EXACT, SADDLEPOINT, Outcome, Test, notes, sampled, test
from outscore.significance.experiment import PairedComparison
from outscore.significance.laws import randomization_law, saddlepoint_p, smallest_p
from outscore.significance.panel import MIRRORED, OBSERVED

_FEW_HITS = 10
_OF_STUDENTIZED = "the expected gain on new items is 0; p is exact where outputs are exchangeable within each item"


@test("randomization")
@dataclass(frozen=True)
class Randomization(Test):
    """Exchange the two systems' outputs on each item (cluster) at random; how often is the gain as large?

    All runs of an item move together; the statistic is the gain of the statistics averaged over runs. The law is
    exact where it can be had: sums of whole numbers by a dynamic programme, ratios of two whole sums by one in two
    dimensions, any metric by enumeration when few items differ. Else it is sampled; where fewer than ten relabellings
    of a mean reach the gain, p comes from a saddlepoint approximation, which holds where sampling sees nothing.

    Where systems predict different amounts the plain gain is no symmetric statistic: precision of systems that make 1
    and 5 claims an item is found to differ in 15 % of equal pairs at a level of 5 %. Studentized, each relabelled gain
    in its own standard error, the test is as exact where outputs are exchangeable, and holds its level in large samples
    wherever the scores are equal. A relabelled test set with a gain and without a standard error counts as farther out
    than any gain.
    From as many units as 20 of equal weight, the standard error of a score of more than three sums is taken as it
    follows from the relabelled gain, which moves p by .001.

    Args:
        form: ``plain`` relabels the gain; ``studentized`` the gain in its standard error, of scores of sums.
        exact: ``auto`` takes the exact law where it is affordable, ``never`` samples, whatever is found.
            Studentized, that is an enumeration when few items differ.
    """

    null: ClassVar[str] = "the two systems' outputs are exchangeable within each item"
    formula: ClassVar[str] = (
        "p = P(|δ*| ≥ |δ|), δ* the gain after exchanging both outputs of each item with probability ½: of all 2ⁿ "
        "exchanges, or (b + 1)/(B + 1) where b of B random ones count; studentized: p = P(|δ*|/se* ≥ |δ|/se), se the "
        "error of the linearised score"
    )
    applies: ClassVar[str] = (
        "any metric and any number of items, clusters or not: the first choice where neither counts nor a t-test do; "
        "of several runs it takes the runs as fixed"
    )
    needs: ClassVar[str] = "items (clusters) that both systems answered; six that differ for a two-sided p below .05"
    citation: ClassVar[str] = "Fisher 1935; Noreen 1989; Janssen 1997; Riezler & Maxwell 2005; Zmigrod et al. 2022"

    form: Literal["plain", "studentized"] = "plain"
    exact: Literal["auto", "never"] = "auto"

    def __post_init__(self) -> None:
        if self.form == "studentized":
            object.__setattr__(self, "null", _OF_STUDENTIZED)

    def refuses(self, pair: PairedComparison) -> str | None:
        if self.form == "studentized" and not pair.panel.of_sums:
            return (
                f"randomization:form=studentized needs a score of sums, which {pair.panel.name} is not; use form=plain"
            )
        return None

    def run(self, pair: PairedComparison) -> Outcome:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=EXACT, p_min=1.0, notes=(notes.IDENTICAL,))
        return self._studentized(pair) if self.form == "studentized" else self._plain(pair)

    def _studentized(self, pair: PairedComparison) -> Outcome:
        held, side = pair.relabelled, pair.settings.alternative
        found = [notes.ITEMS_ONLY] if pair.has_runs else []
        effect = {"statistic": held.t, **_pooled(pair)}
        law = held.law(side) if self.exact == "auto" else None
        if law is not None:
            p = extreme.tail_mass(law.support, law.mass, held.t, alternative=side, slack=held.slack)
            return Outcome(p_value=p, p_kind=EXACT, p_min=_floor(pair), effect=effect, notes=tuple(found))
        positions = (
            pair.rescaled_positions
            if held.follows
            else pair.experiment.noting(held.drawn(pair.settings.sampling, side)).series(0)
        )
        exceedances = positions.as_extreme(OBSERVED, MIRRORED, side, positive=held.t >= 0)
        return sampled(exceedances, p_min=_floor(pair), effect=effect, notes=found)

    def _plain(self, pair: PairedComparison) -> Outcome:
        law = randomization_law(pair) if self.exact == "auto" else None
        found: list[Note] = [notes.ITEMS_ONLY] if pair.has_runs else []
        side, gain = pair.settings.alternative, pair.pooled_gain
        pooled = _pooled(pair)
        if law is not None:
            p = extreme.tail_mass(law.support, law.mass, gain, alternative=side, slack=pair.slack)
            floor = smallest_p(pair, law, side)
            return Outcome(p_value=p, p_kind=EXACT, p_min=floor, effect=pooled, notes=tuple(found))
        floor = _floor(pair)
        exceedances = pair.randomized_positions.as_extreme(OBSERVED, MIRRORED, side, positive=gain >= 0)
        tiny = saddlepoint_p(pair, side) if self.exact == "auto" and exceedances.total < _FEW_HITS else None
        if tiny is not None:
            found.append(notes.SADDLEPOINT)
            return Outcome(p_value=tiny, p_kind=SADDLEPOINT, p_min=floor, effect=pooled, notes=tuple(found))
        return sampled(exceedances, p_min=floor, effect=pooled, notes=found)


def _pooled(pair: PairedComparison) -> dict[str, float | int | str | None]:
    """The gain that is exchanged, of averaged statistics: near the mean of the runs' gains but not the same."""
    return {"pooled_gain": pair.pooled_gain} if pair.has_runs else {}


def _floor(pair: PairedComparison) -> float:
    """The probability of the exchanges that leave the gain as it is, and in two-sided tests its mirror image."""
    sides = 2 if pair.settings.alternative == "two-sided" else 1
    return min(1.0, sides * 0.5**pair.n_different)
