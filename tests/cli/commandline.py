"""The real command line, in this process or in one of its own, and small inputs for it."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from outscore.cli.main import main

_SUBJECTS = ("the old cat", "a small dog", "our friend", "the captain", "his sister", "the whole town")
_VERBS = ("saw", "carried", "painted", "forgot", "praised", "sold", "mended")
_OBJECTS = ("the red boat", "a long letter .", "three apples", "the town hall", "nothing at all")
REFERENCES = [
    f"{_SUBJECTS[i % 6]} {_VERBS[i % 7]} {_OBJECTS[i % 5]} on day {i}" for i in range(60)
]  # 60: below 50 items another kind of interval is used, which other tests are about
BASE = [r.replace("the", "a") if i % 3 else r for i, r in enumerate(REFERENCES)]
NEW = [r.replace("on day", "at day") if i % 4 else r for i, r in enumerate(REFERENCES)]


@dataclass(frozen=True)
class Done:
    """What one call left behind."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The last line on stderr."""
        return self.err.splitlines()[-1] if self.err.strip() else ""


class _Stream(io.TextIOWrapper):
    """A text stream as Python opens it for a pipe."""

    def __init__(self, content: bytes = b"") -> None:
        self.bytes = io.BytesIO(content)
        super().__init__(self.bytes, encoding="utf-8", newline="\n", write_through=True)


def outscore(*arguments: str | Path, stdin: bytes = b"") -> Done:
    """Calls ``main`` as the installed command does, with streams of its own."""
    out, err = _Stream(), _Stream()
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), patch.object(sys, "stdin", _Stream(stdin)):
        try:
            main([str(a) for a in arguments])
        except SystemExit as stop:
            code = stop.code
    assert isinstance(code, int) or code is None, code
    return Done(code or 0, out.bytes.getvalue().decode(), err.bytes.getvalue().decode())


def in_a_process(
    *arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> Done:
    """Runs ``python -m outscore`` as a process."""
    found = subprocess.run(
        [sys.executable, "-m", "outscore", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=environment() | dict(env or {}),
        timeout=120,
        check=False,
    )
    return Done(found.returncode, found.stdout.decode(), found.stderr.decode())


def environment() -> dict[str, str]:
    """Ours, without what changes the look or the options of the command."""
    here = str(Path(__file__).parents[2] / "src")
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith("OUTSCORE_") and k not in ("COLUMNS", "FORCE_COLOR")
    }
    kept["PYTHONPATH"] = os.pathsep.join(p for p in (here, os.environ.get("PYTHONPATH")) if p)
    return kept


def written(path: Path, lines: list[str]) -> Path:
    """A text file of these lines."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def texts(folder: Path) -> tuple[str, ...]:
    """Arguments for a small translation comparison, its files in ``folder``."""
    reference = written(folder / "ref.txt", REFERENCES)
    base, new = written(folder / "base.txt", BASE), written(folder / "new.txt", NEW)
    return ("-r", str(reference), f"base={base}", f"new={new}")


def numbers(folder: Path, n: int = 12) -> tuple[str, ...]:
    """Arguments for two files of one number per line."""
    base = written(folder / "base.seg", [str(i % 5 / 4) for i in range(n)])
    new = written(folder / "new.seg", [str((i * i + 2) % 7 / 6) for i in range(n)])
    return (f"base={base}", f"new={new}")


@contextlib.contextmanager
def nothing_new(folder: Path) -> Iterator[None]:
    """Asserts that the block leaves no file in ``folder`` that was not there, and none changed."""
    before = {p: p.read_bytes() if p.is_file() else b"" for p in folder.rglob("*")}
    yield
    after = {p: p.read_bytes() if p.is_file() else b"" for p in folder.rglob("*")}
    assert after == before, f"left behind: {sorted(str(p) for p in after.keys() ^ before.keys())}"
