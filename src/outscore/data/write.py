"""The one long table that every command reads, of whatever was read."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from shlex import quote
from typing import Any

import numpy as np

from outscore.base.errors import InputError, UsageError, inflect, join
from outscore.base.installed import require
from outscore.base.items import Absent, Items
from outscore.base.lazy import dataclass
from outscore.base.notation import TEXT
from outscore.base.notes import Note
from outscore.base.text import disarm
from outscore.data.columns import LABELS, NUMBERS, numbers, roles_of
from outscore.data.dataset import Dataset


@dataclass(frozen=True, kw_only=True)
class LongTable:
    """A row for each item of each run of each system, or for each of its samples.

    Attributes:
        texts: system, item, run and sample where there are several, output, and reference or reference1, reference2 ...
        numbers: the numeric columns; None where a number is missing.
        labels: descriptions of the items.
        notes: on differences of the table from the data.
    """

    texts: Mapping[str, Sequence[str]]
    numbers: Mapping[str, Sequence[float | None]]
    labels: Mapping[str, Sequence[str]]
    notes: tuple[Note, ...] = ()

    @property
    def columns(self) -> dict[str, Sequence[Any]]:
        """All cells by header."""
        return {**self.texts, **self.numbers, **self.labels}

    def to(self, format: str, *, raw_csv: bool = False) -> str | bytes:
        """The table as ``csv``, ``tsv``, ``jsonl`` or ``parquet`` (bytes). Cells are data: none is changed.

        In CSV an apostrophe stands before texts that spreadsheets take for formulas, which readers take away again;
        ``raw_csv`` leaves it out.

        Raises:
            UsageError: another format.
            InputError: a cell that the format cannot hold.
            MissingExtra: Parquet without its library.
        """
        if format not in WRITERS:
            raise UsageError(f"format {format!r}: expected one of {', '.join(WRITERS)}")
        return _csv(self, raw=raw_csv) if format == "csv" else WRITERS[format](self)

    def notes_in(self, format: str) -> tuple[Note, ...]:
        """The notes, with what ``format`` cannot say."""
        risky = [name for name, cells in self.labels.items() if format in _UNTYPED and _look_like_numbers(name, cells)]
        null = sum(isinstance(cell, Absent) for cell in self.texts.get("output", ())) if format in _UNTYPED else 0
        if null:
            text = f"{inflect(null, 'output')} missing, which {format} cannot tell from empty answers"
            return (*self.notes, Note(code="missing_as_empty", text=text, remedy="write .jsonl"))
        if not risky:
            return self.notes
        text = f"{join(risky)} describe the items with numbers, which {format} cannot tell from scores"
        remedy = f"read the table with --column label={quote(risky[0])}, or write .jsonl"
        return (*self.notes, Note(code="labels_like_numbers", text=text, remedy=remedy))


def long_table(data: Dataset) -> LongTable:
    """The aligned items as one table, in the order of the systems, their runs and the items.

    Reading it back gives the same items, outputs, references, columns and descriptions. A name that a reader would take
    for something else is lengthened, ``score.label`` or ``index.column``, and a note says so.
    """
    parts = _split_rows(data)
    notes = [*data.notes]

    def spread(streams: Iterable[Sequence[Any]]) -> list[Any]:
        return [stream[i] for stream, part in zip(streams, parts, strict=True) for i in part.items]

    texts = {"system": spread([_Same(p.system) for p in parts]), "item": spread([data.items] * len(parts))}
    if any(len(runs) > 1 for runs in data.runs.values()):
        texts["run"] = spread([_Same(p.run) for p in parts])
    if data.sample_counts:
        texts["sample"] = spread([_Same(p.sample) for p in parts])
    cells = [part.cell for part in parts]
    outputs = [cell.outputs for cell in cells if cell.outputs is not None]
    if len(outputs) == len(cells):
        texts["output"] = spread(outputs)
    elif outputs:
        notes.append(Note(code="outputs_left_out", text="only some systems have outputs, so the table has none"))
    streams = cells[0].references
    for i, stream in enumerate(streams):
        texts["reference" if len(streams) == 1 else f"reference{i + 1}"] = spread([stream] * len(parts))
    names = _Names(texts)
    columns: dict[str, Sequence[float | None]] = {}
    for name in cells[0].columns:
        values = spread(cell.columns[name].tolist() for cell in cells)
        columns[names.name_numbers(name)] = [None if math.isnan(value) else value for value in values]
    labels = {names.name_label(name): spread([values] * len(parts)) for name, values in data.labels.items()}
    if names.changed:
        text = f"columns have longer names, lest they be read as something else: {', '.join(names.changed)}"
        notes.append(Note(code="columns_renamed", text=text))
    if data.notation != TEXT:
        text = f"the outputs are written as {data.notation}, which the table does not say"
        notes.append(Note(code="notation_not_written", text=text, remedy="name the metric with -m when you read it"))
    return LongTable(texts=texts, numbers=columns, labels=labels, notes=tuple(notes))


@dataclass(frozen=True)
class _SampleRows:
    """The rows of one sample of one run: the items that have it."""

    system: str
    run: str
    sample: str
    cell: Items
    items: Sequence[int]


def _split_rows(data: Dataset) -> list[_SampleRows]:
    parts = []
    for system in data.systems:
        for run in data.runs[system]:
            counts = data.sample_counts.get((system, run))
            for k, cell in enumerate(data.layers[system, run]):
                rows = range(cell.n) if counts is None else np.flatnonzero(counts > k).tolist()
                parts.append(_SampleRows(system, run, str(k + 1), cell, rows))
    return parts


class _Same(Sequence[str]):
    """One text for every row."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __getitem__(self, row: Any) -> Any:
        return self.text

    def __len__(self) -> int:
        return 1


