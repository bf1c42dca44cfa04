"""Labels that are numbers or truth values in Python: equal here what ``==`` calls equal there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from outscore.base.notes import Note
from outscore.data.columns import texts
from outscore.data.run import Gold, Run

_TRUTH = {"true": "1", "false": "0"}
_TAKEN = Note(
    code="numbers_as_labels",
    text="whole numbers beside references of whole numbers are taken for predicted labels, not for scores",
    remedy="leave the references out to compare the numbers as scores",
)


def labelled(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[tuple[Run, ...], tuple[Gold, ...]]:
    """The same, with whole numbers beside gold labels as outputs, and truth values spelled alike on both sides.

    Numbers become labels where one stream of references holds whole numbers or truth values, and all that is compared
    are whole numbers: 1, 1.0 and True are the same label then, as scikit-learn has it. Scores that are no whole numbers
    stay scores.

    Args:
        runs: from Python objects; a number of their own is called ``score``.
        golds: references from Python objects, among others.
    """
    streams = [stream for gold in golds for stream in gold.references]
    streams += [stream for run in runs for stream in run.references]
    if not streams or not all(map(_are_labels, streams)):
        return tuple(runs), tuple(golds)
    if all(run.outputs is None and _whole(run) for run in runs):
        runs = [_with_outputs(run) for run in runs]
    outputs = [run.outputs for run in runs if run.outputs is not None]
    cells = {cell for stream in (*streams, *outputs) for cell in stream}
    if len(outputs) < len(runs) or not any(cell.lower() in _TRUTH for cell in cells):
        return tuple(runs), tuple(golds)
    # truth values alone are texts that differ in capitals; beside 0 and 1 they are these
    truth = all(cell.lower() in _TRUTH or not cell for cell in cells)
    spelled = {cell: cell.lower() if truth else _TRUTH.get(cell.lower(), cell) for cell in cells}

    def alike(streams: Iterable[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(spelled[cell] if cell else cell for cell in stream) for stream in streams)

    runs = [replace(r, outputs=alike([r.outputs or ()])[0], references=alike(r.references)) for r in runs]
    return tuple(runs), tuple(replace(gold, references=alike(gold.references)) for gold in golds)


def _are_labels(stream: Sequence[str]) -> bool:
    """Whole numbers, truth values, or nothing where a label is missing."""
    return all(not cell or cell.lower() in _TRUTH or cell.removeprefix("-").isdecimal() for cell in set(stream))


def _whole(run: Run) -> bool:
    values = run.columns.get("score")
    return list(run.columns) == ["score"] and values is not None and not np.any(values[~np.isnan(values)] % 1)


def _with_outputs(run: Run) -> Run:
    outputs = tuple(texts(run.columns["score"].tolist()))
    return replace(run, columns={}, outputs=outputs, notes=(*run.notes, _TAKEN))
