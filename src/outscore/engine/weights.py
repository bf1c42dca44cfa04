"""Resampling weights, drawn in atoms: the same numbers whatever the block size, the threads or the workers.

An atom is ``ATOM`` resamples with a random stream of its own, (seed, purpose, number of the atom). Blocks are runs of
atoms, so how many are handled at once changes nothing.
"""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.rng import stream

ATOM = 16


def bootstrap_counts(n: int, seed: int, atom: int, purpose: str = "bootstrap") -> Float:
    """How often each of n units is drawn in n draws with replacement: ``(ATOM, n)``, rows sum to n."""
    small = np.uint16 if n <= 2**16 else np.uint32
    drawn = stream(seed, purpose, atom).integers(n, size=(ATOM, n), dtype=small)
    flat = drawn + (np.arange(ATOM, dtype=np.int64) * n)[:, None]
    return np.bincount(flat.ravel(), minlength=ATOM * n).reshape(ATOM, n).astype(np.float64)


def multinomial_counts(multiplicity: Int, seed: int, atom: int, purpose: str = "bootstrap") -> Float:
    """How often each distinct row is drawn in n draws ``(ATOM, u)``; its multiplicities sum to n."""
    n = int(multiplicity.sum())
    drawn = stream(seed, purpose, atom).multinomial(n, multiplicity / n, size=ATOM)
    return drawn.astype(np.float64)


def swaps(n: int, seed: int, atom: int, purpose: str = "randomization") -> Float:
    """Which of n units exchange their systems, each with probability one half: 0 or 1, ``(ATOM, n)``."""
    if n == 0:
        return np.zeros((ATOM, 0))
    octets = np.frombuffer(stream(seed, purpose, atom).bytes(ATOM * ((n + 7) // 8)), dtype=np.uint8)
    return np.unpackbits(octets.reshape(ATOM, -1), axis=1, count=n).astype(np.float64)
