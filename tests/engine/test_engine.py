"""The engine: laws of the weights, exact sums, and every fast path beside its slow twin.

Chi-square tests of random weights have a false-alarm rate of 1e-6; their seeds are fixed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Float, Int, ScoreFunction
from outscore.base.errors import UsageError
from outscore.base.rng import stream
from outscore.engine import extreme
from outscore.engine.bootstrap import bootstrap
from outscore.engine.collapse import collapse
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.lattice import lattice
from outscore.engine.permutation import randomize
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling
from outscore.engine.weights import ATOM, bootstrap_counts, multinomial_counts, swaps
from outscore.significance.settings import Settings
from outscore.significance.studentized import resample_with_errors

RARE = 1e-6
SERIAL = Runtime()
RNG = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def same_numbers_in_any_order() -> None:
    """Every test draws the same numbers, whatever ran before it in the same process."""
    RNG.bit_generator.state = np.random.default_rng(7).bit_generator.state


def redrawn(rows: Float, score: ScoreFunction, resamples: int, seed: int) -> Float:
    """Scores ``(m, b)`` of independent resamples, from sums ``(b, k)``."""
    sampling = Sampling(resamples, seed, SERIAL, "iid")
    return bootstrap([rows], lambda sums: score(next(sums)), Design(len(rows)), sampling, Accumulator.nothing()).values


def relabelled(differences: Float, resamples: int, seed: int) -> Float:
    """What moves from the second system to the first ``(k, b)``, independent relabellings."""
    groups = [np.zeros_like(differences), differences]
    sampling = Sampling(resamples, seed, SERIAL, "iid")
    return randomize(groups, lambda sums: list(sums)[1].T, sampling, Accumulator.nothing()).values


def drawn(n: int, resamples: int = 8000, seed: int = 3) -> Float:
    return np.concatenate([bootstrap_counts(n, seed, atom) for atom in range(resamples // ATOM)])


# --- random streams -------------------------------------------------------------------------------------------------


def test_seed_zero_is_a_seed_like_any_other() -> None:
    zero, again, one = (stream(seed, "bootstrap").random(8).tolist() for seed in (0, 0, 1))
    assert zero == again != one


def test_streams_of_other_purposes_and_blocks_are_other_streams() -> None:
    found = {tuple(stream(5, purpose, block).random(4)) for purpose in ("bootstrap", "multeval") for block in (0, 1, 2)}
    assert len(found) == 6


# --- weights --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 7, 300])
def test_bootstrap_weights_are_counts_of_n_draws(n: int) -> None:
    weights = drawn(n, 160)
    assert weights.shape == (160, n)
    assert (weights >= 0).all()
    np.testing.assert_array_equal(weights, np.rint(weights))
    np.testing.assert_array_equal(weights.sum(axis=1), n)


def test_bootstrap_weights_of_three_items_have_the_multinomial_law() -> None:
    # chi-square over all 10 outcomes; false alarm 1e-6
    weights = drawn(3)
    cells = [c for c in itertools.product(range(4), repeat=3) if sum(c) == 3]
    expected = [len(weights) * math.factorial(3) / math.prod(map(math.factorial, c)) / 27 for c in cells]
    observed = [int((weights == c).all(axis=1).sum()) for c in cells]
    assert stats.chisquare(observed, expected).pvalue > RARE


def test_bootstrap_weights_have_mean_one_and_multinomial_covariances() -> None:
    # z-scores of all means, variances 1 - 1/n and covariances -1/n; 25 + 25 + 300 normal numbers, false alarm 1e-6
    n, resamples = 25, 16_000
    centred = drawn(n, resamples) - 1.0
    means = centred.mean(axis=0) * math.sqrt(resamples / (1 - 1 / n))
    products = centred[:, :, None] * centred[:, None, :]
    expected = np.eye(n) - 1 / n
    scores = (products.mean(axis=0) - expected) / (products.std(axis=0) / math.sqrt(resamples))
    bound = float(stats.norm.isf(RARE / 2 / 400))
    assert np.abs(means).max() < bound
    assert np.abs(scores[np.triu_indices(n)]).max() < bound


def test_weights_of_equal_rows_have_the_law_of_their_sums() -> None:
    # multiplicities 1, 3, 6: both ways against the multinomial law over all 66 outcomes; false alarms 2e-6
    counts = np.array([1, 3, 6])
    resamples = 16_000
    collapsed = np.concatenate([multinomial_counts(counts, 4, atom) for atom in range(resamples // ATOM)])
    whole = np.add.reduceat(drawn(10, resamples, seed=9), [0, 1, 4], axis=1)
    cells = np.array([c for c in itertools.product(range(11), repeat=3) if sum(c) == 10])
    chances = stats.multinomial(10, counts / 10).pmf(cells)
    for weights in (collapsed, whole):
        np.testing.assert_array_equal(weights.sum(axis=1), 10)
        observed = np.array([int((weights == c).all(axis=1).sum()) for c in cells])
        common = chances * resamples >= 5
        pooled = [*observed[common], observed[~common].sum()], [*chances[common], chances[~common].sum()]
        assert stats.chisquare(pooled[0], np.array(pooled[1]) * resamples).pvalue > RARE


def test_large_test_sets_can_draw_every_item() -> None:
    weights = bootstrap_counts(70_000, 1, 0)
    assert weights.shape == (ATOM, 70_000)
    np.testing.assert_array_equal(weights.sum(axis=1), 70_000)
    assert weights[:, -100:].sum() > 0


def test_swaps_are_fair_and_independent() -> None:
    # 4,000 resamples of 20 swaps: z-scores of all shares and pairwise agreements; 210 numbers, false alarm 1e-6
    n, resamples = 20, 4000
    chosen = np.concatenate([swaps(n, 2, atom) for atom in range(resamples // ATOM)])
    assert set(np.unique(chosen)) == {0.0, 1.0}
    signs = 2 * chosen - 1
    bound = float(stats.norm.isf(RARE / 2 / 210))
    assert np.abs(signs.mean(axis=0)).max() * math.sqrt(resamples) < bound
    products = (signs.T @ signs) / resamples
    assert np.abs(products[np.triu_indices(n, 1)]).max() * math.sqrt(resamples) < bound
    # and resamples are independent of the ones before
    lag = (signs[1:] * signs[:-1]).mean(axis=0)
    assert np.abs(lag).max() * math.sqrt(resamples) < bound


def test_swaps_of_four_items_have_equal_chances() -> None:
    # chi-square over all 16 relabellings; false alarm 1e-6
    chosen = np.concatenate([swaps(4, 8, atom) for atom in range(1000)])
    codes = (chosen @ [8, 4, 2, 1]).astype(int)
    assert stats.chisquare(np.bincount(codes, minlength=16)).pvalue > RARE


# --- collapse -------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 999))
def test_collapsed_rows_are_the_rows_and_their_counts_in_any_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-1, 2, size=(30, 2)).astype(float)
    rows[rows == 0] *= rng.choice([1.0, -1.0], size=(rows == 0).sum())  # zeros of both signs
    distinct, counts = collapse(rows)
    twin: dict[tuple[float, ...], int] = {}
    for row in rows.tolist():
        twin[tuple(value + 0.0 for value in row)] = twin.get(tuple(value + 0.0 for value in row), 0) + 1
    assert {tuple(row): int(c) for row, c in zip(distinct.tolist(), counts, strict=True)} == twin
    assert len(distinct) == len(twin)
    shuffled, again = collapse(rows[rng.permutation(30)])
    np.testing.assert_array_equal(shuffled, distinct)
    np.testing.assert_array_equal(again, counts)


def test_minus_zero_and_zero_are_one_row() -> None:
    distinct, counts = collapse(np.array([[0.0, 1.0], [-0.0, 1.0]]))
    assert distinct.tolist() == [[0.0, 1.0]]
    assert counts.tolist() == [2]


def test_a_bootstrap_of_few_distinct_rows_does_not_depend_on_the_order_of_items() -> None:
    rows = RNG.integers(0, 2, size=(400, 1)).astype(float)
    results = [
        redrawn(order, lambda sums: sums.T, 200, 5) for order in (rows, rows[::-1].copy(), rows[RNG.permutation(400)])
    ]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_collapsed_and_plain_bootstraps_have_the_same_law() -> None:
    # 0/1 outcomes collapse, the same with a column that tells items apart does not; both are Bin(400, p):
    # chi-square each, false alarms 2e-6
    right = np.array([[1.0]] * 120 + [[0.0]] * 280)
    apart = np.concatenate([right, np.arange(400.0)[:, None]], axis=1)
    edges = stats.binom.ppf(np.arange(0.1, 1, 0.1), 400, 0.3)
    chances = np.diff([0, *stats.binom.cdf(edges, 400, 0.3), 1])
    for rows in (right, apart):
        (draws,) = redrawn(rows, lambda sums: sums[:, :1].T, 8000, 6)
        observed = np.bincount(np.searchsorted(edges, draws), minlength=10)
        assert stats.chisquare(observed, chances * 8000).pvalue > RARE


# --- lattice --------------------------------------------------------------------------------------------------------


def column(values: list[float]) -> Float:
    return np.array(values)[:, None]


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ([1.0, 2.0, -5.0], 1.0),
        ([0.1, 0.2, 0.3, 0.7], 0.1),
        ([0.25, 12.5], 0.01),
        ([1 / 3, 2 / 3, 1.0], 1 / 3),
        ([1 / 7, 5 / 7], 1 / 7),
        ([1e-6, 0.5], 1e-6),
        ([1 / 3, 1 / 4], 1 / 12),
    ],
)
def test_decimals_and_simple_fractions_become_whole_numbers(values: list[float], unit: float) -> None:
    found = lattice(column(values))
    assert found.exact.tolist() == [True]
    assert found.units[0] == pytest.approx(unit, rel=1e-15)
    np.testing.assert_array_equal(found.integers, np.rint(found.integers))
    np.testing.assert_allclose(found.integers[:, 0] * found.units[0], values, rtol=1e-15)


def test_real_numbers_are_rounded_to_a_grid_below_their_own_rounding() -> None:
    values = RNG.normal(size=(500, 1)) * 100
    found = lattice(values)
    assert found.exact.tolist() == [False]
    np.testing.assert_array_equal(found.integers, np.rint(found.integers))
    assert np.abs(found.integers).sum() < 2.0**53
    assert np.abs(found.integers * found.units - values).max() <= 500 * 2.0**-51 * np.abs(values).max()


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
@given(seed=st.integers(0, 99))
def test_sums_do_not_depend_on_the_order_of_items(scale: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    held = lattice(rng.normal(size=(200, 1)) * scale).integers
    sums = {float(held[rng.permutation(200)].sum()) for _ in range(5)}
    sums.add(float(np.cumsum(held)[-1]))
    sums.add(math.fsum(held[:, 0].tolist()))
    assert len(sums) == 1


def test_decimals_that_tie_on_paper_tie_on_the_lattice() -> None:
    held = lattice(column([0.1, 0.2, 0.3])).integers[:, 0]
    assert held[0] + held[1] == held[2]
    assert 0.1 + 0.2 != 0.3


def test_decimals_with_a_rounding_error_are_still_decimals() -> None:
    found = lattice(column([0.1 + 0.2, 0.3, 0.1]))
    assert found.exact.tolist() == [True]
    assert found.integers[0] == found.integers[1]


def test_every_column_has_its_own_unit() -> None:
    found = lattice(np.array([[1.0, 0.1, math.pi], [2.0, 0.3, math.e]]))
    assert found.exact.tolist() == [True, True, False]
    assert found.units[:2].tolist() == [1.0, 0.1]


@pytest.mark.parametrize(
    "values",
    [
        [0.0, 0.0],
        [-0.0, 0.0],
        [1e-290, 0.0],
        [1e-320, 0.0],
    ],
)
def test_zeros_of_any_kind_are_zero(values: list[float]) -> None:
    found = lattice(column(values))
    assert np.isfinite(found.integers).all()
    assert np.isfinite(found.units).all()
    np.testing.assert_allclose(found.integers[:, 0] * found.units[0], [0.0, 0.0], atol=1e-280)


# --- designs --------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 999))
def test_gathering_sums_within_clusters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = rng.choice(["b", "a", "z", "doc 10", "doc 9"], size=20).tolist()
    statistics = rng.integers(0, 9, size=(3, 20, 2)).astype(float)
    design = Design.named(20, names)
    gathered = design.gather(statistics)
    twin = [
        [[sum(run[i][j] for i in range(20) if names[i] == name) for j in range(2)] for name in sorted(set(names))]
        for run in statistics.tolist()
    ]
    assert gathered.tolist() == twin
    assert design.n_units == len(set(names))


def test_independent_items_are_their_own_units() -> None:
    statistics = RNG.normal(size=(2, 5, 1))
    assert Design(5).gather(statistics) is statistics
    assert Design(5).n_units == 5


def test_clusters_of_one_item_are_items_in_another_order() -> None:
    statistics = RNG.normal(size=(1, 4, 2))
    design = Design.named(4, ["d", "b", "a", "c"])
    np.testing.assert_array_equal(design.gather(statistics), statistics[:, [2, 1, 3, 0]])


def test_strata_are_sets_of_units() -> None:
    plain = Design.named(5, strata=["x", "y", "x", "y", "x"])
    assert [units.tolist() for units in plain.strata_of_units] == [[0, 2, 4], [1, 3]]
    clusters = Design.named(5, ["b", "a", "b", "c", "a"], ["x", "y", "x", "x", "y"])
    assert [units.tolist() for units in clusters.strata_of_units] == [[1, 2], [0]]
    assert [units.tolist() for units in Design(3).strata_of_units] == [[0, 1, 2]]


def test_a_cluster_in_two_strata_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="'doc 1' lies in several strata"):
        Design.named(3, ["doc 1", "doc 2", "doc 1"], ["x", "y", "y"])


def test_a_part_of_a_design_has_the_same_clusters_and_strata() -> None:
    whole = Design.named(5, ["b", "a", "b", "c", "a"], ["x", "y", "x", "x", "y"])
    part = whole.restrict(np.array([0, 2, 3]))
    assert part.labels is not None
    assert part.strata is not None
    assert (part.n_items, part.labels.tolist(), part.strata.tolist()) == (3, [0, 0, 1], [0, 0, 0])


# --- at least as extreme as -----------------------------------------------------------------------------------------


def test_ties_count_on_every_side() -> None:
    draws = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    counts = {a: int(extreme.count(draws, 1.0, alternative=a, slack=0.0)) for a in extreme.ALTERNATIVES}
    assert counts == {"two-sided": 4, "greater": 2, "less": 4}


def test_values_that_differ_by_rounding_alone_are_ties() -> None:
    draws = np.array([0.1 + 0.2, 0.3, 0.3 - 1e-6])
    slack = extreme.tolerance(1.0)
    assert int(extreme.count(draws, 0.1 + 0.2, alternative="greater", slack=slack)) == 2
    assert int(extreme.count(draws, 0.3, alternative="less", slack=slack)) == 3
    assert int(extreme.count(-draws, 0.3, alternative="two-sided", slack=slack)) == 2


@given(
    draws=st.lists(st.integers(-5, 5), min_size=1, max_size=30), observed=st.integers(-5, 5), centre=st.integers(-2, 2)
)
def test_sides_are_mirror_images(draws: list[int], observed: int, centre: int) -> None:
    values = np.array(draws, dtype=float)
    greater = extreme.count(values, float(observed), alternative="greater", slack=0.0)
    less = extreme.count(-values, float(-observed), alternative="less", slack=0.0)
    assert greater == less
    both = extreme.count(values, float(observed), centre=float(centre), alternative="two-sided", slack=0.0)
    assert both == sum(abs(v - centre) >= abs(observed - centre) for v in draws)


def test_p_is_never_zero_and_at_most_one() -> None:
    assert extreme.p_from_count(0, 999) == 0.001
    assert extreme.p_from_count(999, 999) == 1.0
    assert extreme.p_from_count(0, 999, doubled=True) == 0.002
    assert extreme.p_from_count(999, 999, doubled=True) == 1.0


def lying(draws: list[float], *marks: float, slack: float = 0.0) -> extreme.Positions:
    counts = extreme.count_positions(np.array([draws]), np.array([marks]), np.array([slack]))
    return extreme.Positions(counts[:, 0], np.array([len(draws)]), True)


def test_equal_tails_count_zero_on_both_sides() -> None:
    found = lying([-1.0, 0.0, 0.0, 2.0, 3.0], 0.0)
    tails = {side: found.smaller_tail(0, side) for side in extreme.ALTERNATIVES}
    assert {side: (exceedances.total, doubled) for side, (exceedances, doubled) in tails.items()} == {
        "two-sided": (3, True),
        "greater": (3, False),
        "less": (4, False),
    }


@given(draws=st.lists(st.integers(-5, 5), min_size=1, max_size=30), gain=st.integers(-3, 3))
def test_counts_at_marks_are_counts_of_extreme_draws(draws: list[int], gain: int) -> None:
    # a redrawn gain about the gain, and a relabelled one about 0: the marks are 2δ and 0, δ and -δ
    values = [float(v) for v in draws]
    for observed, mirrored, centre in ((2 * gain, 0, gain), (gain, -gain, 0)):
        found = lying(values, observed, mirrored, slack=1e-9)
        for side in extreme.ALTERNATIVES:
            exceedances = found.count_as_extreme(0, 1, side, positive=gain >= 0)
            moved = np.array(values) - centre
            assert exceedances.total == int(extreme.count(moved, float(gain), alternative=side, slack=1e-9))
        assert found.count_above(0).total == sum(v > observed for v in values)
        assert found.count_below(0).total == sum(v < observed for v in values)


def test_tail_mass_is_at_most_one() -> None:
    assert extreme.tail_mass(np.zeros(3), np.array([0.4, 0.4, 0.2 + 1e-15]), 0.0) == 1.0


# --- runtime --------------------------------------------------------------------------------------------------------


def numbers(runtime: Runtime, resamples: int = 530) -> tuple[Float, bool]:
    def task(atoms: range) -> Float:
        return np.concatenate([stream(1, "test", atom).random(ATOM) for atom in atoms])

    return runtime.resample("test", task, resamples, 10)


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("block", [None, 1, 16, 48, 512, 10_000])
def test_blocks_and_threads_change_no_byte(block: int | None, jobs: int) -> None:
    plain, _ = numbers(Runtime())
    found, interrupted = numbers(Runtime(jobs=jobs, block=block))
    assert found.tobytes() == plain.tobytes()
    assert found.shape == (530,)
    assert not interrupted


@pytest.mark.parametrize("resamples", [1, 15, 16, 17, 1000])
def test_more_resamples_continue_the_same_draws(resamples: int) -> None:
    few, many = numbers(Runtime(), resamples)[0], numbers(Runtime(), 1000)[0]
    assert len(few) == resamples
    np.testing.assert_array_equal(few, many[:resamples])


def test_memory_is_bounded_by_blocks() -> None:
    seen: list[int] = []

    def task(atoms: range) -> Float:
        seen.append(len(atoms) * ATOM)
        return np.zeros(len(atoms) * ATOM)

    Runtime().resample("test", task, 10_000, 1_000_000)
    assert max(seen) == ATOM
    assert sum(seen) == 10_000


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_of_every_block_in_order(jobs: int) -> None:
    told: list[tuple[str, int, int]] = []
    numbers(Runtime(jobs=jobs, block=160, progress=lambda *what: told.append(what)))
    assert told == [("test", done, 530) for done in (160, 320, 480, 530)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_keeps_an_unbroken_prefix(jobs: int) -> None:
    def stop(_: str, done: int, __: int) -> None:
        if done >= 320:
            raise KeyboardInterrupt

    found, interrupted = numbers(Runtime(jobs=jobs, block=160, progress=stop))
    assert interrupted
    np.testing.assert_array_equal(found, numbers(Runtime())[0][:320])


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_inside_a_block_loses_that_block_only(jobs: int) -> None:
    def task(atoms: range) -> Float:
        if atoms.start >= 20:
            raise KeyboardInterrupt
        return np.concatenate([stream(1, "test", atom).random(ATOM) for atom in atoms])

    found, interrupted = Runtime(jobs=jobs, block=160).resample("test", task, 530, 10)
    assert interrupted
    np.testing.assert_array_equal(found, numbers(Runtime())[0][:320])


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_before_the_first_block_is_passed_on(jobs: int) -> None:
    def task(_: range) -> Float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Runtime(jobs=jobs, block=16).resample("test", task, 100, 10)


def test_what_is_wanted_whole_is_never_a_part_of_it() -> None:
    def stop(_: str, done: int, __: int) -> None:
        if done >= 320:
            raise KeyboardInterrupt

    made = Runtime(block=160, progress=stop, whole=True)
    with pytest.raises(KeyboardInterrupt):
        numbers(made)
    rows, sampling = np.arange(20.0).reshape(10, 2), Sampling(1000, 1, made, "iid")
    with pytest.raises(KeyboardInterrupt):
        bootstrap([rows], lambda sums: np.stack([s[:, 0] for s in sums]), Design(10), sampling, Accumulator.nothing())


def test_other_errors_are_not_swallowed() -> None:
    def task(atoms: range) -> Float:
        if atoms.start > 0:
            raise ZeroDivisionError
        return np.zeros(len(atoms) * ATOM)

    for jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            Runtime(jobs=jobs, block=16).resample("test", task, 100, 10)


# --- slow twins -----------------------------------------------------------------------------------------------------


def weights_of(n: int, resamples: int, seed: int) -> list[list[float]]:
    atoms = range(-(-resamples // ATOM))
    found: list[list[float]] = np.concatenate([bootstrap_counts(n, seed, atom) for atom in atoms])[:resamples].tolist()
    return found


@given(seed=st.integers(0, 99), n=st.integers(1, 12))
def test_bootstrap_is_its_slow_twin(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-9, 9, size=(n, 2)).astype(float) + np.arange(n)[:, None] * [1e6, 0.0]
    (found,) = redrawn(rows, lambda sums: (sums[:, :1] / (1 + np.abs(sums[:, 1:]))).T, 20, seed)
    twin = []
    for weights in weights_of(n, 20, seed):
        top = sum(w * a for w, (a, _) in zip(weights, rows.tolist(), strict=True))
        bottom = sum(w * b for w, (_, b) in zip(weights, rows.tolist(), strict=True))
        twin.append(top / (1 + abs(bottom)))
    np.testing.assert_allclose(found, twin, rtol=1e-15)


def test_the_bootstrap_of_a_mean_has_its_variance() -> None:
    # s²/n of n out of n draws, s with n: half-size samples would double it; the variance of 20,000 replicates has a
    # relative standard error of 1 %, 5 % are 5 of them: false alarm 6e-7
    values = RNG.normal(size=(80, 1))
    (draws,) = redrawn(np.rint(values * 2**40), lambda sums: sums.T / 80 / 2**40, 20_000, 11)
    assert draws.var() == pytest.approx(float(values.var()) / 80, rel=0.05)


@given(seed=st.integers(0, 99), n=st.integers(1, 10))
def test_randomization_is_its_slow_twin(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, size=(2, n)).astype(float)
    found = a.sum() + relabelled((b - a)[:, None], 20, seed)[0]
    moving = [i for i in range(n) if a[i] != b[i]]
    twin = []
    for atom in range(2):
        for chosen in swaps(len(moving), seed, atom).tolist():
            exchanged = {i for i, bit in zip(moving, chosen, strict=True) if bit}
            twin.append(sum(b[i] if i in exchanged else a[i] for i in range(n)))
    np.testing.assert_array_equal(found, twin[:20])


def test_rows_without_a_difference_change_no_relabelling() -> None:
    d = RNG.integers(1, 5, size=(6, 1)).astype(float)
    padded = np.zeros((20, 1))
    padded[[1, 4, 5, 9, 13, 19]] = d
    results = [relabelled(rows, 64, 3) for rows in (d, padded)]
    np.testing.assert_array_equal(results[0], results[1])


def influence_error(rows: Float, counts: Float, statistic: Callable[[Float], float], step: float = 1e-5) -> float:
    """Twin of the standard error: numerical weights' derivatives of the statistic, one item at a time."""
    n, total = len(rows), 0.0
    sums = (counts[:, None] * rows).sum(axis=0)
    for row, w in zip(rows, counts, strict=True):
        toward = row - sums / n
        slope = (statistic(sums + step * toward) - statistic(sums - step * toward)) / (2 * step)
        total += w * slope**2
    return math.sqrt(total)


