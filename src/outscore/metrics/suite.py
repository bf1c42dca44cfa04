"""The average over the tasks of a suite, as leaderboards define it: tasks or groups count alike, or by weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, join
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import column, score_column

_TASKS = ("task", "domain")
"""Columns of tasks."""


@metric("suite")
@dataclass(frozen=True)
class Suite(Metric):
    """Average over tasks of the mean of their items; the tasks are these, and their items are drawn.

    Statistics per item: ``[value, 1]`` for each task, 0 for those that it does not belong to. A domain, or one data set
    of several, is averaged over the tasks that it has.

    Args:
        column: the column of scores; by default ``suite``, ``score``, or the only one.
        task: the column that names the task of an item; by default ``task`` or ``domain``.
        group: a column that names the group of a task; groups then count alike, and within a group its tasks.
        weight: a column with the weight of a task; by default tasks count alike.
        floor: a column with the score of a task that guessing has, which then is 0.
        top: the best score that there is, which is 1 where there is a floor.
        lower: lower is better.
    """

    also: ClassVar[tuple[str, ...]] = ("macro_average", "average_over_tasks")
    unit: ClassVar[str] = "units of the score"
    citation: ClassVar[str] = "Beeching et al. 2023, Open LLM Leaderboard"
    example: ClassVar[str] = "suite:task=domain"

    column: str = ""
    task: str = ""
    group: str = ""
    weight: str = ""
    floor: str = ""
    top: float = 1.0
    lower: bool = False
    _tasks: tuple[str, ...] = ()
    _weights: tuple[float, ...] = ()

    @property
    def higher_is_better(self) -> bool:
        return not self.lower

    def prepare(self, runs: Sequence[Items]) -> tuple[Self, ...]:
        items = runs[0]
        names = self._names(items)
        tasks = tuple(dict.fromkeys(names))
        firsts = [names.index(task) for task in tasks]
        weights = np.ones(len(tasks))
        if self.weight:
            weights = self._of_tasks(items, self.weight, names)[firsts]
            if np.any(weights < 0) or not np.any(weights > 0):
                raise InputError(f"the weights in column {self.weight!r} must be 0 or more, and not all 0")
        if self.group:
            groups = self._labels(items, self.group)
            if strange := next((t for t, g in zip(names, groups, strict=True) if g != groups[names.index(t)]), None):
                raise InputError(f"task {strange!r} is in several groups of column {self.group!r}")
            of = np.array([groups[first] for first in firsts])
            for name in dict.fromkeys(of.tolist()):
                weights[of == name] /= weights[of == name].sum() or 1.0
        return (replace(self, _tasks=tasks, _weights=tuple(weights.tolist())),)

    def statistics(self, items: Items) -> Float:
        made = self if self._tasks else self.prepare([items])[0]
        names = self._names(items)
        values = score_column(items, self.column, self.name)
        if self.floor:
            floor = self._of_tasks(items, self.floor, names)
            if np.any(floor >= self.top):
                raise InputError(f"the floors in column {self.floor!r} must be below top={self.top:g}")
            values = (values - floor) / (self.top - floor)
        number = {task: k for k, task in enumerate(made._tasks)}
        place = np.array([number[name] for name in names], dtype=np.int64)
        found = np.zeros((items.n, len(number), 2))
        found[np.arange(items.n), place] = np.stack([values, np.ones(items.n)], axis=-1)
        return found.reshape(items.n, -1)

    def score(self, sums: Float) -> Float:
        tasks = sums.reshape(*sums.shape[:-1], -1, 2)
        there = tasks[..., 1] > 0
        weights = there * np.array(self._weights or (1.0,))
        means = safe_ratio(tasks[..., 0], tasks[..., 1])
        return safe_ratio((weights * means).sum(axis=-1), weights.sum(axis=-1))

    def _names(self, items: Items) -> Sequence[str]:
        """The task of each item."""
        return self._labels(items, self.task or next((one for one in _TASKS if one in items.labels), _TASKS[0]))

    def _labels(self, items: Items, name: str) -> Sequence[str]:
        if name not in items.labels:
            raise InputError(
                f"{self.name} reads the names of tasks or groups in a column {name!r}, and the items have "
                f"{join(items.labels) if items.labels else 'no names'}",
                remedy="name the column: suite:task=COLUMN",
            )
        return items.labels[name]

    def _of_tasks(self, items: Items, name: str, tasks: Sequence[str]) -> Float:
        """The numbers ``(items,)`` of a column, of which each task has one."""
        values = column(items, name, self.name)
        first: dict[str, float] = {}
        for task, value in zip(tasks, values.tolist(), strict=True):
            if first.setdefault(task, value) != value:
                raise InputError(f"column {name!r} has {first[task]:g} and {value:g} for the task {task!r}")
        return values
