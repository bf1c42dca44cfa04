"""Comparisons of systems that answered the same items."""

from __future__ import annotations

from outscore.results.buckets import BucketGain
from outscore.results.comparison import Comparison
from outscore.results.details import Details, GainHistogram, ItemGain, ItemText
from outscore.results.pairs import Answer, Equivalence, Pair
from outscore.results.result import Score
from tests.report.kinds.shared import made, note

# fmt: off

def two() -> Comparison:
    """One metric, one run each."""
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
        ),
        notes=(
            note("auto_item_randomization", mended=False), note("clusters_ignored"), note("few_differences"),
            note("single_run"),
        ),
        provenance=made(
            correction="holm",
            citations=(
                "the arithmetic mean",
                "Fisher 1935; Noreen 1989; Janssen 1997; Riezler & Maxwell 2005; Zmigrod et al. 2022",
            ),
        ),
        baseline="ash", alternative="two-sided", correction="holm",
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
        buckets=(
            BucketGain(
                system="birch", baseline="ash", metric="mean", by="domain", bucket="news", n_items=20,
                baseline_score=0.4685, system_score=0.4737, gain=0.00515, ci=(-0.06949, 0.07979),
            ),
            BucketGain(
                system="birch", baseline="ash", metric="mean", by="domain", bucket="talk", n_items=28,
                baseline_score=0.4984, system_score=0.4913, gain=-0.007143, ci=(-0.05218, 0.0379),
            ),
        ),
    )


def clustered() -> Comparison:
    """Three systems, items in clusters."""
    return Comparison(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.4859, ci=(0.4184, 0.5534), ci_method="CR2 t interval", runs=("1",), run_scores=(0.4927,),
                s_sel=0.02901, s_test=None, run_min=0.4996, run_max=0.5066, median_run="1", n_items=48,
            ),
            Score(
                system="birch", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.4839, ci=(0.4248, 0.5431), ci_method="CR2 t interval", runs=("1",), run_scores=(0.4907,),
                s_sel=0.02542, s_test=None, run_min=0.4976, run_max=0.5045, median_run="1", n_items=48,
            ),
            Score(
                system="cedar", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.5449, ci=(0.5082, 0.5816), ci_method="CR2 t interval", runs=("1",), run_scores=(0.5525,),
                s_sel=0.01575, s_test=None, run_min=0.5602, run_max=0.568, median_run="1", n_items=48,
            ),
        ),
        notes=(
            note("auto_cluster_t", mended=False), note("few_clusters"), note("few_differences"), note("single_run"),
        ),
        provenance=made(
            correction="holm", cluster="document", n_clusters=12,
            citations=("the arithmetic mean", "Student 1908; Pustejovsky & Tipton 2018; Miller 2024"),
        ),
        baseline="ash", alternative="two-sided", correction="holm",
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="mean", gain=-0.002021, ci=(-0.06037, 0.05633),
                ci_method="CR2 t interval", test="t", question="do the systems differ on new clusters of items?",
                null="the mean difference on new items is 0", alternative="two-sided", p_value=0.9301,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.943, n_items=48, n_resamples=None,
                statistic=-0.08981, effect={
                    "wins": 25, "losses": 23, "ties": 0, "d_z": -0.01503, "hedges_gz": -0.01479,
                    "df": 11.0, "se": 0.0225, "n_clusters": 12, "icc": 0.1117,
                    "design_effect": 1.335, "n_effective": 35.95,
                },
                also=(
                    Answer(
                        test="randomization", question="do the systems differ on new clusters of items?",
                        p_value=0.939, p_kind="exact", p_error=None,
                    ),
                ),
                notes=("auto_cluster_t", "few_clusters", "few_differences", "single_run"),
                verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="ash", metric="mean", gain=0.05896, ci=(-0.001891, 0.1198),
                ci_method="CR2 t interval", test="t", question="do the systems differ on new clusters of items?",
                null="the mean difference on new items is 0", alternative="two-sided", p_value=0.02886,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.05771, n_items=48, n_resamples=None,
                statistic=2.513, effect={
                    "wins": 28, "losses": 20, "ties": 0, "d_z": 0.4626, "hedges_gz": 0.4552,
                    "df": 11.0, "se": 0.02347, "n_clusters": 12, "icc": 0.2022, "design_effect": 1.606,
                    "n_effective": 29.88,
                },
                also=(
                    Answer(
                        test="randomization", question="do the systems differ on new clusters of items?",
                        p_value=0.02393, p_kind="exact", p_error=None,
                    ),
                ),
                notes=("auto_cluster_t", "few_clusters", "few_differences", "single_run"),
                verdict="inconclusive",
            ),
        ),
        buckets=(
            BucketGain(
                system="birch", baseline="ash", metric="mean", by="domain", bucket="news", n_items=20,
                baseline_score=0.4685, system_score=0.4737, gain=0.00515, ci=(-0.1253, 0.1356),
            ),
            BucketGain(
                system="cedar", baseline="ash", metric="mean", by="domain", bucket="news", n_items=20,
                baseline_score=0.4685, system_score=0.5479, gain=0.07945, ci=(-0.04016, 0.1991),
            ),
            BucketGain(
                system="birch", baseline="ash", metric="mean", by="domain", bucket="talk", n_items=28,
                baseline_score=0.4984, system_score=0.4913, gain=-0.007143, ci=(-0.06342, 0.04913),
            ),
            BucketGain(
                system="cedar", baseline="ash", metric="mean", by="domain", bucket="talk", n_items=28,
                baseline_score=0.4984, system_score=0.5427, gain=0.04432, ci=(-0.02319, 0.1118),
            ),
        ),
    )


