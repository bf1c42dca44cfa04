"""Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np

from outscore.agreement import AgreementCoefficient, Credit, RatingMeasure, coefficient, credit_from_table
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Array, Float, Int
from outscore.base.lazy import dataclass


@coefficient("krippendorff")
@dataclass(frozen=True)
class Krippendorff(AgreementCoefficient):
    """Krippendorff's alpha: any number of raters, labels that are missing, labels on any scale.

    Args:
        distance: how far two labels are apart: ``nominal`` (same or not), ``ordinal`` (by the ratings that lie
            between them), ``linear``, ``interval`` (squared difference) or ``ratio`` (squared difference over the sum).
    """

    also: ClassVar[tuple[str, ...]] = (
        "alpha",
        "krippendorff_alpha",
        "krippendorffs_alpha",
        "ordinal_alpha:distance=ordinal",
        "interval_alpha:distance=interval",
    )
    corrects: ClassVar[str] = "labels dealt out at random from all that were given to units with two or more"
    formula: ClassVar[str] = (
        "1 - D_o/D_e, D_o the mean distance of two labels of one unit, D_e that of any two labels given"
    )
    citation: ClassVar[str] = "Krippendorff 2011, Computing Krippendorff's alpha-reliability"

    distance: Literal["nominal", "ordinal", "linear", "interval", "ratio"] = "nominal"

    @property
    def counts_labels(self) -> bool:
        return self.distance != "interval"

    @property
    def title(self) -> str:
        return "Krippendorff's α" + ("" if self.distance == "nominal" else f" ({self.distance})")

    def refuses(self, ratings: LabelTable) -> str | None:
        if self.distance in ("interval", "ratio") and ratings.numbers is None:
            return f"{self.label} needs labels that are numbers; use distance=ordinal with --labels LOWEST,...,HIGHEST"
        if self.distance == "ratio" and ratings.numbers is not None and (ratings.numbers < 0).any():
            return f"{self.label} needs numbers that are not negative; use distance=interval"
        return super().refuses(ratings) or ratings.refuses_scale(self.label, self.distance != "nominal")

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        if self.distance == "interval":
            return _measure_by_squares(ratings)
        if self.distance == "ordinal":
            return _measure_by_ranks(ratings)
        return _measure_by_distances(ratings, self._distances(ratings))

    def _distances(self, ratings: LabelTable) -> Float:
        if self.distance == "nominal":
            return 1 - np.eye(len(ratings.labels))
        if self.distance == "linear" or ratings.numbers is None:
            return ratings.distances(1, ratings.scale)
        total = ratings.numbers[:, None] + ratings.numbers
        return np.asarray(ratings.distances(2, ratings.numbers) / np.where(total > 0, total, 1) ** 2)


def _paired(ratings: LabelTable) -> tuple[Float, Float]:
    """Counts of labels in units with two ratings ``(units, labels)``, and 1 / (ratings - 1) of these ``(units, 1)``."""
    pairable = ratings.pairable[:, None]
    return np.where(pairable, ratings.counts, 0.0), np.where(pairable, 1 / np.maximum(ratings.given - 1, 1)[:, None], 0)


def _measure(rows: Float, parts: Callable[[Array], tuple[Array, Array]], credit: Credit) -> RatingMeasure:
    return RatingMeasure(rows=rows, parts=parts, disagreement=True, credit=credit, by_rating=True)


def _measure_by_distances(ratings: LabelTable, distances: Float) -> RatingMeasure:
    """Labels with fixed distances: the disagreement within each unit, and how often each label was given."""
    counts, weight = _paired(ratings)
    within = ((counts @ distances) * counts * weight).sum(axis=1)

    def parts(sums: Array) -> tuple[Array, Array]:
        given = sums[..., 1:]
        n = given.sum(axis=-1)
        return sums[..., 0] / n, ((given @ distances) * given).sum(axis=-1) / (n * (n - 1))

    return _measure(np.column_stack([within, counts]), parts, credit_from_table(-distances))


def _measure_by_squares(ratings: LabelTable) -> RatingMeasure:
    """Squared differences need only sums and sums of squares, however many different numbers there are."""
    assert ratings.numbers is not None
    there = ratings.pairable[:, None] & (ratings.codes >= 0)
    # measured from one of them, equal numbers differ by exactly nothing
    values = np.where(there, ratings.numbers[ratings.codes] - ratings.numbers[0], 0.0)
    given, first, second = there.sum(axis=1), values.sum(axis=1), (values**2).sum(axis=1)
    within = 2 * (given * second - first**2) / np.maximum(given - 1, 1)

    def parts(sums: Array) -> tuple[Array, Array]:
        n, total, squares = sums[..., 1], sums[..., 2], sums[..., 3]
        return sums[..., 0] / n, 2 * (n * squares - total**2) / (n * (n - 1))

    numbers = ratings.numbers

    def credit(one: Int, other: Int) -> Float:
        return np.asarray(-((numbers[one] - numbers[other]) ** 2))

    return _measure(np.column_stack([within, given, first, second]), parts, credit)


def _measure_by_ranks(ratings: LabelTable) -> RatingMeasure:
    """The ordinal distance of two labels is the squared difference of their mean ranks (Krippendorff 2011, §6)."""
    counts, weight = _paired(ratings)
    q = len(ratings.labels)
    pairs = counts[:, :, None] * counts[:, None, :] * weight[..., None]

    def parts(sums: Array) -> tuple[Array, Array]:
        within, given = sums[..., :-q].reshape(*sums.shape[:-1], q, q), sums[..., -q:]
        n = given.sum(axis=-1)
        ranks = np.cumsum(given, axis=-1) - given / 2
        apart = (ranks[..., :, None] - ranks[..., None, :]) ** 2
        expected = (given[..., :, None] * given[..., None, :] * apart).sum(axis=(-1, -2))
        return (within * apart).sum(axis=(-1, -2)) / n, expected / (n * (n - 1))

    given = counts.sum(axis=0)
    ranks = np.cumsum(given) - given / 2
    rows = np.column_stack([pairs.reshape(len(pairs), -1), counts])
    return _measure(rows, parts, credit_from_table(-((ranks[:, None] - ranks) ** 2)))
