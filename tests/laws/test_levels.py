"""The level of every registered test under its null hypothesis: P(p <= alpha) is what it says.

Each test names its false-alarm rate; ``most`` and ``least`` are binomial quantiles at 1e-6 (see ``support``). Where a
law can be summed or enumerated there is no false alarm at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import outscore
from outscore.base.arrays import Float
from outscore.engine.extreme import Alternative
from outscore.significance import notes, tests
from outscore.significance.gain import GainContrast
from tests.examples import first
from tests.laws.support import (
    ALPHA,
    Draw,
    binary_pairing,
    binary_size,
    cluster_labels,
    clustered,
    discordant,
    exponential,
    least,
    most,
    normal,
    p_of,
    p_values,
    pairing,
    repeated,
    replicated,
    replicated_pairs,
    replicates,
    settings,
    size,
)

EXACT_LEVEL = (
    "t",
    "z:sigma=1",
    "randomization",
    "randomization:exact=never",
    "sign",
    "wilcoxon",
    "multeval",
    "bootstrap:form=studentized",
)
"""Tests that hold their level on a few normal items (the studentized bootstrap nearly: .039 at n = 10)."""

ANTICONSERVATIVE = {
    "bootstrap": 0.104,
    "bootstrap:centre=boot_mean": 0.104,
    "bootstrap:form=percentile": 0.104,
    "bootstrap:form=bbk": 0.165,
}
"""Upper bounds of the true sizes at n = 10 (.101; the strict form for the winner has twice .078)."""

BINARY_ONLY = ("mcnemar", "mcnemar:variant=exact", "mcnemar:variant=midp", "mcnemar:variant=chi2-cc")
RATIOS_ONLY = ("rao",)
"""Of ratios of few: in ``tests/significance/test_rao.py``."""
WITH_RUNS = ("crossed", "crossed:variant=conservative", "runs", "runs:variant=permutation", "multibootstrap")


def test_every_registered_test_has_its_level_measured_here() -> None:
    measured = {
        name.partition(":")[0] for name in (*EXACT_LEVEL, *ANTICONSERVATIVE, *BINARY_ONLY, *RATIOS_ONLY, *WITH_RUNS)
    }
    assert set(tests.names()) <= measured


def hold(draw: Draw, names: tuple[str, ...], reps: int, alternative: Alternative, level: float = ALPHA) -> None:
    found = p_values(replicates(draw, reps, settings(999, 1, alternative)), *names)
    for name, p in found.items():
        for alpha in (0.01, level, 0.2):
            assert size(p, alpha) <= most(alpha, reps), f"{name} rejects {size(p, alpha)} at {alpha}"


QUICK = tuple(name for name in EXACT_LEVEL if name not in ("multeval", "bootstrap:form=studentized"))


@pytest.mark.parametrize("alternative", ["greater", pytest.param("less", marks=pytest.mark.slow)])
@repeated(None, 1000)
def test_one_sided_level_on_ten_normal_items(alternative: Alternative, reps: int) -> None:
    # false alarms: 6 tests x 3 levels x 1e-6
    hold(normal(10), QUICK, reps, alternative)


@pytest.mark.slow
def test_level_on_ten_normal_items() -> None:
    # false alarms: 8 tests x 3 levels x 1e-6
    hold(normal(10), EXACT_LEVEL, 600, "two-sided")


@pytest.mark.slow
def test_level_on_fifty_normal_items() -> None:
    # false alarms: 7 tests x 3 levels x 1e-6
    hold(normal(50), EXACT_LEVEL[:-1], 500, "two-sided")


@pytest.mark.nightly
@pytest.mark.parametrize("n", [10, 30, 100])
def test_level_on_normal_items_closely(n: int) -> None:
    # false alarms: 8 tests x 3 levels x 1e-6
    hold(normal(n), EXACT_LEVEL, 5000, "two-sided")


@pytest.mark.parametrize(
    ("name", "bound"),
    first(ANTICONSERVATIVE.items(), ("bootstrap:form=bbk", 0.165), others=pytest.mark.slow),
)
@repeated(400, 2000)
def test_size_of_a_bootstrap_of_ten_items_is_as_bad_as_its_note_says(name: str, bound: float, reps: int) -> None:
    # false alarm: 2e-6
    found = p_values(replicates(normal(10), reps, settings(999, 2)), name)[name]
    assert least(0.09, reps) <= size(found) <= most(bound, reps)


@pytest.mark.parametrize("name", first(list(ANTICONSERVATIVE)[:3], "bootstrap", others=pytest.mark.slow))
@repeated(300, 2000)
def test_level_of_a_bootstrap_of_two_hundred_items(name: str, reps: int) -> None:
    # false alarm: 2e-6 for a true size of .051
    found = p_values(replicates(normal(200), reps, settings(999, 2)), name)[name]
    assert least(0.045, reps) <= size(found) <= most(0.0535, reps)


SAMPLED = ("randomization:exact=never", "multeval")


@pytest.mark.parametrize(
    "name",
    [
        *(name for name in EXACT_LEVEL[:-2] if name not in SAMPLED),
        *("bootstrap", "bootstrap:form=percentile", *BINARY_ONLY),
        *(pytest.param(name, marks=pytest.mark.slow) for name in SAMPLED),
    ],
)
def test_level_on_right_or_wrong_items_with_five_percent_disagreement(name: str) -> None:
    # no false alarm: summed over the trinomial law
    name = "z:sigma=.22361" if name.startswith("z") else name
    slack = 0.006 if name.startswith(("z", "multeval", "randomization:exact=never")) else 0.0
    assert binary_size(name, 100, 0.05, settings(999, 5)) <= ALPHA + slack


@pytest.mark.slow
def test_the_studentized_bootstrap_holds_its_level_on_right_or_wrong_items() -> None:
    # no false alarm: summed over the trinomial law; resamples without spread count against rejection
    assert binary_size("bootstrap:form=studentized", 100, 0.05, settings(999, 5)) <= ALPHA


@pytest.mark.parametrize(
    ("variant", "published"), [("exact", 0.022), ("midp", 0.041), ("chi2", 0.043), ("chi2-cc", 0.022)]
)
def test_sizes_of_mcnemar_are_those_of_the_specification(variant: str, published: float) -> None:
    # n = 100, p10 = p01 = .05; no false alarm: summed over the trinomial law
    found = binary_size(f"mcnemar:variant={variant}", 100, 0.1, settings(1))
    assert found == pytest.approx(published, abs=0.0006)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("name", ["mcnemar:variant=exact", "sign", "randomization", "wilcoxon:variant=exact"])
def test_exact_tests_of_right_or_wrong_never_exceed_any_level(name: str, alternative: Alternative) -> None:
    # a theorem, whatever the number of discordant items: no false alarm
    test, made = tests.make(name), settings(1, 0, alternative)
    for differ in (1, 5, 6, 11):
        p = np.array([p_of(test, binary_pairing(b, differ - b, 20, made)) for b in range(differ + 1)])
        chance = stats.binom.pmf(np.arange(differ + 1), differ, 0.5)
        for alpha in p:
            assert chance[p <= alpha + 1e-12].sum() <= alpha + 1e-12


@pytest.mark.parametrize("n", first([20, 50, 200], 20, 50, others=pytest.mark.slow))
def test_mid_p_stays_near_its_level(n: int) -> None:
    # Fagerland et al. 2013: hardly above the level; no false alarm: summed over the trinomial law
    for share in (0.05, 0.2):
        assert binary_size("mcnemar:variant=midp", n, share, settings(1)) <= 0.0525, share


def test_t_exceeds_its_level_on_few_right_or_wrong_items_where_mid_p_does_not() -> None:
    # why t is not the default of such items; no false alarm: summed over the trinomial law
    t, mid_p = (binary_size(name, 20, 0.6, settings(1)) for name in ("t", "mcnemar:variant=midp"))
    assert t == pytest.approx(0.0542, abs=0.0001)
    assert mid_p == pytest.approx(0.0425, abs=0.0001)


@pytest.mark.parametrize("n", first([10, 20, 34, 48, 100], 10, 20, others=pytest.mark.slow))
def test_mcnemar_errs_little_more_often_than_it_may_and_finds_what_other_tests_find(n: int) -> None:
    """The default of right or wrong answers beside those tests that hold their level in the same case.

    No false alarm: summed over the trinomial law.
    """
    made = settings(1)
    p: dict[str, dict[tuple[int, int], float]] = {name: {} for name in ("mcnemar", "mcnemar:variant=midp", "t")}
    for name, found in p.items():
        test = tests.make(name)
        for b, c in ((b, d - b) for d in range(n + 1) for b in range(d + 1)):
            # t has none where each of all items gains
            found[b, c] = p_of(test, binary_pairing(b, c, n, made)) if b != c and abs(b - c) < n else 1.0 * (b == c)
    for share in (0.05, 0.1, 0.125, 0.2, 0.35, 0.5, 0.7):

        def rejects(name: str, favour: float, share: float = share) -> float:
            law = discordant(n, share * favour, share * (1 - favour))
            return sum(chance for b, c, chance in law if p[name][b, c] <= ALPHA)

        assert rejects("mcnemar", 0.5) <= 0.054, share
        for other in ("mcnemar:variant=midp", "t"):
            if rejects(other, 0.5) <= ALPHA:
                for favour in (0.6, 0.75, 0.85, 1.0):
                    assert rejects("mcnemar", favour) >= rejects(other, favour) - 0.02, (share, favour, other)


@given(b=st.integers(0, 60), c=st.integers(0, 60), rest=st.integers(10, 200))
def test_p_of_mcnemar_and_the_interval_of_right_or_wrong_answers_agree(b: int, c: int, rest: int) -> None:
    """One score law: no false alarm."""
    new, base = np.repeat([1.0, 0.0, 0.0], [b, c, rest]), np.repeat([0.0, 1.0, 0.0], [b, c, rest])
    (pair,) = outscore.compare({"base": base, "new": new}, metrics="accuracy").pairs
    assert pair.ci is not None and pair.p_value is not None
    low, high = pair.ci
    if abs(pair.p_value - ALPHA) > 1e-9:
        assert (low > 0 or high < 0) == (pair.p_value < ALPHA)


IGNORING = ("sign", "wilcoxon", "z:sigma=1", "multeval")


@pytest.mark.parametrize("clusters", [pytest.param(10, marks=pytest.mark.slow), 24])
@repeated(300, 1500)
def test_tests_that_use_the_clusters_hold_their_level(clusters: int, reps: int) -> None:
    # clusters of 5, ICC .5; randomization is exact with 10 and sampled with 24; false alarms: 2 x 1e-6
    n = 5 * clusters
    pairs = replicates(clustered(n), reps, settings(999, 3), cluster_labels(n))
    for name, p in p_values(pairs, "t", "randomization").items():
        assert size(p) <= most(ALPHA, reps), name


@pytest.mark.slow
def test_a_bootstrap_of_clusters_is_as_good_as_one_of_as_many_items() -> None:
    # 20 clusters of 5, ICC .5; false alarms: 2 x 1e-6 for a true size of .073 (.070 at n = 20), and of .055
    reps = 800
    pairs = replicates(clustered(100), reps, settings(999, 3), cluster_labels(100))
    found = p_values(pairs, "bootstrap", "bootstrap:form=studentized")
    assert size(found["bootstrap"]) <= most(0.073, reps)
    assert size(found["bootstrap:form=studentized"]) <= most(0.055, reps)


@pytest.mark.slow
def test_tests_that_ignore_the_clusters_fail_and_say_so() -> None:
    # true sizes above .16 (the oracle: .17 to .27); false alarms: 4 x 1e-6
    reps = 600
    pairs = list(replicates(clustered(100), reps, settings(999, 3), cluster_labels(100)))
    for name, p in p_values(iter(pairs), *IGNORING).items():
        assert size(p) >= least(0.15, reps), name
        said = tests.make(name).run(pairs[0]).notes
        assert notes.TEST_IGNORES_CLUSTERS in said, name


@pytest.mark.parametrize("name", ["t", "randomization", "bootstrap"])
@repeated(200, 1000)
def test_without_the_clusters_the_same_tests_fail(name: str, reps: int) -> None:
    # true sizes about .26; false alarm: 1e-6
    found = p_values(replicates(clustered(100), reps, settings(999, 3)), name)[name]
    assert size(found) >= least(0.22, reps)


def clustered_outcomes(number: int, clusters: int, seed: int) -> Iterator[GainContrast]:
    """Right or wrong in clusters of 5 that win or lose together; a tenth of the clusters differ."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        winner = np.repeat(rng.choice([1, -1, 0], p=[0.15, 0.15, 0.7], size=clusters), 5)
        a, b = (winner > 0).astype(float)[None], (winner < 0).astype(float)[None]
        yield pairing(a, b, settings(999, 1), cluster_labels(5 * clusters))


