"""Coverage of the intervals that a comparison gives by default, 95 % nominal.

Where the data are counts the coverage is summed, else simulated; a simulated coverage must lie between binomial
quantiles at 1e-6 of the true coverages named beside it (false alarms: 2e-6 for each).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from scipy import stats as laws

from outscore.base.arrays import Float
from outscore.engine.design import Design
from outscore.metrics.ratio import Ratio
from outscore.significance import notes, tests
from outscore.significance.confidence import gain_interval, score_interval
from outscore.significance.gain import GainContrast
from outscore.significance.interval import Found
from outscore.significance.interval.bootstrap import Bca, StudentizedInterval
from outscore.significance.resamples import BOOTSTRAP, Resamples
from outscore.significance.statistics import Statistics
from tests.examples import first
from tests.laws.support import (
    binary_pairing,
    ci_of,
    cluster_labels,
    clustered,
    crossed_truth,
    discordant,
    experiment,
    f1_stats,
    least,
    mean_stats,
    most,
    normal,
    pairing,
    repeated,
    replicated,
    replicated_pairs,
    replicates,
    settings,
)


def ends(found: Found) -> tuple[float, float]:
    assert found[0] is not None
    return found[0]


def covers(found: Iterable[tuple[float, float]], truth: float) -> float:
    """Share of intervals that hold the truth."""
    return float(np.mean([low <= truth <= high for low, high in found]))


def between(measured: float, low: float, high: float, reps: int) -> bool:
    return least(low, reps) <= measured <= most(high, reps)


@pytest.mark.parametrize("n", [5, 30])
@repeated(1000, 4000)
def test_t_interval_of_a_gain(n: int, reps: int) -> None:
    # exact for normal differences: true coverage .95
    found = [gain_interval(pair) for pair in replicates(normal(n), reps, settings(1, 3))]
    assert {method for _, method, _ in found} == {"t interval"}
    assert between(covers(map(ends, found), 0.0), 0.95, 0.95, reps)


@pytest.mark.slow
def test_cr2_interval_of_a_gain() -> None:
    # equal clusters: CR2 with Satterthwaite's degrees of freedom is t(G - 1), true coverage .95
    reps = 3000
    found = [gain_interval(p) for p in replicates(clustered(60), reps, settings(1, 3), cluster_labels(60))]
    assert {method for _, method, _ in found} == {"CR2 t interval"}
    assert between(covers(map(ends, found), 0.0), 0.95, 0.95, reps)


def test_cr2_interval_with_unequal_clusters() -> None:
    # 15 clusters of 1 to 9 items, ICC .5: true coverage between .94 and .965 (Pustejovsky & Tipton 2018)
    reps, rng = 2000, np.random.default_rng(5)
    labels = np.repeat(np.arange(15), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 9])
    shared = rng.normal(size=(reps, 15))[:, labels] * np.sqrt(0.5)
    d = shared + rng.normal(size=(reps, labels.size)) * np.sqrt(0.5)
    found = [gain_interval(p) for p in replicates(lambda _, __: d, reps, settings(1, 3), labels, batch=reps)]
    assert between(covers(map(ends, found), 0.0), 0.94, 0.965, reps)


@pytest.mark.parametrize(
    ("n", "better", "worse"),
    [(50, 0.1, 0.05), (100, 0.025, 0.025), pytest.param(100, 0.2, 0.1, marks=pytest.mark.slow)],
)
def test_tango_interval_of_a_gain_in_accuracy(n: int, better: float, worse: float) -> None:
    # no false alarm: summed over the trinomial law
    truth, coverage = better - worse, 0.0
    for b, c, chance in discordant(n, better, worse):
        interval, method, _ = gain_interval(binary_pairing(b, c, n, settings(1)))
        assert interval is not None
        assert method == "Tango score interval"
        coverage += chance * (interval[0] - 1e-12 <= truth <= interval[1] + 1e-12)
    assert 0.94 <= coverage <= 0.985


@pytest.mark.parametrize(
    ("n", "p", "published"),
    [(50, 0.9, 0.9702903), (200, 0.9, 0.9561182), (200, 0.98, 0.9330770), (100, 0.5, 0.9431120)],
)
def test_wilson_interval_of_an_accuracy(n: int, p: float, published: float) -> None:
    # oracle ``sim_other``, ci_coverage_power; no false alarm: summed over the binomial law
    coverage = 0.0
    for right, chance in enumerate(laws.binom.pmf(np.arange(n + 1), n, p)):
        if chance > 1e-12:
            pair = binary_pairing(right, 0, n, settings(1))
            interval, method, _ = score_interval(pair.resamples, 0, pair.system)
            assert interval is not None
            assert method == "Wilson interval"
            coverage += chance * (interval[0] <= p <= interval[1])
    assert coverage == pytest.approx(published, abs=2e-5)


def sentences(rng: np.random.Generator, n: int, skill: float = 0.7) -> Float:
    """Counts of tp, fp, fn of sentences with 1 + Poisson(2) gold entities, ``(n, 3)``."""
    gold = 1 + rng.poisson(2.0, size=n)
    tp = rng.binomial(gold, skill)
    return np.stack([tp, rng.poisson(0.6, size=n), gold - tp], axis=1).astype(float)


def true_f1(skill: float = 0.7) -> float:
    tp, fp, fn = 3 * skill, 0.6, 3 * (1 - skill)
    return 2 * tp / (2 * tp + fp + fn)


def f1_experiments(reps: int, n: int, batch: int = 100) -> list[tuple[Resamples, int]]:
    rng = np.random.default_rng(n)
    found = []
    for start in range(0, reps, batch):
        stats = f1_stats([sentences(rng, n)[None] for _ in range(batch)])
        whole = experiment(stats, settings=settings(999, start)).draw([BOOTSTRAP])
        found += [(whole, s) for s in range(batch)]
    return found


@pytest.mark.slow
def test_studentized_interval_of_a_small_corpus_score() -> None:
    # micro-F1, n = 20: .961; true coverage between .945 and .98
    reps = 800
    found = [score_interval(whole, 0, s, StudentizedInterval()) for whole, s in f1_experiments(reps, 20)]
    assert {method for _, method, _ in found} == {"studentized bootstrap interval"}
    assert between(covers(map(ends, found), true_f1()), 0.945, 0.98, reps)


@pytest.mark.slow
def test_the_default_interval_of_a_gain_of_a_corpus_score_of_few_items() -> None:
    # micro-F1, n = 30: the delta method with t covers .95; true coverage between .935 and .97
    rng, reps = np.random.default_rng(8), 1000
    pairs = (
        GainContrast(experiment(f1_stats([sentences(rng, 30)[None] for _ in range(2)]), settings=settings(199)), 0, 1)
        for _ in range(reps)
    )
    found = [gain_interval(pair) for pair in pairs]
    assert {method for _, method, _ in found} == {"delta method interval"}
    assert between(covers(map(ends, found), 0.0), 0.935, 0.97, reps)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "longest"), [(60, (3, 30)), (300, (3, 100))])
def test_segments_of_very_unequal_length_count_for_fewer(n: int, longest: tuple[int, int]) -> None:
    # an error rate, of which 3 segments hold most words: .93; as of n equal segments .83 (delta) and .78 (BCa)
    rng, reps = np.random.default_rng(n), 600
    words = np.full(n, 10.0)
    words[: longest[0]] *= longest[1]
    found = []
    for _ in range(reps):
        errors = rng.binomial(words.astype(int), rng.beta(0.75, 4.25, (2, n)))
        systems = [np.stack([one, words], axis=1)[None].astype(float) for one in errors]
        metric = Ratio(num="errors", den="words")
        stats = Statistics("rate", systems, metric.score, Design(n), ratio=metric.ratio())
        found.append(ends(gain_interval(GainContrast(experiment(stats, settings=settings(9)), 0, 1))))
    assert between(covers(found, 0.0), 0.9, 0.97, reps)


@pytest.mark.slow
def test_an_f1_near_one_is_covered_on_the_logit_scale() -> None:
    # 100 entities in 50 sentences, two of them wrong: .97, by the delta method .87
    rng, reps = np.random.default_rng(4), 800
    found = []
    for _ in range(reps):
        gold = rng.poisson(2, 50)
        tp = rng.binomial(gold, 0.98)
        counts = np.stack([tp, rng.binomial(gold, 0.02), gold - tp], axis=1)[None].astype(float)
        stats = f1_stats([counts])
        stats.limits = (0.0, 1.0)
        found.append(ends(score_interval(experiment(stats, settings=settings(9)), 0, 0)))
    assert between(covers(found, 0.98), 0.94, 0.99, reps)


@repeated(600, 3000)
def test_bca_interval_of_a_corpus_score(reps: int) -> None:
    # micro-F1, n = 100: .9495; true coverage between .935 and .96
    found = [score_interval(whole, 0, s, Bca()) for whole, s in f1_experiments(reps, 100)]
    assert {method for _, method, _ in found} == {"bca bootstrap interval"}
    assert between(covers(map(ends, found), true_f1()), 0.935, 0.96, reps)


@pytest.mark.nightly
def test_intervals_of_corpus_scores_closely() -> None:
    # the oracle's .961 and .9495 within .01 and .008: true coverage of these sentences between those
    small = [score_interval(whole, 0, s) for whole, s in f1_experiments(5000, 20)]
    assert between(covers(map(ends, small), true_f1()), 0.951, 0.971, 5000)
    large = [score_interval(whole, 0, s) for whole, s in f1_experiments(10_000, 100)]
    assert between(covers(map(ends, large), true_f1()), 0.9415, 0.9575, 10_000)


@pytest.mark.parametrize(
    ("n", "low", "high"), [(20, 0.94, 0.985), pytest.param(100, 0.93, 0.965, marks=pytest.mark.slow)]
)
def test_interval_of_a_gain_in_f1(n: int, low: float, high: float) -> None:
    # two systems of skill .75 and .65; studentized below 50 items, BCa above; true coverage between low and high
    reps, rng = 400, np.random.default_rng(n)
    truth = true_f1(0.75) - true_f1(0.65)
    found = []
    for k in range(reps):
        stats = f1_stats([sentences(rng, n, 0.65)[None], sentences(rng, n, 0.75)[None]])
        found.append(ends(gain_interval(GainContrast(experiment(stats, settings=settings(999, k)), 0, 1))))
    assert between(covers(found, truth), low, high, reps)


@pytest.mark.parametrize(
    ("runs", "rho"), first([(3, 0.0), (3, 1.0), (10, 0.0), (10, 1.0)], (3, 1.0), others=pytest.mark.slow)
)
@repeated(200, 1000)
def test_crossed_interval_of_a_gain_over_runs_and_items(runs: int, rho: float, reps: int) -> None:
    # sizes .040 to .052 (oracle): true coverage between .945 and .97
    test = tests.make("crossed")
    found = [ci_of(test.run(p)) for p in replicated_pairs(reps, settings(1, 19), n=200, runs=runs, rho=rho)]
    assert between(covers(found, 0.0), 0.945, 0.97, reps)


@repeated(250, 1500)
def test_crossed_interval_of_one_score_over_runs_and_items(reps: int) -> None:
    # five runs, run deviation of one standard error; true coverage between .94 and .975
    rng = np.random.default_rng(8)
    found = []
    for _ in range(reps):
        a, b = replicated(rng, 100, 5, 1.0)
        whole = experiment(mean_stats([b, a]), settings=settings(1))
        interval, method, _ = score_interval(whole, 0, 1)
        assert method == "crossed t interval over runs and items"
        assert interval is not None
        found.append(interval)
    assert between(covers(found, 0.0), 0.94, 0.975, reps)


def test_crossed_interval_of_a_gain_in_f1_over_runs_and_items() -> None:
    # a corpus score by pseudo-values, four runs of equal expectation; true coverage between .94 and .98
    reps, rng, test = 400, np.random.default_rng(21), tests.make("crossed")
    found = []
    for _ in range(reps):
        systems = [crossed_truth(rng, 60, 4) for _ in range(2)]
        found.append(ci_of(test.run(GainContrast(experiment(f1_stats(systems), settings=settings(1)), 0, 1))))
    assert between(covers(found, 0.0), 0.94, 0.98, reps)


@pytest.mark.parametrize(
    "name",
    first(
        ["t", "z:sigma=1.3", "crossed", "runs", "crossed:variant=conservative"],
        *("t", "crossed:variant=conservative"),
        others=pytest.mark.slow,
    ),
)
def test_an_interval_leaves_out_zero_exactly_when_p_is_below_alpha(name: str) -> None:
    # no false alarm: they are one computation
    test = tests.make(name)
    for k, pair in enumerate(replicated_pairs(200, settings(1, 6), n=40, runs=3, rho=1.5)):
        outcome = test.run(pair)
        assert outcome.p_value is not None
        low, high = ci_of(outcome)
        assert (low > 0 or high < 0) == (outcome.p_value < 0.05), k


def test_the_wrong_intervals_would_be_caught() -> None:
    # the same bounds refuse ±1.96 standard errors at n = 5 (coverage .878) and intervals that ignore clusters (.74)
    reps = 1000
    narrow = []
    for pair in replicates(normal(5), reps, settings(1, 3)):
        error = float(pair.differences.std(ddof=1)) / np.sqrt(5)
        narrow.append((pair.gain - 1.96 * error, pair.gain + 1.96 * error))
    assert not between(covers(narrow, 0.0), 0.95, 0.95, reps)
    blind = [ends(gain_interval(p)) for p in replicates(clustered(60), reps, settings(1, 3))]
    assert not between(covers(blind, 0.0), 0.95, 0.95, reps)


def test_one_item_has_no_interval() -> None:
    pair = pairing(np.array([[0.3]]), np.array([[0.1]]), settings(99))
    interval, method, said = gain_interval(pair)
    assert (interval, method) == (None, "undefined")
    assert notes.BCA_FALLBACK not in said
