"""Labels and references as Python has them: what is equal there is equal here, and no reading is guessed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score

import outscore
from outscore.base.errors import InputError, UsageError
from tests.cli.commandline import written

rng = np.random.default_rng(3)
GOLD = rng.integers(0, 2, 40)
BASE, NEW = (np.where(rng.random(40) < right, GOLD, 1 - GOLD) for right in (0.7, 0.8))
AS: dict[str, Callable[[np.ndarray], Any]] = {
    "int": np.asarray,
    "list": np.ndarray.tolist,
    "float": lambda a: a.astype(float),
    "bool": lambda a: a.astype(bool),
    "digits": lambda a: [str(v) for v in a],
    "decimals": lambda a: [f"{v}.0" for v in a],
    "series": pd.Series,
}
TRUTH: dict[str, Callable[[np.ndarray], Any]] = {
    "bool": lambda a: a.astype(bool),
    "true": lambda a: [str(bool(v)).lower() for v in a],
    "True": lambda a: [str(bool(v)) for v in a],
}


@pytest.mark.parametrize(
    ("outputs", "golds"), [(a, b) for kinds in (AS, TRUTH) for a in kinds.values() for b in kinds.values()]
)
def test_labels_are_equal_where_python_calls_them_equal(outputs: Any, golds: Any) -> None:
    found = outscore.score({"base": outputs(BASE), "new": outputs(NEW)}, references=golds(GOLD), metrics="accuracy")
    assert [s.score for s in found.scores] == [accuracy_score(GOLD, BASE), accuracy_score(GOLD, NEW)]


WRITTEN: dict[str, Callable[[Any], str]] = {
    "1": str,
    "1.0": lambda v: f"{v}.0",
    "True": lambda v: str(bool(v)),
    "true": lambda v: str(bool(v)).lower(),
}


@pytest.mark.parametrize("outputs", WRITTEN)
@pytest.mark.parametrize("golds", WRITTEN)
@pytest.mark.parametrize("kind", ["table", "lines", "wide"])
def test_labels_in_files_are_equal_where_python_calls_them_equal(
    outputs: str, golds: str, kind: str, tmp_path: Path
) -> None:
    """A gap makes 1.0 of every 1 of a column, so that predictions and gold of two programs differ in it."""
    gold, base, new = ([WRITTEN[how](v) for v in of] for how, of in ((golds, GOLD), (outputs, BASE), (outputs, NEW)))
    references: tuple[str, ...] = ()
    if kind == "lines":
        files = [f"{name}={written(tmp_path / name, cells)}" for name, cells in (("base", base), ("new", new))]
        references = (str(written(tmp_path / "gold", gold)),)
    elif kind == "wide":
        rows = [
            "item,ref:gold,sys:base,sys:new",
            *(",".join(row) for row in zip(map(str, range(40)), gold, base, new, strict=True)),
        ]
        files = [str(written(tmp_path / "w.csv", rows))]
    else:
        rows = [
            f"{s},{i},{p},{g}"
            for s, of in (("base", base), ("new", new))
            for i, (p, g) in enumerate(zip(of, gold, strict=True))
        ]
        files = [str(written(tmp_path / "t.csv", ["system,item,prediction,gold", *rows]))]
    found = outscore.score(outscore.read(files, references=references), metrics="accuracy,f1")
    accuracies = {s.system: s.score for s in found.scores if s.metric == "accuracy"}
    assert accuracies == {"base": accuracy_score(GOLD, BASE), "new": accuracy_score(GOLD, NEW)}
    assert ("labels_joined" in [note.code for note in found.notes]) == (outputs != golds)


@pytest.mark.parametrize(
    ("outputs", "golds", "score"),
    [
        (["1", "01", "1"], ["1", "1", "1"], 2 / 3),
        (["1.0", "one", "1"], ["1", "1", "1"], 1 / 3),
        (["1.10", "1.1", "2.0"], ["1.1", "1.1", "2"], 2 / 3),
    ],
)
def test_codes_and_texts_are_no_numbers(outputs: list[str], golds: list[str], score: float, tmp_path: Path) -> None:
    """01 may be a code, 1.10 the section after 1.9, and one text among the labels makes all of them texts."""
    rows = [f"{i},{p},{g}" for i, (p, g) in enumerate(zip(outputs, golds, strict=True))]
    data = outscore.read(str(written(tmp_path / "a.csv", ["item,prediction,gold", *rows])))
    assert outscore.score(data, metrics="accuracy").scores[0].score == pytest.approx(score)


def test_a_system_that_never_says_a_gold_label_is_named(tmp_path: Path) -> None:
    rows = ["a,1,pos,positive", "a,2,neg,negative", "b,1,positive,positive", "b,2,neg,negative"]
    data = outscore.read(str(written(tmp_path / "t.csv", ["system,item,prediction,gold", *rows])))
    for metric, said in (("accuracy", True), ("f1,mcc", True), ("exact_match", False)):
        texts = [note.text for note in outscore.score(data, metrics=metric).notes if note.code == "never_gold"]
        named = "(gold: 'positive', 'negative'; outputs: 'pos', 'neg')"
        assert texts == [f"no output of 'a' is one of the gold labels {named}"] * said


@pytest.mark.parametrize("metric", ["accuracy", "f1", "exact_match"])
def test_outputs_that_would_be_right_but_for_case_are_counted(metric: str) -> None:
    systems = {"a": ["Pos", "neg ", "neg", "Neg"], "b": ["pos", "neg", "pos", "pos"]}
    found = outscore.score(systems, references=["pos", "neg", "pos", "neg"], metrics=metric)
    (note,) = (note for note in found.notes if note.code == "cases_differ")
    assert note.text == "outputs that differ from the gold in letter case alone are wrong: 2 of 4 of 'a'"
    assert note.rank == "answer"
    if metric == "accuracy":
        assert [score.score for score in found.scores] == [0.25, 0.75], "the score is not mended"


def test_outputs_are_not_counted_where_case_is_folded_or_not_what_differs() -> None:
    systems = {"a": ["Pos", "neg", "neg", "Neg"]}
    for gold, metric in (
        (["pos", "neg"] * 2, "exact_match:lowercase=true"),
        (["Pos", "neg", "pos", "Neg"], "accuracy"),
    ):
        found = outscore.score(systems, references=gold, metrics=metric)
        assert "cases_differ" not in {note.code for note in found.notes}


@pytest.mark.parametrize(("metric", "said"), [("accuracy", "counts a line as right only as a whole"),
                                              (None, "was chosen"), ("exact_match", ""), ("bleu", "")])  # fmt: skip
def test_lines_that_look_like_tags_are_said_to_be_counted_whole(metric: str | None, said: str) -> None:
    tags = ["D N V", "N V A N", "D A N", "V N N", "N V V"]
    labels = ["not at all", "very much so"] * 5  # labels of several words are no tags
    for gold, named in (
        (tags, "counts each tag"),
        (["B-X I-X O", "O O B-X", "B-X O O", "O B-X O O"], "counts each tag, ner counts spans"),
        (labels, ""),
    ):
        notes = outscore.score({"a": [gold[2], *gold[1:]]}, references=gold, metrics=metric).notes
        texts = [note.text for note in notes if note.code == "lines_of_tags"]
        assert len(texts) == bool(said and named)
        assert all(said in text and text.endswith(f"token_accuracy {named}") for text in texts)


@pytest.mark.parametrize(("metric", "said"), [("f1", True), ("accuracy", True), ("ner", False), (None, False),
                                              ("token_accuracy", False), ("exact_match", False)])  # fmt: skip
def test_a_table_of_tokens_is_said_to_hold_tags_where_a_metric_takes_sentences_for_labels(
    tmp_path: Path, metric: str | None, said: bool
) -> None:
    rows = [f"{i},{k},w,{gold},{own}" for i in range(6) for k, (gold, own) in enumerate([("B-X", "B-X"), ("O", "I-X")])]
    (tmp_path / "tokens.csv").write_text("\n".join(["sent,tok,form,gold,a", *rows, ""]), encoding="utf-8")
    notes = outscore.score(outscore.read(tmp_path / "tokens.csv"), metrics=metric).notes
    texts = [note.text for note in notes if note.code == "lines_of_tags"]
    told = f"the lines are tags, 2 in each on average: {metric} counts a line as right only as a whole"
    assert [text.partition(";")[0] for text in texts] == [told] * said


def test_numbers_taken_for_labels_are_named_and_scores_stay_scores() -> None:
    found = outscore.compare({"base": BASE, "new": NEW}, references=GOLD)
    assert (found.pairs[0].metric, found.notes[0].code) == ("accuracy", "numbers_as_labels")
    scores = outscore.compare({"base": BASE + 0.5, "new": NEW + 0.5}, references=GOLD)
    assert scores.pairs[0].metric == "mean"
    texts = outscore.compare({"base": BASE, "new": NEW}, references=["a text"] * 40, metrics="mean")
    assert texts.pairs[0].gain == pytest.approx(NEW.mean() - BASE.mean())


@pytest.mark.parametrize("kind", ["int", "digits", "bool"])
def test_a_wide_frame_holds_its_gold(kind: str) -> None:
    frame = pd.DataFrame({"item": range(40), "gold": AS[kind](GOLD), "base": AS[kind](BASE), "new": AS[kind](NEW)})
    found = outscore.score(frame)
    assert {s.system: s.score for s in found.scores} == {
        "base": accuracy_score(GOLD, BASE),
        "new": accuracy_score(GOLD, NEW),
    }


FIRST = ["the cat sat on the mat", "a dog ran in the park", "we saw the red boat"]
SECOND = ["a cat was sitting on a mat", "the dog ran through a park", "the red boat was seen"]


@pytest.mark.parametrize(
    ("references", "by"), [([list(pair) for pair in zip(FIRST, SECOND, strict=True)], "item"), ([FIRST, SECOND], "set")]
)
def test_references_run_by_item_or_by_set(references: list[list[str]], by: Any) -> None:
    data = {"one": FIRST, "other": SECOND}
    found = outscore.score(data, references=outscore.References(references, by=by), metrics="bleu")
    assert [s.score for s in found.scores] == pytest.approx([100.0, 100.0])


def test_items_may_have_different_numbers_of_references() -> None:
    given = outscore.References([[FIRST[0], SECOND[0]], [FIRST[1]], [FIRST[2]]], by="item")
    found = outscore.score({"one": [SECOND[0], *FIRST[1:]]}, references=given, metrics="bleu")
    assert found.scores[0].score == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([[a, b] for a, b in zip(FIRST, SECOND, strict=True)], r"transposed\? .*by='item'"),
        ([[a] for a in FIRST], r"transposed\?"),
        ([FIRST, SECOND, SECOND], "one list for each item or 3 sets.*by='item'.*by='set'"),
    ],
)
def test_lists_that_may_be_meant_for_items_are_asked_about(references: list[list[str]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        outscore.score({"one": FIRST}, references=references, metrics="bleu")


def test_columns_that_may_mean_two_things_are_asked_about() -> None:
    answers = {"system": ["a", "a", "b", "b"], "item": [1, 2, 1, 2], "output": ["p", "n", "n", "n"]}
    two = pd.DataFrame({**answers, "gold": ["p", "n", "p", "n"], "label": ["n", "p", "n", "p"]})
    with pytest.raises(InputError, match=r"'gold', 'label' are all the gold .*, as with \.drop\(columns='label'\)"):
        outscore.score(two)
    assert [one.score for one in outscore.score(two.drop(columns="label")).scores] == [1.0, 0.5]
    both = two.rename(columns={"gold": "reference1", "label": "reference2"})
    assert [one.score for one in outscore.score(both, metrics="accuracy").scores] == [1.0, 1.0]
    raw = two.drop(columns="label").assign(prediction=["x", "y", "z", "n"])
    with pytest.raises(InputError, match=r"'output', 'prediction' are all the output .*, as with \.drop\(columns="):
        outscore.score(raw)
    wide = pd.DataFrame({"item": range(3), "y_true": [1, 0, 1], "a": [1, 1, 1], "b": [0, 0, 1]})
    with pytest.raises(
        InputError, match=r"the column 'y_true' may be the gold .*\.rename\(columns=.'y_true': 'gold'.\)"
    ):
        outscore.score(wide)
    found = outscore.score(wide.rename(columns={"y_true": "gold"})).scores
    assert [(one.system, round(one.score, 3)) for one in found] == [("a", 0.667), ("b", 0.667)]


@pytest.mark.parametrize("of", [list, lambda values: [str(value) for value in values], np.array])
def test_probabilities_beside_labels_are_no_labels(of: Callable[[Any], Any]) -> None:
    systems = {"a": of([0.9, 0.2, 0.7]), "b": of([0.4, 0.1, 0.3])}
    with pytest.raises(InputError, match=r"of 'a' are numbers between 0 and 1.* metrics='auc', ranks by them"):
        outscore.score(systems, references=[1, 0, 1], metrics="accuracy")
    assert [one.score for one in outscore.score(systems, references=[1, 0, 1], metrics="auc").scores] == [1.0, 1.0]
    cut = {name: [int(float(value) >= 0.5) for value in values] for name, values in systems.items()}
    found = outscore.score(cut, references=[1, 0, 1], metrics="accuracy").scores
    assert [round(one.score, 3) for one in found] == [1.0, 0.333]


def test_a_frame_of_gold_and_output_by_other_names_says_how_to_call_them() -> None:
    frame = pd.DataFrame({"system": ["a"] * 3 + ["b"] * 3, "item": [1, 2, 3] * 2})
    frame = frame.assign(y_true=[1, 0, 1] * 2, y_pred=[1, 0, 1, 0, 0, 1])
    with pytest.raises(InputError, match="may be the gold and the output") as error:
        outscore.score(frame)
    assert ".rename(columns={'y_true': 'gold', 'y_pred': 'output'})" in str(error.value)
    found = outscore.score(frame.rename(columns={"y_true": "gold", "y_pred": "output"}))
    assert [(s.metric, round(s.score, 3)) for s in found.scores] == [("accuracy", 1.0), ("accuracy", 0.667)]


def test_files_are_named_by_texts_and_by_paths(tmp_path: Path) -> None:
    for name, text in (("a.txt", "x\ny\n"), ("b.txt", "x\nz\n"), ("gold.txt", "x\ny\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    by_path = outscore.read(paths, references=tmp_path / "gold.txt")
    assert by_path.systems == outscore.read([str(one) for one in paths]).systems == ("a", "b")
    assert outscore.compare(by_path, metrics="accuracy").scores[0].score == 1.0
    assert outscore.read(paths[0]).systems == ("a",)


def test_a_data_frame_is_read_as_compare_reads_it() -> None:
    frame = pd.DataFrame({"system": ["a"] * 3 + ["b"] * 3, "item": list("xyz") * 2, "score": [0, 1, 0, 1, 1, 0]})
    wide = {"item": list("xyz"), "a": [0, 1, 0], "b": [1, 1, 0]}
    given: list[Any] = [frame, frame.to_dict("records"), wide, {"a": [0, 1, 0], "b": [1, 1, 0]}]
    for data in given:
        assert outscore.compare(outscore.read(data)).scores[1].score == pytest.approx(2 / 3)
        assert outscore.read_apart(data)[0].systems == ("a", "b")
        assert outscore.read(data, exclude="a").systems == ("b",)
    outputs: Any = {"a": ["x", "y"], "b": ["x", "z"]}
    texts = outscore.read(outputs, references=["x", "y"])
    assert [one.score for one in outscore.score(texts).scores] == [1.0, 0.5]
    wrong: list[dict[str, Any]] = [{"columns": ["item=x"]}, {"reader": "csv"}]
    for options in wrong:
        with pytest.raises(UsageError, match="says how files are read, and no file was given"):
            outscore.read(frame, **options)


def test_tables_in_plain_python_are_read_as_data_frames_of_these_columns_are() -> None:
    rng_of = np.random.default_rng(1)
    base, new = (rng_of.integers(0, 2, 12).tolist() for _ in range(2))
    wide = {"item": list(range(1, 13)), "base": base, "new": new}
    long = {"system": ["base"] * 12 + ["new"] * 12, "item": wide["item"] * 2, "score": base + new}
    expected = {"base": sum(base) / 12, "new": sum(new) / 12}
    for table in (wide, long, wide | {"item": np.arange(12)}):
        rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
        for data in (table, rows, pd.DataFrame(table)):
            assert {one.system: one.score for one in outscore.compare(data).scores} == expected
    binary = ([0, 1, 1], [1, 1, 1], [0, 0, 1])
    for names, lists in ((("sentence", "document"), binary), (("id", "b"), ([0.5, 1, 1], [1, 1, 1]))):
        data = dict(zip(names, lists, strict=False))  # what repeats, or is a fraction, is no id
        assert tuple(one.system for one in outscore.score(data).scores) == names
