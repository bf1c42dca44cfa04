"""Audits, advice and what was looked at before."""

from __future__ import annotations

from outscore.results.advice import Advice, Avoid, Fact, Step, Use
from outscore.results.audit import Audit, Check
from outscore.results.history import HistoryEntry, KnownSet, RecordedComparison, SetUses, Uses
from outscore.results.recheck import Reason, Recheck, Rechecked
from tests.report.kinds.shared import made, note

# fmt: off

def audited() -> Audit:
    """The default's level and coverage."""
    return Audit(
        seed=12345, alpha=0.05, notes=(note("few_rounds"),),
        provenance=made(
            n_resamples=999,
            citations=(
                "the arithmetic mean",
                "Fisher 1935; Noreen 1989; Janssen 1997; Riezler & Maxwell 2005; Zmigrod et al. 2022",
            ),
        ),
        alternative="two-sided", rounds=50, level=0.99, clusters_ignored=False,
        checks=(
            Check(
                system="birch", baseline="ash", metric="mean", test="randomization:exact=never",
                null="the two systems' outputs are exchangeable within each item",
                kind="permuted",
                versions="these items, the systems' outputs permuted at random within each",
                rounds=50, rejections=1, level=0.02, level_ci=(0.0001002, 0.1394), verdict="unclear", unanswered=0,
                ci_method="t interval", intervals=51, coverage=0.98, coverage_ci=(0.8606, 0.9999),
                coverage_verdict="holds",
            ),
            Check(
                system="birch", baseline="ash", metric="mean", test="randomization:exact=never",
                null="the two systems' outputs are exchangeable within each item",
                kind="centred",
                versions="items drawn again with replacement, weighted so that the expected gain is 0",
                rounds=50, rejections=3, level=0.06, level_ci=(0.006872, 0.2027), verdict="unclear", unanswered=0,
                ci_method="t interval", intervals=51, coverage=0.94, coverage_ci=(0.7973, 0.9931),
                coverage_verdict="unclear",
            ),
        ),
    )


