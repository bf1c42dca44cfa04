"""Which of two systems is better, for every two systems of a leaderboard at once."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float
from outscore.multiplicity.max_statistic import centred_statistics, statistic_of, step_down


def directions(gains: Float, draws: Float, p: Float) -> Float:
    """Adjusted p-values ``(m,)`` of claims that name the better one of each pair, from shared bootstrap draws.

    The family holds both one-sided hypotheses of every pair, so that wrong directions count as errors too: of a pair
    that was decided the other side stays in the maxima of the steps that follow (Romano & Wolf 2005; Mogstad et al.
    2024, §3). The first step is the two-sided maximum.

    A gain in bootstrap standard errors is too large in small samples: no statistic is larger than the normal quantile
    of the pair's own p-value. Of 20 to 100 normal items of five equal systems 5.4 % give a claim at 5 %; by the
    bootstrap alone it is 7.7 % at 50.

    Args:
        gains: observed ``(m,)``, each the score of one system minus that of another.
        draws: redrawn gains ``(B, m)``, all from the same weights.
        p: two-sided p-values ``(m,)`` of the pairs, each by itself.
    """
    side = np.where(gains < 0, -1.0, 1.0)
    observed, null = centred_statistics(side * gains, side * draws, "greater", p / 2)
    observed = np.minimum(observed, statistic_of(p, "two-sided"))
    other_sides = (-null).max(axis=1, keepdims=True)
    # the joint law is drawn and the p-value need not be: its ends differ by the error of the drawing
    return np.maximum(step_down(observed, np.maximum(null, other_sides, out=null)), p)
