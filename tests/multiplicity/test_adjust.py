"""Corrections: each against a slow twin written from its definition, and the properties that all of them share."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import UsageError
from outscore.multiplicity.adjust import CORRECTIONS, MAX_T, adjust, level_of_one, names

SOME_P = st.lists(st.floats(1e-300, 1.0) | st.just(0.0) | st.sampled_from([0.01, 0.05, 1.0]), min_size=1, max_size=6)


Local = Callable[[list[float]], float]


def subsets(m: int) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(range(m), size) for size in range(1, m + 1)))


def closed(p: list[float], local: Local) -> list[float]:
    """Closed testing (Marcus et al. 1976): the largest p of all intersections that hold the hypothesis."""
    found = {chosen: min(1.0, local([p[i] for i in chosen])) for chosen in subsets(len(p))}
    return [max(value for chosen, value in found.items() if i in chosen) for i in range(len(p))]


@given(p=SOME_P)
def test_holm_is_closed_bonferroni(p: list[float]) -> None:
    np.testing.assert_allclose(adjust(p, "holm"), closed(p, lambda q: len(q) * min(q)), rtol=1e-12)


def any_of(p: list[float]) -> float:
    return 1 - (1 - min(p)) ** len(p)


@given(p=SOME_P)
def test_holm_sidak_is_closed_sidak(p: list[float]) -> None:
    np.testing.assert_allclose(adjust(p, "holm-sidak"), closed(p, any_of), rtol=1e-9, atol=1e-15)


def simes(p: list[float]) -> float:
    return min(len(p) * value / rank for rank, value in enumerate(sorted(p), start=1))


@given(p=SOME_P)
def test_hommel_is_closed_simes(p: list[float]) -> None:
    np.testing.assert_allclose(adjust(p, "hommel"), closed(p, simes), rtol=1e-12)


@given(p=SOME_P)
def test_hochberg_steps_up(p: list[float]) -> None:
    m, ordered = len(p), sorted(p)
    twin = [min(1.0, *((m - k) * ordered[k] for k in range(ordered.index(value), m)), 1.0) for value in p]
    np.testing.assert_allclose(adjust(p, "hochberg"), twin, rtol=1e-12)


@pytest.mark.parametrize("correction", ["bh", "by"])
@given(p=SOME_P)
def test_false_discovery_corrections_give_the_least_rate_at_which_a_hypothesis_falls(
    correction: str, p: list[float]
) -> None:
    m, ordered = len(p), sorted(p)
    factor = sum(1 / k for k in range(1, m + 1)) if correction == "by" else 1.0
    twin = [min([1.0, *(factor * m * ordered[k] / (k + 1) for k in range(m) if ordered[k] >= value)]) for value in p]
    np.testing.assert_allclose(adjust(p, correction), twin, rtol=1e-12)


@pytest.mark.parametrize("correction", list(CORRECTIONS))
@given(p=SOME_P)
def test_adjusted_p_values_are_larger_at_most_one_and_in_the_same_order(correction: str, p: list[float]) -> None:
    raw, adjusted = np.array(p), adjust(p, correction)
    assert (adjusted >= raw * (1 - 1e-9)).all()
    assert (adjusted <= 1.0).all()
    order = np.argsort(raw, kind="stable")
    assert (np.diff(adjusted[order]) >= -1e-12).all()


@pytest.mark.parametrize("correction", list(CORRECTIONS))
@given(p=SOME_P, seed=st.integers(0, 99))
def test_each_hypothesis_keeps_its_own_adjusted_p_value(correction: str, p: list[float], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(p))
    np.testing.assert_allclose(adjust(np.array(p)[order], correction), adjust(p, correction)[order], rtol=1e-12)


@given(p=SOME_P)
def test_corrections_are_ordered_by_their_power(p: list[float]) -> None:
    holm, bonferroni = adjust(p, "holm"), adjust(p, "bonferroni")
    hochberg, hommel, bh = adjust(p, "hochberg"), adjust(p, "hommel"), adjust(p, "bh")
    for better, worse in (
        (holm, bonferroni),
        (hochberg, holm),
        (hommel, hochberg),
        (bh, hommel),
        (bh, adjust(p, "by")),
    ):
        assert (better <= worse * (1 + 1e-9) + 1e-15).all()
    assert (adjust(p, "sidak") <= bonferroni * (1 + 1e-9) + 1e-15).all()


@pytest.mark.parametrize("correction", list(CORRECTIONS))
def test_one_hypothesis_needs_no_correction_and_none_gives_none(correction: str) -> None:
    assert adjust([0.03], correction).tolist() == pytest.approx([0.03])
    assert adjust([], correction).size == 0


@pytest.mark.parametrize("correction", [c for c in CORRECTIONS if c != "none"])
def test_tiny_p_values_keep_their_digits(correction: str) -> None:
    adjusted = adjust([1e-300, 0.5, 0.9], correction)
    assert 1e-300 <= adjusted[0] <= 6e-300


def test_the_input_is_left_alone() -> None:
    p = np.array([0.03, 0.01])
    for correction in CORRECTIONS:
        adjust(p, correction)[0] = 9.0
    assert p.tolist() == [0.03, 0.01]


def test_unknown_corrections_are_refused_with_a_suggestion() -> None:
    with pytest.raises(UsageError, match="holm"):
        adjust([0.1], "hlom")
    assert MAX_T in names()


@pytest.mark.parametrize("correction", ["bonferroni", "sidak", "holm", "holm-sidak"])
@pytest.mark.parametrize("m", [1, 2, 7])
def test_intervals_at_the_level_of_one_leave_out_what_the_correction_just_rejects(correction: str, m: int) -> None:
    """The least of m p-values that is adjusted to alpha is the level of each interval."""
    level = level_of_one(0.05, m, correction)
    assert adjust([level, *[1.0] * (m - 1)], correction)[0] == pytest.approx(0.05, rel=1e-12)


@pytest.mark.parametrize("p", [[0.04], [0.01, 0.04], [0.3, 0.01, 0.02, 0.9, 0.02], [1.0, 1.0], [0.5, 0.5, 0.5]])
def test_corrections_are_what_their_definitions_say(p: list[float]) -> None:
    m, order = len(p), np.argsort(p, kind="stable")
    up = np.sort(p)
    rank = np.arange(1, m + 1)
    harmonic = float((1 / rank).sum())
    ordered = {
        "holm": np.maximum.accumulate((m - rank + 1) * up),
        "holm-sidak": np.maximum.accumulate(1 - (1 - up) ** (m - rank + 1)),
        "hochberg": np.minimum.accumulate(((m - rank + 1) * up)[::-1])[::-1],
        "bh": np.minimum.accumulate((m / rank * up)[::-1])[::-1],
        "by": np.minimum.accumulate((harmonic * m / rank * up)[::-1])[::-1],
        "bonferroni": m * up,
        "sidak": 1 - (1 - up) ** m,
        "none": up,
    }
    for name, expected in ordered.items():
        back = np.empty(m)
        back[order] = np.minimum(expected, 1.0)
        np.testing.assert_allclose(adjust(p, name), back, rtol=1e-12, err_msg=name)
    assert set(ordered) == set(CORRECTIONS) - {"hommel"}


@pytest.mark.parametrize("m", [1, 2, 3, 10])
def test_the_level_of_one_of_several_intervals(m: int) -> None:
    for name in CORRECTIONS:
        each = name in ("none", "bh", "by")
        expected = 0.05 if each else 1 - 0.95 ** (1 / m) if "sidak" in name else 0.05 / m
        assert level_of_one(0.05, m, name) == pytest.approx(expected, rel=1e-12), name
