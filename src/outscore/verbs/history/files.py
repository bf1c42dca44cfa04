"""Histories carried between files, and checked."""

from __future__ import annotations

import os
from pathlib import Path

from outscore.base.errors import InputError
from outscore.base.files import write_whole
from outscore.data.history import jsonl
from outscore.data.history.store import open_history

_File = str | os.PathLike[str]


def export_history(file: _File, to: _File) -> int:
    """Writes every use of a history to a file of text (JSONL); how many.

    Raises:
        InputError: the history is missing or damaged, or the other file cannot be written.
    """
    with open_history(Path(file)) as store:
        sets = {one.digest: one for one in store.sets()}
        kept = store.list_uses()
    lines = jsonl.format_lines((sets[one.comparison.test_set], one.comparison) for one in kept)
    write_whole(Path(to), "".join(f"{line}\n" for line in lines))
    return len(kept)


def import_history(file: _File, source: _File) -> tuple[int, int]:
    """Adds what ``export_history`` wrote to a history: all of it, or nothing where a line is wrong.

    Uses that are there already are left out, so it may be done again and again; the others come after those that are
    there, and change none of their levels.

    Returns:
        How many were added, and how many were there.

    Raises:
        InputError: the file is missing, or a line of it is wrong; the history cannot be written.
    """
    try:
        text = Path(source).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read ({error.strerror})", file=str(source)) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", file=str(source)) from None
    # not splitlines, which also breaks at characters that JSON may hold as they are
    uses = list(jsonl.read(text.removesuffix("\n").split("\n"), str(source)))
    with open_history(Path(file), new=True) as store, store.transaction():
        new = [store.add(known, [use], sharpen=False)[0] for known, use in uses]
    return sum(new), len(new) - sum(new)


def check_history(file: _File) -> tuple[int, list[str]]:
    """How many comparisons a history holds, and what is wrong with it, one line each.

    Raises:
        InputError: it is missing, or so damaged that it cannot be read.
    """
    with open_history(Path(file)) as store:
        return len(store.list_uses()), store.faults()