@pytest.mark.slow
def test_mcnemar_fails_on_clusters_and_cluster_randomization_does_not() -> None:
    # true sizes above .3 and at most .05; false alarms: 2e-6
    reps = 500
    pairs = [pair for pair in clustered_outcomes(reps, 40, 6) if not pair.identical]
    found = p_values(iter(pairs), "mcnemar", "mcnemar:variant=exact", "randomization")
    assert size(found["mcnemar"]) >= least(0.3, len(pairs))
    assert size(found["mcnemar:variant=exact"]) >= least(0.3, len(pairs))
    assert size(found["randomization"]) <= most(ALPHA, len(pairs))
    assert notes.TEST_IGNORES_CLUSTERS in tests.make("mcnemar").run(pairs[0]).notes


RUNS_AND_ITEMS = ("crossed", "crossed:variant=conservative")


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.0, 1.0])
@pytest.mark.parametrize("runs", [3, 5, 10])
def test_the_crossed_t_holds_its_level_with_and_without_run_variance(runs: int, rho: float) -> None:
    # n = 500; false alarms: 2 x 1e-6 for a true size of at most .054
    reps = 800
    found = p_values(replicated_pairs(reps, settings(1, 41), n=500, runs=runs, rho=rho), *RUNS_AND_ITEMS)
    for name, p in found.items():
        assert size(p) <= most(0.054, reps), name


