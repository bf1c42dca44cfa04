"""Exact laws equal their slow twins: plain loops over all relabellings, written from the definition."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine import exact
from outscore.engine.exact import DiscreteLaw, law_of
from outscore.engine.exact_bootstrap import MOST_CELLS, bootstrap_sum_cost
from outscore.engine.lattice import REFUSED

Masses = dict[Fraction, Fraction]


def law_by_counting(values: Iterable[Fraction | int]) -> Masses:
    counts: dict[Fraction, int] = defaultdict(int)
    for value in values:
        counts[Fraction(value)] += 1
    total = sum(counts.values())
    return {value: Fraction(count, total) for value, count in counts.items()}


def assert_law(law: DiscreteLaw, expected: Masses, rtol: float = 1e-12, slack: float = 1e-12) -> None:
    """The same tail from every point, in both directions, relatively; points within ``slack`` are one."""
    for point in expected:
        for exceedances, twin in (
            (law.support >= float(point) - slack, sum(m for v, m in expected.items() if v >= point)),
            (law.support <= float(point) + slack, sum(m for v, m in expected.items() if v <= point)),
        ):
            assert law.mass[exceedances].sum() == pytest.approx(float(twin), rel=rtol, abs=0)
    assert (np.diff(law.support) > 0).all()
    assert law.mass.sum() == pytest.approx(1.0, rel=1e-12)


small_integers = st.lists(st.integers(-9, 9), min_size=1, max_size=9)


@given(d=small_integers, factor=st.integers(1, 7))
def test_flip_law_is_the_law_of_all_signs(d: list[int], factor: int) -> None:
    d = [factor * v for v in d]
    twin = law_by_counting(
        sum(s * v for s, v in zip(signs, d, strict=True)) for signs in product((1, -1), repeat=len(d))
    )
    assert_law(exact.flip_law(d), twin)


@pytest.mark.parametrize("values", [[1, 2], [2, 3, 7], [5]])
def test_flip_law_keeps_relative_accuracy_at_1e_60(values: list[int]) -> None:
    d = (values * 230)[:230]
    states: dict[int, int] = {0: 1}
    for v in d:
        grown: dict[int, int] = defaultdict(int)
        for s, count in states.items():
            grown[s + v] += count
            grown[s - v] += count
        states = grown
    law = exact.flip_law(d)
    assert law.mass[-1] == pytest.approx(2.0**-230, rel=1e-12, abs=0)
    for cut in (0.3, 0.6, 0.9):
        x = cut * sum(d)
        ways = Fraction(sum(w for s, w in states.items() if s >= x), 2 ** len(d))
        assert law.mass[law.support >= x].sum() == pytest.approx(float(ways), rel=1e-12, abs=0)


def test_flip_law_of_many_items_is_affordable() -> None:
    d = np.random.default_rng(1).integers(-5, 6, 2000)
    law = exact.flip_law(d)
    assert exact.flip_cost(d) < exact.MOST_UPDATES
    assert law.sd() == pytest.approx(math.sqrt((d**2).sum()), rel=1e-10)
    assert exact.flip_cost(np.arange(1, 20_000)) > exact.MOST_UPDATES


def test_flip_law_of_a_hundred_thousand_equal_sizes() -> None:
    d = np.ones(100_000)
    law = exact.flip_law(d)
    assert law.sd() == pytest.approx(math.sqrt(d.size), rel=1e-9)
    assert exact.flip_cost(d) < exact.MOST_UPDATES / 100


@pytest.mark.parametrize("values", [[1e12, 1.0, 2.0], [2.0**53, 3.0, 4.0], [2.0**53 - 1] * 5 + [1.0, 3.0]])
def test_lattices_of_too_many_steps_are_refused_before_they_are_made(values: list[float]) -> None:
    zero = np.zeros(len(values))
    assert exact.flip_cost(values) == REFUSED
    assert exact.ratio_swap_cost(np.array(values), zero, zero, zero) == REFUSED
    assert bootstrap_sum_cost(values) > MOST_CELLS


def test_a_law_for_large_tails_is_cheaper_and_says_what_it_leaves_out() -> None:
    d = np.random.default_rng(2).integers(-50, 51, 1000)
    whole, part = exact.flip_law(d), exact.flip_law(d, least=1e-6)
    assert part.support.size < whole.support.size / 2
    assert exact.flip_cost(d, 1e-6) < exact.flip_cost(d)
    assert part.lost == pytest.approx(1e-36, rel=1e-9, abs=0)
    for z in (0.0, 2.0, 4.0):
        x = z * whole.sd()
        assert part.mass[part.support >= x].sum() == pytest.approx(whole.mass[whole.support >= x].sum(), rel=1e-13)


def test_no_difference_leaves_one_point() -> None:
    law = exact.flip_law([0, 0])
    assert (law.support.tolist(), law.mass.tolist(), exact.flip_cost([0])) == ([0.0], [1.0], 0)


@pytest.mark.parametrize("bad", [[0.5], [2.0**54]])
def test_only_integers_have_an_exact_law(bad: list[float]) -> None:
    with pytest.raises(UsageError, match="integers"):
        exact.flip_law(bad)


rows = st.integers(1, 6).flatmap(lambda n: st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=n, max_size=n))


def swapped_sums(rows: list[tuple[int, int, int, int]]) -> Iterable[tuple[int, int, int, int]]:
    """(ΣnA, ΣdA, ΣnB, ΣdB) for every swap of rows (nA, dA, nB, dB)."""
    for swaps in product((False, True), repeat=len(rows)):
        a = [(r[2:] if swap else r[:2]) for r, swap in zip(rows, swaps, strict=True)]
        b = [(r[:2] if swap else r[2:]) for r, swap in zip(rows, swaps, strict=True)]
        yield sum(x for x, _ in a), sum(y for _, y in a), sum(x for x, _ in b), sum(y for _, y in b)


def fraction(num: int, den: int) -> Fraction:
    return Fraction(num, den) if den else Fraction(0)


@given(rows=rows)
def test_ratio_laws_are_the_law_of_all_swaps(rows: list[tuple[int, int, int, int]]) -> None:
    twin = law_by_counting(fraction(a, b) - fraction(c, d) for a, b, c, d in swapped_sums(rows))
    table = np.array(rows, dtype=float)
    assert_law(exact.ratio_swap_law(*table.T), twin)
    assert_law(exact.swap_law(table[:, :2], table[:, 2:], lambda s: exact.ratio(s[..., 0], s[..., 1])), twin)


@given(rows=rows)
def test_swap_law_of_a_nonlinear_score(rows: list[tuple[int, int, int, int]]) -> None:
    twin = law_by_counting(a * a * (b + 1) - c * c * (d + 1) for a, b, c, d in swapped_sums(rows))
    table = np.array(rows, dtype=float)
    law = exact.swap_law(table[:, :2], table[:, 2:], lambda s: s[..., 0] ** 2 * (s[..., 1] + 1))
    assert_law(law, twin)


def test_swap_law_in_several_blocks_with_many_repeats() -> None:
    # 15 distinct differences cross the block size; the repeated one makes a binomial count; a tie is dropped
    a = np.array([[2.0**i] for i in range(15)] + [[0.0]] * 3 + [[5.0]])
    b = np.array([[0.0]] * 15 + [[1.0]] * 3 + [[5.0]])
    law = exact.swap_law(a, b, lambda s: s[..., 0])
    assert exact.swap_size(a, b) == 2**14 * 5
    flips = exact.flip_law((a - b).ravel())
    np.testing.assert_array_equal(law.support, flips.support)
    np.testing.assert_allclose(law.mass, flips.mass, rtol=1e-12)


def test_swap_law_of_thousands_of_equal_pairs_does_not_overflow() -> None:
    a, b = np.ones((3000, 1)), np.zeros((3000, 1))
    law = exact.swap_law(a, b, lambda s: s[..., 0])
    assert exact.swap_size(a, b) == 3001
    assert law.sd() == pytest.approx(math.sqrt(3000), rel=1e-10)


def test_costs_see_the_unit_and_equal_differences() -> None:
    d = np.random.default_rng(3).integers(1, 40, 200).astype(float)
    zero = np.zeros(200)
    assert exact.flip_cost(7 * d) == exact.flip_cost(-d) == exact.ratio_swap_cost(d, zero, zero, zero)
    assert exact.flip_cost(np.repeat(d, 2)) < 8 * exact.flip_cost(d)


@pytest.mark.parametrize(
    "least", [1e-300, pytest.param(1e-41, marks=pytest.mark.slow), pytest.param(1e-14, marks=pytest.mark.slow)]
)
def test_ratio_law_keeps_relative_accuracy_at_1e_40(least: float) -> None:
    """Against whole numbers: three kinds of differences, each relabelling of them has ∏ C(count, k) equals."""
    kinds = [(1, 0, 400), (1, 1, 300), (0, 1, 2)]
    a = np.repeat([(3 + num, 5 + den) for num, den, _ in kinds], [count for *_, count in kinds], axis=0)
    b = np.tile([3, 5], (702, 1))
    totals = (a + b).sum(axis=0)
    k = np.indices([count + 1 for *_, count in kinds]).reshape(3, -1)
    num, den = b.sum(axis=0)[0] + k[0] + k[1], b.sum(axis=0)[1] + k[1] + k[2]
    values = num / den - (totals[0] - num) / (totals[1] - den)
    combs = [[math.comb(count, i) for i in range(count + 1)] for *_, count in kinds]
    ways = [combs[0][x] * combs[1][y] * combs[2][z] for x, y, z in k.T.tolist()]
    law = exact.ratio_swap_law(a[:, 0], a[:, 1], b[:, 0], b[:, 1], least=least)
    for tail in (0.3, 1e-5, 1e-13, 1e-25, 1e-40):
        if tail < least:
            continue
        at = float(law.support[np.searchsorted(-np.cumsum(law.mass[::-1])[::-1], -tail)])
        twin = Fraction(sum(w for w, held in zip(ways, values >= at - 1e-12, strict=True) if held), 2**702)
        assert 0 < twin <= tail * 1.001
        assert law.mass[law.support >= at - 1e-12].sum() == pytest.approx(float(twin), rel=1e-12, abs=0)
    assert (law.lost == 0) == (least == 1e-300)


def test_quantile_is_the_inverse_cdf() -> None:
    law = DiscreteLaw(np.array([1.0, 2.0, 4.0]), np.array([0.1, 0.2, 0.7]))
    assert [law.quantile(q) for q in (0.05, 0.1, 0.11, 0.3, 0.31, 1.0)] == [1, 1, 2, 2, 4, 4]
    moved = law.scale(10.0, 1.0)
    assert (moved.mean(), moved.sd()) == pytest.approx((10 * law.mean() + 1, 10 * law.sd()))


def test_ratio_with_denominator_zero_is_zero() -> None:
    found: Float = exact.ratio(np.array([1.0, 3.0]), np.array([0.0, 2.0]))
    assert found.tolist() == [0.0, 1.5]


def test_a_ratio_law_leaves_out_twice_what_its_lattice_does() -> None:
    """Once beyond the lattice, and as much again in the faintest of its cells."""
    d, zero = np.random.default_rng(2).integers(-50, 51, 1000), np.zeros(1000, dtype=int)
    of_sums, of_ratios = exact.flip_law(d, least=1e-6), exact.ratio_swap_law(d, zero, zero, zero, least=1e-6)
    assert of_ratios.lost == pytest.approx(2 * of_sums.lost, rel=1e-9, abs=0)


def swapped(a: Float, b: Float, statistic: Callable[[Float], float]) -> Counter[float]:
    found: Counter[float] = Counter()
    for chosen in product((False, True), repeat=len(a)):
        sums = np.where(np.array(chosen)[:, None], b, a).sum(axis=0)
        found[round(statistic(sums), 9)] += 1
    return found


@pytest.mark.parametrize("block", [4, 2**16])
@pytest.mark.parametrize("seed", range(6))
def test_relabelled_rows_have_the_statistics_of_all_swaps(
    seed: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "_BLOCK", block)
    draw = np.random.default_rng(seed)
    a, b = draw.integers(1, 4, (2, 7, 2)).astype(float)
    a[0] = b[0]  # a row that changes nothing
    total = (a + b).sum(axis=0)

    def gain(sums: Float) -> float:
        other = total - sums
        return float(sums[..., 0] / sums[..., 1] - other[..., 0] / other[..., 1])

    def many(sums: Float) -> Float:
        other = total - sums
        found = sums[..., 0] / sums[..., 1] - other[..., 0] / other[..., 1]
        return np.where(
            np.abs(sums[..., 0] - other[..., 0]) == 1, np.inf, found * np.sqrt(sums[..., 0] * other[..., 0])
        )

    def of(sums: Float) -> float:
        return float(many(sums))

    laws = {
        "any": (exact.Swaps.of(a, b).law(many), swapped(a, b, of)),
        "gain": (exact.swap_law(a, b, lambda s: np.asarray(s[..., 0] / s[..., 1])), swapped(a, b, gain)),
        "ratio": (exact.ratio_swap_law(a[:, 0], a[:, 1], b[:, 0], b[:, 1]), swapped(a, b, gain)),
    }
    for name, (law, expected) in laws.items():
        merged: Counter[float] = Counter()
        for value, mass in zip(law.support, law.mass, strict=True):
            merged[round(float(value), 9) + 0.0] += mass * 2**7
        assert sorted(merged) == pytest.approx(sorted(expected), abs=1e-8), name
        for value in expected:
            near = value if math.isinf(value) else min(merged, key=lambda one: abs(one - value))
            assert merged[near] == pytest.approx(expected[value], rel=1e-9), name
    rows = [tuple((d if d[d != 0][0] > 0 else -d).tolist()) for d in a - b if d.any()]
    assert exact.swap_size(a, b) == math.prod(n + 1 for n in Counter(rows).values())


@pytest.mark.parametrize("unit", [1.0, 0.1, 2.0**40])
@pytest.mark.parametrize("alike", [False, True])
def test_differences_are_told_apart_whatever_their_weighted_sums(
    unit: float, alike: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole numbers, fractions, and sums beyond what is exact; also where different rows have one sum."""
    if alike:
        monkeypatch.setattr(exact, "_weights", np.ones)
    rows = np.array([[1, 0], [0, 1], [0, -1], [1, 0], [2, -1], [-2, 1], [0, 0], [1, 0]]) * unit
    assert exact.swap_size(rows, 0 * rows) == (3 + 1) * (2 + 1) * (2 + 1)
    steps = exact.Swaps.of(rows, 0 * rows).steps
    assert (steps / unit).tolist() == [[0, 1], [1, 0], [2, -1]]


