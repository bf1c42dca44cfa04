"""Outputs that are not there: null in JSON, None in a data frame, or of an item that is missing and scored 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from outscore.base.arrays import Float
from outscore.base.errors import InputError, counted, shown
from outscore.base.items import Absent, Items
from outscore.data.align import dropped_note, without_items
from outscore.data.gaps import ways_out
from outscore.data.run import Aligned
from outscore.metrics import Metric


def absent(cell: Items) -> list[int]:
    """Positions of the items that have no output, as opposed to an empty one."""
    outputs = cell.outputs or ()
    if not any(issubclass(kind, Absent) for kind in {*map(type, outputs)}):
        return []
    return [i for i, output in enumerate(outputs) if isinstance(output, Absent)]


def without_answer(data: Aligned) -> dict[tuple[str, str], list[int]]:
    """Positions of the items without an output, by system and run; in some sample, where there are several."""
    found = {key: sorted({i for cell in data.layers(*key) for i in absent(cell)}) for key in data.cells}
    return {key: where for key, where in found.items() if where}


def answered(data: Aligned) -> Aligned:
    """The items that every system has an output for, where items may be dropped; all of them, where they count as 0.

    Raises:
        InputError: an output is missing, or no item is left.
    """
    gaps = without_answer(data)
    if not gaps or data.missing == "zero":
        return data
    if data.missing == "drop":
        reasons = {
            i: f"no output in system {system!r} (run {run!r})"
            for (system, run), where in reversed(gaps.items())
            for i in where
        }
        return without_items(data, reasons, dropped_note)
    (system, run), where = next(iter(gaps.items()))
    files = data.files.get((system, run), ())
    others = dict.fromkeys(name for name, _ in gaps if name != system)
    also = f", and {shown(others, 3)} lack some too" if others else ""
    raise InputError(
        f"system {system!r} (run {run!r}) has no output for {counted(len(where), 'item')}: "
        f"{shown((data.items[i] for i in where), 3)}{also}",
        file=files[0] if len(files) == 1 else None,
        remedy=f'{ways_out(len(data.systems))}; an empty answer is ""',
    )


def lowest(metric: Metric, cells: Iterable[Items], statistics: Sequence[Float]) -> list[Float]:
    """Statistics in which outputs that are not there have the lowest score, also where nothing was the right answer.

    Args:
        metric: reads outputs and gold.
        cells: of each run or sample.
        statistics: of each cell, ``(n, k)``, counted as if such outputs were empty.
    """
    found = []
    for cell, counts in zip(cells, statistics, strict=True):
        where = absent(cell) if metric.per_item and metric.higher_is_better else []
        mended = counts.copy() if where else counts
        if where:
            mended[where, 0] = (metric.limits or (0.0, 0.0))[0] * counts[where, 1]
        found.append(mended)
    return found
