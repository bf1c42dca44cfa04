"""Item weights of the metrics of labels: scikit-learn's sample weights, and as often an item as it weighs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs

import outscore
from outscore.base.items import Items
from outscore.metrics import metrics
from tests.cli import commandline

CLASSES = "abc"
WEIGHTED: dict[str, Any] = {
    "accuracy": theirs.accuracy_score,
    "exact_match": theirs.accuracy_score,
    "f1": lambda *labels, **given: theirs.f1_score(*labels, average="macro", zero_division=0, **given),
    "f1:average=micro": lambda *labels, **given: theirs.f1_score(*labels, average="micro", **given),
    "f1:average=weighted": lambda *labels, **given: theirs.f1_score(*labels, average="weighted", **given),
    "fbeta:beta=2": lambda *labels, **given: theirs.fbeta_score(*labels, beta=2, average="macro", **given),
    "precision": lambda *labels, **given: theirs.precision_score(*labels, average="macro", zero_division=0, **given),
    "recall": lambda *labels, **given: theirs.recall_score(*labels, average="macro", **given),
    "kappa": theirs.cohen_kappa_score,
    "mcc": theirs.matthews_corrcoef,
}


@st.composite
def labelled(draw: st.DrawFn) -> tuple[list[str], list[str], list[float]]:
    """Gold and predicted labels, each class there and predicted, and weights."""
    label = st.sampled_from(CLASSES)
    rows = draw(st.lists(st.tuples(label, label, st.integers(1, 8).map(lambda n: n / 4)), max_size=20))
    gold, predicted, weights = ([row[i] for row in rows] for i in range(3))
    return [*CLASSES, *gold], [*"bca", *predicted], [1.0, 0.5, 2.0, *weights]  # type: ignore[list-item]


def score(spec: str, gold: list[str], predicted: list[str], weights: list[float] | None = None) -> float:
    columns = {} if weights is None else {"w": np.array(weights)}
    items = Items(n=len(gold), outputs=predicted, references=(gold,), columns=columns)
    named = spec if weights is None else f"{spec}{',' if ':' in spec else ':'}weight=w"
    (metric,) = metrics.make(named).prepare([items])
    return float(metric.score(metric.statistics(items).sum(axis=0)))


@pytest.mark.parametrize("spec", WEIGHTED)
@given(drawn=labelled())
def test_weights_are_those_of_scikit_learn(spec: str, drawn: tuple[list[str], list[str], list[float]]) -> None:
    gold, predicted, weights = drawn
    assert score(spec, *drawn) == pytest.approx(WEIGHTED[spec](gold, predicted, sample_weight=weights), abs=1e-12)


@pytest.mark.parametrize("spec", WEIGHTED)
@given(drawn=labelled())
def test_an_item_that_weighs_twice_is_two_items(spec: str, drawn: tuple[list[str], list[str], list[float]]) -> None:
    gold, predicted, weights = drawn
    times = [int(4 * w) for w in weights]
    of_gold, of_outputs = (np.repeat(labels, times).tolist() for labels in (gold, predicted))
    expected = score(spec, of_gold, of_outputs)
    assert score(spec, gold, predicted, [float(n) for n in times]) == pytest.approx(expected, abs=1e-12)


def test_weights_stand_in_the_table_or_with_what_describes_the_items(tmp_path: Path) -> None:
    draw = np.random.default_rng(4)
    gold = draw.choice([*CLASSES], 60)
    weights = draw.integers(1, 9, 60) / 4
    systems = {
        name: np.where(draw.random(60) < p, gold, draw.choice([*CLASSES], 60)) for name, p in (("x", 0.4), ("y", 0.8))
    }
    rows = [
        f"{name},{i},{labels[i]},{gold[i]},{weights[i]}" for name, labels in systems.items() for i in range(len(gold))
    ]
    table = commandline.written(tmp_path / "table.csv", ["system,item,output,label,w", *rows])
    files = [f"{name}={commandline.written(tmp_path / f'{name}.txt', [*labels])}" for name, labels in systems.items()]
    reference = commandline.written(tmp_path / "gold.txt", [*gold])
    described = commandline.written(tmp_path / "items.csv", ["w", *map(str, weights)])
    wanted = ["f1:weight=w", "accuracy:weight=w", "kappa:weight=w", "mcc:weight=w"]
    in_table = outscore.compare(outscore.read([str(table)]), metrics=wanted, n_resamples=200)
    read = outscore.read(files, references=[str(reference)], items=str(described))
    beside = outscore.compare(read, metrics=wanted, n_resamples=200)
    found = [pair.gain for pair in in_table.pairs]
    assert found == [pair.gain for pair in beside.pairs]
    expected = [theirs.accuracy_score(gold, labels, sample_weight=weights) for labels in (systems["y"], systems["x"])]
    assert found[1] == pytest.approx(expected[0] - expected[1])
    plain = outscore.compare(read, metrics="accuracy", n_resamples=200)
    assert (plain.pairs[0].test, in_table.pairs[1].test) == ("mcnemar", "randomization")


@pytest.mark.parametrize("weights", [["1", "-1"], ["1", "much"]])
def test_weights_that_are_none_end_in_one_line(tmp_path: Path, weights: list[str]) -> None:
    gold = commandline.written(tmp_path / "gold.txt", ["a", "b"])
    described = commandline.written(tmp_path / "items.csv", ["w", *weights])
    found = commandline.outscore("score", gold, "-r", gold, "--items", described, "-m", "f1:weight=w")
    assert found.code == 3 and len(found.err.splitlines()) == 1
    assert "the weights in column 'w' must be 0 or more, and not all 0" in found.err


def test_gold_items_of_a_class_are_counted_whatever_they_weigh() -> None:
    items = Items(n=3, outputs=["a", "b", "b"], references=(["a", "b", "b"],), columns={"w": np.array([0.3, 4, 9])})
    (metric,) = metrics.make("mcc:weight=w").prepare([items])
    assert dict(metric.gold_items(metric.statistics(items))) == {"a": 1, "b": 2}
