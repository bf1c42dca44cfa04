"""The record of the predictive value of a significant result."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.results.result import Result, Score, kinds


@dataclass(frozen=True, kw_only=True)
class PpvOfSetting:
    """The predictive value of a significant result under one setting.

    Attributes:
        setting: ``plain``, ``bias`` or ``teams``.
        ppv: probability that a significant result is true.
        cutoff: the alpha at which that is the wanted value; None where no alpha is small enough.
    """

    setting: str
    ppv: float
    cutoff: float | None


@dataclass(frozen=True, kw_only=True)
class PpvAtAlpha:
    """The predictive value at one alpha: without bias, with it, and with several teams; None where not asked for."""

    alpha: float
    ppv: float
    ppv_bias: float | None
    ppv_teams: float | None


@kinds.register("ppv")
@dataclass(frozen=True, kw_only=True, repr=False)
class PredictiveValue(Result):
    """The predictive value of a significant result; there are no scores in it, and ``alpha`` is the level of the tests.

    Attributes:
        odds: true effects for each null one among the hypotheses tested: odds, not a probability.
        prior: the probability that is the same as the odds.
        power: of the tests, 1 - β.
        positives: proportion of tests that come out significant.
        bias: proportion of what should not be a finding and is reported as one; None if not asked for.
        teams: teams that test the same; None likewise.
        wanted: the predictive value that is wanted.
        worth: the predictive value and the cut-off, plain, with bias, with several teams.
        curve: the predictive value by alpha, power held fixed.
        p: a p-value; None if not asked for.
        risk: the least probability that the null hypothesis holds given that very p-value; None from 1/e on.
    """

    odds: float
    prior: float
    power: float
    positives: float
    bias: float | None
    teams: int | None
    wanted: float
    worth: tuple[PpvOfSetting, ...]
    curve: tuple[PpvAtAlpha, ...]
    p: float | None
    risk: float | None
    scores: tuple[Score, ...] = ()
    command: str = "ppv"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each alpha of the curve."""
        return [dataclasses.asdict(point) for point in self.curve]

    def __repr__(self) -> str:
        return f"<PredictiveValue at odds {self.odds:g} and alpha {self.alpha:g}: {self.worth[0].ppv:.3g}>"