@pytest.mark.parametrize("seed", range(3))
def test_errors_of_resampled_ratios_are_the_infinitesimal_jackknife(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, 9, size=30), rng.integers(5, 20, size=30)], axis=1).astype(float)

    def ratio(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums[..., 1])

    made = Settings(n_resamples=20, seed=seed, engine="iid")
    drawn = resample_with_errors(rows, ratio, Design(30), made.sampling)
    values, errors = drawn.values
    assert not drawn.interrupted
    assert drawn.error == pytest.approx(influence_error(rows, np.ones(30), lambda s: float(ratio(s))), rel=1e-5)
    for value, found, weights in zip(values, errors, weights_of(30, 20, seed), strict=True):
        counts = np.array(weights)
        assert value == pytest.approx(float(ratio((counts[:, None] * rows).sum(axis=0))), rel=1e-14)
        assert found == pytest.approx(influence_error(rows, counts, lambda s: float(ratio(s))), rel=1e-4)


def test_errors_of_resampled_means_are_their_standard_errors() -> None:
    # for a mean the error is analytic: s*/√n with the resample's own s, divisor n
    values = RNG.integers(-20, 50, size=(40, 1)).astype(float)
    rows = np.concatenate([values, np.ones((40, 1))], axis=1)
    made = Settings(n_resamples=50, seed=2, engine="iid")
    drawn = resample_with_errors(rows, lambda s: s[..., 0] / s[..., 1], Design(40), made.sampling)
    found, errors = drawn.values
    assert drawn.error == pytest.approx(float(values.std()) / math.sqrt(40), rel=1e-7)
    for mean, se, weights in zip(found, errors, weights_of(40, 50, 2), strict=True):
        resample = np.repeat(values[:, 0], np.array(weights, dtype=int))
        assert mean == pytest.approx(float(resample.mean()), rel=1e-12)
        assert se == pytest.approx(float(resample.std()) / math.sqrt(40), rel=1e-6)


def test_errors_agree_with_the_jackknife_on_many_items() -> None:
    rng = np.random.default_rng(1)
    counts: Int = rng.poisson([3.0, 1.0, 1.0], size=(2000, 3))
    rows = counts.astype(float)

    def f1(sums: Float) -> Float:
        return np.asarray(2 * sums[..., 0] / (2 * sums[..., 0] + sums[..., 1] + sums[..., 2]))

    error = resample_with_errors(rows, f1, Design(2000), Settings(n_resamples=16).sampling).error
    without = f1(rows.sum(axis=0) - rows)
    jackknife = math.sqrt(1999 / 2000 * float(((without - without.mean()) ** 2).sum()))
    assert error == pytest.approx(jackknife, rel=2e-3)


def test_a_constant_statistic_has_no_error() -> None:
    rows = np.tile([2.0, 4.0], (10, 1))
    drawn = resample_with_errors(rows, lambda s: s[..., 0] / s[..., 1], Design(10), Settings(n_resamples=32).sampling)
    _, errors = drawn.values
    assert drawn.error == 0.0
    assert errors.max() == 0.0
