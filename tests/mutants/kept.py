"""What is kept of each fault: a small file with its outcome; and the list of those that change nothing."""

from __future__ import annotations

import ast
import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutants.faults import Fault, faults

EQUIVALENT = Path(__file__).with_name("equivalent.toml")

CAUGHT, TIMED_OUT, SURVIVED, UNCOVERED, BROKEN = "caught", "timed out", "survived", "uncovered", "broken"
"""A test failed; one did not end; none failed; none runs the place; it could not be tried, and is not counted."""


@dataclass(frozen=True)
class Mutant:
    """A fault of a file, of which there may be several that look alike.

    Attributes:
        path: of the file, in the folder of the sources.
        index: number of the fault among those of its file.
        key: names it, also when the lines above it change.
    """

    path: str
    index: int
    kind: str
    scope: str
    line: int
    was: str
    now: str
    key: str

    @property
    def package(self) -> str:
        """The floor that it belongs to."""
        return self.path.split("/")[1]


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    Attributes:
        digest: of the source that it was made from; another one asks for another outcome.
        by: the test that failed.
        tests: how many ran; ``left``: how many that run the place did not, for want of time.
    """

    key: str
    path: str
    kind: str
    line: int
    digest: str
    outcome: str
    by: str = ""
    tests: int = 0
    left: int = 0
    seconds: float = 0.0


def mutants_of(source: Path, path: str, kinds: Iterable[str]) -> list[Mutant]:
    """The mutants of a file of these kinds."""
    wanted, alike, found = set(kinds), Counter[str](), []
    for index, fault in enumerate(faults(ast.parse((source / path).read_text(encoding="utf-8")))):
        if fault.kind in wanted:
            key = _key(path, fault)
            alike[key] += 1
            key += f" #{alike[key]}" if alike[key] > 1 else ""
            found.append(Mutant(path, index, fault.kind, fault.scope, fault.line, fault.was, fault.now, key))
    return found


def _key(path: str, fault: Fault) -> str:
    return f"{path} {fault.scope or '-'} {fault.kind}: {fault.was} -> {fault.now}"


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def drawn(mutants: list[Mutant], n: int, seed: int) -> list[Mutant]:
    """``n`` of them at random; the same ones, whatever else is added to the source."""
    return sorted(mutants, key=lambda m: hashlib.sha256(f"{seed} {m.key}".encode()).digest())[:n]


class Kept:
    """A folder with a file for each mutant that is done."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "outcomes"
        self._folder.mkdir(parents=True, exist_ok=True)

    def put(self, outcome: Outcome) -> None:
        file = self._file(outcome.key)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(asdict(outcome), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        new.replace(file)

    def get(self, key: str, digest: str) -> Outcome | None:
        """The outcome of a mutant of this very source."""
        file = self._file(key)
        if not file.exists():
            return None
        outcome = Outcome(**json.loads(file.read_text(encoding="utf-8")))
        return outcome if outcome.digest == digest else None

    def __iter__(self) -> Iterator[Outcome]:
        for file in sorted(self._folder.glob("*.json")):
            yield Outcome(**json.loads(file.read_text(encoding="utf-8")))

    def _file(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:20]}.json"


def equivalents() -> dict[str, str]:
    """The reason of each fault that was found to change nothing, by its key."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for group in listed["same"]:
        found |= dict.fromkeys(group["mutants"], group["reason"])
    return found
