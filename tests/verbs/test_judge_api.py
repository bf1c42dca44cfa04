"""``judge`` in Python: every estimate of small tables against the formulas, and what is refused and noted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom

import outscore
from outscore.base.arrays import Array, Float
from outscore.base.errors import InputError, UsageError
from outscore.results.judge import JudgeEstimate
from outscore.significance.confidence import fold_within
from outscore.significance.means import TTest
from outscore.significance.p_values import student_quantile
from outscore.significance.prediction_powered import mean_t, prediction_powered, rogan_gladen, tune_weight
from outscore.significance.proportions import logit_of, tango, wilson
from outscore.verbs.judge.run import NULL
from tests.verbs.flat import differing, near

NAN = math.nan
FULL = "prediction-powered:weight=1"


def table(columns: dict[str, tuple[Any, Any]], **more: Any) -> pd.DataFrame:
    """Labels and the judge's numbers of each system."""
    frames = [
        pd.DataFrame({"system": name, "item": range(len(y)), "human": y, "llm": f, **more})
        for name, (y, f) in columns.items()
    ]
    return pd.concat(frames, ignore_index=True)


def estimates(data: pd.DataFrame, **options: Any) -> dict[tuple[str, str], JudgeEstimate]:
    """By system or gain, and method."""
    found = outscore.judge(data, human="human", **options).estimates
    assert all(e.baseline in (None, options.get("baseline", data.system[0])) for e in found)
    return {(e.system if e.baseline is None else "gain", e.method): e for e in found}


