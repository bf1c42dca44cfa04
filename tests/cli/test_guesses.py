"""Tables whose numbers may mean two things are asked about, with the commands; those that mean one thing are read."""

from __future__ import annotations

import json
import random
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import pandas as pd
import pytest

from outscore import UsageError, compare
from tests.cli.commandline import Done, outscore, written

Cell = Callable[[random.Random, int], object]

ITEMS = [f"q{i:02}" for i in range(24)]
NUMBER: Cell = lambda dice, i: round(dice.random(), 3)  # noqa: E731
RIGHT: Cell = lambda dice, i: int(dice.random() < 0.5)  # noqa: E731
COUNT: Cell = lambda dice, i: dice.randrange(10, 90)  # noqa: E731
ROW: Cell = lambda dice, i: i + 1  # noqa: E731


def table(file: Path, columns: dict[str, Cell], more: str = "") -> Path:
    """A CSV file with a column of items and these."""
    dice = random.Random(file.name)
    lines = [",".join(["item", *columns])]
    lines += [",".join(map(str, [item, *(cell(dice, i) for cell in columns.values())])) for i, item in enumerate(ITEMS)]
    file.write_text("\n".join(lines) + "\n" + more, encoding="utf-8")
    return file


def compared(*arguments: str | Path) -> tuple[list[str], dict[str, Any]]:
    """The systems that were compared, and the whole result."""
    done = outscore("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    return sorted({score["system"] for score in found["scores"]}), found


def refused(done: Done, code: int = 3) -> str:
    assert (done.code, done.out) == (code, "")
    assert len(done.err.splitlines()) == 1
    return done.err


@pytest.mark.parametrize(
    "beside",
    [
        {"rank": ROW},
        {"fold": COUNT},
        {"difficulty": COUNT},
        {"diff": NUMBER},
        {"length": COUNT},
        {"mean": NUMBER, "std": NUMBER},
        {"prompt_tokens": COUNT, "completion_tokens": COUNT},
        {"timestamp": COUNT},
        {"latency_ms": COUNT},
        {"base_confidence": NUMBER, "new_confidence": NUMBER},
        {"accuracy": NUMBER},
        *({name: COUNT} for name in ("freq", "age", "grade", "hash", "version", "batch", "page", "winner", "best")),
        *({name: COUNT} for name in ("Learning Rate", "threshold", "turn", "zip", "votes", "chapter")),
    ],
    ids=" ".join,
)
def test_columns_of_which_some_may_be_systems_are_a_question(tmp_path: Path, beside: dict[str, Cell]) -> None:
    file = table(tmp_path / "wide.csv", {**beside, "base": NUMBER, "new": NUMBER})
    said = refused(outscore("compare", file))
    assert f"{file}:1: the columns {next(iter(beside))!r}" in said
    assert f"'{file}#base*'" in said
    assert f"-c label={quote(next(iter(beside)))}" in said


def test_every_command_of_the_question_answers_it(tmp_path: Path) -> None:
    file = table(tmp_path / "wide.csv", {"rank": ROW, "base": NUMBER, "new": NUMBER})
    assert compared(file, "-c", "label=rank")[0] == ["base", "new"]
    assert compared(f"{file}#[bn]*")[0] == ["base", "new"]
    assert compared(file, "-c", "system=@columns")[0] == ["base", "new", "rank"]
    other = table(tmp_path / "other.csv", {"rank": ROW, "base": NUMBER, "new": NUMBER})
    assert compared(f"a={file}", f"b={other}", "-m", "base")[0] == ["a", "b"]


def test_headers_may_name_systems_by_one_measure_of_each(tmp_path: Path) -> None:
    assert compared(table(tmp_path / "a.csv", {"base_acc": RIGHT, "new_acc": RIGHT}))[0] == ["base_acc", "new_acc"]


def test_two_measures_of_each_system_are_no_four_systems(tmp_path: Path) -> None:
    columns = {"base_acc": RIGHT, "base_f1": NUMBER, "new_acc": RIGHT, "new_f1": NUMBER}
    assert "one system ('t') cannot be compared" in outscore("compare", table(tmp_path / "t.csv", columns)).err


@pytest.mark.parametrize("named", [True, False])
def test_a_log_of_right_answers_and_times_is_one_system_and_the_metric_is_asked_for(
    tmp_path: Path, named: bool
) -> None:
    files = [table(tmp_path / f"{s}.csv", {"correct": RIGHT, "latency": NUMBER}) for s in ("base", "new")]
    arguments = [f"{file.stem}={file}" if named else str(file) for file in files]
    assert "which metric? The data have the columns 'correct', 'latency'" in outscore("compare", *arguments).err
    assert compared(*arguments, "-m", "correct")[0] == ["base", "new"]


@pytest.mark.parametrize(
    "name",
    [
        *("duration", "latency", "prompt_tokens", "cost", "year", "event_id", "confidence"),
        *("age", "lr", "threshold", "turn", "zip", "hash", "version", "batch"),
    ],
)
def test_a_number_that_says_nothing_of_quality_is_no_score(tmp_path: Path, name: str) -> None:
    files = [f"{s}={table(tmp_path / f'{s}.csv', {name: COUNT})}" for s in ("base", "new")]
    said = refused(outscore("compare", *files), 2)
    assert f"No column says how good an output is: {name!r}" in said
    assert f"-m mean:column={name},lower=true" in said
    assert compared(*files, "-m", f"mean:column={name},tested=true")[0] == ["base", "new"]


@pytest.mark.parametrize("name", ["max_points", "max_score", "Max Score", "possible", "out_of", "full_marks"])
def test_the_most_that_can_be_had_is_no_system(tmp_path: Path, name: str) -> None:
    file = table(tmp_path / "t.csv", {name: COUNT, "base": NUMBER, "new": NUMBER})
    assert f"the columns {name!r} may describe the items or measure one system" in refused(outscore("compare", file))
    assert compared(file, "-c", f"label={name}")[0] == ["base", "new"]


def test_grades_beside_the_belief_of_a_judge_are_what_is_proposed(tmp_path: Path) -> None:
    files = []
    for system, first in (("base", 3), ("new", 2)):
        rows = "".join(f"{i},{'INCORRECT' if i % first else 'CORRECT'},0.{i}\n" for i in range(12))
        files.append(tmp_path / f"{system}.csv")
        files[-1].write_text(f"id,verdict,judge_confidence\n{rows}", encoding="utf-8")
    said = refused(outscore("compare", *files), 2)
    assert "-c score=verdict takes the grades" in said
    assert "mean:column=judge_confidence" not in said
    assert outscore("compare", *files, "-c", "score=verdict").code == 0


@pytest.mark.parametrize("name", ["pred_index", "answer_index", "gold_idx", "n_tokens", "fold", "has_image", "judge"])
@pytest.mark.parametrize("metric", ["accuracy", "exact_match"])
def test_the_only_numbers_beside_outputs_are_no_score_by_a_metric_of_outputs(
    tmp_path: Path, name: str, metric: str
) -> None:
    answer: Cell = lambda dice, i: dice.choice("AB")  # noqa: E731
    columns = {"pred": answer, "answer": lambda dice, i: "AB"[i % 2], name: RIGHT}
    files = [table(tmp_path / f"{s}.csv", columns) for s in ("base", "new")]
    said = refused(outscore("compare", *files, "-m", metric), 2)
    assert f"{name!r} is the only one of numbers: -c reference=answer, in Python .rename(" in said
    assert f"-m {metric}:column={name} to take it" in said
    rows = [[line.split(",")[1:3] for line in file.read_text(encoding="utf-8").splitlines()[1:]] for file in files]
    for command, columns_of in (("reference=answer", rows), ("output=pred,reference=answer", rows)):
        found = compared(*files, "-m", metric, "-c", command)[1]
        shares = [sum(pred == gold for pred, gold in of) / len(ITEMS) for of in columns_of]
        assert [score["score"] for score in found["scores"]] == pytest.approx(shares)
    assert compared(*files, "-m", f"{metric}:column={name}")[0] == ["base", "new"]
    without = [table(tmp_path / f"{s}.csv", {**columns, name: answer}) for s in ("base", "new")]
    assert "-c reference=answer" in refused(outscore("compare", *without, "-m", metric), 2)


def test_frames_are_told_how_to_name_the_gold_beside_the_only_numbers() -> None:
    frame = pd.DataFrame({"model": ["a", "a", "b", "b"], "id": [1, 2, 1, 2], "pred": list("xyxx"), "length": 1})
    frame["answer"] = list("xyxy")
    with pytest.raises(UsageError, match=r"'length' is the only one .*rename\(columns={'answer': 'gold'}\)"):
        compare(frame, metrics="accuracy")
    assert [one.score for one in compare(frame.rename(columns={"answer": "gold"}), metrics="accuracy").scores] == [
        1,
        0.5,
    ]
    with pytest.raises(UsageError, match="'length' is the only one of numbers: -m accuracy:column=length to take it"):
        compare(frame.drop(columns=["pred", "answer"]), metrics="accuracy")
    other = frame.drop(columns=["pred", "answer"]).rename(columns={"length": "is_long"})
    assert "column_as_score" in [note.code for note in compare(other, metrics="accuracy").notes]


def test_what_costs_is_no_score_of_which_more_is_better_unless_it_is_said(tmp_path: Path) -> None:
    files = [f"{s}={table(tmp_path / f'{s}.csv', {'latency_ms': COUNT})}" for s in ("base", "new")]
    assert "-m mean:column=latency_ms,lower=true" in refused(outscore("compare", *files, "-m", "latency_ms"), 2)
    found = compared(*files, "-m", "mean:column=latency_ms")[1]
    assert "direction_assumed" in [note["code"] for note in found["notes"]]


@pytest.mark.parametrize("name", ["wer", "WER", "Wer", "ter", "CER", "Perplexity", "metricx", "MetricX-24", "brier"])
@pytest.mark.parametrize("metric", [[], ["-m", "mean"], ["-m", "NAME"]], ids=["unasked", "mean", "named"])
def test_less_is_better_of_a_metric_of_errors_however_it_is_spelled(
    tmp_path: Path, name: str, metric: list[str]
) -> None:
    files = [f"{s}={table(tmp_path / f'{s}.csv', {name: NUMBER})}" for s in ("base", "new")]
    found = compared(*files, *(name if part == "NAME" else part for part in metric))[1]
    assert {score["higher_is_better"] for score in found["scores"]} == {False}
    base, new = (score["score"] for score in found["scores"])
    assert found["pairs"][0]["gain"] == pytest.approx(base - new)


FAULTS = (
    *("error_rate", "Error-Rate", "WordErrorRate", "loss", "val_loss", "valLoss", "PER", "der", "EER", "FPR", "hter"),
    *("ppl", "nll", "MAE", "mse", "RMSE", "error", "num.errors", "bpb", "FID", "edit_distance", "toxicity", "regret"),
    *("surprisal", "hallucination_rate", "violations", "failures", "cross_entropy", "negative_log_likelihood"),
    *("wrong", "is_incorrect", "fail", "Failed", "failure", "refused", "refusals", "refusal_rate", "hallucinated"),
    *("hallucinations", "unsafe", "isToxic", "toxicity_score", "error_count", "penalty"),
    *(
        "harm",
        "risk",
        "gender_bias",
        "misclassified",
        "kl",
        "KL-divergence",
        "complaints",
        "dissimilarity",
        "unfairness",
    ),
    *("score_lower_is_better", "error_lower_is_better"),
)


@pytest.mark.parametrize("name", FAULTS)
def test_a_name_by_which_less_is_better_is_never_taken_for_a_score_of_which_more_is(tmp_path: Path, name: str) -> None:
    files = [f"{s}={table(tmp_path / f'{s}.csv', {name: NUMBER})}" for s in ("base", "new")]
    for arguments in ([], ["-m", name], ["-m", "mean"]):
        said = refused(outscore("compare", *files, *arguments), 2)
        assert f"-m mean:column={name},lower=true" in said
    found = compared(*files, "-m", f"mean:column={name},lower=true")[1]
    assert {score["higher_is_better"] for score in found["scores"]} == {False}


def test_a_metric_in_a_cell_says_the_direction_as_one_in_the_header_does(tmp_path: Path) -> None:
    def rows(metric: str) -> Path:
        file = tmp_path / "long.csv"
        cells = [f"{s},{i},{metric},{(i * k) % 7}" for k, s in ((2, "base"), (3, "new")) for i in range(1, 20)]
        file.write_text("\n".join(["system,item,metric,score", *cells]) + "\n", encoding="utf-8")
        return file

    assert {score["higher_is_better"] for score in compared(rows("WER"))[1]["scores"]} == {False}
    assert "-m mean:column=loss,lower=true" in refused(outscore("compare", rows("loss")), 2)


def test_errors_of_systems_in_columns_keep_their_direction(tmp_path: Path) -> None:
    file = table(tmp_path / "wide.csv", {"base_WER": NUMBER, "new_WER": NUMBER})
    systems, found = compared(file)
    assert systems == ["base_WER", "new_WER"]
    assert {score["higher_is_better"] for score in found["scores"]} == {False}
    losses = table(tmp_path / "losses.csv", {"base_loss": NUMBER, "new_loss": NUMBER})
    assert "-m mean:column=loss,lower=true" in refused(outscore("compare", losses), 2)


COSTS = ("cost", "seconds", "tokens", "total_tokens", "tokens_used", "ms", "sec")


@pytest.mark.parametrize("name", COSTS)
def test_a_cost_alone_is_asked_about(tmp_path: Path, name: str) -> None:
    files = [f"{s}={table(tmp_path / f'{s}.csv', {name: NUMBER})}" for s in ("base", "new")]
    assert f"-m mean:column={name},lower=true" in refused(outscore("compare", *files), 2)


@pytest.mark.parametrize("word", [*COSTS, "error", "rank", "penalty", "mean_loss", "harm"])
@pytest.mark.parametrize("form", ["{}_base {}_new", "base_{} new_{}", "{}-a {}-b"])
def test_a_fault_or_cost_that_all_systems_are_called_by_is_asked_about(tmp_path: Path, word: str, form: str) -> None:
    names = form.format(word, word).split()
    file = table(tmp_path / "wide.csv", dict.fromkeys(names, NUMBER))
    said = re.search(r"-m (mean:column=\w+,lower=true)", refused(outscore("compare", file), 2))
    assert said is not None
    systems, found = compared(file, "-m", said[1])
    assert systems == names
    assert {score["higher_is_better"] for score in found["scores"]} == {False}


@pytest.mark.parametrize("names", ["rank_8 rank_16", "size_7b size_70b", "error_base new", "base_acc new_acc"])
def test_names_of_settings_are_systems(tmp_path: Path, names: str) -> None:
    assert sorted(compared(table(tmp_path / "t.csv", dict.fromkeys(names.split(), NUMBER)))[0]) == sorted(names.split())


@pytest.mark.parametrize(
    "name",
    [
        "neg_log_loss",
        "neg_mean_squared_error",
        "error_type",
        "pass_rate",
        "1-wer",
        "brier_skill",
        "pass_fail",
        "not_refused",
    ],
)
def test_a_word_of_errors_that_is_turned_or_not_what_is_measured_says_no_direction(tmp_path: Path, name: str) -> None:
    files = [f"{s}={table(tmp_path / f'{s}.csv', {name: NUMBER})}" for s in ("base", "new")]
    assert {score["higher_is_better"] for score in compared(*files)[1]["scores"]} == {True}


@pytest.mark.parametrize("names", [("failover", "retry"), ("unsafely", "toxicology")])
def test_words_that_hold_a_word_of_errors_may_be_systems(tmp_path: Path, names: tuple[str, str]) -> None:
    assert compared(table(tmp_path / "t.csv", dict.fromkeys(names, NUMBER)))[0] == sorted(names)


def test_a_ratio_of_errors_of_which_more_is_better_is_noted(tmp_path: Path) -> None:
    columns = {"edits": COUNT, "words": COUNT}
    files = [f"{s}={table(tmp_path / f'{s}.csv', columns)}" for s in ("base", "new")]
    codes = [note["code"] for note in compared(*files, "-m", "ratio:num=edits,den=words")[1]["notes"]]
    assert "direction_assumed" in codes
    codes = [note["code"] for note in compared(*files, "-m", "ratio:num=edits,den=words,lower=true")[1]["notes"]]
    assert "direction_assumed" not in codes


def test_a_column_of_which_less_is_better_is_called_by_its_name_with_the_arrow(tmp_path: Path) -> None:
    files = [f"{s}={table(tmp_path / f'{s}.csv', {'harm': NUMBER, 'help': NUMBER})}" for s in ("base", "new")]
    done = outscore("compare", *files, "-m", "mean:column=harm,lower=true")
    assert "harm ↓ [95% CI]" in done.out
    assert "mean:column" not in done.out
    both = outscore("compare", *files, "-m", "mean:column=harm,mean:column=harm,lower=true")
    assert "harm ↑" in both.out
    assert "mean (column=harm,lower=true) ↓" in both.out, "two that mean two things have two names"


def test_the_only_column_has_the_direction_of_its_name_with_and_without_m(tmp_path: Path) -> None:
    files = [f"{s}={table(tmp_path / f'{s}.csv', {'wer': NUMBER})}" for s in ("base", "new")]
    (plain, named) = (compared(*files, *more)[1]["pairs"][0]["gain"] for more in ((), ("-m", "wer")))
    (score,) = {s["higher_is_better"] for s in compared(*files)[1]["scores"]}
    assert (plain, score) == (named, False)


def test_outputs_with_references_beside_scores_are_a_question(tmp_path: Path) -> None:
    file = tmp_path / "both.jsonl"
    rows = [
        {"system": s, "item": i, "output": "a b", "reference": "a c", "score": (k * len(s)) % 3}
        for s in ("base", "new")
        for k, i in enumerate(ITEMS)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    said = refused(outscore("compare", file), 2)
    assert "-m bleu scores the outputs, -m mean:column=score takes the scores" in said
    assert compared(file, "-m", "mean:column=score")[0] == ["base", "new"]


@pytest.mark.parametrize("index", ["", "Unnamed: 0"])
def test_the_index_that_pandas_writes_is_no_system(tmp_path: Path, index: str) -> None:
    rows = "".join(f"{k},{i},{k % 3},{k % 2}\n" for k, i in enumerate(ITEMS))
    (tmp_path / "t.csv").write_text(f"{index},item,base,new\n{rows}", encoding="utf-8")
    assert compared(tmp_path / "t.csv")[0] == ["base", "new"]


@pytest.mark.parametrize("name", ["average", "Total", "Avg.", "overall"])
def test_a_row_that_sums_up_the_others_is_no_item(tmp_path: Path, name: str) -> None:
    file = table(tmp_path / "t.csv", {"base": NUMBER, "new": NUMBER}, f"{name},0.5,0.6\n")
    assert f"{file}:26: the item {name!r}" in refused(outscore("compare", file))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("", ()),
        (" ", ()),
        ("nan", ()),
        ("", ("-c", "item=@row")),
        ("mean", ("-c", "item=@row")),
        ("", ("-c", "item=item+text")),
    ],
)
def test_a_last_row_of_means_without_a_name_is_no_item(tmp_path: Path, name: str, options: Sequence[str]) -> None:
    rows = [f"{item},t,{k / 8},{k / 4}" for k, item in enumerate(ITEMS[:9])]
    (tmp_path / "t.csv").write_text("\n".join(["item,text,base,new", *rows, f"{name},,0.5,1"]), encoding="utf-8")
    said = refused(outscore("compare", tmp_path / "t.csv", *options))
    assert f"{tmp_path / 't.csv'}:11: " in said
    assert "cut the row" in said


