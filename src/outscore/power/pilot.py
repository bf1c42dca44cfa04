"""Test sets of any size made from those of a pilot, with the gain that is wanted."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Literal

import numpy as np
from scipy import optimize

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.design import Design
from outscore.power.plans import Closed
from outscore.power.plans.mcnemar import McNemarPlan
from outscore.power.plans.t import TDesign, TPlan
from outscore.power.simulation import SimulationSource
from outscore.significance import Test
from outscore.significance.discordant import McNemar
from outscore.significance.gain import GainContrast
from outscore.significance.nulls import UnitsOfPair
from outscore.significance.statistics import Statistics
from outscore.significance.student import StudentT

Way = Literal["shift", "scale", "exchange"]
WAYS: tuple[Way, ...] = ("shift", "scale", "exchange")

_SKEW, _TAILS = 0.15, 0.02
"""Skewness of a mean, and excess of its kurtosis, up to which the law of t is within .01 of simulated power."""


@dataclass(frozen=True)
class Pilot(UnitsOfPair, SimulationSource):
    """Items (clusters) of a pilot drawn with replacement with all their runs, and the gain set to what is wanted.

    Attributes:
        pair: the pilot.
        effect: the gain that new items are to have; that of the pilot leaves the items as they are.
        way: ``shift`` adds a constant to the system's scores, ``scale`` multiplies all differences, both for means;
            ``exchange`` exchanges the systems' outputs on each unit with a probability that leaves this much of the
            gain, for any score of sums: 1/2 leaves none.
    """

    pair: GainContrast
    effect: float
    way: Way

    def __post_init__(self) -> None:
        stats, gain = self.pair.stats, self.pair.gain
        if not stats.of_sums:
            raise UsageError(
                f"{stats.name} ranks the items of a test set, and copies of items are not new items: its power cannot "
                "be simulated from a pilot"
            )
        if self.way not in WAYS:
            raise UsageError(f"way={self.way!r}: expected auto, {', '.join(WAYS)}")
        if self.as_it_is:
            return
        if self.way != "exchange" and not stats.plain_mean:
            raise UsageError(f"{stats.name} is no mean of items that could be changed; use --by exchange")
        if self.way == "scale" and gain == 0:
            raise UsageError("the pilot has no gain that could be scaled; use --by shift")
        if self.way != "shift" and len(set(self.pair.n_runs)) > 1:
            raise UsageError(
                "the systems have different numbers of runs, so their outputs cannot be exchanged or scaled"
            )
        if self.way == "exchange" and is_beyond(self.pair, self.effect):
            made = design_without_outputs(self.pair, self.effect, digits=4)
            each = f" --design-effect {self.pair.n_items / self.pair.n_units:.4g}" if self.pair.clustered else ""
            plan = f"plan by {made[1]}, with {made[0]}{each} in place of the files; or " if made else ""
            raise UsageError(
                f"the pilot's gain is {gain:.4g}: exchanging outputs makes gains up to {abs(gain):.4g} in either "
                f"direction, not {self.effect:.4g}; {plan}give a smaller --effect, or a pilot of systems that lie "
                "further apart"
            )

    @property
    def identity(self) -> str:
        pair = self.pair
        return f"{pair.stats.digest.hex()} {pair.system} {pair.baseline} {self.effect!r} {self.way}"

    @property
    def as_it_is(self) -> bool:
        """Whether the wanted gain is that of the pilot."""
        return abs(self.effect - self.pair.gain) <= self.pair.slack

    @property
    def words(self) -> str:
        """How test sets are made."""
        units = "clusters of items" if self.pair.clustered else "items"
        runs = ", the runs kept" if self.pair.has_runs else ""
        return f"{units} of the pilot drawn with replacement{runs}, {self._change}"

    @property
    def _change(self) -> str:
        """The change made to the items drawn, in words."""
        if self.as_it_is:
            return "as they are"
        if self.way == "shift":
            added = self.effect - self.pair.gain
            return f"a constant of {added:{'+,.0f' if abs(added) >= 1e4 else '+.4g'}} added to the gain of each item"
        if self.way == "scale":
            return f"all differences multiplied by {self.effect / self.pair.gain:.4g}"
        return f"the systems' outputs exchanged on a random {self._proportion:.1%} of them"

    @property
    def inflation(self) -> float:
        """How many times the variance of the pilot's gain swapping has made it: which units move is chance too."""
        if self.as_it_is or self.way != "exchange" or self._spread <= self.pair.slack:
            return 1.0
        return 1.0 + (self.pair.gain**2 - self.effect**2) / self._spread**2

    def units_of(self, n: int) -> int:
        """How many units make n items, on average."""
        return max(1, round(n * self.pair.n_units / self.pair.n_items))

    def stats(self, n: int, draw: np.random.Generator) -> Statistics:
        drawn = draw.integers(self.pair.n_units, size=self.units_of(n))
        items, design = self._units.chosen(drawn)
        baseline, system = (whole[:, items] for whole in self._both)
        if not self.as_it_is:
            baseline, system = self._apply_effect(baseline, system, design, draw)
        return self.pair.stats.replace_values([baseline, system], design)

    def detectable(self, n: int, power: float) -> float | None:
        """The smallest gain that n items show with this power, by a t test on the pilot's jackknife values.

        None where the pilot shows no variance, or n is less than two units.
        """
        units = self.units_of(n)
        if units < 2 or self._spread <= self.pair.slack:
            return None
        settings = self.pair.settings
        return TDesign(sd=self._spread, alpha=settings.alpha, alternative=settings.alternative).detectable(units, power)

    def law(self, test: Test, least: int) -> Closed | None:
        """The plan that has the law of the test on the same test sets; None where they have to be simulated.

        Right or wrong answers of items that are drawn and exchanged at random are four kinds with fixed proportions,
        so that McNemar's test has its exact law. Gains of t have that of their first three moments.

        Args:
            test: of the plan; the laws are those of McNemar's and of t.
            least: the fewest items, on which the mean has to be near normal for t.
        """
        if self.pair.clustered or self.pair.stratified or self.pair.has_runs or not self.pair.stats.plain_mean:
            return None
        gains, shares = self._gains_of_items
        if isinstance(test, McNemar):
            if not self.pair.binary or not (self.as_it_is or self.way == "exchange"):
                return None
            p10, p01 = (float(shares[side].sum()) for side in (gains > 0, gains < 0))
            return McNemarPlan(p10=p10, p01=p01, variant=test.variant)
        if not isinstance(test, StudentT):
            return None
        _, variance, third, fourth = (float(shares @ (gains - shares @ gains) ** k) for k in range(1, 5))
        if not variance > self.pair.slack**2:
            return None
        skewness, excess = third / variance**1.5, fourth / variance**2 - 3
        near = abs(skewness) <= _SKEW * math.sqrt(least) and abs(excess) <= _TAILS * least
        return TPlan(sd=math.sqrt(variance), skewness=skewness) if near else None

    @property
    def _gains_of_items(self) -> tuple[Float, Float]:
        """Gains that an item which is drawn may have, and their probabilities; of a mean."""
        gains = self.pair.differences
        if self.as_it_is or self.way == "shift":
            gains = gains + (self.effect - self.pair.gain)
        elif self.way == "scale":
            gains = gains * (self.effect / self.pair.gain)
        else:
            moved = self._proportion
            return np.r_[gains, -gains], np.repeat([1 - moved, moved], len(gains)) / len(gains)
        return gains, np.full(len(gains), 1 / len(gains))

    def _apply_effect(
        self, baseline: Float, system: Float, design: Design, draw: np.random.Generator
    ) -> tuple[Float, Float]:
        if self.way == "exchange":
            moved = draw.random(design.n_units) < self._proportion
            there = (moved if design.labels is None else moved[design.labels])[None, :, None]
            return np.where(there, system, baseline), np.where(there, baseline, system)
        changed = system.copy()
        if self.way == "shift":
            changed[..., 0] += self.pair.stats.sign * (self.effect - self.pair.gain)
        else:
            changed[..., 0] = baseline[..., 0] + (system - baseline)[..., 0] * (self.effect / self.pair.gain)
        return baseline, changed

    @cached_property
    def _spread(self) -> float:
        return _spread(self.pair)

    @cached_property
    def _proportion(self) -> float:
        """The proportion of units whose outputs are swapped: the scores of the expected sums have the wanted gain."""
        stats = self.pair.stats
        baseline, system = (whole.sum(axis=1) for whole in self._both)

        def gain(share: float) -> float:
            first, second = (1 - share) * system + share * baseline, share * system + (1 - share) * baseline
            return float(stats.sign * (stats.function(first).mean() - stats.function(second).mean()))

        if abs(self.effect + self.pair.gain) <= self.pair.slack:
            return 1.0  # all are swapped, and rounding may leave the root outside
        return float(optimize.brentq(lambda share: gain(share) - self.effect, 0.0, 1.0, xtol=1e-12))


