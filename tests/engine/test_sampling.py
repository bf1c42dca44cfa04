"""Resamples are portioned without gaps."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize("atoms", [20, 99, 150, 151])
def test_parts_of_huge_atoms_are_pieces_of_one_batch(atoms: int) -> None:
    atom = 10**7
    parts = Sampling(atoms * atom, 1, Runtime()).batches(atom)
    assert [number for part in parts for number in part.atoms] == list(range(sum(len(part.atoms) for part in parts)))
    assert all(len(part.atoms) == len(part.batches) == 1 for part in parts)
    of_batch = -(-atoms // 50)
    assert [part.batches[0] for part in parts] == [number // of_batch for number in range(len(parts))]
    assert atoms <= len(parts) < atoms + of_batch
