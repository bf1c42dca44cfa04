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
    if len(distinct) * _MULTINOMIAL_COST < n:

        def weights(atom: int) -> Float:
            return multinomial_counts(multiplicity, seed, atom)

        rows = distinct
    else:

        def weights(atom: int) -> Float:
            return bootstrap_counts(n, seed, atom)

    def task(atoms: range) -> Float:
        return score(np.concatenate([weights(atom) for atom in atoms]) @ rows)

    return runtime.resample("bootstrap", task, n_resamples, len(rows))
