"""Who gave which label to which unit, and what all coefficients count of it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from outscore.agreement.weights import is_table, read_weights
from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass

_POWERS = {"linear": 1, "quadratic": 2, "radical": 0.5, "ratio": 2}


@dataclass(frozen=True, kw_only=True)
class LabelTable:
    """Labels of units by raters.

    Attributes:
        codes: ``(units, raters)`` numbers of labels, -1 for a missing one; every unit has a label.
        labels: the labels of the scheme, in their order.
        raters: names of the columns.
        exchangeable: the columns are slots, in which different persons may stand.
        ordered: the order of the labels means something, although they are no numbers.
    """

    codes: Int
    labels: tuple[str, ...]
    raters: tuple[str, ...]
    exchangeable: bool = False
    ordered: bool = False

    @cached_property
    def given(self) -> Int:
        """``(units,)`` how many labels each unit got."""
        return np.asarray((self.codes >= 0).sum(axis=1), dtype=np.int64)

    @cached_property
    def pairable(self) -> Bool:
        """``(units,)`` which units got two labels or more: only they can show agreement."""
        return np.asarray(self.given > 1)

    @cached_property
    def chosen(self) -> Bool:
        """``(units, raters, labels)`` who gave what."""
        return np.asarray(self.codes[..., None] == np.arange(len(self.labels)))

    @cached_property
    def counts(self) -> Float:
        """``(units, labels)`` how often each unit got each label."""
        cells = self.codes + len(self.labels) * np.arange(len(self.codes))[:, None]
        size = len(self.codes) * len(self.labels)
        return np.bincount(cells[self.codes >= 0], minlength=size).reshape(len(self.codes), -1).astype(np.float64)

    @cached_property
    def proportions(self) -> Float:
        """``(units, labels)`` the proportion of each label among those of a unit."""
        return self.counts / self.given[:, None]

    @cached_property
    def numbers(self) -> Float | None:
        """``(labels,)`` the labels as numbers; None where one of them is none."""
        try:
            values = np.array([float(label) for label in self.labels])
        except ValueError:
            return None
        return values if np.isfinite(values).all() else None

    @property
    def scale(self) -> Float | None:
        """``(labels,)`` where each label stands: its number, or its place in the order; None without either."""
        return np.arange(len(self.labels), dtype=np.float64) if self.numbers is None and self.ordered else self.numbers

    def refuses_scale(self, of: str, needed: bool) -> str | None:
        """Why distances between the labels cannot be had, where they are needed."""
        if not needed or self.scale is not None:
            return None
        return f"{of} needs labels that are numbers, or their order: --labels LOWEST,...,HIGHEST"

    def credit(self, weights: str) -> Float:
        """``(labels, labels)`` how much two labels agree: 1 for the same, 0 for the farthest apart."""
        if is_table(weights):
            return read_weights(weights, self.labels)
        if weights == "none":
            return np.eye(len(self.labels))
        if weights == "ordinal":
            places = np.argsort(np.argsort(np.zeros(1) if self.scale is None else self.scale))
            apart = np.abs(places[:, None] - places)
            distances = np.asarray(apart * (apart + 1) / 2, dtype=np.float64)  # pairs of places from one to the other
        else:
            distances = self.distances(_POWERS[weights])
        if weights == "ratio" and self.numbers is not None:
            total = self.numbers[:, None] + self.numbers
            distances /= np.where(total > 0, total, 1) ** 2
        return 1 - distances / max(float(distances.max()), np.finfo(float).tiny)

    def distances(self, power: float) -> Float:
        """``(labels, labels)`` distances on the scale, to this power."""
        scale = np.zeros(1) if self.scale is None else self.scale
        return np.asarray(np.abs(scale[:, None] - scale) ** power)

    def sum_over_pairs(self, credit: Float) -> Float:
        """``(units,)`` credit summed over all ordered pairs of ratings of a unit by two raters."""
        return np.asarray((self.counts * (self.counts @ credit - np.diag(credit))).sum(axis=1))

    @cached_property
    def n_pairs(self) -> Int:
        """``(units,)`` ordered pairs of ratings of each unit."""
        return self.given * (self.given - 1)

    def agreement_of_units(self, credit: Float) -> Float:
        """``(units,)`` the proportion of pairs of ratings that agree, 0 where there is none."""
        return self.sum_over_pairs(credit) / np.maximum(self.n_pairs, 1)
