"""How many uses a test set has by family, and a place for where the corrections over them stand.

Triggers count in the file itself, whoever writes: also earlier versions, which know nothing of it.
"""

from __future__ import annotations

import sqlite3

_COUNTED = "SELECT test_set, family, count(*), count(p_value), max(id) FROM use GROUP BY test_set, family"
_OF_USE = "test_set = OLD.test_set AND family = OLD.family"
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS content (id INTEGER PRIMARY KEY, digest TEXT NOT NULL)",
    "DROP INDEX IF EXISTS use_by_set",
    "CREATE INDEX IF NOT EXISTS use_in_order ON use (test_set, family, id, p_value)",
    "CREATE INDEX IF NOT EXISTS use_decided ON use (test_set, family, procedure, alpha) WHERE procedure IS NOT NULL",
    # n is NULL where uses were taken out or moved by hand: then all is counted again
    "CREATE TABLE IF NOT EXISTS sequence (id INTEGER PRIMARY KEY, test_set TEXT NOT NULL, family TEXT NOT NULL, "
    "n INTEGER, tested INTEGER NOT NULL, last INTEGER NOT NULL, UNIQUE (test_set, family))",
    "CREATE TABLE IF NOT EXISTS so_far (sequence INTEGER, procedure TEXT, alpha REAL, last INTEGER, n INTEGER, "
    "time INTEGER, found BLOB, digest TEXT, PRIMARY KEY (sequence, procedure, alpha))",
    "CREATE TRIGGER IF NOT EXISTS use_added AFTER INSERT ON use BEGIN INSERT INTO sequence (test_set, family, n, "
    "tested, last) VALUES (NEW.test_set, NEW.family, 1, NEW.p_value IS NOT NULL, NEW.id) ON CONFLICT (test_set, "
    "family) DO UPDATE SET n = n + 1, tested = tested + excluded.tested, last = excluded.last; END",
    "CREATE TRIGGER IF NOT EXISTS use_sharpened AFTER UPDATE OF p_value ON use BEGIN UPDATE sequence SET tested = "
    f"tested + (NEW.p_value IS NOT NULL) - (OLD.p_value IS NOT NULL) WHERE {_OF_USE}; DELETE FROM so_far WHERE "
    f"sequence = (SELECT id FROM sequence WHERE {_OF_USE}); END",
    "CREATE TRIGGER IF NOT EXISTS use_moved AFTER UPDATE OF id, test_set, family ON use BEGIN "
    "UPDATE sequence SET n = NULL; END",
    "CREATE TRIGGER IF NOT EXISTS use_removed AFTER DELETE ON use BEGIN UPDATE sequence SET n = NULL; END",
)


def take_over(connection: sqlite3.Connection) -> None:
    """Counts what has not been counted: all of a file of an earlier version, or one that was changed by hand."""
    there = connection.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('content', 'so_far')").fetchone()[0]
    if there < 2:
        for statement in _SCHEMA:
            connection.execute(statement)
    elif connection.execute("SELECT 1 FROM sequence WHERE n IS NULL LIMIT 1").fetchone() is None:
        return
    connection.execute("DELETE FROM sequence")
    connection.execute("DELETE FROM so_far")
    connection.execute(f"INSERT INTO sequence (test_set, family, n, tested, last) {_COUNTED} ORDER BY min(id)")


def miscounted(connection: sqlite3.Connection) -> list[str]:
    """A line where the counts that are kept are not those of the uses."""
    kept = "SELECT test_set, family, n, tested, last FROM sequence"
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'so_far'").fetchone()
    if not there or connection.execute("SELECT 1 FROM sequence WHERE n IS NULL LIMIT 1").fetchone():
        return []
    wrong = connection.execute(f"SELECT 1 FROM (SELECT * FROM ({_COUNTED} EXCEPT {kept}) UNION ALL "
                               f"SELECT * FROM ({kept} EXCEPT {_COUNTED}))").fetchone()  # fmt: skip
    return ["the counts of uses were changed"] if wrong else []
