"""Power: McNemar's test against enumeration of (discordant pairs, b) with scipy 1.12, t tests and two proportions
against R 4.2.2 (``power.t.test``, ``power.prop.test``, pwr), predictive values against exact rationals.
"""

from __future__ import annotations

from outscore.engine.extreme import Alternative
from outscore.power.plans.mcnemar import connor_power, mcnemar_power
from outscore.power.plans.t import TDesign, van_belle_items
from outscore.power.plans.two_proportions import two_proportions_power
from outscore.power.ppv import ResearchField
from outscore.significance.discordant import Method
from tests.oracles.support import Case, agree, cases
from tests.power.closed_forms import arcsine_power, connor_items, normal_items, two_proportions_items

METHODS: dict[str, Method] = {"exact": "exact", "midp": "midp", "chi2": "chi2", "chi2_cc": "chi2-cc"}


@cases("power_mcnemar")
def test_power_of_mcnemar(case: Case) -> None:
    given = case["input"]
    p10, p01, n, alpha = (given[k] for k in ("p_A_right_B_wrong", "p_A_wrong_B_right", "n", "alpha"))
    found = {name: mcnemar_power(p10, p01, n, method=method, alpha=alpha) for name, method in METHODS.items()}
    agree(
        case,
        {
            "power_any_direction": {name: one.power[0] for name, one in found.items()},
            "power_correct_direction": {name: one.right_side[0] for name, one in found.items()},
            "connor1987_normal_approx": connor_power(p10, p01, n, alpha=alpha),
            "n_for_80_connor": connor_items(p10, p01, 0.8, alpha=alpha),
        },
    )


@cases("power_t")
def test_power_of_t_tests(case: Case) -> None:
    n, effect, sd, alpha = (case["input"][k] for k in ("n", "delta", "sd", "alpha"))

    def design(*, paired: bool, alternative: Alternative = "two-sided", strict: bool = False) -> TDesign:
        return TDesign(sd=sd, paired=paired, alpha=alpha, alternative=alternative, strict=strict)

    found: dict[str, float] = {
        "pwr_t_paired": design(paired=True, strict=True).power(n, effect).power,
        "n_for_90_paired": design(paired=True).items(effect, 0.9),
        "normal_approx_n_paired_80": normal_items(effect, sd, 0.8, alpha),
        "van_belle_16_over_delta2": van_belle_items(effect, sd),
    }
    for name, paired in (("two_sample", False), ("paired", True)):
        found |= {
            f"{name}_two_sided": design(paired=paired).power(n, effect).power,
            f"{name}_two_sided_strict": design(paired=paired, strict=True).power(n, effect).power,
            f"{name}_one_sided": design(paired=paired, alternative="greater").power(n, effect).power,
            f"n_for_80_{name}": design(paired=paired).items(effect, 0.8),
            f"mde_80_{name}": design(paired=paired).detectable(n, 0.8),
        }
    agree(case, found)


@cases("power_two_proportions")
def test_power_of_two_proportions(case: Case) -> None:
    baseline, rate, n, alpha = (case["input"][k] for k in ("p1", "p2", "n_per_group", "alpha"))
    agree(
        case,
        {
            "power": two_proportions_power(rate, baseline, n, alpha=alpha, strict=False).power,
            "power_strict": two_proportions_power(rate, baseline, n, alpha=alpha).power,
            "power_one_sided": two_proportions_power(rate, baseline, n, alpha=alpha, alternative="greater").power,
            "n_80": two_proportions_items(rate, baseline, 0.8, alpha=alpha),
            "pwr_2p_h": arcsine_power(rate, baseline, n, alpha),
        },
    )


@cases("ppv")
def test_predictive_values(case: Case) -> None:
    alpha, beta, odds, bias, teams = (case["input"][k] for k in ("alpha", "beta", "R", "bias_u", "teams"))
    field = ResearchField(odds=odds, power=1 - beta)
    agree(
        case,
        {
            "ppv": field.ppv(alpha),
            "fdp": 1 - field.ppv(alpha),
            "prob_positive_result": field.positives(alpha),
            "prior_prob": field.prior,
            "alpha_for_ppv_095": field.cutoff(0.95),
            "alpha_for_ppv_090": field.cutoff(0.90),
            f"ppv_with_bias_u_{bias}": field.ppv_with_bias(alpha, bias),
            f"ppv_n_teams_{teams}": field.ppv_of_teams(alpha, teams),
        },
    )
