"""Power by simulation: test sets of a wanted size are made, the test is run on each, rejections are counted.

(O'Connor 2015, "make a fake data set of size N, run the test"; Card et al. 2020; type M and S: Gelman & Carlin 2014.)
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.beta import normal_ppf
from outscore.engine.runtime import Runtime
from outscore.power.plans import PowerAtSize
from outscore.significance import Test
from outscore.significance.choose import choose
from outscore.significance.gain import GainContrast
from outscore.significance.proportions import clopper_pearson
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

LEVEL = 0.99
"""Level of the Monte-Carlo intervals of power."""

_FEW = 20  # units that differ whose permutations are enumerated in no time


class SimulationSource(ABC):
    """Where simulated test sets come from."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """The same for sources that make the same test sets, and for no others."""

    @abstractmethod
    def stats(self, n: int, draw: np.random.Generator) -> Statistics:
        """The statistics of the baseline and of the system on n new items; equal generators give equal ones."""

    def pairing(self, n: int, draw: np.random.Generator, settings: Settings) -> GainContrast:
        """A simulated test set as a test sees it, with resamples of its own."""
        stats = self.stats(n, draw)
        own = replace(settings, seed=int(draw.integers(2**31)), runtime=Runtime(whole=True))
        return GainContrast(Resamples(("baseline", "system"), [stats], 0, own), 0, 1)


@dataclass(frozen=True, kw_only=True)
class PowerTally:
    """Counts and sums over simulated test sets of one size, from which power follows; tallies of different sets add.

    Attributes:
        sets: test sets.
        rejections: of the test at alpha; ``unanswered`` sets, on which it has no p-value, are none.
        wrong: rejections in which the gain has the sign that the true one has not.
        size: sum of the absolute gains among rejections; ``gains``: sum of all gains.
    """

    sets: int
    rejections: int
    unanswered: int
    wrong: int
    size: float
    gains: float

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> PowerTally:
        """The tally that ``to_plain`` wrote."""
        return cls(**found)

    def to_plain(self) -> dict[str, Any]:
        """As values that JSON can hold."""
        return dict(vars(self))

    def __add__(self, other: PowerTally) -> PowerTally:
        return PowerTally(
            sets=self.sets + other.sets,
            rejections=self.rejections + other.rejections,
            unanswered=self.unanswered + other.unanswered,
            wrong=self.wrong + other.wrong,
            size=self.size + other.size,
            gains=self.gains + other.gains,
        )

    @property
    def power_at_size(self) -> PowerAtSize:
        """The estimated power, and what significant gains look like."""
        return PowerAtSize(
            power=self.rejections / self.sets,
            wrong=self.wrong / self.sets,
            size=self.size / self.rejections if self.rejections else None,
        )

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper-Pearson interval of the power."""
        return clopper_pearson(self.rejections, self.sets, LEVEL)


def simulate(
    source: SimulationSource, n: int, test: Test, *, effect: float, sets: range, settings: Settings
) -> PowerTally:
    """The tally of a test on simulated test sets of one size.

    Every set has random numbers of its own, by its size and number, so that neither those who make it nor other sizes
    change it, and tallies of some sets and of others add to those of all.

    Args:
        source: makes the sets.
        n: items.
        test: must not refuse them.
        effect: the true gain; its sign says which rejections are wrong.
        sets: their numbers.
        settings: of the tests.
    """
    return sum_tallies(_tally(source.pairing(n, _stream(settings.seed, n, k), settings), test, effect) for k in sets)


def test_for(source: SimulationSource, n: int, named: Test | None, settings: Settings) -> tuple[Test, str | None]:
    """The named test, or the one that ``compare`` would choose for such data on n items, as it draws resamples.

    Returns:
        the test, and why it cannot answer for such data, if so.
    """
    pair = source.pairing(n, _stream(settings.seed, n, 0), settings)
    test = set_sampling(choose(pair).test if named is None else named, pair)
    return test, test.refuses(pair)


def set_sampling(test: Test, pair: GainContrast) -> Test:
    """The test as it draws resamples, where its exact law takes longer than thousands of test sets allow.

    A sampled p-value is valid by itself, so that the power is the same but for the drawing.
    """
    of_numbers = pair.stats.plain_mean or pair.stats.ratio is not None
    if getattr(test, "exact", "") != "auto" or not of_numbers or pair.binary or pair.n_different <= _FEW:
        return test
    return replace(test, exact="never")  # type: ignore[call-arg]


def items_needed(
    sizes: Sequence[int], powers: Sequence[float], ends: Sequence[tuple[float, float]], target: float
) -> tuple[float | None, tuple[float | None, float | None]]:
    """Where a simulated power curve reaches the target, and where the ends of its Monte-Carlo band do.

    Between two sizes the probit of the power is taken as a straight line over √n, which it is for a normal gain.

    Returns:
        items, and their interval; None for what lies outside the sizes.
    """
    low, high = zip(*ends, strict=True)
    return _crossing(sizes, powers, target), (_crossing(sizes, high, target), _crossing(sizes, low, target))


def _crossing(sizes: Sequence[int], powers: Sequence[float], target: float) -> float | None:
    for (n, before), (m, after) in pairwise(zip(sizes, powers, strict=True)):
        if before < target <= after:
            a, b, at = (normal_ppf(min(max(p, 1e-9), 1 - 1e-9)) for p in (before, after, target))
            root = math.sqrt(n) + (math.sqrt(m) - math.sqrt(n)) * (at - a) / (b - a)
            return root * root
    return None


def _stream(seed: int, n: int, number: int) -> np.random.Generator:
    return stream(seed, f"power at {n}", number)


def _tally(pair: GainContrast, test: Test, effect: float) -> PowerTally:
    p = test.run(pair).p_value
    gain = pair.gain
    rejected = p is not None and p <= pair.settings.alpha
    return PowerTally(
        sets=1,
        rejections=int(rejected),
        unanswered=int(p is None),
        wrong=int(rejected and gain * effect < 0),
        size=abs(gain) if rejected else 0.0,
        gains=gain,
    )


def sum_tallies(tallies: Iterable[PowerTally]) -> PowerTally:
    """Tallies of the same size added up, in order."""
    first, *others = tallies
    return sum(others, start=first)
