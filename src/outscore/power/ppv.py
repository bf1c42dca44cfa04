"""The worth of a significant result: predictive value, cut-offs for a wanted one, false-positive risk.

The odds R are odds and not a probability: R true effects for each null one, so that a hypothesis is true beforehand
with probability R / (1 + R). Power is held fixed while alpha varies.
"""

from __future__ import annotations

import math

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass


@dataclass(frozen=True, kw_only=True)
class ResearchField:
    """A field of research.

    Attributes:
        odds: true effects for each null one among the hypotheses tested.
        power: of its tests, 1 - β.
    """

    odds: float
    power: float

    def __post_init__(self) -> None:
        if not (self.odds > 0 and math.isfinite(self.odds)):
            raise UsageError(f"odds={self.odds}: expected true effects for each null one, above 0, such as 0.1")
        if not 0 < self.power <= 1:
            raise UsageError(f"power={self.power}: expected a probability above 0, at most 1")

    @property
    def prior(self) -> float:
        """Probability that a hypothesis is true before it is tested."""
        return self.odds / (1 + self.odds)

    def positives(self, alpha: float) -> float:
        """Proportion of tests that come out significant."""
        return (self.power * self.odds + alpha) / (1 + self.odds)

    def ppv(self, alpha: float) -> float:
        """Probability that a significant result is true, (1 - β) R / (R - β R + α) (Ioannidis 2005; Søgaard et al.
        2014, equation 1).
        """
        return self.power * self.odds / (self.power * self.odds + _check_alpha(alpha))

    def ppv_with_bias(self, alpha: float, bias: float) -> float:
        """The same where a proportion ``bias`` of what should not be reported as a finding is (Ioannidis 2005)."""
        true = self._report_rate(bias)
        return true / (true + _check_alpha(alpha) + bias * (1 - alpha))

    def ppv_of_teams(self, alpha: float, teams: int) -> float:
        """The same where so many teams test the same and one significant result is enough (Ioannidis 2005)."""
        true = self._find_rate(teams)
        return true / (true + 1 - (1 - _check_alpha(alpha)) ** teams)

    def cutoff(self, wanted: float) -> float | None:
        """The alpha at which the predictive value is ``wanted``, (1 - β) R (1 - PPV) / PPV.

        1 where any is small enough, None where none is; so in the variants.
        """
        return _level(self.power * self.odds * _odds_against(wanted))

    def cutoff_with_bias(self, wanted: float, bias: float) -> float | None:
        """The same with bias."""
        left = self._report_rate(bias) * _odds_against(wanted) - bias
        return _level(left / (1 - bias)) if bias < 1 else None

    def cutoff_of_teams(self, wanted: float, teams: int) -> float | None:
        """The same with several teams."""
        any_of_them = self._find_rate(teams) * _odds_against(wanted)
        return _level(1 - (1 - any_of_them) ** (1 / teams)) if any_of_them < 1 else 1.0

    def risk(self, p: float) -> float | None:
        """The least probability that the null hypothesis holds, given this very p-value and not only p ≤ alpha.

        1 / (1 + R / (-e p ln p)); None from p = 1/e on, where the bound says nothing (Sellke, Bayarri & Berger 2001).
        """
        if not 0 < p <= 1:
            raise UsageError(f"p={p}: expected a p-value above 0, at most 1")
        return 1 / (1 + self.odds / (-math.e * p * math.log(p))) if p < 1 / math.e else None

    def _report_rate(self, bias: float) -> float:
        if not 0 <= bias <= 1:
            raise UsageError(f"bias={bias}: expected a proportion from 0 to 1")
        return self.odds * (self.power + bias * (1 - self.power))

    def _find_rate(self, teams: int) -> float:
        if teams < 1:
            raise UsageError(f"teams={teams}: expected 1 or more")
        return self.odds * (1 - (1 - self.power) ** teams)


def _check_alpha(alpha: float) -> float:
    if not 0 < alpha <= 1:
        raise UsageError(f"alpha={alpha}: expected a number above 0, at most 1")
    return alpha


def _odds_against(wanted: float) -> float:
    if not 0 < wanted < 1:
        raise UsageError(f"wanted={wanted}: expected a predictive value between 0 and 1, such as 0.95")
    return (1 - wanted) / wanted


def _level(alpha: float) -> float | None:
    return min(alpha, 1.0) if alpha > 0 else None
