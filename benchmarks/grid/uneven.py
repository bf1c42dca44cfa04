"""Families of two systems on the same items that break what a default rests on, in the way that users' data do."""

from __future__ import annotations

import math

import numpy as np

from grid.family import Family, noncentrality
from grid.pairs import mean_pair
from outscore.base.arrays import Float, Int
from outscore.engine.design import Design
from outscore.metrics import Metric
from outscore.metrics.classes import FBeta, Precision
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

_MEAN = frozenset({"mean"})
_ALIKE = frozenset({"mean", "exchangeable", "symmetric", "median"})
_SIZES = (20, 40, 100, 150)
"""Of ratios whose exact law takes long where counts differ much."""
_LARGE, _SMALL, _SMALL_ONES = 40, 2, 4
_ICC = 0.3
_MEMBERS = 10


def _step(n: int, spread: float) -> float:
    """A gain that is found with the power of the grid, of a standard deviation of the differences of units."""
    return noncentrality(n - 1) * spread / math.sqrt(n)


def counts_pair(
    metric: Metric, system: Float, baseline: Float, settings: Settings, labels: Int | None = None
) -> GainContrast:
    """Two systems ``(items, [tp, fp, fn])`` under a ratio of their sums."""
    design = Design(len(system), labels)
    statistics = [counts.astype(float)[None] for counts in (baseline, system)]
    stats = Statistics(metric.name, statistics, metric.score, design, ratio=metric.ratio())
    return GainContrast(Resamples(("a", "b"), [stats], 0, settings), 0, 1)


def _mirrored() -> Family:
    """F1 of .6 by precision .9 and recall .45, and by precision .45 and recall .9."""
    spread, slope = 0.33, 0.91  # standard deviation of an item's influence on the gain; F1 for a unit of recall

    def recall(n: int) -> float:
        return 0.45 + min(0.3, _step(n, spread) / slope)

    def f1(found: float) -> float:
        return 2 * found / (found + 1.05)

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        gold = 1 + rng.poisson(2.0, size=n)
        both = []
        for found, wrong in ((recall(n) if effect else 0.45, 0.05), (0.9, 1.1)):
            hits = rng.binomial(gold, found)
            both.append(np.stack([hits, rng.poisson(wrong * gold), gold - hits], axis=-1))
        return counts_pair(FBeta(), *both, settings)

    return Family(
        "micro-F1, mirrored",
        "micro-F1 of sentences with 1 + Poisson(2) entities; one system has precision .90 and recall .45, the other "
        ".45 and .90",
        "pairs",
        _MEAN,
        draw,
        gain=lambda n: f1(recall(n)) - f1(0.45),
        sizes=_SIZES,
    )


def _claims(more: int) -> Family:
    """Precision of 1 claim an item and of ``more``."""
    right = 0.7

    def gain(n: int) -> float:
        return min(0.25, _step(n, math.sqrt(right * (1 - right) * (1 + 1 / more))))

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        both = []
        for claims, share in ((more, right + effect * gain(n)), (1, right)):
            hits = rng.binomial(claims, share, size=n)
            both.append(np.stack([hits, claims - hits, np.zeros_like(hits)], axis=-1))
        return counts_pair(Precision(), *both, settings)

    return Family(
        f"precision, 1:{more} claims",
        f"precision of {more} claims an item against 1 of the baseline, each right with probability {right}",
        "pairs",
        _MEAN,
        draw,
        gain=gain,
        sizes=_SIZES,
    )


def _few_claims() -> Family:
    """Precision of 1 claim an item and of one in twenty, nearly all of them right."""
    right = 0.95

    def gain(n: int) -> float:
        return min(0.6, _step(n, math.sqrt(right * (1 - right) * 21)))

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        few = (rng.random(n) < 0.05).astype(np.int64)
        few[0] += not few.any()
        both = []
        for claims, share in ((np.ones_like(few), right), (few, right - effect * gain(n))):
            hits = rng.binomial(claims, share)
            both.append(np.stack([hits, claims - hits, np.zeros_like(hits)], axis=-1))
        return counts_pair(Precision(), *both, settings)

    return Family(
        "precision, few claims",
        f"precision of 1 claim an item against .05 of the baseline, each right with probability {right}",
        "pairs",
        _MEAN,
        draw,
        gain=gain,
        sizes=_SIZES,
    )


def _one_in_ten() -> Family:
    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        differences = rng.choice([3.0, -1 / 3], p=[0.1, 0.9], size=n) + effect * _step(n, 1.0)
        baseline = rng.normal(size=n)
        return mean_pair((baseline + differences)[None], baseline[None], settings)

    return Family(
        "one in ten",
        "a gain of 3 on 10 % of the items, a loss of 1/3 on the others",
        "pairs",
        _MEAN,
        draw,
        gain=lambda n: _step(n, 1.0),
        sigma=lambda _: 1.0,
    )


