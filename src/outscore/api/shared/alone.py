"""What is said where there is nothing to compare a system with."""

from __future__ import annotations

from outscore.base.errors import UsageError, shown
from outscore.data.run import Aligned


def check_several(data: Aligned) -> None:
    """Refuses one system, and says what else in its file may have been meant for systems.

    Raises:
        UsageError: there is one system.
    """
    if len(data.systems) > 1:
        return
    columns = list(next(iter(data.cells.values())).columns)
    more = next((f"; {note.text}" for note in data.notes if note.code == "columns_describe"), "")
    if not more and len(columns) > 1:
        more = (
            f"; its columns {shown(columns, 3)} were taken for measures of it: -c system=@columns if they are systems"
        )
    raise UsageError(f"one system ({data.systems[0]!r}) cannot be compared: give at least two{more}")
