"""The same runs on the set that they were tuned on: s_dev beside s_test, and the median run chosen there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError, join
from outscore.results.result import Score, load
from outscore.results.study import DataTable
from outscore.significance.p_values import student_p
from outscore.significance.runs import median_run
from outscore.studies.shared.form import METRIC, Row, columns, p_value, table, text
from outscore.studies.shared.material import Material

Tuned = Mapping[tuple[str, str], Float]
"""Scores of the runs on the tuning set by metric and system, in the order of the runs on the test set."""


def read_tuned(path: str, material: Material) -> Tuned:
    """The scores of a saved result, whose systems, metrics and runs have the names of those on the test set.

    Raises:
        UsageError: a system is not there under a metric, or has other runs.
    """
    held = {(score.metric, score.system): score for score in load(path).scores}
    return {
        (stats.name, system): _in_order(held.get((stats.name, system)), stats.name, system, material, path)
        for stats in material.by_metric
        for system in material.systems
    }


def _in_order(score: Score | None, metric: str, system: str, material: Material, path: str) -> Float:
    if score is None:
        raise UsageError(f"--tuning {path}: no score of {system!r} by {metric}; score the same systems by the same -m")
    by_run, runs = dict(zip(score.runs, score.run_scores, strict=True)), material.runs[system]
    if set(runs) != set(by_run):
        raise UsageError(
            f"--tuning {path}: {system!r} has runs {join(score.runs)} there and {join(runs)} here; name both alike"
        )
    return np.array([by_run[run] for run in runs])


def p_of_larger_spread(test: Float, tuning: Float) -> float | None:
    """p that the same runs spread no more on the test set than on the tuning set (Pitman 1939; Morgan 1939).

    Their sums and differences are uncorrelated where both spread alike. None for fewer than three runs.
    """
    total, change = test + tuning, test - tuning
    if len(test) < 3 or total.std() == 0 or change.std() == 0:
        return None
    r, df = float(np.corrcoef(total, change)[0, 1]), len(test) - 2
    return student_p(r * math.sqrt(df / max(1 - r * r, 1e-300)), df, "greater")


def tuning_table(tuned: Tuned, systems: Sequence[Row], material: Material) -> DataTable:
    """Clark et al. 2011, Table 1, with the run that is the median of the tuning set and its score on the test set.

    Args:
        systems: rows of the table of systems: metric, system, runs, mean, s_sel, s_test, ...
    """
    rows = []
    for metric, system, _, mean, s_sel, s_test, *_ in systems:
        assert isinstance(metric, str)
        assert isinstance(system, str)
        there, stats = tuned[metric, system], material.stats(metric)
        here = stats.run_scores[material.systems.index(system)]
        chosen = median_run(stats.sign * there)
        s_dev = float(there.std(ddof=1)) if len(there) > 1 else None
        p, run = p_of_larger_spread(here, there), material.runs[system][chosen]
        rows.append((metric, system, mean, s_sel, s_dev, s_test, p, run, float(here[chosen])))
    return table(
        "tuning",
        "Beside the tuning set",
        (
            METRIC,
            text("system", "System"),
            *columns("number", mean="Avg", s_sel="s_sel", s_dev="s_dev", s_test="s_test"),
            p_value("p", "p"),
            text("chosen", "Median there"),
            *columns("number", score="Its score here"),
        ),
        rows,
        about="s_sel: how far a run's score would vary with other items; s_dev, s_test: how far it varies between "
        "runs, on the tuning set and here. p: of s_test being no larger (Pitman and Morgan), as the runs are the same.",
    )
