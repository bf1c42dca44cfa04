"""Randomization beside its slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.resampling import bootstrap_by_counts, randomize, randomize_by_swaps
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling
from outscore.engine.weights import ATOM, swaps

SERIAL = Runtime()


def relabel_independently(differences: Float, resamples: int, seed: int) -> Float:
    """What moves from the second system to the first ``(k, b)``, independent relabellings."""
    groups = [np.zeros_like(differences), differences]
    sampling = Sampling(resamples, seed, SERIAL, "iid")
    return randomize(groups, lambda sums: list(sums)[1].T, sampling, Accumulator.nothing()).values


@given(seed=st.integers(0, 99), n=st.integers(1, 10))
def test_randomization_is_its_slow_twin(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, size=(2, n)).astype(float)
    found = a.sum() + relabel_independently((b - a)[:, None], 20, seed)[0]
    moving = [i for i in range(n) if a[i] != b[i]]
    twin = []
    for atom in range(2):
        for chosen in swaps(len(moving), seed, atom).tolist():
            exchanged = {i for i, bit in zip(moving, chosen, strict=True) if bit}
            twin.append(sum(b[i] if i in exchanged else a[i] for i in range(n)))
    np.testing.assert_array_equal(found, twin[:20])


def test_rows_without_a_difference_change_no_relabelling() -> None:
    rng = np.random.default_rng(7)
    d = rng.integers(1, 5, size=(6, 1)).astype(float)
    padded = np.zeros((20, 1))
    padded[[1, 4, 5, 9, 13, 19]] = d
    results = [relabel_independently(rows, 64, 3) for rows in (d, padded)]
    np.testing.assert_array_equal(results[0], results[1])


NOTHING = Accumulator.nothing()


@given(seed=st.integers(0, 99), n=st.integers(1, 12))
def test_exchanging_exchanges_what_randomization_does(seed: int, n: int) -> None:
    one, two = np.zeros((n, 1)), np.arange(1, n + 1, dtype=float)[:, None]
    sampling = Sampling(40, seed, SERIAL, "iid")
    found = randomize_by_swaps(n, lambda chosen: (chosen @ two).T, sampling, NOTHING)
    moved = randomize([one, two], lambda sums: list(sums)[1].T, sampling, NOTHING)
    np.testing.assert_array_equal(found.values, moved.values)


@pytest.mark.parametrize(("draw", "units"), [(bootstrap_by_counts, Design(5)), (randomize_by_swaps, 5)])
def test_what_a_score_holds_bounds_how_many_are_drawn_at_once(draw: object, units: object) -> None:
    seen: list[int] = []

    def score(weights: Float) -> Float:
        seen.append(len(weights))
        return weights[:, :1].T

    draw(units, score, Sampling(1000, 1, SERIAL), NOTHING, cells=10**7)  # type: ignore[operator]
    assert max(seen) == ATOM
    assert sum(seen) >= 1000