def with_margin() -> Comparison:
    """Verdicts against a margin."""
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
        notes=(
            note("auto_item_randomization", mended=False), note("clusters_ignored"), note("few_differences"),
            note("single_run"),
        ),
        provenance=made(
            correction="max-t",
            citations=(
                "the arithmetic mean",
                "Fisher 1935; Noreen 1989; Janssen 1997; Riezler & Maxwell 2005; Zmigrod et al. 2022",
            ),
        ),
        baseline="ash", alternative="two-sided", correction="max-t",
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="mean", gain=-0.002021, ci=(-0.04577, 0.04173),
                ci_method="t interval", test="randomization", question="do the systems differ on new items?",
                null="the two systems' outputs are exchangeable within each item",
                alternative="two-sided", p_value=0.9182, p_kind="exact", p_error=None, p_min=7.105e-15,
                p_adjusted=0.9926, n_items=48, n_resamples=None,
                effect={"wins": 25, "losses": 23, "ties": 0, "d_z": -0.01503, "hedges_gz": -0.01479},
                notes=("auto_item_randomization", "clusters_ignored", "few_differences", "single_run"),
                verdict="equivalent",
                equivalence=Equivalence(
                    margin=0.05, method="t", p_equivalent=0.00854, p_equivalent_adjusted=0.01708,
                    p_not_worse=0.0411, p_not_worse_adjusted=0.0487, ci=(-0.03458, 0.03054),
                    detectable_gain=0.06141, power_at_margin=0.6025,
                ),
            ),
            Pair(
                system="cedar", baseline="ash", metric="mean", gain=0.05896, ci=(0.01748, 0.1004),
                ci_method="t interval", test="randomization", question="do the systems differ on new items?",
                null="the two systems' outputs are exchangeable within each item",
                alternative="two-sided", p_value=0.002237, p_kind="exact", p_error=None, p_min=7.105e-15,
                p_adjusted=0.005, n_items=48, n_resamples=None,
                effect={"wins": 28, "losses": 20, "ties": 0, "d_z": 0.4626, "hedges_gz": 0.4552},
                notes=("auto_item_randomization", "clusters_ignored", "few_differences", "single_run"),
                verdict="better",
                equivalence=Equivalence(
                    margin=0.05, method="t", p_equivalent=0.6857, p_equivalent_adjusted=0.6952,
                    p_not_worse=1.756e-07, p_not_worse_adjusted=3.512e-07, ci=(0.02809, 0.08982),
                    detectable_gain=0.05821, power_at_margin=0.6555,
                ),
            ),
        ),
        buckets=(
            BucketGain(
                system="birch", baseline="ash", metric="mean", by="domain", bucket="news", n_items=20,
                baseline_score=0.4685, system_score=0.4737, gain=0.00515, ci=(-0.06949, 0.07979),
            ),
            BucketGain(
                system="cedar", baseline="ash", metric="mean", by="domain", bucket="news", n_items=20,
                baseline_score=0.4685, system_score=0.5479, gain=0.07945, ci=(0.02079, 0.1381),
            ),
            BucketGain(
                system="birch", baseline="ash", metric="mean", by="domain", bucket="talk", n_items=28,
                baseline_score=0.4984, system_score=0.4913, gain=-0.007143, ci=(-0.05218, 0.0379),
            ),
            BucketGain(
                system="cedar", baseline="ash", metric="mean", by="domain", bucket="talk", n_items=28,
                baseline_score=0.4984, system_score=0.5427, gain=0.04432, ci=(-0.005763, 0.09441),
            ),
        ),
    )


