"""Intervals from given replicates and Monte-Carlo rules against R."""

from __future__ import annotations

import numpy as np

from outscore.engine import intervals, montecarlo
from outscore.engine.extreme import p_from_count
from outscore.engine.intervals import Interval, Quantile
from outscore.significance.contrast import ScoreContrast
from outscore.significance.interval import intervals as intervals_by_name
from outscore.significance.proportions import wilson
from tests.engine.exact_laws import phipson_smyth, standard_error
from tests.laws.support import binary_pairing, settings
from tests.oracles.support import Case, agree, cases

KINDS: tuple[Quantile, ...] = (1, 6, 7)


def ends(interval: Interval) -> list[float]:
    return [interval.low, interval.high]


@cases("bootstrap_ci_given_replicates")
def test_intervals_of_fixed_replicates(case: Case) -> None:
    given = case["input"]
    t0, level = given["t0"], given["level"]
    replicates, jackknife = np.array(given["tstar"]), np.array(given["jackknife_values"])
    slack = 1e-12
    parts = intervals.bca_constants(t0, replicates, jackknife, level, slack=slack)
    below = replicates[replicates < t0 - slack]
    # z0 with strict counting is what replicates equal to t0 would give if they lay above it
    strict = np.where(np.abs(replicates - t0) <= slack, t0 + 1, replicates)
    found = {
        "boot_mean": replicates.mean(),
        "boot_bias": replicates.mean() - t0,
        "boot_se_ddof1": replicates.std(ddof=1),
        "normal_uncentred": ends(intervals.normal(t0, replicates, level)),
        "normal_bias_corrected_R_boot": ends(intervals.normal(t0, replicates, level, bias_corrected=True)),
        "oconnor_mean_pm_2sd": ends(intervals.oconnor(replicates)),
        "z0": parts.z0,
        "z0_strict": intervals.bca_constants(t0, strict, jackknife, level).z0,
        "acceleration": parts.acceleration,
        "bca_adjusted_levels": [parts.low_level, parts.high_level],
    }
    for kind in KINDS:
        found[f"percentile_type{kind}"] = ends(intervals.percentile(replicates, level, kind=kind))
        found[f"basic_type{kind}"] = ends(intervals.basic(t0, replicates, level, kind=kind))
        found[f"bca_type{kind}"] = ends(intervals.bca(t0, replicates, jackknife, level, kind=kind, slack=slack))
    assert 0 < below.size < replicates.size
    agree(case, found)


@cases("bootstrap_t_given_replicates")
def test_studentized_interval_and_test(case: Case) -> None:
    given = case["input"]
    replicates, errors = np.array(given["tstar"]), np.array(given["se_star"])
    t0, se0 = given["t0"], given["se0"]
    found: dict[str, object] = {
        f"ci_type{kind}": ends(intervals.studentized(t0, se0, replicates, errors, given["level"], kind=kind))
        for kind in KINDS
    }
    extreme = intervals.studentized_extreme(t0, se0, replicates, errors, null_value=given["mu0"])
    found["p_two_sided_H0_mean_equals_mu0"] = p_from_count(int(extreme.sum()), extreme.size)
    agree(case, found)


@cases("mc_pvalue_rules")
def test_monte_carlo_p_and_its_error(case: Case) -> None:
    b, total = case["input"]["exceedances"], case["input"]["B"]
    found: dict[str, object] = {"p_plus1": p_from_count(b, total)}
    if total:
        found |= {
            "p_naive": b / total,
            "mc_se_naive": standard_error(b, total),
            "mc_se_plus1": montecarlo.standard_error_plus_one(b, total),
            "clopper_pearson95": montecarlo.exceedance_interval(b, total, 0.95),
            "clopper_pearson99": montecarlo.exceedance_interval(b, total, 0.99),
            "wilson95": wilson(b, total, 0.95),
            "decision_at_05_clear": montecarlo.decision_stable(b, total, 0.05),
        }
    agree(case, found)


@cases("besag_clifford")
def test_sequential_p(case: Case) -> None:
    given = case["input"]
    found = montecarlo.besag_clifford(given["exceedance_indicators"], given["h"], given["B_max"])
    agree(case, {"p": found.p, "n_used": found.n_used, "exceedances": found.exceedances})


@cases("phipson_smyth_exact")
def test_exact_p_of_few_relabellings(case: Case) -> None:
    given = case["input"]
    b, total = given["exceedances"], given["B"]
    exact = phipson_smyth(b, total, given["n_distinct_permutations"])
    agree(case, {"exact": exact, "plus1": p_from_count(b, total)})


def named(name: str, what: str, b: int, c: int, n: int, level: float) -> list[float]:
    """The ends that a registered interval gives to a system alone right on b items and a baseline alone right on c."""
    pair = binary_pairing(b, c, n, settings(1, alpha=1 - level))
    found = intervals_by_name.make(name).compute(
        pair if what == "gain" else ScoreContrast(pair.resamples, 0, pair.system)
    )[0]
    assert found is not None
    return list(found)


@cases("proportion_ci")
def test_named_intervals_of_one_proportion(case: Case) -> None:
    x, n, level = (case["input"][k] for k in ("x", "n", "level"))
    names = ("wald", "wilson", "clopper-pearson", "agresti-coull", "jeffreys")
    found = {name.replace("-", "_"): named(name, "score", x, 0, n, level) for name in names}
    found["wilson_cc"] = named("wilson:continuity=true", "score", x, 0, n, level)
    agree({**case, "expected": {k: v for k, v in case["expected"].items() if k != "estimate"}}, found)


@cases("paired_proportion_ci")
def test_named_intervals_of_a_paired_difference(case: Case) -> None:
    b, c, n, level = (case["input"][k] for k in ("b", "c", "n", "level"))
    found = {name: named(name.replace("_", "-"), "gain", b, c, n, level) for name in ("wald", "bonett_price")}
    found["tango_score"] = named("tango", "gain", b, c, n, level)
    agree(case, found, skip=("diff", "bayes_dirichlet1_prob_p10_gt_p01"))
