"""The order in which items and runs are drawn and summed: by what they are, not by where they stand in files.

Items stand by their ids, as plain strings. Without ids they stand by digests of their content: of the references, then
of these, the descriptions and all that the systems answered. Neither names nor the order of systems, files and columns
have a part in it, so that the same data give the same draws; items of equal digests are alike. Runs stand by names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np

from outscore.base.arrays import Array, Int
from outscore.base.items import Absent
from outscore.data.dataset import Dataset
from outscore.data.specs import natural


def in_order(data: Dataset) -> Dataset:
    """The same items, in the order in which they are drawn."""
    every = range(len(data.items))
    order = _by_content(data).tolist() if data.by_position else sorted(every, key=data.items.__getitem__)
    if order == list(every):
        return data
    places = np.arange(len(order)) if data.places is None else data.places
    return replace(data, places=places).on_items(order)


def runs_by_name(data: Dataset) -> Dataset:
    """The same data with the runs of each system in the order of their names."""
    return replace(data, runs={system: tuple(sorted(names, key=natural)) for system, names in data.runs.items()})


def _by_content(data: Dataset) -> Int:
    gold = np.zeros(len(data.items), dtype=np.uint64)
    for texts in data.references:
        gold += _mix(_checksum(texts))
    order = np.argsort(gold)
    same = np.diff(gold[order]) == 0
    if not same.any():
        return order
    alike = np.sort(order[np.append(same, False) | np.append(False, same)])
    rest = np.zeros_like(gold)
    rest[alike] = _digest(list(_columns(data, alike)), len(alike))
    return np.lexsort((rest, gold))


def _checksum(texts: Sequence[str]) -> Array:
    """A number for each text that only few others have."""
    known = {text: crc32(text.encode(errors="surrogatepass")) for text in set(texts)}
    return np.fromiter(map(known.__getitem__, texts), np.uint64, len(texts))


def _columns(data: Dataset, rows: Int) -> Iterator[Array]:
    """All that there is of some items, as numbers that are equal where it is."""
    streams = [*data.references, *data.labels.values()]
    streams += [layer.outputs for layer in data.all_runs if layer.outputs is not None]
    every = len(rows) == len(data.items)
    for texts in streams:
        yield _number(texts if every else [texts[i] for i in rows.tolist()])
    for values in (
        *(column for layer in data.all_runs for column in layer.columns.values()),
        *data.sample_counts.values(),
    ):
        yield (values[rows] + 0.0).view(np.uint64)  # -0 is 0


def _number(texts: Sequence[str]) -> Array:
    """The place of each text among all that there are, one less for those that are absent."""
    known = {text: 2 * place + 1 for place, text in enumerate(sorted(set(texts)))}
    numbers = np.fromiter(map(known.__getitem__, texts), np.uint64, len(texts))
    if Absent in set(map(type, texts)):
        numbers -= np.fromiter((isinstance(text, Absent) for text in texts), np.uint64, len(texts))
    return numbers


def _digest(columns: Sequence[Array], n: int) -> Array:
    """One number for each of n items ``(n,)``, the same in whatever order columns and items stand.

    Columns are told apart by all their items, each seen with what all columns say of it.
    """
    rows = sum(map(_mix, columns), start=np.zeros(n, dtype=np.uint64))
    marked = (column + _mix(_mix(column ^ rows).sum()) for column in columns)
    return sum(map(_mix, marked), start=np.zeros_like(rows))


def _mix(values: Array) -> Array:
    """Bijection of 64 bits in which each bit changes half of all (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> 30)) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> 27)) * np.uint64(0x94D049BB133111EB)
        return np.asarray(values ^ (values >> 31))
