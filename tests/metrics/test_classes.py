"""Scores of class labels against scikit-learn, against plain loops, and against the oracle's confusion tables."""

from __future__ import annotations

import csv
import gzip
import pickle
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.base.items import Items
from outscore.base.registry import spell
from outscore.metrics import metrics
from outscore.metrics.classes import F1
from outscore.metrics.shared.labels import MOST_CLASSES, confusion
from tests.examples import examples
from tests.oracles.support import close, family

AVERAGED = ("precision", "recall", "f1", "fbeta:beta=0.5", "fbeta:beta=2")
CONFUSIONS = [case for case in family("metrics")["cases"] if "tp" in case["input"]]
PAIRS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["a", "b", "c", "d", "x", "y", ""])), min_size=1)
RATINGS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1)

several = settings(max_examples=examples(60))


def labelled(gold: Sequence[str], predicted: Sequence[str]) -> Items:
    return Items(n=len(gold), outputs=predicted, references=(gold,))


def score(spec: str, items: Items) -> float:
    """The score of a metric that stands for itself, prepared."""
    (metric,) = metrics.make(spec).prepare([items])
    return float(metric.score(metric.statistics(items).sum(axis=0)))


def skl(spec: str, gold: Sequence[str], predicted: Sequence[str], **options: Any) -> Any:
    """The same score by scikit-learn."""
    from sklearn import metrics as theirs

    metric: Any = metrics.make(spec)
    if metric.name == "fbeta":
        return theirs.fbeta_score(gold, predicted, beta=metric.beta, zero_division=0, **options)
    return getattr(theirs, f"{metric.name}_score")(gold, predicted, zero_division=0, **options)


def columns(case: dict[str, Any], *names: str) -> Items:
    """A confusion table as counts of two items."""
    halves = {name: np.array([float(case["input"][name]) - 1.0, 1.0]) for name in names or ("tp", "fp", "fn", "tn")}
    return Items(n=2, columns=halves)


def confused(case: dict[str, Any]) -> Items:
    """A confusion table as labels, one item for each count."""
    kinds = {"tp": ("yes", "yes"), "fp": ("no", "yes"), "fn": ("yes", "no"), "tn": ("no", "no")}
    rows = [kinds[kind] for kind, count in case["input"].items() for _ in range(count)]
    return labelled([g for g, _ in rows], [p for _, p in rows])


@pytest.mark.parametrize("spec", AVERAGED)
@pytest.mark.parametrize("average", ["macro", "weighted"])
@several
@given(pairs=PAIRS)
def test_averages_over_the_gold_classes_are_those_of_scikit_learn(
    spec: str, average: str, pairs: list[tuple[str, str]]
) -> None:
    gold, predicted = ([pair[i] for pair in pairs] for i in range(2))
    ours = score(f"{spec}{',' if ':' in spec else ':'}average={average}", labelled(gold, predicted))
    assert ours == pytest.approx(skl(spec, gold, predicted, labels=sorted(set(gold)), average=average), abs=1e-9)


@pytest.mark.parametrize("spec", AVERAGED)
@several
@given(pairs=PAIRS, more=PAIRS)
def test_a_part_is_averaged_over_the_gold_classes_that_it_has(
    spec: str, pairs: list[tuple[str, str]], more: list[tuple[str, str]]
) -> None:
    """A bucket knows nothing of the classes of the others, a class without any prediction scores 0."""
    whole = labelled(*([pair[i] for pair in (*pairs, *more, ("a", "b"), ("b", "a"))] for i in range(2)))
    gold, predicted = ([pair[i] for pair in pairs] for i in range(2))
    (macro,) = metrics.make(spec).prepare([whole])
    part = macro.statistics(labelled(gold, predicted))
    wanted = skl(spec, gold, predicted, labels=sorted(set(gold)), average="macro")
    assert float(macro.score_of_part(part)(part.sum(axis=0))) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("spec", AVERAGED)
