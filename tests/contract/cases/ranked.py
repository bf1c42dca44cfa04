"""Items with a gold label and a number: what the metrics of a ranking read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

LABELS = ("0", "1")


def labels_of(metric: Metric) -> tuple[str, str]:
    """The negative and the positive label."""
    positive = getattr(metric, "positive", "")
    return ("other", positive) if positive else LABELS


def column_of(metric: Metric) -> str:
    """The column that the metric reads."""
    return getattr(metric, "column", "") or "score"


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    label = draw(st.sampled_from(labels_of(metric)))
    # few different numbers, so that there are ties
    return One(references=(label,), columns={column_of(metric): draw(st.integers(-2, 2)) / 2})


def always(metric: Metric) -> list[One]:
    return [One(references=(label,), columns={column_of(metric): 0.25}) for label in labels_of(metric)]


def _example(metric: Metric, numbers: list[float]) -> Items:
    negative, positive = labels_of(metric)
    labels = [positive, negative, positive, negative]
    return Items(n=4, references=(labels,), columns={column_of(metric): np.array(numbers)})


def refused(metric: Metric) -> list[Items]:
    """Labels that are none, numbers that are none, one class only, two gold labels."""
    negative, positive = labels_of(metric)
    column = {column_of(metric): np.array([0.5, 0.25])}
    both = [positive, negative]
    wrong = [
        Items(n=2, columns=column),
        Items(n=2, references=(both, both), columns=column),
        Items(n=2, references=([positive] * 2,), columns=column),
        Items(n=2, references=([negative] * 2,), columns=column),
        Items(n=2, references=(both,), columns={column_of(metric): np.array([0.5, np.nan])}),
        Items(n=2, references=(both,), outputs=["high", "low"]),
    ]
    return (
        wrong if getattr(metric, "positive", "") else [*wrong, Items(n=2, references=(["1", "maybe"],), columns=column)]
    )


for name in ("auc", "average_precision"):
    CASES[name] = Case(
        item=item,
        perfect=lambda metric: _example(metric, [0.9, 0.1, 0.8, 0.2]),
        bad=lambda metric: _example(metric, [0.2, 0.8, 0.3, 0.1]),
        refuses=refused,
        several_references=False,
        always=always,
    )


CLASSES = ("a", "b", "c")


def _of_classes(labels: Sequence[str], *numbers: Sequence[float]) -> Items:
    columns = dict(zip(CLASSES, np.array(numbers, dtype=float).T, strict=True))
    return Items(n=len(labels), references=(list(labels),), columns=columns)


@st.composite
def of_class(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    numbers = {name: draw(st.integers(-2, 2)) / 2 for name in CLASSES}
    return One(references=(draw(st.sampled_from(CLASSES)),), columns=numbers)


SURE = ([3, 1, 1], [0, 4, 0], [0, 1, 2], [2, 0, 1])
CASES["multiclass_auc"] = Case(
    item=of_class,
    perfect=lambda metric: _of_classes("abca", *SURE),
    bad=lambda metric: _of_classes("abca", *SURE[1:], SURE[1]),
    refuses=lambda metric: [
        _of_classes("aaaa", *SURE),
        _of_classes("abcd", *SURE),
        Items(n=2, references=(["a", "b"],), outputs=["a", "b"]),
        Items(n=2, columns={"a": np.ones(2), "b": np.ones(2)}),
        Items(n=2, references=(["a", "b"], ["a", "b"]), columns={"a": np.ones(2), "b": np.ones(2)}),
    ],
    several_references=False,
    always=lambda metric: [One(references=(of,), columns=dict.fromkeys(CLASSES, 0.25)) for of in CLASSES],
)
