"""Cyclic resampling beside its slow twin, its law, and the Monte-Carlo error that it states."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Float, Int
from outscore.base.rng import stream
from outscore.engine import cyclic
from outscore.engine.cyclic import Cyclic, Kind, _Digits, rings, smooth_length
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.montecarlo import Exceedances
from outscore.engine.resampling import bootstrap, randomize
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine, Sampling

RARE = 1e-6


SERIAL = Runtime()


KINDS: tuple[Kind, ...] = ("redrawn", "exchanged")


MANY = 10**6  # resamples wanted of a vector: more than there are


def spun(rows: Sequence[Float], strata: Sequence[Int], kind: Kind, atoms: range, wanted: int = MANY) -> list[Float]:
    return [sums.copy() for sums in Cyclic(rows, strata, kind, 1, "test", wanted).sums(atoms)]


def smooth(n: int) -> int:
    if n <= 64:
        return n
    numbers: list[int] = [2**a * 3**b * 5**c for a in range(7) for b in range(5) for c in range(4)]
    return max(number for number in numbers if number <= n)


def twin(rows: Float, strata: Sequence[Int], kind: Kind, atoms: range, wanted: int = MANY) -> list[list[int]]:
    """Every resample from its definition: each vector of weights laid on the units in its order, step by step.

    The units are cut into as many rings as give at least the wanted number of steps, longer ones of a length without
    other prime factors than 2, 3 and 5; the last units make a ring of their own.
    """
    steps = [smooth(len(units) // max(1, len(units) // wanted)) for units in strata]
    block = max(steps)
    atom_size = block * max(1, min(256, wanted) // block)
    found = []
    for atom in atoms:
        rng = stream(1, "test", atom)
        sums = [[0] * rows.shape[1] for _ in range(atom_size)]
        for units, length in zip(strata, steps, strict=True):
            n, turning = len(units), length * max(1, len(units) // wanted)
            vectors = -(-atom_size // length)
            weights = (cyclic.counts if kind == "redrawn" else cyclic.bits)(rng, vectors, n)
            orders = [rng.permutation(n) if n > 1 else np.zeros(1, dtype=int) for _ in range(vectors)]
            flipped = np.zeros((vectors, n)) if kind == "redrawn" else cyclic.bits(rng, vectors, n)
            for b in range(atom_size):
                vector, step = divmod(b, length)
                weight, order = weights[vector], orders[vector]
                for i in range(n):
                    if i < turning:
                        place = i - i % length + (i % length + step) % length
                    else:
                        place = turning + (i - turning + step) % (n - turning)
                    used = int(1 - weight[i] if flipped[vector, place] else weight[i])
                    for j in range(rows.shape[1]):
                        sums[b][j] += used * int(rows[units[order[place]]][j])
        found += sums
    return found


@pytest.mark.parametrize("kind", KINDS)
@example(n=2, seed=0, largest=60, wanted=MANY)
@given(
    n=st.one_of(st.integers(1, 40), st.integers(65, 80)),
    seed=st.integers(0, 99),
    largest=st.sampled_from([1, 60, 2**20, 2**45]),
    wanted=st.sampled_from([MANY, 1, 5, 13]),
)
def test_sums_are_those_of_the_slow_twin(kind: Kind, n: int, seed: int, largest: int, wanted: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-largest, largest + 1, size=(n, 3)).astype(float)
    rows[:, 1] = rows[:, 0] - 5  # follows from another
    rows[:, 2] = rng.integers(0, 2) * 7  # constant
    (found,) = spun([rows], [np.arange(n)], kind, range(2), wanted)
    assert found.tolist() == twin(rows, [np.arange(n)], kind, range(2), wanted)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 99), wanted=st.sampled_from([MANY, 3]))
def test_strata_are_spun_each_by_itself(kind: Kind, seed: int, wanted: int) -> None:
    rng = np.random.default_rng(seed)
    strata = np.split(rng.permutation(17), [3, 4, 11])
    rows = rng.integers(0, 9, size=(17, 2)).astype(float)
    (found,) = spun([rows], strata, kind, range(2), wanted)
    assert found.tolist() == twin(rows, strata, kind, range(2), wanted)


@pytest.mark.parametrize("n", [997, 1994, 1997, 2000, 2017, 2048])
def test_lengths_with_awkward_factors_give_exact_sums(n: int) -> None:
    rng = np.random.default_rng(n)
    rows = rng.integers(0, 200, size=(n, 2)).astype(float)
    (found,) = spun([rows], [np.arange(n)], "redrawn", range(1))
    drawn = stream(1, "test", 0)
    weights = cyclic.counts(drawn, 1, n)[0]
    order = drawn.permutation(n)
    number, turns = rings(n, MANY)
    assert number == 1
    assert len(found) == turns >= 0.97 * n
    for shift in (0, 1, n // 2, turns - 1):
        turned = np.concatenate([np.roll(order[:turns], -shift), np.roll(order[turns:], -shift)])
        assert found[shift].tolist() == (weights @ rows[turned]).tolist()


@given(n=st.integers(1, 100_000), wanted=st.sampled_from([1, 7, 50, 500, MANY]))
def test_nearly_all_units_turn(n: int, wanted: int) -> None:
    number, length = rings(n, wanted)
    longer = smooth_length(n)
    assert n / 2.68 < number * length <= n <= longer
    assert n < 1000 or 0.88 * n < number * length or wanted < 50
    assert length <= 2 * max(wanted, 1)
    assert length <= 64 or (2 * 3 * 5) ** 20 % length == 0
    assert (2 * 3 * 5) ** 20 % longer == 0


def test_groups_see_the_same_resamples() -> None:
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 50, size=(30, 4)).astype(float)
    (together,) = spun([rows], [np.arange(30)], "redrawn", range(3))
    apart = spun([rows[:, :1], rows[:, 1:3], rows[:, 3:]], [np.arange(30)], "redrawn", range(3))
    np.testing.assert_array_equal(together, np.concatenate(apart, axis=1))


EPSILON = 2.0**-52


def test_lengths_of_transforms_have_small_prime_factors_alone() -> None:
    smooth = sorted(2**a * 3**b * 5**c for a, b, c in product(range(12), range(8), range(6)))
    for least in range(1, 130):
        assert smooth_length(least) == next(n for n in smooth if n >= least)


@pytest.mark.parametrize("n", [2, 7, 64, 1000])
def test_digits_are_as_few_as_the_error_of_a_transform_allows(n: int) -> None:
    room = 0.125 / (4 * EPSILON * (math.log2(4 * n) + 1) * (2 * math.sqrt(n) + 8))
    for factor, digits in ((1 - 1e-6, 1), (1 + 1e-6, 2)):
        column = np.zeros(n)
        column[0] = math.floor(room * factor)
        found = _Digits.of(column[None])
        assert len(found.rows) == digits
        np.testing.assert_array_equal(found.join(found.rows)[0], column)


@pytest.mark.parametrize("n", [2, 64])
def test_digits_are_as_large_as_they_may_be(n: int) -> None:
    room = 0.125 / (4 * EPSILON * (math.log2(4 * n) + 1) * (2 * math.sqrt(n) + 8))
    base = 2.0 ** math.floor(math.log2(room / math.sqrt(n)))
    column = np.zeros(n)
    column[0] = 2.0**52
    expected = next(m for m in range(1, 60) if 2.0**52 / base ** (m - 1) <= room)
    assert len(_Digits.of(column[None]).rows) == expected


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_each_rotation_is_an_exact_resample(kind: Kind) -> None:
    # with unit vectors as columns the sums are the weights: their law over 4,000 atoms at the first, a middle and the
    # last resample of an atom, beside all vectors of 4 units; chi-square, six tests
    n = 4
    rotations = spun([np.eye(n)], [np.arange(n)], kind, range(4000))[0].reshape(4000, -1, n).astype(int)
    vectors = list(itertools.product(range(n + 1), repeat=n))
    chances = {
        v: stats.multinomial.pmf(v, n, [1 / n] * n) if kind == "redrawn" else float(max(v) <= 1) / 2**n for v in vectors
    }
    possible = [v for v in vectors if chances[v] > 0]
    for place in (0, 101, 255):
        seen = dict.fromkeys(possible, 0)
        for vector in rotations[:, place].tolist():
            seen[tuple(vector)] += 1
        expected = [4000 * chances[v] for v in possible]
        assert stats.chisquare(list(seen.values()), expected).pvalue > RARE


def test_blocks_have_nothing_in_common() -> None:
    # means over each block of a skewed function, 3,000 blocks: lag-one correlation within 5 standard errors
    rows = np.random.default_rng(5).exponential(10.0, size=(60, 1)).round()
    (sums,) = spun([rows], [np.arange(60)], "redrawn", range(750))
    means = (sums[:, 0] > 1.1 * rows.sum()).reshape(-1, 60).mean(axis=1)
    lag = np.corrcoef(means[1:], means[:-1])[0, 1]
    assert abs(lag) < 5 / math.sqrt(len(means))


def ratio_rows(n: int, seed: int = 2) -> list[Float]:
    """Numerators and denominators of two systems, correlated, one a little better."""
    rng = np.random.default_rng(seed)
    length = rng.integers(3, 40, size=n)
    first = rng.binomial(length, 0.60)
    second = np.where(rng.random(n) < 0.8, first, rng.binomial(length, 0.64))
    return [np.stack([right, length], axis=1).astype(float) for right in (first, second)]


def ratios(sums: Iterator[Float]) -> Float:
    return np.stack([part[:, 0] / part[:, 1] for part in sums])


def watching(gain: float, *, resampled: bool) -> Accumulator:
    marks = [2 * gain, 0.0] if resampled else [gain, -gain]
    groups = (slice(0, 1), slice(1, 2))
    return Accumulator(groups, np.array([1]), np.array([0]), np.array([marks]), np.array([1e-12]))


def gain_of(rows: Sequence[Float]) -> float:
    first, second = (r.sum(axis=0) for r in rows)
    return float(second[0] / second[1] - first[0] / first[1])


def resampled(n: int, sampling: Sampling, design: Design | None = None) -> Draws:
    rows = ratio_rows(n)
    return bootstrap(rows, ratios, design or Design(n), sampling, watching(gain_of(rows), resampled=True))


def relabelled(n: int, sampling: Sampling) -> Draws:
    rows = ratio_rows(n)
    totals = [r.sum(axis=0) for r in rows]

    def score(sums: Iterator[Float]) -> Float:
        moved = [part.copy() for part in sums]
        ours = totals[1] + moved[0] - moved[1], totals[0] + moved[1] - moved[0]
        return np.stack([ours[1][:, 0] / ours[1][:, 1], ours[0][:, 0] / ours[0][:, 1]])

    return randomize(rows, score, sampling, watching(gain_of(rows), resampled=False))


def hits_of(draws: Draws) -> Exceedances:
    return draws.series(0).count_as_extreme(0, 1, "two-sided", positive=True)


Drawing = Callable[[int, Sampling], Draws]


@pytest.mark.parametrize("draw", [resampled, relabelled])
@pytest.mark.parametrize(
    ("n", "resamples"),
    [(23, 60_000), (200, 60_000), pytest.param(3000, 20_000, marks=pytest.mark.slow)],
)
def test_both_engines_agree_in_law(draw: Drawing, n: int, resamples: int) -> None:
    # p-values from so many resamples each, of 3,000 items in rings, within 5 standard errors of their difference; mean
    # and standard deviation of the gains likewise (their errors: sd/√B and sd/√2B, times √2 for what cyclic ones share)
    engines: tuple[Engine, ...] = ("cyclic", "iid")
    one, two = (draw(n, Sampling(resamples, 4, SERIAL, engine)) for engine in engines)
    first, second = hits_of(one), hits_of(two)
    assert first.total / first.drawn == pytest.approx(
        second.total / second.drawn, abs=5 * math.hypot(first.error, second.error)
    )
    gains = [d.values[1] - d.values[0] for d in (one, two)]
    sd = gains[1].std()
    assert gains[0].mean() == pytest.approx(gains[1].mean(), abs=5 * sd * math.sqrt(3 / resamples))
    assert gains[0].std() == pytest.approx(sd, rel=5 * math.sqrt(3 / resamples / 2))


@pytest.mark.slow
@pytest.mark.parametrize("draw", [resampled, relabelled])
@pytest.mark.parametrize(("n", "resamples"), [(20, 2000), (60, 3000), (301, 6000), (700, 2000)])
def test_the_stated_error_is_the_true_one(draw: Drawing, n: int, resamples: int) -> None:
    # 600 repeats with other seeds: their variance beside the mean of the squared errors. A variance of 600 normal
    # numbers has a relative standard error of 6 %, the mean of as many estimates from 20 batches or more 1.3 %:
    # 30 % off is 5 of them
    found = [hits_of(draw(n, Sampling(resamples, seed, SERIAL))) for seed in range(600)]
    shares = np.array([exceedances.total / exceedances.drawn for exceedances in found])
    stated = np.mean([exceedances.error**2 for exceedances in found])
    assert shares.var(ddof=1) / stated == pytest.approx(1.0, abs=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [resampled, relabelled])
def test_intervals_of_p_hold_what_they_say(draw: Drawing) -> None:
    # 99 % intervals from 400 seeds beside the p of 4 million resamples: at most 14 misses (binomial, 1e-5)
    truth = hits_of(draw(60, Sampling(4_000_000, 12345, Runtime(jobs=2))))
    p = truth.total / truth.drawn
    missed = 0
    for seed in range(400):
        low, high = hits_of(draw(60, Sampling(2000, seed, SERIAL))).interval(0.99)
        missed += not low <= p <= high
    assert missed <= 14


@pytest.mark.parametrize(("n", "resamples", "worst"), [(61, 2000, 0.1), (331, 10_000, 1.8), (1984, 10_000, 1.8)])
def test_the_mean_of_a_linear_score_is_known_as_well_as_from_independent_resamples(
    n: int, resamples: int, worst: float
) -> None:
    # every unit meets every weight of its ring, so blocks have nearly the same mean, and exactly the same where there
    # is one ring. The standard deviation of 40 means has a relative error of 11 %: 80 % more than expected are seven
    rows = ratio_rows(n)[1][:, :1]
    sd = float(rows.std()) * math.sqrt(n)

    def drawn(seed: int) -> Float:
        sampling = Sampling(resamples, seed, SERIAL)
        draws = bootstrap([rows], lambda sums: next(sums).T.copy(), Design(n), sampling, Accumulator.nothing())
        return np.asarray(draws.values[0])

    values = [drawn(seed) for seed in range(40)]
    assert np.std([v.mean() for v in values]) < worst * sd / math.sqrt(len(values[0]))


def test_a_system_that_is_better_everywhere_is_judged_by_as_many_relabellings() -> None:
    # without flips all shifts of one vector would exchange as many units, and have nearly the same gain: the spread
    # of a share near one half would be tens; it is near 1, its error from 50 batches 20 %
    rng = np.random.default_rng(4)
    rows = [np.zeros((400, 1)), rng.integers(5, 8, size=(400, 1)).astype(float)]
    accumulator = Accumulator(
        (slice(0, 1),), np.array([0]), np.array([-1]), np.array([[rows[1].sum() / 2 + 50]]), np.zeros(1)
    )
    draws = randomize(rows, lambda sums: list(sums)[1].T, Sampling(40_000, 1, SERIAL), accumulator)
    assert draws.series(0).count_at_least(0).spread < 3


@pytest.mark.parametrize("n", [5, 60, 700, 20_000])
def test_cyclic_resamples_come_in_whole_batches_at_least_twenty(n: int) -> None:
    for wanted in (99, 999, 10_000, 60_000):
        draws = resampled(n, Sampling(wanted, 1, SERIAL))
        assert not draws.independent
        # rings are longer than asked for by half of their length at most, batches are filled up
        assert wanted <= draws.sizes.sum() <= 2 * wanted + 20 * 256
        assert 20 <= len(draws.sizes) <= 50
        assert len(set(draws.sizes)) == 1
        assert draws.values.shape == (2, draws.sizes.sum())


@pytest.mark.parametrize("engine", ["cyclic", "iid"])
@pytest.mark.parametrize("jobs", [pytest.param(2, marks=pytest.mark.slow), 3])
def test_threads_change_no_byte(engine: Engine, jobs: int) -> None:
    for draw in (resampled, relabelled):
        one, several = (draw(90, Sampling(30_000, 7, Runtime(jobs=j), engine)) for j in (1, jobs))
        assert one.values.tobytes() == several.values.tobytes()
        assert one.positions.tobytes() == several.positions.tobytes()


def test_redrawing_within_strata_keeps_their_numbers() -> None:
    strata = np.repeat([0, 1, 2], [10, 25, 7])
    rows = [np.eye(3)[strata], np.ones((42, 1))]
    design = Design(42, strata=strata)
    for engine in ("cyclic", "iid"):
        sampling = Sampling(500, 1, SERIAL, engine)
        draws = bootstrap(
            rows, lambda sums: np.concatenate([s.T for s in sums]), design, sampling, Accumulator.nothing()
        )
        assert (draws.values == [[10], [25], [7], [42]]).all()


def test_both_engines_agree_within_strata() -> None:
    # the variance of a stratified mean is the sum of those within strata; 5 standard errors as above
    rng = np.random.default_rng(8)
    strata = np.repeat([0, 1], [20, 33])
    values = (np.where(strata == 0, 100, 0) + rng.integers(0, 30, size=53)).astype(float)
    within = sum(values[strata == h].var() * (strata == h).sum() for h in (0, 1))
    design = Design(53, strata=strata)
    for engine in ("cyclic", "iid"):
        sampling = Sampling(40_000, 2, SERIAL, engine)
        draws = bootstrap([values[:, None]], lambda sums: next(sums).T, design, sampling, Accumulator.nothing())
        assert draws.values.var() == pytest.approx(within, rel=5 * math.sqrt(2 * 2 / 40_000))


def test_few_distinct_rows_on_many_items_are_drawn_as_counts() -> None:
    # 400,000 items, right or wrong: twenty cyclic blocks would be eight million resamples
    right = np.zeros((400_000, 1))
    right[:160_000] = 1.0
    draws = bootstrap(
        [right], lambda sums: next(sums).T, Design(400_000), Sampling(2000, 1, SERIAL), Accumulator.nothing()
    )
    assert draws.independent
    assert draws.values.shape == (1, 2000)
    assert draws.values.mean() == pytest.approx(160_000, abs=5 * math.sqrt(400_000 * 0.24 / 2000))
    assert draws.values.std() == pytest.approx(math.sqrt(400_000 * 0.24), rel=5 / math.sqrt(4000))


@pytest.mark.slow
def test_memory_does_not_grow_with_resamples() -> None:
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 9, size=(500, 1)).astype(float) for _ in range(100)]
    series = np.arange(1, 100)
    groups = tuple(slice(i, i + 1) for i in range(100))
    accumulator = Accumulator(groups, series, np.zeros(99, dtype=np.int64), np.zeros((99, 2)), np.zeros(99))
    peaks = []
    for wanted in (100_000, 400_000):
        tracemalloc.start()
        draws = bootstrap(
            rows,
            lambda sums: np.concatenate([s.T for s in sums]),
            Design(500),
            Sampling(wanted, 1, SERIAL),
            accumulator,
        )
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert draws.sizes.sum() >= wanted
    assert peaks[1] < 1.1 * peaks[0]
    assert peaks[1] < 250e6


def test_an_interruption_keeps_what_is_done() -> None:
    def stop(_: str, done: int, __: int) -> None:
        if done >= 12_000:
            raise KeyboardInterrupt

    whole_run = resampled(60, Sampling(50_000, 3, SERIAL))
    for jobs in (1, 2):
        draws = resampled(60, Sampling(50_000, 3, Runtime(jobs=jobs, progress=stop)))
        assert draws.interrupted
        drawn = int(draws.sizes.sum())
        assert 12_000 <= drawn < 20_000
        np.testing.assert_array_equal(draws.values, whole_run.values[:, :drawn])
        assert draws.series(0).count_at_least(0).total <= drawn
