"""Systems × runs × items: which part of a difference is due to runs, which to items.

Model y_sri = μ_s + a_sr + u_i + c_si + e_sri. A score that is a mean of item values enters as those values. A
corpus score enters as its run scores and the jackknife pseudo-values ψ_sri = n f(S_sr) - (n - 1) f(S_sr -
S_sri).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from outscore.base.arrays import Float, ScoreFunction
from outscore.base.errors import UsageError
from outscore.engine.exact import two_sample_law
from outscore.engine.extreme import Alternative, tail_mass, tolerance
from outscore.significance.textbook.student import TTest, paired_t, t_from, welch

Variant = Literal["conservative", "satterthwaite"]
RunVariances = Literal["separate", "pooled"]


@dataclass(frozen=True, kw_only=True)
class RunTable:
    """One system with R runs on n items.

    Attributes:
        run_scores: shape ``(R,)``, the score of each run.
        values: shape ``(R, n)``, item values whose mean over items is (about) the run score: the item scores
            of an
            additive metric, the pseudo-values of a corpus metric.
    """

    run_scores: Float
    values: Float


@dataclass(frozen=True, kw_only=True)
class Components:
    """Variance components of one system, by the two-way ANOVA of runs × items.

    Attributes:
        ms_run: mean square of runs; NaN for one run. The other mean squares likewise.
        ms_item: mean square of items.
        ms_residual: mean square of the residual.
        var_run: (ms_run - ms_residual)/n, may be negative.
        var_item: (ms_item - ms_residual)/R, may be negative.
        run_variance: s² of the run scores, ddof 1.
    """

    ms_run: float
    ms_item: float
    ms_residual: float
    var_run: float
    var_item: float
    run_variance: float


@dataclass(frozen=True, kw_only=True)
class CrossedResult:
    """A test, or the uncertainty, over runs and items together.

    Attributes:
        test: estimate, se, df, p and interval.
        variant: conservative or satterthwaite.
        variance_runs: Σ_s s_s²/R_s.
        variance_items: s²/n of the run-averaged item values (of their difference, for two systems).
        variance_residual: Σ_s MSres_s/(R_s n), which both of them contain; subtracted by ``satterthwaite``.
        share_runs: variance_runs over the sum of both, NaN if that is zero.
    """

    test: TTest
    variant: Variant
    variance_runs: float
    variance_items: float
    variance_residual: float
    share_runs: float


def additive(scores: Float) -> RunTable:
    """A system whose score is the mean of its item scores, shape ``(R, n)``."""
    values = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    return RunTable(run_scores=values.mean(axis=1), values=values)


def corpus(statistics: Float, score: ScoreFunction) -> RunTable:
    """A system whose score is a function of summed statistics, by jackknife pseudo-values (Miller 1974).

    Args:
        statistics: shape ``(R, n, k)``.
        score: sums ``(..., k)`` to scores ``(...)``.
    """
    n = statistics.shape[1]
    sums = statistics.sum(axis=1)
    whole = np.asarray(score(sums), dtype=np.float64)
    values = np.stack([n * w - (n - 1) * score(s - rows) for w, s, rows in zip(whole, sums, statistics, strict=True)])
    return RunTable(run_scores=whole, values=values)


def components(system: RunTable) -> Components:
    """Mean squares and variance components of one system (Searle et al. 1992)."""
    y = system.values
    r, n = y.shape
    grand = float(y.mean())
    by_run, by_item = y.mean(axis=1), y.mean(axis=0)
    if r < 2 or n < 2:
        nan = math.nan
        return Components(ms_run=nan, ms_item=nan, ms_residual=nan, var_run=nan, var_item=nan, run_variance=nan)
    ms_run = n * float(((by_run - grand) ** 2).sum()) / (r - 1)
    ms_item = r * float(((by_item - grand) ** 2).sum()) / (n - 1)
    residual = y - by_run[:, None] - by_item[None, :] + grand
    ms_residual = float((residual**2).sum()) / ((r - 1) * (n - 1))
    return Components(
        ms_run=ms_run, ms_item=ms_item, ms_residual=ms_residual, var_run=(ms_run - ms_residual) / n,
        var_item=(ms_item - ms_residual) / r, run_variance=float(system.run_scores.var(ddof=1)),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Restricted:
    """Variance components of one system that are never negative; arguments as in ``Components``."""

    var_run: float
    var_item: float
    var_residual: float


def restricted(system: RunTable) -> Restricted:
    """Variance components by restricted maximum likelihood: those of the ANOVA where none is negative.

    A component that would be negative is 0, and its mean square is pooled with the residual's by their degrees of
    freedom, which is the maximum of the restricted likelihood for a complete table (Patterson & Thompson 1971; Searle
    et al. 1992, §4.8).
    """
    r, n = system.values.shape
    parts = components(system)
    squares = {"run": (parts.ms_run, r - 1, n), "item": (parts.ms_item, n - 1, r)}
    df = (r - 1) * (n - 1)
    total, residual = parts.ms_residual * df, parts.ms_residual
    # the smaller mean square is pooled first, as the larger one may then be no smaller than the residual
    for name in sorted(squares, key=lambda key: squares[key][0]):
        mean_square, own, _ = squares[name]
        if mean_square < residual:
            total, df = total + mean_square * own, df + own
            residual = total / df
            del squares[name]
    found = {name: (mean_square - residual) / copies for name, (mean_square, _, copies) in squares.items()}
    return Restricted(var_run=found.get("run", 0.0), var_item=found.get("item", 0.0), var_residual=residual)


def median_run(run_scores: Float) -> int:
    """Index of the median run, the first with the score at position ⌊R/2⌋ in increasing order (Clark et al. 2011)."""
    middle = np.sort(run_scores)[run_scores.size // 2]
    return int(np.argmax(run_scores == middle))


def mean_run_error(system: RunTable, ddof: int = 1) -> float:
    """Mean over runs of the standard error of a run's score: s_sel of Clark et al. 2011 in closed form.

    With ``ddof=0`` it is the limit of the bootstrap's standard deviation for a mean.
    """
    n = system.values.shape[1]
    return float(system.values.std(axis=1, ddof=ddof).mean()) / math.sqrt(n)


def crossed_t(
    a: RunTable,
    b: RunTable,
    *,
    variant: Variant = "satterthwaite",
    variances: RunVariances = "separate",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> CrossedResult:
    """Crossed t test.

    Null hypothesis H_cross: equal means over the populations of runs and of items.

    With V1 = Σ_s s_s²/R_s + s_d̄²/n, d̄ the run-averaged item differences, and V_res = Σ_s MSres_s/(R_s n),
    which V1 holds twice: ``conservative`` takes V1, ``satterthwaite`` max(V1 - V_res, s_d̄²/n). Degrees of
    freedom V²/(Σ_s (s_s²/R_s)²/(R_s - 1) + (s_d̄²/n)²/(n - 1)), at least those of the
    poorest part; fewer where numbers of runs differ, see ``freedom``. Runs are not paired.

    Args:
        a: the system.
        b: the baseline, on the same items in the same order.
        variant: as above.
        variances: ``pooled`` takes s_s² of both systems for estimates of one variance, as a mixed model with one
            variance of runs does: Σ(R_s - 1)s_s²/Σ(R_s - 1), with Σ(R_s - 1) degrees of freedom.
        alternative: the side.
        level: level of the interval.

    Raises:
        UsageError: fewer than two runs or items, or different items.
    """
    if a.values.shape[1] != b.values.shape[1]:
        raise UsageError(f"{a.values.shape[1]} items against {b.values.shape[1]}: both systems need the same items")
    difference = a.values.mean(axis=0) - b.values.mean(axis=0)
    return _crossed((a, b), difference, variant, variances, alternative, level)


def crossed_mean(a: RunTable, *, variant: Variant = "satterthwaite", level: float = 0.95) -> CrossedResult:
    """Mean score of one system with its standard error, degrees of freedom and interval over runs and items.

    The one-system form of ``crossed_t``: V1 = s²/R + s_ȳ²/n, V_res = MSres/(R n). Its p-value is of the
    hypothesis that the mean is zero and seldom of interest.
    """
    return _crossed((a,), a.values.mean(axis=0), variant, "separate", "two-sided", level)


def run_welch(a: RunTable, b: RunTable, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Welch's t on run scores.

    Null hypothesis H_run: equal means over runs, on this test set only.

    Where the numbers of runs differ it has fewer degrees of freedom than Welch's, see ``freedom``.
    """
    found = welch(a.run_scores, b.run_scores, alternative=alternative, level=level)
    runs = (a.run_scores.size, b.run_scores.size)
    if runs[0] == runs[1] or not found.se > 0:
        return found
    parts = [float(s.run_scores.var(ddof=1)) / r for s, r in zip((a, b), runs, strict=True)]
    scale = float(max(np.abs(s.run_scores).max() for s in (a, b)))
    return t_from(found.estimate, found.se, freedom(parts, runs), alternative=alternative, level=level, scale=scale)


