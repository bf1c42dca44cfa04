"""The material of a study: systems under every metric, with what is known of their items."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import no_column
from outscore.base.lazy import dataclass
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics


@dataclass(frozen=True)
class Material:
    """Systems on the same items.

    Attributes:
        systems: names; none in a study that takes nothing.
        by_metric: the metrics, each with the statistics of every system and run.
        units: of measurement of each metric, as ``BLEU 0-100``.
        runs: names of the runs of each system.
        groups: the group of each system, such as its team; a system without one is its own.
        labels: columns of the items, each with one entry per item.
        lengths: a number known of each item before scoring, as a rule its length in words; empty where unknown.
        settings: alternative, alpha, number of resamples; a cell brings its own seed.
        sets: for a study of data sets each of them by its name; then what is said above of items is empty.
    """

    systems: tuple[str, ...] = ()
    by_metric: tuple[Statistics, ...] = ()
    units: tuple[str, ...] = ()
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lengths: tuple[float, ...] = ()
    settings: Settings = field(default_factory=Settings)
    sets: Mapping[str, Material] = field(default_factory=dict)

    @property
    def n_items(self) -> int:
        """Items that all systems answered."""
        return self.by_metric[0].design.n_items

    def stats(self, metric: str) -> Statistics:
        """The statistics under one metric."""
        return next(stats for stats in self.by_metric if stats.name == metric)

    def column(self, name: str, option: str) -> tuple[str, ...]:
        """A column of the items.

        Raises:
            UsageError: there is none of that name.
        """
        if name not in self.labels:
            raise no_column(option, name, self.labels)
        return self.labels[name]

    @cached_property
    def with_runs_apart(self) -> Material:
        """Every run as a system of its own, in the group of its system: by default that system itself."""
        if all(len(of_system) < 2 for of_system in self.runs.values()):
            return self
        names = [f"{system}/{run}" for system in self.systems for run in self.runs[system]]
        return replace(
            self,
            systems=tuple(names),
            groups=tuple(group for name, group in zip(self.systems, self.groups, strict=True) for _ in self.runs[name]),
            runs={name: (name,) for name in names},
            by_metric=tuple(
                p.replace_statistics([run[None] for whole in p.items for run in whole], p.design)
                for p in self.by_metric
            ),
        )

    def restrict(self, items: Int) -> Material:
        """Some of the items, by their numbers; without clusters these may repeat."""
        return replace(
            self,
            by_metric=tuple(stats.restrict(items) for stats in self.by_metric),
            labels={name: tuple(np.asarray(column, dtype=object)[items]) for name, column in self.labels.items()},
            lengths=tuple(np.asarray(self.lengths)[items].tolist()) if self.lengths else (),
        )

    @cached_property
    def digest(self) -> str:
        """The same for the same numbers, names, columns and settings, and for no others."""
        found = hashlib.sha256()
        names = [self.systems, self.units, sorted(self.runs.items()), self.groups, sorted(self.labels.items())]
        how = [self.settings.alternative, self.settings.alpha, self.settings.n_resamples, self.settings.engine]
        found.update(repr((names, self.lengths, how)).encode())
        for stats in self.by_metric:
            found.update(stats.digest)
        for name, part in self.sets.items():
            found.update(repr((name, part.digest)).encode())
        return found.hexdigest()
