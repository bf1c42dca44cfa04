"""Exact laws of a pair's gain: against loops over all relabellings and resamples, and against sampling."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Array, Float
from outscore.engine import exact, exact_bootstrap
from outscore.engine.design import Design
from outscore.engine.exact import DiscreteLaw
from outscore.engine.extreme import ALTERNATIVES, Alternative, tail_mass
from outscore.metrics import metrics
from outscore.significance import laws
from outscore.significance.gain import GainContrast
from outscore.significance.laws import bootstrap_law, randomization_law, saddlepoint_p, smallest_p
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.laws import support
from tests.laws.support import pairing, settings
from tests.significance.test_studentized_sums import of_quotients

every_side = pytest.mark.parametrize("alternative", ALTERNATIVES)


def of_means(a: Any, b: Any, *, labels: Any = None, higher: bool = True, n_resamples: int = 2000) -> GainContrast:
    """``b`` against ``a``: scores ``(items,)`` or ``(runs, items)``."""
    systems = [np.atleast_2d(np.asarray(x, dtype=float)) for x in (a, b)]
    stats = support.mean_stats(systems, None if labels is None else np.asarray(labels), higher_is_better=higher)
    return GainContrast(support.experiment(stats, settings=Settings(n_resamples=n_resamples)), 0, 1)


def p_of(law: DiscreteLaw | None, at: float, alternative: Alternative = "two-sided") -> float:
    assert law is not None
    return tail_mass(law.support, law.mass, at, alternative=alternative, slack=1e-12)


scores = st.integers(1, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n) for _ in range(2)])
)


def shares(values: list[Fraction], at: Fraction) -> dict[Alternative, float]:
    """Share of equally likely values at least as extreme, by counting."""
    n = len(values)
    return {
        "greater": float(Fraction(sum(v >= at for v in values), n)),
        "less": float(Fraction(sum(v <= at for v in values), n)),
        "two-sided": float(Fraction(sum(abs(v) >= abs(at) for v in values), n)),
    }


@given(pair=scores, higher=st.booleans())
def test_laws_of_means_count_all_relabellings_and_resamples(pair: tuple[list[int], list[int]], higher: bool) -> None:
    a, b = pair
    n, sign = len(a), 1 if higher else -1
    d = [sign * (y - x) for x, y in zip(a, b, strict=True)]
    made = of_means(a, b, higher=higher)
    gain = Fraction(sum(d), n)
    flips = [Fraction(sum(s * v for s, v in zip(signs, d, strict=True)), n) for signs in product((1, -1), repeat=n)]
    draws = [Fraction(sum(drawn), n) for drawn in product(d, repeat=n)] if n < 6 else []
    for side in ALTERNATIVES:
        assert p_of(laws.randomization_law(made), made.gain, side) == pytest.approx(shares(flips, gain)[side])
        if draws:
            assert p_of(laws.bootstrap_law(made), made.gain, side) == pytest.approx(shares(draws, gain)[side])


def counts(seed: int, n: int, rate: float, miss: float = 0.4) -> Float:
    """True positives, false positives and false negatives of items with a few gold labels."""
    gold = np.random.default_rng(99).integers(1, 5, n)
    rng = np.random.default_rng(seed)
    found = rng.binomial(gold, rate)
    return np.stack([found, rng.binomial(2, miss, n), gold - found], axis=1).astype(float)


def f1_gain(a: Float, b: Float) -> Fraction:
    def f1(sums: Float) -> Fraction:
        tp, fp, fn = (int(v) for v in sums)
        return Fraction(2 * tp, 2 * tp + fp + fn) if 2 * tp + fp + fn else Fraction(0)

    return f1(b.sum(axis=0)) - f1(a.sum(axis=0))


def of_counts(a: Any, b: Any, metric: str = "f1:average=micro") -> GainContrast:
    """``b`` against ``a`` by a ratio of sums, statistics ``(items, k)``."""
    made = metrics.make(metric)
    columns = [np.asarray(v, dtype=float)[None] for v in (a, b)]
    stats = Statistics(metric, columns, made.score, Design(len(a)), ratio=made.ratio())
    return GainContrast(Resamples(("a", "b"), [stats], 0, Settings(n_resamples=2000)), 0, 1)


@hypothesis_settings(max_examples=25)
@given(seed=st.integers(0, 1000))
def test_laws_of_f1_count_all_relabellings_and_resamples(seed: int) -> None:
    n = 4
    a, b = counts(seed, n, 0.4), counts(seed + 1, n, 0.7)
    pair, gain = of_counts(a, b), f1_gain(a, b)
    swaps, draws = [], []
    for turned in product((False, True), repeat=n):
        turn = np.array(turned)[:, None]
        swaps.append(f1_gain(np.where(turn, b, a), np.where(turn, a, b)))
    for drawn in product(range(n), repeat=n):
        draws.append(f1_gain(a[list(drawn)], b[list(drawn)]))
    for side in ALTERNATIVES:
        assert p_of(laws.randomization_law(pair), pair.gain, side) == pytest.approx(shares(swaps, gain)[side])
        assert p_of(laws.bootstrap_law(pair), pair.gain, side) == pytest.approx(shares(draws, gain)[side])


def test_enumeration_and_the_lattice_give_one_law_of_f1() -> None:
    a, b = counts(1, 9, 0.5), counts(2, 9, 0.8)
    pair = of_counts(a, b)
    enumerated, lattice = laws.randomization_law(pair), laws._ratio_law(pair)
    for side in ALTERNATIVES:
        assert p_of(enumerated, pair.gain, side) == pytest.approx(p_of(lattice, pair.gain, side), rel=1e-12)


@pytest.mark.parametrize(("each", "known"), [(150, True), (151, False), (300, False), (1000, False)])
def test_ratios_of_whole_sums_that_doubles_cannot_tell_apart_have_no_lattice(each: int, known: bool) -> None:
    """Denominators of 30 units in 1e-12, the step of the numerators: 4,500e12 lies just below 2 to the power of 52."""
    draw = np.random.default_rng(3)
    steps = (np.arange(1, 31)[None], draw.integers(1, 30, (1, 30)))
    numerators = [np.asarray(step * 1e-12, dtype=np.float64) for step in steps]
    denominators = [np.full((1, 30), float(each))] * 2
    stats = of_quotients(numerators, denominators)
    pair = GainContrast(support.experiment(stats, settings=settings(99)), 0, 1)
    assert pair.whole[2].tolist() == [1e-12, 1.0]
    assert (laws._ratio_law(pair) is not None) == known


def swapped(pair: GainContrast, rng: np.random.Generator) -> tuple[Float, Float]:
    b, a, _ = pair.whole
    turn = rng.random(len(a))[:, None] < 0.5
    return np.where(turn, b, a), np.where(turn, a, b)


def test_sampled_gains_follow_the_laws() -> None:
    """Five laws against 2,000 samples each: Kolmogorov's D above 0.05 has probability 9e-5, less where values tie."""
    rng = np.random.default_rng(5)
    right = of_means(rng.integers(0, 2, 300), rng.integers(0, 2, 300))
    runs = rng.integers(0, 20, (2, 200)), rng.integers(0, 22, (3, 200))
    clustered = of_means(*runs, labels=np.repeat(np.arange(50), 4))
    counted = of_counts(counts(3, 300, 0.6), counts(4, 300, 0.62))
    compared = [(laws.randomization_law(counted), [f1_gain(*swapped(counted, rng)) for _ in range(2000)])]
    for pair, d in (
        (right, right.differences),
        (clustered, (runs[1].mean(axis=0) - runs[0].mean(axis=0)).reshape(50, 4).mean(axis=1)),
    ):
        flips = rng.choice([-1.0, 1.0], (2000, d.size))
        compared += [(laws.randomization_law(pair), list(flips @ d / d.size))]
        compared += [(laws.bootstrap_law(pair), list(d[rng.integers(0, d.size, (2000, d.size))].mean(axis=1)))]
    for law, draws in compared:
        assert law is not None
        seen = np.searchsorted(np.sort(np.array(draws, dtype=float)), law.support + 1e-12, side="right") / 2000
        assert np.abs(seen - np.cumsum(law.mass)).max() < 0.05


