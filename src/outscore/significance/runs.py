"""Runs only: would new runs differ, on this very test set?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.engine.extreme import Alternative, tail_mass, tolerance
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, Test, notes, test
from outscore.significance.crossed import RunTable, note_unequal_runs, run_tables
from outscore.significance.gain import GainContrast
from outscore.significance.means import OF_UNEQUAL_RUNS, TTest, freedom, t_from, welch
from outscore.significance.two_samples import MOST_COMBINATIONS, two_sample_law, two_sample_size


def run_welch(a: RunTable, b: RunTable, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Welch's t on run scores.

    Null hypothesis H_run: equal means over runs, on this test set only.

    Where the numbers of runs differ it has other degrees of freedom than Welch's, see ``freedom``.
    """
    found = welch(a.run_scores, b.run_scores, alternative=alternative, level=level)
    runs = (a.run_scores.size, b.run_scores.size)
    if runs[0] == runs[1] or not found.se > 0:
        return found
    parts = [float(s.run_scores.var(ddof=1)) / r for s, r in zip((a, b), runs, strict=True)]
    scale = float(max(np.abs(s.run_scores).max() for s in (a, b)))
    return t_from(found.estimate, found.se, freedom(parts, runs), alternative=alternative, level=level, scale=scale)


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


def median_run(run_scores: Float) -> int:
    """Index of the median run, the first with the score at position ⌊R/2⌋ in increasing order (Clark et al. 2011)."""
    middle = np.sort(run_scores)[run_scores.size // 2]
    return int(np.argmax(run_scores == middle))


_INTERVAL = "Welch t interval over runs"


@test("runs")
@dataclass(frozen=True)
class Runs(Test):
    """Compares the scores of the runs, taking the test set as fixed.

    Args:
        variant: ``welch`` t, or ``permutation`` of the run labels, exact (with three runs each p is at least .10).
    """

    null: ClassVar[str] = "the expected gain over new runs, on this test set, is 0"
    formula: ClassVar[str] = (
        "t = δ/√(s_A²/R_A + s_B²/R_B) over the scores of the runs, with Welch's degrees of freedom, "
        f"{OF_UNEQUAL_RUNS}; permutation: the proportion "
        "of the labellings of all R_A + R_B runs with |δ*| ≥ |δ|"
    )
    applies: ClassVar[str] = "a question about new runs on this very test set; not about new items"
    needs: ClassVar[str] = "two or more runs of each system; four of each for a permutation p below .05"
    citation: ClassVar[str] = "Welch 1947; Aspin 1948; Clark et al. 2011"

    variant: Literal["welch", "permutation"] = "welch"

    def question(self, pair: GainContrast) -> str:
        return "do new runs differ on this very test set? (items fixed)"

    def refuses(self, pair: GainContrast) -> str | None:
        a, b = pair.n_runs
        if self.variant == "welch" and min(a, b) < 2:
            return f"runs needs at least two runs of each system, but there are {a} and {b}; use --test auto"
        if self.variant == "permutation" and two_sample_size(a, b) > MOST_COMBINATIONS:
            return f"runs:variant=permutation cannot enumerate {a} and {b} runs; use runs:variant=welch"
        return None

    def run(self, pair: GainContrast) -> Outcome:
        said = [notes.RUNS_ONLY]
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=EXACT, notes=(notes.IDENTICAL, *said))
        system, baseline = run_tables(pair)
        side, level = pair.settings.alternative, pair.settings.coverage
        if self.variant == "permutation":
            labellings = math.comb(sum(pair.n_runs), pair.n_runs[0])
            # with as many runs on both sides every labelling has a mirror image that is as extreme
            both = 2 if side == "two-sided" and pair.n_runs[0] == pair.n_runs[1] else 1
            found = run_welch(system, baseline, level=level) if min(pair.n_runs) > 1 else None
            return Outcome(
                p_value=run_permutation_p(system.run_scores, baseline.run_scores, side),
                p_kind=EXACT,
                p_min=both / labellings,
                ci=(found.low, found.high) if found and not found.degenerate else None,
                ci_method=_INTERVAL if found and not found.degenerate else "",
                notes=tuple(said),
            )
        found = run_welch(system, baseline, alternative=side, level=level)
        constant = found.degenerate == "zero_variance"
        if constant:
            said.append(notes.ZERO_VARIANCE)
        said += note_unequal_runs(pair.n_runs)
        return Outcome(
            p_value=None if constant else found.p,
            p_kind=ASYMPTOTIC,
            effect={"statistic": found.statistic, "df": found.df, "se": found.se},
            ci=(found.low, found.high),
            ci_method=_INTERVAL,
            notes=tuple(said),
        )
