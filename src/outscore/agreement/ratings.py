"""Who gave which label to which unit, what all coefficients count of it, and a table of how much labels agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.errors import InputError, join
from outscore.base.lazy import dataclass
from outscore.data.columns import parse_numbers, texts
from outscore.data.readers.table import grid_of
from outscore.data.source import open_source

_POWERS = {"linear": 1, "quadratic": 2, "radical": 0.5, "ratio": 2}

ENOUGH_DIFFER = 20
"""Units on which labels of a scale differ from which a sample shows how far slips go. Of 120 units with 5 that differ,
one slip in twenty to any label and else to the next, t covers quadratic κ in .81 of sets, the score interval in .95; of
120 with 22 both in .95 (4,000 and 250 sets)."""

ENOUGH_UNITS = 500
"""Units of a scale from which t holds (.93) where one label in a hundred is a slip to any: 600 units .95 (200 sets)."""


@dataclass(frozen=True, kw_only=True)
class LabelTable:
    """Labels of units by raters.

    Attributes:
        codes: ``(units, raters)`` numbers of labels, -1 for a missing one; every unit has a label.
        labels: the labels of the scheme, in their order.
        raters: names of the columns.
        exchangeable: the columns are slots, in which different persons may stand.
        ordered: the order of the labels is given, and means something, also where it is not that of their numbers.
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
        """``(labels,)`` where each label stands: its number, or its place in an order that is given, and not theirs."""
        steps = None if self.numbers is None else np.diff(self.numbers)
        if self.ordered and (steps is None or not ((steps >= 0).all() or (steps <= 0).all())):
            return np.arange(len(self.labels), dtype=np.float64)
        return self.numbers

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
            distances = self.distances(_POWERS[weights], self.numbers if weights == "ratio" else self.scale)
        if weights == "ratio" and self.numbers is not None:
            total = self.numbers[:, None] + self.numbers
            distances /= np.where(total > 0, total, 1) ** 2
        return 1 - distances / max(float(distances.max()), np.finfo(float).tiny)

    def distances(self, power: float, scale: Float | None) -> Float:
        """``(labels, labels)`` distances on a scale, to this power."""
        at = np.zeros(1) if scale is None else scale
        return np.asarray(np.abs(at[:, None] - at) ** power)

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


BY_DISTANCE = ("none", "linear", "quadratic", "radical", "ordinal", "ratio")
"""Weights that need no table."""
_FILE = re.compile(r".*\.(csv|tsv)(\.\w+)?", re.IGNORECASE)


def is_table(weights: str) -> bool:
    """Whether weights are the name of a table."""
    return _FILE.fullmatch(weights) is not None


def read_weights(file: str, labels: Sequence[str]) -> Float:
    """The credit ``(labels, labels)`` in a table with a row and a column for each label, 1 for the same.

    Raises:
        InputError: it lacks a label, or credit is not the same both ways, from 0 to 1, and 1 for the same label.
    """
    grid = grid_of(open_source(file), "table")
    first, *others = grid.columns
    rows = texts(grid.columns[first])
    if lacking := [label for label in labels if label not in rows or label not in others]:
        raise InputError(
            f"no credit for {join(lacking)}; there are rows of {join(rows)} and columns of {join(others)}",
            file=file,
            line=1,
            remedy="write a row and a column for each label",
        )
    of_rows = [rows.index(label) for label in labels]
    credit = np.stack([parse_numbers(grid, label)[of_rows] for label in labels], axis=1)
    if not ((credit >= 0) & (credit <= 1)).all() or (credit != credit.T).any() or (np.diag(credit) != 1).any():
        raise InputError(
            "found credit that is not from 0 to 1, 1 for the same label, and the same both ways",
            file=file,
            remedy="write how much two labels agree, as 1,0.5,0 in the first row of three labels in order",
        )
    return credit
