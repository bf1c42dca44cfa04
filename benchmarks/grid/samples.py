"""Families of two systems that were measured independently of each other."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from grid.family import RUN_SIZES, Family, noncentrality
from outscore.base.arrays import Float
from outscore.significance.independent import IndependentSamples, Unit
from outscore.significance.settings import Settings

_SIZES = (10, 20, 30, 50, 100, 200, 1000)
_SAME = frozenset({"means", "means, spreads alike", "distributions", "stochastic", "proportions"})


def _samples(
    name: str,
    words: str,
    holds: frozenset[str],
    draw: Callable[[np.random.Generator, int], Float],
    *,
    spreads: tuple[float, float] = (1.0, 1.0),
    times: int = 1,
    unit: Unit = "item",
) -> Family:
    """Numbers with mean 0 and variance 1, times a spread of each system; the baseline has ``times`` as many."""
    first, second = spreads

    def gain(n: int) -> float:
        parts = first**2 / n, second**2 / (times * n)
        df = sum(parts) ** 2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (times * n - 1))
        return noncentrality(df) * math.sqrt(sum(parts))

    def made(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> IndependentSamples:
        system, baseline = first * draw(rng, n), second * draw(rng, times * n)
        return IndependentSamples(system=system + effect * gain(n), baseline=baseline, unit=unit, settings=settings)

    return Family(name, words, "samples", holds, made, gain=gain, sizes=RUN_SIZES if unit == "run" else _SIZES)


def _proportions(chance: float) -> Family:
    def gain(n: int) -> float:
        return min(0.95 * chance, noncentrality(2 * n - 2) * math.sqrt(2 * chance * (1 - chance) / n))

    def made(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> IndependentSamples:
        system = (rng.random(n) < chance).astype(float)
        baseline = (rng.random(n) < chance - effect * gain(n)).astype(float)
        return IndependentSamples(system=system, baseline=baseline, unit="item", settings=settings)

    return Family(
        f"right or wrong, {chance:.0%}",
        f"right or wrong items of their own, {chance:.0%} right",
        "samples",
        _SAME,
        made,
        gain=gain,
        sizes=_SIZES,
    )


def _ties() -> Family:
    def step(n: int) -> float:
        return min(0.45, noncentrality(2 * n - 2) * math.sqrt(2 / n) / 2)

    def made(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> IndependentSamples:
        # marks of 1 to 5 from four easy questions, one point more for each that is answered
        chances = (0.5 + effect * step(n) / 2, 0.5 - effect * step(n) / 2)
        system, baseline = (1.0 + rng.binomial(4, chance, size=n) for chance in chances)
        return IndependentSamples(system=system, baseline=baseline, unit="item", settings=settings)

    return Family(
        "ties",
        "marks of 1 to 5, many of them the same",
        "samples",
        _SAME,
        made,
        gain=lambda n: 4 * step(n),
        sizes=_SIZES,
    )


def _normal(rng: np.random.Generator, n: int) -> Float:
    return rng.normal(size=n)


def _exponential(rng: np.random.Generator, n: int) -> Float:
    return np.asarray(rng.exponential(size=n) - 1.0)


_UNLIKE = frozenset({"means", "stochastic"})

SAMPLES: tuple[Family, ...] = (
    _samples("normal", "normal, alike", _SAME, _normal),
    _samples("unequal spreads", "normal, the system spread three times as wide", _UNLIKE, _normal, spreads=(3.0, 1.0)),
    _samples(
        "unequal spreads and sizes",
        "normal, the system spread three times as wide on a third of the numbers",
        _UNLIKE,
        _normal,
        spreads=(3.0, 1.0),
        times=3,
    ),
    _samples("skewed", "exponential, alike", _SAME, _exponential),
    _samples(
        "skewed, unequal spreads",
        "exponential less its mean, the system spread three times as wide",
        frozenset({"means"}),
        _exponential,
        spreads=(3.0, 1.0),
    ),
    _proportions(0.7),
    _proportions(0.95),
    _ties(),
    _samples("runs", "scores of runs, normal, alike", _SAME, _normal, unit="run"),
    _samples(
        "runs, unequal spreads",
        "scores of runs, normal, those of the system spread three times as wide",
        _UNLIKE,
        _normal,
        spreads=(3.0, 1.0),
        unit="run",
    ),
)