@pytest.mark.parametrize("rho", first([0.0, 1.0, 2.0], 1.0, others=pytest.mark.slow))
@repeated(200, 800)
def test_the_crossed_t_of_two_runs_is_near_its_level(rho: float, reps: int) -> None:
    # two runs leave one or two degrees of freedom: sizes of .015 to .063 at n = 200 (4,000 draws), and a note says so;
    # false alarms: 1e-6 for a true size of at most .07
    found = p_values(replicated_pairs(reps, settings(1, 43), n=200, runs=2, rho=rho), "crossed")
    assert size(found["crossed"]) <= most(0.07, reps)


@pytest.mark.slow
def test_the_crossed_t_holds_its_level_with_unequal_numbers_of_runs() -> None:
    # false alarm: 1e-6 for a true size of at most .055
    rng, reps, test = np.random.default_rng(12), 1000, tests.make("crossed")
    p = []
    for k in range(reps):
        a, b = replicated(rng, 200, 8, 1.0)
        p.append(p_of(test, pairing(a, b[:3], settings(1, k))))
    assert size(np.array(p)) <= most(0.055, reps)


def crossed_clusters(number: int, runs: int, clusters: int) -> Iterator[tuple[Float, Float]]:
    """Runs on items in clusters of 5 that are as a single item: what each system makes of a cluster is shared."""
    rng = np.random.default_rng(31)
    for _ in range(number):
        systems = replicated(rng, clusters, runs, 1.0)
        a, b = (np.repeat(s, 5, axis=1) + rng.normal(size=(runs, 5 * clusters)) * 0.3 for s in systems)
        yield a, b


