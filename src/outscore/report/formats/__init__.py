"""Output formats: one file each, entered by ``@format_("name")`` or by the entry point ``outscore.formats``.

A format is a frozen dataclass with a class attribute ``suffixes`` and a method
``render(result, *, decimals=None) -> str``; its fields are its options, of which the command line fills those that are
called ``detail``, ``all``, ``around``, ``plain``, ``raw``, ``columns``, ``gate`` or ``color``. A class attribute
``has_notes`` of False says that it leaves the notes out: the command line then says on stderr how files were read; a
``has_tables`` of False that it has at most the first table: the command line then says what else was asked for.
"""

from __future__ import annotations

import os
from pathlib import PurePath

from outscore.base.errors import UsageError
from outscore.results.result import formats

format_ = formats.register

PICTURES = (".svg", ".pdf", ".png")
"""Suffixes of files that hold the main picture alone, as a paper has it."""


def format_for(path: str | os.PathLike[str]) -> str:
    """The name of the format that writes files with the suffix of ``path``, upper or lower case.

    Raises:
        UsageError: no format has that suffix; the message lists those that exist.
    """
    known = {suffix: name for name, cls in formats for suffix in getattr(cls, "suffixes", ())}
    suffix = PurePath(path).suffix.lower()
    if suffix not in known:
        what = f"suffix {suffix!r}" if suffix else "no suffix"
        raise UsageError(f"{os.fspath(path)}: {what}; an output file ends in {', '.join(sorted({*known, *PICTURES}))}")
    return known[suffix]
