"""Labels that are numbers or truth values: equal here what ``==`` calls equal in Python, from files too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from outscore.base.errors import join
from outscore.base.notation import TEXT
from outscore.base.notes import Note
from outscore.data.columns import number, texts
from outscore.data.run import Gold, Run

SETTLED = frozenset(("adjudicated", "adjudication", "majority", "consensus", "final", "agreed"))
"""Words for a label that was made of those of annotators."""
_TRUTH = {"true": "1", "false": "0"}
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
"""A number that is no code: 007 and 1e3 may be names."""
_POINT = re.compile(r"\.0+$")
_TAKEN = Note(
    code="numbers_as_labels",
    text="whole numbers beside references of whole numbers are taken for predicted labels, not for scores",
    remedy="leave the references out to compare the numbers as scores",
)


def unify_labels(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[tuple[Run, ...], tuple[Gold, ...]]:
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
        return unify_spelling(runs, golds)
    if all(run.outputs is None and _has_whole_numbers(run) for run in runs):
        runs = [_move_to_outputs(run) for run in runs]
    outputs = [run.outputs for run in runs if run.outputs is not None]
    cells = {cell for stream in (*streams, *outputs) for cell in stream}
    if len(outputs) < len(runs):
        return tuple(runs), tuple(golds)
    if not any(cell.lower() in _TRUTH for cell in cells):
        return unify_spelling(runs, golds)
    # truth values alone are texts that differ in capitals; beside 0 and 1 they are these
    truth = all(cell.lower() in _TRUTH or not cell for cell in cells)
    return _respell(runs, golds, {c: c.lower() if truth else _shorten(c) for c in cells})


def unify_spelling(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[tuple[Run, ...], tuple[Gold, ...]]:
    """The same, from files, with labels that are equal as numbers or truth values written alike, and a note on it.

    A gap makes 1.0 of every 1 of a column where another program wrote it.
    """
    golden = [stream for gold in golds for stream in gold.references]
    golden += [stream for run in runs for stream in run.references]
    outputs = [run.outputs for run in runs if run.outputs is not None]
    if not golden or not outputs or any(run.notation != TEXT for run in runs):
        return tuple(runs), tuple(golds)
    spelled = choose_spelling((*golden, *outputs))
    said = note_respelled(spelled)
    runs, golds = _respell(runs, golds, spelled)
    return tuple(run.with_notes(*said) for run in runs), golds


def choose_spelling(streams: Iterable[Iterable[str]]) -> Mapping[str, str]:
    """How each label is written, where all are numbers or truth values and some of them are written in several ways.

    Empty otherwise: one text among them makes all of them texts.
    """
    cells: set[str] = set()
    for stream in streams:
        for cell in {*stream} - cells:
            if cell.strip().lower() in _TRUTH or _NUMBER.fullmatch(cell.strip()):
                cells.add(cell)
            elif not _missing(cell):
                return {}
    truth = all(cell.strip().lower() in _TRUTH for cell in cells)
    spelled = {cell: cell.strip().lower() if truth else _shorten(cell.strip()) for cell in cells}
    return spelled if len(set(spelled.values())) < len({cell.strip() for cell in cells}) else {}


def note_respelled(spelled: Mapping[str, str]) -> tuple[Note, ...]:
    """Notes on labels that were taken for one, as they differ only in how they are written."""
    others = sorted({(cell.strip(), plain) for cell, plain in spelled.items() if cell.strip() != plain})
    if not others:
        return ()
    named = join((f"{cell} is {plain}" for cell, plain in others), 3).replace("'", "")
    text = f"all labels are numbers or truth values, so those that are equal count as one label: {named}"
    return (Note(code="labels_joined", text=text),)


def _shorten(cell: str) -> str:
    """A number without zeros behind its point, 1 and 0 for truth values, and anything else as it is."""
    if not _NUMBER.fullmatch(cell):
        return _TRUTH.get(cell.lower(), cell)
    whole = _POINT.sub("", cell)
    return "0" if whole == "-0" else whole


def _missing(cell: str) -> bool:
    value = number(cell)
    return value is not None and bool(np.isnan(value))


def _respell(
    runs: Sequence[Run], golds: Sequence[Gold], spelled: Mapping[str, str]
) -> tuple[tuple[Run, ...], tuple[Gold, ...]]:
    """The same with other spellings of the labels, but for missing ones."""
    if not spelled:
        return tuple(runs), tuple(golds)

    done: dict[int, tuple[str, ...]] = {}  # the systems of a wide table share their references

    def respell(streams: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        streams = tuple(streams)
        for stream in streams:
            if id(stream) not in done:
                done[id(stream)] = tuple(spelled.get(cell, cell) if cell else cell for cell in stream)
        return tuple(done[id(stream)] for stream in streams)

    changed = tuple(
        replace(
            run,
            outputs=None if run.outputs is None else respell([run.outputs])[0],
            references=respell(run.references),
        )
        for run in runs
    )
    return changed, tuple(replace(gold, references=respell(gold.references)) for gold in golds)


def _are_labels(stream: Sequence[str]) -> bool:
    """Whole numbers, truth values, or nothing where a label is missing."""
    return all(
        not cell or cell.lower() in _TRUTH or _POINT.sub("", cell).removeprefix("-").isdecimal() for cell in set(stream)
    )


def _has_whole_numbers(run: Run) -> bool:
    values = run.columns.get("score")
    return list(run.columns) == ["score"] and values is not None and not np.any(values[~np.isnan(values)] % 1)


def _move_to_outputs(run: Run) -> Run:
    outputs = tuple(texts(run.columns["score"].tolist()))
    return replace(run.with_notes(_TAKEN), columns={}, outputs=outputs)
