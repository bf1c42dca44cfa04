"""The systems of a comparison under all metrics, and the resampled test sets that were drawn from them.

Nothing is drawn unless it was asked for. A test or an interval declares what it needs, ``Resamples.draw`` draws that
once for all metrics and pairs, and gives a new object that holds it; to read what was not declared is an error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.lazy import dataclass
from outscore.data.collection import list_pairs
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.extreme import Positions
from outscore.engine.intervals import largest_deviation
from outscore.engine.montecarlo import Exceedances
from outscore.engine.resampling import bootstrap, bootstrap_by_counts
from outscore.engine.sampling import Sampling
from outscore.significance.settings import SOON, Settings
from outscore.significance.statistics import Statistics
from outscore.significance.studentized_sums import find_t


class DrawRequest(ABC):
    """Draws that a test or an interval needs: a frozen dataclass, equal where the same draws serve both."""

    @abstractmethod
    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        """Draws it, as often as ``sampling`` says, or until the user interrupts."""


@dataclass(frozen=True, eq=False)
class Resamples:
    """All systems of a comparison under all metrics, with what was drawn from them so far.

    Attributes:
        systems: names.
        by_metric: one for each metric, all over the same items and design.
        baseline: number of the system that others are compared with, unless all pairs are compared.
        settings: sides, level, sampling and seed; after an interruption with as many resamples as were done by
            then, and ``SOON`` at most.
        all_pairs: compare every two systems, the later one with the earlier, not only all with the baseline.
        drawn: the draws, by what they were declared as.
        stopped: draws of what hangs on them, a joint law, after which the user has cut that short; 0 where not.
    """

    systems: Sequence[str]
    by_metric: Sequence[Statistics]
    baseline: int
    settings: Settings
    all_pairs: bool = field(default=False, kw_only=True)
    drawn: Mapping[DrawRequest, Draws] = field(default_factory=dict, kw_only=True)
    stopped: int = field(default=0, kw_only=True)

    def draw(self, needs: Iterable[DrawRequest]) -> Resamples:
        """The same with what is needed drawn, in this order; what was drawn before is kept."""
        drawn, settings = dict(self.drawn), self.settings
        for need in needs:
            if need not in drawn:
                drawn[need] = made = need.draw(self, settings.sampling)
                if made.interrupted:
                    settings = replace(settings, n_resamples=min(SOON, int(made.sizes.sum())))
        return self if len(drawn) == len(self.drawn) else replace(self, drawn=drawn, settings=settings)

    def __getitem__(self, need: DrawRequest) -> Draws:
        """The draws of a request.

        Raises:
            LookupError: it was not declared, a defect of the test or interval that reads it.
        """
        if need not in self.drawn:
            raise LookupError(f"{need} was not drawn: what reads it must name it in its method draws()")
        return self.drawn[need]

    @property
    def interrupted(self) -> bool:
        """Whether the user has cut short some of the drawing."""
        return bool(self.stopped) or any(draws.interrupted for draws in self.drawn.values())

    def stop(self, drawn: int) -> Resamples:
        """The same where the user has cut short what hangs on them, after so many draws; 0 for not at all."""
        few = min(SOON, self.settings.n_resamples) if drawn else self.settings.n_resamples
        return replace(self, settings=replace(self.settings, n_resamples=few), stopped=drawn)

    @property
    def told(self) -> Settings:
        """The settings with as many resamples as were done of what the user has cut short."""
        cut = [int(draws.sizes.sum()) for draws in self.drawn.values() if draws.interrupted]
        return replace(self.settings, n_resamples=max([self.stopped, *cut])) if self.interrupted else self.settings

    @property
    def independent(self) -> list[bool]:
        """Of all that was drawn, whether its resamples are independent of each other."""
        return [draws.independent for draws in self.drawn.values()]

    @property
    def design(self) -> Design:
        return self.by_metric[0].design

    @property
    def has_runs(self) -> bool:
        """Whether any system has several runs."""
        return any(runs > 1 for stats in self.by_metric for runs in stats.runs)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The numbers of the systems that are compared, and of what each is compared with."""
        places = range(len(self.systems))
        return list_pairs(places, self.baseline, all_pairs=self.all_pairs, metrics=len(self.by_metric))

    @cached_property
    def places(self) -> dict[tuple[int, int], int]:
        """Where each pair stands; to look for it takes long where there are half a million."""
        return {pair: place for place, pair in enumerate(self.pairs)}

    @cached_property
    def columns(self) -> dict[tuple[int, int], slice]:
        """Where the scores of the runs stand, among those of all runs, for each metric and system."""
        ends = np.cumsum([runs for stats in self.by_metric for runs in stats.runs]).tolist()
        keys = [(p, s) for p, stats in enumerate(self.by_metric) for s in range(len(stats.runs))]
        return {key: slice(start, end) for key, start, end in zip(keys, [0, *ends], ends, strict=False)}

    def bootstrap_positions(self, metric_index: int, system: int, baseline: int) -> Positions:
        """How gains with units resampled and runs kept lie to 2δ and 0; all come from the same weights."""
        return self[BOOTSTRAP].series(metric_index * len(self.pairs) + self.places[system, baseline])

    def bootstrap_scores(self, metric_index: int, system: int) -> Float:
        """Scores ``(runs, kept)`` of all runs of a system on resampled test sets."""
        drawn = self.drawn.get(BOOTSTRAP) or self[SCORES]
        return drawn.values[self.columns[metric_index, system]]

    def bootstrap_gains(self, metric_index: int, system: int, baseline: int) -> Float:
        """Gains ``(kept,)`` of a pair on resampled test sets, runs kept."""
        scores = [self.bootstrap_scores(metric_index, s) for s in (system, baseline)]
        if max(map(len, scores)) > 1:
            scores = [of_runs.mean(axis=0) for of_runs in scores]
        return np.asarray(self.by_metric[metric_index].sign * (scores[0] - scores[1])).ravel()

    def exceedances(self, counted: Bool) -> Exceedances:
        """How many of the resampled test sets that are kept count ``(kept,)``."""
        return self[BOOTSTRAP].exceedances(counted)

    @cached_property
    def largest_gain(self) -> Float:
        """The largest deviation of any gain on each resampled test set ``(kept,)``, in standard errors."""
        by_metric = enumerate(self.by_metric)
        return largest_deviation(
            (stats.gain(*pair), self.bootstrap_gains(p, *pair)) for p, stats in by_metric for pair in self.pairs
        )

    @cached_property
    def largest_score(self) -> Float:
        """The largest deviation of any score on each resampled test set ``(kept,)``, in standard errors."""
        return largest_deviation(
            (float(scores.mean()), self.bootstrap_scores(p, s).mean(axis=0))
            for p, stats in enumerate(self.by_metric)
            for s, scores in enumerate(stats.run_scores)
        )


