"""Pairs of scores as a running evaluation writes them, line by line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import field
from hashlib import sha256

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass

_EXPECTED = "the score of the baseline, a tab and the score of the system, or a JSON object of two scores"


@dataclass
class ScoreStream:
    """Reads ``baseline TAB system``, or JSON objects with two keys, the baseline's first.

    A first line of two names, or the keys, name the systems.

    Attributes:
        lines: where the lines come from; ``file``: what messages call it.
        names: of the baseline and of the system, known after the first pair.
        n_lines: lines read.
    """

    lines: Iterable[str]
    file: str = "-"
    names: tuple[str, str] = ("baseline", "system")
    n_lines: int = 0
    _digest: object = field(default_factory=sha256)

    def __iter__(self) -> Iterator[tuple[float, float]]:
        """Scores ``(baseline, system)``.

        Raises:
            InputError: a line holds something else; the message names it.
        """
        for line in self.lines:
            self.n_lines += 1
            self._digest.update(line.encode("utf-8", errors="surrogateescape"))  # type: ignore[attr-defined]
            pair = self._pair(line)
            if pair is not None:
                yield pair

    @property
    def sha256(self) -> str:
        """Digest of what was read so far."""
        return str(self._digest.hexdigest())  # type: ignore[attr-defined]

    def _pair(self, line: str) -> tuple[float, float] | None:
        if line.lstrip().startswith("{"):
            return self._parse_object(line)
        fields = line.strip("\r\n").split("\t")
        if len(fields) != 2:
            raise self._wrong(line)
        if self.n_lines == 1 and not any(_is_number(field) for field in fields) and all(f.strip() for f in fields):
            self.names = (fields[0].strip(), fields[1].strip())
            return None
        return self._score(fields[0], line), self._score(fields[1], line)

    def _parse_object(self, line: str) -> tuple[float, float]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise self._wrong(line) from None
        if len(found) != 2:
            raise self._wrong(line)
        if self.n_lines == 1:
            first, second = found
            self.names = (first, second)
        if set(found) != set(self.names):
            raise InputError(
                f"keys {', '.join(map(repr, found))}, expected {' and '.join(map(repr, self.names))}",
                file=self.file,
                line=self.n_lines,
                remedy="write the same two keys on every line",
            )
        baseline, system = (self._score(found[name], line) for name in self.names)
        return baseline, system

    def _score(self, value: object, line: str) -> float:
        if isinstance(value, bool) or not _is_number(value):
            raise self._wrong(line)
        return float(value)  # type: ignore[arg-type]

    def _wrong(self, line: str) -> InputError:
        text = line.strip("\r\n")
        found = repr(text[:60]) if text.strip() else "a blank line"
        return InputError(
            f"found {found}, expected {_EXPECTED}",
            file=self.file,
            line=self.n_lines,
            remedy="an item without a score is one that both systems skip, or that scores 0",
        )


def _is_number(value: object) -> bool:
    if isinstance(value, str) and "_" in value:
        return False  # Python takes 1_0 for ten
    try:
        return math.isfinite(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