def item_t(a: RunTable, b: RunTable, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Paired t on run-averaged item values.

    Null hypothesis H_mean for these very runs.
    """
    difference = a.values.mean(axis=0) - b.values.mean(axis=0)
    return paired_t(difference, alternative=alternative, level=level)


def run_permutation_p(
    a_scores: Float | Sequence[float],
    b_scores: Float | Sequence[float],
    alternative: Alternative = "two-sided",
) -> float:
    """Exact permutation p of run labels.

    Null hypothesis H_run: runs of both systems are exchangeable.

    The least two-sided p is 2/C(2R, R): .10 for three runs against three, so .05 cannot be reached.
    """
    a, b = np.asarray(a_scores, dtype=np.float64), np.asarray(b_scores, dtype=np.float64)
    law = two_sample_law(a, b)
    slack = tolerance(float(np.abs(np.concatenate([a, b])).max()))
    observed = float(a.mean() - b.mean())
    return tail_mass(law.support, law.mass, observed, alternative=alternative, slack=slack)


def freedom(
    parts: Sequence[float], runs: Sequence[int], items: float = 0.0, units: int = 0, twice: float = 0.0
) -> float:
    """Degrees of freedom of a variance that runs and items make, by Satterthwaite, at least those of the poorest part.

    Where the numbers of runs differ, Welch's degrees of freedom are too many just when the few runs of one system
    happen to agree: 2 runs against 20 reject in 12 % of cases at a nominal 5 %. So the runs have at most 2(min R - 1)
    of them, as many as the smaller number of runs on both sides could give, and their share of the variance is no less
    than that which the run variance pooled over both systems gives them (chosen by simulation: at most .05 where runs
    vary alike).

    Args:
        parts: what the runs of each system contribute, s²/R.
        runs: R of each system.
        items: what the items contribute.
        units: number of independent items; 0 where the items are fixed.
        twice: what runs and items both hold, and is taken off once.
    """

    def satterthwaite(of_runs: float, below: float) -> float:
        below += items**2 / (units - 1) if units else 0.0
        return max(of_runs + items - twice, items) ** 2 / below if below > 0 else math.inf

    total = sum(parts)
    below = sum(v**2 / (r - 1) for v, r in zip(parts, runs, strict=True))
    found = satterthwaite(total, below)
    if len(set(runs)) > 1:
        most = 2 * (min(runs) - 1)
        pooled = _pooled(parts, runs) * sum(1 / r for r in runs)
        found = min(satterthwaite(total, max(below, total**2 / most)), satterthwaite(pooled, pooled**2 / most))
    # a sum of variances has at least the degrees of freedom of its poorest part; what was subtracted must not undo that
    return max(found, min([*runs, units] if units else runs) - 1)


def _pooled(parts: Sequence[float], runs: Sequence[int]) -> float:
    """One variance of runs from those of the systems' means, s²/R, by their degrees of freedom."""
    return sum(v * r * (r - 1) for v, r in zip(parts, runs, strict=True)) / sum(r - 1 for r in runs)


def _crossed(
    systems: tuple[RunTable, ...],
    by_item: Float,
    variant: Variant,
    variances: RunVariances,
    alternative: Alternative,
    level: float,
) -> CrossedResult:
    """The test from one system, or from two whose item difference is ``by_item``."""
    if variant not in ("conservative", "satterthwaite"):
        raise UsageError(f"variant={variant!r}: expected conservative or satterthwaite")
    if variances not in ("separate", "pooled"):
        raise UsageError(f"variances={variances!r}: expected separate or pooled")
    n = by_item.size
    runs = [s.run_scores.size for s in systems]
    if min(runs) < 2 or n < 2:
        raise UsageError("a crossed test needs at least two runs of each system and two items")
    means = [float(s.run_scores.mean()) for s in systems]
    parts = [components(s) for s in systems]
    per_run = [part.run_variance / r for part, r in zip(parts, runs, strict=True)]
    items = float(by_item.var(ddof=1)) / n
    residual = sum(part.ms_residual / (r * n) for part, r in zip(parts, runs, strict=True))
    if variances == "pooled":
        spread = _pooled(per_run, runs)
        per_run, runs = [sum(spread / r for r in runs)], [1 + sum(r - 1 for r in runs)]
    whole = sum(per_run) + items
    twice = 0.0 if variant == "conservative" else residual
    df = freedom(per_run, runs, items, n, twice) if whole > 0 else float(n - 1)
    return CrossedResult(
        test=t_from(
            means[0] - sum(means[1:]),
            math.sqrt(max(whole - twice, items)),
            df,
            alternative=alternative,
            level=level,
            scale=max(abs(mean) for mean in means),
        ),
        variant=variant,
        variance_runs=sum(per_run),
        variance_items=items,
        variance_residual=residual,
        share_runs=sum(per_run) / whole if whole > 0 else math.nan,
    )
