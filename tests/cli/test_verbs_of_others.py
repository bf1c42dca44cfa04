"""Verbs of other packages: a name of ours is refused to them, whether it is a verb or another command."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from outscore.cli import main


def test_a_command_of_ours_stands_once_and_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = {name: EntryPoint(name, "theirs:Verb", "outscore.verbs") for name in ("show", "spread")}
    monkeypatch.setattr(main, "verbs_of_others", lambda: theirs)
    with main.group.make_context("outscore", ["show"], resilient_parsing=True) as context:
        names = main.group.list_commands(context)
        said = main.group.get_help(context)
    assert names == [*main.COMMANDS, "spread"]
    assert said.count("\n  show ") == 1
    assert said.count("\n  spread ") == 1
