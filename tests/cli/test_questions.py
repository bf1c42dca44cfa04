"""Tables whose columns can be read in two ways by their names stop, and each command they print gives its reading."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from scipy import stats

from tests.cli.commandline import Done, outscore

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


def asked(done: Done) -> str:
    assert (done.code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 1
    return done.err


def scores(*arguments: str | Path) -> dict[str, tuple[str, float]]:
    """Metric and score of each system."""
    done = outscore("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    return {one["system"]: (one["metric"], round(one["score"], 3)) for one in json.loads(done.out)["scores"]}


LABELS = "1,1,1,0\n2,0,1,0\n3,1,1,1\n4,0,0,0\n5,1,1,0\n"


@pytest.mark.parametrize(
    "name",
    [
        *("y_true", "Ground_Truth", "groundtruth", "gt", "true", "expected", "labels", "correct answer", "class"),
        *("y", "human", "expert", "oracle", "response", "expected_label", "Expected Label", "label_true"),
    ],
)
def test_a_column_of_numbers_that_sounds_like_gold_is_no_system_unasked(write: Write, name: str) -> None:
    file = write("t.csv", f"id,{name},bert,gpt\n{LABELS}")
    message = asked(outscore("compare", file))
    assert f"t.csv:1: the column {name!r} may be the gold by its name, or a system; say -c reference=" in message
    assert scores(file, "-c", f"reference={name}") == {"bert": ("accuracy", 0.8), "gpt": ("accuracy", 0.6)}
    assert scores(file, "-c", f"label={name}") == {"bert": ("mean", 0.8), "gpt": ("mean", 0.2)}
    assert scores(file, "-c", "system=@columns")[name] == ("mean", 0.6)


def test_people_among_systems_and_a_system_called_y_need_no_question(write: Write) -> None:
    """They are systems beside a gold, and where the numbers are no labels; ``x`` and ``y`` are two of a kind."""
    beside_gold = write("t.csv", "id,gold,human,gpt\nv,1,1,1\nw,0,0,1\nz,1,1,1\n")
    assert scores(beside_gold)["human"] == ("accuracy", 1.0)
    rated = write("u.csv", "id,expert,gpt\nv,.9,.7\nw,1,.5\nz,.8,.6\n")
    assert scores(rated)["expert"] == ("mean", 0.9)
    assert scores(write("v.csv", "id,x,y\nv,1,1\nw,0,1\nz,1,1\n"))["y"] == ("mean", 1.0)


def test_a_column_that_sounds_like_gold_is_no_system_beside_a_gold(write: Write) -> None:
    file = write("t.csv", "id,gold,y_true,bert\nx,1,1,1\ny,0,0,1\n")
    assert "the column 'y_true' may be the gold" in asked(outscore("score", file))


def test_a_file_of_gold_under_another_name_is_no_system_beside_those_of_systems(write: Write) -> None:
    gold = write("gold.csv", "id,y_true\nx,1\ny,0\nz,1\n")
    a, b = (write(f"{name}.csv", f"id,output\nx,1\ny,{wrong}\nz,{wrong}\n") for name, wrong in (("a", 1), ("b", 0)))
    assert "-c reference=y_true" in asked(outscore("compare", gold, a, b))
    found = scores("-c", "reference=y_true", gold, a, b)
    assert found == {"a": ("accuracy", 0.667), "b": ("accuracy", 0.667)}


@pytest.mark.parametrize("yes", ["p", "y"])
def test_texts_beside_a_column_that_sounds_like_gold_are_told_how_to_say_so(write: Write, yes: str) -> None:
    file = write("t.csv", "id,ground_truth,a,b\n1,p,p,n\n2,n,p,n\n3,p,p,p\n".replace("p", yes))
    assert "say -c reference=ground_truth" in asked(outscore("compare", file))
    assert scores(file, "-c", "reference=ground_truth") == {"a": ("accuracy", 0.667), "b": ("accuracy", 0.667)}


LONG = "a,1,p,x,p,n\na,2,n,y,n,p\nb,1,n,x,p,n\nb,2,n,y,n,p\n"


@pytest.mark.parametrize("names", [("gold", "label"), ("reference", "target"), ("ref", "gold")])
def test_two_columns_of_gold_are_asked_about(write: Write, names: tuple[str, str]) -> None:
    first, second = names
    file = write("t.csv", f"system,item,prediction,raw,{first},{second}\n{LONG}")
    message = asked(outscore("compare", file))
    assert f"t.csv:1: {first!r}, {second!r} are all the gold by their names" in message
    assert re.findall(r"-c reference=\w+", message) == [f"-c reference={name}" for name in (*names, *names)]
    assert scores(file, "-c", f"reference={first}") == {"a": ("accuracy", 1.0), "b": ("accuracy", 0.5)}
    assert scores(file, "-c", f"reference={second}") == {"a": ("accuracy", 0.0), "b": ("accuracy", 0.5)}
    both = [word for name in names for word in ("-c", f"reference={name}")]
    assert scores(file, *both) == {"a": ("accuracy", 1.0), "b": ("accuracy", 1.0)}


def test_two_columns_of_gold_are_asked_about_in_gold_files_and_wide_tables(write: Write) -> None:
    gold = write("gold.csv", "item,gold,label\n1,p,n\n2,n,p\n")
    wide = write("wide.csv", "item,gold,label,a,b\n1,p,n,p,n\n2,n,p,n,n\n")
    a = write("a.csv", "item,output\n1,p\n2,n\n")
    for arguments in ((a, "-r", gold), (a, gold), (wide,)):
        assert "are all the gold by their names" in asked(outscore("score", *arguments))
    assert scores(wide, "-c", "reference=label") == {"a": ("accuracy", 0.0), "b": ("accuracy", 0.5)}


def test_references_of_jsonl_beside_a_gold_are_asked_about(write: Write) -> None:
    rows = [{"id": i, "output": f"o{i}", "references": [f"o{i}", "x"], "gold": "z"} for i in range(4)]
    file = write("t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    message = asked(outscore("score", file))
    either = re.search(r"say which one is: (.*?) or (.*?);", message)
    assert either
    for command, score in zip(either.groups(), (1.0, 0.0), strict=True):
        done = outscore("score", file, *command.split(), "-m", "exact_match", "-f", "json")
        assert json.loads(done.out)["scores"][0]["score"] == score


def test_numbered_references_equal_columns_and_scores_need_no_question(write: Write) -> None:
    several = write("a.csv", "system,item,output,reference1,reference2\na,1,p,p,n\na,2,n,p,n\n")
    done = outscore("score", several, "-m", "exact_match", "-f", "json")
    assert json.loads(done.out)["scores"][0]["score"] == 1.0
    equal = write("b.csv", "system,item,output,gold,label\na,1,p,p,p\na,2,n,p,p\n")
    assert outscore("score", equal).code == 0
    scored = write("c.csv", "system,item,score,label,target\na,1,1,p,n\na,2,0,p,n\nb,1,1,p,n\nb,2,1,p,n\n")
    assert scores(scored) == {"a": ("mean", 0.5), "b": ("mean", 1.0)}


@pytest.mark.parametrize("first", ["prediction", "output"])
def test_two_columns_of_outputs_are_asked_about(write: Write, first: str) -> None:
    names = ("prediction", "output") if first == "prediction" else ("output", "hyp")
    file = write("t.csv", f"system,item,{','.join(names)},gold,domain\n{LONG}")
    message = asked(outscore("compare", file))
    assert f"t.csv:1: {names[0]!r}, {names[1]!r} are all the output by their names" in message
    assert f"-c output={names[0]} or -c output={names[1]}" in message
    assert scores(file, "-c", f"output={names[0]}") == {"a": ("accuracy", 1.0), "b": ("accuracy", 0.5)}
    assert scores(file, "-c", f"output={names[1]}") == {"a": ("accuracy", 0.0), "b": ("accuracy", 0.0)}


PROBABILITIES = {"a": (0.9, 0.2, 0.7, 0.4, 1.0), "b": (0.6, 0.3, 0.2, 0.4, 0.8)}
TRUTH = (1, 0, 1, 0, 1)


@pytest.mark.parametrize("metric", [(), ("-m", "accuracy"), ("-m", "f1"), ("-m", "exact_match")])
def test_probabilities_beside_labels_are_no_labels(write: Write, metric: tuple[str, ...]) -> None:
    rows = [f"{s},{i},{p},{TRUTH[i]}\n" for s, ps in PROBABILITIES.items() for i, p in enumerate(ps)]
    table = write("t.csv", "system,item,prediction,label\n" + "".join(rows))
    lines = {s: write(f"{s}.txt", "".join(f"{p}\n" for p in ps)) for s, ps in PROBABILITIES.items()}
    gold = write("gold.txt", "".join(f"{label}\n" for label in TRUTH))
    for given in ([table], ["-r", gold, *lines.values()]):
        message = asked(outscore("compare", *given, *metric))
        assert "the outputs of 'a' are numbers between 0 and 1, as '0.9', and the gold labels 0 and 1" in message
        assert "-m auc, in Python metrics='auc', ranks by them" in message
        assert scores(*given, "-m", "auc") == {"a": ("auc", 1.0), "b": ("auc", 0.667)}
    cut = [
        write(f"{s}.labels", "".join(f"{int(p >= 0.5)}\n" for p in ps)) for s, ps in PROBABILITIES.items()
    ]  # as the command of the message does
    assert scores("-r", gold, *cut) == {"a": ("accuracy", 1.0), "b": ("accuracy", 0.8)}


def test_labels_that_are_numbers_are_still_labels(write: Write) -> None:
    graded = write("t.csv", "system,item,prediction,label\na,1,0.5,0.5\na,2,1,0\nb,1,1,0.5\nb,2,0,0\n")
    assert scores(graded) == {"a": ("accuracy", 0.5), "b": ("accuracy", 0.5)}
    certain = write("u.csv", "system,item,prediction,label\na,1,1.0,1\na,2,0.0,0\nb,1,1.0,1\nb,2,1.0,0\n")
    assert outscore("compare", certain).code == 0


def test_tables_of_different_measures_are_said_to_be_that(write: Write) -> None:
    a, b = write("a.csv", "item,bleu\n1,.5\n2,.6\n3,.4\n"), write("b.csv", "item,chrf\n1,.5\n2,.7\n3,.6\n")
    done = outscore("compare", a, b)
    assert (done.code, done.out) == (3, "")
    assert "no column of numbers is in all: 'a' has 'bleu'" in done.err
    assert scores(a, b, "-c", "score=bleu", "-c", "score=chrf") == {"a": ("mean", 0.5), "b": ("mean", 0.6)}


def test_columns_that_are_counted_beside_named_rows_are_asked_about(write: Write) -> None:
    file = write("t.csv", ",0,1,2\nbert,.1,.2,.3\ngpt,.2,.3,.4\n")
    assert "-c item=@columns if the rows are the systems, or -c system=@columns" in asked(outscore("compare", file))
    assert scores(file, "-c", "item=@columns") == {"bert": ("mean", 0.2), "gpt": ("mean", 0.3)}
    assert scores(file, "-c", "system=@columns") == {"0": ("mean", 0.15), "1": ("mean", 0.25), "2": ("mean", 0.35)}
    assert scores(write("u.csv", ",0,1\nx1,.1,.2\nx2,.3,.4\n"), "-c", "system=@columns")["0"] == ("mean", 0.2)


def test_rows_of_systems_are_told_how_to_take_the_columns_for_items(write: Write) -> None:
    file = write("t.csv", "system,q1,q2\nbert,.1,.2\ngpt,.2,.3\n")
    assert "-c item=@columns if each column of numbers is one" in asked(outscore("compare", file))
    assert scores(file, "-c", "item=@columns") == {"bert": ("mean", 0.15), "gpt": ("mean", 0.25)}
    indexed = write("u.csv", ",system,q1,q2\n0,bert,.1,.2\n1,gpt,.2,.3\n")
    assert scores(indexed, "-c", "item=@columns") == {"bert": ("mean", 0.15), "gpt": ("mean", 0.25)}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "# made by hand\nsystem,item,score\na,1,.5\na,2,.25\nb,1,1\nb,2,.5\n"),
        ("t.csv", "sep=,\nsystem,item,score\na,1,.5\na,2,.25\nb,1,1\nb,2,.5\n"),
        ("t.tsv", "# made by hand\nsystem\titem\tscore\na\t1\t.5\na\t2\t.25\nb\t1\t1\nb\t2\t.5\n"),
    ],
)
def test_a_first_line_that_is_no_header_is_named_with_the_command_that_takes_it_out(
    write: Write, name: str, text: str, tmp_path: Path
) -> None:
    done = outscore("compare", write(name, text))
    assert done.code == 3
    assert ":1: the first line " in done.err
    command = done.err.strip().split("take it out: ")[1]
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    assert scores(tmp_path / f"without-{name}") == {"a": ("mean", 0.375), "b": ("mean", 0.75)}


def test_two_parts_of_one_wide_table_are_to_be_joined(write: Write) -> None:
    one, two = (write(f"{part}.csv", "item,bert,gpt\n1,.5,.6\n2,.6,.7\n") for part in ("dev", "test"))
    done = outscore("compare", one, two)
    assert done.code == 2
    assert "join their rows to one table" in done.err


def test_a_name_of_a_column_with_a_blank_is_quoted_in_commands(write: Write) -> None:
    file = write("t.csv", "system,item,error rate\na,1,.5\na,2,.25\nb,1,1\nb,2,.5\n")
    assert "-m 'mean:column=error rate,lower=true'" in outscore("compare", file).err


ANSWERS = {"a": ((1, 1), (1, 0), (0, 0), (0, 0), (1, 1)), "b": ((1, 0), (1, 0), (0, 0), (0, 1), (1, 1))}
"""Gold and output of two systems, of which ``a`` is right on 4 items of 5 and ``b`` on 2."""
ROWS = {s: [f"{i},{gold},{said}" for i, (gold, said) in enumerate(pairs)] for s, pairs in ANSWERS.items()}
RIGHT = {"a": ("accuracy", 0.8), "b": ("accuracy", 0.4)}


def long(header: str, more: Callable[[str], str] = lambda row: "") -> str:
    return f"{header}\n" + "".join(f"{s},{row}{more(row)}\n" for s, rows in ROWS.items() for row in rows)


def files(write: Write, header: str) -> list[Path]:
    return [write(f"{s}.csv", f"{header}\n" + "\n".join(rows) + "\n") for s, rows in ROWS.items()]


def both_roles(message: str) -> list[str]:
    """The words of the command that a message prints for the gold and the output."""
    found = re.search(r"-c reference=\S+ -c output=\w+", message)
    assert found, message
    return found[0].split()


@pytest.mark.parametrize(
    ("gold", "output"), [("y_true", "y_pred"), ("y_true", "pred"), ("label", "y_pred"), ("expected", "predicted_label")]
)
def test_the_gold_and_the_output_of_a_long_table_are_no_measures(write: Write, gold: str, output: str) -> None:
    """The mean of predicted or of true labels says nothing of who is right."""
    file = write("t.csv", long(f"system,item,{gold},{output}"))
    for metric in ((), ("-m", output)):
        message = asked(outscore("compare", file, *metric))
        assert f"the columns {gold!r} and {output!r} may be the gold and the output" in message
        assert both_roles(message) == ["-c", f"reference={gold}", "-c", f"output={output}"]
    assert scores(file, *both_roles(message)) == RIGHT
    in_letters = write("u.csv", file.read_text(encoding="utf-8").replace(",1", ",p").replace(",0", ",n"))
    if output != "pred":  # which is the output, so that a column of texts can but describe
        assert both_roles(asked(outscore("compare", in_letters))) == both_roles(message)


def test_a_gold_and_an_output_beside_a_score_are_left_alone(write: Write) -> None:
    file = write("t.csv", long("system,item,y_true,y_pred,score", lambda row: f",{int(row[2] == row[4])}"))
    assert scores(file) == {"a": ("mean", 0.8), "b": ("mean", 0.4)}
    file = write("u.csv", long("system,item,y_true,y_pred,correct", lambda row: f",{int(row[2] == row[4])}"))
    assert {s: score for s, (_, score) in scores(file, "-m", "correct").items()} == {"a": 0.8, "b": 0.4}


def test_the_gold_and_the_output_of_one_system_a_file_are_asked_about_together(write: Write) -> None:
    given = files(write, "item,y_true,y_pred")
    named = [f"{file.stem}={file}" for file in given]
    for arguments in (given, named, [*named, "-c", "reference=y_true"], [*named, "-c", "output=y_pred"]):
        words = both_roles(asked(outscore("compare", *arguments)))
        assert words == ["-c", "reference=y_true", "-c", "output=y_pred"]
    assert scores(*given, *words) == scores(*named, *words) == RIGHT
    done = outscore("compare", *given, "-c", "reference=y_true")
    assert done.code == 2
    assert "'y_pred' is its output, add -c output=y_pred" in done.err


def test_of_two_columns_of_gold_one_may_be_the_output(write: Write) -> None:
    given = files(write, "item,gold,label")
    words = both_roles(asked(outscore("compare", *given)))
    assert words == ["-c", "reference=gold", "-c", "output=label"]
    assert scores(*given, *words) == RIGHT
    assert "-c output=COLUMN" in asked(outscore("compare", *given, "-c", "reference=gold"))


def test_a_label_that_differs_between_systems_is_no_gold(write: Write) -> None:
    file = write("t.csv", long("system,item,gold,label,score", lambda row: f",{int(row[2] == row[4])}"))
    message = asked(outscore("compare", file))
    assert "'label' is the gold by its name, as 'gold' is, but has another text for the same item" in message
    assert scores(file, *both_roles(message), "-m", "accuracy") == RIGHT
    assert scores(file, "-c", "reference=gold") == {"a": ("mean", 0.8), "b": ("mean", 0.4)}


def test_scores_of_whole_runs_are_compared_by_the_command_that_the_message_prints(write: Write) -> None:
    runs = "a,1,.5\na,2,.6\na,3,.7\nb,1,.7\nb,2,.9\nb,3,.8\n"
    file = write("runs.csv", f"model,seed,accuracy\n{runs}")
    printed = re.search(r"compare runs by (.*)", asked(outscore("compare", file)))
    assert printed is not None
    done = outscore("compare", file, *printed[1].split(), "-f", "json")
    assert done.code == 0, done.err
    (pair,) = json.loads(done.out)["pairs"]
    expected = stats.ttest_ind([0.7, 0.9, 0.8], [0.5, 0.6, 0.7], equal_var=False)
    assert (pair["gain"], pair["p_value"]) == (pytest.approx(0.2), pytest.approx(expected.pvalue))
    assert "--test welch" not in asked(outscore("compare", write("tasks.csv", f"model,seed,accuracy\n{runs}{runs}")))
    assert "--test welch" not in asked(outscore("compare", write("one.csv", "model,accuracy\na,1\nb,2\n")))


@pytest.mark.parametrize("named", [(), ("-c", "reference=sure"), ("-c", "reference=possible", "-c", "reference=sure")])
def test_sure_and_possible_links_are_two_references_in_this_order(write: Write, named: tuple[str, ...]) -> None:
    """The possible ones alone were taken for an aligner, and first for the sure ones."""
    rows = ["1,3,0-0 1-1,2-1,0-0 1-1 2-1,0-0 1-1", "2,2,0-0,,0-0,0-0 1-1", "3,2,0-0 1-1,0-1,0-0 0-1,1-1", ""]
    table = write("links.csv", "\n".join(["sent,src_len,Sure,possible,a,b", *rows]))
    names = [name.replace("=sure", "=Sure") for name in named]
    said = asked(outscore("rank", table, *names, "-m", "aer"))
    assert "'Sure', 'possible' hold the sure and the possible links of one gold" in said
    both, alone = re.findall(r"(-c .*?)(?:, in this order| to leave)", said.replace(", or ", "\n"))
    assert scores(table, *both.split(), "-m", "aer") == {"a": ("aer", 9.091), "b": ("aer", 20.0)}
    assert scores(table, *alone.split(), "-m", "aer")["a"] == ("aer", 27.273)
    separate = write("gold.csv", "\n".join(["sent,Sure,possible", *(",".join(row.split(",")[::2]) for row in rows)]))
    assert both in outscore("rank", table, "-r", separate, "-m", "aer").err


def test_scores_of_whole_runs_are_compared_as_the_error_says(write: Write) -> None:
    """Columns that are systems, by runs, and a table of measures for each system."""
    across = write("r.csv", "Run,a,b\nRun 0,.5,.6\nRun 1,.4,.8\nRun 2,.6,.7\n")
    one, two = (write(f"{name}.csv", f"Run,dev acc.,note\nr0,.5{k},1\nr1,.4{k},2\nr2,.6{k},3\n") for k, name in
                enumerate("xy"))  # fmt: skip
    by_file = [f"x={one}", f"y={two}", "-m", "dev acc."]
    for given, asks, told in (
        ([across, "-c", "system=@columns"], [], "system+Run --test welch"),
        (by_file, ["-c", "run=Run"], "Run --test welch, without -c run="),
    ):
        message = asked(outscore("compare", *given, *asks, "--test", "welch"))
        assert f"if each line is the score of a whole run, compare runs by -c item={told}" in message
        item = told.partition(" ")[0]
        done = outscore("compare", *given, "-c", f"item={item}", "--test", "welch", "-f", "sentence")
        assert done.code == 0, done.err
        assert "Welch t" in done.out


@pytest.mark.parametrize(
    ("headers", "of", "metric"),
    [
        ("qid,base_acc,base_f1,new_acc,new_f1", "acc", "mean"),
        ("utt,ref_words,base_errors,new_errors", "errors", "mean:column=errors,lower=true"),
        ("qid,base_wer,new_wer", "wer", "mean:column=wer,lower=true"),
    ],
)
def test_columns_of_one_measure_that_are_made_systems_keep_it(write: Write, headers: str, of: str, metric: str) -> None:
    """What is proposed leaves the columns of other measures out, and the direction is in the name of the measure."""
    rows = (f"u{i}" + "".join(f",{(i + k) % 2}" for k in range(headers.count(","))) for i in range(20))
    file = write("a.csv", "\n".join((headers, *rows)) + "\n")
    done = outscore("compare", file)
    proposed = re.search(r"-c system=@columns[^;]*(?= if )", done.err)
    options = shlex.split(proposed[0]) if proposed else ["-c", "system=@columns"]
    if of == "errors":
        assert f"less of 'errors' is better: -m {metric}" in outscore("compare", file, *options).err
        options += ["-m", metric]
    assert scores(file, *options) == {f"base_{of}": (metric, 0.5), f"new_{of}": (metric, 0.5)}