class _Names:
    """Gives out headers that are free and that a reader takes for what they are.

    Args:
        reserved: headers that are given out already.
    """

    def __init__(self, reserved: Iterable[str]) -> None:
        self.reserved = tuple(reserved)
        self.taken = set(self.reserved)
        self.changed: list[str] = []

    def name_numbers(self, name: str) -> str:
        """A header for a numeric column."""
        return self._free(name, ".column", lambda new: new in roles_of([*self.reserved, new]).rest)

    def name_label(self, name: str) -> str:
        """A header for a description of the items."""

        def fits(new: str) -> bool:
            roles = roles_of([*self.reserved, new])
            return new in roles.labels or (new in roles.rest and new.lower() not in NUMBERS)

        return self._free(name, ".label", fits)

    def _free(self, name: str, ending: str, fits: Callable[[str], bool]) -> str:
        new = " ".join(name.split())  # a tab in the header would make it TSV
        while new in self.taken or not fits(new):
            new += ending
        self.taken.add(new)
        if new != name:
            self.changed.append(f"{name!r} is {new!r}")
        return new


def _look_like_numbers(name: str, cells: Sequence[str]) -> bool:
    """Whether a reader of a table without types would take a description for numbers."""
    parsed = numbers(cells, typed=False)
    return name.lower() not in LABELS and 0 < parsed.n_numbers >= len(parsed.bad)


def _csv(table: LongTable, *, raw: bool = False) -> str:
    """RFC 4180: cells with commas, quotes or line breaks are quoted."""
    limit = csv.field_size_limit()
    for name, cells in table.columns.items():
        if any(isinstance(cell, str) and len(cell) > limit for cell in cells):
            raise InputError(
                f"{name!r} has a text of more than {limit} characters, too long for CSV", remedy="write .jsonl or .tsv"
            )
    return _lines(table, ",", _quote if raw else lambda cell: _quote(disarm(cell)))


def _tsv(table: LongTable) -> str:
    for name, cells in table.columns.items():
        bad = next(
            (i for i, c in enumerate(cells) if isinstance(c, str) and not {"\t", "\n", "\r"}.isdisjoint(c)), None
        )
        if bad is not None:
            raise InputError(
                f"{name!r} of item {table.texts['item'][bad]!r} has a tab or line break, which TSV cannot hold",
                remedy="write .csv or .jsonl",
            )
    return _lines(table, "\t", str)


def _lines(table: LongTable, delimiter: str, written: Callable[[str], str]) -> str:
    rows = zip(*table.columns.values(), strict=True)
    lines = (delimiter.join(written(_cell(value)) for value in row) for row in (table.columns, *rows))
    return "".join(f"{line}\n" for line in lines)


def _cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else str(int(value)) if value.is_integer() else repr(value)


def _quote(cell: str) -> str:
    return cell if {*",;'\"\n\r"}.isdisjoint(cell) else '"' + cell.replace('"', '""') + '"'


def _fill_null(table: LongTable) -> dict[str, Sequence[Any]]:
    """The columns, with null for outputs and references that are not there."""
    texts = {name: [None if isinstance(c, Absent) else c for c in cells] for name, cells in table.texts.items()}
    return {**table.columns, **texts}


def _jsonl(table: LongTable) -> str:
    columns = _fill_null(table)
    rows, names = zip(*columns.values(), strict=True), list(columns)
    return "".join(f"{json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)}\n" for row in rows)


def _parquet(table: LongTable) -> bytes:
    arrow = require("pyarrow", "Parquet", "parquet")
    parquet = require("pyarrow.parquet", "Parquet", "parquet")
    kinds = {name: arrow.float64() if name in table.numbers else arrow.string() for name in table.columns}
    out = arrow.BufferOutputStream()
    parquet.write_table(arrow.table({n: arrow.array(c, kinds[n]) for n, c in _fill_null(table).items()}), out)
    return bytes(out.getvalue())


WRITERS: dict[str, Callable[[LongTable], str | bytes]] = {
    "csv": _csv,
    "tsv": _tsv,
    "jsonl": _jsonl,
    "parquet": _parquet,
}
"""The formats of a long table, which are the suffixes of its files too."""

_UNTYPED = ("csv", "tsv")
