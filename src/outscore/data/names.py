"""Names of systems that nobody could tell apart, and runs that are copies of one another."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from outscore.base.errors import InputError, shown
from outscore.base.notes import Note
from outscore.data.run import Run

_MOST = 3
_INVISIBLE = ("Cf", "Cc")
"""Classes of characters that a table does not show: marks of direction, joiners, soft hyphens."""


def by_system(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """The runs of each system, in the order given.

    Raises:
        InputError: two systems have names that look the same: they differ in blanks, or in how letters are coded. Both
            are given as they are written.
    """
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.system, []).append(run)
    looks: dict[str, str] = {}
    for system, (first, *_) in found.items():
        other = looks.setdefault(_look(system), system)
        if other != system:
            raise InputError(
                f"the systems {_written(other)} and {_written(system)} look the same",
                file=first.source.file,
                remedy="give a system one name everywhere, and two systems names that differ in what is seen",
            )
    return found


def _written(name: str) -> str:
    """A name with escapes for whatever cannot be seen; messages have one blank where there are several."""
    return ascii(name).replace("  ", " \\x20")


def _look(name: str) -> str:
    """A name as it is seen: letters composed, no invisible characters, one blank where there are several."""
    plain = unicodedata.normalize("NFC", name)
    visible = "".join(
        " " if c.isspace() else c for c in plain if c.isspace() or unicodedata.category(c) not in _INVISIBLE
    )
    return " ".join(visible.split())


def copies(runs: Sequence[Run]) -> list[Note]:
    """A note where files of a system's runs have the same content, as a pattern that catches copies makes them."""
    by_content: dict[tuple[str, str], dict[str, str]] = {}
    for run in runs:
        by_content.setdefault((run.system, run.source.sha256), {}).setdefault(run.source.file, run.run)
    found = [(system, files) for (system, _), files in by_content.items() if len(set(files.values())) > 1]
    if not found:
        return []
    said = "; ".join(f"{shown(files)} of {system!r}" for system, files in found[:_MOST])
    more = f"; and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return [
        Note(
            code="runs_alike",
            text=f"files of several runs have the same content: {said}{more}",
            remedy="narrow the pattern if they are copies: runs that vary in nothing say nothing of new runs",
        )
    ]
