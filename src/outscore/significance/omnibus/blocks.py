"""Whole numbers in blocks, permuted within each block: the permutation law behind Cochran's and Friedman's tests.

The statistic is Σ G², G the sums of the systems over the blocks: both tests grow with it, whatever the permutation.
"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.rng import stream
from outscore.engine.montecarlo import Exceedances

MOST_SUMS = 2**20
"""Sums held at once above which the enumeration is given up: a second of work as a rule."""

_MOST_STEPS = 2**22
_MOST_SYSTEMS = 7  # whose orders are written out
_BLOCK_CELLS = 2**20


def permutation_p(table: Int) -> float | None:
    """P(ΣG² >= observed) over all permutations within blocks, each equally likely; None if they are too many.

    Systems are interchangeable under the null hypothesis, so states are sorted sums; ties within a block and equal
    blocks need no care, they only merge states.

    Args:
        table: ``(blocks, k)`` whole numbers, none below 0.
    """
    _, k = table.shape
    informative = table[(table != table[:, :1]).any(axis=1)]
    if (informative == informative[:1]).all():
        # blocks that all agree have the largest sum of squares, which no other permutation reaches
        return float(_orders(informative[0])) ** (1 - len(informative)) if len(informative) else 1.0
    if k > _MOST_SYSTEMS or _cost(informative) > _MOST_STEPS:
        return None
    observed = int((informative.sum(axis=0) ** 2).sum())
    base = int(informative.sum()) + 1
    if base**k >= 2**62:
        return None
    digits = base ** np.arange(k)
    states: Int = np.zeros((1, k), dtype=np.int64)
    mass: Float = np.ones(1)
    for block in informative:
        orders, ways = np.unique(list(permutations(block.tolist())), axis=0, return_counts=True)
        if len(states) * len(orders) > MOST_SUMS:
            return None
        grown = np.sort((states[:, None, :] + orders).reshape(-1, k), axis=1)
        share = np.outer(mass, ways / ways.sum()).ravel()
        _, first, place = np.unique(grown @ digits, return_index=True, return_inverse=True)
        states = grown[first]
        mass = np.bincount(place, weights=share).astype(np.float64)
    return min(1.0, float(mass[(states**2).sum(axis=1) >= observed].sum()))


def permutation_exceedances(table: Int, n_resamples: int, seed: int) -> Exceedances:
    """How many of ``n_resamples`` random permutations within blocks reach the observed ΣG²."""
    n, k = table.shape
    observed = int((table.sum(axis=0) ** 2).sum())
    size = max(1, _BLOCK_CELLS // (n * k))
    reached = 0
    for block, start in enumerate(range(0, n_resamples, size)):
        drawn = min(size, n_resamples - start)
        generator = stream(seed, "permutation within blocks", block)
        moved: Int = generator.permuted(np.broadcast_to(table, (drawn, n, k)), axis=2)
        reached += int(((moved.sum(axis=1) ** 2).sum(axis=1) >= observed).sum())
    return Exceedances(np.array([reached]), np.array([n_resamples]))


def block_ranks(values: Float) -> Int:
    """Twice the mid-ranks within each block ``(blocks, k)``, rank 1 for the largest."""
    above = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    return np.asarray(2 * above + equal + 1, dtype=np.int64)


def _cost(table: Int) -> float:
    """About how many sums the enumeration goes through: sorted sums of k numbers in reach, for each block."""
    n, k = table.shape
    above = table - table.min(axis=1, keepdims=True)
    reach = int(above.max(axis=1).sum()) / int(np.gcd.reduce(above, axis=None))
    return float(n * reach ** (k - 1) / math.factorial(k))


def _orders(block: Int) -> int:
    """Different orders of the numbers of a block."""
    return math.factorial(block.size) // math.prod(math.factorial(t) for t in np.unique_counts(block).counts.tolist())
