"""Scores without a comparison."""

from __future__ import annotations

from outscore.results.buckets import BucketScore
from outscore.results.result import Score
from outscore.results.scores import Scores
from tests.report.kinds.shared import made

# fmt: off

def scores() -> Scores:
    """Three systems, and by domain."""
    return Scores(
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
            Score(
                system="cedar", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.5449, ci=(0.4945, 0.5953), ci_method="t interval", runs=("1",), run_scores=(0.5525,),
                s_sel=0.0248, s_test=None, run_min=0.5602, run_max=0.568, median_run="1", n_items=48,
            ),
        ),
        provenance=made(test="none", citations=("the arithmetic mean",)),
        buckets=(
            BucketScore(
                system="ash", metric="mean", by="domain", bucket="news", n_items=20, score=0.4685,
                ci=(0.3675, 0.5695), ci_method="t interval",
            ),
            BucketScore(
                system="birch", metric="mean", by="domain", bucket="news", n_items=20, score=0.4737,
                ci=(0.3716, 0.5757), ci_method="t interval",
            ),
            BucketScore(
                system="cedar", metric="mean", by="domain", bucket="news", n_items=20, score=0.5479,
                ci=(0.4696, 0.6263), ci_method="t interval",
            ),
            BucketScore(
                system="ash", metric="mean", by="domain", bucket="talk", n_items=28, score=0.4984,
                ci=(0.4172, 0.5796), ci_method="t interval",
            ),
            BucketScore(
                system="birch", metric="mean", by="domain", bucket="talk", n_items=28, score=0.4913,
                ci=(0.4122, 0.5703), ci_method="t interval",
            ),
            BucketScore(
                system="cedar", metric="mean", by="domain", bucket="talk", n_items=28, score=0.5427,
                ci=(0.4725, 0.6129), ci_method="t interval",
            ),
        ),
    )
