"""Texts, labels and columns of numbers: what the metrics of translation and of score tables read."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

WORDS = ["the", "cat", "sat", "mat", ".", "1.5", "Ünï", "日本", "a-b", "The", "of", "(x)", ""]


def sentences() -> st.SearchStrategy[str]:
    """Texts with words in common, and now and then anything at all."""
    usual = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
    return st.one_of(usual, usual, usual, st.text(max_size=12))


def columns_of(metric: Metric) -> list[str]:
    """Every column that a metric may read."""
    return ["score", *(v for f in dataclasses.fields(metric) if isinstance(v := getattr(metric, f.name), str) and v)]


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    references = tuple(draw(sentences()) for _ in range(n_references))
    columns = {name: draw(st.integers(0, 4)) / 4 for name in columns_of(metric)}
    weight = getattr(metric, "weight", None)
    if weight:
        columns[weight] += 0.25
    output = draw(st.one_of(sentences(), st.just(references[0])))
    return One(references=references, output=output, columns=columns)


PERFECT = {  # columns of a perfect system and of a bad one, for metrics that count elsewhere
    "fbeta": ({"tp": 3.0, "fp": 0.0, "fn": 0.0}, {"tp": 1.0, "fp": 2.0, "fn": 2.0}),
    "ratio": ({"num": 4.0, "den": 4.0}, {"num": 1.0, "den": 4.0}),
    "mean": ({"column": 1.0, "weight": 2.0}, {"column": 0.25, "weight": 2.0}),
}
REFERENCE = ["the cat sat on the mat .", "it rains in the old town"]
BAD = ["on mats cats sit", "sunshine everywhere but not here at all"]


def _example(metric: Metric, which: int) -> Items:
    columns = {"score": np.array([1.0 - which] * 2)}
    for role, value in PERFECT.get(metric.name, ({}, {}))[which].items():
        lower = role in ("num", "column") and not metric.higher_is_better
        name = str(getattr(metric, role)) or ("score" if role == "column" else "")
        columns[name] = np.array([4.0 - value if lower else value] * 2)
    if metric.name == "accuracy" and getattr(metric, "column", None):
        columns[metric.column] = columns["score"]  # type: ignore[attr-defined]
    return Items(n=2, outputs=BAD if which else REFERENCE, references=(REFERENCE,), columns=columns)


def nothing(metric: Metric) -> Items:
    return Items(n=2, outputs=["", ""], references=(["", ""],), columns={c: np.zeros(2) for c in columns_of(metric)})


CASES["text"] = Case(
    item=item,
    perfect=lambda metric: _example(metric, 0),
    bad=lambda metric: _example(metric, 1),
    nothing=nothing,
)
CASES["mean"] = dataclasses.replace(CASES["text"], nothing=lambda m: None if getattr(m, "weight", "") else nothing(m))
