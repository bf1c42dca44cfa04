"""Curves and confusion matrices of ``outscore score``: points and counts themselves, every format, and bad input."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix, precision_recall_curve, precision_recall_fscore_support, roc_curve

import outscore as library
from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, UsageError
from outscore.engine.weights import ATOM, bootstrap_counts
from outscore.report.plots import picture
from outscore.results.curves import Curve, Decision
from outscore.results.result import formats
from outscore.results.scores import Scores
from tests.cli.commandline import Done, outscore, written

N = 60
KINDS = ("roc", "pr")


def numbers_of(seed: int) -> tuple[Int, Float]:
    """Labels, and numbers with ties."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, N)
    return labels, np.rint(4 * (labels + rng.normal(size=N))) / 4


LABELS, BASE = numbers_of(1)
NEW = BASE + np.random.default_rng(2).normal(size=N)


def table(folder: Path) -> Path:
    systems = {"base": BASE, "new": NEW}
    rows = [f"{name},i{i:02},{systems[name][i]},{LABELS[i]}" for name in systems for i in range(N)]
    return written(folder / "t.csv", ["system,item,score,label", *rows])


def column(curve: Curve, name: str) -> Float:
    """One coordinate of all points."""
    return np.array([getattr(point, name) for point in curve.points], dtype=float)


def rows_of(done: Done) -> list[dict[str, str]]:
    assert done.code == 0, done.err
    return list(csv.DictReader(io.StringIO(done.out)))


def frame(systems: Mapping[str, Float], **columns: Sequence[str]) -> pd.DataFrame:
    """Items with ids, by which they are drawn in this order."""
    rows = [(name, f"i{i:02}", numbers[i], LABELS[i]) for name, numbers in systems.items() for i in range(N)]
    named = {name: [*values] * len(systems) for name, values in columns.items()}
    return pd.DataFrame(rows, columns=["system", "item", "score", "label"]).assign(**named)


def curves(
    kind: Any, n_resamples: int = 200, items: Mapping[str, Sequence[str]] | None = None, **options: Any
) -> Scores:
    data = frame({"base": BASE, "new": NEW}, **(items or {}))
    return library.score(data, curve=kind, n_resamples=n_resamples, seed=5, **options)


# --- curves ---------------------------------------------------------------------------------------------------------


def test_points_of_the_roc_curve_are_those_of_scikit_learn() -> None:
    for curve, numbers in zip(curves("roc").curves, (BASE, NEW), strict=True):
        fpr, tpr, thresholds = roc_curve(LABELS, numbers, drop_intermediate=False)
        np.testing.assert_allclose(column(curve, "x"), fpr, atol=1e-14)
        np.testing.assert_allclose(column(curve, "y"), tpr, atol=1e-14)
        # scikit-learn takes p >= t as positive, so its thresholds are one step lower
        assert [p.threshold for p in curve.points] == [*thresholds[1:].tolist(), None]