def advised() -> Advice:
    """What suits the data."""
    return Advice(
        seed=12345, alpha=0.05,
        provenance=made(
            n_resamples=200, correction="holm", cluster="document", n_clusters=12,
            citations=("the arithmetic mean",),
        ),
        systems=("ash", "birch", "cedar"),
        facts=(
            Fact(metric="mean", name="kind", low=None, high=None, text="a mean of items on a grid"),
            Fact(metric="mean", name="items", low=48, high=49, text="items that all systems answered"),
            Fact(
                metric="mean", name="clusters", low=12, high=13,
                text="clusters, the units that count as independent",
            ),
            Fact(
                metric="mean", name="icc", low=0.1117, high=0.2022,
                text="intraclass correlation of the differences within clusters",
            ),
            Fact(
                metric="mean", name="design_effect", low=1.335, high=1.606,
                text="items count for so many times fewer, as those of a cluster go together",
            ),
            Fact(
                metric="mean", name="different", low=12, high=13,
                text="units (items or clusters) on which the systems differ at all; the others tell nothing",
            ),
            Fact(
                metric="mean", name="skewness", low=0.4147, high=0.4443,
                text=(
                    "skewness of the differences, without its sign; a t-test asks for 25 times its square in "
                    "items"
                ),
            ),
            Fact(
                metric="mean", name="top_share", low=0.3569, high=0.4879,
                text="proportion of the sum of squared differences that the largest 1 % of the units hold",
            ),
            Fact(
                metric="mean", name="correlation", low=0.6531, high=0.7016,
                text="correlation of the systems over the units: pairing uses it",
            ),
            Fact(
                metric="mean", name="paired_variance", low=0.3044, high=0.4521,
                text=(
                    "variance of a paired difference over that of an unpaired one: what ignoring the pairing "
                    "costs"
                ),
            ),
            Fact(
                metric="", name="unnamed_clusters", low=1.606, high=1.628,
                text="design effect of the clusters in column 'document'",
            ),
            Fact(
                metric="", name="domains", low=2, high=3,
                text="kinds of items in column 'domain': break the gain down by --by domain",
            ),
        ),
        use=(
            Use(
                metric="mean", systems=("birch", "cedar"), test="t",
                reason="a mean of items in clusters: cluster-robust t (CR2), cluster permutations beside it",
                null="the mean difference on new items is 0",
                question="do the systems differ on new clusters of items?", interval="CR2 t interval",
                beside=("randomization",), others=(),
                caveats=(
                    "fewer than 30 clusters: intervals and p-values rest on few independent units",
                    (
                        "the systems differ on fewer than 300 items (clusters), and any test of a mean then "
                        "rejects too often where gains are skewed (a 5 % test in 8 to 10 % of cases at 10 to "
                        "30 items) or where a few large ones make up for many small losses (in up to 40 %, "
                        "even if the sample shows no large one)"
                    ),
                    "one run of each system: p leaves out what another seed would change",
                ),
            ),
        ),
        avoid=(
            Avoid(
                metric="mean", tests=("bootstrap",),
                reason="the systems differ on fewer than 20 items: resampling rests on those alone",
                evidence=("different",),
            ),
            Avoid(
                metric="mean", tests=("crossed",),
                reason="crossed needs at least two runs of each system, but there are 1 and 1",
            ),
            Avoid(
                metric="mean", tests=("mcnemar",),
                reason="mcnemar needs one run of right or wrong (1 or 0) items: not mean",
            ),
            Avoid(
                metric="mean", tests=("multeval",),
                reason=(
                    "pooled randomization takes runs for extra items: under the null it rejects at 5 % in 17 "
                    "to 65 % of cases, even without any run-to-run variance"
                ),
                evidence=("runs",),
            ),
            Avoid(
                metric="mean", tests=("multeval", "sign", "wilcoxon"),
                reason="this test takes items as independent although clusters are given",
                evidence=("clusters", "icc", "design_effect"),
            ),
            Avoid(
                metric="mean", tests=("multibootstrap",),
                reason="multibootstrap needs at least two runs of each system, but there are 1 and 1",
            ),
            Avoid(
                metric="mean", tests=("runs",),
                reason="runs needs at least two runs of each system, but there are 1 and 1",
            ),
            Avoid(
                metric="mean", tests=("sign", "wilcoxon"),
                reason=(
                    "this test is about signs or ranks: it can reject although the mean difference is 0 "
                    "(skewed differences), and the reverse"
                ),
                evidence=("skewness", "different"),
            ),
            Avoid(metric="mean", tests=("z",), reason="it needs sigma, known beforehand and not from these data"),
            Avoid(
                metric="mean",
                tests=(
                    "aso", "brunner-munzel", "chi2", "fisher", "mann-whitney", "permutation", "prob-better",
                    "student", "two-proportions", "unpaired-bootstrap", "welch",
                ),
                reason=(
                    "on items, they take the systems' scores for independent samples, but the items are the "
                    "same"
                ),
                evidence=("correlation", "paired_variance"),
            ),
        ),
        correction="holm",
        correction_reason=(
            "2 comparisons (systems by metrics) are one family: Holm, as so few items or clusters say little "
            "of how the comparisons hang together"
        ),
        steps=(
            Step(purpose="compare", command="outscore compare s3.csv --cluster document"),
            Step(purpose="rank all systems", command="outscore rank s3.csv --cluster document"),
            Step(
                purpose="measure the test on null versions of these data",
                command="outscore advise s3.csv --cluster document --test auto",
            ),
        ),
    )


