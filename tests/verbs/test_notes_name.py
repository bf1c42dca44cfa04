"""Notes name whom they mean, where they do not mean all: pairs, systems, strata, classes, labels, data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.results.result import Result

RNG = np.random.default_rng(4)
N = 60
BASE = (RNG.random(N) < 0.6).astype(float)
SCORES = {"a": BASE, "b": (RNG.random(N) < 0.7).astype(float), "twin": BASE, "d": (RNG.random(N) < 0.5).astype(float)}


def text_of(result: Result, code: str) -> str:
    """The texts of the notes of a code."""
    return " | ".join(note.text for note in result.notes if note.code == code)


def test_systems_with_the_same_outputs_are_named() -> None:
    assert text_of(outscore.compare(SCORES), "identical_outputs").endswith(" ('twin')")
    every = outscore.compare(SCORES, all_pairs=True)
    assert text_of(every, "identical_outputs").endswith(" ('twin' against 'a')")
    assert text_of(outscore.rank(SCORES), "identical_outputs").endswith(" ('twin' against 'a')")


def test_what_concerns_all_names_nobody() -> None:
    found = outscore.compare({"a": BASE, "twin": BASE, "third": BASE})
    assert text_of(found, "identical_outputs").startswith("the systems have")


def test_many_are_counted() -> None:
    scores = {"a": BASE} | {f"same{i}": BASE for i in range(9)} | {"d": SCORES["d"]}
    said = text_of(outscore.compare(scores), "identical_outputs")
    assert said.endswith(" ('same0', 'same1', 'same2' and 6 more)")


def test_the_p_value_on_the_edge_of_alpha_is_named() -> None:
    n, rng = 400, np.random.default_rng(1)
    difference = rng.normal(0, 1, n)
    base = rng.normal(0, 1, n)
    scores = {
        "a": base,
        "edge": base + difference - difference.mean() + 1.96 / np.sqrt(n),
        "far": base + 1 + difference,
    }
    found = outscore.compare(scores, test="bootstrap", n_resamples=200, correction="none")
    p = {pair.system: pair.p_value for pair in found.pairs}
    assert 0.01 < (p["edge"] or 0.0) < 0.15  # else the data of this test are to be chosen anew
    assert text_of(found, "decision_unstable").endswith("Monte-Carlo interval of p ('edge')")


def test_with_several_metrics_the_metric_is_named() -> None:
    rows = [
        {"system": s, "item": i, "x": float(v[i]), "y": float(SCORES["a" if s == "b" else s][i])}
        for s, v in SCORES.items() if s != "twin"
        for i in range(N)
    ]  # fmt: skip
    found = outscore.compare(pd.DataFrame(rows), metrics=["x", "y"])
    assert text_of(found, "identical_outputs").endswith(" ('b' under y)")


def test_what_all_pairs_of_a_metric_share_is_said_of_the_metric() -> None:
    rows = [
        {"system": s, "item": i, "x": float(v[i]), "y": float(v[i]) * (i % 7 + 1)}
        for s, v in SCORES.items() if s != "twin"
        for i in range(N)
    ]  # fmt: skip
    found = outscore.compare(pd.DataFrame(rows), metrics=["x", "y"])
    assert text_of(found, "not_exact").endswith(" (under x)")


def test_notes_of_the_data_are_all_there() -> None:
    """Two systems lack items: a verb that keeps one note for each code would lose the second."""
    scores = {name: {f"q{i}": v for i, v in enumerate(values)} for name, values in SCORES.items()}
    del scores["b"]["q3"], scores["d"]["q5"]
    for verb in (outscore.compare, outscore.rank, outscore.score):
        said = text_of(verb(scores, missing="zero"), "missing_as_zero")
        assert "'b'" in said, verb
        assert "'d'" in said, verb


def test_rare_classes_and_small_strata_are_named() -> None:
    gold = ["x"] * 40 + ["y"] * 18 + ["rare"] * 2
    outputs = {"a": gold, "b": [*gold[1:], "x"]}
    strata = ["one"] * 30 + ["two"] * 26 + ["three"] * 4
    found = outscore.compare(
        outputs, references=gold, metrics="f1:average=macro", items={"part": strata}, strata="part", n_resamples=99
    )
    assert "('rare' with 2))" in text_of(found, "rare_classes")
    assert text_of(found, "small_strata").endswith(" (1 of 3 strata, the smallest of 4)")


@pytest.mark.parametrize(
    ("metric", "column", "sizes", "said"),
    [
        ("f1", "domain", (60, 60), True),
        ("f1", "dataset", (60, 60), True),
        ("fbeta:beta=2", "domain", (60, 60), True),
        ("f1:average=micro", "domain", (60, 60), False),
        ("f1:separator=%2C", "domain", (60, 60), False),
        ("f1", "part", (60, 60), False),
        ("f1", "domain", (300, 18), False),
    ],
)
def test_labels_that_one_of_the_pooled_parts_lacks_are_named_where_labels_weigh_alike(
    metric: str, column: str, sizes: tuple[int, int], said: bool
) -> None:
    first, second = sizes
    gold = [*("pos", "neg", "neu") * (first // 3), *("pos", "neg") * (second // 2)]
    parts = ["chat"] * first + ["news"] * second
    outputs = {"a": gold, "b": [*gold[6:], *gold[:6]]}
    given: dict[str, Any] = {"references": gold, "metrics": metric, "items": {column: parts}}
    for found in (outscore.compare(outputs, **given, by=column, n_resamples=99), outscore.score(outputs, **given)):
        notes = [note for note in found.notes if note.code == "tasks_joined" and "labels" in note.text]
        assert bool(notes) is said
        for note in notes:
            assert "averages over labels that some lack ('neu')" in note.text
            assert f"outscore replicate --set {column}" in note.remedy


def test_the_label_that_dominates_is_named() -> None:
    first = ["ok"] * 95 + ["bad"] * 5
    second = ["bad"] * 5 + ["ok"] * 95
    found = outscore.agree({"one": first, "two": second})
    assert "the label 'ok' dominates" in text_of(found, "dominant_label")


def test_missing_ratings_are_counted_and_raters_named() -> None:
    rows = [
        {"item": i, "system": s, "rater": r, "score": float(RNG.integers(1, 6)) if r != "flat" else 3.0}
        for i in range(20) for s in ("a", "b") for r in ("ann", "flat")
    ]  # fmt: skip
    rows[0]["score"] = float("nan")
    found = outscore.humans(pd.DataFrame(rows), standardize=True)
    assert text_of(found, "missing_ratings").startswith("1 of 80 ratings are no numbers and were left out: 1 of 'a'")
    assert text_of(found, "raters_without_spread").startswith("'flat' gave one rating")


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ({"x": "125", "y": "23", "z": "12"}, "'y' on 2, 'x' on 3"),
        ({"x": "12", "y": "12", "z": "23"}, "'x' on 2, 'z' on 2, 1 of them shared"),
        ({"x": "12", "y": "34"}, "'x' on 2, 'y' on 2, 0 of them shared"),
    ],
)
def test_two_systems_whose_rated_items_differ_are_named(items: dict[str, str], said: str) -> None:
    rows = [{"system": s, "item": i, "score": float(RNG.normal())} for s, of in items.items() for i in of]
    found = outscore.humans(pd.DataFrame(rows))
    assert text_of(found, "rated_items_differ").endswith(f"is the items: {said}")


@pytest.mark.parametrize("missing", ["drop", "zero"])
def test_data_sets_are_named(missing: Any) -> None:
    whole = {name: {f"q{i}": v for i, v in enumerate(values)} for name, values in SCORES.items() if name != "twin"}
    holed = {name: dict(values) for name, values in whole.items()}
    del holed["b"]["q3"]
    found = outscore.replicate({"first": whole, "second": holed}, missing=missing)
    code = {"drop": "dropped_items", "zero": "missing_as_zero"}[missing]
    assert text_of(found, code).endswith(" ('second')")
