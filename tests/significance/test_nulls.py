"""Null versions: what they keep of the data, and that the gain to be found is the one they state."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.base.arrays import Float, Int
from outscore.base.items import Items
from outscore.base.rng import stream
from outscore.engine.design import Design
from outscore.metrics import metrics
from outscore.significance.gain import GainContrast
from outscore.significance.nulls import (
    BootstrapNull,
    Centred,
    DesignUnits,
    NewRuns,
    NewRunsAndItems,
    NullVersion,
    Permuted,
    SystemComponents,
    null_versions,
)
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.laws.support import experiment, f1_stats, mean_stats, pairing, settings


def pair_of(a: Float, b: Float, metric: str = "mean", clusters: list[str] | None = None) -> GainContrast:
    """The second system against the first; scores ``(runs, items)``."""
    made = metrics.make(metric)
    length: Float = (np.arange(a.shape[1]) % 5 + 3).astype(np.float64)

    def statistics(runs: Float) -> Float:
        return np.stack([made.statistics(Items(n=len(r), columns={"score": r, "length": length})) for r in runs])

    stats = Statistics(
        made.label,
        [statistics(a), statistics(b)],
        made.score,
        Design.named(a.shape[1], clusters),
        per_item=made.per_item,
        ratio=made.ratio(),
    )
    return GainContrast(Resamples(("a", "b"), [stats], 0, Settings(n_resamples=99)), 0, 1)


GROUPS = [f"g{i // 3}" for i in range(30)]


def draw(seed: int = 0) -> np.random.Generator:
    return stream(seed, "test of null versions")


def values(statistics: list[Float]) -> list[Float]:
    return [whole[..., 0] for whole in statistics]


def test_an_exchange_moves_whole_clusters_with_all_their_runs_and_keeps_both_outputs() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(0, 1, (2, 3, 30))
    for seed in range(5):
        statistics, design = Permuted(pair_of(a, b, clusters=GROUPS)).statistics(draw(seed))
        first, second = values(statistics)
        moved = np.isclose(first, b)
        assert np.isclose(np.where(moved, b, a), first).all()
        assert np.isclose(np.where(moved, a, b), second).all()
        assert (moved == moved[0]).all(), "all runs of an item move together"
        assert design.labels is not None
        for cluster in range(design.n_units):
            assert len(set(moved[0, design.labels == cluster])) == 1
    assert 0 < moved.mean() < 1


NORMAL = np.random.default_rng(1).normal(0, 1, (2, 1, 30))


@pytest.mark.parametrize("metric", ["mean", "ratio:num=score,den=length"])
@pytest.mark.parametrize("clusters", [None, GROUPS])
def test_weights_take_the_gain_away_and_stay_positive(metric: str, clusters: list[str] | None) -> None:
    a, b = NORMAL[0] + 5, NORMAL[1] + 5.2
    null = Centred(pair_of(a, b, metric, clusters))
    assert null.possible
    assert (null.weights > 0).all()
    assert null.weights.mean() == pytest.approx(1)
    # the definition: every unit counts as often as its weight says
    of_items = null.weights if clusters is None else null.weights[null.pair.stats.design.labels]
    length = np.arange(30) % 5 + 3.0 if metric != "mean" else np.ones(30)
    scores = [float((of_items * x[0]).sum() / (of_items * length).sum()) for x in (a, b)]
    assert scores[1] - scores[0] == pytest.approx(0, abs=1e-9)
    assert null.truth == 0
    assert null.holds


def test_without_a_gain_nothing_is_weighted() -> None:
    d = np.array([[1.0, -1.0, 2.0, -2.0]])
    assert (Centred(pair_of(np.zeros((1, 4)), d)).weights == 1).all()


def test_a_gain_on_every_item_cannot_be_weighted_away_and_stays() -> None:
    better = pair_of(NORMAL[0], NORMAL[0] + 1 + NORMAL[1] ** 2)
    assert not Centred(better).possible
    kinds = {null.name: null for null in null_versions(better)}
    assert set(kinds) == {"permuted", "resampled"}
    assert kinds["resampled"].truth == pytest.approx(better.gain)
    assert not kinds["resampled"].holds


def test_right_or_wrong_stays_right_or_wrong_and_ties_stay_ties() -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.random((2, 1, 80)) < 0.6).astype(float)
    for null in null_versions(pair_of(a, b)):
        version = null.version(draw())
        assert version.binary
        assert set(version.differences) <= {-1.0, 0.0, 1.0}


def test_redrawn_clusters_come_whole_and_a_cluster_drawn_twice_is_two() -> None:
    a = np.arange(30.0)[None]
    pair = pair_of(a, a + NORMAL[0] ** 2, clusters=GROUPS)
    for seed in range(5):
        statistics, design = BootstrapNull(pair).statistics(draw(seed))
        assert design.n_units == 10
        assert design.labels is not None
        items = values(statistics)[0][0]
        for cluster in range(10):
            held = sorted(items[design.labels == cluster])
            assert held[0] % 3 == 0
            assert held == [held[0], held[0] + 1, held[0] + 2]


def test_strata_keep_their_sizes() -> None:
    design = Design.named(30, None, ["x"] * 10 + ["y"] * 20)
    null = Centred(GainContrast(experiment(mean_stats(list(NORMAL), design=design), settings=Settings()), 0, 1))
    _, drawn = null.statistics(draw())
    assert drawn.strata is not None
    assert np.bincount(drawn.strata).tolist() == [10, 20]
    assert null.weights[:10].mean() == pytest.approx(1)


def components(rng: np.random.Generator, runs: int, n: int) -> GainContrast:
    a, b = (
        rng.normal(0, 0.4, n) + rng.normal(0, 0.3, (runs, 1)) + rng.normal(0, 0.8, (runs, n)) + gain for gain in (0, 1)
    )
    return pair_of(a, b)


def second_moments(null: NullVersion, rounds: int) -> tuple[float, float, float]:
    """Mean and variance of the gain over versions, and the mean over versions of the variance between run scores."""
    gains, spread = [], []
    for seed in range(rounds):
        a, b = values(null.statistics(draw(seed))[0])
        gains.append(b.mean() - a.mean())
        spread.append(a.mean(axis=1).var(ddof=1))
    return float(np.mean(gains)), float(np.var(gains)), float(np.mean(spread))


def test_new_runs_and_items_vary_as_the_parts_say() -> None:
    """4,000 versions; a band of 5 standard errors of a variance, sqrt(2 / 4000) of it each: one alarm in 10^6."""
    pair = components(np.random.default_rng(5), 5, 40)
    null, rounds, n, runs = NewRunsAndItems(pair), 4000, 40, 5
    mean, variance, spread = second_moments(null, rounds)
    of_runs = sum(part.between_runs for part in null.components) / runs
    d = null.components[1].of_items - null.components[0].of_items
    expected = of_runs + float((d**2).mean()) / n
    assert abs(mean) < 5 * np.sqrt(expected / rounds)
    assert variance == pytest.approx(expected, rel=0.11)
    first = null.components[0]
    left = float((first.residual**2).sum()) / ((runs - 1) * n**2)
    assert spread == pytest.approx(first.between_runs + left, rel=0.11)


@pytest.mark.slow
def test_new_runs_on_the_same_items_leave_the_items_alone() -> None:
    """As above; only runs and what is left vary, and each new run stands for itself."""
    pair = components(np.random.default_rng(6), 5, 40)
    null, rounds, n, runs = NewRuns(pair), 4000, 40, 5
    mean, variance, _ = second_moments(null, rounds)
    expected = 0.0
    for part in null.components:
        left = float((part.residual**2).sum()) / ((runs - 1) * n**2)
        expected += (part.between_runs + left) / runs
    assert abs(mean) < 5 * np.sqrt(expected / rounds)
    assert variance == pytest.approx(expected, rel=0.11)


def test_what_is_left_of_new_runs_varies_as_much_as_that_of_the_runs() -> None:
    """Mean squares of 60 items in 400 versions of two runs, which vary by half as much without what makes up for it."""
    pair = components(np.random.default_rng(9), 2, 60)
    null = NewRuns(pair)
    part = null.components[0]
    squares = []
    for seed in range(400):
        left = values(null.statistics(draw(seed))[0])[0] - part.of_items
        squares.append(((left - left.mean(axis=1, keepdims=True)) ** 2).mean())
    assert np.mean(squares) == pytest.approx(float((part.residual**2).sum(axis=0).mean()), rel=0.1)


def test_a_corpus_score_enters_by_its_pseudo_values() -> None:
    rng = np.random.default_rng(7)
    a, b = rng.integers(0, 6, (2, 3, 30)).astype(float)
    null = NewRunsAndItems(pair_of(a, b, "ratio:num=score,den=length"))
    version = null.version(draw())
    assert version.stats.plain_mean
    assert null.components[0].of_items.sum() == pytest.approx(0, abs=1e-9)


def test_which_versions_suit_which_data() -> None:
    rng = np.random.default_rng(8)

    def names(runs: tuple[int, int]) -> list[str]:
        a, b = (rng.normal(0, 1, (r, 30)) for r in runs)
        return [null.name for null in null_versions(pair_of(a, b))]

    assert names((1, 1)) == ["permuted", "centred"]
    assert names((3, 3)) == ["permuted", "new_runs", "new_runs_and_items"]
    assert names((2, 4)) == ["new_runs", "new_runs_and_items"]
    assert names((1, 3)) == ["centred"]


def test_equal_generators_give_equal_versions_and_blind_ones_hide_the_clusters_only() -> None:
    pair = pair_of(NORMAL[0], NORMAL[1], clusters=GROUPS)
    for told, blind in zip(null_versions(pair), null_versions(pair, blind=True), strict=True):
        first, again, hidden = told.version(draw()), told.version(draw()), blind.version(draw())
        assert np.array_equal(first.differences, again.differences)
        assert np.array_equal(first.differences, hidden.differences)
        assert first.clustered
        assert not hidden.clustered
        assert first.settings.seed == again.settings.seed


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


def test_a_null_version_takes_the_seed_of_its_resamples_after_its_data() -> None:
    draw = np.random.default_rng(3)
    null = Permuted(pairing(draw.random((1, 9)), draw.random((1, 9)), settings(9)))
    twin = np.random.default_rng(5)
    null.statistics(twin)
    assert null.version(np.random.default_rng(5)).settings.seed == int(twin.integers(2**31))


def test_weights_that_fall_off_steeply_stay_numbers() -> None:
    assert DesignUnits(Design(3)).tilt(np.array([0.0, 2000.0, 2000.0])) == pytest.approx([0.0, 1.5, 1.5])
