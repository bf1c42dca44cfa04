"""Systems with several runs, made from arrays, for tests of runs and items together."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float, ScoreFunction
from outscore.significance.crossed import RunTable


def additive(scores: Float) -> RunTable:
    """A system whose score is the mean of its item scores, shape ``(R, n)``."""
    values = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    return RunTable(run_scores=values.mean(axis=1), values=values)


def corpus(statistics: Float, score: ScoreFunction) -> RunTable:
    """A system whose score is a function of summed statistics, by jackknife pseudo-values (Miller 1974).

    Args:
        statistics: shape ``(R, n, k)``.
        score: sums ``(..., k)`` to scores ``(...)``.
    """
    n = statistics.shape[1]
    sums = statistics.sum(axis=1)
    whole = np.asarray(score(sums), dtype=np.float64)
    values = np.stack([n * w - (n - 1) * score(s - rows) for w, s, rows in zip(whole, sums, statistics, strict=True)])
    return RunTable(run_scores=whole, values=values)
