"""Any score of sums or ranks: the Bayesian bootstrap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.intervals import percentile
from outscore.significance import MONTE_CARLO
from outscore.significance.bayes import (
    CONSTANT,
    FEW_UNITS,
    ONE_SIDED,
    TOO_FEW,
    Evidence,
    PairMethod,
    Posterior,
    PosteriorLaw,
    method,
    posterior_of_law,
)
from outscore.significance.bayes.gammas import mean_ratio, positive_probability
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import DrawRequest

_FEW = 30


@method("bootstrap")
@dataclass(frozen=True)
class BayesianBootstrap(PairMethod):
    """Units weigh what a Dirichlet law says, and the gain is that of the weighted test set.

    Units are items, or clusters where items come in clusters. Of a mean of items the law is computed, of any other
    score it is sampled.
    """

    model: ClassVar[str] = (
        "new text is made of units like those of the test set, each with an unknown proportion; better means that the "
        "gain over these proportions is above the ROPE"
    )
    formula: ClassVar[str] = (
        "P(δ(w) > ROPE), w ~ Dirichlet(1, ..., 1) the weights of the n units, δ(w) the gain of the weighted test set"
    )
    applies: ClassVar[str] = "any score, corpus scores too, over items or clusters; 30 of them or more"
    needs: ClassVar[str] = "two units or more"
    citation: ClassVar[str] = "Rubin 1981"

    def prior(self, rope: float) -> str:
        return "Dirichlet(0, ..., 0): the proportions of units are unknown, and units unlike those seen have none"

    def draws(self, evidence: Evidence) -> Sequence[DrawRequest]:
        pair = evidence.pair
        needless = pair.identical or pair.n_units < 2 or pair.stats.plain_mean
        return () if needless else (evidence.reweighted,)

    def run(self, evidence: Evidence) -> Posterior:
        pair = evidence.pair
        if pair.identical:
            return Posterior.nothing_differs()
        if pair.n_units < 2:
            return Posterior.undefined(TOO_FEW)
        few = (FEW_UNITS,) if pair.n_units < _FEW else ()
        return self._infer_mean(evidence, *few) if pair.stats.plain_mean else self._infer_from_draws(evidence, *few)

    def _infer_mean(self, evidence: Evidence, *few: Note) -> Posterior:
        sums, sizes = _sum_units(evidence.pair)
        means = sums / sizes
        if np.ptp(means) <= evidence.pair.slack:
            return Posterior.undefined(CONSTANT) if sums.any() else Posterior.nothing_differs()
        rows, counts = np.unique(np.stack([sums, sizes], axis=1), axis=0, return_counts=True)
        law = WeightedMeanLaw(rows[:, 0], rows[:, 1], counts.astype(np.float64))
        one_sided = (ONE_SIDED,) if (means >= 0).all() or (means <= 0).all() else ()
        return posterior_of_law(law, evidence.rope, evidence.alpha, {}, *few, *one_sided)

    def _infer_from_draws(self, evidence: Evidence, *few: Note) -> Posterior:
        pair = evidence.pair
        drawn = pair.resamples.draw(self.draws(evidence))
        gains, positions = evidence.reweighted.gains(drawn, pair.metric_index, pair.system, pair.baseline)
        if np.ptp(gains) <= pair.slack:
            return Posterior.undefined(CONSTANT)
        better, worse = positions.count_above(1), positions.count_below(0)
        ends = percentile(gains, 1 - evidence.alpha)
        return Posterior(
            better=better.total / better.drawn,
            within=(better.drawn - better.total - worse.total) / better.drawn,
            worse=worse.total / worse.drawn,
            kind=MONTE_CARLO,
            error=max(better.error, worse.error),
            n_draws=better.drawn,
            mean=float(gains.mean()),
            ci=(ends.low, ends.high),
            notes=few,
        )


@dataclass(frozen=True)
class WeightedMeanLaw(PosteriorLaw):
    """Σ w_j s_j / Σ w_j m_j for w ~ Dirichlet(k): the Bayesian bootstrap of a mean (Rubin 1981).

    Attributes:
        sums, sizes: ``(u,)`` s_j and m_j: of an item its difference and 1, of a cluster its sum and its items.
        counts: ``(u,)`` k_j, how many units are alike.
    """

    sums: Float
    sizes: Float
    counts: Float

    @cached_property
    def mean(self) -> float:
        return mean_ratio(self.sums, self.sizes, self.counts)

    @property
    def spread(self) -> float:
        moved = self.sums - self.mean * self.sizes
        return math.sqrt(float(moved**2 @ self.counts)) / float(self.sizes @ self.counts)

    def above(self, c: float) -> float:
        return positive_probability(self.sums - c * self.sizes, self.counts)


def _sum_units(pair: GainContrast) -> tuple[Float, Float]:
    """Sum of the differences and number of items of each unit ``(units,)``."""
    labels = pair.stats.design.labels
    if labels is None:
        return pair.differences, np.ones(pair.n_items)
    sums, sizes = (np.bincount(labels, of_item) for of_item in (pair.differences, np.ones(pair.n_items)))
    return np.asarray(sums, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
