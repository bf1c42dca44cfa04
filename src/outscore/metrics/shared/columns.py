"""Numeric columns and texts, as metrics read them; the bases of scores that are means of items or ratios of sums."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import field
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, inflect, join, suggestion
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, safe_ratio

NO_COUNTS = "it counts labels against gold ones, -r FILE; right and wrong as 1 and 0 take -m mean"
"""The remedy for scores where a metric of classes reads counts."""
_REMEDY = "name another column, or give a table that has this one"


def column(items: Items, name: str, of: str, remedy: str = _REMEDY) -> Float:
    """The numeric column ``(items,)`` called ``name`` that the metric ``of`` reads.

    Raises:
        InputError: there is none of that name, with a list of those there are; its numbers are too large or small.
    """
    if name not in items.columns:
        have = join(items.columns) if items.columns else "no numeric columns"
        meant = suggestion(name, items.columns).removeprefix("; ")
        raise InputError(
            f"{of} reads the column {name!r}; the data have {have}",
            remedy=meant or remedy,
        )
    values = np.asarray(items.columns[name], dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        raise InputError(
            f"column {name!r} is missing or infinite for {inflect(wrong.size, 'item')}, first for item {wrong[0] + 1}",
            item=int(wrong[0]),
            remedy="fill them, or leave those items out of all systems with --missing drop",
        )
    largest = check_magnitude(values, name)
    spread = float(np.ptp(values)) if items.n else 0.0
    if _NOISE * largest < spread < _RESOLVED * largest and np.any(values != np.rint(values)):
        raise InputError(
            f"column {name!r} holds numbers of a size of {largest:.3g} that differ by {spread:.1g} at most: too few of "
            "their digits are left to compare them",
            remedy="subtract the same number from all of them where they are made",
        )
    return values


def check_magnitude(values: Float, name: str) -> float:
    """The size of the largest of these numbers, of which some may be NaN.

    Raises:
        InputError: it is too large or small to compute squares with.
    """
    sizes = np.nan_to_num(np.abs(values), nan=0.0)
    largest = float(sizes.max(initial=0.0))
    if largest > _LARGEST or (0 < largest < _SMALLEST and len(values) > 1):
        raise InputError(
            f"column {name!r} holds numbers up to {largest:.3g} in size, of which no deviation can be computed: "
            f"expected {_SMALLEST:g} to {_LARGEST:g}",
            item=int(sizes.argmax()),
            remedy="multiply all of them by the same number",
        )
    return largest


_SMALLEST, _LARGEST = 1e-150, 1e150
"""Numbers whose squares, and the sums of squares, are numbers too."""
_NOISE, _RESOLVED = 2e-14, 5e-10
"""Differences, beside the size of the numbers, that are those of rounding, and that have six digits or more."""


def score_column(items: Items, wanted: str, metric: str) -> Float:
    """The column of per-item scores: ``wanted``, else that named like the metric, ``score``, or the only one."""
    if not wanted:
        only = list(items.columns) if len(items.columns) == 1 else []
        wanted = next((c for c in (metric, "score", *only) if c in items.columns), "score")
    return column(items, wanted, metric)


def number(text: str) -> float:
    """The number that a text says; NaN where it says none."""
    try:
        return float(text)
    except ValueError:
        return np.nan


def item_weights(items: Items, name: str, of: str) -> Float:
    """The weights ``(items,)`` in a column of the systems, or in one that describes the items.

    Raises:
        InputError: there is none of that name, or some are below 0, or no number, or a system's are all 0.
    """
    described = name in items.labels and name not in items.columns
    weights = np.array([number(text) for text in items.labels[name]]) if described else column(items, name, of)
    # what describes the items is read a portion of them at a time, of which all may be 0
    some = described or not items.n or np.any(weights > 0)
    if not some or not np.all(np.isfinite(weights) & (weights >= 0)):
        raise InputError(f"the weights in column {name!r} must be 0 or more, and not all 0", remedy="mend the weights")
    return weights


def mean_statistics(values: Float, weights: Float | None = None) -> Float:
    """``[weight * value, weight]`` for each item, shape ``(items, 2)``."""
    weights = np.ones_like(values) if weights is None else weights
    return np.stack([weights * values, weights], axis=-1)


@dataclass(frozen=True)
class MeanOfItems(Metric):
    """The mean of one number per item."""

    per_item: ClassVar[bool] = True

    @abstractmethod
    def values(self, items: Items) -> Float:
        """The number ``(items,)`` of each item.

        Raises:
            InputError: the items do not hold what it is made of.
        """

    def statistics(self, items: Items) -> Float:
        return mean_statistics(self.values(items))

    def score(self, sums: Float) -> Float:
        return safe_ratio(sums[..., 0], sums[..., 1])


@dataclass(frozen=True)
class RatioOfSums(Metric):
    """A score that is a ratio of two sums; without any denominator it is 0."""

    @abstractmethod
    def ratio(self) -> tuple[Float, Float, float]: ...

    def score(self, sums: Float) -> Float:
        numerator, denominator, scale = self.ratio()
        flat = sums.reshape(-1, sums.shape[-1])  # products with stacks of tables take many times as long
        return scale * safe_ratio(flat @ numerator, flat @ denominator).reshape(sums.shape[:-1])


@dataclass(frozen=True)
class WithWeights(Metric):
    """A score whose items may have weights, which multiply their statistics."""

    weight: str = field(default="", kw_only=True)

    @abstractmethod
    def counts(self, items: Items) -> Float:
        """The statistics of items that all weigh the same."""

    def statistics(self, items: Items) -> Float:
        counted = self.counts(items)
        return counted * item_weights(items, self.weight, self.name)[:, None] if self.weight else counted


class WithoutTextsError(InputError):
    """A metric reads outputs, and there are only scores."""


def pairs(items: Items, metric: str) -> list[tuple[str, tuple[str, ...]]]:
    """The output of each item with its references.

    An empty reference beside another one is a missing reference, and is left out. Where all are empty, one stays: the
    right output is empty.

    Raises:
        InputError: there are no outputs, or no references.
    """
    if items.outputs is None:
        raise WithoutTextsError(f"{metric} reads texts, but the systems hold scores", remedy="give output files")
    if not items.references:
        raise InputError(f"{metric} needs references", remedy="add -r REFERENCE_FILE, in Python references=")
    together = zip(*items.references, strict=True)
    return [(o, tuple(r for r in rs if r) or ("",)) for o, rs in zip(items.outputs, together, strict=True)]


def reference_count(items: Items) -> str:
    """The number of references of each item for a signature, ``var`` where items differ, as sacrebleu writes it."""
    counts = {sum(map(bool, references)) or 1 for references in zip(*items.references, strict=True)}
    return str(counts.pop()) if len(counts) == 1 else "var"
