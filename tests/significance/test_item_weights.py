"""Weights of items: their scale says nothing, and few heavy items are no many."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.results.comparison import Comparison
from outscore.significance.proportions import wilson
from tests.laws.support import least, most

AVERAGES = ("f1:average=macro", "precision:average=macro", "recall:average=macro", "balanced_accuracy")
NAMES = ("new", "base")


def drawn(seed: int, n: int) -> dict[str, Any]:
    """Labels of three classes, and two equal systems that keep .8 of them and draw the others."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    made = {name: np.where(rng.random(n) < 0.8, gold, rng.integers(3, size=n)) for name in NAMES}
    return {name: list(map(str, labels)) for name, labels in {**made, "gold": gold}.items()}


def compared(made: dict[str, Any], metric: str, weights: list[float] | None = None) -> Comparison:
    metric += (("," if ":" in metric else ":") + "weight=weight") if weights else ""
    systems, items = {name: made[name] for name in NAMES}, {"weight": weights} if weights else None
    return outscore.compare(systems, references=[made["gold"]], metrics=metric, items=items, n_resamples=99)


@pytest.mark.parametrize("metric", AVERAGES)
@pytest.mark.parametrize("factor", [0.01, 1 / 640, 100])
def test_the_scale_of_weights_says_nothing(metric: str, factor: float) -> None:
    made, weights = drawn(3, 100), [10.0 if i % 10 == 0 else 1.0 for i in range(100)]
    one, other = (compared(made, metric, [f * w for w in weights]).pairs[0] for f in (1.0, factor))
    assert other.p_value == pytest.approx(one.p_value, rel=1e-9)
    assert other.ci == pytest.approx(one.ci, abs=1e-9)


@pytest.mark.parametrize("metric", AVERAGES)
def test_weights_that_are_all_equal_are_none(metric: str) -> None:
    made = drawn(5, 60)
    one, other = compared(made, metric).pairs[0], compared(made, metric, [0.07] * 60).pairs[0]
    assert other.p_value == pytest.approx(one.p_value, rel=1e-9)
    assert other.ci == pytest.approx(one.ci, abs=1e-9)


def test_classes_of_few_heavy_items_are_rare() -> None:
    """Of 20 items of a class one weighs a hundred times as much: they count like (119)² / (10,019), 1.4."""
    gold, weights = ["a"] * 40 + ["b"] * 20, [1.0] * 59 + [100.0]
    made = {"gold": gold, "new": gold, "base": ["a"] * 60}
    said = [note.text for note in compared(made, "f1:average=macro", weights).notes if note.code == "rare_classes"]
    assert ["'b' with 1)" in text for text in said] == [True]
    assert "rare_classes" not in [note.code for note in compared(made, "f1:average=macro").notes]


def test_a_weighted_share_counts_no_more_items_than_equal_weights_would() -> None:
    """All four heavy ones of 40 items are right: the variance of the sample is that of 36 light items alone."""
    weights = [10.0] * 4 + [1.0] * 36
    right = [1.0] * 24 + [0.0] * 16
    ends = outscore.score({"a": right}, items={"weight": weights}, metrics="accuracy:weight=weight").scores[0].ci
    share, worth = 60 / 76, 76**2 / 436
    assert ends is not None
    assert ends[1] - ends[0] > wilson(round(share * worth), round(worth))[1] - share
    plain = sum(((r - share) * w) ** 2 for r, w in zip(right, weights, strict=True)) / 76**2
    assert ends[1] - ends[0] > 2 * 1.96 * math.sqrt(plain)


@pytest.mark.slow
def test_equal_systems_of_few_heavy_items_are_seldom_told_apart() -> None:
    """Macro F1, 40 items, one in ten of ten times the weight: .05 of 400 sets; .16 where nothing bounds its variance.

    A right program fails with probability 1e-6 over the choice of the seed.
    """
    found = 0
    for seed in range(400):
        weights = np.where(np.random.default_rng(10_000 + seed).random(40) < 0.1, 10.0, 1.0).tolist()
        p = compared(drawn(seed, 40), "f1:average=macro", weights).pairs[0].p_value
        found += p is not None and p < 0.05
    assert least(0.05, 400) <= found / 400 <= most(0.05, 400)


@pytest.mark.slow
def test_a_weighted_share_is_covered() -> None:
    """.98 of 400 sets of 40 items, one in ten of ten times the weight; .87 by the variance of the sample alone."""
    held = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        items = {"weight": np.where(rng.random(40) < 0.1, 10.0, 1.0).tolist()}
        right = {"a": (rng.random(40) < 0.8).astype(float).tolist()}
        ends = outscore.score(right, items=items, metrics="accuracy:weight=weight", n_resamples=99).scores[0].ci
        held += ends is not None and ends[0] <= 0.8 <= ends[1]
    assert held / 400 >= least(0.95, 400)
