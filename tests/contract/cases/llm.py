"""Counts of samples, preferences and log-likelihoods: what the metrics of language models read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One


def table(**columns: list[float]) -> Items:
    return Items(n=2, columns={name: np.array(values, dtype=float) for name, values in columns.items()})


@st.composite
def samples(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    n = draw(st.integers(metric.k, 8))  # type: ignore[attr-defined]
    return One(columns={"n_samples": n, "n_correct": draw(st.integers(0, n))})


def preferences(metric: Metric, n_references: int) -> st.SearchStrategy[One]:
    return st.sampled_from([0.0, 0.25, 0.5, 1.0]).map(lambda value: One(columns={"preference": value}))


@st.composite
def likelihoods(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    tokens = draw(st.integers(1, 9))
    return One(columns={"loglik": -draw(st.integers(0, 40)) / 8 * tokens, "tokens": tokens})


def counts(metric: Metric, right: Mapping[str, float]) -> Items:
    k = float(metric.k)  # type: ignore[attr-defined]
    return table(n_samples=[k + 1, k + 1], n_correct=[right["share"] * (k + 1), (k + 1) * right["share"]])


CASES["pass_at_k"] = CASES["pass_hat_k"] = Case(
    item=samples,
    perfect=lambda metric: counts(metric, {"share": 1.0}),
    bad=lambda metric: counts(metric, {"share": 0.0}),
    refuses=lambda metric: [
        table(n_samples=[9, 9], n_correct=[10, 0]),
        table(n_samples=[9, 9], n_correct=[-1, 0]),
        table(n_samples=[9, 9], n_correct=[0.5, 0]),
        table(n_samples=[9, metric.k - 1], n_correct=[1, 0]),  # type: ignore[attr-defined]
        table(n_samples=[9, 9]),
    ],
)
CASES["win_rate"] = Case(
    item=preferences,
    perfect=lambda metric: table(preference=[1, 1]),
    bad=lambda metric: table(preference=[0, 0.5]),
    nothing=lambda metric: table(preference=[0.5, 0.5]),
    refuses=lambda metric: [table(preference=[1.5, 0]), table(preference=[-0.1, 0]), table(preference=[np.nan, 0])],
)
CASES["perplexity"] = Case(
    item=likelihoods,
    perfect=lambda metric: table(loglik=[0, -0.5], tokens=[3, 4]),
    bad=lambda metric: table(loglik=[-9, -8], tokens=[3, 4]),
    refuses=lambda metric: [
        table(loglik=[0.1, -1], tokens=[1, 1]),
        table(loglik=[-1, -1], tokens=[0, 1]),
        table(loglik=[-1e6, -1], tokens=[1, 1]),
        table(loglik=[-1, -1]),
        table(tokens=[1, 1]),
    ],
)


def _of_tasks(scores: list[float], tasks: list[str]) -> Items:
    return Items(n=len(scores), columns={"score": np.array(scores)}, labels={"task": tasks, "domain": tasks})


CASES["suite"] = Case(
    item=lambda metric, n_references: st.tuples(st.integers(0, 4), st.sampled_from(["a", "b"])).map(
        lambda drawn: One(columns={"score": drawn[0] / 4}, labels={"task": drawn[1], "domain": drawn[1]})
    ),
    perfect=lambda metric: _of_tasks([1.0, 1.0], ["a", "b"]),
    bad=lambda metric: _of_tasks([0.0, 0.5], ["a", "b"]),
    nothing=lambda metric: _of_tasks([0.0, 0.0], ["a", "b"]),
    refuses=lambda metric: [Items(n=2, columns={"score": np.array([1.0, 0.0])})],
    always=lambda metric: [One(columns={"score": 1.0}, labels={"task": t, "domain": t}) for t in ("a", "b")],
)
