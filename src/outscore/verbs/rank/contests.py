"""Competitors of a ranking: scores, numbers of data sets, or ratings from preferences, item by item like scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, UsageError, inflect, join, no_column
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.data.judgments import Preferences, Ratings
from outscore.engine.design import Design
from outscore.metrics.mean import Mean
from outscore.metrics.shared.columns import mean_statistics
from outscore.results.pairs import Pair, PreferenceOdds
from outscore.results.result import Score
from outscore.significance import notes
from outscore.significance.preferences import Ties, bradley_terry, find_groups, find_separated, has_unbounded_ties
from outscore.significance.statistics import Statistics
from outscore.verbs.rank.boards import block_scores, blocks_of
from outscore.verbs.shared.inputs import check_clusters, check_several
from outscore.verbs.shared.measured import Measured, Measurements, measuring_notes
from outscore.verbs.shared.naming import attribute
from outscore.verbs.shared.sets import MeasuredSet

ELO_MEAN = 1500.0
_ELO = 400 / math.log(10)
_GROUPS, _MOST_CELLS = 10_000, 2**22
"""Groups of units, where units times systems are more than these numbers."""
_REMEDY = "leave out its rows, or use outscore rank --wins, as expected wins need no scale"
QUESTION = "which of two systems is preferred more often, by the ratings of all judgments, on new {}?"
NULL = "the two systems have the same rating"


@dataclass(frozen=True)
class Rating(Mean):
    """Bradley and Terry's rating, a mean over prompts of what each contributes; no metric that can be asked for."""

    citation: ClassVar[str] = "Bradley & Terry 1952"

    elo: bool = False

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Unit of measurement of a rating."""
        return "Elo" if self.elo else "log odds"


@dataclass(frozen=True)
class Contest:
    """Preferences as one metric.

    Attributes:
        measured: the ratings; every item is a prompt, or a cluster of prompts.
        design: the prompts or clusters.
        unit: name of the units.
        n_items: prompts on which each system was judged.
        effect: further numbers on the judgments.
        citations: of the model.
        notes: on the units.
    """

    measured: Measured
    design: Design
    unit: str
    n_items: tuple[int, ...]
    effect: dict[str, float | int | str | None] = field(default_factory=dict)
    citations: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    def make_score(self, score: Score, system: int) -> Score:
        """The record of a rating: what is said of runs and of items does not apply."""
        method = f"sandwich t interval over {self.unit}s" if score.ci else score.ci_method
        return replace(score, ci_method=method, s_sel=None, n_items=self.n_items[system])

    def paired(self, pair: Pair) -> Pair:
        """The record of a difference of ratings."""
        odds = math.exp(pair.gain / (_ELO if self.measured.metric.unit == "Elo" else 1.0))
        return replace(
            pair,
            test="sandwich t",
            question=QUESTION.format(f"{self.unit}s"),
            null=NULL,
            effect=vars(PreferenceOdds(odds, odds / (1 + odds))),
        )


def contest(preferences: Preferences, *, ties: Ties, elo: bool, cluster: str | None) -> Contest:
    """The ratings of preferences, and what each prompt or cluster contributes to them.

    Args:
        preferences: the judgments.
        ties: half a win for each, or an outcome of their own (Davidson 1970).
        elo: ratings on the scale of Elo, 400 points for odds of 10, with mean 1500; else log odds with mean 0.
        cluster: column of the prompts that names clusters.

    Raises:
        UsageError: no such column, or fewer than two systems.
        InputError: the judgments determine no finite ratings; the message names the systems and a way out.
    """
    systems, k = preferences.systems, len(preferences.systems)
    if k < 2:
        raise UsageError(f"one system ({systems[0]!r}) cannot be ranked: give judgments of at least two")
    _check(preferences, ties)
    units, unit, n_named = _number_units(preferences, cluster)
    n_units = n_named
    if n_named > _GROUPS and n_named * k > _MOST_CELLS:
        units, n_units = units % _GROUPS, _GROUPS
    found = bradley_terry(preferences.first, preferences.second, preferences.outcome, units, k, ties=ties)
    scale, centre = (_ELO, ELO_MEAN) if elo else (1.0, 0.0)
    # the mean of these over the units is the rating, and of resampled units its one-step bootstrap
    values = centre + scale * (found.ratings + n_units * found.influence)
    design = Design(n_units, cluster=None if unit == "item" else cluster)
    metric = Rating(elo=elo)
    stats = Statistics(
        "elo" if elo else "rating", [mean_statistics(v)[None] for v in values.T], metric.score, design, per_item=True
    )
    signature = f"bradley-terry|ties:{ties}|units:{unit}|scale:{'elo' if elo else 'log-odds'}"
    judged = [(preferences.first == s) | (preferences.second == s) for s in range(k)]
    return Contest(
        measured=Measured(metric, stats, signature, dict.fromkeys(systems, ("1",))),
        design=design,
        unit=unit,
        n_items=tuple(len(np.unique(preferences.item[rows])) for rows in judged),
        effect={
            "judgments": len(preferences.outcome),
            "ties": int((preferences.outcome == 0).sum()),
            f"{unit}s": n_named,
            "tie_parameter": found.tie,
        },
        citations=("Bradley & Terry 1952", *(("Davidson 1970",) if ties == "davidson" else ())),
        notes=() if n_units == n_named else (_note_groups(n_named, unit),),
    )


def _note_groups(n_units: int, unit: str) -> Note:
    """A note on units that were too many for each to be held by itself."""
    return Note(
        code="judged_in_groups",
        text=f"errors are those of {_GROUPS:,} groups of {inflect(n_units, unit)}, every {_GROUPS:,}th in one: a "
        "standard error is off by .7 % of itself; the ratings are those of all judgments",
        remedy="",
    )


def _check(preferences: Preferences, ties: Ties) -> None:
    """Raises InputError where no finite ratings fit best."""
    first, second, outcome, k = preferences.first, preferences.second, preferences.outcome, len(preferences.systems)
    if not (outcome != 0).any():
        raise InputError("every judgment is a tie: nothing tells the systems apart", remedy="give decided judgments")
    groups = find_groups(first, second, k)
    if len(groups) > 1:
        named = " from ".join(join(_find_systems(preferences, group), 3) for group in groups[:2])
        raise InputError(
            f"the judgments fall into {len(groups)} groups that no judgment joins, {named}: there is no common scale",
            remedy="rank each group by itself, or judge systems of one against those of another",
        )
    apart = find_separated(first, second, outcome, k)
    if apart is not None:
        who, never = join(_find_systems(preferences, apart[0]), 3), "lost to or tied" if apart[1] else "beat or tied"
        raise InputError(f"{who} never {never} any other system: the rating is infinite", remedy=_REMEDY)
    if ties == "davidson" and (outcome == 0).any() and has_unbounded_ties(first, second, outcome, k):
        raise InputError(
            "too few decided judgments beside the ties for an outcome of its own", remedy="use --ties half"
        )


def _find_systems(preferences: Preferences, systems: Sequence[int]) -> list[str]:
    return [preferences.systems[s] for s in systems]


def _number_units(preferences: Preferences, cluster: str | None) -> tuple[Int, str, int]:
    """The unit of each judgment, what units are called, and how many there are.

    Raises:
        UsageError: no such column describes the prompts, or there is one unit.
        InputError: an item without a cluster.
    """
    if cluster is None or cluster == "none":
        names, unit = np.arange(len(preferences.items))[preferences.item], "item"
    else:
        if cluster not in preferences.about:
            raise no_column("--cluster", cluster, preferences.about)
        check_clusters(cluster, preferences.about[cluster], preferences.items, free="no --cluster")
        names, unit = np.asarray(preferences.about[cluster], dtype=str)[preferences.item], "cluster"
    found, units = np.unique(names, return_inverse=True)
    if len(found) < 2:
        raise UsageError(f"all judgments belong to one {unit}: intervals need several")
    return units.astype(np.int64), unit, len(found)


def replace_numbers(measured: Measured, scores: Float) -> Measured:
    """The same metric where every item is a data set with one number for each system ``(sets, systems)``."""
    metric, design = measured.metric, Design(len(scores))
    stats = Statistics(
        measured.stats.name, [mean_statistics(v)[None] for v in scores.T], Mean().score, design,
        higher_is_better=metric.higher_is_better, per_item=True,
    )  # fmt: skip
    return Measured(metric, stats, measured.signature, dict.fromkeys(measured.runs, ("mean",)))


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
        notes=(*data.notes, *made.notes("--blocks", wanted)),
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
        notes=(*(data.notes if isinstance(data, Preferences) else ()), *made.notes),
        data=Dataset(
            systems=preferences.systems, runs={}, items=preferences.items, layers={}, labels=preferences.about,
            notation="", sources=data.sources, dropped={}, n_items_read=len(data.items),
        ),
    )  # fmt: skip


def _check_several(data: Dataset, n_units: int) -> None:
    check_several(data, lacks="cannot be ranked")
    if n_units < 2:
        raise UsageError("one item, or cluster, cannot rank systems: give several")