@several
@given(pairs=PAIRS)
def test_micro_counts_every_wrong_prediction_also_of_classes_that_are_not_gold(
    spec: str, pairs: list[tuple[str, str]]
) -> None:
    gold, predicted = ([pair[i] for pair in pairs] for i in range(2))
    ours = score(f"{spec}{',' if ':' in spec else ':'}average=micro", labelled(gold, predicted))
    assert ours == pytest.approx(skl(spec, gold, predicted, average="micro"), abs=1e-9)
    assert ours == pytest.approx(sum(g == p for g, p in pairs) / len(pairs))


@several
@given(pairs=PAIRS)
def test_each_class_has_its_own_metric_with_a_name_that_makes_it_again(pairs: list[tuple[str, str]]) -> None:
    gold, predicted = ([pair[i] for pair in pairs] for i in range(2))
    items = labelled(gold, predicted)
    each = metrics.make("f1:average=each").prepare([items])
    assert [metric.label for metric in each] == [f"f1:of={name}" for name in sorted(set(gold))]
    ours = [metric.score(metric.statistics(items).sum(axis=0)) for metric in each]
    np.testing.assert_allclose(ours, skl("f1", gold, predicted, labels=sorted(set(gold)), average=None), atol=1e-9)
    assert ours == [score(metric.label, items) for metric in each]
    assert score("f1", items) == pytest.approx(np.mean(ours))


@pytest.mark.parametrize("name", ["a,b", "50%", "a%2Cb", "%25", "x=y", "a:b=c", "B-PER", "日本", "two words", "none"])
def test_a_class_of_any_name_can_be_asked_for(name: str) -> None:
    items = labelled([name, name, "other"], [name, "other", "other"])
    each = {metric._classes: metric for metric in metrics.make("recall:average=each").prepare([items])}  # type: ignore[attr-defined]
    named = metrics.make(each[(name,)].label)
    assert spell(named) == each[(name,)].label
    assert named.prepare([items]) == (each[(name,)],)
    assert score(spell(named), items) == 0.5


def test_a_comma_in_the_name_of_a_class_is_refused_where_it_could_not_be_read_again() -> None:
    with pytest.raises(UsageError, match=r"f1:of=a,b: expected the name of a class, a comma in it written %2C"):
        F1(of="a,b")


def test_a_class_that_is_not_gold_is_refused_with_the_nearest() -> None:
    items = labelled(["PER", "LOC"], ["PER", "PRE"])
    with pytest.raises(UsageError, match=r"no gold label is 'PRE'; did you mean 'PER'\? \(there are 'LOC', 'PER'\)"):
        metrics.make("f1:of=PRE").prepare([items])


def test_one_class_and_an_average_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="no average together with of=CLASS"):
        metrics.make("f1:of=a,average=micro")


def test_the_classes_stay_those_of_the_whole_test_set() -> None:
    """A resample without any item of a class scores 0 for it: the number of classes never changes."""
    items = labelled(["a", "b", "c"], ["a", "b", "c"])
    (macro,) = metrics.make("f1").prepare([items])
    statistics = macro.statistics(items)
    assert float(macro.score(statistics.sum(axis=0))) == 1
    assert float(macro.score(statistics[[0, 0, 1]].sum(axis=0))) == pytest.approx(2 / 3)
    part = Items(n=1, outputs=["a"], references=(["a"],))
    np.testing.assert_array_equal(macro.statistics(part), statistics[[0]])


@pytest.mark.parametrize("spec", ["f1", "f1:of=b", "recall:average=weighted", "mcc", "kappa", "kappa:weights=linear"])
def test_a_metric_that_nobody_prepared_goes_by_the_items_it_gets(spec: str) -> None:
    items = labelled(["1", "2", "2", "3"], ["1", "2", "3", "4"])
    spec = spec.replace("of=b", "of=2")
    metric = metrics.make(spec)
    assert float(metric.score(metric.statistics(items).sum(axis=0))) == score(spec, items)


def test_a_metric_of_each_class_that_nobody_prepared_says_what_to_do() -> None:
    with pytest.raises(UsageError, match=r"prepare\(\)"):
        metrics.make("f1:average=each").statistics(labelled(["a"], ["a"]))


