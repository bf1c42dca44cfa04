"""Long work says how far it is also where nobody sees bars: a line on stderr, now and then."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from outscore.cli import streams
from outscore.verbs.shared.family import AUTO_SIZES
from tests.cli.commandline import outscore, written


def test_a_pipe_gets_lines_on_stderr(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(streams, "_SILENT", -1.0)
    with streams.progress(quiet=False) as tell:
        assert tell is not None
        tell("po\x1bwer", 1200, 5000)
        tell("power", 5000, 5000)
    assert capsys.readouterr() == ("", "po\\x1bwer: 1,200 of 5,000\n")


@pytest.mark.parametrize(
    ("took", "said"),
    [
        (0.4, "2,500 a second, 2 seconds"),
        (0.6, "1,670 a second, 2 seconds"),
        (0.0006, "1,670,000 a second, 0 seconds"),
        (2, "500 a second, 8 seconds"),
        (100, "10 a second, 6 minutes"),
        (4000, "15 a minute, 4.3 hours"),
    ],
)
def test_lines_say_how_fast_it_goes_and_what_is_left(
    took: float, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr(streams, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(streams, "_SILENT", 0.0001)
    with streams.progress(quiet=False) as tell:
        assert tell is not None
        tell("cells", 100, 5000)  # those that were kept
        clock[0] += took
        tell("cells", 1100, 5000)
    assert capsys.readouterr().err == f"cells: 1,100 of 5,000, {said} left of this step\n"


def test_the_rate_of_a_step_is_that_since_it_began(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr(streams, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    with streams.progress(quiet=False) as tell:
        assert tell is not None
        for of in (10_000, 10_000, 100_000):
            for done in (of // 10, of // 2, of):
                tell("bootstrap", done, of)
                clock[0] += 20
    assert [line.split(", ")[1:2] for line in capsys.readouterr().err.splitlines()] == [
        *2 * (["200 a second"], []),
        ["2,000 a second"],
    ]


def test_short_work_and_quiet_say_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with streams.progress(quiet=False) as tell:
        assert tell is not None
        tell("power", 1, 2)
    with streams.progress(quiet=True) as tell:
        assert tell is None
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_bars_that_are_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr(streams, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for name, value in {"COLUMNS": "29", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(KeyboardInterrupt), streams.progress(quiet=False) as show:
        assert show is not None
        show("short", 1, 2)
        clock[0] = 1.0
        show("po\x1bwer", 0, 4)
        clock[0] = 2.0
        show("日本", 1, 4)
        clock[0] = 3.0
        show("short", 2, 2)
        raise KeyboardInterrupt
    short, power, wide = (
        "[#####-----] short: 1 of 2\n",
        "[----------] po\\x1bwer: 0 of\n",
        "[##--------] 日本: 1 of 4\n",
    )
    assert capsys.readouterr() == (
        "",
        f"\r\x1b[J{short}{power}\x1b[2A\r\x1b[J{short}{power}{wide}\x1b[3A\r\x1b[J{power}{wide}\x1b[2A\r\x1b[J",
    )


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("TERM", "dumb")])
def test_a_log_and_a_terminal_that_cannot_move_get_lines(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(streams, "_SILENT", -1.0)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv(name, value)
    with streams.progress(quiet=False) as tell:
        assert tell is not None
        tell("power", 1, 4)
    assert capsys.readouterr().err == "power: 1 of 4\n"


@pytest.mark.parametrize("n", ["auto", "2000"])
def test_of_resamples_in_steps_it_is_said_up_to_how_many_there_may_be(
    n: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(streams, "_SILENT", -1.0)
    draw = np.random.default_rng(2)
    rows = [f"q{i},{','.join(f'{value:.3f}' for value in draw.normal(size=3))}" for i in range(60)]
    table = written(tmp_path / "scores.csv", ["item,a,b,c", *rows])
    said = outscore("rank", table, "--test", "bootstrap", "-n", n).err
    more = f"; -n auto goes on to {AUTO_SIZES[-1]:,} resamples while a decision hangs on them\n"
    assert "left of this step" in said
    assert (f"left of this step{more}" in said) is (n == "auto")
