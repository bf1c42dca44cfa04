"""Comparisons that may be looked at after every item and stopped at any time: confidence sequences of the gain.

A confidence sequence is a row of intervals, one after each item, that holds the true gain at all times at once with
probability 1 - alpha. So does everything that is read off it: when somebody looks, and why he stops, does not matter.
An ordinary interval or p-value loses its level as soon as it is looked at twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Bool, Float

Decision = Literal["undecided", "better", "worse", "equivalent", "not-worse"]
FINAL: tuple[Decision, ...] = ("better", "worse", "equivalent")
"""Decisions after which there is nothing left to wait for."""


@dataclass(frozen=True, kw_only=True)
class Path:
    """What a sequence knew after each of ``b`` units.

    Attributes:
        gain: ``(b,)`` gain for each item so far.
        low, high: ``(b,)`` ends of the confidence sequence, running intersection; infinite before it starts.
        log_e: ``(b,)`` log of the e-value against a gain of 0.
        above, below: ``(b, marks)`` whether the gain is known to be above, or below, each mark.
    """

    gain: Float
    low: Float
    high: Float
    log_e: Float
    above: Bool
    below: Bool


class ConfidenceSequence(ABC):
    """A confidence sequence that takes units as they come: items, or whole clusters.

    Class attributes:
        name: what to ask for it by.
        kind: ``exact`` for every number of items, or ``asymptotic``.
        null: the null hypothesis of p, in words.
        citation: the source.
    """

    name: ClassVar[str]
    kind: ClassVar[str]
    citation: ClassVar[str]
    null: ClassVar[str] = "the expected gain is 0, whatever the number of items at which one looks or stops"

    @abstractmethod
    def extend(self, sums: Float, sizes: Float) -> Path:
        """Takes more units.

        Args:
            sums: ``(b,)`` differences of scores, system minus baseline, summed within each unit.
            sizes: ``(b,)`` items in each unit.
        """


def marks_of(margin: float | None) -> Float:
    """The gains that decisions are about: 0, and the two margins if there are any."""
    return np.array([0.0] if margin is None else [0.0, -margin, margin])


def decisions(path: Path) -> list[Decision]:
    """The decision after each unit, where the marks are those of ``marks_of``.

    All of them are read off one confidence sequence, so that all hold together at its level. ``better`` and ``worse``
    are about 0 and come before what a margin allows to say: ``equivalent`` (within the margin) and ``not-worse``.
    """
    better, worse = path.above[:, 0], path.below[:, 0]
    if path.above.shape[1] == 1:
        not_worse = equivalent = np.zeros_like(better)
    else:
        not_worse = path.above[:, 1]
        equivalent = not_worse & path.below[:, 2]
    names: tuple[Decision, ...] = ("better", "worse", "equivalent", "not-worse", "undecided")
    codes = np.select([better, worse, equivalent, not_worse], [0, 1, 2, 3], 4)
    return [names[code] for code in codes.tolist()]