@pytest.mark.slow
def test_the_crossed_t_holds_its_level_with_clusters_and_fails_without() -> None:
    # 40 clusters of 5, five runs; false alarms: 2e-6 for true sizes of at most .055 and at least .15
    reps, test = 700, tests.make("crossed")
    labels = cluster_labels(200)
    data = list(crossed_clusters(reps, 5, 40))
    given = np.array([p_of(test, pairing(a, b, settings(1, 0), labels)) for a, b in data])
    ignored = np.array([p_of(test, pairing(a, b, settings(1, 0))) for a, b in data])
    assert size(given) <= most(0.055, reps)
    assert size(ignored) >= least(0.1, reps)


@pytest.mark.parametrize("runs", first([4, 5, 10], 4, others=pytest.mark.slow))
@repeated(250, 1500)
def test_tests_of_runs_hold_their_level_on_a_fixed_test_set(runs: int, reps: int) -> None:
    # the null hypothesis of new runs on these very items: each run is as good as any, items are what they are;
    # false alarms: 1e-6 for Welch (true size at most .053), 1e-6 for the exact permutation
    rng = np.random.default_rng(77)
    easy = rng.normal(size=50)
    welch, permutation = tests.make("runs"), tests.make("runs:variant=permutation")
    p: list[tuple[float, float]] = []
    for k in range(reps):
        a, b = (easy + rng.normal(size=(runs, 1)) + 0.5 * rng.normal(size=(runs, 50)) for _ in range(2))
        pair = pairing(a, b, settings(1, k))
        p.append((p_of(welch, pair), p_of(permutation, pair) if runs <= 5 else 1.0))
    sizes = [size(column) for column in np.array(p).T]
    assert sizes[0] <= most(0.053, reps)
    assert sizes[1] <= most(ALPHA, reps)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["randomization", "t", "runs", "multeval"])
