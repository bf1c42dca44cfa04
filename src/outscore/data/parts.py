"""Runs whose items are spread over several files: one file for each task or chapter of the test set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from outscore.base.errors import InputError, shown
from outscore.base.notes import Note
from outscore.data.run import Run


def joined(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs, the parts of each system joined; items are told apart, and described, by their part.

    The k-th file of every part belongs to the k-th run; samples of answers (epochs) are joined by their names. A part
    that is only the name of a file is none where the system has no file of another one.

    Raises:
        InputError: a system has more runs or other samples of one part than of another.
    """
    by_system: dict[str, list[Run]] = {}
    for run in _resolved(runs):
        by_system.setdefault(run.system, []).append(run)
    several = any(len({run.part for run in of_system}) > 1 for of_system in by_system.values())
    result: list[Run] = []
    for given in by_system.values():
        of_system = _noted(given)
        parts: dict[str, dict[str, list[Run]]] = {}
        for run in of_system:
            parts.setdefault(run.part, {}).setdefault(run.sample, []).append(run)
        if "" in parts or len(parts) == 1:
            # ids of one task are those of another system that has more of them
            result += [_told_apart(run) if several and run.part and run.ids else run for run in of_system]
            continue
        first, *others = parts.values()
        for other in others:
            _check_like(first, other)
        for sample in first:
            chapters = zip(*(samples[sample] for samples in parts.values()), strict=True)
            result += [_one(of_run, str(k + 1)) for k, of_run in enumerate(chapters)]
    return tuple(result)


def _resolved(runs: Sequence[Run]) -> Sequence[Run]:
    """The runs without parts that were only guessed from the name of a file, where a system has the items of one part.

    They are of the part that all other files name, if it is one; that they are is held by the descriptions of the
    items, of which lm-evaluation-harness has a hash of each document.
    """
    if not any(run.part_guessed for run in runs):
        return runs
    named = dict.fromkeys(run.part for run in runs if not run.part_guessed)
    part = next(iter(named)) if len(named) == 1 else ""
    result = []
    for run in runs:
        own = [other for other in runs if other.system == run.system]
        if not run.part_guessed or len({_documents(other) for other in own}) > 1:
            result.append(run)
            continue
        said = f"taken for {part!r}" if part else "not known"
        note = Note(
            code="task_unknown",
            text=f"{run.source.file} has another name than samples_TASK_DATE.jsonl: its task is {said}, and its "
            f"documents are paired by doc_id{'' if _hashes(run) else ', without a doc_hash that could be compared'}",
            remedy="check that all files are of one task, or give them the names of lm_eval --log_samples",
        )
        one = replace(run, part=part, notes=(*run.notes, note))
        result.append(_told_apart(one) if part else one)
    return result


def _documents(run: Run) -> object:
    """Key that tells the documents of one file from those of another."""
    return frozenset(zip(run.ids or (), _hashes(run), strict=True)) if _hashes(run) else run.part


def _hashes(run: Run) -> tuple[str, ...]:
    return run.labels.get("doc_hash", ())


def _noted(runs: Sequence[Run]) -> Sequence[Run]:
    """The runs of one system, with a note where their files name different models, or settings of one task."""
    models = dict.fromkeys(run.made_by[:1] for run in runs)
    settings = [dict.fromkeys(run.made_by for run in runs if run.part == part) for part in {run.part for run in runs}]
    different = models if len(models) > 1 else next((found for found in settings if len(found) > 1), None)
    if different is None:
        return runs
    said = Note(
        code="runs_made_otherwise",
        text=f"the files of {runs[0].system!r} are of {shown((' '.join(made) or 'nobody' for made in different), 3)}, "
        "and were taken for runs of one system",
        remedy="give what is another system under a name of its own",
    )
    return [replace(run, notes=(*run.notes, said)) for run in runs]


def _check_like(first: Mapping[str, Sequence[Run]], other: Mapping[str, Sequence[Run]]) -> None:
    """Refuses a part of which there are other runs, or other samples of answers, than of the first."""
    one, another = next(iter(first.values()))[0], next(iter(other.values()))[0]
    if first.keys() != other.keys():
        raise InputError(
            f"system {another.system!r} has {_samples(other)} of {another.part!r}, but {_samples(first)} of "
            f"{one.part!r} ({one.source.file})",
            file=another.source.file,
            remedy="give every part as many, or compare one part at a time",
        )
    uneven = next((sample for sample in first if len(first[sample]) != len(other[sample])), None)
    if uneven is not None:
        raise InputError(
            f"system {another.system!r} has {len(other[uneven])} runs of {another.part!r}, "
            f"but {len(first[uneven])} of {one.part!r} ({one.source.file})",
            file=another.source.file,
            remedy="give every run all parts",
        )


def _samples(samples: Mapping[str, Sequence[Run]]) -> str:
    return "one answer to each item" if len(samples) == 1 else f"{len(samples)} samples ({shown(samples, 3)})"


def _one(chapters: Sequence[Run], name: str) -> Run:
    first = chapters[0]
    kinds = {(c.outputs is None, len(c.references), c.ids is None, c.notation) for c in chapters}
    if len(kinds) > 1 or first.ids is None:
        raise InputError(
            f"the parts {shown(c.part for c in chapters)} of system {first.system!r} do not hold the same kind of data",
            file=first.source.file,
            remedy="compare one part at a time",
        )
    notes = dict.fromkeys(note for c in chapters for note in c.notes)
    if any(c.ids != (c.part,) for c in chapters):
        notes[_joined_note([c.part for c in chapters])] = None
    chapters = [_told_apart(c) for c in chapters]
    columns = dict.fromkeys(column for c in chapters for column in c.columns)
    labels = dict.fromkeys(label for c in chapters for label in c.labels)
    return replace(
        first,
        run=name,
        part="",
        ids=tuple(item for c in chapters for item in c.ids or ()),
        outputs=None if first.outputs is None else tuple(text for c in chapters for text in c.outputs or ()),
        references=tuple(
            tuple(text for c in chapters for text in c.references[i]) for i in range(len(first.references))
        ),
        columns={
            name: np.concatenate([c.columns.get(name, np.full(c.n, np.nan)) for c in chapters]) for name in columns
        },
        labels={name: tuple(v for c in chapters for v in c.labels.get(name, ("",) * c.n)) for name in labels},
        more_sources=tuple(c.source for c in chapters[1:]),
        notes=tuple(notes),
    )


def _joined_note(parts: Sequence[str]) -> Note:
    return Note(
        code="tasks_joined",
        text=f"the tasks {shown(parts, 3)} were joined to one test set, in which every item weighs the same, so that a "
        "task with more items counts for more",
        remedy="use outscore replicate --set domain, which takes each for a data set",
    )


def _told_apart(run: Run) -> Run:
    """The part in the ids of its items, and as their domain, where they do not say it themselves."""
    ids = run.ids or ()
    if ids == (run.part,):  # a part of one item, whose name it is
        return run
    if not all(item.startswith(f"{run.part}/") for item in ids):
        ids = tuple(f"{run.part}/{item}" for item in ids)
    return replace(run, ids=ids, labels={"domain": (run.part,) * run.n, **run.labels})