def test_rows_that_nothing_names_are_all_items(tmp_path: Path) -> None:
    rows = [f"{k / 8},{k / 4}" for k in range(9)]
    (tmp_path / "t.csv").write_text("\n".join(["base,new", *rows, "0.5,1"]), encoding="utf-8")
    assert compared(tmp_path / "t.csv", "-c", "item=@row")[1]["pairs"][0]["n_items"] == 10


@pytest.mark.parametrize("name", ["item", "Item", "item_id", "id"])
def test_a_column_of_ids_is_no_system_where_the_rows_are_items(tmp_path: Path, name: str) -> None:
    rows = [f"{1000 + k},0.{k},0.{99 - k}" for k in range(10, 40)]
    (tmp_path / "t.csv").write_text("\n".join([f"{name},base,new", *rows]), encoding="utf-8")
    systems, found = compared(tmp_path / "t.csv", "-c", "item=@row")
    assert systems == ["base", "new"]
    (note,) = (note["text"] for note in found["notes"] if note["code"] == "columns_describe")
    assert note.startswith("taken as descriptions of the items and not as systems: ")


@pytest.mark.parametrize("name", ["docid", "sentence_no", "uid", "row_number", "SegIdx"])
def test_a_column_that_numbers_the_items_is_asked_about_before_it_is_a_system(tmp_path: Path, name: str) -> None:
    file = table(tmp_path / "t.csv", {name: ROW, "base": NUMBER, "new": NUMBER})
    assert f"-c label={name}" in refused(outscore("compare", file))
    assert compared(file, "-c", f"label={name}")[0] == ["base", "new"]


