"""The work of ``humans``: means of ratings, then wins of preferences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError, join, no_column
from outscore.base.installed import versions_of
from outscore.base.notes import Note
from outscore.base.rng import DEFAULT_SEED
from outscore.data.judgments import Preferences, Ratings, collect_descriptions, judgments_from
from outscore.multiplicity.adjust import adjust
from outscore.results.humans import Humans, Preference, Rater, Wins
from outscore.results.result import Provenance, Score
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.prediction_powered import mean_t
from outscore.significance.preferences import expected_wins, win_proportions, wins_interval
from outscore.significance.settings import Settings
from outscore.verbs.humans import ScoreByHumans
from outscore.verbs.shared.inputs import check_clusters

NULL = "on {} where one of the two is preferred more often, it is as likely to be either"
_MOST = 4
"""Names in a note."""


def _missing(ratings: Ratings) -> Note:
    without = np.isnan(ratings.score)
    systems = [f"{int(without[ratings.system == s].sum())} of {name!r}" for s, name in enumerate(ratings.systems)]
    whose = [said for said in systems if not said.startswith("0 ")]
    more = f" and {len(whose) - _MOST} systems more" if len(whose) > _MOST else ""
    return Note(
        code="missing_ratings",
        text=f"{int(without.sum())} of {len(without)} ratings are no numbers and were left out: "
        f"{', '.join(whose[:_MOST])}{more}",
        remedy="check that they are missing by chance",
    )


def _note_no_spread(raters: Sequence[str]) -> Note:
    return Note(
        code="raters_without_spread",
        text=f"{join(raters, _MOST)} gave one rating, or always the same one: nothing can be standardized by it, so "
        f"{'this rater is' if len(raters) == 1 else 'these raters are'} left out",
    )


def _items_differ(rated: Mapping[str, frozenset[int]]) -> Note:
    fewest = min(rated, key=lambda s: len(rated[s]))
    most = max((s for s in rated if rated[s] != rated[fewest]), key=lambda s: len(rated[s]))
    few, many = len(rated[fewest]), len(rated[most])
    shared = f", {len(rated[fewest] & rated[most])} of them shared" if few == many else ""
    return Note(
        code="rated_items_differ",
        text="the systems were not rated on the same items, so part of what separates their means is the items: "
        f"{fewest!r} on {few}, {most!r} on {many}{shared}",
        remedy="compare means with care; preferences hold items and raters fixed",
    )


def _mostly_ties(decided: int, ties: int) -> Note:
    return Note(
        code="few_decided",
        text=f"{decided:,} of {decided + ties:,} judgments are decided; the other {ties:,} are ties, which count for "
        "neither: expected wins rest on the decided ones alone",
        remedy="report both numbers; outscore rank --preferences counts a tie as half a win for each",
    )


def humans(data: Any, asked: ScoreByHumans) -> Humans:
    """The scores that are asked for."""
    standardize, lower, cluster = asked.standardize, asked.lower, asked.cluster
    alpha, correction = asked.alpha, asked.correction
    Settings(alpha=alpha)
    judged = judgments_from(data, columns=asked.columns)
    said: list[Note] = []
    scores: tuple[Score, ...] = ()
    raters: tuple[Rater, ...] = ()
    if isinstance(judged, Ratings):
        judged.check_direction(lower)
        raters = _raters(judged)
        judged, said = _choose_usable(judged, standardize)
        scores, more = _means(judged, lower, alpha, cluster)
        said += more
        preferences = judged.preferences(lower)
    else:
        if standardize:
            raise UsageError("preferences have no scale to be standardized; leave out --standardize")
        preferences, said = judged, list(judged.notes)
    about = _clusters(preferences.about, cluster, preferences.items)
    units = np.arange(len(preferences.items)) if about is None else np.unique(about, return_inverse=True)[1]
    wins, ties = _count(preferences, units)
    decided, even = int(wins.sum()), int(ties.sum()) // 2
    said += [_mostly_ties(decided, even)] if 0 < decided < even else []
    return Humans(
        seed=DEFAULT_SEED,
        alpha=alpha,
        scores=scores,
        human=judged.name if isinstance(judged, Ratings) else "",
        standardized=standardize,
        correction=correction,
        wins=_wins(judged, preferences.systems, wins, alpha),
        preferences=_pairs(preferences.systems, wins, ties.sum(axis=0), cluster, alpha, correction),
        raters=raters,
        notes=tuple(said),
        provenance=Provenance(
            libraries=versions_of("numpy", "scipy"),
            test="sign",
            correction=correction,
            inputs=judged.sources,
            n_items_read=len(judged.items),
            cluster=cluster,
            n_clusters=None if cluster is None else int(units.max()) + 1,
            citations=("Koehn 2012",),
        ),
    )


def _raters(ratings: Ratings) -> tuple[Rater, ...]:
    found = []
    for number, name in enumerate(ratings.raters):
        values = ratings.score[(ratings.rater == number) & np.isfinite(ratings.score)]
        if values.size:
            deviation = float(values.std(ddof=1)) if values.size > 1 else None
            found.append(Rater(rater=name, n_ratings=values.size, mean=float(values.mean()), deviation=deviation))
    return tuple(found)


def _choose_usable(ratings: Ratings, standardize: bool) -> tuple[Ratings, list[Note]]:
    """The ratings that have a number, standardized by rater where that is wanted.

    Raises:
        UsageError: no column names the raters.
    """
    said = [_missing(ratings)] if np.isnan(ratings.score).any() else []
    if not standardize:
        return ratings, said
    if not ratings.raters:
        raise UsageError("no column names the raters to standardize by: add -c rater=NAME")
    score = np.full(ratings.score.shape, np.nan)
    left_out = []
    for number in range(len(ratings.raters)):
        rows = np.flatnonzero((ratings.rater == number) & np.isfinite(ratings.score))
        values = ratings.score[rows]
        if values.size > 1 and np.ptp(values) > 0:
            score[rows] = (values - values.mean()) / values.std(ddof=1)
        elif values.size:
            left_out.append(ratings.raters[number])
    said += [_note_no_spread(left_out)] if left_out else []
    return replace(ratings, score=score, name=f"{ratings.name} z"), said


def _means(ratings: Ratings, lower: bool, alpha: float, cluster: str | None) -> tuple[tuple[Score, ...], list[Note]]:
    """Mean ratings of the systems: of each item first, then over its items."""
    about = _clusters(collect_descriptions(ratings.about, ratings.item, len(ratings.items)), cluster, ratings.items)
    scores: list[Score] = []
    rated: dict[str, frozenset[int]] = {}
    for number, system in enumerate(ratings.systems):
        rows = np.flatnonzero((ratings.system == number) & np.isfinite(ratings.score))
        items, place = np.unique(ratings.item[rows], return_inverse=True)
        rated[system] = frozenset(items.tolist())
        values = np.bincount(place, weights=ratings.score[rows]) / np.bincount(place) if rows.size else np.zeros(0)
        made = mean_t(values, None if about is None else about[items], 1 - alpha) if values.size > 1 else None
        mean = float(values.mean()) if values.size else float("nan")
        scores.append(
            Score(
                system=system,
                metric=ratings.name,
                signature=ratings.name,
                unit="rating",
                higher_is_better=not lower,
                score=mean,
                ci=(made.low, made.high) if made is not None and np.isfinite(made.se) else None,
                ci_method="t interval of items" if about is None else "CR2 t interval",
                runs=("1",),
                run_scores=(mean,),
                s_sel=None,
                s_test=None,
                run_min=mean,
                run_max=mean,
                median_run="1",
                n_items=items.size,
            )
        )
    return tuple(scores), [_items_differ(rated)] if len(set(rated.values())) > 1 else []


def _clusters(about: Any, wanted: str | None, items: Sequence[str]) -> Any:
    """The column of clusters, a text for each item; None where none is named.

    Raises:
        UsageError: no such column says one thing of each item.
        InputError: an item without a cluster.
    """
    if wanted is None:
        return None
    if wanted not in about:
        raise no_column("--cluster", wanted, about)
    check_clusters(wanted, about[wanted], items, free="no --cluster")
    return np.asarray(about[wanted], dtype=str)


def _count(preferences: Preferences, units: Int) -> tuple[Float, Float]:
    """How often each system is preferred to each other, and ties, in every unit: two ``(units, systems, systems)``."""
    k, n = len(preferences.systems), int(units.max()) + 1
    wins, ties = np.zeros((n, k, k)), np.zeros((n, k, k))
    unit = units[preferences.item]
    for mark, first, second in (
        (1, preferences.first, preferences.second),
        (-1, preferences.second, preferences.first),
    ):
        rows = preferences.outcome == mark
        np.add.at(wins, (unit[rows], first[rows], second[rows]), 1.0)
    even = preferences.outcome == 0
    for first, second in ((preferences.first, preferences.second), (preferences.second, preferences.first)):
        np.add.at(ties, (unit[even], first[even], second[even]), 1.0)
    return wins, ties


def _wins(judged: Ratings | Preferences, systems: Sequence[str], wins: Float, alpha: float) -> tuple[Wins, ...]:
    observed = expected_wins(wins.sum(axis=0))
    found = []
    for number, system in enumerate(systems):
        if isinstance(judged, Ratings):
            rows = (judged.system == number) & np.isfinite(judged.score)
        else:
            rows = (judged.first == number) | (judged.second == number)
        known = bool(np.isfinite(observed[number]))
        found.append(
            Wins(
                system=system,
                expected_wins=float(observed[number]) if known else None,
                ci=wins_interval(wins[:, number], wins[:, :, number], 1 - alpha),
                n_judgments=int(rows.sum()),
                n_items=len(np.unique(judged.item[rows])),
            )
        )
    return tuple(found)


def _pairs(
    systems: Sequence[str],
    wins: Float,
    ties: Float,
    cluster: str | None,
    alpha: float,
    correction: str,
) -> tuple[Preference, ...]:
    total = wins.sum(axis=0)
    observed = win_proportions(total)
    judged = [(a, b) for a, b in combinations(range(len(systems)), 2) if total[a, b] + total[b, a] + ties[a, b]]
    pairs = [DiscordantPairs.of(wins[:, a, b] - wins[:, b, a]) for a, b in judged]
    tests = [(found, found.p("exact")) for found in pairs]
    adjusted = adjust([raw for _, raw in tests], correction).tolist()
    units = "items" if cluster is None else f"clusters ({cluster})"
    return tuple(
        Preference(
            system=systems[a],
            other=systems[b],
            wins=int(total[a, b]),
            ties=int(ties[a, b]),
            losses=int(total[b, a]),
            share=float(observed[a, b]) if np.isfinite(observed[a, b]) else None,
            ci=wins_interval(wins[:, a, b, None], wins[:, b, a, None], 1 - alpha),
            null=NULL.format(units),
            p_value=raw,
            p_adjusted=p,
            items_won=found.b,
            items_lost=found.c,
        )
        for (a, b), (found, raw), p in zip(judged, tests, adjusted, strict=True)
    )
