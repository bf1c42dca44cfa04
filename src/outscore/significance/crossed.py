"""The default for several runs: does the gain hold for new runs *and* new items?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.significance import ASYMPTOTIC, Outcome, Test, notes, test
from outscore.significance.estimate import Estimate, ScoreEstimand
from outscore.significance.experiment import PairedComparison
from outscore.significance.student import shape_notes
from outscore.significance.textbook.crossed import RunTable, crossed_mean, crossed_t
from outscore.significance.textbook.student import TTest
from outscore.significance.unequal_runs import of_unequal_runs


@test("crossed")
@dataclass(frozen=True)
class Crossed(Test):
    """t over runs and items together; for a corpus metric the items enter by jackknife pseudo-values.

    The variance of the gain is what runs and what items (clusters) contribute, without counting twice what both hold;
    degrees of freedom are Satterthwaite's, and fewer where the numbers of runs differ. Runs are not paired.

    Args:
        variant: ``satterthwaite``, or ``conservative``, which leaves the doubly counted part in.
        variances: ``separate`` for each system, as Welch takes them, or ``pooled``: one variance of runs for both, as a
            mixed model with one such variance has it. Pooling has more power with few runs, and is wrong where the
            systems' runs vary by different amounts and their numbers differ.
    """

    null: ClassVar[str] = "the expected gain over new runs and new items is 0"
    formula: ClassVar[str] = (
        "t = δ/√V, V = s_A²/R_A + s_B²/R_B + s_d²/n - v: s_A² and s_B² between the scores of R runs, s_d² between the"
        " items' differences averaged over runs, v = MS_A/(R_A n) + MS_B/(R_B n) of what is left beside runs and "
        "items, V at least s_d²/n; conservative: v = 0; Satterthwaite's degrees of freedom, for runs in different "
        "numbers at most 2(min R - 1); pooled: s_A² and s_B² are their mean by degrees of freedom"
    )
    applies: ClassVar[str] = (
        "claims about methods, on new runs and new items: the default for several runs; runs and items are near "
        "normal or many"
    )
    needs: ClassVar[str] = "two or more runs of each system, better five, and 30 items or more"
    citation: ClassVar[str] = "Clark et al. 2011 (the question); Welch 1947; Miller 2024"

    variant: Literal["satterthwaite", "conservative"] = "satterthwaite"
    variances: Literal["separate", "pooled"] = "separate"

    def question(self, pair: PairedComparison) -> str:
        units = "clusters of items" if pair.clustered else "items"
        return f"do the methods differ, on new runs and new {units}?"

    def refuses(self, pair: PairedComparison) -> str | None:
        if min(pair.n_runs) < 2:
            a, b = pair.n_runs
            return f"crossed needs at least two runs of each system, but there are {a} and {b}; use --test auto"
        return None

    def run(self, pair: PairedComparison) -> Outcome:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=ASYMPTOTIC, notes=(notes.IDENTICAL,))
        if pair.n_units < 2:
            return Outcome(p_value=None, p_kind=ASYMPTOTIC, notes=(notes.TOO_FEW,))
        system, baseline = (replicated(pair, s) for s in (pair.system, pair.baseline))
        found = crossed_t(
            system,
            baseline,
            variant=self.variant,
            variances=self.variances,
            alternative=pair.settings.alternative,
            level=pair.settings.coverage,
        )
        said = []
        constant = found.test.degenerate == "zero_variance"
        if constant:
            said.append(notes.ZERO_VARIANCE)
        if min(pair.n_runs) < 5:
            said.append(notes.FEW_RUNS)
        said += of_unequal_runs(pair.n_runs, pooled=self.variances == "pooled")
        if pair.n_units < 30:
            said.append(notes.FEW_CLUSTERS if pair.clustered else notes.FEW_ITEMS)
        if pair.panel.plain_mean:
            said += shape_notes(pair.differences)
        return Outcome(
            p_value=None if constant else found.test.p,
            p_kind=ASYMPTOTIC,
            effect={
                "statistic": found.test.statistic,
                "df": found.test.df,
                "se": found.test.se,
                "share_of_variance_from_runs": found.share_runs,
            },
            ci=(found.test.low, found.test.high),
            ci_method="degenerate" if constant else "crossed t interval over runs and items",
            notes=tuple(said),
        )


def over_runs(estimate: Estimate) -> TTest:
    """The crossed t of a gain or a score over runs and items, two runs of each system or more."""
    if isinstance(estimate, PairedComparison):
        system, baseline = (replicated(estimate, s) for s in (estimate.system, estimate.baseline))
        return crossed_t(system, baseline, level=estimate.level).test
    assert isinstance(estimate, ScoreEstimand)
    panel = estimate.panel
    table = RunTable(run_scores=panel.run_scores[estimate.system], values=panel.pseudo_values[estimate.system])
    return crossed_mean(table, level=estimate.level).test


def replicated(pair: PairedComparison, system: int) -> RunTable:
    """Run scores and (pseudo-)values of one system, signed so that more is better."""
    panel = pair.panel
    return RunTable(run_scores=panel.sign * panel.run_scores[system], values=panel.sign * panel.pseudo_values[system])