def test_the_bootstrap_law_is_centred_at_the_gain() -> None:
    rng = np.random.default_rng(6)
    for higher in (True, False):
        a, b = rng.integers(0, 9, 400), rng.integers(0, 10, 400)
        pair = of_means(a, b, higher=higher)
        law = laws.bootstrap_law(pair)
        assert law is not None
        assert law.mean() == pytest.approx(pair.gain, abs=1e-12)
        assert law.sd() == pytest.approx(pair.differences.std() / 20, rel=1e-9)


def test_right_or_wrong_has_the_law_of_the_discordant_items() -> None:
    a, b = np.zeros(10_000), np.zeros(10_000)
    a[:560], b[560:1200] = 1.0, 1.0
    pair = of_means(a, b)
    twin = 2 * sum(math.comb(1200, k) for k in range(640, 1201)) / 2**1200
    assert p_of(laws.randomization_law(pair), pair.gain) == pytest.approx(twin, rel=1e-12)


@pytest.mark.parametrize("wins", [100, 250, 299])
def test_tails_of_f1_far_out_are_accurate(wins: int) -> None:
    """B finds one more true label on ``wins`` of 300 items and one fewer on the others, all else equal: F1 orders
    relabellings as the number of wins does.
    """
    a, b = np.tile([2.0, 1.0, 1.0], (300, 1)), np.tile([2.0, 1.0, 1.0], (300, 1))
    b[:wins] += [1.0, 0.0, -1.0]
    a[wins:] += [1.0, 0.0, -1.0]
    pair = of_counts(a, b)
    twin = Fraction(sum(math.comb(300, k) for k in range(wins, 301)), 2**300)
    law = laws._ratio_law(pair)
    assert p_of(law, pair.gain, "greater") == pytest.approx(float(twin), rel=1e-12, abs=0)


