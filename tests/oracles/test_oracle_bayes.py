"""Posterior laws against mpmath and R (family ``bayes``) and exact fractions (family ``bayesian_bootstrap_exact``)."""

from __future__ import annotations

import itertools

import numpy as np

from outscore.significance.bayes.beta import independent_proportions
from outscore.significance.bayes.bootstrap import WeightedMeanLaw
from outscore.significance.bayes.student import correlated_t
from tests.oracles.support import Case, agree, cases


@cases("bayes")
def test_posteriors_of_shares_and_folds(case: Case) -> None:
    given = case["input"]
    if "d" in given:
        agree(case, {f"rho_{float(rho)}": _correlated(given, rho) for rho in given["rhos"]})
        return
    law = independent_proportions(given["xa"], given["na"], given["xb"], given["nb"])
    # no method gives the interval of one share
    agree(case, {"prob_A_gt_B": law.above(0.0), "posterior_mean_diff": law.mean}, skip=("cred95_A",))


def _correlated(given: Case, rho: float) -> dict[str, float]:
    right, rope, left = correlated_t(np.array(given["d"]), rho).probabilities(given["rope"])
    return {"p_left": left, "p_rope": rope, "p_right": right}


@cases("bayesian_bootstrap_exact")
def test_bayesian_bootstrap_of_a_mean_by_integration(case: Case) -> None:
    d = np.array(case["input"]["d"], dtype=float)
    law = WeightedMeanLaw(d, np.ones(d.size), np.ones(d.size))
    better, within, worse = law.probabilities(0.1)
    found = {
        "prob_mean_gt_0": law.above(0.0),
        "prob_mean_le_0": 1 - law.above(0.0),
        "prob_mean_in_rope_pm_0p1": within,
        "posterior_mean": law.mean,
        "posterior_var": _variance(law),
    }
    agree({**case, "tolerance": {"rel": case["tolerance"]["exact_rel"], "abs": 1e-12}}, found)
    assert better + within + worse == 1


def _variance(law: WeightedMeanLaw) -> float:
    """2 ∫ (c - low) P(mean > c) dc over the support, less (mean - low)², by Gauss and Legendre between the values."""
    knots = np.unique(law.sums)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    second = 0.0
    for low, high in itertools.pairwise(knots):
        c = (low + high) / 2 + (high - low) / 2 * nodes
        heights = np.array([2 * (x - knots[0]) * law.above(float(x)) for x in c])
        second += float(weights @ heights) * (high - low) / 2
    return second - (law.mean - float(knots[0])) ** 2