@pytest.mark.parametrize(
    ("name", "first"),
    [("attempt", "sample"), ("trial_id", "sample"), ("seed_no", "run"), ("draw", "sample"), ("response_id", "sample")],
)
@pytest.mark.parametrize("wide", [True, False])
def test_rows_of_one_item_are_answers_before_they_are_items(
    tmp_path: Path, name: str, first: str, *, wide: bool
) -> None:
    rows = [(item, k, round(random.Random(item).random(), 3)) for item in ITEMS for k in range(3)]
    header = f"task_id,{name},base,new" if wide else f"task_id,{name},system,score"
    lines = [f"{i},{k},{x},{1 - x}" if wide else f"{i},{k},base,{x}\n{i},{k},new,{1 - x}" for i, k, x in rows]
    (tmp_path / "t.csv").write_text("\n".join([header, *lines]), encoding="utf-8")
    said = refused(outscore("compare", tmp_path / "t.csv"))
    assert f"; say -c {first}={name} for several" in said
    assert said.index("-c item=") > said.index("-c sample=")
    assert compared(tmp_path / "t.csv", "-c", f"{first}={name}")[1]["pairs"][0]["n_items"] == len(ITEMS)


WORDS = ["way", "manner", "sum", "nasty", "average", "cruel", "mean"]
"""An English word, and what it may be taken for, each an item; the last one is no mean."""


def by_word(folder: Path, last: str = "0.9,0.2", more: str = "", words: Sequence[str] = WORDS) -> Path:
    rows = [f"{word},0.{k + 1},0.{9 - k}" for k, word in enumerate(words[:-1])]
    (folder / "t.csv").write_text("\n".join(["item,base,new", *rows, f"{words[-1]},{last}", more]), encoding="utf-8")
    return folder / "t.csv"


