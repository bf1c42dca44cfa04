"""Printed results of other programs: corpus scores, intervals and p-values, read from what was saved of it."""

from __future__ import annotations

import re

from outscore.base.errors import InputError
from outscore.data.printed import multeval, sacrebleu
from outscore.data.printed.records import REMEDY, PrintedFile
from outscore.data.source import open_source

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_MOST_SYSTEMS = 10_000


def read_printed(file: str) -> PrintedFile:
    """Read the results that another program printed.

    Args:
        file: name of the file; ``-`` for the standard input.

    Raises:
        InputError: it cannot be read, or is neither program's.
    """
    source = open_source(file)
    text = _COLOUR.sub("", source.text)
    found = multeval.read(text, source) if multeval.sniff(text) else sacrebleu.read(text, source)
    if not found.rows:
        raise InputError("found no score in it", file=source.file, remedy=REMEDY)
    if len(found.systems) > _MOST_SYSTEMS:
        raise InputError(f"found {len(found.systems)} systems", file=source.file, remedy=REMEDY)
    named = [(row.system, row.metric) for row in found.rows]
    twice = next((one for one in named if named.count(one) > 1), None) if len(set(named)) < len(named) else None
    if twice is not None:
        raise InputError(
            f"holds {twice[0]!r} twice under {twice[1]}", file=source.file, remedy="leave one table in the file"
        )
    return found
