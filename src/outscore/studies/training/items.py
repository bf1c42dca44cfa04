"""Training sets drawn from one: items of a file, which of them are drawn, and how many differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import UsageError, inflect
from outscore.base.rng import stream

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
    if not replace and most > n:
        raise UsageError(f"a set of {most} needs as many items without replacement; {file} has {inflect(n, 'item')}")
    if not replace and most == n and count > 1:
        raise UsageError(f"without replacement every set of {n} is the whole of {file}: ask for fewer, or --replace")
