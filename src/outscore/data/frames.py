"""Python inputs: arrays, lists, mappings and data frames of any kind become the same runs that files give."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError
from outscore.base.installed import require
from outscore.base.lazy import is_declared
from outscore.data.choices import ColumnChoice
from outscore.data.columns import ITEM, LABELS, ColumnTable, is_na, numbers, texts
from outscore.data.indices import Axes, Index, axes_of, index_of
from outscore.data.interpret import interpret
from outscore.data.readers import Content, Context, Role
from outscore.data.run import Gold, Run

_EXPECTED = (
    "expected a mapping from system to scores (1-D, or 2-D as runs x items), outputs or a data frame, "
    "or a data frame with columns system, item, score, or xarray with dimension item"
)


def runs_from(data: object, measures: Iterable[str] = ()) -> tuple[Run, ...]:
    """Runs from Python objects.

    Args:
        data: a data frame (long or wide; pandas, polars, anything that narwhals knows), its rows as mappings or its
            columns as lists, one of them called as ids of items are, an array or data set of xarray with a
            dimension ``item``, or a mapping from system name to one of: numbers ``(n,)``, numbers
            ``(runs, n)``, a list of such arrays, a mapping from item id to number or text, a list of texts, a list
            of lists of texts, a data frame, an array of xarray, or series.
        measures: columns of a wide frame that measure one system, and are no systems.

    Raises:
        UsageError: an object of another kind.
        InputError: ragged or mixed values, or a frame without the columns it needs.
    """
    frame = frame_of(data)
    if frame is None:
        frame = _plain_table(data)
    if frame is not None:
        content = content_of(frame, "data", None, "system", measures=measures)
        if not content.runs and any(set(gold.labels) - LABELS for gold in content.golds):
            # nothing names a system: the columns beside the gold are the systems
            content = content_of(frame, "data", None, "system", alone=True, measures=measures)
        if not content.runs:
            raise InputError("the frame holds no system", file="data", remedy="add columns 'system' and 'score'")
        return content.runs
    if not isinstance(data, Mapping):
        raise UsageError(f"data is {kind_of(data)}; {_EXPECTED}")
    if not data:
        raise UsageError(f"data is empty; {_EXPECTED}")
    runs: list[Run] = []
    for key, value in data.items():
        runs.extend(_system(str(key), value))
    return tuple(runs)


def labels_from(data: object) -> Gold:
    """Descriptions of the items (cluster, domain, document) from Python objects.

    Args:
        data: a mapping from name to values, or a data frame. A column or key ``item`` aligns them by id;
            without it they are in the order of the items.

    Raises:
        UsageError, InputError: as ``runs_from``.
    """
    frame = frame_of(data)
    if frame is not None:
        return content_of(frame, "items", None, "items").golds[0]
    if not isinstance(data, Mapping) or not data:
        raise UsageError(f"items is {kind_of(data)}; expected a mapping from name to values, or a data frame")
    columns = {str(name): to_list(values, f"items[{name!r}]") for name, values in data.items()}
    check_lengths("items", [len(v) for v in columns.values()])
    gold = _read_columns(columns, "items", None, "items").golds[0]
    indices = {index_of(values) for values in data.values()}
    return gold if gold.ids is not None or len(indices) > 1 else replace(gold, ids=indices.pop())


def grid_from(data: object) -> ColumnTable | None:
    """A data frame as a table; None for anything else.

    Raises:
        InputError: no rows, or a column twice.
    """
    frame = frame_of(data)
    return None if frame is None else _grid(_columns_of(frame, "data")[0], "data")


def _system(system: str, value: object) -> list[Run]:
    file = f"data[{system!r}]"
    frame = frame_of(value)
    if frame is not None:
        content = content_of(frame, file, system, "system")
        if not content.runs:
            raise InputError("the frame holds no scores or outputs", file=file, remedy="add a column 'score'")
        return list(content.runs)
    if isinstance(value, Mapping):
        columns = {"item": list(value), "score": list(value.values())}
        if columns["score"] and all(isinstance(v, str) for v in columns["score"]):
            columns["output"] = columns.pop("score")
        return list(_read_columns(columns, file, system, "system").runs)
    index, value = index_of(value), array_of(value)
    if _is_nested(value):
        return _several(system, file, value)
    return [_make_run(system, "1", file, value, index)]


def _several(system: str, file: str, value: Any) -> list[Run]:
    check_lengths(file, [len(to_list(part, file)) for part in value], what="runs")
    return [_make_run(system, str(i + 1), file, array_of(one), index_of(one)) for i, one in enumerate(value)]


def _make_run(system: str, run: str, file: str, value: Any, ids: Index | None) -> Run:
    """One run from numbers or texts, and the labels of its index, if it has one."""
    cells = value if isinstance(value, np.ndarray) else to_list(value, file)
    if len(cells) == 0:
        raise InputError("there are no items", file=file, remedy="give one number or text per item")
    if all(isinstance(cell, str) for cell in cells):
        outputs = tuple(str(cell) for cell in cells)
        source = context_of(file, digest_of([outputs]), None, "system").source("python", len(outputs))
        return Run(system=system, run=run, ids=ids, outputs=outputs, source=source)
    values = _numbers(cells, file)
    source = context_of(file, digest_of([values]), None, "system").source("python", len(values))
    return Run(system=system, run=run, ids=ids, columns={"score": values}, source=source)


def _numbers(cells: Any, file: str) -> Float:
    if isinstance(cells, np.ma.MaskedArray) and cells.dtype.kind in "buif":
        filled: Float = np.ma.filled(np.ma.asarray(cells, dtype=float), np.nan)
        return filled
    if isinstance(cells, np.ndarray) and (
        cells.dtype.kind in "bf" or (cells.dtype.kind in "ui" and not _is_large(cells))
    ):
        return cells.astype(float)
    plain = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells]
    parsed = numbers([None if is_na(cell) else cell for cell in plain], typed=True)
    if parsed.bad:
        bad = parsed.bad[0]
        raise InputError(
            f"value {bad} is {' '.join(repr(plain[bad])[:60].split())}, expected a number"
            f"{' of fewer digits' if isinstance(plain[bad], int) else ''}",
            file=file,
            remedy="give numbers only or texts only",
        )
    return parsed.values


def _is_large(cells: np.ndarray[Any, Any]) -> bool:
    """Whether whole numbers may lose digits as floats."""
    return bool(np.any(np.abs(cells.astype(float)) >= 2.0**53))


def _is_nested(value: Any) -> bool:
    """Whether a value holds several runs.

    Raises:
        UsageError: it holds neither items nor runs.
    """
    if isinstance(value, np.ndarray):
        if value.ndim not in (1, 2):
            raise UsageError(f"an array of {value.ndim} dimensions was given; expected (items,) or (runs, items)")
        return value.ndim == 2
    parts = to_list(value, "data")
    return bool(parts) and all(is_list(array_of(part)) for part in parts)


def is_list(value: object) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)


def to_list(value: Any, what: str) -> list[Any]:
    if hasattr(value, "__array__") and not isinstance(value, np.generic):
        value = array_of(value)
        if value.ndim == 0:
            raise UsageError(f"{what} is a single value; {_EXPECTED}")
        return list(value)
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        raise UsageError(f"{what} is {kind_of(value)}; {_EXPECTED}")
    return list(value)


def array_of(value: Any) -> Any:
    """An array-like as an array."""
    held = isinstance(value, np.ndarray | np.generic) or not hasattr(value, "__array__")
    return value if held else np.asarray(value)


def frame_of(data: object) -> Any:
    """A narwhals frame, or None when ``data`` is no data frame."""
    if data is None or is_declared(type(data)):
        return None
    data = _table_of(data)
    # asked of the class: some frames compute their columns
    if isinstance(data, Mapping | np.ndarray) or not hasattr(type(data), "columns"):
        return None
    nw = require("narwhals", "reading data frames", "frames")
    try:
        frame: Any = nw.from_native(data, pass_through=True)
    except (TypeError, ValueError, nw.exceptions.NarwhalsError) as error:
        raise InputError(
            f"the data frame cannot be read ({' '.join(str(error).split())})", remedy="give every column its own name"
        ) from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    return frame if isinstance(frame, nw.DataFrame) else None


def _plain_table(data: Any) -> dict[str, list[Any]] | None:
    """The columns of a list of rows, or of lists of one length of which one is called as ids of items are; else None.

    Systems may be called sentence or question, too: what repeats there is no id.
    """
    if is_list(data) and len(data) and all(isinstance(row, Mapping) for row in data):
        return {
            str(name): [row.get(name) for row in data] for name in dict.fromkeys(key for row in data for key in row)
        }
    columns = {str(name): array_of(cells) for name, cells in data.items()} if isinstance(data, Mapping) else {}
    if not all(map(is_list, columns.values())) or len({*map(len, columns.values())}) != 1:
        return None
    for name, cells in columns.items():
        ids = name.lower() in ITEM and all(isinstance(cell, str | int | np.integer) for cell in cells)
        if ids and (re.search("item|id", name.lower()) or len({*cells}) == len(cells)):
            return {key: list(of) for key, of in columns.items()}
    return None


def _table_of(data: Any) -> Any:
    """An array or data set of xarray with named items as a data frame; all else as it is."""
    if not hasattr(data, "to_dataframe") or not {str(name).lower() for name in getattr(data, "dims", ())} & set(ITEM):
        return data
    name = (
        {} if isinstance(data, Mapping) else {"name": data.name or ("score" if data.dtype.kind in "biuf" else "output")}
    )
    return data.drop_vars([of for of, values in data.coords.items() if not values.dims]).to_dataframe(**name)


def content_of(
    frame: Any, file: str, system: str | None, role: Role, *, alone: bool = False, measures: Iterable[str] = ()
) -> Content:
    columns, axes = (frame, Axes(counts=False)) if isinstance(frame, dict) else _columns_of(frame, file)
    content = _read_columns(columns, file, system, role, alone=alone, choices=axes.choices, measures=measures)
    return _add_index(content, frame) if axes.counts else content


def _add_index(content: Content, frame: Any) -> Content:
    """The content of a frame with its index for ids, where no column names the items."""
    index = index_of(frame.to_native())
    if index is None or {str(name).lower() for name in frame.columns} & set(ITEM):
        return content

    def choose_ids(ids: tuple[str, ...] | None, n: int) -> tuple[str, ...] | None:
        if ids is not None:
            return Index(ids)
        return index if n == len(index) else None  # rows of several systems are counted, not named

    return replace(
        content,
        runs=tuple(replace(run, ids=choose_ids(run.ids, run.n)) for run in content.runs),
        golds=tuple(replace(gold, ids=choose_ids(gold.ids, gold.n)) for gold in content.golds),
    )


def _columns_of(frame: Any, file: str) -> tuple[dict[str, list[Any]], Axes]:
    """The columns of a frame, those first that stand in its index; and what its axes say."""
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise InputError("two columns have the same name", file=file, remedy="give every column its own name")
    axes = axes_of(frame.to_native(), names, file)
    columns: dict[str, list[Any]] = dict(axes.levels)
    for name, series in zip(names, frame.iter_columns(), strict=True):
        missing = series.is_null().to_list()
        cells = series.to_list()
        columns[name] = [None if m else c for m, c in zip(missing, cells, strict=True)] if any(missing) else cells
    return columns, axes


def _read_columns(
    columns: dict[str, list[Any]],
    file: str,
    system: str | None,
    role: Role,
    *,
    alone: bool = False,
    choices: tuple[ColumnChoice, ...] = (),
    measures: Iterable[str] = (),
) -> Content:
    grid = _grid(columns, file)
    context = context_of(file, digest_of(list(grid.columns.items())), system, role)
    return interpret(grid, replace(context, alone=alone, choices=choices, measures=frozenset(measures)))


def _grid(columns: dict[str, list[Any]], file: str) -> ColumnTable:
    n = len(next(iter(columns.values()), []))
    if n == 0:
        raise InputError("there are no rows", file=file, remedy="give at least one row")
    columns = {
        name: [None if is_na(c) else c.item() if isinstance(c, np.generic) else c for c in cells]
        for name, cells in columns.items()
    }
    return ColumnTable(columns=columns, n=n, file=file, reader="python", typed=True, line=lambda row: None)


def context_of(file: str, sha256: str, system: str | None, role: Role) -> Context:
    return Context(file=file, stem=system or "data", sha256=sha256, role=role, system=system)


def digest_of(parts: Sequence[Any]) -> str:
    """SHA-256 of numbers as float64 bytes and of everything else as its printed form."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(np.ascontiguousarray(part, dtype="<f8").tobytes())
        else:
            digest.update(repr(part).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def texts_of(cells: Sequence[Any], what: str) -> list[str]:
    if any(is_list(cell) or isinstance(cell, Mapping) for cell in cells):
        raise InputError("texts and lists are mixed", file=what, remedy="give one text per item in every stream")
    return texts([c.item() if isinstance(c, np.generic) else c for c in cells])


def check_lengths(file: str, lengths: Sequence[int], what: str = "columns") -> None:
    other = next((n for n in lengths if n != lengths[0]), None)
    if other is not None:
        raise InputError(
            f"the {what} have {lengths[0]} and {other} items, expected as many in each",
            file=file,
            remedy="give every item in every one, NaN where it is missing",
        )


def kind_of(value: object) -> str:
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
