"""Parquet files are the same tables as CSV, with types."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import outscore
from outscore.base.errors import InputError, MissingExtra
from outscore.data import read as read_files


def saved(path: Path, columns: dict[str, Any]) -> str:
    pq.write_table(pa.table(columns), path)
    return str(path)


LONG = {
    "system": ["a", "a", "a", "b", "b", "b"],
    "item": ["1", "2", "3", "3", "2", "1"],
    "score": [0.5, 0.25, 1.0, 0.75, 0.5, 1.0],
    "document": ["x", "x", "y", "y", "x", "x"],
}


def test_a_parquet_table_is_compared_as_the_same_csv_is(tmp_path: Path) -> None:
    frame = pd.DataFrame(LONG)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    found = [outscore.compare(outscore.read(str(tmp_path / f"t.{kind}"))) for kind in ("csv", "parquet")]
    assert found[0].pairs == found[1].pairs
    assert found[1].provenance.inputs[0].reader == "parquet"


def test_types_decide_what_is_a_number(tmp_path: Path) -> None:
    columns = {
        "item": [1, 2, 3],
        "system": ["a"] * 3,
        "score": pa.array([1, None, 3], pa.int64()),
        "right": [True, False, True],
        "year": ["2019", "2020", "2021"],
        "kind": pa.array(["u", "v", "u"]).dictionary_encode(),
    }
    (run,) = read_files([saved(tmp_path / "t.parquet", columns)]).runs
    assert run.ids == ("1", "2", "3")
    assert np.array_equal(run.columns["score"], [1, np.nan, 3], equal_nan=True)
    assert run.columns["right"].tolist() == [1, 0, 1]
    assert run.labels == {"year": ("2019", "2020", "2021"), "kind": ("u", "v", "u")}


def test_lists_of_references_are_streams_and_other_nested_columns_are_passed_over(tmp_path: Path) -> None:
    columns = {
        "item": ["1", "2"],
        "output": ["o", "p"],
        "references": [["r", "s"], ["t"]],
        "trace": [{"x": 1}, {"x": 2}],
    }
    (run,) = read_files([saved(tmp_path / "t.parquet", columns)]).runs
    assert run.references == (("r", "t"), ("s", ""))
    assert not run.labels
    assert not run.columns


def test_the_index_of_pandas_names_the_items_where_nothing_else_does(tmp_path: Path) -> None:
    frame = pd.DataFrame({"score": [0.5, 1.0]}, index=["q1", "q2"])
    frame.to_parquet(tmp_path / "a.parquet")
    (run,) = read_files([str(tmp_path / "a.parquet")]).runs
    assert run.ids == ("q1", "q2")
    frame["item"] = ["x", "y"]
    frame.to_parquet(tmp_path / "b.parquet")
    (run,) = read_files([str(tmp_path / "b.parquet")]).runs
    assert run.ids == ("x", "y")


def test_gold_tables_and_descriptions_may_be_parquet(tmp_path: Path) -> None:
    system = tmp_path / "a.txt"
    system.write_text("yes\nno\n", encoding="utf-8")
    gold = saved(tmp_path / "gold.parquet", {"gold": ["yes", "yes"]})
    items = saved(tmp_path / "items.parquet", {"domain": ["p", "q"]})
    data = outscore.read(str(system), references=gold, items=items)
    assert outscore.score(data).scores[0].score == 0.5
    assert data.labels == {"domain": ("p", "q")}


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"system": pa.array([], pa.string()), "item": pa.array([], pa.string())}, "has no rows"),
        ({"system": ["a"], "item": ["1"], "score": [[1.0]]}, "'score' is a list, expected a number"),
        ({"system": ["a"], "score": [1.0]}, "no column names the items"),
        ({"system": ["a"], "item": ["1"], "score": ["much"]}, "'score' holds 'much', expected a number"),
    ],
    ids=["empty", "nested", "no items", "text for a number"],
)
def test_what_no_table_can_be_is_refused(tmp_path: Path, columns: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_files([saved(tmp_path / "t.parquet", columns)])


def test_a_header_twice_is_refused(tmp_path: Path) -> None:
    table = pa.table([pa.array(["a"]), pa.array(["1"]), pa.array([1.0]), pa.array([2.0])], ["system", "item", "s", "s"])
    pq.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(InputError, match="has 's' more than once"):
        read_files([str(tmp_path / "t.parquet")])


@pytest.mark.parametrize("cut", [4, 20, 200, -1])
def test_a_broken_file_is_one_clear_line(tmp_path: Path, cut: int) -> None:
    path = Path(saved(tmp_path / "t.parquet", LONG))
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match=r"t\.parquet: broken Parquet \(.*; copy the file again") as caught:
        read_files([str(path)])
    assert "\n" not in str(caught.value)


def test_without_its_library_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "t.parquet", LONG)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'outscore\[parquet\]'"):
        read_files([path])
