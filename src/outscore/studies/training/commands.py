"""Commands that train a system and let it answer a test set, with places for names of files; training sets drawn."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Literal

import numpy as np

from outscore.base import limits
from outscore.base.arrays import Int
from outscore.base.errors import InputError, UsageError, inflect, join, suggestion
from outscore.base.lazy import dataclass
from outscore.base.rng import stream

PLACES = ("train", "index", "test", "output", "seed", "size", "draw")
"""The names that are filled in where a command has them in braces, as ``{train}``."""

_NAMED = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_+-]*)=(.*)", re.DOTALL)
_PLACE = re.compile(r"\{\{(\w+)\}\}|\{(\w+)\}")
_SHELLS = ("sh", "ash", "bash", "dash", "ksh", "zsh", "fish", "csh", "tcsh")
_ITEM = 200  # bytes of one that is drawn
_ALONE = "system"


@dataclass(frozen=True)
class Trainer:
    """How one system is trained.

    Attributes:
        system: its name, of letters, digits, ``_``, ``+`` and ``-``.
        words: the program and its arguments, with places; ``{{word}}`` stands for ``{word}`` itself.
    """

    system: str
    words: tuple[str, ...]

    def fill(self, values: Mapping[str, str]) -> list[str]:
        """The words with the places filled in; no shell sees them, so a name of a file is never read as code."""
        return [_PLACE.sub(lambda m: f"{{{m[1]}}}" if m[1] else values[m[2]], word) for word in self.words]

    @property
    def places(self) -> set[str]:
        """The places that it has."""
        return {match[2] for word in self.words for match in _PLACE.finditer(word) if match[2]}


def trainers_of(text: str, test: bool) -> tuple[Trainer, ...]:
    """The trainers of ``--run``: one command, or a file with one a line; ``NAME=`` before a command names its system.

    Args:
        test: whether there is a test file, which commands then must use.

    Raises:
        UsageError: a command that cannot be read, has unknown places or lacks one that it needs, or a name twice.
        InputError: there is no such file.
    """
    lines = [line for line in _commands(_content(text)) if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise UsageError(f"--run: {text!r} holds no command")
    found = tuple(_trainer(line, len(lines) > 1, test) for line in lines)
    # the names are those of files, which many disks tell apart by more than upper and lower case only
    names = [one.system.casefold() for one in found]
    again = next((i for i, name in enumerate(names) if name in names[:i]), None)
    if again is not None:
        raise UsageError(
            f"--run: two commands are named {found[again].system!r}, upper and lower case being the same in file names"
        )
    return found


def _content(text: str) -> str:
    # a command has a place for its output, the name of a file has not
    if "{" in text:
        return text
    try:
        return Path(text).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(
            f"no file of commands ({getattr(error, 'strerror', None) or error})",
            file=text,
            remedy="give one, or a command with {train} and {output}",
        ) from None


def _commands(text: str) -> Iterator[str]:
    """The lines, of which those that a quotation goes over are one."""
    held = ""
    for line in text.split("\n"):
        held = f"{held}\n{line}" if held else line
        if held.lstrip().startswith("#") or not _open(held):
            yield held
            held = ""
    if held:
        yield held


def _open(command: str) -> bool:
    try:
        shlex.split(command)
    except ValueError:
        return True
    return False


def _trainer(line: str, several: bool, test: bool) -> Trainer:
    named = _NAMED.fullmatch(line.strip())
    if named is None and several:
        raise UsageError(
            f"--run: write NAME=COMMAND where there are several, with a name of letters and digits: {line}"
        )
    name, command = (named[1], named[2]) if named else (_ALONE, line)
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"--run: {line!r} cannot be read as a shell does ({error})") from None
    trainer = Trainer(name, words)
    _check(trainer, line, test)
    return trainer


def _check(trainer: Trainer, line: str, test: bool) -> None:
    places = trainer.places
    strange = next((place for place in sorted(places) if place not in PLACES), None)
    if strange is not None:
        raise UsageError(
            f"--run: {{{strange}}} is no place{suggestion(strange, PLACES)} (there are: "
            f"{', '.join(f'{{{place}}}' for place in PLACES)}; {{{{{strange}}}}} stands for itself)"
        )
    for one, needed in ((("output",), True), (("train", "index"), True), (("test",), test)):
        if needed and not places & set(one):
            raise UsageError(f"--run: no {' or '.join(f'{{{place}}}' for place in one)} in {line!r}")
    if "test" in places and not test:
        raise UsageError("--run: {test} needs --test FILE")
    if _PLACE.search(trainer.words[0]):
        raise UsageError(f"--run: the program itself cannot be filled in: {line!r}")
    script = _script(trainer.words)
    if script is not None and any(match[2] for match in _PLACE.finditer(script)):
        raise UsageError(
            f"--run: a shell would read names of files as code in {join([script])}; write "
            """sh -c 'train "$1" > "$2"' sh {train} {output}"""
        )


def _script(words: tuple[str, ...]) -> str | None:
    """The code that a shell is given, wherever in the command the shell is called."""
    for place, word in enumerate(words):
        if PurePath(word).name in _SHELLS:
            flags = range(place + 1, len(words) - 1)
            at = next((i for i in flags if re.fullmatch(r"-\w*c", words[i])), None)
            if at is not None:
                return words[at + 1]
    return None


Unit = Literal["line", "block"]
"""The items of a training file: lines, or the lines up to a blank one, as a sentence of CoNLL-U."""


def items_of(data: bytes, unit: Unit) -> list[bytes]:
    """The items of a file; put one after another, some of them are a file of the same kind.

    Every line ends in a line break and every block in a blank line, if the file forgot the last of them or not.
    """
    return list(_lines(data) if unit == "line" else _blocks(data))


def _lines(data: bytes) -> Iterator[bytes]:
    # only \n ends a line: other characters that look like one may stand inside a sentence
    rows = data.split(b"\n")
    yield from (row + b"\n" for row in rows[:-1])
    if rows[-1]:
        yield rows[-1] + b"\n"


def _blocks(data: bytes) -> Iterator[bytes]:
    held: list[bytes] = []
    for line in _lines(data):
        if line.strip():
            held.append(line)
        elif held:
            yield b"".join([*held, line])
            held = []
    if held:
        yield b"".join([*held, b"\n"])


def draw_items(seed: int, size: int, draw: int, n: int, replace: bool) -> Int:
    """The numbers, from 0, of the items of one training set, in the order in which they were drawn.

    Args:
        seed: the user's; each size and draw has a stream of its own, so more of them change no other.
        size: items that are drawn; ``draw``: number of the training set of this size.
        n: items that there are.
        replace: with replacement, as in Berg-Kirkpatrick et al. 2012, §3.2.1; else no item comes twice.
    """
    rng = stream(seed, f"training set of {size}", draw)
    return rng.integers(n, size=size) if replace else rng.permutation(n)[:size]


def training_seed(seed: int, size: int, draw: int) -> int:
    """The seed that a trainer is given, the same for all systems that are trained on one set."""
    return int(stream(seed, f"training of {size}", draw).integers(2**31))


def expect_distinct(n: int, size: int) -> tuple[float, float]:
    """How many of ``n`` items are in a sample of ``size`` with replacement: mean and standard deviation.

    Source: the classical occupancy problem (Feller 1968, §IV.2).
    """
    one, two = (1 - 1 / n) ** size, (1 - 2 / n) ** size if n > 1 else 0.0
    variance = n * one + n * (n - 1) * two - (n * one) ** 2
    return n * (1 - one), float(np.sqrt(max(0.0, variance)))


def sizes_of(text: str) -> tuple[int, ...]:
    """The sizes in a comma list, each once.

    Raises:
        UsageError: what is no positive whole number, or stands there twice.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isascii() and part.isdigit() and int(part) for part in parts):
        raise UsageError(f"--sizes {text!r}: write numbers of items with commas, as 1000,2000")
    sizes = tuple(map(int, parts))
    if len(set(sizes)) < len(sizes):
        raise UsageError(f"--sizes {text!r}: a size is there twice; --count says how many sets each has")
    return sizes


def check_drawable(sizes: tuple[int, ...], count: int, n: int, replace: bool, file: str) -> None:
    """Raises UsageError where so many sets of these sizes cannot be drawn from ``n`` items."""
    if count < 1:
        raise UsageError("--count: at least one training set of each size")
    most = max(sizes)
    limits.check_memory(f"training sets of {most:,} items", _ITEM * most)
    if not replace and most > n:
        raise UsageError(f"a set of {most} needs as many items without replacement; {file} has {inflect(n, 'item')}")
    if not replace and most == n and count > 1:
        raise UsageError(f"without replacement every set of {n} is the whole of {file}: ask for fewer, or --replace")
