"""Leaderboards."""

from __future__ import annotations

from outscore.results.leaderboard import Leaderboard
from outscore.results.pairs import Pair
from outscore.results.places import MeanRanks, Place, RankGap
from outscore.results.result import Score
from tests.report.kinds.shared import made, note

# fmt: off

def board() -> Leaderboard:
    """All pairs of three systems."""
    return Leaderboard(
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
        notes=(
            note("auto_t", mended=False), note("few_differences"), note("single_run"),
            note("depends_on_the_pool"),
        ),
        provenance=made(
            correction="max-t",
            citations=("the arithmetic mean", "Student 1908; Pustejovsky & Tipton 2018; Miller 2024"),
        ),
        kind="scores", unit="item", correction="max-t",
        places=(
            Place(
                system="cedar", metric="mean", rank=1, best=1, worst=2, tier=1, letters="a", bootstrap=(1, 1),
                first=0.9988,
            ),
            Place(
                system="ash", metric="mean", rank=2, best=2, worst=3, tier=2, letters="b", bootstrap=(2, 3),
                first=0.0005952,
            ),
            Place(
                system="birch", metric="mean", rank=3, best=1, worst=3, tier=2, letters="b", bootstrap=(1, 3),
                first=0.0005952,
            ),
        ),
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="mean", gain=-0.002021, ci=(-0.04896, 0.04492),
                ci_method="t interval", test="t", question="do the systems differ on new items?",
                null="the mean difference on new items is 0", alternative="two-sided", p_value=0.9175,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.9944, n_items=48, n_resamples=None,
                statistic=-0.1042, effect={
                    "wins": 25, "losses": 23, "ties": 0, "d_z": -0.01503, "hedges_gz": -0.01479,
                    "df": 47, "se": 0.0194,
                },
                notes=("auto_t", "few_differences", "single_run"), verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="ash", metric="mean", gain=0.05896, ci=(0.01446, 0.1035),
                ci_method="t interval", test="t", question="do the systems differ on new items?",
                null="the mean difference on new items is 0", alternative="two-sided", p_value=0.002427,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.007599, n_items=48, n_resamples=None,
                statistic=3.205, effect={
                    "wins": 28, "losses": 20, "ties": 0, "d_z": 0.4626, "hedges_gz": 0.4552, "df": 47, "se": 0.01839,
                },
                notes=("auto_t", "few_differences", "single_run"), verdict="better",
            ),
            Pair(
                system="cedar", baseline="birch", metric="mean", gain=0.06098, ci=(0.01839, 0.1036),
                ci_method="t interval", test="t", question="do the systems differ on new items?",
                null="the mean difference on new items is 0", alternative="two-sided", p_value=0.001147,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.0038, n_items=48, n_resamples=None,
                statistic=3.464, effect={
                    "wins": 35, "losses": 13, "ties": 0, "d_z": 0.4999, "hedges_gz": 0.4919, "df": 47, "se": 0.01761,
                },
                notes=("auto_t", "few_differences", "single_run"), verdict="better",
            ),
        ),
        mean_ranks=(
            MeanRanks(
                metric="mean", blocks="domain", n_blocks=2,
                null="within each block every order of the systems is equally likely",
                statistic=3.0, f=3.041, df=4, df_blocks=5, p_value=0.5, p_kind="exact", kendall_w=0.75,
                critical_difference=2.344, systems=("cedar", "ash", "birch"), mean_ranks=(1.0, 2.5, 2.534),
                groups=(("cedar", "ash", "birch"),),
                gaps=(
                    RankGap(system="ash", other="birch", gap=0.0, p_nemenyi=1.0, p_wilcoxon=1.0),
                    RankGap(system="cedar", other="ash", gap=1.5, p_nemenyi=0.2909, p_wilcoxon=1.0),
                    RankGap(system="cedar", other="birch", gap=1.5, p_nemenyi=0.2909, p_wilcoxon=1.0),
                ),
            ),
        ),
    )


def arena() -> Leaderboard:
    """Preferences between outputs."""
    return Leaderboard(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="birch", metric="elo", signature="bradley-terry|ties:half|units:item|scale:elo", unit="Elo",
                higher_is_better=True, score=1482.0, ci=(1432.0, 1533.0),
                ci_method="sandwich t interval over items", runs=("1",), run_scores=(1502.0,), s_sel=None,
                s_test=None, run_min=1523.0, run_max=1544.0, median_run="1", n_items=61,
            ),
            Score(
                system="ash", metric="elo", signature="bradley-terry|ties:half|units:item|scale:elo", unit="Elo",
                higher_is_better=True, score=1488.0, ci=(1436.0, 1541.0),
                ci_method="sandwich t interval over items", runs=("1",), run_scores=(1508.0,), s_sel=None,
                s_test=None, run_min=1529.0, run_max=1550.0, median_run="1", n_items=56,
            ),
            Score(
                system="cedar", metric="elo", signature="bradley-terry|ties:half|units:item|scale:elo", unit="Elo",
                higher_is_better=True, score=1529.0, ci=(1477.0, 1582.0),
                ci_method="sandwich t interval over items", runs=("1",), run_scores=(1550.0,), s_sel=None,
                s_test=None, run_min=1571.0, run_max=1593.0, median_run="1", n_items=63,
            ),
        ),
        provenance=made(
            correction="max-t", n_items_read=90,
            citations=("Bradley & Terry 1952", "Student 1908; Pustejovsky & Tipton 2018; Miller 2024"),
        ),
        kind="ratings", unit="item", correction="max-t",
        places=(
            Place(
                system="cedar", metric="elo", rank=1, best=1, worst=2, tier=1, letters="a", bootstrap=(1, 3),
                first=0.7317,
            ),
            Place(
                system="ash", metric="elo", rank=2, best=1, worst=3, tier=1, letters="ab", bootstrap=(2, 3),
                first=0.1593,
            ),
            Place(
                system="birch", metric="elo", rank=3, best=2, worst=3, tier=1, letters="b", bootstrap=(3, 3),
                first=0.1089,
            ),
        ),
        pairs=(
            Pair(
                system="ash", baseline="birch", metric="elo", gain=5.593, ci=(-100.7, 111.9),
                ci_method="t interval", test="sandwich t",
                question=(
                    "which of two systems is preferred more often, by the ratings of all judgments, on new "
                    "items?"
                ),
                null="the two systems have the same rating", alternative="two-sided", p_value=0.9002,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.9912, n_items=90, n_resamples=None,
                effect={"odds": 1.033, "chance_preferred": 0.508}, verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="birch", metric="elo", gain=46.94, ci=(-58.99, 152.9),
                ci_method="t interval", test="sandwich t",
                question=(
                    "which of two systems is preferred more often, by the ratings of all judgments, on new "
                    "items?"
                ),
                null="the two systems have the same rating", alternative="two-sided", p_value=0.2925,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.5311, n_items=90, n_resamples=None,
                effect={"odds": 1.31, "chance_preferred": 0.5671}, verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="ash", metric="elo", gain=41.34, ci=(-69.48, 152.2),
                ci_method="t interval", test="sandwich t",
                question=(
                    "which of two systems is preferred more often, by the ratings of all judgments, on new "
                    "items?"
                ),
                null="the two systems have the same rating", alternative="two-sided", p_value=0.3751,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.6357, n_items=90, n_resamples=None,
                effect={"odds": 1.269, "chance_preferred": 0.5592}, verdict="inconclusive",
            ),
        ),
        effect={"judgments": 90, "ties": 23, "items": 91, "tie_parameter": None},
    )
