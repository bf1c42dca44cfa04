"""What every registered metric keeps, whoever wrote it: a new entry is picked up from the registry."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.notation import TEXT
from outscore.base.registry import spell, split_specs
from outscore.metrics import Metric, metrics
from tests.contract.cases import case_of, valid_items
from tests.contract.cases.text import columns_of
from tests.contract.explained import check_explained
from tests.examples import at, examples, first

# beside the example of each metric: options whose statistics look different
MORE = [
    *("bleu", "bleu:max_order=2,smooth=add-k", "bleu:effective_order=true", "chrf", "chrf:whitespace=true"),
    *("chrf:eps_smoothing=true,word_order=1", "ter", "ter:no_punct=true", "accuracy:column=right"),
    *("f1", "f1:average=micro", "kappa:weights=quadratic", "ner", "ner:match=partial", "ner:match=ent_type"),
    *("ner:match=exact,average=macro", "ner:labelled=false", "ner:measure=precision,average=macro"),
    *("ndcg", "ndcg:cutoff=none", "map", "map:cutoff=3", "mrr:cutoff=2,rel=2", "ir:measure=R@3", "ir:measure=Judged@3"),
    *("mean", "mean:column=a,weight=w,lower=true", "fbeta", "ratio:num=a,den=w"),
]
SPECS = list(dict.fromkeys([cls.example for _, cls in metrics] + MORE))
SUMS = [spec for spec in SPECS if not metrics.make(spec).ranked]
NAMES = metrics.names()
PLAIN = [spec for spec in SUMS if spec in {cls.example for _, cls in metrics}]
"""Every metric once; other options are slow where many random items are tried."""


def ready(metric: Metric, *cells: Items) -> Metric:
    """The metric prepared for these items."""
    return metric.prepare(cells)[0]


def part(items: Items, where: Sequence[int]) -> Items:
    """Some of the items, in this order."""
    return Items(
        n=len(where),
        outputs=None if items.outputs is None else [items.outputs[i] for i in where],
        references=tuple([stream[i] for i in where] for stream in items.references),
        columns={name: column[list(where)] for name, column in items.columns.items()},
        labels={name: [values[i] for i in where] for name, values in items.labels.items()},
    )


def same(items: Items, kept: Items) -> None:
    """The items are what they were: other metrics read them too."""
    assert (items.n, items.outputs, items.references, items.labels) == (
        kept.n,
        kept.outputs,
        kept.references,
        kept.labels,
    )
    assert items.columns.keys() == kept.columns.keys()
    for name, column in items.columns.items():
        np.testing.assert_array_equal(column, kept.columns[name])


def close(got: Float | float, expected: Float | float) -> None:
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


several = settings(max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])


OPEN = {"ter", "wer", "cer"}
"""Rates of errors, of which there can be more than words."""


OURS = [(name, cls.unit) for name, cls in metrics if cls.__module__.startswith("outscore.")]


@pytest.mark.parametrize("name", [name for name, unit in OURS if re.search(r"\d$", unit)])
def test_scores_lie_in_the_range_that_the_unit_names(name: str) -> None:
    cls = metrics.find(name)
    named = re.search(r"(-?\d+)(?:-| to )(\d+)$", cls.unit)
    assert named
    assert cls.limits == (float(named[1]), math.inf if name in OPEN else float(named[2]))


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
    check_explained(cls)


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_metric_is_about_that_metric_and_can_be_typed_in_a_list(name: str) -> None:
    example = metrics.find(name).example
    assert metrics.make(example).name == name
    assert split_specs(f"{example},{example}") == [example, example]


@pytest.mark.parametrize("spec", [*SPECS, "bleu:smooth_value=0.5,smooth=floor", "fbeta:beta=0.5,tp=x"])
def test_the_name_of_a_metric_makes_it_again(spec: str) -> None:
    metric = metrics.make(spec)
    assert metrics.make(spell(metric)) == metric
    assert metric.label
    assert spell(metrics.make(spell(metric))) == spell(metric)


def test_metrics_are_values() -> None:
    for spec in SPECS:
        with at(spec):
            metric = metrics.make(spec)
            again = pickle.loads(pickle.dumps(metric))
            assert again == metric
            assert hash(again) == hash(metric)
            with pytest.raises(dataclasses.FrozenInstanceError):
                metric.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("spec", first(SPECS, *PLAIN, others=pytest.mark.slow))
@several
@given(data=st.data())
def test_statistics_are_a_row_for_each_item_that_depends_on_it_alone(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    items = data.draw(valid_items(metric))
    kept = copy.deepcopy(items)
    metric = ready(metric, items)
    statistics = metric.statistics(items)
    same(items, kept)
    assert statistics.dtype == np.float64
    assert statistics.ndim == 2
    assert len(statistics) == items.n
    assert np.isfinite(statistics).all()
    order = data.draw(st.permutations(range(items.n)))
    np.testing.assert_array_equal(metric.statistics(part(items, order)), statistics[order])
    for i in range(items.n):
        np.testing.assert_array_equal(metric.statistics(part(items, [i])), statistics[[i]])


@pytest.mark.parametrize("spec", first(SUMS, *PLAIN, others=pytest.mark.slow))
@several
@given(data=st.data())
def test_scores_are_of_sums_whatever_the_order_and_the_parts(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    items = data.draw(valid_items(metric, smallest=2))
    metric = ready(metric, items)
    whole = float(metric.score(metric.statistics(items).sum(axis=0)))
    assert np.isfinite(whole)
    order = data.draw(st.permutations(range(items.n)))
    close(float(metric.score(metric.statistics(part(items, order)).sum(axis=0))), whole)
    cut = data.draw(st.integers(1, items.n - 1))
    first, second = (metric.statistics(part(items, where)) for where in (range(cut), range(cut, items.n)))
    close(float(metric.score(first.sum(axis=0) + second.sum(axis=0))), whole)


@pytest.mark.parametrize("spec", first(SUMS, *PLAIN, others=pytest.mark.slow))
@several
@given(data=st.data())
def test_scores_of_many_sums_are_those_of_each(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    items = data.draw(valid_items(metric))
    metric = ready(metric, items)
    statistics = metric.statistics(items)
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


@pytest.mark.parametrize("spec", first(SPECS, *PLAIN, others=pytest.mark.slow))
@several
@given(data=st.data())
def test_an_item_that_counts_twice_is_two_items(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    items = data.draw(valid_items(metric))
    metric = ready(metric, items)
    statistics = metric.statistics(items)
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=items.n, max_size=items.n)))
    counts[0] += 1
    copies = np.repeat(statistics, counts, axis=0)
    whole = float(metric.score_weighted(copies, np.ones(len(copies))))
    assert np.isfinite(whole)
    weights = np.stack([counts, np.ones(items.n), 2 * counts]).astype(float)
    scores = metric.score_weighted(statistics, weights)
    assert scores.shape == (3,)
    close(scores[0], whole)
    close(metric.score_weighted(statistics, weights[:, None])[:, 0], scores)


@pytest.mark.parametrize("spec", first(SPECS, *PLAIN, others=pytest.mark.slow))
@several
@given(data=st.data())
def test_a_ratio_is_the_score(spec: str, data: st.DataObject) -> None:
    metric = metrics.make(spec)
    items = data.draw(valid_items(metric))
    metric = ready(metric, items)
    found = metric.ratio()
    if found is None:
        return
    numerator, denominator, scale = found
    statistics = metric.statistics(items)
    assert numerator.shape == denominator.shape == (statistics.shape[1],)
    sums = statistics.sum(axis=0)
    if sums @ denominator > 0:
        close(scale * (sums @ numerator) / (sums @ denominator), float(metric.score(sums)))


def test_some_metric_is_a_ratio_and_some_is_not() -> None:
    """Or the test above would be about nothing."""
    assert len({metrics.make(spec).ratio() is None for spec in SPECS}) == 2


@pytest.mark.parametrize("spec", SPECS)
def test_nothing_at_all_has_a_finite_score(spec: str) -> None:
    with at(spec):
        metric = metrics.make(spec)
        empty = case_of(metric).nothing(metric)
        if empty is not None:
            metric = ready(metric, empty)
            found = metric.statistics(empty)
            score = metric.score_weighted(found, np.ones(empty.n)) if metric.ranked else metric.score(found.sum(axis=0))
            assert np.isfinite(score)


@pytest.mark.parametrize("spec", [s for s in SPECS if getattr(metrics.make(s), "weight", None)])
def test_weights_that_are_all_zero_are_refused(spec: str) -> None:
    metric = metrics.make(spec)
    with pytest.raises(InputError, match="weights"):
        metric.statistics(Items(n=2, columns={c: np.zeros(2) for c in columns_of(metric)}))


@pytest.mark.parametrize("java", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_perfect_system_is_better_in_the_direction_of_the_metric(java: bool) -> None:
    for spec in [spec for spec in SPECS if spec.startswith("meteor") == java]:
        with at(spec):
            metric = metrics.make(spec)
            case = case_of(metric)
            best, bad = case.perfect(metric), case.bad(metric)
            metric = ready(metric, best, bad)
            sign = 1 if metric.higher_is_better else -1
            perfect, poor = (
                sign * float(metric.score_weighted(metric.statistics(items), np.ones(items.n))) for items in (best, bad)
            )
            assert perfect > poor


WITHOUT_JAVA = [spec for spec in SPECS if not spec.startswith("meteor")]


@pytest.mark.parametrize("spec", first(SPECS, *WITHOUT_JAVA, others=pytest.mark.slow))
def test_a_second_reference_counts_where_a_metric_can_use_it(spec: str) -> None:
    """One that reads the first alone refuses others, and its case says that it cannot use several."""
    metric = metrics.make(spec)
    case = case_of(metric)
    right, wrong = case.perfect(metric), case.bad(metric).outputs
    if case.several_references and wrong is not None:
        of_right, of_wrong, of_both = (
            metric.statistics(replace(right, references=references))
            for references in (right.references, (wrong,), (wrong, *right.references))
        )
        reads_columns_alone = (of_right == of_wrong).all()
        assert reads_columns_alone or (of_both != of_wrong).any()


def test_what_a_metric_cannot_read_is_refused_with_a_remedy() -> None:
    for spec in SPECS:
        with at(spec):
            metric = metrics.make(spec)
            for items in case_of(metric).refuses(metric):
                with pytest.raises(InputError, match=";"):
                    ready(metric, items).statistics(items)


def test_a_signature_says_how_to_compute_the_score_again() -> None:
    for spec in SPECS:
        with at(spec):
            metric = metrics.make(spec)
            items = Items(n=1, outputs=["a"], references=(["a"], ["b"]), columns={"score": np.ones(1)})
            if metric.reads != TEXT:
                items = case_of(metric).perfect(metric)
            assert metric.signature(items).strip()
            if "nrefs" in metric.signature(items):
                assert metric.signature(items) != metric.signature(replace(items, references=(["a"],)))


def test_items_without_anything_are_refused_with_a_remedy() -> None:
    for spec in SPECS:
        with at(spec), pytest.raises(InputError, match=";"):
            ready(metrics.make(spec), Items(n=2)).statistics(Items(n=2))


@pytest.mark.parametrize("name", ["mean", "accuracy"])
@several
@given(values=st.lists(st.integers(0, 8), min_size=1, max_size=9))
def test_a_metric_per_item_is_the_mean_of_its_items(name: str, values: list[int]) -> None:
    metric = metrics.make(name)
    statistics = metric.statistics(Items(n=len(values), columns={"score": np.array(values) / 8}))
    assert statistics.shape[1] == 2
    np.testing.assert_array_equal(statistics[:, 0] / statistics[:, 1], np.array(values) / 8)
    close(float(metric.score(statistics.sum(axis=0))), sum(values) / 8 / len(values))
