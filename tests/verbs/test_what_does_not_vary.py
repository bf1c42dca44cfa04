"""Gains and scores that do not vary on the data: they are found, and their intervals are no single points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import outscore
from outscore.results.pairs import Pair

REFERENCES = ["the cat sat on the mat today", "there is a house by the river", "he went to the big market for bread"]


def leads(scores: dict[str, Any], **options: Any) -> Pair:
    """The pair of the first two systems of a board."""
    names = set(list(scores)[:2])
    (pair,) = [p for p in outscore.rank(scores, **options).pairs if {p.system, p.baseline} == names]
    return pair


def table(scores: dict[str, list[np.ndarray]]) -> Any:
    """Scores of each system, run and item, in documents of five items, as a data frame."""
    pandas = pytest.importorskip("pandas")
    rows = [
        {"system": system, "item": item, "score": score, "document": item // 5}
        | ({"run": run} if len(runs) > 1 else {})
        for system, runs in scores.items()
        for run, values in enumerate(runs)
        for item, score in enumerate(values)
    ]
    return pandas.DataFrame(rows)


@pytest.mark.parametrize("n", [10, 29, 30, 60])
def test_a_board_finds_a_constant_gain_whatever_the_number_of_items(n: int) -> None:
    """A t-test has no p where nothing varies, so that 10 items would show a gain that 60 do not."""
    base = np.random.default_rng(1).integers(0, 100, n) / 100
    pair = leads({"base": base, "new": base + 0.25, "other": base[::-1]})
    assert pair.verdict in ("better", "worse")
    assert pair.p_value is not None


def test_a_constant_gain_of_real_numbers_is_constant() -> None:
    """Rounding to the grid of exact sums is no spread: t would be 10^13 and p the smallest number there is."""
    base = np.random.default_rng(2).random(60)
    (pair,) = outscore.compare({"base": base, "new": base + 0.1}).pairs
    assert "zero_variance" in pair.notes
    assert pair.p_value == pytest.approx(2.0**-59)


@pytest.mark.parametrize(("low", "high"), [(0.5, 1.0), (0.3, 0.7), (1e9, 3e9), (1e-9, 3e-9)])
def test_two_systems_that_score_alike_on_every_item_have_a_constant_gain(low: float, high: float) -> None:
    """What is left of each around its mean is rounding, which is no spread either."""
    (pair,) = outscore.compare({"base": [low] * 20, "new": [high] * 20}, metrics="mean").pairs
    assert pair.p_value == pytest.approx(2.0**-19)
    assert pair.verdict == "better"
    assert "skewed" not in pair.notes


@pytest.mark.parametrize("verb", [outscore.compare, outscore.rank])
def test_a_constant_gain_in_clusters_is_found(verb: Any) -> None:
    base = np.random.default_rng(3).integers(0, 100, 60) / 100
    (pair,) = verb(table({"base": [base], "new": [base + 0.25]}), metrics="mean", cluster="document").pairs
    assert pair.p_value == pytest.approx(2.0**-11)
    assert pair.verdict in ("better", "worse")


@pytest.mark.parametrize("cluster", [None, "document"])
def test_all_right_in_every_run_is_better_than_all_wrong(cluster: str | None) -> None:
    """Neither runs nor items vary, so that the crossed t has no p."""
    scores = {"wrong": [np.zeros(40)] * 3, "right": [np.ones(40)] * 3}
    (pair,) = outscore.compare(table(scores), metrics="accuracy", cluster=cluster).pairs
    assert pair.verdict == "better"
    assert pair.ci is not None and 0 < pair.ci[0] < 0.95 and pair.ci[1] == 1.0
    (place, _) = outscore.rank(table(scores), metrics="accuracy", cluster=cluster).places
    assert place.worst == 1


def test_a_majority_class_has_an_mcc_that_others_beat() -> None:
    """At MCC's 0/0 its slope is none, not infinite: a perfect system had p = .8 and an interval from -2 to 2."""
    gold = ["yes"] * 15 + ["no"] * 35
    found = outscore.compare({"majority": ["no"] * 50, "perfect": gold}, references=gold, metrics="mcc")
    assert found.pairs[0].verdict == "better"
    low, high = found.scores[0].ci or (-1, 1)
    assert -0.5 < low < 0 < high < 0.5


def test_a_system_that_never_says_yes_has_less_precision_than_a_perfect_one() -> None:
    """Relabelled sets in which both are perfect have no gain: they were counted as farther out than a gain of 1."""
    gold = ["yes"] * 15 + ["no"] * 35
    systems = {"never": ["no"] * 50, "perfect": gold}
    (pair,) = outscore.compare(systems, references=gold, metrics="precision:of=yes").pairs
    assert pair.gain == 1.0
    assert pair.p_value == pytest.approx(2.0**-14)
    assert pair.verdict == "better"
    assert pair.ci is not None and pair.ci[0] < 0.95


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "wer", "cer", "mer", "wil"])
def test_a_perfect_score_of_few_texts_has_an_interval_that_is_no_point(metric: str) -> None:
    if metric in ("wer", "cer", "mer", "wil"):
        pytest.importorskip("jiwer")
    outputs = {"perfect": REFERENCES, "empty": ["", "", ""]}
    for score in outscore.score(outputs, references=REFERENCES, metrics=metric).scores:
        assert score.ci is not None
        low, high = score.ci
        assert high - low > 0.1 * max(score.score, 1.0)
        assert low >= 0.0
    (pair,) = outscore.compare(outputs, references=REFERENCES, metrics=metric).pairs
    assert pair.ci is not None and pair.ci[1] - pair.ci[0] > 0.1


