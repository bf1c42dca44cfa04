"""What is said where there is nothing to compare a system with."""

from __future__ import annotations

from outscore.base.errors import UsageError, shown
from outscore.data.run import Aligned


def check_several(*parts: Aligned, lacks: str = "cannot be compared") -> None:
    """Refuses one system, and says what else in its file may have been meant for systems.

    Args:
        parts: the data, aligned apart where systems have items of their own.
        lacks: what cannot be done with one.

    Raises:
        UsageError: there is one system.
    """
    if sum(len(part.systems) for part in parts) > 1:
        return
    (data,) = parts
    columns = list(next(iter(data.cells.values())).columns)
    more = next((f"; {note.text}" for note in data.notes if note.code == "columns_describe"), "")
    if not more and len(columns) > 1:
        more = (
            f"; its columns {shown(columns, 3)} were taken for measures of it: -c system=@columns if they are systems"
        )
    raise UsageError(f"one system ({data.systems[0]!r}) {lacks}: give at least two{more}")
