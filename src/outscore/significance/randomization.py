"""Randomization (permutation, sign-flip, "approximate randomization"): exact where it can be had, else sampled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine import extreme
from outscore.significance import EXACT, SADDLEPOINT, Outcome, ResamplingTest, make_outcome, notes, test
from outscore.significance.gain import GainContrast
from outscore.significance.laws import randomization_law, saddlepoint_p, smallest_p
from outscore.significance.resamples import DrawRequest
from outscore.significance.statistics import MIRRORED, OBSERVED

_FEW_HITS = 10
_OF_STUDENTIZED = "the expected gain on new items is 0; p is exact where outputs are exchangeable within each item"


@test("randomization")
@dataclass(frozen=True)
class Randomization(ResamplingTest):
    """Permute the two systems' outputs on each item (cluster) at random; how often is the gain as large?

    All runs of an item move together; the statistic is the gain of the statistics averaged over runs. The law is
    exact where it can be had: sums of whole numbers by a dynamic programme, ratios of two whole sums by one in two
    dimensions, any metric by enumeration when few items differ. Else it is sampled; where fewer than ten permutations
    of a mean reach the gain, p comes from a saddlepoint approximation, which holds where sampling sees nothing.

    Where systems predict different amounts the plain gain is no symmetric statistic: precision of systems that make 1
    and 5 claims an item is found to differ in 15 % of equal pairs at a level of 5 %. Studentized, each permuted gain
    in its own standard error, the test is as exact where outputs are exchangeable, and holds its level in large samples
    wherever the scores are equal. A permuted test set with a gain and without a standard error counts as farther out
    than any gain.
    From as many units as 20 of equal weight, the standard error of a score of more than three sums is taken as it
    follows from the permuted gain, which moves p by .001.

    Args:
        form: ``plain`` permutes the gain; ``studentized`` the gain in its standard error, of scores of sums.
        exact: ``auto`` takes the exact law where it is affordable, ``never`` samples, whatever is found.
            Studentized, that is an enumeration when few items differ.
    """

    also: ClassVar[tuple[str, ...]] = (
        "approximate_randomization",
        "ar",
        "paired_ar",
        "randomisation",
        "permutation",
        "paired_permutation",
        "sign_flip",
    )
    null: ClassVar[str] = "the two systems' outputs are exchangeable within each item"
    formula: ClassVar[str] = (
        "p = P(|δ*| ≥ |δ|), δ* the gain after permuting both outputs of each item with probability ½: of all 2ⁿ "
        "permutations, or (b + 1)/(B + 1) where b of B random ones count; studentized: p = P(|δ*|/se* ≥ |δ|/se), se "
        "the error of the linearised score"
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

    def refuses(self, pair: GainContrast) -> str | None:
        if self.form == "studentized" and not pair.stats.of_sums:
            return (
                f"randomization:form=studentized needs a score of sums, which {pair.stats.name} is not; use form=plain"
            )
        return None

    def compute_directly(self, pair: GainContrast) -> Outcome | None:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=EXACT, p_min=1.0, notes=(notes.IDENTICAL,))
        if self.exact == "never":
            return None
        side = pair.settings.alternative
        held = pair.studentized_sums if self.form == "studentized" else None
        law = randomization_law(pair) if held is None else held.law(side)
        if law is None:
            return None
        at, slack = (pair.pooled_gain, pair.slack) if held is None else (held.t, held.slack)
        return Outcome(
            p_value=extreme.tail_mass(law.support, law.mass, at, alternative=side, slack=slack),
            p_kind=EXACT,
            p_min=_floor(pair) if self.form == "studentized" else smallest_p(pair, law, side),
            effect=self._effect(pair, at),
            notes=_note_items(pair),
        )

    def draws(self, pair: GainContrast) -> Sequence[DrawRequest]:
        return (self._permutations(pair),)

    def from_draws(self, pair: GainContrast) -> Outcome:
        side, floor = pair.settings.alternative, _floor(pair)
        at = pair.t if self.form == "studentized" else pair.pooled_gain
        positions = pair.permuted(self._permutations(pair))
        exceedances = positions.count_as_extreme(OBSERVED, MIRRORED, side, positive=at >= 0)
        few = self.form == "plain" and self.exact == "auto" and exceedances.total < _FEW_HITS
        tiny = saddlepoint_p(pair, side) if few else None
        effect, said = self._effect(pair, at), _note_items(pair)
        if tiny is not None:
            said = (*said, notes.SADDLEPOINT)
            return Outcome(p_value=tiny, p_kind=SADDLEPOINT, p_min=floor, effect=effect, notes=said)
        return make_outcome(exceedances, p_min=floor, effect=effect, notes=said)

    def _permutations(self, pair: GainContrast) -> DrawRequest:
        return pair.permutations_of_t if self.form == "studentized" else pair.permutations

    def _effect(self, pair: GainContrast, t: float) -> dict[str, float | int | str | None]:
        """The statistic, and the gain that is permuted, of averaged statistics: not quite the mean of runs' gains."""
        found: dict[str, float | int | str | None] = {}
        if self.form == "studentized":
            found["statistic"] = t
        return {**found, "pooled_gain": pair.pooled_gain} if pair.has_runs else found


def _note_items(pair: GainContrast) -> tuple[Note, ...]:
    return (notes.ITEMS_ONLY,) if pair.has_runs else ()


def _floor(pair: GainContrast) -> float:
    """The probability of the permutations that leave the gain as it is, and in two-sided tests its mirror image."""
    sides = 2 if pair.settings.alternative == "two-sided" else 1
    return min(1.0, sides * 0.5**pair.n_different)
