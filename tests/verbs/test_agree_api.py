"""``agree`` in Python: from labels in any shape to the record, with what has to be said of it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import outscore
from outscore.agreement import coefficients
from outscore.base.errors import InputError, UsageError
from outscore.results.agreement import Agreement
from outscore.results.annotators import Coefficient
from outscore.results.result import Result
from outscore.significance.p_values import student_quantile
from tests.agreement.twins import drawn
from tests.verbs.flat import differing, near

THREE = {
    "anna": ["x", "x", "y", "y", "z", None, "x", "z"],
    "ben": ["x", "y", "y", "y", "z", "x", None, "z"],
    "cleo": ["x", "x", "y", "z", "z", "x", None, None],
}


def simulated(seed: int, n: int = 60, raters: int = 3, missing: float = 0.0) -> dict[str, list[str | None]]:
    rows = drawn(np.random.default_rng(seed), n, raters, [0.5, 0.3, 0.2], 0.3, missing)
    return {f"r{r}": [None if row[r] is None else "xyz"[row[r] or 0] for row in rows] for r in range(raters)}


def agree(data: Any, **options: Any) -> Agreement:
    return outscore.agree(data, **{"n_resamples": 200, **options})


def by_name(result: Agreement, domain: str = "") -> dict[str, Coefficient]:
    return {c.coefficient: c for c in result.coefficients if c.domain == domain}


def codes(result: Result) -> set[str]:
    return {note.code for note in result.notes}


def test_labels_that_differ_in_case_or_blanks_alone_are_named() -> None:
    three = {"a": ["Yes", "no", "no ", "not sure"] * 5, "b": ["yes", "no", "no", "not  sure"] * 5}
    (note,) = (note for note in agree(three).notes if note.code == "cases_differ")
    assert note.rank == "answer" and note.text.endswith(
        "taken as different: 5 'Yes' and 5 'yes'; 5 'not  sure' and 5 'not sure'"
    )
    assert "cases_differ" not in codes(agree(three, labels=["yes", "Yes", "no", "not sure", "not  sure"]))
    assert "cases_differ" not in codes(agree(THREE))


def test_the_same_labels_in_any_shape_give_the_same_result() -> None:
    wide = pd.DataFrame(THREE)
    long = [
        {"item": str(i + 1), "annotator": name, "label": label}
        for i in range(8)
        for name, labels in THREE.items()
        if (label := labels[i]) is not None
    ]
    mapping = {name: {str(i + 1): label for i, label in enumerate(labels)} for name, labels in THREE.items()}
    wanted = agree(THREE)
    for data, options in (
        (wide, {"annotators": "anna,ben,cleo"}),
        (pl.DataFrame(THREE), {"annotators": ["*"]}),
        (pd.DataFrame(long), {}),
        (pd.DataFrame(long).rename(columns={"annotator": "who"}), {"columns": "annotator=who"}),
        (mapping, {}),
    ):
        found = agree(data, **options)
        assert found.coefficients == wanted.coefficients
        assert found.annotators == wanted.annotators
        assert found.coincidences == wanted.coincidences


def test_the_record_comes_back_from_its_json() -> None:
    result = agree(simulated(1, missing=0.1), by=None)
    again = Result.from_json(result.to_json())
    assert again == result
    assert json.loads(result.to_json())["command"] == "agree"
    for name in ("terminal", "markdown", "latex", "csv", "sentence"):
        assert result.to(name) == again.to(name)


def test_coefficients_suit_the_number_of_annotators() -> None:
    two, three = simulated(1, raters=2), simulated(1)
    assert list(by_name(agree(two))) == ["percent", "cohen", "scott", "krippendorff", "gwet", "bennett"]
    assert list(by_name(agree(three))) == ["percent", "conger", "fleiss", "krippendorff", "gwet", "bennett"]
    slots = agree(three, exchangeable=True)
    assert list(by_name(slots)) == ["percent", "fleiss", "krippendorff", "gwet", "bennett"]
    assert not slots.annotators
    assert not slots.annotator_pairs
    with pytest.raises(UsageError, match="needs persons"):
        agree(three, coefficients="conger", exchangeable=True)


def test_one_label_is_no_basis_for_kappa() -> None:
    result = agree({"a": ["x"] * 40, "b": ["x"] * 40}, labels=["x", "y"])
    found = by_name(result)
    assert found["cohen"].value is None
    assert found["krippendorff"].value is None
    assert found["gwet"].value == 1
    assert all(c.ci is None and c.p_value is None for c in result.coefficients if c.value is None)
    assert found["percent"].ci == pytest.approx((40 / (40 + stats.t.ppf(0.975, 39) ** 2), 1.0))  # Wilson's, by t
    assert "agreement_undefined" in codes(result) and "no_disagreement" not in codes(result)
    assert "NaN" not in result.to_json()
    assert "agreement_undefined" in found["cohen"].notes


def test_notes_of_missing_intervals_do_not_contradict_score_intervals_beside_them() -> None:
    # full agreement, the rare label once: kappas have score intervals, which no resample made
    result = agree({"a": ["y"] + ["x"] * 199, "b": ["y"] + ["x"] * 199})
    found = by_name(result)
    assert found["cohen"].ci is not None
    assert found["cohen"].ci_method == "score"
    assert all(c.ci is not None for c in result.coefficients)
    assert not {"no_disagreement", "resamples_undefined"} & codes(result)
    bca = agree({"a": ["y"] + ["x"] * 199, "b": ["y"] + ["x"] * 199}, interval="bca")
    assert "Cohen's κ" in next(note.text for note in bca.notes if note.code == "no_disagreement")


@pytest.mark.parametrize("cluster", [None, "doc"])
def test_full_agreement_has_an_interval_and_groups_a_difference(cluster: str | None) -> None:
    """Two groups of 50 units with 2 % disputed had no difference in 63 of 100 sets: one of them has no dispute."""
    labels = ["x", "y", "z", "x", "y"] * 20
    table = pd.DataFrame({
        "item": range(100), "part": ["one"] * 50 + ["two"] * 50, "doc": [k // 2 for k in range(100)],
        "a": labels, "b": [*labels[:99], "x"],
    })  # fmt: skip
    found = agree(table, annotators="a,b", by="part", cluster=cluster, coefficients=["percent", "gwet", "bennett"])
    full = {c.coefficient: c for c in found.coefficients if c.domain == "one"}
    n = 50 if cluster is None else 25
    low = n / (n + stats.t.ppf(0.975, n - 1) ** 2)
    assert full["percent"].ci == pytest.approx((low, 1.0))
    assert full["bennett"].ci == pytest.approx(((low - 1 / 3) / (2 / 3), 1.0))
    chance = full["gwet"].expected or 0.0
    assert full["gwet"].ci == pytest.approx(((low - chance) / (1 - chance), 1.0))
    assert all(c.gain_ci is not None and c.gain_ci[0] < 0 < c.gain_ci[1] for c in found.coefficients if c.against)
    assert "no_disagreement" not in codes(found)
    assert "neither p nor an interval" not in found.to("sentence")
    assert "95% CI" in found.to("sentence")


def test_notes_say_what_a_reader_must_know() -> None:
    skewed = {"a": ["no"] * 96 + ["yes"] * 4, "b": ["yes"] * 2 + ["no"] * 94 + ["yes", "yes", "no", "no"]}
    assert "dominant_label" in codes(agree(skewed))
    assert "single_ratings" in codes(agree(THREE))
    assert "few_units" in codes(agree(THREE))
    assert "resamples_undefined" in codes(
        agree({"a": [*"xxxxxxxy"], "b": [*"xxxxxxxy"], "c": [*"xxxxxxyy"]}, interval="bca")
    )
    with_null = agree({"a": ["x", "NULL", "y"] * 20, "b": ["x", "y", "NULL"] * 20})
    assert "looks_missing" in codes(with_null)
    told = agree({"a": ["x", "NULL", "y"] * 20, "b": ["x", "y", "x"] * 20}, na=["NULL"])
    assert "looks_missing" not in codes(told)
    assert told.n_single == 20
    assert not codes(agree(simulated(2, n=200)))


def test_labels_are_those_of_the_data_whether_numbers_or_texts() -> None:
    data = {"a": [1, 2, 3, 1, 9], "b": [1, 2, 3, 2, 9]}
    found, as_texts = (agree(data, labels=labels, na=na) for labels, na in (([1, 2, 3], [9]), (["1", "2", "3"], ["9"])))
    assert found.coefficients == as_texts.coefficients
    assert [label.label for label in found.labels] == ["1", "2", "3"]


def test_numbers_on_a_scale_are_said_to_be_taken_as_nominal() -> None:
    stars = {"a": [1, 2, 3, 4, 5] * 8, "b": [1, 2, 3, 5, 4] * 8}
    (note,) = (note for note in agree(stars).notes if note.code == "numbers_as_labels")
    assert note.text == "labels 1 to 5 are taken as nominal; -k ordinal_alpha takes them as a scale"
    assert note.remedy == "of a scale of equal steps use -k interval_alpha"
    for way in ("ordinal_alpha", "interval_alpha", "cohen:weights=quadratic"):
        assert "numbers_as_labels" not in codes(agree(stars, coefficients=way))
    assert "numbers_as_labels" in codes(agree(stars, coefficients="cohen"))
    for others in ({"a": [0, 1] * 20, "b": [1, 0] * 20}, {"a": [*"uvw"] * 9, "b": [*"vwu"] * 9}):
        assert "numbers_as_labels" not in codes(agree(others)), "no scale of two, and none of words"
    kinds = {"a": [101, 305, 907] * 9, "b": [101, 907, 305] * 9}
    assert "numbers_as_labels" not in codes(agree(kinds)), "numbers of kinds"


def test_a_number_far_from_all_others_that_was_given_once_is_noted_on_a_scale() -> None:
    def told(**other: Any) -> list[str]:
        stars = {"a": [1, 2, 3, 4, 5] * 8, "b": [*[1, 2, 3, 4, 5] * 7, 1, 2, 3, other.pop("typed", 44), 5]}
        found = agree(stars, **{"coefficients": "cohen:weights=quadratic"} | other)
        return [note.text for note in found.notes if note.code == "few_items_decide"]

    text = "the label 44 lies far from all others, and coefficients of a scale hang on it"
    assert told() == [text]
    assert told(typed=4) == told(coefficients="cohen") == told(labels=["1", "2", "3", "4", "5", "44"]) == []
    assert told(typed=8) == []


@pytest.mark.parametrize(
    ("missing", "how"), [(["NULL"], "NULL"), (["N/A"], "N/A"), (["?"], "'?'"), (["-", "nan"], "-,nan")]
)
def test_labels_that_look_missing_turn_the_verdict_and_are_told_with_the_way_out(missing: list[str], how: str) -> None:
    """Beside the note stands the coefficient without them, as it comes out where the option is given."""
    given = simulated(2, n=100, raters=2)
    marked = {"a": [*given["r0"], *missing, *"xyz"], "b": [*given["r1"], *reversed(missing), "x", "y", missing[0]]}
    found, told = agree(marked), agree(marked, na=missing)
    said = found.to("terminal:columns=1000")
    assert said.splitlines()[0].endswith(", BUT see !.")
    (other,) = found.otherwise
    assert other.coefficient == told.coefficients[1]
    assert f"counted as labels like any other. With --na {how}: Cohen's κ = {other.coefficient.value:.3f} (" in said
    assert not told.otherwise and "BUT see" not in told.to("terminal")


def test_labels_of_a_scheme_that_is_given_are_not_said_to_look_missing() -> None:
    given = {"a": ["x", "-", "y"] * 20, "b": ["x", "y", "-"] * 20}
    assert not {"looks_missing"} & {*codes(agree(given, labels=["x", "-", "y"]))}


def test_where_nothing_is_left_without_the_labels_that_look_missing_the_note_names_the_option_alone() -> None:
    found = agree({"a": ["x", "-"] * 20, "b": ["-", "x"] * 20})
    assert not found.otherwise
    assert "Use --na - where these are no labels." in found.to("terminal:columns=1000")


def test_labels_that_stand_for_missing_ones_are_as_empty_cells() -> None:
    marked = {name: ["?" if label is None else label for label in labels] for name, labels in THREE.items()}
    assert agree(marked, na=["?"]).coefficients == agree(THREE).coefficients


def test_the_scheme_counts_where_nobody_used_a_label() -> None:
    data = simulated(3)
    three, four = agree(data), agree(data, labels=["w", "x", "y", "z"])
    assert by_name(four)["bennett"].expected == 1 / 4
    assert by_name(four)["fleiss"].value == pytest.approx(by_name(three)["fleiss"].value)
    assert four.labels[0].agreement is None
    with pytest.raises(InputError, match="not in labels="):
        agree(data, labels=["x", "y"])


def test_intervals_share_their_resamples_and_can_be_had_by_the_standard_error() -> None:
    data = simulated(4, n=80)
    bootstrap, analytic = agree(data, seed=7), agree(data, interval="analytic")
    assert bootstrap.coefficients == agree(data, seed=7, coefficients=list(by_name(bootstrap))).coefficients
    alone = by_name(agree(data, seed=7, coefficients="gwet"))["gwet"]
    assert alone == by_name(bootstrap)["gwet"]
    for one, other in zip(bootstrap.coefficients, analytic.coefficients, strict=True):
        assert (one.value, one.se, one.p_value) == (other.value, other.se, other.p_value)
        assert one.ci is not None
        assert other.ci is not None
        assert one.ci_method == "BCa bootstrap"
        assert other.ci_method == "t"
        assert (one.ci[1] - one.ci[0]) == pytest.approx(other.ci[1] - other.ci[0], rel=0.35)


def test_jobs_change_nothing() -> None:
    data = simulated(4, n=300, missing=0.1)
    assert agree(data, jobs=1, n_resamples=3000).coefficients == agree(data, jobs=3, n_resamples=3000).coefficients


def test_fleiss_has_the_standard_error_of_guessing_where_annotators_are_not_told_apart() -> None:
    rows = drawn(np.random.default_rng(4), 60, 4, [0.5, 0.5], 0.5)
    data = {f"r{r}": ["xy"[row[r] or 0] for row in rows] for r in range(4)}
    found = by_name(agree(data, exchangeable=True))["fleiss"]
    # Fleiss, Nee & Landis 1979: of two labels the standard error is that of as many independent pairs
    assert found.null_se == pytest.approx(math.sqrt(2 / (60 * 4 * 3)))
    assert found.p_value == pytest.approx(math.erfc(abs(found.value or 0) / (found.null_se or 1) / math.sqrt(2)))
    assert by_name(agree(data))["gwet"].p_value is None


def test_groups_of_units_are_compared_with_the_first() -> None:
    rng = np.random.default_rng(6)
    rows = [*drawn(rng, 150, 2, [0.5, 0.5], 0.1), *drawn(rng, 150, 2, [0.5, 0.5], 0.7)]
    frame = pd.DataFrame({"a": [f"{r[0]}" for r in rows], "b": [f"{r[1]}" for r in rows]})
    frame["genre"] = ["a news"] * 150 + ["chat"] * 150
    result = agree(frame, annotators="a,b", by="genre", n_resamples=1000)
    news, chat = by_name(result, "a news"), by_name(result, "chat")
    alone = by_name(agree(frame[frame.genre == "chat"].drop(columns="genre"), annotators="a,b"))
    for name, found in chat.items():
        assert found.value == pytest.approx(alone[name].value)
        assert found.se == pytest.approx(alone[name].se)
        assert found.against == "a news"
        assert found.gain == pytest.approx((found.value or 0) - (news[name].value or 0))
        assert found.gain_ci is not None
        assert found.gain_ci[1] < 0
        # the two groups are independent: the variances of the two bootstraps add up
        widths = [c.ci[1] - c.ci[0] for c in (found, news[name]) if c.ci is not None]
        assert found.gain_ci[1] - found.gain_ci[0] == pytest.approx(math.hypot(*widths), rel=0.2)
    assert all(c.gain is None for c in news.values())
    assert found.n_units == 150


def test_clusters_widen_intervals() -> None:
    rng = np.random.default_rng(5)
    rows = [row for hard in (0.05, 0.9) * 10 for row in drawn(rng, 10, 2, [0.5, 0.5], hard)]
    frame = pd.DataFrame({"a": [f"{r[0]}" for r in rows], "b": [f"{r[1]}" for r in rows]})
    frame["text"] = [f"t{i // 10}" for i in range(200)]
    plain, clustered = (by_name(agree(frame, annotators="a,b", cluster=c))["cohen"] for c in (None, "text"))
    assert clustered.value == plain.value
    assert clustered.n_clusters == 20
    assert (clustered.se or 0) > 1.5 * (plain.se or 0)
    assert plain.ci is not None
    assert clustered.ci is not None
    assert clustered.ci[1] - clustered.ci[0] > 1.5 * (plain.ci[1] - plain.ci[0])
    # Student's t of 20 documents on the scale of Fisher's z, and the delta method
    half = 2.0930241 * (clustered.se or 0) / (1 - (clustered.value or 0) ** 2)
    assert clustered.ci_method == "Fisher-z t"
    assert [math.atanh(end) - math.atanh(clustered.value or 0) for end in clustered.ci] == pytest.approx([-half, half])


@pytest.mark.parametrize("documents", [30, 60])
@pytest.mark.parametrize("name", ["percent", "gwet", "bennett"])
def test_coefficients_that_need_no_chance_have_students_t_in_clusters(name: str, documents: int) -> None:
    rng = np.random.default_rng(5)
    rows = [row for hard in (0.01, 0.3) * (documents // 2) for row in drawn(rng, 10, 2, [0.5, 0.5], hard)]
    frame = pd.DataFrame({"a": [f"{r[0]}" for r in rows], "b": [f"{r[1]}" for r in rows]})
    frame["text"] = [f"t{i // 10}" for i in range(10 * documents)]
    found = by_name(agree(frame, annotators="a,b", cluster="text"))[name]
    assert found.ci_method == "Fisher-z t"
    assert found.ci is not None
    below, above = (abs(math.atanh(end) - math.atanh(found.value or 0)) for end in found.ci)
    assert below == pytest.approx(above)
    assert below > 1.96 * (found.se or 0) / (1 - (found.value or 0) ** 2)


def test_percent_agreement_in_clusters_is_not_negative() -> None:
    frame = pd.DataFrame({"a": [*"xyzw"] * 10, "b": [*"yxwz"] * 9 + [*"xxwz"], "text": np.arange(40) // 4})
    found = by_name(agree(frame, annotators="a,b", cluster="text"))["percent"]
    assert found.ci is not None
    assert found.ci[0] == 0 < found.ci[1]


@pytest.mark.parametrize("clusters", [29, 30, 31, 100])
def test_kappa_in_clusters_takes_the_standard_error_of_guessing_where_it_is_larger(clusters: int) -> None:
    rng = np.random.default_rng(3)
    # a label of few documents, which differ from annotator to annotator
    latent = {r: np.repeat(rng.normal(-2, 2, clusters), 10) + rng.normal(size=10 * clusters) for r in "ab"}
    frame = pd.DataFrame({r: np.where(of > 0, "y", "n") for r, of in latent.items()})
    frame["text"] = [f"t{u // 10}" for u in range(10 * clusters)]
    found = by_name(agree(frame, annotators="a,b", cluster="text"))["cohen"]
    value, se, null_se = (part or 0 for part in (found.value, found.se, found.null_se))
    assert found.ci_method == "Fisher-z t"
    assert found.ci is not None
    half = (math.atanh(found.ci[1]) - math.atanh(found.ci[0])) / 2
    # by how much each cluster moves kappa, by the derivative of its formula, and the kurtosis of that
    said = (frame[["a", "b"]] == "y").to_numpy()
    yes = said.mean(axis=0)
    chance = yes.prod() + (1 - yes).prod()
    by_label = np.where(said, yes[::-1], 1 - yes[::-1]).sum(axis=1)
    observed = (said[:, 0] == said[:, 1]).astype(float)
    moved = observed - observed.mean() - (1 - value) * (by_label - 2 * chance)
    sums = np.bincount(np.arange(10 * clusters) // 10, weights=moved)
    kurtosis = (sums**4).mean() / (sums**2).mean() ** 2
    df = min(clusters - 1, 2 * clusters / (kurtosis - 1))
    assert half == pytest.approx(student_quantile(0.95, df) * max(se / (1 - value**2), null_se))


def test_annotators_are_described_one_by_one_and_two_by_two() -> None:
    good = simulated(9, n=150)
    bad = {**good, "r2": [*good["r2"][75:], *good["r2"][:75]]}
    result = agree(bad)
    agreements = {a.annotator: a.agreement or 0 for a in result.annotators}
    assert min(agreements, key=agreements.__getitem__) == "r2"
    without = {a.annotator: a.without["krippendorff"] or 0 for a in result.annotators}
    assert max(without, key=without.__getitem__) == "r2"
    assert without["r2"] == by_name(agree({"r0": bad["r0"], "r1": bad["r1"]}))["krippendorff"].value
    pairs = {(p.first, p.second): p.kappa or 0 for p in result.annotator_pairs}
    assert set(pairs) == {("r0", "r1"), ("r0", "r2"), ("r1", "r2")}
    assert max(pairs, key=pairs.__getitem__) == ("r0", "r1")
    assert sum(result.annotators[0].labels.values()) == result.annotators[0].n_labels == 150


def test_what_is_confused_with_what() -> None:
    data = {"a": ["x"] * 8 + ["y"] * 6 + ["z"] * 6, "b": ["x"] * 6 + ["y"] * 2 + ["y"] * 6 + ["z"] * 5 + ["x"]}
    result = agree(data)
    first = result.labels[0]
    assert (first.label, first.count, first.confused_with) == ("x", 15, "y")
    assert first.confused == pytest.approx(2 / 15)
    assert first.agreement == pytest.approx(12 / 15)
    assert result.coincidences == ((6, 2, 0), (0, 6, 0), (1, 0, 5))
    assert "confused are y and x" in result.sentence or "confused are x and y" in result.sentence


def test_numbers_of_any_kind_can_be_judged_by_alpha_alone() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=100)
    data = {name: list((truth + rng.normal(scale=0.5, size=100)).round(3)) for name in "ab"}
    result = agree(data, coefficients="krippendorff:distance=interval")
    (found,) = result.coefficients
    assert found.value == pytest.approx(0.8, abs=0.1)
    assert (result.labels, result.coincidences, result.disputes) == ((), (), ())
    with pytest.raises(UsageError, match="use krippendorff:distance=interval"):
        agree(data)


def test_options_are_checked() -> None:
    data = simulated(1)
    for options, said in (
        ({"interval": "wald"}, "expected one of auto, bca"),
        ({"test": "z"}, "expected one of auto, relabelling"),
        ({"n_resamples": 1}, "expected 2 or more"),
        ({"alpha": 0}, "alpha=0"),
        ({"coefficients": "kapa"}, "unknown coefficient"),
        ({"cluster": "document"}, "no such column"),
        ({"na": ["w"]}, "no such label"),
    ):
        with pytest.raises(UsageError, match=said):
            agree(data, **options)
    with pytest.raises(UsageError, match="are for data frames"):
        agree(data, annotators="r0")
    with pytest.raises(UsageError, match="expected a data frame"):
        agree(3)
    with pytest.raises(InputError, match="no unit has two labels"):
        agree({"a": ["x", None], "b": [None, "y"]})
    with pytest.raises(InputError, match="one annotator"):
        agree({"a": ["x", "y"]})
    free = [f"a text of {i} words" for i in range(60)]
    with pytest.raises(UsageError, match="free texts are no labels: name the column of labels with "):
        agree({"a": free, "b": free})
    many = [f"l{i:02}" for i in range(14)]
    with pytest.raises(UsageError, match=r"'l11' and 2 more$"):
        agree({"a": many, "b": many}, na=["x"])


def test_an_instance_is_as_good_as_a_name() -> None:
    data = simulated(1, raters=2)
    method = coefficients.make("cohen:weights=none")
    assert by_name(agree(data, coefficients=method)) == by_name(agree(data, coefficients="cohen"))
    assert [c.coefficient for c in agree(data, coefficients=["percent,scott", method]).coefficients] == [
        *("percent", "scott", "cohen")
    ]


def test_every_table_of_who_disagrees_on_what() -> None:
    """All of ``THREE`` counted by hand: seven units with two or three labels, and one with a single one."""
    data = {**THREE, "ben": [*THREE["ben"][:7], None], "cleo": [*THREE["cleo"][:6], "y", None]}
    names = "percent,conger,fleiss,krippendorff,gwet,bennett"
    result = agree(data, coefficients=names, labels=["z", "y", "x", "w"], disputed=2)
    labels = {"anna": (2, 2, 3), "ben": (1, 3, 2), "cleo": (2, 2, 3)}
    agreement = {"anna": (1 + 0.5 + 1 + 0.5 + 1 + 0) / 6, "ben": (1 + 0 + 1 + 0.5 + 1 + 1) / 6}
    agreement["cleo"] = (1 + 0.5 + 1 + 0 + 1 + 1 + 0) / 7
    expected = [
        {
            "annotator": name,
            "n_labels": sum(counts),
            "labels": dict(zip("zyxw", (*counts, 0), strict=True)),
            "agreement": agreement[name],
            "without": {
                c.coefficient: c.value
                for c in agree(
                    {n: v for n, v in data.items() if n != name}, coefficients=names, labels=[*"zyxw"]
                ).coefficients
            },
        }
        for name, counts in labels.items()
    ]
    assert not differing([vars(a) for a in result.annotators], expected)
    pairs = [(p.first, p.second, p.n_units, p.agreement, p.prevalence, p.bias) for p in result.annotator_pairs]
    assert pairs == [
        ("anna", "ben", 5, 0.8, None, None),
        ("anna", "cleo", 6, pytest.approx(4 / 6), None, None),
        ("ben", "cleo", 6, pytest.approx(4 / 6), None, None),
    ]
    # units with three labels count each of their pairs half, in both directions; those with two count once
    table = ((3, 1, 0, 0), (1, 4, 2, 0), (0, 2, 6, 0), (0, 0, 0, 0))
    assert result.coincidences == table
    assert not differing(
        [vars(label) for label in result.labels],
        [
            {"label": "z", "count": 5, "share": 5 / 20, "agreement": 3 / 4, "confused_with": "y", "confused": 1 / 4},
            {"label": "y", "count": 7, "share": 7 / 20, "agreement": 4 / 7, "confused_with": "x", "confused": 2 / 7},
            {"label": "x", "count": 8, "share": 8 / 20, "agreement": 6 / 8, "confused_with": "y", "confused": 2 / 8},
            {"label": "w", "count": 0, "share": 0.0, "agreement": None, "confused_with": "", "confused": None},
        ],
    )
    assert not differing(
        [vars(dispute) for dispute in result.disputes],
        [
            {"unit": "7", "labels": {"anna": "x", "cleo": "y"}, "disagreement": 1.0},
            {"unit": "4", "labels": {"anna": "y", "ben": "y", "cleo": "z"}, "disagreement": 2 / 3},
        ],
    )
    assert (result.n_units, result.n_single, result.n_annotators) == (8, 1, 3)
    assert agree(THREE, disputed=0).disputes == ()
    (said,) = (note for note in result.notes if note.code == "single_ratings")
    assert said.text.startswith("1 unit of 8 has fewer than two labels")


def test_units_with_a_single_label_are_redrawn_among_themselves() -> None:
    """So that no resample has less than the two units with two labels: else one in ten would have none."""
    result = agree({"a": [*"xyxyx"], "b": ["x", "x", None, None, None]}, coefficients="percent", interval="percentile")
    assert result.coefficients[0].ci == (0, 1)
    assert "resamples_undefined" not in codes(result)


def test_labels_are_rare_below_five_pairs_by_chance() -> None:
    b = [*"xy"] * 10
    for n, rare in ((10, False), (9, True)):
        assert (
            "rare_labels" in codes(agree({"a": ["x"] * n + ["y"] * (20 - n), "b": b}, coefficients="cohen"))
        ) == rare


@pytest.mark.parametrize(("label", "rare"), [(15, True), (16, False)])
def test_labels_are_rare_by_units_however_many_pairs_of_annotators_they_have(label: int, rare: bool) -> None:
    # five annotators give the label on 15 units of 50: by chance two of them on 4.5, of 16 on 5.12
    given = [["y"] * label + ["n"] * (50 - label)] * 5
    data = {f"r{r}": np.roll(of, 7 * r).tolist() for r, of in enumerate(given)}
    result = agree(data, coefficients="krippendorff")
    assert ("rare_labels" in codes(result)) == rare
    assert (result.coefficients[0].ci_method == "score") == rare


def marks(units: int, slips: int) -> dict[str, list[str]]:
    """Marks from 0 to 100 that differ by a little, and some from one end to the other."""
    rng = np.random.default_rng(8)
    truth = rng.uniform(5, 95, units)
    first, second = (np.round(truth + rng.normal(0, 2, units)) for _ in "ab")
    second[:slips] = np.where(first[:slips] < 50, 100, 0)
    return {"a": [f"{mark:.0f}" for mark in first], "b": [f"{mark:.0f}" for mark in second]}


@pytest.mark.parametrize(
    ("units", "slips", "how"),
    [(60, 1, "score"), (200, 4, "score"), (400, 8, "score"), (60, 0, "Fisher-z t"), (600, 0, "Fisher-z t")],
)
def test_units_of_a_fine_scale_that_differ_count_by_how_far(units: int, slips: int, how: str) -> None:
    result = agree(marks(units, slips), coefficients="interval_alpha")
    assert result.coefficients[0].ci_method == how
    said = [note for note in result.notes if note.code == "few_disagreements"]
    assert len(said) == (how != "score" and units < 500)
    assert not any("kappa" in note.remedy for note in said)


def test_kappa_instead_of_ac2_is_advised_where_its_interval_allows_for_slips() -> None:
    rng = np.random.default_rng(3)
    grades = rng.integers(1, 6, 60)
    for differ, advised in ((6, True), (40, False)):
        other = np.where(np.arange(60) < differ, np.where(grades == 1, 2, grades - 1), grades)
        result = agree({"a": list(map(str, grades)), "b": list(map(str, other))}, coefficients="gwet:weights=quadratic")
        (said,) = (note for note in result.notes if note.code == "few_disagreements")
        assert ("report kappa" in said.remedy) == advised


@pytest.mark.parametrize("units", [25, 40, 60])
def test_single_values_of_a_scale_are_no_rare_labels(units: int) -> None:
    rng = np.random.default_rng(8)
    truth = rng.normal(50, 20, units)
    data = {r: [f"{mark:.0f}" for mark in truth + rng.normal(0, 10, units)] for r in "ab"}
    default, bca = (agree(data, coefficients="interval_alpha", interval=name) for name in ("auto", "bca"))
    assert "rare_labels" not in codes(default)
    (one,), (other,) = default.coefficients, bca.coefficients
    assert one.ci_method == "Fisher-z t"
    assert one.ci is not None
    assert other.ci is not None
    assert one.ci[1] - one.ci[0] < 1.4 * (other.ci[1] - other.ci[0])


@pytest.mark.parametrize("coefficient", ["ordinal_alpha", "interval_alpha", "cohen:weights=linear"])
def test_labels_of_a_scale_are_rare_beside_one_that_dominates(coefficient: str) -> None:
    # of 100 units both annotators would give another label than 1 on 5.29 and 4.84
    for most, rare in ((77, False), (78, True)):
        given = ["1"] * most + [*"234"] * 10
        data = {"a": given[:100], "b": given[:100][::-1]}
        result = agree(data, coefficients=coefficient)
        assert ("rare_labels" in codes(result)) == rare
        assert (result.coefficients[0].ci_method == "score") == rare


def test_two_annotators_are_left_out_in_no_turn_and_have_a_table_of_who_gave_which() -> None:
    result = agree({"a": [*"xxyyx"], "b": [*"xyyyy"]}, coefficients="cohen")
    assert [a.without for a in result.annotators] == [{}, {}]
    (pair,) = result.annotator_pairs
    assert (pair.prevalence, pair.bias) == near((1 / 5, 2 / 5))
    assert result.coincidences == ((1, 2), (0, 2))
    # kappa .6 - .44 over 1 - .44; the largest with these margins agrees on 1 + 2
    assert (pair.kappa, pair.kappa_max) == near((2 / 7, 2 / 7))
    turned = agree({"a": [*"xxyyx"], "b": [*"xyyyy"]}, coefficients="scott", exchangeable=True)
    assert turned.coincidences == ((2, 2), (2, 4))


def test_an_annotator_without_whom_nothing_is_left_has_no_numbers() -> None:
    result = agree(
        {"a": ["x", "x", "y", "y"], "b": ["x", "y", None, None], "c": [None, None, "y", "x"]}, coefficients="percent"
    )
    assert [a.without for a in result.annotators] == [{}, {"percent": 0.5}, {"percent": 0.5}]


@pytest.mark.parametrize("labels", [30, 31, 50, 51])
def test_tables_of_labels_end_where_labels_are_too_many(labels: int) -> None:
    names = [*range(labels)]
    result = agree({"a": names, "b": [1, *names[1:]]}, coefficients="krippendorff:distance=interval")
    assert len(result.coincidences) == (labels if labels <= 30 else 0)
    assert len(result.labels) == (labels if labels <= 50 else 0)
    assert len(result.disputes) == (labels <= 50)
    assert "rare_labels" not in codes(result)


@pytest.mark.parametrize("annotators", [20, 21])
def test_pairs_of_annotators_end_where_they_are_too_many(annotators: int) -> None:
    result = agree(
        {f"a{i}": [*"xy"] if i else [*"xx"] for i in range(annotators)}, coefficients="percent", n_resamples=9
    )
    assert len(result.annotator_pairs) == (190 if annotators == 20 else 0)
    assert all(bool(a.without) == (annotators == 20) for a in result.annotators)


@pytest.mark.parametrize(("units", "clusters", "few"), [(29, 0, True), (30, 0, False), (60, 29, True), (60, 30, False)])
def test_few_units_or_clusters_with_two_labels_are_noted(units: int, clusters: int, few: bool) -> None:
    frame = pd.DataFrame({"a": [*"xy"] * 30, "b": [*"xyyx"] * 15, "c": None})
    frame.loc[units:, "b"] = None
    frame["text"] = np.arange(60) % (clusters or 60)
    result = agree(frame, annotators="a,b", cluster="text" if clusters else None)
    assert ("few_units" in codes(result)) == few
    assert {c.n_units for c in result.coefficients} == {units}
    assert result.provenance.n_clusters == (clusters or None)


@pytest.mark.parametrize(("few", "noted"), [(29, True), (30, False)])
def test_few_units_of_a_group_are_noted(few: int, noted: bool) -> None:
    frame = pd.DataFrame({"a": [*"xy"] * 40, "b": [*"xyyx"] * 20, "genre": ["p"] * (80 - few) + ["q"] * few})
    assert ("few_units" in codes(agree(frame, annotators="a,b", by="genre", n_resamples=100))) == noted


def test_a_group_without_disagreement_is_as_unsure_as_its_own_interval() -> None:
    """Resamples of the 60 show no variance at all."""
    a = [*"xy"] * 180
    frame = pd.DataFrame({"a": a, "b": [*"yx", "y", *a[3:]], "genre": ["p"] * 300 + ["q"] * 60})
    found = agree(frame, annotators="a,b", by="genre", coefficients="cohen").coefficients[-1]
    assert found.value == 1
    assert found.gain_ci is not None
    assert found.gain_ci[0] < 0 < found.gain_ci[1]
    assert found.ci_method == "score; MOVER of the difference"


def test_groups_one_by_one() -> None:
    """Three groups: numbers of each are those of its units alone, and the first is compared with both others."""
    groups = {"p": ("xxyyxy", "xxyyyy"), "q": ("xyxyxy", "xxxxyy"), "r": ("yyyyxx", "yyyxxy")}
    frame = pd.DataFrame(
        {"a": [*"".join(a for a, _ in groups.values())], "b": [*"".join(b for _, b in groups.values())]}
    )
    frame["genre"] = [name for name in groups for _ in range(6)]
    result = agree(
        frame, annotators="a,b", by="genre", coefficients="percent,krippendorff", interval="analytic", alpha=0.1
    )
    expected: list[dict[str, Any]] = []
    for name in ("", *groups):
        own = frame[frame.genre == name] if name else frame
        alone = agree(
            own.drop(columns="genre"),
            annotators="a,b",
            coefficients="percent,krippendorff",
            interval="analytic",
            alpha=0.1,
        )
        for i, c in enumerate(alone.coefficients):
            more = {"domain": name, "value": c.value, "se": c.se, "ci": c.ci, "n_units": 18 if not name else 6}
            if name in ("q", "r"):
                first, (low, high) = expected[2 + i], c.ci or (0, 0)
                more |= {"against": "p", "gain": (gain := (c.value or 0) - first["value"])}
                below = math.hypot((c.value or 0) - low, first["ci"][1] - first["value"])
                above = math.hypot(high - (c.value or 0), first["value"] - first["ci"][0])
                more |= {"gain_ci": (gain - below, gain + above), "ci_method": "t; MOVER of the difference"}
            expected.append({**vars(c), **more})
    assert not differing([vars(c) for c in result.coefficients], expected)


def test_coefficients_and_alpha_of_a_table_by_hand() -> None:
    """Ten units, each annotator says x of five and they differ on two."""
    a, b = "xxxxxyyyyy", "xxxxyyyyyx"
    result = agree({"a": [*a], "b": [*b]}, interval="analytic", alpha=0.1)
    values = {c.coefficient: (c.value, c.observed, c.expected) for c in result.coefficients}
    assert not differing(
        values,
        {
            "percent": (0.8, 0.8, 0.0),
            "cohen": (0.6, 0.8, 0.5),
            "scott": (0.6, 0.8, 0.5),
            "krippendorff": (1 - 0.2 / (10 / 19), 0.2, 10 / 19),
            "gwet": (0.6, 0.8, 0.5),
            "bennett": (0.6, 0.8, 0.5),
        },
    )
    percent = result.coefficients[0]
    assert percent.ci is not None
    se = math.sqrt(0.16 / 9)
    assert (percent.se, percent.ci[0]) == near((se, 0.8 - stats.t.ppf(0.95, 9) * se))
    pair = result.annotator_pairs[0].kappa_ci
    assert pair != agree({"a": [*a], "b": [*b]}, alpha=0.05).annotator_pairs[0].kappa_ci


@pytest.mark.parametrize("exchangeable", [False, True])
def test_p_of_units_with_one_to_five_labels_is_near_that_by_relabelling(exchangeable: bool) -> None:
    """Fleiss' frequencies of labels weigh units with a single label most: they are no centre of the pairs of others."""
    rows = drawn(np.random.default_rng(4), 150, 5, [0.8, 0.2], 1, 0.3)
    labels = [["xy"[label] if label is not None else None for label in row] for row in rows]
    labels += 25 * [["y", None, None, None, None]]
    data = {f"r{k}": [row[k] for row in labels] for k in range(5)}
    asked: dict[str, Any] = {"coefficients": "fleiss", "exchangeable": exchangeable, "disputed": 0}
    (plain,) = agree(data, **asked).coefficients
    (relabelled,) = agree(data, **asked, test="relabelling", n_resamples=5_000).coefficients
    assert (plain.p_method, relabelled.p_method) == ("null variance", "relabelling")
    assert plain.p_value == pytest.approx(relabelled.p_value, abs=0.02)


def test_annotators_who_all_agree_have_none_who_agree_least_and_percent_has_no_chance() -> None:
    same = outscore.agree({name: ["x", "y", "x"] for name in "abc"}, coefficients=["percent"], n_resamples=99)
    assert "Least" not in same.to("terminal") and "by chance" not in same.to("terminal")
