"""Refusal of a single system, which has nothing to be compared with."""

from __future__ import annotations

from pathlib import PurePath

from outscore.base.errors import UsageError, join
from outscore.data.dataset import Dataset


def check_several(*parts: Dataset, lacks: str = "cannot be compared") -> None:
    """Refuses one system, and says what else in its file may have been meant for systems.

    Args:
        parts: the data, aligned apart where systems have items of their own.
        lacks: the thing that cannot be done with one.

    Raises:
        UsageError: there is one system.
    """
    if sum(len(part.systems) for part in parts) > 1:
        return
    (data,) = parts
    columns = list(next(iter(data.by_run.values())).columns)
    said = {note.code: f"; {note.text}" for note in data.notes}
    more = said.get("columns_describe", "")
    folders = {str(PurePath(source.file).parent) for source in data.sources if source.role == "system"}
    if "runs_made_otherwise" in said:
        more = f"{said['runs_made_otherwise']}: leave out its name"
    elif len(folders) > 1:
        more = f"; its files are in {join(sorted(folders), 3)}: give those of each system as NAME=PATTERN"
    if not more and len(columns) > 1:
        more = f"; its columns {join(columns, 3)} were taken for measures of it: -c system=@columns if they are systems"
    raise UsageError(f"one system ({data.systems[0]!r}) {lacks}: give at least two{more}")
