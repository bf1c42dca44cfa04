"""Confidence sequences: the fast ones beside slow twins from the definition, exact means under the null, edges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import integrate

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.significance.sequential import ConfidenceSequence, Path, decisions, marks_of
from outscore.significance.sequential.betting import SHARES, STAKES, Betting
from outscore.significance.sequential.mixture import Mixture, start

LEVEL = math.log(2 / 0.05)


def pathed(sequence: ConfidenceSequence, sums: Sequence[float], sizes: Sequence[int] | None = None) -> Path:
    return sequence.extend(np.array(sums, float), np.ones(len(sums)) if sizes is None else np.array(sizes, float))


right_or_wrong = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=60)


shares = st.lists(st.integers(-40, 40).map(lambda k: k / 40), min_size=1, max_size=60)


def bettor(
    units: Sequence[tuple[float, int]], candidate: float, reach: float, largest: int, population: int | None, side: int
) -> Iterator[float]:
    """Capital after each unit of a bettor who says that the gain is above (side 1) or below (-1) the candidate."""
    m = (side * candidate + reach) / (2 * reach)
    capitals = [float(share) for share in SHARES]
    before, taken = 0.0, 0
    for total, size in units:
        x = (side * total + size * reach) / (2 * reach)
        mean = m if population is None else (population * m - before) / (population - taken)
        for j, stake in enumerate(STAKES):
            if mean > 1e-9:
                capitals[j] *= 1 + float(stake) * (x / mean - size) / largest
        before, taken = before + x, taken + size
        yield sum(capitals)


def twin(
    units: Sequence[tuple[float, int]], *, reach: float, steps: int, largest: int = 1, population: int | None = None
) -> tuple[list[float], list[float], list[float]]:
    """Ends and log e-values of the betting sequence by plain loops over candidates; all candidates are kept."""
    ends, sure = [], [False] * len(units)  # whether the items that are left cannot bring a gain of 0 back
    for side in (1, -1):
        found = [-reach] * len(units)
        for i in range(1 - steps, steps):
            candidate = side * i * reach / steps
            crossed = False
            for t, capital in enumerate(bettor(units, candidate, reach, largest, population, side)):
                crossed = crossed or math.log(capital) >= LEVEL
                if crossed:
                    found[t] = max(found[t], side * candidate)
        if population is not None:
            gained, taken = 0.0, 0
            for t, (total, size) in enumerate(units):
                gained, taken = gained + side * total, taken + size
                least = (gained - (population - taken) * reach) / population
                found[t], sure[t] = max(found[t], least), sure[t] or least > 1e-9
        ends.append(found)
    both = zip(*(bettor(units, 0.0, reach, largest, population, side) for side in (1, -1)), strict=True)
    log_e = [math.inf if known else math.log(sum(pair) / 2) for pair, known in zip(both, sure, strict=True)]
    return ends[0], [-e for e in ends[1]], log_e


@hypothesis_settings(max_examples=25)
@given(right_or_wrong | shares, st.sampled_from([1.0, 2.5]), st.booleans())
def test_the_sequence_is_that_of_a_loop_over_all_candidates(gains: list[float], reach: float, whole: bool) -> None:
    population = len(gains) + 5 if whole else None
    path = pathed(Betting(alpha=0.05, reach=reach, marks=marks_of(None), population=population, steps=40), gains)
    low, high, log_e = twin([(g, 1) for g in gains], reach=reach, steps=40, population=population)
    np.testing.assert_allclose(path.log_e, log_e, atol=1e-9)
    # the fast one forgets candidates beyond the other end, so it is compared while both ends leave some
    kept = np.array(high) - np.array(low) > 2.5 * reach / 40
    kept &= np.logical_and.accumulate(kept)
    np.testing.assert_allclose(path.low[kept], np.array(low)[kept], atol=1e-9)
    np.testing.assert_allclose(path.high[kept], np.array(high)[kept], atol=1e-9)


@pytest.mark.parametrize("population", [None, 90])
def test_clusters_are_bets_on_their_sums(population: int | None) -> None:
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 5, 30)
    sums = [float(rng.choice([-1, 0, 1], p=[0.1, 0.4, 0.5]) * size) for size in sizes]
    sequence = Betting(alpha=0.05, reach=1.0, marks=marks_of(None), largest=4, population=population, steps=40)
    path = pathed(sequence, sums, sizes.tolist())
    low, high, log_e = twin(
        list(zip(sums, sizes.tolist(), strict=True)), reach=1.0, steps=40, largest=4, population=population
    )
    np.testing.assert_allclose(path.log_e, log_e, atol=1e-9)
    np.testing.assert_allclose(path.low, low, atol=1e-9)
    np.testing.assert_allclose(path.high, high, atol=1e-9)
    np.testing.assert_allclose(path.gain, np.cumsum(sums) / np.cumsum(sizes))


@pytest.mark.parametrize(("won", "lost"), [(8, 0), (0, 8), (9, 4), (11, 11), (3, 19)])
def test_right_or_wrong_items_give_the_beta_binomial_of_the_discordant_ones(won: int, lost: int) -> None:
    """K = ∫ (1 + λ)^won (1 - λ)^lost dλ over (0, 1): in fractions, by the binomial theorem; exact up to degree 23."""

    def integral(up: int, down: int) -> Fraction:
        return sum(
            (
                Fraction(math.comb(up, i) * math.comb(down, j) * (-1) ** j, i + j + 1)
                for i, j in product(range(up + 1), range(down + 1))
            ),
            Fraction(0),
        )

    order = [1.0] * won + [0.0] * 50 + [-1.0] * lost
    path = pathed(Betting(alpha=0.05, reach=1.0, marks=marks_of(None), steps=0), order)
    assert math.exp(path.log_e[-1]) == pytest.approx(float((integral(won, lost) + integral(lost, won)) / 2), rel=1e-9)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_no_capital_is_won_on_average_under_the_null(share: float) -> None:
    # all 3^7 outcomes of seven items that are won and lost with equal chances: the mean capital is 1 exactly
    mean = np.zeros(2)
    for outcome in product((-1.0, 0.0, 1.0), repeat=7):
        chance = math.prod(share / 2 if d else 1 - share for d in outcome)
        for k, side in enumerate((1, -1)):
            mean[k] += chance * list(bettor([(d, 1) for d in outcome], 0.0, 1.0, 1, None, side))[-1]
    np.testing.assert_allclose(mean, 1.0, atol=1e-12)


@pytest.mark.parametrize("gains", [(1.0, 1.0, -1.0, 0.0, 0.0, -1.0), (0.5, -0.25, 0.25, 1.0, 0.0, -0.3)])
def test_no_capital_is_won_on_average_against_the_gain_of_the_whole_set(gains: tuple[float, ...]) -> None:
    # all 720 orders of a test set of six items, drawn without replacement
    truth = sum(gains) / 6
    for side in (1, -1):
        capitals = [list(bettor([(g, 1) for g in order], truth, 1.0, 1, 6, side)) for order in permutations(gains)]
        assert (np.mean(capitals, axis=0) <= 1 + 1e-12).all()
        np.testing.assert_allclose(np.mean(capitals, axis=0)[:4], 1.0, atol=1e-12)


@pytest.mark.parametrize("make", [{"bounds": (0, 1)}, {"bounds": (0, 1), "population": 900}, {"method": "mixture"}])
def test_one_by_one_is_the_same_as_all_at_once(make: dict[str, tuple[int, int] | int | str]) -> None:
    rng = np.random.default_rng(8)
    gains = rng.choice([-1.0, 0.0, 1.0], 800, p=[0.1, 0.7, 0.2])
    whole = start(margin=0.05, **make).extend(gains, np.ones(800))  # type: ignore[arg-type]
    running = start(margin=0.05, **make)  # type: ignore[arg-type]
    parts = [running.extend(part, np.ones(len(part))) for part in np.split(gains, [1, 2, 3, 10, 211, 212, 640])]
    joined = Path.joined(parts)
    for name in Path.__dataclass_fields__:
        np.testing.assert_allclose(getattr(joined, name), getattr(whole, name), atol=1e-9)
    assert decisions(joined) == decisions(whole)


def test_the_interval_never_grows_and_agrees_with_the_decisions() -> None:
    rng = np.random.default_rng(4)
    gains = rng.choice([-1.0, 0.0, 1.0], 6000, p=[0.05, 0.85, 0.1])
    path = start(margin=0.1).extend(gains, np.ones(6000))
    assert (np.diff(path.low) >= 0).all()
    assert (np.diff(path.high) <= 0).all()
    for column, mark in enumerate((0.0, -0.1, 0.1)):
        np.testing.assert_array_equal(path.above[:, column], path.low >= mark)
        np.testing.assert_array_equal(path.below[:, column], path.high <= mark)
    # p, the inverse of the largest e-value so far, is at most alpha exactly where 0 is excluded
    p = 1 / np.exp(np.maximum.accumulate(path.log_e))
    np.testing.assert_array_equal(p <= 0.05, path.above[:, 0] | path.below[:, 0])


@pytest.mark.parametrize(
    "make", [{}, pytest.param({"population": True}, marks=pytest.mark.slow), {"method": "mixture"}]
)
@pytest.mark.parametrize("margin", [pytest.param(None, marks=pytest.mark.slow), 0.05])
@pytest.mark.parametrize("n", [500, pytest.param(1500, marks=pytest.mark.slow)])
def test_a_gain_that_turns_round_leaves_a_sequence_with_its_ends_in_order(
    make: dict[str, int | str], margin: float | None, n: int
) -> None:
    rng = np.random.default_rng(0)
    won, lost = rng.choice([-1.0, 0.0, 1.0], n, p=[0.05, 0.7, 0.25]), rng.choice([-1.0, 0.0], 4 * n, p=[0.3, 0.7])
    gains = np.concatenate([won, lost])
    options = make | ({"population": 16 * n // 3} if "population" in make else {})
    whole, running = (start(margin=margin, **options) for _ in range(2))  # type: ignore[arg-type]
    path = whole.extend(gains, np.ones(5 * n))
    assert (path.low <= path.high).all()
    assert path.above[-1, 0] and not path.below[:, 0].any()  # what was decided stays decided
    parts = [
        running.extend(part, np.ones(len(part)))
        for part in np.split(gains, [2 * n // 3, 2 * n, 2 * n + 1, 10 * n // 3])
    ]
    for name in Path.__dataclass_fields__:
        np.testing.assert_allclose(np.concatenate([getattr(p, name) for p in parts]), getattr(path, name), atol=1e-9)


def test_the_gain_so_far_is_never_excluded_by_what_is_known_at_the_time() -> None:
    """At the mean of all items neither side has won anything, by Jensen's inequality: marks lie on one side of it."""
    rng = np.random.default_rng(5)
    for reach, size in product((1.0, 2.5), (1, 3)):
        sizes = rng.integers(1, size + 1, 40)
        units = [(float(rng.uniform(-reach, reach) * s), int(s)) for s in sizes]
        mean = sum(total for total, _ in units) / int(sizes.sum())
        for side in (1, -1):
            assert list(bettor(units, mean, reach, size, None, side))[-1] <= 1 + 1e-12


