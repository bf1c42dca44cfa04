"""Judges that are corrected by labels."""

from __future__ import annotations

from outscore.results.judge import JudgeBias, JudgeEstimate, Judgements
from tests.report.kinds.shared import made, note

# fmt: off

def judged() -> Judgements:
    """Two systems, a part labelled."""
    return Judgements(
        seed=12345, alpha=0.05, scores=(), notes=(note("judge_alone"),),
        provenance=made(
            test="prediction-powered", correction="holm", n_items_read=150,
            citations=("Angelopoulos et al. 2023", "Angelopoulos, Duchi & Zrnic 2023"),
        ),
        human="correct", judge="llm", baseline="ash", correction="holm",
        biases=(
            JudgeBias(system="ash", baseline=None, bias=-0.0167, ci=(-0.1023, 0.0672), n_labelled=60, same=0.8833),
            JudgeBias(system="birch", baseline=None, bias=0.1167, ci=(0.0187, 0.2213), n_labelled=60, same=0.85),
            JudgeBias(system="birch", baseline="ash", bias=0.1333, ci=(0.0211, 0.2456), n_labelled=60, same=0.7333),
        ),
        estimates=(
            JudgeEstimate(
                system="ash", baseline=None, method="prediction-powered", value=0.4868, ci=(0.386, 0.5877),
                weight=0.4816, null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=96.78,
            ),
            JudgeEstimate(
                system="ash", baseline=None, method="labelled", value=0.4333, ci=(0.3042, 0.5624), weight=0.0,
                null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=60.82,
            ),
            JudgeEstimate(
                system="ash", baseline=None, method="prediction-powered:weight=1", value=0.5444,
                ci=(0.4131, 0.6758), weight=1.0, null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150,
                worth=56.53,
            ),
            JudgeEstimate(
                system="ash", baseline=None, method="rogan-gladen", value=0.5713, ci=(0.4143, 0.7283),
                weight=None, null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=None,
            ),
            JudgeEstimate(
                system="ash", baseline=None, method="judge", value=0.5333, ci=(0.4526, 0.6141), weight=None,
                null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=None,
            ),
            JudgeEstimate(
                system="birch", baseline=None, method="prediction-powered", value=0.5975, ci=(0.4943, 0.7006),
                weight=0.4562, null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=90.51,
            ),
            JudgeEstimate(
                system="birch", baseline=None, method="labelled", value=0.6, ci=(0.4724, 0.7276), weight=0.0,
                null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=60.82,
            ),
            JudgeEstimate(
                system="birch", baseline=None, method="prediction-powered:weight=1", value=0.5944,
                ci=(0.4588, 0.7301), weight=1.0, null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150,
                worth=51.78,
            ),
            JudgeEstimate(
                system="birch", baseline=None, method="rogan-gladen", value=0.5927, ci=(0.4219, 0.7635),
                weight=None, null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=None,
            ),
            JudgeEstimate(
                system="birch", baseline=None, method="judge", value=0.58, ci=(0.5001, 0.6599), weight=None,
                null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=None,
            ),
            JudgeEstimate(
                system="birch", baseline="ash", method="prediction-powered", value=0.116, ci=(-0.02372, 0.2558),
                weight=0.4341,
                null="the systems have the same mean human label over the population of items",
                p_value=0.1026, p_adjusted=0.1041, n_labelled=60, n_items=150, worth=96.83,
            ),
            JudgeEstimate(
                system="birch", baseline="ash", method="labelled", value=0.1667, ci=(-0.01235, 0.3457),
                weight=0.0,
                null="the systems have the same mean human label over the population of items",
                p_value=0.06745, p_adjusted=0.0685, n_labelled=60, n_items=150, worth=60.82,
            ),
            JudgeEstimate(
                system="birch", baseline="ash", method="prediction-powered:weight=1", value=0.05,
                ci=(-0.1457, 0.2457), weight=1.0,
                null="the systems have the same mean human label over the population of items",
                p_value=0.6144, p_adjusted=0.6229, n_labelled=60, n_items=150, worth=48.97,
            ),
            JudgeEstimate(
                system="birch", baseline="ash", method="judge", value=0.04667, ci=(-0.07639, 0.1697),
                weight=None, null="", p_value=None, p_adjusted=None, n_labelled=60, n_items=150, worth=None,
            ),
        ),
    )
