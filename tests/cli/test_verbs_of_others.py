"""Verbs of other packages: a name of ours is refused to them, and the help says of each what it answers."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

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
    assert "uninstall that package." in " ".join(said.split())
