"""Runs and gold data as readers give them, each as its file has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notation import TEXT
from outscore.base.notes import Note
from outscore.results.result import SourceFile

Stream = tuple[str, ...]
"""One text for each item."""


@dataclass(frozen=True)
class NoNumber:
    """The first cell that keeps a column from being one of numbers, and how many of its cells do, of how many."""

    cell: str
    file: str
    line: int | None
    count: int
    of: int


@dataclass(frozen=True, kw_only=True)
class Questions:
    """The questions that a file names, by which other files are known to speak of the same items.

    Attributes:
        task: what the task is called.
        inputs, targets: of each item, ``(n,)``; an empty target is not known.
        tokens: of each item, where they are what an output describes one by one.
        lines: where each token stands in the file.
        metric: what gave the numbers.
    """

    task: str = ""
    inputs: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    tokens: tuple[tuple[str, ...], ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    metric: str = ""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run of one system, as it was read.

    Attributes:
        system, run: names; together they identify it.
        sample: where the model answered items several times, a name that tells these answers apart; else empty.
        n_samples: how many samples each item has, ``(n,)``, once they are in layers (``data.shards``).
        ids: item ids, or None when items are known by their position only.
        items_chosen: the user said which column holds the ids.
        outputs: text or predicted label of each item, if there are any.
        references: streams of references or gold labels that the file itself carries.
        columns: numbers by name, each ``(n,)``; NaN is a missing value.
        scored_by: what the file calls its scores, where it is the only column of numbers.
        labels: texts that describe the items: cluster, domain, document ...
        texts: of columns of the table that are no numbers, the cell that says so.
        notation: how the outputs are written (``base.notation``): text, conllu, tree, links ...
        part: the part of the test set that the file holds, for formats that keep one file for each task or chapter;
            a system's files with different parts are joined to one run.
        part_guessed: the part is the name of a file that does not say it, and its items are not told apart by it.
        test: what the tool says of the test itself, as the version of a task, by which files of one part should agree.
        made_by: the model, and the settings of the task, as the file itself names them.
        asked: what was asked, until it is compared with other files (``data.same_items``).
        notes: what a reader of the result must know of this file.
        source: the file it came from; ``more_sources`` are those of further parts.
    """

    system: str
    run: str
    sample: str = ""
    n_samples: Float | None = None
    ids: tuple[str, ...] | None = None
    items_chosen: bool = False
    outputs: tuple[str, ...] | None = None
    references: tuple[tuple[str, ...], ...] = ()
    columns: Mapping[str, Float] = field(default_factory=dict)
    scored_by: str = "score"
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, NoNumber] = field(default_factory=dict)
    notation: str = TEXT
    part: str = ""
    part_guessed: bool = False
    test: tuple[str, ...] = ()
    made_by: tuple[str, ...] = ()
    asked: Questions | None = None
    notes: tuple[Note, ...] = ()
    source: SourceFile
    more_sources: tuple[SourceFile, ...] = ()

    @property
    def n(self) -> int:
        """Number of items."""
        if self.ids is not None:
            return len(self.ids)
        if self.outputs is not None:
            return len(self.outputs)
        return next((len(column) for column in self.columns.values()), 0)

    def with_notes(self, *notes: Note) -> Run:
        """The same with these notes at the end."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self

    def on_rows(self, rows: Sequence[int]) -> Run:
        """The items at these positions alone, in this order."""

        def pick(stream: Stream) -> Stream:
            return tuple([stream[i] for i in rows])

        return replace(
            self,
            ids=None if self.ids is None else pick(self.ids),
            outputs=None if self.outputs is None else pick(self.outputs),
            references=tuple(map(pick, self.references)),
            columns={name: values[rows] for name, values in self.columns.items()},
            labels={name: pick(values) for name, values in self.labels.items()},
            n_samples=None if self.n_samples is None else self.n_samples[rows],
        )

    @staticmethod
    def stack(runs: Sequence[Run]) -> Run:
        """The first run with the items of all, one after another; a column that one lacks is NaN there, a label empty.

        The notes are those of all, each once.
        """
        first = runs[0]

        def column(name: str) -> Float:
            return np.concatenate([run.columns.get(name, np.full(run.n, np.nan)) for run in runs])

        def label(name: str) -> Stream:
            return tuple(text for run in runs for text in run.labels.get(name, ("",) * run.n))

        return replace(
            first,
            ids=None if first.ids is None else tuple(item for run in runs for item in run.ids or ()),
            outputs=None if first.outputs is None else tuple(text for run in runs for text in run.outputs or ()),
            references=tuple(
                tuple(text for run in runs for text in run.references[i]) for i in range(len(first.references))
            ),
            columns={name: column(name) for name in dict.fromkeys(name for run in runs for name in run.columns)},
            labels={name: label(name) for name in dict.fromkeys(name for run in runs for name in run.labels)},
            notes=tuple(dict.fromkeys(note for run in runs for note in run.notes)),
        )


@dataclass(frozen=True, kw_only=True)
class Gold:
    """References, gold labels or descriptions of the items, which belong to no system.

    Attributes:
        ids: item ids, or None for the order of the lines.
        references: streams, each with one entry per item.
        labels: cluster, domain ... by name.
        notation, asked: see ``Run``.
    """

    ids: tuple[str, ...] | None = None
    references: tuple[tuple[str, ...], ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notation: str = TEXT
    asked: Questions | None = None
    source: SourceFile

    @property
    def n(self) -> int:
        """Number of items."""
        if self.ids is not None:
            return len(self.ids)
        streams = (*self.references, *self.labels.values())
        return len(streams[0]) if streams else 0

    def without(self, items: frozenset[str]) -> Gold:
        """The same without the items of these ids."""
        if self.ids is None or items.isdisjoint(self.ids):
            return self
        keep = [i for i, item in enumerate(self.ids) if item not in items]

        def pick(stream: Stream) -> Stream:
            return tuple([stream[i] for i in keep])

        return replace(
            self,
            ids=pick(self.ids),
            references=tuple(map(pick, self.references)),
            labels={name: pick(stream) for name, stream in self.labels.items()},
        )

    @property
    def called(self) -> str:
        """Its name in messages."""
        return {"gold": "the gold data", "items": "the description of the items"}.get(
            self.source.role, "the file of references"
        )


@dataclass(frozen=True, kw_only=True)
class Filled:
    """Numbers of one column that a run does not have, and that were taken for 0.

    Attributes:
        system, run: whose they are.
        column: its name.
        items: ids of the items.
        file: the file of the run, where it is one.
    """

    system: str
    run: str
    column: str
    items: tuple[str, ...]
    file: str | None = None
