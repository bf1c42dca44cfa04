"""One SQLite file that keeps every comparison made on every test set.

Writers take turns: each adds its uses in one transaction, after waiting for the others. A reader never waits (WAL).
The file must lie on a disk of the machine: SQLite's locks do not hold on network file systems.
Two test sets, outputs or comparisons are the same by digests of their content.
"""

from __future__ import annotations

import dataclasses
import hashlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from types import UnionType
from typing import Any, get_args, get_type_hints

import numpy as np

from outscore.base.errors import InputError
from outscore.base.files import exists, is_folder
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.data.dataset import Dataset
from outscore.data.history.sequences import miscounted, take_over
from outscore.results.history import KnownSet, RecordedComparison

_APPLICATION = 0x6F757473  # "outs", in the header of our files
_VERSION = 2
_PATIENCE = 60.0  # seconds to wait for other writers

_FIELDS = tuple(field.name for field in dataclasses.fields(RecordedComparison))
# a sharper use takes the place of the one before wholly, as the systems may have changed places and the level may be
# another; it is still the use of that time, and nothing has been decided of its p-value yet
_SHARPER = tuple(name for name in _FIELDS if name not in ("test_set", "family", "created", "who"))


@dataclass(frozen=True)
class Kept:
    """A use as it is kept: ``id`` grows in the order in which uses came in; ``key`` tells one from another."""

    id: int
    key: str
    comparison: RecordedComparison


class Store:
    """An open history; use ``open_history``.

    Args:
        connection: to the file.
        file: its name, for messages.
    """

    def __init__(self, connection: sqlite3.Connection, file: str) -> None:
        self.connection, self._file = connection, file

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside is kept together or not at all, and no other writer comes between."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            take_over(self.connection)
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # after some errors SQLite has taken it back itself
                self.connection.execute("ROLLBACK")
            raise

    def add(self, known: KnownSet, uses: Sequence[RecordedComparison], *, sharpen: bool = True) -> list[bool]:
        """Keeps uses of one test set; whether each is new.

        Of a use that was there before, the one with more resamples is kept, in the old place; without ``sharpen`` it
        stays as it is.
        """
        columns = [field.name for field in dataclasses.fields(KnownSet)]
        self.connection.execute(
            f"INSERT INTO test_set ({', '.join(columns)}) VALUES ({_marks(columns)}) ON CONFLICT (digest) DO NOTHING",
            dataclasses.astuple(known),
        )
        return [self._add(use, sharpen) for use in uses]

    def _add(self, use: RecordedComparison, sharpen: bool) -> bool:
        columns = ("key", *_FIELDS)
        # no INSERT OR IGNORE: that would hide every other constraint, too
        key = key_of(use)
        before = self.connection.execute("SELECT id FROM use WHERE key = ?", (key,)).fetchone()
        content = "INSERT OR REPLACE INTO content VALUES (?, ?)"
        if before is None:
            made = self.connection.execute(
                f"INSERT INTO use ({', '.join(columns)}) VALUES ({_marks(columns)})", (key, *_values(use, _FIELDS))
            )
            self.connection.execute(content, (made.lastrowid, content_of(use)))
            return True
        if sharpen:
            made = self.connection.execute(
                f"UPDATE use SET {', '.join(f'{name} = ?' for name in _SHARPER)} WHERE id = ? AND n_resamples < ?",
                (*_values(use, _SHARPER), before[0], use.n_resamples),
            )
            if made.rowcount:
                self.connection.execute(content, (before[0], content_of(use)))
        return False

    def decide(self, id_: int, procedure: str, level: float, rejected: bool) -> None:
        """Keeps what was decided of a use under a correction over its history."""
        self.connection.execute(
            "UPDATE use SET procedure = ?, level = ?, rejected = ? WHERE id = ?", (procedure, level, rejected, id_)
        )

    def sets(self) -> list[KnownSet]:
        """Every test set, in the order in which they were first looked at."""
        columns = ", ".join(field.name for field in dataclasses.fields(KnownSet))
        return [KnownSet(**dict(row)) for row in self._rows(f"SELECT {columns} FROM test_set ORDER BY rowid")]

    def damage(self, what: str) -> InputError:
        """The error of a file that is not as it was written."""
        return _damage_error(self._file, what)

    def use(self, id_: int) -> Kept:
        """The use of this id."""
        return next(self._uses("WHERE id = ?", id_))

    def find(self, one: RecordedComparison) -> Kept:
        """The use of which this is another, or the same.

        Raises:
            InputError: the index of the file has it, and the file has another in its place.
        """
        key = key_of(one)
        found = self.use(*self._rows("SELECT id FROM use WHERE key = ?", (key,))[0])
        if found.key != key:
            raise self.damage("a comparison was changed after it was recorded")
        return found

    def list_uses(self) -> list[Kept]:
        """Every use, in the order in which they came in.

        Raises:
            InputError: one of them is not what was written.
        """
        return list(self._uses("ORDER BY id"))

    def _uses(self, which: str, *values: Any) -> Iterator[Kept]:
        rows = self._rows(f"SELECT {', '.join(('id', 'key', *_FIELDS))} FROM use {which}", values)
        return (self._make_use(row) for row in rows)

    def faults(self) -> list[str]:
        """Faults of the file, one line each; none where all is well."""
        found = [str(row[0]) for row in self._rows("PRAGMA integrity_check") if row[0] != "ok"]
        known = {one.digest for one in self.sets()}
        there = self._rows("SELECT 1 FROM sqlite_master WHERE name = 'content'")  # not in files of before 0.2
        content = dict(map(tuple, self._rows("SELECT id, digest FROM content"))) if there else {}
        for one in self.list_uses():
            now = content_of(one.comparison)
            if one.key != key_of(one.comparison) or content.get(one.id, now) != now:
                found.append(f"comparison {one.id} was changed after it was recorded")
            if one.comparison.test_set not in known:
                found.append(f"comparison {one.id} is of a test set that is not there")
        return found + miscounted(self.connection)

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return self.connection.execute(query, values).fetchall()

    def _make_use(self, row: sqlite3.Row) -> Kept:
        named: dict[str, Any] = dict(row)
        id_, key = named.pop("id"), named.pop("key")
        if named["rejected"] is not None:
            named["rejected"] = bool(named["rejected"])
        if str(named["seed"]).isdecimal():
            named["seed"] = int(named["seed"])
        wrong = next((name for name, types in _TYPES.items() if not isinstance(named[name], types)), None)
        if wrong is not None:
            raise self.damage(f"comparison {id_} has {named[wrong]!r} as {wrong}")
        return Kept(id_, key, RecordedComparison(**named))


