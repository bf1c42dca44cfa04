"""Tests of every two systems, and what tells whether their signs are right: true signs, standard errors, notes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer, Value
from outscore.significance.statistics import Statistics
from outscore.studies import Claim, Summary
from outscore.studies.calibration import Calibration
from outscore.studies.calibration.bins import Bins, PairTests, SignProportion, estimate_proportions
from outscore.studies.shared.form import columns, ends, points, share, text
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import compare_all_pairs, errors_of

_POOL = Note(
    code="pool",
    text="the proportion of right signs at a p-value is a property of this pool of systems, not of the test",
    remedy="do not take it for the chance that one comparison of other systems is right",
)

POINTS = 60
"""Points of a curve."""


One = TypeVar("One", bound="SignsByP")


@dataclass(frozen=True)
class SignsByP(ABC):
    """Tests by their p-values, and how many of them have the right sign.

    Attributes:
        study: what was asked.
        material: every run a system of its own; ``stats``: the metric on all items.
    """

    study: Calibration
    material: Material
    stats: Statistics

    @cached_property
    def bins(self) -> Bins:
        """Of p."""
        return Bins.of(self.study.bins, "--bins")

    @abstractmethod
    def findings(self) -> list[Finding]:
        """Proportions of right signs beside what is expected."""

    @abstractmethod
    def notes(self) -> list[Note]:
        """The notes on the tests."""

    def masks(self, judged: PairTests) -> list[Bool]:
        """The tests of each bin, then those of the window."""
        return [*judged.masks(self.bins), judged.select(self.study.low, self.study.high)]

    def estimate(self, judged: PairTests, masks: Sequence[Bool]) -> list[SignProportion]:
        """The proportions of some tests at the level of the study."""
        return estimate_proportions(judged, masks, 1 - self.material.settings.alpha)


def check(study: Calibration, material: Material) -> None:
    """Raises UsageError for options that do not go together, and one system."""
    if not 0 <= study.low < study.high <= 1:
        raise UsageError("the window of p goes from --low to --high, both from 0 to 1")
    if study.rounds < 2:
        raise UsageError(f"--rounds {study.rounds}: it takes two or more")
    if len(material.systems) < 2:
        raise UsageError("one system has no pairs: give at least two, or several runs")
    if study.across and study.sizes:
        raise UsageError("--sizes is for test sets resampled from all items: leave out it or --across")
    if study.source and not study.across:
        raise UsageError("--source names a domain: give the column of the domains, --across COLUMN")
    Bins.of(study.bins, "--bins")


def summarize(
    found: Sequence[One],
    where: str,
    tables: Callable[[Sequence[One]], Iterable[DataTable]],
    figures: Callable[[Sequence[One], str], Iterable[Figure]],
) -> Summary:
    """The summary of all metrics; ``where`` says on what the signs are right."""
    study, material = found[0].study, found[0].material
    n = len(material.systems)
    design = (
        f"{inflect(n * (n - 1) // 2, 'pair')} of {n} systems, {where}; {study.test} test, p {study.sides}, "
        f"{material.settings.n_resamples} resamples."
    )
    return Summary(
        design=design,
        tables=tuple(tables(found)),
        figures=tuple(figures(found, design)),
        findings=tuple(finding for one in found for finding in one.findings()),
        notes=(_POOL, *(note for one in found for note in one.notes())),
    )


def compare_pairs(
    material: Material, stats: Statistics, study: Calibration, seed: int
) -> tuple[list[float | None], list[int]]:
    """p of every two systems on one test set, and which one scored higher.

    Args:
        material: names of the systems and settings; ``stats``: the test set.

    Returns:
        p, and 1 where the first of the two is ahead, -1 where the second is, 0 where both score the same; for the
        pairs of ``numpy.triu_indices``.
    """
    number = {name: place for place, name in enumerate(material.systems)}
    p: dict[tuple[int, int], float | None] = {}
    for pair in compare_all_pairs(material, stats, study.test, study.claim, seed):
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
        text("p", "p"),
        *columns("count", tests="tests", ties="ties"),
        *ends(share("right", title)),
        *columns("share", wilson_low="Wilson from", wilson_high="to"),
    )


RIGHT = share("right", "Right sign")
"""A proportion alone, as of a law."""


def proportion_row(name: str, share: SignProportion) -> tuple[Any, ...]:
    """A row of ``proportion_fields``."""
    return (name, share.n, share.ties, share.right, *(share.ci or (None, None)), *(share.wilson or (None, None)))


def find_lowest(values: Iterable[Sequence[Value]]) -> float:
    """Where an axis of proportions begins: a whole tenth below all of these, at most a half."""
    return min([0.5, *(math.floor(10 * one) / 10 for some in values for one in some if isinstance(one, float))])


def notes_on(one: SignsByP, p: Float, alike: Bool) -> list[Note]:
    """The notes that a reader of the tests needs.

    Args:
        p: of all tests, NaN where there is none.
        alike: the pairs that do not differ at all ``(pairs,)``.
    """
    found = []
    n_resamples, edge = one.material.settings.n_resamples, one.bins.edges[1]
    least = 1 / (n_resamples + 1)
    if not np.isnan(p).all() and np.nanmin(p) >= edge > 0 and least > edge / 10:
        found.append(
            Note(
                code="few_resamples",
                text=f"no p-value lies below {edge:g}, where {n_resamples} resamples hardly reach",
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


def draw_signs(
    study: Calibration,
    metric: str,
    words: tuple[str, str, str, str],
    least: float,
    rows: Iterable[Sequence[Value]],
    law: Layer,
    colours: tuple[str, ...],
    facet: str = "",
) -> Figure:
    """p against the proportion of right signs under one metric, beside a law.

    Args:
        words: title, subtitle, what p is of, what the proportion is of.
        least: p where the axis begins.
        rows: those that are drawn, as ``proportion_fields`` has them.
        law: a line; where its table has no proportions with intervals, they are in ``bins``.
    """
    title, subtitle, x, y = words
    values = "bins" if law.table == "curves" else law.table
    return Figure(
        name=metric,
        title=title,
        subtitle=subtitle,
        where=("metric", metric),
        facet=facet,
        x=Axis(
            title=f"{x} ({study.sides})", scale="log", domain=(least / 1.3, 1.0 if study.claim == "two-sided" else 0.55)
        ),
        y=Axis(title=y, percent=True, domain=(find_lowest(row[4:6] for row in rows), 1.0)),
        layers=(law, *points(values, law.x, "right", "what")),
        colours=colours,
    )
