"""The work of ``ppv``: the predictive value of a significant result."""

from __future__ import annotations

from outscore.base.errors import UsageError
from outscore.base.installed import versions_of
from outscore.power.ppv import ResearchField
from outscore.results.ppv import PpvAtAlpha, PpvOfSetting, PredictiveValue
from outscore.results.result import Provenance
from outscore.verbs.power.ppv import PredictValue

_CITATIONS = ("Ioannidis 2005", "Søgaard et al. 2014")
_OF_RISK = "Sellke, Bayarri & Berger 2001"
_ALPHAS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.0025, 0.001, 0.0005, 0.0002, 0.0001)
_BETWEEN = tuple(10 ** (-k / 10) for k in range(11, 40))  # for a smooth curve


def ppv(asked: PredictValue) -> PredictiveValue:
    """The predictive value that is asked for."""
    alpha, wanted, bias, teams = asked.alpha, asked.wanted, asked.bias, asked.teams
    field = ResearchField(odds=asked.odds, power=asked.power)
    if not 0 < alpha < 1:
        raise UsageError(f"alpha={alpha}: expected a number between 0 and 1")

    def compute_at(level: float) -> PpvAtAlpha:
        return PpvAtAlpha(
            alpha=level,
            ppv=field.ppv(level),
            ppv_bias=None if bias is None else field.ppv_with_bias(level, bias),
            ppv_teams=None if teams is None else field.ppv_of_teams(level, teams),
        )

    worth = [PpvOfSetting(setting="plain", ppv=field.ppv(alpha), cutoff=field.cutoff(wanted))]
    if bias is not None:
        cutoff = field.cutoff_with_bias(wanted, bias)
        worth.append(PpvOfSetting(setting="bias", ppv=field.ppv_with_bias(alpha, bias), cutoff=cutoff))
    if teams is not None:
        cutoff = field.cutoff_of_teams(wanted, teams)
        worth.append(PpvOfSetting(setting="teams", ppv=field.ppv_of_teams(alpha, teams), cutoff=cutoff))
    return PredictiveValue(
        seed=0,
        alpha=alpha,
        odds=asked.odds,
        prior=field.prior,
        power=asked.power,
        positives=field.positives(alpha),
        bias=bias,
        teams=teams,
        wanted=wanted,
        worth=tuple(worth),
        curve=tuple(compute_at(level) for level in sorted({alpha, *_ALPHAS, *_BETWEEN}, reverse=True)),
        p=asked.p,
        risk=None if asked.p is None else field.risk(asked.p),
        provenance=Provenance(
            libraries=versions_of("numpy"),
            citations=_CITATIONS if asked.p is None else (*_CITATIONS, _OF_RISK),
        ),
    )
