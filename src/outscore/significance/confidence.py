"""Which interval a score and a gain get when the test brings none (SPEC §3.4)."""

from __future__ import annotations

import math

import numpy as np

from outscore.base.arrays import Float
from outscore.base.notes import Note
from outscore.engine import intervals
from outscore.engine.draws import Draws
from outscore.significance import notes
from outscore.significance.crossed import Crossed
from outscore.significance.experiment import Experiment, Pairing
from outscore.significance.student import StudentT
from outscore.significance.studentized import with_errors
from outscore.significance.textbook.clustered import cluster_t
from outscore.significance.textbook.crossed import Replicated, crossed_mean
from outscore.significance.textbook.proportions import tango, wilson
from outscore.significance.textbook.student import paired_t

Found = tuple[tuple[float, float] | None, str, tuple[Note, ...]]
_UNDEFINED: Found = (None, "undefined", ())


def gain_interval(pair: Pairing) -> Found:
    """Interval of a gain at level 1 - alpha, its name, and what must be said of it.

    Right-or-wrong items: Tango's score interval. Means: t, cluster-robust where items come in clusters. Corpus scores:
    BCa bootstrap from 50 units on, studentized bootstrap below. All of them where strata are redrawn: BCa bootstrap.
    Scores of a ranking: t over jackknife pseudo-values, as a bootstrap ranks items beside their own copies and covers
    too little (average precision: .89 at n = 100).
    """
    level = 1 - pair.settings.alpha
    if pair.stratified and pair.panel.of_sums and not pair.identical:
        return _bca(pair.gain, pair.redrawn, pair.panel.design.centred(pair.jackknife), level, pair.slack)
    if pair.binary and not pair.clustered:
        d = pair.differences
        return tango(int((d > 0).sum()), int((d < 0).sum()), pair.n_items, level), "Tango score interval", ()
    if pair.identical:
        return (0.0, 0.0), "degenerate", ()
    if pair.n_units < 2:
        return _UNDEFINED
    if pair.panel.plain_mean:
        outcome = StudentT().run(pair)
        constant = notes.ZERO_VARIANCE in outcome.notes
        return outcome.ci, "degenerate" if constant else outcome.ci_method, (notes.ZERO_VARIANCE,) if constant else ()
    if not pair.panel.of_sums:
        if np.ptp(pair.jackknife) <= pair.slack:
            return (pair.gain, pair.gain), "degenerate", (notes.ZERO_VARIANCE,)
        return _finite(*_jackknife_t(pair), "t interval over jackknife pseudo-values")
    if pair.n_units < 50:
        return _studentized(pair.gain, *pair.studentized, level)
    return _bca(pair.gain, pair.redrawn, pair.jackknife, level, pair.slack)


def plain_interval(pair: Pairing) -> tuple[float, float] | None:
    """An interval of a gain that costs no resampling, for descriptive breakdowns: t over the units' pseudo-values.

    Over runs and items where both systems have several runs; of a plain mean it is the t interval of the items.
    """
    over_runs = Crossed()
    if pair.n_units < 2:
        return None
    if over_runs.refuses(pair) is None:
        return over_runs.run(pair).ci
    if pair.panel.plain_mean:
        return gain_interval(pair)[0]
    return _finite(*_jackknife_t(pair), "")[0]


def score_interval(experiment: Experiment, panel_index: int, system: int) -> Found:
    """Interval of one system's score at level 1 - alpha; over runs and items where there are several runs."""
    panel, settings = experiment.panels[panel_index], experiment.settings
    level, units, scores = 1 - settings.alpha, panel.design.n_units, panel.run_scores[system]
    if units < 2:
        return _UNDEFINED
    if len(scores) > 1:
        values = panel.pseudo_values[system]
        found = crossed_mean(Replicated(run_scores=scores, values=values), level=level).test
        return _finite(found.low, found.high, "crossed t interval over runs and items")
    if panel.design.stratified and panel.of_sums:
        without = panel.design.centred(panel.without_units[system][0])
        return _bca(float(scores[0]), experiment.redrawn_scores(panel_index, system)[0], without, level, 1e-12)
    if panel.plain_mean:
        items = panel.items[system][0, :, 0] * panel.units[0]
        if panel.design.labels is not None:
            clustered = cluster_t(items, panel.design.labels, level=level)
            return _finite(clustered.low, clustered.high, "CR2 t interval")
        if np.isin(items, (0.0, 1.0)).all():
            return wilson(round(float(items.sum())), len(items), level), "Wilson interval", ()
        plain = paired_t(items, level=level)
        return _finite(plain.low, plain.high, "t interval")
    if units < 50 and panel.of_sums:
        drawn, error = with_errors(panel.rows[system][0], panel.score, panel.design, settings)
        return _studentized(float(scores[0]), experiment.noting(drawn), error, level)
    draws = experiment.redrawn_scores(panel_index, system)[0]
    slack = 1e-12 * max(1.0, abs(float(scores[0])))
    return _bca(float(scores[0]), draws, panel.without_units[system][0], level, slack)


def selection_error(experiment: Experiment, panel_index: int, system: int) -> float | None:
    """s_sel: the bootstrap standard deviation of the score, averaged over runs (Clark et al. 2011, §3.3).

    For means of items it is the closed form that the bootstrap approaches.
    """
    panel = experiment.panels[panel_index]
    if panel.design.n_units < 2:
        return None
    if panel.plain_mean and panel.design.labels is None and not panel.design.stratified:
        items = panel.items[system][..., 0] * panel.units[0]
        return float(np.mean(items.std(axis=1) / math.sqrt(items.shape[1])))
    return float(experiment.redrawn_scores(panel_index, system).std(axis=1, ddof=1).mean())


def _jackknife_t(pair: Pairing) -> tuple[float, float]:
    n = pair.n_units
    found = paired_t(n * pair.gain - (n - 1) * pair.jackknife, level=1 - pair.settings.alpha)
    return found.low, found.high


def _bca(observed: float, draws: Float, jackknife: Float, level: float, slack: float) -> Found:
    found = intervals.bca(observed, draws, jackknife, level, slack=slack)
    return _finite(
        found.low, found.high, f"{found.method} bootstrap interval", notes.BCA_FALLBACK if found.fallback else None
    )


def _studentized(observed: float, drawn: Draws, error: float, level: float) -> Found:
    redrawn, errors = drawn.values
    found = intervals.studentized(observed, error, redrawn, errors, level)
    return _finite(found.low, found.high, f"{found.method} bootstrap interval")


def _finite(low: float, high: float, method: str, note: Note | None = None) -> Found:
    if not (math.isfinite(low) and math.isfinite(high)):
        return _UNDEFINED
    return (low, high), method, () if note is None else (note,)
