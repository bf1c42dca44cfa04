"""What every registered metric keeps, whoever wrote it: a new entry is picked up from the registry."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.registry import spelled, split_specs
from outscore.metrics import Metric, metrics

# beside the example of each metric: options whose statistics look different
MORE = [
    *("bleu", "bleu:max_order=2,smooth=add-k", "bleu:effective_order=true", "chrf", "chrf:whitespace=true"),
    *("chrf:eps_smoothing=true,word_order=1", "ter", "ter:no_punct=true", "accuracy:column=right"),
    *("mean", "mean:column=a,weight=w,lower=true", "fbeta", "ratio:num=a,den=w"),
]
SPECS = list(dict.fromkeys([cls.example for _, cls in metrics] + MORE))
NAMES = metrics.names()

WORDS = ["the", "cat", "sat", "mat", ".", "1.5", "Ünï", "日本", "a-b", "The", "of", "(x)", ""]


def sentences() -> st.SearchStrategy[str]:
    """Texts with words in common, and now and then anything at all."""
    usual = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
    return st.one_of(usual, usual, usual, st.text(max_size=12))


@st.composite
def valid_items(draw: st.DrawFn, metric: Metric, smallest: int = 1) -> Items:
    """Items that have whatever a metric may ask for: texts, one or two references, every column it names."""
    n = draw(st.integers(smallest, 7))
    whole = st.lists(sentences(), min_size=n, max_size=n)
    references = tuple(draw(whole) for _ in range(draw(st.integers(1, 2))))
    # outputs that are often right, lest every score is 0
    outputs = [draw(st.one_of(sentences(), st.just(references[0][i]))) for i in range(n)]
    named = [v for f in dataclasses.fields(metric) if isinstance(v := getattr(metric, f.name), str) and v]
    quarter = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    columns = {name: np.array(draw(quarter)) / 4 for name in ("score", *named)}
    weight = getattr(metric, "weight", None)
    if weight:
        columns[weight] += 0.25
    return Items(n=n, outputs=outputs, references=references, columns=columns)


def part(items: Items, where: Sequence[int]) -> Items:
    """Some of the items, in this order."""
    assert items.outputs is not None
    return Items(
        n=len(where),
        outputs=[items.outputs[i] for i in where],
        references=tuple([stream[i] for i in where] for stream in items.references),
        columns={name: column[list(where)] for name, column in items.columns.items()},
    )


def close(got: Float | float, expected: Float | float) -> None:
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


several = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_says_what_it_is(name: str) -> None:
    cls = metrics.find(name)
    assert dataclasses.is_dataclass(cls)
    assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert cls.__doc__ is not None
    assert len(cls.__doc__.splitlines()[0]) > 10
    assert "Statistics per" in cls.__doc__
    assert len(cls.unit.strip()) > 2
    assert len(cls.citation.strip()) > 5
    assert cls.name == name
    for field in dataclasses.fields(cls):
        assert field.name in cls.__doc__, f"the docstring does not explain {field.name}"


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_metric_is_about_that_metric_and_can_be_typed_in_a_list(name: str) -> None:
    example = metrics.find(name).example
    assert metrics.make(example).name == name
    assert split_specs(f"{example},{example}") == [example, example]


@pytest.mark.parametrize("spec", [*SPECS, "bleu:smooth_value=0.5,smooth=floor", "fbeta:beta=0.5,tp=x"])
def test_the_name_of_a_metric_makes_it_again(spec: str) -> None:
    metric = metrics.make(spec)
    assert metrics.make(spelled(metric)) == metric
    assert metric.label
    assert spelled(metrics.make(spelled(metric))) == spelled(metric)


@pytest.mark.parametrize("spec", SPECS)
def test_metrics_are_values(spec: str) -> None:
    metric = metrics.make(spec)
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric
    assert hash(again) == hash(metric)
    with pytest.raises(dataclasses.FrozenInstanceError):
        metric.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("spec", SPECS)
@several
@given(data=st.data())
def test_statistics_are_a_row_for_each_item_that_depends_on_it_alone(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    items = data.draw(valid_items(metric))
    statistics = metric.statistics(items)
    assert statistics.dtype == np.float64
    assert statistics.ndim == 2
    assert len(statistics) == items.n
    assert np.isfinite(statistics).all()
    order = data.draw(st.permutations(range(items.n)))
    np.testing.assert_array_equal(metric.statistics(part(items, order)), statistics[order])
    for i in range(items.n):
        np.testing.assert_array_equal(metric.statistics(part(items, [i])), statistics[[i]])


@pytest.mark.parametrize("spec", SPECS)
@several
@given(data=st.data())
def test_scores_are_of_sums_whatever_the_order_and_the_parts(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    items = data.draw(valid_items(metric, smallest=2))
    whole = float(metric.score(metric.statistics(items).sum(axis=0)))
    assert np.isfinite(whole)
    order = data.draw(st.permutations(range(items.n)))
    close(float(metric.score(metric.statistics(part(items, order)).sum(axis=0))), whole)
    cut = data.draw(st.integers(1, items.n - 1))
    first, second = (metric.statistics(part(items, where)) for where in (range(cut), range(cut, items.n)))
    close(float(metric.score(first.sum(axis=0) + second.sum(axis=0))), whole)


@pytest.mark.parametrize("spec", SPECS)
@several
@given(data=st.data())
def test_scores_of_many_sums_are_those_of_each(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    statistics = metric.statistics(data.draw(valid_items(metric)))
    draw = np.random.default_rng(data.draw(st.integers(0, 99)))
    for axes in ((), (3,), (2, 3), (2, 1, 3)):
        sums = draw.integers(0, 3, (*axes, len(statistics))) @ statistics
        kept = sums.copy()
        scores = np.asarray(metric.score(sums))
        assert scores.shape == axes
        assert np.isfinite(scores).all()
        np.testing.assert_array_equal(sums, kept)
        for where in np.ndindex(axes):
            close(scores[where], float(metric.score(sums[where])))


@pytest.mark.parametrize("spec", SPECS)
@several
@given(data=st.data())
def test_a_ratio_is_the_score(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    found = metric.ratio()
    if found is None:
        return
    numerator, denominator, scale = found
    statistics = metric.statistics(data.draw(valid_items(metric)))
    assert numerator.shape == denominator.shape == (statistics.shape[1],)
    sums = statistics.sum(axis=0)
    if sums @ denominator > 0:
        close(scale * (sums @ numerator) / (sums @ denominator), float(metric.score(sums)))


def test_some_metric_is_a_ratio_and_some_is_not() -> None:
    """Or the test above would be about nothing."""
    assert len({metrics.make(spec).ratio() is None for spec in SPECS}) == 2


@pytest.mark.parametrize("spec", SPECS)
def test_nothing_at_all_has_a_finite_score(spec: str) -> None:
    metric = metrics.make(spec)
    empty = Items(n=2, outputs=["", ""], references=(["", ""],), columns={c: np.zeros(2) for c in columns_of(metric)})
    if getattr(metric, "weight", None):
        with pytest.raises(InputError, match="weights"):
            metric.statistics(empty)
        return
    assert np.isfinite(metric.score(metric.statistics(empty).sum(axis=0)))


def columns_of(metric: Metric) -> list[str]:
    """Every column that a metric may read."""
    return ["score", *(v for f in dataclasses.fields(metric) if isinstance(v := getattr(metric, f.name), str) and v)]


PERFECT = {  # columns of a perfect system and of a bad one, for metrics that count elsewhere
    "fbeta": ({"tp": 3.0, "fp": 0.0, "fn": 0.0}, {"tp": 1.0, "fp": 2.0, "fn": 2.0}),
    "ratio": ({"num": 4.0, "den": 4.0}, {"num": 1.0, "den": 4.0}),
    "mean": ({"column": 1.0, "weight": 2.0}, {"column": 0.25, "weight": 2.0}),
}


@pytest.mark.parametrize("spec", SPECS)
def test_a_perfect_system_is_better_in_the_direction_of_the_metric(spec: str) -> None:
    metric = metrics.make(spec)
    reference = ["the cat sat on the mat .", "it rains in the old town"]
    bad = ["on mats cats sit", "sunshine everywhere but not here at all"]
    sign = 1 if metric.higher_is_better else -1
    scores = []
    for outputs, which in ((reference, 0), (bad, 1)):
        columns = {"score": np.array([1.0 - which] * 2)}
        for role, value in PERFECT.get(metric.name, ({}, {}))[which].items():
            lower = role in ("num", "column") and not metric.higher_is_better
            name = str(getattr(metric, role)) or ("score" if role == "column" else "")
            columns[name] = np.array([4.0 - value if lower else value] * 2)
        if metric.name == "accuracy" and getattr(metric, "column", None):
            columns[metric.column] = columns["score"]  # type: ignore[attr-defined]
        items = Items(n=2, outputs=outputs, references=(reference,), columns=columns)
        scores.append(sign * float(metric.score(metric.statistics(items).sum(axis=0))))
    assert scores[0] > scores[1]


@pytest.mark.parametrize("spec", SPECS)
def test_a_signature_says_how_to_compute_the_score_again(spec: str) -> None:
    metric = metrics.make(spec)
    items = Items(n=1, outputs=["a"], references=(["a"], ["b"]), columns={"score": np.ones(1)})
    assert metric.signature(items).strip()
    if "nrefs" in metric.signature(items):
        assert metric.signature(items) != metric.signature(replace(items, references=(["a"],)))


@pytest.mark.parametrize("spec", SPECS)
def test_items_without_anything_are_refused_with_a_remedy(spec: str) -> None:
    with pytest.raises(InputError, match=";"):
        metrics.make(spec).statistics(Items(n=2))


@pytest.mark.parametrize("name", [n for n in NAMES if metrics.find(n).per_item])
@several
@given(values=st.lists(st.integers(0, 8), min_size=1, max_size=9))
def test_a_metric_per_item_is_the_mean_of_its_items(name: str, values: list[int]) -> None:
    metric = metrics.make(name)
    statistics = metric.statistics(Items(n=len(values), columns={"score": np.array(values) / 8}))
    assert statistics.shape[1] == 2
    np.testing.assert_array_equal(statistics[:, 0] / statistics[:, 1], np.array(values) / 8)
    close(float(metric.score(statistics.sum(axis=0))), sum(values) / 8 / len(values))
