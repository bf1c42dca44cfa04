"""Exact relabelling laws against brute force in fractions, big integers and R (see each family's
``computed_by``).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from outscore.base.arrays import Float, ScoreFunction
from outscore.engine import exact
from outscore.engine.exact import DiscreteLaw
from outscore.engine.extreme import tail_mass
from outscore.significance import two_samples
from tests.oracles.support import Case, agree, cases, on_lattice


def p_values(law: DiscreteLaw, observed: float, slack: float = 0.0) -> dict[str, float]:
    def tail(alternative: Any) -> float:
        return tail_mass(law.support, law.mass, observed, alternative=alternative, slack=slack)

    return {"p_greater": tail("greater"), "p_less": tail("less"), "p_two_sided": tail("two-sided")}


def f1(sums: Float) -> Float:
    return exact.ratio(2 * sums[..., 0], 2 * sums[..., 0] + sums[..., 1] + sums[..., 2])


def precision(sums: Float) -> Float:
    return exact.ratio(sums[..., 0], sums[..., 0] + sums[..., 1])


def recall(sums: Float) -> Float:
    return exact.ratio(sums[..., 0], sums[..., 0] + sums[..., 2])


def jaccard(sums: Float) -> Float:
    return exact.ratio(sums[..., 0], sums.sum(axis=-1))


def bleu(sums: Float) -> Float:
    """Corpus BLEU with exponential smoothing from columns a1..a4 (hypothesis n-grams), m1..m4 (matches), ref
    length.
    """
    totals, matches, ref = sums[..., :4], sums[..., 4:8], sums[..., 8]
    zero = matches == 0
    smoothed = np.where(zero, 0.5 ** np.cumsum(zero, axis=-1), matches)
    mean_log = np.log(smoothed / totals).mean(axis=-1)
    return np.asarray(100 * np.exp(mean_log + np.minimum(0.0, 1 - ref / totals[..., 0])))


RATIOS: dict[str, tuple[ScoreFunction, list[list[int]]]] = {
    # metric, then weights of (tp, fp, fn) in its numerator and denominator
    "f1": (f1, [[2, 0, 0], [2, 1, 1]]),
    "precision": (precision, [[1, 0, 0], [1, 1, 0]]),
    "recall": (recall, [[1, 0, 0], [1, 0, 1]]),
    "jaccard": (jaccard, [[1, 0, 0], [1, 1, 1]]),
}


@cases("perm_paired_mean_exact")
def test_flips_of_paired_differences(case: Case) -> None:
    (a, b), unit = on_lattice(case["input"]["a"], case["input"]["b"])
    d = a - b
    law = exact.flip_law(d)
    at = law.mass[law.support == d.sum()].sum()
    strict = law.mass[np.abs(law.support) > abs(d.sum())].sum()
    found = p_values(law, d.sum())
    found |= {
        "mean_diff": d.sum() * unit / d.size,
        "n_assignments": 2**d.size,
        "p_two_sided_strict_MultEval_style_uncorrected": strict,
        "mid_p_greater": found["p_greater"] - at / 2,
    }
    agree(case, found)


@cases("perm_paired_mean_exact")
def test_swaps_of_rows_give_the_law_of_flips(case: Case) -> None:
    (a, b), _ = on_lattice(case["input"]["a"], case["input"]["b"])
    flips, swaps = exact.flip_law(a - b), exact.swap_law(a[:, None], b[:, None], lambda s: s[..., 0])
    np.testing.assert_array_equal(flips.support, swaps.support)
    np.testing.assert_allclose(flips.mass, swaps.mass, rtol=1e-13)


@cases("perm_unpaired_mean_exact")
def test_relabelling_two_samples(case: Case) -> None:
    (x, y), unit = on_lattice(case["input"]["x"], case["input"]["y"])
    law = two_samples.two_sample_law(x, y)
    observed = float(x.mean() - y.mean())
    found = p_values(law, observed, slack=1e-9)
    agree(
        case,
        found | {"diff": observed * unit, "n_assignments": two_samples.two_sample_size(x.size, y.size)},
    )


@pytest.mark.parametrize("route", ["swap_law", "ratio_swap_law"])
@cases("perm_paired_ratio_exact")
def test_swaps_of_ratio_metrics(case: Case, route: str) -> None:
    a, b = (np.array(case["input"][s], dtype=float) for s in "ab")
    found = {}
    for name, (score, weights) in RATIOS.items():
        if route == "swap_law":
            law = exact.swap_law(a, b, score)
        else:
            (a_num, a_den), (b_num, b_den) = np.array(weights) @ a.T, np.array(weights) @ b.T
            law = exact.ratio_swap_law(a_num, a_den, b_num, b_den)
        observed = float(score(a.sum(axis=0)) - score(b.sum(axis=0)))
        found[name] = {"diff": observed} | p_values(law, observed, slack=1e-12)
    agree(case, found)


@cases("perm_paired_f1_dp")
def test_dynamic_programme_of_f1(case: Case) -> None:
    a, b = (np.array(case["input"][s], dtype=float) for s in "ab")
    parts = [part for s in (a, b) for part in (2 * s[:, 0], 2 * s[:, 0] + s[:, 1] + s[:, 2])]
    a_num, a_den, b_num, b_den = parts
    law = exact.ratio_swap_law(a_num, a_den, b_num, b_den)
    observed = float(f1(a.sum(axis=0)) - f1(b.sum(axis=0)))
    found = {"diff": observed, "n_states": law.support.size} | p_values(law, observed, slack=1e-12)
    agree(case, {"f1": found})
    assert exact.ratio_swap_cost(a_num, a_den, b_num, b_den) < exact.MOST_UPDATES


@cases("signflip_integer_large")
def test_flips_far_out_in_the_tail(case: Case) -> None:
    given = case["input"]
    d = given["d"] if "d" in given else [int(v) for v, k in given["d_counts"].items() for _ in range(k)]
    found = p_values(exact.flip_law(d), float(sum(d))) | {"sum": sum(d)}
    found["log10_p_two_sided"] = math.log10(found["p_two_sided"])
    agree(case, found)


@cases("perm_boot_bleu_exact")
def test_swaps_and_ideal_bootstrap_of_bleu(case: Case) -> None:
    from outscore.engine.exact_bootstrap import bootstrap_law

    a, b = (np.array(case["input"][s], dtype=float) for s in "ab")
    scores = float(bleu(a.sum(axis=0))), float(bleu(b.sum(axis=0)))
    observed = scores[0] - scores[1]
    found: dict[str, Any] = p_values(exact.swap_law(a, b, bleu), observed, slack=1e-9)
    found |= {"bleu_a": scores[0], "bleu_b": scores[1], "diff": observed}
    if "ideal_bootstrap" in case["expected"]:
        law = bootstrap_law(np.stack([a, b]), bleu)
        found["ideal_bootstrap"] = {
            "mean": law.mean(),
            "se": law.sd(),
            "p_shift_ge_2delta": law.mass[law.support >= 2 * observed - 1e-9].sum(),
            "p_pct_le_0": law.mass[law.support <= 1e-9].sum(),
        }
    agree(case, found)
