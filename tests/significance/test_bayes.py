"""Posteriors equal their definitions in plain sums and draws, and say what must be said."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

import outscore
from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.base.registry import spell
from outscore.significance import EXACT, MONTE_CARLO, bayes
from outscore.significance.bayes import Evidence, Method, PairMethod, Posterior, Reweighted, methods
from outscore.significance.bayes.beta import independent_proportions
from outscore.significance.bayes.bootstrap import BayesianBootstrap, WeightedMeanLaw
from outscore.significance.bayes.signed_rank import BayesianSignedRank, _outcomes
from outscore.significance.bayes.student import correlated_t
from outscore.significance.bayes.table_law import TableLaw, paired_table
from outscore.significance.gain import GainContrast
from outscore.verbs.compare.posterior import choose
from tests.laws import support
from tests.laws.support import binary_pairing, corpus_stats, experiment, f1_stats, pairing, settings

NAMES = [name for name in methods.names() if issubclass(methods.find(name), PairMethod)]


DRAWS = 4000


def evidence(pair: GainContrast, rope: float = 0.0) -> Evidence:
    by_metric = pair.resamples.by_metric
    return Evidence(pair=pair, rope=rope, reweighted=Reweighted(tuple(pair.resamples.pairs), (rope,) * len(by_metric)))


def believed(name: str, pair: GainContrast, rope: float = 0.0) -> Posterior:
    seen = evidence(pair, rope)
    method = paired(name)
    assert method.refuses(seen) is None
    return method.run(seen)


def paired(name: str) -> PairMethod:
    made = methods.make(name)
    assert isinstance(made, PairMethod)
    return made


def of_differences(d: Float, labels: Int | None = None, n_resamples: int = DRAWS) -> GainContrast:
    return pairing(d[None], np.zeros((1, d.size)), support.settings(n_resamples), labels)


def chances(found: Posterior) -> tuple[float, float, float]:
    assert found.better is not None
    assert found.within is not None
    assert found.worse is not None
    return found.better, found.within, found.worse


def ends(found: Posterior) -> tuple[float, float]:
    assert found.ci is not None
    return found.ci


def codes(found: Posterior) -> set[str]:
    return {note.code for note in found.notes}


def some(seed: int, n: int = 40, shift: float = 0.3) -> Float:
    return np.asarray(np.random.default_rng(seed).normal(shift, 1, n).round(2))


def test_every_method_of_the_registry_is_a_method() -> None:
    assert set(methods.names()) >= {"beta", "bootstrap", "dirichlet", "sign", "signed-rank", "t"}
    assert all(issubclass(methods.find(name), Method) for name in methods.names())


@pytest.mark.parametrize("name", methods.names())
def test_a_method_says_what_it_takes_for_given(name: str) -> None:
    cls = methods.find(name)
    made = methods.make(name)
    assert cls.__doc__ is not None
    for text in (made.model, made.applies, made.needs, made.prior(0.0), made.prior(0.1)):
        assert len(text.split()) >= 3
    assert re.search(r"\b(19|20)\d\d\b", made.citation)
    for field in fields(made):
        assert field.name in cls.__doc__
    assert methods.make(spell(made)) == made
    assert made.label == name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rope", [0.0, 0.2])
def test_chances_add_up_to_1_and_mirror_when_systems_are_exchanged(name: str, rope: float) -> None:
    for seed in range(3):
        if name == "dirichlet":
            there, back = (binary_pairing(b, c, 40, support.settings(DRAWS)) for b, c in ((9, 4 + seed), (4 + seed, 9)))
        else:
            there, back = of_differences(some(seed)), of_differences(-some(seed))
        one, other = believed(name, there, rope), believed(name, back, rope)
        better, within, worse = chances(one)
        assert better + within + worse == pytest.approx(1, abs=1e-12)
        assert min(better, within, worse) >= 0
        # 5 standard errors of a difference: a false alarm in 10^6
        slack = 1e-9 if one.kind == EXACT else 5 * math.sqrt(2 * 0.25 / DRAWS)
        assert chances(other) == pytest.approx((worse, within, better), abs=slack)
        low, high = ends(one)
        assert one.mean is not None
        assert low < one.mean < high
        if one.kind == EXACT:
            assert ends(other) == pytest.approx((-high, -low), abs=1e-8)
        assert (one.error is None) == (one.n_draws is None) == (one.kind == EXACT)
        assert rope or within == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rope", [0.0, 0.05])
def test_identical_systems_are_as_likely_better_as_worse(name: str, rope: float) -> None:
    scores = np.tile([1.0, 0.0, 1.0], 12)[None]
    found = believed(name, pairing(scores, scores, support.settings(DRAWS)), rope)
    better, within, worse = chances(found)
    assert better == pytest.approx(worse, abs=1e-12)
    assert better + within + worse == pytest.approx(1)
    assert found.mean == 0
    assert "identical_outputs" in codes(found)
    if rope or name in ("t", "bootstrap", "signed-rank"):
        assert within > better


@pytest.mark.parametrize("name", NAMES)
def test_the_same_data_give_the_same_posterior(name: str) -> None:
    pair = binary_pairing(9, 4, 40, support.settings(DRAWS))
    assert believed(name, pair, 0.05) == believed(name, binary_pairing(9, 4, 40, support.settings(DRAWS)), 0.05)


@pytest.mark.parametrize("name", NAMES)
def test_a_wider_rope_holds_more(name: str) -> None:
    pair = binary_pairing(12, 8, 60, support.settings(DRAWS))
    within = [chances(believed(name, pair, rope))[1] for rope in (0.01, 0.1, 0.3, 0.9)]
    assert within == sorted(within)


@pytest.mark.parametrize("name", ["dirichlet", "t", "sign", "signed-rank"])
def test_methods_of_independent_items_refuse_clusters_and_corpus_scores(name: str) -> None:
    labels = np.arange(40) // 4
    scores = np.random.default_rng(0).integers(0, 2, (2, 1, 40)).astype(float)
    clustered = pairing(scores[0], scores[1], support.settings(), labels)
    assert "--posterior bootstrap" in (paired(name).refuses(evidence(clustered)) or "")
    counts = np.random.default_rng(0).integers(0, 4, (2, 1, 40, 3)).astype(float)
    corpus = GainContrast(experiment(f1_stats(list(counts)), settings=support.settings()), 0, 1)
    assert "bootstrap" in (paired(name).refuses(evidence(corpus)) or "")
    assert paired("bootstrap").refuses(evidence(corpus)) is None


@pytest.mark.parametrize(
    ("made", "bad"),
    [
        (methods.make, "beta:strength=0"),
        (methods.make, "dirichlet:strength=0"),
        (methods.make, "sign:strength=0"),
        (methods.make, "signed-rank:strength=0"),
        (methods.make, "t:rho=1"),
        (methods.make, "t:rho=-0.01"),
    ],
)
def test_options_that_are_no_numbers_of_their_kind_are_refused(made: Callable[[str], object], bad: str) -> None:
    with pytest.raises(UsageError, match=bad.partition(":")[2].partition("=")[0]):
        made(bad)
    name = bad.partition("=")[0]
    for good in ("0.001", "0.999", *(("0",) if "rho" in bad else ("1", "7"))):
        assert made(f"{name}={good}") is not None


@pytest.mark.parametrize(
    ("pair", "name", "code"),
    [
        (binary_pairing(5, 3, 20, support.settings()), "dirichlet", "auto_posterior_table"),
        (of_differences(some(0)), "t", "auto_posterior_t"),
        (of_differences(some(0), np.arange(40) // 4), "bootstrap", "auto_posterior_clusters"),
        (pairing(some(0)[None], np.zeros((2, 40)), support.settings()), "t", "auto_posterior_t"),
    ],
    ids=["right or wrong", "a mean", "clusters", "runs"],
)
def test_the_method_is_chosen_by_what_was_measured(pair: GainContrast, name: str, code: str) -> None:
    method, reason = choose(pair)
    assert (method.name, reason.code) == (name, code)
    assert method.refuses(evidence(pair)) is None


def test_all_belief_lies_on_no_difference_where_outputs_are_the_same() -> None:
    found = Posterior.nothing_differs()
    assert (found.better, found.within, found.worse, found.mean, found.ci) == (0.0, 1.0, 0.0, 0.0, (0.0, 0.0))


def _below(law: Any, c: float, p: float) -> float:
    return float(law.cdf(p - c))


@pytest.mark.parametrize(("x1", "n1", "x2", "n2"), [(3, 9, 7, 10), (0, 4, 4, 4), (5, 8, 5, 8), (1, 1, 0, 2)])
@pytest.mark.parametrize("strength", [0.5, 1.0, 2.0])
def test_independent_shares_are_two_betas(x1: int, n1: int, x2: int, n2: int, strength: float) -> None:
    law = independent_proportions(x1, n1, x2, n2, strength)
    one, two = (stats.beta(x + strength, n - x + strength) for x, n in ((x1, n1), (x2, n2)))
    assert law.mean == pytest.approx(one.mean() - two.mean())
    assert law.spread == pytest.approx(math.sqrt(one.var() + two.var()))
    for c in (-0.4, 0.0, 0.25):
        expected = one.expect(partial(_below, two, c), limit=200)
        assert law.above(c) == pytest.approx(float(expected), abs=1e-6)
    better, within, worse = law.probabilities(0.1)
    assert (better, better + within + worse) == pytest.approx((law.above(0.1), 1.0))
    assert worse == pytest.approx(1 - law.above(-0.1))
    low, high = law.interval(0.9)
    assert (law.above(low), law.above(high)) == pytest.approx((0.95, 0.05), abs=1e-6)


@pytest.mark.parametrize(("strength", "worth"), [("0.5", "0.5 items"), ("1", "1 item,"), ("2", "2 items")])
def test_what_a_prior_is_worth_is_counted_in_items(strength: str, worth: str) -> None:
    assert f"worth {worth}" in methods.make(f"signed-rank:strength={strength}").prior(0.0)


@pytest.mark.parametrize(("b", "c", "n"), [(3, 1, 8), (0, 0, 2), (5, 5, 10), (0, 4, 4)])
@pytest.mark.parametrize("strength", [0.5, 1.0])
def test_the_cells_of_a_paired_table_are_a_dirichlet_law(b: int, c: int, n: int, strength: float) -> None:
    law = paired_table(b, c, n, strength)
    a, total = np.array([b + strength, c + strength, n - b - c + 2 * strength]), n + 4 * strength
    mean = (a[0] - a[1]) / total
    variance = (a[0] + a[1] - (a[0] - a[1]) ** 2 / total) / (total * (total + 1))
    assert (law.mean, law.spread) == pytest.approx((mean, math.sqrt(variance)))
    assert law.above(0.0) == pytest.approx(float(stats.beta(a[0], a[1]).sf(0.5)))


def test_the_paired_table_is_the_sum_over_a_grid_of_shares() -> None:
    b, c, n, rope, steps = 5, 2, 12, 0.1, 300
    total = [0.0, 0.0, 0.0]
    for i, j in itertools.product(range(steps), repeat=2):
        x, y = (i + 0.5) / steps, (j + 0.5) / steps
        if x + y < 1:
            # two other cells of prior 1 each share the rest: one more power of it
            height = x**b * y**c * (1 - x - y) ** (n - b - c + 1)
            total[0 if x - y > rope else 1 if x - y >= -rope else 2] += height
    expected = [part / sum(total) for part in total]
    assert paired_table(b, c, n).probabilities(rope) == pytest.approx(expected, abs=4e-3)
    found = believed("dirichlet", binary_pairing(b, c, n, support.settings()), rope)
    assert chances(found) == paired_table(b, c, n).probabilities(rope)
    assert found.effect == {"wins": b, "losses": c}
    assert found.mean == pytest.approx((b - c) / (n + 4))


@hypothesis_settings(max_examples=30)
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 200), st.sampled_from([0.5, 1.0, 2.0]))
def test_a_credible_interval_leaves_as_much_on_either_side(b: int, c: int, rest: int, strength: float) -> None:
    law = paired_table(b, c, b + c + rest, strength)
    low, high = law.interval(0.9)
    assert -1 < low < high < 1
    assert law.above(high) == pytest.approx(0.05, abs=1e-9)
    assert law.above(low) == pytest.approx(0.95, abs=1e-9)


@pytest.mark.parametrize("level", [1e-6, 0.025, 0.3, 0.5, 0.975])
def test_quantiles_of_the_law_of_a_mean_are_those_of_student(level: float) -> None:
    law = correlated_t(np.arange(12.0) ** 2)
    expected = float(stats.t.ppf(level, 11, loc=law.mean, scale=law.spread))
    assert law.quantile(level) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("rho", [0.0, 0.1, 0.5])
def test_a_correlated_t_is_wider_by_its_correlation(rho: float) -> None:
    d = np.array([0.1, 0.4, -0.2, 0.3, 0.25])
    law = correlated_t(d, rho)
    theirs = stats.t(4, d.mean(), math.sqrt((1 / 5 + rho / (1 - rho)) * d.var(ddof=1)))
    assert (law.mean, law.df) == pytest.approx((d.mean(), 4))
    for c in (-0.1, 0.0, 0.2):
        assert law.above(c) == pytest.approx(float(theirs.sf(c)))
    assert law.interval(0.9) == pytest.approx(theirs.interval(0.9))


@pytest.mark.parametrize("rho", [0.0, 0.1, 0.5])
def test_the_correlated_t_is_the_sum_over_a_grid_of_mean_and_deviation(rho: float) -> None:
    """The normal likelihood with covariance σ²((1 - ρ) I + ρ J) under the prior 1/σ, summed over (μ, log σ)."""
    d, rope = np.array([0.4, 1.1, -0.3, 0.8, 0.2]), 0.25
    n = d.size
    inverse = np.linalg.inv((1 - rho) * np.eye(n) + rho * np.ones((n, n)))
    total = [0.0, 0.0, 0.0]
    for mu in np.arange(-30, 30, 0.01) + 0.005:
        away = d - mu
        square = float(away @ inverse @ away)
        log_sigma = np.arange(-3, 7, 0.1)
        height = float(np.exp(-n * log_sigma - square / (2 * np.exp(2 * log_sigma))).sum())
        total[0 if mu > rope else 1 if mu >= -rope else 2] += height
    expected = [part / sum(total) for part in total]
    assert correlated_t(d, rho).probabilities(rope) == pytest.approx(expected, abs=1e-4)


def test_the_t_agrees_with_the_interval_of_the_paired_t() -> None:
    from outscore.significance.means import paired_t

    d = some(3)
    found, test = believed("t", of_differences(d)), paired_t(d)
    assert ends(found) == pytest.approx((test.low, test.high), rel=1e-9)
    assert found.worse == pytest.approx(test.p / 2, rel=1e-9)  # under the flat prior, and only there


def test_what_the_t_cannot_say_it_does_not_say() -> None:
    constant = believed("t", of_differences(np.full(8, 0.5)))
    assert (constant.better, constant.ci, codes(constant)) == (None, None, {"zero_variance"})
    single = believed("t", of_differences(np.array([0.5])))
    assert (single.better, codes(single)) == (None, {"n_too_small"})
    assert "correlation_is_given" in codes(believed("t:rho=0.1", of_differences(some(0))))
    assert "skewed" in codes(believed("t", of_differences(np.r_[np.zeros(38), 0.1, 9.0])))


@pytest.mark.parametrize("rho", [-0.01, 1.0, 1.5])
def test_folds_are_correlated_by_less_than_one(rho: float) -> None:
    d = np.array([0.5, 1.0, 2.5])
    with pytest.raises(UsageError, match="between 0 and 1"):
        correlated_t(d, rho)
    correlated_t(d, 0.0)
    correlated_t(d, 0.99)


def items(n: int, shift: float = 0.3) -> dict[str, list[float]]:
    """Scores of two systems that differ on every item."""
    rng = np.random.default_rng(n)
    base = rng.normal(0, 1, n)
    return {"base": base.tolist(), "new": (base + shift + rng.normal(0, 0.5, n)).tolist()}


def test_bayes_answers_two_items_by_students_law_and_not_one() -> None:
    data = items(2)
    (found,) = outscore.compare(data, posterior="t").posteriors
    d = np.subtract(data["new"], data["base"])
    ends = stats.t(1, d.mean(), d.std(ddof=1) / np.sqrt(2)).interval(0.95)
    assert found.ci == pytest.approx(ends)


def drawn_means(d: Float, labels: Int | None = None, n: int = 200_000) -> Float:
    """Slow twin: means of items whose units weigh exponential variables."""
    units = np.arange(d.size) if labels is None else labels
    weights = np.random.default_rng(1).standard_exponential((n, int(units.max()) + 1))[:, units]
    return np.asarray((weights * d).sum(axis=1) / weights.sum(axis=1))


@pytest.mark.parametrize("clustered", [False, True])
def test_the_bayesian_bootstrap_of_a_mean_is_that_of_many_draws(clustered: bool) -> None:
    d = some(5, n=14)
    labels = np.array([0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 5, 5, 6]) if clustered else None
    found = believed("bootstrap", of_differences(d, labels), 0.1)
    draws = drawn_means(d, labels)
    shares = [(draws > 0.1).mean(), (np.abs(draws) <= 0.1).mean(), (draws < -0.1).mean()]
    assert found.kind == EXACT
    assert chances(found) == pytest.approx(shares, abs=0.006)  # 5 standard errors
    assert found.mean == pytest.approx(draws.mean(), abs=0.004)
    assert ends(found) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.02)


def test_equal_items_are_counted_not_repeated() -> None:
    d = np.repeat([1.0, 0.0, -1.0], [9, 20, 4])
    law = WeightedMeanLaw(d, np.ones(33), np.ones(33))
    found = believed("bootstrap", of_differences(d), 0.05)
    assert chances(found) == pytest.approx(law.probabilities(0.05), abs=1e-12)
    assert chances(found) == pytest.approx(TableLaw(9, 4, 20).probabilities(0.05), abs=1e-12)


def test_the_bayesian_bootstrap_of_a_ratio_is_that_of_many_draws() -> None:
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 5, (2, 1, 50, 3)).astype(float)
    counts[1, ..., 0] += rng.integers(0, 2, (1, 50))
    pair = GainContrast(experiment(f1_stats(list(counts)), settings=support.settings(DRAWS)), 0, 1)
    found = believed("bootstrap", pair, 0.02)
    weights = np.random.default_rng(3).standard_exponential((100_000, 50))
    tp, fp, fn = np.moveaxis(weights @ counts[:, 0], -1, 0)
    f1 = 2 * tp / (2 * tp + fp + fn)
    gains = f1[1] - f1[0]
    assert found.kind == MONTE_CARLO
    assert found.n_draws == DRAWS
    assert found.error is not None
    for chance, share in zip(chances(found), [gains > 0.02, np.abs(gains) <= 0.02, gains < -0.02], strict=True):
        assert abs(chance - share.mean()) < 5 * math.hypot(found.error, 0.5 / 100_000**0.5)
    assert ends(found) == pytest.approx(np.quantile(gains, [0.025, 0.975]), abs=0.01)


def test_all_pairs_and_metrics_see_the_same_weights() -> None:
    """Two metrics that are one and the same, and a third system that is the second again."""
    counts = np.random.default_rng(4).integers(0, 5, (2, 1, 30, 3)).astype(float)
    systems = [counts[0], counts[1], counts[1]]
    by_metric = (f1_stats(systems), f1_stats(systems))
    whole = experiment(*by_metric, settings=support.settings(500))
    shared = Reweighted(tuple(whole.pairs), (0.0, 0.0))
    seen = [Evidence(pair=GainContrast(whole, p, s), rope=0.0, reweighted=shared) for p in (0, 1) for s in (1, 2)]
    found = [paired("bootstrap").run(e) for e in seen]
    assert all(one == found[0] for one in found)


def test_lower_scores_that_are_better_turn_the_gain() -> None:
    counts = np.random.default_rng(4).integers(1, 5, (2, 1, 30, 2)).astype(float)

    def ratio(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums[..., 1])

    up = experiment(corpus_stats(list(counts), ratio), settings=support.settings(500))
    down = experiment(corpus_stats(list(counts), ratio), settings=support.settings(500))
    down.by_metric[0].sign = -1.0
    one, other = believed("bootstrap", GainContrast(up, 0, 1)), believed("bootstrap", GainContrast(down, 0, 1))
    assert chances(other) == tuple(reversed(chances(one)))
    assert other.mean == pytest.approx(-(one.mean or 0))


def test_no_item_on_one_side_is_spoken_of() -> None:
    d = np.r_[np.zeros(30), 0.5, 0.7]
    for name, rope in (("bootstrap", 0.0), ("signed-rank", 0.0), ("sign", 0.1)):
        found = believed(name, of_differences(d), rope)
        assert found.worse == pytest.approx(0, abs=1e-12)
        assert "one_side_only" in codes(found)
    for name in ("t", "sign"):
        assert (believed(name, of_differences(d)).worse or 0) > 0.01


@pytest.mark.parametrize(
    ("d", "one_sided"),
    [
        ([0.0, 1.0, 2.0], True),
        ([0.0, -1.0, -2.0], True),
        ([1.0, 3.0], True),
        ([-1.0, 2.0], False),
        ([-1.0, -3.0], True),
    ],
)
def test_differences_on_one_side_or_none_are_said_to_be(d: list[float], one_sided: bool) -> None:
    pair = pairing(np.array([d]), np.zeros((1, len(d))), settings(99))
    evidence = bayes.Evidence(pair=pair, rope=0.0, reweighted=Reweighted(((1, 0),), (0.0,)))
    codes = {note.code for note in BayesianBootstrap().run(evidence).notes}
    assert (bayes.ONE_SIDED.code in codes) == one_sided


@pytest.mark.parametrize(("d", "said"), [([1, 0, 2, 3], True), ([-1, 0, -2, -3], True), ([1, 0, -2, 3], False)])
def test_differences_on_one_side_are_told_with_ties_among_them(d: list[float], said: bool) -> None:
    pair = pairing(np.array([d], dtype=float), np.zeros((1, 4)), settings(50))
    found = BayesianSignedRank().run(evidence(pair, 0.0))
    assert (bayes.ONE_SIDED in found.notes) is said


def test_the_sign_posterior_is_that_of_many_draws() -> None:
    d = np.repeat([0.3, 0.05, -0.2], [11, 6, 8])
    found = believed("sign", of_differences(d), 0.1)
    draws = np.random.default_rng(0).dirichlet([11, 6 + 1, 8], 200_000)
    assert chances(found) == pytest.approx(np.bincount(draws.argmax(axis=1)) / 200_000, abs=0.006)
    gap = draws[:, 0] - draws[:, 2]
    assert found.mean == pytest.approx(gap.mean(), abs=0.005)
    assert ends(found) == pytest.approx(np.quantile(gap, [0.025, 0.975]), abs=0.01)
    assert found.effect == {"wins": 11, "draws": 6, "losses": 8}


def test_items_without_a_difference_speak_for_neither_side() -> None:
    one = believed("sign", of_differences(np.repeat([1.0, -1.0], [7, 3])))
    other = believed("sign", of_differences(np.repeat([1.0, 0.0, -1.0], [7, 90, 3])))
    assert chances(one) == pytest.approx(chances(other), abs=1e-12)
    assert (one.within, (one.mean or 0) > (other.mean or 0)) == (0, True)


def test_a_difference_at_the_edge_of_the_rope_lies_within_it() -> None:
    d = np.repeat([0.1, -0.3], [10, 2])
    assert believed("sign", of_differences(d), 0.1).effect == {"wins": 0, "draws": 10, "losses": 2}
    assert chances(believed("signed-rank", of_differences(np.full(12, 0.1)), 0.1)) == (0, 1, 0)
    assert chances(believed("signed-rank", of_differences(np.full(12, 0.1)), 0.0999))[0] > 0.99


@hypothesis_settings(max_examples=60)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9), st.integers(0, 4), st.integers(0, 1000))
def test_outcomes_of_two_draws_are_counted_as_in_the_definition(values: list[int], width: int, seed: int) -> None:
    z = np.sort(np.array([*values, 0], dtype=float))
    weights = np.random.default_rng(seed).dirichlet(np.ones(z.size), 3)
    better, worse = _outcomes(z, float(width))(weights)
    for row in range(3):
        expected = [0.0, 0.0]
        for i, j in itertools.product(range(z.size), repeat=2):
            product = weights[row, i] * weights[row, j]
            expected[0] += product * (z[i] + z[j] > width)
            expected[1] += product * (z[i] + z[j] < -width)
        assert (better[row], worse[row]) == pytest.approx(expected, abs=1e-12)


def test_two_draws_that_cancel_but_for_rounding_count_for_neither_side() -> None:
    z = np.array([-(0.1 + 0.2), 0.3])
    assert z.sum() != 0
    better, worse = _outcomes(z, 0.0)(np.array([[0.5, 0.5]]))
    # of four pairs of draws one is twice the first, one twice the second, and two are both
    assert (better.item(), worse.item()) == (0.25, 0.25)


def test_ranks_say_what_signs_do_not() -> None:
    d = np.r_[np.full(14, -0.1), np.full(12, 2.0)]
    assert chances(believed("sign", of_differences(d)))[0] < 0.5
    assert chances(believed("signed-rank", of_differences(d)))[0] > 0.9
    assert "posterior_of_signs" in codes(believed("signed-rank", of_differences(d)))


@pytest.fixture(scope="module")
def folds(data_root: Path) -> dict[str, dict[str, Float]]:
    """Accuracies ``(100,)`` of each classifier on each data set, 10 x 10 folds (Benavoli et al. 2017)."""
    import csv
    import gzip

    found: dict[str, dict[str, list[float]]] = {}
    with gzip.open(data_root / "data/multi_cv_folds/folds.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["classifier"], {}).setdefault(row["dataset"], []).append(float(row["accuracy"]))
    return {c: {d: np.array(v) for d, v in sets.items()} for c, sets in found.items()}


def test_correlated_t_of_every_data_set_is_that_of_baycomp(data_root: Path, folds: dict[str, dict[str, Float]]) -> None:
    """baycomp 1.0.3 ``CorrelatedTTest.probs(x, y, rope, runs=10)``; NA where the differences have no variance."""
    lines = (data_root / "data/multi_cv_folds/expected_correlated_ttest.tsv").read_text(encoding="utf-8").splitlines()
    compared = 0
    for line in lines[1:]:
        dataset, x, y, rope, *expected = line.split("\t")
        d = folds[y][dataset] - folds[x][dataset]
        if "NA" in expected:
            assert np.ptp(d) == 0
            continue
        better, within, worse = correlated_t(d, 0.1).probabilities(float(rope))
        assert (worse, within, better) == pytest.approx(tuple(map(float, expected)), rel=1e-8, abs=1e-9)
        compared += 1
    assert compared > 250
    pair = pairing(folds["aode"]["anneal"][None], folds["nbc"]["anneal"][None], support.settings())
    assert chances(believed("t:rho=0.1", pair, 1.0)) == pytest.approx((0.954285665, 0.0457140329, 3.0211e-07), rel=1e-4)


def test_data_sets_are_judged_as_by_baycomp(data_root: Path, folds: dict[str, dict[str, Float]]) -> None:
    """50,000 draws, printed with 3 digits; 5 standard errors of theirs and ours."""
    import json

    reference = json.loads((data_root / "data/multi_cv_folds/reference_over_datasets.json").read_text(encoding="utf-8"))
    for x, y in (("nbc", "aode"), ("nbc", "j48"), ("j48", "j48gr")):
        means = {c: np.array([v.mean() for v in folds[c].values()])[None] for c in (x, y)}
        pair = pairing(means[y], means[x], support.settings(20_000))
        for name, key in (("signed-rank", "signed_rank_probs_rope1"), ("sign", "sign_probs_rope1")):
            found = believed(name, pair, 1.0)
            worse, within, better = reference[f"{x}-{y}"][key]
            error = 0.5 * math.sqrt(1 / 50_000 + (1 / 20_000 if found.error else 0))
            assert chances(found) == pytest.approx((better, within, worse), abs=5 * error + 5e-4)


@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 60])
def test_shares_drawn_from_the_prior_lie_in_their_credible_intervals(n: int) -> None:
    rng = np.random.default_rng(n)
    exceedances, better, promised, rounds = 0, 0, 0.0, 1000
    for _ in range(rounds):
        shares = rng.dirichlet(np.ones(4))
        counts = rng.multinomial(n, shares)
        law = paired_table(int(counts[0]), int(counts[1]), n)
        truth = float(shares[0] - shares[1])
        low, high = law.interval(0.9)
        exceedances += low <= truth <= high
        better += truth > 0.05
        promised += law.above(0.05)
    assert support.least(0.9, rounds) <= exceedances / rounds <= support.most(0.9, rounds)
    # the chances promised add up to what happens: 5 standard errors
    assert abs(better - promised) < 5 * math.sqrt(rounds) / 2


@pytest.mark.slow
@pytest.mark.parametrize(("n", "rho"), [(5, 0.0), (20, 0.0), (10, 0.1)])
def test_t_intervals_hold_their_level_for_normal_items_and_for_folds_with_that_correlation(n: int, rho: float) -> None:
    rng = np.random.default_rng(n)
    rounds = 4000
    d = rng.normal(size=(rounds, n)) * math.sqrt(1 - rho) + rng.normal(size=(rounds, 1)) * math.sqrt(rho) + 0.4
    exceedances = sum(0.05 < correlated_t(row, rho).above(0.4) < 0.95 for row in d)
    assert support.least(0.9, rounds) <= exceedances / rounds <= support.most(0.9, rounds)


@pytest.mark.slow
def test_bayesian_bootstrap_intervals_are_too_narrow_for_few_items_as_its_note_says() -> None:
    rng = np.random.default_rng(0)
    covered = {}
    for n, rounds in ((10, 4000), (100, 4000)):
        laws = (WeightedMeanLaw(rng.normal(size=n), np.ones(n), np.ones(n)) for _ in range(rounds))
        covered[n] = sum(0.025 < law.above(0.0) < 0.975 for law in laws) / rounds
    assert 0.86 < covered[10] < 0.91
    assert 0.93 < covered[100] < 0.96
