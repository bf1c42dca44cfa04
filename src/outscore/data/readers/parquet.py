"""Parquet, Feather and Arrow: the same tables as CSV, with types."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from outscore.base import limits
from outscore.base.errors import InputError, join
from outscore.base.installed import require
from outscore.base.lazy import dataclass
from outscore.data.columns import ITEM, REFERENCE, ColumnTable
from outscore.data.interpret import interpret
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.readers.jsonl import grid_of_value
from outscore.data.source import Source

_INDEX = "__index_level_0__"
"""The name that pandas gives an index without one."""


@dataclass(frozen=True)
class ArrowTable(Reader):
    """A table with the columns of a CSV table. Where columns hold objects, its rows are read as those of JSON are."""

    priority: ClassVar[int] = 5
    binary: ClassVar[bool] = True
    extra: ClassVar[str] = "parquet"
    magic: ClassVar[tuple[bytes, ...]]

    def sniff(self, head: Sniffed) -> bool:
        return head.start.startswith(self.magic)

    def read(self, source: Source, context: Context) -> Content:
        return interpret(self.grid(source), context)

    @abstractmethod
    def load(self, source: Source, arrow: Any) -> Any:
        """The table of ``pyarrow`` that the file holds."""

    def grid(self, source: Source) -> ColumnTable:
        """The columns of a file.

        Raises:
            InputError: broken, no rows, a column twice, or one that tables have with nested values.
            MissingExtra: pyarrow is not installed.
        """
        title = self.description.partition(":")[0]
        arrow = require("pyarrow", f"reading {title}", self.extra)
        try:
            table = self.load(source, arrow)
        except (arrow.ArrowException, OSError, ValueError) as error:
            reason = " ".join(str(error).split())[:100]
            raise InputError(
                f"broken {title} ({reason})",
                file=source.file,
                remedy="copy the file again or write it again",
            ) from None
        columns = _columns(table, source.file)
        if columns is None:
            return grid_of_value(table.to_pylist(), source.file, self.name)
        return ColumnTable(
            columns=columns, n=table.num_rows, file=source.file, reader=self.name, typed=True, line=lambda row: None
        )


@reader("parquet")
@dataclass(frozen=True)
class Parquet(ArrowTable):
    """A file of Parquet, with the columns of a CSV table."""

    description: ClassVar[str] = "Parquet: tables with the columns of a CSV table"
    example: ClassVar[str] = "PAR1..."
    magic: ClassVar[tuple[bytes, ...]] = (b"PAR1",)

    def load(self, source: Source, arrow: Any) -> Any:
        parquet, packed = require("pyarrow.parquet", "reading Parquet", self.extra), arrow.BufferReader(source.data)
        columns = parquet.ParquetFile(packed).schema
        # texts that are repeated stay where they are kept once, until it is known what they make
        texts = [one.path for one in columns if one.physical_type == "BYTE_ARRAY"]
        file = parquet.ParquetFile(packed, read_dictionary=texts)
        return arrow.Table.from_batches(_check_size(file.iter_batches(_ROWS), source), file.schema_arrow)


@reader("arrow")
@dataclass(frozen=True)
class Arrow(ArrowTable):
    """A Feather file, or a file or stream of Arrow, with the columns of a CSV table."""

    description: ClassVar[str] = "Feather or Arrow: tables with the columns of a CSV table"
    example: ClassVar[str] = "ARROW1..."
    also: ClassVar[tuple[str, ...]] = ("feather",)
    magic: ClassVar[tuple[bytes, ...]] = (b"ARROW1", b"\xff\xff\xff\xff")

    def load(self, source: Source, arrow: Any) -> Any:
        ipc = require("pyarrow.ipc", "reading Arrow", self.extra)
        if source.data.startswith(b"ARROW1"):
            file = ipc.open_file(arrow.BufferReader(source.data))
            batches = map(file.get_batch, range(file.num_record_batches))
        else:
            batches = file = ipc.open_stream(arrow.BufferReader(source.data))
        return arrow.Table.from_batches(_check_size(batches, source), file.schema)


_ROWS = 10_000
"""Rows of Parquet that are read at once."""
_CELL = 50
"""Bytes of a cell in Python."""
_CELLS_FREE = 2_000_000_000


def _check_size(batches: Iterable[Any], source: Source) -> Iterator[Any]:
    """Batches of rows, until they make too much of the file that they are read from."""
    made = cells = 0
    for batch in batches:
        made += batch.nbytes + sum(map(_repeated, batch.columns))
        cells += _CELL * batch.num_rows * batch.num_columns
        limits.check_unpacked(made, len(source.data), source.file)
        # equal cells take next to no room in a file: a board of 1,000 systems and 10,000 items is one megabyte
        limits.check_unpacked(cells, len(source.data), source.file, free=_CELLS_FREE)
        yield batch


def _repeated(column: Any) -> int:
    """Bytes of texts that a column names by numbers, each as often as it is named."""
    from pyarrow import ArrowNotImplementedError, compute

    if not hasattr(column, "dictionary"):
        inner = column.flatten() if hasattr(column, "flatten") else []
        return sum(map(_repeated, inner if isinstance(inner, list) else [inner]))
    try:
        return compute.sum(compute.binary_length(column.dictionary).take(column.indices)).as_py() or 0
    except ArrowNotImplementedError:  # no texts
        return 0


def _columns(table: Any, file: str) -> dict[str, list[Any]] | None:
    """The columns of a table of single values and lists of references; None where others are nested."""
    names: list[str] = table.column_names
    again = [name for name, times in Counter(names).items() if times > 1]
    if again:
        raise InputError(f"has {join(again)} more than once", file=file, remedy="give every column its own name")
    if not table.num_rows:
        raise InputError("has no rows", file=file, remedy="give at least one row")
    columns: dict[str, list[Any]] = {}
    for name, kept in zip(names, table.columns, strict=True):
        column = kept.cast(kept.type.value_type) if str(kept.type).startswith("dictionary") else kept
        cells = column.to_pylist()
        if name == _INDEX:
            if not {n.lower() for n in names} & set(ITEM):
                columns["item"] = cells
        elif column.type.num_fields == 0:
            columns[name] = cells
        elif REFERENCE.fullmatch(name.lower()) and all(isinstance(cell, list | None) for cell in cells):
            count = max(len(cell or ()) for cell in cells)
            for i in range(count):
                columns[f"{name.rstrip('0123456789')}{i + 1}"] = [
                    cell[i] if cell and i < len(cell) else None for cell in cells
                ]
        else:
            return None
    return columns
