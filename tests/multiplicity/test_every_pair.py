"""Corrected claims of direction for every two systems, against the definition in loops."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Float
from outscore.multiplicity.every_pair import directions
from outscore.multiplicity.max_statistic import centred_statistics, single_step


def sample(seed: int, n: int, k: int, step: float, draws: int = 199) -> tuple[Float, Float, Float]:
    """Gains of all pairs of k systems on n items, redrawn gains, and p-values of paired t."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n, k)) + step * np.arange(k)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=draws) / n
    pairs = list(combinations(range(k), 2))
    d = np.stack([scores[:, i] - scores[:, j] for i, j in pairs], axis=1)
    t = d.mean(axis=0) / d.std(axis=0, ddof=1) * np.sqrt(n)
    return d.mean(axis=0), counts @ d, 2 * stats.t.sf(np.abs(t), n - 1)


def slow(gains: Float, draws: Float, p: Float) -> list[float]:
    """Step-down over both one-sided hypotheses of every pair; of each pair the smaller p, but not less than its own."""
    m = len(gains)
    error = draws.std(axis=0, ddof=1)
    claims = []
    for i in range(m):
        for side in (1, -1):
            observed = side * gains[i] / error[i]
            cap = -stats.norm.ppf(p[i] / 2)
            null = [side * (row[i] - gains[i]) / error[i] for row in draws]
            claims.append((min(observed, cap), i, null))
    claims.sort(key=lambda claim: -claim[0])
    adjusted: dict[int, float] = {}
    least = 0.0
    for start, (observed, i, _) in enumerate(claims):
        rest = [null for _, _, null in claims[start:]]
        hits = sum(max(null[b] for null in rest) >= observed for b in range(len(draws)))
        least = max(least, (hits + 1) / (len(draws) + 1))
        adjusted.setdefault(i, max(least, p[i]))
    return [adjusted[i] for i in range(m)]


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), k=st.integers(2, 4), step=st.sampled_from([0.0, 0.4, 1.0]))
def test_fast_and_slow_agree(seed: int, k: int, step: float) -> None:
    gains, draws, p = sample(seed, 12, k, step, draws=39)
    np.testing.assert_allclose(directions(gains, draws, p), slow(gains, draws, p), rtol=1e-12)


def test_the_first_step_is_the_two_sided_maximum() -> None:
    gains, draws, p = sample(3, 400, 4, 0.0)
    found = directions(gains, draws, p)
    both = single_step(*centred_statistics(gains, draws, "two-sided", p))
    first = int(np.argmin(p))
    assert found[first] == pytest.approx(both[first], abs=0.02)  # the cap by p moves the statistic a little


def test_the_system_that_always_loses_is_told_from_the_one_that_always_wins() -> None:
    rng = np.random.default_rng(5)
    half = 0.5 + rng.normal(0, 0.03, 999)
    draws = np.column_stack([np.ones(999), half, 1 - half])  # all right, half right, none right
    found = directions(np.array([1.0, 0.5, 0.5]), draws, np.array([1e-60, 1e-30, 1e-30]))
    assert (found == 0.001).all()


def test_no_pair_gets_a_smaller_p_than_by_itself() -> None:
    gains, draws, p = sample(4, 8, 5, 0.5)
    assert (directions(gains, draws, p) >= p).all()


def test_the_sign_of_a_gain_does_not_matter() -> None:
    gains, draws, p = sample(5, 30, 4, 0.3)
    np.testing.assert_array_equal(directions(gains, draws, p), directions(-gains, -draws, p))
