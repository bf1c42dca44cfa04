"""stdout and stderr: what is said, and the progress of long work."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from outscore.base.errors import InputError


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
def progress(quiet: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """A callback that is told (what, done, of) and draws bars; None when quiet, piped, or in CI."""
    if quiet or not sys.stderr.isatty() or "CI" in os.environ:
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, TaskID

    with Progress(console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(what: str, done: int, of: int) -> None:
            if what not in tasks:
                # a metric can be a column of the user's, and its name anything
                tasks[what] = bars.add_task(escape("".join(filter(str.isprintable, what))), total=of)
            bars.update(tasks[what], completed=done, total=of)

        yield show
