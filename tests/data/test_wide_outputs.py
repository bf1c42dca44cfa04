"""Tables that hold everything at once: outputs of systems in columns, tokens in rows, columns with other names."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.data import align, read
from outscore.data.dataset import Dataset
from outscore.data.run import Run
from tests.cli import commandline
from tests.data.files import Write


def aligned(*files: str, **more: object) -> Dataset:
    found = read(list(files), **more)  # type: ignore[arg-type]
    return align(found.runs, found.golds)


def outputs(data: Dataset, system: str, run: str = "1") -> list[str]:
    return list(data.by_run[system, run].outputs or ())


LABELS = "id,n_chars,gold,sys1,sys2\nx,12,pos,pos,neg\ny,15,neg,neg,neg\nz,13,pos,neg,maybe\n"


def test_a_gold_table_alone_holds_systems_in_its_columns_of_labels(write: Write) -> None:
    data = aligned(write("t.csv", LABELS))
    assert data.systems == ("sys1", "sys2")
    assert outputs(data, "sys2") == ["neg", "neg", "maybe"]
    assert data.by_run["sys1", "1"].references == (("pos", "neg", "pos"),)
    assert data.labels["n_chars"] == ("12", "15", "13")
    assert [note.code for note in data.notes] == ["columns_describe"]


def test_beside_files_of_systems_a_gold_table_stays_one(write: Write) -> None:
    found = read([write("t.csv", LABELS), write("s.csv", "id,prediction\nx,pos\ny,neg\nz,neg\n")])
    assert [run.system for run in found.runs] == ["s"]
    assert set(found.golds[0].labels) == {"n_chars", "sys1", "sys2"}


def test_labels_that_are_numbers_are_compared_as_labels(write: Write) -> None:
    table = write("t.csv", "item,pair,gold,a,b\n1,1,0,0,1\n2,1,1,1,1\n")
    data = aligned(table)
    assert (data.systems, outputs(data, "b")) == (("a", "b"), ["1", "1"])
    assert data.labels["pair"] == ("1", "1")


@pytest.mark.parametrize("between", [";", "; ", "|", ",", " "])
@pytest.mark.parametrize("columns", [(), ("system=@columns",)])
def test_cells_of_several_labels_are_of_systems(between: str, columns: tuple[str, ...], write: Write) -> None:
    """B never gives the labels in the order of gold: it was left out beside A and C."""
    rows = [("ad", "ad", "dcba", "ab"), ("de", "de", "ed", "de"), ("db", "bd", "ead", "d"), ("ca", "", "ac", "a")]
    cells = "\n".join("\t".join([str(i), *map(between.join, row)]) for i, row in enumerate(rows))
    data = read([write("t.tsv", f"item\tgold\tA\tB\tC\n{cells}\n")], columns=columns)
    assert {run.system: run.outputs for run in data.runs} == {
        name: tuple(between.join(row[k]) for row in rows) for k, name in enumerate("ABC", 1)
    }
    assert not any("'B'" in note.text for run in data.runs for note in run.notes)


def test_a_hash_picks_columns_and_makes_them_runs(write: Write) -> None:
    table = write("t.csv", "item,gold,A.seed2,A.seed10,B\nx,p,p,n,q\ny,n,n,n,q\n")
    data = aligned(f"first={table}#A.*", f"{table}#B")
    assert dict(data.runs) == {"first": ("seed2", "seed10"), "B": ("1",)}
    assert outputs(data, "first", "seed10") == ["n", "n"]
    assert outputs(data, "B") == ["q", "q"], "a picked column is a system whatever its values are"
    assert len({source.file for source in data.sources}) == 1


def test_a_hash_picks_systems_of_long_and_of_numeric_tables(write: Write) -> None:
    long = write("long.csv", "system,item,score\nA,x,1\nB,x,2\nC,x,3\n")
    wide = write("wide.csv", "item,A,B,C\nx,1,2,3\n")
    for table in (long, wide):
        assert [run.system for run in read([f"{table}#[AC]"]).runs] == ["A", "C"]
        assert [(run.system, run.run) for run in read([f"new={table}#[AC]"]).runs] == [("new", "A"), ("new", "C")]
    with pytest.raises(InputError, match=r"no system matches 'D'; it holds 'A', 'B', 'C'"):
        read([f"{wide}#D"])


@pytest.mark.parametrize(
    "table",
    [
        "system,item,score\nsys[1],x,1\nsys1,x,2\nbase,x,3\n",
        "item,sys[1],sys1,base\nx,1,2,3\n",
        "item,gold,sys[1],sys1,base\nx,p,p,q,p\n",
    ],
)
def test_a_name_that_reads_like_a_pattern_is_first_of_all_a_name(table: str, write: Write) -> None:
    file = write("t.csv", table)
    assert [run.system for run in read([f"{file}#sys[1]"]).runs] == ["sys[1]"]
    assert [run.system for run in read([f"{file}#sys?"]).runs] == ["sys1"]


def test_a_file_may_have_a_hash_in_its_name(write: Write) -> None:
    assert read([write("a#b.txt", "one\n")]).runs[0].outputs == ("one",)


def test_rows_of_tokens_become_one_text_of_tags(write: Write) -> None:
    table = "sent\tdomain\ttok\tform\tseen\tgold\tA\n1\tnews\t1\tThe\t1\tDET\tDET\n1\tnews\t2\tcat sat\t0\tNOUN\tX\n"
    data = aligned(write("t.tsv", table + "2\tweb\t1\t.\t1\tX\tX\n"))
    assert data.notation == "tags"
    assert data.items == ("1", "2")
    assert outputs(data, "A") == ["DET X", "X"]
    assert data.by_run["A", "1"].references == (("DET NOUN", "X"),)
    wanted = {
        "domain": ("news", "web"),
        "tokens": ("The cat\u00a0sat", "."),
        "seen": ("1 0", "1"),
        "length": ("2", "1"),
    }
    assert wanted.items() <= dict(data.labels).items()


def test_a_tag_that_is_empty_is_named_with_its_line(write: Write) -> None:
    with pytest.raises(InputError, match=r"t.tsv:3: column 'gold' holds '', expected one tag"):
        aligned(write("t.tsv", "sent\ttok\tgold\tA\n1\t1\tX\tX\n1\t2\t\tX\n2\t1\tX\tX\n"))


def test_columns_may_say_what_they_are(write: Write) -> None:
    table = "seg_id\tsource\tref:A\tref:B\tsys:one\tsys:two\n1\tSatz\ta b\tc d\ta b\tx\n"
    data = aligned(write("t.tsv", table))
    assert data.systems == ("one", "two")
    assert data.by_run["two", "1"].references == (("a b",), ("c d",))
    assert outputs(data, "one") == ["a b"]


@pytest.mark.parametrize("choice", ["reference=ref:A", "label=ref:B"])
def test_of_several_references_one_can_be_taken_alone(choice: str, write: Write) -> None:
    table = write("t.csv", "id,ref:A,ref:B,sys:one,sys:two\n1,a b,c d,a b,c d\n2,e f,g h,g h,e f\n")
    alone, both = (outscore.score(outscore.read([table], columns=c), metrics="chrf") for c in (choice, ()))
    assert [score.score for score in alone.scores] != [score.score for score in both.scores]
    bare = outscore.score({"one": ["a b", "g h"], "two": ["c d", "e f"]}, references=["a b", "e f"], metrics="chrf")
    assert [score.score for score in alone.scores] == [score.score for score in bare.scores]
    said = [" ".join(str(one).split()) for one in (alone, both)]
    assert "2 items. " in said[0] and "2 items with 2 references each. " in said[1]


def test_a_gold_table_without_systems_is_said(write: Write) -> None:
    with pytest.raises(InputError, match="no column of a system among 'item', 'gold', 'n'"):
        read([write("t.csv", "item,gold,n\nx,p,1\n")])


def scores(found: Run) -> dict[str, list[float]]:
    return {name: [float(v) for v in values] for name, values in found.columns.items()}


def test_columns_get_the_roles_that_the_user_says(write: Write) -> None:
    table = write("t.csv", "agent,game,id,points\nA,g1,7,1\nB,g1,8,2\nA,g2,9,3\nB,g2,10,4\n")
    a, b = read([table], columns=["system=agent", "item=game", "score=points", "label=id"]).runs
    assert (a.system, b.system, a.ids) == ("A", "B", ("g1", "g2"))
    assert scores(b) == {"score": [2.0, 4.0]}
    assert a.labels["id"] == ("7", "9")


def test_columns_are_joined_to_ids_and_stay(write: Write) -> None:
    table = write("t.csv", "task,item,A,B\nt1,1,1,0\nt2,1,0,1\n")
    run = read([table], columns=["item=task+item", "domain=task"]).runs[0]
    assert run.ids == ("t1/1", "t2/1")
    assert run.labels["domain"] == ("t1", "t2")


def test_a_run_that_tells_items_apart_tells_no_runs_apart(write: Write) -> None:
    rows = "".join(f"{system},iris,{run},{fold},0.{fold}\n" for system in "ab" for run in range(3) for fold in range(4))
    table = write("folds.csv", f"system,dataset,run,fold,score\n{rows}")
    found = read([table], columns=["item=dataset+run+fold"]).runs
    assert [(run.system, run.run, run.n) for run in found] == [("a", "1", 12), ("b", "1", 12)]


def test_rows_can_be_numbered(write: Write) -> None:
    run = read([write("t.csv", "A,B\n1,0\n0,1\n")], columns=["item=@row"]).runs[1]
    assert (run.system, run.ids, scores(run)) == ("B", ("1", "2"), {"score": [0.0, 1.0]})


def test_headers_can_be_the_items(write: Write) -> None:
    a, b = read([write("t.csv", "model,type,task1,task2\nA,x,0.1,0.2\nB,y,0.3,0.4\n")], columns=["item=@columns"]).runs
    assert (a.ids, scores(b)) == (("task1", "task2"), {"score": [0.3, 0.4]})


def test_several_choices_can_stand_in_one_text(write: Write) -> None:
    """A comma parts them where a role follows, and belongs to the name of a column where none does."""
    table = write("t.csv", 'no,"who, or what",right\n1,A,1\n1,B,0\n')
    for choice in ("item=no,model=who, or what,score=right", "item=no, system=who, or what, SCORE=right"):
        a, b = read([table], columns=[choice]).runs
        assert (a.system, b.system, a.ids, scores(b)) == ("A", "B", ("1",), {"score": [0.0]})


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("item", "write ROLE=NAME"),
        ("item=", "write ROLE=NAME"),
        ("itme=x", "no role 'itme'; did you mean 'item'?"),
        ("item=nothere", "no column 'nothere'; there are 'item', 'A', 'B'"),
        ("item=item+nothere", "no column 'nothere'"),
        ("system=A,B", r"joined by \+, as system=A\+B; columns of one system each need no choice"),
    ],
)
def test_a_choice_that_cannot_be_followed_is_refused(choice: str, message: str, write: Write) -> None:
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        read([write("t.csv", "item,A,B\nx,1,0\n")], columns=[choice])


def test_an_item_that_is_missing_can_be_scored_zero(write: Write) -> None:
    table = write("t.csv", "system,item,score,topic\nA,x,1,s\nA,y,1,t\nB,x,1,s\nB,z,,u\n")
    data = outscore.read(table, missing="zero")
    assert data.items == ("x", "y", "z")
    np.testing.assert_array_equal(data.by_run["B", "1"].columns["score"], [1, 0, 0])
    np.testing.assert_array_equal(data.by_run["A", "1"].columns["score"], [1, 1, 0])
    assert data.labels["topic"] == ("s", "t", "u")
    texts = {note.text for note in data.notes if note.code == "missing_as_zero"}
    assert texts == {
        "1 item missing from system 'A' (run '1') scored 0: 'z'",
        "2 items missing from system 'B' (run '1') scored 0: 'y', 'z'",
    }


def test_an_output_that_is_missing_can_be_empty(write: Write) -> None:
    gold = write("g.csv", "item,gold\nx,p\ny,n\n")
    system = write("s.csv", "item,prediction\nx,p\n")
    data = outscore.read([f"s={system}"], references=gold, missing="zero")
    assert outputs(data, "s") == ["p", ""]
    assert data.by_run["s", "1"].references == (("p", "n"),)


def test_ratios_add_columns(write: Write) -> None:
    table = write("t.csv", "system,item,hit,g,s\nA,x,2,3,1\nA,y,0,1,3\nB,x,1,1,1\nB,y,1,1,1\n")
    result = outscore.compare(outscore.read(table), metrics="ratio:num=hit,den=g+s,scale=200", n_resamples=10)
    assert [score.score for score in result.scores] == [50.0, 100.0]


@pytest.mark.parametrize("odd", ["(A)", "a", " B. "])
@pytest.mark.parametrize("where", [0, 1, 2])
def test_a_column_of_answers_that_are_written_otherwise_is_not_left_out_silently(
    write: Write, odd: str, where: int
) -> None:
    names = ["x", "y"]
    names.insert(where, "odd")
    cells = [{"x": "AB"[i % 2], "y": "A", "odd": [odd, "AB"[i % 3 == 0]][i % 4 == 0]} for i in range(12)]
    lines = [f"q{i},{'AB'[i % 2]},{','.join(row[n] for n in names)},{i % 2}" for i, row in enumerate(cells)]
    data = aligned(write("t.csv", "\n".join([f"item,gold,{','.join(names)},kind", *lines])))
    assert data.systems == ("x", "y")
    found = {note.code: note for note in data.notes}
    assert (found["never_gold"].rank, found["columns_describe"].rank) == ("answer", "claim")
    assert found["never_gold"].text.endswith(": 'odd'")
    assert found["columns_describe"].text.endswith(": 'kind'")


@pytest.mark.parametrize("spell", ["{}.", "{}!"])
def test_labels_spelled_otherwise_are_no_description(spell: str, tmp_path: Path) -> None:
    gold = ["yes" if i % 3 else "no" for i in range(20)]
    rows = [f"{i},{x},{spell.format(x).title()},{'yes' if i % 2 else 'no'}" for i, x in enumerate(gold)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["item,gold,a,b", *rows]) + "\n", encoding="utf-8")
    done = commandline.outscore("compare", file)
    assert f"column 'a' holds '{spell.format('No')}' where the gold has 'no'" in done.err
    said = re.findall(r"say outscore (compare .* -m squad_em),", done.err)[0]
    done = commandline.outscore(*shlex.split(said), "-f", "json")
    assert [score["score"] for score in json.loads(done.out)["scores"]] == [1, pytest.approx(0.5, abs=0.1)]
    assert "one system ('b') cannot be compared" in commandline.outscore("compare", file, "-c", "label=a").err
