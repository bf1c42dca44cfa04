"""``outscore advise``, by itself and with ``--test``, on the command line."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.commandline import numbers, outscore, texts, written


def scores(folder: Path) -> Path:
    rows = [
        f"{system},q{i},{((i // 4) * 7 + i * shift) % 5 / 4},doc {i // 4}"
        for shift, system in enumerate(("base", "new"), 1)
        for i in range(48)
    ]
    return written(folder / "my scores.csv", ["system,item,score,document", *rows])


@pytest.mark.parametrize("shape", ["texts", "numbers", "table"])
def test_the_commands_that_advice_gives_run_as_given(shape: str, tmp_path: Path) -> None:
    """Quoted for a shell, with every file and option of the user; the test is the one advised."""
    arguments = {
        "texts": (*texts(tmp_path), "-m", "bleu,chrf", "--alpha", "0.1"),
        "numbers": (*numbers(tmp_path), "--baseline", "new"),
        "table": (str(scores(tmp_path)), "-c", "item=item", "--missing", "drop"),
    }[shape]
    done = outscore("advise", *arguments, "-f", "json")
    assert done.code == 0, done.err
    advice = json.loads(done.out)
    for step in advice["steps"]:
        name, *words = shlex.split(step["command"])
        assert name == "outscore"
        fewer = ("--rounds", "2") if words[0] == "advise" else ("-n", "200")
        ran = outscore(*words, *fewer, "-f", "json")
        assert ran.code == 0, ran.err
        result = json.loads(ran.out)
        assert result["alpha"] == advice["alpha"]
        if words[0] == "compare":
            assert [p["test"] for p in result["pairs"]] == [u["test"] for u in advice["use"]]
            assert result["baseline"] == advice["systems"][0]
            assert result["correction"] == advice["correction"]


def test_a_long_command_goes_on_after_a_backslash_and_means_the_same(tmp_path: Path) -> None:
    folder = tmp_path / ("a long name with blanks " * 4)
    folder.mkdir()
    arguments = numbers(folder)
    advice = json.loads(outscore("advise", *arguments, "-f", "json").out)
    for step in advice["steps"]:
        words = shlex.split(step["command"])
        assert words[2:] == [*arguments, *(("--test", "auto") if words[1] == "advise" else ())]
    drawn = outscore("advise", *arguments, "-f", "markdown")
    assert drawn.code == 0
    for columns in ("80", "60", "40"):
        screen = outscore("advise", *arguments, "-w", columns).out
        pasted = screen.split("\ncommand\n")[1].split("\n\n")[0].replace("\\\n", "").splitlines()
        assert [shlex.split(one) for one in pasted] == [shlex.split(step["command"]) for step in advice["steps"]]


@pytest.mark.parametrize("format_", ["terminal", "markdown", "latex", "csv", "sentence"])
@pytest.mark.parametrize("measured", [(), ("--test", "auto", "--rounds", "5")])
def test_every_format_draws_them_and_show_draws_them_again(
    measured: tuple[str, ...], format_: str, tmp_path: Path
) -> None:
    arguments = ["advise", *numbers(tmp_path), *measured]
    saved = tmp_path / "saved.json"
    assert outscore(*arguments, "-o", saved).code == 0
    done = outscore(*arguments, "-f", format_)
    assert done.code == 0, done.err
    assert outscore("show", saved, "-f", format_).out == done.out
    assert re.search(r"\bt\b", done.out)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--test", "wrong"], "unknown test"),
        (["--ignore-clusters"], "--cluster"),
        (["--rounds", "0"], "0"),
        (["--interval", "wilson"], "wilson"),
    ],
)
def test_bad_options_are_refused_in_one_line(arguments: list[str], words: str, tmp_path: Path) -> None:
    done = outscore("advise", *numbers(tmp_path), *(() if "--test" in arguments else ("--test", "auto")), *arguments)
    assert done.code == 2
    assert words in done.complaint
    assert not done.out


def test_missing_files_are_one_line() -> None:
    for measured in ((), ("--test", "auto")):
        done = outscore("advise", "a=nowhere.txt", "b=nothing.txt", *measured)
        assert done.code == 3
        assert "nowhere.txt" in done.complaint


def test_options_of_measured_tests_need_one(tmp_path: Path) -> None:
    for flag in (("--rounds", "5"), ("--seed", "7"), ("--ignore-clusters",)):
        done = outscore("advise", *numbers(tmp_path), *flag)
        assert (done.code, f"{flag[0]} is about tests that are measured" in done.err) == (2, True)


def test_what_is_shared_reaches_the_measured_tests(tmp_path: Path) -> None:
    asked = ("--test", "t,sign", "--rounds", "20", "-n", "99", "--seed", "7", "--alpha", "0.1", "--alternative", "less")
    found = json.loads(outscore("advise", str(scores(tmp_path)), "--cluster", "document", *asked, "-f", "json").out)
    kept = {"test": "t,sign", "rounds": 20, "n_resamples": 99, "seed": 7, "alpha": 0.1, "alternative": "less"}
    assert kept.items() <= found["options"].items()
    assert found["options"]["cluster"] == "document"
    assert {check["test"] for check in found["checks"]} == {"t", "sign"}


def test_the_old_name_leads_there() -> None:
    assert "no command 'audit'; did you mean 'advise --test'?" in outscore("audit", "t.csv").err
