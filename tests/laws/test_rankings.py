"""Scores of rankings are covered by their default intervals, with few positives and near 1 too."""

from __future__ import annotations

import math

import numpy as np
import pytest

import outscore
from outscore.engine.beta import normal_cdf


@pytest.mark.slow
@pytest.mark.parametrize(("n", "positives", "shift"), [(200, 10, 2.5), (100, 50, 3.0)])
def test_auc_near_1_is_covered(n: int, positives: int, shift: float) -> None:
    """BCa covered .89 of 300 sets (10 positives), t over jackknife pseudo-values .76; nothing was said of it."""
    rng, truth, sets, covered = np.random.default_rng(7), normal_cdf(shift / math.sqrt(2)), 300, 0
    for _ in range(sets):
        gold = rng.random(n) < positives / n
        ranking = gold * shift + rng.normal(size=n)
        found = outscore.score({"a": ranking}, references=[str(int(g)) for g in gold], metrics="auc", n_resamples=99)
        low, high = found.scores[0].ci or (0, 0)
        covered += low <= truth <= high
    assert covered / sets > 0.92 - 2 * math.sqrt(0.92 * 0.08 / sets)
