"""Comparisons that may be looked at after every item and stopped at any time: confidence sequences of the gain.

A confidence sequence is a row of intervals, one after each item, that holds the true gain at all times at once with
probability 1 - alpha. So does everything that is read off it: when somebody looks, and why he stops, does not matter.
An ordinary interval or p-value loses its level as soon as it is looked at twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.lazy import dataclass

Decision = Literal["undecided", "better", "worse", "equivalent", "not-worse"]
_ROUNDING = 1e-9
_ENDS = ("low", "high", "above", "below")
FINAL: tuple[Decision, ...] = ("better", "worse", "equivalent")
"""Decisions after which there is nothing left to wait for."""


@dataclass(frozen=True, kw_only=True)
class Path:
    """The states of a confidence sequence after each of ``b`` units.

    Attributes:
        gain: ``(b,)`` gain for each item so far.
        low, high: ``(b,)`` ends of the confidence sequence, running intersection; infinite before it starts. Where the
            gain moved on the way it can lie outside.
        log_e: ``(b,)`` log of the e-value against a gain of 0.
        above, below: ``(b, marks)`` whether the gain is known to be above, or below, each mark.
    """

    gain: Float
    low: Float
    high: Float
    log_e: Float
    above: Bool
    below: Bool

    @classmethod
    def joined(cls, parts: Sequence[Path]) -> Path:
        """Paths that follow each other as one."""
        return cls(**{name: np.concatenate([getattr(p, name) for p in parts]) for name in cls.__dataclass_fields__})

    def part(self, rows: slice) -> Path:
        """Some units of the path."""
        return Path(**{name: getattr(self, name)[rows] for name in self.__dataclass_fields__})


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

    _last: Path | None = None  # the last row that was given

    def extend(self, sums: Float, sizes: Float) -> Path:
        """Takes more units.

        Where the gain moves on the way, every gain may have been excluded at one time or another. Then the sequence
        says no more, and keeps what it said last.

        Args:
            sums: ``(b,)`` differences of scores, system minus baseline, summed within each unit.
            sizes: ``(b,)`` items in each unit.
        """
        path = self._add_units(sums, sizes)
        whole = path if self._last is None else Path.joined([self._last, path])
        # the ends only come nearer to each other, so that one that holds nothing never holds anything again
        held = int((whole.low - whole.high <= _ROUNDING * (np.abs(whole.low) + np.abs(whole.high))).sum())
        rows = np.minimum(np.arange(len(whole.low)), max(held - 1, 0))
        kept = replace(whole, **{name: getattr(whole, name)[rows] for name in _ENDS})
        if len(rows):
            self._last = kept.part(slice(-1, None))
        return kept.part(slice(len(rows) - len(sums), None))

    @abstractmethod
    def _add_units(self, sums: Float, sizes: Float) -> Path:
        """The path of more units; its ends may cross."""


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
