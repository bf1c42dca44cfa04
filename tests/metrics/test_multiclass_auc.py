"""AUC of several classes is scikit-learn's, and its rankings are permuted class by class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import metrics
from tests.cli import commandline

CLASSES = ("a", "b", "c")


@st.composite
def ranking(draw: st.DrawFn) -> tuple[list[str], Float]:
    """Gold labels, each there at least once, and a number for each class, ties likely."""
    labels = [*CLASSES, *draw(st.lists(st.sampled_from(CLASSES), max_size=20))]
    row = st.lists(st.integers(1, 6), min_size=3, max_size=3)
    numbers = np.array(draw(st.lists(row, min_size=len(labels), max_size=len(labels))), dtype=float)
    return labels, numbers / numbers.sum(axis=1, keepdims=True)


def items_of(labels: list[str], numbers: Float, prefix: str = "") -> Items:
    columns = {f"{prefix}{name}": numbers[:, i] for i, name in enumerate(CLASSES)}
    return Items(n=len(labels), references=(labels,), columns=columns)


@pytest.mark.parametrize("multi", ["ovr", "ovo"])
@given(drawn=ranking())
def test_the_score_is_that_of_scikit_learn(multi: str, drawn: tuple[list[str], Float]) -> None:
    (metric,) = metrics.make(f"multiclass_auc:multi={multi},prefix=p_").prepare([items_of(*drawn, "p_")])
    found = metric.score_weighted(metric.statistics(items_of(*drawn, "p_")), np.ones(len(drawn[0])))
    assert float(found) == pytest.approx(roc_auc_score(*drawn, multi_class=multi), abs=1e-12)


@given(drawn=ranking())
def test_of_two_classes_with_turned_numbers_it_is_the_auc(drawn: tuple[list[str], Float]) -> None:
    labels = ["b" if label == "b" else "a" for label in drawn[0]]
    numbers = np.round(drawn[1][:, 1], 9)
    items = Items(n=len(labels), references=(labels,), columns={"b": numbers, "a": -numbers})
    for spec in ("roc_auc_ovr", "roc_auc_ovo"):
        (metric,) = metrics.make(spec).prepare([items])
        found = metric.score_weighted(metric.statistics(items), np.ones(len(labels)))
        binary = metrics.make("auc:positive=b,column=b")
        expected = binary.score_weighted(binary.statistics(items), np.ones(len(labels)))
        assert float(found) == pytest.approx(float(expected))


def table(labels: list[str], **systems: Float) -> list[str]:
    rows = [
        [system, str(i), label, *map(str, numbers[i])]
        for system, numbers in systems.items()
        for i, label in enumerate(labels)
    ]
    return [",".join(row) for row in (["system", "item", "label", *CLASSES], *rows)]


def test_systems_on_other_scales_have_the_p_of_their_order_in_each_class(tmp_path: Path) -> None:
    draw = np.random.default_rng(3)
    labels = [CLASSES[i] for i in draw.integers(0, 3, 40)]
    base, new = draw.normal(size=(2, 40, 3)) + 2 * (np.array(labels)[:, None] == np.array(CLASSES)) * [[[0.3]], [[1]]]
    stretched = np.exp(3 * new) * [1, 50, 0.2] - 7
    found = []
    for name, numbers in (("plain", new), ("stretched", stretched)):
        file = commandline.written(tmp_path / f"{name}.csv", table(labels, base=base, new=numbers))
        read = outscore.read([str(file)])
        compared = outscore.compare(read, metrics="multiclass_auc", test="randomization", n_resamples=200)
        found.append((compared.pairs[0].gain, compared.pairs[0].p, compared.pairs[0].ci))
    assert found[0] == found[1]
    assert (found[0][1] or 1) < 0.05


def test_a_class_without_a_column_ends_in_one_line(tmp_path: Path) -> None:
    lines = table(["a", "b", "d"], base=np.array([[0.5, 0.2, 0.3]] * 3))
    found = commandline.outscore("score", commandline.written(tmp_path / "t.csv", lines), "-m", "multiclass_auc")
    assert found.code == 3 and len(found.err.splitlines()) == 1
    assert "multiclass_auc reads the column 'd'; the data have 'a', 'b', 'c'" in found.err


def test_one_class_alone_is_refused() -> None:
    with pytest.raises(InputError, match="two classes or more, one for each item, but has 'a'; give items of"):
        metrics.make("multiclass_auc").prepare([items_of(["a", "a"], np.ones((2, 3)))])


@pytest.mark.parametrize("prefix", ["", "p_"])
def test_files_with_a_column_for_each_gold_label_are_one_system_each(tmp_path: Path, prefix: str) -> None:
    rng = np.random.default_rng(5)
    gold = rng.choice(["bird", "cat", "dog"], 90)
    expected = []
    for name, force in (("plain", 0.5), ("sharp", 2.0)):
        numbers = rng.normal(size=(90, 3)) + force * (gold[:, None] == ["bird", "cat", "dog"])
        numbers = np.exp(numbers) / np.exp(numbers).sum(axis=1, keepdims=True)
        rows = [f"{i},{gold[i]},{','.join(map(repr, numbers[i].tolist()))}" for i in range(90)]
        head = f"item,label,{prefix}bird,{prefix}cat,{prefix}dog"
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        expected.append(
            np.mean([roc_auc_score(gold == c, numbers[:, k]) for k, c in enumerate(("bird", "cat", "dog"))])
        )
    metric = f"multiclass_auc:prefix={prefix}" if prefix else "multiclass_auc"
    files = [str(tmp_path / "plain.csv"), str(tmp_path / "sharp.csv")]
    found = outscore.compare(outscore.read(files, measures=[metric]), metrics=metric)
    assert [score.score for score in found.scores] == pytest.approx(expected)
    assert [score.system for score in found.scores] == ["plain", "sharp"]


def test_systems_that_are_called_as_labels_stay_systems(tmp_path: Path) -> None:
    rows = [f"{i},{'AB'[i % 2]},{'AB'[i % 2]},{'AB'[i % 3 > 0]}" for i in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["item,label,A,B", *rows]) + "\n", encoding="utf-8")
    found = outscore.compare(outscore.read([str(tmp_path / "t.csv")]), metrics="accuracy")
    assert [score.system for score in found.scores] == ["A", "B"]


def test_auc_of_three_labels_names_what_takes_them() -> None:
    with pytest.raises(InputError, match="use multiclass_auc"):
        outscore.compare({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.5]}, metrics="auc", references=["x", "y", "z"])
