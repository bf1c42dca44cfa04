"""Rankings: contributions by the jackknife, exchanges item by item, and mid-ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import outscore
from outscore.base.arrays import Float, Int
from outscore.engine.design import Design
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling
from outscore.engine.weights import ATOM, bootstrap_counts, swaps
from outscore.metrics import metrics
from outscore.significance import notes, tests
from outscore.significance.confidence import gain_interval, score_interval
from outscore.significance.gain import GainContrast
from outscore.significance.ranked import RankedStatistics
from outscore.significance.resamples import BOOTSTRAP, Permutations, Resamples
from outscore.significance.settings import Settings
from tests.laws.support import experiment, least, mean_stats, most, p_of, repeated, settings, size


def auc(rows: Float, weights: Float) -> Float:
    """The weighted share of pairs that are ranked as their labels say, ties half; weights ``(..., items)``."""
    label, value = rows[:, 0], rows[:, -1]
    right = np.where(value[:, None] > value[None], 1.0, np.where(value[:, None] == value[None], 0.5, 0.0))
    ordered = right * (label[:, None] > label[None])
    both = (label[:, None] > label[None]).astype(float)
    found = np.einsum("...i,ij,...j->...", weights, ordered, weights)
    return np.asarray(found / np.einsum("...i,ij,...j->...", weights, both, weights))


def ranked(n: int, seed: int, labels: Int | None = None, runs: tuple[int, int] = (1, 1)) -> RankedStatistics:
    draw = np.random.default_rng(seed)
    truth = np.resize([0.0, 1.0, 1.0], n)
    systems = [
        np.stack([np.stack([truth, truth * wide + draw.normal(size=n).round(1)], axis=-1) for _ in range(r)])
        for r, wide in zip(runs, (0.5, 1.5), strict=True)
    ]
    return RankedStatistics("auc", systems, auc, Design(n, labels))


@pytest.mark.parametrize("labels", [None, np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])])
def test_contributions_to_a_ranking_are_those_of_the_jackknife(labels: Int | None) -> None:
    measured = ranked(12, 1, labels)
    units = np.arange(12) if labels is None else labels
    n = len(set(units.tolist()))
    for system in (0, 1):
        rows = measured.items[system][0] * measured.steps
        without = np.array([float(auc(rows[units != u], np.ones((units != u).sum()))) for u in range(n)])
        assert measured.without_units[system][0] == pytest.approx(without)
        assert measured.contributions[system] == pytest.approx((n - 1) / n * (without.mean() - without))
        assert measured.run_scores[system][0] == pytest.approx(float(auc(rows, np.ones(12))))
        alone = [float(auc(np.delete(rows, i, axis=0), np.ones(11))) for i in range(12)]
        assert measured.leave_one_out(system)[0] == pytest.approx(alone)
    assert measured.n_decisive == (4 if labels is None else len(set(units[::3].tolist())))


@pytest.mark.parametrize("runs", [(1, 1), (2, 1), (2, 3)])
def test_rankings_are_exchanged_item_by_item_with_all_runs_at_equal_weight(runs: tuple[int, int]) -> None:
    measured = ranked(6, 2, None, runs)
    common = math.lcm(*runs)
    whole = [np.repeat(measured.items[s], common // runs[s], axis=0) * measured.steps for s in (0, 1)]

    def gain(moved: tuple[bool, ...]) -> float:
        there = np.array(moved)[None, :, None]
        sides = [np.repeat(w, 1, axis=0) for w in whole]
        one = np.concatenate([sides[1][:, ~there[0, :, 0]], sides[0][:, there[0, :, 0]]], axis=1).reshape(-1, 2)
        two = np.concatenate([sides[0][:, ~there[0, :, 0]], sides[1][:, there[0, :, 0]]], axis=1).reshape(-1, 2)
        return float(auc(one, np.ones(len(one))) - auc(two, np.ones(len(two))))

    pair = GainContrast(experiment(measured, settings=settings(1999)), 0, 1)
    seen = gain((False,) * 6)
    assert pair.pooled_gain == pytest.approx(seen)
    hits = sum(abs(gain(moved)) >= abs(seen) - 1e-12 for moved in product((False, True), repeat=6))
    found = tests.make("randomization").run(pair)
    assert found.p_value == pytest.approx(hits / 64, abs=0.06)


def test_a_ranking_is_kept_as_its_mid_ranks() -> None:
    values = np.array([0.3, 9.0, 0.3, -1.0, 2.0, 2.0, 2.0])
    rows = np.stack([np.resize([0.0, 1.0], 7), values], axis=-1)[None]
    measured = RankedStatistics("auc", [rows, rows], lambda r, w: w.sum(axis=-1) + r.sum(), Design(7))
    assert measured.items[0][0, :, 1] * measured.steps[1] == pytest.approx(stats.rankdata(values))
    assert measured.items[0][0, :, 0].tolist() == rows[0, :, 0].tolist()


def both_classes(rng: np.random.Generator, n: int) -> Float:
    labels = rng.integers(0, 2, n).astype(float)
    labels[:2] = 0, 1
    return labels


def counts_of(n: int, resamples: int, seed: int) -> Int:
    drawn = np.concatenate([bootstrap_counts(n, seed, atom) for atom in range(-(-resamples // ATOM))])
    return drawn[:resamples].astype(np.int64)


def ranked_experiment(*by_metric: RankedStatistics, n_resamples: int = 40, seed: int = 3, jobs: int = 1) -> Resamples:
    names = [str(s) for s in range(len(by_metric[0].runs))]
    runtime = Runtime(jobs=jobs, block=None if jobs == 1 else ATOM)
    return Resamples(names, by_metric, 0, Settings(n_resamples=n_resamples, seed=seed, runtime=runtime))


def ranked_stats(systems: Sequence[Float], groups: Int | None = None, metric: str = "auc") -> RankedStatistics:
    design = Design(systems[0].shape[1], groups)
    return RankedStatistics(metric, list(systems), metrics.make(metric).score_weighted, design)


def ranked_system(rng: np.random.Generator, labels: Float, runs: int = 1, distinct: int = 6) -> Float:
    """``[label, number]`` of a system ``(runs, items, 2)``, with ties."""
    numbers = np.rint(labels + rng.normal(size=(runs, len(labels))) * distinct / 4)
    return np.stack([np.broadcast_to(labels, numbers.shape), numbers], axis=-1)


def twin(name: str, numbers: Float, labels: Float) -> float:
    """The score of a list of items from its definition; 0.5 or 0 where there is none."""
    positive, negative = numbers[labels == 1], numbers[labels == 0]
    if name == "auc":
        if not (len(positive) and len(negative)):
            return 0.5
        apart = positive[:, None] - negative
        return float(((apart > 0) + 0.5 * (apart == 0)).mean())
    at = [float((positive >= p).sum() / (numbers >= p).sum()) for p in positive]
    return sum(at) / len(at) if at else 0.0


@pytest.mark.parametrize("name", ["auc", "average_precision"])
@given(seed=st.integers(0, 99), clustered=st.booleans())
def test_resampled_scores_are_those_of_test_sets_with_copied_items(name: str, seed: int, clustered: bool) -> None:
    rng = np.random.default_rng(seed)
    labels = both_classes(rng, 12)
    groups = rng.permutation(np.arange(12) % 5) if clustered else None
    systems = [ranked_system(rng, labels), ranked_system(rng, labels, runs=2)]
    made = ranked_experiment(ranked_stats(systems, groups, name)).draw([BOOTSTRAP])
    found = [made.bootstrap_scores(0, s) for s in (0, 1)]
    assert [draws.shape for draws in found] == [(1, 40), (2, 40)]
    for b, counts in enumerate(counts_of(5 if clustered else 12, 40, 3)):
        chosen = np.repeat(np.arange(12), counts[groups] if clustered else counts)
        for draws, runs in zip(found, systems, strict=True):
            for r, run in enumerate(runs):
                assert draws[r, b] == pytest.approx(twin(name, run[chosen, 1], labels[chosen]), abs=1e-14)


def test_resamples_without_a_class_occur_and_have_a_score() -> None:
    labels = np.array([1.0, 0.0, 0.0, 0.0])
    one = np.stack([labels, [3.0, 2.0, 1.0, 0.0]], axis=-1)[None]
    draws = ranked_experiment(ranked_stats([one, one]), n_resamples=200).draw([BOOTSTRAP]).bootstrap_scores(0, 0)[0]
    lacking = (counts_of(4, 200, 3)[:, 0] == 0) | (counts_of(4, 200, 3)[:, 0] == 4)
    assert 20 < lacking.sum() < 120
    assert (draws[lacking] == 0.5).all()
    assert (draws[~lacking] == 1.0).all()


def test_metrics_of_sums_and_of_rankings_see_the_same_test_sets() -> None:
    rng = np.random.default_rng(1)
    labels = both_classes(rng, 30)
    ranked = ranked_stats([ranked_system(rng, labels), ranked_system(rng, labels)])
    values = rng.integers(0, 2, (2, 1, 30)).astype(float)  # few distinct rows: alone they would be drawn as counts
    mean = mean_stats(list(values))
    whole = Resamples(["a", "b"], [mean, ranked], 0, Settings(n_resamples=50, seed=3)).draw([BOOTSTRAP])
    alone = ranked_experiment(ranked, n_resamples=50).draw([BOOTSTRAP])
    np.testing.assert_array_equal(whole.bootstrap_scores(1, 1), alone.bootstrap_scores(0, 1))
    expected = counts_of(30, 50, 3) @ values[1, 0] / 30
    np.testing.assert_allclose(whole.bootstrap_scores(0, 1)[0], expected, rtol=1e-15)


PERMUTATIONS = Permutations(0)


def test_threads_and_blocks_change_no_byte() -> None:
    rng = np.random.default_rng(2)
    labels = both_classes(rng, 50)
    systems = [ranked_system(rng, labels), ranked_system(rng, labels)]
    for name in ("auc", "average_precision"):
        one, two = (
            ranked_experiment(ranked_stats(systems, metric=name), n_resamples=100, jobs=jobs).draw(
                [BOOTSTRAP, PERMUTATIONS]
            )
            for jobs in (1, 2)
        )
        assert one.bootstrap_scores(0, 1).tobytes() == two.bootstrap_scores(0, 1).tobytes()
        assert one[PERMUTATIONS].positions.tobytes() == two[PERMUTATIONS].positions.tobytes()


SERIAL = Runtime()


def mid_ranks(numbers: Float) -> Float:
    return np.array([(numbers < x).sum() + ((numbers == x).sum() + 1) / 2 for x in numbers])


@pytest.mark.parametrize("name", ["auc", "average_precision"])
@given(seed=st.integers(0, 99), clustered=st.booleans(), runs=st.sampled_from([(1, 1), (2, 3)]))
def test_relabelled_gains_are_those_of_exchanged_ranks(
    name: str, seed: int, clustered: bool, runs: tuple[int, int]
) -> None:
    rng = np.random.default_rng(seed)
    labels = both_classes(rng, 10)
    groups = rng.permutation(np.arange(10) % 4) if clustered else np.arange(10)
    systems = [ranked_system(rng, labels, r) for r in runs]
    held = ranked_stats(systems, groups if clustered else None, name)
    found = held.randomize([(1, 0)], Sampling(32, 3, SERIAL)).values[0]
    base, new = ([mid_ranks(run[:, 1]) for run in one] for one in systems)
    common = math.lcm(*runs)
    for atom in range(2):
        for b, chosen in enumerate(swaps(4 if clustered else 10, 3, atom).astype(bool)):
            moved = chosen[groups]
            sides: list[tuple[list[float], list[float]]] = [([], []), ([], [])]
            for own, other, ranks in ((0, 1, new), (1, 0, base)):
                for run in ranks:
                    for i in range(10):
                        side = sides[other if moved[i] else own]
                        side[0].extend([run[i]] * (common // len(ranks)))
                        side[1].extend([labels[i]] * (common // len(ranks)))
            first, second = (twin(name, np.array(numbers), np.array(gold)) for numbers, gold in sides)
            assert found[ATOM * atom + b] == pytest.approx(first - second, abs=1e-13)


def test_the_gain_that_is_judged_is_the_gain_of_one_run_and_near_it_for_several() -> None:
    rng = np.random.default_rng(5)
    labels = both_classes(rng, 40)
    for name in ("auc", "average_precision"):
        single = GainContrast(
            ranked_experiment(ranked_stats([ranked_system(rng, labels), ranked_system(rng, labels)], metric=name)), 0, 1
        )
        assert single.pooled_gain == pytest.approx(single.gain, abs=1e-14)
        several = GainContrast(
            ranked_experiment(
                ranked_stats([ranked_system(rng, labels, 3), ranked_system(rng, labels, 2)], metric=name)
            ),
            0,
            1,
        )
        assert several.pooled_gain == pytest.approx(several.gain, abs=0.1)


@pytest.mark.parametrize("name", ["auc", "average_precision"])
def test_systems_that_rank_alike_are_identical(name: str) -> None:
    rng = np.random.default_rng(6)
    labels = both_classes(rng, 30)
    one = ranked_system(rng, labels)
    other = one.copy()
    other[..., 1] = np.exp(other[..., 1])
    pair = GainContrast(ranked_experiment(ranked_stats([one, other], metric=name)), 0, 1)
    outcome = tests.make("randomization").run(pair)
    assert (pair.gain, outcome.p_value) == (0.0, 1.0)
    assert notes.IDENTICAL in outcome.notes
    assert gain_interval(pair)[:2] == ((0.0, 0.0), "degenerate")
    assert pair.n_different == 0


def test_p_values_do_not_depend_on_the_scales_of_the_systems() -> None:
    rng = np.random.default_rng(7)
    labels = both_classes(rng, 40)
    one, two = ranked_system(rng, labels), ranked_system(rng, labels)
    stretched = two.copy()
    stretched[..., 1] = 1000 * np.exp(two[..., 1])
    for name in ("auc", "average_precision"):
        found = [
            tests.make("randomization").run(
                GainContrast(ranked_experiment(ranked_stats([one, other], metric=name)), 0, 1)
            )
            for other in (two, stretched)
        ]
        assert found[0] == found[1]


def test_units_differ_where_some_item_has_another_rank() -> None:
    labels = np.array([1.0, 0.0, 1.0, 0.0])
    one, two = (np.stack([labels, numbers], axis=-1)[None] for numbers in ([4.0, 3.0, 2.0, 1.0], [4.0, 2.0, 3.0, 1.0]))
    assert GainContrast(ranked_experiment(ranked_stats([one, two])), 0, 1).n_different == 2
    # runs with the same sums of ranks but other ranks
    several = [
        np.stack([np.stack([labels, np.array(numbers)], axis=-1) for numbers in runs])
        for runs in ([[1.0, 2.0, 3.0, 4.0], [3.0, 2.0, 1.0, 4.0]], [[2.0, 1.0, 3.0, 4.0], [2.0, 3.0, 1.0, 4.0]])
    ]
    assert GainContrast(ranked_experiment(ranked_stats(several)), 0, 1).n_different == 2
    # in one cluster the ranks have the same sum, but they are not the same
    assert GainContrast(ranked_experiment(ranked_stats([one, two], np.array([0, 1, 1, 2]))), 0, 1).n_different == 1


@pytest.mark.parametrize("name", ["auc", "average_precision"])
@given(seed=st.integers(0, 99))
def test_scores_without_units_and_items_are_those_of_the_rest(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = both_classes(rng, 9)
    groups = np.array([0, 0, 1, 1, 1, 2, 2, 3, 3])
    systems = [ranked_system(rng, labels), ranked_system(rng, labels, runs=2)]
    held = ranked_stats(systems, groups, name)
    for s, runs in enumerate(systems):
        for r, run in enumerate(runs):
            assert held.run_scores[s][r] == pytest.approx(twin(name, run[:, 1], labels), abs=1e-14)
            for u in range(4):
                rest = groups != u
                assert held.without_units[s][r, u] == pytest.approx(twin(name, run[rest, 1], labels[rest]), abs=1e-14)
            for i in range(9):
                rest = np.arange(9) != i
                found = held.leave_one_out(s)[r, i]
                assert found == pytest.approx(twin(name, run[rest, 1], labels[rest]), abs=1e-14)


def pair_of(n: int = 60, seed: int = 4, groups: Int | None = None, runs: int = 1, name: str = "auc") -> GainContrast:
    rng = np.random.default_rng(seed)
    labels = both_classes(rng, n)
    return GainContrast(
        ranked_experiment(
            ranked_stats([ranked_system(rng, labels, runs), ranked_system(rng, labels, runs)], groups, name)
        ),
        0,
        1,
    )


@pytest.mark.parametrize("name", ["bootstrap", "bootstrap:form=percentile", "bootstrap:form=bbk", "randomization"])
def test_tests_that_redraw_or_exchange_items_answer(name: str) -> None:
    for groups in (None, np.arange(60) // 3):
        assert 0 < p_of(tests.make(name), pair_of(groups=groups)) <= 1


@pytest.mark.parametrize("name", ["crossed", "runs", "randomization"])
def test_tests_for_runs_answer(name: str) -> None:
    assert 0 < p_of(tests.make(name), pair_of(runs=3)) <= 1


@pytest.mark.parametrize("name", ["bootstrap:form=studentized", "multeval", "t", "sign", "wilcoxon", "mcnemar"])
def test_tests_that_need_sums_are_refused(name: str) -> None:
    refusal = tests.make(name).refuses(pair_of())
    assert refusal is not None
    assert "use" in refusal


def test_no_exact_law_is_claimed() -> None:
    outcome = tests.make("randomization").run(pair_of(n=6))
    assert outcome.p_kind == "monte-carlo"


@pytest.mark.parametrize("n", [20, 80])
def test_gains_have_jackknife_intervals_and_scores_bootstrap_intervals(n: int) -> None:
    pair = pair_of(n)
    interval, method, _ = gain_interval(pair)
    assert method == "t interval over jackknife pseudo-values"
    assert interval is not None
    assert interval[0] < pair.gain < interval[1]
    found, named, _ = score_interval(pair.resamples, 0, 1)
    assert named == "bca bootstrap interval"
    assert found is not None
    assert 0 <= found[0] < found[1] <= 1


def test_a_comparison_says_that_ranks_are_exchanged() -> None:
    rng = np.random.default_rng(8)
    labels = both_classes(rng, 80)
    data = {name: (labels + rng.normal(size=80)).tolist() for name in ("a", "b")}
    domains = {"domain": ["x", "y"] * 40, "cluster": [str(i // 4) for i in range(80)]}
    found = outscore.compare(
        data, references=labels.astype(int).tolist(), items=domains, metrics=["auc", "mean"], n_resamples=100
    )
    assert found.pairs[0].test == "randomization"
    assert "auto_cluster_randomization" in found.pairs[0].notes
    assert len(found.buckets) == 4
    first = np.array(data["b"])[::2], labels[::2]
    assert found.buckets[0].system_score == pytest.approx(twin("auc", *first))
    plain = outscore.compare(data, references=labels.astype(int).tolist(), metrics="auc", n_resamples=100)
    assert "auto_rank_randomization" in plain.pairs[0].notes


def alike(rng: np.random.Generator, n: int, stretched: bool) -> tuple[Float, Float]:
    """Two systems that are equally good, correlated, and perhaps on different scales."""
    labels = both_classes(rng, n)
    shared = rng.normal(size=n)
    one, two = (labels + math.sqrt(0.5) * (shared + rng.normal(size=n)) for _ in range(2))
    if stretched:
        two = np.exp(3 * two)
    return (np.stack([labels, one], axis=-1)[None], np.stack([labels, two], axis=-1)[None])


def levels(name: str, n: int, reps: int, stretched: bool) -> tuple[Float, float]:
    """p-values of the randomization test, and how often the interval of the gain holds 0."""
    rng = np.random.default_rng(n)
    p, holds = [], 0
    for k in range(reps):
        made = Settings(n_resamples=199, seed=k)
        held = Resamples(["a", "b"], [ranked_stats(alike(rng, n, stretched), metric=name)], 0, made)
        pair = GainContrast(held, 0, 1)
        p.append(p_of(tests.make("randomization"), pair))
        interval = gain_interval(pair)[0]
        holds += interval is not None and interval[0] <= 0 <= interval[1]
    return np.array(p), holds / reps


@pytest.mark.parametrize("name", ["auc", pytest.param("average_precision", marks=pytest.mark.slow)])
@repeated(None, 500)
def test_level_of_exchanged_ranks_and_coverage_of_the_gain(name: str, reps: int) -> None:
    # false alarms: 3 x 1e-6 for a true size of at most .055 and .012 and a coverage of at least .925, n = 60
    p, coverage = levels(name, 60, reps, stretched=True)
    assert size(p) <= most(0.055, reps)
    assert size(p, 0.01) <= most(0.012, reps)
    assert coverage >= least(0.925, reps)


@pytest.mark.nightly
@pytest.mark.parametrize("stretched", [False, True])
@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize("name", ["auc", "average_precision"])
def test_level_of_exchanged_ranks_closely(name: str, n: int, stretched: bool) -> None:
    # false alarms: 4 x 1e-6 for true sizes of .04 to .055 at .05, at most .013 and .23 at .01 and .2
    reps = 5000
    p, _ = levels(name, n, reps, stretched)
    assert least(0.04, reps) <= size(p) <= most(0.055, reps)
    assert size(p, 0.01) <= most(0.013, reps)
    assert size(p, 0.2) <= most(0.23, reps)
