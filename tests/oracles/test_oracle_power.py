"""Power of McNemar's test against enumeration of (discordant pairs, b) with scipy 1.12."""

from __future__ import annotations

from outscore.power.mcnemar import connor_items, connor_power, mcnemar_power
from outscore.significance.textbook.binary import Method
from tests.oracles.support import Case, agree, cases

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
