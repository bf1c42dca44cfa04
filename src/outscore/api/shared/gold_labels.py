"""Predictions that are never a gold label: other words for the classes, or another column."""

from __future__ import annotations

from collections.abc import Iterable

from outscore.api.shared.reading import Layers
from outscore.base.errors import shown
from outscore.base.notes import Note
from outscore.metrics import Metric

_MOST = 3
"""Systems, and labels of each, that the note names."""


def never_gold(metric: Metric, cells: Layers) -> tuple[Note, ...]:
    """A note on systems none of whose outputs is any of the gold labels, where a metric compares the two as labels.

    Such a score is 0 whatever the system can do.
    """
    column: str = getattr(metric, "column", "")
    if not metric.of_labels or metric.ranked or column:
        return ()
    said = []
    for system, runs in cells.items():
        items = [cell for layers in runs.values() for cell in layers]
        outputs = _labels(output for cell in items for output in cell.outputs or ())
        gold = _labels(label for stream in items[0].references for label in stream)
        if outputs and gold and not outputs.keys() & gold.keys():
            labels = f"gold: {shown(gold, _MOST)}; outputs: {shown(outputs, _MOST)}"
            said.append(f"no output of {system!r} is one of the gold labels ({labels})")
    if not said:
        return ()
    more = f"; nor of {len(said) - _MOST} more systems" if len(said) > _MOST else ""
    return (
        Note(
            code="never_gold",
            text="; ".join(said[:_MOST]) + more,
            remedy="write predictions as the gold labels are written, or name the right columns with -c output=NAME, "
            "-c reference=NAME",
        ),
    )


def _labels(texts: Iterable[str]) -> dict[str, None]:
    """The distinct labels that are there, in the order of first use."""
    return {label: None for text in dict.fromkeys(texts) if (label := text.strip())}
