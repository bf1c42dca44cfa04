"""Competitors of a ranking: scores of items, one number for each data set, or ratings from preferences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.data.judgments import Preferences, Ratings
from outscore.engine.design import Design
from outscore.significance import notes
from outscore.significance.preferences import Ties
from outscore.verbs.rank.block_ranks import block_scores, blocks_of
from outscore.verbs.rank.contests import Contest, contest, replace_numbers
from outscore.verbs.shared.inputs import check_several
from outscore.verbs.shared.measured import Measured, Measurements, measuring_notes
from outscore.verbs.shared.naming import attribute
from outscore.verbs.shared.sets import MeasuredSet

DATA_SET = "data set"
_ENOUGH_SETS = 6


@dataclass(frozen=True, kw_only=True)
class Competitors:
    """Systems to be ranked, and the numbers that rank them.

    Attributes:
        systems, measured, design: their numbers under every metric.
        data: the data behind the numbers.
        unit: of one item: an item, a data set or a cluster.
        blocks: name of the blocks, and for each metric the scores ``(blocks, systems)`` on them.
        contest: where the scores are ratings.
        notes: on the numbers, whatever the ranks.
    """

    systems: tuple[str, ...]
    measured: tuple[Measured, ...]
    design: Design
    data: Dataset
    unit: str = "item"
    blocks: tuple[str, tuple[Float, ...]] | None = None
    contest: Contest | None = None
    notes: tuple[Note, ...] = ()


def from_scores(made: Measurements, wanted: str | None) -> Competitors:
    data = made.data
    blocks = blocks_of(data, wanted)
    _check_several(data, made.design.n_units)
    scores = () if blocks is None else tuple(block_scores(m, blocks[1]) for m in made.measured)
    return Competitors(
        systems=data.systems,
        measured=made.measured,
        design=made.design,
        data=data,
        blocks=None if blocks is None else (blocks[0], scores),
        notes=(*data.notes, *measuring_notes(made.measured)),
    )


def from_sets(sets: Sequence[MeasuredSet]) -> Competitors:
    """Data sets as items: one number for each system and data set."""
    first = sets[0]
    _check_several(first.data, len(sets))
    raw = [np.array([[runs.mean() for runs in one.measured[p].stats.run_scores] for one in sets])
           for p in range(len(first.measured))]  # fmt: skip
    data = Dataset.joined([(one.name, one.data) for one in sets])
    said = attribute((repr(one.name), (*one.data.notes, *measuring_notes(one.measured))) for one in sets)
    said += [notes.FEW_DATA_SETS] if len(sets) < _ENOUGH_SETS else []
    return Competitors(
        systems=data.systems,
        measured=tuple(replace_numbers(m, scores) for m, scores in zip(first.measured, raw, strict=True)),
        design=Design(len(sets)),
        data=data,
        unit=DATA_SET,
        blocks=(DATA_SET, tuple(m.stats.sign * scores for m, scores in zip(first.measured, raw, strict=True))),
        notes=tuple(said),
    )


def from_judgments(data: Preferences | Ratings, ties: Ties, elo: bool, lower: bool, cluster: str | None) -> Competitors:
    if isinstance(data, Preferences) and lower:
        raise UsageError("lower is for judgments that are ratings or ranks: preferences name the winner")
    if isinstance(data, Ratings):
        data.check_direction(lower)
    preferences = data if isinstance(data, Preferences) else data.preferences(lower)
    made = contest(preferences, ties=ties, elo=elo, cluster=cluster)
    return Competitors(
        systems=preferences.systems, measured=(made.measured,), design=made.design, unit=made.unit, contest=made,
        notes=data.notes if isinstance(data, Preferences) else (),
        data=Dataset(
            systems=preferences.systems, runs={}, items=preferences.items, layers={}, labels=preferences.about,
            notation="", sources=data.sources, dropped={}, n_items_read=len(data.items),
        ),
    )  # fmt: skip


def _check_several(data: Dataset, n_units: int) -> None:
    check_several(data, lacks="cannot be ranked")
    if n_units < 2:
        raise UsageError("one item, or cluster, cannot rank systems: give several")