def with_runs() -> Comparison:
    """Several runs of each system."""
    return Comparison(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.5121, ci=(0.4562, 0.5679), ci_method="crossed t interval over runs and items",
                runs=("r0", "r1", "r2"), run_scores=(0.5245, 0.4856, 0.5262), s_sel=0.01784, s_test=0.02296,
                run_min=0.4924, run_max=0.5335, median_run="r0", n_items=30,
            ),
            Score(
                system="birch", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.533, ci=(0.5053, 0.5608), ci_method="crossed t interval over runs and items",
                runs=("r0", "r1", "r2", "r3"), run_scores=(0.5509, 0.5405, 0.5096, 0.5311), s_sel=0.01639,
                s_test=0.01758, run_min=0.5167, run_max=0.5586, median_run="r1", n_items=30,
            ),
        ),
        notes=(note("auto_crossed", mended=False), note("few_runs"), note("unequal_runs"), note("few_differences")),
        provenance=made(
            correction="holm", n_items_read=30,
            citations=("the arithmetic mean", "Clark et al. 2011 (the question); Welch 1947; Miller 2024"),
        ),
        baseline="ash", alternative="two-sided", correction="holm",
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="mean", gain=0.02096, ci=(-0.02463, 0.06654),
                ci_method="crossed t interval over runs and items", test="crossed",
                question="do the methods differ, on new runs and new items?",
                null="the expected gain over new runs and new items is 0", alternative="two-sided", p_value=0.2804,
                p_kind="asymptotic", p_error=None, p_min=None, p_adjusted=0.3044, n_items=30, n_resamples=None,
                statistic=1.229, effect={
                    "wins": 18, "losses": 12, "ties": 0, "d_z": 0.2585, "hedges_gz": 0.2517,
                    "df": 4.434, "se": 0.01706, "share_of_variance_from_runs": 0.5359,
                },
                also=(
                    Answer(
                        test="randomization",
                        question="do these trained models differ on new items? (runs fixed)",
                        p_value=0.1677, p_kind="exact", p_error=None,
                    ),
                    Answer(
                        test="runs",
                        question="do new runs differ on this very test set? (items fixed)",
                        p_value=0.2638, p_kind="asymptotic", p_error=None,
                    ),
                ),
                notes=("auto_crossed", "few_runs", "unequal_runs", "few_differences"),
                verdict="inconclusive",
            ),
        ),
    )


