"""The package on systems that this one is not: without what only POSIX has, and without UTF-8 as the locale.

Windows and macOS themselves are for the workflows; here is what can be held on any machine.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import outscore
from outscore.base import files
from outscore.base.errors import InputError
from outscore.cli.streams import ReaderLeftError, print_now
from outscore.data import read
from outscore.data.specs import run_names

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SOURCE = str(Path(outscore.__file__).parents[1])
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""Makes it the encoding of everything that names none."""
POSIX_MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
POSIX_CALLS = (
    *("chown", "chroot", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg"),
    *("getpgid", "getpgrp", "getsid", "getuid", "killpg", "lchown", "mkfifo", "mknod", "nice", "openpty"),
    *("sched_getaffinity", "setsid", "sysconf", "wait", "wait3", "wait4", "waitid"),
)
_POOR = f"""
import builtins, getpass, os, shutil, signal, subprocess, tempfile  # Python's own ask for what there is
imported = builtins.__import__

def ours_in_vain(name, globals=None, *more, **named):
    if name in {POSIX_MODULES!r} and str((globals or {{}}).get("__name__")).startswith("outscore"):
        raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
    return imported(name, globals, *more, **named)

builtins.__import__ = ours_in_vain
for name in {POSIX_CALLS!r}:
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGALRM", "SIGHUP", "SIGPIPE", "SIGUSR1", "SIGCHLD", "SIGSTOP", "alarm", "setitimer"):
    delattr(signal, name)
"""
"""What Windows lacks, but for what the libraries ask of a Linux: a ``sitecustomize.py``, which workers load too."""

_ALL = """
import contextlib, io, json, sys
from outscore.cli.main import main
for line in open(sys.argv[1], encoding="utf-8"):
    try:
        main(json.loads(line))
    except SystemExit as end:
        if end.code not in (0, None):
            raise
"""


@pytest.mark.slow
def test_the_main_job_needs_nothing_that_only_posix_has_and_no_locale(tmp_path: Path) -> None:
    """Compare, rank, history and a study on two processes give what they give here, byte for byte."""
    jobs = [
        ["compare", "-r", "ref.txt", "-m", "bleu", "größer=a.txt", "新=b.txt", "-n", "200", "-o", "result.json", "-q"],
        [
            *("compare", "-r", "ref.txt", "-m", "chrf", "a.txt", "b.txt", "-n", "200", "--history", "past.db"),
            *("-f", "html", "-o", "past.html", "-q"),
        ],
        ["rank", "-m", "score", "scores.csv", "-n", "200", "-o", "rank.json", "-q"],
        ["study", "all-pairs", "-m", "score", "scores.csv", "-n", "50", "-j", "2", "-o", "study.json", "-q"],
        ["compare", "base.seg", "new.seg", "-n", "200", "-f", "json", "-q"],
    ]
    texts = {"ref.txt": "ref.txt", "a.txt": "baseline.run1.txt", "b.txt": "tuned.run1.txt"}
    found = []
    for name, poor in (("here", False), ("elsewhere", True)):
        place = tmp_path / name
        place.mkdir()
        for own, example in texts.items():
            (place / own).write_bytes((EXAMPLES / example).read_bytes().replace(b"a", "ä".encode()))
        for own in ("base.seg", "new.seg"):
            (place / own).write_bytes((EXAMPLES / own).read_bytes())
        rows = [f"{system},{i},{(i * k) % 7}\n" for k, system in enumerate("äbc", 2) for i in range(30)]
        (place / "scores.csv").write_text("".join(["system,item,score\n", *rows]), encoding="utf-8")
        (place / "jobs").write_text("".join(f"{json.dumps(job)}\n" for job in jobs), encoding="utf-8")
        (place / "sitecustomize.py").write_text(_POOR if poor else "", encoding="utf-8")
        (place / "result.json").write_text("an old one, to be replaced", encoding="utf-8")
        env = ENVIRONMENT | {"PYTHONPATH": os.pathsep.join([str(place), SOURCE]), "COLUMNS": "100"}
        env["USERNAME"] = "somebody"  # where Windows looks who it is
        if poor:
            env |= ASCII
        done = subprocess.run(
            [sys.executable, "-c", _ALL, "jobs"], cwd=place, env=env, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        assert not done.stderr
        made = {file.name: file.read_bytes() for file in place.glob("*.[jh]*")}
        found.append({**made, "stdout": done.stdout})
    assert sorted(found[0]) == ["past.html", "rank.json", "result.json", "stdout", "study.json"]
    for name in found[0]:
        assert _undated(found[1][name]) == _undated(found[0][name]), name


def _undated(content: bytes) -> bytes:
    return b"".join(line for line in content.splitlines(keepends=True) if b'"created"' not in line)


def test_what_is_piped_is_utf_8_whatever_the_system_uses(tmp_path: Path) -> None:
    """Or a result that was redirected into a file could not be read back."""
    rows = [f"{system},{i},{i % 7}\n" for system in ("base", "größer") for i in range(30)]
    (tmp_path / "scores.csv").write_text("".join(["system,item,score\n", *rows]), encoding="utf-8")
    windows = "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='cp1252', newline='\\r\\n')"
    code = f"import io, sys; {windows}; from outscore.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "compare", str(tmp_path / "scores.csv"), "-f", "json"]
    env = ENVIRONMENT | {"PYTHONPATH": SOURCE}
    done = subprocess.run(command, env=env, capture_output=True, check=True)
    assert b"\r" not in done.stdout
    assert json.loads(done.stdout)["scores"][1]["system"] == "größer"
    # who asks Python for an encoding gets it
    command[1:3] = ["-m", "outscore"]
    done = subprocess.run(command, env=env | {"PYTHONIOENCODING": "latin-1"}, capture_output=True, check=True)
    assert "größer".encode("latin-1") in done.stdout


def _trees(tops: tuple[str, ...], words: str) -> Iterator[tuple[str, ast.Module]]:
    """Files of code that hold one of some words, by name, and their syntax."""
    for top in tops:
        for file in [ROOT / top] if top.endswith(".py") else sorted((ROOT / top).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            if re.search(words, text):
                yield file.relative_to(ROOT).as_posix(), ast.parse(text)


def _of_text_without_encoding(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    named = {one.arg: one.value for one in call.keywords}
    if "encoding" in named or ast.unparse(call.func) == "formatter.write_text":  # of click, onto a screen
        return False
    if name in ("read_text", "write_text"):
        return len(call.args) <= (name == "write_text")
    if name in ("run", "Popen", "check_output"):
        return bool({"text", "universal_newlines"} & set(named))
    if name in ("open", "fdopen", "NamedTemporaryFile", "TemporaryFile"):
        given = [value.value for value in (named.get("mode"), *call.args) if isinstance(value, ast.Constant)]
        mode = next((text for text in given if isinstance(text, str) and text and set(text) <= set("rwaxbt+")), None)
        if mode is None:  # the default of `open` is text, of temporary files bytes; `thing.open(x)` may be anything
            return name == "open" and (isinstance(call.func, ast.Name) or not call.args)
        return "b" not in mode
    return name == "TextIOWrapper"


@pytest.mark.slow
def test_whatever_reads_or_writes_text_names_its_encoding() -> None:
    """The default is that of the locale, which on Windows is none that holds every text."""
    everything = ("src", "tests", "docs", "benchmarks", "examples", "tasks.py")
    words = r"(?:read_text|write_text|open|TemporaryFile|TextIOWrapper)\(|text=|universal_newlines="
    wrong = [
        f"{file}:{node.lineno}"
        for file, tree in _trees(everything, words)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _of_text_without_encoding(node)
    ]
    assert not wrong, f"name the encoding: {', '.join(wrong)}"


def test_no_module_asks_for_what_only_posix_has_when_it_is_imported() -> None:
    """Tests too: one that cannot be imported is an error, where one that is skipped says why."""
    calls = {f"os.{call}" for call in POSIX_CALLS}
    wrong = []
    for file, tree in _trees(
        ("src", "tests"), rf"import ({'|'.join(POSIX_MODULES)})\b|os\.({'|'.join(POSIX_CALLS)})\b"
    ):
        for node in _at_import(tree):
            names = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            if names & set(POSIX_MODULES) or ast.unparse(node) in calls:
                wrong.append(f"{file}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)}")
    assert not wrong, wrong


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """What is run when a module is imported: all but the bodies of functions."""
    for child in ast.iter_child_nodes(node):
        yield child
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in child.decorator_list:
                yield from (decorator, *ast.walk(decorator))
        elif not isinstance(child, ast.Lambda):
            yield from _at_import(child)


def test_runs_are_named_by_their_folders_whatever_parts_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sep", "\\")
    assert run_names(["out\\seed1\\sys.txt", "out\\seed2\\sys.txt"]) == ("seed1", "seed2")


def test_a_directory_that_the_system_only_forbids_to_read_is_called_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Windows says of a directory that it may not be read."""

    def forbidden(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    with pytest.raises(InputError, match="is a directory, expected a file"):
        read([str(tmp_path)])


def test_a_pattern_in_single_quotes_that_the_shell_left_says_so(tmp_path: Path) -> None:
    """As cmd.exe does, which takes away only double quotes."""
    with pytest.raises(InputError, match=r"no file matches the pattern .*; this shell takes only double quotes away"):
        read([f"base='{tmp_path}/*.txt'"])


def test_a_file_that_another_program_has_open_is_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On Windows a file cannot be replaced while a scanner reads it; elsewhere once is enough."""
    rename, calls = Path.replace, []

    def held_twice(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) <= 2:
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", held_twice)
    monkeypatch.setattr(files, "_PAUSE", 0)
    monkeypatch.setattr(files, "_TRIES", 3)
    files.write_whole(tmp_path / "kept", "text")
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "text"
    calls.clear()
    monkeypatch.setattr(files, "_TRIES", 2)
    with pytest.raises(InputError, match="cannot write here"):
        files.write_whole(tmp_path / "kept", "other")
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_names_of_files_in_the_checkout_can_be_had_everywhere() -> None:
    """No character that Windows forbids, no two names that differ in case only."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    names = [name for name in listed.stdout.decode().split("\0") if name]
    assert names
    assert not [name for name in names if set(name) & set('<>:"\\|?*') or name.endswith((".", " "))]
    assert len({name.casefold() for name in names}) == len(names)
    reserved = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(10))}
    assert not [name for name in names if reserved & {part.partition(".")[0].casefold() for part in Path(name).parts}]


def test_a_reader_that_left_is_no_error_where_that_is_an_invalid_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows knows no broken pipe."""

    def gone(*_: object, **__: object) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr("click.echo", gone)
    with pytest.raises(ReaderLeftError):
        print_now("text")