def is_beyond(pair: GainContrast, effect: float) -> bool:
    """Whether a gain is larger than any that exchanging outputs of the pilot makes."""
    return abs(effect) > abs(pair.gain) + pair.slack


def design_without_outputs(pair: GainContrast, effect: float, *, digits: int = 17) -> tuple[str, str] | None:
    """A design that takes of the pilot how often items differ, or how much, and nothing else; and which, in words.

    That of clusters counts these: as many items as are in one have to count as one. None where there are runs, where
    units do not differ, or where more items than differ would have to.
    """
    spread, differ = _spread(pair), float(np.mean(pair.differences != 0)) if pair.binary else math.inf
    if pair.has_runs or spread <= pair.slack or (pair.clustered and abs(effect) > differ):
        return None
    if pair.binary and not pair.clustered:
        right = float(pair.stats.run_scores[pair.baseline].mean())
        plan = f"mcnemar:baseline={right:.{digits}g}"
        if abs(effect) <= differ and (differ + effect) / 2 <= 1 - right and (differ - effect) / 2 <= right:
            return f"{plan},agreement={1 - differ:.{digits}g}", "how often its systems agree"
        return plan, "how often its baseline is right"
    return f"t:sd={spread:.{digits}g}", f"the spread of its {'clusters' if pair.clustered else 'items'}"


def _spread(pair: GainContrast) -> float:
    """Standard deviation of the gain times the root of the number of units, from the jackknife."""
    return float(pair.without_units.std(ddof=1)) * (pair.n_units - 1)
