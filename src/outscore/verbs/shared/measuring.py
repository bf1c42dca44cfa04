"""The beginning of every verb: a dataset under the metrics that are meant, counted when they are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from outscore.data.dataset import Dataset
from outscore.engine.design import Design
from outscore.engine.runtime import Runtime
from outscore.jobs import cores
from outscore.metrics import Metric
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.verbs.options import WorkingOptions
from outscore.verbs.shared.extraction import Cache
from outscore.verbs.shared.inputs import design_of
from outscore.verbs.shared.measured import Measured, choose_metrics, measure

Meant = Sequence[str | Metric] | str | Metric | None
"""Metrics as a user names them; None for the one that suits the data."""


def runtime_of(options: WorkingOptions) -> Runtime:
    """How the work of a verb is done: on as many threads as there are cores, unless said."""
    return Runtime(jobs=cores() if options.jobs is None else options.jobs, progress=options.progress)


@dataclass(frozen=True)
class Measurements:
    """Systems that have their items in common, under every metric; nothing is counted before ``measured`` is read.

    Attributes:
        data: their items.
        design: what hangs together among the items.
        metrics: prepared for these items.
        runtime: how the counting is done; ``cache`` keeps what was counted.
    """

    data: Dataset
    design: Design
    metrics: tuple[Metric, ...]
    runtime: Runtime
    cache: Cache | None

    @classmethod
    def of(
        cls,
        data: Dataset,
        metrics: Meant,
        runtime: Runtime,
        *,
        cluster: str | None = None,
        strata: str | None = None,
        cache: str | os.PathLike[str] | None = None,
    ) -> Measurements:
        """Aligned systems under the metrics that are meant; items that these cannot score are left out where asked.

        Raises:
            UsageError: an unknown metric or column.
        """
        chosen, data = choose_metrics(metrics, data)
        kept = None if cache is None else Cache(Path(cache))
        return cls(data, design_of(data, cluster, strata), tuple(chosen), runtime, kept)

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """Every metric on the items.

        Raises:
            InputError: a metric cannot read the items.
        """
        made = self.runtime
        return tuple(
            measure(metric, self.data, self.design, made.progress, jobs=made.jobs, cache=self.cache)
            for metric in self.metrics
        )

    @property
    def by_metric(self) -> list[Statistics]:
        """The numbers of every metric."""
        return [m.stats for m in self.measured]

    def resamples(self, settings: Settings, baseline: int = 0, *, all_pairs: bool = False) -> Resamples:
        """The same numbers, ready for tests and intervals; nothing is drawn yet."""
        return Resamples(self.data.systems, self.by_metric, baseline, settings, all_pairs=all_pairs)
