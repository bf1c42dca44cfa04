"""Workbooks of Excel and LibreOffice: a sheet with a header, as a CSV file."""

from __future__ import annotations

import io
import re
from collections import Counter
from shlex import quote
from typing import Any, ClassVar

from outscore.base import limits
from outscore.base.errors import InputError, join
from outscore.base.installed import require
from outscore.base.lazy import dataclass
from outscore.data.columns import ColumnTable
from outscore.data.interpret import interpret
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.source import Source, check_zip


@reader("workbook")
@dataclass(frozen=True)
class Workbook(Reader):
    """``FILE::SHEET``, or ``FILE`` where it has one sheet. The values are read, not the formulas behind them."""

    description: ClassVar[str] = "XLSX and ODS: FILE::SHEET, with the columns of a CSV table"
    example: ClassVar[str] = "PK..."
    also: ClassVar[tuple[str, ...]] = ("xlsx", "ods", "excel")
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
        if not source.data.startswith(b"PK"):  # cells that cannot be counted before
            raise InputError("is an old workbook (XLS) or an encrypted one", file=source.file, remedy=_SAVE)
        _check_size(source)
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
        again = [name for name, times in Counter(header).items() if times > 1]
        if again:
            raise InputError(f"has {join(again)} more than once", file=source.file, line=1, remedy="rename one of them")
        columns = {name: [_plain(row[i]) for row in rows] for i, name in enumerate(header)}
        return interpret(
            ColumnTable(
                columns=columns, n=len(rows), file=source.file, reader=self.name, typed=True, line=lambda row: row + 2
            ),
            context,
        )


_SAVE = "save it as XLSX, without a password"
_BYTES, _OBJECT = 32, 100
"""Bytes of a place of a sheet, which is a rectangle in memory, and of a cell that is there."""
_PLACE = re.compile(rb"<(?:\w+:)?(?:(row|table-row)|c|table-cell|covered-table-cell)(?![\w:.-])([^>]*?)(/?)>")
_NUMBER = re.compile(rb"""(?:\sr|number-(columns|rows)-repeated)\s*=\s*["']([A-Za-z]*)(\d+)""")
_SHARED = re.compile(rb"<(?:\w+:)?si\b")
_OF_SHARED = re.compile(rb"""<(?:\w+:)?c\s(?=[^<>]*\bt\s*=\s*["']s["'])[^<>]*>\s*<(?:\w+:)?v\b[^<>]*>\s*(\d{1,9})""")
"""Texts that cells of XLSX name by number, each as often as they like."""


def _check_size(source: Source) -> None:
    """Refuses a workbook that makes too much, or whose cells stand too far apart.

    Raises:
        InputError: it would need far more memory than it has bytes; or its sheets are not written as XML.
    """
    cells, kept = 0, []
    for member, part in check_zip(source.data, source.file):
        cells += part.count(b"<c") + part.count(b"table-cell")
        limits.check_unpacked(_OBJECT * cells, len(source.data), source.file)
        kept += [part] if member.endswith("sharedStrings.xml") else []
    shared = [len(text) for text in _SHARED.split(b"".join(kept))[1:]]
    tail, name = b"", ""
    row = column = height = width = texts = times = again = 0
    for member, part in check_zip(source.data, source.file):
        if member.endswith("workbook.bin"):
            raise InputError("is a binary workbook (XLSB)", file=source.file, remedy=_SAVE)
        if not member.endswith(".xml"):
            continue
        if member != name:
            tail, name = b"", member
            row = column = height = width = 0
        text = tail + part
        end = text.rfind(b">") + 1
        tail = text[end:]
        texts += sum(shared[int(at)] for at in _OF_SHARED.findall(text) if int(at) < len(shared))
        before = 0
        for found in _PLACE.finditer(text, 0, end):
            kind, said, empty = found.groups()
            texts += times * (found.start() - before)  # as long as what stands in the cell before, or a little longer
            before = found.end()
            place = _NUMBER.search(said)
            letters, number = (place[2], int(place[3])) if place else (b"", 0)
            repeated = bool(place and place[1])
            if kind:
                row, column = (row + number if repeated else number or row + 1), 0
                again, times = number if repeated else 1, 0
            else:
                times = 0 if empty else again * number if repeated else again if again > 1 else 0
                column = column + number if repeated else _column(letters) if letters else column + 1
                if not empty or b"value" in said:
                    height, width = max(height, row, 0 if repeated else number), max(width, column)
        texts += times * (end - before)
        limits.check_unpacked(_BYTES * height * width + texts, len(source.data), source.file)


def _column(letters: bytes) -> int:
    """The number of a column: A is 1, AA 27."""
    found = 0
    for letter in letters.upper():
        found = 26 * found + letter - 64
    return found


def _plain(cell: Any) -> Any:
    """A cell as JSON has it: all numbers of a workbook are floats, an empty cell is none, dates are their text."""
    if cell == "":
        return None
    return cell if isinstance(cell, str | bool | int | float) else str(cell)
