"""Python inputs become the same runs that files give."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import outscore
from outscore.base.errors import InputError, MissingExtra, OutscoreError, UsageError
from outscore.data import align
from outscore.data.frames import labels_from, runs_from
from outscore.data.references import references_from
from outscore.verbs.shared.inputs import align_from

LONG = {
    "system": ["A", "A", "B", "B"],
    "item": [1, 2, 2, 1],
    "score": [0.5, 1.0, 0.25, 0.0],
    "domain": list("xyyx"),
}
WIDE = {"item": ["p", "q"], "A": [1, 0], "B": [0, 1]}


@pytest.mark.parametrize(
    "values", [[0.5, 1.0], (0.5, 1), np.array([0.5, 1]), pd.Series([0.5, 1]), pl.Series([0.5, 1.0])], ids=repr
)
def test_one_dimension_is_one_run_by_position(values: Any) -> None:
    (run,) = runs_from({"A": values})
    assert (run.system, run.run) == ("A", "1")
    assert align_from({"A": values}, references=None, items=None, missing="error").by_position
    assert run.columns["score"].tolist() == [0.5, 1.0]
    assert (run.source.reader, run.source.n_items) == ("python", 2)


@pytest.mark.parametrize("values", [[True, False], np.array([True, False])], ids=repr)
def test_truth_values_are_one_and_zero(values: Any) -> None:
    assert runs_from({"A": values})[0].columns["score"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "values",
    [[[1, 2, 3], [4, 5, 6]], np.array([[1, 2, 3], [4, 5, 6]]), [np.array([1, 2, 3]), (4, 5, 6)]],
    ids=repr,
)
def test_two_dimensions_are_runs_by_items(values: Any) -> None:
    runs = runs_from({"A": values})
    assert [(r.run, r.columns["score"].tolist()) for r in runs] == [("1", [1, 2, 3]), ("2", [4, 5, 6])]


def test_a_mapping_is_aligned_by_id() -> None:
    aligned = align(runs_from({"A": {"x": 1, "y": 0}, "B": {"y": 5, "x": 7}}))
    assert aligned.items == ("x", "y")
    assert aligned.by_run["B", "1"].columns["score"].tolist() == [7, 5]


def test_texts_are_outputs() -> None:
    (one,) = runs_from({"A": ["a", "b"]})
    assert one.outputs == ("a", "b")
    several = runs_from({"A": [["a", "b"], ["c", "d"]]})
    assert [r.outputs for r in several] == [("a", "b"), ("c", "d")]
    (by_id,) = runs_from({"A": {"x": "a", "y": "b"}})
    assert (by_id.ids, by_id.outputs) == (("x", "y"), ("a", "b"))


def test_the_index_of_a_series_is_its_ids() -> None:
    series = {"A": pd.Series([1, 2], index=["x", "y"]), "B": pd.Series([20, 10], index=["y", "x"])}
    assert align(runs_from(series)).by_run["B", "1"].columns["score"].tolist() == [10, 20]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_long_frames_of_any_kind(frame: Any) -> None:
    aligned = align(runs_from(frame(LONG)))
    assert aligned.items == ("1", "2")
    assert aligned.by_run["B", "1"].columns["score"].tolist() == [0.0, 0.25]
    assert aligned.labels == {"domain": ("x", "y")}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_wide_frames_of_any_kind(frame: Any) -> None:
    runs = runs_from(frame(WIDE))
    assert [(r.system, r.ids, r.columns["score"].tolist()) for r in runs] == [
        ("A", ("p", "q"), [1, 0]),
        ("B", ("p", "q"), [0, 1]),
    ]


def test_the_index_of_a_wide_frame_is_its_ids() -> None:
    runs = runs_from(pd.DataFrame(WIDE).set_index("item"))
    assert runs[0].ids == ("p", "q")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_frame_under_a_name_is_that_systems(frame: Any) -> None:
    data = frame({"item": ["x", "y"], "seed": [1, 1], "comet": [0.5, None]})
    (run,) = runs_from({"A": data})
    assert (run.system, run.run, run.columns["comet"][0]) == ("A", "1", 0.5)
    assert np.isnan(run.columns["comet"][1])


@pytest.mark.parametrize(
    "values",
    [
        [0.5, None],
        pd.Series([0.5, None], dtype="Float64"),
        np.ma.array([0.5, 9], mask=[False, True]),
        pl.Series([0.5, None]),
    ],
    ids=repr,
)
def test_what_is_missing_becomes_nan(values: Any) -> None:
    column = runs_from({"A": values})[0].columns["score"]
    assert column[0] == 0.5 and np.isnan(column[1])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_missing_texts_in_frames_are_empty(frame: Any) -> None:
    (run,) = runs_from({"A": frame({"item": ["x", "y"], "output": ["a", None]})})
    assert run.outputs == ("a", "")


def test_the_digest_follows_the_values() -> None:
    digests = [runs_from({"A": values})[0].source.sha256 for values in ([1, 0], np.array([1.0, 0.0]), [0, 1])]
    assert digests[0] == digests[1] != digests[2]


BAD: list[tuple[str, Any, type[OutscoreError], str]] = [
    ("nothing", None, UsageError, "data is None"),
    ("a number", 3, UsageError, "data is an int"),
    ("a text", "scores.csv", UsageError, "data is a str"),
    ("a list", [1, 2], UsageError, "data is a list"),
    ("an empty mapping", {}, UsageError, "empty"),
    ("one number per system", {"A": 0.5}, UsageError, "is a float"),
    ("a numpy scalar", {"A": np.float64(0.5)}, UsageError, "is a float64"),
    ("a text per system", {"A": "hello"}, UsageError, "is a str"),
    ("a generator", {"A": (x for x in [1])}, UsageError, "is a generator"),
    ("no items", {"A": []}, InputError, "no items"),
    ("no items by id", {"A": {}}, InputError, "no rows"),
    ("three dimensions", {"A": np.zeros((2, 2, 2))}, UsageError, "3 dimensions"),
    ("ragged runs", {"A": [[1, 2, 3], [1, 2]]}, InputError, "have 3 and 2 items"),
    ("mixed types", {"A": [1, "two"]}, InputError, "value 1 is 'two', expected a number"),
    ("numbers and runs mixed", {"A": [1, [2, 3]]}, InputError, r"value 1 is \[2, 3\]"),
    ("complex numbers", {"A": np.array([1j])}, InputError, "expected a number"),
    ("a word by id", {"A": {"x": 1, "y": "two"}}, InputError, "'score' holds 'two'"),
    ("an index with duplicates", {"A": pd.Series([1, 2], index=["x", "x"])}, InputError, "duplicate id 'x'"),
    ("a frame without items", pd.DataFrame({"system": ["A"], "score": [1]}), InputError, "names the items"),
    (
        "a frame of texts",
        pd.DataFrame({"foo": ["A"], "bar": ["b"]}),
        InputError,
        "neither scores nor outputs",
    ),
    ("a frame without rows", pd.DataFrame({"item": [], "A": []}), InputError, "no rows"),
    ("a frame with two equal names", pd.DataFrame([[1, 2]], columns=["A", "A"]), InputError, "own name"),
    ("a gold frame", pd.DataFrame({"item": ["x"], "gold": ["y"]}), InputError, "no system"),
    (
        "a frame with duplicate ids",
        pl.DataFrame({"item": ["x", "x"], "A": [1, 2]}),
        InputError,
        "duplicate id",
    ),
]


@pytest.mark.parametrize(("data", "error", "match"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_bad_python_inputs_end_in_one_clear_line(data: Any, error: type[OutscoreError], match: str) -> None:
    with pytest.raises(error, match=match) as caught:
        align(runs_from(data))
    assert "\n" not in str(caught.value)


def test_references_are_streams() -> None:
    assert references_from(["a", "b"], 2)[0].references == (("a", "b"),)
    assert references_from([["a", "b", "c"], ["d", "e", "f"]], 3)[0].references == (("a", "b", "c"), ("d", "e", "f"))
    (by_id,) = references_from({"x": ["a", "b"], "y": ["c"]}, 2)
    assert (by_id.ids, by_id.references) == (("x", "y"), (("a", "c"), ("b", "")))
    (frame,) = references_from(pl.DataFrame({"id": ["x"], "gold": [1]}), 1)
    assert (frame.ids, frame.references) == (("x",), (("1",),))


def test_gold_labels_that_are_numbers_become_texts() -> None:
    assert references_from(np.array([0, 1]), 2)[0].references == (("0", "1"),)


def test_ragged_references_are_refused() -> None:
    with pytest.raises(InputError, match="have 2 and 1 items"):
        references_from([["a", "b"], ["c"]], 3)


def test_labels_describe_items_by_position_or_id() -> None:
    assert labels_from({"domain": ["a", "b"]}).labels == {"domain": ("a", "b")}
    by_id = labels_from(pd.DataFrame({"item": ["x", "y"], "cluster": [1, 2]}))
    assert (by_id.ids, by_id.labels) == (("x", "y"), {"cluster": ("1", "2")})
    with pytest.raises(InputError, match="have 2 and 1 items"):
        labels_from({"domain": ["a", "b"], "cluster": [1]})


def test_a_document_id_stays_a_description() -> None:
    assert labels_from({"doc_id": ["d1", "d1", "d2"]}).labels == {"doc_id": ("d1", "d1", "d2")}
    unique = labels_from({"doc_id": ["d1", "d2", "d3"]})
    aligned = align(runs_from({"A": [1, 2, 3]}), [unique])
    assert aligned.labels == {"doc_id": ("d1", "d2", "d3")}


class Labelled:
    """As much of an array of xarray as is asked for: dimensions, coordinates, and its data frame."""

    name, dtype = None, np.dtype(float)

    def __init__(self, values: list[Any], item: list[str], run: list[int], *, scalars: tuple[str, ...] = ()) -> None:
        self.dims = ("item", "run")
        self.coords = {name: SimpleNamespace(dims=()) for name in scalars} | {"item": SimpleNamespace(dims=("item",))}
        self._given = values, item, run

    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.array(self._given[0])

    def drop_vars(self, names: list[str]) -> Labelled:
        assert names == ["system"]
        return self

    def to_dataframe(self, name: str) -> pd.DataFrame:
        values, *levels = self._given
        return pd.DataFrame({name: np.ravel(values)}, index=pd.MultiIndex.from_product(levels, names=self.dims))


def test_an_array_of_xarray_is_read_by_its_dimensions() -> None:
    values = [[1.0, 0.5], [2.0, 0.25], [3.0, 0.0]]
    first, second = runs_from({"A": Labelled(values, ["x", "y", "z"], [7, 8], scalars=("system",))})
    assert (first.ids, first.columns["score"].tolist()) == (("x", "y", "z"), [1, 2, 3])
    assert (second.run, second.columns["score"].tolist()) == ("8", [0.5, 0.25, 0])


def test_arrays_and_data_sets_of_xarray_give_what_their_numbers_give() -> None:
    xarray = pytest.importorskip("xarray")
    values = np.random.default_rng(0).normal(size=(2, 3, 8))
    items, clusters = [f"q{i}" for i in range(8)], [f"d{i // 2}" for i in range(8)]
    whole = xarray.DataArray(
        values, dims=("system", "run", "item"), coords={"system": ["a", "b"], "item": items}, name="score"
    )
    plain = outscore.compare({"a": values[0], "b": values[1]}, items={"cluster": clusters}).pairs[0]
    labels = xarray.Dataset({"cluster": ("item", clusters)}, coords={"item": items})
    alone = {name: whole.sel(system=name, drop=True) for name in "ab"}
    for data in (
        whole,
        whole.transpose("item", "system", "run"),
        whole.rename(system="model"),
        whole.rename(None).isel(item=slice(None, None, -1)),
        whole.to_dataset(),
        xarray.Dataset(alone),
        {"a": whole[0], "b": whole[1].T},
    ):
        pair = outscore.compare(data, items=labels).pairs[0]
        assert (pair.gain, pair.p_value) == pytest.approx((plain.gain, plain.p_value))
        assert pair.ci == pytest.approx(plain.ci)
    with pytest.raises(UsageError, match=r"expected a mapping.*, or xarray with dimension item"):
        runs_from(whole.rename(item="column"))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_without_narwhals_frames_name_their_extra_and_all_else_is_read(
    frame: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "narwhals", None)
    scores = {"a": [0.0, 1.0, 0.0, 1.0], "b": [1.0, 1.0, 0.0, 1.0]}
    with pytest.raises(MissingExtra, match=r"reading data frames needs an extra: pip install 'outscore\[frames\]'"):
        runs_from(frame(scores))
    columns = {"item": ["q1", "q2", "q3", "q4"], **scores}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for data in (scores, columns, rows, {name: pd.Series(of) for name, of in scores.items()}):
        assert [run.system for run in runs_from(data)] == ["a", "b"]
    with pytest.raises(UsageError, match="data is an object"):
        runs_from(object())
