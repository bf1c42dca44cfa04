"""The command line with the study ``sleepy`` as a process of its own, which can be stopped and killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli.commandline import environment

ROOT = Path(__file__).parents[2]
PATIENCE = 300
_MAIN = """
import os, sys, tests.studies.sleepy
from outscore.cli.main import main
if "LARGEST" in os.environ:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(os.environ["LARGEST"]), -1))
main(sys.argv[1:])
"""


@dataclass
class Place:
    """A folder in which commands run, with a log of the cells that they begin.

    Attributes:
        folder: where they run.
        settings: of ``sleepy``, by the names of environment variables.
    """

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def begun(self) -> list[int]:
        """Numbers of the cells that were begun, in order."""
        return [int(line.split()[0]) for line in self._lines()]

    @property
    def pids(self) -> set[int]:
        """Processes that did cells."""
        return {int(line.split()[1]) for line in self._lines()}

    def start(self, *arguments: str | Path, **settings: str) -> subprocess.Popen[str]:
        """Starts ``outscore study sleepy`` in a session of its own.

        Args:
            arguments: of the command.
            settings: of ``sleepy``, by the names of environment variables; and ``LARGEST``, bytes beyond which no
                file can grow: what a full disk looks like from inside.
        """
        env = environment() | {"SLEEPY_LOG": str(self.folder / "log"), **self.settings, **settings}
        env["PYTHONPATH"] = os.pathsep.join([str(ROOT), env["PYTHONPATH"]])
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-c", _MAIN, "study", "sleepy", *map(str, arguments)],
            cwd=self.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, *arguments: str | Path, **settings: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of ``outscore study sleepy``."""
        return ended(self.start(*arguments, **settings))

    def wait_for_cells(self, n: int) -> None:
        """Waits until so many cells were begun."""
        end = time.monotonic() + PATIENCE
        while len(self._lines()) < n:
            assert time.monotonic() < end, "the cells were never begun"
            time.sleep(0.02)

    def _lines(self) -> Sequence[str]:
        log = self.folder / "log"
        return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a process, once it and all that hold its streams have ended."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return process.returncode, out, err


def alive(pids: set[int]) -> set[int]:
    """Those of the processes that still run."""
    return {pid for pid in pids if _runs(pid)}


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or ") Z " not in state.read_text(encoding="utf-8")
