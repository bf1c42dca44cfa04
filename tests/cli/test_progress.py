"""Long work says how far it is also where nobody sees bars: a line on stderr, now and then."""

from __future__ import annotations

import pytest

from outscore.cli import streams


def test_a_pipe_gets_lines_on_stderr(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(streams, "_SILENT", -1.0)
    with streams.progress(quiet=False) as tell:
        assert tell is not None
        tell("po\x1bwer", 1200, 5000)
        tell("power", 5000, 5000)
    assert capsys.readouterr() == ("", "po\\x1bwer: 1,200 of 5,000\n")


def test_short_work_and_quiet_say_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with streams.progress(quiet=False) as tell:
        assert tell is not None
        tell("power", 1, 2)
    with streams.progress(quiet=True) as tell:
        assert tell is None
    assert capsys.readouterr() == ("", "")
