"""Several data sets."""

from __future__ import annotations

from outscore.results.replication import Replication
from outscore.results.result import Score
from outscore.results.set_gains import AcrossSets, MeanRank, Ranking, Replicated, SetGain
from tests.report.kinds.shared import made, note

# fmt: off

def replicated() -> Replication:
    """Two systems against a baseline on three data sets."""
    return Replication(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.6667, ci=None, ci_method="undefined", runs=("mean over data sets",), run_scores=(0.676,),
                s_sel=None, s_test=None, run_min=0.6854, run_max=0.6949, median_run="mean over data sets",
                n_items=60,
            ),
            Score(
                system="birch", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.75, ci=None, ci_method="undefined", runs=("mean over data sets",), run_scores=(0.7604,),
                s_sel=None, s_test=None, run_min=0.7709, run_max=0.7816, median_run="mean over data sets",
                n_items=60,
            ),
            Score(
                system="cedar", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.8667, ci=None, ci_method="undefined", runs=("mean over data sets",), run_scores=(0.8787,),
                s_sel=None, s_test=None, run_min=0.8909, run_max=0.9032, median_run="mean over data sets",
                n_items=60,
            ),
        ),
        notes=(
            note("columns_describe"), note("auto_mcnemar", mended=False), note("not_exact"), note("single_run"),
            note("few_data_sets"), note("counts_apart"), note("depends_on_the_pool"),
        ),
        provenance=made(
            correction="holm", n_items_read=60,
            citations=("share of right answers", "McNemar 1947; Fagerland et al. 2013; interval: Tango 1998"),
        ),
        baseline="ash", alternative="greater", correction="holm", data_sets=("a", "b", "c"),
        replicated=(
            Replicated(
                system="birch", baseline="ash", metric="accuracy", n_sets=3, n_ahead=2, gain=0.08333,
                ci=(-0.1752, 0.3419), count=0, count_independent=1, p_counts=(0.4003, 0.6875, 0.697),
                p_counts_independent=(0.2729, 0.4745, 0.5), holds_on=(),
                overall=(
                    AcrossSets(
                        test="wilcoxon", null="differences are distributed symmetrically about 0",
                        alternative="two-sided", statistic=3.0, p_value=0.5, p_kind="exact", p_min=0.507,
                        p_adjusted=0.5141,
                    ),
                    AcrossSets(
                        test="sign", null="a win is as likely as a loss", alternative="two-sided", statistic=2.0,
                        p_value=0.625, p_kind="exact", p_min=0.125, p_adjusted=0.688,
                    ),
                    AcrossSets(
                        test="fisher", null="the system outscores the baseline on no data set",
                        alternative="greater", statistic=7.55, p_value=0.2729, p_kind="asymptotic", p_min=None,
                        p_adjusted=0.2768,
                    ),
                    AcrossSets(
                        test="stouffer", null="the system outscores the baseline on no data set",
                        alternative="greater", statistic=0.8733, p_value=0.1912, p_kind="asymptotic", p_min=None,
                        p_adjusted=0.1939,
                    ),
                    AcrossSets(
                        test="simes", null="the system outscores the baseline on no data set",
                        alternative="greater", statistic=0.4003, p_value=0.4059, p_kind="asymptotic", p_min=None,
                        p_adjusted=0.4116,
                    ),
                ),
            ),
            Replicated(
                system="cedar", baseline="ash", metric="accuracy", n_sets=3, n_ahead=4, gain=0.2,
                ci=(-0.3414, 0.7414), count=1, count_independent=2, p_counts=(0.01941, 0.375, 0.3803),
                p_counts_independent=(0.017, 0.2511, 0.3633), holds_on=("b",),
                overall=(
                    AcrossSets(
                        test="wilcoxon", null="differences are distributed symmetrically about 0",
                        alternative="two-sided", statistic=6.0, p_value=0.25, p_kind="exact", p_min=0.2536,
                        p_adjusted=0.5,
                    ),
                    AcrossSets(
                        test="sign", null="a win is as likely as a loss", alternative="two-sided", statistic=4.0,
                        p_value=0.375, p_kind="exact", p_min=0.126, p_adjusted=0.75,
                    ),
                    AcrossSets(
                        test="fisher", null="the system outscores the baseline on no data set",
                        alternative="greater", statistic=15.45, p_value=0.017, p_kind="asymptotic", p_min=None,
                        p_adjusted=0.034,
                    ),
                    AcrossSets(
                        test="stouffer", null="the system outscores the baseline on no data set",
                        alternative="greater", statistic=2.149, p_value=0.01581, p_kind="asymptotic", p_min=None,
                        p_adjusted=0.03163,
                    ),
                    AcrossSets(
                        test="simes", null="the system outscores the baseline on no data set",
                        alternative="greater", statistic=0.01941, p_value=0.01981, p_kind="asymptotic", p_min=None,
                        p_adjusted=0.03882,
                    ),
                ),
            ),
        ),
        set_gains=(
            SetGain(
                data_set="a", system="birch", baseline="ash", metric="accuracy", n_items=20, baseline_score=0.75,
                system_score=0.7604, gain=0.0, ci=(-0.237, 1.0), ci_method="Tango score interval",
                test="mcnemar:variant=midp",
                p_value=0.5, p_kind="exact", p_error=None, p_holm=0.6875, p_adjusted=1.0,
                notes=("auto_mcnemar", "not_exact", "single_run"),
            ),
            SetGain(
                data_set="b", system="birch", baseline="ash", metric="accuracy", n_items=20, baseline_score=0.45,
                system_score=0.65, gain=0.2, ci=(-0.08684, 1.0), ci_method="Tango score interval",
                test="mcnemar:variant=midp",
                p_value=0.1334, p_kind="exact", p_error=None, p_holm=0.4003, p_adjusted=0.6671,
                notes=("auto_mcnemar", "not_exact", "single_run"),
            ),
            SetGain(
                data_set="c", system="birch", baseline="ash", metric="accuracy", n_items=20, baseline_score=0.8,
                system_score=0.85, gain=0.05, ci=(-0.1503, 1.0), ci_method="Tango score interval",
                test="mcnemar:variant=midp",
                p_value=0.3438, p_kind="exact", p_error=None, p_holm=0.6875, p_adjusted=1.0,
                notes=("auto_mcnemar", "not_exact", "single_run"),
            ),
            SetGain(
                data_set="a", system="cedar", baseline="ash", metric="accuracy", n_items=20, baseline_score=0.75,
                system_score=0.8, gain=0.05, ci=(-0.1769, 1.0), ci_method="Tango score interval",
                test="mcnemar:variant=midp",
                p_value=0.3633, p_kind="exact", p_error=None, p_holm=0.375, p_adjusted=1.0,
                notes=("auto_mcnemar", "not_exact", "single_run"),
            ),
            SetGain(
                data_set="b", system="cedar", baseline="ash", metric="accuracy", n_items=20, baseline_score=0.45,
                system_score=0.9, gain=0.4563, ci=(0.1671, 1.0), ci_method="Tango score interval",
                test="mcnemar:variant=midp",
                p_value=0.00647, p_kind="exact", p_error=None, p_holm=0.01941, p_adjusted=0.03882,
                notes=("auto_mcnemar", "not_exact", "single_run"),
            ),
            SetGain(
                data_set="c", system="cedar", baseline="ash", metric="accuracy", n_items=20, baseline_score=0.8,
                system_score=0.9, gain=0.1, ci=(-0.07979, 1.0), ci_method="Tango score interval",
                test="mcnemar:variant=midp",
                p_value=0.1875, p_kind="exact", p_error=None, p_holm=0.375, p_adjusted=0.75,
                notes=("auto_mcnemar", "not_exact", "single_run"),
            ),
        ),
        rankings=(
            Ranking(
                metric="accuracy",
                null="within each data set every order of the systems is equally likely",
                n_sets=3, statistic=5.636, f=31.0, df=2, df_blocks=4, p_value=0.05556, p_kind="exact", kendall_w=0.9394,
                critical_difference=1.914,
                ranks=(
                    MeanRank(system="ash", mean_rank=2.833, gap=None, p_nemenyi=None, p_holm=None),
                    MeanRank(system="birch", mean_rank=2.167, gap=0.6667, p_nemenyi=0.6928, p_holm=0.4142),
                    MeanRank(system="cedar", mean_rank=1.0, gap=1.833, p_nemenyi=0.06381, p_holm=0.04949),
                ),
            ),
        ),
    )