def _types() -> dict[str, tuple[type, ...]]:
    """Types that each field may have, by name; SQLite would keep anything anywhere."""
    hints = get_type_hints(RecordedComparison)
    return {n: get_args(hint) if isinstance(hint, UnionType) else (hint,) for n, hint in hints.items()}


_TYPES = _types()


@contextmanager
def open_history(path: Path, *, new: bool = False) -> Iterator[Store]:
    """The history in a file; what SQLite complains of is said in one line, and the file is left as it is.

    Args:
        path: of the file.
        new: make it if it is not there.

    Raises:
        InputError: there is no such file, it is no history, it is damaged, or it cannot be written.
    """
    file = str(path)
    if not new and (not exists(path) or is_folder(path)):
        raise InputError("no such history", file=file, remedy="name one, or begin it by compare --history FILE")
    try:
        # autocommit: transactions begin and end where the code says so
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        with closing(connection):
            connection.row_factory = sqlite3.Row
            _prepare(connection, file)
            yield Store(connection, file)
    except sqlite3.OperationalError as error:
        raise InputError(f"cannot be used as a history ({error})", file=file, remedy=_remedy(str(error))) from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter of a complaint that quotes the file
        raise _damage_error(file, str(error)) from None


_CHECKED = 8_000_000
"""Bytes of a history that is checked whole whenever it is opened: that of some ten thousand uses, in 20 ms."""


