"""Runs only: would new runs differ, on this very test set?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.engine.exact import MOST_COMBINATIONS, two_sample_size
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, Test, notes, test
from outscore.significance.crossed import replicated
from outscore.significance.experiment import PairedComparison
from outscore.significance.textbook.crossed import run_permutation_p, run_welch
from outscore.significance.unequal_runs import of_unequal_runs

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
        "t = δ/√(s_A²/R_A + s_B²/R_B) over the scores of the runs, with Welch's degrees of freedom, at most "
        "2(min R - 1) where the numbers of runs differ; permutation: the share "
        "of the labellings of all R_A + R_B runs with |δ*| ≥ |δ|"
    )
    applies: ClassVar[str] = "a question about new runs on this very test set; not about new items"
    needs: ClassVar[str] = "two or more runs of each system; four of each for a permutation p below .05"
    citation: ClassVar[str] = "Welch 1947; Clark et al. 2011"

    variant: Literal["welch", "permutation"] = "welch"

    def question(self, pair: PairedComparison) -> str:
        return "do new runs differ on this very test set? (items fixed)"

    def refuses(self, pair: PairedComparison) -> str | None:
        a, b = pair.n_runs
        if self.variant == "welch" and min(a, b) < 2:
            return f"runs needs at least two runs of each system, but there are {a} and {b}; use --test auto"
        if self.variant == "permutation" and two_sample_size(a, b) > MOST_COMBINATIONS:
            return f"runs:variant=permutation cannot enumerate {a} and {b} runs; use runs:variant=welch"
        return None

    def run(self, pair: PairedComparison) -> Outcome:
        said = [notes.RUNS_ONLY]
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=EXACT, notes=(notes.IDENTICAL, *said))
        system, baseline = (replicated(pair, s) for s in (pair.system, pair.baseline))
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
        said += of_unequal_runs(pair.n_runs)
        return Outcome(
            p_value=None if constant else found.p,
            p_kind=ASYMPTOTIC,
            effect={"statistic": found.statistic, "df": found.df, "se": found.se},
            ci=(found.low, found.high),
            ci_method=_INTERVAL,
            notes=tuple(said),
        )
