"""Files of one run joined: those that hold parts of a test set, and several samples of an answer to each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from shlex import quote

import numpy as np

from outscore.base.errors import InputError, UsageError, join
from outscore.base.notes import Note
from outscore.data.columns import OUTPUT
from outscore.data.folders import format_as_runs
from outscore.data.questions import find_called_output
from outscore.data.run import Run
from outscore.data.specs import is_dated, pattern_beside, run_names


def join_shards(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs, the parts of each system joined; items are told apart, and described, by their part.

    The k-th file of every part belongs to the k-th run; samples of answers (epochs) are joined by their names. A part
    that is only the name of a file is none where the system has no file of another one.

    Raises:
        InputError: a system has more runs or other samples of one part than of another.
        UsageError: two files, which the user did not name together, are of one system and part.
    """
    _check_names(runs)
    runs = _note_other_tests(runs)
    by_system: dict[str, list[Run]] = {}
    for run in _drop_guessed(runs):
        by_system.setdefault(run.system, []).append(run)
    several = any(len({run.part for run in of_system}) > 1 for of_system in by_system.values())
    result: list[Run] = []
    for given in by_system.values():
        of_system = _add_notes(given)
        parts: dict[str, dict[str, list[Run]]] = {}
        for run in of_system:
            parts.setdefault(run.part, {}).setdefault(run.sample, []).append(run)
        if "" in parts or len(parts) == 1:
            # ids of one task are those of another system that has more of them
            result += [_tell_apart(run) if several and run.part and run.ids else run for run in of_system]
            continue
        first, *others = parts.values()
        for other in others:
            _check_like(first, other)
        for sample in first:
            chapters = zip(*(samples[sample] for samples in parts.values()), strict=True)
            result += [_join(of_run, str(k + 1)) for k, of_run in enumerate(chapters)]
    _check_names(result)
    return tuple(result)


def _drop_guessed(runs: Sequence[Run]) -> Sequence[Run]:
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
        one = replace(run.with_notes(note), part=part)
        result.append(_tell_apart(one) if part else one)
    return result


def _note_other_tests(runs: Sequence[Run]) -> Sequence[Run]:
    """The runs with a note where files of one part are of different tests, as of two versions of a task."""
    first: dict[str, Run] = {}
    notes: dict[str, Note] = {}
    for run in runs:
        one = first.setdefault(run.part, run) if run.test else run
        if one.test == run.test or run.part in notes:
            continue
        ours, theirs = ([a for a in x.test if a not in y.test] for x, y in ((one, run), (run, one)))
        notes[run.part] = Note(
            code="tests_differ",
            text=f"{run.part!r} is not the same test in all files: {join(ours) or 'nothing said'} in "
            f"{one.source.file}, but {join(theirs) or 'nothing said'} in {run.source.file}",
            remedy="run all systems on one version of the task, with as many examples in the prompt",
        )
    return [run.with_notes(notes[run.part]) if run.part in notes else run for run in runs]


def _documents(run: Run) -> object:
    """Key that tells the documents of one file from those of another."""
    return frozenset(zip(run.ids or (), _hashes(run), strict=True)) if _hashes(run) else run.part


def _hashes(run: Run) -> tuple[str, ...]:
    return run.labels.get("doc_hash", ())


def _add_notes(runs: Sequence[Run]) -> Sequence[Run]:
    """The runs of one system, with a note where their files name different models, or settings of one task."""
    models = dict.fromkeys(run.made_by[:1] for run in runs)
    settings = [dict.fromkeys(run.made_by for run in runs if run.part == part) for part in {run.part for run in runs}]
    different = models if len(models) > 1 else next((found for found in settings if len(found) > 1), None)
    if different is None:
        return runs
    said = Note(
        code="runs_made_otherwise",
        text=f"the files of {runs[0].system!r} are of {join((' '.join(made) or 'nobody' for made in different), 3)}, "
        "and were taken for runs of one system",
        remedy="give what is another system under a name of its own",
    )
    return [run.with_notes(said) for run in runs]


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
    return "one answer to each item" if len(samples) == 1 else f"{len(samples)} samples ({join(samples, 3)})"


def _join(chapters: Sequence[Run], name: str) -> Run:
    first = chapters[0]
    kinds = {(c.outputs is None, len(c.references), c.ids is None, c.notation) for c in chapters}
    if len(kinds) > 1 or first.ids is None:
        raise InputError(
            f"the parts {join(c.part for c in chapters)} of system {first.system!r} do not hold the same kind of data",
            file=first.source.file,
            remedy="compare one part at a time",
        )
    notes = dict.fromkeys(note for c in chapters for note in c.notes)
    if any(c.ids != (c.part,) for c in chapters):
        notes[_note_joined([c.part for c in chapters])] = None
    if any("cluster" in c.labels for c in chapters):  # beside clusters a part of one item is one
        chapters = [replace(c, labels={"cluster": (c.part,), **c.labels}) if c.n == 1 else c for c in chapters]
    return replace(
        Run.stack([_tell_apart(c) for c in chapters]),
        run=name,
        part="",
        more_sources=tuple(c.source for c in chapters[1:]),
        notes=tuple(notes),
    )


def _note_joined(parts: Sequence[str]) -> Note:
    return Note(
        code="tasks_joined",
        text=f"the tasks {join(parts, 3)} were joined to one test set, in which every item weighs the same, so that a "
        "task with more items counts for more",
        remedy="use outscore replicate --set domain, which takes each for a data set, or of scores -m suite",
    )