def _prepare(connection: sqlite3.Connection, file: str) -> None:
    # one glance at the file: between two of them another process may have begun the history
    connection.execute("BEGIN")
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    pages, page = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    size = pages * page
    connection.execute("COMMIT")
    if not empty and application != _APPLICATION:
        raise InputError("is a database of another program", file=file, remedy="name another file")
    if not empty and version != _VERSION:
        raise InputError(f"is a history of version {version}", file=file, remedy="use a later version of outscore")
    connection.execute("PRAGMA synchronous = FULL")
    if empty:
        _begin(connection)
    # a check reads all pages; in a large history a damaged one is met when it is read, or by --check
    if size <= _CHECKED and (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise _damage_error(file, found)


def _begin(connection: sqlite3.Connection) -> None:
    _write_ahead(connection)
    connection.execute("BEGIN IMMEDIATE")
    for statement in _SCHEMA:  # another process may have been first
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")
    connection.execute("COMMIT")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Sets WAL; SQLite does not wait here for others that do the same."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)


def _schema() -> tuple[str, ...]:
    kinds = {str: "TEXT", int: "INTEGER", float: "REAL", bool: "INTEGER"}

    def columns(cls: type[Any]) -> str:
        said = []
        for name, hint in get_type_hints(cls).items():
            types = get_args(hint) if isinstance(hint, UnionType) else (hint,)
            # a seed may be larger than any integer of SQLite
            kind = "TEXT" if name == "seed" else kinds[types[0]]
            said.append(f"{name} {kind}{'' if type(None) in types else ' NOT NULL'}")
        return ", ".join(said)

    return (
        f"CREATE TABLE IF NOT EXISTS test_set ({columns(KnownSet)}, PRIMARY KEY (digest))",
        "CREATE TABLE IF NOT EXISTS use (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, "
        f"{columns(RecordedComparison)}, FOREIGN KEY (test_set) REFERENCES test_set (digest))",
    )


_SCHEMA = _schema()


def _values(use: RecordedComparison, fields: Sequence[str]) -> Iterator[Any]:
    return (str(use.seed) if name == "seed" else getattr(use, name) for name in fields)


def _marks(columns: Sequence[str]) -> str:
    return ", ".join("?" * len(columns))


def _remedy(said: str) -> str:
    if "locked" in said or "busy" in said:
        return "another process holds it: try again when that has ended"
    if "no such" in said:
        return "it is damaged and was left as it is: name another file"
    return "name a file that can be written, on a disk of this machine"


def _damage_error(file: str, what: str) -> InputError:
    return InputError(
        f"is no history, or is damaged ({' '.join(what.replace('***', ' ').split())})",
        file=file,
        remedy="left as it is: move it aside, or bring a copy back, and `outscore history --import` what is kept",
    )


def set_of(data: Dataset, name: str | None = None, n: int | None = None) -> KnownSet:
    """The test set that systems were aligned on.

    Its digest is of item ids and references, whatever the order of items and of streams; of the name, where one is
    given. The outputs have no part in it, nor have labels, which may be added later.

    Args:
        data: the aligned items.
        name: of the test set, by the user.
        n: so many items, the first; None for all.
    """
    n = n or len(data.items)
    if name is not None:
        return KnownSet(digest=_digest(["name", name]), name=name, known_by="name", n_items=n)
    references = data.references
    ids = [] if data.by_position else [data.items]
    files = (source.file for source in data.sources if source.role in ("reference", "references"))
    known_by = " and ".join([*(["items"] if ids else []), *(["references"] if references else [])])
    items = sorted(_digest([*(i[k] for i in ids), "\0", *sorted(r[k] for r in references)]) for k in range(n))
    return KnownSet(
        digest=_digest(["items", *items]),
        name=PurePath(next(files, "")).name,
        known_by=known_by or "number of items",
        n_items=n,
    )


def outputs_digest(runs: Iterable[Items], data: Dataset, columns: Sequence[str], texts: bool) -> str:
    """A digest of what a metric reads of a system, whatever the order of items and runs.

    Args:
        runs: the runs of the system.
        data: what they were aligned to.
        columns: the numbers that are read, if any.
        texts: whether the outputs are read.
    """
    return _digest(sorted(_run_digest(run, data, columns, texts) for run in runs))


def key_of(one: RecordedComparison) -> str:
    """Digest that tells a use of a test set from every other: the same key is the same use, and no new one.

    Names of systems have no part in it, nor have versions, and of what belongs to the resampling only what the p-value
    depends on: the seed where anything is drawn, but not how often, as more resamples only sharpen the same use. Two
    systems may change places where the test has two sides.
    """
    systems = [one.system_digest, one.baseline_digest]
    if one.alternative == "two-sided":
        systems.sort()
    drawn = [] if one.n_resamples is None else [one.engine, str(one.seed)]
    design = [one.cluster or "", one.strata or ""]
    return _digest([one.test_set, one.family, *systems, one.metric, one.test, one.alternative, *design, *drawn])


def content_of(one: RecordedComparison) -> str:
    """Digest of what was found by a use, but not of what was decided of it, which later uses may change."""
    values = [getattr(one, name) for name in _FIELDS if name not in _LATER]
    # what SQLite gives as 1.0 may have been written as 1
    return _digest(repr(int(x) if isinstance(x, float) and x.is_integer() else x) for x in values)


_LATER = ("created", "who", "procedure", "level", "rejected")


def _run_digest(run: Items, data: Dataset, columns: Sequence[str], texts: bool) -> str:
    read: list[Sequence[str]] = [] if data.by_position else [data.items]
    read += [run.outputs] if texts and run.outputs is not None else []
    read += [[repr(float(x)) for x in np.asarray(run.columns[name], dtype=np.float64)] for name in columns]
    # lines without ids are known by their references; without those, by their place alone
    placed = data.by_position and not run.references
    items = [
        _digest([str(k) if placed else "", *sorted(r[k] for r in run.references), "\0", *(part[k] for part in read)])
        for k in range(run.n)
    ]
    return _digest([*columns, "\0", *sorted(items)])


def _digest(parts: Iterable[str]) -> str:
    """SHA-256 of texts, each with its length before it, so that no two lists of texts run into one."""
    found = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", errors="surrogatepass")
        found.update(f"{len(raw)}:".encode())
        found.update(raw)
    return found.hexdigest()
