"""Tables and pictures of the study ``ppv``."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.results.study import Axis, DataTable, Field, Figure, Layer, Value

ONE, CHOICE, CORRECTED = "one metric", "the best of several", "the best of several, corrected"
"""The choices that authors may have."""

Rows = Sequence[tuple[Value, ...]]

_SHARE = Field(name="ppv", title="True", kind="share", low="low", high="high")
_REST = (
    _SHARE,
    Field(name="low", title="low", kind="share"),
    Field(name="high", title="high", kind="share"),
    Field(name="expected", title="Expected", kind="share"),
)
_COUNT = Field(name="significant", title="Significant", kind="count")


def tables(
    by_level: Rows, by_size: Rows, lines: Rows, wanted: float, cutoff: float | None, alpha: float
) -> tuple[DataTable, ...]:
    """By level and by size, which are printed, and what pictures need.

    Args:
        by_level: power, level, significant results, predictive value, its ends, expected.
        by_size: choice, items, the same.
        lines: power, level, expected.
    """
    level = Field(name="level", title="Level")
    part = Field(name="part", title="Power", kind="text")
    return (
        DataTable(
            name="levels",
            title="Predictive value by level",
            fields=(part, level, _COUNT, *_REST),
            rows=tuple(by_level),
            about="Power held: test sets grow as the level falls, as the formula has it.",
        ),
        DataTable(
            name="sizes",
            title=f"Predictive value at p ≤ {alpha:g}, with and without several metrics",
            fields=(
                Field(name="choice", title="Authors report", kind="text"),
                Field(name="n", title="Items", kind="count"),
                _COUNT,
                *_REST,
            ),
            rows=tuple(by_size),
        ),
        DataTable(name="lines", title="By formula", fields=(part, level, _REST[-1]), rows=tuple(lines), printed=False),
        DataTable(
            name="marks",
            title="What is wanted",
            fields=(Field(name="wanted", title="Wanted", kind="share"), Field(name="cutoff", title="Cut-off")),
            rows=((wanted, cutoff),),
            printed=False,
        ),
    )


def figures(
    by_level: Rows, by_size: Rows, wanted: float, cutoff: float | None, same: float | None
) -> tuple[Figure, ...]:
    """Predictive value by level (Søgaard et al. 2014, Figure 7), and by size with and without several metrics."""
    return _draw_by_level(by_level, wanted, cutoff, same), _draw_by_size(by_size)


def _draw_by_level(rows: Rows, wanted: float, cutoff: float | None, same: float | None) -> Figure:
    at = "none" if cutoff is None else f"p ≤ {cutoff:.2g}"
    then = "none" if same is None else f"p ≤ {same:.1g}"
    ends = [row[1] for row in rows if isinstance(row[1], float)]
    return Figure(
        name="level",
        title=f"{wanted:.0%} of significant results are true at {at} if the power is held, at {then} if not",
        subtitle="Points: simulated field, 95 % intervals; lines: formula; grey: the wanted value and its cut-off",
        x=Axis(title="Level of significance, alpha", scale="log", domain=(0.8 * min(ends), 1.25 * max(ends))),
        y=Axis(title="True among the significant", percent=True),
        layers=(
            Layer(mark="y-rule", table="marks", y="wanted"),
            Layer(mark="x-rule", table="marks", x="cutoff"),
            Layer(mark="line", table="lines", x="level", y="expected", colour="part"),
            Layer(mark="interval", table="levels", x="level", low="low", high="high", colour="part"),
            Layer(mark="point", table="levels", x="level", y="ppv", colour="part"),
        ),
    )


def _draw_by_size(rows: Rows) -> Figure:
    worth = {(row[0], row[1]): row[3] for row in rows}
    largest = max(row[1] for row in rows if isinstance(row[1], int))
    one, best = worth[ONE, largest], worth[CHOICE, largest]
    title = "Free choice among metrics makes significant results worth less"
    if isinstance(one, float) and isinstance(best, float):
        title = f"{title}: {best:.0%}, not {one:.0%}" if best < one else "Free choice among metrics costs nothing here"
    return Figure(
        name="size",
        title=title,
        subtitle="Predictive value by test set size (the proportions named: the largest); lines: law; 95 % intervals",
        x=Axis(title="Items", scale="log", domain=_wide([row[1] for row in rows if isinstance(row[1], int)])),
        y=Axis(title="True among the significant", percent=True),
        layers=(
            Layer(mark="line", table="sizes", x="n", y="expected", colour="choice"),
            Layer(mark="interval", table="sizes", x="n", low="low", high="high", colour="choice"),
            Layer(mark="point", table="sizes", x="n", y="ppv", colour="choice"),
        ),
        colours=(ONE, CHOICE, CORRECTED),
    )


def _wide(sizes: Sequence[int]) -> tuple[float, float]:
    return 0.9 * min(sizes), 1.1 * max(sizes)
