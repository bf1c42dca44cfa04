"""What a shell completes, as click asks for it; and that bash, zsh and fish put it on the line."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from outscore.cli.main import group
from outscore.cli.shells import Bash, Fish, Zsh


def offered(*words: str) -> list[str]:
    """What is offered for the last word; files are called so."""
    asked = Bash(group, {}, "outscore", "_OUTSCORE_COMPLETE")
    found = asked.get_completions(list(words[:-1]), words[-1])
    return [one.value if one.type == "plain" else one.type for one in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["comp"], ["compare"]),
        (["compare", "--fail"], ["--fail-unless"]),
        (["compare", "--fail-unless", "b"], ["better"]),
        (["compare", "--alternative", ""], ["two-sided", "greater", "less"]),
        (["compare", "-m", "chr"], ["chrf"]),
        (["score", "--metric", "bleu,chr"], ["bleu,chrf"]),
        (["compare", "--test", "mcn"], ["mcnemar"]),
        (["compare", "--interval", "wils"], ["wilson"]),
        (["compare", "--correct", "bonf"], ["bonferroni"]),
        (["compare", "-f", "jun"], ["junit"]),
        (["compare", "--reader", "trec"], ["trec", "trec-eval"]),
        (["agree", "-k", "coh"], ["cohen"]),
        (["list", "met"], ["metrics"]),
        (["list", "metrics", "chr"], ["chrf"]),
        (["list", "no such", "chr"], []),
        (["compare", "ba"], ["file"]),
        (["compare", "-r", "ref"], ["file"]),
        (["compare", "--seed", "1"], []),
        (["study", "cali"], ["calibration"]),
    ],
)
def test_a_shell_is_offered_what_can_be_typed(words: list[str], expected: list[str]) -> None:
    assert offered(*words) == expected


SCORES = str(Path(__file__).parents[2] / "examples" / "scores.csv")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--cluster", "doc"], ["document"]),
        (["-c", "item=it"], ["item=item"]),
        (["-c", "item", "=", "it"], ["item"]),  # bash ends words at =
        (["-c", "item", "=", ""], ["system", "item", "score", "document", "domain"]),
        (["-m", "accuracy,scor"], ["accuracy,score"]),
        (["--by", "dom"], ["domain"]),
        (["new", "=", ""], ["file"]),
    ],
)
def test_a_shell_is_offered_columns_of_the_tables_that_were_typed(words: list[str], expected: list[str]) -> None:
    assert offered("compare", SCORES, *words) == expected
    assert offered("compare", f"base={SCORES}#small", *words) == expected


def test_columns_come_from_tables_of_every_kind(tmp_path: Path) -> None:
    texts = {
        "a.tsv": "item\tthe score\tgerman\n",
        "b.jsonl": '{"item": 1, "german": 2}\n',
        "c.csv.gz": "item;german\n1;2\n",
        "broken.jsonl": "{",
        "broken.csv.gz": "",
        "other.txt": "item,german\n",
    }
    for name, text in texts.items():
        file = tmp_path / name
        file.write_bytes(gzip.compress(text.encode()) if name == "c.csv.gz" else text.encode() or b"no gzip")
        known = name[0] in "abc" and "broken" not in name
        assert offered("compare", str(file), "--cluster", "ge") == (["german"] if known else [])
    assert offered("compare", str(tmp_path / "a.tsv"), "--cluster", "the") == []
    assert offered("compare", str(tmp_path), str(tmp_path / "none.csv"), "--cluster", "") == []


BASH = """
eval "$(_OUTSCORE_COMPLETE=bash_source outscore)"
COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_outscore_completion outscore "${COMP_WORDS[-1]}"
printf '%s' "${COMPREPLY[*]}"
"""
FISH = """
_OUTSCORE_COMPLETE=fish_source outscore | source
complete -C $argv[1]
"""
ZSH = """
zmodload zsh/zpty
zpty -b z zsh -f -i
setup='TERM=dumb; autoload -Uz compinit; compinit -u -D; eval "$(_OUTSCORE_COMPLETE=zsh_source outscore)"'
zpty -w z $setup'; bindkey "^I" complete-word; print -r READY''_NOW'
until zpty -r z got '*READY_NOW*'; do :; done
zpty -w -n z "$1"$'\\t'
while zpty -r z got "*$2*"; do print -r -- "$got"; break; done
"""
"""A terminal in which somebody types the line and Tab, until it shows what is expected."""
LINES = [
    ("comp", "compare"),
    ("compare --fail-u", "--fail-unless"),
    ("compare --alternative=gr", "--alternative=greater"),
    ("compare -m accuracy,chr", "accuracy,chrf"),
    ("compare scores.csv -m chr", "chrf"),
    ("compare scores.csv --by dom", "domain"),
    ("compare scores.csv --by=dom", "--by=domain"),
    ("compare scores.csv -c item=it", "item=item"),
    ("compare sc", "scores.csv"),
    ("compare new=sc", "new=scores.csv"),
    ("compare --reference=ref", "--reference=ref.txt"),
]


def _in_shell(folder: Path, shell: str, *words: str) -> str:
    """What a shell prints that has the command on its path."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    command = folder / "outscore"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m outscore "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [shell, *words],
        cwd=Path(SCORES).parent,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PATH": path},
    )
    return done.stdout.decode("utf-8", "replace")


@pytest.mark.slow
@pytest.mark.parametrize(("line", "expected"), LINES)
def test_fish_completes_the_line(tmp_path: Path, line: str, expected: str) -> None:
    found = _in_shell(tmp_path, "fish", "-N", "-c", FISH, f"outscore {line}").splitlines()
    assert [one.partition("\t")[0] for one in found] == [expected]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "expected"), LINES)
def test_zsh_completes_the_line(tmp_path: Path, line: str, expected: str) -> None:
    typed = " ".join(["outscore", *line.split()[:-1], expected])
    assert typed in _in_shell(tmp_path, "zsh", "-f", "-c", ZSH, "zsh", f"outscore {line}", typed)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "expected"), [one for one in LINES if "=" not in one[1] or "-c" in one[0]])
def test_bash_is_offered_the_word(tmp_path: Path, line: str, expected: str) -> None:
    """Bash ends a word at =, and looks for files by itself."""
    found = _in_shell(tmp_path, "bash", "-c", BASH, "bash", f"outscore {line.replace('=', ' = ')}")
    assert found in (expected.rpartition("=")[2], "")
    assert found or expected.endswith((".csv", ".txt"))


@pytest.mark.parametrize(("words", "expected"), [("--by = dom", ["domain"]), ("--alternative = gr", ["greater"])])
def test_bash_ends_a_word_at_the_sign_behind_an_option(words: str, expected: list[str]) -> None:
    assert offered("compare", SCORES, *words.split()) == expected


@pytest.mark.parametrize("shell", [Zsh, Fish])
def test_zsh_and_fish_are_offered_the_whole_word(shell: type[Zsh | Fish]) -> None:
    asked = shell(group, {}, "outscore", "_OUTSCORE_COMPLETE")
    assert [one.value for one in asked.get_completions(["compare", SCORES], "--by=dom")] == ["--by=domain"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "outscore"],
        env={**os.environ, "_OUTSCORE_COMPLETE": f"{shell}_source"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert f"_OUTSCORE_COMPLETE={shell}_complete" in done.stdout
    assert (shell == "fish") == ("split -m 1" in done.stdout)
    assert (shell == "zsh") == ("compset -P '*='" in done.stdout)
