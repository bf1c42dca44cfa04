"""Confidence sequences and weightings at their borders, beside integrals, sums and roots written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate

from outscore.base.arrays import Float, Int
from outscore.significance.gain import GainContrast
from outscore.significance.nulls import Centred, NullVersion, SystemComponents, null_versions
from outscore.significance.sequential import Path, decisions, marks_of
from outscore.significance.sequential.betting import Betting
from outscore.significance.sequential.mixture import Mixture
from tests.laws.support import experiment, f1_stats, pairing, settings


def ratio_twin(sums: Float, sizes: Float, alpha: float) -> tuple[float, float, float]:
    """Gain, half width and log e-value of the normal mixture after all of these units."""
    t, gain = len(sums), float(sums.sum() / sizes.sum())
    error = math.sqrt(float(((sums - gain * sizes) ** 2).mean())) / (float(sizes.sum()) / t)
    rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / 500
    wide = t * rho2 + 1
    half = error * math.sqrt(2 * wide / (t * t * rho2) * math.log(math.sqrt(wide) / alpha))
    return gain, half, t * t * rho2 * (gain / error) ** 2 / (2 * wide) - math.log(wide) / 2


@pytest.mark.parametrize(("alpha", "members"), [(0.05, 1), (0.01, 1), (0.05, 4)])
def test_a_mixture_is_the_formula_from_a_hundred_units_on(alpha: float, members: int) -> None:
    draw = np.random.default_rng(members)
    sizes = draw.integers(1, members + 1, 130).astype(float)
    sums = draw.normal(0.2, 1.0, 130) * sizes
    path = Mixture(alpha=alpha, marks=marks_of(0.5)).extend(sums, sizes)
    assert np.isinf(path.low[:99]).all() and np.isinf(path.high[:99]).all() and not path.log_e[:99].any()
    low, high = -math.inf, math.inf
    for t in range(100, 131):
        gain, half, log_e = ratio_twin(sums[:t], sizes[:t], alpha)
        low, high = max(low, gain - half), min(high, gain + half)
        found = (path.gain[t - 1], path.low[t - 1], path.high[t - 1], path.log_e[t - 1])
        assert found == pytest.approx((gain, low, high, log_e), rel=1e-9)
        for mark, value in enumerate((0.0, -0.5, 0.5)):
            assert (path.above[t - 1, mark], path.below[t - 1, mark]) == (low > value, high < value)


@pytest.mark.parametrize(
    ("spread", "size", "started"), [(2e-7, 2, True), (5e-8, 2, False), (2e-7, 1, True), (0, 3, False)]
)
def test_a_spread_by_rounding_starts_no_mixture(spread: float, size: int, started: bool) -> None:
    sums = size * (1 + spread * np.resize([1.0, -1.0], 100))
    path = Mixture(alpha=0.05, marks=marks_of(None)).extend(sums, np.full(100, float(size)))
    assert bool(np.isfinite(path.low[-1])) == started


def capital(x: Float, m: float) -> float:
    """Capital against a mean m of x in [0, 1] of who says that it is above, over all stakes at once."""
    return float(integrate.quad(lambda c: float(np.prod(1 + c * (x / m - 1))), 0, 1, epsrel=1e-10)[0])


@pytest.mark.parametrize("reach", [1.0, 4.0])
def test_bets_are_integrals_over_all_stakes(reach: float) -> None:
    draw = np.random.default_rng(7)
    d = draw.choice([-1.0, -0.25, 0.0, 0.5, 1.0], 22, p=[0.05, 0.1, 0.2, 0.25, 0.4]) * reach
    margin = 0.2 * reach
    path = Betting(alpha=0.05, reach=reach, marks=marks_of(margin), steps=10).extend(d, np.ones(22))
    known = np.zeros((2, 3), dtype=bool)
    for t in range(1, 23):
        x = (d[:t] + reach) / (2 * reach)
        assert path.gain[t - 1] == pytest.approx(d[:t].mean())
        for mark, value in enumerate((0.0, -margin, margin)):
            m = (value + reach) / (2 * reach)
            above, below = capital(x, m), capital(1 - x, 1 - m)
            known[0, mark] |= above >= below and (above + below) / 2 >= 20
            known[1, mark] |= below > above and (above + below) / 2 >= 20
            if not mark:
                assert path.log_e[t - 1] == pytest.approx(math.log((above + below) / 2), rel=1e-6)
        assert path.above[t - 1].tolist() == known[0].tolist()
        assert path.below[t - 1].tolist() == known[1].tolist()
        ends = [g for g in np.arange(-9, 10) * reach / 10 if capital(x, (g + reach) / (2 * reach)) >= 40]
        assert path.low[t - 1] >= max([-reach, *ends]) - 1e-9
    assert known[0, 0]  # these bets are won


def test_what_is_left_cannot_undo_what_is_sure() -> None:
    d = np.array([1.0, 1.0, 0.0, 1.0, -1.0, 1.0, 1.0, 1.0])
    path = Betting(alpha=0.05, reach=1.0, marks=marks_of(0.25), population=8, steps=40).extend(d, np.ones(8))
    sums, left = d.cumsum(), 7.0 - np.arange(8)
    assert (path.low >= (sums - left) / 8 - 1e-12).all() and (path.high <= (sums + left) / 8 + 1e-12).all()
    assert (path.low[-1], path.high[-1]) == pytest.approx((5 / 8, 5 / 8))
    # 4 of 6 items, and 2 to come that may both be lost, are above .25 - 2/8 and no more
    assert path.above[:, 0].tolist()[-3:] == [True, True, True] and not path.above[4, 0]
    assert path.above[-1].all() and not path.below[-1].any()


def test_ends_come_nearer_piece_by_piece_as_at_once() -> None:
    draw = np.random.default_rng(3)
    d = draw.choice([-1.0, 0.0, 1.0], 700, p=[0.2, 0.4, 0.4])
    for make in (
        lambda: Betting(alpha=0.05, reach=1.0, marks=marks_of(0.1), steps=50),
        lambda: Mixture(alpha=0.05, marks=marks_of(0.1)),
    ):
        whole, parts = make().extend(d, np.ones(700)), make()
        pieces = [parts.extend(piece, np.ones(len(piece))) for piece in np.split(d, [1, 64, 199, 203, 500])]
        joined = Path.joined(pieces)
        for name in ("gain", "low", "high", "log_e"):
            assert getattr(joined, name) == pytest.approx(getattr(whole, name), rel=1e-9, abs=1e-9), name
        assert decisions(joined) == decisions(whole)
        assert (np.diff(whole.low[100:]) >= 0).all() and (np.diff(whole.high[100:]) <= 0).all()


# weights that take a gain away


@pytest.mark.parametrize(("n", "possible"), [(4, True), (6, True), (7, False), (10, False)])
def test_a_weighting_leaves_half_of_the_units_in_effect(n: int, possible: bool) -> None:
    # one loss outweighs n - 1 wins: it weighs n/2, and the units are worth n²/(n²/4 + n²/4/(n - 1))
    d = np.array([[-1.0, *[1.0] * (n - 1)]])
    null = Centred(pairing(d, np.zeros_like(d), settings(9)))
    assert null.possible == possible == (4 * (n - 1) / n**2 >= 0.5)
    if possible:
        assert null.weights == pytest.approx([n / 2, *[n / 2 / (n - 1)] * (n - 1)])


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_weights_fall_off_exponentially(side: float) -> None:
    d = side * np.array([[3.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.25]])
    weights = Centred(pairing(d, np.zeros_like(d), settings(9))).weights
    assert float(weights @ d[0]) == pytest.approx(0, abs=1e-9) and float(weights.sum()) == pytest.approx(8)
    slopes = np.diff(np.log(weights)) / np.diff(d[0])
    assert slopes == pytest.approx([slopes[0]] * 7) and side * slopes[0] < 0


def test_a_gain_of_f1_is_weighted_away_as_that_of_its_sums() -> None:
    draw = np.random.default_rng(5)
    counts = draw.integers(0, 5, (2, 1, 20, 3)).astype(float)
    counts[1, :, :, 0] += 0.5
    pair = GainContrast(experiment(f1_stats(list(counts)), settings=settings(9)), 0, 1)
    sums = np.einsum("i,srik->sk", Centred(pair).weights, counts)
    f1 = 2 * sums[:, 0] / (2 * sums[:, 0] + sums[:, 1] + sums[:, 2])
    assert f1[0] == pytest.approx(f1[1], abs=1e-9) and abs(pair.gain) > 0.01


def test_versions_hold_what_there_is_to_be_found() -> None:
    d = np.array([[-1.0, *[1.0] * 9]])
    one = {type(v).__name__: v for v in null_versions(pairing(d, np.zeros_like(d), settings(9)))}
    assert list(one) == ["Permuted", "BootstrapNull"]
    assert one["BootstrapNull"].truth == pytest.approx(0.8) and not one["BootstrapNull"].holds
    assert (one["Permuted"].truth, one["Permuted"].holds) == (0.0, True)
    runs = np.random.default_rng(2).normal(size=(3, 12))
    for sizes, names in (
        ((2, 2), ["Permuted", "NewRuns", "NewRunsAndItems"]),
        ((3, 2), ["NewRuns", "NewRunsAndItems"]),
        ((3, 1), ["Centred"]),
        ((1, 1), ["Permuted", "Centred"]),
    ):
        pair = pairing(runs[: sizes[0]], np.zeros((sizes[1], 12)) + runs[: sizes[1]] / 2, settings(9))
        found: list[NullVersion] = null_versions(pair)
        assert [type(v).__name__ for v in found] == names, sizes


@pytest.mark.parametrize("labels", [None, np.array([0, 0, 0, 1, 1, 2, 3, 3])])
def test_parts_of_runs_are_those_of_two_way_means(labels: Int | None) -> None:
    values = np.random.default_rng(8).normal(size=(4, 8)) + np.arange(4)[:, None]
    pair = pairing(values, np.zeros((4, 8)), settings(9), labels)
    found = SystemComponents.of(pair, 1)
    grand = values.mean()
    assert found.of_items == pytest.approx(values.mean(axis=0) - grand)
    left = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + grand
    assert found.residual == pytest.approx(left)
    units = np.arange(8) if labels is None else labels
    within = sum(float(left[:, units == u].sum(axis=1) @ left[:, units == u].sum(axis=1)) for u in set(units.tolist()))
    assert found.between_runs == pytest.approx(values.mean(axis=1).var(ddof=1) - within / (3 * 64))
    assert SystemComponents.of(pair, 0).between_runs == 0


def test_a_version_of_runs_is_a_mean_of_its_values() -> None:
    draw = np.random.default_rng(4)
    values = draw.normal(size=(2, 3, 30))
    pair = pairing(values[0], values[1], settings(9))
    for null in null_versions(pair)[1:]:
        statistics, _ = null.statistics(np.random.default_rng(6))
        version = null.version(np.random.default_rng(6))
        means = [of[..., 0].mean(axis=1) for of in statistics]
        assert version.stats.run_scores[0] == pytest.approx(means[0], abs=1e-9)
        assert version.gain == pytest.approx(float(means[1].mean() - means[0].mean()), abs=1e-9)
        assert 0 < version.settings.seed < 2**31 and null.holds
        # seeds of versions are of all 31 bits
        seeds = {null.version(np.random.default_rng(s)).settings.seed for s in range(8)}
        assert len(seeds) == 8 and max(seeds) > 2**20
