"""Random weights of the units in place of counts of resampled ones: the Bayesian bootstrap.

Weights are what a posterior leaves open about how common each unit is in the population, given that nothing was known
before (Rubin 1981). Means have exact tails, in ``gammas``; other scores are drawn here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from outscore.base.arrays import Float
from outscore.base.rng import stream
from outscore.engine.draws import Accumulator, Batch, Draws, collect
from outscore.engine.sampling import Sampling
from outscore.engine.weights import ATOM

_PURPOSE = "Bayesian bootstrap"


def dirichlet_weights(shapes: Float, seed: int, atom: int) -> Float:
    """Weights of units ``(ATOM, n)`` from the law Dirichlet(shapes), scaled to add up to the sum of the shapes.

    They are gamma variables over their sum; of shape 1 they are exponential, as in Rubin 1981.
    """
    generator = stream(seed, _PURPOSE, atom)
    shape = (ATOM, shapes.size)
    drawn = generator.standard_exponential(shape) if (shapes == 1).all() else generator.standard_gamma(shapes, shape)
    return np.asarray(drawn * (shapes.sum() / drawn.sum(axis=1, keepdims=True)))


def reweight(
    shapes: Float, score: Callable[[Float], Float], sampling: Sampling, accumulator: Accumulator, cells: int = 0
) -> Draws:
    """Scores under random weights of the units, a set of weights for all of them.

    Args:
        shapes: ``(n,)`` of the Dirichlet law of the weights, 1 for each unit in a Bayesian bootstrap.
        score: weights ``(b, n)`` to scores ``(m, b)``.
        sampling: how many sets of weights are drawn; they are independent.
        accumulator: what is counted.
        cells: the most numbers that ``score`` holds for one set, where that is more than n.
    """

    def scores(part: Batch) -> Float:
        weights = np.concatenate([dirichlet_weights(shapes, sampling.seed, atom) for atom in part.atoms])
        return score(weights)[:, : part.size]

    parts = sampling.portions(max(shapes.size, cells))
    return collect("posterior", parts, scores, accumulator, sampling.runtime, independent=True)
