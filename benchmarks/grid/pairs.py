"""Families of two systems that answered the same items."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from grid.family import SIZES, Family, noncentrality
from outscore.base.arrays import Float, Int
from outscore.engine.design import Design
from outscore.metrics.classes import FBeta
from outscore.metrics.mean import Mean
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

MEMBERS = 5
ICC = 0.5
CLUSTERED_SIZES = (10, 20, 25, 30, 40, *SIZES[3:])
"""So that there are 5 and 8 clusters too."""
SKILL = 0.7
_VALUES, _CHANCES = np.array([-3, -2, -1, 0, 1, 2, 3]), np.array([0.03, 0.05, 0.07, 0.7, 0.07, 0.05, 0.03])

_ALL = frozenset({"mean", "exchangeable", "symmetric", "median", "pooled"})


def mean_pair(system: Float, baseline: Float, settings: Settings, labels: Int | None = None) -> GainContrast:
    """Two systems ``(runs, items)`` under a mean."""
    statistics = [np.stack([values, np.ones_like(values)], axis=-1) for values in (baseline, system)]
    design = Design(system.shape[1], labels)
    stats = Statistics("mean", statistics, Mean().score, design, per_item=True)
    return GainContrast(Resamples(("a", "b"), [stats], 0, settings), 0, 1)


def _differences(draw: Callable[[np.random.Generator, int, bool], Float], labels: bool = False) -> Family.draw:
    """Differences of items on top of what a baseline scores, which no test may mind."""

    def made(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        baseline = rng.normal(size=n)
        clusters = np.arange(n, dtype=np.int64) // MEMBERS if labels else None
        return mean_pair((baseline + draw(rng, n, effect))[None], baseline[None], settings, clusters)

    return made


def _shift(n: int) -> float:
    return noncentrality(n - 1) / math.sqrt(n)


def _standard(
    name: str, words: str, holds: frozenset[str], draw: Callable[[np.random.Generator, int], Float]
) -> Family:
    """Differences with mean 0 and variance 1, and the same shifted."""
    return Family(
        name,
        words,
        "pairs",
        holds,
        _differences(lambda rng, n, effect: draw(rng, n) + effect * _shift(n)),
        gain=_shift,
        sigma=lambda _: 1.0,
    )


def _lognormal(rng: np.random.Generator, n: int) -> Float:
    values = rng.lognormal(size=(2, n))
    return np.asarray((values[0] - values[1]) / math.sqrt(2 * (math.e - 1) * math.e))


def _rare(rng: np.random.Generator, n: int) -> Float:
    return np.asarray(rng.choice([9.0, -1.0, 0.0], p=[0.01, 0.09, 0.9], size=n) / math.sqrt(0.9))


def _right_or_wrong(share: float) -> Family:
    """Right or wrong: the systems disagree on a share of the items."""

    def gain(n: int) -> float:
        # g = c √((share + g) / n): the effect adds to the disagreement
        c = noncentrality(n - 1) ** 2 / n
        return min(0.9 - share, (c + math.sqrt(c * c + 4 * c * share)) / 2)

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        better, worse = share / 2 + effect * gain(n), share / 2
        cell = rng.choice(4, p=[better, worse, *([(1 - better - worse) / 2] * 2)], size=n)
        system, baseline = np.isin(cell, (0, 2)).astype(float), np.isin(cell, (1, 2)).astype(float)
        return mean_pair(system[None], baseline[None], settings)

    return Family(
        f"right or wrong, {share:.0%}",
        f"each item right or wrong, the systems disagree on {share:.0%} of them",
        "pairs",
        _ALL,
        draw,
        gain=gain,
        sigma=lambda _: math.sqrt(share),
    )


def _ties() -> Family:
    """Differences of a few tenths, most of them 0."""
    size, spread = float(_CHANCES @ np.abs(_VALUES)), math.sqrt(float(_CHANCES @ _VALUES**2))

    def turned(n: int) -> float:
        return min(1.0, _shift(n) * spread / size)

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        d = rng.choice(_VALUES, p=_CHANCES, size=n)
        if effect:
            d = np.where(rng.random(n) < turned(n), np.abs(d), d)
        baseline = rng.integers(3, 8, size=n)
        return mean_pair((baseline + d)[None] / 10, baseline[None] / 10, settings)

    return Family(
        "ties",
        "differences of -.3 to .3 in steps of .1, 70 % of them 0",
        "pairs",
        _ALL,
        draw,
        gain=lambda n: turned(n) * size / 10,
        sigma=lambda _: spread / 10,
    )


def _clusters() -> Family:
    def gain(n: int) -> float:
        clusters = n // MEMBERS
        return noncentrality(clusters - 1) * math.sqrt((ICC + (1 - ICC) / MEMBERS) / clusters)

    def draw(rng: np.random.Generator, n: int, effect: bool) -> Float:
        shared = np.repeat(rng.normal(size=n // MEMBERS), MEMBERS) * math.sqrt(ICC)
        return shared + rng.normal(size=n) * math.sqrt(1 - ICC) + effect * gain(n)

    return Family(
        "clusters",
        f"normal differences in clusters of {MEMBERS} items, intraclass correlation {ICC}; the clusters are given",
        "pairs",
        _ALL,
        _differences(draw, labels=True),
        gain=gain,
        sigma=lambda _: 1.0,
        sizes=CLUSTERED_SIZES,
        members=MEMBERS,
    )


def _clusters_of_outcomes() -> Family:
    """Right or wrong in clusters: all items of a cluster go the same way as often as not."""
    share = 0.2

    def gain(n: int) -> float:
        clusters = n // MEMBERS
        variance = share * (ICC + (1 - ICC) / MEMBERS)
        return min(0.7, noncentrality(clusters - 1) * math.sqrt(1.3 * variance / clusters))

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        chances = [share / 2 + effect * gain(n), share / 2]
        chances.append(1 - sum(chances))
        own, shared = rng.choice([1, -1, 0], p=chances, size=n), rng.choice([1, -1, 0], p=chances, size=n // MEMBERS)
        # two items of a cluster follow it together with the probability ICC
        winner = np.where(rng.random(n) < math.sqrt(ICC), np.repeat(shared, MEMBERS), own)
        labels = np.arange(n, dtype=np.int64) // MEMBERS
        return mean_pair((winner > 0).astype(float)[None], (winner < 0).astype(float)[None], settings, labels)

    return Family(
        "clusters, right or wrong",
        f"right or wrong items in clusters of {MEMBERS}, intraclass correlation {ICC}, disagreement {share:.0%}; "
        "the clusters are given",
        "pairs",
        _ALL,
        draw,
        gain=gain,
        sigma=lambda _: math.sqrt(share),
        sizes=CLUSTERED_SIZES,
        members=MEMBERS,
    )


def _runs(runs: int, rho: float, stable: float, others: int | None = None) -> Family:
    """y = u_i + a_sr + c_si + e_sri, with var c + var e = 1/2.

    Args:
        runs: of each system, or of the first where the baseline has ``others``.
        rho: standard deviation of a in standard errors of the paired difference of two runs.
        stable: share of c in var c + var e.
    """

    numbers = (runs, others or runs)
    each = sum(1 / number for number in numbers) / 2

    def variance(n: int) -> float:
        return (2 * rho**2 * each + stable + (1 - stable) * each) / n

    def gain(n: int) -> float:
        welch = (2 * each) ** 2 / sum(1 / (number**2 * (number - 1)) for number in numbers)
        return noncentrality(welch if rho else n - 1) * math.sqrt(variance(n))

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        items = rng.normal(size=n)
        system, baseline = (
            items
            + rng.normal(size=(number, 1)) * rho / math.sqrt(n)
            + rng.normal(size=n) * math.sqrt(stable / 2)
            + rng.normal(size=(number, n)) * math.sqrt((1 - stable) / 2)
            for number in numbers
        )
        return mean_pair(system + effect * gain(n), baseline, settings)

    holds = {"runs and items"}
    if not rho:
        holds |= _ALL - {"pooled"}
    if not stable:
        holds |= {"runs"}
    varying = "runs vary" if rho else "runs do not vary"
    system_by_item = "systems differ from item to item" if stable else "no item favours a system"
    against = f" against {others}" if others else ""
    return Family(
        f"{runs} runs{against}{', varying' if rho else ''}{'' if stable else ', items alike'}",
        f"{runs} runs of each system{against and f'{against} of the baseline'}, normal; {varying}, {system_by_item}",
        "pairs",
        frozenset(holds),
        draw,
        gain=gain,
        sigma=lambda _: math.sqrt(stable + (1 - stable) * each),
        sizes=(10, 30, 100, 500),
    )


def _f1() -> Family:
    """Counts of true positives, false positives and false negatives of sentences with 1 + Poisson(2) entities."""

    def skills(n: int) -> tuple[float, float]:
        # the standard deviation of an item's influence on the gain is .286, and F1 rises by .665 times the skill
        step = min(0.28, noncentrality(n - 1) * 0.286 / 0.665 / math.sqrt(n) / 2)
        return SKILL + step, SKILL - step

    def f1(skill: float) -> float:
        return 6 * skill / (3 * skill + 3.6)

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        gold = 1 + rng.poisson(2.0, size=n)
        counts = []
        for skill in skills(n) if effect else (SKILL, SKILL):
            hits = rng.binomial(gold, skill)
            counts.append(np.stack([hits, rng.poisson(0.6, size=n), gold - hits], axis=-1).astype(float)[None])
        metric = FBeta()
        stats = Statistics("f1", counts[::-1], metric.score, Design(n), ratio=metric.ratio())
        return GainContrast(Resamples(("a", "b"), [stats], 0, settings), 0, 1)

    return Family(
        "micro-F1",
        "a corpus score that is a ratio of sums: micro-F1 of sentences with 1 + Poisson(2) entities",
        "pairs",
        frozenset({"mean", "exchangeable", "pooled"}),
        draw,
        gain=lambda n: f1(skills(n)[0]) - f1(skills(n)[1]),
    )


PAIRS: tuple[Family, ...] = (
    _standard("normal", "normal differences", _ALL, lambda rng, n: rng.normal(size=n)),
    _standard(
        "skewed", "exponential differences less 1", frozenset({"mean"}), lambda rng, n: rng.exponential(size=n) - 1
    ),
    _standard("heavy tails", "differences of two lognormals: symmetric, with far outliers", _ALL, _lognormal),
    _standard("rare", "+9 on 1 % of the items, -1 on 9 %, else 0", frozenset({"mean"}), _rare),
    _right_or_wrong(0.05),
    _right_or_wrong(0.20),
    _ties(),
    _clusters(),
    _clusters_of_outcomes(),
    *(_runs(runs, rho, stable) for runs in (3, 5, 10) for rho, stable in ((0.0, 0.5), (1.0, 0.5), (1.0, 0.0))),
    _runs(5, 0.0, 0.0),
    _f1(),
    _runs(2, 1.0, 0.5, 20),
    _runs(2, 1.0, 0.5, 5),
)