def test_decisions_come_in_their_order() -> None:
    path = Path(
        gain=np.zeros(5),
        low=np.zeros(5),
        high=np.zeros(5),
        log_e=np.zeros(5),
        above=np.array([[0, 0, 0], [0, 1, 0], [0, 1, 0], [1, 1, 0], [0, 0, 0]], bool),
        below=np.array([[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 1], [1, 0, 1]], bool),
    )
    assert decisions(path) == ["undecided", "not-worse", "equivalent", "better", "worse"]


def test_identical_systems_bring_no_evidence_and_become_equivalent() -> None:
    path = start(margin=0.02).extend(np.zeros(2000), np.ones(2000))
    assert (path.log_e <= 0).all()
    assert decisions(path)[-1] == "equivalent"
    assert decisions(start().extend(np.zeros(2000), np.ones(2000)))[-1] == "undecided"


def test_a_whole_test_set_closes_at_its_own_gain() -> None:
    gains = np.random.default_rng(2).choice([-1.0, 0.0, 1.0], 300, p=[0.1, 0.75, 0.15])
    path = start(population=300).extend(gains, np.ones(300))
    assert path.low[-1] == path.high[-1] == pytest.approx(gains.mean())
    assert ((path.low <= gains.mean() + 1e-12) & (path.high >= gains.mean() - 1e-12)).all()
    # what is left cannot undo it: 151 items won of 300
    early = start(population=300).extend(np.ones(151), np.ones(151))
    assert early.low[-1] >= 2 / 300


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_capital_of_exactly_what_the_level_asks_is_enough(sign: float) -> None:
    """Of k wins the capitals are (2^(k+1) - 1)/(k + 1) and 1/(k + 1), of seven together 32: 2/alpha at a sixteenth."""
    path = Betting(alpha=1 / 16, reach=1.0, marks=marks_of(None), steps=0).extend(np.full(9, sign), np.ones(9))
    assert path.log_e == pytest.approx([math.log(2 ** (k + 1) / (k + 1) / 2) for k in range(1, 10)])
    excluded = path.above if sign > 0 else path.below
    assert excluded[:, 0].tolist() == [False] * 6 + [True] * 3


