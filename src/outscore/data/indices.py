"""The meaning of the indices and columns of data frames: which rows are which item, and names that stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations
from shlex import quote
from typing import Any, TypeVar

from outscore.base.errors import InputError, begin, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.choices import COLUMNS, ColumnChoice
from outscore.data.columns import ITEM, LABELS, METRIC, OUTPUT, REFERENCE, RUN, SAMPLE, SYSTEM, number, texts
from outscore.data.measures import fold
from outscore.data.run import Gold, Run, Stream

_Holder = TypeVar("_Holder", Run, Gold)
_BY_POSITION = Note(
    code="index_by_position",
    text="the indices of the data share no label, so items were matched by position",
    remedy="say so with .reset_index(drop=True), or give the same items the same labels",
)


_NAMES = re.compile(
    "(?!(trace|request|response|run|call|session|pred|label|answer)_)(.*_)?(ids?|idx|n[or]|key|[gu]?uid)|uuid|"
    "input|prompt|query|text|file(_?name)?|utt|utterance|example|name"
)


class Index(tuple[str, ...]):
    """Ids of items from an index of pandas, which may be names or no more than the count of rows."""

    __slots__ = ()


def index_of(value: object) -> Index | None:
    """The labels of a pandas object; None for what has none."""
    index: Any = getattr(value, "index", None)
    if index is None or callable(index) or not hasattr(value, "__array__"):
        return None
    return Index(texts([label.item() if hasattr(label, "item") else label for label in index]))


def resolve(runs: Sequence[Run], golds: Sequence[Gold], *, missing: str) -> tuple[tuple[Run, ...], tuple[Gold, ...]]:
    """The same, with indices kept as ids where they name the items, and gone where position is meant.

    Of the same labels, in whatever order, the items are matched by label. Where all agree in order, things without
    labels (lists, arrays) stand beside them by position, unless the labels count rows that were put into another order.
    Where no label is shared, position is all there is.

    Args:
        missing: by ``error`` labels that are shared in part are refused; else they were meant.

    Raises:
        InputError: labels that are shared in part, or a list beside rows in another order: neither reading is safe.
    """
    holders: list[Run | Gold] = [*runs, *golds]
    if not any(isinstance(holder.ids, Index) for holder in holders):
        return tuple(runs), tuple(golds)
    named = {holder.ids: None for holder in holders if holder.ids is not None}
    orders = list(named)
    if len(orders) == 1:
        bare = any(holder.ids is None for holder in holders)
        if bare and _counts_in_another_order(orders[0]):
            raise _reorder_error(holders)
        cut = _find_without if bare or _counts(orders[0]) else _find_plain
        return cut(runs), cut(golds)
    labels = [frozenset(ids) for ids in orders]
    if all(one == labels[0] for one in labels):
        return _find_plain(runs), _find_plain(golds)
    if all(one.isdisjoint(other) for i, one in enumerate(labels) for other in labels[:i]):
        return tuple(run.with_notes(_BY_POSITION) for run in _find_without(runs)), _find_without(golds)
    if missing != "error":
        return _find_plain(runs), _find_plain(golds)
    raise _refusal([holder for holder in holders if holder.ids is not None])


def find_ids(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[Sequence[Run], Sequence[Gold]]:
    """The same; of files without ids, whose rows stand in different order, with ids from the column that names them.

    Raises:
        InputError: a column that may name the rows has other values in a file, or the same in another order.
    """
    holders: list[Run | Gold] = [*runs, *(gold for gold in golds if gold.ids is None and gold.labels)]
    own = [(*run.references, ())[0] for run in runs]
    if any(run.ids is not None for run in runs) or (len(holders) == len(runs) and _agree(own)):
        return runs, golds
    columns = [*map(_columns, holders)]
    wrong: list[InputError] = []
    for name in dict.fromkeys(name for of in columns for name in of):
        every = [of.get(name, ()) for of in columns]
        named = may_name_rows(name)
        if any(name in run.columns for run in runs):  # 7 beside 7.0 or 007
            every = [tuple(texts([number(cell) for cell in of])) for of in every]
        elif _agree(every):
            return runs, golds
        have = [of for of in every if of]
        first = next(iter(have), ())
        odd = next((i for i, of in enumerate(every) if of[: len(first)] != first[: len(of)]), None)
        if odd is None or name.lower() in LABELS or not all(map(tells_apart, have)):
            continue
        if named and all(len({*of}) == len(first) == len(of) and {*of} == {*first} for of in every):
            ids = dict(zip(map(id, holders), every, strict=True))
            return [_name_rows(run, name, ids) for run in runs], [_name_rows(gold, name, ids) for gold in golds]
        if named or sorted(first) == sorted(every[odd]):
            wrong.append(_order_error(name, holders[every.index(first)], holders[odd], first, every[odd]))
    if wrong:
        raise wrong[0]
    return runs, golds


def may_name_rows(name: str) -> bool:
    """Whether a column of this name mostly names the items, where most of its cells differ."""
    return _NAMES.fullmatch(fold(name)) is not None


def tells_apart(cells: Sequence[str]) -> bool:
    """Whether most cells of a column differ, so that rows in another order show."""
    return 2 * len(set(cells)) > len(cells)


def _agree(every: Sequence[Stream]) -> bool:
    """Whether all files have the same cells, in one order that they tell."""
    return tells_apart(every[0]) and all(of is every[0] or of == every[0] for of in every)


def _columns(holder: Run | Gold) -> dict[str, Stream]:
    """The descriptions of items, and numbers that name them, as texts."""
    numbers = holder.columns if isinstance(holder, Run) else {}
    named = {name: tuple(texts(of.tolist())) for name, of in numbers.items() if may_name_rows(name)}
    return {**holder.labels, **named}


def _name_rows(holder: _Holder, name: str, ids: Mapping[int, Stream]) -> _Holder:
    """The same with ids of a column, which is none any more."""
    parts = ("labels", "columns") if isinstance(holder, Run) else ("labels",)
    rest: dict[str, Any] = {p: {of: c for of, c in getattr(holder, p).items() if of != name} for p in parts}
    return replace(holder, ids=ids[id(holder)], **rest) if id(holder) in ids else holder


def _order_error(name: str, first: Run | Gold, other: Run | Gold, ours: Stream, theirs: Stream) -> InputError:
    row = next(i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b)
    remedy = f"-c item={quote(name)} joins the rows by it, -c item=@row in the order in which they stand"
    if other.source.reader == "python":
        remedy = "call it item to join the rows by it, or leave it out to join them in the order in which they stand"
    return InputError(
        f"no column is known to name the items, and in row {row + 1} {name!r} is {begin(theirs[row])!r} here but "
        f"{begin(ours[row])!r} in {first.source.file}",
        file=other.source.file,
        remedy=remedy,
    )


def _counts_in_another_order(ids: Sequence[str]) -> bool:
    return not _counts(ids) and len(set(ids)) == len(ids) and set(ids) == {str(i) for i in range(len(ids))}


def _reorder_error(holders: Sequence[Run | Gold]) -> InputError:
    """Error of a list beside the rows of a frame that were shuffled or sorted."""
    first = next(holder for holder in holders if isinstance(holder.ids, Index))
    bare = next(holder for holder in holders if holder.ids is None)
    shown_first = ", ".join((first.ids or ())[:3])
    return InputError(
        f"its index counts rows in another order ({shown_first}, ...), and {bare.source.file} has no labels: which of "
        "them is which item?",
        file=first.source.file,
        remedy=".sort_index() if the others are in the old order, .reset_index(drop=True) if they are in the new one",
    )


def _refusal(holders: Sequence[Run | Gold]) -> InputError:
    """Error of labels that are neither the same in all nor shared by none, shown by two that differ.

    Two that share a part are named first; where there are none, two share all their labels and a third has others.
    """
    pairs = [
        (first, other, frozenset(first.ids or ()), frozenset(other.ids or ()))
        for first, other in combinations(holders, 2)
    ]
    differing = [pair for pair in pairs if pair[2] != pair[3]]
    first, other, ours, theirs = next((p for p in differing if not p[2].isdisjoint(p[3])), differing[0])
    if ours.isdisjoint(theirs):
        said = f"its index shares no label with that of {first.source.file}, though others do"
        remedy = "give the same items the same labels"
    else:
        remedy = "missing='drop' compares the items whose labels all have"
        lacking = sorted(ours ^ theirs)
        said = (
            f"its index shares only a part of its labels with that of {first.source.file}: {join(lacking, 3)} "
            f"{'is' if len(lacking) == 1 else 'are'} in one of them"
        )
    return InputError(said, file=other.source.file, remedy=f"{remedy}; .reset_index(drop=True) goes by position")


def resolve_apart(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[tuple[Run, ...], tuple[Gold, ...]]:
    """The same for independent samples, which need no label in common: indices that only count rows name nothing."""
    holders: list[Run | Gold] = [*runs, *golds]
    names = [ids for holder in holders if isinstance(ids := holder.ids, Index)]
    cut = _find_without if all(map(_counts, names)) else _find_plain
    return cut(runs), cut(golds)


def _counts(ids: Sequence[str]) -> bool:
    return all(name == str(i) for i, name in enumerate(ids))


def _find_without(holders: Iterable[_Holder]) -> tuple[_Holder, ...]:
    return tuple(replace(h, ids=None) if isinstance(h.ids, Index) else h for h in holders)


def _find_plain(holders: Iterable[_Holder]) -> tuple[_Holder, ...]:
    return tuple(replace(h, ids=tuple(h.ids)) if isinstance(h.ids, Index) else h for h in holders)


_ROLES = frozenset((*SYSTEM, *RUN, *SAMPLE, *METRIC, *OUTPUT))
"""Names of an index that name no items."""
_NAMED = _ROLES | LABELS.union(ITEM)
"""Names that say what a level is for."""


@dataclass(frozen=True)
class Axes:
    """The meaning of the axes of a data frame.

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
    across = _name_axis(getattr(native.columns, "name", None)) in ITEM and not items
    levels: dict[str, list[Any]] = {}
    several = index.nlevels > 1 and any(name is not None for name in index.names)
    for i, name in enumerate(index.names if several else [index.names[0] if index.nlevels == 1 else None]):
        cells = list(index.get_level_values(i)) if several else list(index)
        counting = name is None and type(index).__name__ == "RangeIndex"
        if several:
            called = f"level_{i}" if name is None else str(name)
            cells = cells if name is not None else [str(cell) for cell in cells]
        elif _name_axis(name) in _ROLES or REFERENCE.fullmatch(_name_axis(name)) or (name is not None and items):
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
    known = items or any(_name_axis(name) in ITEM for name in levels)
    turned = across and not known
    # a level of another name is no system, whatever it holds
    others = [name for name in levels if not (_name_axis(name) in _NAMED or REFERENCE.fullmatch(_name_axis(name)))]
    choices = [ColumnChoice("label", (name,)) for name in others]
    choices += [ColumnChoice("item", (COLUMNS,))] if turned else []
    return Axes(levels, tuple(choices), counts=not several and not turned and set(levels) <= {"item"})


def _name_axis(name: object) -> str:
    return "" if name is None else str(name).lower()


def _check_upright(native: Any, rows: list[Any], file: str) -> None:
    """Refuses columns that are only counted beside rows with names, as of a frame of systems x items."""
    columns = list(native.columns)
    counted = len(columns) > 1 and all(type(one) is int for one in columns) and columns == list(range(len(columns)))
    if native.columns.name is not None or not counted or all(number(row) is not None for row in texts(rows)):
        return
    raise InputError(
        f"its columns are called {join(columns, 3)} and its rows {join(texts(rows), 3)}: either may be the systems",
        file=file,
        remedy="say .rename_axis(index='system', columns='item') if the rows are the systems, or "
        ".rename_axis(columns='system') if the columns are",
    )
