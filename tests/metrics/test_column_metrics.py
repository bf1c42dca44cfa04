"""Accuracy, means, ratios and F-beta against plain loops written from their definitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import InputError, UsageError
from outscore.base.items import Items
from outscore.metrics import Metric, metrics

COUNTS = st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=1, max_size=8)


def score(metric: Metric | str, columns: Mapping[str, list[float]] | None = None, **texts: object) -> float:
    """The score of a metric on these columns or texts."""
    made = metrics.make(metric) if isinstance(metric, str) else metric
    arrays = {name: np.array(values, dtype=float) for name, values in (columns or {}).items()}
    n = len(next(iter(arrays.values()))) if arrays else len(texts["outputs"])  # type: ignore[arg-type]
    items = Items(n=n, columns=arrays, **texts)  # type: ignore[arg-type]
    return float(made.score(made.statistics(items).sum(axis=0)))


@given(values=st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 6)), min_size=1, max_size=9))
def test_a_mean_is_the_sum_over_the_number(values: list[float]) -> None:
    assert score("mean", {"score": values}) == pytest.approx(sum(values) / len(values), rel=1e-9, abs=1e-9)


@given(pairs=st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4)), min_size=1, max_size=9))
def test_weights_multiply_the_values(pairs: list[tuple[int, int]]) -> None:
    values, weights = (list(map(float, p)) for p in zip(*pairs, strict=True))
    columns = {"score": values, "w": weights}
    if not any(weights):
        with pytest.raises(InputError, match="the weights in column 'w' must be 0 or more, and not all 0"):
            score("mean:weight=w", columns)
        return
    repeated = [value for value, weight in pairs for _ in range(weight)]
    assert score("mean:weight=w", columns) == pytest.approx(sum(repeated) / len(repeated))


def test_equal_weights_are_none() -> None:
    values = {"score": [1.0, 4.0, 2.0], "w": [2.5] * 3}
    assert score("mean:weight=w", values) == pytest.approx(score("mean", values))


def test_negative_weights_are_refused() -> None:
    with pytest.raises(InputError, match="weights"):
        score("mean:weight=w", {"score": [1, 2], "w": [1, -1]})


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 9)), min_size=1, max_size=9), st.sampled_from([1.0, 100.0])
)
def test_a_ratio_is_a_ratio_of_sums_and_no_mean_of_ratios(pairs: list[tuple[int, int]], scale: float) -> None:
    numerator = denominator = 0
    for a, b in pairs:
        numerator, denominator = numerator + a, denominator + b
    columns = {"a": [float(a) for a, _ in pairs], "b": [float(b) for _, b in pairs]}
    assert score(f"ratio:num=a,den=b,scale={scale}", columns) == pytest.approx(scale * numerator / denominator)


def test_a_ratio_over_nothing_is_0() -> None:
    assert score("ratio:num=a,den=b", {"a": [1, 2], "b": [0, 0]}) == 0


@given(counts=COUNTS, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_f_beta_weighs_recall_beta_times_as_much_as_precision(counts: list[tuple[int, int, int]], beta: float) -> None:
    tp, fp, fn = (sum(c[i] for c in counts) for i in range(3))
    if tp == 0:
        expected = 0.0
    else:
        precision, recall = tp / (tp + fp), tp / (tp + fn)
        expected = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    columns = {name: [float(c[i]) for c in counts] for i, name in enumerate(("tp", "fp", "fn"))}
    assert score(f"fbeta:beta={beta}", columns) == pytest.approx(expected)


@given(counts=COUNTS)
def test_precision_recall_and_f1_read_the_same_columns_as_f_beta(counts: list[tuple[int, int, int]]) -> None:
    tp, fp, fn = (sum(c[i] for c in counts) for i in range(3))
    columns = {name: [float(c[i]) for c in counts] for i, name in enumerate(("tp", "fp", "fn"))}
    assert score("precision", columns) == pytest.approx(tp / (tp + fp) if tp else 0)
    assert score("recall", columns) == pytest.approx(tp / (tp + fn) if tp else 0)
    assert score("f1", columns) == pytest.approx(2 * tp / (2 * tp + fp + fn) if tp else 0)
    assert score("f1", columns) == score("fbeta", columns)


@given(counts=st.lists(st.tuples(*[st.integers(0, 5)] * 4), min_size=1, max_size=8))
def test_mcc_and_kappa_read_the_four_counts_of_two_classes(counts: list[tuple[int, int, int, int]]) -> None:
    tp, fp, fn, tn = (sum(c[i] for c in counts) for i in range(4))
    n = tp + fp + fn + tn
    columns = {name: [float(c[i]) for c in counts] for i, name in enumerate(("tp", "fp", "fn", "tn"))}
    spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    assert score("mcc", columns) == pytest.approx((tp * tn - fp * fn) / spread**0.5 if spread else 0)
    by_chance = (tp + fp) * (tp + fn) + (tn + fp) * (tn + fn)
    kappa = (n * (tp + tn) - by_chance) / (n * n - by_chance) if n * n != by_chance else 0
    assert score("kappa", columns) == pytest.approx(kappa)


@pytest.mark.parametrize("spec", ["f1", "mcc", "kappa"])
def test_counts_go_before_labels_unless_a_column_is_missing(spec: str) -> None:
    labels: dict[str, Any] = {"outputs": ["a", "b", "b"], "references": (["a", "b", "a"],)}
    counts = {name: [value] * 3 for name, value in {"tp": 4.0, "fp": 1.0, "fn": 2.0, "tn": 3.0}.items()}
    assert score(spec, counts, **labels) == score(spec, counts)
    del counts["fn"]
    assert score(spec, counts, **labels) == score(spec, **labels)
    with pytest.raises(InputError, match="reads the column 'hits'"):
        score(f"{spec}:tp=hits", counts, **labels)


def test_one_class_and_weighted_averages_are_of_labels_and_not_of_counts() -> None:
    labels: dict[str, Any] = {"outputs": ["a", "b", "b"], "references": (["a", "b", "a"],)}
    counts = {name: [value] * 3 for name, value in {"tp": 9.0, "fp": 0.0, "fn": 1.0}.items()}
    for spec in ("recall:of=a", "recall:average=weighted"):
        assert score(spec, counts, **labels) == score(spec, **labels) != score("recall", counts)


def test_f_beta_reads_columns_of_other_names() -> None:
    renamed = {"hit": [3.0], "wrong": [1.0], "missed": [2.0]}
    assert score("fbeta:tp=hit,fp=wrong,fn=missed", renamed) == pytest.approx(6 / 9)


@given(
    st.lists(st.tuples(st.sampled_from("abc "), st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=9)
)
def test_accuracy_counts_outputs_that_equal_a_gold_label(rows: list[tuple[str, str, str]]) -> None:
    outputs, gold, other = ([row[i] for row in rows] for i in range(3))
    right = sum(1 for o, g, h in rows if o in (g, h))
    assert score("accuracy", outputs=outputs, references=(gold, other)) == pytest.approx(right / len(rows))


def test_accuracy_does_not_mind_blanks_around_labels_but_case() -> None:
    assert score("accuracy", outputs=[" a", "b ", "C"], references=(["a", "b", "c"],)) == pytest.approx(2 / 3)


def test_a_reference_that_is_not_there_is_no_gold_label() -> None:
    assert score("accuracy", outputs=["", "b"], references=(["a", "a"], ["", "b"])) == 0.5
    assert score("accuracy", outputs=["", "b"], references=(["", ""],)) == 0.5  # nothing is the right answer


def test_accuracy_reads_scores_and_gives_credit_for_parts() -> None:
    assert score("accuracy", {"score": [1, 0, 0.5, 1]}) == 0.625
    assert score("accuracy:column=right", {"score": [0, 0], "right": [1, 1]}) == 1


@pytest.mark.parametrize("value", [5.0, -0.25, 1.0001])
def test_accuracy_of_a_score_that_is_no_share_is_refused(value: float) -> None:
    with pytest.raises(InputError, match=rf"0 to 1, but item 2 has {value:g}; use -m mean"):
        score("accuracy", {"score": [1.0, value, 9.0]})


def test_accuracy_of_labels_without_gold_says_how_to_give_it() -> None:
    with pytest.raises(InputError, match=r"gold labels.*add -r GOLD_FILE"):
        score("accuracy", outputs=["a"])


@pytest.mark.parametrize("metric", ["mean", "accuracy"])
def test_the_column_of_scores_is_found(metric: str) -> None:
    assert score(metric, {"anything": [1.0, 0.0]}) == 0.5  # the only one
    assert score(metric, {"score": [1.0, 1.0], "other": [0.0, 0.0]}) == 1
    assert score(metric, {metric: [1.0, 1.0], "score": [0.0, 0.0]}) == 1
    with pytest.raises(InputError, match=r"reads the column 'score'.*'x', 'y'"):
        score(metric, {"x": [1.0], "y": [1.0]})


@pytest.mark.parametrize("spec", ["mean:column=comte", "ratio:num=comte,den=comet", "fbeta:tp=comte,fp=comet,fn=comet"])
def test_an_unknown_column_is_named_with_the_nearest(spec: str) -> None:
    with pytest.raises(
        InputError, match=r"reads the column 'comte'; the data have 'comet', 'b'; did you mean 'comet'\?$"
    ):
        score(spec, {"comet": [1.0], "b": [1.0]})


def test_a_ratio_needs_both_columns() -> None:
    with pytest.raises(UsageError, match=r"needs num, den: write ratio:num=\.\.\.,den=\.\.\."):
        metrics.make("ratio")


def test_lower_turns_the_direction_and_not_the_score() -> None:
    for spec in ("mean", "ratio:num=score,den=score"):
        lower = metrics.make(spec + (",lower=true" if ":" in spec else ":lower=true"))
        assert metrics.make(spec).higher_is_better
        assert not lower.higher_is_better
        assert score(lower, {"score": [2.0, 4.0]}) == score(spec, {"score": [2.0, 4.0]})


def test_a_mean_of_a_named_column_is_called_by_its_name() -> None:
    assert metrics.make("mean:column=comet").label == "comet"
    assert metrics.make("mean:column=loss,lower=true").label == "mean:column=loss,lower=true"
    assert metrics.make("mean").label == "mean"
