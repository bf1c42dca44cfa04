"""The example files are what their script makes, and small."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def _data_files() -> list[Path]:
    return sorted(file for file in EXAMPLES.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc"))


def test_the_script_makes_the_same_files_again(tmp_path: Path) -> None:
    script = Path(__file__).with_name("make_examples.py")
    subprocess.run([sys.executable, "-I", str(script), str(tmp_path)], check=True)
    names = [file.relative_to(EXAMPLES) for file in _data_files()]
    assert sorted(file.relative_to(tmp_path) for file in tmp_path.rglob("*") if file.is_file()) == names
    for name in names:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes(), name


def test_the_folder_is_small() -> None:
    assert sum(file.stat().st_size for file in _data_files()) < 500_000


def test_three_systems_of_three_runs_have_a_line_for_each_reference() -> None:
    lines = {file.name: file.read_text(encoding="utf-8").splitlines() for file in _data_files()}
    for system in ("baseline", "tuned", "larger"):
        for run in (1, 2, 3):
            assert len(lines[f"{system}.run{run}.txt"]) == len(lines["ref.txt"]) == len(lines["items.csv"]) - 1 == 300
    assert len(lines["scores.csv"]) == 1 + 3 * 400