def binary(seed: int, n: int, labelled: int, wrong: int) -> tuple[Float, Float]:
    """Right and wrong, the first so many labelled; the judge errs on so many of these, in either direction."""
    truth = (np.random.default_rng(seed).permutation(n) < 0.6 * n).astype(float)
    judged = truth.copy()
    for value, many in ((1, (wrong + 1) // 2), (0, wrong // 2)):
        judged[np.flatnonzero(truth[:labelled] == value)[:many]] = 1 - value
    return np.where(np.arange(n) < labelled, truth, NAN), judged


def powered(y: Float, f: Float, level: float, clusters: Array | None = None) -> tuple[float, TTest, TTest, TTest]:
    """The tuned weight, and the t tests by it, by the labels and by weight 1."""
    weight = tune_weight(y, f, clusters)
    alone = prediction_powered(y, f, weight=0, clusters=clusters, level=level)
    tuned = prediction_powered(y, f, weight=weight, tuned=True, clusters=clusters, level=level)
    return weight, tuned, alone, prediction_powered(y, f, weight=1, clusters=clusters, level=level)


def odds(made: TTest, level: float, most: float = math.inf) -> tuple[float, float]:
    """Student's interval of a proportion on the logit scale, of at most so many labels."""
    labels = min(most, made.estimate * (1 - made.estimate) / made.se**2)
    return logit_of(made.estimate, labels, student_quantile(level, made.df))


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize(("baseline", "lower", "alpha"), [("old", False, 0.05), ("new", True, 0.2)])
def test_every_estimate_of_right_and_wrong(baseline: str, lower: bool, alpha: float, clustered: bool) -> None:
    n, level = 60, 1 - alpha
    columns = {"old": binary(1, n, 30, 8), "new": binary(2, n, 30, 5)}
    clusters = np.arange(n) % 15 if clustered else None
    options: dict[str, Any] = {"cluster": "document"} if clustered else {}
    data = table(columns, document=[f"d{i % 15:02}" for i in range(n)])
    result = outscore.judge(data, human="human", baseline=baseline, lower=lower, alpha=alpha, **options)
    expected = []
    # 30 labelled items are enough, but not their 15 documents
    few: tuple[str, ...] = ("under_30_labels",) if clustered else ()
    for name, (y, f) in columns.items():
        weight, tuned, alone, full = powered(y, f, level, clusters)
        assert 0 < weight < 1
        naive, corrected = mean_t(f, clusters, level), rogan_gladen(y, f, clusters=clusters, level=level)
        right = int(np.nansum(y))
        of_labels = odds(alone, level, 30) if clustered else wilson(right, 30, level)
        worths = [30 * alone.se**2 / made.se**2 for made in (tuned, alone, full)]
        given: dict[str, Any] = {
            "system": name,
            "baseline": None,
            "null": "",
            "p_value": None,
            "p_adjusted": None,
            "n_labelled": 30,
            "n_items": n,
        }
        nothing: dict[str, Any] = {"weight": None, "worth": None, "notes": ()}
        expected += [
            dict(given, method=method, value=made.estimate, ci=ci, weight=w, worth=worth, notes=said)
            for method, made, ci, w, worth, said in (
                ("prediction-powered", tuned, odds(tuned, level), weight, worths[0], few),
                ("labelled", alone, of_labels, 0.0, worths[1], ()),
                (FULL, full, odds(full, level), 1.0, worths[2], ()),
            )
        ]
        ends = (corrected.low, corrected.high)
        expected.append(dict(given, method="rogan-gladen", value=corrected.estimate, ci=ends, **nothing))
        expected.append(
            dict(
                given,
                method="judge",
                value=f.mean(),
                ci=fold_within((0, 1), naive.estimate, (naive.low, naive.high)),
                **nothing,
            )
        )
    first, other = (columns[name] for name in (("old", "new") if baseline == "old" else ("new", "old")))
    sign = -1 if lower else 1
    y, f = (sign * (b - a) for a, b in zip(first, other, strict=True))
    weight, tuned, alone, full = powered(y, f, level, clusters)
    given = {
        "system": "new" if baseline == "old" else "old",
        "baseline": baseline,
        "n_labelled": 30,
        "n_items": n,
        "notes": (),
    }
    for method, made, w in (("prediction-powered", tuned, weight), ("labelled", alone, 0.0), (FULL, full, 1.0)):
        given["notes"] = few if made is tuned else ()
        numbers: dict[str, Any] = {
            "value": made.estimate,
            "ci": fold_within((-1, 1), made.estimate, (made.low, made.high)),
            "weight": w,
            "worth": 30 * (alone.se / made.se) ** 2,
        }
        expected.append(dict(given, method=method, **numbers, null=NULL, p_value=made.p, p_adjusted=made.p))
    naive = mean_t(f, clusters, level)
    nothing = {"weight": None, "worth": None, "null": "", "p_value": None, "p_adjusted": None}
    ends = fold_within((-1, 1), naive.estimate, (naive.low, naive.high))
    expected.append(dict(given, method="judge", value=naive.estimate, ci=ends, **nothing))
    assert not differing([vars(e) for e in result.estimates], expected)
    ignored = [] if clusters is not None else ["clusters_ignored"]  # the column of clusters is there, alike by chance
    assert [note.code for note in result.notes] == [*few, "judge_alone", *ignored]
    assert (result.human, result.judge, result.baseline, result.alpha) == ("human", "llm", baseline, alpha)
    assert result.provenance.citations[-1] == "Rogan & Gladen 1978"
    assert result.provenance.n_clusters == (15 if clustered else None)


def test_few_disagreements_leave_the_labels_alone() -> None:
    for labelled, wrong, few in ((29, 4, True), (29, 5, False), (30, 4, True), (40, 4, False)):
        columns = {"a": binary(1, 40, labelled, wrong)}
        result = outscore.judge(table(columns), human="human")
        made = {e.method: e for e in result.estimates}
        one, alone = made["prediction-powered"], made["labelled"]
        assert (one.weight == 0) == (few or labelled == 40)
        said = [*(["few_labels"] if few else []), *(["under_30_labels"] if labelled < 30 else [])]
        assert [*one.notes, "judge_alone"] == [*said, "judge_alone"] == [note.code for note in result.notes]
        assert made[FULL].notes == made["prediction-powered"].notes[: 1 if few else 0]
        assert alone.notes == made["judge"].notes == ()
        if few:
            assert (one.value, one.ci, one.worth) == (alone.value, alone.ci, labelled)
            assert f"(a: 4 of {labelled})" in result.notes[0].text


def test_unlabelled_items_count_from_two() -> None:
    for labelled in (38, 39, 40):
        y, f = binary(1, 40, labelled, 8)
        made = estimates(table({"a": (y, f)}))[("a", FULL)]
        counted = labelled < 39
        expected = prediction_powered(y, f, weight=1) if counted else mean_t(y[:labelled], None, 0.95)
        assert made.value == pytest.approx(expected.estimate)
        assert made.weight == 1
        # one item more is no reason to leave the t interval of labels corrected by the judge for Wilson's
        assert made.ci == pytest.approx(
            odds(expected, 0.95) if counted else wilson(24 if labelled == 40 else int(np.nansum(y)), labelled, 0.95)
        )


@pytest.mark.parametrize("clustered", [False, True])
def test_labels_all_alike_have_the_intervals_of_counts(clustered: bool) -> None:
    """Five labels of one kind, or three clusters of them: no variance, but Wilson's and Tango's intervals."""
    n = 3 if clustered else 5
    known = np.array([1.0] * 5 + [NAN] * 5)
    judge = np.array([1.0, 0.0] * 5)
    data = table(
        {"right": (known, judge), "wrong": (0 * known, judge), "same": (known, judge)}, document=[*"aabbcddeef"]
    )
    options: dict[str, Any] = {"cluster": "document"} if clustered else {}
    for baseline, gains in (("right", {"wrong": -1, "same": 0}), ("wrong", {"right": 1, "same": 1})):
        result = outscore.judge(data, human="human", baseline=baseline, **options)
        alone = {(e.system, e.baseline): e for e in result.estimates if e.method == "labelled"}
        assert {name: alone[name, baseline].value for name in gains} == gains
        for name, gain in gains.items():
            expected = tango(n if gain == 1 else 0, n if gain == -1 else 0, n, 0.95)
            assert alone[name, baseline].ci == pytest.approx(fold_within((-1, 1), gain, expected))
            assert alone[name, baseline].p_value == (1.0 if gain == 0 else None)
            assert {e.worth for e in result.estimates if e.n_labelled == 5} == {None}
        assert alone["right", None].ci == pytest.approx(wilson(n, n, 0.95))
        assert alone["wrong", None].ci == pytest.approx(wilson(0, n, 0.95))
    graded = outscore.judge(table({"a": (0.5 * known, judge), "b": (0.25 * known, judge)}), human="human")
    assert {e.ci for e in graded.estimates if e.method == "labelled"} == {
        (0.5, 0.5),
        (0.25, 0.25),
        (-0.25, -0.25),
    }  # grades may be all alike


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("unit", [20.0, 0.05])
def test_the_unit_of_the_judge_changes_nothing(unit: float, clustered: bool) -> None:
    rng = np.random.default_rng(8)
    y = {name: rng.normal(3 + 0.3 * (name == "b"), 1, 300) for name in "ab"}
    judged = {name: v + rng.normal(0, 0.5, 300) for name, v in y.items()}
    found = []
    for scale in (1.0, unit):
        columns = {name: (np.where(np.arange(300) < 60, v, NAN), scale * judged[name]) for name, v in y.items()}
        more = {"document": np.arange(300) // 5} if clustered else {}
        options = {"judge": "llm", "cluster": "document"} if clustered else {}
        found.append(estimates(table(columns, **more), **options))
    for key in (("a", "prediction-powered"), ("b", "prediction-powered"), ("gain", "prediction-powered")):
        one, other = found[0][key], found[1][key]
        assert other.weight == pytest.approx((one.weight or 0) / unit)
        assert [other.value, *(other.ci or ())] == pytest.approx([one.value, *(one.ci or ())])
        assert (other.p_value or 0) == pytest.approx(one.p_value or 0)


def test_grades_have_t_intervals_and_no_bounds_and_gains_turn_where_lower_is_better() -> None:
    rng = np.random.default_rng(5)
    y = {name: rng.integers(1, 6, 40).astype(float) for name in "abc"}
    columns = {name: (np.where(np.arange(40) < 32, v, NAN), v + rng.integers(-1, 2, 40)) for name, v in y.items()}
    found = estimates_of_three = outscore.judge(table(columns), human="human", lower=True, correction="holm").estimates
    for e in found:
        if e.method != "labelled":
            continue
        values = y[e.system][:32] if e.baseline is None else y["a"][:32] - y[e.system][:32]
        made = mean_t(values, None, 0.95)
        assert e.ci == pytest.approx((made.low, made.high))
        assert e.value == pytest.approx(values.mean())
    assert "rogan-gladen" not in {e.method for e in estimates_of_three}
    for method in ("prediction-powered", "labelled", FULL):
        raw = [(e.p_value or 0, e.p_adjusted) for e in found if e.method == method and e.baseline]
        small, large = sorted(raw)
        assert small[1] == pytest.approx(min(1, 2 * small[0]))
        assert large[1] == pytest.approx(max(large[0], min(1, 2 * small[0])))


def test_bounds_of_proportions_fold_intervals_of_gains_and_of_the_judge_alone() -> None:
    y, f = np.array([1.0, 0.0, 1.0, 1.0, NAN]), np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    found = estimates(table({"a": (y, 1 - f), "b": (1 - y, f)}))
    for key, values, low in ((("b", "judge"), f, 0), (("gain", "labelled"), 1 - 2 * y[:4], -1)):
        made = mean_t(values, None, 0.95)
        assert (made.low, made.high) != pytest.approx(fold_within((low, 1), made.estimate, (made.low, made.high)))
        assert found[key].ci == pytest.approx(fold_within((low, 1), made.estimate, (made.low, made.high)))
        wide = estimates(table({"a": (y, 1 - f), "b": (1 - y, f * 2)}))[key]  # 2 is no proportion
        assert wide.ci == pytest.approx((made.low, made.high) if low else (2 * made.low, 2 * made.high))


@pytest.mark.parametrize(
    ("y", "f", "estimate"),
    [
        ([1, 0, 1, NAN, NAN, NAN], [1, 0, 0, 1, 1, 0], 1.0),
        ([1, 0, 1, NAN, NAN, NAN], [1, 1, 1, 0, 0, 1], 0.0),
        ([1, 0, 1, NAN, NAN, NAN], [1, 0, 0, 1, 1, 1], 4 / 3),
        ([1, 0, 1, 0, NAN, NAN, NAN], [1, 0, 1, 0, 1, 1, 1], 1.0),  # nothing varies, but labels are of both kinds
    ],
)
def test_estimates_that_are_no_proportions_keep_their_t_intervals(
    y: list[float], f: list[float], estimate: float
) -> None:
    labels, judged = np.array(y), np.array(f, dtype=float)
    found = estimates(table({"a": (0 * labels, 0 * judged), "b": (labels, judged)}))
    made = prediction_powered(labels, judged)
    for key in ("b", "gain"):
        one = found[key, FULL]
        ends = (
            fold_within((-1, 1), estimate, (made.low, made.high))
            if (key, estimate) in (("gain", 0), ("gain", 1))
            else (made.low, made.high)
        )
        assert (one.value, one.ci) == (near(estimate), near(ends))
        assert (one.worth is None) == (made.se == 0 or np.nanvar(labels) == 0)


def test_runs_are_averaged_and_items_of_which_a_run_has_no_label_are_not_labelled() -> None:
    labels = [1, 0, 1, 1, 0, NAN, NAN, NAN, 0, 1]
    rows = [("a", i // 2, i % 2, label, 1 - i % 2) for i, label in enumerate(labels)]
    data = pd.DataFrame(rows, columns=["system", "item", "run", "human", "llm"])
    result = outscore.judge(data, human="human", judge="llm")
    alone = next(e for e in result.estimates if e.method == "labelled")
    assert (alone.value, alone.n_labelled, alone.n_items) == (near(2 / 3), 3, 5)
    assert alone.ci == pytest.approx(odds(mean_t(np.array([0.5, 1, 0.5]), None, 0.95), 0.95))
    assert next(e for e in result.estimates if e.method == "judge").value == 0.5
    (note,) = (note for note in result.notes if note.code == "partly_labelled")
    assert "(a: 1)" in note.text


def test_labelled_items_that_differ_are_noted_by_the_law_of_random_samples() -> None:
    """Of 60 right or wrong items 40 are labelled: SciPy's hypergeometric law, of both systems by Holm."""
    for right, systems, said in ((20, 1, False), (12, 1, False), (11, 1, True), (11, 2, False), (10, 2, True)):
        y = np.array([1.0] * 40 + [NAN] * 20)
        f = np.array([1.0] * 36 + [0.0] * 4 + [1.0] * right + [0.0] * (20 - right))
        law = hypergeom(60, 36 + right, 40)
        counts = np.arange(41)
        p = law.pmf(counts)[abs(counts - law.mean()) >= abs(36 - law.mean()) - 1e-9].sum()
        tests = 2 * systems - 1
        assert (p * tests < 0.01) == said
        for cluster in (None, "document"):
            data = table(dict.fromkeys("ab"[:systems], (y, f)), document=range(60))
            found = outscore.judge(data, human="human", cluster=cluster).notes
            assert ("labelled_differ" in [note.code for note in found]) == (said and cluster is None)


def test_scores_of_few_labels_besides_the_commonest_may_be_skewed() -> None:
    """Of 700 labelled items, or of the documents that hold them; never of right or wrong, and never of gains."""
    for other, grade, cluster, said in (
        (299, 5, None, True), (300, 5, None, False), (300, 5, "document", True), (299, 1, None, False),
    ):  # fmt: skip
        label = np.where(np.arange(800) < other, grade, 0)
        y, f = np.where(np.arange(800) < 700, label, NAN), np.where(np.arange(800) % 7, label, grade)
        data = table({"a": (y, f), "b": (y, f)}, document=np.arange(800) // 4)
        found = outscore.judge(data, human="human", judge="llm", cluster=cluster)
        texts = [note.text for note in found.notes if note.code == "few_differences"]
        assert ["intervals of scores may cover too little" in text for text in texts] == [True] * said
        noted = {(e.method, e.baseline) for e in found.estimates if "few_differences" in e.notes}
        assert noted == ({("prediction-powered", None)} if said else set())


@pytest.mark.parametrize(
    ("llm", "human", "options", "error", "said"),
    [
        (
            [1, 0, 1],
            [1, NAN, NAN],
            {},
            InputError,
            "fewer than two items of system 'a' have a number in column 'human'",
        ),
        ([1, 0, NAN], [1, 0, NAN], {}, InputError, "column 'llm' has no number for some items of system 'a'"),
        ([1, 0, NAN], [1, 0, NAN], {}, InputError, "let the judge score every item"),
        ([1, 0, NAN], [1, 0, 1], {}, InputError, "'human' has all: if they were swapped, human=.*llm.* judge=.*human"),
        ([1, 0, 1], [1, 0, NAN], {"judge": "lm"}, UsageError, "no column 'lm'; did you mean 'llm'"),
        (
            [1, 0, 1],
            [1, 0, NAN],
            {"more": [1, 1, 1]},
            UsageError,
            "which column is the judge's. There are 'llm', 'more'",
        ),
    ],
)
def test_what_cannot_be_judged(llm: Any, human: Any, options: Any, error: type[Exception], said: str) -> None:
    more = {key: options.pop(key) for key in ("more",) if key in options}
    with pytest.raises(error, match=said):
        outscore.judge(table({"a": (human, llm)}, **more), human="human", **options)


def test_columns_may_have_been_swapped_only_where_all_systems_have_all_labels() -> None:
    data = table({"a": ([1, 0, 1], [1, 0, NAN]), "b": ([1, 0, NAN], [1, 0, 1])})
    with pytest.raises(InputError) as refused:
        outscore.judge(data, human="human")
    assert "let the judge score every item" in str(refused.value)


def test_the_column_human_holds_the_human_labels_where_none_is_named() -> None:
    data = table({"a": ([1, 0, NAN, 1], [1, 0, 1, 1])})
    assert outscore.judge(data).estimates == outscore.judge(data, human="human", judge="llm").estimates
    with pytest.raises(UsageError, match=r"which column holds the human labels[?] There are 'expert', 'llm': name it"):
        outscore.judge(data.rename(columns={"human": "expert"}))


@pytest.mark.parametrize("options", [{}, {"human": "human"}])
def test_a_column_human_that_holds_texts_is_named_with_the_cell(options: dict[str, Any]) -> None:
    data = table({"a": (["1", "-", "0", "1"], [1, 0, 1, 1])})
    with pytest.raises(InputError, match=r"column 'human' holds .*leave cells without a number empty"):
        outscore.judge(data, **options)


@pytest.mark.parametrize("labelled", [[0, 1], [2, 3]])
def test_two_items_are_enough(labelled: list[int]) -> None:
    """No two of so few can differ from the others by more than chance: any two of six are as likely as 14 others."""
    f = np.array([0.0, 0.1, 5.0, 5.1, 5.2, 4.9][: 6 if labelled == [0, 1] else 4])
    y = np.where(np.isin(np.arange(len(f)), labelled), [1.0, 0.0] * (len(f) // 2), NAN)
    result = outscore.judge(table({"a": (y, f)}), human="human")
    assert "labelled_differ" not in [note.code for note in result.notes]
    assert next(e for e in result.estimates if e.method == "labelled").value == 0.5


@pytest.mark.parametrize(("documents", "noted"), [(29, True), (30, False)])
def test_few_labelled_documents_are_few_labels_however_many_items_they_have(documents: int, noted: bool) -> None:
    rng = np.random.default_rng(1)
    place = np.repeat(np.arange(60), 5)
    right = rng.integers(0, 2, len(place)).astype(float)
    frame = {
        "item": np.arange(len(place)),
        "document": place,
        "correct": np.where(place < documents, right, np.nan),
        "llm": np.where(rng.random(len(place)) < 0.2, 1 - right, right),
    }
    found = outscore.judge(pd.DataFrame(frame), human="correct", judge="llm", cluster="document")
    assert ("under_30_labels" in [note.code for note in found.notes]) is noted


@pytest.mark.parametrize(("says", "low", "high"), [(1.0, 60 / (60 + 3.841459), 1.0), (0.0, 0.0, 3.841459 / 63.841459)])
def test_a_judge_that_says_one_thing_of_all_items_has_no_interval_of_one_point(
    says: float, low: float, high: float
) -> None:
    """Wilson's interval of 60 items, and Tango's of gains: [1, 1] would say that no answer can be wrong."""
    rows = [(system, str(i), i % 4 > 0 if i < 40 else None, says) for system in ("base", "new") for i in range(60)]
    frame = pd.DataFrame(rows, columns=["system", "item", "correct", "llm"]).astype({"correct": "float"})
    alone = [e for e in outscore.judge(frame, human="correct", judge="llm").estimates if e.method == "judge"]
    for share in alone[:2]:
        assert share.ci == pytest.approx((low, high), abs=1e-6)
    assert alone[2].ci == pytest.approx((-3.841459 / 63.841459, 3.841459 / 63.841459), abs=1e-6)


@pytest.mark.parametrize("correction", ["holm", "none"])
@pytest.mark.parametrize("clustered", [False, True])
def test_how_far_the_judge_is_off_is_measured_where_humans_labelled(clustered: bool, correction: str) -> None:
    columns = {"a": binary(1, 60, 30, 5), "b": binary(2, 60, 24, 7), "c": binary(3, 60, 30, 0)}
    documents = np.arange(60) // 4
    found = outscore.judge(
        table(columns, document=documents), human="human", cluster="document" if clustered else None,
        correction=correction,
    )  # fmt: skip
    assert [(one.system, one.baseline) for one in found.biases] == [
        *((name, None) for name in "abc"), ("b", "a"), ("c", "a"),
    ]  # fmt: skip
    for one in found.biases:
        several = 3 if one.baseline is None else 2
        level = 0.95 if correction == "none" else 1 - 0.05 / several
        y, f = columns[one.system]
        if one.baseline is not None:
            y, f = y - columns["a"][0], f - columns["a"][1]
        known = np.isfinite(y)
        errors = (f - y)[known]
        assert one.bias == pytest.approx(errors.mean())
        assert one.n_labelled == known.sum()
        assert one.same == pytest.approx((errors == 0).mean())
        made = mean_t(errors, documents[known] if clustered else None, level)
        if one.baseline is None and not clustered:
            expected = tango(int((errors > 0).sum()), int((errors < 0).sum()), len(errors), level)
        elif made.se > 0:
            limit = 1.0 if one.baseline is None else 2.0
            expected = fold_within((-limit, limit), made.estimate, (made.low, made.high))
        else:  # c has no error: as many documents as are labelled
            expected = tango(0, 0, len(np.unique(documents[known])), level)
        assert one.ci == pytest.approx(expected)


def test_the_bias_of_grades_is_a_t_interval_and_of_grades_without_error_undefined() -> None:
    y, f = np.array([1.0, 5, 3, NAN, NAN]), np.array([2.0, 5, 4, 1, 2])
    found = outscore.judge(table({"a": (y, f)}), human="human")
    made = mean_t((f - y)[:3], None, 0.95)
    (one,) = found.biases
    assert one.bias == pytest.approx(2 / 3)
    assert one.ci == pytest.approx((made.low, made.high))
    (one,) = outscore.judge(table({"a": (y, np.where(np.isfinite(y), y, 2.0))}), human="human").biases
    assert (one.bias, one.ci, one.same, one.chance) == (0, None, 1, None)


def test_chance_is_that_of_cohens_kappa() -> None:
    """Of the labelled items alone: 3 of 4 by humans and 2 of 4 by the judge are right."""
    y, f = np.array([1.0, 1, 1, 0, NAN, NAN]), np.array([1.0, 1, 0, 0, 1, 1])
    one, *_, gain = outscore.judge(table({"a": (y, f), "b": (1 - y, f)}), human="human").biases
    assert (one.same, one.chance) == (0.75, 0.75 * 0.5 + 0.25 * 0.5)
    assert gain.baseline == "a" and gain.chance is None


def test_a_gain_needs_items_that_are_labelled_for_both() -> None:
    apart = {"a": ([1, 0, NAN, NAN], [1, 0, 1, 1]), "b": ([NAN, NAN, 1, 0], [1, 0, 1, 1])}
    with pytest.raises(InputError, match="no item has a number in column 'human' for both 'b' and the baseline 'a'"):
        outscore.judge(table(apart), human="human")


def test_a_quantile_beyond_what_e_can_be_raised_to_leaves_all_proportions() -> None:
    low, high = logit_of(0.3, 2, 1e9)
    assert (low < 1e-300, high) == (True, 1)


def test_numbers_whose_squares_are_none_are_refused() -> None:
    labels = [1e200, -1e200, 3e199, math.nan, math.nan]
    frame = pd.DataFrame({"item": range(5), "human": labels, "llm": [1e200, 1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(outscore.InputError, match=r"column 'human' holds numbers up to 1e\+200 in size"):
        outscore.judge(frame, human="human")


@pytest.mark.parametrize(("apart", "said"), [(0, False), (20, False), (21, True), (60, True)])
def test_labels_of_one_system_alone_are_told_and_the_rates_of_each_named(apart: int, said: bool) -> None:
    """A gain of .2 was "+.04, p = 1", of the quarter of the labels that both systems had."""
    rng, place = np.random.default_rng(5), np.arange(300)
    labels = [np.where((place >= k) & (place < k + 100), rng.integers(0, 2, 300), np.nan) for k in (0, apart)]
    data = table({name: (y, rng.integers(0, 2, 300).astype(float)) for name, y in zip("ab", labels, strict=True)})
    found = outscore.judge(data, human="human")
    notes = [note for note in found.notes if note.code == "labelled_apart"]
    assert [f"b: {100 - apart} of 100" in note.text for note in notes] == [True] * said
    far = [np.where((place >= k) & (place < k + 100), rng.integers(0, 2, 300), np.nan) for k in (0, 150)]
    none = table({name: (y, rng.integers(0, 2, 300).astype(float)) for name, y in zip("ab", far, strict=True)})
    with pytest.raises(InputError, match="the score of each needs no other: FILE#b"):
        outscore.judge(none, human="human")


def test_a_number_for_no_label_is_no_label() -> None:
    rng = np.random.default_rng(5)
    judge = rng.integers(0, 2, (2, 60)).astype(float)
    columns = {name: (np.where(np.arange(60) < 30, f, -1.0), f) for name, f in zip("ab", judge, strict=True)}
    with pytest.raises(InputError, match=r"holds -1 beside 0 and 1.*leave the cell empty"):
        outscore.judge(table(columns), human="human")
