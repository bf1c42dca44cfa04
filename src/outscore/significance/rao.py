"""The test that belongs to the interval of a gain between two ratios, or between two averages over classes."""

from __future__ import annotations

from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, Test, notes, test
from outscore.significance.gain import GainContrast
from outscore.significance.interval.rao import Rao, df_of, quantile_of
from outscore.significance.p_values import student_p


@test("rao")
@dataclass(frozen=True)
class RaoTest(Test):
    """Is the gain farther from 0 than both ratios' standard errors allow where they are equal?

    Ratios of few wrong, or few right, claims: that 12 of 12 are right leaves no variance to go by, neither where
    outputs are permuted nor where items are drawn again. Averages over classes:
    permuted in their standard errors, gains that can only be multiples of a step lose their ties.
    """

    null: ClassVar[str] = "both systems' ratios (averages over classes) are equal on new items"
    formula: ClassVar[str] = "p = 1 - L, L the highest level at which the Rao score interval of the gain leaves out 0"
    applies: ClassVar[str] = "ratios of counts and averages over classes, few wrong or few right ones above all"
    needs: ClassVar[str] = "a ratio between 0 and 1, or an average over classes; one run of each system, no strata"
    citation: ClassVar[str] = "Rao 1948; Martín Andrés et al. 2011"
    instead: ClassVar[str] = "randomization"

    def refuses(self, pair: GainContrast) -> str | None:
        why = Rao().refuses(pair)
        return why and f"{why.partition('; use ')[0]}; use --test auto"

    def run(self, pair: GainContrast) -> Outcome:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=EXACT, p_min=1.0, notes=(notes.IDENTICAL,))
        t, df = quantile_of(pair), df_of(pair)
        p = student_p(t, df, pair.settings.alternative)
        return Outcome(p_value=p, p_kind=ASYMPTOTIC, effect={"statistic": t})
