"""The gain of relabelled test sets in its own standard error, beside formulas with the gradient written out.

Most scores are x y / z of three sums, whose gradient is known: (y/z, x/z, -x y/z²).
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from outscore.base.arrays import Bool, Float
from outscore.engine.design import Design
from outscore.engine.extreme import Alternative
from outscore.metrics import Averaged
from outscore.significance.gain import GainContrast
from outscore.significance.statistics import Statistics
from outscore.significance.studentized_sums import StudentizedSums
from tests.laws.support import corpus_stats, experiment, ratio_stats, settings
from tests.significance.test_studentized import root, slopes, whole_counts
from tests.significance.test_studentized_randomization import t_of_root


def product_over(sums: Float) -> Float:
    return np.asarray(sums[..., 0] * sums[..., 1] / sums[..., 2])


def rows(seed: int, n: int, spread: int = 4) -> tuple[Float, Float]:
    """Statistics of two systems ``(n, 3)``, whole numbers above 0."""
    draw = np.random.default_rng(seed)
    a, b = (draw.integers(2, 2 + spread, (n, 3)).astype(float) for _ in range(2))
    return a, b


def slope(sums: Float) -> Float:
    x, y, z = sums
    return np.array([y / z, x / z, -x * y / z**2])


def t_by_formula(a: Float, b: Float) -> float:
    """The gain over the root of Σ (D - D̄)², D = g·a - h·b."""
    first, second = a.sum(axis=0), b.sum(axis=0)
    adds = a @ slope(first) - b @ slope(second)
    error = math.sqrt(sum((d - adds.mean()) ** 2 for d in adds))
    gain = float(product_over(first) - product_over(second))
    return gain / error if error > 1e-7 else math.copysign(math.inf, gain) if abs(gain) > 1e-9 else 0.0


@pytest.mark.parametrize("lower", [False, True])
def test_a_lower_score_is_a_gain_where_less_is_better(lower: bool) -> None:
    a, b = rows(5, 9)
    score = (lambda sums: -product_over(sums)) if lower else product_over
    pair = GainContrast(experiment(corpus_stats([b[None], a[None]], score), settings=settings(99)), 0, 1)
    assert pair.studentized_sums.t == pytest.approx((-1 if lower else 1) * t_by_formula(a, b), rel=1e-6)


def relabelled_sets(a: Float, b: Float) -> list[tuple[Float, Float]]:
    """All exchanges of the units, those that are the same in both too."""
    kept = [np.array(moved)[:, None] for moved in product([False, True], repeat=len(a))]
    return [(np.where(moved, b, a), np.where(moved, a, b)) for moved in kept]


@pytest.mark.parametrize(("seed", "side"), [(0, "two-sided"), (1, "greater"), (2, "less"), (3, "two-sided")])
def test_the_law_is_that_of_all_relabelled_sets(seed: int, side: Alternative) -> None:
    """Also with units that are the same in both systems, which no exchange moves."""
    a, b = rows(seed, 7)
    a[2] = b[2]
    a[5], b[5] = a[5] + 3, a[5] + 3
    law = StudentizedSums(a, b, product_over).law(side)
    assert law is not None
    found = np.repeat(law.support, np.rint(law.mass * 2**7).astype(int))
    expected = sorted(t_by_formula(*both) for both in relabelled_sets(a, b))
    np.testing.assert_allclose(np.sort(found), expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_a_set_with_a_gain_and_no_spread_counts_against_the_alternative(side: Alternative) -> None:
    """Three units that are all alike: with all or none exchanged every unit adds the same, else they differ."""
    a, b = np.tile([3.0, 2.0, 4.0], (3, 1)), np.tile([2.0, 1.0, 4.0], (3, 1))
    law = StudentizedSums(a, b, product_over).law(side)
    assert law is not None
    unbounded = law.support[np.isinf(law.support)]
    assert unbounded.tolist() == ([-math.inf] if side == "less" else [math.inf])
    assert law.mass[np.isinf(law.support)].sum() == pytest.approx(2 / 8)
    assert StudentizedSums(a, b, product_over).t == math.inf
    assert StudentizedSums(b, a, product_over).t == -math.inf


def test_systems_that_score_alike_and_do_not_vary_have_t_zero() -> None:
    """Each unit of the one is that of the other with two columns exchanged, which the product does not see."""
    a, b = np.tile([3.0, 2.0, 4.0], (4, 1)), np.tile([2.0, 3.0, 4.0], (4, 1))
    assert StudentizedSums(a, b, product_over).t == 0.0


@pytest.mark.parametrize("higher", [True, False])
def test_the_two_sums_of_a_ratio_have_its_score(higher: bool) -> None:
    """Statistics in halves, a denominator in thirds of them, a score in hundredths."""
    draw = np.random.default_rng(6)
    a, b = (draw.integers(1, 9, (2, 8, 2)) * [0.5, 0.25] for _ in range(2))
    weights = np.array([1.0, 0.0]), np.array([1.0, 3.0])

    def score(sums: Float) -> Float:
        return np.asarray(100 * sums[..., 0] / (sums[..., 0] + 3 * sums[..., 1]))

    stats = Statistics("share", [b, a], score, Design(8), higher_is_better=higher, ratio=(*weights, 100.0))
    held = StudentizedSums.of(stats, 1, 0)
    assert held.a.shape == (8, 2)
    assert (held.a == np.rint(held.a)).all()
    by_system = [held.score(rows.sum(axis=0)) for rows in (held.a, held.b)]
    summed = [score(rows.sum(axis=0).sum(axis=0)) * (1 if higher else -1) for rows in (a, b)]
    assert by_system == pytest.approx(summed)


def test_a_gain_that_no_relabelled_set_can_show_has_no_threshold() -> None:
    a, b = np.tile([3.0, 2.0, 4.0], (5, 1)), np.tile([2.0, 1.0, 4.0], (5, 1))
    assert StudentizedSums(a, b, product_over).threshold == math.inf
    assert StudentizedSums(b, a, product_over).threshold == -math.inf


@pytest.mark.parametrize(
    ("units", "columns", "follows"),
    [(20, 3, False), (20, 4, True), (19, 4, False), (19, 24, False), (19, 25, True), (40, 4, True)],
)
def test_errors_follow_from_gains_with_many_columns_and_units_of_equal_weight(
    units: int, columns: int, follows: bool
) -> None:
    """Every unit moves the score by as much: the participation ratio of their squared moves is their number."""
    b = np.tile(np.arange(2.0, 2.0 + columns), (units, 1))
    a = b.copy()
    a[:, 0] += np.where(np.arange(units) % 2, 1.0, -1.0)
    assert StudentizedSums(a, b, lambda sums: sums[..., 0]).follows is follows


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_drawn_sets_follow_the_law(side: Alternative) -> None:
    # false alarm: 6e-5 for the counted tail at four deviations
    a, b = rows(11, 9)
    held = StudentizedSums(a, b, product_over)
    all_t = np.array([t_by_formula(*both) for both in relabelled_sets(a, b)])
    drawn = held.draw(settings(20_000, 3).sampling, side).series(0)
    counted = drawn.count_as_extreme(0, 1, side, positive=held.t >= 0)
    expected = {
        "two-sided": np.abs(all_t) >= abs(held.t) - 1e-6,
        "greater": all_t >= held.t - 1e-6,
        "less": all_t <= held.t + 1e-6,
    }[side].mean()
    assert counted.total / counted.drawn == pytest.approx(expected, abs=4 * math.sqrt(0.25 / 20_000))


def test_equal_t_may_differ_by_the_errors_of_their_gradients() -> None:
    a, b = rows(0, 9)
    small, large = StudentizedSums(*rows(3, 9), product_over), StudentizedSums(a + 5, b, product_over)
    assert abs(small.t) < 1 < large.t
    assert small.slack == pytest.approx(1e-8, rel=1e-12)
    assert large.slack == pytest.approx(1e-8 * large.t, rel=1e-12)
    assert StudentizedSums(large.b, large.a, product_over).slack == pytest.approx(large.slack)
    still = StudentizedSums(np.tile([3.0, 2.0, 4.0], (3, 1)), np.tile([2.0, 1.0, 4.0], (3, 1)), product_over)
    assert still.slack == 0.0


@pytest.mark.parametrize(("units", "known"), [(19, True), (20, False)])
def test_sets_are_enumerated_up_to_a_number_that_falls_with_squared_columns(units: int, known: bool) -> None:
    """Three columns: 2^23 / 9 sets are between 2^19 and 2^20."""
    assert (StudentizedSums(*rows(3, units, 30), product_over).law("two-sided") is not None) is known


@pytest.mark.parametrize("signed", [0, 1])
def test_a_column_with_negative_numbers_is_no_count_whichever_system_has_them(signed: int) -> None:
    """Its sum is 0 here, where a sum of counts would have no derivative; the score is the column itself."""
    given = [np.array([[2.0], [1.0], [4.0]]), np.array([[1.0], [2.0], [1.0]])]
    given[signed] = np.array([[1.0], [-3.0], [2.0]])
    a, b = given
    d = (a - b)[:, 0]
    expected = d.sum() / math.sqrt(((d - d.mean()) ** 2).sum())
    assert StudentizedSums(a, b, lambda sums: sums[..., 0]).t == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_the_gain_with_the_same_t_follows_from_how_errors_grow_with_gains(seed: int) -> None:
    a, b = whole_counts(24, seed, seed % 2)
    p, q = a + b, a - b
    both = p.sum(axis=0)
    moves = q @ slopes(both / 2)
    v = float((moves**2).sum())
    far = 2 * math.sqrt(v)
    tilt = np.clip(far * moves / v, -1, 1)
    first = (both + (tilt[:, None] * q).sum(axis=0)) / 2
    g, h = slopes(first), slopes(both - first)
    # over w = 1 or -1 with mean tilt, 2 D = fixed + w moved
    fixed, moved = p @ (g - h), q @ (g + h)
    mean_square = sum(
        (1 + t) / 2 * ((f + m) / 2) ** 2 + (1 - t) / 2 * ((f - m) / 2) ** 2
        for t, f, m in zip(tilt, fixed, moved, strict=True)
    )
    drift = float(g @ first - h @ (both - first))
    c = (mean_square - drift**2 / 24 - v) / far**2
    gain, error = t_of_root(a, b)
    t = gain / error
    held = StudentizedSums(a, b, root)
    assert held.threshold == pytest.approx(t * math.sqrt(v / (1 - c * t**2)), rel=1e-5)
    # x with x / sqrt(v + c x²) = t
    x = held.threshold
    assert x / math.sqrt(v + c * x * x) == pytest.approx(t, rel=1e-5)


def of_quotients(numerators: list[Float], denominators: list[Float]) -> Statistics:
    """A quotient of sums; each system ``(runs, items)``."""
    return ratio_stats([np.stack(pair, axis=-1) for pair in zip(numerators, denominators, strict=True)])


@pytest.mark.parametrize("unit", [0.25, 1.0])
def test_relabelled_ratios_are_quotients_of_the_sums_on_any_grid(unit: float) -> None:
    numerators = [np.array([[1.0, 2.0, 0.0, 3.0]]), np.array([[2.0, 2.0, 1.0, 3.0]])]
    denominators = [unit * np.array([[3.0, 5.0, 1.0, 7.0]]), unit * np.array([[5.0, 3.0, 2.0, 9.0]])]
    held = StudentizedSums.of(of_quotients(numerators, denominators), 1, 0)
    for swapped in product([False, True], repeat=4):
        first = np.where(np.array(swapped)[:, None], held.b, held.a).sum(axis=0)
        sides = [[numerators[1 - s][0, i] for i, s in enumerate(swapped)]]
        sides.append([denominators[1 - s][0, i] for i, s in enumerate(swapped)])
        assert float(held.score(first)) == pytest.approx(sum(sides[0]) / sum(sides[1]))


def test_a_set_with_neither_gain_nor_error_shows_no_gain() -> None:
    def score(sums: Float) -> Float:
        return np.asarray(np.sqrt(sums[..., 0]) * sums[..., 1] / 10)

    # with one of the first two exchanged both systems have the same sums, and no unit moves the score there
    a, b = np.array([[6.0, 3.0], [6.0, 3.0], [4.0, 4.0]]), np.array([[2.0, 5.0], [2.0, 5.0], [4.0, 4.0]])
    for one, other in ((a, b), (b, a)):
        held = StudentizedSums(one, other, score)
        for side in ("two-sided", "greater", "less"):
            law = held.law(side)
            assert law is not None
            t = abs(held.t)
            assert 0 < t < math.inf
            assert law.support == pytest.approx([-t, 0.0, t], abs=1e-7) and law.mass == pytest.approx([0.25, 0.5, 0.25])


@pytest.mark.parametrize(("equal", "follows"), [(19, False), (20, True), (25, True)])
def test_units_of_equal_weight_are_counted_by_their_squares(equal: int, follows: bool) -> None:
    def score(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums.sum(axis=-1))

    b = np.ones((equal + 7, 4))
    a = b.copy()
    a[:equal:2, 0], a[1:equal:2, 0] = 2.0, 0.0
    assert StudentizedSums(a, b, score).follows == follows
    assert not StudentizedSums(a[:, :3], b[:, :3], score).follows
    heavy = a.copy()
    heavy[0, 0] = 9.0  # one that outweighs the others
    assert not StudentizedSums(heavy, b, score).follows


def test_units_that_all_have_the_ratio_of_their_system_add_rounding_alone() -> None:
    """No unit moves either ratio, 1/3 and 1/4, but for rounding; both systems pass through sums of equal weight."""
    c, d = np.array([4.0, 5.0, 5.0, 5.0, 5.0]), np.array([5.0, 1.0, 1.0, 1.0, 1.0])
    a, b = np.stack([c, 3 * c], axis=1), np.stack([d, 4 * d], axis=1)
    for one, other, t in ((a, b, math.inf), (b, a, -math.inf)):
        assert StudentizedSums(one, other, lambda sums: sums[..., 0] / sums[..., 1], np.ones(1)).t == t


@pytest.mark.parametrize("present", [None, np.array([True, False, True])])
def test_a_mean_of_ratios_has_the_law_of_any_other_score(present: Bool | None) -> None:
    """Macro F1 of three classes by its known gradient beside the same score by numerical ones."""
    draw = np.random.default_rng(8)
    shares = [0.4, 0.2, 0.2, 0.2]
    counts = [draw.multinomial(1, shares, (60, 3))[..., :3].reshape(60, 9).astype(np.float64) for _ in range(2)]
    for one in counts:
        one[9:] = counts[0][9:]  # nine items differ: few enough for the law
    f1 = Averaged(np.array([2.0, 0.0, 0.0]), np.array([2.0, 1.0, 1.0]), np.ones(3), scale=100.0, present=present)
    laws = []
    for averaged in (f1, None):
        stats = Statistics("F1", [one[None] for one in counts], f1.score, Design(60), averaged=averaged)
        held = StudentizedSums.of(stats, 1, 0)
        law = held.law("two-sided")
        assert law is not None
        laws.append((held.t, law.support, law.mass))
    assert laws[0][0] == pytest.approx(laws[1][0], rel=1e-7)
    for known, numerical in zip(*laws, strict=True):
        assert np.shape(known) == np.shape(numerical)
        np.testing.assert_allclose(known, numerical, rtol=1e-6, atol=1e-7)


def test_permutations_are_counted_whole_before_they_are_enumerated() -> None:
    """Every tenth unit alone would have two million permutations, all have 10¹¹."""
    counts = (22, 15, 11, 7, 5, 4)
    kinds = np.repeat(np.arange(1.0, len(counts) + 1), [10 * c for c in counts])
    a, b = np.stack([kinds, kinds + 9], axis=1), np.stack([0 * kinds, kinds + 9], axis=1)
    assert StudentizedSums(a, b, lambda sums: sums[..., 0] / sums[..., 1], np.ones(1)).law("two-sided") is None