@dataclass(frozen=True)
class JointBootstrap(DrawRequest):
    """All systems under all metrics on test sets whose units are drawn with replacement, runs kept.

    Attributes:
        counted: whether it is counted how gains lie to 0 and to twice their size, which takes long on a board.
    """

    counted: bool = True

    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        by_metric, design = systems.by_metric, systems.design
        watch = _gains(systems) if self.counted else Accumulator.nothing()
        if all(stats.of_sums for stats in by_metric):
            groups = [rows for stats in by_metric for rows in stats.groups]
            owners = [stats for stats in by_metric for _ in stats.groups]

            def score(sums: Iterator[Float]) -> Float:
                # copied, as a score may be a column of sums, which the next sums overwrite
                return np.stack([stats.score(of_run).copy() for stats, of_run in zip(owners, sums, strict=True)])

            return bootstrap(groups, score, design, sampling, watch)
        scores = [stats.make_bootstrap_scorer() for stats in by_metric]

        def by_counts(counts: Float) -> Float:
            return np.concatenate([of_stats(counts) for of_stats in scores])

        return bootstrap_by_counts(design, by_counts, sampling, watch, cells=design.n_items)


BOOTSTRAP = JointBootstrap()
SCORES = JointBootstrap(counted=False)


def _gains(systems: Resamples) -> Accumulator:
    """Counts the gains of all pairs under all metrics at 2δ and at 0."""
    by_metric, groups = systems.by_metric, list(systems.columns)
    series = [(p, *pair) for p in range(len(by_metric)) for pair in systems.pairs]
    gains = np.array([by_metric[p].gain(s, b) for p, s, b in series])
    return Accumulator(
        groups=tuple(systems.columns.values()),
        first=np.array([groups.index((p, s)) for p, s, _ in series]),
        second=np.array([groups.index((p, b)) for p, _, b in series]),
        marks=np.stack([2 * gains, np.zeros(len(gains))], axis=1),
        slack=np.array([by_metric[p].slack(s, b) for p, s, b in series]),
        signs=np.array([by_metric[p].sign for p, _, _ in series]),
    )


@dataclass(frozen=True)
class Permutations(DrawRequest):
    """Gains of randomly permuted test sets under one metric; every pair sees the same permutations.

    Attributes:
        metric_index: number of the metric.
        studentized: count them at the gain whose t is that of the gain, see ``StudentizedSums.threshold``, not at
            the gain.
    """

    metric_index: int
    studentized: bool = False

    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        held, marks = systems.by_metric[self.metric_index], None
        if self.studentized:
            marks = np.array([find_t(held, *pair)[1] for pair in systems.pairs], dtype=np.float64)
        # tests read how gains lie to their marks; the gains of half a million pairs would not fit into memory
        return replace(held.randomize(systems.pairs, sampling, marks), values=np.empty((0, 0)))
