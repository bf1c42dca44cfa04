"""Looks at data as they come."""

from __future__ import annotations

from outscore.results.pairs import Pair
from outscore.results.result import Score
from outscore.results.sequences import InterimAnalysis, Sequence, Sequences
from tests.report.kinds.shared import made, note

# fmt: off

def sequence() -> Sequences:
    """Two systems, item by item."""
    return Sequences(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.4859, ci=(0.4249, 0.547), ci_method="t interval", runs=("1",), run_scores=(0.4927,),
                s_sel=0.03004, s_test=None, run_min=0.4996, run_max=0.5066, median_run="1", n_items=48,
            ),
            Score(
                system="birch", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.4839, ci=(0.4236, 0.5443), ci_method="t interval", runs=("1",), run_scores=(0.4907,),
                s_sel=0.02968, s_test=None, run_min=0.4976, run_max=0.5045, median_run="1", n_items=48,
            ),
        ),
        notes=(
            note("auto_item_randomization", mended=False), note("clusters_ignored"), note("few_differences"),
            note("single_run"), note("given_order"),
        ),
        provenance=made(
            citations=(
                "the arithmetic mean",
                "Fisher 1935; Noreen 1989; Janssen 1997; Riezler & Maxwell 2005; Zmigrod et al. 2022",
            ),
        ),
        baseline="ash", margin=None, order="given", correction="none",
        sequences=(
            Sequence(
                system="birch", baseline="ash", metric="mean", method="betting", kind="exact",
                null="the expected gain is 0, whatever the number of items at which one looks or stops",
                alpha=0.05, bounds=(0.0, 1.0), population=None, n_items=48, n_units=49,
                analyses=(
                    InterimAnalysis(
                        n=10, gain=0.0515, ci=(-0.3792, 0.4408), p_value=0.9706, e_value=1.006,
                        decision="undecided", observed=0.05234,
                    ),
                    InterimAnalysis(
                        n=20, gain=0.00515, ci=(-0.236, 0.2444), p_value=0.923, e_value=0.9255,
                        decision="undecided", observed=0.005351,
                    ),
                    InterimAnalysis(
                        n=48, gain=-0.002021, ci=(-0.1138, 0.1104), p_value=0.923, e_value=0.8745,
                        decision="undecided", observed=-0.001919,
                    ),
                ),
                decision="undecided", decided_at=None,
            ),
        ),
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="mean", gain=-0.002021, ci=(-0.04105, 0.03701),
                ci_method="t interval", test="randomization", question="do the systems differ on new items?",
                null="the two systems' outputs are exchangeable within each item",
                alternative="two-sided", p_value=0.9182, p_kind="exact", p_error=None, p_min=7.105e-15,
                p_adjusted=0.9309, n_items=48, n_resamples=None,
                effect={"wins": 25, "losses": 23, "ties": 0, "d_z": -0.01503, "hedges_gz": -0.01479},
                notes=("auto_item_randomization", "clusters_ignored", "few_differences", "single_run"),
                verdict="inconclusive",
            ),
        ),
    )
