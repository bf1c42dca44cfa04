"""Databases, opened for reading alone: a table, or the rows of a query, as those of a CSV file."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import tempfile
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any, ClassVar

from outscore.base import limits
from outscore.base.errors import InputError, join
from outscore.base.installed import require
from outscore.base.lazy import dataclass
from outscore.data.columns import ColumnTable
from outscore.data.interpret import interpret
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.source import Source

_HEAD = 100
_QUERY = re.compile(r"\s*(select|with|from)\s", re.IGNORECASE)

Query = Callable[[str], tuple[Sequence[str], list[Any]]]
"""From a query to the names and the rows that it gives."""


@dataclass(frozen=True)
class Database(Reader):
    """``FILE::TABLE`` or ``'FILE::select ...'``; ``FILE`` alone where it holds one table. Nothing is ever written."""

    priority: ClassVar[int] = 5
    binary: ClassVar[bool] = True
    tables: ClassVar[str]
    magic: ClassVar[bytes]
    at: ClassVar[int] = 0

    def sniff(self, head: Sniffed) -> bool:
        return head.start[self.at :].startswith(self.magic)

    @abstractmethod
    def open(self, source: Source) -> contextlib.AbstractContextManager[Query]:
        """The database, for reading alone; of bytes that are no file, as those that were compressed, a copy of them.

        Raises:
            InputError: a query that is wrong, or does more than read.
        """

    def read(self, source: Source, context: Context) -> Content:
        file, part = source.path, source.part
        with self.open(source) as ask:
            if not part:
                names = [str(row[0]) for row in ask(self.tables)[1]]
                if len(names) != 1:
                    several = " or ".join(quote(f"{file}::{name}") for name in names[:6])
                    raise InputError(
                        f"holds {len(names)} tables ({join(names, 6)}), expected one",
                        file=source.file,
                        remedy=f"name it: {several}" if names else "give the database that holds the scores",
                    )
                part = names[0]
            name = part.replace('"', '""')
            header, rows = ask(part if _QUERY.match(part) else f'select * from "{name}"')
        if not rows or len(set(header)) < len(header):
            what = "gives no rows" if not rows else f"gives a column twice ({join(header)})"
            raise InputError(f"{part!r} {what}", file=source.file, remedy="mend the query, or name another table")
        columns = {name: list(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)}
        return interpret(
            ColumnTable(
                columns=columns, n=len(rows), file=source.file, reader=self.name, typed=True, line=lambda row: None
            ),
            context,
        )


def _is_stored(source: Source) -> bool:
    """Whether the bytes are those of a file, and not what a compressed one or a pipe holds."""
    path = Path(source.path)
    if not path.is_file():
        return False
    with path.open("rb") as stored:
        return stored.read(_HEAD) == source.data[:_HEAD]


def _wrong(library: str, file: str, error: Exception) -> InputError:
    reason = " ".join(str(error).split())[:160]
    return InputError(
        f"{library} says: {reason}", file=file, remedy="give a table that it holds, or one SELECT that only reads"
    )


_LONGEST, _CELL, _STEPS = 20_000_000, 60, 1_000_000
"""Bytes of the longest value, of a cell or row in Python, and steps of SQLite between two looks at the clock."""
_FREE, _TEXTS = 1_000_000, (str, bytes)


def _all_rows(found: Any, source: Source) -> list[Any]:
    """All rows of a query, until they make too much of the database: a view may make them of nothing, without end."""
    rows, made, size = [], 0, len(source.data)
    while row := found.fetchone():
        made += _CELL * (1 + len(row))
        for cell in row:
            if isinstance(cell, _TEXTS):
                made += len(cell)
        if made > _FREE:
            limits.check_unpacked(made, size, source.file)
        rows.append(row)
    return rows


def _alarm() -> Callable[[], bool]:
    """Whether the time of a query is over."""
    end = time.monotonic() + limits.allowed("seconds")
    return lambda: time.monotonic() > end


_READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


@reader("sqlite")
@dataclass(frozen=True)
class Sqlite(Database):
    """A database of SQLite: its only table, ``FILE::TABLE``, or ``'FILE::select ...'``. Nothing is ever written."""

    description: ClassVar[str] = "SQLite: FILE::TABLE or 'FILE::select ...', with the columns of a CSV table"
    example: ClassVar[str] = "SQLite format 3..."
    magic: ClassVar[bytes] = b"SQLite format 3\0"
    tables: ClassVar[str] = (
        "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite@_%' escape '@'"
    )

    @contextlib.contextmanager
    def open(self, source: Source) -> Iterator[Query]:
        file = source.path
        if _is_stored(source):
            connection = sqlite3.connect(f"{Path(file).absolute().as_uri()}?mode=ro", uri=True)
        else:
            connection = sqlite3.connect(":memory:")
            connection.deserialize(source.data)

        def ask(query: str) -> tuple[Sequence[str], list[Any]]:
            try:
                connection.set_progress_handler(_alarm(), _STEPS)
                found = connection.execute(query)
                return [column[0] for column in found.description or ()], _all_rows(found, source)
            except (sqlite3.Error, sqlite3.Warning) as error:
                raise _wrong("SQLite", file, error) from None

        with contextlib.closing(connection):
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READS else sqlite3.SQLITE_DENY)
            yield ask


@reader("duckdb")
@dataclass(frozen=True)
class DuckDb(Database):
    """A database of DuckDB, without access to anything outside of it: no other files, no extensions."""

    description: ClassVar[str] = "DuckDB: FILE::TABLE or 'FILE::select ...', with the columns of a CSV table"
    example: ClassVar[str] = "DUCK..."
    magic: ClassVar[bytes] = b"DUCK"
    at: ClassVar[int] = 8
    extra: ClassVar[str] = "duckdb"
    tables: ClassVar[str] = "select table_name from information_schema.tables where table_schema = 'main'"

    @contextlib.contextmanager
    def open(self, source: Source) -> Iterator[Query]:
        if not _is_stored(source):
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder, "copy.duckdb")
                copy.write_bytes(source.data)
                with self.open(replace(source, file=str(copy), part="")) as inner:
                    yield inner
            return
        file = source.path
        duckdb = require("duckdb", "reading DuckDB", self.extra)
        closed = {"enable_external_access": "false", "autoload_known_extensions": "false", "lock_configuration": "true"}
        try:
            connection = duckdb.connect(file, read_only=True, config=closed)
        except duckdb.Error as error:
            raise _wrong("DuckDB", file, error) from None

        def ask(query: str) -> tuple[Sequence[str], list[Any]]:
            alarm = threading.Timer(limits.allowed("seconds"), connection.interrupt)
            try:
                statements = connection.extract_statements(query)
                if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
                    raise duckdb.Error("this is not one SELECT")
                alarm.start()
                found = connection.execute(statements[0])
                return [column[0] for column in found.description or ()], _all_rows(found, source)
            except duckdb.Error as error:
                raise _wrong("DuckDB", file, error) from None
            finally:
                alarm.cancel()

        with contextlib.closing(connection):
            yield ask
