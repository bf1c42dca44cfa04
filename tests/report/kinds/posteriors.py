"""Bayesian answers."""

from __future__ import annotations

from dataclasses import replace

from outscore.results.comparison import Comparison
from outscore.results.posteriors import PairPosterior
from outscore.results.result import Score
from tests.report.kinds.comparisons import two
from tests.report.kinds.shared import made, note, with_tests

# fmt: off

def posterior() -> Comparison:
    """A region of practical equivalence."""
    return with_tests(two().pairs[0], replace(
        two(), seed=12345, alpha=0.05, buckets=(),
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
            Score(
                system="cedar", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.5449, ci=(0.4945, 0.5953), ci_method="t interval", runs=("1",), run_scores=(0.5525,),
                s_sel=0.0248, s_test=None, run_min=0.5602, run_max=0.568, median_run="1", n_items=48,
            ),
        ),
        notes=(note("posterior_is_no_p", mended=False), note("auto_posterior_t", mended=False), note("single_run")),
        provenance=made(
            citations=("the arithmetic mean", "Corani & Benavoli 2015; Nadeau & Bengio 2003"),
        ),
        baseline="ash",
        posteriors=(
            PairPosterior(
                system="birch", baseline="ash", metric="mean", gain=-0.002021, method="t",
                model="differences of items are normal; better means that their expectation is above the ROPE",
                prior="every expectation and every logarithm of the standard deviation is equally likely",
                rope=0.02, better=0.1311, within=0.6895, worse=0.1794, kind="exact", error=None, likely="",
                about="gain", mean=-0.001919, ci=(-0.04105, 0.03701), n_items=48, n_draws=None,
                effect={"df": 47, "scale": 0.0194},
                notes=("posterior_is_no_p", "auto_posterior_t", "single_run"),
            ),
            PairPosterior(
                system="cedar", baseline="ash", metric="mean", gain=0.05896, method="t",
                model="differences of items are normal; better means that their expectation is above the ROPE",
                prior="every expectation and every logarithm of the standard deviation is equally likely",
                rope=0.02, better=0.9803, within=0.0197, worse=4.38e-05, kind="exact", error=None, likely="better",
                about="gain", mean=0.0599, ci=(0.02195, 0.09596), n_items=48, n_draws=None,
                effect={"df": 47, "scale": 0.01839},
                notes=("posterior_is_no_p", "auto_posterior_t", "single_run"),
            ),
        ),
    ))
