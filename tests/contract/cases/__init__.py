"""Valid items for every metric, by its name or by the notation that it reads; one file for each kind of task.

A file here fills ``CASES``, keyed by the name of a metric or by a notation; the name goes first.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric


@dataclass(frozen=True, kw_only=True)
class One:
    """One item as a metric may see it."""

    references: tuple[str, ...] = ()
    output: str | None = None
    columns: Mapping[str, float] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Case:
    """How items for some metrics are made.

    Attributes:
        item: metric and number of references to a strategy of one valid item; all items of one metric have the same
            columns and labels, and outputs are often right, lest every score is 0.
        perfect: metric to items with the best possible outputs; ``bad`` to much worse ones.
        nothing: metric to two items with nothing in them, or to None where such items are refused.
        refuses: more items, on top of those without any output, that must end in an ``InputError``.
        several_references: the metric can use more than one reference.
        always: items that no test set may lack, such as one of each class.
    """

    item: Callable[[Metric, int], st.SearchStrategy[One]]
    perfect: Callable[[Metric], Items]
    bad: Callable[[Metric], Items]
    nothing: Callable[[Metric], Items | None] = lambda metric: None
    refuses: Callable[[Metric], Sequence[Items]] = lambda metric: ()
    several_references: bool = True
    always: Callable[[Metric], Sequence[One]] = lambda metric: ()


CASES: dict[str, Case] = {}


def case_of(metric: Metric) -> Case:
    """The case of a metric."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    if metric.name in CASES:
        return CASES[metric.name]
    assert metric.reads in CASES, f"tests/contract/cases/ makes no items for {metric.name!r} or {metric.reads!r}"
    return CASES[metric.reads]


def items_of(ones: Sequence[One]) -> Items:
    """Items of single items; all have the same columns and labels."""
    first = ones[0]
    return Items(
        n=len(ones),
        outputs=None if first.output is None else [one.output or "" for one in ones],
        references=tuple([one.references[i] for one in ones] for i in range(len(first.references))),
        columns={name: np.array([one.columns[name] for one in ones], dtype=float) for name in first.columns},
        labels={name: [one.labels[name] for one in ones] for name in first.labels},
    )


@st.composite
def valid_items(draw: st.DrawFn, metric: Metric, smallest: int = 1) -> Items:
    """Items that have whatever the metric asks for."""
    case = case_of(metric)
    n_references = draw(st.integers(1, 2)) if case.several_references else 1
    one = case.item(metric, n_references)
    return items_of([*case.always(metric), *draw(st.lists(one, min_size=smallest, max_size=7))])
