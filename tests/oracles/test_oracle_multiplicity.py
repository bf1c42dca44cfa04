"""Corrections against R's ``p.adjust`` and the joint law of shared sign flips, enumerated by numpy and
Bioconductor's ``multtest::mt.maxT``.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.multiplicity.adjust import adjust
from outscore.studies.choices.forking_paths import step_down
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


def step_down_of_all(observed: Float, null: Float) -> Float:
    """Proportions of all flips ``(B, m)``: the observed outcome, which is added to a sample, is one of them."""
    return np.asarray(step_down(observed, null.T) * (len(null) + 1) - 1) / len(null)


@cases("maxT_westfall_young")
def test_joint_corrections_over_all_shared_flips(case: Case) -> None:
    d = np.array(case["input"]["differences_items_by_metrics"])
    signs = np.array(list(product([1.0, -1.0], repeat=len(d))))
    computed: dict[str, Any] = {}
    for kind in ("t", "mean"):
        observed, null = statistic(d, kind), statistic(signs[:, :, None] * d, kind)
        each = [step_down_of_all(observed[[j]], null[:, [j]])[0] for j in range(d.shape[1])]
        computed[kind] = {
            "observed_abs_stat": observed.tolist(),
            "raw_p": each,
            "step_down_maxT": step_down_of_all(observed, null).tolist(),
        }
    agree(case, computed, skip=("single_step_maxT",))
    r = case["expected"]["crosscheck_R_multtest_mt.maxT_pairt_complete"]
    np.testing.assert_allclose(computed["t"]["step_down_maxT"], r["adjp"], rtol=1e-9)
    np.testing.assert_allclose(computed["t"]["raw_p"], r["rawp"], rtol=1e-9)


@cases("maxT_westfall_young")
def test_joint_corrections_do_not_depend_on_the_order_of_hypotheses(case: Case) -> None:
    d = np.array(case["input"]["differences_items_by_metrics"])[:, ::-1]
    signs = np.array(list(product([1.0, -1.0], repeat=len(d))))
    observed, null = statistic(d, "t"), statistic(signs[:, :, None] * d, "t")
    stepped = step_down_of_all(observed, null)[::-1]
    np.testing.assert_allclose(stepped, case["expected"]["t"]["step_down_maxT"], rtol=1e-9)
