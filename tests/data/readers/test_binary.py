"""Databases, workbooks and arrays: the part that is named is read, nothing is written, nothing else is opened."""

from __future__ import annotations

import contextlib
import gzip
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outscore.base.errors import InputError
from outscore.data import read
from tests.contract.files import binary

ROWS = (["q1", "q2", "q3"], [1.0, 0.0, 1.0])


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Scores of two systems, and a table beside them."""
    with contextlib.closing(sqlite3.connect(tmp_path / "r.db")) as connection:
        connection.execute("create table scores (system text, item text, score real)")
        rows = [(s, i, x * k) for k, s in enumerate("ab", 1) for i, x in zip(*ROWS, strict=True)]
        connection.executemany("insert into scores values (?, ?, ?)", rows)
        connection.execute('create table "odd ""name" (a)')
        connection.commit()
    return str(tmp_path / "r.db")


def test_several_tables_are_a_question_with_the_name_of_each(database: str) -> None:
    with pytest.raises(InputError, match=r"holds 2 tables.*name it: \S+r.db::scores"):
        read([database])


@pytest.mark.parametrize("part", ["scores", "select * from scores", "with t as (select * from scores) select * from t"])
def test_a_table_and_a_query_are_read_alike(database: str, part: str) -> None:
    found = read([f"{database}::{part}"])
    assert [(run.system, run.columns["score"].tolist()) for run in found.runs] == [("a", [1, 0, 1]), ("b", [2, 0, 2])]


def test_a_query_may_hold_signs_that_mean_something_elsewhere(database: str) -> None:
    query = "select item, score from scores where system = 'b' and (item like '%#%' or item = 'q1')"
    found = read([f"new={database}::{query}"])
    assert [(run.system, run.columns["score"].tolist()) for run in found.runs] == [("new", [2])]


def test_systems_are_picked_from_a_table(database: str) -> None:
    assert [run.system for run in read([f"{database}::scores#b"]).runs] == ["b"]


@pytest.mark.parametrize(
    "query",
    [
        "select * from scores; drop table scores",
        "with t as (select 1) delete from scores",
        "with t as (select 1) insert into scores select * from scores",
        "select load_extension('x')",
        "select * from nothing",
    ],
)
def test_a_query_only_reads(database: str, query: str) -> None:
    before = Path(database).read_bytes()
    with pytest.raises(InputError, match="SQLite says"):
        read([f"{database}::{query}"])
    assert Path(database).read_bytes() == before


def test_no_other_file_is_attached_or_made(database: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="SQLite says"):
        read([f"{database}::attach database '{tmp_path}/new.db' as n"])
    assert [path.name for path in tmp_path.iterdir()] == ["r.db"]


def test_a_compressed_database_is_read_from_memory(tmp_path: Path) -> None:
    file = tmp_path / "r.db.gz"
    file.write_bytes(gzip.compress(binary.sqlite(ROWS)))
    assert read([str(file)]).runs[0].columns["score"].tolist() == ROWS[1]
    assert [path.name for path in tmp_path.iterdir()] == ["r.db.gz"]


def test_a_file_without_parts_says_so(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text("item,score\nq1,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no parts, of which 'x' could be one"):
        read([f"{file}::x"])
    with pytest.raises(InputError, match="no such file"):
        read([f"{tmp_path}/none.db::x"])


def test_duckdb_reads_its_tables_and_nothing_else(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "r.duckdb"
    file.write_bytes(binary.duckdb(ROWS))
    (tmp_path / "o.csv").write_text("item,score\nq1,1\n", encoding="utf-8")
    assert read([f"{file}::select item, score from scores"]).runs[0].columns["score"].tolist() == ROWS[1]
    for query in (
        f"select * from read_csv('{tmp_path}/o.csv')",
        f"from '{tmp_path}/o.csv'",
        f"select * from scores; copy scores to '{tmp_path}/new.csv'",
        "with t as (select 1) delete from scores",
    ):
        with pytest.raises(InputError, match="DuckDB says"):
            read([f"{file}::{query}"])
    assert duckdb.connect(str(file)).execute("select count(*) from scores").fetchall() == [(3,)]
    assert not (tmp_path / "new.csv").exists()


def test_a_workbook_of_several_sheets_is_a_question(tmp_path: Path) -> None:
    file = tmp_path / "r.xlsx"
    file.write_bytes(binary.workbook(ROWS, ("one", "two")))
    with pytest.raises(InputError, match=r"has 2 sheets \('one', 'two'\).*r.xlsx::one or"):
        read([str(file)])
    assert read([f"{file}::two"]).runs[0].columns["score"].tolist() == ROWS[1]
    with pytest.raises(InputError, match="has no sheet 'three'"):
        read([f"{file}::three"])


@pytest.mark.parametrize("name", ["old.xls", "encrypted.xlsx", "scores"])
def test_a_workbook_that_is_no_archive_is_refused_unread(name: str, tmp_path: Path) -> None:
    """Cells of XLS stand where they like: of a cell in the last corner of 16 sheets its library makes 8 GB."""
    (tmp_path / name).write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000))
    with pytest.raises(InputError, match=r"is an old workbook \(XLS\) or an encrypted one.*save it as XLSX"):
        read([str(tmp_path / name)])


def test_an_archive_of_arrays_holds_a_system_each(tmp_path: Path) -> None:
    file = tmp_path / "r.npz"
    np.savez(file, base=np.array(ROWS[1]), new=np.array(ROWS[1]) + 1)
    assert [(run.system, run.columns["score"].tolist()) for run in read([str(file)]).runs] == [
        ("base", [1, 0, 1]),
        ("new", [2, 1, 2]),
    ]


@pytest.mark.parametrize("array", [np.zeros((2, 2)), np.array(["a"]), np.zeros(0), np.array([{}], dtype=object)])
def test_an_array_of_other_shape_or_kind_is_refused(tmp_path: Path, array: np.ndarray[Any, Any]) -> None:
    np.save(tmp_path / "r.npy", array, allow_pickle=True)
    with pytest.raises(InputError, match="array of"):
        read([str(tmp_path / "r.npy")])
