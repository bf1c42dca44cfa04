"""The record of curves over all thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, kinds


@dataclass(frozen=True, kw_only=True)
class Point:
    """The point of a curve at one threshold: items whose number is above it are taken as positive.

    Attributes:
        threshold: None below every number, where all items are positive.
        x, y: the coordinates, see ``Curves``; None where they are 0/0.
        x_ci, y_ci: their intervals at level 1 - alpha at this one threshold, over resampled test sets.
    """

    threshold: float | None
    x: float | None
    x_ci: Interval | None
    y: float | None
    y_ci: Interval | None


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The curve of one run of one system, its points from the highest threshold down."""

    system: str
    run: str
    points: tuple[Point, ...]


@kinds.register("curve")
@dataclass(frozen=True, kw_only=True, repr=False)
class Curves(Result):
    """The curves of one or more systems; ``scores`` are the areas under them.

    Attributes:
        kind: ``roc`` or ``pr``.
        x, y: names of the coordinates: false_positive_rate and recall, or recall and precision.
    """

    kind: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    command: str = "curve"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each point."""
        rows = []
        for curve in self.curves:
            for point in curve.points:
                row: dict[str, Any] = {"system": curve.system, "run": curve.run, "threshold": point.threshold}
                for name, value, ends in ((self.x, point.x, point.x_ci), (self.y, point.y, point.y_ci)):
                    row[name] = value
                    row[f"{name}_low"], row[f"{name}_high"] = ends or (None, None)
                rows.append(row)
        return rows

    def __repr__(self) -> str:
        return f"<Curves ({self.kind}) of {inflect(len({c.system for c in self.curves}), 'system')}>"
