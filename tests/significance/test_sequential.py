"""Confidence sequences: the fast ones beside slow twins from the definition, exact means under the null, edges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outscore.base.errors import UsageError
from outscore.significance.sequential import ConfidenceSequence, Path, decisions, marks_of
from outscore.significance.sequential.betting import SHARES, STAKES, Betting
from outscore.significance.sequential.mixture import START, Mixture
from outscore.significance.sequential.start import start

LEVEL = math.log(2 / 0.05)


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
    ends = []
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
                found[t] = max(found[t], (gained - (population - taken) * reach) / population)
        ends.append(found)
    both = zip(*(bettor(units, 0.0, reach, largest, population, side) for side in (1, -1)), strict=True)
    return ends[0], [-e for e in ends[1]], [math.log(sum(pair) / 2) for pair in both]


def pathed(sequence: ConfidenceSequence, sums: Sequence[float], sizes: Sequence[int] | None = None) -> Path:
    return sequence.extend(np.array(sums, float), np.ones(len(sums)) if sizes is None else np.array(sizes, float))


right_or_wrong = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=60)
shares = st.lists(st.integers(-40, 40).map(lambda k: k / 40), min_size=1, max_size=60)


@settings(max_examples=25)
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
    for name in Path.__dataclass_fields__:
        np.testing.assert_allclose(np.concatenate([getattr(p, name) for p in parts]), getattr(whole, name), atol=1e-9)


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


@pytest.mark.parametrize("make", [{}, {"population": True}, {"method": "mixture"}])
@pytest.mark.parametrize("margin", [None, 0.05])
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


def test_the_mixture_is_its_formula() -> None:
    gains = np.random.default_rng(6).normal(0.1, 1.0, 250)
    path = pathed(Mixture(alpha=0.05, marks=marks_of(None)), gains.tolist())
    rho2 = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05)) + 1) / 500
    low, high = -math.inf, math.inf
    for t in range(1, 251):
        if t >= START:
            mean, sd = float(np.mean(gains[:t])), float(np.std(gains[:t]))
            half = sd * math.sqrt(2 * (t * rho2 + 1) / (t * t * rho2) * math.log(math.sqrt(t * rho2 + 1) / 0.05))
            low, high = max(low, mean - half), min(high, mean + half)
            e = math.exp(t * t * rho2 * mean**2 / sd**2 / (2 * (t * rho2 + 1))) / math.sqrt(t * rho2 + 1)
            assert math.exp(path.log_e[t - 1]) == pytest.approx(e)
        assert path.low[t - 1] == pytest.approx(low)
        assert path.high[t - 1] == pytest.approx(high)


def test_the_mixture_of_clusters_is_that_of_a_ratio() -> None:
    rng = np.random.default_rng(9)
    sizes = rng.integers(1, 6, 200).astype(float)
    sums = sizes * rng.normal(0.2, 1.0, 200)
    path = Mixture(alpha=0.05, marks=marks_of(None)).extend(sums, sizes)
    ratio = sums.sum() / sizes.sum()
    sd = math.sqrt(np.mean((sums - ratio * sizes) ** 2)) / sizes.mean()
    alone = Mixture(alpha=0.05, marks=marks_of(None))
    scaled = alone.extend(np.resize([ratio - sd, ratio + sd], 200), np.ones(200))
    assert path.gain[-1] == pytest.approx(ratio)
    assert path.log_e[-1] == pytest.approx(scaled.log_e[-1])


def test_the_mixture_waits_where_nothing_varies() -> None:
    path = pathed(Mixture(alpha=0.05, marks=marks_of(None)), [0.25] * 150)
    assert np.isinf(path.low).all()
    assert (path.log_e == 0).all()


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": 0.0},
        {"alpha": 1.0},
        {"bounds": (1.0, 0.0)},
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