def test_points_of_the_precision_recall_curve_are_those_of_scikit_learn() -> None:
    for curve, numbers in zip(curves("pr").curves, (BASE, NEW), strict=True):
        precision, recall, _ = precision_recall_curve(LABELS, numbers)
        assert curve.points[0].y is None, "nothing is above the highest number, so its precision is 0/0"
        assert curve.points[0].x == 0.0
        np.testing.assert_allclose(column(curve, "x")[1:], recall[:-1][::-1], atol=1e-14)
        np.testing.assert_allclose(column(curve, "y")[1:], precision[:-1][::-1], atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_recall_does_not_increase_with_the_threshold(kind: str) -> None:
    for curve in curves(kind).curves:
        thresholds = [p.threshold for p in curve.points[:-1]]
        assert thresholds == sorted(set(thresholds), reverse=True)  # type: ignore[type-var]
        recall = [p.y if kind == "roc" else p.x for p in curve.points]
        assert all(a <= b for a, b in pairwise(recall))  # type: ignore[operator]
        assert (recall[0], recall[-1]) == (0.0, 1.0)


def test_points_by_threshold_are_those_of_the_other_curve_with_their_accuracy() -> None:
    for curve, beside, numbers in zip(curves("threshold").curves, curves("pr").curves, (BASE, NEW), strict=True):
        assert curve.axes == ("precision", "recall", "accuracy")
        for point, other in zip(curve.points, beside.points, strict=True):
            assert isinstance(point, Decision)
            assert (point.threshold, point.x, point.x_ci) == (other.threshold, other.y, other.y_ci)
            assert (point.y, point.y_ci) == (other.x, other.x_ci)
            at = -np.inf if point.threshold is None else point.threshold
            right = np.mean((numbers > at) == (LABELS == 1))
            assert point.z == pytest.approx(right, abs=1e-14)
            assert point.z_ci is not None
            assert point.z_ci[0] < right < point.z_ci[1]
            assert point.at == tuple(int(np.sum((numbers == at) & (label == LABELS))) for label in (1, 0))


def test_the_picture_by_threshold_has_the_errors_of_the_best_one() -> None:
    found = library.score(
        {"a": [3.0, 2.0, 1.5, 1.0, 0.5]}, references=[1, 0, 1, 1, 0], curve="threshold", n_resamples=16
    )
    again = Scores.from_json(found.to_json())
    assert isinstance(again, Scores)
    assert again.curves == found.curves
    drawn = json.dumps(picture(found))
    assert "accuracy is highest above 0.5000, 0.800" in drawn
    assert "there 1 false positive (above) and 0 false negatives (below)" in drawn


def test_decisions_are_strictly_above_the_threshold() -> None:
    found = library.score({"a": [3.0, 2.0, 2.0, 1.0]}, references=[1, 1, 0, 0], curve="roc", n_resamples=16)
    points = [(p.threshold, p.x, p.y) for p in found.curves[0].points]
    assert points == [(3.0, 0.0, 0.0), (2.0, 0.0, 0.5), (1.0, 0.5, 1.0), (None, 1.0, 1.0)]


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_bands_are_quantiles_over_the_test_sets_of_compare(kind: str, clustered: bool) -> None:
    groups = np.arange(N) // 5
    items = {"cluster": [f"c{g:02}" for g in groups]} if clustered else None
    found = curves(kind, 48, items=items, alpha=0.2)
    draws = np.concatenate([bootstrap_counts(N // 5 if clustered else N, 5, atom) for atom in range(48 // ATOM)])
    counts = draws[:, groups] if clustered else draws
    for curve, numbers in zip(found.curves, (BASE, NEW), strict=True):
        for point in curve.points:
            above = numbers > (-np.inf if point.threshold is None else point.threshold)
            tp, fp = counts @ (above & (LABELS == 1)), counts @ (above & (LABELS == 0))
            recall = tp / (counts @ (LABELS == 1))
            with np.errstate(invalid="ignore"):
                other = fp / (counts @ (LABELS == 0)) if kind == "roc" else tp / (tp + fp)
            pairs = [(other, point.x_ci), (recall, point.y_ci)]
            for values, ends in pairs if kind == "roc" else [(recall, point.x_ci), (other, point.y_ci)]:
                if ends is None:
                    continue
                low = np.quantile(np.nan_to_num(values, nan=0.0), 0.1, method="weibull")
                high = np.quantile(np.nan_to_num(values, nan=1.0), 0.9, method="weibull")
                assert ends == pytest.approx((low, high), abs=1e-14)


def test_a_resample_with_nothing_above_the_threshold_widens_the_band_on_both_sides() -> None:
    found = library.score({"a": [3.0, 2.0, 1.0, 0.0]}, references=[0, 1, 1, 0], curve="pr", n_resamples=200)
    one_above = found.curves[0].points[1]
    assert (one_above.threshold, one_above.y, one_above.y_ci) == (2.0, 0.0, (0.0, 1.0))
    found = library.score({"a": [3.0, 2.0, 1.0, 0.0]}, references=[1, 1, 0, 0], curve="pr", n_resamples=200)
    assert (found.curves[0].points[1].y, found.curves[0].points[1].y_ci) == (1.0, (0.0, 1.0))


def test_bands_computed_in_parts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = curves("pr")
    monkeypatch.setattr("outscore.verbs.score.run._CELLS", 2000)
    assert curves("pr").to_json() == whole.to_json()


def test_areas_are_the_scores_of_score() -> None:
    for kind, metric in (("roc", "auc"), ("pr", "average_precision")):
        found = curves(kind)
        scored = library.score(frame({"base": BASE, "new": NEW}), metrics=metric, n_resamples=200, seed=5)
        assert found.scores == scored.scores


def test_runs_have_curves_of_their_own() -> None:
    found = library.score({"a": np.stack([BASE, NEW])}, references=LABELS.tolist(), curve="roc", n_resamples=20)
    assert [(c.system, c.run) for c in found.curves] == [("a", "1"), ("a", "2")]
    assert found.scores[0].runs == ("1", "2")
    assert "run 2" in found.to("terminal")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_csv_and_json_hold_all_points(kind: str, tmp_path: Path) -> None:
    path, options = table(tmp_path), ("--curve", kind, "-n", "50", "--seed", "5")
    rows = rows_of(outscore("score", path, *options, "-f", "csv"))
    expected = curves(kind, 50)
    assert len(rows) == sum(len(c.points) for c in expected.curves)
    assert list(rows[0])[:4] == ["system", "run", "threshold", expected.curves[0].axes[0]]
    for row, plain in zip(rows, expected.rows(), strict=True):
        assert row == {k: "" if v is None else str(v) for k, v in plain.items()}
    saved = tmp_path / "c.json"
    assert outscore("score", path, *options, "-o", saved, "-q").code == 0
    data = json.loads(saved.read_text(encoding="utf-8"))
    assert (data["schema_version"], data["command"], data["curves"][0]["kind"]) == (2, "score", kind)
    assert data["curves"] == expected.to_dict()["curves"]
    for name in formats.names():
        direct = outscore("score", path, *options, "-f", name)
        again = outscore("show", saved, "-f", name)
        assert (direct.code, again.code, direct.out) == (0, 0, again.out), name


def test_the_terminal_shows_some_points_of_each_curve_and_says_so(tmp_path: Path) -> None:
    done = outscore("score", table(tmp_path), "--curve", "roc", "-n", "20")
    assert done.code == 0, done.err
    old, new = curves("roc", 20).scores
    assert done.out.startswith(f"base scores {old.score:.3f} AUC"), "the areas come first"
    assert f"new scores {new.score:.3f}" in " ".join(done.out.split())
    assert [line for line in done.out.splitlines() if line in ("base", "new")] == ["base", "new"]
    assert "6 of 61 thresholds; -f csv has all." in done.out
    assert " ".join(done.out.split()).count("-∞ 1.000 [1.000, 1.000] 1.000 [1.000, 1.000]") == 2
    assert len(done.out.splitlines()) <= 25


def test_a_curve_alone_has_fifteen_points() -> None:
    found = library.score({"a": BASE}, references=LABELS.tolist(), curve="roc", n_resamples=20)
    assert f"15 of {len(found.curves[0].points)} thresholds; -f csv has all." in found.to("terminal")


def test_a_positive_label_and_a_column_are_named(tmp_path: Path) -> None:
    rows = [f"a,i{i:02},{x},{'spam' if y else 'ham'}" for i, (x, y) in enumerate(zip(BASE, LABELS, strict=True))]
    path = written(tmp_path / "t.csv", ["system,item,p,gold", *rows])
    named = rows_of(
        outscore("score", path, "--curve", "roc", "-m", "auc:positive=spam", "-c", "score=p", "-n", "20", "-f", "csv")
    )
    plain = library.score(frame({"a": BASE}), curve="roc", n_resamples=20)
    assert [float(r["recall"]) for r in named] == [p.y for p in plain.curves[0].points]
    assert (
        library.score(library.read(str(path)), metrics="auc:positive=spam,column=p", curve="roc", n_resamples=20).curves
        == plain.curves
    )


@pytest.mark.parametrize("option", [{"curve": "det"}, {"alpha": 2.0}, {"n_resamples": 1}])
def test_wrong_options_of_curve_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        library.score({"a": BASE}, references=LABELS.tolist(), **{"curve": "roc", **option})


# --- confusion ------------------------------------------------------------------------------------------------------

GOLD = ["b", "a", "c", "a", "b", "a", "c", "b"]
PREDICTED = ["b", "a", "a", "d", "b", "a", "c", "c"]


def label_files(folder: Path) -> list[str]:
    gold, base = written(folder / "gold.txt", GOLD), written(folder / "base.txt", PREDICTED)
    return ["-r", str(gold), f"base={base}", f"perfect={gold}"]


def test_parsed_sentences_are_no_labels(tmp_path: Path) -> None:
    parses = [f"{word}\t_\n2\tword\t_" for word in "abcdefgh"]
    found = "parsed sentences or texts of several lines"
    with pytest.raises(InputError, match=found):
        library.score({"base": parses}, references=parses, confusion=True)


def test_counts_and_margins_are_those_of_scikit_learn() -> None:
    found = library.score({"base": PREDICTED, "perfect": GOLD}, references=GOLD, confusion=True)
    assert {matrix.classes for matrix in found.matrices} == {("a", "b", "c", "d")}
    assert [s.score for s in found.scores] == [5 / 8, 1.0]
    for matrix, predicted in zip(found.matrices, (PREDICTED, GOLD), strict=True):
        np.testing.assert_array_equal(matrix.counts, confusion_matrix(GOLD, predicted, labels=matrix.classes))
        expected = precision_recall_fscore_support(GOLD, predicted, labels=matrix.classes, zero_division=np.nan)
        for name, values in zip(("precision", "recall", "f1"), expected, strict=False):
            ours = [np.nan if (v := getattr(m, name)) is None else v for m in matrix.margins]
            np.testing.assert_allclose(ours, values)


def test_confusion_is_written_in_every_format_and_read_again(tmp_path: Path) -> None:
    arguments, saved = label_files(tmp_path), tmp_path / "c.json"
    assert outscore("score", "--confusion", *arguments, "-o", saved, "-q").code == 0
    for name in formats.names():
        direct, again = outscore("score", "--confusion", *arguments, "-f", name), outscore("show", saved, "-f", name)
        assert (direct.code, again.code, direct.out) == (0, 0, again.out), name
    rows = rows_of(outscore("score", "--confusion", *arguments, "-f", "csv"))
    assert len(rows) == 8
    assert rows[2] == {
        "system": "base",
        "run": "1",
        "gold": "c",
        "predicted a": "1",
        "predicted b": "0",
        "predicted c": "1",
        "predicted d": "0",
        "precision": "0.5",
        "recall": "0.5",
        "f1": "0.5",
    }


def test_confusion_says_what_is_right_and_what_is_taken_for_what(tmp_path: Path) -> None:
    arguments = label_files(tmp_path)
    first = outscore("score", "--confusion", *arguments).out
    said = " ".join(first.split())
    assert "base gets 62.5% of 8 items right (95% CI" in said
    assert "; most often wrong: a taken for d (1 of 3)." in said, "of three errors that are made once, the first"
    assert "perfect gets 100.0% of 8 items right" in said
    rows = [line.split() for line in first.splitlines()]
    assert ["base"] in rows, "matrices are headed by their systems"
    assert ["c", "1", "0", "1", "0", "0.500", "0.500"] in rows
    assert ["b", "0", "2", "1", "0", "0.667", "1.000"] in rows
    assert len(rows) <= 25
    full = [line.split() for line in outscore("score", "--confusion", *arguments, "-v").out.splitlines()]
    assert ["a", "3", "3", "0.667", "0.667", "0.667"] in full, "gold, predicted, precision, recall, F1"
    assert ["d", "0", "1", "0.000", "–", "0.000"] in full
    assert ["a", "d", "1", "33%"] in full, "errors"


def test_many_classes_are_listed_and_not_laid_out_as_a_square() -> None:
    gold = [f"class {i % 12}" for i in range(60)]
    predicted = [*gold[:50], *gold[40:50]]
    found = library.score({"a": predicted}, references=gold, confusion=True)
    first = found.to("terminal:columns=80")
    assert "class gold predicted precision recall F1" in " ".join(first.split())
    assert "gold by predicted" not in first
    assert len(first.splitlines()) <= 25


def test_a_label_of_any_letters_is_harmless_in_a_table_and_in_a_header() -> None:
    label = "\x1b[31m=red"
    found = library.score({"a": [label, "x", label]}, references=["x", "x", label], confusion=True)
    for name in ("terminal", "markdown", "latex", "csv", "sentence"):
        assert "\x1b" not in found.to(name)
    (header, *_) = csv.reader(io.StringIO(found.to("csv")))
    assert header[-5:] == [r"predicted \x1b[31m=red", "predicted x", "precision", "recall", "f1"]


def test_a_saved_matrix_that_is_not_square_is_refused(tmp_path: Path) -> None:
    saved = tmp_path / "c.json"
    outscore("score", "--confusion", *label_files(tmp_path), "-o", saved, "-q")
    data = json.loads(saved.read_text(encoding="utf-8"))
    data["matrices"][0]["counts"][1].pop()
    saved.write_text(json.dumps(data), encoding="utf-8")
    done = outscore("show", saved)
    assert done.code == 3
    assert "is not 4 x 4" in done.complaint


def test_too_many_labels_are_texts() -> None:
    texts = [f"text {i}" for i in range(1001)]
    with pytest.raises(InputError, match="1001 different labels is too large"):
        library.score({"a": texts}, references=texts, confusion=True)


# --- bad input ------------------------------------------------------------------------------------------------------

BAD = [
    (
        "one class only",
        "--curve roc",
        "system,item,score,label\na,1,0.5,1\na,2,0.4,1\n",
        (),
        3,
        "every item is positive",
    ),
    (
        "a label that is none",
        "--curve roc",
        "system,item,score,label\na,1,0.5,1\na,2,0.4,no\n",
        (),
        3,
        "item '2' has 'no'",
    ),
    ("no labels", "--curve roc", "system,item,score\na,1,0.5\na,2,0.4\n", (), 3, "no gold labels"),
    ("no numbers", "--curve roc", "system,item,output,label\na,1,x,1\na,2,y,0\n", (), 3, "item '1' has 'x'"),
    (
        "an unknown kind",
        "--curve roc",
        "system,item,score,label\na,1,0.5,1\na,2,0.4,0\n",
        ("--curve", "det"),
        2,
        "'det'",
    ),
    ("a wrong alpha", "--curve roc", "system,item,score,label\na,1,0.5,1\na,2,0.4,0\n", ("--alpha", "2"), 2, "alpha=2"),
    ("no predictions", "--confusion", "system,item,score,label\na,1,3.5,1\na,2,0.4,0\n", (), 3, "no predictions"),
    (
        "probabilities",
        "--confusion",
        "system,item,score,label\na,1,0.5,1\na,2,0.4,0\n",
        (),
        3,
        "write 1 from a threshold",
    ),
    ("no gold labels", "--confusion", "system,item,output\na,1,x\na,2,y\n", (), 3, "no gold labels"),
    ("a suffix nobody writes", "--confusion", "system,item,output,label\na,1,x,x\n", ("-o", "x.docx"), 2, "docx"),
]


@pytest.mark.parametrize(("name", "asked", "content", "options", "code", "says"), BAD, ids=[b[0] for b in BAD])
def test_bad_input_ends_in_one_line(
    name: str, asked: str, content: str, options: tuple[str, ...], code: int, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content, encoding="utf-8")
    done = outscore("score", path, *asked.split(), *options)
    assert done.code == code
    assert done.out == ""
    assert says in done.complaint
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["--curve", "roc", "--confusion"], "ask for one of them"),
        (["--curve", "pr", "-m", "mean"], "give it with -m average_precision"),
    ],
)
def test_tables_that_do_not_belong_to_what_is_scored_are_refused(asked: list[str], says: str, tmp_path: Path) -> None:
    done = outscore("score", table(tmp_path), *asked)
    assert (done.code, done.out) == (2, "")
    assert says in done.complaint


def test_matrices_stand_beside_other_metrics_of_labels() -> None:
    found = library.score({"base": PREDICTED}, references=GOLD, metrics=["accuracy", "f1"], confusion=True)
    assert [score.metric for score in found.scores] == ["accuracy", "f1"]
    assert found.matrices == library.score({"base": PREDICTED}, references=GOLD, confusion=True).matrices
    assert "base scores 0.656 F1" in found.sentence
    assert "most often wrong" not in found.sentence


def test_what_was_a_command_is_named_as_an_option() -> None:
    assert "no command 'curve'; did you mean 'score --curve'?" in outscore("curve", "t.csv").err
    assert "no command 'confusion'; did you mean 'score --confusion'?" in outscore("confusion", "t.csv").err
