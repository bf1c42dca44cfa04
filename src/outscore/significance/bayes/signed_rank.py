"""Means of two items, or of two data sets: the Bayesian signed-rank test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.intervals import percentile
from outscore.engine.resampling import reweight
from outscore.engine.sampling import Sampling
from outscore.significance import MONTE_CARLO
from outscore.significance.bayes import NOT_THE_MEAN, ONE_SIDED, Evidence, PairMethod, Posterior, count_items, method
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import DrawRequest, Resamples

_CLOSE = 1e-9  # differences are whole numbers here; the edge of the ROPE is one but for rounding, or is none


@method("signed-rank")
@dataclass(frozen=True)
class BayesianSignedRank(PairMethod):
    """The law of the differences has a Dirichlet process; the mean of two of them is better, within the ROPE, or worse.

    A mean at the edge of the ROPE lies within it; without a ROPE a mean of 0 counts half to either side.

    Args:
        strength: what the prior counts for, in items; it lies on a difference of 0.
    """

    model: ClassVar[str] = (
        "the mean of two items drawn at random is better, within the ROPE or worse; the three numbers are the chances "
        "that this outcome is the likeliest"
    )
    formula: ClassVar[str] = (
        "P(θ_better is the largest), θ_better = Σ w_i w_j over all i and j with d_i + d_j > 2 ROPE, w ~ Dirichlet(s, "
        "1, ..., 1) with d_0 = 0 of weight s, the strength; θ_within and θ_worse likewise"
    )
    applies: ClassVar[str] = "data sets, or items whose differences lie symmetrically around their median"
    needs: ClassVar[str] = "a score for each item, or each data set"
    citation: ClassVar[str] = "Benavoli et al. 2014; Benavoli et al. 2017"
    about: ClassVar[str] = "chance that two items are better on average minus chance that they are worse"

    strength: float = 0.5

    def __post_init__(self) -> None:
        if not self.strength > 0:
            raise UsageError(f"signed-rank:strength={self.strength:g}: expected a number above 0")

    def prior(self, rope: float) -> str:
        return f"a Dirichlet process worth {count_items(self.strength)}, all of it on a difference of 0"

    def refuses(self, evidence: Evidence) -> str | None:
        return self.refuses_items(evidence)

    def draws(self, evidence: Evidence) -> Sequence[DrawRequest]:
        pair = evidence.pair
        numbers = pair.metric_index, pair.system, pair.baseline
        return (_Leads(*numbers, self.strength, evidence.rope, pair),)

    def run(self, evidence: Evidence) -> Posterior:
        pair = evidence.pair
        d = pair.whole_differences
        if not d.any():
            return Posterior.nothing_differs()
        needs = self.draws(evidence)
        drawn = pair.resamples.draw(needs)[needs[0]]
        better_exceedances, worse_exceedances = (drawn.series(s).count_above(0) for s in range(2))
        n = better_exceedances.drawn
        ends = percentile(drawn.values[0], 1 - evidence.alpha)
        one_sided = (ONE_SIDED,) if (d >= 0).all() or (d <= 0).all() else ()
        return Posterior(
            better=better_exceedances.total / n,
            within=(n - better_exceedances.total - worse_exceedances.total) / n,
            worse=worse_exceedances.total / n,
            kind=MONTE_CARLO,
            error=max(better_exceedances.error, worse_exceedances.error),
            n_draws=n,
            mean=float(drawn.values[0].mean()),
            ci=(ends.low, ends.high),
            notes=(NOT_THE_MEAN, *one_sided),
        )


@dataclass(frozen=True)
class _Leads(DrawRequest):
    """The chances that two weighted items are better or worse, by how much one leads; ``of`` is the pair."""

    metric_index: int
    system: int
    baseline: int
    strength: float
    rope: float
    of: GainContrast = field(compare=False, repr=False)

    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        d = self.of.whole_differences
        z = np.append(d, 0.0)
        shapes = np.append(np.ones(d.size), self.strength)
        order = np.argsort(z)
        outcomes = _outcomes(z[order], 2 * self.rope / self.of.difference_unit)

        def leads(weights: Float) -> Float:
            better, worse = outcomes(weights[:, order] / shapes.sum())
            within = 1 - better - worse if self.rope else 0.0
            return np.stack([better - worse, better - np.maximum(worse, within), worse - np.maximum(better, within)])

        series = np.array([1, 2])
        accumulator = Accumulator(
            groups=tuple(slice(row, row + 1) for row in range(3)),
            first=series,
            second=np.full(2, -1),
            marks=np.zeros((2, 1)),
            slack=np.full(2, 1e-12),
        )
        return reweight(shapes, leads, sampling, accumulator)


def _outcomes(z: Float, width: float) -> Callable[[Float], tuple[Float, Float]]:
    """From weights ``(b, n)`` to the chances ``(b,)`` that two draws add up to above ``width``, and to below -width.

    Args:
        z: ``(n,)`` ascending.
        width: 0 or more; sums at the edge count for neither.
    """
    reach = width + _CLOSE * max(1.0, width)
    # from here on the partner adds up to more; before there, to less
    more = np.searchsorted(z, reach - z, side="right")
    less = np.searchsorted(z, -reach - z, side="left")

    def probabilities(weights: Float) -> tuple[Float, Float]:
        before = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
        better = (weights * (before[:, -1:] - before[:, more])).sum(axis=1)
        return better, (weights * before[:, less]).sum(axis=1)

    return probabilities
