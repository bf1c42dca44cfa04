"""Samples of a model's answers: averaged within the item, whatever they are called, and never taken for runs."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.data.dataset import Dataset

ITEMS = 12


def table(column: str = "sample", counts: tuple[int, int] = (3, 3), **more: str) -> str:
    """Two systems with so many samples of the first and of the last item, and as many or one of the others."""
    rng = np.random.default_rng(5)
    rows = [["system", "item", column, "score", "tp", "fp", "fn", *more]]
    for system in "ab":
        for item in range(ITEMS):
            for k in range(counts[item % 2]):
                numbers = [int(rng.integers(2)), *map(int, rng.integers(1, 5, size=3))]
                rows.append([system, f"q{item}", str(k), *map(str, numbers), *more.values()])
    return "".join(",".join(row) + "\n" for row in rows)


def read(folder: Path, text: str, *columns: str) -> Dataset:
    (folder / "scores.csv").write_text(text, encoding="utf-8")
    return outscore.read(str(folder / "scores.csv"), columns=columns)


def means(text: str, columns: tuple[str, ...] = ("score",)) -> dict[str, np.ndarray]:
    """By system the mean over samples of each item, ``(items, columns)``, the slow way."""
    found: dict[str, dict[str, list[list[float]]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        of_item = found.setdefault(row["system"], {}).setdefault(row["item"], [])
        of_item.append([float(row[name]) for name in columns])
    return {s: np.array([np.mean(rows, axis=0) for rows in items.values()]) for s, items in found.items()}


@pytest.mark.parametrize("counts", [(3, 3), (2, 5), (4, 1)])
@pytest.mark.parametrize("column", ["sample", "epoch", "trial", "repeat", "generation"])
def test_samples_are_averaged_within_the_item_first(tmp_path: Path, column: str, counts: tuple[int, int]) -> None:
    text = table(column, counts)
    data = read(tmp_path, text)
    ours = outscore.compare(data, metrics="score", n_resamples=100)
    theirs = {system: values[:, 0] for system, values in means(text).items()}
    plain = outscore.compare(theirs, n_resamples=100)
    assert data.n_samples == {"a": (min(counts), max(counts)), "b": (min(counts), max(counts))}
    assert ours.pairs[0].p_value == pytest.approx(plain.pairs[0].p_value)
    assert ours.pairs[0].ci == pytest.approx(plain.pairs[0].ci)
    assert [s.runs for s in ours.scores] == [("1",), ("1",)]


def test_scores_of_sums_average_their_statistics_so_that_more_samples_do_not_weigh(tmp_path: Path) -> None:
    text = table("trial", (2, 5))
    result = outscore.score(read(tmp_path, text), metrics="f1")
    for score in result.scores:
        tp, fp, fn = means(text, ("tp", "fp", "fn"))[score.system].sum(axis=0)
        assert score.score == pytest.approx(2 * tp / (2 * tp + fp + fn))


@pytest.mark.parametrize("reverse", [False, True])
def test_order_and_names_of_samples_mean_nothing(tmp_path: Path, reverse: bool) -> None:
    text = table("trial", (2, 5))
    header, *rows = text.splitlines(keepends=True)
    turned = [re.sub(",0,", ",first,", row, count=1) if row.split(",")[2] == "0" else row for row in rows]
    turned = turned[::-1] if reverse else turned
    result = outscore.score(read(tmp_path, text), metrics="f1,score")
    again = outscore.score(read(tmp_path, header + "".join(turned)), metrics="f1,score")
    assert {(s.system, s.metric): pytest.approx(s.score) for s in result.scores} == {
        (s.system, s.metric): s.score for s in again.scores
    }


def test_runs_with_samples_are_runs_of_averages(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    scores = {system: rng.normal(size=(3, 40, 2)) for system in "ab"}
    rows = ["system,item,run,sample,score\n"]
    for system, values in scores.items():
        rows += [f"{system},q{i},{r},{k},{v!r}\n" for (r, i, k), v in np.ndenumerate(values)]
    ours = outscore.compare(read(tmp_path, "".join(rows).replace("np.float64(", "").replace(")", "")))
    plain = outscore.compare({system: values.mean(axis=2) for system, values in scores.items()})
    assert ours.pairs[0].test == "crossed"
    assert ours.pairs[0].p_value == pytest.approx(plain.pairs[0].p_value)
    assert ours.provenance.samples == {"a": (2, 2), "b": (2, 2)}


def test_the_line_of_the_design_says_how_many(tmp_path: Path) -> None:
    result = outscore.compare(read(tmp_path, table("trial")), metrics="score", n_resamples=100)
    assert "samples: 3 of each item, averaged." in result.to("markdown")
    uneven = outscore.compare(read(tmp_path, table("trial", (2, 4))), metrics="score", n_resamples=100)
    assert "samples: 2 to 4 of each item, averaged." in uneven.to("markdown")
    assert outscore.compare({"a": [1, 2, 3.0], "b": [2, 2, 2.0]}).provenance.samples == {}


def test_pass_at_k_reads_all_samples_of_each_item(tmp_path: Path) -> None:
    text = table("trial", (2, 4))
    result = outscore.score(read(tmp_path, text), metrics="pass_at_k:k=2,column=score")
    shares = means(text)
    for score in result.scores:
        values = []
        for item in range(ITEMS):
            n = (2, 4)[item % 2]
            wrong = n - round(shares[score.system][item, 0] * n)
            values.append(1 - wrong * (wrong - 1) / (n * (n - 1)))
        assert score.score == pytest.approx(np.mean(values))


def test_a_seed_is_taken_as_a_run_and_the_note_names_the_other_reading(tmp_path: Path) -> None:
    text = table("seed")
    data = read(tmp_path, text)
    assert data.runs["a"] == ("0", "1", "2")
    (note,) = (note for note in data.notes if note.code == "seed_as_run")
    assert "sample=seed" in note.remedy
    chosen = read(tmp_path, text, "sample=seed")
    assert chosen.n_samples["a"] == (3, 3)
    assert not chosen.notes
    assert not read(tmp_path, text, "run=seed").notes


@pytest.mark.parametrize("name", ["rater", "annotator_id", "Judge"])
def test_annotators_are_no_trainings(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, table(name))
    assert f"-c sample={name}" in str(refused.value) and "rank --wins" in str(refused.value)
    assert not re.search("-c (run|system|metric|item)=", str(refused.value))
    (note,) = read(tmp_path, table(name), f"run={name}").notes
    assert repr(name) in note.text and f"-c sample={name}" in note.remedy
    assert not read(tmp_path, table(name), f"sample={name}").notes


@pytest.mark.parametrize("name", ["epoch", "trial", "repeat", "repetition", "generation", "Epoch"])
def test_a_column_that_was_taken_for_samples_is_named_with_the_other_reading(tmp_path: Path, name: str) -> None:
    text = table(name)
    data = read(tmp_path, text)
    assert (data.runs["a"], data.n_samples["a"]) == (("1",), (3, 3))
    (note,) = data.notes
    assert note.code == "column_as_sample"
    assert repr(name) in note.text
    assert f"-c run={name}" in note.remedy
    assert len(read(tmp_path, text, f"run={name}").runs["a"]) == 3
    assert not read(tmp_path, text, f"run={name}").notes
    assert not read(tmp_path, text, f"sample={name}").notes
    assert not read(tmp_path, table("sample")).notes


def with_seed(*, of_rows: bool) -> str:
    """Three epochs of each item with the seed of each: the same three for all items, or one of its own for each row."""
    lines = table("epoch").splitlines()
    made = [f"{line},{100 + (row if of_rows else row % 3)}" for row, line in enumerate(lines[1:])]
    return "\n".join([f"{lines[0]},seed", *made, ""])


def test_a_seed_beside_epochs_is_noted_too_and_may_be_part_of_the_name_of_a_sample(tmp_path: Path) -> None:
    # the seeds of sampling go with the epochs: silently taken for trainings they cost half of the power
    text = with_seed(of_rows=False)
    data = read(tmp_path, text)
    assert len(data.runs["a"]) == 3
    assert [note.code for note in data.notes] == ["seed_as_run"]
    for column in ("sample=seed", "sample=epoch+seed"):
        chosen = read(tmp_path, text, column)
        assert (chosen.runs["a"], chosen.n_samples["a"], chosen.notes) == (("1",), (3, 3), ())
    both = read(tmp_path, text, "sample=epoch+seed", "run=seed")
    assert len(both.runs["a"]) == 3


def test_where_every_row_has_a_seed_of_its_own_the_error_names_the_other_reading(tmp_path: Path) -> None:
    text = with_seed(of_rows=True)
    with pytest.raises(InputError, match=r"no item id in common .*: 'q1'.*'seed' was taken as the run.*-c sample=seed"):
        read(tmp_path, text)
    assert read(tmp_path, text, "sample=seed").n_samples["a"] == (3, 3)


@pytest.mark.parametrize("column", ["generation", "sample"])
def test_a_text_is_no_name_of_a_sample(tmp_path: Path, column: str) -> None:
    rows = [f"a,q{i},the answer is {i},{i % 2}\n" for i in range(4)]
    data = read(tmp_path, f"system,item,{column},score\n" + "".join(rows))
    assert not data.sample_counts
    assert data.labels[column][0] == "the answer is 0"


def test_files_can_be_samples(tmp_path: Path) -> None:
    for name in "ab":
        for k in range(3):
            rng = np.random.default_rng([ord(name), k])
            (tmp_path / f"{name}{k}.txt").write_text("".join(f"{x}\n" for x in rng.random(ITEMS)), encoding="utf-8")
    given = [f"{name}={tmp_path / name}*.txt" for name in "ab"]
    data = outscore.read(given, columns="sample=@file")
    assert data.n_samples == {"a": (3, 3), "b": (3, 3)}
    runs = outscore.score(outscore.read(given))
    assert [s.score for s in outscore.score(data).scores] == pytest.approx([s.score for s in runs.scores])
    (tmp_path / "runs.csv").write_text(
        "item,run,score\n" + "".join(f"q{i},{r},1\n" for i in "12" for r in "12"), encoding="utf-8"
    )
    with pytest.raises(UsageError, match="runs of its own"):
        outscore.read(f"x={tmp_path / 'runs.csv'}", columns="sample=@file")


def test_converted_samples_are_read_back(tmp_path: Path) -> None:
    text = table("trial", (2, 4), topic="x")
    data = read(tmp_path, text)
    again = read(tmp_path, str(outscore.convert(data).to("csv")))
    assert again.n_samples == data.n_samples
    assert again.labels == data.labels
    one, two = (outscore.compare(d, metrics="score", n_resamples=100).pairs for d in (data, again))
    assert one == two


def test_missing_items_and_numbers_of_samples_are_missed(tmp_path: Path) -> None:
    rows = "a,q1,1,1\na,q1,2,0\na,q2,1,1\nb,q1,1,1\nb,q1,2,\nb,q2,1,0\n"
    with pytest.raises(InputError, match="missing"):
        read(tmp_path, f"system,item,trial,score\n{rows}")
    path = str(tmp_path / "scores.csv")
    assert outscore.read(path, missing="drop").items == ("q2",)
    scores = outscore.score(outscore.read(path, missing="zero")).scores
    assert [s.score for s in scores] == [0.75, 0.25]


def test_what_shows_one_answer_refuses_several(tmp_path: Path) -> None:
    rows = "".join(f"a,q{i},{k},yes,{'yes' if i else 'no'}\n" for i in range(4) for k in range(2))
    data = read(tmp_path, f"system,item,trial,output,gold\n{rows}")
    assert outscore.score(data, metrics="accuracy").scores[0].score == 0.75
    with pytest.raises(InputError, match="several samples"):
        outscore.score(data, confusion=True)


def test_a_mean_of_samples_that_are_right_or_wrong_keeps_between_0_and_1(tmp_path: Path) -> None:
    rows = [f"{s},q{i},{k},{int((i, k) != (3, 1) or s == 'b')}\n" for s in "ab" for i in range(20) for k in range(4)]
    data = read(tmp_path, "system,item,epoch,score\n" + "".join(rows) + "b,q0,4,0\n")
    by_mean, by_accuracy = (outscore.score(data, metrics=metric).scores for metric in ("mean", "accuracy"))
    for mean, accuracy in zip(by_mean, by_accuracy, strict=True):
        assert mean.ci == pytest.approx(accuracy.ci)
        assert mean.ci is not None
        assert 0 < mean.ci[0] < mean.score < mean.ci[1] < 1
