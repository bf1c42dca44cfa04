"""Tables and pictures of the study ``power-size``."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.results.study import Axis, DataTable, Field, Figure, Layer
from outscore.studies.shared import coverage
from outscore.studies.shared.simulated import SimulatedProportion

RIGHT_WRONG, NUMBERS = "right or wrong", "numbers"
CLOSED = {
    "bootstrap": (RIGHT_WRONG, "bootstrap"),
    "exact": (RIGHT_WRONG, "exact McNemar"),
    "midp": (RIGHT_WRONG, "McNemar mid-p"),
    "paired": (NUMBERS, "paired t"),
    "two-sample": (NUMBERS, "two-sample t"),
}
"""Tests by name: the picture that they stand in, and what they are called there."""

Powers = Sequence[tuple[str, str, int, SimulatedProportion, float | None]]
Curves = Sequence[tuple[int, float, str, float]]

_SHOWN = (coverage.OCONNOR, "Wilson")


def tables(powers: Powers, curves: Curves, level: float) -> tuple[DataTable, ...]:
    """Power by test and size, which is printed, and coverage by items and accuracy."""
    ends = ("low", "high", "expected")
    return (
        DataTable(
            name="power",
            title="Power by fake data",
            fields=(
                Field(name="answers", title="Answers", kind="text"),
                Field(name="test", title="Test", kind="text"),
                Field(name="n", title="Items", kind="count"),
                Field(name="power", title="Power", kind="share", low="low", high="high"),
                *(Field(name=name, title=name.capitalize(), kind="share") for name in ends),
            ),
            rows=tuple((kind, test, n, s.value, *s.ends, expected) for kind, test, n, s, expected in powers),
            about="Power: proportion of fake data sets, ± 2 errors. Expected: without simulation; of the bootstrap by "
            "the exact law of each outcome.",
        ),
        DataTable(
            name="coverage",
            title="Coverage of the true accuracy",
            fields=(
                Field(name="items", title="Items", kind="text"),
                Field(name="accuracy", title="Accuracy", kind="share"),
                Field(name="interval", title="Interval", kind="text"),
                Field(name="coverage", title="Coverage", kind="share"),
            ),
            rows=tuple((f"{n} items", at, name, value) for n, at, name, value in curves),
            printed=False,
        ),
        DataTable(
            name="shown",
            title="Those that are drawn",
            fields=(
                Field(name="items", title="Items", kind="text"),
                Field(name="accuracy", title="Accuracy", kind="share"),
                Field(name="interval", title="Interval", kind="text"),
                Field(name="coverage", title="Coverage", kind="share"),
                Field(name="level", title="Level", kind="share"),
            ),
            rows=tuple((f"{n} items", at, name, value, level) for n, at, name, value in curves if name in _SHOWN),
            printed=False,
        ),
    )


def figures(powers: Powers, curves: Curves, level: float) -> tuple[Figure, ...]:
    """Power against items, and coverage against accuracy."""
    return *(_power(powers, kind) for kind in (RIGHT_WRONG, NUMBERS)), _coverage(curves, level)


def _power(powers: Powers, kind: str) -> Figure:
    here = [row for row in powers if row[0] == kind]
    far = [s for _, _, _, s, expected in here if expected is not None and not s.agrees_with(expected)]
    within = "within its error" if not far else f"but for {len(far)} of {len(here)} points"
    return Figure(
        name="power" if kind == RIGHT_WRONG else "t",
        title=f"Power by fake data is the power without simulation, {within}",
        subtitle="Points: proportion of fake data sets that were significant, ± 2 errors; lines: exact or noncentral t",
        where=("answers", kind),
        x=Axis(title="Items"),
        y=Axis(title="Power", percent=True, domain=(0.0, 1.0)),
        layers=(
            Layer(mark="line", table="power", x="n", y="expected", colour="test"),
            Layer(mark="interval", table="power", x="n", low="low", high="high", colour="test"),
            Layer(mark="point", table="power", x="n", y="power", colour="test"),
        ),
    )


def _coverage(curves: Curves, level: float) -> Figure:
    least = {name: min(value for _, at, one, value in curves if one == name and at <= 0.9) for name in _SHOWN}
    two_sd, wilson = (least[name] for name in _SHOWN)
    return Figure(
        name="coverage",
        title=f"Up to an accuracy of 90%, mean ± 2 sd covers as little as {two_sd:.0%}, Wilson {wilson:.0%}",
        subtitle=f"Exact coverage of the true accuracy, nominal {level:.0%} (broken)",
        x=Axis(title="True accuracy", percent=True, domain=(0.7, 1.0)),
        y=Axis(title="Coverage", percent=True, domain=(0.7, 1.0)),
        layers=(
            Layer(mark="line", table="shown", x="accuracy", y="level", dashed=True),
            Layer(mark="line", table="shown", x="accuracy", y="coverage", colour="interval"),
        ),
        facet="items",
        colours=_SHOWN,
    )
