"""Notes that name whom they mean: pairs, systems or data sets, unless they mean all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from outscore.base.notes import Note
from outscore.results.result import Score
from outscore.significance.gain import GainContrast

_MOST = 3
_UNDER = " under "


def attribute(each: Iterable[tuple[str, Sequence[Note]]]) -> list[Note]:
    """Each note once, with the names of those that it is about after it, unless it is about all.

    Args:
        each: names with the notes of what they name; a name may come again with further notes.
    """
    each = list(each)
    whose: dict[Note, dict[str, None]] = {}
    for name, found in each:
        for note in found:
            whose.setdefault(note, {})[name] = None
    every = dict.fromkeys(name for name, _ in each)
    return [
        note if len(names) == len(every) else append_names(note, _name_by_metrics(names, every))
        for note, names in whose.items()
    ]


def _name_by_metrics(names: Iterable[str], every: Iterable[str]) -> list[str]:
    """The metrics alone where all pairs, or systems, are meant under each of them; else the names as they are."""
    names = list(names)
    metrics = dict.fromkeys(name.rpartition(_UNDER)[2] for name in names)
    of_metrics = [name for name in every if _UNDER in name and name.rpartition(_UNDER)[2] in metrics]
    if of_metrics != names:
        return names
    first, *others = metrics
    return [f"under {first}", *others]


def append_names(note: Note, names: Sequence[str]) -> Note:
    """The note with the first of these names after it, and how many there are more."""
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return replace(note, text=f"{note.text} ({', '.join(names[:_MOST])}{more})")


def pair_name(pair: GainContrast) -> str:
    """Name of a pair in a note: its system, the baseline and the metric where there are several."""
    resamples = pair.resamples
    name = repr(resamples.systems[pair.system])
    if resamples.all_pairs and len(resamples.systems) > 2:
        name += f" against {resamples.systems[pair.baseline]!r}"
    return name if len(resamples.by_metric) == 1 else f"{name}{_UNDER}{pair.stats.name}"


def score_name(score: Score, metrics: int) -> str:
    """Name of a score in a note: its system, and the metric where there are several ``metrics``."""
    return repr(score.system) if metrics == 1 else f"{score.system!r}{_UNDER}{score.metric}"
