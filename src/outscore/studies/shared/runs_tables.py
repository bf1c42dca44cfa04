"""The tables of the study of runs: their fields, and what a reader must know."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.results.study import DataTable, Field, Value

_METRIC = Field(name="metric", title="Metric", kind="text")
_PAIR = Field(name="pair", title="Systems", kind="text")
_N = Field(name="n", title="runs", kind="count")
_NAME = Field(name="n", title="runs", kind="text")

TABLES: dict[str, tuple[str, tuple[Field, ...], str, bool]] = {
    "systems": (
        "Scores of the runs, and how far they vary",
        (
            _METRIC,
            Field(name="system", title="System", kind="text"),
            Field(name="runs", title="runs", kind="count"),
            Field(name="mean", title="Avg"),
            Field(name="s_sel", title="s_sel"),
            Field(name="s_test", title="s_test"),
            Field(name="ratio", title="s_test / s_sel"),
            Field(name="median_run", title="Median run", kind="text"),
            Field(name="lowest", title="Lowest"),
            Field(name="highest", title="Highest"),
        ),
        "s_sel: how far a run's score would vary with other items (bootstrap). s_test: how far it varies between runs.",
        True,
    ),
    "scores": (
        "Every run",
        (
            _METRIC,
            Field(name="system", title="System", kind="text"),
            Field(name="run", title="Run", kind="text"),
            Field(name="score", title="Score"),
        ),
        "",
        False,
    ),
    "gains": (
        "Gains that n runs of each would have shown",
        (
            _METRIC,
            _PAIR,
            _N,
            Field(name="ways", title="ways", kind="count"),
            Field(name="gain", title="Gain", low="low", high="high"),
            Field(name="low", title="low"),
            Field(name="high", title="high"),
            Field(name="wrong", title="Wrong sign", kind="share"),
            Field(name="expected", title="new runs", kind="share"),
        ),
        "Interval: of the gains over the ways to draw n runs of each system. Wrong sign: proportion of them on the "
        "other side of 0 than the gain of all runs; new runs: the same for runs that are not among these, by the "
        "normal law.",
        True,
    ),
    "single": (
        "One run of each: luck with the baseline, with neither, with the system",
        (
            _METRIC,
            _PAIR,
            Field(name="scenario", title="Runs", kind="text"),
            Field(name="baseline_run", title="Baseline", kind="text"),
            Field(name="system_run", title="System", kind="text"),
            Field(name="gain", title="Gain"),
            Field(name="p", title="p", kind="p"),
        ),
        "",
        True,
    ),
    "p": (
        "p over draws of n runs of each",
        (
            _METRIC,
            _PAIR,
            _N,
            Field(name="kind", title="Test", kind="text"),
            Field(name="draws", title="draws", kind="count"),
            Field(name="median", title="Median p", kind="p", low="low", high="high"),
            Field(name="low", title="low", kind="p"),
            Field(name="high", title="high", kind="p"),
            Field(name="significant", title="Significant", kind="share"),
        ),
        "Pooled runs count as extra items, so p falls with their number even where there is no difference (study "
        "runs-size); of one run of each no test sees how runs vary.",
        True,
    ),
    "bands": (
        "Gains that are drawn",
        (
            _METRIC,
            _PAIR,
            _NAME,
            Field(name="gain", title="Gain"),
            Field(name="low", title="low"),
            Field(name="lower", title="lower quartile"),
            Field(name="upper", title="upper quartile"),
            Field(name="high", title="high"),
            Field(name="nothing", title="no gain"),
        ),
        "",
        False,
    ),
    "new runs": (
        "Gains of new runs by the normal law",
        (
            _METRIC,
            _PAIR,
            Field(name="n", title="runs"),
            Field(name="low", title="low"),
            Field(name="high", title="high"),
        ),
        "",
        False,
    ),
    "intervals": (
        "p-values that are drawn",
        (
            _METRIC,
            _PAIR,
            _NAME,
            Field(name="kind", title="Test", kind="text"),
            Field(name="low", title="low", kind="p"),
            Field(name="high", title="high", kind="p"),
            Field(name="median", title="median p", kind="p"),
        ),
        "",
        False,
    ),
    "level": ("The level", (_METRIC, _PAIR, Field(name="alpha", title="alpha")), "", False),
}
"""Title, fields and explanation of each table, and whether text formats show it; the others are for pictures."""


def table(name: str, rows: Sequence[tuple[Value, ...]]) -> DataTable:
    """The table of that name with these rows."""
    title, fields, about, printed = TABLES[name]
    return DataTable(name=name, title=title, fields=fields, rows=tuple(rows), about=about, printed=printed)
