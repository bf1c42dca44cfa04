"""Systems measured each on its own items: their numbers, for tests that need no items in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError, join
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED, Note
from outscore.data.dataset import Dataset
from outscore.engine.design import Design
from outscore.engine.lattice import lattice
from outscore.results.result import Provenance, Score
from outscore.significance import notes
from outscore.significance.independent import PAIRED_DATA, Unit
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.verbs.shared.inputs import check_several
from outscore.verbs.shared.judged import draw_for_intervals
from outscore.verbs.shared.measured import Meant, Measured, Measurements, measuring_notes
from outscore.verbs.shared.naming import attribute
from outscore.verbs.shared.records import Answered, provenance, score_record, unique_notes

_ENOUGH_RUNS = 5
_BEYOND_LIMITS = replace(
    notes.BEYOND_LIMITS,
    remedy="read such an end as the limit; of right or wrong items permutation and two-proportions keep to it",
)


@dataclass(frozen=True)
class SharedItems:
    """Systems that have their items in common: one, or all of them.

    Attributes:
        made: their items under every metric.
        resamples: the same numbers, ready for intervals; nothing is drawn yet.
    """

    made: Measurements
    resamples: Resamples

    @classmethod
    def of(
        cls, data: Dataset, metrics: Meant, cluster: str | None, settings: Settings, cache: Path | None
    ) -> SharedItems:
        """The systems of aligned data under all metrics."""
        made = Measurements.of(data, metrics, settings.runtime, cluster=cluster, cache=cache)
        return cls(made, made.resamples(settings))

    @cached_property
    def drawn(self) -> Resamples:
        """The same with what the intervals of all scores need."""
        each = [(p, s) for p in range(len(self.measured)) for s in range(len(self.data.systems))]
        return draw_for_intervals([], each, self.resamples, None)[1]

    @property
    def data(self) -> Dataset:
        return self.made.data

    @property
    def design(self) -> Design:
        return self.made.design

    @property
    def measured(self) -> tuple[Measured, ...]:
        return self.made.measured


@dataclass(frozen=True)
class Numbers:
    """One metric of all systems, as tests of samples see it.

    Attributes:
        metric: its label; ``unit``: what one number stands for, a run or an item.
        values: for each system ``(n,)``, signed so that more is better. Numbers that tie are equal as floats.
        blocks: the i-th number of every system belongs to the same item.
        shared: some item was answered by several systems.
        by_item: for each system ``(runs, items)``, signed, where numbers are runs of a mean of items; else empty.
        limits: the lowest and the highest gain that there can be, infinite where there are none or they are not known.
        notes: on these numbers, whatever the test.
    """

    metric: str
    unit: Unit
    values: tuple[Float, ...]
    blocks: bool
    shared: bool
    by_item: tuple[Float, ...]
    limits: tuple[float, float]
    notes: tuple[Note, ...]

    def note_limits(self, ends: tuple[float, float] | None) -> tuple[Note, ...]:
        """A note where an interval of a gain has ends that no gain can have."""
        beyond = ends is not None and (ends[0] < self.limits[0] or ends[1] > self.limits[1])
        return (_BEYOND_LIMITS,) * beyond


class Systems:
    """All systems, in the order given, each measured on its own items.

    Args:
        parts: one for each system, or one for all.

    Raises:
        UsageError: fewer than two systems, or metrics that are not the same for all.
    """

    def __init__(self, parts: Sequence[SharedItems]) -> None:
        self.parts = tuple(parts)
        self._where = [(part, s) for part in parts for s in range(len(part.data.systems))]
        self.names = tuple(part.data.systems[s] for part, s in self._where)
        check_several(*(part.data for part in parts))
        labels = {tuple(m.stats.name for m in part.measured) for part in parts}
        if len(labels) > 1:
            raise UsageError(f"the systems have different metrics by default, {sorted(labels)}: name one with -m")

    @property
    def metrics(self) -> range:
        """The numbers of the metrics."""
        return range(len(self.parts[0].measured))

    def scores(self) -> list[tuple[Score, tuple[Note, ...]]]:
        """The record of every system under every metric, with the notes of its interval."""
        return [score_record(part.drawn, part.measured[p], p, s) for p in self.metrics for part, s in self._where]

    def n_items(self, *systems: int) -> int:
        """Items of these systems together."""
        if len(self.parts) == 1:
            return len(self.parts[0].data.items)
        return sum(len(self._where[s][0].data.items) for s in systems)

    def numbers(self, metric: int, asked: Unit | None, *, blocks: bool) -> Numbers:
        """The numbers of one metric.

        Args:
            metric: its number.
            asked: the unit; by default runs if every system has several and all are scored on the same items, else
                items.
            blocks: the test may use that numbers belong to the same items, so that this is no fault.

        Raises:
            UsageError: the unit asked for cannot be had, or items have no numbers of their own.
        """
        by_metric = [(part.measured[metric].stats, s) for part, s in self._where]
        unit, of_items = self._unit(by_metric, asked)
        values = (
            _average_runs(by_metric) if of_items else tuple(stats.sign * stats.run_scores[s] for stats, s in by_metric)
        )
        shared = unit == "item" and self._overlap
        runs = [v.size for v in values] if unit == "run" else [stats.runs[s] for stats, s in by_metric]
        of_samples = self.parts[0].measured[metric].metric.of_samples
        said = self._notes(unit, runs, shared=shared and not blocks, of_samples=of_samples)
        return Numbers(
            metric=by_metric[0][0].name,
            unit=unit,
            values=values,
            blocks=unit == "item" and len(self.parts) == 1,
            shared=shared,
            by_item=_runs_by_item(by_metric) if unit == "run" else (),
            limits=_limits_of_gains(by_metric),
            notes=tuple(said),
        )

    def notes(self) -> tuple[Note, ...]:
        """Notes of reading and measuring each part of the data, each once."""
        each = [(join(part.data.systems), (*part.data.notes, *measuring_notes(part.measured))) for part in self.parts]
        said = attribute(each)
        said += [INTERRUPTED for part in self.parts if part.drawn.interrupted]
        return unique_notes(said)

    def provenance(self, answers: Sequence[Answered], settings: Settings, test: str, correction: str) -> Provenance:
        """Its provenance."""
        first, data = self.parts[0], Dataset.joined([("", part.data) for part in self.parts])
        found = provenance(data, first.measured, answers, settings, test, correction, first.design)
        clusters = [part.design.n_units for part in self.parts if part.design.cluster]
        return replace(found, n_clusters=sum(clusters) or None)

    @property
    def _overlap(self) -> bool:
        """Whether two systems have an item in common; lines of files of different lengths are different items."""
        if len(self.parts) == 1:
            return True
        seen = [item for part in self.parts if not part.data.by_position for item in part.data.items]
        return len(set(seen)) < len(seen)

    def _unit(self, by_metric: Sequence[tuple[Statistics, int]], asked: Unit | None) -> tuple[Unit, bool]:
        """The unit, and whether its numbers are those of items: every line of a file can stand for a run."""
        name, runs = by_metric[0][0].name, [stats.runs[s] for stats, s in by_metric]
        together, several = len(self.parts) == 1, min(runs) > 1
        lines = max(runs) == 1 and all(part.data.by_position for part in self.parts)
        if asked == "run" and not lines:
            if max(runs) == 1:
                raise UsageError("--unit run needs several runs of a system, but each has one; use --unit item")
            if not together:
                raise UsageError(
                    "--unit run compares runs on one test set, but the systems have items of their own; use --unit item"
                )
            return "run", False
        if asked is None and several and together:
            return "run", False
        if not all(stats.plain_mean for stats, _ in by_metric):
            raise UsageError(
                f"{name} is no mean of items, so that items have no numbers of their own; give several runs of every "
                "system, or use a test of pairs, as --test auto does"
            )
        return asked or "item", True

    def _notes(self, unit: Unit, runs: Sequence[int], *, shared: bool, of_samples: bool) -> list[Note]:
        if unit == "run":
            return [notes.RUNS_ONLY, *([notes.FEW_RUNS] if min(runs) < _ENOUGH_RUNS else [])]
        found = [PAIRED_DATA] if shared else []
        if any(part.design.cluster for part in self.parts):
            found.append(notes.TEST_IGNORES_CLUSTERS)
        if max(runs) > 1:
            found.append(notes.ITEMS_ONLY)
        elif not of_samples:
            found.append(notes.SINGLE_RUN)
        return found


def _limits_of_gains(by_metric: Sequence[tuple[Statistics, int]]) -> tuple[float, float]:
    known = [stats.limits or ((0.0, 1.0) if stats.right_or_wrong[s] else None) for stats, s in by_metric]
    low, high = min(one[0] if one else -math.inf for one in known), max(one[1] if one else math.inf for one in known)
    return low - high, high - low


def _runs_by_item(by_metric: Sequence[tuple[Statistics, int]]) -> tuple[Float, ...]:
    if not all(stats.plain_mean for stats, _ in by_metric):
        return ()
    return tuple(stats.sign * stats.items[s][..., 0] * stats.steps[0] for stats, s in by_metric)


def _average_runs(by_metric: Sequence[tuple[Statistics, int]]) -> tuple[Float, ...]:
    """For each system the numbers of its items ``(n,)``, averaged over runs; equal decimals are equal floats."""
    runs = [stats.items[s][..., 0] * stats.steps[0] for stats, s in by_metric]
    common = math.lcm(*(len(of_system) for of_system in runs))
    whole = lattice(np.concatenate([of_system.ravel() for of_system in runs])[:, None], copies=common)
    parts = np.split(whole.integers[:, 0], np.cumsum([of_system.size for of_system in runs])[:-1])
    unit = float(whole.steps[0]) / common
    return tuple(
        stats.sign * part.reshape(of_system.shape).sum(axis=0) * (common // len(of_system)) * unit
        for (stats, _), of_system, part in zip(by_metric, runs, parts, strict=True)
    )
