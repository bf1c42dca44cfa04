"""Verbs of other packages: a name of ours is refused to them, and the help says of each what it answers."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

import outscore
from outscore.cli import main
from outscore.verbs import declared


class Spread(declared.Options):
    """How far apart are the systems?

    The rest is for the help of the command.
    """


def _help_with(monkeypatch: pytest.MonkeyPatch, *verbs: str) -> tuple[list[str], str]:
    """The names of all commands, and the help of all, where another package has these."""
    module = ModuleType("theirs")
    module.Verb = Spread  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "theirs", module)
    theirs = {
        name: EntryPoint(name, f"theirs:{value}", "outscore.verbs")
        for name, _, value in (v.partition("=") for v in verbs)
    }
    monkeypatch.setattr(main, "verbs_of_others", lambda: theirs)
    monkeypatch.setattr(declared, "verbs_of_others", lambda: theirs)
    with main.group.make_context("outscore", ["show"], resilient_parsing=True) as context:
        return main.group.list_commands(context), main.group.get_help(context)


def test_a_command_of_ours_stands_once_and_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    names, said = _help_with(monkeypatch, "show=Verb", "spread=Verb")
    assert names == [*main.COMMANDS, "spread"]
    assert said.count("\n  show ") == 1
    assert said.count("\n  spread ") == 1


def test_the_help_says_what_a_verb_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    _, said = _help_with(monkeypatch, "spread=Verb")
    assert "  spread      How far apart are the systems?" in said.splitlines()


def test_a_verb_that_cannot_be_loaded_leaves_the_help_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    _, said = _help_with(monkeypatch, "broken=Missing", "spread=Verb")
    assert "How far apart are the systems?" in said
    assert "  broken      The verb 'broken' cannot be loaded (AttributeError:" in said
    assert "mend that package." in " ".join(said.split())


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            "score a.txt -m mean",
            0,
            "outscore: warning: the reader 'gone' of loudly 1.0 cannot be loaded (RuntimeError: x)",
        ),
        ("score a.txt -m loud --reader lines", 2, "outscore: error: the metric 'loud' of loudly 1.0 cannot be loaded"),
        ("score a.txt --reader gone", 2, "outscore: error: the reader 'gone' of loudly 1.0 cannot be loaded"),
        ("yelling a.txt", 2, "outscore: error: the verb 'yelling' of loudly 1.0 cannot be loaded"),
        ("list readers gone", 2, "outscore: error: the reader 'gone' of loudly 1.0 cannot be loaded"),
        ("score a.txt --no-such", 2, "outscore: error: No such option '--no-such'"),
        ("no_such", 2, "outscore: error: no command 'no_such'"),
    ],
)
def test_a_package_that_cannot_be_imported_stops_only_what_asks_for_it(
    words: str, code: int, said: str, tmp_path: Path
) -> None:
    info = tmp_path / "loudly-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: loudly\nVersion: 1.0\n", encoding="utf-8")
    points = {"readers": "gone", "metrics": "loud", "tests": "coin", "verbs": "yelling"}
    lines = [f"[outscore.{group}]\n{name} = loudly:Any\n" for group, name in points.items()]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "loudly.py").write_text("raise RuntimeError('x')\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("1\n2\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "outscore", *words.split()],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(outscore.__file__).parents[1])])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == code, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith(said)]
    assert len(lines) == 1 and done.stderr.count("outscore: warning: ") <= 1, done.stderr
    assert "Traceback" not in done.stderr and bool(done.stdout) == (code == 0)
