"""The law of the resampling weights: Poisson cells, their top-up, and the plain way for few units."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Array, Float
from outscore.base.rng import stream
from outscore.engine import weights
from outscore.engine.weights import ATOM, bootstrap_counts, multinomial_counts, swaps

RARE = 1e-6


MANY = 600  # units, enough for Poisson cells


def drawn_counts(n: int, resamples: int, seed: int = 5) -> Float:
    return np.concatenate([bootstrap_counts(n, seed, atom) for atom in range(resamples // ATOM)])


@pytest.fixture(params=[None, 0.0, 0.5], ids=["plain", "half-drawn-again", "topped-up"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of drawing for any n, the second with totals centred on n and a little below it."""
    if request.param is not None:
        monkeypatch.setattr(weights, "_LEAST_UNITS", 0)
        monkeypatch.setattr(weights, "_BELOW", request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_outcome_of_few_units_has_its_multinomial_chance(n: int) -> None:
    # chi-square over all 1, 3 and 10 outcomes; false alarm 1e-6 each
    resamples = 8000
    outcomes = [c for c in itertools.product(range(n + 1), repeat=n) if sum(c) == n]
    expected = [resamples * math.factorial(n) / math.prod(map(math.factorial, c)) / n**n for c in outcomes]
    found = Counter(tuple(row) for row in drawn_counts(n, resamples).tolist())
    assert sum(found[c] for c in outcomes) == resamples
    if n > 1:
        assert stats.chisquare([found[c] for c in outcomes], expected).pvalue > RARE


def partitions(total: int, largest: int) -> list[tuple[int, ...]]:
    """All ways to write ``total`` as a sum of whole numbers that do not increase."""
    if total == 0:
        return [()]
    return [(k, *rest) for k in range(min(total, largest), 0, -1) for rest in partitions(total - k, k)]


@pytest.mark.usefixtures("way")
def test_every_pattern_of_ten_units_has_its_multinomial_chance() -> None:
    # chi-square over the 42 partitions of 10, those expected below 5 times pooled; false alarm 1e-6
    n, resamples = 10, 32_000
    patterns = partitions(n, n)
    chances = []
    for parts in patterns:
        arrangements = math.factorial(n) // math.prod(
            math.factorial(m) for m in [*Counter(parts).values(), n - len(parts)]
        )
        chances.append(arrangements * math.factorial(n) / math.prod(map(math.factorial, parts)) / n**n)
    assert math.fsum(chances) == pytest.approx(1)
    rows = drawn_counts(n, resamples)
    found = Counter(tuple(sorted((int(c) for c in row if c), reverse=True)) for row in rows.tolist())
    common = [chance * resamples >= 5 for chance in chances]
    observed = [found[p] for p, often in zip(patterns, common, strict=True) if often]
    expected = [resamples * c for c, often in zip(chances, common, strict=True) if often]
    observed.append(resamples - sum(observed))
    expected.append(resamples - sum(expected))
    assert stats.chisquare(observed, expected).pvalue > RARE
    # no unit is preferred: their totals are multinomial as well
    assert stats.chisquare(rows.sum(axis=0)).pvalue > RARE


@pytest.fixture(scope="module")
def many() -> Float:
    return drawn_counts(MANY, 8000)


def z_score(values: Float, expected: float) -> float:
    """Distance of the mean of independent values from its expectation, in standard errors."""
    return float(abs(values.mean() - expected) / (values.std() / math.sqrt(len(values))))


def test_cells_of_many_units_are_binomial(many: Float) -> None:
    # z-scores over 8,000 rows of how many cells hold 0..5; 6 normal numbers, false alarm 1e-6
    bound = float(stats.norm.isf(RARE / 2 / 6))
    for k in range(6):
        expected = MANY * float(stats.binom.pmf(k, MANY, 1 / MANY))
        assert z_score((many == k).sum(axis=1).astype(float), expected) < bound


