"""Resampling weights, drawn in atoms: the same numbers whatever the block size, the threads or the workers.

An atom is ``ATOM`` resamples with a random stream of its own, (seed, purpose, number of the atom). Blocks are runs of
atoms, so how many are handled at once changes nothing. These are the weights of resamples that are independent of each
other; cyclic ones draw theirs in ``cyclic``.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from outscore.base.arrays import Array, Float, Int
from outscore.base.rng import stream

ATOM = 16

# Poisson totals aim this many standard deviations below n: one row in fifty goes beyond n and is drawn again
_BELOW = 2.0
# measured: nanoseconds a cell of plain indices and of Poisson cells are 6.8 and 9.5 at 200 units, 4.4 and 4.4 at 500,
# 11 and 1.7 at 2,000, 13 and 1.0 at 10,000
_LEAST_UNITS = 500
_LARGEST_CELL = 25  # a Poisson(<1) cell lies beyond it with probability 1e-26


def bootstrap_counts(n: int, seed: int, atom: int, purpose: str = "bootstrap") -> Float:
    """How often each of n units is drawn in n draws with replacement: ``(ATOM, n)``, rows sum to n.

    Many units get Poisson counts first, with a mean just below 1, and then n - T uniform draws, T being their total;
    rows with T > n are drawn again. Given T, independent Poisson counts of equal means are Multinomial(T, 1/n), also
    after a choice that looks at T alone. With n - T uniform draws more they are Multinomial(n, 1/n) whatever T was, and
    so they are without knowing T (Brown & Bromberg 1984). A count takes one random octet, where a draw takes a random
    index and a step to its place in memory: ten times as long with 10,000 units.
    """
    generator = stream(seed, purpose, atom)
    if n < _LEAST_UNITS:
        drawn = generator.integers(n, size=(ATOM, n), dtype=np.uint16)
        flat = drawn + np.arange(0, ATOM * n, n, dtype=np.uint16)[:, None]  # below 2^16, as n is below 500
        return np.bincount(flat.ravel(), minlength=ATOM * n).reshape(ATOM, n).astype(np.float64)
    mean = 1 - _BELOW / math.sqrt(n)
    counts = _poisson(generator, mean, (ATOM, n))
    totals = counts.sum(axis=1)
    while (beyond := np.flatnonzero(totals > n)).size:
        counts[beyond] = _poisson(generator, mean, (beyond.size, n))
        totals[beyond] = counts[beyond].sum(axis=1)
    missing = (n - totals).astype(np.int64)
    units = generator.integers(n, size=int(missing.sum())) + np.repeat(np.arange(0, ATOM * n, n), missing)
    np.add.at(counts.reshape(-1), units, 1.0)
    return counts


def multinomial_counts(multiplicity: Int, seed: int, atom: int, purpose: str = "bootstrap") -> Float:
    """How often each distinct row is drawn in n draws ``(ATOM, u)``; its multiplicities sum to n."""
    n = int(multiplicity.sum())
    drawn = stream(seed, purpose, atom).multinomial(n, multiplicity / n, size=ATOM)
    return drawn.astype(np.float64)


def swaps(n: int, seed: int, atom: int, purpose: str = "randomization") -> Float:
    """Which of n units swap their systems, each with probability one half: 0 or 1, ``(ATOM, n)``."""
    octets = _octets(stream(seed, purpose, atom), ATOM * -(-n // 8))
    return np.unpackbits(octets.reshape(ATOM, -1), axis=1, count=n).astype(np.float64)


class _Steps(NamedTuple):
    """A law of small counts, laid out over the 256 values of an octet.

    Attributes:
        starts: the first octet that stands for the count 1, 2, ...; so many octets go to a count as it has whole
            256ths of probability.
        left_over: the first octet that stands for no count alone.
        shares: cumulative law of the counts, from 0 on, over the octets that are left over, in octets.
    """

    starts: Array
    left_over: np.uint8
    shares: Float


@lru_cache(maxsize=64)
def _steps(mean: float) -> _Steps:
    """The law Poisson(mean), mean at most 1."""
    octets = np.array([256 * math.exp(-mean) * mean**k / math.factorial(k) for k in range(_LARGEST_CELL + 1)])
    whole = np.floor(octets)
    ends = np.cumsum(whole).astype(np.uint8)
    return _Steps(ends[: np.flatnonzero(whole)[-1]], ends[-1], np.cumsum(octets - whole))


def _poisson(generator: np.random.Generator, mean: float, shape: tuple[int, int]) -> Float:
    """Independent Poisson counts of this shape, each from one random octet (Marsaglia 1963).

    The few octets that are left over are decided by a number of full precision, so that the law is that of the
    doubles in ``_steps`` and not a multiple of 1/256.
    """
    steps = _steps(mean)
    octets = _octets(generator, math.prod(shape))
    counts = np.zeros(octets.size, dtype=np.uint8)
    reached = np.empty(octets.size, dtype=np.bool_)
    for start in steps.starts:
        np.greater_equal(octets, start, out=reached)
        counts += reached.view(np.uint8)
    undecided = np.flatnonzero(np.greater_equal(octets, steps.left_over, out=reached))
    place = generator.random(undecided.size) * steps.shares[-1]
    counts[undecided] = np.searchsorted(steps.shares, place, side="right")
    return counts.reshape(shape).astype(np.float64)


def _octets(generator: np.random.Generator, size: int) -> Array:
    """Uniform random octets ``(size,)``, taken from whole words: half the price of ``Generator.bytes``."""
    words: Array = generator.bit_generator.random_raw(-(-size // 8))
    return words.view(np.uint8)[:size]
