"""``outscore.compare`` from Python: what goes in, what its notes say, and the corrections over its family."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import InputError, OutscoreError, UsageError
from outscore.metrics.mean import Mean
from outscore.multiplicity.adjust import names
from outscore.results.comparison import Comparison
from outscore.significance.student import StudentT


def normal(seed: int, *shape: int, shift: float = 0.0) -> Float:
    return np.random.default_rng(seed).normal(shift, 1, shape)


def codes(found: Comparison) -> set[str]:
    """The codes of all notes; every code that a pair refers to is among them."""
    every = [note.code for note in found.notes]
    assert len(set(every)) == len(every)
    for pair in found.pairs:
        assert set(pair.notes) <= set(every)
    return set(every)


# what goes in


FORMS: dict[str, Any] = {
    "arrays": {"a": np.array([0.5, 1.0, 0.0, 0.25]), "b": np.array([1.0, 1.0, 0.5, 0.0])},
    "lists": {"a": [0.5, 1.0, 0.0, 0.25], "b": [1, 1, 0.5, 0]},
    "tuples": {"a": (0.5, 1.0, 0.0, 0.25), "b": (1.0, 1.0, 0.5, 0.0)},
    "one run each": {"a": np.array([[0.5, 1.0, 0.0, 0.25]]), "b": np.array([[1.0, 1.0, 0.5, 0.0]])},
    "float32": {"a": np.array([0.5, 1, 0, 0.25], dtype="f4"), "b": np.array([1, 1, 0.5, 0], dtype="f4")},
    "by id": {"a": {"w": 0.5, "x": 1.0, "y": 0.0, "z": 0.25}, "b": {"z": 0.0, "y": 0.5, "x": 1.0, "w": 1.0}},
}


@pytest.mark.parametrize("form", FORMS)
def test_scores_come_in_many_forms(form: str) -> None:
    pair = outscore.compare(FORMS[form]).pairs[0]
    assert (pair.baseline, pair.system, pair.metric, pair.n_items) == ("a", "b", "mean", 4)
    assert pair.gain == 0.1875
    # differences .5, 0, .5, -.25: of 8 sign patterns of the three, |sum| >= .75 in 4
    assert (pair.test, pair.p_kind, pair.p_value) == ("randomization", "exact", 0.5)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_of_any_kind(library: str) -> None:
    module = pytest.importorskip(library)
    columns = {
        "system": ["a"] * 4 + ["b"] * 4,
        "item": [*"wxyz", *"zyxw"],
        "score": [0.5, 1.0, 0.0, 0.25, 0.0, 0.5, 1.0, 1.0],
    }
    pair = outscore.compare(module.DataFrame(columns)).pairs[0]
    assert (pair.baseline, pair.gain, pair.p_value) == ("a", 0.1875, 0.5)


def test_texts_with_references() -> None:
    reference = ["the cat sat on the mat", "a dog barked", "it rains"] * 20
    other = ["a cat sat on a mat", "the dog barked", "rain falls"] * 20
    found = outscore.compare(
        {"a": other, "b": reference}, references=reference, metrics=["bleu", "chrf"], n_resamples=100
    )
    assert [s.score for s in found.scores if s.system == "b"] == pytest.approx([100, 100])
    both = outscore.compare(
        {"a": other, "b": reference}, references=[reference, other], metrics="bleu", n_resamples=100
    )
    assert [s.score for s in both.scores] == pytest.approx([100, 100])


def test_metrics_are_names_or_objects() -> None:
    data = {"a": normal(1, 30), "b": normal(2, 30)}
    assert outscore.compare(data, metrics=Mean(lower=True)) == outscore.compare(data, metrics="mean:lower=true")
    assert outscore.compare(data, metrics=["mean"]).pairs == outscore.compare(data).pairs
    assert outscore.compare(data, test=StudentT()).pairs == outscore.compare(data, test="t").pairs


def test_what_read_gave_goes_in(tmp_path: Any) -> None:
    for name, values in (("a", "1\n0\n1\n"), ("b", "1\n1\n1\n")):
        (tmp_path / f"{name}.seg").write_text(values, encoding="utf-8")
    data = outscore.read([f"x={tmp_path}/a.seg", f"y={tmp_path}/b.seg"])
    found = outscore.compare(data)
    assert found.baseline == "x"
    assert found.pairs[0].gain == pytest.approx(1 / 3)
    with pytest.raises(UsageError, match=r"read\(\)"):
        outscore.compare(data, references=["a"] * 3)


@pytest.mark.parametrize(
    ("data", "options", "says"),
    [
        ({"a": [1, 2], "b": [1]}, {}, "2|1"),
        ({"a": [1, 2]}, {}, "at least two"),
        ({}, {}, "data"),
        ({"a": [1, "x"], "b": [1, 2]}, {}, "'x'"),
        ({"a": [1.0, np.inf], "b": [1, 2]}, {}, "inf"),
        ({"a": [1.0, np.nan], "b": [1, 2]}, {}, "drop"),
        ({"a": np.zeros((2, 2, 2)), "b": np.zeros((2, 2, 2))}, {}, "3 dimensions"),
        ({"a": [], "b": []}, {}, "no items"),
        ("scores.csv", {}, "not the name of a file"),
        (None, {}, "data is None"),
        ({"a": [1, 2], "b": [2, 3]}, {"alpha": 1.5}, "alpha"),
        ({"a": [1, 2], "b": [2, 3]}, {"alternative": "more"}, "two-sided, greater, less"),
        ({"a": [1, 2], "b": [2, 3]}, {"correction": "hol"}, "did you mean 'holm'"),
        ({"a": [1, 2], "b": [2, 3]}, {"test": "bootstrp"}, "did you mean 'bootstrap'"),
        ({"a": [1, 2], "b": [2, 3]}, {"metrics": "men"}, "did you mean 'mean'"),
        ({"a": [1, 2], "b": [2, 3]}, {"metrics": []}, "no metric"),
        ({"a": [1, 2], "b": [2, 3]}, {"metrics": ["mean", "mean"]}, "given twice"),
        ({"a": [1, 2], "b": [2, 3]}, {"baseline": "c"}, "none of the systems"),
        ({"a": [1, 2], "b": [2, 3]}, {"cluster": "doc"}, "no such column"),
        ({"a": [1, 2], "b": [2, 3]}, {"items": {"doc": ["x"]}}, "1"),
        ({"a": [1, 2], "b": [2, 3]}, {"missing": "ignore"}, "missing"),
        ({"a": [1, 2], "b": [2, 3]}, {"n_resamples": 0}, "resamples"),
        ({"a": [1, 2], "b": [2, 3]}, {"seed": -1}, "seed"),
        ({"a": [1, 2], "b": [2, 3]}, {"jobs": 0}, "jobs"),
        ({"a": ["x", "y"], "b": ["x", "z"]}, {}, "reference"),
    ],
)
def test_wrong_calls_end_in_one_clear_error(data: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(OutscoreError, match=says) as caught:
        outscore.compare(data, **options)
    assert "\n" not in str(caught.value)


def test_the_data_are_left_as_they_were() -> None:
    a, b = normal(1, 3, 20), normal(2, 20)
    kept = a.copy(), b.copy()
    outscore.compare({"a": a, "b": b}, metrics="mean:lower=true", n_resamples=100)
    np.testing.assert_array_equal(a, kept[0])
    np.testing.assert_array_equal(b, kept[1])


def test_no_global_random_state_is_used_or_changed() -> None:
    np.random.seed(5)  # noqa: NPY002  the old global state is what must not be touched
    before = np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
    data = {"a": normal(1, 40), "b": normal(2, 40)}
    first = outscore.compare(data, test="bootstrap", n_resamples=100)
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]  # noqa: NPY002
    np.random.seed(6)  # noqa: NPY002
    assert outscore.compare(data, test="bootstrap", n_resamples=100) == first


# missing values


def test_nan_is_an_error_that_names_the_item_or_dropped_everywhere() -> None:
    a, b, c = [1.0, np.nan, 0.0, 1.0, 0.5], [1.0, 1.0, 1.0, np.nan, 1.0], [0.0, 0.0, 0.0, 0.0, 1.0]
    with pytest.raises(InputError, match="2"):
        outscore.compare({"a": a, "b": b, "c": c})
    found = outscore.compare({"a": a, "b": b, "c": c}, missing="drop")
    assert "dropped_items" in codes(found)
    assert sorted(found.provenance.dropped) == ["2", "4"]
    assert found.provenance.n_items_read == 5
    assert [s.score for s in found.scores] == pytest.approx([0.5, 1.0, 1 / 3])
    assert all(p.n_items == 3 for p in found.pairs)


def test_items_that_a_system_lacks_are_dropped_when_asked() -> None:
    data = {"a": {"x": 1.0, "y": 0.0, "z": 1.0}, "b": {"y": 1.0, "z": 1.0, "w": 0.0}}
    with pytest.raises(InputError):
        outscore.compare(data)
    found = outscore.compare(data, missing="drop")
    assert found.pairs[0].n_items == 2
    assert sorted(found.provenance.dropped) == ["w", "x"]
    assert found.pairs[0].gain == 0.5


# few items


def test_one_item() -> None:
    found = outscore.compare({"a": [1.0], "b": [2.0]})
    pair = found.pairs[0]
    assert (pair.test, pair.p_value, pair.p_min, pair.ci) == ("randomization", 1, 1, None)
    assert outscore.compare({"a": [1.0], "b": [2.0]}, alternative="greater").pairs[0].p_value == 0.5
    assert found.scores[0].ci is None
    assert found.scores[0].s_sel is None
    for test in ("t", "bootstrap"):
        found = outscore.compare({"a": [1.0], "b": [2.0]}, test=test)
        assert "n_too_small" in codes(found)
        assert found.pairs[0].p_value is None
        assert found.pairs[0].p_adjusted is None


def test_pairs_without_a_p_value_are_outside_the_family() -> None:
    found = outscore.compare({"a": [1.0], "b": [2.0], "c": [3.0]}, test="bootstrap", correction="bonferroni")
    assert [p.p_adjusted for p in found.pairs] == [None, None]


@pytest.mark.parametrize(("n", "attainable"), [(5, False), (6, True)])
def test_alpha_can_be_out_of_reach(n: int, attainable: bool) -> None:
    found = outscore.compare({"a": [0.0] * n, "b": [1.0] * n}, test="randomization")
    assert found.pairs[0].p_value == found.pairs[0].p_min == 2 ** (1 - n)
    assert ("alpha_unattainable" in found.pairs[0].notes) == (not attainable)
    codes(found)


def test_few_items_are_noted_by_the_tests_that_mind() -> None:
    few = outscore.compare({"a": normal(1, 20), "b": normal(2, 20)}, test="bootstrap", n_resamples=100)
    assert "few_items" in codes(few)
    some = outscore.compare({"a": normal(1, 100), "b": normal(2, 100)}, test="bootstrap", n_resamples=100)
    assert "under_200_items" in codes(some)
    assert "few_items" not in codes(some)
    many = outscore.compare({"a": normal(1, 300), "b": normal(2, 300)}, test="bootstrap", n_resamples=100)
    assert not {"few_items", "under_200_items"} & codes(many)
    exact = outscore.compare({"a": normal(1, 12), "b": normal(2, 12)}, test="randomization")
    assert not {"few_items", "under_200_items"} & codes(exact)


def test_an_unstable_decision_is_noted() -> None:
    found = outscore.compare(
        {"a": [0.0] * 40, "b": [1.0] * 25 + [-1.0] * 12 + [0.0] * 3}, test="randomization:exact=never", n_resamples=300
    )
    assert found.pairs[0].p_value == pytest.approx(0.05, abs=0.03)
    assert "decision_unstable" in codes(found)
    clear = outscore.compare({"a": [0.0] * 40, "b": [1.0] * 40}, test="randomization:exact=never", n_resamples=300)
    assert "decision_unstable" not in codes(clear)


# several runs


def test_a_single_run_of_each_is_noted() -> None:
    assert "single_run" in codes(outscore.compare({"a": normal(1, 40), "b": normal(2, 40)}))
    assert "single_run" not in codes(outscore.compare({"a": normal(1, 3, 40), "b": normal(2, 3, 40)}))


def test_numbers_of_runs_may_differ() -> None:
    a, b = normal(1, 2, 40), normal(2, 5, 40, shift=0.2)
    found = outscore.compare({"a": a, "b": b})
    pair = found.pairs[0]
    assert pair.test == "crossed"
    assert pair.gain == pytest.approx(b.mean() - a.mean())
    assert "few_runs" in codes(found)
    assert [len(s.run_scores) for s in found.scores] == [2, 5]
    five = outscore.compare({"a": normal(1, 5, 40), "b": b})
    assert "few_runs" not in codes(five)


def test_one_run_beside_three() -> None:
    a, b = normal(1, 40), normal(2, 3, 40)
    found = outscore.compare({"a": a, "b": b})
    assert {"one_run_only", "runs_fixed"} <= codes(found)
    pair = found.pairs[0]
    assert pair.gain == pytest.approx(b.mean() - a.mean())
    assert found.scores[0].s_test is None
    assert found.scores[1].s_test == pytest.approx(b.mean(axis=1).std(ddof=1))
    # the same answer as of the run-averaged scores
    assert pair.p_value == pytest.approx(outscore.compare({"a": a, "b": b.mean(axis=0)}, test="t").pairs[0].p_value)


def test_the_record_of_a_system_with_runs() -> None:
    runs = np.array([[1.0, 2.0, 3.0], [3.0, 3.0, 3.0], [0.0, 1.0, 2.0], [2.0, 2.0, 2.0]])
    score = outscore.compare({"a": runs, "b": runs + 1}).scores[0]
    assert score.run_scores == (2, 3, 1, 2)
    assert (score.score, score.run_min, score.run_max) == (2, 1, 3)
    assert score.s_test == pytest.approx(np.std([2, 3, 1, 2], ddof=1))
    assert score.median_run == score.runs[0]  # index 2 of 1, 2, 2, 3 is 2, first held by run 0
    assert score.s_sel == pytest.approx(np.mean(runs.std(axis=1) / np.sqrt(3)))


# clusters, domains, scales


def clustered(n: int = 120, size: int = 6) -> tuple[dict[str, Float], list[str]]:
    """Two systems whose differences are alike within documents."""
    labels = [f"d{i // size}" for i in range(n)]
    document = np.repeat(normal(3, n // size), size)
    a = normal(1, n).round(2)
    return {"a": a, "b": (a + document + 0.3 * normal(2, n)).round(2)}, labels


@pytest.mark.parametrize("column", ["document", "doc", "passage", "repo"])
def test_ignored_clusters_are_noted_with_their_design_effect(column: str) -> None:
    data, labels = clustered()
    found = outscore.compare(data, items={column: labels})
    note = next(n for n in found.notes if n.code == "clusters_ignored")
    assert f"items of one {column!r} are alike (design effect " in note.text
    assert note.remedy == f"use --cluster {column}"
    assert "clusters_ignored" in found.pairs[0].notes
    named = outscore.compare(data, items={column: labels}, cluster=column)
    assert "clusters_ignored" not in codes(named)
    effect = named.pairs[0].effect["design_effect"]
    assert isinstance(effect, float)
    assert f"design effect {effect:.2f}" in note.text
    assert effect > 3


def test_clusters_that_do_not_matter_are_not_noted() -> None:
    labels = [f"d{i // 6}" for i in range(120)]
    a = np.tile([0.0, 1.0], 60)
    found = outscore.compare({"a": a, "b": np.tile([1.0, 0.0, 1.0], 40)}, items={"document": labels})
    assert "clusters_ignored" not in codes(found)


def test_a_column_called_cluster_is_used_by_itself_and_can_be_turned_off() -> None:
    data, labels = clustered()
    used = outscore.compare(data, items={"cluster": labels})
    assert (used.provenance.cluster, used.provenance.n_clusters) == ("cluster", 20)
    off = outscore.compare(data, items={"cluster": labels}, cluster="none")
    assert off.provenance.cluster is None
    assert off.pairs[0].p_value < used.pairs[0].p_value  # type: ignore[operator]
    assert "few_clusters" in codes(used)


def test_gains_by_domain_add_up() -> None:
    a, b = normal(1, 90), normal(2, 90)
    domains = ["x"] * 30 + ["y"] * 60
    found = outscore.compare({"a": a, "b": b}, items={"domain": domains})
    gains = {d.bucket: d for d in found.buckets}
    assert gains["x"].gain == pytest.approx((b - a)[:30].mean())
    assert found.pairs[0].gain == pytest.approx((gains["x"].gain * 30 + gains["y"].gain * 60) / 90)
    assert len(found.pairs) == 1  # domains are no further hypotheses
    assert outscore.compare({"a": a, "b": b}, items={"genre": domains}, by="genre").buckets == tuple(
        replace(one, by="genre") for one in found.buckets
    )
    assert outscore.compare({"a": a, "b": b}, items={"genre": domains}).buckets == ()


@pytest.mark.parametrize(
    ("correction", "alone"),
    [("auto", 0.05 / 3), ("holm", 0.05 / 3), ("sidak", 1 - 0.95 ** (1 / 3)), ("none", 0.05), ("bh", 0.05)],
)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_the_domains_of_a_pair_are_a_family_of_their_own(correction: str, alone: float, alternative: str) -> None:
    a, b, c = normal(1, 90), normal(2, 90), normal(3, 90)
    domains = ["x"] * 30 + ["y"] * 40 + ["z"] * 19 + ["one item, which has no interval"]
    asked: dict[str, Any] = {"test": "t", "alternative": alternative}
    found = outscore.compare({"a": a, "b": b, "c": c}, items={"domain": domains}, correction=correction, **asked)
    for gain in found.buckets:
        here = np.array([domain == gain.bucket for domain in domains])
        if here.sum() == 1:
            assert gain.ci is None
            continue
        system = {"b": b, "c": c}[gain.system]
        lone = outscore.compare({"a": a[here], "s": system[here]}, alpha=alone, **asked).pairs[0]
        assert gain.ci == pytest.approx(lone.ci)


def test_mixed_scales_are_noted() -> None:
    found = outscore.compare({"a": normal(1, 30) / 10 + 0.5, "b": 100 * (normal(2, 30) / 10 + 0.5)})
    assert "mixed_scale" in codes(found)
    same = outscore.compare({"a": normal(1, 30) / 10 + 0.5, "b": normal(2, 30) / 10 + 0.5})
    assert "mixed_scale" not in codes(same)


def table(**columns: Any) -> Any:
    """A long frame of two systems on 30 items."""
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"system": ["a"] * 30 + ["b"] * 30, "item": [*range(30)] * 2, **columns})


@pytest.mark.parametrize(
    ("column", "lower"),
    [
        *(("errors", True), ("loss", True), ("fit_time", True), ("multi.length", True)),
        *(("comet", False), ("total_tokens", False), ("multi.correct", False)),
    ],
)
def test_a_direction_that_was_assumed_is_noted(column: str, lower: bool) -> None:
    data = table(**{column: normal(1, 60), "other": normal(2, 60)})
    found = outscore.compare(data, metrics=f"mean:column={column}")
    assert ("direction_assumed" in codes(found)) == lower
    said = outscore.compare(data, metrics=f"mean:column={column},lower=true")
    assert "direction_assumed" not in codes(said)
    assert said.pairs[0].gain == -found.pairs[0].gain


def test_a_column_of_errors_by_its_name_alone_has_no_direction() -> None:
    data = table(Error_Rate=normal(1, 60), other=normal(2, 60))
    with pytest.raises(outscore.UsageError, match="mean:column=Error_Rate,lower=true"):
        outscore.compare(data, metrics="Error_Rate")


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_lower_is_better_turns_gains_and_alternatives(alternative: Any) -> None:
    data = {"a": normal(1, 40), "b": normal(2, 40, shift=0.5)}
    negated = {name: -values for name, values in data.items()}
    lower = outscore.compare(data, metrics="mean:lower=true", alternative=alternative).pairs[0]
    higher = outscore.compare(negated, alternative=alternative).pairs[0]
    assert lower.gain == pytest.approx(higher.gain) == pytest.approx(data["a"].mean() - data["b"].mean())
    assert lower.p_value == pytest.approx(higher.p_value, rel=1e-9)
    assert lower.ci == pytest.approx(higher.ci, rel=1e-9)
    assert lower.effect["wins"] == higher.effect["wins"]


def test_the_score_itself_keeps_its_sign() -> None:
    found = outscore.compare({"a": [1.0, 2.0], "b": [3.0, 4.0]}, metrics="mean:lower=true")
    assert [s.score for s in found.scores] == [1.5, 3.5]
    assert found.pairs[0].gain == -2
    assert not found.scores[0].higher_is_better


def test_weights_weigh() -> None:
    values, weights = np.concatenate([normal(1, 30), normal(2, 30)]), [1.0, 2.0, 5.0] * 20
    found = outscore.compare(table(score=values, w=weights), metrics="mean:column=score,weight=w", n_resamples=200)
    for score, part in zip(found.scores, (slice(0, 30), slice(30, 60)), strict=True):
        assert score.score == pytest.approx(np.average(values[part], weights=weights[part]))
    assert found.pairs[0].test == "randomization"


# the family and its corrections

FAMILY = {"base": normal(0, 60), **{f"s{k}": normal(k, 60, shift=0.15 * k) for k in range(1, 6)}}


@pytest.mark.parametrize("correction", names())
def test_a_correction_never_lowers_a_p_value(correction: str) -> None:
    found = outscore.compare(FAMILY, correction=correction, n_resamples=500)
    assert found.correction == found.provenance.correction == correction
    for pair in found.pairs:
        assert pair.p_value is not None
        assert pair.p_adjusted is not None
        assert pair.p_value <= pair.p_adjusted <= 1
        if correction == "none":
            assert pair.p_adjusted == pair.p_value
    ordered = sorted(found.pairs, key=lambda p: p.p_value or 0)
    adjusted = [p.p_adjusted or 0 for p in ordered]
    if correction != "max-t":  # there the order is that of the standardized gains
        assert adjusted == sorted(adjusted)
    raw = [p.p_value for p in outscore.compare(FAMILY, correction="none", n_resamples=500).pairs]
    assert [p.p_value for p in found.pairs] == raw


def test_holm_by_hand() -> None:
    found = outscore.compare(FAMILY, n_resamples=500, correction="holm")
    largest = 0.0
    for rank, pair in enumerate(sorted(found.pairs, key=lambda p: p.p_value or 0)):
        largest = max(largest, min(1.0, (5 - rank) * (pair.p_value or 0)))
        assert pair.p_adjusted == pytest.approx(largest)


def test_max_t_uses_that_metrics_are_correlated() -> None:
    """Five copies of nearly one hypothesis: Holm pays for five, the joint law for little more than one."""
    a, b = normal(1, 200), normal(2, 200, shift=0.25)
    noise = [0.05 * normal(10 + k, 400) for k in range(5)]
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame({"system": ["a"] * 200 + ["b"] * 200, "item": [*range(200)] * 2})
    for k in range(5):
        data[f"m{k}"] = np.concatenate([a, b]) + noise[k]
    metrics = [f"m{k}" for k in range(5)]
    holm, joint = (
        outscore.compare(data, metrics=metrics, test="bootstrap", correction=c, n_resamples=4000).pairs
        for c in ("holm", "max-t")
    )
    for one, other in zip(holm, joint, strict=True):
        assert one.p_value == other.p_value
        assert one.p_value is not None
        assert other.p_adjusted is not None
        assert other.p_adjusted >= one.p_value
    smallest = min(p.p_value or 1 for p in holm)
    assert min(p.p_adjusted or 1 for p in joint) < 0.6 * 5 * smallest
    assert max(p.p_adjusted or 0 for p in joint) <= max(p.p_adjusted or 0 for p in holm) + 0.01


def test_max_t_of_identical_systems_is_1_and_costs_the_others_nothing() -> None:
    data = {"base": FAMILY["base"], "s3": FAMILY["s3"], "copy": FAMILY["base"]}
    found = outscore.compare(data, correction="max-t", n_resamples=2000)
    alone = outscore.compare({"base": data["base"], "s3": data["s3"]}, correction="max-t", n_resamples=2000)
    assert found.pairs[1].p_adjusted == 1
    assert found.pairs[0].p_adjusted == pytest.approx(alone.pairs[0].p_adjusted, abs=1e-12)
    # else its p was as if alone and its interval as if one of two, and a difference got lost between them
    assert found.pairs[0].ci == pytest.approx(alone.pairs[0].ci)


def test_a_metric_under_which_the_systems_are_the_same_costs_the_other_nothing() -> None:
    rows = [
        {"system": name, "item": str(i), "score": values[i], "same": 1.0}
        for name, values in (("base", FAMILY["base"]), ("s3", FAMILY["s3"]))
        for i in range(len(values))
    ]
    both = outscore.compare(pd.DataFrame(rows), metrics=["score", "same"], n_resamples=500)
    one = outscore.compare(pd.DataFrame(rows), metrics=["score"], n_resamples=500)
    assert both.pairs[0].p_adjusted == pytest.approx(one.pairs[0].p_adjusted)
    assert both.pairs[0].ci == pytest.approx(one.pairs[0].ci)
    assert both.pairs[0].verdict == one.pairs[0].verdict


def test_max_t_is_refused_with_runs() -> None:
    with pytest.raises(UsageError, match="holm"):
        outscore.compare({"a": normal(1, 2, 20), "b": normal(2, 2, 20)}, correction="max-t", n_resamples=50)


# properties


@settings(max_examples=25)
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12),
    data=st.data(),
)
def test_the_order_of_items_and_the_scale_change_nothing(rows: list[tuple[int, ...]], data: st.DataObject) -> None:
    columns = np.array(rows, dtype=float).T
    order = data.draw(st.permutations(range(len(rows))))
    factor = data.draw(st.sampled_from([0.1, 1.0, 7.0]))
    systems = dict(zip("abc", columns, strict=True))
    moved = {name: factor * values[order] for name, values in systems.items()}
    for one, other in zip(
        outscore.compare(systems, test="randomization").pairs,
        outscore.compare(moved, test="randomization").pairs,
        strict=True,
    ):
        assert other.p_value == pytest.approx(one.p_value, rel=1e-9)
        assert other.gain == pytest.approx(factor * one.gain, abs=1e-12)


def test_a_third_system_changes_no_raw_p_value() -> None:
    """Nor does a further metric: everything is drawn once and shared."""
    known: dict[str, Any] = {"item": range(60), **FAMILY}  # by their ids, which further systems do not change
    alone = pd.DataFrame({k: known[k] for k in ("item", "base", "s1")})
    pair = outscore.compare(alone, test="bootstrap", n_resamples=500).pairs[0]
    other = pd.DataFrame({k: known[k] for k in ("item", "base", "s5", "s1")})
    three = outscore.compare(other, test="bootstrap", n_resamples=500, correction="none").pairs[1]
    assert (pair.p_value, pair.ci, pair.gain) == (three.p_value, three.ci, three.gain)


@pytest.mark.parametrize("test", ["bootstrap", "randomization:exact=never", "bootstrap:form=studentized"])
def test_threads_change_nothing(test: str) -> None:
    found = [outscore.compare(FAMILY, test=test, n_resamples=3000, jobs=jobs) for jobs in (1, 2, 3)]
    assert found[0] == found[1] == found[2]


def test_progress_is_told_and_ends() -> None:
    told: list[tuple[str, int, int]] = []
    outscore.compare(FAMILY, test="bootstrap", n_resamples=2000, progress=lambda *step: told.append(step))
    assert told
    last = {what: (done, of) for what, done, of in told}
    assert all(done == of for done, of in last.values())
    for _, steps in itertools.groupby(told, key=lambda step: step[0]):
        done = [step[1] for step in steps]
        assert done == sorted(done)


def test_only_what_a_metric_reads_costs_an_item() -> None:
    a, b = normal(1, 30), normal(2, 30)
    holes = b.copy()
    holes[[3, 4]] = np.nan
    frame = table(comet=np.concatenate([a, b]), judge=np.concatenate([a, holes]))
    read = outscore.compare(frame, metrics="comet", missing="drop")
    assert read.pairs[0].n_items == 30
    assert "dropped_items" not in codes(read)
    both = outscore.compare(frame, metrics="comet,judge", missing="drop")
    assert both.pairs[0].n_items == both.pairs[1].n_items == 28
    assert both.provenance.dropped == dict.fromkeys(("3", "4"), "'judge' is missing in system 'b' (run '1')")
    with pytest.raises(InputError, match=r"'judge' is missing .NaN. for 2 items of system 'b' .*: '3', '4'; "):
        outscore.compare(frame, metrics="judge")
    with pytest.raises(InputError, match="no item is left"):
        outscore.compare(table(comet=[np.nan] * 60, judge=[1.0] * 60), metrics="comet", missing="drop")
