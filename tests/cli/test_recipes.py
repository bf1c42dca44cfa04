"""Commands and arguments that a refusal says are run as they stand, and work on the files that were given."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commandline import outscore


def means(*arguments: str | Path) -> dict[str, float]:
    """The scores that ``compare`` finds."""
    done = outscore("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    return {one["system"]: one["score"] for one in json.loads(done.out)["scores"]}


def test_a_database_of_sqlite_is_written_as_a_table(tmp_path: Path) -> None:
    if shutil.which("sqlite3") is None:
        pytest.skip("needs sqlite3")
    file = tmp_path / "it's mine.db"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("create table scores (system, item, score)")
        rows = [(s, i, i % k) for s, k in (("a", 2), ("b", 3)) for i in range(12)]
        database.executemany("insert into scores values (?, ?, ?)", rows)
    done = outscore("compare", file)
    assert done.code == 3
    command = done.complaint.split("as in ")[1].replace("TABLE", "scores")
    (tmp_path / "scores.csv").write_bytes(subprocess.run(command, shell=True, check=True, capture_output=True).stdout)
    assert means(tmp_path / "scores.csv") == {"a": 0.5, "b": 1.0}
