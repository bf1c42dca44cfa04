"""What corrections are made of, in their plainest form: the single step of Westfall and Young, pairs as a matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from outscore.base.arrays import Array, Bool, Float


def max_single_step(observed: Float, null_draws: Float, *, complete: bool = False) -> Float:
    """Adjusted p-values ``(m,)`` that use the dependence which Holm ignores (Westfall & Young 1993).

    How often the largest of all null statistics reaches each observed one.

    Args:
        observed: statistics ``(m,)``, larger is more extreme, on a common scale.
        null_draws: the same under the null, jointly drawn ``(B, m)``.
        complete: the draws are the complete law, the observed labelling included: shares, without the added one.
    """
    reached = (null_draws.max(axis=1, keepdims=True) >= observed - 1e-12).sum(axis=0)
    return np.asarray(reached / len(null_draws) if complete else (reached + 1) / (len(null_draws) + 1))


def significantly_better(k: int, pairs: Sequence[tuple[int, int]], gains: Array, p: Array, alpha: float) -> Bool:
    """``(k, k)``, whether system i is significantly better than j.

    Args:
        k: number of systems.
        pairs: numbers of the two systems of each pair, each pair once.
        gains: ``(pairs,)`` of the first system over the second.
        p: ``(pairs,)`` two-sided p-values, corrected over all pairs.
        alpha: the level.
    """
    better = np.zeros((k, k), dtype=np.bool_)
    for (i, j), gain, adjusted in zip(pairs, gains, p, strict=True):
        if adjusted <= alpha and gain != 0:
            better[(i, j) if gain > 0 else (j, i)] = True
    return better
