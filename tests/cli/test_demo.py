"""``outscore demo``: the first minute of somebody who has only installed the wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import outscore
from outscore.cli import demo


def _demo(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    source = str(Path(outscore.__file__).parents[1])
    code = f"import sys; sys.path.insert(0, {source!r}); from outscore.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_writes_the_files_compares_them_and_says_how(tmp_path: Path) -> None:
    done = _demo("demo", "some where", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "some where"
    source = Path(str(demo.examples()))
    expected = {f.relative_to(source) for f in source.rglob("*") if f.is_file() and not f.suffix.startswith(".py")}
    assert Path("treebanks/tales/gold.conllu") in expected
    assert {f.relative_to(folder) for f in folder.rglob("*") if f.is_file()} == expected
    said, command = done.stdout.rstrip().splitlines()[-2:]
    assert said.strip() == "cd 'some where'"
    assert command.strip() == demo.SHELL
    assert "larger" in done.stdout and "BLEU" in done.stdout and "chrF" in done.stdout


@pytest.mark.slow
def test_the_command_that_it_names_prints_the_same(tmp_path: Path) -> None:
    first = _demo("demo", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    systems = [f"{name}={pattern}" for name, pattern in demo.SYSTEMS.items()]
    again = _demo("compare", "-r", "ref.txt", *systems, "-m", demo.METRICS, cwd=tmp_path / "outscore-demo")
    assert again.returncode == 0, again.stderr
    assert first.stdout.startswith(again.stdout)


def test_a_folder_name_with_wildcards_is_taken_as_it_is(tmp_path: Path) -> None:
    assert _demo("demo", "a[1]*", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a[1]*" / "ref.txt").exists()


@pytest.mark.slow
def test_running_it_twice_is_fine_but_other_files_are_not_overwritten(tmp_path: Path) -> None:
    assert _demo("demo", "here", cwd=tmp_path).returncode == 0
    assert _demo("demo", "here", cwd=tmp_path).returncode == 0
    (tmp_path / "here" / "ref.txt").write_text("mine\n", encoding="utf-8")
    done = _demo("demo", "here", cwd=tmp_path)
    assert done.returncode == 3
    assert "ref.txt" in done.stderr and "Traceback" not in done.stderr
    assert (tmp_path / "here" / "ref.txt").read_text(encoding="utf-8") == "mine\n"


def test_a_file_in_place_of_the_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    done = _demo("demo", "taken/below", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
