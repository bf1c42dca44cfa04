"""stdout and stderr: what is said, the progress of long work, and how files were read."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from outscore.base.errors import InputError, inflect
from outscore.base.text import clean

if TYPE_CHECKING:
    from outscore.base.notes import Note


_SILENT = 15.0
"""Seconds after which long work says how far it is."""
_DRAWN, _BAR, _MOST = 0.1, 10, 8
"""Seconds between pictures of it on a terminal; columns of a bar; bars at once."""


class ReaderLeftError(Exception):
    """Whoever read our output has left (``| head``): nothing is wrong, and nothing more can be said."""


def print_now(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Prints at once.

    Raises:
        ReaderLeftError: nobody reads any more.
        InputError: it cannot be written, as on a full disk.
    """
    try:
        click.echo(text, nl=nl, err=err, color=True)
        (sys.stderr if err else sys.stdout).flush()
    except OSError as error:
        # Windows has no EPIPE: it is an invalid argument there, as the subprocess module of Python knows too
        if error.errno in (errno.EPIPE, errno.EINVAL):
            raise ReaderLeftError from None
        # what is still in the buffer would fail once more when Python ends
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), (sys.stderr if err else sys.stdout).fileno())
        raise InputError(
            f"cannot write to the standard {'error' if err else 'output'} ({error.strerror})",
            remedy="make room, or write elsewhere with -o FILE",
        ) from None


@contextmanager
def progress(quiet: bool, more: str = "") -> Iterator[Callable[[str, int, int], None] | None]:
    """A callback that is told (what, done, of): draws bars, or says lines now and then with ``more``; None if quiet."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty() or "CI" in os.environ or os.environ.get("TERM") == "dumb":
        yield _tell(more)
        return
    from outscore.report.text import terminal_columns, wrap

    lines: dict[str, str] = {}
    speed, shown, due = _clock(), 0, time.monotonic() + _DRAWN

    def draw() -> None:
        nonlocal shown, due
        up = f"\x1b[{shown}A" if shown else ""
        last = [f"{wrap(line, terminal_columns(sys.stderr) - 1)[0]}\n" for line in list(lines.values())[-_MOST:]]
        print_now(f"{up}\r\x1b[J{''.join(last)}", nl=False, err=True)
        shown, due = len(last), time.monotonic() + _DRAWN

    def show(what: str, done: int, of: int) -> None:
        bar = "#" * (_BAR * done // max(of, 1))
        lines[what] = f"[{bar:-<{_BAR}}] {_say(what, done, of, speed(what, done, of))}"
        if done >= of:
            del lines[what]
        if time.monotonic() > due:
            draw()

    try:
        yield show
    finally:
        lines.clear()
        if shown:
            draw()


def _tell(more: str) -> Callable[[str, int, int], None]:
    said = time.monotonic()
    speed = _clock()

    def tell(what: str, done: int, of: int) -> None:
        nonlocal said
        rate = speed(what, done, of)
        if done < of and time.monotonic() - said > _SILENT:
            said = time.monotonic()
            print_now(_say(what, done, of, rate) + f" of this step{more}" * (rate > 0), err=True)

    return tell


def _say(what: str, done: int, of: int, rate: float) -> str:
    left = f", {_say_rate(rate)}, {_say_time((of - done) / rate)} left" if rate else ""
    return f"{clean(what)}: {done:,} of {of:,}{left}"


def _clock() -> Callable[[str, int, int], float]:
    """How much of a step is done in a second, since it was first heard of; 0 where that is not known."""
    heard: dict[tuple[str, int], tuple[float, int, int]] = {}

    def speed(what: str, done: int, of: int) -> float:
        start, before, last = heard.get((what, of), (0.0, 0, of + 1))
        if done < last:  # another step of the same work
            start, before = time.monotonic(), done
        heard[what, of] = start, before, done
        spent = time.monotonic() - start
        return (done - before) / spent if done > before and spent > 0 else 0.0

    return speed


def _say_rate(rate: float) -> str:
    if not rate:
        return ""
    if rate >= 100:
        return f"{float(f'{rate:.3g}'):,.0f} a second"
    return f"{rate:.3g} a second" if rate >= 1 else f"{60 * rate:,.2g} a minute"


def _say_time(seconds: float) -> str:
    if seconds < 90:
        return inflect(round(seconds), "second")
    return f"{seconds / 60:,.0f} minutes" if seconds < 5400 else f"{seconds / 3600:,.1f} hours"


def print_notes(notes: Iterable[Note]) -> None:
    """Prints notes on stderr, a line each."""
    for note in notes:
        click.echo(clean("; ".join(filter(None, (f"note: {note.text}", note.remedy)))), err=True)