@pytest.mark.parametrize("spec", ["f1", "mcc", "kappa"])
def test_a_prepared_metric_can_be_sent_to_another_process(spec: str) -> None:
    (metric,) = metrics.make(spec).prepare([labelled(["a", "b"], ["a", "b"])])
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert metric.label == spec


def test_only_scores_of_one_row_of_counts_are_ratios_of_sums() -> None:
    items = labelled(["a", "b"], ["a", "b"])
    for spec, expected in {
        "f1": False,
        "f1:average=weighted": False,
        "f1:average=micro": True,
        "f1:of=a": True,
    }.items():
        (metric,) = metrics.make(spec).prepare([items])
        assert (metric.ratio() is not None) == expected, spec
    (counts,) = metrics.make("f1").prepare([columns(CONFUSIONS[0])])
    assert counts.ratio() is not None


@pytest.mark.parametrize("case", CONFUSIONS, ids=lambda case: case["id"])
def test_counts_of_a_confusion_table_give_the_scores_of_the_oracle(case: dict[str, Any]) -> None:
    expected = case["expected"]
    for spec in ("precision", "recall", "f1"):
        assert close(score(spec, columns(case, "tp", "fp", "fn")), expected[spec]["float"], 1e-10)
    assert close(score("kappa", columns(case)), expected["cohen_kappa"]["float"], 1e-10)
    assert close(score("mcc", columns(case)), expected["mcc"], 1e-10)
    counts = columns(case).columns
    right, every = counts["tp"] + counts["tn"], sum(counts.values())
    ratio = Items(n=2, columns={"right": right, "all": np.asarray(every)})
    assert close(score("ratio:num=right,den=all", ratio), expected["accuracy"]["float"], 1e-10)


@pytest.mark.parametrize(
    "case",
    [pytest.param(c, id=c["id"], marks=pytest.mark.slow if c["input"]["tp"] > 1000 else ()) for c in CONFUSIONS],
)
def test_labels_of_a_confusion_table_give_the_scores_of_the_oracle(case: dict[str, Any]) -> None:
    expected, items = case["expected"], confused(case)
    for spec in ("precision", "recall", "f1"):
        assert close(score(f"{spec}:of=yes", items), expected[spec]["float"], 1e-10)
    assert close(score("accuracy", items), expected["accuracy"]["float"], 1e-10)
    assert close(score("kappa", items), expected["cohen_kappa"]["float"], 1e-10)
    assert close(score("mcc", items), expected["mcc"], 1e-10)


