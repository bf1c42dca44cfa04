"""The examples in the help of the commands about files and studies, run on the example files as they stand."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from outscore.cli import convert, demo, show, study
from outscore.cli import list as kinds
from tests.cli.commandline import outscore

COMMANDS = {"convert": convert, "demo": demo, "list": kinds, "show": show, "study": study}
_LONG = ("study gain -r", "study toys", "outscore demo")


def examples(name: str) -> list[str]:
    """The lines of the help that are examples."""
    return re.findall(r"^  (outscore .*)$", COMMANDS[name].EPILOG, flags=re.MULTILINE)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example files, a saved result, and systems as the examples call them; the folder that one is in."""
    shutil.copytree(str(demo.examples()), tmp_path, dirs_exist_ok=True)
    for run in range(1, 4):
        shutil.copy(tmp_path / f"larger.run{run}.txt", tmp_path / f"system{run}.txt")
    monkeypatch.chdir(tmp_path)
    assert outscore("compare", "base=base.seg", "new=new.seg", "-n", "99", "-o", "result.json").code == 0
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_has_three_examples_or_more(name: str) -> None:
    given = examples(name)
    assert len(given) >= 3
    text = outscore(name, "--help").out
    assert all(example in text for example in given)
    assert all(example.startswith(f"outscore {name}") for example in given)


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(line, marks=pytest.mark.nightly if any(part in line for part in _LONG) else ())
        for name in COMMANDS
        for line in examples(name)
    ],
)
def test_an_example_of_the_help_can_be_typed(example: str, files: Path) -> None:
    typed = shlex.split(example.partition(" > ")[0])[1:]
    done = outscore(*typed)
    assert done.code == 0, done.err
    written = [files / typed[at + 1] for at, word in enumerate(typed) if word in ("-o", "--plot")]
    assert all(file.stat().st_size > 0 for file in written)
    assert done.out or written
