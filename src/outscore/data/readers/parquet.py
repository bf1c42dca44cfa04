"""Parquet: the same tables as CSV, with types."""

from __future__ import annotations

from typing import Any, ClassVar

from outscore.base.errors import InputError, join
from outscore.base.installed import require
from outscore.base.lazy import dataclass
from outscore.data.columns import ITEM, REFERENCE, ColumnTable, is_known
from outscore.data.interpret import interpret
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.source import Source

_INDEX = "__index_level_0__"
"""The name that pandas gives an index without one."""


@reader("parquet")
@dataclass(frozen=True)
class Parquet(Reader):
    """A table with the columns of a CSV table; nested columns are passed over, except lists of references."""

    description: ClassVar[str] = "Parquet: tables with the columns of a CSV table"
    example: ClassVar[str] = "PAR1..."
    priority: ClassVar[int] = 5
    binary: ClassVar[bool] = True
    extra: ClassVar[str] = "parquet"

    def sniff(self, head: Sniffed) -> bool:
        return head.start.startswith(b"PAR1")

    def read(self, source: Source, context: Context) -> Content:
        return interpret(grid_of(source, self.name), context)


def grid_of(source: Source, reader: str) -> ColumnTable:
    """The columns of a Parquet file.

    Raises:
        InputError: broken, no rows, a column twice, or one that tables have with nested values.
        MissingExtra: pyarrow is not installed.
    """
    arrow = require("pyarrow", "reading Parquet", Parquet.extra)
    parquet = require("pyarrow.parquet", "reading Parquet", Parquet.extra)
    try:
        table = parquet.ParquetFile(arrow.BufferReader(source.data)).read()
    except (arrow.ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:100]
        raise InputError(
            f"broken Parquet ({reason})", file=source.file, remedy="copy the file again or write it again"
        ) from None
    columns = _columns(table, source.file)
    return ColumnTable(
        columns=columns, n=table.num_rows, file=source.file, reader=reader, typed=True, line=lambda row: None
    )


def _columns(table: Any, file: str) -> dict[str, list[Any]]:
    names: list[str] = table.column_names
    again = [name for i, name in enumerate(names) if name in names[:i]]
    if again:
        raise InputError(f"has {join(again)} more than once", file=file, remedy="give every column its own name")
    if not table.num_rows:
        raise InputError("has no rows", file=file, remedy="give at least one row")
    columns: dict[str, list[Any]] = {}
    for name, kind, column in zip(names, table.schema.types, table.columns, strict=True):
        cells = column.to_pylist()
        if name == _INDEX:
            if not {n.lower() for n in names} & set(ITEM):
                columns["item"] = cells
        elif kind.num_fields == 0 or str(kind).startswith("dictionary"):
            columns[name] = cells
        elif REFERENCE.fullmatch(name.lower()) and all(isinstance(cell, list | None) for cell in cells):
            count = max(len(cell or ()) for cell in cells)
            for i in range(count):
                columns[f"{name.rstrip('0123456789')}{i + 1}"] = [
                    cell[i] if cell and i < len(cell) else None for cell in cells
                ]
        elif is_known(name):
            raise InputError(f"{name!r} holds nested values, expected numbers or texts", file=file, remedy="flatten it")
    return columns
