"""Tables and pictures of the study ``toys``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from outscore.results.study import Axis, DataTable, Field, Figure, Layer, Value
from outscore.studies.shared.form import count, hidden, number, points, share, table, text
from outscore.studies.simulations import laws
from outscore.studies.simulations import toy_data as toys
from outscore.studies.simulations.simulated import SimulatedProportion

Shares = dict[tuple[str, int | float | None, str, float], SimulatedProportion]
"""By kind of data, its items or gain, free choice and level."""

BINS = 20
"""Of p-values, the first from 0 to .05."""

_Rows = Sequence[tuple[Value, ...]]


def tables_and_figures(
    shares: Shares,
    bins: Mapping[str, Sequence[int]],
    level: float,
    sizes: Sequence[int],
    gains: Sequence[float],
    growth: Sequence[int],
    items: int,
) -> tuple[tuple[DataTable, ...], tuple[Figure, ...]]:
    """All of them, pictures at the first level only."""
    made = (
        _choices(shares),
        _growth(shares, level, gains, growth),
        _bins(bins),
        *_correlation(shares, level, items),
        *_sizes(shares, level, sizes),
    )
    return made, (
        _picture_of_p(bins),
        _picture_of_correlation(shares, level, items),
        _picture_of_sizes(shares, level, sizes),
    )


def _proportion_field(name: str, title: str) -> Field:
    return share(name, title)


def _text(name: str, title: str) -> Field:
    return text(name, title)


_ENDS = (_proportion_field("low", "low"), _proportion_field("high", "high"))


def _table(name: str, title: str, fields: tuple[Field, ...], rows: _Rows) -> DataTable:
    return hidden(name, title, fields, rows)


def _choices(shares: Shares) -> DataTable:
    rows = [(toy, at, name, level, s.value, s.error, s.rounds) for (toy, at, name, level), s in shares.items()]
    fields = (
        _text("toy", "Data"),
        number("at", "Items, or gain"),
        _text("choice", "Choice"),
        number("level", "Level"),
        _proportion_field("share", "Significant"),
        _proportion_field("error", "Monte-Carlo error"),
        count("rounds", "Rounds"),
    )
    return _table("choices", "Everything that was simulated", fields, rows)


def _growth(shares: Shares, level: float, gains: Sequence[float], growth: Sequence[int]) -> DataTable:
    rows: list[tuple[Value, ...]] = []
    for gain in gains:
        for n, more in [*pairwise(growth), (growth[-1], None)]:
            power = shares["growth", gain, f"{n}", level]
            held = 1 - laws.p_none(level, [n], gain)
            then = None if more is None else shares["growth", gain, f"{n} to {more}", level].value
            gone = None if more is None else laws.p_loss(level, [n, more], gain)
            rows.append((gain, n, power.value, held, then, gone))
    return table(
        "growth",
        "What becomes of a significant gain as data are added",
        (
            number("gain", "True gain (sd)"),
            count("n", "Items"),
            _proportion_field("significant", "Significant"),
            _proportion_field("expected", "Expected"),
            _proportion_field("lost", "Not at the next size"),
            _proportion_field("lost_expected", "Expected"),
        ),
        rows,
        about=f"Proportions of all samples, at p ≤ {level:g}; expected for known variance.",
    )


def _bins(bins: Mapping[str, Sequence[int]]) -> DataTable:
    rows = [
        (name, (k + 0.5) / BINS, count / sum(counts), 1 / BINS)
        for name, counts in bins.items()
        for k, count in enumerate(counts)
    ]
    fields = (
        _text("choice", "Smallest p of"),
        number("p", "p"),
        _proportion_field("share", "Proportion"),
        _proportion_field("even", "Even"),
    )
    return _table("p", "The smallest p, in twenty bins", fields, rows)


def _picture_of_p(bins: Mapping[str, Sequence[int]]) -> Figure:
    first = {name: counts[0] / sum(counts) for name, counts in bins.items()}
    one, most = first[toys.ONE], max(first.values())
    return Figure(
        name="p",
        title=f"Free choice makes p ≤ .05 {most / one:.1f} times as likely where there is nothing" if one else "p",
        subtitle="The smallest p of a free choice, in bins of .05; broken: one p alone, which is even",
        x=Axis(title="Smallest p", domain=(0.0, 1.0)),
        y=Axis(title="Proportion of data sets", percent=True),
        layers=(
            Layer(mark="line", table="p", x="p", y="even", dashed=True),
            Layer(mark="line", table="p", x="p", y="share", colour="choice"),
            Layer(mark="point", table="p", x="p", y="share", colour="choice"),
        ),
    )


def _pairs_of_metrics(shares: Shares, level: float, items: int) -> list[tuple[str, float, SimulatedProportion]]:
    names = {name: correlation for name, (correlation, _) in toys.COPIES.items()} | {toys.INDEPENDENT: 0.0}
    return [(name, rho, shares["metrics", items, name, level]) for name, rho in names.items()]


def _correlation(shares: Shares, level: float, items: int) -> tuple[DataTable, DataTable]:
    rows = [(name, rho, s.value, *s.ends) for name, rho, s in _pairs_of_metrics(shares, level, items)]
    grid = [*np.linspace(0, 0.99, 100), 0.999]
    law = [(float(rho), laws.p_any(level, 2, float(rho))) for rho in grid]
    rho_field = number("correlation", "Correlation of both metrics")
    return (
        _table(
            "correlation",
            "Two metrics by their correlation",
            (_text("metric", "Second metric"), rho_field, _proportion_field("share", "Significant"), *_ENDS),
            rows,
        ),
        _table("correlation_law", "The law of the same", (rho_field, _proportion_field("share", "Significant")), law),
    )


def _picture_of_correlation(shares: Shares, level: float, items: int) -> Figure:
    by_rho = sorted((rho, s.value) for _, rho, s in _pairs_of_metrics(shares, level, items))
    falls = by_rho[0][1] > by_rho[-1][1]
    order = "The less two metrics agree, the more often one is significant" if falls else "Two metrics to choose from"
    return Figure(
        name="correlation",
        title=f"{order}: {by_rho[-1][1]:.1%} to {by_rho[0][1]:.1%}",
        subtitle=f"Free choice of two metrics without any difference, p ≤ {level:g}; points: simulated, ± 2 errors; "
        "line: law",
        x=Axis(title="Correlation of the two metrics", domain=(-0.02, 1.02)),
        y=Axis(title="Significant", percent=True),
        layers=(
            Layer(mark="line", table="correlation_law", x="correlation", y="share", dashed=True),
            *points("correlation", "correlation", "share"),
        ),
    )


_TESTS = ("bootstrap, two metrics", "bootstrap", "t")


def _sizes(shares: Shares, level: float, sizes: Sequence[int]) -> tuple[DataTable, DataTable]:
    rows = [
        (test, n, s.value, *s.ends) for n in sizes for test in _TESTS for s in [shares["bootstrap", n, test, level]]
    ]
    grid = np.unique(np.geomspace(sizes[0], sizes[-1], 60).round()).astype(int)
    law: list[tuple[Value, ...]] = []
    for n in grid.tolist():
        one = laws.bootstrap_size(level, n)
        law += [("bootstrap", n, one), ("bootstrap, two metrics", n, 1 - (1 - one) ** 2), ("t", n, level)]
    n_field = count("n", "Items")
    return (
        _table(
            "bootstrap",
            "The bootstrap of few items",
            (_text("test", "Test"), n_field, _proportion_field("share", "Significant"), *_ENDS),
            rows,
        ),
        _table(
            "bootstrap_law",
            "Its formula",
            (_text("test", "Test"), n_field, _proportion_field("share", "Significant")),
            law,
        ),
    )


def _picture_of_sizes(shares: Shares, level: float, sizes: Sequence[int]) -> Figure:
    few, many = (shares["bootstrap", n, "bootstrap", level].value for n in (sizes[0], sizes[-1]))
    return Figure(
        name="bootstrap",
        title=f"The bootstrap rejects {few:.1%} with {sizes[0]} items and {many:.1%} with {sizes[-1]}",
        subtitle=f"Nothing to be found, p ≤ {level:g}; with and without a second, independent metric; lines: formula; "
        "± 2 errors",
        x=Axis(title="Items", scale="log", domain=(0.9 * sizes[0], 1.1 * sizes[-1])),
        y=Axis(title="Significant", percent=True),
        layers=(
            Layer(mark="line", table="bootstrap_law", x="n", y="share", colour="test", dashed=True),
            *points("bootstrap", "n", "share", "test"),
        ),
        colours=_TESTS,
    )
