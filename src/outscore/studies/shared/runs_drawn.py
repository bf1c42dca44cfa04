"""Some of the runs of two systems: which ones, what gain they show, and how sure tests are of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.rng import stream
from outscore.significance import Test
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

MOST_WAYS = 100_000
"""Ways to draw runs that are all gone through; of more, ``SAMPLED`` are drawn at random."""

SAMPLED = 20_000

_USUAL = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300)

Runs = tuple[int, ...]
"""Numbers of some runs of a system."""


def numbers_of_runs(wanted: str, most: int) -> list[int]:
    """How many runs are drawn of each system: those that are wanted, or the usual ones, up to ``most``.

    Args:
        wanted: numbers with commas; empty for 1, 2, 3, 5, 10, ... and ``most``.

    Raises:
        UsageError: no numbers from 1 on.
    """
    if not wanted.strip():
        return sorted({n for n in _USUAL if n < most} | {most})
    parts = [part.strip() for part in wanted.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise UsageError(f"--numbers {wanted!r}: expected numbers of runs from 1 on, as 1,3,5")
    return sorted({min(int(part), most) for part in parts})


def count_ways(runs: tuple[int, int], n: int) -> int:
    """In how many ways n runs of each of two systems can be drawn, without their order."""
    return math.comb(runs[0], n) * math.comb(runs[1], n)


def draw_runs(runs: tuple[int, int], n: int, first: int, number: int, most: int, seed: int) -> list[tuple[Runs, Runs]]:
    """Some draws of n runs of each of two systems, without replacement.

    All ways in turn where there are no more than ``most``, else random ones.

    Args:
        runs: how many each system has.
        first, number: which of the ways; of random draws only their number counts.
    """
    if count_ways(runs, n) <= most:
        every = product(combinations(range(runs[0]), n), combinations(range(runs[1]), n))
        return list(islice(every, first, first + number))
    draw = stream(seed, "drawn runs", n)
    return [
        (tuple(draw.permutation(runs[0])[:n].tolist()), tuple(draw.permutation(runs[1])[:n].tolist()))
        for _ in range(number)
    ]


def gains_of(system: Float, baseline: Float, n: int, seed: int) -> Float:
    """Gains of the mean scores of n runs of each system: of all draws, or of ``SAMPLED`` of them.

    Args:
        system, baseline: scores of the runs, signed so that more is better.
    """
    runs = len(system), len(baseline)
    if count_ways(runs, n) <= MOST_WAYS:
        means = [s[np.array(list(combinations(range(len(s)), n)))].mean(axis=1) for s in (system, baseline)]
        return np.asarray(np.subtract.outer(*means)).ravel()
    draw = stream(seed, "gains of drawn runs", n)
    means = [s[draw.random((SAMPLED, len(s))).argsort(axis=1)[:, :n]].mean(axis=1) for s in (system, baseline)]
    return np.asarray(means[0] - means[1])


@dataclass(frozen=True)
class DrawnPValues:
    """p-values of one test on several draws.

    Attributes:
        test: its label.
        p: one for each draw, None where it has no answer.
        refusal: why it refused the first draw that it refused; empty if it refused none.
    """

    test: str
    p: tuple[float | None, ...]
    refusal: str = ""

    def to_plain(self) -> dict[str, Any]:
        """As values that JSON can hold."""
        return {"test": self.test, "p": list(self.p), "refusal": self.refusal}


def answers(
    stats: Statistics,
    pair: tuple[int, int],
    draws: Sequence[tuple[Runs, Runs]],
    named: Sequence[Test],
    settings: Settings,
    seed: int,
) -> list[DrawnPValues]:
    """p-values of several tests on the same draws of runs, each draw with resamples of its own.

    Args:
        pair: numbers of the system and of the baseline.
        draws: runs of the system and of the baseline.
    """
    found: list[list[float | None]] = [[] for _ in named]
    refusals = [""] * len(named)
    seeds = stream(seed, "tests of drawn runs").integers(2**31, size=len(draws)).tolist()
    for chosen, own in zip(draws, seeds, strict=True):
        seen = pairing_of(stats, pair, chosen, replace(settings, seed=own))
        for number, test in enumerate(named):
            refusal = test.refuses(seen)
            refusals[number] = refusals[number] or refusal or ""
            found[number].append(test.run(seen).p_value if refusal is None else None)
    return [
        DrawnPValues(test.label, tuple(p), refusal) for test, p, refusal in zip(named, found, refusals, strict=True)
    ]


def pairing_of(stats: Statistics, pair: tuple[int, int], chosen: tuple[Runs, Runs], settings: Settings) -> GainContrast:
    """A system against the baseline by some of their runs only."""
    (system, baseline), (of_system, of_baseline) = pair, chosen
    held = stats.replace_statistics(
        [stats.items[baseline][list(of_baseline)], stats.items[system][list(of_system)]], stats.design
    )
    return GainContrast(Resamples(("baseline", "system"), [held], 0, settings), 0, 1)
