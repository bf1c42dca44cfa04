"""Tests of every two systems, and what tells whether their signs are right: true signs, standard errors, notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import inflect
from outscore.base.notes import Note
from outscore.results.study import Field, Value
from outscore.significance.statistics import Statistics
from outscore.studies.shared.bins import Bins, SignProportion
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import Claim, compare_all_pairs, errors_of

POINTS = 60
"""Points of a curve."""


@dataclass(frozen=True)
class How:
    """The settings of the tests and of their counts.

    Attributes:
        test, claim: as in ``compare_all_pairs``.
        bins: of p; ``low``, ``high``: ends of the window, which belong to it.
    """

    test: str
    claim: Claim
    bins: Bins
    low: float
    high: float

    @property
    def window(self) -> str:
        """In words."""
        return f"p from {self.low:g} to {self.high:g}"

    @property
    def winner(self) -> str:
        """The sides of p, in words."""
        return "two-sided" if self.claim == "two-sided" else "one-sided for the winner"


def compare_pairs(material: Material, stats: Statistics, how: How, seed: int) -> tuple[list[float | None], list[int]]:
    """p of every two systems on one test set, and which one scored higher.

    Args:
        material: names of the systems and settings; ``stats``: the test set.

    Returns:
        p, and 1 where the first of the two is ahead, -1 where the second is, 0 where both score the same; for the
        pairs of ``numpy.triu_indices``.
    """
    number = {name: place for place, name in enumerate(material.systems)}
    p: dict[tuple[int, int], float | None] = {}
    for pair in compare_all_pairs(material, stats, how.test, how.claim, seed):
        first, second = sorted((number[pair.winner], number[pair.loser]))
        p[first, second] = pair.p
    places = list(zip(*np.triu_indices(len(number), 1), strict=True))
    return [p[int(i), int(j)] for i, j in places], [int(sign) for sign in signs(stats)]


def signs(stats: Statistics) -> Float:
    """Of every two systems, 1 where the first scores higher, -1 where the second does, 0 for a tie ``(pairs,)``."""
    found = compute_gains(stats)
    first, second = np.triu_indices(len(stats.runs), 1)
    slack = np.array([stats.slack(int(i), int(j)) for i, j in zip(first, second, strict=True)])
    return np.asarray(np.where(np.abs(found) <= slack, 0.0, np.sign(found)))


def compute_gains(stats: Statistics) -> Float:
    """Of every two systems the gain of the first ``(pairs,)``, in the metric's unit, positive is better."""
    scores = stats.sign * np.array([float(scores.mean()) for scores in stats.run_scores])
    first, second = np.triu_indices(len(scores), 1)
    return np.asarray(scores[first] - scores[second])


def errors(stats: Statistics) -> Float:
    """Of every two systems the standard error of their gain ``(pairs,)``, 0 for systems that do not differ."""
    first, second = np.triu_indices(len(stats.runs), 1)
    return np.asarray(errors_of(stats)[0][first, second])


def right(tested_signs: Float, true_signs: Float) -> Float:
    """1 where the signs agree, 0 where they are opposite, 1/2 where one of them is a tie."""
    return np.asarray((1 + tested_signs * true_signs) / 2)


def to_array(p: Sequence[Sequence[float | None]]) -> Float:
    """p-values ``(sets, pairs)``, NaN for None."""
    return np.array(p, dtype=np.float64)


def grid_of_p(low: float, claim: Claim) -> list[float]:
    """p-values of a curve, from ``low`` to as far as the law knows any."""
    most = 1.0 if claim == "two-sided" else 0.5
    return [float(p) for p in np.geomspace(low, most, POINTS)]


def proportion_fields(title: str = "Right sign") -> tuple[Field, ...]:
    """The columns of a table of proportions; laws stand beside them."""
    return (
        Field(name="p", title="p", kind="text"),
        Field(name="tests", title="tests", kind="count"),
        Field(name="ties", title="ties", kind="count"),
        Field(name="right", title=title, kind="share", low="low", high="high"),
        Field(name="low", title="low", kind="share"),
        Field(name="high", title="high", kind="share"),
        Field(name="wilson_low", title="Wilson from", kind="share"),
        Field(name="wilson_high", title="to", kind="share"),
    )


RIGHT = Field(name="right", title="Right sign", kind="share")
"""A proportion alone, as of a law."""


def proportion_row(name: str, share: SignProportion) -> tuple[Any, ...]:
    """A row of ``proportion_fields``."""
    return (name, share.n, share.ties, share.right, *(share.ci or (None, None)), *(share.wilson or (None, None)))


def find_lowest(values: Iterable[Sequence[Value]]) -> float:
    """Where an axis of proportions begins: a whole tenth below all of these, at most a half."""
    return min([0.5, *(math.floor(10 * one) / 10 for some in values for one in some if isinstance(one, float))])


def notes_on(material: Material, how: How, p: Float, alike: Bool) -> list[Note]:
    """The notes that a reader of the tests needs.

    Args:
        p: of all tests, NaN where there is none.
        alike: the pairs that do not differ at all ``(pairs,)``.
    """
    found = []
    least, edge = 1 / (material.settings.n_resamples + 1), how.bins.edges[1]
    if not np.isnan(p).all() and np.nanmin(p) >= edge > 0 and least > edge / 10:
        found.append(
            Note(
                code="few_resamples",
                text=f"no p-value lies below {edge:g}, where {material.settings.n_resamples} resamples hardly reach",
                remedy="draw more resamples",
            )
        )
    if alike.any():
        found.append(
            Note(
                code="identical_pairs",
                text=f"{inflect(int(alike.sum()), 'pair')} of systems with the same statistics on every item: their "
                "p is 1, they count as ties, and laws leave them out",
                remedy="leave one of them out",
            )
        )
    if np.isnan(p).any():
        found.append(
            Note(code="no_p", text=f"{inflect(int(np.isnan(p).sum()), 'test')} had no p-value and are not counted")
        )
    return found