def looked_at() -> Uses:
    """What was tested on a test set."""
    return Uses(
        seed=0, alpha=0.05,
        provenance=made(n_resamples=0, test="", n_items_read=1, engine="iid"),
        file="uses.db", procedure=None,
        test_sets=(
            SetUses(
                test_set=KnownSet(
                    digest="729f44081e0a3a13ee3924ba9c5b3de265b388eeb81d1fc890b3fe7171d8c88e",
                    name="", known_by="items", n_items=48,
                ),
                n_uses=2, families={"main": 2}, first="2026-11-21T08:00:24+00:00",
                last="2026-11-25T10:20:31+00:00",
            ),
        ),
        uses=(
            HistoryEntry(
                number=1, level=None, rejected=None,
                comparison=RecordedComparison(
                    test_set="729f44081e0a3a13ee3924ba9c5b3de265b388eeb81d1fc890b3fe7171d8c88e",
                    family="main", system="birch", baseline="ash",
                    system_digest="e7b7b4967c1394127418959918d8eec38e05f6cbec53ec92dee875a514c1c770",
                    baseline_digest="da9b962886666ca86dc49f0c60b9f81c72f3dad9c0b3e3fefcc238f8a019c38c",
                    metric="mean", signature="mean", test="randomization", alternative="two-sided", cluster=None,
                    strata=None, engine="cyclic", seed=12345, n_resamples=None, alpha=0.05, p_value=0.9182,
                    p_adjusted=0.9926, correction="max-t", gain=-0.002021, ci_low=-0.04577, ci_high=0.04173,
                    n_items=48, version="0.1.0", created="2026-11-21T08:00:24+00:00", who="ann",
                ),
            ),
            HistoryEntry(
                number=2, level=None, rejected=None,
                comparison=RecordedComparison(
                    test_set="729f44081e0a3a13ee3924ba9c5b3de265b388eeb81d1fc890b3fe7171d8c88e",
                    family="main", system="cedar", baseline="ash",
                    system_digest="b33c6466204adc397f08be3f417c2945c6686238337b2455dab20da95fee54d0",
                    baseline_digest="da9b962886666ca86dc49f0c60b9f81c72f3dad9c0b3e3fefcc238f8a019c38c",
                    metric="mean", signature="mean", test="randomization", alternative="two-sided", cluster=None,
                    strata=None, engine="cyclic", seed=12345, n_resamples=None, alpha=0.05, p_value=0.002237,
                    p_adjusted=0.005, correction="max-t", gain=0.05896, ci_low=0.01748, ci_high=0.1004, n_items=48,
                    version="0.1.0", created="2026-11-25T10:20:31+00:00", who="ann",
                ),
            ),
        ),
    )