def two_metrics() -> Comparison:
    """Two metrics, corrected."""
    return Comparison(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.6667, ci=(0.5406, 0.7727), ci_method="Wilson interval", runs=("1",), run_scores=(0.676,),
                s_sel=0.06086, s_test=None, run_min=0.6854, run_max=0.6949, median_run="1", n_items=60,
            ),
            Score(
                system="birch", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.75, ci=(0.6277, 0.8422), ci_method="Wilson interval", runs=("1",), run_scores=(0.7604,),
                s_sel=0.0559, s_test=None, run_min=0.7709, run_max=0.7816, median_run="1", n_items=60,
            ),
            Score(
                system="cedar", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.8667, ci=(0.7583, 0.9309), ci_method="Wilson interval", runs=("1",), run_scores=(0.8787,),
                s_sel=0.04389, s_test=None, run_min=0.8909, run_max=0.9032, median_run="1", n_items=60,
            ),
            Score(
                system="ash", metric="f1", signature="f1|average:macro|classes:3", unit="F1 0-1",
                higher_is_better=True, score=0.6356, ci=(0.5062, 0.7651), ci_method="delta method interval",
                runs=("1",), run_scores=(0.6444,), s_sel=0.06505, s_test=None, run_min=0.6534, run_max=0.6625,
                median_run="1", n_items=60,
            ),
            Score(
                system="birch", metric="f1", signature="f1|average:macro|classes:3", unit="F1 0-1",
                higher_is_better=True, score=0.7389, ci=(0.6235, 0.8543), ci_method="delta method interval",
                runs=("1",), run_scores=(0.7492,), s_sel=0.058, s_test=None, run_min=0.7596, run_max=0.7701,
                median_run="1", n_items=60,
            ),
            Score(
                system="cedar", metric="f1", signature="f1|average:macro|classes:3", unit="F1 0-1",
                higher_is_better=True, score=0.857, ci=(0.7633, 0.9477), ci_method="delta method interval",
                runs=("1",), run_scores=(0.8689,), s_sel=0.04779, s_test=None, run_min=0.8809, run_max=0.8931,
                median_run="1", n_items=60,
            ),
        ),
        notes=(
            note("columns_describe"), note("auto_mcnemar", mended=False), note("not_exact"),
            note("auto_corpus_studentized", mended=False), note("p_and_interval"), note("few_differences"),
            note("single_run"),
        ),
        provenance=made(
            correction="max-t", n_items_read=60,
            citations=("share of right answers", "van Rijsbergen 1979, Information Retrieval"),
        ),
        baseline="ash", alternative="two-sided", correction="max-t",
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="accuracy", gain=0.08333, ci=(-0.1177, 0.2784),
                ci_method="Tango score interval",
                test="mcnemar:variant=midp", question="do the systems differ on new items?",
                null="each system is as likely to be right alone as the other",
                alternative="two-sided", p_value=0.3269, p_kind="exact", p_error=None, p_min=2.98e-08,
                p_adjusted=0.5781, n_items=60, n_resamples=None,
                effect={
                    "wins": 15, "losses": 10, "ties": 35, "d_z": 0.1291, "hedges_gz": 0.1275, "odds_ratio": 1.5,
                    "odds_ratio_ci_low": 0.6304, "odds_ratio_ci_high": 3.734, "p_exact": 0.4244,
                },
                also=(
                    Answer(
                        test="randomization", question="do the systems differ on new items?", p_value=0.4244,
                        p_kind="exact", p_error=None,
                    ),
                ),
                notes=("auto_mcnemar", "not_exact", "single_run"), verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="ash", metric="accuracy", gain=0.2, ci=(0.007276, 0.3815),
                ci_method="Tango score interval",
                test="mcnemar:variant=midp", question="do the systems differ on new items?",
                null="each system is as likely to be right alone as the other",
                alternative="two-sided", p_value=0.01463, p_kind="exact", p_error=None, p_min=5.96e-08,
                p_adjusted=0.0351, n_items=60, n_resamples=None,
                effect={
                    "wins": 18, "losses": 6, "ties": 36, "d_z": 0.3305, "hedges_gz": 0.3263, "odds_ratio": 3.0,
                    "odds_ratio_ci_low": 1.141, "odds_ratio_ci_high": 9.232, "p_exact": 0.02266,
                },
                also=(
                    Answer(
                        test="randomization", question="do the systems differ on new items?", p_value=0.02266,
                        p_kind="exact", p_error=None,
                    ),
                ),
                notes=("auto_mcnemar", "not_exact", "single_run"), verdict="better",
            ),
            Pair(
                system="birch", baseline="ash", metric="f1", gain=0.1033, ci=(-0.09335, 0.2999),
                ci_method="delta method interval", test="randomization:form=studentized",
                question="do the systems differ on new items?",
                null=(
                    "the expected gain on new items is 0; p is exact where outputs are exchangeable within "
                    "each item"
                ),
                alternative="two-sided", p_value=0.2138, p_kind="exact", p_error=None, p_min=3.725e-09,
                p_adjusted=0.3977, n_items=60, n_resamples=None,
                statistic=1.29, effect={"n_different": 29, "d_z": 0.1618, "se_jackknife": 0.08239},
                notes=("auto_corpus_studentized", "few_differences", "single_run"),
                verdict="inconclusive",
            ),
            Pair(
                system="cedar", baseline="ash", metric="f1", gain=0.2214, ci=(0.006772, 0.436),
                ci_method="delta method interval", test="randomization:form=studentized",
                question="do the systems differ on new items?",
                null=(
                    "the expected gain on new items is 0; p is exact where outputs are exchangeable within "
                    "each item"
                ),
                alternative="two-sided", p_value=0.01955, p_kind="exact", p_error=None, p_min=1.192e-07,
                p_adjusted=0.05189, n_items=60, n_resamples=None,
                statistic=2.533, effect={"n_different": 24, "d_z": 0.315, "se_jackknife": 0.09074},
                notes=("auto_corpus_studentized", "p_and_interval", "few_differences", "single_run"),
                verdict="inconclusive",
            ),
        ),
    )


