"""What the help and the lists name is held against the registries: nothing that can be asked for goes unnamed."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from outscore.cli.kinds import KINDS
from outscore.cli.main import COMMANDS, GROUPS, find_command, group
from outscore.data.readers import readers
from outscore.metrics import metrics as registered_metrics
from outscore.multiplicity import adjust
from outscore.significance import tests as registered_tests
from tests.cli.commandline import environment


def _names(text: str) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9_-]*", re.sub(r"-\s*\n\s*", "-", text)))


def _help_of_compare() -> str:
    return CliRunner().invoke(find_command("compare"), ["--help", "-v"], terminal_width=200).output


OURS = [name for name in registered_tests.names() if registered_tests.find(name).__module__.startswith("outscore.")]


@pytest.mark.parametrize("names", [OURS, adjust.names()], ids=["tests", "corrections"])
def test_the_help_of_compare_names_every_test_and_correction(names: list[str]) -> None:
    assert set(names) <= _names(_help_of_compare())


def test_the_help_of_compare_names_what_exists_and_points_to_the_lists() -> None:
    text = " ".join(_help_of_compare().split())
    assert "`outscore list metrics` lists all" in text
    assert "`outscore list readers` lists all" in text
    option = re.search(r"-m, --metric \S+ (.*?) \.\.\. or a column", text)
    assert option is not None
    assert set(option[1].split(", ")) <= set(registered_metrics.names())
    option = re.search(r"--reader NAME (.*?) \.\.\.;", text)
    assert option is not None
    assert set(option[1].split(", ")) <= set(readers.names())


def test_the_help_of_compare_leads_to_what_changed() -> None:
    short = CliRunner().invoke(find_command("compare"), ["--help"], terminal_width=80).output
    assert "What changed: items that decide; --show-words." in " ".join(short.split())
    assert "now.txt -r ref.txt --show-flips 5 --show-words 5" in short
    assert len(short.splitlines()) <= 45


def test_the_help_of_rank_says_how_to_name_columns() -> None:
    short = CliRunner().invoke(find_command("rank"), ["--help"], terminal_width=80).output
    assert "-c item=ID" in " ".join(short.split()) and len(short.splitlines()) <= 45


@pytest.mark.parametrize("columns", ["80", "100", "250"])
def test_the_tables_name_what_the_lists_name(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = "".join(CliRunner().invoke(find_command("list"), [kind]).output for kind in ("metrics", "readers"))
    assert {*registered_metrics.names(), *readers.names()} <= _names(text)
    assert max(map(len, text.splitlines())) <= int(columns)


def test_listing_imports_no_heavy_library() -> None:
    heavy = {"sacrebleu", "sklearn", "scipy", "pandas", "pyarrow", "jiwer", "nervaluate", "rouge_score"}
    code = f"""
import sys
from outscore.cli.main import main
for kind in {[kind for kind in KINDS if kind not in ("plans", "studies")]!r}:
    try: main(["list", kind])
    except SystemExit as end: assert end.code in (0, None), kind
    loaded = {heavy!r} & {{name.partition(".")[0] for name in sys.modules}}
    assert not loaded, (kind, loaded)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_help_has_a_line_for_each_command_under_its_group() -> None:
    lines = CliRunner().invoke(group, ["--help"], terminal_width=80).output.splitlines()
    assert max(map(len, lines)) <= 80
    for title, commands in GROUPS.items():
        start = lines.index(f"{title}:") + 1
        assert [line.split()[0] for line in lines[start : start + len(commands)]] == list(commands)
    assert len(COMMANDS) == sum(map(len, GROUPS.values()))
