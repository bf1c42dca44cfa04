"""Workbooks of Excel and LibreOffice: a sheet with a header, as a CSV file."""

from __future__ import annotations

import io
from shlex import quote
from typing import Any, ClassVar

from outscore.base.errors import InputError, join
from outscore.base.installed import require
from outscore.base.lazy import dataclass
from outscore.data.columns import ColumnTable
from outscore.data.interpret import interpret
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.source import Source


@reader("workbook")
@dataclass(frozen=True)
class Workbook(Reader):
    """``FILE::SHEET``, or ``FILE`` where it has one sheet. The values are read, not the formulas behind them."""

    description: ClassVar[str] = "XLSX, XLS and ODS: FILE::SHEET, with the columns of a CSV table"
    example: ClassVar[str] = "PK..."
    priority: ClassVar[int] = 8
    binary: ClassVar[bool] = True
    extra: ClassVar[str] = "workbook"

    def sniff(self, head: Sniffed) -> bool:
        if head.start.startswith(b"\xd0\xcf\x11\xe0"):
            return True
        parts = (b"xl/", b"[Content_Types].xml", b"opendocument.spreadsheet")
        return head.start.startswith(b"PK\x03\x04") and any(part in head.start for part in parts)

    def read(self, source: Source, context: Context) -> Content:
        calamine = require("python_calamine", "reading workbooks", self.extra)
        try:
            book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(source.data))
            names: list[str] = book.sheet_names
            sheet = source.part or names[0]
            if (source.part and sheet not in names) or (not source.part and len(names) > 1):
                ways = " or ".join(quote(f"{source.path}::{name}") for name in names[:6])
                raise InputError(
                    f"has {'no sheet ' + repr(sheet) if source.part else f'{len(names)} sheets'} ({join(names, 6)})",
                    file=source.file,
                    remedy=f"name one: {ways}",
                )
            cells: list[list[Any]] = book.get_sheet_by_name(sheet).to_python()
        except calamine.CalamineError as error:
            raise InputError(f"broken workbook ({error})", file=source.file, remedy="save it again") from None
        if len(cells) < 2:
            raise InputError("found no rows below a header", file=source.file, remedy="write a header and a row each")
        header, rows = [str(cell).strip() for cell in cells[0]], cells[1:]
        again = [name for i, name in enumerate(header) if name in header[:i]]
        if again:
            raise InputError(f"has {join(again)} more than once", file=source.file, line=1, remedy="rename one of them")
        columns = {name: [_plain(row[i]) for row in rows] for i, name in enumerate(header)}
        return interpret(
            ColumnTable(
                columns=columns, n=len(rows), file=source.file, reader=self.name, typed=True, line=lambda row: row + 2
            ),
            context,
        )


def _plain(cell: Any) -> Any:
    """A cell as JSON has it: all numbers of a workbook are floats, an empty cell is none, dates are their text."""
    if cell == "":
        return None
    return cell if isinstance(cell, str | bool | int | float) else str(cell)
