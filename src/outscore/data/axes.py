"""The named axes of a data frame of pandas: levels of its index that are columns, columns that are items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outscore.base.errors import InputError, shown
from outscore.data.choices import COLUMNS, ColumnChoice
from outscore.data.columns import ITEM, LABELS, METRIC, OUTPUT, REFERENCE, RUN, SAMPLE, SYSTEM, number, texts

_ROLES = frozenset((*SYSTEM, *RUN, *SAMPLE, *METRIC, *OUTPUT))
"""Names of an index that name no items."""
_NAMED = _ROLES | LABELS.union(ITEM)
"""Names that say what a level is for."""


@dataclass(frozen=True)
class Axes:
    """Levels of the axes of a data frame, and their meaning for its columns.

    Attributes:
        levels: columns that stand in the index, by name.
        choices: what is said of the columns: that they are items, or describe them.
        counts: the index names the items, or only counts the rows, where no column names them.
    """

    levels: Mapping[str, list[Any]] = field(default_factory=dict)
    choices: tuple[ColumnChoice, ...] = ()
    counts: bool = True


def axes_of(native: Any, names: list[str], file: str) -> Axes:
    """The axes of a data frame; those of a frame without an index say nothing.

    Args:
        native: the frame as the user gave it.
        names: its columns.
        file: name for messages.

    Raises:
        InputError: a level of the index and a column of the same name hold different things, or nothing says whether
            the rows or the columns are the systems.
    """
    index: Any = getattr(native, "index", None)
    if index is None or callable(index) or not hasattr(index, "get_level_values"):
        return Axes()
    items = {name.lower() for name in names} & set(ITEM)
    across = _called(getattr(native.columns, "name", None)) in ITEM and not items
    levels: dict[str, list[Any]] = {}
    several = index.nlevels > 1 and any(name is not None for name in index.names)
    for i, name in enumerate(index.names if several else [index.names[0] if index.nlevels == 1 else None]):
        cells = list(index.get_level_values(i)) if several else list(index)
        counting = name is None and type(index).__name__ == "RangeIndex"
        if several:
            called = f"level_{i}" if name is None else str(name)
            cells = cells if name is not None else [str(cell) for cell in cells]
        elif _called(name) in _ROLES or REFERENCE.fullmatch(_called(name)) or (name is not None and items):
            called = str(name)
        elif counting or items:
            continue
        else:
            called = "system" if across else "item"
        if called not in names:
            levels[called] = cells
        elif texts(cells) != texts(list(native[called] if called in native.columns else [])):
            raise InputError(
                f"its index and its column {called!r} have the same name, and hold different values",
                file=file,
                remedy="give every one a name of its own",
            )
    if not across and "item" in levels and index.names[0] is None:
        _check_upright(native, levels["item"], file)
    known = items or any(_called(name) in ITEM for name in levels)
    turned = across and not known
    # a level of another name is no system, whatever it holds
    others = [name for name in levels if not (_called(name) in _NAMED or REFERENCE.fullmatch(_called(name)))]
    choices = [ColumnChoice("label", (name,)) for name in others]
    choices += [ColumnChoice("item", (COLUMNS,))] if turned else []
    return Axes(levels, tuple(choices), counts=not several and not turned and set(levels) <= {"item"})


def _called(name: object) -> str:
    return "" if name is None else str(name).lower()


def _check_upright(native: Any, rows: list[Any], file: str) -> None:
    """Refuses columns that are only counted beside rows with names, as of a frame of systems x items."""
    columns = list(native.columns)
    counted = len(columns) > 1 and all(type(one) is int for one in columns) and columns == list(range(len(columns)))
    if native.columns.name is not None or not counted or all(number(row) is not None for row in texts(rows)):
        return
    raise InputError(
        f"its columns are called {shown(columns, 3)} and its rows {shown(texts(rows), 3)}: either may be the systems",
        file=file,
        remedy="say .rename_axis(index='system', columns='item') if the rows are the systems, or "
        ".rename_axis(columns='system') if the columns are",
    )
