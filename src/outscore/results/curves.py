"""Curves over all thresholds, as parts of scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any, Literal

from outscore.base.lazy import dataclass
from outscore.results.confusion import name_of_run
from outscore.results.declared import Shown, Writer
from outscore.results.pictures import SERIES, Chart, Marks, Plane, Scale, Signs
from outscore.results.result import Interval, Score

_KINDS = {"roc": "Curves (ROC)", "pr": "Curves (precision and recall)"}
_AXES = {"roc": ("false_positive_rate", "recall"), "pr": ("recall", "precision")}
_AREAS = ("auc", "average_precision")
_FEW = 3
"""Curves that stand on the first screen."""
_MOST, _MOST_OF_SEVERAL = 15, 6
"""Points of one curve in a table, and of each where there are several."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """The point of a curve at one threshold: items whose number is above it are taken as positive.

    Attributes:
        threshold: None below every number, where all items are positive.
        x, y: the coordinates, see ``Curve.axes``; None where they are 0/0.
        x_ci, y_ci: their intervals at level 1 - alpha at this one threshold, over resampled test sets.
    """

    threshold: float | None
    x: float | None
    x_ci: Interval | None
    y: float | None
    y_ci: Interval | None


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The curve of one run of one system, its points from the highest threshold down.

    Attributes:
        kind: ``roc`` or ``pr``.
    """

    system: str
    run: str
    kind: Literal["roc", "pr"]
    points: tuple[Point, ...]

    @property
    def axes(self) -> tuple[str, str]:
        """Names of the coordinates: false_positive_rate and recall, or recall and precision."""
        return _AXES[self.kind]


def rows_of_curves(curves: Sequence[Curve]) -> Iterator[dict[str, Any]]:
    """One flat dictionary for each point."""
    for curve in curves:
        for point in curve.points:
            row: dict[str, Any] = {"system": curve.system, "run": curve.run, "threshold": point.threshold}
            for name, value, ends in zip(curve.axes, (point.x, point.y), (point.x_ci, point.y_ci), strict=True):
                row[name] = value
                row[f"{name}_low"], row[f"{name}_high"] = ends or (None, None)
            yield row


def tables_of_curves(curves: Sequence[Curve], scores: Sequence[Score], w: Writer) -> Iterator[Any]:
    """Points of each curve, and the areas, which stand first where there are many curves."""
    few = len(curves) <= _FEW
    most = _MOST if len(curves) == 1 else _MOST_OF_SEVERAL
    points = [(curve, point) for curve in curves for point in _thin(curve.points, most)]
    band = f"[{w.level()} band]"
    x, y = (name.replace("_", " ") for name in curves[0].axes)
    columns = (
        Shown("positive above", "number", value=lambda row: _threshold(row[1], w)),
        Shown(x, "coefficient", value=lambda row: row[1].x, ci=lambda row: row[1].x_ci, ci_title=band),
        Shown(y, "coefficient", value=lambda row: row[1].y, ci=lambda row: row[1].y_ci, ci_title=band),
    )
    longest = max(len(curve.points) for curve in curves)
    thinned = (f"{most} of {longest} thresholds; -f csv has all.",) if longest > most else ()
    drawn = w.table(_KINDS[curves[0].kind], points, columns, first=few, footnotes=thinned,
                    # of one curve, the heading of the columns and the verdict name the system
                    group=lambda row: name_of_run(row[0], curves) if len(curves) > 1 else "")  # fmt: skip
    areas = w.table("Areas", scores, ("system", "score"), first=not few)
    yield from (drawn, areas) if few else (areas, drawn)


def _thin(points: tuple[Point, ...], most: int) -> Iterator[Point]:
    """So many points from the first to the last, in equal steps."""
    last = len(points) - 1
    yield from (points[i] for i in sorted({round(i * last / (most - 1)) for i in range(most)}))


def _threshold(point: Point, w: Writer) -> str:
    return "-∞" if point.threshold is None else w.number(point.threshold, 4)


def chart_of_curves(curves: Sequence[Curve], scores: Sequence[Score], w: Writer) -> Chart:
    """A line for each system, with a band at each threshold; the areas under them in the legend."""
    areas = {s.system: s.score for s in scores if s.signature.partition(":")[0] in _AREAS}
    names = {name: f"{w.name(name)}, area {w.fixed(area, 3)}" for name, area in areas.items()}
    best = max(areas, key=lambda name: areas[name])
    rows = tuple(
        {
            "system": names[curve.system], "curve": w.name(f"{curve.system} {curve.run}"), "place": place,
            "x": point.x, "y": point.y, **dict(zip(("low", "high"), point.y_ci or (None, None), strict=True)),
        }
        for curve in curves
        for place, point in enumerate(curve.points)
        if point.x is not None and point.y is not None
    )  # fmt: skip
    signs = Signs(field="system", colours=dict(zip(names.values(), cycle(SERIES), strict=False)), legend=True)
    chance = Marks(mark="line", rows=({"x": 0, "y": 0}, {"x": 1, "y": 1}), x="x", y="y", colour="faint", broken=True)
    x, y = (Scale(title=name.replace("_", " ").capitalize(), ends=(0, 1)) for name in curves[0].axes)
    return Chart(
        heading="Curves over all thresholds",
        title=f"{w.name(best)} encloses the largest area" if len(areas) > 1 else f"Area {w.fixed(areas[best], 3)}",
        under=(f"bands: {w.level()} at each threshold",),
        arranged="alone",
        panels=(
            Plane(
                size=(380, 380), rows=rows, x=x, y=y,
                marks=(
                    *([chance] if curves[0].kind == "roc" else []),
                    Marks(mark="band", x="x", y="low", y2="high", each="curve", signs=signs),
                    Marks(mark="line", x="x", y="y", each="curve", order="place", signs=signs),
                ),
            ),
        ),
    )  # fmt: skip
