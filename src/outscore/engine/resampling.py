"""Resampling by weights: those of units times statistics are sums, sums are scores; the same for every metric and pair.

A resample is how often each unit was drawn, n draws with replacement of n units. The same weights for all keep systems
paired, and what hangs together hangs together in the resamples too: gains of several pairs, several metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.rng import stream
from outscore.engine.cyclic import Cyclic, smooth_length
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator, Batch, Draws, collect
from outscore.engine.independent import Independent, permute, resample, resample_rows
from outscore.engine.lattice import collapse
from outscore.engine.sampling import Sampling, SumsToScores
from outscore.engine.weights import ATOM

# nanoseconds: a unit in a column of one vector that turns, a count of one unit, a count of one distinct row
_CYCLIC_COST, _COUNT_COST, _ROW_COST = 12.0, 1.5, 75.0
_LITTLE = 5e7  # nanoseconds that are not worth a search for equal rows


def bootstrap(
    groups: Sequence[Float], score: SumsToScores, design: Design, sampling: Sampling, accumulator: Accumulator
) -> Draws:
    """Scores of resampled test sets (Berg-Kirkpatrick et al. 2012, §2.2 and footnote 6).

    Args:
        groups: whole-number statistics of systems, runs and metrics, ``(units, k)`` each; all see the same weights.
        score: the sums of each group in turn to the scores of all ``(m, b)``.
        design: units are resampled within its strata, as many as there are.
        sampling: how many are drawn, and how.
        accumulator: what is counted.
    """
    return sampling.draw("bootstrap", _resamples(groups, design, sampling), score, accumulator)


def _resamples(groups: Sequence[Float], design: Design, sampling: Sampling) -> Cyclic | Independent:
    """The cheapest resamples that the engine allows: few distinct rows are drawn as counts of rows.

    How often each distinct row is drawn is multinomial, with its proportion of the units: the law of the sums is the
    same, at a cost that no longer depends on the number of units. Rows of different strata are not drawn together.
    """
    strata, n = design.strata_of_units, design.n_units
    chosen: Cyclic | Independent
    cyclic = Cyclic(groups, strata, "redrawn", sampling.seed, "bootstrap", sampling.of_vector)
    plain = Independent(groups, resample(strata, sampling.seed), n)
    if sampling.engine == "cyclic":
        vectors = sum(part.size for part in sampling.batches(cyclic.atom)) / cyclic.block
        chosen, cost = cyclic, vectors * n * sum(rows.shape[1] for rows in groups) * _CYCLIC_COST
    else:
        chosen, cost = plain, sampling.n_resamples * n * _COUNT_COST
    if len(strata) > 1 or (sampling.engine == "cyclic" and cost < _LITTLE):
        return chosen
    distinct, multiplicity = collapse(np.concatenate(groups, axis=1))
    if sampling.n_resamples * len(distinct) * _ROW_COST >= cost:
        return chosen
    bounds = np.cumsum([rows.shape[1] for rows in groups])[:-1]
    return Independent(np.split(distinct, bounds, axis=1), resample_rows(multiplicity, sampling.seed), n)


def bootstrap_by_counts(
    design: Design, score: Callable[[Float], Float], sampling: Sampling, accumulator: Accumulator, cells: int = 0
) -> Draws:
    """Scores of resampled test sets from how often each unit was drawn, for scores that are no functions of sums.

    Args:
        design: units are resampled within its strata.
        score: counts ``(b, units)`` to scores ``(m, b)``.
        sampling: how many are drawn; they are independent.
        accumulator: what is counted.
        cells: the most numbers that ``score`` holds for one resample, where that is more than units.
    """
    weights = resample(design.strata_of_units, sampling.seed)

    def scores(part: Batch) -> Float:
        return score(np.concatenate([weights(atom) for atom in part.atoms]))[:, : part.size]

    parts = sampling.portions(max(design.n_units, cells))
    return collect("bootstrap", parts, scores, accumulator, sampling.runtime, independent=True)


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
    differ = differing_units(groups)
    return randomize_columns([rows[differ] for rows in groups], score, sampling, accumulator)


def differing_units(groups: Sequence[Float]) -> Bool:
    """``(units,)`` whether not all groups ``(units, k)`` agree on a unit.

    Where they agree on all, the first, which changes nothing, stands in: there have to be resamples, all of them equal.
    """
    differ = np.any([np.any(rows != groups[0], axis=1) for rows in groups], axis=0)
    differ[0] |= not differ.any()
    return np.asarray(differ)


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