def test_ends_are_read_off_after_each_of_the_first_units_and_then_less_often() -> None:
    """Whenever 1/200 more units have come, one at least: from 400 on every second one, from 600 on every third."""
    path = Betting(alpha=0.05, reach=1.0, marks=marks_of(None)).extend(np.tile([1.0, 1.0, 0.0, 1.0], 175), np.ones(700))
    looks = [1]
    while looks[-1] < 700:
        looks.append(looks[-1] + max(1, looks[-1] // 200))
    moved = (np.flatnonzero(np.diff(path.low)) + 2).tolist()
    assert set(moved) < set(looks)
    assert sum(unit > 401 for unit in moved) > 20


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


@pytest.mark.parametrize(("first", "last"), [(-0.975, 40), (-1.0, 38), (-0.98, 100)])
def test_one_item_rules_out_what_its_bets_do(first: float, last: int) -> None:
    # a bet of all stakes on more than m gains 1 + (1/m - 1)/2, which is 40 from m = 1/79 on
    path = Betting(alpha=0.05, reach=1.0, marks=marks_of(None), steps=last).extend(np.ones(1), np.ones(1))
    candidates = [g for g in (i / last for i in range(1 - last, last)) if (g + 1) / 2 <= 1 / 79]
    assert max(candidates, default=-1.0) == pytest.approx(first)
    assert (path.low[0], path.high[0]) == pytest.approx((first, 1.0))
    lost = Betting(alpha=0.05, reach=1.0, marks=marks_of(None), steps=last).extend(-np.ones(1), np.ones(1))
    assert (lost.low[0], lost.high[0]) == pytest.approx((-1.0, -first))


@pytest.mark.parametrize("reach", [1e-6, 1.0, 1e6])
def test_sums_of_decimals_do_not_pass_a_mark_by_rounding(reach: float) -> None:
    # all items of the whole set are seen: the gain is 0.1 of the reach, which is the margin, and not above it
    d = reach * np.array([0.3, -0.1, 0.1, 0.1, 0.1])
    path = Betting(alpha=0.05, reach=reach, marks=marks_of(0.1 * reach), population=5).extend(d, np.ones(5))
    assert path.above[-1].tolist() == [True, True, False] and not path.below[-1].any()
    more = Betting(alpha=0.05, reach=reach, marks=marks_of(0.0999 * reach), population=5).extend(d, np.ones(5))
    assert more.above[-1].tolist() == [True, True, True]


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
    assert bool(np.isfinite(path.low[-1])) == bool(path.log_e.any()) == started


def test_a_mark_at_the_end_of_a_normal_mixture_is_not_excluded() -> None:
    d, ones = np.random.default_rng(3).normal(0.3, 1.0, 150), np.ones(150)
    first = Mixture(alpha=0.05, marks=marks_of(None)).extend(d, ones)
    low, high = float(first.low[-1]), float(first.high[-1])
    marks = np.array([0.0, low, low - 1e-9, high, high + 1e-9])
    found = Mixture(alpha=0.05, marks=marks).extend(d, ones)
    assert found.above[-1, 1:3].tolist() == [False, True]
    assert found.below[-1, 3:].tolist() == [False, True]


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": 0.0},
        {"alpha": 1.0},
        {"bounds": (1.0, 0.0)},
        {"bounds": (0.1, 0.1)},
        {"bounds": (0.0, math.inf)},
        {"margin": 0.0},
        {"margin": 1.0},
        {"method": "other"},
        {"method": "betting", "bounds": None},
        {"bounds": None},
        {"bounds": None, "population": 100},
        {"population": 0},
        {"largest": 0},
    ],
)
def test_impossible_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        start(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"margin": 0.999},
        {"margin": 0.001},
        {"bounds": (0.0, 0.1)},
        {"largest": 1},
        {"population": 1},
        {"alpha": 0.999},
        {"alpha": 0.001},
    ],
)
def test_options_just_within_their_ends_are_taken(options: dict[str, object]) -> None:
    assert start(**options) is not None  # type: ignore[arg-type]
