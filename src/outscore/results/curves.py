"""Curves over all thresholds, as parts of scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any, Literal

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.confusion import name_of_run
from outscore.results.declared import Shown, Writer
from outscore.results.pictures import SERIES, Chart, Marks, Plane, Scale, Signs
from outscore.results.result import Interval, Score

_KINDS = {
    "roc": "Curves (ROC)",
    "pr": "Curves (precision and recall)",
    "threshold": "Accuracy, precision and recall by threshold",
    "profile": "Performance profiles",
}
_AXES = {
    "roc": ("false_positive_rate", "recall"),
    "pr": ("recall", "precision"),
    "threshold": ("precision", "recall", "accuracy"),
    "profile": ("share_above",),
}
_AREAS = ("auc", "average_precision", "iqm")
_FEW = 3
"""Curves that stand on the first screen."""
_MOST, _MOST_OF_SEVERAL = 15, 6
"""Points of one curve in a table, and of each where there are several."""
_JITTER = (0.0, 0.22, -0.22, 0.11, -0.11, 0.33, -0.33)
_MOST_DOTS = 7


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
class Decision(Point):
    """All that can be said of the decisions at one threshold: ``x`` is their precision, ``y`` their recall.

    Attributes:
        z: their accuracy; ``z_ci``: its interval, like those of the others.
        at: how many positive and negative items have just this number; they are taken as negative.
    """

    z: float | None
    z_ci: Interval | None
    at: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The curve of one run of one system, its points from the highest threshold down.

    Attributes:
        kind: ``roc``, ``pr``, ``profile``, whose points have no ``y``, or ``threshold``, whose points are ``Decision``.
    """

    system: str
    run: str
    kind: Literal["roc", "pr", "threshold", "profile"]
    points: tuple[Decision | Point, ...]

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of the coordinates: false_positive_rate and recall; recall and precision; all three; share_above."""
        return _AXES[self.kind]


def rows_of_curves(curves: Sequence[Curve]) -> Iterator[dict[str, Any]]:
    """One flat dictionary for each point."""
    for curve in curves:
        for point in curve.points:
            row: dict[str, Any] = {"system": curve.system, "run": curve.run, "threshold": point.threshold}
            for name, at in zip(curve.axes, "xyz", strict=False):
                row[name] = getattr(point, at)
                row[f"{name}_ci_low"], row[f"{name}_ci_high"] = getattr(point, f"{at}_ci") or (None, None)
            yield row


def tables_of_curves(curves: Sequence[Curve], scores: Sequence[Score], w: Writer) -> Iterator[Any]:
    """Points of each curve, and the areas, which stand first where there are many curves."""
    few = len(curves) <= _FEW
    most = _MOST if len(curves) == 1 else _MOST_OF_SEVERAL
    points = [(curve, point) for curve in curves for point in _thin(curve.points, most)]
    band = f"[{w.level()} band]"
    above = "score" if curves[0].kind == "profile" else "positive above"
    columns = [Shown(above, "number", value=lambda row: _threshold(row[1], w))]
    for name, at in zip(curves[0].axes, "xyz", strict=False):
        value, ends = (lambda row, of=of: getattr(row[1], of) for of in (at, f"{at}_ci"))
        columns.append(Shown(name.replace("_", " "), "coefficient", value=value, ci=ends, ci_title=band))
    longest = max(len(curve.points) for curve in curves)
    thinned = (f"{most} of {longest} thresholds; -f csv has all.",) if longest > most else ()
    drawn = w.table(_KINDS[curves[0].kind], points, columns, first=few, footnotes=thinned,
                    # of one curve, the heading of the columns and the verdict name the system
                    group=lambda row: name_of_run(row[0], curves) if len(curves) > 1 else "")  # fmt: skip
    areas = w.table("Scores" if curves[0].kind == "profile" else "Areas", scores, ("system", "score"), first=not few)
    yield from (drawn, areas) if few else (areas, drawn)


def _thin(points: tuple[Point, ...], most: int) -> Iterator[Point]:
    """So many points from the first to the last, in equal steps."""
    last = len(points) - 1
    yield from (points[i] for i in sorted({round(i * last / (most - 1)) for i in range(most)}))


def _threshold(point: Point, w: Writer) -> str:
    return "-∞" if point.threshold is None else w.number(point.threshold, 4)


def charts_of_curves(curves: Sequence[Curve], scores: Sequence[Score], w: Writer) -> Iterator[Chart]:
    """All systems in one picture, or one for each where they are drawn against the threshold."""
    if curves[0].kind == "threshold":
        yield from (_chart_of_decisions(curve, curves, w) for curve in curves)
    else:
        yield _chart_together(curves, scores, w)


def _chart_together(curves: Sequence[Curve], scores: Sequence[Score], w: Writer) -> Chart:
    """A line for each system, with a band at each threshold; the areas under them in the legend."""
    areas = {s.system: s.score for s in scores if s.signature.partition(":")[0] in _AREAS}
    profile = curves[0].kind == "profile"
    word = "interquartile mean" if profile else "area"
    names = {name: f"{w.name(name)}, {word} {w.fixed(area, 3)}" for name, area in areas.items()}
    best = max(areas, key=lambda name: areas[name])
    rows = tuple(
        {
            "system": names[curve.system], "curve": w.name(f"{curve.system} {curve.run}"), "place": place,
            "x": x, "y": y, **dict(zip(("low", "high"), band or (None, None), strict=True)),
        }
        for curve in curves
        for place, point in enumerate(curve.points)
        for x, y, band in [
            (point.threshold, point.x, point.x_ci) if profile else (point.x, point.y, point.y_ci)
        ]
        if x is not None and y is not None
    )  # fmt: skip
    signs = Signs(field="system", colours=dict(zip(names.values(), cycle(SERIES), strict=False)), legend=True)
    chance = Marks(mark="line", rows=({"x": 0, "y": 0}, {"x": 1, "y": 1}), x="x", y="y", colour="faint", broken=True)
    x, y = (Scale(title=name.replace("_", " ").capitalize(), ends=(0, 1)) for name in (*curves[0].axes, "")[:2])
    if profile:
        x, y = Scale(title="Score"), Scale(title="Proportion of items above it", ends=(0, 1))
    largest = "has the largest interquartile mean" if profile else "encloses the largest area"
    return Chart(
        heading=_KINDS["profile"] if profile else "Curves over all thresholds",
        title=f"{w.name(best)} {largest}" if len(areas) > 1 else f"{word.capitalize()} {w.fixed(areas[best], 3)}",
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


def _chart_of_decisions(curve: Curve, curves: Sequence[Curve], w: Writer) -> Chart:
    """Accuracy, precision and recall by threshold, above the items in their classes, right or wrong at the best one."""
    points = [point for point in curve.points if isinstance(point, Decision)]
    held = [point for point in points if point.threshold is not None]
    best = max(held, key=lambda point: point.z or 0.0)
    cut = best.threshold or 0.0
    lines = tuple(
        {"of": name, "place": place, "threshold": point.threshold, "value": getattr(point, at),
         **dict(zip(("low", "high"), getattr(point, f"{at}_ci") or (None, None), strict=True))}
        for name, at in zip(curve.axes, "xyz", strict=True)
        for place, point in enumerate(held)
        if getattr(point, at) is not None
    )  # fmt: skip
    dots = [
        {"score": point.threshold, "height": 1 - of + _JITTER[n % len(_JITTER)],
         "taken": "right" if ((point.threshold or 0.0) > cut) == (of == 0) else "wrong"}
        for point in held
        for of, count in enumerate(point.at)
        for n in range(min(count, _MOST_DOTS))
    ]  # fmt: skip
    wrong = {
        above: sum(one.at[above] for one in held if ((one.threshold or 0.0) > cut) == bool(above)) for above in (0, 1)
    }
    at_cut = Marks(mark="rule", rows=({"cut": cut},), x="cut", colour="ink", broken=True)
    # one scale of colours for both panels
    colours = dict(zip((*curve.axes, "wrong", "right"), (*SERIES[:4], "faint"), strict=True))
    series, taken = (Signs(field=field, colours=colours, legend=True) for field in ("of", "taken"))
    across = Scale(title="Score; positive where it is above the threshold")
    return Chart(
        heading="Accuracy, precision and recall by threshold",
        title=f"{name_of_run(curve, curves)}: accuracy is highest above {w.number(cut, 4)}, {w.fixed(best.z, 3)}",
        under=(
            f"there {inflect(wrong[1], 'false positive')} (above) and {inflect(wrong[0], 'false negative')} (below)",
            f"bands: {w.level()} at each threshold; heights of the dots within a class mean nothing",
        ),
        arranged="below",
        same_scale=True,
        panels=(
            Plane(
                size=(420, 220), rows=lines, x=across, y=Scale(title="Proportion", ends=(0, 1), written="percent"),
                marks=(
                    Marks(mark="band", x="threshold", y="low", y2="high", each="of", signs=series),
                    Marks(mark="line", x="threshold", y="value", each="of", order="place", signs=series),
                    at_cut,
                ),
            ),
            Plane(
                size=(420, 120), rows=tuple(dots), x=across,
                y=Scale(title="Gold label", ends=(-0.5, 1.5), ticks=(0, 1), grid=False),
                marks=(Marks(mark="point", x="score", y="height", signs=taken), at_cut),
            ),
        ),
    )  # fmt: skip
