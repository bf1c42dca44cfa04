"""The output of the study of runs: tables as those of its source, and pictures of gains and p-values over runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from outscore.base.lazy import dataclass
from outscore.engine.beta import normal_ppf
from outscore.results.study import Axis, DataTable, Figure, Layer
from outscore.significance.settings import Settings
from outscore.studies.runs.laws import probability_of_wrong_sign
from outscore.studies.shared.form import columns, count, ends, hidden, number, p_value, points, share, table, text

_METRIC = text("metric", "Metric")
_PAIR = text("pair", "Systems")
_N = count("n", "runs")
_NAME = text("n", "runs")

_TABLES = (
    table(
        "systems",
        "Scores of the runs, and how far they vary",
        (
            _METRIC,
            text("system", "System"),
            count("runs", "runs"),
            *columns("number", mean="Avg", s_sel="s_sel", s_test="s_test", ratio="ratio"),
            text("median_run", "Median"),
            *columns("number", lowest="Lowest", highest="Highest"),
        ),
        (),
        about="s_sel: how far a run's score would vary with other items (bootstrap). s_test: how far it varies between "
        "runs. ratio: s_test / s_sel.",
    ),
    hidden(
        "scores", "Every run", (_METRIC, *columns("text", system="System", run="Run"), number("score", "Score")), ()
    ),
    table(
        "gains",
        "Gains that n runs of each would have shown",
        (
            _METRIC,
            _PAIR,
            _N,
            count("ways", "ways"),
            *ends(number("gain", "Gain")),
            *columns("share", wrong="Wrong sign", expected="new runs"),
        ),
        (),
        about="Interval: of the gains over the ways to draw n runs of each system. Wrong sign: proportion of them on "
        "the other side of 0 than the gain of all runs; new runs: the same for runs that are not among these, by the "
        "normal law.",
    ),
    table(
        "single",
        "One run of each: luck with the baseline, with neither, with the system",
        (
            _METRIC,
            _PAIR,
            *columns("text", scenario="Runs", baseline_run="Baseline", system_run="System"),
            number("gain", "Gain"),
            p_value("p", "p"),
        ),
        (),
    ),
    table(
        "p",
        "p over draws of n runs of each",
        (
            _METRIC,
            _PAIR,
            _N,
            text("kind", "Test"),
            count("draws", "draws"),
            *ends(p_value("median", "Median p")),
            share("significant", "Significant"),
        ),
        (),
        about="Pooled runs count as extra items, so p falls with their number even where there is no difference "
        "(study runs-size); of one run of each no test sees how runs vary.",
    ),
    hidden(
        "bands",
        "Gains that are drawn",
        (
            _METRIC,
            _PAIR,
            _NAME,
            *columns(
                "number",
                gain="Gain",
                low="low",
                lower="lower quartile",
                upper="upper quartile",
                high="high",
                nothing="no gain",
            ),
        ),
        (),
    ),
    hidden(
        "new runs",
        "Gains of new runs by the normal law",
        (_METRIC, _PAIR, *columns("number", n="runs", low="low", high="high")),
        (),
    ),
    hidden(
        "intervals",
        "p-values that are drawn",
        (_METRIC, _PAIR, _NAME, text("kind", "Test"), *columns("p", low="low", high="high", median="median p")),
        (),
    ),
    hidden("level", "The level", (_METRIC, _PAIR, number("alpha", "alpha")), ()),
)
"""The tables without their rows; those that are hidden are for pictures."""


Row = tuple[Any, ...]

_BELOW = 1.2  # how far the axis of p goes on below the smallest
_MOST_SYSTEMS = 12  # whose runs are drawn in one picture
_MOST_PAIRS = 4  # that get panels

ALONE, POOLED, CROSSED = "one run each", "runs pooled", "runs and items"
"""Kinds of tests: of one run of each system, of runs as extra items, over new runs and new items."""


@dataclass
class RunsShown:
    """Tables and pictures; the pictures are of the tables that were made last.

    Attributes:
        settings: the level of the intervals, and where p-values are significant.
        units: of measurement, by the names of metrics.
    """

    settings: Settings
    units: Mapping[str, str]
    made: dict[str, list[Row]] = field(default_factory=dict)

    def tables(
        self,
        systems: Sequence[Row],
        scores: Sequence[Row],
        gains: Sequence[Row],
        single: Sequence[Row],
        p_values: Mapping[tuple[Any, ...], Sequence[float | None]],
    ) -> tuple[DataTable, ...]:
        """All tables; those of pairs only where there are pairs.

        Args:
            systems, scores: rows of the tables of that name.
            gains: metric, pair, n, ways, gain, four quantiles, proportion of the wrong sign, √(s² + s²) of the runs.
            single: rows of the table of that name.
            p_values: by metric, pair, n and kind of the test.
        """
        table2 = [(*key, *self._make_row(p)) for key, p in p_values.items()]
        near = self._find_nearest(gains)
        drawn = [row for row in gains if row[:2] in near]
        self.made = {
            "systems": list(systems),
            "scores": list(scores),
            "gains": [(*row[:6], row[8], row[9], probability_of_wrong_sign(row[4], row[10], row[2])) for row in gains],
            "single": list(single),
            "p": table2,
            "bands": [(*row[:2], str(row[2]), row[4], *row[5:9], 0.0) for row in drawn],
            "new runs": [line for key in near for line in self._new_runs([row for row in drawn if row[:2] == key])],
            "intervals": [self._interval(row) for row in table2 if row[:2] in near],
            "level": [(*key, self.settings.alpha) for key in near],
        }
        kept = [one for one in _TABLES if one.name in ("systems", "scores") or gains]
        return tuple(replace(one, rows=tuple(self.made[one.name])) for one in kept)

    def figures(self) -> tuple[Figure, ...]:
        """For each metric the runs' scores, the gains, and the p-values, as far as there are any."""
        found: list[Figure] = []
        for metric, unit in self.units.items():
            if len({row[1] for row in self.made["scores"] if row[0] == metric}) <= _MOST_SYSTEMS:
                found.append(self._draw_scores(metric, unit))
            if any(row[0] == metric for row in self.made["bands"]):
                found += [self._draw_gains(metric, unit), self._draw_tests(metric)]
        return tuple(found)

    def _make_row(self, p_values: Sequence[float | None]) -> Row:
        """Draws, quantiles of p, and the proportion that is significant."""
        p = np.array([one for one in p_values if one is not None])
        if not p.size:
            return (0, None, None, None, None)
        alpha = self.settings.alpha
        ends = np.quantile(p, [0.5, alpha / 2, 1 - alpha / 2]).tolist()
        return (p.size, *ends, float((p <= alpha).mean()))

    def _find_nearest(self, gains: Sequence[Row]) -> list[tuple[str, str]]:
        """Metric and pair of those that are drawn: the nearest to call under each metric, in their order."""
        first = {row[:2]: abs(row[4]) / row[10] if row[10] else math.inf for row in gains}
        near: set[tuple[str, str]] = set()
        for metric in self.units:
            of_metric = sorted((far, key) for key, far in first.items() if key[0] == metric)
            near |= {key for _, key in of_metric[:_MOST_PAIRS]}
        return [key for key in first if key in near]

    def _new_runs(self, rows: Sequence[Row]) -> list[Row]:
        """The interval of gains of new runs by the normal law."""
        wide = normal_ppf(1 - self.settings.alpha / 2)
        return [
            (*key, str(n), gain - wide * deviation / math.sqrt(n), gain + wide * deviation / math.sqrt(n))
            for *key, n, _, gain, _, _, _, _, _, deviation in rows
        ]

    def _interval(self, row: Row) -> Row:
        metric, pair, n, kind, _, median, low, high, _ = row
        seen = (None if p is None else max(p, self._floor) for p in (low, high, median))
        return (metric, pair, str(n), kind, *seen)

    def _draw_scores(self, metric: str, unit: str) -> Figure:
        rows = [row for row in self.made["systems"] if row[0] == metric and row[5] is not None]
        widest = max(rows, key=lambda row: row[5], default=None)
        said = "Runs" if widest is None else f"Runs of {widest[1]} lie {widest[9] - widest[8]:.3g} apart"
        return Figure(
            name=f"scores {metric}",
            title=said,
            where=("metric", metric),
            subtitle="A point for each run on the same items",
            x=Axis(
                title=f"Score ({unit})", domain=_axis_ends([row[3] for row in self.made["scores"] if row[0] == metric])
            ),
            y=Axis(title="", scale="names"),
            layers=(Layer(mark="point", table="scores", x="score", y="system"),),
        )

    def _draw_gains(self, metric: str, unit: str) -> Figure:
        rows = [row for row in self.made["gains"] if row[0] == metric]
        fewest = min(row[2] for row in rows)
        worst = max((row for row in rows if row[2] == fewest), key=lambda row: row[8])
        count = "one run each" if fewest == 1 else f"{fewest} runs each"
        return Figure(
            name=f"gains {metric}",
            title=f"{worst[1]}: {100 * worst[7]:.3g}% of draws of {count} show the wrong sign",
            where=("metric", metric),
            subtitle=f"Bands: middle {self._level} and middle half of the gains of drawn runs\n"
            "Broken: new runs, by the normal law; the bands close as all runs are drawn",
            x=Axis(title="Runs of each system", scale="names"),
            y=Axis(title=f"Gain ({unit})"),
            layers=(
                Layer(mark="band", table="bands", x="n", low="low", high="high"),
                Layer(mark="band", table="bands", x="n", low="lower", high="upper"),
                Layer(mark="line", table="bands", x="n", y="gain"),
                Layer(mark="line", table="new runs", x="n", y="low", dashed=True),
                Layer(mark="line", table="new runs", x="n", y="high", dashed=True),
                Layer(mark="y-rule", table="bands", y="nothing"),
            ),
            facet=self._facet(metric),
            own_ranges=True,
        )

    def _draw_tests(self, metric: str) -> Figure:
        rows = [row for row in self.made["p"] if row[0] == metric and row[8] is not None]
        at = min((row[2] for row in rows if row[2] > 1), default=1)
        shares = {kind: [row[8] for row in rows if row[2] == at and row[3] == kind] for kind in (POOLED, CROSSED)}
        how = {POOLED: "with runs pooled", CROSSED: "over runs and items"}
        said = [f"{100 * float(np.mean(some)):.0f}% {how[kind]}" for kind, some in shares.items() if some]
        many = f"{at} runs each" if at > 1 else "One run each"
        return Figure(
            name=f"p {metric}",
            title=f"{many}: significant in {', '.join(said)}" if said else f"{many}: p varies with the run",
            where=("metric", metric),
            subtitle=f"Middle {self._level} of p over drawn runs, and its median; broken: p = {self.settings.alpha:g}\n"
            f"Smaller p than {self._floor:.2g}, the smallest of a sampled test, are drawn there",
            x=Axis(title="Runs of each system", scale="names"),
            y=Axis(title="p", scale="log", domain=(self._floor / _BELOW, 1.0)),
            layers=(Layer(mark="y-rule", table="level", y="alpha"), *points("intervals", "n", "median", "kind")),
            facet=self._facet(metric),
            colours=(ALONE, POOLED, CROSSED),
        )

    def _facet(self, metric: str) -> str:
        return "pair" if len({row[1] for row in self.made["bands"] if row[0] == metric}) > 1 else ""

    @property
    def _floor(self) -> float:
        return 1 / (self.settings.n_resamples + 1)

    @property
    def _level(self) -> str:
        return f"{100 * (1 - self.settings.alpha):g}%"


def _axis_ends(values: Sequence[float]) -> tuple[float, float]:
    """Ends of an axis on which no value lies at the end."""
    low, high = min(values), max(values)
    room = 0.04 * (high - low) or 0.5
    return low - room, high + room
