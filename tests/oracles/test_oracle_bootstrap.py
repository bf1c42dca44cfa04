"""Ideal bootstrap laws against enumeration in fractions and exact powers of integer polynomials."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from outscore.base.arrays import Float
from outscore.engine import exact, exact_bootstrap
from outscore.engine.exact import DiscreteLaw
from outscore.engine.extreme import tail_mass
from tests.engine.exact_laws import bayesian_mean_moments, bayesian_mean_tail
from tests.oracles.support import Case, agree, cases, close, on_lattice


def merged(law: DiscreteLaw, slack: float) -> DiscreteLaw:
    """Points that differ by rounding alone become one."""
    group = np.concatenate([[0], np.cumsum(np.diff(law.support) > slack)])
    first = np.unique(group, return_index=True)[1]
    return DiscreteLaw(law.support[first], np.bincount(group, weights=law.mass).astype(np.float64))


def summary(law: DiscreteLaw, observed: float, slack: float, resamples: int) -> dict[str, Any]:
    """All numbers that the families of ideal bootstrap laws ask for."""
    law = merged(law, slack)
    v, m = law.support, law.mass
    above, below = m[v >= -slack].sum(), m[v <= slack].sum()
    at_zero = m[np.abs(v) <= slack].sum()
    return {
        "observed": observed,
        "observed_mean": observed,
        "ideal_bootstrap_mean": law.mean(),
        "ideal_bootstrap_se": law.sd(),
        "p_shift_gt_2delta": m[v > 2 * observed + slack].sum(),
        "p_shift_ge_2delta": tail_mass(v, m, 2 * observed, alternative="greater", slack=slack),
        "log10_p_shift_ge_2delta": np.log10(m[v >= 2 * observed - slack].sum() or 1.0),
        "p_pct_lt_0": m[v < -slack].sum(),
        "p_pct_le_0": below,
        "p_shift_two_sided_ge": m[np.abs(v - observed) >= abs(observed) - slack].sum(),
        "p_recentred_at_boot_mean_ge": m[v - law.mean() >= observed - slack].sum(),
        "p_pct_two_sided": min(1.0, 2 * min(above, below)),
        "prob_A_better_gt0_plus_half_ties": m[v > slack].sum() + at_zero / 2,
        "quantiles_inverse_cdf": {str(q): law.quantile(q) for q in (0.025, 0.05, 0.5, 0.95, 0.975)},
        "n_support": v.size,
        "total_resamples": resamples,
        "pmf": np.stack([v, m], axis=1).tolist(),
    }


@cases("bootstrap_exact_mean_small")
def test_enumerated_bootstrap_of_a_mean(case: Case) -> None:
    (d,), unit = on_lattice(case["input"]["d"])
    n = d.size
    law = exact_bootstrap.bootstrap_law(d[None, :, None], lambda s: s[..., 0]).scale(unit / n)
    agree(case, summary(law, d.sum() * unit / n, 1e-12, n**n))


@cases("bootstrap_exact_mean_small")
def test_fft_law_equals_the_enumerated_one(case: Case) -> None:
    (d,), _ = on_lattice(case["input"]["d"])
    enumerated = exact_bootstrap.bootstrap_law(d[None, :, None], lambda s: s[..., 0])
    power = exact_bootstrap.bootstrap_sum_law(d)
    np.testing.assert_array_equal(power.support, enumerated.support)
    np.testing.assert_allclose(power.mass, enumerated.mass, rtol=1e-11)


@cases("bootstrap_exact_ratio_small")
def test_enumerated_bootstrap_of_a_ratio(case: Case) -> None:
    systems = np.array([case["input"]["a"], case["input"]["b"]], dtype=float)

    def score(sums: Float) -> Float:
        if case["input"]["statistic"] == "f1":
            return exact.ratio(2 * sums[..., 0], 2 * sums[..., 0] + sums[..., 1] + sums[..., 2])
        return exact.ratio(sums[..., 0], sums[..., 1])

    n = systems.shape[1]
    whole = score(systems.sum(axis=1))
    law = exact_bootstrap.bootstrap_law(systems, score)
    agree(case, summary(law, float(whole[0] - whole[1]), 1e-12, n**n))


@cases("bootstrap_exact_integer")
def test_power_of_an_integer_law(case: Case) -> None:
    d = case["input"]["d"]
    law = exact_bootstrap.bootstrap_sum_law(d).scale(1 / len(d))
    agree(case, summary(law, sum(d) / len(d), 1e-9, 0))


def crossed_law(scores: list[list[list[int]]], design: str) -> tuple[DiscreteLaw, int]:
    """Twin in plain loops: mean over resampled runs × items of A minus the same of B, in fractions."""
    runs, items = len(scores[0]), len(scores[0][0])
    run_draws = list(product(range(runs), repeat=runs)) if "seeds" in design else [tuple(range(runs))]
    pairs = [(r, r) for r in run_draws] if "seeds_paired" in design else list(product(run_draws, repeat=2))
    item_draws = list(product(range(items), repeat=items)) if "items" in design else [tuple(range(items))]
    counts: dict[Fraction, int] = defaultdict(int)
    for for_a, for_b in pairs:
        by_item = [sum(scores[0][r][i] for r in for_a) - sum(scores[1][r][i] for r in for_b) for i in range(items)]
        for draw in item_draws:
            counts[Fraction(sum(by_item[i] for i in draw), runs * items)] += 1
    total = sum(counts.values())
    values = sorted(counts)
    return DiscreteLaw(np.array([float(v) for v in values]), np.array([counts[v] / total for v in values])), total


@cases("bootstrap_crossed_exact_small")
def test_crossed_bootstrap_by_enumeration(case: Case) -> None:
    scores = case["input"]["scores"]
    observed = float(np.mean(scores[0]) - np.mean(scores[1]))
    found = {}
    for design in case["expected"]:
        law, total = crossed_law(scores, design)
        found[design] = summary(law, observed, 1e-12, total)
    agree(case, found)


@cases("bayesian_bootstrap_exact")
def test_bayesian_bootstrap_of_a_mean(case: Case) -> None:
    d = case["input"]["d"]
    above = bayesian_mean_tail(d, 0.0)
    mean, variance = bayesian_mean_moments(d)
    rope = bayesian_mean_tail(d, -0.1) - bayesian_mean_tail(d, 0.1)
    found = {
        "prob_mean_gt_0": above,
        "prob_mean_le_0": 1 - above,
        "prob_mean_in_rope_pm_0p1": rope,
        "posterior_mean": mean,
        "posterior_var": variance,
    }
    agree({**case, "tolerance": {"rel": case["tolerance"]["exact_rel"], "abs": 1e-15}}, found)


@pytest.mark.parametrize("d", [[2, 2, -1], [1, 1, 1], [3, -1, -1, 0, 0]])
def test_bayesian_bootstrap_allows_ties(d: list[int]) -> None:
    apart = [v + 1e-4 * i for i, v in enumerate(d)]
    assert close(bayesian_mean_tail(d, 0.3), bayesian_mean_tail(apart, 0.3), 0, 1e-3)
    assert math.isclose(bayesian_mean_tail([1, 1], 1.0), 0.0)
