"""Parts of a test set: which items they hold, the thresholds on them, and the law of the square root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.results.study import Field, Value
from outscore.significance.statistics import Statistics
from outscore.studies import Found
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import Claim, StudyPair
from outscore.studies.shared.readings import OfGains, Reading, kinds
from outscore.studies.shared.thresholds import items_error, jackknife_error, select_informative

FEWEST = 8
"""Units that a part of a test set has at least."""

ROOTED = Field(name="rooted", title="× √n")


@dataclass(frozen=True)
class Subset:
    """A part of a test set.

    Attributes:
        label: its name.
        items: in it.
        readings: thresholds, of all pairs first.
        errors: standard error, over items, of the logarithm of the threshold of each relation; None where unknown.
    """

    label: str
    items: int
    readings: Sequence[Reading]
    errors: Mapping[str, float | None]

    def reading(self, relation: str) -> Reading | None:
        """The thresholds of these pairs."""
        return next((one for one in self.readings if one.relation == relation), None)

    def row_by_curve(self) -> list[tuple[Value, ...]]:
        """Items, relation, thresholds by the curve, the last times √items."""
        root = float(np.sqrt(self.items))
        return [
            (self.items, r.relation, *r.row_by_curve(), None if r.curve is None else r.curve.threshold * root)
            for r in self.readings
        ]

    def row_by_window(self) -> list[tuple[Value, ...]]:
        """Items, relation, thresholds by the window."""
        return [(self.items, one.relation, *one.row_by_window()) for one in self.readings]


KEYS = (
    Field(name="items", title="items", kind="count"),
    Field(name="relation", title="Pairs", kind="text"),
)
"""The fields that the rows of a part start with."""


def subset_of(items: Int, clusters: Int | None, size: int, generator: np.random.Generator | None = None) -> Int:
    """A part of a test set of about so many items, with clusters kept whole.

    Args:
        items: numbers of the items to choose from, in order.
        clusters: number of the cluster of each item of the whole test set, or None.
        size: items that are wanted; with clusters the nearest number that whole ones allow.
        generator: of a random part; the first items, or clusters, without. Parts from generators that are alike are
            nested.

    Returns:
        Numbers of the items of the part, in order.
    """
    if clusters is None:
        chosen = items if generator is None else generator.permutation(items)
        return np.sort(chosen[:size])
    of_items = clusters[items]
    names, firsts, counts = np.unique(of_items, return_index=True, return_counts=True)
    order = np.argsort(firsts) if generator is None else generator.permutation(len(names))
    reached = np.cumsum(counts[order])
    last = int(np.argmin(np.abs(reached - size)))
    return items[np.isin(of_items, names[order[: last + 1]])]


def pairs_on(items: Int, material: Material, metric: str, how: OfGains, seed: int) -> Found:
    """The cell of one part: every two systems under one metric on these items, and what the items leave open."""
    part = material.with_runs_apart.restrict(items)
    stats = next(stats for stats in part.by_metric if stats.name == metric)
    pairs = how.compare_all_pairs(part, stats, seed)
    return {
        "pairs": [pair.to_plain() for pair in pairs],
        "items": part.n_items,
        "errors": _errors_over_items(how.claim, pairs, part, stats),
    }


def _errors_over_items(
    claim: Claim, pairs: Sequence[StudyPair], part: Material, stats: Statistics
) -> dict[str, float | None]:
    """For all pairs, and for each relation where there are two, what the items of a part leave open; see ``Subset``."""
    number = {name: i for i, name in enumerate(part.systems)}
    found = {}
    for relation, some in kinds(pairs):
        used = select_informative(some, claim, part.settings.n_resamples)
        found[relation] = items_error(stats, [(number[pair.winner], number[pair.loser]) for pair in used])
    return found


@dataclass(frozen=True)
class SizeLaw:
    """Thresholds against sizes as a straight line in logarithms.

    Attributes:
        exponent: its slope; ``low``, ``high``: interval over systems and items; ``error``: its standard error; None
            with fewer than four systems.
        level: threshold times the root of n, geometric mean over the sizes.
        largest: the largest deviation of a threshold times the root of n from the level, as a proportion of it.
        n: sizes that it rests on.
    """

    exponent: float
    error: float | None
    low: float | None
    high: float | None
    level: float
    largest: float
    n: int

    def threshold_at(self, items: float) -> float:
        """The threshold by the law of the root."""
        return self.level / float(np.sqrt(items))


def law(parts: Sequence[Subset], relation: str, alpha: float, draws: int = 1) -> SizeLaw | None:
    """The line of least squares through the thresholds of nested parts, from the smallest to the largest.

    The error of a nested part holds that of the larger one that it lies in: with a variance v of one item, two parts
    of n and m items covary by v / max(n, m). Parts drawn several times from the largest share its error only. To that
    the variance over systems is added, from leaving each out in turn.

    Args:
        parts: by size; the largest tells v.
        relation: of which pairs.
        alpha: 1 - level of the interval.
        draws: parts of each size but the largest.

    Returns:
        None with fewer than two sizes that have a curve.
    """
    from scipy import special

    found = [(part, one.curve) for part in parts if (one := part.reading(relation)) is not None and one.curve]
    if len(found) < 2:
        return None
    n = np.array([part.items for part, _ in found], dtype=float)
    weights = _slope(np.log(n))
    thresholds = np.array([curve.threshold for _, curve in found])
    exponent = float(weights @ np.log(thresholds))
    rooted = thresholds * np.sqrt(n)
    level = float(np.exp(np.log(rooted).mean()))
    fit = (level, float(np.abs(rooted / level - 1).max()), len(found))
    common = [name for name in found[0][1].without if all(name in curve.without for _, curve in found)]
    of_items = found[-1][0].errors.get(relation)
    if len(common) < 4 or of_items is None:
        return SizeLaw(exponent, None, None, None, *fit)
    over_systems = jackknife_error([float(weights @ [curve.without[name] for _, curve in found]) for name in common])
    covariances = 1 / n[-1] + (1 / np.maximum(n[:, None], n) - 1 / n[-1]) / draws
    over_items = of_items**2 * n[-1] * float(weights @ covariances @ weights)
    error = float(np.sqrt(over_systems**2 + over_items))
    wide = float(special.stdtrit(len(common) - 1, 1 - alpha / 2)) * error
    return SizeLaw(exponent, error, exponent - wide, exponent + wide, *fit)


def _slope(x: Float) -> Float:
    """The weight of each value in the slope of least squares."""
    centred = x - x.mean()
    return np.asarray(centred / float(centred @ centred))
