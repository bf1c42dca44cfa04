"""Numbers written otherwise: grades in words or letters, percentages, spreads, decimal commas, titles above them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.commandline import outscore

RIGHT = {"base": [i % 3 == 0 for i in range(12)], "new": [i % 4 != 0 for i in range(12)]}
"""4 and 9 of 12."""


def tables(folder: Path, yes: str, no: str, *, column: str = "grade", gold: bool = True) -> list[Path]:
    files = []
    for system, of in RIGHT.items():
        rows = [f"q{i}," + (f"{i + 30}," if gold else "") + (yes if right else no) for i, right in enumerate(of)]
        path = folder / f"{system}.csv"
        path.write_text("\n".join(["id," + ("target," if gold else "") + column, *rows, ""]), encoding="utf-8")
        files.append(path)
    return files


@pytest.mark.parametrize(
    ("yes", "no"), [("C", "I"), ("correct", "incorrect"), ("PASS", "FAIL"), ("passed", "failed"), ("C", "N")]
)
@pytest.mark.parametrize("gold", [True, False])
def test_grades_are_named_and_the_option_that_is_said_reads_them(tmp_path: Path, yes: str, no: str, gold: bool) -> None:
    files = tables(tmp_path, yes, no, gold=gold)
    done = outscore("compare", *files)
    assert done.code == 3
    assert "'grade' holds" in done.complaint
    assert f"read them as scores with -c score=grade: '{yes}' counts 1, '{no}' counts 0" in done.complaint
    found = json.loads(outscore("compare", *files, "-c", "score=grade", "-f", "json").out)
    assert [one["score"] for one in found["scores"]] == [4 / 12, 9 / 12]
    assert "grades_as_scores" in [note["code"] for note in found["notes"]]


def test_grades_are_no_outputs_where_no_gold_is_one(tmp_path: Path) -> None:
    done = outscore("compare", *tables(tmp_path, "C", "I"), "-c", "output=grade")
    assert done.code == 3
    assert "column 'grade' holds the grades 'C', 'I', none of which is in 'target'" in done.complaint
    assert "-c score=grade" in done.complaint


def test_answers_that_look_like_grades_stay_answers_beside_such_a_gold(tmp_path: Path) -> None:
    path = tmp_path / "choice.csv"
    rows = [f"q{i},{'CI'[i % 2]},{'CI'[i % 3 % 2]},{'CI'[i % 5 % 2]}" for i in range(12)]
    path.write_text("\n".join(["id,target,sys:a,sys:b", *rows, ""]), encoding="utf-8")
    done = outscore("compare", path, "-f", "json")
    assert done.code == 0, done.err


def test_a_word_that_is_no_grade_is_refused_with_its_line(tmp_path: Path) -> None:
    files = tables(tmp_path, "C", "maybe")
    done = outscore("compare", *files, "-c", "score=grade")
    assert done.code == 3
    assert "column 'score' holds 'C', expected a number" in done.complaint


@pytest.mark.parametrize(("yes", "no"), [("yes", "no"), ("Y", "N"), ("correct", "incorrect"), ("True", "false")])
@pytest.mark.parametrize("asked", [("-m", "grade"), ("-c", "score=grade")])
def test_a_column_that_is_asked_for_may_answer_yes_and_no(
    tmp_path: Path, yes: str, no: str, asked: tuple[str, str]
) -> None:
    """Without a gold, which would make them labels, and said in a note where the words are no booleans."""
    files = tables(tmp_path, yes, no, gold=False)
    found = json.loads(outscore("compare", *files, *asked, "-f", "json").out)
    assert [one["score"] for one in found["scores"]] == [4 / 12, 9 / 12]
    notes = [note["text"] for note in found["notes"] if note["code"] == "grades_as_scores"]
    taken = f"the grades of 'grade' were taken as numbers: '{yes}' counts 1, '{no}' counts 0"
    assert notes == ([] if yes == "True" else [taken])


def test_yes_and_no_are_refused_where_nothing_says_what_they_are(tmp_path: Path) -> None:
    files = tables(tmp_path, "yes", "no", gold=False)
    assert "column 'grade' holds 'yes', expected a number; say -m COLUMN" in outscore("compare", *files).complaint
    third = tables(tmp_path, "yes", "maybe", gold=False)
    assert outscore("compare", *third, "-m", "grade").code == 3


PERCENT = "item,base,new\n" + "".join(f"{i},{30 + i % 7}.4%,{31 + i % 5} %\n" for i in range(12))


@pytest.mark.parametrize(
    "text", [PERCENT, "model,item,score\n" + "".join(f"{'ab'[i % 2]},{i // 2},{30 + i % 7}.4%\n" for i in range(24))]
)
def test_columns_of_percentages_alone_are_read_as_they_are_printed(tmp_path: Path, text: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8")
    found = json.loads(outscore("compare", file, "-f", "json").out)
    (note,) = (note["text"] for note in found["notes"] if note["code"] == "grades_as_scores")
    assert note.endswith("were taken as numbers: '30.4%' counts 30.4")
    file.write_text(text.replace("%", ""), encoding="utf-8")
    assert found["pairs"] == json.loads(outscore("compare", file, "-f", "json").out)["pairs"]


def test_percentages_among_other_numbers_are_not_read(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(PERCENT.replace(" %", ""), encoding="utf-8")
    assert "column 'base' holds '30.4%', expected a number; write 30.4 without" in outscore("compare", file).complaint
    file.write_text(PERCENT.replace("4,34.4%", "4,34.4"), encoding="utf-8")
    assert outscore("compare", file).code == 3


@pytest.mark.parametrize(
    ("name", "mark", "cell"),
    [
        ("t.csv", ";", "{},5"),
        ("t.tsv", "\t", "{},512"),
        ("t.csv", ",", '"{},5"'),
        ("t.csv", ",", "{}.5±0.4"),
        ("t.csv", ",", "{}.5 ± 0.4"),
        ("t.csv", ",", "{}.5 +/- 0.4"),
        ("t.tsv", "\t", "{}.5 (0.4)"),
    ],
)
@pytest.mark.parametrize("header", [("item", "base", "new"), ("system", "item", "score")])
def test_the_command_that_is_said_mends_numbers_that_are_written_otherwise(
    tmp_path: Path, name: str, mark: str, cell: str, header: tuple[str, ...]
) -> None:
    file = tmp_path / name
    long = header[0] == "system"
    numbers = [(str(i), cell.format(i % 5), cell.format(i % 7 % 6)) for i in range(12)]
    if long:
        numbers = [(system, row[0], row[k]) for row in numbers for k, system in ((1, "base"), (2, "new"))]
    file.write_text("\n".join(map(mark.join, [header, *numbers, ()])), encoding="utf-8")
    done = outscore("compare", file)
    assert done.code == 3
    command = done.complaint[done.complaint.index("sed -E ") :].partition("; -c label=")[0]
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    found = json.loads(outscore("compare", tmp_path / f"plain-{name}", "-f", "json").out)
    digits = ".512" if "512" in cell else ".5"
    expected = sum(float(f"{i % 5}{digits}") for i in range(12)) / 12
    assert found["scores"][0]["score"] == pytest.approx(expected)


@pytest.mark.parametrize("title", ["Results", "Results of our tests,,", "Results\n"])
def test_the_command_that_is_said_takes_a_title_off_a_table(tmp_path: Path, title: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(f"{title}\n{PERCENT.replace('%', '')}", encoding="utf-8")
    said = outscore("compare", file).complaint
    assert f"{file}:1: the first line is a title ('Results" in said
    subprocess.run(said[said.index("tail -n ") :], shell=True, check=True, cwd=tmp_path)
    assert outscore("compare", tmp_path / "without-t.csv").code == 0


def test_a_header_is_no_title(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    for text in ('answer\n"one, two"\n"three, four"\n', 'item,output\n1,"a\tb\n1\tb"\n', ",output\na,b\nc,d\n"):
        file.write_text(text, encoding="utf-8")
        assert "is a title" not in outscore("compare", file).complaint


@pytest.mark.parametrize("column", ["correct", "score"])
@pytest.mark.parametrize(("yes", "no"), [("yes", "no"), ("right", "wrong")])
def test_grades_in_a_column_of_numbers_by_its_name_are_read_as_is_said(
    tmp_path: Path, column: str, yes: str, no: str
) -> None:
    files = tables(tmp_path, yes, no, column=column, gold=False)
    said = outscore("compare", *files).complaint
    assert f"read them as scores with -c score={column}: '{yes}' counts 1" in said
    found = json.loads(outscore("compare", *files, "-c", f"score={column}", "-f", "json").out)
    assert [one["score"] for one in found["scores"]] == [4 / 12, 9 / 12]


def test_a_board_of_percentages_is_read_and_one_of_spreads_mended_before_its_items_are_asked_for(
    tmp_path: Path,
) -> None:
    file = tmp_path / "board.csv"
    file.write_text("model,a,b,c\nbase,27.3%,33.1%,30%\nnew,29.1%,35%,31%\n", encoding="utf-8")
    found = json.loads(outscore("compare", file, "-c", "item=@columns", "-f", "json").out)
    assert [round(one["score"], 4) for one in found["scores"]] == [30.1333, 31.7]
    file.write_text("model,a,b,c\nbase,27.3±1,33.1±2,30±1\nnew,29.1±1,35±2,31±1\n", encoding="utf-8")
    said = outscore("compare", file).complaint
    assert "column 'a' holds '27.3±1', expected a number; write the number alone" in said
    subprocess.run(said[said.index("sed -E ") :].partition("; -c label=")[0], shell=True, check=True, cwd=tmp_path)
    plain = json.loads(outscore("compare", tmp_path / "plain-board.csv", "-c", "item=@columns", "-f", "json").out)
    assert [one["score"] for one in plain["scores"]] == [one["score"] for one in found["scores"]]


@pytest.mark.parametrize(("yes", "no"), [("PASS", "FAIL"), ("✓", "✗"), ("✅", "❌")])
def test_columns_of_grades_of_systems_may_stand_beside_texts(tmp_path: Path, yes: str, no: str) -> None:
    rows = [f"q{i},text {i},{yes if i % 2 else no},{yes if i % 4 else no}" for i in range(12)]
    file = tmp_path / "wide.csv"
    file.write_text("\n".join(["test,prompt,base,new", *rows]) + "\n", encoding="utf-8")
    assert "-c item=test" in outscore("compare", file).complaint
    found = json.loads(outscore("compare", file, "-c", "item=test", "-f", "json").out)
    assert [(one["system"], one["score"]) for one in found["scores"]] == [("base", 0.5), ("new", 0.75)]
    assert f"'{yes}' counts 1, '{no}' counts 0" in json.dumps(found["notes"], ensure_ascii=False)
    # beside numbers nothing says that words are those of systems
    file.write_text(
        "\n".join(["item,x,y,base,new", *(f"q{i},{yes},{no},{i},{i + 1}" for i in range(12))]) + "\n", "utf-8"
    )
    found = json.loads(outscore("compare", file, "-f", "json").out)
    assert [one["system"] for one in found["scores"]] == ["base", "new"]


@pytest.mark.parametrize(
    ("header", "cells", "found"),
    [
        ("system,bleu", ("62.3 ± 1.2", "60.1 ± 1.3"), "-2.200 [-5.668, 1.268]"),
        ("system;n;F1 (%)/all", ("500;62.3 (1.2)", "500;60.1 (1.3)"), "-2.200 [-5.672, 1.272]"),
        ("model\tscore", ("312/500", '"290/500"'), "-0.04400 [-0.1047, 0.01675]"),
    ],
)
def test_means_with_their_errors_are_sent_where_they_are_judged(
    tmp_path: Path, header: str, cells: tuple[str, str], found: str
) -> None:
    apart = next(mark for mark in ";\t," if mark in header)
    file = tmp_path / "t.csv"
    file.write_text(f"{header}\nA{apart}{cells[0]}\nB{apart}{cells[1]}\n", encoding="utf-8")
    said = outscore("compare", file).complaint
    change, _, command = said[said.index("sed -E ") :].partition(" && outscore ")
    subprocess.run(change, shell=True, check=True, cwd=tmp_path)
    assert command.startswith("study printed --means plain-t.csv")
    assert found in outscore("study", "printed", "--means", tmp_path / "plain-t.csv").out


@pytest.mark.parametrize("rows", ["item,system,score\n{long}", "item,A,B\n{wide}"])
def test_shares_of_items_are_refused_with_the_command_that_divides(tmp_path: Path, rows: str) -> None:
    cells = [(f"{k % 4}/5", f"{k % 3} / 4") for k in range(12)]
    long = "\n".join(f"q{k},A,{a}\nq{k},B,{b}" for k, (a, b) in enumerate(cells))
    file = tmp_path / "t.csv"
    file.write_text(rows.format(long=long, wide="\n".join(f"q{k},{a},{b}" for k, (a, b) in enumerate(cells))), "utf-8")
    said = outscore("compare", file).complaint
    subprocess.run(said[said.index("perl -pe ") :].partition("; -c ")[0], shell=True, check=True, cwd=tmp_path)
    found = json.loads(outscore("compare", tmp_path / "plain-t.csv", "-f", "json").out)
    assert [round(one["score"], 9) for one in found["scores"]] == [0.3, 0.25]


def test_parts_that_look_like_shares_describe_items_beside_numbers(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item,part,A,B\n" + "".join(f"q{k},1/5,{k},{k + 1}\n" for k in range(9)), "utf-8")
    assert outscore("compare", tmp_path / "t.csv").code == 0


@pytest.mark.parametrize(("yes", "no"), [("yes", "no"), ("Y", "N"), ("T", "F"), ("pass", "fail")])
def test_answers_are_grades_of_systems_where_that_is_said(tmp_path: Path, yes: str, no: str) -> None:
    file = tmp_path / "t.csv"
    rows = [f"q{i},{yes if i % 2 else no},{yes if i % 4 else no}" for i in range(12)]
    file.write_text("\n".join(["item,base,new", *rows]) + "\n", encoding="utf-8")
    if yes != "pass":
        assert "-c system=@columns if each is a system" in outscore("compare", file).complaint
    found = json.loads(outscore("compare", file, "-c", "system=@columns", "-f", "json").out)
    assert [(one["system"], one["score"]) for one in found["scores"]] == [("base", 0.5), ("new", 0.75)]


@pytest.mark.parametrize(("yes", "no"), [("correct", "wrong"), ("success", "failure")])
def test_more_words_for_right_and_wrong_are_grades(tmp_path: Path, yes: str, no: str) -> None:
    rows = [f"q{i},{yes if i % 2 else no},{yes if i % 4 else no}" for i in range(12)]
    (tmp_path / "t.csv").write_text("\n".join(["item,base,new", *rows]) + "\n", encoding="utf-8")
    found = json.loads(outscore("compare", tmp_path / "t.csv", "-f", "json").out)
    assert [one["score"] for one in found["scores"]] == [0.5, 0.75]
