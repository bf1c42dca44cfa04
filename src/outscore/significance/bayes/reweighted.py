"""Scores under random weights of the units, drawn once and shared by all metrics and pairs."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.extreme import Positions
from outscore.engine.resampling import reweight
from outscore.engine.sampling import Sampling
from outscore.significance.resamples import DrawRequest, Resamples


@dataclass(frozen=True)
class Reweighted(DrawRequest):
    """The Bayesian bootstrap of every metric that is no mean of items (means have an exact law).

    Units weigh 1 on average, whole clusters where items come in clusters.

    Attributes:
        pairs: numbers of the systems that are compared, and of what each is compared with.
        ropes: for each metric half the width of the region of practical equivalence.
    """

    pairs: tuple[tuple[int, int], ...]
    ropes: tuple[float, ...]

    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        scores = [systems.by_metric[p].make_bootstrap_scorer() for p in _no_means(systems)]
        design = systems.design

        def score(weights: Float) -> Float:
            return np.concatenate([of_stats(weights) for of_stats in scores])

        return reweight(np.ones(design.n_units), score, sampling, self._accumulator(systems), cells=design.n_items)

    def gains(self, drawn: Resamples, stats: int, system: int, baseline: int) -> tuple[Float, Positions]:
        """Gains ``(kept,)`` of a pair with runs averaged, and how all of them lie to -rope and rope."""
        number = self._series(drawn).index((stats, system, baseline))
        accumulator, draws = self._accumulator(drawn), drawn[self]
        first, second = (accumulator.groups[int(side[number])] for side in (accumulator.first, accumulator.second))
        moved = draws.values[first].mean(axis=0) - draws.values[second].mean(axis=0)
        return drawn.by_metric[stats].sign * moved, draws.series(number)

    def _series(self, systems: Resamples) -> list[tuple[int, int, int]]:
        return [(p, *pair) for p in _no_means(systems) for pair in self.pairs]

    def _accumulator(self, systems: Resamples) -> Accumulator:
        by_metric, series = systems.by_metric, self._series(systems)
        groups = [(p, s) for p in _no_means(systems) for s in range(len(by_metric[p].runs))]
        ends = np.cumsum([by_metric[p].runs[s] for p, s in groups]).tolist()
        return Accumulator(
            groups=tuple(slice(start, end) for start, end in zip([0, *ends], ends, strict=False)),
            first=np.array([groups.index((p, s)) for p, s, _ in series]),
            second=np.array([groups.index((p, b)) for p, _, b in series]),
            marks=np.array([(-self.ropes[p], self.ropes[p]) for p, _, _ in series]),
            slack=np.array([by_metric[p].slack(s, b) for p, s, b in series]),
            signs=np.array([by_metric[p].sign for p, _, _ in series]),
        )


def _no_means(systems: Resamples) -> list[int]:
    """The numbers of the metrics that are no means of items."""
    return [p for p, stats in enumerate(systems.by_metric) if not stats.plain_mean]
