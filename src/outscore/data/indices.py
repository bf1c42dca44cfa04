"""The index of pandas: where it names the items, where it only counts rows, and when to ask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeVar

from outscore.base.errors import InputError, shown
from outscore.base.notes import Note
from outscore.data.columns import texts
from outscore.data.run import Gold, Run

_Holder = TypeVar("_Holder", Run, Gold)
_BY_POSITION = Note(
    code="index_by_position",
    text="the indices of the data share no label, so items were matched by position",
    remedy="say so with .reset_index(drop=True), or give the same items the same labels",
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


def settled(runs: Sequence[Run], golds: Sequence[Gold], *, missing: str) -> tuple[tuple[Run, ...], tuple[Gold, ...]]:
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
            raise _reordered(holders)
        cut = _without if bare or _counts(orders[0]) else _plain
        return cut(runs), cut(golds)
    labels = [frozenset(ids) for ids in orders]
    if all(one == labels[0] for one in labels):
        return _plain(runs), _plain(golds)
    if all(one.isdisjoint(other) for i, one in enumerate(labels) for other in labels[:i]):
        noted = [replace(run, notes=(*run.notes, _BY_POSITION)) for run in _without(runs)]
        return tuple(noted), _without(golds)
    if missing != "error":
        return _plain(runs), _plain(golds)
    raise _refusal([holder for holder in holders if holder.ids is not None])


def _counts_in_another_order(ids: Sequence[str]) -> bool:
    return not _counts(ids) and len(set(ids)) == len(ids) and set(ids) == {str(i) for i in range(len(ids))}


def _reordered(holders: Sequence[Run | Gold]) -> InputError:
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
            f"its index shares only a part of its labels with that of {first.source.file}: {shown(lacking, 3)} "
            f"{'is' if len(lacking) == 1 else 'are'} in one of them"
        )
    return InputError(said, file=other.source.file, remedy=f"{remedy}; .reset_index(drop=True) goes by position")


def settled_apart(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[tuple[Run, ...], tuple[Gold, ...]]:
    """The same for independent samples, which need no label in common: indices that only count rows name nothing."""
    holders: list[Run | Gold] = [*runs, *golds]
    names = [ids for holder in holders if isinstance(ids := holder.ids, Index)]
    cut = _without if all(map(_counts, names)) else _plain
    return cut(runs), cut(golds)


def _counts(ids: Sequence[str]) -> bool:
    return all(name == str(i) for i, name in enumerate(ids))


def _without(holders: Iterable[_Holder]) -> tuple[_Holder, ...]:
    return tuple(replace(h, ids=None) if isinstance(h.ids, Index) else h for h in holders)


def _plain(holders: Iterable[_Holder]) -> tuple[_Holder, ...]:
    return tuple(replace(h, ids=tuple(h.ids)) if isinstance(h.ids, Index) else h for h in holders)