@pytest.mark.parametrize("apart", [1, 8, MANY // 2])
def test_pairs_of_cells_have_multinomial_covariances(many: Float, apart: int) -> None:
    # E[c_i c_j] = 1 - 1/n and E[c_i²] = 2 - 1/n, and both zero with chance (1 - 2/n)^n; false alarm 1e-6 in 3 numbers
    bound = float(stats.norm.isf(RARE / 2 / 3))
    other = np.roll(many, apart, axis=1)
    assert z_score((many * other).mean(axis=1), 1 - 1 / MANY) < bound
    assert z_score((many**2).mean(axis=1), 2 - 1 / MANY) < bound
    assert z_score(((many == 0) & (other == 0)).mean(axis=1), (1 - 2 / MANY) ** MANY) < bound


def test_no_unit_of_many_is_preferred(many: Float) -> None:
    # totals over rows are multinomial: chi-square with n - 1 degrees of freedom; false alarm 1e-6
    assert stats.chisquare(many.sum(axis=0)).pvalue > RARE


@pytest.mark.parametrize("apart", [1, ATOM])
def test_resamples_and_atoms_are_independent(many: Float, apart: int) -> None:
    # E[c_i c'_i] = 1 for two resamples; sums of neighbouring products are uncorrelated; false alarm 1e-6
    assert z_score((many[apart:] * many[:-apart]).mean(axis=1), 1.0) < float(stats.norm.isf(RARE / 2))


@pytest.mark.parametrize("n", [1, 2, 3, 10, 499, 500, 501, 4096, 70_000])
def test_rows_are_whole_counts_that_sum_to_n(n: int) -> None:
    found = bootstrap_counts(n, 2, 7)
    assert found.shape == (ATOM, n)
    assert found.dtype == np.float64
    assert found.min() >= 0
    np.testing.assert_array_equal(found, np.rint(found))
    np.testing.assert_array_equal(found.sum(axis=1), n)


@given(st.floats(0.1, 1.0))
def test_octets_carry_the_poisson_law_to_double_precision(mean: float) -> None:
    steps = weights._steps(mean)
    whole = np.diff([0, *steps.starts.tolist(), int(steps.left_over)])
    law = np.diff(steps.shares, prepend=0.0) / steps.shares[-1] * (256 - int(steps.left_over))
    law[: whole.size] += whole
    chances = stats.poisson.pmf(np.arange(law.size), mean)
    np.testing.assert_allclose(law / 256, chances, rtol=1e-13, atol=2**-53)


class Scripted:
    """A generator that gives these octets and, where they leave the count open, these numbers."""

    def __init__(self, octets: Array, numbers: list[float]) -> None:
        self.octets, self.numbers = octets, numbers
        self.bit_generator = self

    def random_raw(self, size: int) -> Array:
        assert size * 8 == self.octets.size
        return self.octets.view(np.uint64)

    def random(self, size: int) -> Float:
        assert size == len(self.numbers)
        return np.array(self.numbers)


@pytest.mark.parametrize("mean", [0.5, 0.9, 1 - 2 / math.sqrt(2000), 1.0])
def test_each_octet_stands_for_the_count_of_its_256th(mean: float) -> None:
    # slow twin: deal the octets out one count after the other, and the rest by the parts of octets that remain
    chances = [256 * math.exp(-mean) * mean**k / math.factorial(k) for k in range(26)]
    dealt = [k for k, chance in enumerate(chances) for _ in range(int(chance))]
    parts = [chance % 1 for chance in chances]
    left = 256 - len(dealt)
    places = [(i + 0.5) / left for i in range(left)]
    for place in places:
        k = 0
        while sum(parts[: k + 1]) <= place * sum(parts):
            k += 1
        dealt.append(k)
    scripted = Scripted(np.arange(256, dtype=np.uint8), places)
    found = weights._poisson(scripted, mean, (2, 128))  # type: ignore[arg-type]
    assert found.ravel().tolist() == dealt


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 100])
def test_swaps_are_the_bits_of_their_stream(n: int) -> None:
    # slow twin: each row starts with a new octet, highest bit first
    octets = stream(4, "randomization", 3).bytes(ATOM * math.ceil(n / 8))
    found = swaps(n, 4, 3)
    assert found.shape == (ATOM, n)
    for b, row in enumerate(found.tolist()):
        start = b * math.ceil(n / 8)
        assert row == [octets[start + i // 8] >> (7 - i % 8) & 1 for i in range(n)]


@pytest.mark.parametrize("draw", [bootstrap_counts, swaps])
@pytest.mark.parametrize("n", [30, MANY])
def test_an_atom_is_the_same_in_any_order_and_thread(draw: Callable[[int, int, int], Float], n: int) -> None:
    alone = [draw(n, 1, atom) for atom in range(12)]
    weights._steps.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda atom: draw(n, 1, atom), reversed(range(12))))
    np.testing.assert_array_equal(alone, together[::-1])
    assert len({found.tobytes() for found in alone}) == 12


def test_other_seeds_and_purposes_draw_other_counts() -> None:
    found = {
        bootstrap_counts(MANY, seed, 0, purpose).tobytes() for seed in (0, 1) for purpose in ("bootstrap", "interval")
    }
    assert len(found) == 4


def draw_counts(n: int, resamples: int = 8000, seed: int = 3) -> Float:
    return np.concatenate([bootstrap_counts(n, seed, atom) for atom in range(resamples // ATOM)])


def test_weights_of_equal_rows_have_the_law_of_their_sums() -> None:
    # multiplicities 1, 3, 6: both ways against the multinomial law over all 66 outcomes; false alarms 2e-6
    counts = np.array([1, 3, 6])
    resamples = 16_000
    collapsed = np.concatenate([multinomial_counts(counts, 4, atom) for atom in range(resamples // ATOM)])
    whole = np.add.reduceat(draw_counts(10, resamples, seed=9), [0, 1, 4], axis=1)
    cells = np.array([c for c in itertools.product(range(11), repeat=3) if sum(c) == 10])
    chances = stats.multinomial(10, counts / 10).pmf(cells)
    for found in (collapsed, whole):
        np.testing.assert_array_equal(found.sum(axis=1), 10)
        observed = np.array([int((found == c).all(axis=1).sum()) for c in cells])
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
