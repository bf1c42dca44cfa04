"""Files and columns that were given in a way that cannot be meant are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import outscore
from outscore import InputError
from outscore.data.read import read
from tests.cli.commandline import outscore as run


def test_a_column_is_no_run_of_two_systems(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,gold,B.seed1,B.seed2,C.seed1\nq1,x,x,y,x\nq2,y,y,y,x\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"'B\.seed1' is a run of both 'B' and 'C'; narrow the patterns"):
        read([f"B={path}#B*", f"C={path}#*.seed*"])
    assert [run.system for run in read([f"B={path}#B*", f"C={path}#C*"]).runs] == ["B", "B", "C"]
    assert [run.system for run in read([f"one={path}#B*", f"other={path}#B*"]).runs] == ["one", "one", "other", "other"]


def test_possible_links_before_sure_ones_are_refused(tmp_path: Path) -> None:
    texts = {
        "sure": "0-0\n1-1\n",
        "possible": "0-0 0-1\n1-1\n",
        "rest": "0-1\n\n",
        "a": "0-0\n1-1\n",
        "b": "0-1\n1-1\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.talp").write_text(text, encoding="utf-8")
    files = [str(tmp_path / f"{name}.talp") for name in "ab"]

    def score(*golds: str) -> list[float]:
        data = outscore.read(files, references=[str(tmp_path / f"{name}.talp") for name in golds])
        return [one.score for one in outscore.score(data, metrics="aer", n_resamples=99).scores]

    for metric in ("aer", "alignment"):
        data = outscore.read(files, references=[str(tmp_path / f"{name}.talp") for name in ("possible", "sure")])
        with pytest.raises(InputError, match="as if sure links came behind possible ones; give the sure links first"):
            outscore.score(data, metrics=metric, n_resamples=99)
    assert score("sure", "possible") == score("sure", "rest")
    assert score("sure", "sure") == score("sure")


def test_references_that_were_named_are_not_said_to_be_taken_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,reference1,reference2,a,b\nq1,x,y,x,y\nq2,y,y,y,x\n", encoding="utf-8")
    by_name = read([str(path)])
    path.write_text("item,one,two,a,b\nq1,x,y,x,y\nq2,y,y,y,x\n", encoding="utf-8")
    said = read([str(path)], columns=["reference=one", "reference=two"])
    assert "several_golds" in {note.code for note in by_name.runs[0].notes}
    assert "several_golds" not in {note.code for note in said.runs[0].notes}


def test_judgments_of_each_system_are_no_table_of_items(tmp_path: Path) -> None:
    outputs, judged = tmp_path / "o.csv", tmp_path / "j.csv"
    outputs.write_text("system,item,output\na,q1,x\nb,q1,y\n", encoding="utf-8")
    judged.write_text("system,item,z\na,q1,1\nb,q1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="rows of each 'system' describe no items: join them to the table of outputs"):
        read([str(outputs)], items=str(judged))


def test_logins_of_annotators_are_samples(tmp_path: Path) -> None:
    path = tmp_path / "esa.csv"
    path.write_text("login,system,item,score\nr1,a,1,5\nr2,a,1,6\nr1,b,1,7\nr2,b,1,8\n", encoding="utf-8")
    with pytest.raises(InputError, match="say -c sample=login, as annotators are no trainings"):
        read([str(path)])


TWICE = "item,score,q\n1,0,a\n1,1,a\n2,0,b\n2,1,a\n"
SHARED = "system,score\na,0\na,1\nb,1\nb,1\n"


@pytest.mark.parametrize("choice", ["sample=NAME", "run=NAME", "sample=Q", "output=answer"])
def test_a_column_that_is_not_there_is_named_before_what_it_would_have_mended(choice: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TWICE, encoding="utf-8")
    name = choice.partition("=")[2]
    with pytest.raises(InputError, match=f"no column {name!r}, .*found 'item', 'score', 'q'; ") as caught:
        read([f"a={tmp_path / 't.csv'}"], columns=[choice])
    assert f"-c {choice}" not in str(caught.value)
    with pytest.raises(InputError, match="duplicate id"):
        read([f"a={tmp_path / 't.csv'}"])


def test_a_column_of_another_table_is_not_missed_where_a_table_is_broken(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TWICE, encoding="utf-8")
    (tmp_path / "gold.csv").write_text("qid,answer\n1,x\n2,y\n", encoding="utf-8")
    for choice in ("item=qid", "reference=answer"):
        with pytest.raises(InputError, match="duplicate id"):
            read([f"a={tmp_path / 't.csv'}", str(tmp_path / "gold.csv")], columns=[choice])


def test_rows_that_were_numbered_are_not_told_to_be_numbered(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(SHARED, encoding="utf-8")
    (tmp_path / "u.csv").write_text("item,score\nx,1\ny,0\n", encoding="utf-8")
    done = run("compare", str(tmp_path / "t.csv"), "-c", "item=@row")
    assert "@row gives each row of a file a number of its own: add a column of items" in done.err
    assert "item=@row" not in done.err
    (tmp_path / "v.csv").write_text("item,score\n1,1\n2,0\n", encoding="utf-8")
    assert "-c item=@row" in run("compare", *(str(tmp_path / f"{name}.csv") for name in "uv")).err


def mmlu_pro(folder: Path, **more: object) -> list[str]:
    for name, every in (("a", 2), ("b", 4)):
        rows = [
            {
                "question_id": i,
                "answer": "ABC"[i % 3],
                "answer_index": i % 3,
                "pred": "ABC"[i % 3] if i % every else "D",
            }
            | dict.fromkeys(more, i % 5)
            for i in range(12)
        ]
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return [str(folder / f"{name}.jsonl") for name in "ab"]


def test_the_index_of_the_gold_and_what_all_systems_share_is_no_measure_that_is_offered(tmp_path: Path) -> None:
    done = run("compare", *mmlu_pro(tmp_path))
    assert done.code == 2
    assert "column=answer_index" not in done.err
    assert "-c reference=answer compares the outputs with 'answer'" in done.err
    found = json.loads(run("compare", *mmlu_pro(tmp_path), "-c", "reference=answer", "-f", "json").out)
    assert [one["score"] for one in found["scores"]] == [0.5, 0.75]
    shared = run("compare", *mmlu_pro(tmp_path, hardness=1), "-c", "reference=answer", "-f", "json")
    assert [one["score"] for one in json.loads(shared.out)["scores"]] == [0.5, 0.75]


def test_a_score_that_all_systems_share_stays_one(tmp_path: Path) -> None:
    done = run("compare", *mmlu_pro(tmp_path, f1=1), "-c", "reference=answer")
    assert "the scores 'f1'" in done.err
