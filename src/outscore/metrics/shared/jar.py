"""The METEOR jar: where it is, and one Java process for each way of calling it that answers line by line."""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from outscore.base.errors import InputError, MissingExtra

VARIABLE = "OUTSCORE_METEOR_JAR"
_INSTALL = "pip install 'outscore[meteor]'"
_PORTION = 20  # lines whose answers fit into a pipe, so that neither side waits for the other
_END = "END"  # no command of METEOR: its answer, an error, ends the answers to the lines before


def found_jar(named: str) -> Path:
    """The jar that is named, else that of the environment variable, else the one inside pycocoevalcap.

    Raises:
        InputError: no file has the name.
        MissingExtra: none is named and the package is not installed.
    """
    named = named or os.environ.get(VARIABLE, "")
    if named:
        if not Path(named).is_file():
            raise InputError(f"there is no METEOR jar {named!r}", remedy=f"name it by meteor:jar=PATH or {VARIABLE}")
        return Path(named).absolute()
    package = importlib.util.find_spec("pycocoevalcap")
    for folder in (package and package.submodule_search_locations) or ():
        jar = Path(folder) / "meteor" / "meteor-1.5.jar"
        if jar.is_file():
            return jar
    raise MissingExtra(f"meteor needs the METEOR 1.5 jar and Java: {_INSTALL}, or name a jar with meteor:jar=PATH")


def answers(arguments: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The answers of ``java ARGUMENTS`` to the lines, from a process that stays open for the next call.

    Raises:
        InputError: the process ended; the message is its own.
        MissingExtra: there is no Java.
    """
    key = tuple(arguments)
    with _lock:
        if key not in _processes:
            _processes[key] = _Process(key)
        try:
            return _processes[key].answers(lines)
        except BaseException:
            # interrupted between question and answer, it would answer the next call with what belongs to this one
            _processes.pop(key).close()
            raise


class _Process:
    def __init__(self, arguments: tuple[str, ...]) -> None:
        java = shutil.which("java")
        if java is None:
            raise MissingExtra(
                f"meteor needs Java on the PATH: install a Java runtime (the METEOR jar comes with {_INSTALL})"
            )
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
        self._java = subprocess.Popen(
            [java, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
            errors="replace",
        )

    def answers(self, lines: Sequence[str]) -> list[str]:
        found: list[str] = []
        for start in range(0, len(lines), _PORTION):
            try:
                found += self._answers(lines[start : start + _PORTION])
            except OSError:
                raise self._ended() from None
        return found

    def _answers(self, lines: Sequence[str]) -> list[str]:
        assert self._java.stdin is not None
        assert self._java.stdout is not None
        self._java.stdin.writelines(f"{line}\n" for line in (*lines, _END))
        self._java.stdin.flush()
        found: list[str] = []
        for answer in self._java.stdout:
            if answer.startswith("Error"):
                return found
            found.append(answer.strip())
        raise self._ended()

    def close(self) -> None:
        self._java.kill()
        self._java.wait()
        with contextlib.suppress(OSError):
            # what was written and never read is not worth a message
            self._java.communicate()
        self._errors.close()

    def _ended(self) -> InputError:
        self._java.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", errors="replace").splitlines()
        own = [line for line in said if line.strip() and not line.startswith("\t")] or ["no message"]
        return InputError(
            f"the METEOR process ended: {own[-1]}", remedy="give it more memory, as meteor:memory=4G, or another jar"
        )


_processes: dict[tuple[str, ...], _Process] = {}
_lock = threading.Lock()


@atexit.register
def _close_all() -> None:
    while _processes:
        _processes.popitem()[1].close()
