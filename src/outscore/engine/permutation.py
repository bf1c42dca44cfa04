"""Randomization: systems swap their outputs item by item, the same permutations for every metric and pair.

Where it makes no difference which system an output of an item comes from, all 2^n permutations are as likely as the
data, which are one of them: so (b + 1)/(B + 1) is a valid p with any number B of them, drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.cyclic import Cyclic, smooth_length
from outscore.engine.draws import Accumulator, Batch, Draws, collect
from outscore.engine.independent import Independent, permute
from outscore.engine.sampling import Sampling, SumsToScores

PURPOSE = "randomization"


def randomize(groups: Sequence[Float], score: SumsToScores, sampling: Sampling, accumulator: Accumulator) -> Draws:
    """Statistics of randomly permuted test sets (Noreen 1989; Riezler & Maxwell 2005).

    Every unit is swapped with probability one half, and all pairs of systems see the same permutations.

    Args:
        groups: statistics of each system, ``(units, k)``, whole numbers; units on which all agree change nothing and
            are left out here.
        score: for each group in turn what swapped units have in it ``(b, k)``, to the statistics of all ``(m, b)``.
        sampling: how many are drawn, and how.
        accumulator: what is counted.
    """
    differ = np.any([np.any(rows != groups[0], axis=1) for rows in groups], axis=0)
    # where no unit is left, one that changes nothing stands in: there have to be resamples, all of them equal
    moving = [rows[differ] for rows in groups] if differ.any() else [rows[:1] for rows in groups]
    return randomize_columns(moving, score, sampling, accumulator)


def randomize_columns(
    moving: Sequence[Float], score: SumsToScores, sampling: Sampling, accumulator: Accumulator
) -> Draws:
    """As ``randomize``, of any columns ``(units, k)`` of units that are swapped, all of which count."""
    n = len(moving[0])
    resamples: Cyclic | Independent
    if sampling.engine == "cyclic":
        # a few units on which nobody differs make transforms of a good length
        n = smooth_length(n)
        moving = [np.pad(rows, ((0, n - len(rows)), (0, 0))) for rows in moving]
        resamples = Cyclic(moving, [np.arange(n)], "exchanged", sampling.seed, PURPOSE, sampling.of_vector)
    else:
        resamples = Independent(moving, permute(n, sampling.seed, PURPOSE), n)
    return sampling.draw(PURPOSE, resamples, score, accumulator)


def randomize_by_swaps(
    n: int, score: Callable[[Float], Float], sampling: Sampling, accumulator: Accumulator, cells: int = 0
) -> Draws:
    """Statistics of randomly permuted test sets from which units are swapped, whatever they are made of.

    Args:
        n: number of units.
        score: swaps ``(b, n)``, 1 where a unit is swapped and 0 where it stays, to the statistics ``(m, b)``.
        sampling: how many are drawn; they are independent.
        accumulator: what is counted.
        cells: the most numbers that ``score`` holds for one permutation, where that is more than n.
    """
    weights = permute(n, sampling.seed, PURPOSE)

    def scores(part: Batch) -> Float:
        return score(np.concatenate([weights(atom) for atom in part.atoms]))[:, : part.size]

    return collect(PURPOSE, sampling.portions(max(n, cells)), scores, accumulator, sampling.runtime, independent=True)
