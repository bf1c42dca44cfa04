"""Randomization: systems exchange their outputs item by item, the same exchanges for every metric and pair."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.runtime import Runtime
from outscore.engine.weights import swaps


def randomize(
    differences: Float,
    score: Callable[[Float], Float],
    n_resamples: int,
    seed: int,
    runtime: Runtime,
    purpose: str = "randomization",
) -> tuple[Float, bool]:
    """Statistics of randomly relabelled test sets (Noreen 1989; Riezler & Maxwell 2005).

    Args:
        differences: second system's minus first system's statistics for all pairs and metrics side by side,
            ``(units, columns)``, whole numbers; rows of zeros change nothing and are left out here.
        score: what moves from the second system to the first ``(b, columns)`` to the statistics ``(b, m)``.
        n_resamples: relabellings to draw; every unit is exchanged with probability one half.
        seed: seed of the draws.
        runtime: threads and progress.
        purpose: name of the random stream.

    Returns:
        Statistics ``(B, m)`` and whether the work was interrupted.
    """
    moving = differences[np.any(differences != 0, axis=1)]
    return exchange(len(moving), lambda chosen: score(chosen @ moving), n_resamples, seed, runtime, purpose)


def exchange(
    n: int,
    score: Callable[[Float], Float],
    n_resamples: int,
    seed: int,
    runtime: Runtime,
    purpose: str = "randomization",
    cells: int = 0,
) -> tuple[Float, bool]:
    """Statistics of randomly relabelled test sets from which units are exchanged, whatever they are made of.

    Args:
        n: number of units.
        score: exchanges ``(b, n)``, 1 where a unit is exchanged and 0 where it stays, to the statistics ``(b, m)``.
        n_resamples, seed, runtime, purpose: as in ``randomize``.
        cells: the most numbers that ``score`` holds for one relabelling, where that is more than n.

    Returns:
        Statistics ``(B, m)`` and whether the work was interrupted.
    """

    def task(atoms: range) -> Float:
        return score(np.concatenate([swaps(n, seed, atom, purpose) for atom in atoms]))

    return runtime.resample("randomization", task, n_resamples, max(n, cells))