@several
@given(pairs=PAIRS)
def test_mcc_is_that_of_scikit_learn_with_one_class_for_all_that_is_not_gold(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import matthews_corrcoef

    gold, predicted = ([pair[i] for pair in pairs] for i in range(2))
    other = [p if p in gold else "other" for p in predicted]
    assert score("mcc", labelled(gold, predicted)) == pytest.approx(matthews_corrcoef(gold, other), abs=1e-9)


@several
@given(pairs=PAIRS)
def test_mcc_is_the_correlation_of_indicators(pairs: list[tuple[str, str]]) -> None:
    """From the definition of Gorodkin 2004: covariances of indicators, summed over the classes."""
    names = sorted({g for g, _ in pairs})
    x = np.array([[g == name for name in [*names, None]] for g, _ in pairs], dtype=float)
    y = np.array([[*(p == name for name in names), p not in names] for _, p in pairs], dtype=float)

    def covariance(a: Any, b: Any) -> float:
        return float(((a - a.mean(axis=0)) * (b - b.mean(axis=0))).sum())

    spread = covariance(x, x) * covariance(y, y)
    expected = covariance(x, y) / spread**0.5 if spread > 1e-12 else 0.0
    assert score("mcc", labelled([g for g, _ in pairs], [p for _, p in pairs])) == pytest.approx(expected, abs=1e-9)


@several
@given(pairs=PAIRS)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    gold, predicted = ([pair[i] for pair in pairs] for i in range(2))
    ours = score("kappa", labelled(gold, predicted))
    if len({*gold, *predicted}) == 1:
        assert ours == 0  # 0/0
    else:
        assert ours == pytest.approx(cohen_kappa_score(gold, predicted), abs=1e-9)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
@several
@given(ratings=RATINGS)
def test_weighted_kappa_is_that_of_scikit_learn_where_no_rating_is_skipped(
    weights: str, ratings: list[tuple[int, int]]
) -> None:
    from sklearn.metrics import cohen_kappa_score

    gold, predicted = ([rating[i] for rating in ratings] for i in range(2))
    ours = score(f"kappa:weights={weights}", labelled([str(g) for g in gold], [f"{p}.0" for p in predicted]))
    if len({*gold, *predicted}) == 1:
        assert ours == 0
    else:
        theirs = cohen_kappa_score(gold, predicted, weights=weights, labels=[1, 2, 3, 4, 5])
        assert ours == pytest.approx(theirs, abs=1e-9)


@several
@given(ratings=RATINGS)
def test_weighted_kappa_goes_by_the_distance_of_the_numbers_and_not_by_their_order(
    ratings: list[tuple[int, int]],
) -> None:
    """Loops over all pairs of a gold label and a prediction; 10 is far from 2 and after it, unlike in the alphabet."""
    values = {1: 1.0, 2: 2.0, 3: 2.5, 4: 10.0, 5: -3.0}
    gold, predicted = ([values[rating[i]] for rating in ratings] for i in range(2))
    observed = sum((g - p) ** 2 for g, p in zip(gold, predicted, strict=True)) / len(ratings)
    by_chance = sum((g - p) ** 2 for g in gold for p in predicted) / len(ratings) ** 2
    expected = 1 - observed / by_chance if by_chance else 0.0
    items = labelled([f"{g:g}" for g in gold], [f"{p:g}" for p in predicted])
    assert score("kappa:weights=quadratic", items) == pytest.approx(expected, abs=1e-9)


def test_weights_of_kappa_need_numbers() -> None:
    with pytest.raises(InputError, match="the prediction of item 2 is '-'; write it as a number, or use kappa without"):
        score("kappa:weights=linear", labelled(["1", "2"], ["1", "-"]))
    with pytest.raises(InputError, match="the gold label of item 1 is 'good'"):
        score("kappa:weights=quadratic", labelled(["good", "2"], ["1", "2"]))
    with pytest.raises(InputError, match="the prediction of item 1 is 'inf'"):
        score("kappa:weights=quadratic", labelled(["1", "2"], ["inf", "2"]))


@pytest.mark.parametrize("spec", ["mcc", "kappa"])
def test_correlation_and_agreement_with_one_class_only_are_0(spec: str) -> None:
    assert score(spec, labelled(["a", "a"], ["a", "a"])) == 0
    assert score(spec, labelled(["a", "b"], ["a", "a"])) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = outscore.score({"a": ["x"] * 30}, references=["x"] * 30, metrics=spec).scores[0]
    assert found.score == 0
    assert score(spec, labelled(["a", "a"], ["x", "y"])) == 0
    zeros = {name: np.zeros(1) for name in ("tp", "fp", "fn", "tn")}
    assert score(spec, Items(n=1, columns=zeros)) == 0


@several
@given(pairs=PAIRS)
def test_a_confusion_matrix_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import confusion_matrix

    gold, predicted = ([pair[i] for pair in pairs] for i in range(2))
    items = labelled(gold, predicted)
    for classes in (sorted({*gold, *predicted}), sorted(set(gold), reverse=True)):
        found = confusion(items, classes)
        assert found.dtype == np.int64
        np.testing.assert_array_equal(found, confusion_matrix(gold, predicted, labels=classes))


def test_a_row_of_a_confusion_matrix_is_a_gold_class() -> None:
    found = confusion(labelled(["a", "a", "b"], ["b", "b", "b"]), ["a", "b"])
    np.testing.assert_array_equal(found, [[0, 2], [0, 1]])


@pytest.mark.parametrize("spec", ["f1", "precision:average=micro", "recall:of=a", "mcc", "kappa"])
def test_labels_that_no_score_can_be_made_from_are_refused(spec: str) -> None:
    with pytest.raises(InputError, match=r"there are no gold labels; .*-r GOLD_FILE"):
        score(spec, Items(n=1, outputs=["a"]))
    with pytest.raises(InputError, match="there are 2 files or columns of them; give one"):
        score(spec, Items(n=1, outputs=["a"], references=(["a"], ["a"])))
    with pytest.raises(InputError, match="item 2 has none; fill it in"):
        score(spec, labelled(["a", " "], ["a", "a"]))


@pytest.mark.parametrize("spec", ["f1", "f1:average=each", "mcc", "kappa"])
def test_texts_are_not_taken_for_classes(spec: str) -> None:
    texts = [f"sentence {i}" for i in range(MOST_CLASSES + 1)]
    with pytest.raises(InputError, match=r"1001 items have 1001 different gold labels .*; use accuracy"):
        score(spec, labelled(texts, texts))
    assert score("f1:average=micro", labelled(texts, texts)) == 1
    assert metrics.make(spec).prepare([labelled(texts[1:], texts[1:])]), "as many classes as may be"


def test_a_table_in_which_no_column_is_a_label_says_which_counts_are_missing() -> None:
    with pytest.raises(InputError, match=r"f1 reads the column 'tp'; the data have 'fp'"):
        score("f1", Items(n=1, columns={"fp": np.ones(1)}))
    with pytest.raises(InputError, match="compares predictions with gold labels, but there are no predictions"):
        score("f1:average=each", Items(n=1, columns={"tp": np.ones(1)}))


def read_labels(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def agree_with_sklearn(gold: list[str], predicted: list[str]) -> None:
    from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

    items, classes = labelled(gold, predicted), sorted(set(gold))
    for spec in ("precision", "recall", "f1"):
        for average in ("macro", "weighted"):
            expected = skl(spec, gold, predicted, labels=classes, average=average)
            assert score(f"{spec}:average={average}", items) == pytest.approx(expected, abs=1e-9)
    assert score("f1:average=micro", items) == pytest.approx(skl("f1", gold, predicted, average="micro"), abs=1e-9)
    assert score("mcc", items) == pytest.approx(matthews_corrcoef(gold, predicted), abs=1e-9)
    assert score("kappa", items) == pytest.approx(cohen_kappa_score(gold, predicted), abs=1e-9)


@pytest.mark.slow
def test_reviews_and_sentiment_have_the_scores_of_scikit_learn(data_root: Path) -> None:
    rows = read_labels(data_root / "data" / "cls_marc_sst2" / "labels.tsv.gz")
    published = {"marc-de": (0.9330, 0.9335), "marc-zh": (0.8705, 0.8680), "sst2": (0.8572, 0.8803)}
    for dataset in sorted({row["dataset"] for row in rows}):
        chosen = [row for row in rows if row["dataset"] == dataset]
        gold = [row["gold"] for row in chosen]
        for system, place in (("sys1", 0), ("sys2", 1)):
            predicted = [row[system] for row in chosen]
            agree_with_sklearn(gold, predicted)
            if dataset in published:
                accuracy = score("accuracy", labelled(gold, predicted))
                assert accuracy == pytest.approx(published[dataset][place], abs=5e-5)


@pytest.mark.slow
def test_multiple_choice_with_missing_answers_has_the_scores_of_scikit_learn(data_root: Path) -> None:
    rows = read_labels(data_root / "data" / "llm_mmlu_pro" / "predictions.tsv.gz")
    gold = [row["gold"] for row in rows]
    chosen = list(rows[0])[4::5]
    assert any(row[system] == "-" for row in rows for system in chosen)
    for system in chosen:
        agree_with_sklearn(gold, [row[system] for row in rows])


LABELS = {"base": list("aabbccab"), "new": list("aabbccac")}
GOLD = list("aabbccac")


def test_a_comparison_prepares_its_metrics() -> None:
    """Systems that predict different classes are scored on the same ones."""
    found = outscore.compare(LABELS, references=GOLD, metrics="f1:average=each,f1,mcc,kappa", n_resamples=50)
    assert [s.metric for s in found.scores if s.system == "new"] == [
        "f1:of=a",
        "f1:of=b",
        "f1:of=c",
        "f1",
        "mcc",
        "kappa",
    ]
    assert [s.score for s in found.scores if s.system == "new"] == [1.0] * 6
    base = {s.metric: s.score for s in found.scores if s.system == "base"}
    assert base["f1"] == pytest.approx(skl("f1", GOLD, LABELS["base"], average="macro"))


def test_one_class_is_tested_exactly_as_a_ratio_of_sums() -> None:
    found = outscore.compare(LABELS, references=GOLD, metrics="f1:of=c", test="randomization")
    assert found.pairs[0].p_value == 1.0
    assert found.pairs[0].p_kind == "exact"


def test_the_signature_says_which_average_or_which_columns() -> None:
    items = labelled(["a", "b"], ["a", "b"])
    (macro,) = metrics.make("f1").prepare([items])
    assert macro.signature(items) == "f1|average:macro|classes:2"
    (counts,) = metrics.make("f1").prepare([columns(CONFUSIONS[0])])
    assert counts.signature(columns(CONFUSIONS[0])) == "f1|counts:tp,fp,fn"


SETS = [("a;b", "a"), ("", "b"), ("c", "b; c"), ("a; c", "a;c"), ("b", ""), ("", ""), ("d", "a;z"), ("a", "z")]
"""Gold and predicted labels; z is no gold label, and one item is right in having none."""


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples"])
@pytest.mark.parametrize("name", ["f1", "precision", "recall", "fbeta:beta=2"])
def test_labels_of_items_with_several_give_the_scores_of_scikit_learn(average: str, name: str) -> None:
    from sklearn import metrics as theirs

    spec = f"{name}{',' if ':' in name else ':'}average={average},separator=;"
    found = score(spec, labelled([gold for gold, _ in SETS], [said for _, said in SETS]))
    classes = ["a", "b", "c", "d", "z"]
    gold, said = (
        np.array([[name in {part.strip() for part in row[side].split(";")} for name in classes] for row in SETS])
        for side in (0, 1)
    )
    options: dict[str, Any] = {"average": average, "zero_division": 0} | ({"beta": 2} if "beta" in name else {})
    labels = None if average in ("micro", "samples") else range(4)
    of_theirs = getattr(theirs, f"{name.partition(':')[0]}_score")
    assert found == pytest.approx(of_theirs(gold, said, labels=labels, **options), abs=1e-12)


def test_the_mean_over_items_is_of_items_with_several_labels() -> None:
    with pytest.raises(UsageError, match=r"average=samples: expected separator=.* is accuracy"):
        metrics.make("f1:average=samples")
    gold, said = ([row[side] for row in SETS] for side in (0, 1))
    result = outscore.compare({"x": said, "y": gold}, references=gold, metrics="f1:average=samples,separator=;")
    assert [one.score for one in result.scores] == pytest.approx([(2 / 3 + 2 / 3 + 1) / 8, 6 / 8])


def test_a_comma_separates_labels_too() -> None:
    items = [
        labelled([gold.replace(";", mark) for gold, _ in SETS], [o.replace(";", mark) for _, o in SETS])
        for mark in ";,"
    ]
    assert score("f1:separator=;,of=b", items[0]) == score("f1:separator=%2C,of=b", items[1]) == pytest.approx(0.0)


def test_an_item_without_labels_counts_where_it_may_have_none() -> None:
    gold, said = ([row[side] for row in SETS] for side in (0, 1))
    result = outscore.compare({"x": said, "y": gold}, references=gold, metrics="f1:average=micro,separator=;")
    assert [one.score for one in result.scores] == [pytest.approx(2 * 4 / (2 * 4 + 5 + 4)), 1]
    assert result.pairs[0].n_items == len(SETS)
