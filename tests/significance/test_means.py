"""t over items and over clusters: by matrices, by pairs of items, and without variance."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.significance import means
from outscore.significance.gain import cohen_dz
from outscore.significance.means import cluster_t, clusters_of, paired_t, t_from, welch
from outscore.significance.omnibus import anova


@pytest.mark.parametrize(
    ("d", "statistic", "p", "degenerate"),
    [
        ([0.0, 0.0, 0.0], 0.0, 1.0, "identical_outputs"),
        ([-0.3, -0.3, -0.3], -math.inf, 0.0, "zero_variance"),
        ([0.3 - 0.2, 0.2 - 0.1, 0.1], math.inf, 0.0, "zero_variance"),  # constant but for rounding
        ([0.5], math.nan, math.nan, "n_too_small"),
        ([], math.nan, math.nan, "n_too_small"),
    ],
)
def test_degenerate_t(d: list[float], statistic: float, p: float, degenerate: str) -> None:
    found = means.paired_t(np.array(d))
    assert (found.statistic, found.p) == pytest.approx((statistic, p), nan_ok=True)
    assert found.degenerate == degenerate


def test_interval_and_test_agree_at_the_border() -> None:
    d = np.array([0.3, 1.0, -0.2, 0.7, 0.1])
    low = means.paired_t(d).low
    assert means.paired_t(d - low).p == pytest.approx(0.05, rel=1e-9)


def test_nothing_but_zeros_has_no_gain_and_no_error() -> None:
    found = t_from(0.0, 0.0, 5.0)
    assert (found.statistic, found.p, found.low, found.high, found.degenerate) == (
        0.0,
        1.0,
        0.0,
        0.0,
        "identical_outputs",
    )
    zeros = np.zeros(4)
    assert paired_t(zeros).degenerate == welch(zeros, zeros).degenerate == "identical_outputs"
    assert cohen_dz(zeros) in (0.0, None) or math.isnan(float(cohen_dz(zeros)))
    for pairs in (anova.tukey([zeros, zeros, zeros]), anova.games_howell([zeros, zeros, zeros])):
        assert [(pair.gain, pair.p_adjusted) for pair in pairs] == [(0.0, 1.0)] * 3


def test_a_small_estimate_is_compared_with_its_own_rounding_unless_a_size_is_given() -> None:
    assert t_from(1e-14, 1e-15, 9).statistic == pytest.approx(10.0)
    assert t_from(1e-14, 1e-15, 9, scale=1.0).degenerate == "zero_variance"
    assert t_from(1e-15, 1e-15, 9, scale=1.0).degenerate == "identical_outputs"
    assert t_from(1e-14, 1e-15, 9, scale=0.1).statistic == pytest.approx(10.0)
    rounding = np.finfo(float).eps
    assert t_from(1.0, 9.5 * rounding, 9).degenerate == "zero_variance"
    assert t_from(1.0, 10.5 * rounding, 9).degenerate == ""


clustered_values = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4)), min_size=4, max_size=14).filter(
    lambda rows: len({g for _, g in rows}) > 1
)


@given(rows=clustered_values)
def test_cr2_by_matrices(rows: list[tuple[int, int]]) -> None:
    d, labels = np.array([v for v, _ in rows], dtype=float), np.array([g for _, g in rows])
    n, hat = d.size, np.full((d.size, d.size), 1 / d.size)
    residual_maker = np.eye(n) - hat
    parts, total = [], 0.0
    for g in np.unique(labels):
        own = labels == g
        values, vectors = np.linalg.eigh(residual_maker[np.ix_(own, own)])
        adjust = vectors @ np.diag(values**-0.5) @ vectors.T
        weights = adjust @ np.ones(int(own.sum())) / n
        total += float(weights @ (d - d.mean())[own]) ** 2
        parts.append(residual_maker[:, own] @ weights)
    gram = np.array(parts) @ np.array(parts).T
    found = means.clusters_of(d, labels)
    assert found.se_cr2 == pytest.approx(math.sqrt(total), abs=1e-9)
    assert found.df_cr2 == pytest.approx(np.trace(gram) ** 2 / np.trace(gram @ gram))


@given(rows=clustered_values)
def test_cr0_by_pairs_of_items(rows: list[tuple[int, int]]) -> None:
    d, labels = [v for v, _ in rows], [g for _, g in rows]
    mean = sum(d) / len(d)
    pairs = product(range(len(d)), repeat=2)
    total = sum((d[i] - mean) * (d[j] - mean) for i, j in pairs if labels[i] == labels[j])
    found = means.clusters_of(np.array(d, dtype=float), np.array(labels))
    assert found.se_cr0 == pytest.approx(math.sqrt(max(total, 0)) / len(d), abs=1e-7)


def test_items_as_their_own_clusters_give_the_plain_t() -> None:
    d = np.array([0.4, -0.1, 0.9, 1.4, 0.2])
    plain = means.paired_t(d)
    for kind in ("CR1", "CR2"):
        found = means.cluster_t(d, np.arange(5), kind=kind)
        assert (found.statistic, found.df, found.p) == pytest.approx((plain.statistic, 4, plain.p))


def test_icc_of_copies_is_one_and_of_one_cluster_undefined() -> None:
    found = means.clusters_of(np.repeat([1.0, 4.0, 2.0], 3), np.repeat(["a", "b", "c"], 3))
    assert (found.icc, found.design_effect, found.n_effective) == pytest.approx((1.0, 3.0, 3.0))
    alone = means.clusters_of(np.array([1.0, 2.0]), np.array([0, 0]))
    assert math.isnan(alone.se_cr2)
    assert math.isnan(alone.icc)
    assert means.cluster_t(np.array([1.0, 2.0]), np.array([0, 0])).degenerate == "n_too_small"


def test_one_number_has_a_mean_and_no_error() -> None:
    found = clusters_of(np.array([0.5]), np.array([3]))
    assert (found.mean, found.n, found.n_clusters) == (0.5, 1, 1)
    assert all(math.isnan(v) for v in (found.se_iid, found.se_cr0, found.se_cr1, found.se_cr2, found.df_cr2))


def test_two_numbers_of_one_cluster_have_an_error_as_items_alone() -> None:
    found = clusters_of(np.array([0.5, 1.0]), np.array([3, 3]))
    assert found.se_iid == pytest.approx(0.25)
    assert math.isnan(found.se_cr2)


def test_cr2_of_two_clusters_has_one_degree_of_freedom() -> None:
    found = cluster_t(np.array([1.0, 2.0, 4.0, 5.0]), np.array([0, 0, 1, 1]))
    assert found.df == pytest.approx(1)
    assert found.se == pytest.approx(1.5)


@pytest.mark.parametrize("sizes", [(2, 3, 4), (1, 1, 5), (1, 2), (3, 3, 3), (1, 1, 1), (4,)])
def test_the_intraclass_correlation_is_that_of_unequal_groups(sizes: tuple[int, ...]) -> None:
    draw = np.random.default_rng(len(sizes))
    labels = np.repeat(np.arange(len(sizes)), sizes)
    values = draw.normal(size=sum(sizes)) + labels
    found = means.clusters_of(values, labels)
    n, g = sum(sizes), len(sizes)
    if g < 2 or n == g:
        assert math.isnan(found.icc)
        return
    parts = [values[labels == k] for k in range(g)]
    between = sum(p.size * (p.mean() - values.mean()) ** 2 for p in parts) / (g - 1)
    within = sum(float(((p - p.mean()) ** 2).sum()) for p in parts) / (n - g)
    typical = (n - sum(s * s for s in sizes) / n) / (g - 1)
    icc = (between - within) / (between + (typical - 1) * within)
    assert (found.icc, found.n_clusters) == pytest.approx((icc, g))
    assert found.n_effective == pytest.approx(n / found.design_effect)
    squares = sum(s * s for s in sizes)
    u = [s * s / (n - s) for s in sizes]
    df = n**2 / (squares + sum(u[i] * u[j] for i, j in product(range(g), repeat=2) if i != j))
    assert means.satterthwaite(np.array(sizes, dtype=float)) == pytest.approx(df)


def test_the_design_effect_of_unequal_clusters_is_what_they_do_to_the_variance() -> None:
    """Five clusters of 40 and twenty of 2 inflate it 10.8 times at a correlation of .3 (Kish); the mean size says 3.2.

    Where the five vary little, nothing is inflated, and 1 + (m - 1) ICC says 3 to 4. Each mean of 400 sets has an error
    of 3 to 5 %; that of equal clusters is 1 + (m - 1) ICC in each set.
    """
    sizes = np.array([40] * 5 + [2] * 20)
    labels = np.repeat(np.arange(25), sizes)
    rng = np.random.default_rng(1)
    assert pytest.approx(10.8) == 1 + (8080 / 240 - 1) * 0.3
    for sd_of_large, low, high in ((1.0, 8.6, 11.9), (0.0, 0.8, 1.2)):
        clusters = rng.normal(size=(400, 25)) * np.where(sizes > 2, sd_of_large, 1.0)
        values = clusters[:, labels] * math.sqrt(0.3) + rng.normal(size=(400, 240)) * math.sqrt(0.7)
        every = [clusters_of(one, labels) for one in values]
        assert low < np.mean([one.design_effect for one in every]) < high
        assert all(one.n_effective * one.design_effect == pytest.approx(240) for one in every)
    equal = clusters_of(values[0, :100], np.repeat(np.arange(20), 5))
    assert equal.design_effect == pytest.approx(1 + 4 * equal.icc, rel=0.02)


def test_a_design_effect_is_never_below_zero_nor_above_the_items() -> None:
    """One cluster of 60 whose items differ from each other alone, and 40 of one item: the ICC is far below 0."""
    labels = np.r_[np.zeros(60, dtype=int), np.arange(1, 41)]
    balanced = np.r_[np.tile([-1.0, 1.0], 30), np.zeros(40)]
    found = clusters_of(balanced, labels)
    assert found.icc < -0.01 and found.design_effect == 0 and found.n_effective == 100
    copies = clusters_of(np.repeat([1.0, 4.0], [50, 50]), np.repeat([0, 1], 50))
    assert copies.design_effect == pytest.approx(50) and copies.n_effective == pytest.approx(2)
