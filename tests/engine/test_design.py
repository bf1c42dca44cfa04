"""Clusters and strata of items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import UsageError
from outscore.engine.design import Design


@given(seed=st.integers(0, 999))
def test_gathering_sums_within_clusters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = rng.choice(["b", "a", "z", "doc 10", "doc 9"], size=20).tolist()
    statistics = rng.integers(0, 9, size=(3, 20, 2)).astype(float)
    design = Design.named(20, names)
    gathered = design.gather(statistics)
    twin = [
        [[sum(run[i][j] for i in range(20) if names[i] == name) for j in range(2)] for name in sorted(set(names))]
        for run in statistics.tolist()
    ]
    assert gathered.tolist() == twin
    assert design.n_units == len(set(names))


def test_independent_items_are_their_own_units() -> None:
    rng = np.random.default_rng(7)
    statistics = rng.normal(size=(2, 5, 1))
    assert Design(5).gather(statistics) is statistics
    assert Design(5).n_units == 5


def test_clusters_of_one_item_are_items_in_another_order() -> None:
    rng = np.random.default_rng(7)
    statistics = rng.normal(size=(1, 4, 2))
    design = Design.named(4, ["d", "b", "a", "c"])
    np.testing.assert_array_equal(design.gather(statistics), statistics[:, [2, 1, 3, 0]])


def test_strata_are_sets_of_units() -> None:
    plain = Design.named(5, strata=["x", "y", "x", "y", "x"])
    assert [units.tolist() for units in plain.strata_of_units] == [[0, 2, 4], [1, 3]]
    clusters = Design.named(5, ["b", "a", "b", "c", "a"], ["x", "y", "x", "x", "y"])
    assert [units.tolist() for units in clusters.strata_of_units] == [[1, 2], [0]]
    assert [units.tolist() for units in Design(3).strata_of_units] == [[0, 1, 2]]


def test_a_cluster_in_two_strata_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="'doc 1' lies in several strata"):
        Design.named(3, ["doc 1", "doc 2", "doc 1"], ["x", "y", "y"])


def test_a_part_of_a_design_has_the_same_clusters_and_strata() -> None:
    whole = Design.named(5, ["b", "a", "b", "c", "a"], ["x", "y", "x", "x", "y"])
    part = whole.restrict(np.array([0, 2, 3]))
    assert part.labels is not None
    assert part.strata is not None
    assert (part.n_items, part.labels.tolist(), part.strata.tolist()) == (3, [0, 0, 1], [0, 0, 0])