def test_a_thin_tail_is_made_again_until_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 3,000 items, 400 differ, all but three in favour: the tail is far thinner than a normal one."""
    d = np.zeros(3000)
    d[:400] = np.random.default_rng(7).integers(1, 9, 400)
    d[:3] *= -1
    asked: list[float] = []

    def flip_law(moved: Float, least: float) -> DiscreteLaw:
        asked.append(least)
        return whole.scale(1.0) if least < expected else exact.DiscreteLaw(whole.support, whole.mass, 1e-30)

    whole = exact.flip_law(d)
    expected = float(whole.mass[whole.support >= d.sum()].sum())
    pair = of_means(np.zeros(3000), d)
    assert p_of(laws.randomization_law(pair), pair.gain, "greater") == pytest.approx(expected, rel=1e-12, abs=0)
    monkeypatch.setattr(exact, "flip_law", flip_law)
    assert p_of(laws.randomization_law(pair), pair.gain, "greater") == pytest.approx(expected, rel=1e-12, abs=0)
    assert expected < 1e-100 and asked[0] > expected >= asked[-1]


def test_what_is_too_dear_has_no_law() -> None:
    rng = np.random.default_rng(8)
    real = of_means(rng.normal(size=500), rng.normal(size=500))
    huge = of_means(rng.integers(0, 10**12, 500), rng.integers(0, 10**12, 500))
    certain = of_means(np.zeros(3000), np.ones(3000))
    for pair in (real, huge):
        assert laws.randomization_law(pair) is None
        assert laws.bootstrap_law(pair) is None
    assert laws.randomization_law(certain) is None  # 2^-3000 is no double
    assert laws.bootstrap_law(of_counts(counts(1, 200, 0.5), counts(2, 200, 0.6))) is None


def test_unequal_clusters_have_no_bootstrap_law() -> None:
    rng = np.random.default_rng(9)
    pair = of_means(rng.integers(0, 5, 90), rng.integers(0, 5, 90), labels=np.repeat(np.arange(12), [2] * 6 + [13] * 6))
    assert laws.bootstrap_law(pair) is None
    assert laws.randomization_law(pair) is not None


@every_side
def test_the_smallest_p_is_that_of_the_most_extreme_relabelling(alternative: Alternative) -> None:
    rng = np.random.default_rng(10)
    for pair in (
        of_means(rng.integers(0, 3, 12), rng.integers(0, 3, 12)),
        of_counts(counts(1, 8, 0.5), counts(2, 8, 0.6)),
    ):
        law = laws.randomization_law(pair)
        assert law is not None
        least = min(p_of(law, float(v), alternative) for v in law.support)
        assert laws.smallest_p(pair, law, alternative) == pytest.approx(least)


@every_side
@pytest.mark.parametrize("shift", [0.0, 0.2, -0.5])
def test_the_saddlepoint_is_near_the_exact_p(alternative: Alternative, shift: float) -> None:
    rng = np.random.default_rng(11)
    d = np.rint(200 * rng.normal(shift, 1, 200))
    for labels in (None, np.repeat(np.arange(50), 4)):
        pair = of_means(np.zeros(200), d, labels=labels)
        exactly = p_of(laws.randomization_law(pair), pair.gain, alternative)
        assert laws.saddlepoint_p(pair, alternative) == pytest.approx(exactly, rel=0.02)


def test_the_saddlepoint_of_real_numbers_is_that_of_a_fine_lattice() -> None:
    rng = np.random.default_rng(12)
    real = rng.normal(0.25, 1, 300)
    fine, coarse = of_means(np.zeros(300), real), of_means(np.zeros(300), np.rint(1000 * real))
    assert laws.saddlepoint_p(fine, "two-sided") == pytest.approx(laws.saddlepoint_p(coarse, "two-sided"), rel=0.01)


def test_the_saddlepoint_keeps_to_where_it_is_near() -> None:
    rng = np.random.default_rng(13)
    few, one_giant = rng.normal(size=20), np.append(rng.normal(size=50), 1000.0)
    assert laws.saddlepoint_p(of_means(np.zeros(20), few), "two-sided") is None
    assert laws.saddlepoint_p(of_means(np.zeros(51), one_giant), "two-sided") is None
    next_to_the_edge = np.abs(rng.normal(size=100)) + 0.1
    next_to_the_edge[next_to_the_edge.argmin()] *= -1
    assert laws.saddlepoint_p(of_means(np.zeros(100), next_to_the_edge), "two-sided") is None
    edge = np.abs(few)
    assert laws.saddlepoint_p(of_means(np.zeros(20), edge), "two-sided") == 2.0**-19
    assert laws.saddlepoint_p(of_means(np.zeros(20), edge), "greater") == 2.0**-20
    assert laws.saddlepoint_p(of_means(np.zeros(20), -edge), "greater") == 1.0
    assert laws.saddlepoint_p(of_means(np.zeros(3000), np.ones(3000)), "greater") == math.ulp(0.0)
    assert laws.saddlepoint_p(of_means(np.zeros(9), np.zeros(9)), "greater") is None
    assert laws.saddlepoint_p(of_counts(counts(1, 90, 0.5), counts(2, 90, 0.6)), "greater") is None


def test_the_saddlepoint_has_a_thousand_permutations_in_its_tail_at_least() -> None:
    """Numbers of permutations as or more extreme, by the saddlepoint: 1000.6 of 32 differences, 999.0 of 31."""
    enough, too_few = (np.array([4.0] * big + [1.0] * 9 + [-1.0] * 4) for big in (19, 18))
    found = laws.saddlepoint_p(of_means(np.zeros(32), enough), "greater")
    assert found == pytest.approx(1000.64 / 2**32, rel=1e-4)
    assert laws.saddlepoint_p(of_means(np.zeros(31), too_few), "greater") is None


def test_scores_without_a_cheaper_law_are_enumerated_up_to_the_most_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numerators = [np.array([[1.0, 2.0, 0.0, 3.0]]), np.array([[2.0, 2.0, 1.0, 4.0]])]
    denominators = [np.array([[3.0, 5.0, 1.0, 7.0]]), np.array([[5.0, 3.0, 2.0, 9.0]])]
    pair = GainContrast(support.experiment(of_quotients(numerators, denominators), settings=support.settings(9)), 0, 1)
    size = math.comb(7, 3)  # how often each of four items is among four draws
    monkeypatch.setattr(exact_bootstrap, "MOST_COUNT_VECTORS", size - 1)
    assert bootstrap_law(pair) is None
    monkeypatch.setattr(exact_bootstrap, "MOST_COUNT_VECTORS", size)
    law = bootstrap_law(pair)
    assert law is not None
    gains = []
    for rows in product(range(4), repeat=4):
        one, other = (
            sum(num[0, list(rows)]) / sum(den[0, list(rows)])
            for num, den in reversed(list(zip(numerators, denominators, strict=True)))
        )
        gains.append(one - other)
    assert float(law.support @ law.mass) == pytest.approx(float(np.mean(gains)))
    assert float(law.support**2 @ law.mass) == pytest.approx(float(np.mean(np.square(gains))))


def test_the_law_of_a_ratio_is_made_as_deep_as_a_normal_tail_at_its_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gains: exp(-z²/2) times one margin, z by what an exchange moves a ratio to first order."""
    asked: list[float] = []
    cost = exact.ratio_swap_cost

    def recorded(a_num: Array, a_den: Array, b_num: Array, b_den: Array, least: float) -> int:
        asked.append(least)
        return cost(a_num, a_den, b_num, b_den, least)

    monkeypatch.setattr(exact, "ratio_swap_cost", recorded)
    expected = []
    for more in (0.0, 1.0):
        draw = np.random.default_rng(8)
        n, m = draw.integers(0, 4, (2, 1, 40)).astype(float)
        d, e = n + draw.integers(1, 5, (1, 40)), m + more + draw.integers(1, 4, (1, 40))
        law = randomization_law(
            GainContrast(support.experiment(of_quotients([n, m + more], [d, e]), settings=support.settings(9)), 0, 1)
        )
        assert law is not None
        ratio = float((n + m + more).sum() / (d + e).sum())
        moved = (m + more - n - ratio * (e - d))[0].tolist()
        expected.append(sum(moved) ** 2 / sum(v * v for v in moved) / 2)
    first, second = asked
    assert math.log(first / second) == pytest.approx(expected[1] - expected[0])
    assert abs(expected[1] - expected[0]) > 1


