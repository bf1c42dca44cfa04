"""Outputs that may not be those of their items: many that are empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from outscore.base.errors import inflect
from outscore.base.items import Absent
from outscore.base.notation import TEXT
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.metrics import Metric
from outscore.verbs.shared.reading import some_read_gold

_MANY = 0.01
"""Share of empty outputs from which on, with two at least, they are said."""
_MOST = 3
"""Systems that a note names."""


def note_odd_outputs(metrics: Sequence[Metric], data: Dataset) -> tuple[Note, ...]:
    """Notes on texts that some system lacks, where a metric reads them beside references."""
    if data.notation != TEXT or not data.references or all(layer.outputs is None for layer in data.all_runs):
        return ()
    found = _note_empty(data)
    return found if found and some_read_gold(metrics, data) else ()


def _note_empty(data: Dataset) -> tuple[Note, ...]:
    """A note on empty outputs, as they stand in files where generation failed, where a system has more than a few."""
    of: dict[str, int] = dict.fromkeys(data.systems, 0)
    empty: list[tuple[str, int]] = []
    for (system, _), layers in data.layers.items():
        for outputs in (layer.outputs or () for layer in layers):
            of[system] += len(outputs)
            if "" in outputs or any(map(str.isspace, outputs)):
                gone = [i for i, text in enumerate(outputs) if not text.strip() and not isinstance(text, Absent)]
                empty += [(system, i) for i in gone]
    bare = set(data.items_without_gold(labels=True)) if empty else ()
    counts = Counter(system for system, i in empty if i not in bare)
    many = {system: n for system, n in counts.most_common() if n >= max(2, _MANY * of[system])}
    said = [f"{n} of {of[system]} of {system!r}" for system, n in many.items()]
    if not said:
        return ()
    more = f", and some of {inflect(len(said) - _MOST, 'more system')}" if len(said) > _MOST else ""
    return (
        Note(
            code="many_empty",
            text=f"outputs are empty where the references are not: {', '.join(said[:_MOST])}{more}",
            remedy="check that they are answers and no failures of a run: each counts as a bad answer",
        ),
    )
