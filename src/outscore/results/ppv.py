"""The record of the predictive value of a significant result, and how that is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.pictures import SERIES, Chart, Marks, Plane, Scale, Signs
from outscore.results.result import Result, Score, kinds

_SHOWN = (0.05, 0.01, 0.005, 0.0025, 0.001, 0.0001)
"""Values of alpha of the table; files hold more."""

_FORMULA = "Positive predictive value (1 - β) R / ((1 - β) R + α), where R are odds, not a probability"


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
        return [flat_row(point) for point in self.curve]

    # --- how it is told -----------------------------------------------------------------------------------

    def verdict(self, w: Writer) -> Iterator[str]:
        plain, *others = self.worth
        said = [
            f"A significant result is true with probability {w.percent(plain.ppv)} (p ≤ {w.given(self.alpha)}, power "
            f"{w.given(100 * self.power)}%, {self.describe_odds(w)})"
        ]
        said += [f"{w.percent(worth.ppv)} {self._setting(worth, w)}" for worth in others]
        yield f"{', '.join(said)}."
        wanted = f"For {w.given(100 * self.wanted)}%"
        if plain.cutoff is None:
            yield f"{wanted} no alpha is small enough."
        else:
            yield f"{wanted} alpha must be {w.number(plain.cutoff, 4)} or less."
        if self.p is not None:
            at_least = (
                "the bound says nothing from 1/e on"
                if self.risk is None
                else f"the null hypothesis has a probability of at least {w.percent(self.risk)}"
            )
            yield f"Given p = {w.given(self.p)} itself, and not p ≤ alpha, {at_least}."

    def describe_odds(self, w: Writer) -> str:
        """``1 true effect for 10 null ones``."""
        if self.odds < 1:
            return f"1 true effect for {w.given(1 / self.odds)} null ones"
        return f"{w.given(self.odds)} true {'effect' if self.odds == 1 else 'effects'} for 1 null one"

    def _setting(self, worth: PpvOfSetting, w: Writer) -> str:
        if worth.setting == "bias":
            return f"with bias {w.given(self.bias)}"
        return f"with {self.teams} teams" if worth.setting == "teams" else ""

    def views(self, w: Writer) -> Iterator[Any]:
        """The settings below one another, alpha across."""
        value = Shown("alpha", value=lambda worth: f"true {self._setting(worth, w)}".strip())
        levels = [point for point in self.curve if point.alpha in (*_SHOWN, self.alpha)]
        across = [Shown(w.given(point.alpha), "proportion", value=_value_at(point)) for point in levels]
        cutoff = Shown(f"alpha for {w.given(100 * self.wanted)}%", "number", value=lambda worth: worth.cutoff)
        yield w.table("Significant results that are true, by alpha", self.worth, (value, *across, cutoff), first=True)

    def charts(self, w: Writer) -> Iterator[Chart]:
        """The predictive value by alpha (Søgaard et al. 2014, Figure 7), and the cut-off for the wanted one."""
        names = {
            "ppv": "no bias, one team",
            "ppv_bias": f"with bias {self.bias}",
            "ppv_teams": f"with {self.teams} teams",
        }
        rows = tuple(
            {"alpha": point.alpha, "value": value, "setting": said}
            for point in self.curve
            for name, said in names.items()
            if (value := getattr(point, name)) is not None
        )
        plain = self.worth[0]
        signs = Signs(field="setting", colours=dict(zip(names.values(), SERIES, strict=False)))
        known = plain.cutoff is not None and self.curve[-1].alpha <= plain.cutoff <= self.curve[0].alpha
        largest = max(row["alpha"] for row in rows)
        broken: dict[str, Any] = {"mark": "rule", "colour": "faint", "broken": True}
        yield Chart(
            heading="Predictive value of a significant result",
            title=f"At alpha {self.alpha:g}, {w.fixed(100 * plain.ppv, 0)} in 100 significant results are true",
            under=(
                f"R = {self.odds:g} ({self.describe_odds(w)}), power {self.power:g}; odds, not a probability",
                f"the cut-off for {100 * self.wanted:g} in 100 is {w.number(plain.cutoff, 4)}",
            ),
            arranged="alone",
            panels=(
                Plane(
                    rows=rows, x=Scale(title="Alpha", log=True, ticks=(0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1)),
                    y=Scale(title="Probability that a significant result is true", ends=(0, 1), written="percent"),
                    marks=(
                        Marks(rows=({"value": plain.ppv},), y="value", **broken),
                        *([Marks(rows=({"alpha": plain.cutoff},), x="alpha", **broken)] if known else []),
                        Marks(mark="line", x="alpha", y="value", signs=signs),
                        Marks(mark="text", y="value", text="setting", colour="ink",
                              rows=tuple(row for row in rows if row["alpha"] == largest)),
                    ),
                ),
            ),
        )  # fmt: skip

    def how(self, w: Writer) -> str:
        return f"{_FORMULA}."

    def method(self, w: Writer) -> Iterator[str]:
        yield f"True: the probability that a significant result is true. {_FORMULA}, at a power of 1 - β."
        yield (
            f"R = {w.given(self.odds)}: before the test a hypothesis is true with probability "
            f"{w.percent(self.prior, 1)}; {w.percent(self.positives, 1)} of all tests come out significant."
        )
        wanted = f"{w.given(100 * self.wanted)}%"
        yield f"Alpha for {wanted}: where the predictive value is that, power held fixed; –: no alpha is small enough."
        if self.bias is not None:
            yield "Bias: proportion of what should not be a finding and is reported as one."
        if self.teams is not None:
            yield "Teams: several test the same, and one significant result is enough."

    def __repr__(self) -> str:
        return f"<PredictiveValue at odds {self.odds:g} and alpha {self.alpha:g}: {self.worth[0].ppv:.3g}>"


def _value_at(point: PpvAtAlpha) -> Callable[[PpvOfSetting], float | None]:
    """The predictive value of a setting at one alpha."""
    return lambda worth: {"bias": point.ppv_bias, "teams": point.ppv_teams}.get(worth.setting, point.ppv)