def test_an_item_called_mean_among_words_is_one_where_it_is_no_mean(tmp_path: Path) -> None:
    _, found = compared(by_word(tmp_path))
    assert found["pairs"][0]["n_items"] == 7
    (note,) = (note["text"] for note in found["notes"] if note["code"] == "total_as_item")
    assert note == "'mean' is taken for an item: its numbers are neither the sum nor the mean of the others"
    assert "total_as_item" not in {n["code"] for n in compared(by_word(tmp_path, words=WORDS[::-1][1:]))[1]["notes"]}
    for last in ("0.35,0.65", "2.1,3.9"):
        assert "'mean' is taken for a row that sums up" in refused(outscore("compare", by_word(tmp_path, last)))


@pytest.mark.parametrize("system", ["base", "new"])
def test_a_mean_below_the_items_of_each_system_is_no_item(tmp_path: Path, system: str) -> None:
    values = {"base": [0.1, 0.2, 0.6], "new": [0.4, 0.3, 0.8]}
    last = {"base": 0.7, "new": 0.2} | {system: sum(values[system]) / 3}
    rows = [
        f"{s},{word},{value}"
        for s in values
        for word, value in zip(("a", "mean", "b", "total"), [*values[s], last[s]], strict=True)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["system,item,score", *rows]), encoding="utf-8")
    assert f"t.csv:{5 if system == 'base' else 9}: the item 'total'" in refused(outscore("compare", tmp_path / "t.csv"))


def test_a_mean_above_its_spread_is_no_item_either(tmp_path: Path) -> None:
    file = by_word(tmp_path, "0.35,0.65", "std,0.1,0.1\nmin,0.1,0.1\n")
    assert f"{file}:8: the item 'mean'" in refused(outscore("compare", file))


def test_words_that_may_be_items_are_asked_about_only_where_they_sum_up(tmp_path: Path) -> None:
    columns: dict[str, Cell] = {"base": lambda _, i: i % 2, "new": lambda _, i: i % 3}
    assert compared(table(tmp_path / "a.csv", columns, "global,1,1\n"))[0] == ["base", "new"]
    assert "'global'" in refused(outscore("compare", table(tmp_path / "b.csv", columns, "global,0.5,1\n")))


@pytest.mark.parametrize("name", ["ALL", "all", "mean", "Average"])
def test_a_row_of_all_items_is_no_item_among_numbered_ones_even_where_it_is_weighted(tmp_path: Path, name: str) -> None:
    file = table(tmp_path / "a.csv", {"base": RIGHT, "new": RIGHT}, f"{name},0.41,0.62\n")
    assert f"{file}:26: the item {name!r}" in refused(outscore("compare", file))


def test_a_column_that_sums_up_is_no_item_where_headers_are_items(tmp_path: Path) -> None:
    file = tmp_path / "board.csv"
    file.write_text("model,average,t1,t2,t3\nsmall,.5,.4,.5,.6\nlarge,.6,.5,.6,.7\n", encoding="utf-8")
    assert "-c label=average" in refused(outscore("compare", file, "-c", "item=@columns"))
    assert compared(file, "-c", "item=@columns", "-c", "label=average")[1]["pairs"][0]["n_items"] == 3


@pytest.mark.parametrize(
    ("cell", "remedy"),
    [("54%", "write 54 without the sign"), ("0.54 ± 0.02", "write the number alone"), ('"0,54"', "decimal point")],
)
def test_a_system_whose_numbers_are_written_otherwise_is_not_lost(tmp_path: Path, cell: str, remedy: str) -> None:
    file = table(tmp_path / "t.csv", {"base": NUMBER, "new": NUMBER, "third": lambda *_: cell})
    said = refused(outscore("compare", file))
    assert f"{file}:2: column 'third' holds" in said
    assert remedy in said
    assert compared(file, "-c", "label=third")[0] == ["base", "new"]


