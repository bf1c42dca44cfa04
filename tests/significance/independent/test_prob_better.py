"""The probability of being better as a test of runs."""

from __future__ import annotations

import itertools
import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.significance.independent import IndependentSamples, independent_tests
from outscore.significance.independent.aso import AlmostStochasticOrder
from outscore.significance.independent.brunner_munzel import BrunnerMunzel, ProbBetter, resample_superiority
from outscore.significance.settings import Settings
from tests.significance.independent.test_aso import of, runs


def test_items_that_both_systems_answered_are_refused() -> None:
    for test in (AlmostStochasticOrder(), ProbBetter()):
        samples = of([1, 2, 3], [2, 3, 4], unit="item", shared=True)
        assert "paired" in (test.refuses(samples) or "")
        assert test.refuses(of([1, 2, 3], [2, 3, 4], shared=True)) is None
        assert test.refuses(of([1, 2, 3], [2, 3, 4], unit="item")) is None
    assert "0.5" in (AlmostStochasticOrder(tau=0.7).refuses(of([1, 2], [2, 3])) or "")
    assert "one half" in (ProbBetter(threshold=0.3).refuses(of([1, 2], [2, 3])) or "")


def test_one_run_has_no_answer() -> None:
    for test in (AlmostStochasticOrder(), ProbBetter()):
        found = test.run(of([1], [2, 3]))
        assert found.p_value is None
        assert found.notes


@hypothesis_settings(max_examples=30)
@given(runs, runs)
def test_the_share_of_wins_counts_all_pairs_of_runs(a: list[int], b: list[int]) -> None:
    samples = of(a, b, n_resamples=50)
    if samples.constant:
        return
    found = ProbBetter().run(samples)
    twin = sum((x > y) + 0.5 * (x == y) for x in a for y in b) / (len(a) * len(b))
    assert found.effect["prob_better"] == pytest.approx(twin)
    assert found.p_value == BrunnerMunzel().run(samples).p_value


def test_redrawn_shares_follow_the_law_of_all_resamples() -> None:
    # slow twin: all 3³ 2² pairs of resamples count once; 40,000 draws, five standard errors at each step (1e-6)
    a, b = [1, 4, 6], [2, 5]
    twin = np.sort([
        sum((x > y) + 0.5 * (x == y) for x in one for y in other) / 6
        for one in product(a, repeat=3) for other in product(b, repeat=2)
    ])  # fmt: skip
    draws = np.sort(resample_superiority(np.array(a, dtype=float), np.array(b, dtype=float), 40_000, 4))
    for at in np.unique(twin):
        share = float((twin <= at + 1e-9).mean())
        error = 5 * math.sqrt(share * (1 - share) / 40_000) + 1e-9
        assert float((draws <= at + 1e-9).mean()) == pytest.approx(share, abs=error)


def test_the_threshold_is_about_what_the_interval_reaches() -> None:
    clear, slight = of(np.arange(10.0) + 50, np.arange(10.0)), of(np.arange(10.0), np.arange(10.0) + 50)
    assert ProbBetter().run(clear).effect["reaches_0.75"] == "system, meaningful"
    assert ProbBetter().run(slight).effect["reaches_0.75"] == "baseline, meaningful"
    rng = np.random.default_rng(3)
    many = of(rng.normal(0.3, 1, 400), rng.normal(0, 1, 400))
    assert ProbBetter().run(many).effect["reaches_0.75"] == "system, not meaningful"
    even = of(rng.normal(0, 1, 40), rng.normal(0, 1, 40))
    assert ProbBetter(threshold=0.9).run(even).effect["reaches_0.9"] == "inconclusive"


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (0.4, "baseline, not meaningful"),
        (0.6, "system, not meaningful"),
        (0.5, "inconclusive"),
        (0.9, "system, meaningful"),
        (0.1, "baseline, meaningful"),
    ],
)
def test_a_chance_to_be_better_is_meaningful_beyond_the_threshold_alone(share: float, verdict: str) -> None:
    n = 400
    baseline = np.arange(n) / n
    system = np.quantile(
        baseline, np.clip(np.arange(n) / n + (share - 0.5) * (1.2 if share in (0.1, 0.9) else 1.0), 0, 1)
    )
    given = IndependentSamples(system=system + 1e-4, baseline=baseline, unit="item", settings=Settings(n_resamples=999))
    assert independent_tests.make("prob-better").run(given).effect["reaches_0.75"] == verdict


@pytest.mark.parametrize("n_resamples", [1, 2, 999])
def test_as_many_chances_are_redrawn_as_were_asked_for(n_resamples: int) -> None:
    found = resample_superiority(np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0]), n_resamples, 5)
    assert found.shape == (n_resamples,)
    assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 6, 10, 30])
