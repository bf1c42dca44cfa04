"""Scores under random weights of the units, drawn once and shared by all metrics and pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.extreme import Positions
from outscore.engine.reweighting import reweight
from outscore.significance.experiment import Experiment
from outscore.significance.panel import Pairs


@dataclass(frozen=True)
class Reweighted:
    """The Bayesian bootstrap of every metric that is no mean of items (means have an exact law).

    Attributes:
        experiment: all panels; units weigh 1 on average, whole clusters where items come in clusters.
        pairs: numbers of the systems that are compared, and of what each is compared with.
        ropes: for each panel half the width of the region of practical equivalence.
    """

    experiment: Experiment
    pairs: Pairs
    ropes: tuple[float, ...]

    def gains(self, panel: int, system: int, baseline: int) -> tuple[Float, Positions]:
        """Gains ``(kept,)`` of a pair with runs averaged, and how all of them lie to -rope and rope."""
        number = self._series.index((panel, system, baseline))
        accumulator, draws = self._accumulator, self._draws
        first, second = (accumulator.groups[int(side[number])] for side in (accumulator.first, accumulator.second))
        moved = draws.values[first].mean(axis=0) - draws.values[second].mean(axis=0)
        return self.experiment.panels[panel].sign * moved, draws.series(number)

    @cached_property
    def _panels(self) -> list[int]:
        return [p for p, panel in enumerate(self.experiment.panels) if not panel.plain_mean]

    @cached_property
    def _series(self) -> list[tuple[int, int, int]]:
        return [(p, *pair) for p in self._panels for pair in self.pairs]

    @cached_property
    def _accumulator(self) -> Accumulator:
        panels = self.experiment.panels
        groups = [(p, s) for p in self._panels for s in range(len(panels[p].runs))]
        ends = np.cumsum([panels[p].runs[s] for p, s in groups]).tolist()
        return Accumulator(
            groups=tuple(slice(start, end) for start, end in zip([0, *ends], ends, strict=False)),
            first=np.array([groups.index((p, s)) for p, s, _ in self._series]),
            second=np.array([groups.index((p, b)) for p, _, b in self._series]),
            marks=np.array([(-self.ropes[p], self.ropes[p]) for p, _, _ in self._series]),
            slack=np.array([panels[p].slack(s, b) for p, s, b in self._series]),
            signs=np.array([panels[p].sign for p, _, _ in self._series]),
        )

    @cached_property
    def _draws(self) -> Draws:
        scores = [self.experiment.panels[p].redrawn() for p in self._panels]
        design, sampling = self.experiment.design, self.experiment.settings.sampling

        def score(weights: Float) -> Float:
            return np.concatenate([of_panel(weights) for of_panel in scores])

        drawn = reweight(np.ones(design.n_units), score, sampling, self._accumulator, cells=design.n_items)
        return self.experiment.noting(drawn)
