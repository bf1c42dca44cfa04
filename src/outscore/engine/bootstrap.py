"""Bootstrap: weights @ statistics -> sums -> scores, the same weights for every system, metric and pair."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.collapse import collapse
from outscore.engine.runtime import Runtime
from outscore.engine.weights import bootstrap_counts, multinomial_counts

# drawing a multinomial cell costs about this many times a cell of plain indices
_MULTINOMIAL_COST = 12


def bootstrap(
    rows: Float, score: Callable[[Float], Float], n_resamples: int, seed: int, runtime: Runtime
) -> tuple[Float, bool]:
    """Scores of resampled test sets (Berg-Kirkpatrick et al. 2012, §2.2 and footnote 6).

    Args:
        rows: statistics of all systems and metrics side by side, ``(units, columns)``, whole numbers.
        score: sums ``(b, columns)`` to scores ``(b, m)``.
        n_resamples: test sets to draw, each of n units out of n with replacement.
        seed: seed of the draws; equal seeds and units give equal draws.
        runtime: threads and progress.

    Returns:
        Scores ``(B, m)`` and whether the work was interrupted (then B < n_resamples).
    """
    n = len(rows)
    distinct, multiplicity = collapse(rows)
    if len(distinct) * _MULTINOMIAL_COST >= n:
        return redraw(n, lambda counts: score(counts @ rows), n_resamples, seed, runtime)

    def task(atoms: range) -> Float:
        return score(np.concatenate([multinomial_counts(multiplicity, seed, atom) for atom in atoms]) @ distinct)

    return runtime.resample("bootstrap", task, n_resamples, len(distinct))


def redraw(
    n: int,
    score: Callable[[Float], Float],
    n_resamples: int,
    seed: int,
    runtime: Runtime,
    cells: int = 0,
) -> tuple[Float, bool]:
    """Scores of resampled test sets from how often each unit was drawn, for scores that are no functions of sums.

    Args:
        n: number of units.
        score: counts ``(b, n)``, each row with the sum n, to scores ``(b, m)``.
        n_resamples, seed, runtime: as in ``bootstrap``; without equal rows both draw the same test sets.
        cells: the most numbers that ``score`` holds for one resample, where that is more than n.

    Returns:
        Scores ``(B, m)`` and whether the work was interrupted.
    """

    def task(atoms: range) -> Float:
        return score(np.concatenate([bootstrap_counts(n, seed, atom) for atom in atoms]))

    return runtime.resample("bootstrap", task, n_resamples, max(n, cells))
