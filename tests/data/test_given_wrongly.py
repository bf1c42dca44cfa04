"""Files and columns that were given in a way that cannot be meant are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import outscore
from outscore import InputError
from outscore.data.read import read


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
