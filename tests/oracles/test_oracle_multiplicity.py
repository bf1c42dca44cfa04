"""Corrections against R's ``p.adjust`` and the joint law of shared sign flips, enumerated by numpy and
Bioconductor's ``multtest::mt.maxT``.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.multiplicity.adjust import adjust, max_step_down
from tests.multiplicity.plain import max_single_step
from tests.oracles.support import Case, agree, cases

R_NAMES = {"BH": "bh", "BY": "by", "holm_sidak": "holm-sidak"}


@cases("p_adjust")
def test_adjusted_p_values(case: Case) -> None:
    p = case["input"]["p"]
    computed = {name: adjust(p, R_NAMES.get(name, name)).tolist() for name in case["expected"]}
    agree(case, computed)


@cases("p_adjust")
def test_adjusted_p_values_follow_their_hypotheses_in_any_order(case: Case) -> None:
    p = np.array(case["input"]["p"])
    order = np.random.default_rng(3).permutation(p.size)
    computed = {}
    for name in case["expected"]:
        adjusted = np.empty(p.size)
        adjusted[order] = adjust(p[order], R_NAMES.get(name, name))
        computed[name] = adjusted.tolist()
    agree(case, computed)


def statistic(differences: Float, kind: str) -> Float:
    """|t| or |mean| over items, ``(..., items, metrics)`` to ``(..., metrics)``."""
    mean = differences.mean(axis=-2)
    if kind == "mean":
        return np.asarray(np.abs(mean))
    error = differences.std(axis=-2, ddof=1) / np.sqrt(differences.shape[-2])
    return np.asarray(np.abs(mean) / error)


@cases("maxT_westfall_young")
def test_joint_corrections_over_all_shared_flips(case: Case) -> None:
    d = np.array(case["input"]["differences_items_by_metrics"])
    signs = np.array(list(product([1.0, -1.0], repeat=len(d))))
    computed: dict[str, Any] = {}
    for kind in ("t", "mean"):
        observed, null = statistic(d, kind), statistic(signs[:, :, None] * d, kind)
        each = [max_single_step(observed[[j]], null[:, [j]], complete=True)[0] for j in range(d.shape[1])]
        computed[kind] = {
            "observed_abs_stat": observed.tolist(),
            "raw_p": each,
            "single_step_maxT": max_single_step(observed, null, complete=True).tolist(),
            "step_down_maxT": max_step_down(observed, null, complete=True).tolist(),
        }
    agree(case, computed)
    r = case["expected"]["crosscheck_R_multtest_mt.maxT_pairt_complete"]
    np.testing.assert_allclose(computed["t"]["step_down_maxT"], r["adjp"], rtol=1e-9)
    np.testing.assert_allclose(computed["t"]["raw_p"], r["rawp"], rtol=1e-9)


@cases("maxT_westfall_young")
def test_joint_corrections_do_not_depend_on_the_order_of_hypotheses(case: Case) -> None:
    d = np.array(case["input"]["differences_items_by_metrics"])[:, ::-1]
    signs = np.array(list(product([1.0, -1.0], repeat=len(d))))
    observed, null = statistic(d, "t"), statistic(signs[:, :, None] * d, "t")
    for correction, key in ((max_single_step, "single_step_maxT"), (max_step_down, "step_down_maxT")):
        np.testing.assert_allclose(
            correction(observed, null, complete=True)[::-1], case["expected"]["t"][key], rtol=1e-9
        )
