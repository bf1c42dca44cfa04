"""Runs whose items are spread over several files: one file for each task or chapter of the test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outscore.base.errors import InputError, shown
from outscore.data.run import Run


def joined(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs, the parts of each system joined.

    The k-th file of every part belongs to the k-th run.

    Raises:
        InputError: a system has more runs of one part than of another.
    """
    by_system: dict[str, list[Run]] = {}
    for run in runs:
        by_system.setdefault(run.system, []).append(run)
    result: list[Run] = []
    for of_system in by_system.values():
        parts: dict[str, list[Run]] = {}
        for run in of_system:
            parts.setdefault(run.part, []).append(run)
        if "" in parts or len(parts) == 1:
            result += of_system
            continue
        first, *others = parts.values()
        uneven = next((other for other in others if len(other) != len(first)), None)
        if uneven is not None:
            raise InputError(
                f"system {uneven[0].system!r} has {len(uneven)} runs of {uneven[0].part!r}, "
                f"but {len(first)} of {first[0].part!r} ({first[0].source.file})",
                file=uneven[0].source.file,
                remedy="give every run all parts",
            )
        result += [_one(chapters, str(k + 1)) for k, chapters in enumerate(zip(*parts.values(), strict=True))]
    return tuple(result)


def _one(chapters: Sequence[Run], name: str) -> Run:
    first = chapters[0]
    kinds = {(c.outputs is None, len(c.references), c.ids is None, c.notation) for c in chapters}
    if len(kinds) > 1 or first.ids is None:
        raise InputError(
            f"the parts {shown(c.part for c in chapters)} of system {first.system!r} do not hold the same kind of data",
            file=first.source.file,
            remedy="compare one part at a time",
        )
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
        notes=tuple(dict.fromkeys(note for c in chapters for note in c.notes)),
    )
