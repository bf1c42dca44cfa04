"""Almost stochastic order and P(A > B) as tests of runs: twins from the definitions, policies, levels."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Float
from outscore.engine.extreme import Alternative
from outscore.significance.independent import IndependentSamples, Unit
from outscore.significance.independent.aso import AlmostStochasticOrder, almost_stochastic_order
from outscore.significance.independent.brunner_munzel import BrunnerMunzel
from outscore.significance.independent.prob_better import ProbBetter, resample_superiority
from outscore.significance.settings import Settings
from tests.oracles.support import family

LEVELS = st.sampled_from([0.01, 0.05, 0.2])
runs = st.lists(st.integers(0, 12), min_size=2, max_size=5)


def of(
    system: Float | list[int],
    baseline: Float | list[int],
    alternative: Alternative = "greater",
    *,
    alpha: float = 0.05,
    unit: Unit = "run",
    shared: bool = False,
    n_resamples: int = 1000,
) -> IndependentSamples:
    made = Settings(alternative=alternative, alpha=alpha, n_resamples=n_resamples)
    a, b = (np.asarray(s, dtype=float) for s in (system, baseline))
    return IndependentSamples(system=a, baseline=b, unit=unit, settings=made, shared=shared)


def p_of(test: AlmostStochasticOrder | ProbBetter, samples: IndependentSamples) -> float:
    p = test.run(samples).p_value
    assert p is not None
    return p


@hypothesis_settings(max_examples=60)
@given(runs, runs, LEVELS, st.sampled_from([0.1, 0.2, 0.5]))
def test_p_is_the_level_at_which_the_bound_meets_the_threshold(
    a: list[int], b: list[int], alpha: float, tau: float
) -> None:
    samples = of(a, b, alpha=alpha)
    found = AlmostStochasticOrder(tau=tau).run(samples)
    assert found.p_value is not None
    assert found.p_min is not None
    if not samples.constant:
        claimed = almost_stochastic_order(samples.system, samples.baseline, alpha=alpha).eps_min < tau
        assert (found.p_value < alpha) == (claimed and found.p_min < alpha)


def test_no_p_is_below_that_of_a_permutation_of_the_runs() -> None:
    apart = of([10, 11, 12], [1, 2, 3])
    assert p_of(AlmostStochasticOrder(), apart) == pytest.approx(1 / 20)
    both = of([10, 11, 12], [1, 2, 3], "two-sided")
    assert p_of(AlmostStochasticOrder(), both) == pytest.approx(2 / 20)
    assert p_of(AlmostStochasticOrder(), of([1, 2, 3], [10, 11, 12])) == 1


def test_both_directions_and_both_thresholds_are_said() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.7, 1, 25), rng.normal(0, 1, 25)
    found = AlmostStochasticOrder().run(of(a, b))
    bound = almost_stochastic_order(a, b, n_resamples=1000)
    back = almost_stochastic_order(b, a, n_resamples=20_000)
    assert found.effect["eps_min"] == pytest.approx(bound.eps_min)
    assert found.effect["eps_min_of_baseline"] == pytest.approx(back.eps_min, abs=0.05)
    assert found.effect["violation_ratio"] == bound.violation_ratio
    named = {k: found.effect[k] for k in ("larger_at_0.2", "larger_at_0.5")}
    assert named == {
        "larger_at_0.2": "system" if bound.eps_min < 0.2 else "neither",
        "larger_at_0.5": "system" if bound.eps_min < 0.5 else "neither",
    }
    turned = AlmostStochasticOrder().run(of(b, a, "less"))
    assert turned.p_value == pytest.approx(found.p_value or 0)
    assert turned.effect["larger_at_0.5"] in ("baseline", "neither")


def test_order_says_where_its_level_is_missed() -> None:
    rng = np.random.default_rng(2)
    few, many = (of(*rng.normal(size=(2, n))) for n in (5, 200))
    assert [n.code for n in AlmostStochasticOrder().run(few).notes] == ["order_of_equals"]
    assert AlmostStochasticOrder().run(many).notes == ()
    assert [n.code for n in AlmostStochasticOrder(tau=0.5).run(many).notes] == ["loose_order"]


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


ASO = family("sim_other")["cases"][1]["expected"]["aso_false_dominance"]["normal_equal"]
THEIRS = 1000  # replicates of the oracle


def false_dominance(n: int, reps: int, tau: float = 0.2) -> dict[str, float]:
    rng = np.random.default_rng(n)
    ratios, bounds, p = [], [], []
    for _ in range(reps):
        samples = of(*rng.normal(size=(2, n)), n_resamples=300)
        found = AlmostStochasticOrder(tau=tau).run(samples)
        ratios.append(found.effect["violation_ratio"])
        bounds.append(found.effect["eps_min"])
        p.append(found.p_value)
    ratio, bound = np.array(ratios, dtype=float), np.array(bounds, dtype=float)
    return {
        "P_eps_min_lt_0p5": float((bound < 0.5).mean()),
        "P_eps_min_lt_0p2": float((bound < 0.2).mean()),
        "P_eps_min_eq_0": float((bound == 0).mean()),
        "P_point_ratio_lt_0p5": float((ratio < 0.5).mean()),
        "level": float((np.array(p, dtype=float) <= 0.05).mean()),
    }


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 5, 10, 20, 50, 100])
def test_false_dominance_is_that_of_the_oracle(n: int) -> None:
    # 1,500 replicates, four standard errors of both: 6e-5 for each number
    found = false_dominance(n, 1500)
    for key, expected in ASO[str(n)].items():
        measured = found[key]
        spread = max(expected * (1 - expected), measured * (1 - measured), 1 / THEIRS)
        assert abs(measured - expected) <= 4 * math.sqrt(spread * (1 / THEIRS + 1 / 1500)), key
    # p counts as the bound does
    assert found["level"] == pytest.approx(found["P_eps_min_lt_0p2"], abs=0.001)


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
