"""All systems on the same items in one order: what every verb is given, complete when it is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, inflect, join
from outscore.base.items import Absent, Items
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.common import first_few
from outscore.data.gaps import describe_remedies
from outscore.data.run import Filled, NoNumber
from outscore.results.result import SourceFile

_NO_GOLD = "without a gold"
_MANY, _MANY_OF_ONE = 0.05, 0.01
"""Shares of items left out from which on it is no mere remark: by anybody, and where one system alone lacks them."""
_MOST_REASONS = 3
_MOST_NAMED = 5


@dataclass(frozen=True, kw_only=True, repr=False)
class Dataset:
    """All systems and their runs on the same items in the same order.

    It is never changed: what leaves items out or adds a note gives another that is as complete.

    Attributes:
        systems: in the order given; the first is the baseline.
        runs: run names of each system.
        items: ids of the items that are compared.
        by_position: these ids are the numbers of lines, as the files have none.
        layers: what metrics may read, by (system, run): one ``Items`` for each sample, the k-th with the k-th sample of
            every item; one alone where each item was answered once. An item with fewer samples repeats its own in turn.
        sample_counts: how many samples each item has of its own, ``(n,)``, by (system, run) where there are several.
        labels: descriptions of the items, each with one entry per item.
        notation: how the outputs are written, the same for all.
        sources: every file with its digest.
        dropped: id of each item that was left out, with the reason.
        n_items_read: items before dropping.
        missing: ``drop`` where items are to be left out that have no number in a column that a metric reads, see
            ``with_numbers``.
        filled: numbers that were taken for 0 as they are not there.
        files: those that hold each (system, run).
        texts: columns of tables that are no numbers, by name, with the first cell that is none.
        notes: what a reader of the result must know.
        places: where each item stands in the files, ``(n,)``, where it is not that order, see ``in_order``.
    """

    systems: tuple[str, ...]
    runs: Mapping[str, tuple[str, ...]]
    items: tuple[str, ...]
    layers: Mapping[tuple[str, str], tuple[Items, ...]]
    labels: Mapping[str, tuple[str, ...]]
    notation: str
    sources: tuple[SourceFile, ...]
    dropped: Mapping[str, str]
    n_items_read: int
    by_position: bool = False
    missing: str = "error"
    filled: tuple[Filled, ...] = ()
    files: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, NoNumber] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    sample_counts: Mapping[tuple[str, str], Float] = field(default_factory=dict)
    places: Int | None = None

    @classmethod
    def joined(cls, parts: Sequence[tuple[str, Dataset]]) -> Dataset:
        """The first of several with the files and the items left out of all: where the numbers of all come from.

        Args:
            parts: each with the name under which its items are called that were left out; empty for none.
        """
        return replace(
            parts[0][1],
            sources=tuple(dict.fromkeys(source for _, data in parts for source in data.sources)),
            dropped={
                f"{name}: {item}" if name else item: reason
                for name, data in parts
                for item, reason in data.dropped.items()
            },
            n_items_read=sum(data.n_items_read for _, data in parts),
        )

    def __repr__(self) -> str:
        """One line: how much it is, what metrics may read, and where it comes from; the data may be long."""
        every = self.all_runs
        holds = [
            *(["outputs"] if any(one.outputs is not None for one in every) else []),
            *(["references"] if any(one.references for one in every) else []),
            *dict.fromkeys(name for one in every for name in (*one.columns, *one.labels)),
        ]
        files = dict.fromkeys(source.file for source in self.sources)
        return (
            f"<Dataset: {inflect(len(self.systems), 'system')} ({_list(self.systems)}), "
            f"{inflect(len(self.items), 'item')}; {_list(holds)}; from {_list(files)}>"
        )

    @cached_property
    def by_run(self) -> Mapping[tuple[str, str], Items]:
        """The first sample of each (system, run); the only one, as a rule."""
        return {key: layers[0] for key, layers in self.layers.items()}

    @cached_property
    def all_runs(self) -> tuple[Items, ...]:
        """All samples of all runs."""
        return tuple(layer for layers in self.layers.values() for layer in layers)

    @property
    def references(self) -> tuple[Sequence[str], ...]:
        """Streams of references or gold labels, the same for all systems."""
        return next((layer.references for layer in self.all_runs), ())

    @property
    def n_samples(self) -> dict[str, tuple[int, int]]:
        """The least and the largest number of samples of an item, by system, where there are several."""
        found: dict[str, tuple[int, int]] = {}
        for system in self.systems:
            counts = [counts for key, counts in self.sample_counts.items() if key[0] == system]
            if counts:
                single = len(counts) < len(self.runs[system])
                found[system] = (1 if single else int(min(c.min() for c in counts)), int(max(c.max() for c in counts)))
        return found

    def average(self, system: str, run: str, layers: Sequence[Float]) -> Float:
        """The mean over the samples of each item, ``(n, ...)``, of what each layer has; every item counts its own."""
        if len(layers) == 1:
            return layers[0]
        counts = self.sample_counts[system, run]
        shape = (-1, *(1,) * (layers[0].ndim - 1))
        own = [np.where((counts > k).reshape(shape), layer, 0.0) for k, layer in enumerate(layers)]
        # sorted, as the sum must not depend on which sample came first
        return np.asarray(np.sort(own, axis=0).sum(axis=0) / counts.reshape(shape))

    def check_numbers(self, column: str) -> None:
        """Refuses a column of tables that holds texts, where numbers are asked for.

        Raises:
            InputError: with the first cell that is none.
        """
        found = self.texts.get(column)
        if found is not None:
            raise InputError(
                f"column {column!r} holds {found.cell[:60]!r}, expected a number ({found.count} of {found.of} cells "
                "are none)",
                file=found.file,
                line=found.line,
                remedy="leave cells without a number empty, and write plain numbers elsewhere",
            )

    def items_without_gold(self, *, labels: bool) -> list[int]:
        """Positions of the items without any gold, where there is gold at all.

        Args:
            labels: the gold are labels, of which an empty one is missing too; an empty text can be the right answer.
        """
        if not self.references:
            return []
        bare = set(range(len(self.items)))
        for stream in self.references:
            bare &= {i for i, text in enumerate(stream) if isinstance(text, Absent) or (labels and not text.strip())}
        return sorted(bare)

    def items_without_output(self) -> dict[tuple[str, str], list[int]]:
        """Positions of the items without an output, by (system, run); in some sample, where there are several."""
        found = {key: sorted({i for layer in layers for i in layer.absent()}) for key, layers in self.layers.items()}
        return {key: where for key, where in found.items() if where}

    def with_notes(self, *notes: Note) -> Dataset:
        """The same with these notes at the end; they take the place of others of the same code."""
        codes = {note.code for note in notes}
        return replace(self, notes=(*(one for one in self.notes if one.code not in codes), *notes)) if notes else self

    def without_notes(self, code: str) -> Dataset:
        """The same without the notes of this code."""
        return replace(self, notes=tuple(note for note in self.notes if note.code != code))

    def with_systems(self, systems: Sequence[str]) -> Dataset:
        """The same with its systems in this order."""
        return replace(self, systems=tuple(systems))

    def with_runs(self, change: Callable[[Items], Items]) -> Dataset:
        """The same with something else for what metrics may read, sample by sample."""
        return replace(self, layers={key: tuple(map(change, layers)) for key, layers in self.layers.items()})

    def on_items(self, rows: Sequence[int]) -> Dataset:
        """The items at these positions alone."""
        texts = [layer.outputs for layer in self.all_runs if layer.outputs is not None]
        texts += [stream for layer in self.all_runs for stream in layer.references]
        texts += self.labels.values()
        # systems share their references and labels: each stream is picked from once, and shared again
        picked = {key: tuple([stream[i] for i in rows]) for key, stream in {id(s): s for s in texts}.items()}
        labels = {name: picked[id(values)] for name, values in self.labels.items()}

        def select(layer: Items) -> Items:
            return Items(
                n=len(rows),
                outputs=None if layer.outputs is None else picked[id(layer.outputs)],
                references=tuple(picked[id(stream)] for stream in layer.references),
                columns={name: values[rows] for name, values in layer.columns.items()},
                labels=labels,
            )

        return replace(
            self.with_runs(select),
            items=tuple([self.items[i] for i in rows]),
            sample_counts={key: counts[rows] for key, counts in self.sample_counts.items()},
            labels=labels,
            places=None if self.places is None else self.places[rows],
        )

    def in_file_order(self) -> Dataset:
        """The items as they stand in the files."""
        return self if self.places is None else replace(self.on_items(np.argsort(self.places).tolist()), places=None)

    def without_items(self, reasons: Mapping[int, str], said: Callable[[Mapping[str, str], int], Note]) -> Dataset:
        """The data without the items at some positions, each with its reason.

        Args:
            said: makes the note of all items left out and the number read.

        Raises:
            InputError: no item is left.
        """
        keep = [i for i in range(len(self.items)) if i not in reasons]
        if not keep:
            raise no_items_error(self.n_items_read)
        dropped = {**self.dropped, **{self.items[i]: reason for i, reason in sorted(reasons.items())}}
        return replace(self.on_items(keep), dropped=dropped).with_notes(said(dropped, self.n_items_read))

    def with_numbers(self, columns: Iterable[str]) -> Dataset:
        """The items that have a number in all of these columns for every run, where items may be dropped.

        Aligning cannot do it: only what a metric reads may cost an item, and a table may hold columns that nobody
        compares.

        Raises:
            InputError: no item is left.
        """
        if self.missing != "drop":
            return self
        found: dict[int, dict[str, list[str]]] = {}
        for name in columns:
            for (system, run), layers in self.layers.items():
                missing = [~np.isfinite(layer.columns[name]) for layer in layers]
                for i in np.flatnonzero(np.any(missing, axis=0)).tolist():
                    found.setdefault(i, {}).setdefault(name, []).append(f"system {system!r} (run {run!r})")
        said = {
            i: [f"{name!r} is missing in {first_few(of)}" for name, of in names.items()] for i, names in found.items()
        }
        reasons = {i: ", ".join(of_item) for i, of_item in said.items()}
        return self.without_items(reasons, note_dropped) if reasons else self

    def with_outputs(self) -> Dataset:
        """The items that every system has an output for, where items may be dropped; all, where they count as 0.

        Raises:
            InputError: an output is missing, or no item is left.
        """
        gaps = self.items_without_output()
        if not gaps or self.missing == "zero":
            return self
        if self.missing == "drop":
            reasons = {
                i: f"no output in system {system!r} (run {run!r})"
                for (system, run), where in reversed(gaps.items())
                for i in where
            }
            return self.without_items(reasons, note_dropped)
        (system, run), where = next(iter(gaps.items()))
        files = self.files.get((system, run), ())
        others = dict.fromkeys(name for name, _ in gaps if name != system)
        also = f", and {join(others, 3)} lack some too" if others else ""
        raise InputError(
            f"system {system!r} (run {run!r}) has no output for {inflect(len(where), 'item')}: "
            f"{join((self.items[i] for i in where), 3)}{also}",
            file=files[0] if len(files) == 1 else None,
            remedy=f'{describe_remedies(len(self.systems))}; an empty answer is ""',
        )

    def with_gold(self, *, labels: bool) -> Dataset:
        """The items that have a gold, whoever is compared: to be without one is no fault of a system.

        Args:
            labels: as for ``items_without_gold``.

        Raises:
            InputError: no item has one.
        """
        bare = self.items_without_gold(labels=labels)
        if not bare:
            return self
        if len(bare) == len(self.items):
            raise InputError(
                f"none of {inflect(len(bare), 'item')} has a gold", remedy="give references or gold labels"
            )
        return self.without_items(dict.fromkeys(bare, _NO_GOLD), _without_gold_note)


def note_dropped(dropped: Mapping[str, str], n_read: int) -> Note:
    """Who was incomplete, and how many items each such case cost."""
    reasons = Counter(dropped.values()).most_common()
    said = "; ".join(f"{n} {reason}" for reason, n in reasons[:_MOST_REASONS])
    more = f"; and {inflect(len(reasons) - _MOST_REASONS, 'case')} more" if len(reasons) > _MOST_REASONS else ""
    return Note(
        code="dropped_items",
        text=f"{len(dropped)} of {n_read} items were left out in all systems ({join(dropped, 3)}): {said}{more}",
        remedy="give every system all items, lest the hard ones be those that are missing",
    )


def note_many_dropped(data: Dataset) -> tuple[Note, ...]:
    """A note where so many items were left out for what systems lack that the answer may be another with them."""
    told = any(note.code == "dropped_items" for note in data.notes)
    lost = [why for why in data.dropped.values() if told and "system" in why]
    alone = len(set(lost)) == 1 and lost[0].count(" (run ") == 1
    if len(lost) < (_MANY_OF_ONE if alone else _MANY) * data.n_items_read:
        return ()
    return (
        Note(
            code="many_dropped",
            text=f"{len(lost)} of {data.n_items_read} items were left out for what systems lack: where those are the "
            "hard ones, the answer favours who lacks most",
            remedy="score them 0 with --missing zero if higher is better and no answer is a wrong answer",
        ),
    )


def _without_gold_note(dropped: Mapping[str, str], n_read: int) -> Note:
    items = [item for item, reason in dropped.items() if reason == _NO_GOLD]
    return Note(
        code="without_gold",
        text=f"{len(items)} of {n_read} items have no gold and were left out in all systems: {join(items, 3)}",
        remedy="give their gold, or take the items out of the file",
    )


def no_items_error(n_read: int) -> InputError:
    """The error where every item that was read had to be left out."""
    return InputError(
        f"no item is left: all {n_read} are missing somewhere",
        remedy="check that the systems share their item ids, or compare what only some items have by itself",
    )


def _list(names: Iterable[str]) -> str:
    """Names for one line, cut after five; ``nothing`` of none."""
    every = list(names)
    more = f" and {len(every) - _MOST_NAMED} more" if len(every) > _MOST_NAMED else ""
    return (", ".join(every[:_MOST_NAMED]) or "nothing") + more
