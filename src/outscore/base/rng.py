"""Random streams: one seed, a child for each (purpose, block), no global state."""

from __future__ import annotations

import zlib

import numpy as np

DEFAULT_SEED = 12345


def stream(seed: int, purpose: str, block: int = 0) -> np.random.Generator:
    """The generator of one block of one purpose; equal arguments give equal draws, whatever else was drawn.

    Args:
        seed: the user's seed; 0 is a seed like any other.
        purpose: use of the numbers, e.g. ``"bootstrap"``; different purposes are independent.
        block: number of the block of resamples.
    """
    key = (zlib.crc32(purpose.encode()), block)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))