@pytest.mark.parametrize("metric", ["ter", "wer"])
def test_error_rates_are_never_below_0(metric: str) -> None:
    pytest.importorskip("jiwer")
    long = " ".join("abcdefghijklmnopqrstuvwxyz")
    outputs = {"wordy": [REFERENCES[0], "there is", long], "other": REFERENCES}
    for system in outscore.score(outputs, references=REFERENCES, metrics=metric).scores:
        assert system.ci is not None and system.ci[0] >= 0.0
    named = outscore.score(outputs, references=REFERENCES, metrics=metric, interval="delta")
    assert named.scores[0].ci is not None and named.scores[0].ci[0] < 0.0
    assert "interval_beyond_limits" in {note.code for note in named.notes}


def test_a_constant_gain_with_limits_is_no_point() -> None:
    """Of 40 items none shows another gain, so that up to 1 - .025^(1/40) of all may: that share can be all wrong."""
    scores = np.r_[np.ones(8), np.zeros(32)]
    outputs = {"constant": np.full(40, 0.5), "perfect": scores + 0.25}
    (pair,) = outscore.compare(outputs, references=[str(int(s)) for s in scores], metrics="auc").pairs
    unseen = 1 - 0.025 ** (1 / 40)
    assert pair.ci == pytest.approx((0.5 - unseen * 1.5, 0.5 + unseen * 0.5))
    assert pair.verdict == "better"


def test_a_perfect_ranking_is_as_certain_as_its_positives_are_many() -> None:
    """Three positives above 197 negatives say less than a hundred above a hundred."""
    ends = []
    for positives in (3, 100):
        gold = [1] * positives + [0] * (200 - positives)
        ranking = outscore.score({"perfect": np.arange(200, 0, -1)}, references=list(map(str, gold)), metrics="auc")
        (low, high) = ranking.scores[0].ci or (1, 1)
        assert high == 1.0
        ends.append(low)
    assert ends[0] < 0.7
    assert ends[1] > 0.95


@pytest.mark.parametrize("test", ["auto", "runs", "multibootstrap", "randomization"])
@pytest.mark.parametrize("side", ["two-sided", "greater"])
@pytest.mark.parametrize("right", [False, True])
def test_the_same_runs_are_the_same_in_any_order(test: str, side: Any, right: bool) -> None:
    """Runs are not paired: a system against itself has one answer, whichever of its files comes first."""
    rng = np.random.default_rng(1)
    runs = rng.normal(size=(3, 20)) + rng.normal(size=(3, 1))
    runs = (runs > -1).astype(float) if right else runs
    asked: dict[str, Any] = {"test": test, "alternative": side, "n_resamples": 199}
    same, turned, other = (
        outscore.compare({"a": runs, "b": b}, **asked).pairs[0] for b in (runs, runs[[1, 2, 0]], runs[::-1] + 0.5)
    )
    assert "identical_outputs" in turned.notes
    assert (turned.p_value, turned.ci_method) == (same.p_value, same.ci_method)
    assert turned.ci == pytest.approx(same.ci, abs=1e-12)
    assert "identical_outputs" not in other.notes


@pytest.mark.parametrize("n_wrong", [0, 2])
@pytest.mark.parametrize("metric", ["kappa", "kappa:weights=quadratic", "macro_f1", "f1:of=1", "mcc"])
def test_identical_outputs_have_one_law_for_the_gain_and_the_margin(metric: str, n_wrong: int) -> None:
    """The main table said [0, 0] at 95 % beside a wide interval at 90 %, and of a perfect class no p at all."""
    gold = [str(k) for k in np.random.default_rng(1).integers(0, 5, 50)]
    outputs = [str((int(label) + (i < n_wrong)) % 5) for i, label in enumerate(gold)]
    systems = {"base": outputs, "new": list(outputs)}
    found = {
        alpha: outscore.compare(systems, references=gold, metrics=metric, margin=0.03, alpha=alpha).pairs[0]
        for alpha in (0.05, 0.1)
    }
    margin = found[0.05].equivalence
    assert margin is not None and margin.p_equivalent is not None
    assert found[0.1].ci == pytest.approx(margin.ci)
    narrow, wide = found[0.1].ci or (0, 0), found[0.05].ci or (0, 0)
    assert wide[0] < narrow[0] < 0 < narrow[1] < wide[1]
    asked = outscore.compare(systems, references=gold, metrics=metric, interval="bca").pairs[0]
    assert (asked.ci, asked.ci_method) == ((0.0, 0.0), "degenerate"), "the bootstrap as its formula has it"


def test_identical_texts_have_the_one_point_of_their_bootstrap() -> None:
    texts = [f"the cat {i} sits on the mat" for i in range(50)]
    found = outscore.compare({"base": texts, "new": list(texts)}, references=texts[::-1], metrics="bleu").pairs[0]
    assert (found.ci, found.ci_method, found.p_value) == ((0.0, 0.0), "degenerate", 1.0)
    assert "identical_outputs" in found.notes