@pytest.mark.parametrize(("n", "found"), [(29, False), (30, True), (31, True)])
def test_a_saddlepoint_needs_thirty_items_that_differ(n: int, found: bool) -> None:
    d = np.concatenate([np.resize([1.1, 0.9, -1.0, 0.7], n), np.zeros(5)])
    p = saddlepoint_p(pairing(d[None], np.zeros((1, n + 5)), settings(99)), "greater")
    assert (p is not None) == found
    if p is not None:
        assert p == pytest.approx(float(stats.norm.sf(d.sum() / math.sqrt((d**2).sum()))), rel=0.2)


@pytest.mark.parametrize(("heaviest", "found"), [(math.sqrt(9.9), True), (math.sqrt(10.1), False)])
def test_a_saddlepoint_needs_items_none_of_which_has_a_fifth_of_the_variance(heaviest: float, found: bool) -> None:
    d = np.array([*np.resize([1.0, 1.0, 1.0, -1.0], 40), heaviest])
    assert (saddlepoint_p(pairing(d[None], np.zeros((1, 41)), settings(99)), "two-sided") is not None) == found


def test_a_gain_as_large_as_it_could_be_has_the_exact_p() -> None:
    for n in (1, 5, 40):
        pair = pairing(np.linspace(0.5, 2.0, n)[None], np.zeros((1, n)), settings(99))
        sides = {"greater": 1, "less": None, "two-sided": 2}
        for alternative in ALTERNATIVES:
            if sides[alternative]:
                expected = min(1.0, (sides[alternative] or 1) * 0.5**n)
                assert saddlepoint_p(pair, alternative) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("different", "alternative", "expected"),
    [(0, "two-sided", 1.0), (1, "two-sided", 1.0), (1, "greater", 0.5), (5, "two-sided", 1 / 16), (5, "less", 1 / 32),
     (80, "two-sided", 2.0**-79), (1100, "two-sided", 5e-324)],
)  # fmt: skip
def test_the_smallest_p_of_a_mean_is_that_of_gains_of_one_sign(
    different: int, alternative: Alternative, expected: float
) -> None:
    signs = np.where(np.arange(1200) % 2, 1.0, -1.0) * (np.arange(1200) < different)
    pair = of_means(np.zeros(1200), signs)
    law = randomization_law(pair)
    assert law is not None
    assert smallest_p(pair, law, alternative) == expected


