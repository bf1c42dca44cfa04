"""Commands of the manual, each run in a shell, or, where a shell would do nothing to it, in this process."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path
from unittest.mock import patch

from outscore.cli.main import main

_QUOTED = re.compile(r"'[^']*'|\"[^\"$`\\!]*\"")
_PROGRESS = re.compile(r"[^\d]+: [\d,]+ of [\d,]+")  # said where a busy machine takes a quarter of a minute
_PLAIN = re.compile(r"[\w\s.,:=/@%+^-]*")


class _Stream(io.TextIOWrapper):
    """What a pipe is to Python: text whose bytes are kept."""

    def __init__(self) -> None:
        self.kept = io.BytesIO()
        super().__init__(self.kept, encoding="utf-8", newline="\n", write_through=True)


def typed(command: str, place: Path, env: dict[str, str], *, alone: bool = False) -> tuple[int, list[str]]:
    """Exit code and printed lines, on both streams, of a command typed into a shell, without a terminal.

    ``outscore`` with words that no shell changes is called here, which saves a process and its imports, unless it is to
    run ``alone``.
    """
    plain = _PLAIN.fullmatch(_QUOTED.sub("", command)) and "\n" not in command
    words = shlex.split(command) if plain else [""]
    code, printed = _shell(command, place, env) if alone or words[0] != "outscore" else _called(words[1:], place, env)
    lines = [line.rstrip() for line in printed.splitlines()]
    return code, [line for line in lines if not _PROGRESS.fullmatch(line)]


def _shell(command: str, place: Path, env: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        command,
        shell=True,
        cwd=place,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def _called(words: list[str], place: Path, env: dict[str, str]) -> tuple[int, str]:
    both = _Stream()
    code: object = 0
    with (
        contextlib.chdir(place),
        contextlib.redirect_stdout(both),
        contextlib.redirect_stderr(both),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding="utf-8")),
        patch.dict(os.environ, env, clear=True),
        warnings.catch_warnings(),
    ):
        # as a process says them; pytest keeps them to itself
        warnings.simplefilter("default")
        for kind in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", kind)
        warnings.showwarning = lambda message, category, file, line, *_: both.write(f"{file}:{line}: {message}\n")  # type: ignore[assignment]
        try:
            main(words)
        except SystemExit as stop:
            code = stop.code
    assert isinstance(code, int) or code is None, code
    return code or 0, both.kept.getvalue().decode()
