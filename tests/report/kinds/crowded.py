"""Studies with much in their pictures: many points, names, colours, and powers of ten."""

from __future__ import annotations

from dataclasses import replace

from outscore.results.study import Axis, DataTable, Field, Figure, Findings, Layer, Value
from tests.report.findings import findings

# fmt: off

_FIELDS = (
    Field(name="system", title="System", kind="text"), Field(name="family", title="Family", kind="text"),
    Field(name="part", title="Part", kind="text"), Field(name="cost", title="Cost"), Field(name="pairs", title="Pairs"),
    Field(name="gain", title="Gain"),
)
_NAMES = tuple(f"system of the kind {i}" for i in range(8))


def _rows(n: int) -> tuple[tuple[Value, ...], ...]:
    return tuple(
        (_NAMES[i % 8], f"family {i % 6}", f"part {i % 3}", float(f"1e{i % 15 - 7}"), 1 + 99.99 * i,
         round(0.31 - i / 700, 5))
        for i in range(n)
    )


def study_of_many() -> Findings:
    """A hundred points in six shapes, eight names beside each other, rules in both directions, panels."""
    def points(colour: str, x: str = "cost", y: str = "pairs") -> Layer:
        return Layer(mark="point", table="many", x=x, y=y, colour=colour)

    cloud = Figure(
        name="cloud", title="A hundred points, the finding of which takes some sixty letters", subtitle="all of them",
        x=Axis(title="Cost", scale="log"), y=Axis(title="Pairs", scale="log"), layers=(points("family"),),
    )
    return replace(
        findings(),
        tables=(
            DataTable(name="many", title="Many", fields=_FIELDS, rows=_rows(100), printed=False),
            DataTable(name="few", title="Few", fields=_FIELDS, rows=_rows(50), printed=False),
            DataTable(name="lines", title="Lines", fields=_FIELDS, rows=_rows(1), printed=False),
        ),
        figures=(
            cloud,
            replace(
                cloud, name="fewer", x=Axis(title="Cost"), y=Axis(title="Gain"),
                title="Fewer points, the finding of which takes so many letters that a line breaks",
                subtitle="how it was found takes as many letters, which are smaller, on a line",
                layers=(
                    replace(points("family", y="gain"), table="few"),
                    Layer(mark="x-rule", table="lines", x="cost"), Layer(mark="y-rule", table="lines", y="gain"),
                ),
            ),
            Figure(
                name="named", title="Eight names", subtitle="", x=Axis(title="System", scale="names"),
                y=Axis(title="Gain"), layers=(
                    points("system", "system", "gain"),
                    Layer(mark="text", table="few", x="system", y="gain", label="part", colour="system"),
                ),
            ),
            Figure(
                name="parts", title="Three parts, and a finding that needs so many words that a line of it is full",
                subtitle="in turn", x=Axis(title="Pairs"), y=Axis(title="Gain"), facet="part",
                layers=(points("family", "pairs", "gain"),),
            ),
        ),
    )
