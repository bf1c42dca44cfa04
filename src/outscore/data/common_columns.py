"""Which numbers all runs have, and what is odd about them: none in common, other names, other scales."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.base.arrays import Float
from outscore.base.errors import InputError, shown
from outscore.base.notes import Note
from outscore.data.run import Run

_MOST_NAMED = 3


def nothing_in_common(runs: Sequence[Run]) -> InputError:
    """The error of systems without outputs that have no column of numbers in common."""
    different = {frozenset(run.columns): run for run in reversed(runs)}
    first, *others = reversed(different.values())
    scorers = {run.source.reader for run in runs} == {"inspect"}
    said = "; ".join(
        f"{run.system!r} has {shown(run.scored_by if name == 'score' else name for name in run.columns)} "
        f"({run.source.file})"
        for run in (first, *others[: _MOST_NAMED - 1])
    )
    more = "; and so on" if len(others) >= _MOST_NAMED else ""
    return InputError(
        f"no {'scorer' if scorers else 'column of numbers'} is in all: {said}{more}",
        remedy="score all logs alike, as with inspect score"
        if scorers
        else "give the scores one name in all files, or say it for each, as -c score=NAME",
    )


def scored_by(runs: Sequence[Run]) -> list[Note]:
    """A note where columns of other names are compared as scores, as they are the only numbers in their files."""
    names: dict[str, dict[str, None]] = {}
    for run in runs:
        names.setdefault(run.scored_by, {})[run.system] = None
    if len(names) < 2:
        return []
    said = "; ".join(f"{name!r} of {shown(systems, 3)}" for name, systems in names.items())
    return [
        Note(
            code="scores_by_other_names",
            text=f"the columns that are compared as scores have other names in other files: {said}",
            remedy="check that they hold the same; name the column of each file with -c score=NAME",
        )
    ]


def mixed_scale(runs: Sequence[Run], columns: dict[str, list[Float]]) -> list[Note]:
    """One note per column in which some systems look like 0-1 and others like 0-100."""
    notes = []
    for name, cells in columns.items():
        small, large = {}, {}
        for run, values in zip(runs, cells, strict=True):
            low, high = float(values.min()), float(values.max())
            if low >= 0 and 0 < high <= 1:
                small[run.system] = float(values.mean())
            elif low >= 0 and 10 < high <= 100:
                large[run.system] = float(values.mean())
        if small and large and min(large.values()) > 10 * max(small.values()):
            notes.append(
                Note(
                    code="mixed_scale",
                    text=f"{name!r} looks like 0-1 for {shown(small, 3)}, like 0-100 for {shown(large, 3)}",
                    remedy="bring all systems to one scale",
                )
            )
    return notes