def with_details() -> Comparison:
    """Resamples, items and their influence."""
    return Comparison(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.4496, ci=(0.3325, 0.5667), ci_method="t interval", runs=("1",), run_scores=(0.4559,),
                s_sel=0.05319, s_test=None, run_min=0.4623, run_max=0.4688, median_run="1", n_items=16,
            ),
            Score(
                system="birch", metric="mean", signature="mean", unit="units of the score", higher_is_better=True,
                score=0.4947, ci=(0.3779, 0.6115), ci_method="t interval", runs=("1",), run_scores=(0.5016,),
                s_sel=0.05307, s_test=None, run_min=0.5086, run_max=0.5157, median_run="1", n_items=16,
            ),
        ),
        notes=(note("auto_item_randomization", mended=False), note("few_differences"), note("single_run")),
        provenance=made(
            correction="holm", n_items_read=16,
            citations=(
                "the arithmetic mean",
                "Fisher 1935; Noreen 1989; Janssen 1997; Riezler & Maxwell 2005; Zmigrod et al. 2022",
            ),
        ),
        baseline="ash", alternative="two-sided", correction="holm",
        pairs=(
            Pair(
                system="birch", baseline="ash", metric="mean", gain=0.04506, ci=(-0.03679, 0.1269),
                ci_method="t interval", test="randomization", question="do the systems differ on new items?",
                null="the two systems' outputs are exchangeable within each item",
                alternative="two-sided", p_value=0.2591, p_kind="exact", p_error=None, p_min=3.052e-05,
                p_adjusted=0.2828, n_items=16, n_resamples=None,
                effect={"wins": 10, "losses": 6, "ties": 0, "d_z": 0.2933, "hedges_gz": 0.2784},
                notes=("auto_item_randomization", "few_differences", "single_run"),
                verdict="inconclusive",
            ),
        ),
        details=Details(
            histograms=(
                GainHistogram(
                    system="birch", baseline="ash", metric="mean",
                    edges=(
                        -0.08725, -0.08052, -0.07379, -0.06706, -0.06032, -0.05359, -0.04686, -0.04013, -0.0334,
                        -0.02667, -0.01994, -0.01321, -0.006475, 0.0002562, 0.006987, 0.01372, 0.02045, 0.02718,
                        0.03391, 0.04064, 0.04738, 0.05411, 0.06084, 0.06757, 0.0743, 0.08103, 0.08776, 0.09449,
                        0.1012, 0.108, 0.1147, 0.1214, 0.1281, 0.1349, 0.1416, 0.1483, 0.1551, 0.1618, 0.1685,
                        0.1753, 0.182,
                    ),
                    counts=(
                        1, 3, 6, 7, 19, 33, 56, 67, 110, 134, 206, 241, 296, 407, 493, 526, 608, 673, 736, 763, 688,
                        677, 657, 587, 491, 441, 350, 298, 216, 150, 109, 80, 48, 27, 16, 10, 8, 2, 4, 5,
                    ),
                    resampled="items",
                ),
            ),
            items=(
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q14", influence=0.018, baseline_score=0.44,
                    system_score=0.755,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q07", influence=0.015, baseline_score=0.19,
                    system_score=0.46,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q05", influence=0.01246,
                    baseline_score=0.507, system_score=0.739,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q03", influence=0.005663,
                    baseline_score=0.355, system_score=0.485,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q02", influence=0.004662,
                    baseline_score=0.761, system_score=0.876,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q11", influence=0.004396,
                    baseline_score=0.107, system_score=0.218,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q04", influence=0.0009292,
                    baseline_score=0.073, system_score=0.132,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q10", influence=0.0009292,
                    baseline_score=0.626, system_score=0.685,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q00", influence=0.0007292,
                    baseline_score=0.596, system_score=0.652,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q01", influence=-0.0182,
                    baseline_score=0.721, system_score=0.493,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q15", influence=-0.01687,
                    baseline_score=0.703, system_score=0.495,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q08", influence=-0.008804,
                    baseline_score=0.462, system_score=0.375,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q12", influence=-0.007138,
                    baseline_score=0.205, system_score=0.143,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q09", influence=-0.005337,
                    baseline_score=0.405, system_score=0.37,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q13", influence=-0.003604,
                    baseline_score=0.635, system_score=0.626,
                ),
                ItemGain(
                    system="birch", baseline="ash", metric="mean", item="q06", influence=-0.002804,
                    baseline_score=0.408, system_score=0.411,
                ),
            ),
            texts=(
                ItemText(item="q14", labels={"document": "d3", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q07", labels={"document": "d1", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q05", labels={"document": "d1", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q03", labels={"document": "d0", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q02", labels={"document": "d0", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q11", labels={"document": "d2", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q04", labels={"document": "d1", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q10", labels={"document": "d2", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q00", labels={"document": "d0", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q01", labels={"document": "d0", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q15", labels={"document": "d3", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q08", labels={"document": "d2", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q12", labels={"document": "d3", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q09", labels={"document": "d2", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q13", labels={"document": "d3", "domain": "news"}, references=(), outputs={}),
                ItemText(item="q06", labels={"document": "d1", "domain": "news"}, references=(), outputs={}),
            ),
        ),
    )
