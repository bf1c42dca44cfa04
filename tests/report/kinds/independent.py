"""Tests by name, over groups and independent samples."""

from __future__ import annotations

from outscore.results.comparison import Comparison
from outscore.results.pairs import Overall, Pair
from outscore.results.result import Score
from tests.report.kinds.shared import made, note

# fmt: off

def friedmans() -> Comparison:
    """Mean ranks of systems on the same items."""
    return Comparison(
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
        notes=(note("depends_on_the_pool"), note("single_run")),
        provenance=made(
            test="friedman", correction="Nemenyi",
            citations=(
                "the arithmetic mean",
                "Friedman 1937; Iman & Davenport 1980; Nemenyi 1963; Demšar 2006; Benavoli et al. 2016",
            ),
        ),
        baseline="ash", alternative="two-sided", correction="Nemenyi",
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="mean", gain=-0.002021, ci=None, ci_method="undefined",
                test="Nemenyi", question="do these two of the systems differ?",
                null="the two systems do not differ", alternative="two-sided", p_value=None, p_kind="asymptotic",
                p_error=None, p_min=None, p_adjusted=0.8663, n_items=48, n_resamples=None,
                effect={"rank_difference": -0.1042}, notes=("depends_on_the_pool", "single_run"),
                verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="ash", metric="mean", gain=0.05896, ci=None, ci_method="undefined",
                test="Nemenyi", question="do these two of the systems differ?",
                null="the two systems do not differ", alternative="two-sided", p_value=None, p_kind="asymptotic",
                p_error=None, p_min=None, p_adjusted=0.1025, n_items=48, n_resamples=None,
                effect={"rank_difference": 0.4167}, notes=("depends_on_the_pool", "single_run"),
                verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="birch", metric="mean", gain=0.06098, ci=None, ci_method="undefined",
                test="Nemenyi", question="do these two of the systems differ?",
                null="the two systems do not differ", alternative="two-sided", p_value=None, p_kind="asymptotic",
                p_error=None, p_min=None, p_adjusted=0.02889, n_items=48, n_resamples=None,
                effect={"rank_difference": 0.5208}, notes=("depends_on_the_pool", "single_run"), verdict="better",
            ),
        ),
        overall=(
            Overall(
                metric="mean", test="friedman",
                question="does any system rank higher than the others, on new items?",
                null="within each item every order of the systems is equally likely",
                p_value=0.02498, p_kind="exact", p_error=None, n_resamples=None, n_systems=3, n_units=48,
                unit="item",
                statistic=7.292, effect={
                    "f": 3.863, "df": 2, "kendall_w": 0.07595, "critical_difference": 0.4784,
                    "mean_rank ash": 2.104, "mean_rank birch": 2.208, "mean_rank cedar": 1.688,
                },
                notes=("depends_on_the_pool", "single_run"),
            ),
        ),
    )


def anova() -> Comparison:
    """Three independent samples."""
    return Comparison(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="a", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=5.31, ci=(4.831, 5.789), ci_method="t interval", runs=("1",), run_scores=(5.383,),
                s_sel=0.2137, s_test=None, run_min=5.457, run_max=5.532, median_run="1", n_items=14,
            ),
            Score(
                system="b", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=5.211, ci=(4.765, 5.656), ci_method="t interval", runs=("1",), run_scores=(5.283,),
                s_sel=0.1964, s_test=None, run_min=5.356, run_max=5.43, median_run="1", n_items=13,
            ),
            Score(
                system="c", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=6.042, ci=(5.361, 6.722), ci_method="t interval", runs=("1",), run_scores=(6.125,),
                s_sel=0.3035, s_test=None, run_min=6.209, run_max=6.294, median_run="1", n_items=14,
            ),
        ),
        notes=(note("single_run"),),
        provenance=made(
            test="anova", correction="Tukey HSD", n_items_read=41,
            citations=("the arithmetic mean", "Fisher 1925; Tukey 1953; Kramer 1956"),
        ),
        baseline="a", alternative="two-sided", correction="Tukey HSD",
        pairs=(
            Pair(
                system="b", baseline="a", metric="mean", gain=-0.09924, ci=(-0.9815, 0.783),
                ci_method="Tukey HSD interval", test="Tukey HSD", question="do these two of the systems differ?",
                null="the two systems do not differ", alternative="two-sided", p_value=None, p_kind="asymptotic",
                p_error=None, p_min=None, p_adjusted=0.9594, n_items=27, n_resamples=None, effect={},
                notes=("single_run",), verdict="inconclusive",
            ),
            Pair(
                system="c", baseline="a", metric="mean", gain=0.7316, ci=(-0.1342, 1.597),
                ci_method="Tukey HSD interval", test="Tukey HSD", question="do these two of the systems differ?",
                null="the two systems do not differ", alternative="two-sided", p_value=None, p_kind="asymptotic",
                p_error=None, p_min=None, p_adjusted=0.1118, n_items=28, n_resamples=None, effect={},
                notes=("single_run",), verdict="inconclusive",
            ),
            Pair(
                system="c", baseline="b", metric="mean", gain=0.8308, ci=(-0.05144, 1.713),
                ci_method="Tukey HSD interval", test="Tukey HSD", question="do these two of the systems differ?",
                null="the two systems do not differ", alternative="two-sided", p_value=None, p_kind="asymptotic",
                p_error=None, p_min=None, p_adjusted=0.06844, n_items=27, n_resamples=None, effect={},
                notes=("single_run",), verdict="inconclusive",
            ),
        ),
        overall=(
            Overall(
                metric="mean", test="anova",
                question="does any system differ, on new items of its own?",
                null="all systems have the same expected score over new runs",
                p_value=0.05143, p_kind="asymptotic", p_error=None, n_resamples=None, n_systems=3, n_units=41,
                unit="item",
                statistic=3.212, effect={
                    "df": 2, "df_within": 38, "variance_within": 0.8821,
                    "variance_between": 0.1428,
                },
                notes=("single_run",),
            ),
        ),
    )


def welch() -> Comparison:
    """Independent samples, pair by pair."""
    return Comparison(
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
        notes=(note("paired_data"), note("single_run")),
        provenance=made(
            test="welch", correction="holm",
            citations=("the arithmetic mean", "Welch 1947; Satterthwaite 1946"),
        ),
        baseline="ash", alternative="two-sided", correction="holm",
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="mean", gain=-0.002021, ci=(-0.09923, 0.09519),
                ci_method="Welch t interval", test="welch",
                question="do the systems differ on new items of their own?",
                null="the expected scores of the two systems are the same", alternative="two-sided", p_value=0.9623,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.9756, n_items=48, n_resamples=None,
                statistic=-0.04735, effect={
                    "n_system": 48, "n_baseline": 49, "unit": "item", "df": 93.99,
                    "se": 0.04268,
                },
                notes=("paired_data", "single_run"), verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="ash", metric="mean", gain=0.05896, ci=(-0.03077, 0.1487),
                ci_method="Welch t interval", test="welch",
                question="do the systems differ on new items of their own?",
                null="the expected scores of the two systems are the same", alternative="two-sided", p_value=0.1377,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.2754, n_items=48, n_resamples=None,
                statistic=1.498, effect={
                    "n_system": 48, "n_baseline": 49, "unit": "item", "df": 90.75,
                    "se": 0.03937,
                },
                notes=("paired_data", "single_run"), verdict="inconclusive",
            ),
        ),
    )
