"""Closed-form tests and intervals against R (stats, exactRankTests, coin, sandwich, clubSandwich) and
statsmodels.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.exact import flip_law, ratio
from outscore.engine.exact_bootstrap import bootstrap_law
from outscore.engine.extreme import ALTERNATIVES, tail_mass
from outscore.significance import Outcome, crossed, gain, means, proportions, runs, student
from outscore.significance.bayes.table_law import paired_table
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.independent import t_tests
from outscore.significance.independent.mann_whitney import mann_whitney
from outscore.significance.independent.proportions import two_proportions
from outscore.significance.means import TTest
from outscore.significance.omnibus import permutation_p
from outscore.significance.omnibus.friedman import cochran_q
from outscore.significance.p_values import chi2_p, normal_p
from outscore.significance.wilcoxon import wilcoxon
from tests.oracles.support import Case, agree, cases, close, on_lattice
from tests.run_tables import additive, corpus


def numbers(test: TTest) -> dict[str, Any]:
    return {"t": test.statistic, "df": test.df, "p": test.p, "se": test.se, "ci": [test.low, test.high]}


@cases("t_z_tests")
def test_t_and_z(case: Case) -> None:
    a, b = np.array(case["input"]["a"]), np.array(case["input"]["b"])
    sigma = case["input"]["sigma_known"]
    paired = means.paired_t(a - b)
    z = {side: student.paired_z(a - b, sigma, alternative=side) for side in ALTERNATIVES}
    found = {
        "paired": {side.replace("-", "."): numbers(means.paired_t(a - b, alternative=side)) for side in ALTERNATIVES},
        "paired_ci95": [paired.low, paired.high],
        "cohen_dz": gain.cohen_dz(a - b),
        "hedges_gz": gain.hedges_gz(a - b),
        "welch": numbers(means.welch(a, b)),
        "student": numbers(t_tests.student(a, b)),
        "ztest_known_sigma": {
            "z": z["greater"].statistic,
            "p_greater": z["greater"].p,
            "p_two_sided": z["two-sided"].p,
        },
    }
    agree(case, found)


@cases("sign_mcnemar")
def test_sign_and_mcnemar(case: Case) -> None:
    b, c = case["input"]["b_A_right_B_wrong"], case["input"]["c_A_wrong_B_right"]
    pairs = DiscordantPairs(b, c)
    found: dict[str, Any] = {
        "exact_two_sided": pairs.p("exact"),
        "exact_greater": pairs.p("exact", "greater"),
        "exact_less": pairs.p("exact", "less"),
        "midp_two_sided": pairs.p("midp"),
        "midp_greater": pairs.p("midp", "greater"),
        "chi2": pairs.chi2(),
        "p_chi2": pairs.p("chi2"),
        "chi2_cc": pairs.chi2(corrected=True),
        "p_chi2_cc": pairs.p("chi2-cc"),
    }
    if b + c:
        found["cp_ci_of_b_over_n"] = proportions.clopper_pearson(b, b + c)
        _, low, high = pairs.odds_ratio()
        assert close(low / (1 + low), case["expected"]["cp_ci_of_b_over_n"][0], 1e-9)
        assert math.isinf(high) or close(high / (1 + high), case["expected"]["cp_ci_of_b_over_n"][1], 1e-9)
        agree(case, found)
    else:
        # 0/0 in the oracle; our policy is p = 1
        assert found["p_chi2"] == found["p_chi2_cc"] == 1.0
        agree(case, found, skip=("p_chi2", "p_chi2_cc"))
    assert DiscordantPairs.of(np.array([1.0] * b + [-2.0] * c + [0.0])).p("exact") == found["exact_two_sided"]


@cases("proportion_ci")
def test_intervals_of_one_proportion(case: Case) -> None:
    x, n, level = (case["input"][k] for k in ("x", "n", "level"))
    found = {name.replace("-", "_"): method(x, n, level) for name, method in proportions.PROPORTION_INTERVALS.items()}
    agree(case, {"estimate": x / n, **found})


@cases("paired_proportion_ci")
def test_intervals_of_a_paired_difference(case: Case) -> None:
    b, c, n, level = (case["input"][k] for k in ("b", "c", "n", "level"))
    found = {
        "diff": (b - c) / n,
        "wald": proportions.paired_wald(b, c, n, level),
        "bonett_price": proportions.bonett_price(b, c, n, level),
        "tango_score": proportions.tango(b, c, n, level),
        "bayes_dirichlet1_prob_p10_gt_p01": paired_table(b, c, n).above(0.0),
    }
    agree(case, found)


@cases("two_proportions")
def test_two_independent_proportions(case: Case) -> None:
    x1, n1, x2, n2 = counts = tuple(case["input"][k] for k in ("x1", "n1", "x2", "n2"))
    z, p_greater = two_proportions(*counts, method="z", alternative="greater")
    found = {
        "diff": x1 / n1 - x2 / n2,
        "fisher": {
            "two.sided": two_proportions(*counts)[1],
            "greater.x": two_proportions(*counts, alternative="greater")[1],
            "less.x": two_proportions(*counts, alternative="less")[1],
        },
        "chi2_nocc": two_proportions(*counts, method="chi2")[1],
        "chi2_yates": two_proportions(*counts, method="chi2-yates")[1],
        "z_pooled": z,
        "p_z_greater": p_greater,
        "newcombe10_ci": proportions.newcombe(*counts),
    }
    agree(case, found, skip=("wald_ci",))  # which nothing offers


def sides(test: Any, *samples: Float, **options: Any) -> dict[str, float | None]:
    found = {side.replace("-", "."): test(*samples, alternative=side, **options) for side in ALTERNATIVES}
    return {side: one.p_value if isinstance(one, Outcome) else one.p for side, one in found.items()}


@cases("wilcoxon_signed_rank")
def test_signed_ranks(case: Case) -> None:
    (d,), _ = on_lattice(case["input"]["d"])
    one = wilcoxon(d)
    exact = sides(wilcoxon, d, method="exact")
    found = {
        "n_nonzero": one.n_nonzero,
        "W_plus": one.w_plus,
        "W_minus": one.w_minus,
        "zeros_dropped_exact": exact,
        "zeros_dropped_normal_tie_corrected": sides(wilcoxon, d, method="normal"),
        "zeros_dropped_normal_cc": sides(wilcoxon, d, method="normal-cc"),
        "pratt_exact": sides(wilcoxon, d, method="exact", zeros="pratt"),
        "matched_pairs_rank_biserial": one.rank_biserial,
        "bruteforce_exact": {"greater": exact["greater"], "two_sided_symmetric": exact["two.sided"]},
    }
    agree(case, found)


@cases("mann_whitney")
def test_rank_sums(case: Case) -> None:
    (x, y), _ = on_lattice(case["input"]["x"], case["input"]["y"])
    one = mann_whitney(x, y)
    found: dict[str, Any] = {
        "U_x": one.effect["statistic"],
        "prob_superiority": one.effect["superiority"],
        "exact": sides(mann_whitney, x, y, method="exact"),
        "normal_tie_corrected": sides(mann_whitney, x, y, method="normal"),
        "normal_cc": sides(mann_whitney, x, y, method="normal-cc"),
    }
    if np.ptp(np.concatenate([x, y])) == 0:
        # undefined in the oracle; our policy is p = 1
        assert set(found["normal_tie_corrected"].values()) == {1.0}
        agree(case, found, skip=("normal_tie_corrected",))
    else:
        agree(case, found)


@cases("cochran_q")
def test_cochran(case: Case) -> None:
    table = np.array(case["input"]["items_by_systems"])
    q, df = cochran_q(table), table.shape[1] - 1
    answer = {"Q": q, "Q_formula": q, "p": chi2_p(q, df), "df": df}
    if "exact_permutation_p" in case["expected"]:
        answer["exact_permutation_p"] = permutation_p(table)
    agree(case, answer)


@cases("cluster")
def test_clustered_mean(case: Case) -> None:
    d, labels = np.array(case["input"]["d"]), np.array(case["input"]["cluster"])
    one = means.clusters_of(d, labels)
    cr2, cr1 = means.cluster_t(d, labels), means.cluster_t(d, labels, kind="CR1")
    found: dict[str, Any] = {
        "mean": one.mean,
        "n": one.n,
        "G": one.n_clusters,
        "se_iid_ddof1": one.se_iid,
        "se_miller2024_clustered_CR0": one.se_cr0,
        "check_formula": one.se_cr0,
        "se_CR0_times_sqrt_G_over_Gm1": one.se_cr1,
        "se_CR1": one.se_cr1,
        "se_CR2": one.se_cr2,
        "t_CR2": cr2.statistic,
        "df_satterthwaite": cr2.df,
        "p_CR2_satterthwaite": cr2.p,
        "p_t_Gm1_CR1": cr1.p,
        "icc_anova": one.icc,
        "design_effect_from_se": one.se_cr0**2 / one.se_iid**2 * one.n / (one.n - 1),
    }
    (integers,), unit = on_lattice(case["input"]["d"])
    rows = np.array([[integers[labels == g].sum() * unit, (labels == g).sum()] for g in np.unique(labels)])
    if "cluster_signflip_exact" in case["expected"]:
        sums = np.rint(rows[:, 0] / unit)
        law = flip_law(sums)
        found["cluster_signflip_exact"] = {
            "p_greater": tail_mass(law.support, law.mass, sums.sum(), alternative="greater"),
            "p_two_sided": tail_mass(law.support, law.mass, sums.sum()),
        }
    if "cluster_bootstrap_ideal" in case["expected"]:
        ideal = bootstrap_law(rows[None], lambda s: ratio(s[..., 0], s[..., 1]))
        found["cluster_bootstrap_ideal"] = {
            "mean": ideal.mean(),
            "se": ideal.sd(),
            "p_shift_ge_2delta": ideal.mass[ideal.support >= 2 * one.mean - 1e-12].sum(),
        }
    agree(case, found)


def one_system(system: crossed.RunTable) -> dict[str, Any]:
    parts = crossed.components(system)
    return {
        "run_means": system.run_scores.tolist(),
        "mean": system.run_scores.mean(),
        "s_test": math.sqrt(parts.run_variance),
        "median_run_index0": runs.median_run(system.run_scores),
        "anova_ms_run": parts.ms_run,
        "anova_ms_item": parts.ms_item,
        "anova_ms_resid": parts.ms_residual,
        "var_run_anova": parts.var_run,
        "var_item_anova": parts.var_item,
        "var_resid": parts.ms_residual,
    }


@cases("multi_run")
def test_systems_by_runs_by_items(case: Case) -> None:
    systems = [additive(np.array(scores)) for scores in case["input"]["scores"]]
    a, b = systems
    found: dict[str, Any] = {f"system{i}": one_system(s) for i, s in enumerate(systems)}
    found |= {
        "diff": a.run_scores.mean() - b.run_scores.mean(),
        "run_level_welch": numbers(runs.run_welch(a, b)),
        "item_level_avg_runs_t": numbers(means.paired_t(a.values.mean(axis=0) - b.values.mean(axis=0))),
        "crossed_conservative": numbers(crossed.crossed_t(a, b, variant="conservative").test),
        "crossed_satterthwaite": numbers(crossed.crossed_t(a, b).test),
    }
    if "run_level_exact_permutation_p_two_sided" in case["expected"]:
        found["run_level_exact_permutation_p_two_sided"] = runs.run_permutation_p(a.run_scores, b.run_scores)
    agree(case, found, skip=("lmer_reml", "s_sel_analytic_ddof0", "s_sel_analytic_ddof1"))


def corpus_score(metric: str, sums: Float) -> Float:
    """Columns: a1..a4, m1..m4, reference length, TER edits and words, lengths of hypothesis and reference."""
    if metric == "BLEU":
        brevity = np.minimum(0.0, 1 - sums[..., 8] / sums[..., 0])
        return np.asarray(100 * np.exp(np.log(sums[..., 4:8] / sums[..., :4]).mean(axis=-1) + brevity))
    top, bottom = (9, 10) if metric == "TER" else (11, 12)
    return np.asarray(100 * sums[..., top] / sums[..., bottom])


@cases("multi_run_corpus_metric")
def test_corpus_metric_through_pseudo_values(case: Case, data_root: Path) -> None:
    metric = case["input"]["metric"]
    a, b = (
        corpus(
            np.stack([np.loadtxt(data_root / "oracle" / file, skiprows=1) for file in files]),
            lambda sums: corpus_score(metric, sums),
        )
        for files in case["input"]["files"]
    )
    both = crossed.crossed_t(a, b)
    items = math.sqrt(both.variance_items)
    found = {
        "run_scores": [a.run_scores.tolist(), b.run_scores.tolist()],
        "diff": both.test.estimate,
        "se_runs": math.sqrt(both.variance_runs),
        "se_items_of_run_averaged_difference": items,
        "crossed_conservative": numbers(crossed.crossed_t(a, b, variant="conservative").test),
        "crossed_satterthwaite": numbers(both.test),
        "item_level_only_z_p": normal_p(both.test.estimate / items),
    }
    agree(case, found)
