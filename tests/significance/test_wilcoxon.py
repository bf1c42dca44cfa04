"""Wilcoxon's signed ranks: by all signs of mid-ranks, by the normal law, and against scipy."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import wilcoxon
from outscore.significance.independent.mann_whitney import mann_whitney
from tests.examples import first
from tests.significance.independent.test_mann_whitney import SAMPLES


def share_of_values(values: list[Fraction], observed: Fraction, centre: Fraction, alternative: Alternative) -> float:
    """Share of equally likely values at least as extreme as the observed one."""
    if alternative == "greater":
        exceedances = [v >= observed for v in values]
    elif alternative == "less":
        exceedances = [v <= observed for v in values]
    else:
        exceedances = [abs(v - centre) >= abs(observed - centre) for v in values]
    return sum(exceedances) / len(exceedances)


def midranks(values: list[int]) -> list[Fraction]:
    return [Fraction(sum(v < x for v in values)) + Fraction(sum(v == x for v in values) + 1, 2) for x in values]


sides = st.sampled_from(ALTERNATIVES)


@given(
    d=st.lists(st.integers(-4, 4), min_size=1, max_size=8),
    zeros=st.sampled_from(["drop", "pratt"]),
    alternative=sides,
)
def test_signed_rank_by_all_signs(d: list[int], zeros: wilcoxon.Zeros, alternative: Alternative) -> None:
    pool = d if zeros == "pratt" else [v for v in d if v]
    kept = [r for r, v in zip(midranks([abs(v) for v in pool]), pool, strict=True) if v]
    signs = [v > 0 for v in d if v]
    observed = sum((r for r, up in zip(kept, signs, strict=True) if up), Fraction(0))
    every = [
        sum((r for r, up in zip(kept, ups, strict=True) if up), Fraction(0))
        for ups in product((True, False), repeat=len(kept))
    ]
    found = wilcoxon.wilcoxon(np.array(d, dtype=float), method="exact", zeros=zeros, alternative=alternative)
    assert (found.w_plus, found.w_minus) == (float(observed), float(sum(kept, Fraction(0)) - observed))
    assert found.n_nonzero == len(kept)
    assert found.p_min == pytest.approx(min(1.0, (2 if alternative == "two-sided" else 1) * 0.5 ** len(kept)))
    assert found.p == pytest.approx(share_of_values(every, observed, sum(kept, Fraction(0)) / 2, alternative))


@pytest.mark.parametrize("method", ["normal", "normal-cc"])
@pytest.mark.parametrize("alternative", first(ALTERNATIVES, "less", others=pytest.mark.slow))
def test_normal_approximations_come_near_the_exact_p(method: wilcoxon.Method, alternative: Alternative) -> None:
    rng = np.random.default_rng(11)
    d = rng.integers(-6, 8, 150).astype(float)
    signed = wilcoxon.wilcoxon(d, method=method, alternative=alternative).p
    assert signed == pytest.approx(wilcoxon.wilcoxon(d, method="exact", alternative=alternative).p, abs=0.005)
    x, y = rng.integers(0, 9, 60).astype(float), rng.integers(0, 10, 70).astype(float)
    near = mann_whitney(x, y, method=method, alternative=alternative).p_value
    assert near == pytest.approx(mann_whitney(x, y, method="exact", alternative=alternative).p_value, abs=0.005)


def test_auto_is_exact_while_it_can_be() -> None:
    assert wilcoxon.wilcoxon(np.arange(1.0, 60.0)).p_kind == "exact"
    assert wilcoxon.wilcoxon(np.arange(1.0, 3000.0)).p_kind == "asymptotic"


def test_no_difference_at_all_has_no_ranks() -> None:
    found = wilcoxon.wilcoxon(np.zeros(4))
    assert (found.w_plus, found.w_minus, found.p, found.rank_biserial, found.n_nonzero) == (0.0, 0.0, 1.0, 0.0, 0)
    assert found.p_min == 1.0


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("method", ["normal", "normal-cc"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("d", [*SAMPLES, [0, 0, 3, -1, 2, 2, -2], [1, -1], [0, 1, -1]])
def test_normal_signed_ranks_by_their_definition(
    d: list[int], method: wilcoxon.Method, zeros: wilcoxon.Zeros, alternative: Alternative
) -> None:
    x = np.array(d, dtype=float)
    sizes = stats.rankdata(np.abs(x if zeros == "pratt" else x[x != 0]))
    sizes = sizes[x != 0] if zeros == "pratt" else sizes
    plus = float(sizes[x[x != 0] > 0].sum())
    away = plus - sizes.sum() / 2
    half = 0.5 if method == "normal-cc" else 0.0
    moved = {"greater": half, "less": -half, "two-sided": half * np.sign(away)}[alternative]
    z = (away - moved) / math.sqrt((sizes**2).sum() / 4)
    p = {"greater": stats.norm.sf(z), "less": stats.norm.cdf(z), "two-sided": 2 * stats.norm.sf(abs(z))}[alternative]
    found = wilcoxon.wilcoxon(x, method=method, zeros=zeros, alternative=alternative)
    assert (found.w_plus, found.p) == pytest.approx((plus, float(p)))
    assert found.p_kind == "asymptotic"
    assert found.rank_biserial == pytest.approx(2 * away / sizes.sum())
    assert found.w_plus + found.w_minus == sizes.sum()
