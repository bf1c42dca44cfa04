"""Almost stochastic order against fractions from the definition; the ideal bootstrap against enumeration."""

from __future__ import annotations

import numpy as np

from outscore.engine.extreme import tolerance
from outscore.significance.independent import aso
from outscore.significance.independent.aso import almost_stochastic_order
from tests.oracles.support import Case, agree, cases


@cases("aso")
def test_almost_stochastic_order(case: Case) -> None:
    a, b = np.array(case["input"]["a"]), np.array(case["input"]["b"])
    expected = case["expected"]
    # sampled σ̂: the oracle's 20,000 resamples have a standard error of .002 to .005, ours less; the tolerance is the
    # oracle's own, and our seed is fixed, so that a test that passes once passes always
    found, strict = (almost_stochastic_order(a, b, alpha=alpha, n_resamples=40_000) for alpha in (0.05, 0.01))
    computed: dict[str, float] = {
        "violation_ratio": found.violation_ratio,
        "wasserstein2_squared": found.distance,
        "sigma_hat_ideal": found.sigma,
        "eps_min_0.95": found.eps_min,
        "eps_min_0.99": strict.eps_min,
    }
    skip: tuple[str, ...] = ("policy",)
    if expected["violation_ratio"] is None:
        # 0/0 in the oracle; our policy is ½ and a flag
        assert found.violation_ratio == 0.5
        assert found.degenerate == "identical_outputs"
        assert found.eps_min > 0.5
        skip += ("violation_ratio",)
    if "mc_tolerance_abs" in expected:
        assert found.n_resamples == 40_000
        assert abs(found.sigma - expected["sigma_hat_mc_B20000"]) < expected["mc_tolerance_abs"]
        assert abs(found.eps_min - expected["eps_min_0.95_mc"]) < expected["mc_tolerance_abs"]
        skip += ("sigma_hat_mc_B20000", "eps_min_0.95_mc", "mc_tolerance_abs")
    else:
        assert found.n_resamples == 0
        (one, of_one), (other, of_other) = aso._resamples(a.size), aso._resamples(b.size)
        ratios, _ = aso._ratios(np.sort(a)[one][:, None], np.sort(b)[other], tolerance(float(np.abs(a).max())))
        computed["bootstrap_mean_ratio_ideal"] = float(of_one @ ratios @ of_other)
    agree(case, computed, skip=skip)
