"""Limits on what one command may ask of the machine, each with a name by which it is raised.

They stop what is a slip or an attack, not what is large: a compressed file that unpacks to thousands of times its
size, a billion resamples, work of weeks. ``--limit hours=100,unpacked=10e9`` raises them for one command, and
OUTSCORE_LIMIT=hours=100 for all, in Python too; it is the environment that holds them, so that workers know them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from outscore.base.errors import InputError, OutscoreError, UsageError, inflect

VARIABLE = "OUTSCORE_LIMIT"
OPTION = "--limit"
LIMITS = {
    "resamples": (1e8, "resamples of one test, and what else an option counts"),
    "hours": (48.0, "hours of work, as estimated after some seconds of it"),
    "memory": (0.75, "bytes of resamples held at once; below 1 a share of what the machine has"),
    "unpacked": (4e9, "bytes of a compressed file when unpacked, where they are more than 200 times the packed ones"),
    "members": (1e5, "members of an archive"),
    "cells": (5e4, "cells, points or bars of a picture"),
    "depth": (1e3, "brackets of JSON inside one another, up to 2,000"),
    "line": (1e7, "characters of a line"),
    "columns": (2e4, "columns of a table"),
    "systems": (1e4, "systems"),
    "seconds": (600, "seconds of a query of a database"),
    "pairs": (1e7, "pairs of systems, times metrics"),
    "words": (2e8, "words of an output, times words of its reference, where a metric compares each with each"),
}
"""The default of each limit, and what it counts."""

DEEPEST, _FRAMES = 2000, 200
"""Brackets that a stack of half a megabyte holds, and what else is on it."""

_UNPACKED_FREE, _RATIO = 64_000_000, 200
"""Bytes that a compressed file may always make, and how many times its size: text rarely shrinks to a fiftieth."""


@contextmanager
def raise_to(texts: Sequence[str]) -> Iterator[None]:
    """Raises limits for a while, in this process and in those that it starts.

    Args:
        texts: each ``name=number``, commas between several.

    Raises:
        UsageError: no such limit, or no number.
    """
    before, deepest = os.environ.get(VARIABLE), sys.getrecursionlimit()
    if texts or before:
        os.environ[VARIABLE] = ",".join((before or "", *(text or "nothing" for text in texts)))
    try:
        # refuses what is none; JSON is read by recursion, and 2,000 brackets fill no stack, of a thread neither
        sys.setrecursionlimit(max(deepest, _FRAMES + int(allowed("depth"))))
        yield
    finally:
        sys.setrecursionlimit(deepest)
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before


def allowed(name: str) -> float:
    """The largest number that is allowed.

    Raises:
        UsageError: the environment names no limit, or no number.
    """
    found = LIMITS[name][0]
    for part in filter(None, os.environ.get(VARIABLE, "").split(",")):
        of, _, text = part.partition("=")
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if of.strip() not in LIMITS or not number > 0:
            known = ", ".join(f"{key} ({said}: {default:g})" for key, (default, said) in LIMITS.items())
            raise UsageError(f"{OPTION} {part!r}: expected NAME=NUMBER, where NAME is one of {known}")
        if of.strip() == name:
            found = number
    if name == "depth" and not LIMITS[name][0] <= found <= DEEPEST:
        raise UsageError(f"{OPTION} depth={found:g}: expected {LIMITS[name][0]:g} to {DEEPEST}")
    return found


def raised(name: str, needed: float) -> str:
    """The option that allows what is needed, for an error to name."""
    digits = f"{needed:.2g}"
    more = needed * 1.1 if float(digits) < needed else float(digits)
    return f"{OPTION} {name}={more:.2g}"


def check_resamples(number: int) -> None:
    """Refuses more resamples than anybody means.

    Raises:
        UsageError: more than the limit.
    """
    if number > allowed("resamples"):
        raise UsageError(
            f"n_resamples={number}: expected {allowed('resamples'):,.0f} or fewer: BLEU of 3,000 items takes some "
            f"{inflect(round(number / _EACH_MINUTE), 'minute')} and {_BYTES * number / 1e9:,.0f} GB for each pair; "
            f"{raised('resamples', number)} allows more"
        )


def check_jobs(number: int) -> None:
    """Refuses more processes than any machine has cores.

    Raises:
        UsageError: more than a thousand.
    """
    if number > _MOST_JOBS:
        raise UsageError(f"jobs={number}: expected {_MOST_JOBS:,} or fewer")


def check(name: str, number: float, what: str, file: str | None = None) -> None:
    """Refuses more than the limit of this name.

    Raises:
        InputError: the line says what has more.
    """
    if number > allowed(name):
        raise InputError(
            f"{what}: {number:,.0f} {LIMITS[name][1]}, expected {allowed(name):,.0f} or fewer",
            file=file,
            remedy=f"if it is what you expect, allow it with {raised(name, number)}",
        )


def check_words(output: int, reference: int, at_once: int = 1) -> None:
    """Refuses texts that a metric would compare word by word for hours.

    Args:
        output: its words, or characters; ``reference``: those of the reference.
        at_once: of a reference, those that are compared in one step.

    Raises:
        InputError: more words than the limit.
    """
    check("words", output * reference / at_once, f"a text of {output:,} words beside one of {reference:,}")


def check_hours(what: str, spent: float, share: float) -> None:
    """Refuses to go on with work that would take too long.

    Args:
        what: name of the work.
        spent: seconds so far, for the ``share`` of the work, above 0.

    Raises:
        TooMuchError: more than the limit.
    """
    hours = spent / share / 3600
    if hours > allowed("hours"):
        raise TooMuchError(
            f"the {what} would take about {hours:,.3g} hours; ask for fewer, or allow it with {raised('hours', hours)}"
        )


def check_cells(number: int) -> None:
    """Refuses a picture that nobody could see.

    Raises:
        TooMuchError: it has more marks than the limit.
    """
    if number > allowed("cells"):
        raise TooMuchError(
            f"the picture would have {number:,} {LIMITS['cells'][1].removesuffix(' of a picture')}, and "
            f"{allowed('cells'):,.0f} are allowed: draw fewer systems, or allow it with {raised('cells', number)}"
        )


def check_memory(what: str, needed: float) -> None:
    """Refuses to begin what does not fit.

    Raises:
        TooMuchError: more bytes than the limit; it says how many would fit.
    """
    limit = allowed("memory")
    if limit <= 1:
        has = _memory()
        limit = limit * has if has else needed
    if needed > limit:
        raise TooMuchError(
            f"the {what} would hold {needed / 1e9:,.1f} GB, and {limit / 1e9:,.1f} GB are allowed: ask for some "
            f"{limit / needed:.1%} of them, or allow it with {raised('memory', needed)}"
        )


def check_unpacked(made: int, packed: int, file: str, free: int | None = None) -> None:
    """Refuses compressed data that make far more than any text does, while they are unpacked.

    Args:
        made: bytes so far, of ``packed`` ones.
        free: bytes that any file may make, if not those of texts.

    Raises:
        InputError: they have made too much.
    """
    if (
        made > (_UNPACKED_FREE if free is None else free)
        and (made > _RATIO * packed or made > allowed("unpacked"))
        and not _named("unpacked", made)
    ):
        raise InputError(
            f"unpacks to more than {made / 1e6:,.0f} MB, and has {packed / 1e6:,.1f} MB",
            file=file,
            remedy=f"if it is what you expect, allow it with {OPTION} unpacked=BYTES",
        )


_MOST_JOBS = 1000
_EACH_MINUTE, _BYTES = 1e8, 16
"""Resamples of BLEU that a core of 2024 makes in a minute, and bytes of each."""


class TooMuchError(OutscoreError):
    """The work would take too long, or would not fit."""


def _named(name: str, number: float) -> bool:
    """Is so much allowed by name, not by default?"""
    return f"{name}=" in os.environ.get(VARIABLE, "") and number <= allowed(name)


def _memory() -> float:
    """Bytes that the machine has; 0 where it does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0.0
