"""AUC and average precision: the definitions, scikit-learn's numbers, and what the metrics refuse to read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import metrics
from outscore.metrics.ranked import steps

AUC, AP = metrics.make("auc"), metrics.make("average_precision")


@st.composite
def ranking(draw: st.DrawFn) -> tuple[Float, Float]:
    """``[label, number]`` of some items of both classes, ties likely, and how often each counts."""
    n = draw(st.integers(2, 25))
    labels = [1, 0, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    size = draw(st.sampled_from([2, 50]))
    numbers = draw(st.lists(st.integers(0, size), min_size=n, max_size=n))
    weights = [1, 1, *draw(st.lists(st.integers(0, 3), min_size=n - 2, max_size=n - 2))]
    return np.array([labels, numbers], dtype=float).T / [1, 7], np.array(weights, dtype=float)


def copies(statistics: Float, weights: Float) -> tuple[list[float], list[float]]:
    """Numbers of the positive and of the negative items, each as often as it counts."""
    repeated = np.repeat(statistics, weights.astype(int), axis=0)
    return repeated[repeated[:, 0] == 1, 1].tolist(), repeated[repeated[:, 0] == 0, 1].tolist()


@given(drawn=ranking())
def test_auc_is_the_share_of_pairs_in_the_right_order(drawn: tuple[Float, Float]) -> None:
    positive, negative = copies(*drawn)
    won = sum(1.0 if p > n else 0.5 if p == n else 0.0 for p in positive for n in negative)
    assert AUC.score_weighted(*drawn) == pytest.approx(won / (len(positive) * len(negative)), abs=1e-14)


@given(drawn=ranking())
def test_average_precision_is_the_mean_precision_at_the_positive_items(drawn: tuple[Float, Float]) -> None:
    positive, negative = copies(*drawn)
    at = [sum(q >= p for q in positive) / sum(q >= p for q in positive + negative) for p in positive]
    assert AP.score_weighted(*drawn) == pytest.approx(sum(at) / len(at), abs=1e-14)


@given(drawn=ranking())
def test_both_are_those_of_scikit_learn(drawn: tuple[Float, Float]) -> None:
    (labels, numbers), weights = drawn[0].T, drawn[1]
    for metric, reference in ((AUC, roc_auc_score), (AP, average_precision_score)):
        expected = reference(labels, numbers, sample_weight=weights)
        assert abs(float(metric.score_weighted(*drawn)) - expected) < 1e-12


@given(drawn=ranking())
def test_only_the_order_of_the_numbers_counts(drawn: tuple[Float, Float]) -> None:
    statistics, weights = drawn
    stretched = np.stack([statistics[:, 0], np.exp(3 * statistics[:, 1]) - 5], axis=-1)
    for metric in (AUC, AP):
        assert metric.score_weighted(stretched, weights) == metric.score_weighted(statistics, weights)


def test_reversed_numbers_reverse_the_auc() -> None:
    statistics = np.array([[1, 0.3], [0, 0.1], [1, 0.2], [0, 0.3], [0, 0.0]])
    reverse = statistics * [1, -1]
    assert AUC.score_weighted(statistics, np.ones(5)) + AUC.score_weighted(reverse, np.ones(5)) == 1.0


def test_one_class_alone_has_the_score_of_a_coin_or_of_nothing_found() -> None:
    statistics = np.array([[1, 0.3], [0, 0.1], [1, 0.2]])
    weights = np.array([[1, 0, 2], [0, 3, 0], [0, 0, 0], [1, 1, 1]], dtype=float)
    assert AUC.score_weighted(statistics, weights).tolist() == [0.5, 0.5, 0.5, 1.0]
    assert AP.score_weighted(statistics, weights).tolist() == [1.0, 0.0, 0.0, 1.0]


def test_steps_go_down_and_leave_nobody_out() -> None:
    statistics = np.array([[1, 0.5], [0, 0.5], [0, 2.0], [1, -1.0], [1, 0.5]])
    numbers, positive, negative = steps(statistics, np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert numbers.tolist() == [2.0, 0.5, -1.0]
    assert positive.tolist() == [0.0, 6.0, 4.0]
    assert negative.tolist() == [3.0, 2.0, 0.0]


def items(labels: list[str], **columns: list[float]) -> Items:
    return Items(n=len(labels), references=(labels,), columns={c: np.array(v) for c, v in columns.items()})


@pytest.mark.parametrize("labels", [["1", "0"], ["True", "false"], [" 1.0 ", "0.0"]])
def test_labels_are_ones_and_zeros_or_true_and_false(labels: list[str]) -> None:
    assert AUC.statistics(items(labels, score=[0.5, 0.25])).tolist() == [[1.0, 0.5], [0.0, 0.25]]


def test_the_positive_label_can_be_named() -> None:
    metric = metrics.make("auc:positive=spam,column=p")
    found = metric.statistics(items(["spam", "ham", "1"], p=[0.1, 0.2, 0.3], score=[9.0, 9.0, 9.0]))
    assert found.tolist() == [[1.0, 0.1], [0.0, 0.2], [0.0, 0.3]]


def test_outputs_that_are_numbers_are_read() -> None:
    given = Items(n=2, outputs=["0.5", " -1e3"], references=(["1", "0"],))
    assert AP.statistics(given).tolist() == [[1.0, 0.5], [0.0, -1000.0]]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (items(["1", "yes"], score=[1.0, 2.0]), r"item 2 has 'yes'; name the positive label: auc:positive=LABEL"),
        (items(["1", ""], score=[1.0, 2.0]), "item 2 has ''"),
        (items(["1", "1"], score=[1.0, 2.0]), "every item is positive"),
        (items(["0", "0"], score=[1.0, 2.0]), "every item is negative"),
        (Items(n=1, columns={"score": np.ones(1)}), "no gold labels"),
        (Items(n=1, columns={"score": np.ones(1)}, references=(["1"], ["0"])), "2 columns of them"),
        (Items(n=2, outputs=["0.5", "nan"], references=(["1", "0"],)), "item 2 has 'nan'"),
        (Items(n=2, outputs=["high", "low"], references=(["1", "0"],)), "item 1 has 'high'"),
        (items(["1", "0"], a=[1.0, 2.0], b=[1.0, 2.0]), "'a', 'b'"),
    ],
)
def test_what_cannot_be_ranked_is_refused(given: Items, says: str) -> None:
    with pytest.raises(InputError, match=says):
        AUC.prepare([given])[0].statistics(given)


def test_a_score_of_sums_is_refused() -> None:
    with pytest.raises(TypeError, match="no function of sums"):
        AUC.score(np.ones(2))


def test_python_labels_of_any_kind_are_read() -> None:
    numbers = {"a": [0.9, 0.1, 0.4, 0.3], "b": [0.9, 0.1, 0.2, 0.3]}
    for labels in ([1, 0, 1, 0], [True, False, True, False], np.array([1, 0, 1, 0])):
        found = outscore.compare(numbers, references=labels, metrics="auc", n_resamples=20)
        assert [s.score for s in found.scores] == [1.0, 0.75]