def test_the_smallest_p_of_a_ratio_is_that_of_the_gain_that_is_farthest_out() -> None:
    a, b = counts(1, 6, 0.5), counts(2, 6, 0.8)
    pair = of_counts(a, b)
    swaps = [
        f1_gain(np.where(turn, b, a), np.where(turn, a, b))
        for turn in (np.array(turned)[:, None] for turned in product((False, True), repeat=6))
    ]
    ends: dict[Alternative, Fraction] = {"less": min(swaps), "greater": max(swaps), "two-sided": max(swaps, key=abs)}
    law = randomization_law(pair)
    assert law is not None
    for side, end in ends.items():
        assert smallest_p(pair, law, side) == pytest.approx(shares(swaps, end)[side], rel=1e-12)


def test_the_saddlepoint_sees_differences_in_any_step_and_at_any_height() -> None:
    draw = np.random.default_rng(8)
    base, gains = draw.integers(0, 50, 60).astype(float), draw.integers(-900, 1000, 60).astype(float)
    for side in ALTERNATIVES:
        p = saddlepoint_p(of_means(base, base + gains), side)
        assert p is not None and p == pytest.approx(
            p_of(randomization_law(of_means(base, base + gains)), gains.mean(), side), rel=0.02
        )
        for step, height in ((1.0, 7.0), (2.0, 0.0), (6.0, 3.0)):
            assert saddlepoint_p(of_means(base + height, base + height + step * gains), side) == pytest.approx(p)
    even = np.concatenate([gains, -gains])
    assert saddlepoint_p(of_means(np.zeros(120), even), "two-sided") == 1.0
