"""Items and numbers that are missing: what is said of them, or how they are scored 0."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import TypeAlias

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import InputError, begin, inflect, join
from outscore.base.items import ABSENT, Absent
from outscore.base.notes import Note
from outscore.data.measures import QUALITY, either_sign, lower_by_name, parse_measure
from outscore.data.run import Filled, Gold, Run

Holder: TypeAlias = Run | Gold
_WITH_COLUMNS = ("table", "jsonl", "parquet")
"""Readers of columns, which ``-c`` gives their roles."""

_MARKS = frozenset((-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0))
"""Numbers that stand for what is missing in many tables."""
_MANY, _ABOUT = 0.1, 1.1
_MOST = 3
_CAUSES = ("log_incomplete", "samples_failed")
"""Codes of notes on files that are not whole."""


def describe_remedies(systems: int, *, zero: bool | None = True) -> str:
    """Remedies for items that some system lacks or has no number for, as one sentence.

    Args:
        systems: how many there are; pairs of items of their own differ from items of all from three on. 0 for labels,
            which are never 0, and have no pairs.
        zero: 0 is a number that speaks against a system; None where only the metric knows.
    """
    ways = []
    if systems and zero is not False:
        better = "" if zero else "higher is better and "
        ways.append(f"score them 0 with --missing zero if {better}no answer is a wrong answer")
    if systems > 2:
        ways.append("take for each pair what both have with --missing pairwise of compare or correlate")
    by_chance = ", if they were lost by chance," if ways else ""
    return f"{', '.join(['mend the file', *ways])}, or{by_chance} drop such items in all systems with --missing drop"


def missing_numbers(
    name: str,
    values: Float,
    items: Sequence[str],
    *,
    of: str,
    file: str | None,
    systems: int,
    zero: bool | None = True,
    parts: Sequence[str] | None = None,
    beside: Iterable[tuple[str, Bool]] = (),
    notes: Iterable[Note] = (),
) -> InputError:
    """The error of a column in which numbers are missing, or infinite.

    Args:
        name, values, items: the column ``(n,)`` and the ids of its items.
        of: the system and run, see ``name_holder``.
        file: the file that holds the numbers, where it is one.
        systems, zero: as in ``describe_remedies``.
        parts: the part of the test set of each item, as its task; parts that have no number at all are named.
        beside: whoever has gaps in the column, and where, ``(n,)``.
        notes: what is known of the files; what says why numbers are missing is told with them.
    """
    wrong = ~np.isfinite(values)
    if wrong.all():
        return InputError(
            f"{of} has no number under {name!r}, for any of {inflect(len(items), 'item')}",
            file=file,
            remedy="compare another column, or leave such systems out: --exclude NAME",
        )
    by_part: dict[str, list[bool]] = {}
    for part, gap in zip(parts or (), wrong.tolist(), strict=bool(parts)):
        by_part.setdefault(part, []).append(gap)
    without = [part for part, gaps in by_part.items() if all(gaps)]
    if 0 < len(without) < len(by_part):
        others = [part for part in by_part if part not in without]
        count = sum(len(by_part[part]) for part in without)
        more = [i for i, part in enumerate(parts or ()) if wrong[i] and part in others]
        also = f", and for {inflect(len(more), 'item')} of these: {join(items[i] for i in more)}" if more else ""
        return InputError(
            f"{of} has {name!r} for {join(others)}, but not for {join(without)} ({inflect(count, 'item')}){also}",
            file=file,
            remedy=f"--missing drop compares {join(others)} alone",
        )
    why, mended = describe_causes(notes, file)
    what = "missing (NaN)" if np.isnan(values[wrong]).all() else "infinite or missing"
    return InputError(
        f"{name!r} is {what} for {inflect(int(wrong.sum()), 'item')} of {of}: "
        f"{join(items[i] for i in np.flatnonzero(wrong).tolist())}{why}{_describe_others(of, beside)}",
        file=file,
        remedy="; or ".join([*mended, describe_remedies(systems, zero=zero)]),
    )


def note_marks(runs: Sequence[Run], columns: Mapping[str, Sequence[Float]]) -> list[Note]:
    """A note for each number that often stands for none, if few have it, far from all others."""
    said = []
    for name, cells in columns.items():
        for mark in sorted(_MARKS.intersection(float(end(values)) for values in cells for end in (np.min, np.max))):
            held: Counter[str] = Counter()
            for run, values in zip(runs, cells, strict=True):
                held[run.system] += int((values == mark).sum())
            rest = np.concatenate([x[x != mark] for x in cells])
            if (
                len(rest)
                and 0 < np.ptp(rest) <= _ABOUT * np.abs(rest - mark).min()
                and held.total() < _MANY * len(rest)
            ):
                holders = join([system for system, n in held.items() if n], _MOST)
                counts = f"{inflect(held.total(), 'item')} of {holders}"
                text = f"{name!r} is {mark:g} on {counts}, counted as any other; no other is near it"
                remedy = "if it stands for no score, leave these cells empty and say --missing drop, or zero"
                said.append(Note(code="looks_missing", text=text, remedy=remedy))
    return said


def describe_causes(notes: Iterable[Note], file: str | None) -> tuple[str, list[str]]:
    """Causes why something is missing from a file, in brackets, and remedies, as notes give them.

    Args:
        notes: of any files, whose texts begin with their names.
        file: the file; every one, by its name, if it is not known.
    """
    found = [note for note in notes if note.code in _CAUSES and (file is None or note.text.startswith(f"{file}:"))]
    texts = [note.text if file is None else note.text.partition(": ")[2] for note in found]
    said = f" ({'; '.join(dict.fromkeys(texts))})" if texts else ""
    return said, [found[0].remedy.partition(", or ")[0]] if found else []


def _describe_others(of: str, beside: Iterable[tuple[str, Bool]]) -> str:
    """The others that have gaps, for the end of a sentence."""
    others: dict[str, Bool] = {}
    for name, gaps in beside:
        others[name] = gaps | others.get(name, gaps)
    found = [f"for {inflect(int(gaps.sum()), 'item')} of {name}" for name, gaps in others.items() if name != of]
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return f", and {', '.join(found[:_MOST])}{more}" if found else ""


def zero_is_bad(column: str) -> bool | None:
    """Whether 0 speaks against a system in a column of this name; None where the name does not say it."""
    if lower_by_name(column) or either_sign(column):
        return False
    said = parse_measure(column)
    return True if said is not None and said.kind == QUALITY and column.lower() != "score" else None


def zero_is_bad_in(runs: Iterable[Run]) -> bool | None:
    """The same where items are missing whole; an output that is not there can be taken as empty."""
    runs = list(runs)
    found = {zero_is_bad(column) for run in runs for column in run.columns}
    found |= {True for run in runs if run.outputs is not None}
    return found.pop() if len(found) == 1 else None


def best_zero_error(metric: str, filled: Filled, *, systems: int, best: bool) -> InputError:
    """The error of numbers that are not there, and as 0 would be the ``best`` of all, or leave their items out."""
    why, would = ("0 is the best that {} can be", "reward a crash") if best else ("{} divides by it", "leave them out")
    return InputError(
        f"system {filled.system!r} (run {filled.run!r}) has no {filled.column!r} for "
        f"{inflect(len(filled.items), 'item')}, {join(filled.items, 3)}, and {why.format(metric)}: "
        f"--missing zero would {would}",
        file=filled.file,
        remedy=describe_remedies(systems, zero=False),
    )


def no_common_items_error(one: Holder, first: Run, reasons: Sequence[str] = ()) -> InputError:
    """The error of a file that has no item id in common with the first run, so that no item could be kept.

    Args:
        reasons: what is known to be behind it, with the remedy.
    """
    assert one.ids is not None and first.ids is not None
    remedy = "give each item the same id in all files"
    numbered = any(isinstance(of, Run) and of.items_chosen and _counted(of) for of in (one, first))
    if one.source.reader in _WITH_COLUMNS and (shared := _find_shared(one, first)):
        remedy = f"-c item={quote(shared)} joins them by {shared!r}, which all have in common; else {remedy}"
    elif one.source.reader in _WITH_COLUMNS and not numbered:
        remedy += (
            ", or say which column has it: -c item=COLUMN, or -c item=@row where all hold the same items in the same "
            "order"
        )
    if numbered and one.source.file == first.source.file:
        remedy = "@row gives each row of a file a number of its own: add a column of items, or a file for each system"
    if isinstance(one, Run) and one.system != first.system:
        remedy += "; answers to different items are compared by outscore compare --test welch and its kind"
    where = "" if first.source.file == one.source.file else f" in {first.source.file}"
    ours, theirs = (join(map(begin, of), 3) for of in (one.ids, first.ids))
    return InputError(
        f"{name_holder(one)} has no item id in common with {name_holder(first)}{where}: {ours} here, {theirs} there",
        file=one.source.file,
        remedy="; or ".join(reasons) or remedy,
    )


def _find_shared(one: Holder, first: Run) -> str:
    """The column of texts, another in each row, that most items of both have in common; empty without one."""
    for name, ours in one.labels.items():
        theirs = first.labels.get(name, ())
        unlike = len({*ours}) == len(ours) and len({*theirs}) == len(theirs) and not "".join(theirs).isdecimal()
        if unlike and 2 * len({*ours} & {*theirs}) > max(len(ours), len(theirs)):
            return name
    return ""


def _counted(run: Run) -> bool:
    """Whether the ids are numbers of rows one after another, as ``-c item=@row`` gives them."""
    ids = run.ids or ()
    start = int(ids[0]) if ids and ids[0].isdecimal() else 0
    return ids == tuple(str(start + i) for i in range(len(ids)))


def name_holder(holder: Holder) -> str:
    """Who holds the items, for messages."""
    return f"system {holder.system!r} (run {holder.run!r})" if isinstance(holder, Run) else holder.called


_REMEDY = "look why they are missing: a crash is not a wrong answer"


def complete_runs(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[list[Run], list[Note], tuple[Filled, ...]]:
    """The runs with every item that another run or the references have, notes on what was not there, and which numbers.

    Items that the references lack are left out of all runs: there is nothing to score them against.

    What describes an item (labels, references) is taken from a file that has it.

    Args:
        runs: the samples of each in layers.
        golds: references and descriptions of the items.
    """
    judged = [set(gold.ids) for gold in golds if gold.references and gold.ids is not None]
    holders: list[Run | Gold] = [*runs, *(gold for gold in golds if gold.references)]
    all_items = dict.fromkeys(item for holder in holders for item in holder.ids or ())
    every = [item for item in all_items if all(item in ids for ids in judged)]
    notes: list[Note] = []
    if len(every) < len(all_items):
        beside = [item for item in all_items if item not in set(every)]
        text = f"{inflect(len(beside), 'item')} without references left out: {join(beside, 3)}"
        notes.append(Note(code="without_references", text=text, remedy="give references for them, or leave them out"))
        runs = [_drop_items(run, set(beside)) for run in runs]
    result: list[Run] = []
    gaps: dict[tuple[str, str], _Gaps] = {}
    for run in runs:
        present = set(run.ids or ())
        lacking = [item for item in every if item not in present] if run.ids is not None else []
        full = _add_items(run, lacking, runs) if lacking else run
        blank = {name: ~np.isfinite(values) for name, values in full.columns.items()}
        null = np.zeros(full.n, dtype=np.bool_)
        null[[i for i, text in enumerate(run.outputs or ()) if isinstance(text, Absent)]] = True
        gaps.setdefault((run.system, run.run), _Gaps(full, lacking)).add(blank, null)
        if any(b.any() for b in blank.values()):
            full = replace(full, columns={name: np.where(blank[name], 0.0, v) for name, v in full.columns.items()})
        result.append(full)
    notes += [note for of_run in gaps.values() for note in of_run.notes()]
    return result, notes, tuple(filled for of_run in gaps.values() for filled in of_run.list_filled())


class _Gaps:
    """The items that one run does not have, over all of its samples.

    Args:
        run: its first layer of samples, with every item.
        lacking: items that were not in its files.
    """

    def __init__(self, run: Run, lacking: Sequence[str]) -> None:
        self.run, self.lacking = run, lacking
        self.ids = run.ids or tuple(str(i + 1) for i in range(run.n))
        self._layers: list[dict[str, Bool]] = []
        self._null: list[Bool] = []

    def add(self, blank: dict[str, Bool], null: Bool) -> None:
        """One layer more: by column, where the number is missing, and where the output is."""
        own = np.ones(self.run.n, dtype=np.bool_)
        if self.run.n_samples is not None:  # an item with fewer samples repeats them
            own = self.run.n_samples > len(self._layers)
        self._layers.append({name: missing & own for name, missing in blank.items()})
        self._null.append(null & own if null.any() else np.zeros(self.run.n, dtype=np.bool_))

    def list_filled(self) -> list[Filled]:
        """The numbers, by column."""
        lacking = set(self.lacking)
        found = []
        for name in self._layers[0]:
            missing = np.any([layer[name] for layer in self._layers], axis=0)
            items = tuple(item for item, gap in zip(self.ids, missing.tolist(), strict=True) if gap or item in lacking)
            if items:
                file = None if self.run.more_sources else self.run.source.file
                found.append(Filled(system=self.run.system, run=self.run.run, column=name, items=items, file=file))
        return found

    def notes(self) -> list[Note]:
        samples = np.zeros(self.run.n)
        for layer, null in zip(self._layers, self._null, strict=True):
            samples += np.any([null, *layer.values()], axis=0)
        of_each = np.ones(self.run.n) if self.run.n_samples is None else self.run.n_samples
        whole = [*self.lacking, *self._name_items((samples > 0) & (samples == of_each))]
        some = (samples > 0) & (samples < of_each)
        said = [(inflect(len(whole), "item"), bool(self.lacking), whole)] if whole else []
        if some.any():
            of_items = inflect(int(some.sum()), "item")
            said.append((f"{inflect(int(samples[some].sum()), 'sample')} of {of_items}", False, self._name_items(some)))
        return [
            Note(
                code="missing_as_zero",
                text=f"{what} missing from {name_holder(self.run)} scored {self._phrase(absent)}: {join(items, 3)}",
                remedy=_REMEDY,
            )
            for what, absent, items in said
        ]

    def _name_items(self, where: Bool) -> list[str]:
        return [self.ids[i] for i in np.flatnonzero(where)]

    def _phrase(self, absent: bool) -> str:
        if self.run.outputs is None or not absent:
            return "0"
        return "as empty, or 0 by numbers of the file" if self.run.columns else "as empty"


def _drop_items(run: Run, items: set[str]) -> Run:
    keep = [i for i, item in enumerate(run.ids or ()) if item not in items]
    if run.ids is None or len(keep) == run.n:
        return run
    return run.on_rows(keep)


def _add_items(run: Run, lacking: Sequence[str], runs: Sequence[Run], number: float = 0.0) -> Run:
    found = {item: (other, i) for other in reversed(runs) for i, item in enumerate(other.ids or ())}
    places = [found.get(item) for item in lacking]
    blank = ("",) * max(other.n for other in runs)

    def fill_labels(name: str) -> list[str]:
        return [place[0].labels.get(name, blank)[place[1]] if place else "" for place in places]

    def fill_references(stream: int) -> list[str]:
        return [place[0].references[stream][place[1]] if place else "" for place in places]

    numbers = np.full(len(lacking), number)
    return replace(
        run,
        ids=(*(run.ids or ()), *lacking),
        outputs=None if run.outputs is None else (*run.outputs, *[ABSENT] * len(lacking)),
        references=tuple((*stream, *fill_references(k)) for k, stream in enumerate(run.references)),
        columns={name: np.concatenate([values, numbers]) for name, values in run.columns.items()},
        labels={name: (*values, *fill_labels(name)) for name, values in run.labels.items()},
        n_samples=None if run.n_samples is None else np.concatenate([run.n_samples, np.ones(len(lacking))]),
    )


def widen(runs: Sequence[Run]) -> list[Run]:
    """The runs with every item that another run has; what they lack is NaN, or ``ABSENT``."""
    every = dict.fromkeys(item for run in runs for item in run.ids or ())
    result = []
    for run in runs:
        present = set(run.ids or ())
        lacking = [] if run.ids is None else [i for i in every if i not in present]
        result.append(_add_items(run, lacking, runs, math.nan) if lacking else run)
    return result
