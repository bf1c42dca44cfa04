"""The folder of training sets: their files, the manifest, the outputs of the systems that are trained on them."""

from __future__ import annotations

import glob
import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from outscore.base.errors import InputError, UsageError
from outscore.base.files import write_whole
from outscore.base.lazy import dataclass

MANIFEST = "manifest.jsonl"
COMMANDS = "next.sh"
_SETS, _OUTPUTS, _LOGS = "sets", "outputs", "logs"


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the manifest: one training.

    Attributes:
        id: ``SYSTEM.SIZE.DRAW``, or ``SIZE.DRAW`` where no command was given.
        system, size, draw: which; draws count from 1.
        seed: for the trainer.
        source: the file that is drawn from; ``of``: its number of items; ``replace``: whether with replacement.
        index: file of the numbers of the items, from 0, one a line; ``train``: file of the items themselves.
        test: the test file; None for none.
        output: where the answers go; ``command``: program and arguments; ``shell``: the same as a line for a shell;
            None where no command was given.
        sha256: digests of the files ``source``, ``index``, ``train`` and, where there is one, ``test``.
    """

    id: str
    system: str
    size: int
    draw: int
    seed: int
    source: str
    of: int
    replace: bool
    index: str
    train: str
    test: str | None
    output: str | None
    command: list[str] | None
    shell: str | None
    sha256: dict[str, str]

    def to_plain(self) -> dict[str, Any]:
        """As values that JSON can hold."""
        return asdict(self)


@dataclass(frozen=True)
class Folder:
    """Where things are.

    Attributes:
        place: the folder as the user named it; commands are run where the user is, so it is relative to that.
    """

    place: str

    @property
    def path(self) -> str:
        """A name that no program takes for an option or a home."""
        return f"./{self.place}" if self.place.startswith(("-", "~")) else self.place

    def check(self) -> None:
        """Raises UsageError for a name that the printed commands could not hold."""
        if not self.place or any(character in self.place for character in "\0#"):
            raise UsageError(f"--out {self.place!r}: the name of the folder may not be empty or have a # in it")

    def set_file(self, size: int, draw: int, suffix: str) -> str:
        """A file of one training set."""
        return f"{self.path}/{_SETS}/{size}.{draw}{suffix}"

    def output(self, system: str, size: int | str, draw: int | str, suffix: str) -> str:
        """The file of the answers of one system trained on one set."""
        return f"{self.path}/{_OUTPUTS}/{system}.{size}.{draw}{suffix}"

    def pattern(self, system: str, size: str, suffix: str) -> str:
        """A pattern for the outputs of one system, of one size or of all (``*``)."""
        at = glob.escape(f"{self.path}/{_OUTPUTS}/{system}.")
        return f"{at}{'*' if size == '*' else f'{size}.*'}{suffix}"

    def log(self, id: str, attempt: int) -> Path:
        """The path of the log of a training, which holds what it wrote to both streams."""
        return Path(self.path, _LOGS, f"{id}.{attempt}.log")

    def tries(self, id: str) -> int:
        """How often a training was begun."""
        attempt = 0
        while self.log(id, attempt + 1).exists():
            attempt += 1
        return attempt

    def last_change(self) -> int:
        """When the training sets were last added to, which tells this folder from another at the same place.

        Raises:
            InputError: they are gone.
        """
        try:
            return Path(self.path, _SETS).stat().st_mtime_ns
        except OSError as error:
            raise InputError(f"no training sets are here ({error.strerror})", file=self.path) from None

    def make(self) -> None:
        """Makes the folder and those in it.

        Raises:
            InputError: it cannot be made.
        """
        try:
            for name in (_SETS, _OUTPUTS, _LOGS):
                Path(self.path, name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"cannot make this folder ({error.strerror})", file=self.path, remedy="name another --out"
            ) from None

    def keep(self, lines: Sequence[Line]) -> None:
        """Writes the manifest; more trainings may be added to a folder, those that it has stay as they are.

        Raises:
            InputError: the folder holds other trainings.
        """
        new = {line.id: line.to_plain() for line in lines}
        for old in self.lines():
            if old["command"] is not None and new.get(old["id"]) != old:
                raise InputError(
                    f"holds another training {old['id']!r}, of other files, commands or options",
                    file=f"{self.path}/{MANIFEST}",
                    remedy="name another --out, or ask for what it holds too",
                )
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in new.values())
        write_whole(Path(self.path, MANIFEST), text)

    def lines(self) -> list[dict[str, Any]]:
        """The lines of the manifest; none where there is none.

        Raises:
            InputError: it is no manifest.
        """
        path = Path(self.path, MANIFEST)
        if not path.exists():
            return []
        try:
            found = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]
            return [Line(**one).to_plain() for one in found]
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise InputError(f"is no manifest of training sets ({error})", file=str(path)) from None


def write_once(file: str, content: bytes) -> str:
    """Writes a file unless it is there, and gives its digest.

    Raises:
        InputError: it is there with other content, which is left as it is.
    """
    path = Path(file)
    if not path.exists():
        write_whole(path, content)
    elif path.read_bytes() != content:
        raise InputError("is there with other content", file=file, remedy="name another --out")
    return hashlib.sha256(content).hexdigest()


def train(line: Mapping[str, Any], log: Path) -> str | None:
    """Runs one training and puts its output in its place, whole or not at all.

    Args:
        line: of the manifest, with a command.
        log: file of what it says.

    Returns:
        What went wrong, in one line; None if nothing did.
    """
    if _digest(line["train"]) != line["sha256"]["train"]:
        return f"the training file {line['train']} is not what was drawn: remove it and begin again"
    with _reserve(line["output"]) as file:
        # the command of the manifest, but for where it writes: what is in its place is whole
        words = [word.replace(line["output"], str(file)) for word in line["command"]]
        try:
            with log.open("wb") as said:
                code = subprocess.run(
                    words, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, check=False
                ).returncode
        except (OSError, ValueError) as error:
            return f"cannot start {words[0]!r} ({getattr(error, 'strerror', None) or error})"
        if code:
            how = f"exit code {code}" if code > 0 else f"killed by signal {-code}"
            return f"{how} of {line['shell']}; what it said is in {log}"
        if not file.is_file() or not file.stat().st_size:
            return f"no output came from {line['shell']}; what it said is in {log}"
        file.replace(line["output"])
    return None


@contextmanager
def _reserve(output: str) -> Iterator[Path]:
    """A file of the same name as an output, in a hidden folder next to it that is gone afterwards."""
    place = Path(output)
    folder = tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent)
    try:
        yield Path(folder, place.name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _digest(file: str) -> str | None:
    try:
        with Path(file).open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return None