@pytest.mark.parametrize("values", [[0, 5], [7, 7], [0], [1, 2, 3, 3], [1, 32], [1, 33], [0, 0, 48], [0, 0, 49]])
def test_distinct_values_are_counted_by_a_table_or_by_sorting(values: list[int]) -> None:
    found, counts = exact.distinct(np.array(values))
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == Counter(values)


def test_numbers_for_exact_laws_are_whole_and_at_most_2_53() -> None:
    assert exact.integers([2.0**53, -(2.0**53), 3.0]).tolist() == [2**53, -(2**53), 3]
    for bad in ([2.0**53 + 2], [0.5]):
        with pytest.raises(UsageError, match="integers below"):
            exact.integers(bad)


def test_a_law_has_the_moments_and_quantiles_of_its_masses() -> None:
    law = law_of(np.array([3.0, 1.0, 3.0, 7.0, 9.0]), np.array([0.25, 0.1, 0.25, 0.4, 0.0]))
    assert law.support.tolist() == [1.0, 3.0, 7.0]
    assert law.mass.tolist() == pytest.approx([0.1, 0.5, 0.4])
    assert law.mean() == pytest.approx(4.4)
    assert law.sd() == pytest.approx(math.sqrt(0.1 * 3.4**2 + 0.5 * 1.4**2 + 0.4 * 2.6**2))
    assert [law.quantile(q) for q in (0.0, 0.1, 0.1 + 5e-13, 0.1 + 5e-12, 0.6, 0.61, 1.0)] == [1, 1, 1, 3, 3, 7, 7]
    turned = law.scale(2.0, 1.0).negate()
    assert turned.support.tolist() == [-15.0, -7.0, -3.0]
    assert turned.mass.tolist() == pytest.approx([0.4, 0.5, 0.1])
    assert DiscreteLaw(law.support, law.mass, 0.25).scale(2.0).negate().lost == 0.25
