"""Small files that ask for very much are refused in one line, before they have it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from outscore.base import limits
from tests.fuzz.bombs import BOMBS

ROOT = Path(__file__).parents[2]
SAID = {
    "members.eval": "the archive: 102 members of an archive, expected 100 or fewer",
    "line.txt": "line 1: 11,000,000 characters of a line, expected 10,000,000 or fewer",
    "wide.csv": "the table: 300,001 columns of a table, expected 20,000 or fewer",
    "systems.csv": "the data: 200,000 systems, expected 10,000 or fewer",
    "array.npy": "Unable to allocate",
    "long.sqlite": "string or blob too big",
}
LIBRARIES = ("pyarrow", "duckdb", "python_calamine", "backports.zstd")


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_bombs_are_refused_in_little_memory(tmp_path: Path) -> None:
    for library in LIBRARIES:
        pytest.importorskip(library)
    for name, make in BOMBS.items():
        content = make()
        assert len(content) < 12_000_000
        (tmp_path / name).write_bytes(content)
    command = [sys.executable, "-m", "tests.fuzz.bombs", str(tmp_path)]
    # without threads of libraries, whose stacks would count
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", cwd=ROOT, timeout=300, check=True, env=_environment()
    )
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert sorted(row[0] for row in rows) == sorted(BOMBS)
    for name, code, _, megabytes, said in rows:
        assert code == "3", (name, code, said)
        assert said.startswith("outscore: error: "), (name, said)
        assert said.count("outscore: ") == 1, (name, said)
        assert int(megabytes) < 200, (name, megabytes)
        assert "unpacks to more than" in said or SAID.get(name, "") in said, (name, said)


def _environment() -> dict[str, str]:
    # a hundred thousand members would take seconds to write
    return {**os.environ, "OMP_NUM_THREADS": "1", limits.VARIABLE: "members=100"}