def test_tests_that_answer_another_question_fail_for_new_runs_and_items(name: str) -> None:
    # three runs: items only .164, runs only .191 without run variance, pooled .314 (oracle); false alarm: 1e-6
    rho = 0.0 if name == "runs" else 1.0
    reps = 400
    found = p_values(replicated_pairs(reps, settings(299, 9), n=500, runs=3, rho=rho), name)[name]
    assert size(found) >= least(0.14, reps)
    one = next(replicated_pairs(1, settings(299, 9), n=500, runs=3, rho=rho))
    wanted = {"runs": notes.RUNS_ONLY, "multeval": notes.MULTEVAL_SIZE}.get(name, notes.ITEMS_ONLY)
    assert wanted in tests.make(name).run(one).notes


@pytest.mark.slow
def test_pooled_randomization_rejects_ever_more_often_with_more_runs_and_the_crossed_t_does_not() -> None:
    # no run variance at all: .18, .40 against .04, .05 (oracle); false alarms: 4e-6
    reps = 300
    pooled, crossed = [], []
    for runs in (3, 10):
        found = p_values(replicated_pairs(reps, settings(299, 5), n=500, runs=runs, rho=0.0), "multeval", "crossed")
        pooled.append(size(found["multeval"]))
        crossed.append(size(found["crossed"]))
    assert least(0.16, reps) <= pooled[0] <= most(0.2, reps)
    assert pooled[1] >= least(0.38, reps)
    assert max(crossed) <= most(0.055, reps)


@pytest.mark.parametrize("name", ["sign", "wilcoxon:variant=normal"])
def test_tests_of_signs_and_ranks_are_not_tests_of_the_mean(name: str) -> None:
    # mean 0 but skewed: .73 and .38 at n = 100; false alarm: 1e-6
    found = p_values(replicates(exponential(100), 500, settings(1, 3)), name)[name]
    assert size(found) >= least(0.35, 500)
    pair = next(replicates(exponential(100), 1, settings(1, 3)))
    assert notes.NOT_A_MEAN_TEST in tests.make(name).run(pair).notes


@pytest.mark.parametrize("name", ["t", "z:sigma=1"])
def test_p_values_are_uniform_under_the_null(name: str) -> None:
    # Kolmogorov-Smirnov; false alarm: 1e-6
    p = p_values(replicates(normal(10), 2000, settings(1, 6)), name)[name]
    assert stats.kstest(p, "uniform").pvalue > 1e-6


@repeated(400, 2000)
def test_p_values_of_sampled_randomization_are_uniform_under_the_null(reps: int) -> None:
    # Kolmogorov-Smirnov with a step of 1/1000; false alarm: below 1e-6
    p = p_values(replicates(normal(50), reps, settings(999, 6)), "randomization")["randomization"]
    assert stats.kstest(p, "uniform").pvalue > 1e-6


@repeated(None, 3200)
def test_p_values_of_exact_randomization_are_uniform_on_their_grid(reps: int) -> None:
    # ten items without ties: p is j/512 with equal chances; chi-square over 16 cells, false alarm: 1e-6
    p = p_values(replicates(normal(10), reps, settings(1, 6)), "randomization")["randomization"]
    steps = np.rint(p * 512)
    np.testing.assert_allclose(p * 512, steps, atol=1e-6)
    cells = np.bincount(((steps - 1) // 32).astype(int), minlength=16)
    assert cells.size == 16
    assert stats.chisquare(cells).pvalue > 1e-6


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["t", "randomization", "bootstrap", "sign", "wilcoxon", "crossed"])
def test_the_two_sides_share_the_errors_evenly(name: str) -> None:
    # a symmetric null: as many rejections in favour of either system; binomial test, false alarm: 1e-6
    reps = 1200
    if name == "crossed":
        pairs = list(replicated_pairs(reps // 2, settings(1, 4), n=100, runs=3, rho=1.0))
    else:
        pairs = list(replicates(normal(40), reps, settings(499, 4)))
    test = tests.make(name)
    rejected = [pair.gain > 0 for pair in pairs if p_of(test, pair) <= 0.2]
    assert stats.binomtest(sum(rejected), len(rejected)).pvalue > 1e-6


def test_the_level_asked_for_moves_the_interval_and_not_the_p_value() -> None:
    pair = next(replicates(normal(30), 1, settings(99, 4)))
    wide = next(replicates(normal(30), 1, replace(settings(99, 4), alpha=0.01)))
    narrow_outcome, wide_outcome = tests.make("t").run(pair), tests.make("t").run(wide)
    assert narrow_outcome.p_value == wide_outcome.p_value
    assert narrow_outcome.ci is not None and wide_outcome.ci is not None
    assert wide_outcome.ci[0] < narrow_outcome.ci[0] < narrow_outcome.ci[1] < wide_outcome.ci[1]
