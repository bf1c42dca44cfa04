"""The record of curves over all thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from outscore.base.errors import inflect
from outscore.results.declared import Shown, Writer
from outscore.results.methods import describe_design, describe_intervals, describe_scores, describe_scoring
from outscore.results.pictures import SERIES, Chart, Marks, Plane, Scale, Signs
from outscore.results.result import Interval, Result, kinds
from outscore.results.runs import table_of_runs

_KINDS = {"roc": "Curves (ROC)", "pr": "Curves (precision and recall)"}
_FEW = 3
"""Curves that stand on the first screen."""
_MOST, _MOST_OF_SEVERAL = 15, 6
"""Points of one curve in a table, and of each where there are several."""


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

    def verdict(self, w: Writer) -> Iterator[str]:
        """The areas under the curves."""
        yield from describe_scores(self.scores, w)

    def views(self, w: Writer) -> Iterator[Any]:
        few = len(self.curves) <= _FEW
        most = _MOST if len(self.curves) == 1 else _MOST_OF_SEVERAL
        points = [(curve, point) for curve in self.curves for point in _thin(curve.points, most)]
        band = f"[{w.level()} band]"
        columns = (
            Shown("positive above", "number", value=lambda row: _threshold(row[1], w)),
            Shown(self.x.replace("_", " "), "coefficient", value=lambda row: row[1].x, ci=lambda row: row[1].x_ci,
                  ci_title=band),
            Shown(self.y.replace("_", " "), "coefficient", value=lambda row: row[1].y, ci=lambda row: row[1].y_ci,
                  ci_title=band),
        )  # fmt: skip
        longest = max((len(curve.points) for curve in self.curves), default=0)
        thinned = (f"{most} of {longest} thresholds; -f csv has all.",) if longest > most else ()
        # of one curve, the heading of the columns and the verdict name the system
        heading = self._name if len(self.curves) > 1 else lambda curve: ""
        drawn = w.table(_KINDS.get(self.kind, self.kind), points, columns, first=few, footnotes=thinned,
                        group=lambda row: heading(row[0]))  # fmt: skip
        scores = w.table("Areas", self.scores, ("system", "score"), first=not few)
        yield from (drawn, scores) if few else (scores, drawn)
        if any(len(score.runs) > 1 for score in self.scores):
            yield table_of_runs(self.scores, w)

    def _name(self, curve: Curve) -> str:
        several = sum(other.system == curve.system for other in self.curves) > 1
        return f"{curve.system}, run {curve.run}" if several else curve.system

    def charts(self, w: Writer) -> Iterator[Chart]:
        """A line for each system, with a band at each threshold; the areas under them in the legend."""
        areas = {s.system: s.score for s in self.scores}
        names = {name: f"{w.name(name)}, area {w.fixed(area, 3)}" for name, area in areas.items()}
        best = max(areas, key=lambda name: areas[name])
        rows = tuple(
            {
                "system": names[curve.system], "curve": w.name(f"{curve.system} {curve.run}"), "place": place,
                "x": point.x, "y": point.y, **dict(zip(("low", "high"), point.y_ci or (None, None), strict=True)),
            }
            for curve in self.curves
            for place, point in enumerate(curve.points)
            if point.x is not None and point.y is not None
        )  # fmt: skip
        signs = Signs(field="system", colours=dict(zip(names.values(), cycle(SERIES), strict=False)), legend=True)
        chance = Marks(
            mark="line", rows=({"x": 0, "y": 0}, {"x": 1, "y": 1}), x="x", y="y", colour="faint", broken=True
        )
        x, y = (Scale(title=name.replace("_", " ").capitalize(), ends=(0, 1)) for name in (self.x, self.y))
        yield Chart(
            heading="Curves over all thresholds",
            title=f"{w.name(best)} encloses the largest area" if len(areas) > 1 else f"Area {w.fixed(areas[best], 3)}",
            under=(f"bands: {w.level()} at each threshold",),
            arranged="alone",
            panels=(
                Plane(
                    size=(380, 380), rows=rows, x=x, y=y,
                    marks=(
                        *([chance] if self.kind == "roc" else []),
                        Marks(mark="band", x="x", y="low", y2="high", each="curve", signs=signs),
                        Marks(mark="line", x="x", y="y", each="curve", order="place", signs=signs),
                    ),
                ),
            ),
        )  # fmt: skip

    def how(self, w: Writer) -> str:
        return describe_scoring(self, w)

    def method(self, w: Writer) -> Iterator[str]:
        yield "An item is taken as positive where its number is above the threshold; bands are for one threshold each."
        yield from describe_design(self, w)
        yield from describe_intervals(self, {"scores": [score.ci_method for score in self.scores]}, w)

    def __repr__(self) -> str:
        return f"<Curves ({self.kind}) of {inflect(len({c.system for c in self.curves}), 'system')}>"


def _thin(points: tuple[Point, ...], most: int) -> Iterator[Point]:
    """So many points from the first to the last, in equal steps."""
    last = len(points) - 1
    yield from (points[i] for i in sorted({round(i * last / (most - 1)) for i in range(most)}))


def _threshold(point: Point, w: Writer) -> str:
    return "-∞" if point.threshold is None else w.number(point.threshold, 4)