def test_level_of_the_probability_of_being_better(n: int) -> None:
    # 1,500 replicates: of equal normal laws, exact or nearly (binomial quantile 1e-6 over .055); of laws with one mean
    # and a fourfold deviation, whose P(A > B) is one half, too (.075 at four runs, .065 else)
    rng = np.random.default_rng(n)
    for spread, bound in ((1.0, 0.055), (4.0, 0.075 if n < 6 else 0.065)):
        rejected = 0
        for _ in range(1500):
            a, b = rng.normal(0, spread, n), rng.normal(0, 1, n)
            rejected += (BrunnerMunzel().run(of(a, b, "two-sided", n_resamples=499)).p_value or 1.0) <= 0.05
        assert rejected <= stats.binom.isf(1e-6, 1500, bound), spread


@pytest.mark.slow
def test_coverage_of_the_interval_is_what_its_note_says() -> None:
    # 600 replicates, true coverage .91 at 5 runs, .82 at 3, .945 at 20: five standard errors
    for n, truth in ((3, 0.82), (5, 0.91), (20, 0.95)):
        rng, covered = np.random.default_rng(n), 0
        for k in range(600):
            a, b = rng.normal(size=(2, n))
            low, high = np.quantile(resample_superiority(a, b, 499, k), [0.025, 0.975])
            covered += low <= 0.5 <= high
        assert covered / 600 == pytest.approx(truth, abs=5 * math.sqrt(truth * (1 - truth) / 600)), n


def _on_items() -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    """Four runs of one system and three of another on six items."""
    rng = np.random.default_rng(8)
    return {"old": rng.normal(0, 1, (4, 6)).round(1), "new": rng.normal(0.5, 1, (3, 6)).round(1)}


OF_RLIABLE = 0.5694444444444445
"""rliable 1.2.0, probability_of_improvement of these runs."""


def test_over_items_it_is_the_probability_of_improvement_of_rliable() -> None:
    found = outscore.compare(_on_items(), test="prob-better:over=items").pairs[0]
    assert found.effect["prob_better"] == pytest.approx(OF_RLIABLE)
    low, high = found.effect["prob_better_ci_low"], found.effect["prob_better_ci_high"]
    assert 0 < float(str(low)) < OF_RLIABLE < float(str(high)) < 1


def test_over_items_whole_runs_are_permuted() -> None:
    """All 35 ways to say which three of the seven runs are those of the system, written out."""
    old, new = _on_items().values()
    runs = [*new, *old]

    def share(chosen: tuple[int, ...]) -> float:
        rest = [k for k in range(7) if k not in chosen]
        return float(np.mean([[(runs[a] > runs[b]) + (runs[a] == runs[b]) / 2 for b in rest] for a in chosen]))

    apart = [abs(share(chosen) - 0.5) for chosen in itertools.combinations(range(7), 3)]
    pair = outscore.compare(_on_items(), test="prob-better:over=items").pairs[0]
    assert pair.p_value == pytest.approx(np.mean(np.array(apart) >= apart[0] - 1e-9))
    greater = outscore.compare(_on_items(), test="prob-better:over=items", alternative="greater").pairs[0]
    shares = [share(chosen) for chosen in itertools.combinations(range(7), 3)]
    assert greater.p_value == pytest.approx(np.mean(np.array(shares) >= shares[0] - 1e-9))


def test_over_items_it_needs_runs_of_a_mean_of_items() -> None:
    texts = {"old": [["a b", "c d"], ["a", "c d"]], "new": [["a b", "c"], ["a b", "c d"]]}
    with pytest.raises(UsageError, match="needs several runs of a mean of items"):
        outscore.compare(texts, references=["a b", "c d"], metrics="bleu", test="prob-better:over=items")


def test_fewer_is_better_over_items_too() -> None:
    found = outscore.compare(_on_items(), metrics="mean:lower=true", test="prob-better:over=items").pairs[0]
    assert found.effect["prob_better"] == pytest.approx(1 - OF_RLIABLE)


@pytest.mark.parametrize("who", ["system", "baseline"])
def test_what_just_reaches_the_threshold_is_not_meaningful(who: str) -> None:
    rng = np.random.default_rng(3)
    better, worse = rng.normal(0.7, 1, 60), rng.normal(0, 1, 60)
    samples = of(better, worse) if who == "system" else of(worse, better)
    found = ProbBetter().run(samples).effect
    edge = float(str(found["prob_better_ci_high"])) if who == "system" else 1 - float(str(found["prob_better_ci_low"]))
    for threshold, more in ((edge, "not "), (edge - 1e-6, ""), (edge + 1e-6, "not ")):
        said = ProbBetter(threshold=threshold).run(samples).effect[f"reaches_{threshold:g}"]
        assert said == f"{who}, {more}meaningful"


@pytest.mark.parametrize("turned", [False, True])
def test_an_interval_that_begins_at_one_half_is_inconclusive(turned: bool) -> None:
    """Of four runs of the baseline three tie with both of the system: resamples without the fourth are even."""
    system, baseline = [2, 2], [2, 2, 2, 1]
    found = ProbBetter().run(of(baseline, system) if turned else of(system, baseline)).effect
    assert found["prob_better_ci_high" if turned else "prob_better_ci_low"] == 0.5
    assert found["reaches_0.75"] == "inconclusive"