def rechecked() -> Recheck:
    """What another tool printed."""
    return Recheck(
        seed=12345, alpha=0.05,
        notes=(note("auto_corpus_studentized", mended=False), note("few_differences"), note("single_run")),
        provenance=made(
            n_resamples=200, correction="max-t", n_items_read=100,
            citations=(
                "Papineni et al. 2002, BLEU; Post 2018, A Call for Clarity in Reporting BLEU Scores",
                "Popović 2015, chrF; Popović 2017, chrF++",
            ),
        ),
        tool="sacrebleu", layout="table", procedure="bootstrap", resamples=200, resamples_from="file",
        seed_of_tool=12346,
        numbers=(
            Rechecked(
                system="b100", printed_system="b100.txt", metric="bleu", printed_metric="BLEU", quantity="score",
                printed=51.5, text="51.5", remade=51.48, outcome="same", ours=52.19,
                reasons=(Reason(code="same_score"),),
            ),
            Rechecked(
                system="b100", printed_system="b100.txt", metric="bleu", printed_metric="BLEU", quantity="mean",
                printed=51.4, text="51.4", remade=51.36, outcome="same", ours=None,
                reasons=(Reason(code="same_mean"), Reason(code="mean_of_redrawn", values={"bias": -0.1244})),
            ),
            Rechecked(
                system="b100", printed_system="b100.txt", metric="bleu", printed_metric="BLEU",
                quantity="half_width", printed=5.4, text="5.4", remade=5.372, outcome="same", ours=5.427,
                reasons=(
                    Reason(code="same_half_width"),
                    Reason(
                        code="half_width",
                        values={"low": 46.06, "high": 56.91, "method": "delta method interval"},
                    ),
                ),
            ),
            Rechecked(
                system="b100", printed_system="b100.txt", metric="chrf", printed_metric="chrF2", quantity="score",
                printed=73.2, text="73.2", remade=73.25, outcome="same", ours=74.25,
                reasons=(Reason(code="same_score"),),
            ),
            Rechecked(
                system="b100", printed_system="b100.txt", metric="chrf", printed_metric="chrF2", quantity="mean",
                printed=73.3, text="73.3", remade=73.27, outcome="same", ours=None,
                reasons=(Reason(code="same_mean"), Reason(code="mean_of_redrawn", values={"bias": 0.0246})),
            ),
            Rechecked(
                system="b100", printed_system="b100.txt", metric="chrf", printed_metric="chrF2",
                quantity="half_width", printed=3.3, text="3.3", remade=3.306, outcome="same", ours=3.535,
                reasons=(
                    Reason(code="same_half_width"),
                    Reason(
                        code="half_width",
                        values={"low": 69.71, "high": 76.78, "method": "delta method interval"},
                    ),
                ),
            ),
            Rechecked(
                system="t100", printed_system="t100.txt", metric="bleu", printed_metric="BLEU", quantity="score",
                printed=53.9, text="53.9", remade=53.87, outcome="same", ours=54.61,
                reasons=(Reason(code="same_score"),),
            ),
            Rechecked(
                system="t100", printed_system="t100.txt", metric="bleu", printed_metric="BLEU", quantity="mean",
                printed=53.6, text="53.6", remade=53.65, outcome="same", ours=None,
                reasons=(Reason(code="same_mean"), Reason(code="mean_of_redrawn", values={"bias": -0.2223})),
            ),
            Rechecked(
                system="t100", printed_system="t100.txt", metric="bleu", printed_metric="BLEU",
                quantity="half_width", printed=5.2, text="5.2", remade=5.151, outcome="same", ours=5.383,
                reasons=(
                    Reason(code="same_half_width"),
                    Reason(
                        code="half_width",
                        values={"low": 48.49, "high": 59.25, "method": "delta method interval"},
                    ),
                ),
            ),
            Rechecked(
                system="t100", printed_system="t100.txt", metric="bleu", printed_metric="BLEU", quantity="p",
                printed=0.1393, text="0.1393", remade=0.1413, outcome="same", ours=0.393,
                reasons=(
                    Reason(code="same_p"), Reason(code="one_tail", values={"both": 0.3781}),
                    Reason(code="drawing", values={"rest": 0.01493, "resamples": 200, "ours": 201}),
                ),
            ),
            Rechecked(
                system="t100", printed_system="t100.txt", metric="chrf", printed_metric="chrF2", quantity="score",
                printed=74.0, text="74.0", remade=73.98, outcome="same", ours=74.99,
                reasons=(Reason(code="same_score"),),
            ),
            Rechecked(
                system="t100", printed_system="t100.txt", metric="chrf", printed_metric="chrF2", quantity="mean",
                printed=73.9, text="73.9", remade=74.91, outcome="same", ours=None,
                reasons=(Reason(code="same_mean"), Reason(code="mean_of_redrawn", values={"bias": -0.07972})),
            ),
            Rechecked(
                system="t100", printed_system="t100.txt", metric="chrf", printed_metric="chrF2",
                quantity="half_width", printed=3.2, text="3.2", remade=3.234, outcome="same", ours=3.232,
                reasons=(
                    Reason(code="same_half_width"),
                    Reason(
                        code="half_width",
                        values={"low": 70.75, "high": 77.21, "method": "delta method interval"},
                    ),
                ),
            ),
            Rechecked(
                system="t100", printed_system="t100.txt", metric="chrf", printed_metric="chrF2", quantity="p",
                printed=0.2438, text="0.2438", remade=0.2473, outcome="same", ours=0.6468,
                reasons=(
                    Reason(code="same_p"), Reason(code="one_tail", values={"both": 0.6617}),
                    Reason(code="drawing", values={"rest": -0.01493, "resamples": 200, "ours": 201}),
                ),
            ),
        ),
    )