def test_columns_of_texts_are_named_as_descriptions(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", {"base": NUMBER, "new": NUMBER, "third": lambda dice, _: dice.choice("abc")})
    notes = {note["code"]: note["text"] for note in compared(file)[1]["notes"]}
    assert notes["columns_describe"] == "taken as descriptions of the items and not as systems: 'third' (texts)"


@pytest.mark.parametrize("name", ["t.csv", "t.txt"])
def test_cells_between_bars_are_no_lines_of_text(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("item|base|new\nx|1|0\ny|0|1\n", encoding="utf-8")
    assert "bars separate the columns, expected commas, semicolons or tabs" in refused(
        outscore("compare", tmp_path / name)
    )


def test_columns_between_blanks_are_told_from_a_column_of_texts(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("SYS SID Z\nbase x 1\nnew x 0\nbase y 0\nnew y 1\n", encoding="utf-8")
    for roles in ((), ("-c", "system=SYS")):
        said = refused(outscore("compare", file, *roles))
        assert "blanks separate the columns, expected commas, semicolons or tabs" in said
        assert "make tabs of them: tr -s ' ' '\\t' < " in said
    file.write_text("a text\nof words\nand of more words\n", encoding="utf-8")
    assert "blanks separate" not in refused(outscore("compare", file))


@pytest.mark.parametrize("name", ["t.csv", "t.txt"])
@pytest.mark.parametrize(
    "text", ['item;base;new\nx;1;0\n"y;z";0;1\nw;1;1\n', '"item";"base";"new"\nx;1;0\ny;0;1\nw;1;1\n']
)
def test_semicolons_part_the_columns_of_a_table(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    scores = compared(tmp_path / name)[1]["scores"]
    assert [(one["system"], one["n_items"], round(one["score"], 3)) for one in scores] == [
        ("base", 3, 0.667),
        ("new", 3, 0.667),
    ]


RIGHT_AND_WRONG = (["q1", 1, 0], ["q2", 0, 1], ["q3", 1, 1], ["q4", 0, 1])


@pytest.mark.parametrize(
    ("right", "wrong"), [("correct", "incorrect"), ("pass", "fail"), ("Passed", "Failed"), ("true", "false"), (1, 0)]
)
def test_verdicts_in_words_are_scores_where_nothing_else_is_there(tmp_path: Path, right: object, wrong: object) -> None:
    """Rows below a row of names, rows by name, and scores by system and item, all say the same."""
    rows = [[item, *(right if one else wrong for one in verdicts)] for item, *verdicts in RIGHT_AND_WRONG]
    shapes: list[object] = [
        [["item", "base", "new"], *rows],
        [dict(zip(("item", "base", "new"), row, strict=True)) for row in rows],
    ]
    if right != "true":
        shapes.append({name: {row[0]: row[k] for row in rows} for k, name in ((1, "base"), (2, "new"))})
    for number, shape in enumerate(shapes):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(shape), encoding="utf-8")
        found = compared(file)[1]
        assert [(one["system"], one["score"]) for one in found["scores"]] == [("base", 0.5), ("new", 0.75)], shape
        said = [note["text"] for note in found["notes"] if note["code"] == "grades_as_scores"]
        assert bool(said) == (right != 1)


def test_words_that_may_be_answers_are_not_taken_for_scores(tmp_path: Path) -> None:
    """Beside a gold, or with other words among them, verdicts are labels; and rows of texts may have no names."""
    rows = [{"id": f"q{k}", "gold": g, "base": a, "new": b} for k, (g, a, b) in enumerate(
        [("true", "true", "false"), ("false", "true", "false"), ("false", "false", "false")]
    )]  # fmt: skip
    (tmp_path / "gold.json").write_text(json.dumps(rows), encoding="utf-8")
    found = compared(tmp_path / "gold.json", "-m", "accuracy")[1]
    assert [round(one["score"], 3) for one in found["scores"]] == [0.667, 0.667]
    (tmp_path / "mixed.json").write_text(
        json.dumps([{"id": "q1", "base": "pass", "new": "skipped"}, {"id": "q2", "base": "fail", "new": "pass"}]),
        encoding="utf-8",
    )
    assert "-c score=base" in refused(outscore("compare", tmp_path / "mixed.json"))
    (tmp_path / "texts.json").write_text('[["a", "b"], ["c", "d"]]', encoding="utf-8")
    assert "begin with a list of names" in refused(outscore("compare", tmp_path / "texts.json"))


def test_measures_beside_a_gold_are_no_systems(tmp_path: Path) -> None:
    columns = {"gold": RIGHT, "base": RIGHT, "new": RIGHT, "base_correct": RIGHT, "fold": RIGHT}
    systems, found = compared(table(tmp_path / "t.csv", columns))
    assert systems == ["base", "new"]
    (note,) = (note["text"] for note in found["notes"] if note["code"] == "columns_describe")
    assert "'base_correct', 'fold'" in note


def test_scores_are_no_outputs_beside_a_gold_of_texts(tmp_path: Path) -> None:
    columns = {"label": lambda dice, _: dice.choice("xy"), "base": NUMBER, "new": NUMBER}
    file = table(tmp_path / "t.csv", columns)
    said = refused(outscore("compare", f"{file}#[bn]*"))
    assert f"{file}:2: column 'base' holds numbers" in said
    assert compared(file, "-c", "label=label")[0] == ["base", "new"]


@pytest.mark.parametrize("keys", [("system", "item", "score"), ("model", "id", "karma")])
def test_numbers_in_quotes_are_named(tmp_path: Path, keys: tuple[str, str, str]) -> None:
    file = tmp_path / "t.jsonl"
    rows = [dict(zip(keys, (s, i, "0.5"), strict=True)) for s in ("a", "b") for i in ITEMS]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert "write numbers without quotes" in refused(outscore("compare", file))


@pytest.mark.parametrize(
    "command",
    ["advise", "advise --test auto", "compare", "power --effect .1", "rank", "replicate --set part", "sequential",
     "compare --test welch"],
)  # fmt: skip
def test_every_verb_that_needs_two_systems_says_what_may_be_the_other(tmp_path: Path, command: str) -> None:
    file = table(tmp_path / "a.csv", {"base": NUMBER, "new": lambda *_: "error", "part": lambda _, i: f"p{i % 2}"})
    said = refused(outscore(*command.split(), file), 2)
    assert "one system ('base') " in said
    assert "not as systems: 'new' (texts)" in said
    measures = f"one={table(tmp_path / 'b.csv', {'base': NUMBER, 'new': NUMBER, 'domain': lambda _, i: f'p{i % 2}'})}"
    if "replicate" not in command:
        said = refused(outscore(*command.split(), measures), 2)
        assert "its columns 'base', 'new' were taken for measures of it: -c system=@columns" in said


def test_where_one_system_is_left_what_became_of_the_others_is_said(tmp_path: Path) -> None:
    file = table(tmp_path / "a.csv", {"base": NUMBER, "new": lambda *_: "error"})
    said = refused(outscore("compare", file), 2)
    assert "one system ('base') cannot be compared" in said
    assert "taken as descriptions of the items and not as systems: 'new' (texts)" in said


def test_a_system_called_score_is_not_lost(tmp_path: Path) -> None:
    file = table(tmp_path / "a.csv", {"base": NUMBER, "score": NUMBER})
    said = refused(outscore("compare", file), 2)
    assert "its columns 'base', 'score' were taken for measures of it: -c system=@columns" in said
    assert compared(file, "-c", "system=@columns")[0] == ["base", "score"]


def test_columns_that_are_named_as_metrics_are_measures_of_one_system(tmp_path: Path) -> None:
    files = [table(tmp_path / f"{s}.csv", {"Factuality": NUMBER, "Levenshtein": NUMBER}) for s in ("base", "new")]
    assert "may describe the items" in refused(outscore("compare", *files))
    systems, found = compared(*files, "-m", "Factuality,Levenshtein")
    assert (systems, len(found["scores"])) == (["base", "new"], 4)
    systems, _ = compared(*files, "-m", "mean:column=Levenshtein")
    assert systems == ["base", "new"]


def test_a_column_of_names_beside_measures_is_offered_as_the_systems(tmp_path: Path) -> None:
    rows = "".join(f"{a},{i},{k},{(i + k) % 2},{9 + i}\n" for a in "AB" for i in range(9) for k in (0, 1))
    file = tmp_path / "a.csv"
    file.write_text("agent,task_id,trial,reward,n_messages\n" + rows, encoding="utf-8")
    said = refused(outscore("compare", file))
    assert "say -c system=agent -m reward if 'agent' names the systems; or pick" in said
    assert compared(file, "-c", "system=agent", "-m", "reward")[0] == ["A", "B"]


@pytest.mark.parametrize("winner", ["x", "1"])
def test_preferences_are_named_for_what_they_are_also_where_they_are_numbers(tmp_path: Path, winner: str) -> None:
    file = tmp_path / "p.csv"
    rows = "".join(f"{i},{1 if winner == '1' else 'x'},{2 if winner == '1' else 'y'},{winner}\n" for i in range(5))
    file.write_text("item,system1,system2,winner\n" + rows, encoding="utf-8")
    said = refused(outscore("compare", file))
    assert f"{file}:1: " in said
    assert "outscore rank --preferences FILE" in said


def test_a_table_of_items_has_a_row_for_each_where_those_of_systems_have_a_column(tmp_path: Path) -> None:
    file = written(tmp_path / "t.csv", ["model,q1,q2,q3,q4", "base,1,0,1,0", "new,1,1,1,0"])
    items = written(tmp_path / "items.csv", ["item,domain,words", *(f"q{k},{'xy'[k % 2]},{k}" for k in (1, 2, 3, 4))])
    done = outscore("compare", file, "-c", "item=@columns", "--items", items, "-f", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["pairs"][0]["n_items"] == 4
    assert {one["bucket"] for one in found["buckets"]} == {"x", "y"}


RUNS = [f"run {i},0.{80 + i % 7},0.{70 + i % 5}" for i in range(20)]


@pytest.mark.parametrize(
    ("above", "below", "named"),
    [
        ((), ("Minimum,.80,.70", "Maximum,.86,.74", "Mean,.83,.72", "Standard deviation,.02,.01"), "Minimum"),
        ((), ("count,20,20", "std,0.02,0.01"), "count"),
        ((), ("Max.,.86,.74", "n,20,20"), "Max."),
        ((), ("Median,.83,.725",), "Median"),
        (("mean,.5,.5", "sd,.1,.1"), (), "mean"),
        (("n,20,20", "sum,1,2"), (), "n"),
    ],
)
def test_statistics_above_or_below_numbered_rows_are_no_items(
    above: Sequence[str], below: Sequence[str], named: str, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["Run,base,new", *above, *RUNS, *below]), encoding="utf-8")
    said = refused(outscore("score", file, "-c", "item=Run"))
    line = 2 if above else 22
    assert (
        f"t.csv:{line}: the item {named!r} is taken for a row that sums up the others; cut the rows that do, or give"
        in said
    )
    rows = [*above, *below]
    file.write_text("\n".join(["Run,base,new", *RUNS[:9], *rows, *RUNS[9:]]), encoding="utf-8")
    _, found = compared(file, "-c", "item=Run")  # within the others they are items
    assert found["pairs"][0]["n_items"] == len(RUNS) + len(rows)


@pytest.mark.parametrize("name", ["total", "Average", "n", "correct", "micro", "Σ", "All tasks", "accuracy"])
def test_a_total_among_numbered_rows_is_said_and_refused_at_their_end(name: str, tmp_path: Path) -> None:
    file = written(tmp_path / "t.csv", ["Run,base,new", *RUNS, f"{name},9,8", "last 9,0.81,0.72"])
    notes = [note["text"] for note in compared(file, "-c", "item=Run")[1]["notes"] if note["code"] == "total_as_item"]
    assert notes == [f"{name!r} is taken for an item, whatever its name, as it stands among others"]
    file = written(tmp_path / "t.csv", ["Run,base,new", *RUNS, f"{name},9,8", "std,20,20"])
    assert f"t.csv:22: the item {name!r} is taken for a row that sums up" in refused(
        outscore("compare", file, "-c", "item=Run")
    )


@pytest.mark.parametrize("name", ["n", "count", "total"])
def test_the_number_of_items_below_words_is_no_item(name: str, tmp_path: Path) -> None:
    tasks = {"mmlu": 0.61, "gsm8k": 0.52, "arc": 0.7, "hellaswag": 0.8}
    content = {"base": tasks | {name: 4}, "new": {task: x + 0.02 for task, x in tasks.items()} | {name: 4}}
    (tmp_path / "t.json").write_text(json.dumps(content), encoding="utf-8")
    assert f"the item {name!r} is taken for a row that sums up" in refused(outscore("compare", tmp_path / "t.json"))
    content["base"][name] = content["new"][name] = 3
    (tmp_path / "t.json").write_text(json.dumps(content), encoding="utf-8")
    assert compared(tmp_path / "t.json")[1]["pairs"][0]["n_items"] == 5


@pytest.mark.parametrize("name", ["max", "min", "n", "sd"])
def test_a_word_at_the_end_of_words_is_an_item(name: str, tmp_path: Path) -> None:
    _, found = compared(by_word(tmp_path, words=[*WORDS[:-1], name]))
    assert found["pairs"][0]["n_items"] == len(WORDS)


def test_a_column_that_may_be_the_gold_is_offered_as_such(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", {name: lambda dice, _: dice.randrange(2) for name in ("correct_choice", "a", "b")})
    said = refused(outscore("compare", file, "-m", "accuracy"))
    assert "as in -c label=correct_choice, or -c reference=correct_choice if it is the gold;" in said
    assert compared(file, "-m", "accuracy", "-c", "reference=correct_choice")[0] == ["a", "b"]
    other = table(tmp_path / "u.csv", {"hits_correct": lambda _, i: i, "a": NUMBER, "b": NUMBER})
    assert "-c reference" not in refused(outscore("compare", other))


@pytest.mark.parametrize(("header", "offered"), [("bleu,chrf,ter", False), ("mmlu,arc,gsm8k", True)])
def test_columns_are_offered_as_items_unless_they_are_measures(tmp_path: Path, header: str, *, offered: bool) -> None:
    (tmp_path / "t.csv").write_text(f"system,{header}\nbase,30,50,60\nnew,31,52,58\n", encoding="utf-8")
    said = refused(outscore("compare", tmp_path / "t.csv"))
    assert ("-c item=@columns" in said) is offered
    assert ("-c item=bleu" in said, "with columns system, score, and se" in said) == (False, not offered)


TASKS = {"mmlu": (61.3, 63.0), "arc": (44.8, 47.1), "boolq": (83.9, 82.2), "piqa": (78.2, 79.9), "drop": (25.1, 31.4)}
TASKS |= {"race": (39.5, 40.2), "mbpp": (51.0, 55.6)}
MEANS, SUMS = "54.8,57.1", "383.8,399.4"


@pytest.mark.parametrize("last", [MEANS, SUMS, "54.83,57.06"])
@pytest.mark.parametrize("name", ["Σ", "Durchschnitt", "平均", "All tasks", "Mean ± SD", "F1 (macro)"])
def test_a_last_row_of_means_or_sums_is_no_item_whatever_its_name(tmp_path: Path, name: str, last: str) -> None:
    rows = ["item,base,new", *(f"{task},{base},{new}" for task, (base, new) in TASKS.items())]
    file = tmp_path / "t.csv"
    file.write_text("\n".join([*rows, f"{name},{last}"]), encoding="utf-8")
    said = refused(outscore("compare", file))
    assert f"t.csv:9: the item {name!r} is taken for a row that sums up the others" in said
    file.write_text("\n".join([*rows[:3], f"{name},{last}", *rows[3:]]), encoding="utf-8")
    assert compared(file)[1]["pairs"][0]["n_items"] == len(TASKS) + 1


def test_a_last_row_of_small_sums_is_no_item_as_none_reaches_them(tmp_path: Path) -> None:
    rows = [f"q{k},{k % 7},{k % 5}" for k in range(12)]
    (tmp_path / "t.csv").write_text("\n".join(["item,base,new", *rows, "Σ,31,21"]) + "\n", encoding="utf-8")
    assert "t.csv:14: the item 'Σ' is taken for a row that sums up" in outscore("compare", tmp_path / "t.csv").err


@pytest.mark.parametrize("at", [0, len(TASKS)])
@pytest.mark.parametrize("files", [1, 2])
def test_means_of_each_system_at_either_end_of_its_rows_are_no_item(tmp_path: Path, at: int, files: int) -> None:
    rows = {name: [f"{task},{name},{of[k]}" for task, of in TASKS.items()] for k, name in enumerate(("base", "new"))}
    for name, mean in zip(rows, MEANS.split(","), strict=True):
        rows[name].insert(at, f"Ø,{name},{mean}")
    parts = [rows["base"], rows["new"]] if files == 2 else [rows["base"] + rows["new"]]
    for k, part in enumerate(parts):
        (tmp_path / f"{k}.csv").write_text("\n".join(["item,system,score", *part]), encoding="utf-8")
    said = refused(outscore("compare", *(tmp_path / f"{k}.csv" for k in range(files))))
    assert "the item 'Ø' is taken for a row that sums up the others" in said


def test_a_mean_among_right_and_wrong_is_no_item(tmp_path: Path) -> None:
    rows = [f"{chr(97 + k)},{int(k % 3 > 0)}" for k in range(20)]
    for name in ("base", "new"):
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,score", *rows, "Gesamt,0.65"]), encoding="utf-8")
    said = refused(outscore("compare", tmp_path / "base.csv", tmp_path / "new.csv"))
    assert "base.csv:22: the item 'Gesamt' is taken for a row that sums up" in said


def test_an_item_that_most_of_many_systems_solve_is_one_at_the_end(tmp_path: Path) -> None:
    words = [f"{a}{b}" for a in "abcdefgh" for b in "stuvwxyz"]
    names = [f"m{chr(97 + k)}" for k in range(14)]
    rows = [
        f"{word}," + ",".join(str(int(i * i * (k + 3) % 13 > 3)) for k in range(14)) for i, word in enumerate(words, 1)
    ]
    rows[-1] = f"{words[-1]}" + ",1" * 14
    (tmp_path / "t.csv").write_text("\n".join([f"item,{','.join(names)}", *rows]), encoding="utf-8")
    assert outscore("rank", tmp_path / "t.csv").code == 0


@pytest.mark.parametrize("last", ["54.8,57.3", "55,57", "61.3,63.0"])
def test_a_last_row_of_other_numbers_is_an_item(tmp_path: Path, last: str) -> None:
    rows = [f"{task},{base},{new}" for task, (base, new) in TASKS.items()]
    (tmp_path / "t.csv").write_text("\n".join(["item,base,new", *rows, f"wino,{last}"]), encoding="utf-8")
    assert compared(tmp_path / "t.csv")[1]["pairs"][0]["n_items"] == len(TASKS) + 1


def test_an_item_that_is_numbered_like_others_is_one_though_it_is_their_mean(tmp_path: Path) -> None:
    rows = [f"q{k},{base},{new}" for k, (base, new) in enumerate(TASKS.values())]
    (tmp_path / "t.csv").write_text("\n".join(["item,base,new", *rows, f"q{len(rows)},{MEANS}"]), encoding="utf-8")
    assert compared(tmp_path / "t.csv")[1]["pairs"][0]["n_items"] == len(TASKS) + 1


@pytest.mark.parametrize("last", ["0,0", "1,1"])
def test_a_last_item_as_right_as_the_others_together_is_an_item(tmp_path: Path, last: str) -> None:
    rows = [f"{task},{last if task == 'arc' else '0,0'}" for task in TASKS]
    (tmp_path / "t.csv").write_text("\n".join(["item,base,new", *rows, f"wino,{last}"]), encoding="utf-8")
    assert compared(tmp_path / "t.csv")[1]["pairs"][0]["n_items"] == len(TASKS) + 1


@pytest.mark.parametrize("names", ["rater1,rater2,rater3", "Annotator A,Annotator B", "expert_1,expert_2"])
def test_columns_that_may_be_raters_are_asked_about_and_both_remedies_work(tmp_path: Path, names: str) -> None:
    file = table(tmp_path / "t.csv", {name: lambda dice, _: dice.randrange(1, 6) for name in names.split(",")})
    said = refused(outscore("compare", file))
    assert "may be raters by their names, or systems" in said
    command = shlex.split(said.partition(" by outscore ")[2].partition(";")[0])
    assert outscore(*command).code == 0
    assert compared(file, "-c", "system=@columns")[0] == names.split(",")
    assert "which metric?" in refused(outscore("compare", f"a={file}", f"b={file}"), 2)


@pytest.mark.parametrize(("name", "of"), [("Ø", "mean"), ("Δ", "gain"), ("B - A", "gain"), ("Mittel", "mean")])
def test_a_column_that_is_made_of_the_others_is_no_system(tmp_path: Path, name: str, of: str) -> None:
    dice = random.Random(1)
    rows = [(round(dice.random(), 3), round(dice.random(), 3)) for _ in range(20)]
    made = [f"{(b - a) if of == 'gain' else (a + b) / 2:.3f}" for a, b in rows]
    lines = [f"q{k},{a},{b},{last}" for k, ((a, b), last) in enumerate(zip(rows, made, strict=True))]
    file = tmp_path / "t.csv"
    file.write_text("\n".join([f"item,A,B,{name}", *lines]), encoding="utf-8")
    assert "in every row, no system; say -c label=" in refused(outscore("compare", file))
    assert compared(file, "-c", f"label={name}")[0] == ["A", "B"]
    assert compared(file, "-c", "system=@columns")[0] == ["A", "B", name]


def test_copies_and_systems_that_agree_are_systems(tmp_path: Path) -> None:
    lines = [f"q{k},{k % 2},{k % 2},{k % 2},{int(k % 4 > 0)}" for k in range(20)]
    (tmp_path / "t.csv").write_text("\n".join(["item,A,B,C,D", *lines]), encoding="utf-8")
    assert compared(tmp_path / "t.csv")[0] == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    "header", ["id,model_a,model_b,score_a,score_b", "id,System 1,System 2,first_score,second_score"]
)
def test_scores_of_sides_are_not_compared_where_systems_change_places(tmp_path: Path, header: str) -> None:
    rows = [f"{k},{'X,Y,0.3,0.8' if k % 3 else 'Y,X,0.8,0.4'}" for k in range(20)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join([header, *rows]), encoding="utf-8")
    said = refused(outscore("compare", file))
    assert "name the two systems of each row, which change places; write a row for each: item, system, score" in said
    label = shlex.split(said.partition(" -c label=")[2].partition(" if ")[0])[0]
    assert compared(file, "-c", f"label={label}")[1]["pairs"][0]["n_items"] == 20
    file.write_text("\n".join([header, *(row for row in rows if ",X,Y," in row)]), encoding="utf-8")
    assert compared(file)[1]["pairs"][0]["n_items"] == 13


def spread(low: float, high: float) -> Cell:
    """Whole numbers, or with points those of two decimals, from low to high."""
    whole = isinstance(low, int) and isinstance(high, int)
    return lambda dice, _: dice.randint(int(low), int(high)) if whole else round(dice.uniform(low, high), 2)


@pytest.mark.parametrize(
    ("columns", "other", "said"),
    [
        ({"a": NUMBER, "b": NUMBER, "z": spread(1, 6)}, "z", "'z' holds whole numbers from 1 to 6, 'a' numbers from 0"),
        ({"a": RIGHT, "b": RIGHT, "z": spread(1, 6)}, "z", "'a' whole numbers from 0 to 1"),
        ({"z": spread(20.0, 90.0), "a": NUMBER, "b": NUMBER}, "z", "divide 'z' by 100 if it holds percentages"),
        ({"a": NUMBER, "b": spread(1.0, 99.0), "c": spread(5.0, 99.0)}, "b,c", "divide 'b', 'c' by 100 if they hold"),
        ({"a": RIGHT, "b": lambda dice, _: dice.choice([0, 100])}, "b", "divide 'b' by 100"),
        ({"a": NUMBER, "b": NUMBER, "z": spread(120.0, 250.0)}, "z", "say -c label=z if it describes the items, or"),
    ],
)
def test_columns_of_no_one_scale_are_asked_about(
    tmp_path: Path, columns: dict[str, Cell], other: str, said: str
) -> None:
    file = table(tmp_path / "t.csv", columns)
    message = refused(outscore("compare", file))
    assert said in message
    labels = re.findall(r"-c label=\S+", message)
    assert labels == [f"-c label={name}" for name in other.split(",")]
    assert compared(file, "-c", "system=@columns")[0] == sorted(columns)
    if len(columns) - len(labels) > 1:
        assert compared(file, *" ".join(labels).split())[0] == sorted({*columns} - {*other.split(",")})


@pytest.mark.parametrize(
    "columns",
    [
        {"a": NUMBER, "none": lambda *_: 0, "all": lambda *_: 1},
        {"a": RIGHT, "b": RIGHT, "bad": spread(0, 7)},
        {"a": spread(0, 3), "b": spread(0, 7)},
        {"quick": spread(0.2, 0.9), "slow": spread(1.1, 4.0)},
        {"a": spread(-0.99, -0.01), "b": spread(-40.0, -20.0)},
        {"a": spread(5.0, 30.0), "b": spread(100, 900)},
        {"halves": lambda dice, _: dice.choice([0, 0.5, 1]), "good": spread(0, 3)},
        {"good": lambda dice, _: dice.randint(0, 4) / 4, "worst-case": lambda dice, i: 2 if i % 6 == 0 else 1},
    ],
    ids=" ".join,
)
def test_systems_may_differ_by_any_factor_and_fail_everywhere(tmp_path: Path, columns: dict[str, Cell]) -> None:
    assert compared(table(tmp_path / "t.csv", columns))[0] == sorted(columns)


@pytest.mark.parametrize("first", [1, 0])
@pytest.mark.parametrize("ties", [(), (1, 1, 3), (1.5, 1.5, 3)])
def test_ranks_are_no_scores_of_which_more_is_better(tmp_path: Path, ties: tuple[float, ...], first: int) -> None:
    dice = random.Random(1)
    rows = [dice.sample([1, 2, 3], 3) for _ in range(20)] + [list(ties)] * bool(ties)
    lines = [",".join(str(rank - 1 + first) for rank in row) for row in rows]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["item,A,B,C", *(f"q{k},{line}" for k, line in enumerate(lines))]), encoding="utf-8")
    said = refused(outscore("compare", file))
    assert f"each row ranks 'A', 'B', 'C', from {first} to {first + 2}" in said
    assert f"add -m mean:lower=true if {first} is the best, or -c system=@columns if more is better" in said
    assert compared(file, "-m", "mean:lower=true")[0] == compared(file, "-c", "system=@columns")[0] == ["A", "B", "C"]


@pytest.mark.parametrize("columns", [{"a": spread(1, 5), "b": spread(1, 5)}, {"a": spread(1, 2), "b": spread(1, 2)}])
def test_ratings_are_no_ranks(tmp_path: Path, columns: dict[str, Cell]) -> None:
    assert compared(table(tmp_path / "t.csv", columns))[0] == ["a", "b"]


@pytest.mark.parametrize(
    "between",
    [
        *("_", "-", " ", ".", "#", "", "_s", "_t", "_r", "_rep", "_trial", "_attempt", "_fold", "_turn", "_prompt"),
        *("_template", "_judge", "_rater", "_annotator", "_ann", " Sample ", "_seed", " ("),
    ],
)
def test_columns_that_are_numbered_alike_may_be_repeats_and_every_remedy_works(tmp_path: Path, between: str) -> None:
    names = [f"{stem}{between}{k}{')' * between.count('(')}" for stem in ("base", "new") for k in (1, 2)]
    file = table(tmp_path / "t.csv", dict.fromkeys(names, NUMBER))
    said = refused(outscore("compare", file))
    assert " of 'base', 'new', or systems themselves; give " in said
    runs = shlex.split(said.partition("; give ")[2])[:2]
    assert [run.partition("=")[0] for run in runs] == ["base", "new"]
    assert compared(*runs)[0] == ["base", "new"]
    if "-c sample=@file" in said:
        samples, means = compared(*runs, "-c", "sample=@file"), compared(*runs)
        assert samples[0] == ["base", "new"]
        assert samples[1]["pairs"][0]["gain"] == pytest.approx(means[1]["pairs"][0]["gain"])
    assert ("-c sample=@file" in said) == (between not in ("_seed", "_fold"))
    assert compared(f"{file}#*")[0] == sorted(names)


@pytest.mark.parametrize(
    "names",
    [
        *("seed1_base,seed2_base,seed1_new,seed2_new", "base,base.1,new,new.1", "gpt4_0,gpt4_1,gpt35_0,gpt35_1"),
        *("x_rater_A,x_rater_B,y_rater_A,y_rater_B", "b-prompt-a,b-prompt-b,n-prompt-a,n-prompt-b"),
    ],
)
def test_repeats_may_be_written_otherwise(tmp_path: Path, names: str) -> None:
    file = table(tmp_path / "t.csv", dict.fromkeys(names.split(","), NUMBER))
    said = refused(outscore("compare", file))
    runs = shlex.split(said.partition("; give ")[2])[:2]
    systems, found = compared(*runs)
    assert (len(systems), len(found["pairs"])) == (2, 1)
    assert compared(f"{file}#*")[0] == sorted(names.split(","))


def test_the_runs_of_a_system_are_told_from_those_of_one_whose_name_begins_alike(tmp_path: Path) -> None:
    names = ["gpt_1", "gpt_2", "gpt_mini_1", "gpt_mini_2"]
    file = table(tmp_path / "t.csv", dict.fromkeys(names, NUMBER))
    runs = shlex.split(refused(outscore("compare", file)).partition("; give ")[2])[:2]
    assert compared(*runs)[0] == ["gpt", "gpt_mini"]


@pytest.mark.parametrize(
    "names",
    [
        *("gpt-3 gpt-4 llama-2 llama-3", "checkpoint_1 checkpoint_2", "llama_7 llama_13", "prompt_1 prompt_2 prompt_3"),
        *("small_v1 small_v2 large_v1 large_v2", "gpt_shot_0 gpt_shot_1 llama_shot_0 llama_shot_1", "A1 A2 B1 B2"),
        *("qwen-2.0 qwen-2.1 llama-2.0 llama-2.1", "gpt_a gpt_b llama_a llama_b", "x_4_v1 x_4_v2 y_4_v1 y_4_v2"),
        *("base_1 base_2 new", "base_1 base_2 base_3 new_1 new_2", "lora_rank_8 lora_rank_16 full_rank_8 full_rank_16"),
    ],
)
def test_versions_sizes_and_settings_are_no_repeats(tmp_path: Path, names: str) -> None:
    assert compared(table(tmp_path / "t.csv", dict.fromkeys(names.split(), NUMBER)))[0] == sorted(names.split())


@pytest.mark.parametrize("corner", ["item", ""])
def test_wins_of_each_over_each_are_no_scores_of_items(tmp_path: Path, corner: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(f"{corner},gpt,llama,qwen\ngpt,0,7,9\nllama,3,0,4\nqwen,1,6,0\n", encoding="utf-8")
    said = refused(outscore("compare", file))
    assert "the rows have the same names as the columns, 'gpt', 'llama', 'qwen'" in said
    assert "system1, system2 and winner, and count them by outscore rank --wins" in said
    assert compared(file, "-c", "system=@columns")[0] == ["gpt", "llama", "qwen"]


@pytest.mark.parametrize(
    "name",
    [
        *("n_annotators", "n refs", "# raters", "nRaters", "Number of hops", "num_options", "no. of words"),
        *("human", "mean_human", "Human (mean)", "mos", "judge", "prior", "agreement", "similarity", "consensus"),
        *("complexity", "question_complexity", "noise_db", "f0", "Länge", "niveau", "pages", "sentences", "user"),
        *("weights", "sample_weight"),
    ],
)
def test_names_that_describe_items_as_often_as_systems_are_asked_about(tmp_path: Path, name: str) -> None:
    file = table(tmp_path / "t.csv", {"base": NUMBER, "new": NUMBER, name: NUMBER})
    said = refused(outscore("compare", file))
    assert f"the columns {name!r} may describe the items or measure one system, and 'base', 'new' may be" in said
    assert compared(file, "-c", f"label={name}")[0] == ["base", "new"]
    assert compared(file, "-c", "system=@columns")[0] == sorted(["base", "new", name])


@pytest.mark.parametrize(
    "names",
    [
        *("no_cot cot", "n-gram bert", "mean-pooling max_pooling cls", "avg_checkpoint last", "nb_tfidf svm_tfidf"),
        *("prior_work ours", "simcse sbert", "sentence-bert bert", "human_mt mt", "judge-lm gpt", "count_vec tfidf"),
        *("human_acc new_acc", "low_complexity high_complexity", "best_of_1 best_of_8 base", "min_p greedy"),
    ],
)
def test_names_that_hold_a_word_for_items_are_systems(tmp_path: Path, names: str) -> None:
    assert compared(table(tmp_path / "t.csv", dict.fromkeys(names.split(), NUMBER)))[0] == sorted(names.split())


def test_weights_of_items_are_told_how_they_weigh(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", {"base": NUMBER, "new": NUMBER, "weight": spread(1, 5)})
    said = refused(outscore("compare", file))
    options = shlex.split(said.partition("; add ")[2].partition(" if it weighs the items; else pick")[0])
    assert options == ["-c", "label=weight", "-m", "mean:weight=weight"]
    dice = random.Random(1)
    rows = [f"{system},{k},{dice.random():.2f},{dice.randint(1, 5)}" for system in ("base", "new") for k in range(20)]
    long = tmp_path / "long.csv"
    long.write_text("\n".join(["system,item,score,weight", *rows]), encoding="utf-8")
    noted = "all items weigh the same, whatever 'weight' says, unless a metric takes it, as by -m mean:weight=weight"
    assert noted in [note["text"] for note in compared(long)[1]["notes"]]
    weighed = compared(long, "-m", "mean:weight=weight")[1]
    assert noted not in [note["text"] for note in weighed["notes"]]
    assert weighed["scores"][0]["score"] != compared(long)[1]["scores"][0]["score"]
    assert compared(file, *options)[0] == ["base", "new"]
    long.write_text("\n".join(["system,item,score,weight", *(f"{r[:-1]}1" for r in rows)]), encoding="utf-8")
    assert noted not in [note["text"] for note in compared(long)[1]["notes"]]
