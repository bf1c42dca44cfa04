"""Data from Python objects; references as one stream, several, or several texts for each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from outscore.base.errors import InputError, UsageError
from outscore.base.lazy import dataclass
from outscore.data.collection import Collection
from outscore.data.frames import (
    array_of,
    check_lengths,
    content_of,
    context_of,
    digest_of,
    frame_of,
    is_list,
    labels_from,
    runs_from,
    texts_of,
    to_list,
)
from outscore.data.indices import index_of, resolve, resolve_apart
from outscore.data.labels import unify_labels
from outscore.data.run import Gold

_WHAT = "references"


@dataclass(frozen=True)
class References:
    """Lists of reference texts, and which way they run.

    Args:
        values: lists of texts.
        by: ``item``: each list holds the references of one item (as Hugging Face and nltk have them; items may have
            different numbers); ``set``: each list is a set of references, one for each item (as sacrebleu has them).
    """

    values: Sequence[Sequence[str]]
    by: Literal["item", "set"]

    def __post_init__(self) -> None:
        if self.by not in ("item", "set"):
            raise UsageError(f"References(by={self.by!r}): expected 'item' or 'set'")


def collect_from(
    data: object, references: object, items: object, *, missing: str | None, measures: Sequence[str] = ()
) -> Collection:
    """Runs and gold data of Python objects.

    Args:
        data, references, items, measures: as ``compare`` takes them.
        missing: as in ``outscore.read``; None where systems need no item in common.
    """
    runs = runs_from(data, measures)
    golds = [] if references is None else list(references_from(references, runs[0].n))
    golds += [] if items is None else [labels_from(items)]
    same = resolve_apart(runs, golds) if missing is None else resolve(runs, golds, missing=missing)
    return Collection(*unify_labels(*same))


def references_from(data: object, n_items: int) -> tuple[Gold, ...]:
    """References from Python objects.

    Args:
        data: a list of texts (one stream), a list of lists (streams), ``References``, a mapping from item id to text or
            to a list of texts, or a data frame with a column ``reference`` or ``gold``.
        n_items: items of the systems, by which lists for items are known from lists for sets.

    Raises:
        UsageError: lists that can be read both ways, or only the other way; objects of another kind.
        InputError: ragged or mixed values.
    """
    frame = frame_of(data)
    if frame is not None:
        return content_of(frame, _WHAT, None, "reference").golds
    ids: tuple[str, ...] | None = index_of(data)
    own: list[tuple[str, ...] | None] = []
    if isinstance(data, Mapping):
        ids = tuple(texts_of(list(data), _WHAT))
        streams = _transpose(list(data.values()))
    else:
        values = to_list(data.values if isinstance(data, References) else data, _WHAT)
        if isinstance(data, References) and data.by == "item":
            streams = _transpose(values)
        elif isinstance(data, References) or (values and all(is_list(array_of(v)) for v in values)):
            streams, own = [to_list(v, _WHAT) for v in values], [index_of(v) for v in values]
            if not isinstance(data, References):
                _check_direction(streams, n_items)
        else:
            streams = [values]
    check_lengths(_WHAT, [len(stream) for stream in streams])
    references = tuple(tuple(texts_of(stream, _WHAT)) for stream in streams)
    if not references or not references[0]:
        raise InputError("there are no references", file=_WHAT, remedy="give one text per item")
    context = context_of(_WHAT, digest_of([*references, ids]), None, "reference")
    source = context.source("python", len(references[0]))
    if len(set(own)) > 1:  # each set has labels of its own
        return tuple(Gold(ids=i, references=(r,), source=source) for i, r in zip(own, references, strict=True))
    return (Gold(ids=own[0] if own else ids, references=references, source=source),)


def _transpose(values: list[Any]) -> list[list[Any]]:
    """Streams of texts, or lists of texts, for each item; where an item has fewer than others, the rest is missing."""
    nested = bool(values) and all(isinstance(v, list | tuple) for v in values)
    several = [list(v) for v in values] if nested else [[v] for v in values]
    count = max((len(v) for v in several), default=0)
    return [[v[i] if i < len(v) else None for v in several] for i in range(count)]


def _check_direction(lists: list[list[Any]], n_items: int) -> None:
    """Refuses lists that may be meant for items: BLEU would be of other references.

    Raises:
        UsageError: there are as many lists as items, and the texts are others when they are turned.
    """
    sets = all(len(one) == n_items for one in lists)
    if len(lists) != n_items or _transpose(lists) == lists:
        return
    found = f"{len(lists)} lists for {n_items} items"
    raise UsageError(
        f"references: found {found}, which can be one list for each item or {n_items} sets; "
        "write outscore.References(references, by='item') or by='set'"
        if sets
        else f"references: found {found}, expected a list with {n_items} texts for each set: transposed? "
        "write outscore.References(references, by='item')"
    )
