"""Metrics beside people."""

from __future__ import annotations

from outscore.results.correlation import Correlation, CorrelationGain, Correlations
from outscore.results.result import Score
from tests.report.kinds.shared import made, note

# fmt: off

def correlations() -> Correlations:
    """Two metrics and human scores of five systems."""
    return Correlations(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="human", signature="human", unit="units of the score", higher_is_better=True,
                score=0.0068, ci=(-0.2319, 0.2455), ci_method="t interval", runs=("1",), run_scores=(0.007023,),
                s_sel=0.1111, s_test=None, run_min=0.007249, run_max=0.007478, median_run="1", n_items=20,
            ),
            Score(
                system="birch", metric="human", signature="human", unit="units of the score", higher_is_better=True,
                score=0.0123, ci=(-0.1918, 0.2164), ci_method="t interval", runs=("1",), run_scores=(0.0126,),
                s_sel=0.09503, s_test=None, run_min=0.0129, run_max=0.01321, median_run="1", n_items=20,
            ),
            Score(
                system="cedar", metric="human", signature="human", unit="units of the score", higher_is_better=True,
                score=0.02545, ci=(-0.2312, 0.2821), ci_method="t interval", runs=("1",), run_scores=(0.02593,),
                s_sel=0.1195, s_test=None, run_min=0.02642, run_max=0.02691, median_run="1", n_items=20,
            ),
            Score(
                system="dill", metric="human", signature="human", unit="units of the score", higher_is_better=True,
                score=0.3165, ci=(0.03431, 0.5987), ci_method="t interval", runs=("1",), run_scores=(0.321,),
                s_sel=0.1314, s_test=None, run_min=0.3255, run_max=0.3301, median_run="1", n_items=20,
            ),
            Score(
                system="elm", metric="human", signature="human", unit="units of the score", higher_is_better=True,
                score=0.3523, ci=(0.1374, 0.5672), ci_method="t interval", runs=("1",), run_scores=(0.3573,),
                s_sel=0.1001, s_test=None, run_min=0.3623, run_max=0.3674, median_run="1", n_items=20,
            ),
            Score(
                system="ash", metric="chrf", signature="chrf", unit="units of the score", higher_is_better=True,
                score=-0.0278, ci=(-0.4305, 0.3749), ci_method="t interval", runs=("1",), run_scores=(-0.02805,),
                s_sel=0.1876, s_test=None, run_min=-0.0283, run_max=-0.02856, median_run="1", n_items=20,
            ),
            Score(
                system="birch", metric="chrf", signature="chrf", unit="units of the score", higher_is_better=True,
                score=0.1046, ci=(-0.2442, 0.4535), ci_method="t interval", runs=("1",), run_scores=(0.1062,),
                s_sel=0.1625, s_test=None, run_min=0.1078, run_max=0.1094, median_run="1", n_items=20,
            ),
            Score(
                system="cedar", metric="chrf", signature="chrf", unit="units of the score", higher_is_better=True,
                score=-0.2739, ci=(-0.6915, 0.1437), ci_method="t interval", runs=("1",), run_scores=(-0.2775,),
                s_sel=0.1945, s_test=None, run_min=-0.2812, run_max=-0.2849, median_run="1", n_items=20,
            ),
            Score(
                system="dill", metric="chrf", signature="chrf", unit="units of the score", higher_is_better=True,
                score=0.2151, ci=(-0.15, 0.5801), ci_method="t interval", runs=("1",), run_scores=(0.2182,),
                s_sel=0.17, s_test=None, run_min=0.2213, run_max=0.2245, median_run="1", n_items=20,
            ),
            Score(
                system="elm", metric="chrf", signature="chrf", unit="units of the score", higher_is_better=True,
                score=0.3342, ci=(0.1178, 0.5506), ci_method="t interval", runs=("1",), run_scores=(0.3389,),
                s_sel=0.1008, s_test=None, run_min=0.3437, run_max=0.3485, median_run="1", n_items=20,
            ),
            Score(
                system="ash", metric="comet", signature="comet", unit="units of the score", higher_is_better=True,
                score=0.0032, ci=(-0.2605, 0.2669), ci_method="t interval", runs=("1",), run_scores=(0.003374,),
                s_sel=0.1228, s_test=None, run_min=0.00355, run_max=0.003729, median_run="1", n_items=20,
            ),
            Score(
                system="birch", metric="comet", signature="comet", unit="units of the score", higher_is_better=True,
                score=-0.1079, ci=(-0.3818, 0.166), ci_method="t interval", runs=("1",), run_scores=(-0.1092,),
                s_sel=0.1275, s_test=None, run_min=-0.1106, run_max=-0.112, median_run="1", n_items=20,
            ),
            Score(
                system="cedar", metric="comet", signature="comet", unit="units of the score", higher_is_better=True,
                score=0.1144, ci=(-0.1809, 0.4097), ci_method="t interval", runs=("1",), run_scores=(0.1161,),
                s_sel=0.1375, s_test=None, run_min=0.1178, run_max=0.1195, median_run="1", n_items=20,
            ),
            Score(
                system="dill", metric="comet", signature="comet", unit="units of the score", higher_is_better=True,
                score=0.298, ci=(-0.06272, 0.6586), ci_method="t interval", runs=("1",), run_scores=(0.3022,),
                s_sel=0.168, s_test=None, run_min=0.3065, run_max=0.3108, median_run="1", n_items=20,
            ),
            Score(
                system="elm", metric="comet", signature="comet", unit="units of the score", higher_is_better=True,
                score=0.4578, ci=(0.2433, 0.6724), ci_method="t interval", runs=("1",), run_scores=(0.4642,),
                s_sel=0.09991, s_test=None, run_min=0.4707, run_max=0.4773, median_run="1", n_items=20,
            ),
        ),
        notes=(note("few_systems"), note("few_to_exchange")),
        provenance=made(
            n_resamples=1000, test="perm-systems", correction="holm", n_items_read=20,
            citations=("the arithmetic mean", "Pearson 1895"),
        ),
        human="human", resampled="both", alternative="two-sided", correction="holm",
        correlations=(
            Correlation(
                metric="chrf", level="system", coefficient="pearson", value=0.7874, ci=(-0.887, 1.0), epsilon=None,
                n_groups=1, n_undefined=0, group_size=5, notes=("few_systems",),
            ),
            Correlation(
                metric="comet", level="system", coefficient="pearson", value=0.9285, ci=(-0.05588, 1.0),
                epsilon=None, n_groups=1, n_undefined=0, group_size=5, notes=("few_systems",),
            ),
            Correlation(
                metric="chrf", level="system", coefficient="kendall", value=0.6, ci=(-1.0, 1.0), epsilon=None,
                n_groups=1, n_undefined=0, group_size=5, notes=("few_systems",),
            ),
            Correlation(
                metric="comet", level="system", coefficient="kendall", value=0.8, ci=(-0.1429, 1.0), epsilon=None,
                n_groups=1, n_undefined=0, group_size=5, notes=("few_systems",),
            ),
            Correlation(
                metric="chrf", level="segment-by-item", coefficient="pearson", value=0.548, ci=(0.1112, 0.7967),
                epsilon=None, n_groups=20, n_undefined=0, group_size=5,
            ),
            Correlation(
                metric="comet", level="segment-by-item", coefficient="pearson", value=0.7894, ci=(0.3839, 0.8877),
                epsilon=None, n_groups=20, n_undefined=0, group_size=5,
            ),
            Correlation(
                metric="chrf", level="segment-by-item", coefficient="kendall", value=0.41, ci=(0.07152, 0.725),
                epsilon=None, n_groups=20, n_undefined=0, group_size=5,
            ),
            Correlation(
                metric="comet", level="segment-by-item", coefficient="kendall", value=0.53, ci=(0.2715, 0.8),
                epsilon=None, n_groups=20, n_undefined=0, group_size=5,
            ),
        ),
        pairs=(
            CorrelationGain(
                metric="chrf", other="comet", level="system", coefficient="pearson", gain=-0.1411,
                ci=(-1.73, 0.6673), test="perm-systems",
                null=(
                    "the standardized scores of both metrics are exchangeable within each system: both "
                    "correlate equally with humans over new systems"
                ),
                p_value=0.0625, p_kind="exact", p_error=None, p_min=0.06349, p_adjusted=0.25, n_resamples=None,
                notes=("few_to_exchange",),
            ),
            CorrelationGain(
                metric="chrf", other="comet", level="system", coefficient="kendall", gain=-0.2, ci=(-1.5, 1.0),
                test="perm-systems",
                null=(
                    "the standardized scores of both metrics are exchangeable within each system: both "
                    "correlate equally with humans over new systems"
                ),
                p_value=1.0, p_kind="exact", p_error=None, p_min=0.0625, p_adjusted=1.0, n_resamples=None,
                notes=("few_to_exchange",),
            ),
            CorrelationGain(
                metric="chrf", other="comet", level="segment-by-item", coefficient="pearson", gain=-0.2414,
                ci=(-0.5642, 0.1246), test="perm-systems",
                null=(
                    "the standardized scores of both metrics are exchangeable within each system: both "
                    "correlate equally with humans over new systems"
                ),
                p_value=0.0625, p_kind="exact", p_error=None, p_min=0.06349, p_adjusted=0.25, n_resamples=None,
                notes=("few_to_exchange",),
            ),
            CorrelationGain(
                metric="chrf", other="comet", level="segment-by-item", coefficient="kendall", gain=-0.12,
                ci=(-0.5, 0.225), test="perm-systems",
                null=(
                    "the standardized scores of both metrics are exchangeable within each system: both "
                    "correlate equally with humans over new systems"
                ),
                p_value=0.25, p_kind="exact", p_error=None, p_min=0.0625, p_adjusted=0.5, n_resamples=None,
                notes=("few_to_exchange",),
            ),
        ),
    )
