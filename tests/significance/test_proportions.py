"""Intervals of one proportion and of the difference of two in pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize, special, stats

from outscore.base.errors import UsageError
from outscore.significance import p_values, proportions


def test_intervals_of_one_proportion_are_those_of_statsmodels_and_scipy() -> None:
    z = 1.959963984540054
    for x, n in ((0, 1), (1, 1), (0, 7), (3, 7), (7, 7), (1, 40), (29, 30)):
        p, half = x / n, z * math.sqrt(x / n * (1 - x / n) / n)
        wilson, corrected, sure = (
            stats.binomtest(x, n).proportion_ci(method=m) for m in ("wilson", "wilsoncc", "exact")
        )
        size, centre = n + z * z, (x + z * z / 2) / (n + z * z)
        beta = stats.beta(x + 0.5, n - x + 0.5)
        added = z * math.sqrt(centre * (1 - centre) / size)
        expected = {
            "wald": (p - half, p + half),
            "wilson": (wilson.low, wilson.high),
            "wilson-cc": (corrected.low, corrected.high),
            "clopper-pearson": (sure.low, sure.high),
            "agresti-coull": (centre - added, centre + added),
            "jeffreys": (beta.ppf(0.025) if x else 0.0, beta.ppf(0.975) if x < n else 1.0),
        }
        for name, ends in expected.items():
            assert proportions.PROPORTION_INTERVALS[name](x, n, 0.95) == pytest.approx(ends, abs=1e-9), (name, x, n)


@pytest.mark.parametrize(
    ("both", "b", "c", "n"),
    [
        (5, 3, 1, 12),
        (0, 4, 4, 8),
        (6, 0, 0, 6),
        (2, 2, 1, 6),
        (9, 1, 1, 20),
        (0, 0, 0, 3),
        (4, 2, 2, 9),
        (9, 0, 0, 9),
        (0, 0, 0, 9),
        (0, 9, 0, 9),
        (4, 0, 0, 9),
        (1, 4, 3, 9),
        (0, 4, 5, 9),
    ],
)
def test_intervals_of_paired_proportions_by_their_definitions(both: int, b: int, c: int, n: int) -> None:
    z = 1.959963984540054
    gain = (b - c) / n
    half = z * math.sqrt(b + c - (b - c) ** 2 / n) / n
    assert proportions.paired_wald(b, c, n) == pytest.approx((gain - half, gain + half))
    p, q = (b + 1) / (n + 2), (c + 1) / (n + 2)
    half = z * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    assert proportions.bonett_price(b, c, n) == pytest.approx((p - q - half, p - q + half))
    one, two = (both + b) / n, (both + c) / n
    (l1, u1), (l2, u2) = (proportions.wilson(x, n) for x in (both + b, both + c))
    neither = n - both - b - c
    margins = (both + b) * (c + neither) * (both + c) * (b + neither)
    numerator = both * neither - b * c
    corrected = max(numerator - n / 2, 0.0) if numerator > 0 else numerator
    phi = corrected / math.sqrt(margins) if margins else 0.0
    down = math.sqrt((one - l1) ** 2 - 2 * phi * (one - l1) * (u2 - two) + (u2 - two) ** 2)
    up = math.sqrt((u1 - one) ** 2 - 2 * phi * (u1 - one) * (two - l2) + (two - l2) ** 2)
    assert proportions.newcombe_paired(both, b, c, n) == pytest.approx((gain - down, gain + up), abs=1e-9)
    low, high = proportions.tango(b, c, n)
    for end, side in ((low, z), (high, -z)):
        if -1 < end < 1:
            assert proportions.tango_score(b, c, n, end) == pytest.approx(side, rel=1e-6)
    assert proportions.tango_score(b, c, n, gain) == pytest.approx(0.0, abs=1e-9)


@given(x=st.integers(0, 30), extra=st.integers(0, 30), name=st.sampled_from(list(proportions.PROPORTION_INTERVALS)))
def test_intervals_of_successes_mirror_those_of_failures(x: int, extra: int, name: str) -> None:
    n = x + extra
    assume(n > 0)
    method = proportions.PROPORTION_INTERVALS[name]
    low, high = method(x, n, 0.9)
    mirrored = method(n - x, n, 0.9)
    assert low - 1e-12 <= x / n <= high + 1e-12
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-12)


@given(b=st.integers(0, 9), c=st.integers(0, 9), rest=st.integers(0, 40))
def test_tango_ends_solve_the_score_equation(b: int, c: int, rest: int) -> None:
    n = b + c + rest
    assume(n > 0)
    z = p_values.normal_quantile(0.95)
    for end in proportions.tango(b, c, n):
        assert -1 <= end <= 1
        # restricted maximum likelihood on a fine grid of P(baseline only) = q, P(system only) = q + D
        grid = np.linspace(max(0.0, -end), (1 - end) / 2, 200_001)[1:-1] if abs(end) < 1 else np.array([])
        if not grid.size:
            continue
        zero = np.zeros_like(grid)
        loglik = (
            (b * np.log(grid + end) if b else zero)
            + (c * np.log(grid) if c else zero)
            + (rest * np.log1p(-2 * grid - end) if rest else zero)
        )
        q = float(grid[np.argmax(loglik)])
        score = (b - c - n * end) / math.sqrt(n * (2 * q + end * (1 - end)))
        assert abs(score) == pytest.approx(z, abs=2e-3)
    mirrored = proportions.tango(c, b, n)
    assert proportions.tango(b, c, n) == pytest.approx((-mirrored[1], -mirrored[0]))


@pytest.mark.parametrize("n", [1, 20, 500])
def test_tango_without_discordant_pairs_has_its_closed_form(n: int) -> None:
    z2 = p_values.normal_quantile(0.95) ** 2
    assert proportions.tango(0, 0, n) == pytest.approx((-z2 / (n + z2), z2 / (n + z2)), rel=1e-9)


@pytest.mark.parametrize(
    "call", [lambda: proportions.wilson(3, 2), lambda: proportions.tango(1, 1, 1), lambda: proportions.wald(0, 0)]
)
def test_counts_must_fit(call: object) -> None:
    with pytest.raises(UsageError):
        call()  # type: ignore[operator]


def test_where_all_clusters_say_the_same_both_directions_mirror() -> None:
    labels = np.repeat(np.arange(12), 5)
    given = ((60, 0, np.ones(60)), (0, 60, -np.ones(60)))
    better, worse = (proportions.clustered_proportions(*one, labels) for one in given)
    assert better.statistic(0.0) == pytest.approx(-worse.statistic(0.0))
    assert better.p(0.0, "two-sided") == pytest.approx(worse.p(0.0, "two-sided"))
    assert better.p(0.0, "two-sided") < 0.01


@pytest.mark.parametrize(
    ("x1", "n1", "x2", "n2", "ends"),
    [
        (56, 70, 48, 80, (0.0524, 0.3339)),
        (9, 10, 3, 10, (0.1705, 0.8090)),
        (10, 10, 0, 10, (0.6075, 1.0)),
        (5, 56, 0, 29, (-0.0381, 0.1926)),
    ],
)
def test_differences_of_independent_proportions_are_those_of_newcombe(
    x1: int, n1: int, x2: int, n2: int, ends: tuple[float, float]
) -> None:
    """Newcombe 1998b, table II, method 10."""
    assert proportions.newcombe(x1, n1, x2, n2) == pytest.approx(ends, abs=6e-5)


@pytest.mark.parametrize(("share", "n", "t"), [(0.3, 50.0, 2.0), (0.02, 700.0, 1.96), (0.9, 12.5, 2.3)])
def test_the_logit_interval_is_even_on_the_scale_of_log_odds(share: float, n: float, t: float) -> None:
    half = t / math.sqrt(n * share * (1 - share))
    expected = special.expit(special.logit(share) + np.array([-half, half]))
    assert proportions.logit_of(share, n, t) == pytest.approx(expected.tolist(), rel=1e-12)


def test_a_logit_interval_that_is_too_wide_for_doubles_is_all_there_is() -> None:
    assert proportions.logit_of(0.5, 1e-9, 2.0) == pytest.approx((0.0, 1.0), abs=1e-300)


@pytest.mark.parametrize("n", [1, 3, 7, 40, 999])
def test_ends_that_are_known_are_just_that(n: int) -> None:
    for z in (1.0, 1.96, 3.3):
        assert proportions.wilson_of(0.0, n, z)[0] == 0.0
        assert proportions.wilson_of(1.0, n, z)[1] == 1.0


def test_the_level_is_95_percent_unless_another_is_said() -> None:
    for method in proportions.PROPORTION_INTERVALS.values():
        assert method(7, 20) == method(7, 20, 0.95)  # type: ignore[call-arg]
    for paired in (proportions.paired_wald, proportions.bonett_price, proportions.tango):
        assert paired(4, 2, 20) == paired(4, 2, 20, 0.95)
    for joined in (proportions.newcombe, proportions.newcombe_paired):
        assert joined(5, 8, 2, 20) == joined(5, 8, 2, 20, 0.95)


def spread_by_likelihood(b: int, c: int, n: int, delta: float) -> float:
    """2q + D(1 - D) at the q that makes the counts likeliest."""

    def loss(q: float) -> float:
        return -float(special.xlogy(b, q + delta) + special.xlogy(c, q) + special.xlogy(n - b - c, 1 - 2 * q - delta))

    ends = max(0.0, -delta), (1 - delta) / 2
    q = float(optimize.minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-12}).x)
    return 2 * q + delta * (1 - delta)


@pytest.mark.parametrize(("b", "c"), [(14, 5), (5, 14), (9, 9), (20, 0)])
def test_scores_in_clusters_vary_with_the_difference_as_tangos_do(b: int, c: int) -> None:
    n = 60
    d = np.zeros(n)
    order = np.random.default_rng(4).permutation(n)
    d[order[:b]], d[order[b : b + c]] = 1.0, -1.0
    held = proportions.clustered_proportions(b, c, d, np.repeat(np.arange(12), 5))
    gain, se = (b - c) / n, held.found.se
    assert held.found.estimate == pytest.approx(gain)
    assert held.n_effective == pytest.approx(spread_by_likelihood(b, c, n, gain) / se**2, rel=1e-5)
    for delta in (-0.9, -0.4, -0.1, gain / 2, 0.1, 0.35, 0.8):
        near = min(max(delta, min(0.0, gain)), max(0.0, gain))
        grown = spread_by_likelihood(b, c, n, delta) / spread_by_likelihood(b, c, n, near)
        assert held.statistic(delta) == pytest.approx((gain - delta) / (se * math.sqrt(grown)), rel=1e-5, abs=1e-9)
    low, high = held.ends(0.9)
    t = float(stats.t.ppf(0.95, held.found.df))
    assert (held.statistic(low), held.statistic(high)) == pytest.approx((t, -t), rel=1e-9)
    assert -1 < low < gain < high < 1


@pytest.mark.parametrize(("clusters", "size"), [(4, 5), (12, 3)])
def test_clusters_without_variance_are_so_many_items(clusters: int, size: int) -> None:
    n = clusters * size
    held = proportions.clustered_proportions(n, 0, np.ones(n), np.repeat(np.arange(clusters), size))
    assert held.n_effective == clusters
    for delta in (0.0, 0.4, 0.9):
        assert held.statistic(delta) == pytest.approx(proportions.tango_score(clusters, 0, clusters, delta))
    low, high = held.ends(0.95)
    t = float(stats.t.ppf(0.975, clusters - 1))
    assert low == pytest.approx((clusters - t * t) / (clusters + t * t))
    assert high == 1.0
