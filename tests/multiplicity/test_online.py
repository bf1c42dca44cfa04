"""Corrections over a sequence without end: published numbers, slow twins from the definitions, and what all share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from outscore.base.errors import UsageError
from outscore.multiplicity.online import PROCEDURES, online_levels, spending

ALPHA = 0.05


SOME_P = st.lists(st.floats(0.0, 1.0) | st.sampled_from([0.0, 1e-6, 1e-3, 0.01, 0.25, 0.5]), max_size=25)


# The example of R's onlineFDR (Robertson et al.), its help pages of SAFFRON, ADDIS and Alpha_spending, random=FALSE.
EXAMPLE = (
    *(2.90e-08, 0.06743, 0.01514, 0.08174, 0.00171, 3.60e-05, 0.79149, 0.27201, 0.28295, 7.59e-08),
    *(0.69274, 0.30443, 0.00136, 0.72342, 0.54757),
)


PUBLISHED = {
    "saffron": (
        *(0.005468627, 0.010937254, 0.010937254, 0.010937254, 0.010937254, 0.021874508, 0.032811762, 0.010823845),
        *(0.010823845, 0.010823845, 0.021761099, 0.009265591, 0.009265591, 0.020202846, 0.009064367),
    ),
    "addis": (
        *(0.002734314, 0.005468627, 0.005468627, 0.005468627, 0.005468627, 0.010937254, 0.016405881, 0.016405881),
        *(0.005411923, 0.002828822, 0.008297449, 0.008297449, 0.003589243, 0.009057870, 0.009057870),
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_levels_are_those_of_onlinefdr(name: str) -> None:
    np.testing.assert_allclose(online_levels(EXAMPLE, name, ALPHA), PUBLISHED[name], atol=6e-10, rtol=0)


def test_lond_and_alpha_spending_are_those_of_onlinefdr_with_its_sequence() -> None:
    # Javanmard & Montanari 2018, eq. 31; LOND there has D + 1 discoveries where ours has max(D, 1)
    t = np.arange(1, 16)
    gamma = 0.07720838 * np.log(np.maximum(t, 2)) / (t * np.exp(np.sqrt(np.log(t))))
    spent = (0.0026758385, 0.0005819103, 0.0004956249, 0.0004121803, 0.0003494435, 0.0003022950, 0.0002659722)
    np.testing.assert_allclose(online_levels(EXAMPLE[:7], "alpha-spending", ALPHA, gamma), spent, atol=6e-11, rtol=0)
    original = (*(2 * b for b in spent[1:6]), 3 * spent[6])  # published: 0.0011638206 ... 0.0007979166
    ours = online_levels(EXAMPLE[:7], "lond", ALPHA, gamma)
    np.testing.assert_allclose(ours[1:6], [level / 2 for level in original[:5]], atol=6e-11, rtol=0)
    assert ours[6] == pytest.approx(0.0007979166 * 2 / 3, abs=1e-9)


def gamma_of(t: int) -> float:
    """Ramdas et al. 2018: the sequence in the definition, ζ(1.6) by summing and the integral of what is left."""
    return float(t**-1.6 / ZETA)


TERMS = 200_000


ZETA = sum(k**-1.6 for k in range(1, TERMS)) + 0.5 * TERMS**-1.6 + TERMS**-0.6 / 0.6


def twin_lond(p: list[float]) -> list[float]:
    levels: list[float] = []
    for t in range(1, len(p) + 1):
        discoveries = sum(q <= level for q, level in zip(p, levels, strict=False))
        levels.append(ALPHA * gamma_of(t) * max(discoveries, 1))
    return levels


def twin_lord(p: list[float]) -> list[float]:
    """Ramdas et al. 2017: γ_t W0 + (α - W0) γ_{t-τ1} + α Σ_{j≥2} γ_{t-τj}, with W0 = α / 2."""
    levels: list[float] = []
    for t in range(1, len(p) + 1):
        times = [s for s in range(1, t) if p[s - 1] <= levels[s - 1]]
        level = gamma_of(t) * ALPHA / 2
        for j, tau in enumerate(times, 1):
            level += (ALPHA / 2 if j == 1 else ALPHA) * gamma_of(t - tau)
        levels.append(level)
    return levels


def twin_adaptive(p: list[float], tau: float, lam: float) -> list[float]:
    """Tian & Ramdas 2019, §4, counts written out; SAFFRON (Ramdas et al. 2018, eq. 4) with τ = 1."""
    levels: list[float] = []
    for t in range(1, len(p) + 1):
        past = range(1, t)
        selected = [i for i in past if p[i - 1] <= tau]
        candidates = [i for i in past if p[i - 1] <= lam]
        times = [i for i in past if p[i - 1] <= levels[i - 1]]
        level = ALPHA / 2 * gamma_of(len(selected) - len(candidates) + 1)
        for j, kappa in enumerate(times, 1):
            after = len([i for i in selected if i > kappa]) - len([i for i in candidates if i > kappa])
            level += (ALPHA / 2 if j == 1 else ALPHA) * gamma_of(after + 1)
        levels.append(min(lam, (tau - lam) * level))
    return levels


TWINS: dict[str, Callable[[list[float]], list[float]]] = {
    "alpha-spending": lambda p: [ALPHA * gamma_of(t) for t in range(1, len(p) + 1)],
    "lond": twin_lond,
    "lord": twin_lord,
    "saffron": lambda p: twin_adaptive(p, 1.0, 0.5),
    "addis": lambda p: twin_adaptive(p, 0.5, 0.25),
}


@pytest.mark.parametrize("name", PROCEDURES)
@given(p=SOME_P)
def test_levels_are_those_of_the_slow_twin(name: str, p: list[float]) -> None:
    np.testing.assert_allclose(online_levels(p, name, ALPHA), TWINS[name](p), rtol=1e-9)


@pytest.mark.parametrize("name", PROCEDURES)
@given(p=SOME_P, later=SOME_P)
def test_nothing_that_comes_later_changes_a_level(name: str, p: list[float], later: list[float]) -> None:
    np.testing.assert_array_equal(online_levels(p + later, name, ALPHA)[: len(p)], online_levels(p, name, ALPHA))


@pytest.mark.parametrize("name", PROCEDURES)
def test_the_level_of_a_test_does_not_depend_on_its_own_p(name: str) -> None:
    assert online_levels([0.2, 0.0], name, ALPHA)[1] == online_levels([0.2, 1.0], name, ALPHA)[1]


def test_no_more_than_alpha_is_spent_in_all() -> None:
    gamma = spending(TERMS)
    left = TERMS**-0.6 / 0.6 / ZETA  # at least the sum of all that follow
    assert gamma.sum() + left == pytest.approx(1.0, abs=1e-5)
    assert gamma.sum() < 1.0


def test_an_unknown_correction_is_refused_with_the_names() -> None:
    with pytest.raises(UsageError, match="did you mean 'lond'"):
        online_levels([0.1], "lnod", ALPHA)


def test_the_second_discovery_of_lond_counts_when_it_lies_just_at_its_level() -> None:
    first = float(online_levels([0.9], "lond", 0.05)[0])
    second = float(online_levels([first, 0.9], "lond", 0.05)[1])
    grown = online_levels([first, second, 0.9], "lond", 0.05)[2]
    assert grown == pytest.approx(2 * online_levels([first, 0.9, 0.9], "lond", 0.05)[2])


@pytest.mark.parametrize("name", PROCEDURES)
def test_a_p_at_its_level_exactly_is_a_discovery_of_a_sequence(name: str) -> None:
    first = float(online_levels([1.0], name, 0.05)[0])
    at, above = online_levels([first, 1.0, 1.0], name, 0.05), online_levels([first * 1.0001, 1.0, 1.0], name, 0.05)
    below = online_levels([first / 2, 1.0, 1.0], name, 0.05)
    np.testing.assert_array_equal(at, below)
    assert (at[1:] > above[1:]).any() == (name not in ("alpha-spending", "lond"))


@pytest.mark.parametrize("name", ["saffron", "addis"])
@pytest.mark.parametrize("border", [0.25, 0.5])
def test_time_stands_still_for_candidates_and_their_border_belongs_to_them(name: str, border: float) -> None:
    """SAFFRON: p of ½ is a candidate; ADDIS: p of ¼ is one, and p of ½ is not left out."""
    levels = {p: online_levels([p, 1.0], name, 0.05)[1] for p in (border, border - 1e-9, border + 1e-9)}
    spent = {p: bool(level < levels[border - 1e-9]) for p, level in levels.items()}
    changes = {("saffron", 0.25): (False, False), ("saffron", 0.5): (False, True), ("addis", 0.25): (False, True)}
    if (name, border) in changes:
        assert (spent[border], spent[border + 1e-9]) == changes[name, border]
    else:  # beyond τ time stands still again
        assert levels[border] == levels[border - 1e-9] < levels[border + 1e-9]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_sequence_spends_by_as_many_members_as_it_has_tests(n: int) -> None:
    zeta = float(special.zeta(1.6))
    np.testing.assert_allclose(spending(n), [t**-1.6 / zeta for t in range(1, n + 1)], rtol=1e-12)
    assert online_levels([0.5] * n, "alpha-spending", 0.05).tolist() == (0.05 * spending(n)).tolist()
