"""``--test auto``: by what was measured and how, never by the outcome; the reason is a note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.data import align
from outscore.data.run import Run
from outscore.metrics import Metric, metrics
from outscore.results.comparison import Comparison
from outscore.results.pairs import Pair
from outscore.results.result import SourceFile
from outscore.significance.choose import choose
from tests.contract.cases import case_of
from tests.laws.support import pairing, settings


def real(seed: int, *shape: int) -> Float:
    """Numbers of full precision, whose sums have no common step."""
    return np.random.default_rng(seed).normal(0, 1, shape)


def right(seed: int, *shape: int) -> Float:
    return (np.random.default_rng(seed).random(shape) < 0.6).astype(float)


def whole(seed: int, *shape: int) -> Float:
    return np.random.default_rng(seed).integers(0, 6, shape).astype(float)


CASES: list[tuple[str, Any, dict[str, Any], str, str, tuple[str, ...]]] = [
    ("right or wrong", right, {"n": (60,)}, "mcnemar", "auto_mcnemar", ("randomization",)),
    ("right or wrong, few", right, {"n": (7,)}, "mcnemar:variant=exact", "auto_mcnemar", ("randomization",)),
    ("whole numbers", whole, {"n": (200,)}, "t", "auto_t", ("randomization",)),
    ("whole numbers, few", whole, {"n": (9,)}, "randomization", "auto_item_randomization", ()),
    ("real numbers, few", real, {"n": (9,)}, "randomization", "auto_item_randomization", ()),
    ("real numbers", real, {"n": (10,)}, "t", "auto_t", ("randomization",)),
    ("real numbers in clusters", real, {"n": (200,), "size": 5}, "t", "auto_cluster_t", ("randomization",)),
    (
        "real numbers in few clusters",
        real,
        {"n": (60,), "size": 10},
        "t",
        "auto_cluster_t",
        ("randomization",),
    ),
    (
        "right or wrong in clusters",
        right,
        {"n": (60,), "size": 5},
        "t",
        "auto_cluster_t",
        ("randomization",),
    ),
    ("runs of real numbers", real, {"n": (3, 60)}, "crossed", "auto_crossed", ("t", "runs")),
    ("runs of right or wrong", right, {"n": (3, 60)}, "crossed", "auto_crossed", ("t", "runs")),
    ("runs in clusters", whole, {"n": (2, 60), "size": 5}, "crossed", "auto_crossed", ("t", "runs")),
    ("runs in few clusters", whole, {"n": (2, 40), "size": 5}, "crossed", "auto_crossed", ("randomization", "runs")),
]


def documents(n: int, size: int = 5) -> dict[str, list[str]]:
    return {"cluster": [f"d{i // size}" for i in range(n)]}


def judged(a: Any, b: Any, **options: Any) -> tuple[Pair, Comparison]:
    found = outscore.compare({"base": a, "new": b}, n_resamples=300, **options)
    return found.pairs[0], found


@pytest.mark.parametrize(("name", "make", "shape", "test", "reason", "beside"), CASES, ids=[c[0] for c in CASES])
def test_the_test_follows_metric_design_and_number(
    name: str, make: Any, shape: dict[str, Any], test: str, reason: str, beside: tuple[str, ...]
) -> None:
    n = shape["n"]
    items = documents(n[-1], shape["size"]) if "size" in shape else None
    pair, found = judged(make(1, *n), make(2, *n), items=items)
    assert pair.test == test
    assert reason in pair.notes
    assert next(n.text for n in found.notes if n.code == reason).startswith("test chosen: ")
    assert tuple(answer.test for answer in pair.also) == beside
    for answer in pair.also:
        assert "?" in answer.question
        assert answer.p_value is not None


@pytest.mark.parametrize(
    ("n", "different", "test"),
    [
        (10, 3, "randomization"),
        (10, 4, "t"),
        (24, 4, "t"),
        (25, 4, "randomization"),
        (25, 5, "t"),
        (49, 5, "t"),
        (50, 5, "randomization"),
        (50, 6, "t"),
        (1000, 5, "randomization"),
        (1000, 6, "t"),
    ],
)
def test_few_items_that_differ_are_randomized(n: int, different: int, test: str) -> None:
    """Four gains of one size are enough for a t-test; the more items, the likelier that a large loss was missed."""
    marks = whole(1, n)
    pair, _ = judged(marks, marks + np.where(np.arange(n) < different, 1.0, 0.0))
    assert pair.test == test


def test_a_gain_that_does_not_vary_is_randomized() -> None:
    marks = whole(1, 40)
    pair, _ = judged(marks, marks + 1)
    assert (pair.test, pair.p_kind, "auto_item_randomization" in pair.notes) == ("randomization", "exact", True)


def test_a_corpus_metric_of_texts_is_randomized() -> None:
    texts = ["the cat sat on the mat", "a dog barked", "it rains"] * 20
    pair, _ = judged([t.replace("the", "a") for t in texts], [t.replace("a", "e") for t in texts], references=texts)
    assert (pair.metric, pair.test) == ("bleu", "randomization:form=studentized")
    assert "auto_corpus_studentized" in pair.notes


def test_a_ratio_and_a_weighted_mean_are_no_means_of_items() -> None:
    rng = np.random.default_rng(0)
    table = {
        "system": ["a"] * 50 + ["b"] * 50,
        "item": [*range(50)] * 2,
        "score": rng.normal(0, 1, 100),
        "length": rng.integers(1, 9, 100),
    }
    import pandas as pd

    data = pd.DataFrame(table)
    for metric in ("ratio:num=score,den=length", "mean:column=score,weight=length"):
        pair = outscore.compare(data, metrics=metric, n_resamples=200).pairs[0]
        assert pair.test == "randomization:form=studentized"
        assert "auto_corpus_studentized" in pair.notes
    data["length"] = np.tile(data["length"][:50], 2)  # equal denominators, item by item
    for metric in ("ratio:num=score,den=length", "mean:column=score,weight=length"):
        pair = outscore.compare(data, metrics=metric, n_resamples=200).pairs[0]
        assert pair.test == "randomization"
        assert "auto_corpus_randomization" in pair.notes


def test_shares_of_few_parts_are_tested_by_t_of_their_linear_parts() -> None:
    """Recall of 60 sentences: ties halve the level of permuted outputs; t and its interval are one law."""
    rng = np.random.default_rng(2)
    held = rng.integers(0, 4, 60)
    right = {name: rng.binomial(held, p) for name, p in (("a", 0.6), ("b", 0.8))}
    columns = {"den": np.tile(held, 2), "num": np.concatenate([*right.values()])}
    import pandas as pd

    data = pd.DataFrame({"system": ["a"] * 60 + ["b"] * 60, "item": [*range(60)] * 2, **columns})
    pair = outscore.compare(data, metrics="ratio:num=num,den=den", n_resamples=99).pairs[0]
    total, share = held.sum(), held / held.sum()
    gain = (right["b"] - right["a"]).sum() / total
    parts = (right["b"] - right["a"] - gain * held) / total
    se = np.sqrt((parts**2 / (1 - share)).sum())
    u = held**2 / (total - held)
    df = total**2 / ((held**2).sum() + u.sum() ** 2 - (u**2).sum())
    assert (pair.test, pair.ci_method) == ("t", "delta method interval")
    assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(gain) / se, df))
    reach = stats.t.isf(0.025, df) * se
    assert pair.ci == pytest.approx((gain - reach, gain + reach))
    many = pd.concat([data.assign(item=data["item"] + 60 * k) for k in range(30)])
    assert outscore.compare(many, metrics="ratio:num=num,den=den", n_resamples=99).pairs[0].test == "randomization"


def test_denominators_that_are_all_zero_are_equal() -> None:
    import pandas as pd

    table = {"system": ["a"] * 12 + ["b"] * 12, "item": [*range(12)] * 2, "num": range(24), "den": [0] * 24}
    pair = outscore.compare(pd.DataFrame(table), metrics="ratio:num=num,den=den", n_resamples=99).pairs[0]
    assert (pair.test, pair.gain, pair.p_value) == ("randomization", 0.0, 1.0)
    assert "auto_corpus_randomization" in pair.notes


@pytest.mark.parametrize(("one", "three"), [(1, 3), (3, 1)])
def test_one_run_beside_three_is_judged_with_runs_fixed(one: int, three: int) -> None:
    pair, _ = judged(real(1, one, 60), real(2, three, 60))
    assert pair.test == "t"
    assert {"one_run_only", "runs_fixed"} <= set(pair.notes)
    assert "(runs fixed)" in pair.question


def test_each_pair_gets_the_test_of_its_own_design() -> None:
    data = {"base": real(1, 3, 40), "many": real(2, 4, 40), "single": real(3, 1, 40)}
    assert [p.test for p in outscore.compare(data, n_resamples=100).pairs] == ["crossed", "t"]


@pytest.mark.parametrize("make", [right, whole, real])
def test_the_choice_does_not_look_at_who_wins(make: Any) -> None:
    a, b = make(1, 80), make(2, 80)
    forth, back = judged(a, b)[0], judged(b, a)[0]
    assert forth.gain == -back.gain
    assert (forth.test, forth.p_kind) == (back.test, back.p_kind)
    assert forth.p_value == pytest.approx(back.p_value)


def test_a_named_test_is_not_overruled() -> None:
    pair, _ = judged(right(1, 60), right(2, 60), test="t")
    assert pair.test == "t"
    assert not [code for code in pair.notes if code.startswith("auto_")]
    assert pair.also == ()


def test_the_chosen_test_gives_the_same_answer_as_when_it_is_named() -> None:
    for make in (right, whole, real):
        a, b = make(3, 50), make(4, 50)
        chosen = judged(a, b)[0]
        named = judged(a, b, test=chosen.test)[0]
        assert (chosen.p_value, chosen.ci, chosen.effect) == (named.p_value, named.ci, named.effect)


def run(system: str, metric: Metric, pieces: Sequence[Items]) -> Run:
    """A run of the items of several pieces."""
    n = sum(piece.n for piece in pieces)
    first = pieces[0]
    return Run(
        system=system,
        run="1",
        outputs=None if first.outputs is None else tuple(o for piece in pieces for o in piece.outputs or ()),
        references=tuple(tuple(r for p in pieces for r in p.references[i]) for i in range(len(first.references))),
        columns={name: np.concatenate([piece.columns[name] for piece in pieces]) for name in first.columns},
        labels={name: tuple(t for piece in pieces for t in piece.labels[name]) for name in first.labels},
        notation=metric.reads,
        source=SourceFile(file=system, role="system", reader="lines", sha256="", n_items=n),
    )


@pytest.mark.parametrize("name", metrics.names())
def test_every_registered_metric_can_be_chosen_for(name: str) -> None:
    """None ends in an error or without an answer."""
    metric = metrics.make(metrics.find(name).example)
    case = case_of(metric)
    good, bad = case.perfect(metric), case.bad(metric)
    mixed = [good, good, bad, good, bad]
    runs = [run("x", metric, [bad] * 2 + mixed), run("y", metric, mixed + [good] * 2)]
    found = outscore.compare(align(runs), metrics=metric, n_resamples=50)
    assert found.pairs[0].p_value is not None
    assert found.pairs[0].gain > 0


def test_a_choice_over_runs_needs_two_of_each_system() -> None:
    draw = np.random.default_rng(2)
    over = {
        runs: choose(pairing(draw.normal(size=(runs[0], 40)), draw.normal(size=(runs[1], 40)), settings(99))).test.name
        for runs in ((1, 1), (1, 3), (2, 2))
    }
    assert over[2, 2] == "crossed"
    assert "crossed" not in (over[1, 1], over[1, 3])