def _tell_apart(run: Run) -> Run:
    """The part in the ids of its items, and as their domain, where they do not say it themselves."""
    ids = run.ids or ()
    if ids == (run.part,):  # a part of one item, whose name it is
        return run
    if not all(item.startswith(f"{run.part}/") for item in ids):
        ids = tuple(f"{run.part}/{item}" for item in ids)
    of_part = (run.part,) * run.n
    labels = {} if run.labels.get("cluster") == of_part else {"domain": of_part}  # a cluster says it already
    return replace(run, ids=ids, labels={**labels, **run.labels})


def split_layers(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with the samples of each in layers: the k-th has the k-th sample of every item.

    An item with fewer samples than others repeats its own in turn; ``n_samples`` says how many are its own. Names of
    samples only tell rows apart: they need not be the same from item to item.

    Raises:
        InputError: samples of one run that do not hold the same kind of data, or not the same lines without ids.
    """
    together: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        together.setdefault((run.system, run.run), []).append(run)
    return tuple(layer for answers in together.values() for layer in _layers(answers))


def _layers(answers: Sequence[Run]) -> Sequence[Run]:
    first = answers[0]
    if len(answers) == 1 or not all(answer.sample for answer in answers):
        return answers
    if len({answer.sample for answer in answers}) < len(answers):
        return answers  # given twice, which is refused where runs are checked
    _check(answers)
    rows = _rows(answers)
    counts = np.array([len(own) for own in rows], dtype=float)
    ids = None if first.ids is None else tuple(dict.fromkeys(item for a in answers for item in a.ids or ()))
    sources = dict.fromkeys(source for a in answers for source in (a.source, *a.more_sources))
    whole = replace(
        Run.stack(answers), ids=None, more_sources=tuple(source for source in sources if source != first.source)
    )
    return [
        replace(whole.on_rows([own[k % len(own)] for own in rows]), ids=ids, sample=str(k + 1), n_samples=counts)
        for k in range(int(counts.max()))
    ]


def _check(answers: Sequence[Run]) -> None:
    first = answers[0]
    for answer in answers[1:]:
        same = (answer.ids is None, answer.outputs is None, len(answer.references), answer.notation)
        fits = same == (first.ids is None, first.outputs is None, len(first.references), first.notation)
        if not fits or (answer.ids is None and answer.n != first.n):
            raise InputError(
                f"the samples {first.sample!r} and {answer.sample!r} of system {first.system!r} do not hold the same "
                "kind of data",
                file=answer.source.file,
                remedy="give all samples in one format; only with item ids may they lack items",
            )


def _rows(answers: Sequence[Run]) -> list[list[int]]:
    """For each item the rows of its samples, all answers one after another."""
    found: dict[str | int, list[int]] = {}
    names = [name for answer in answers for name in (range(answer.n) if answer.ids is None else answer.ids)]
    for row, name in enumerate(names):
        found.setdefault(name, []).append(row)
    return list(found.values())


def _check_names(runs: Sequence[Run]) -> None:
    seen: dict[tuple[str, ...], Run] = {}
    for run in sorted(runs, key=lambda one: one.sample):  # first what has no samples, beside which there are none
        key = run.system, run.run, run.part
        before = seen.get((*key, "")) or seen.setdefault((*key, run.sample), run)
        if before is not run:
            raise UsageError(
                f"the system {run.system!r} (run {run.run!r}) is given twice, in {before.source.file} and "
                f"{run.source.file}; {_describe_renaming(before, run, runs)}"
            )


def _describe_renaming(one: Run, other: Run, runs: Sequence[Run]) -> str:
    """How to give two files that name one system."""
    if one.source.file == other.source.file:
        return "give each file once"
    files: dict[str, dict[str, None]] = {}
    for run in runs:
        files.setdefault(run.system, {})[run.source.file] = None
    newest = (
        "compare the newest with the one before by --against last, " if all(map(is_dated, files[one.system])) else ""
    )
    if one.made_by[1:] != other.made_by[1:]:
        alike: dict[str, str] = {}
        for run in runs:
            if run.made_by[1:] == one.made_by[1:] and run.part == one.part:
                alike.setdefault(run.system, run.source.file)
        differ = [join([a for a in x.made_by[1:] if a not in y.made_by]) for x, y in ((one, other), (other, one))]
        several = f", or give those of one setting, as {' '.join(map(quote, alike.values()))}" if len(alike) > 1 else ""
        settings = " and ".join(said or "none" for said in differ)
        return f"their settings differ ({settings}): {newest * (not several)}name them apart with NAME=FILE{several}"
    if len({run.system for run in runs if run.source.file == one.source.file}) > 1:
        return (
            "each holds several systems: where they are parts of one test set, join their rows to one table; where "
            "they are runs of the same items, add a column 'run' to both, as in long tables (system, item, run, score)"
            "; where they are data sets of their own, outscore replicate --sets "
            f"{quote(pattern_beside(one.source.file))}"
        )
    folders = {str(PurePath(file).parent): pattern_beside(file) for file in files[one.system]}
    others = {str(PurePath(file).parent) for system in files.keys() - {one.system} for file in files[system]}
    if one.part and len(folders) > 1 and others.isdisjoint(folders):
        apart = map("{}={}".format, map(quote, run_names(list(folders))), map(quote, folders.values()))
        return f"its files are in {join(folders, 3)}: give those of each system with a name, as {' '.join(apart)}"
    return (
        f"{newest}name them apart with NAME=FILE, or give them as runs: "
        f"{format_as_runs({system: list(of) for system, of in files.items()})}{_advise_column(one.system)}"
    )


def _advise_column(system: str) -> str:
    """The note where the name of a system is rather that of a column of outputs."""
    if find_called_output([system]) is None and system.lower() not in OUTPUT:
        return ""
    return f"; if each file is about one system and {system!r} is its output, add -c output={quote(system)}"
