"""Resamples are portioned without gaps, shared grids are found, and differences are counted as differences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from outscore.base.arrays import Float
from outscore.engine.bootstrap import bootstrap
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.lattice import lattice
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling


@pytest.mark.parametrize("n_resamples", [1, 999, 40_000, 3_000_000])
@pytest.mark.parametrize("atom", [1, 7, 64, 1_000, 40_000])
def test_parts_hold_every_atom_once_in_order_and_enough_of_them(n_resamples: int, atom: int) -> None:
    """Whether several batches are handled at once or a piece of one."""
    parts = Sampling(n_resamples, 1, Runtime()).batches(atom)
    atoms = [number for part in parts for number in part.atoms]
    assert atoms == list(range(len(atoms)))
    assert len(atoms) * atom >= n_resamples
    assert len(atoms) >= 20
    assert sum(part.size for part in parts) == len(atoms) * atom
    assert all(part.size == len(part.atoms) * atom for part in parts)
    batches = [number for part in parts for number in part.batches]
    assert sorted(set(batches)) == list(range(max(batches) + 1))
    assert 20 <= len(set(batches)) <= 50


@pytest.mark.parametrize("denominator", [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 16, 24, 32, 48, 60, 64, 100, 10**6])
def test_numbers_of_a_grid_are_whole_multiples_of_its_unit(denominator: int) -> None:
    """Means of so many votes, shares in percent: ties among them are found in whole numbers."""
    rng = np.random.default_rng(denominator)
    whole = rng.integers(-3 * denominator, 3 * denominator, (40, 1))
    whole[:2] = [[1], [denominator - 1]]
    found = lattice(whole / denominator)
    assert found.exact.all()
    np.testing.assert_array_equal(np.rint(found.integers), found.integers)
    np.testing.assert_allclose(found.integers * found.units, whole / denominator, rtol=1e-15)


def test_a_series_is_a_difference_from_any_group_the_first_one_too_or_a_score_alone() -> None:
    scores = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 1.0, 3.5, 4.0], [0.0, 0.5, 9.0, 7.0]])
    groups = tuple(slice(i, i + 1) for i in range(3))
    first, second = np.array([1, 2, 2]), np.array([0, 1, -1])
    marks = np.array([[0.5], [-0.5], [0.5]])
    counts = Accumulator(groups, first, second, marks, np.zeros(3)).count(scores, 1)
    series = [scores[1] - scores[0], scores[2] - scores[1], scores[2]]
    for s, (values, (mark,)) in enumerate(zip(series, marks, strict=True)):
        assert counts[0, s, 0].tolist() == [int((values < mark).sum()), int((values <= mark).sum())]


@pytest.mark.parametrize("atoms", [20, 99, 150, 151])
def test_parts_of_huge_atoms_are_pieces_of_one_batch(atoms: int) -> None:
    atom = 10**7
    parts = Sampling(atoms * atom, 1, Runtime()).batches(atom)
    assert [number for part in parts for number in part.atoms] == list(range(sum(len(part.atoms) for part in parts)))
    assert all(len(part.atoms) == len(part.batches) == 1 for part in parts)
    of_batch = -(-atoms // 50)
    assert [part.batches[0] for part in parts] == [number // of_batch for number in range(len(parts))]
    assert atoms <= len(parts) < atoms + of_batch


def test_nothing_is_counted_of_no_series() -> None:
    assert Accumulator.nothing().count(np.zeros((2, 8)), 4).shape == (4, 0, 0, 2)


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_few_distinct_rows_are_drawn_as_counts_for_each_system(systems: int) -> None:
    n = 3000
    groups = [np.stack([np.arange(n) % (2 + s) == 0, np.ones(n)], axis=1).astype(float) for s in range(systems)]

    def score(sums: Iterator[Float]) -> Float:
        return np.stack([next(sums)[:, 0] for _ in range(systems)])

    sampling = Sampling(4000, 1, Runtime(), "iid")
    drawn = bootstrap(groups, score, Design(n), sampling, Accumulator.nothing()).values
    assert drawn.shape == (systems, 4000)
    for s in range(systems):
        share = 1 / (2 + s)
        # five standard errors of a mean of resampled counts
        assert drawn[s].mean() == pytest.approx(groups[s][:, 0].sum(), abs=5 * (n * share * (1 - share) / 4000) ** 0.5)
        assert drawn[s].var() == pytest.approx(n * share * (1 - share), rel=0.12)


def test_work_is_done_by_one_thread_unless_more_are_asked_for() -> None:
    assert (Runtime().jobs, Runtime().whole, Runtime().block) == (1, False, None)


def test_resamples_that_are_kept_are_counted_batch_by_batch_also_those_of_one() -> None:
    drawn = Draws(np.zeros((1, 5)), np.array([1, 3, 4]), np.zeros((3, 0, 0, 2), dtype=np.int64), True, False)
    found = drawn.exceedances(np.array([True, False, True, True, True]))
    assert (found.counts.tolist(), found.sizes.tolist()) == ([1, 2, 1], [1, 3, 1])
    assert drawn.exceedances(np.array([True])).sizes.tolist() == [1]