def _unequal_clusters() -> Family:
    """Of every 48 items, 40 are one cluster and 8 are four."""
    sizes = np.array([_LARGE] + [_SMALL] * _SMALL_ONES)
    # variance of the mean in clusters of these sizes, as if the items were that many independent ones
    inflated = 1 + (float(sizes @ sizes) / sizes.sum() - 1) * _ICC

    def gain(n: int) -> float:
        return noncentrality(max(2, n // int(sizes.sum()))) * math.sqrt(inflated / n)

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        times = np.tile(sizes, n // int(sizes.sum()))
        labels = np.repeat(np.arange(len(times)), times)
        shared = rng.normal(size=len(times))[labels] * math.sqrt(_ICC)
        differences = shared + rng.normal(size=len(labels)) * math.sqrt(1 - _ICC) + effect * gain(n)
        baseline = rng.normal(size=len(labels))
        return mean_pair((baseline + differences)[None], baseline[None], settings, labels)

    return Family(
        "unequal clusters",
        f"normal differences in clusters of {_LARGE} items and four times as many of {_SMALL}, intraclass correlation "
        f"{_ICC}; the clusters are given",
        "pairs",
        _ALIKE,
        draw,
        gain=gain,
        sigma=lambda _: 1.0,
        sizes=(96, 240, 480, 960),
        members=int(sizes.mean()),
    )


def _near_one(share: float) -> Family:
    """Right or wrong in clusters with chances of their own, alike in law for both systems."""

    def chances(rng: np.random.Generator, clusters: int, mean: float) -> Float:
        rest = (1 - _ICC) / _ICC
        return np.asarray(rng.beta(mean * rest, (1 - mean) * rest, size=clusters))

    def gain(n: int) -> float:
        spread = math.sqrt(2.2 * share * (1 - share) * (1 + (_MEMBERS - 1) * _ICC) / _MEMBERS)
        return min(0.5, _step(n // _MEMBERS, spread))

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        labels = np.arange(n, dtype=np.int64) // _MEMBERS
        system, baseline = (
            (rng.random(n) < chances(rng, n // _MEMBERS, mean)[labels]).astype(float)
            for mean in (share, share - effect * gain(n))
        )
        return mean_pair(system[None], baseline[None], settings, labels)

    return Family(
        f"clusters, {share:.0%} right",
        f"items of which {share:.0%} are right, in clusters of {_MEMBERS}, intraclass correlation of each system "
        f"{_ICC}; the clusters are given",
        "pairs",
        _ALIKE,
        draw,
        gain=gain,
        sizes=(50, 80, 200, 500),
        members=_MEMBERS,
    )


def _f1_in_clusters() -> Family:
    """Documents of five sentences, each easy or hard for each system."""
    found, spread, slope = 0.7, 0.54, 0.665

    def skill(n: int) -> float:
        return min(0.25, _step(n // 5, spread / math.sqrt(5)) / slope)

    def f1(share: float) -> float:
        return 6 * share / (3 * share + 3.6)

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        labels = np.arange(n, dtype=np.int64) // 5
        gold = 1 + rng.poisson(2.0, size=n)
        both = []
        for more in (effect * skill(n), 0.0):
            hits = rng.binomial(gold, rng.beta(4 * (found + more), 4 * (1 - found - more), size=n // 5)[labels])
            both.append(np.stack([hits, rng.poisson(0.6, size=n), gold - hits], axis=-1))
        return counts_pair(FBeta(), *both, settings, labels)

    return Family(
        "micro-F1 in clusters",
        "micro-F1 of sentences with 1 + Poisson(2) entities in documents of 5, each of its own difficulty for each "
        "system; the documents are given",
        "pairs",
        _MEAN | {"exchangeable"},
        draw,
        gain=lambda n: f1(found + skill(n)) - f1(found),
        sizes=(25, 40, 100, 200),
        members=5,
    )


def _samples(system: int, baseline: int) -> Family:
    """Samples of one model, right or wrong, and the share of right ones of each item."""

    def better(n: int) -> float:
        # an item is right with a probability of mean 2/3 and mean variance 1/6; the effect turns wrong ones right
        return min(0.9, 3 * _step(n, math.sqrt((1 / system + 1 / baseline) / 6)))

    def draw(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> GainContrast:
        chance = rng.beta(2, 1, size=n)
        turned = chance + effect * better(n) * (1 - chance)
        means = [rng.binomial(k, p) / k for k, p in ((system, turned), (baseline, chance))]
        return mean_pair(means[0][None], means[1][None], settings)

    return Family(
        f"samples, {system}:{baseline}",
        f"the share of right answers in {system} samples of an item, and in {baseline} of the baseline",
        "pairs",
        _ALIKE if system == baseline else _MEAN,
        draw,
        gain=lambda n: better(n) / 3,
    )


UNEVEN: tuple[Family, ...] = (
    _mirrored(),
    _claims(5),
    _one_in_ten(),
    _unequal_clusters(),
    _near_one(0.95),
    _near_one(0.98),
    _f1_in_clusters(),
    _samples(4, 4),
    _samples(4, 8),
    _few_claims(),
)
