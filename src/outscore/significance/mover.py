"""The test that belongs to the interval of a gain between two ratios, or between two averages over classes."""

from __future__ import annotations

from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, Test, notes, test
from outscore.significance.gain import GainContrast
from outscore.significance.interval.mover import Mover, quantile_of
from outscore.significance.p_values import student_p


@test("mover")
@dataclass(frozen=True)
class MoverTest(Test):
    """Is 0 outside of the interval that Wilson's intervals of both ratios make together?

    It is for ratios of few wrong, or few right, claims: that 12 of 12 are right leaves no variance to go by, neither
    where outputs are permuted nor where items are drawn again.
    """

    null: ClassVar[str] = "both systems' ratios (averages over classes) are equal on new items"
    formula: ClassVar[str] = "p = 1 - L, L the highest level at which the MOVER interval of the gain leaves out 0"
    applies: ClassVar[str] = "ratios of counts and averages over classes, few wrong or few right ones above all"
    needs: ClassVar[str] = "a ratio between 0 and 1, or an average over classes; one run of each system, no strata"
    citation: ClassVar[str] = "Zou & Donner 2008; Wilson 1927"
    instead: ClassVar[str] = "randomization"

    def refuses(self, pair: GainContrast) -> str | None:
        why = Mover().refuses(pair)
        return why and f"{why.partition('; use ')[0]}; use --test auto"

    def run(self, pair: GainContrast) -> Outcome:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=EXACT, p_min=1.0, notes=(notes.IDENTICAL,))
        t, df = quantile_of(pair), pair.n_units - 1
        p = student_p(t, df, pair.settings.alternative)
        return Outcome(p_value=p, p_kind=ASYMPTOTIC, effect={"statistic": t})
