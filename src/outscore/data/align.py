"""All runs on the same items: by id where there are ids, by position for plain lines, never by guessing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from shlex import quote
from typing import Literal, get_args

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import InputError, UsageError, begin, join
from outscore.base.items import Items
from outscore.base.notes import Note
from outscore.data.additive import adjust, join_through
from outscore.data.columns import LABELS, number
from outscore.data.common import (
    check_runs,
    check_shared,
    copies,
    first_few,
    match_by_id,
    match_by_position,
    no_common_column_error,
    note_mixed_scale,
    note_runs_as_systems,
    note_score_columns,
)
from outscore.data.dataset import Dataset, no_items_error, note_dropped
from outscore.data.gaps import complete_runs, missing_numbers, name_holder, note_marks, zero_is_bad
from outscore.data.indices import find_ids, tells_apart
from outscore.data.questions import PYTHON
from outscore.data.run import Filled, Gold, Run, Stream
from outscore.data.shards import split_layers
from outscore.data.sums import MOVE, SUMS, find_sum_of_lines, find_sums, sum_of_lines_error

Missing = Literal["error", "drop", "zero", "additive"]
_SAID = re.compile("(?i)output|respon|answer|predic|complet|generat|hyp|transl|comment|reason|rational|expla|judge|raw")
"""Parts of the names of texts that systems, or judges of them, wrote."""
_BY_COLUMN = "-c item={} joins the rows by it, as ids that are numbers may only count them"


def align(
    runs: Sequence[Run],
    golds: Sequence[Gold] = (),
    *,
    missing: Missing = "error",
    keep_gaps: bool = False,
    labels: bool = False,
) -> Dataset:
    """Join runs and gold data on their items.

    Args:
        runs: at least one; the order of the first run is the order of the items.
        golds: references and descriptions of the items.
        missing: what to do with an item that some run lacks or has no number for: ``error``; ``drop`` it in all
            systems; score it ``zero``, as an empty output or the number 0; or take scores of an ``additive`` model of
            systems and items (``data.additive``). All but the first are said in a note.
        keep_gaps: numbers that are missing are no fault and stay NaN.
        labels: the numbers are labels, for which no error advises a 0.

    Raises:
        InputError: runs that do not fit together; the message names files, counts and items.
        UsageError: no runs, or an unknown value of ``missing``.
    """
    if missing not in get_args(Missing):
        raise UsageError(f"missing={missing!r}: expected {' or '.join(map(repr, get_args(Missing)))}")
    if not runs:
        raise UsageError("there are no runs to align")
    runs, golds = find_ids(split_layers(runs), golds)
    check_runs(runs)
    check_shared(runs, golds, join_through(runs) if missing == "additive" else ())
    notes: list[Note] = [*dict.fromkeys(note for run in runs for note in run.notes), *copies(runs), *_same_files(runs)]
    notes += note_runs_as_systems(runs)
    runs, said, filled = _fill(runs, golds, missing)
    notes += said
    dropped: dict[str, str] = {}
    systems = 0 if labels else len({run.system for run in runs})
    if runs[0].ids is None:
        items = tuple(str(i + 1) for i in range(runs[0].n))
        golds = match_by_position(runs, golds, items, notes)
    else:
        items, dropped = match_by_id(runs, golds, systems, drop=missing in ("drop", "additive"))
    n_read = len(items) + len(dropped)
    merger = Merger(items, notes)
    columns = _columns(runs, merger, notes)
    bad = {} if keep_gaps else _bad_numbers(runs, columns, items, systems, drop=missing in ("drop", "additive"))
    if bad:
        dropped |= {items[i]: reason for i, reason in bad.items()}
        keep = np.array([i for i in range(len(items)) if i not in bad], dtype=np.int64)
        items = tuple(items[i] for i in keep)
        merger = Merger(items, notes, keep)
        columns = {name: [c[keep] for c in cells] for name, cells in columns.items()}
    if not items:
        raise no_items_error(n_read)
    described = merger.labels((*runs, *golds))
    references = merger.references(runs, golds)
    notes += [*note_score_columns(runs), *note_mixed_scale(runs, columns), *note_marks(runs, columns)]
    if dropped:
        notes.append(note_dropped(dropped, n_read))
    layers: dict[tuple[str, str], list[Items]] = {}
    counts: dict[tuple[str, str], Float] = {}
    for i, run in enumerate(runs):
        layers.setdefault((run.system, run.run), []).append(
            Items(
                n=len(items),
                outputs=None if run.outputs is None else merger.stream(run, run.outputs),
                references=references,
                columns={name: values[i] for name, values in columns.items()},
                labels=described,
            )
        )
        if run.n_samples is not None:
            counts[run.system, run.run] = merger.column(run, run.n_samples)
    uneven = [f"{own.min():.0f} to {own.max():.0f} of {of!r}" for (of, _), own in counts.items() if np.ptp(own)]
    if uneven:
        text = f"items have unequal numbers of samples ({', '.join(uneven[:3])}): absent ones count for nothing"
        remedy = "give what failed a row with its score, 0 as a rule: to leave it out favours who fails more"
        notes.append(Note(code="samples_unequal", text=text, remedy=remedy))
    names: dict[str, tuple[str, ...]] = {}
    for system, name in layers:
        names[system] = (*names.get(system, ()), name)
    return Dataset(
        systems=tuple(names),
        runs=names,
        items=items,
        layers={key: tuple(of_run) for key, of_run in layers.items()},
        sample_counts={key: own for key, own in counts.items() if len(layers[key]) > 1},
        labels=described,
        notation=runs[0].notation,
        sources=tuple(
            dict.fromkeys([*(s for r in runs for s in (r.source, *r.more_sources)), *(g.source for g in golds)])
        ),
        dropped=dropped,
        n_items_read=n_read,
        by_position=runs[0].ids is None,
        missing=missing,
        filled=filled,
        files={(r.system, r.run): tuple(s.file for s in (r.source, *r.more_sources)) for r in runs},
        texts={name: cell for run in runs for name, cell in run.texts.items() if name not in columns},
        notes=tuple(notes),
    )


def _same_files(runs: Sequence[Run]) -> list[Note]:
    """Notes on systems that were read of one file, and are no columns or rows of it that differ."""
    by_file: dict[str, list[Run]] = {}
    for run in runs:
        by_file.setdefault(run.source.file, []).append(run)
    files: dict[str, list[str]] = {}
    for file, of_file in by_file.items():
        systems, first = dict.fromkeys(run.system for run in of_file), of_file[0]
        if (
            len(systems) > 1
            and first.source.reader != PYTHON
            and all(_held(run) == _held(first) for run in of_file[1:])
        ):
            files.setdefault(join(systems, 3), []).append(file)
    remedy = "check that the right files were given"
    said = [f"{systems} are the same, read of {join(of, 3)}" for systems, of in files.items()]
    return [Note(code="runs_alike", text=text, remedy=remedy) for text in said]


def _held(run: Run) -> object:
    return run.outputs, *run.labels.items(), *((name, values.tobytes()) for name, values in run.columns.items())


def _fill(
    runs: Sequence[Run], golds: Sequence[Gold], missing: Missing
) -> tuple[Sequence[Run], list[Note], tuple[Filled, ...]]:
    """The runs with what they lack, where it is to be filled, what is said of it, and the numbers."""
    if missing == "zero":
        return complete_runs(runs, golds)
    return adjust(runs) if missing == "additive" else (runs, [], ())


def _columns(runs: Sequence[Run], merger: Merger, notes: list[Note]) -> dict[str, list[Float]]:
    """Columns that every run has, one ``(n,)`` array per run."""
    names = dict.fromkeys(name for run in runs for name in run.columns)
    shared = {n: [merger.column(r, r.columns[n]) for r in runs] for n in names if all(n in r.columns for r in runs)}
    partial = [name for name in names if name not in shared]
    if partial and not shared and all(run.outputs is None for run in runs):
        raise no_common_column_error(runs)
    if partial:
        lacking = dict.fromkeys(r.system for r in runs if partial[0] not in r.columns)
        notes.append(
            Note(
                code="column_left_out",
                text=f"only some systems have {join(partial)}: {partial[0]!r} is not there for {join(lacking)}",
                remedy="give all systems the same columns",
            )
        )
    # of all systems: the row of one alone may have too few digits
    every, first = [values for cells in shared.values() for values in cells], runs[0]
    if (total := find_sums(merger.items, every)) is not None:
        raise InputError(SUMS.format(merger.items[total]), file=first.source.file, remedy=MOVE)
    if first.ids is None and first.outputs is None and (total := find_sum_of_lines(every)) is not None:
        raise sum_of_lines_error(first.source, total, every[0][total])
    return shared


def _bad_numbers(
    runs: Sequence[Run], columns: dict[str, list[Float]], items: tuple[str, ...], systems: int, *, drop: bool
) -> dict[int, str]:
    """Positions of items with a number that is missing or infinite in some run, with the reason.

    Those missing beside outputs or another column are left to the metric that reads them, see ``Dataset.with_numbers``.
    """
    bad: dict[int, tuple[str, dict[str, None]]] = {}
    for name, cells in columns.items():
        if name != "score" and (len(columns) > 1 or all(run.outputs is not None for run in runs)):
            continue
        each = [(run, values, ~np.isfinite(values)) for run, values in zip(runs, cells, strict=True)]
        wrong = [one for one in each if one[2].any()]
        for run, values, gaps in wrong:
            if not drop:
                raise missing_numbers(
                    name,
                    values,
                    items,
                    of=name_holder(run),
                    file=None if run.more_sources else run.source.file,
                    systems=systems,
                    zero=zero_is_bad(name if run.scored_by == "score" else run.scored_by),
                    beside=[(name_holder(other), of_other) for other, _, of_other in wrong],
                    notes=run.notes,
                )
            what = "missing (NaN)" if np.isnan(values[gaps]).all() else "infinite or missing"
            for i in np.flatnonzero(gaps).tolist():
                bad.setdefault(i, (f"{name!r} is {what}", {}))[1][name_holder(run)] = None
    return {i: f"{said} in {first_few(list(names))}" for i, (said, names) in bad.items()}


class Merger:
    """Brings what files hold into the order of the aligned items, and joins their labels and references.

    Args:
        items: aligned ids.
        notes: what is left out is said here.
        kept: positions of the items in files without ids; None for all.
    """

    def __init__(self, items: tuple[str, ...], notes: list[Note], kept: Array | None = None) -> None:
        self.items, self.notes, self._kept = items, notes, kept
        self._known: dict[int, tuple[Stream, Array | None]] = {}

    def stream(self, holder: Run | Gold, stream: Stream) -> Stream:
        """A stream of one file, in the order of the items."""
        rows = self._rows(holder)
        return stream if rows is None else tuple([stream[i] for i in rows.tolist()])

    def column(self, holder: Run, column: Float) -> Float:
        """A column of one file, in the order of the items."""
        rows = self._rows(holder)
        return np.asarray(column if rows is None else column[rows], dtype=float)

    def _rows(self, holder: Run | Gold) -> Array | None:
        """Row of each aligned item in the file; None when the rows already are the items."""
        ids = holder.ids
        if ids is None:
            return self._kept
        if id(ids) not in self._known:
            rows = None
            if ids != self.items:
                index = {item: i for i, item in enumerate(ids)}
                rows = np.fromiter((index[i] for i in self.items), dtype=np.int64, count=len(self.items))
            self._known[id(ids)] = (ids, rows)
        return self._known[id(ids)][1]

    def labels(self, holders: Sequence[Run | Gold]) -> dict[str, Stream]:
        """All labels, each from the first file that has it.

        Raises:
            InputError: two files give an item different values of a label that describes items by its name.
        """
        found: dict[str, tuple[Stream, Run | Gold]] = {}
        left_out: dict[str, None] = {}
        checked: set[tuple[int, int]] = set()
        chosen = any(holder.items_chosen for holder in holders if isinstance(holder, Run))
        counted = holders[0].ids is not None and not chosen and all(map(str.isdigit, self.items))
        for holder in holders:
            for name, stream in holder.labels.items():
                # The runs of a wide table share their labels; look once.
                key = (id(holder.ids), id(stream))
                if key in checked:
                    continue
                checked.add(key)
                values = self.stream(holder, stream)
                before, first = found.setdefault(name, (values, holder))
                if before == values:
                    continue
                crossed = counted and len({*values}) == len(values) and {*before} == {*values}
                swapped = crossed and number(values[0]) is None
                if name.lower() not in LABELS and not swapped:
                    # What differs between systems (a comment, a raw answer) does not describe the item.
                    left_out[name] = None
                    continue
                i = next(i for i, (a, b) in enumerate(zip(before, values, strict=True)) if a != b)
                raise InputError(
                    f"item {self.items[i]!r} has {name} {begin(values[i])!r} for {_describe(holder)} but "
                    f"{begin(before[i])!r} for {_describe(first)} ({first.source.file})",
                    file=holder.source.file,
                    remedy=_BY_COLUMN.format(quote(name)) if swapped else f"give every item one {name}",
                )
        if left_out:
            one = len(left_out) == 1
            text = (
                f"{join(left_out)} {'has' if one else 'have'} different values for the same item in the files of "
                f"different systems, and {'is' if one else 'are'} not used to describe the items"
            )
            same = [n for n in found if n not in left_out and all(n in h.labels for h in holders if isinstance(h, Run))]
            unsure = (counted or not holders[0].ids) and not any(tells_apart(found[name][0]) for name in same)
            if unsure and any(tells_apart(found[name][0]) for name in left_out if not _SAID.search(name)):
                by = "ids that are numbers" if counted else "position"
                text = f"the rows of files were matched by {by}: {text}"
                note = Note(code="index_by_position", text=text, remedy="-c item=COLUMN if a column names the items")
            else:
                note = Note(code="label_left_out", text=text, remedy="")
            self.notes.append(note)
        return {name: values for name, (values, _) in found.items() if name not in left_out}

    def references(self, runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[Stream, ...]:
        """The streams of references: those given apart, else those that the system files carry.

        Raises:
            InputError: the files of two systems carry different references for an item.
        """
        carriers = [run for run in runs if run.references]
        given = tuple(self.stream(g, stream) for g in golds for stream in g.references)
        if given:
            if carriers:
                self.notes.append(
                    Note(
                        code="references_replaced",
                        text="the references that the system files carry are not used, "
                        "because references are given apart",
                        remedy="leave one of the two out",
                    )
                )
            return given
        if not carriers:
            return ()
        first = carriers[0]
        shared = tuple(self.stream(first, stream) for stream in first.references)
        for run in carriers[1:]:
            if len(run.references) != len(shared):
                raise InputError(
                    f"{len(run.references)} references per item for {_describe(run)}, but {len(shared)} for "
                    f"{_describe(first)} ({first.source.file})",
                    file=run.source.file,
                    remedy="give all systems the same references, or give them apart with -r",
                )
            for stream, before in zip(run.references, shared, strict=True):
                values = self.stream(run, stream)
                if values != before:
                    i = next(i for i, (a, b) in enumerate(zip(before, values, strict=True)) if a != b)
                    raise InputError(
                        f"item {self.items[i]!r} has the reference {values[i][:60]!r} for {_describe(run)} but "
                        f"{before[i][:60]!r} for {_describe(first)} ({first.source.file})",
                        file=run.source.file,
                        remedy="give all systems the same references, or give them apart with -r",
                    )
        return shared


def _describe(holder: Run | Gold) -> str:
    return f"system {holder.system!r}" if isinstance(holder, Run) else "the item descriptions"
