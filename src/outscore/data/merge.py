"""Texts that belong to the items and not to one system: labels and references, joined and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from outscore.base.errors import InputError, shown
from outscore.base.notes import Note
from outscore.data.columns import LABELS
from outscore.data.run import Gold, Run

Stream = tuple[str, ...]
Gather = Callable[[Run | Gold, Stream], Stream]
"""A stream of one file, in the order of the aligned items."""


@dataclass
class Merger:
    """Joins labels and references over files.

    Attributes:
        items: aligned ids.
        gather: brings a stream of a file into the order of ``items``.
        notes: on files or columns left out.
    """

    items: tuple[str, ...]
    gather: Gather
    notes: list[Note] = field(default_factory=list)

    def labels(self, holders: Sequence[Run | Gold]) -> dict[str, Stream]:
        """All labels, each from the first file that has it.

        Raises:
            InputError: two files give an item different values of a label that describes items by its name.
        """
        found: dict[str, tuple[Stream, Run | Gold]] = {}
        left_out: dict[str, None] = {}
        checked: set[tuple[int, int]] = set()
        for holder in holders:
            for name, stream in holder.labels.items():
                # The runs of a wide table share their labels; look once.
                key = (id(holder.ids), id(stream))
                if key in checked:
                    continue
                checked.add(key)
                values = self.gather(holder, stream)
                before, first = found.setdefault(name, (values, holder))
                if before == values:
                    continue
                if name.lower() not in LABELS:
                    # What differs between systems (a comment, a raw answer) does not describe the item.
                    left_out[name] = None
                    continue
                i = next(i for i, (a, b) in enumerate(zip(before, values, strict=True)) if a != b)
                raise InputError(
                    f"item {self.items[i]!r} has {name} {values[i]!r} for {_what(holder)} but "
                    f"{before[i]!r} for {_what(first)} ({first.source.file})",
                    file=holder.source.file,
                    remedy=f"give every item one {name}",
                )
        if left_out:
            one = len(left_out) == 1
            text = (
                f"{shown(left_out)} {'has' if one else 'have'} different values for the same item in the files of "
                f"different systems, and {'is' if one else 'are'} not used to describe the items"
            )
            self.notes.append(Note(code="label_left_out", text=text, remedy=""))
        return {name: values for name, (values, _) in found.items() if name not in left_out}

    def references(self, runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[Stream, ...]:
        """The streams of references: those given apart, else those that the system files carry.

        Raises:
            InputError: the files of two systems carry different references for an item.
        """
        carriers = [run for run in runs if run.references]
        given = tuple(self.gather(g, stream) for g in golds for stream in g.references)
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
        shared = tuple(self.gather(first, stream) for stream in first.references)
        for run in carriers[1:]:
            if len(run.references) != len(shared):
                raise InputError(
                    f"{len(run.references)} references per item for {_what(run)}, but {len(shared)} for "
                    f"{_what(first)} ({first.source.file})",
                    file=run.source.file,
                    remedy="give all systems the same references, or give them apart with -r",
                )
            for stream, before in zip(run.references, shared, strict=True):
                values = self.gather(run, stream)
                if values != before:
                    i = next(i for i, (a, b) in enumerate(zip(before, values, strict=True)) if a != b)
                    raise InputError(
                        f"item {self.items[i]!r} has the reference {values[i][:60]!r} for {_what(run)} but "
                        f"{before[i][:60]!r} for {_what(first)} ({first.source.file})",
                        file=run.source.file,
                        remedy="give all systems the same references, or give them apart with -r",
                    )
        return shared


def _what(holder: Run | Gold) -> str:
    return f"system {holder.system!r}" if isinstance(holder, Run) else "the item descriptions"
