"""The named tests against outside programs (scipy), enumeration, and plain loops from their definitions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.items import Items
from outscore.engine.design import Design
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.metrics import metrics
from outscore.results import Pair
from outscore.significance import tests as registry
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

RNG = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def same_numbers_in_any_order() -> None:
    """Every test draws the same numbers, whatever ran before it in the same process."""
    RNG.bit_generator.state = np.random.default_rng(7).bit_generator.state


A, B = RNG.normal(0, 1, 25), RNG.normal(0.4, 1, 25)
RIGHT_A, RIGHT_B = (RNG.random(80) < 0.5).astype(float), (RNG.random(80) < 0.65).astype(float)

every_side = pytest.mark.parametrize("alternative", ALTERNATIVES)


def verdict(a: Any, b: Any, test: str, **options: Any) -> Pair:
    """``b`` against the baseline ``a``."""
    return outscore.compare({"base": a, "new": b}, test=test, **options).pairs[0]


def pairing(metric: str, a: Float, b: Float, **choices: Any) -> GainContrast:
    """Two systems with columns x and y, one row per item."""
    made = metrics.make(metric)
    columns = [made.statistics(Items(n=len(v), columns={"x": v[:, 0], "y": v[:, 1]}))[None] for v in (a, b)]
    stats = Statistics(metric, columns, made.score, Design(len(a)), per_item=made.per_item, ratio=made.ratio())
    return GainContrast(Resamples(("a", "b"), [stats], 0, Settings(**choices)), 0, 1)


# t and z


@every_side
def test_t_is_scipys_paired_t(alternative: Alternative) -> None:
    theirs = scipy.stats.ttest_rel(B, A, alternative=alternative)
    ours = verdict(A, B, "t", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.effect["statistic"] == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.effect["df"] == 24
    if alternative == "two-sided":
        assert ours.ci == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-9)
    assert ours.p_kind == "asymptotic"


@every_side
def test_z_takes_the_deviation_as_known(alternative: Alternative) -> None:
    z = (B - A).mean() / (1.5 / 5)
    upper = float(scipy.stats.norm.sf(z))
    expected = {"greater": upper, "less": 1 - upper, "two-sided": 2 * min(upper, 1 - upper)}[alternative]
    assert verdict(A, B, "z:sigma=1.5", alternative=alternative).p_value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("sigma", ["0", "-1", "nan", "inf"])
def test_z_refuses_a_deviation_that_is_none(sigma: str) -> None:
    with pytest.raises(UsageError, match="sigma"):
        verdict(A, B, f"z:sigma={sigma}")


def test_t_over_clusters_of_one_item_is_the_paired_t() -> None:
    single = verdict(A, B, "t")
    clustered = verdict(A, B, "t", items={"cluster": [f"c{i}" for i in range(25)]})
    assert clustered.p_value == pytest.approx(single.p_value, rel=1e-9)
    assert clustered.ci == pytest.approx(single.ci, rel=1e-9)


def test_t_over_equal_clusters_is_the_t_of_their_means() -> None:
    """With equal sizes CR2 is exactly the one-sample t of the cluster means."""
    labels = [f"c{i // 5}" for i in range(25)]
    means = (B - A).reshape(5, 5).mean(axis=1)
    theirs = scipy.stats.ttest_1samp(means, 0)
    ours = verdict(A, B, "t", items={"cluster": labels})
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.effect["df"] == pytest.approx(4)


# binary and rank tests


@every_side
def test_mcnemar_exact_is_the_binomial_of_the_discordant_items(alternative: Alternative) -> None:
    better, worse = int((RIGHT_B > RIGHT_A).sum()), int((RIGHT_B < RIGHT_A).sum())
    theirs = scipy.stats.binomtest(better, better + worse, 0.5, alternative=alternative).pvalue
    ours = verdict(RIGHT_A, RIGHT_B, "mcnemar:variant=exact", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs, rel=1e-9)
    assert (ours.effect["wins"], ours.effect["losses"]) == (better, worse)
    # the other ways to the same number
    for same in ("sign", "randomization"):
        assert verdict(RIGHT_A, RIGHT_B, same, alternative=alternative).p_value == pytest.approx(theirs, rel=1e-9)


@every_side
def test_mcnemar_midp_counts_half_of_the_observed(alternative: Alternative) -> None:
    better, worse = int((RIGHT_B > RIGHT_A).sum()), int((RIGHT_B < RIGHT_A).sum())
    law = scipy.stats.binom(better + worse, 0.5)
    greater = float(law.sf(better) + law.pmf(better) / 2)
    less = float(law.cdf(better - 1) + law.pmf(better) / 2)
    expected = {"greater": greater, "less": less, "two-sided": 2 * min(greater, less)}[alternative]
    ours = verdict(RIGHT_A, RIGHT_B, "mcnemar", alternative=alternative)
    assert ours.p_value == pytest.approx(expected, rel=1e-9)
    assert ours.effect["p_exact"] == verdict(RIGHT_A, RIGHT_B, "mcnemar:variant=exact", alternative=alternative).p_value


def test_mcnemar_chi2_is_that_of_the_textbooks() -> None:
    better, worse = int((RIGHT_B > RIGHT_A).sum()), int((RIGHT_B < RIGHT_A).sum())
    for variant, less in (("chi2", 0), ("chi2-cc", 1)):
        statistic = (abs(better - worse) - less) ** 2 / (better + worse)
        theirs = float(scipy.stats.chi2.sf(statistic, 1))
        assert verdict(RIGHT_A, RIGHT_B, f"mcnemar:variant={variant}").p_value == pytest.approx(theirs, rel=1e-9)


@every_side
def test_sign_is_the_binomial_of_wins_and_losses(alternative: Alternative) -> None:
    a, b = np.round(A, 0), np.round(B, 0)
    wins, losses = int((b > a).sum()), int((b < a).sum())
    assert wins + losses < 25
    theirs = scipy.stats.binomtest(wins, wins + losses, 0.5, alternative=alternative).pvalue
    ours = verdict(a, b, "sign", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs, rel=1e-9)
    assert (ours.effect["wins"], ours.effect["losses"], ours.effect["ties"]) == (wins, losses, 25 - wins - losses)
    assert ours.p_min == pytest.approx((2 if alternative == "two-sided" else 1) * 0.5 ** (wins + losses))


@every_side
@pytest.mark.parametrize(("variant", "method"), [("auto", "exact"), ("exact", "exact"), ("normal", "asymptotic")])
def test_wilcoxon_is_scipys(variant: str, method: Any, alternative: Alternative) -> None:
    theirs = scipy.stats.wilcoxon(B, A, alternative=alternative, method=method, correction=False)
    ours = verdict(A, B, f"wilcoxon:variant={variant}", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.p_kind == ("asymptotic" if method == "asymptotic" else "exact")


@every_side
@pytest.mark.parametrize("zeros", ["drop", "pratt"])
def test_wilcoxon_is_exact_with_ties(zeros: str, alternative: Alternative) -> None:
    """By enumeration of all signs of the mid-ranks."""
    d = np.array([0, 1, 1, -2, 3, 3, -3, 0, 5, 1])
    ranks = scipy.stats.rankdata(np.abs(d if zeros == "pratt" else d[d != 0]))
    ranks = ranks[d != 0] if zeros == "pratt" else ranks
    observed = ranks[d[d != 0] > 0].sum()
    sums = np.array([ranks[np.array(s, dtype=bool)].sum() for s in itertools.product((0, 1), repeat=len(ranks))])
    greater, less = float(np.mean(sums >= observed)), float(np.mean(sums <= observed))
    expected = {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]
    found = verdict(np.zeros(10), d.astype(float), f"wilcoxon:zeros={zeros}", alternative=alternative)
    assert found.p_value == pytest.approx(expected, rel=1e-9)


# randomization


def enumerated(pair: GainContrast, a: Float, b: Float, score: Any, alternative: Alternative) -> float:
    """The share of all 2^n exchanges whose gain is at least as large, by plain loops."""
    observed = score(b.sum(axis=0)) - score(a.sum(axis=0))
    exceedances = 0
    for swap in itertools.product((False, True), repeat=len(a)):
        first = sum((b if s else a)[i] for i, s in enumerate(swap))
        second = sum((a if s else b)[i] for i, s in enumerate(swap))
        gain = score(second) - score(first)
        if alternative == "greater":
            exceedances += gain >= observed - 1e-12
        elif alternative == "less":
            exceedances += gain <= observed + 1e-12
        else:
            exceedances += abs(gain) >= abs(observed) - 1e-12
    return float(exceedances / 2 ** len(a))


@every_side
@settings(max_examples=20)
@given(rows=st.lists(st.tuples(*[st.integers(0, 4)] * 2, *[st.integers(1, 4)] * 2), min_size=1, max_size=7))
@pytest.mark.parametrize("metric", ["mean:column=x", "ratio:num=x,den=y", "mean:column=x,weight=y"])
def test_randomization_is_the_enumeration(metric: str, alternative: Alternative, rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, dtype=float)
    a, b = table[:, [0, 2]], table[:, [1, 3]]
    pair = pairing(metric, a, b, alternative=alternative)
    found = registry.make("randomization").run(pair)
    assert found.p_kind == "exact"
    if metric == "mean:column=x":
        expected = enumerated(pair, a, b, lambda s: s[0] / len(a), alternative)
    elif metric.startswith("ratio"):
        expected = enumerated(pair, a, b, lambda s: s[0] / s[1], alternative)
    else:
        a, b = (np.stack([v[:, 0] * v[:, 1], v[:, 1]], axis=1) for v in (a, b))
        expected = enumerated(pair, a, b, lambda s: s[0] / s[1], alternative)
    assert found.p_value == pytest.approx(expected, abs=1e-12)


@every_side
def test_sampled_randomization_is_near_the_exact(alternative: Alternative) -> None:
    exact = verdict(RIGHT_A, RIGHT_B, "randomization", alternative=alternative)
    sampled = verdict(RIGHT_A, RIGHT_B, "randomization:exact=never", alternative=alternative, n_resamples=20000)
    assert (exact.p_kind, sampled.p_kind) == ("exact", "monte-carlo")
    assert exact.p_value is not None
    assert sampled.p_value is not None
    # 4.5 standard errors: a false alarm in 150 000, and the seed is fixed
    assert sampled.p_error is not None
    assert abs(sampled.p_value - exact.p_value) < 4.5 * sampled.p_error + 1 / 20001
    # cyclic resamples have up to twice the variance of independent ones, as a rule as much or less
    error = math.sqrt(exact.p_value * (1 - exact.p_value) / 20000)
    assert 0.4 * error < sampled.p_error < 1.7 * error


def test_randomization_exchanges_whole_clusters() -> None:
    labels = [f"c{i % 8}" for i in range(80)]
    d = RIGHT_B - RIGHT_A
    sums = np.array([d[[label == f"c{k}" for label in labels]].sum() for k in range(8)])
    flips = np.array(list(itertools.product((-1, 1), repeat=8))) @ sums
    expected = np.mean(np.abs(flips) >= abs(sums.sum()))
    found = verdict(RIGHT_A, RIGHT_B, "randomization", items={"cluster": labels})
    assert found.p_value == pytest.approx(expected)
    assert found.p_value != pytest.approx(verdict(RIGHT_A, RIGHT_B, "randomization").p_value, rel=1e-3)


def test_randomization_moves_all_runs_of_an_item_together() -> None:
    a, b = RNG.integers(0, 5, (3, 12)), RNG.integers(0, 6, (3, 12))
    d = b.sum(axis=0) - a.sum(axis=0)
    flips = np.array(list(itertools.product((-1, 1), repeat=12))) @ d
    expected = np.mean(np.abs(flips) >= abs(d.sum()))
    assert verdict(a.astype(float), b.astype(float), "randomization").p_value == pytest.approx(expected)


def test_decimal_scores_tie_as_on_paper() -> None:
    """0.1 + 0.2 and 0.3 are a tie; naive floating sums would miss it."""
    d = np.array([0.1, 0.2, -0.3, 0.1, 0.2, 0.3])
    flips = np.array(list(itertools.product((-1, 1), repeat=6))) @ np.rint(10 * d)
    expected = np.mean(np.abs(flips) >= abs(np.rint(10 * d).sum()))
    assert verdict(np.zeros(6), d, "randomization").p_value == pytest.approx(expected, abs=1e-15)


# bootstrap


def resampled(a: Float, b: Float, seed: int, n: int = 20000) -> tuple[Float, Float]:
    """Redrawn mean differences and their standard errors, with numpy's own index sampling."""
    d = b - a
    drawn = d[np.random.default_rng(seed).integers(0, len(d), (n, len(d)))]
    return drawn.mean(axis=1), drawn.std(axis=1) / math.sqrt(len(d))


@every_side
@pytest.mark.parametrize("form", ["shift", "percentile", "studentized"])
def test_the_forms_of_the_bootstrap(form: str, alternative: Alternative) -> None:
    means, errors = resampled(A, B, 3)
    gain = (B - A).mean()
    assert gain > 0
    if form == "shift":
        tails = {
            "greater": means - gain >= gain,
            "less": means - gain <= gain,
            "two-sided": np.abs(means - gain) >= gain,
        }
        expected = np.mean(tails[alternative])
    elif form == "percentile":
        below, above = np.mean(means <= 0), np.mean(means >= 0)
        expected = {"greater": below, "less": above, "two-sided": 2 * min(below, above)}[alternative]
    else:
        t, observed = (means - gain) / errors, gain / ((B - A).std() / math.sqrt(25))
        tails = {"greater": t >= observed, "less": t <= observed, "two-sided": np.abs(t) >= observed}
        expected = np.mean(tails[alternative])
    found = verdict(A, B, f"bootstrap:form={form}", alternative=alternative, n_resamples=20000)
    assert found.p_value is not None
    # two estimates from 20 000 draws each, 5 standard errors; the doubled form has twice the error
    error = math.sqrt(2 * max(expected * (1 - expected), 1e-4) / 20000)
    assert abs(found.p_value - expected) < 5 * error * (2 if form == "percentile" else 1)
    assert (found.p_kind, found.n_resamples) == ("monte-carlo", 20000)


def test_the_bootstrap_counts_ties_and_adds_one() -> None:
    """With two values the law is binomial: p must be that of >=, not of >."""
    b = np.array([1.0, 0.0] * 4)
    law = scipy.stats.binom(8, 0.5)
    # |mean* - 1/2| >= 1/2: all eight the same
    exact = verdict(np.zeros(8), b, "bootstrap")
    assert exact.p_kind == "exact"
    assert exact.p_value == pytest.approx(2 * law.pmf(8), rel=1e-12)
    found = verdict(np.zeros(8), b, "bootstrap:exact=never", n_resamples=50000)
    assert found.p_error is not None
    assert found.p_value == pytest.approx(2 * law.pmf(8), abs=5 * found.p_error)
    constant = verdict(np.zeros(8), np.ones(8), "bootstrap", n_resamples=99)
    assert constant.n_resamples is not None
    assert constant.p_value == 1 / (constant.n_resamples + 1)
    assert "zero_variance" in constant.notes


def test_berg_kirkpatricks_figure_counts_strictly_and_for_the_winner() -> None:
    b = np.array([1.0, 0.0, 0.0, 0.0])
    law = scipy.stats.binom(4, 0.25)
    strict = verdict(np.zeros(4), b, "bootstrap:form=bbk", n_resamples=50000)
    assert strict.p_value == pytest.approx(law.sf(2), abs=0.003)  # more than twice the gain: 3 of 4 or more
    assert verdict(b, np.zeros(4), "bootstrap:form=bbk", n_resamples=50000).p_value == strict.p_value
    assert "bbk_one_sided" in strict.notes
    assert strict.alternative == "one-sided for the observed winner, strict (>)"


@pytest.mark.slow
def test_what_is_said_of_berg_kirkpatricks_figure_is_what_it_does() -> None:
    result = outscore.compare({"a": A, "b": B}, test="bootstrap:form=bbk", n_resamples=999)
    for said in map(result.to, ("terminal", "sentence", "html")):
        assert "one-sided for the observed winner, strict (" in " ".join(said.split())
        assert "Carlo, two-sided" not in said and "Carlo; two-sided" not in said


def test_the_bootstrap_redraws_whole_clusters() -> None:
    labels = [f"c{i // 5}" for i in range(25)]
    sums = (B - A).reshape(5, 5).mean(axis=1)
    found = verdict(A, B, "bootstrap", items={"cluster": labels}, n_resamples=20000)
    drawn = sums[np.random.default_rng(0).integers(0, 5, (20000, 5))].mean(axis=1)
    assert found.effect["se"] == pytest.approx(drawn.std(), rel=0.05)


def test_centre_at_the_mean_of_the_resamples_belongs_to_shift() -> None:
    assert verdict(A, B, "bootstrap:centre=boot_mean").p_value == pytest.approx(
        verdict(A, B, "bootstrap").p_value, abs=0.02
    )
    with pytest.raises(UsageError, match="boot_mean"):
        verdict(A, B, "bootstrap:form=bbk,centre=boot_mean")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_studentized_bootstrap_is_not_fooled_by_orders_without_a_match(seed: int) -> None:
    """BLEU of word salad has no match in the highest order: an undefined standard error must not count as a hit."""
    rng = np.random.default_rng(seed)
    ref, a, b = ([" ".join(rng.permutation(list("abcdefghijkl"))[:9]) for _ in range(12)] for _ in range(3))
    found = outscore.compare(
        {"a": a, "b": b}, references=ref, metrics="bleu", test="bootstrap:form=studentized", n_resamples=999
    )
    plain = outscore.compare({"a": a, "b": b}, references=ref, metrics="bleu", test="bootstrap", n_resamples=999)
    shift, p = plain.pairs[0].p_value, found.pairs[0].p_value
    assert shift is not None
    assert shift > 0.05
    assert p is None or p > 0.01
    for interval in (found.pairs[0].ci, *(s.ci for s in found.scores)):
        assert interval is None or interval[0] < interval[1]


def test_a_studentized_bootstrap_of_runs_is_that_of_all_their_items_together() -> None:
    """Also where the mean of the runs' ratios is not the ratio of all runs, which is what is redrawn."""
    rng = np.random.default_rng(4)
    rows: dict[str, list[object]] = {"system": [], "run": [], "item": [], "num": [], "den": []}
    for system, runs in (("base", (1, 1)), ("new", (1, 40))):  # a run of long answers outweighs the other
        for run, length in enumerate(runs):
            den = length * rng.integers(2, 9, 40)
            num = rng.binomial(den, 0.3 + 0.3 * run * (system == "new"))
            for item in range(40):
                for name, value in zip(rows, (system, run, item, num[item], den[item]), strict=True):
                    rows[name].append(value)
    summed = pd.DataFrame(rows).groupby(["system", "item"], as_index=False)[["num", "den"]].sum()
    found = [
        outscore.compare(data, metrics="ratio:num=num,den=den", test="bootstrap:form=studentized", n_resamples=999)
        for data in (pd.DataFrame(rows), summed)
    ]
    assert found[0].pairs[0].gain != pytest.approx(found[1].pairs[0].gain, rel=0.1)
    assert found[0].pairs[0].p_value == found[1].pairs[0].p_value


# several runs

RUNS_A, RUNS_B = RNG.normal(0, 1, (3, 20)), RNG.normal(0.3, 1, (4, 20))


@every_side
def test_runs_is_welch_over_the_run_scores(alternative: Alternative) -> None:
    few = RUNS_B[:3]
    theirs = scipy.stats.ttest_ind(few.mean(axis=1), RUNS_A.mean(axis=1), equal_var=False, alternative=alternative)
    ours = verdict(RUNS_A, few, "runs", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.effect["df"] == pytest.approx(theirs.df, rel=1e-9)
    if alternative == "two-sided":
        assert ours.ci == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-9)


@every_side
def test_runs_in_different_numbers_have_no_more_freedom_than_the_smaller_number_gives(alternative: Alternative) -> None:
    theirs = scipy.stats.ttest_ind(RUNS_B.mean(axis=1), RUNS_A.mean(axis=1), equal_var=False, alternative=alternative)
    ours = verdict(RUNS_A, RUNS_B, "runs", alternative=alternative)
    assert ours.effect["statistic"] == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.effect["df"] == pytest.approx(min(theirs.df, 2 * (len(RUNS_A) - 1)), rel=1e-9)
    assert "unequal_runs" in ours.notes


@every_side
def test_runs_can_permute_the_labels_of_the_runs(alternative: Alternative) -> None:
    scores = np.concatenate([RUNS_A.mean(axis=1), RUNS_B.mean(axis=1)])
    observed = scores[3:].mean() - scores[:3].mean()
    gains = []
    for first in itertools.combinations(range(7), 3):
        rest = [i for i in range(7) if i not in first]
        gains.append(scores[rest].mean() - scores[list(first)].mean())
    tail = {"greater": np.array(gains) >= observed - 1e-12, "less": np.array(gains) <= observed + 1e-12}
    tail["two-sided"] = np.abs(gains) >= abs(observed) - 1e-12
    ours = verdict(RUNS_A, RUNS_B, "runs:variant=permutation", alternative=alternative)
    assert ours.p_value == pytest.approx(np.mean(tail[alternative]))
    assert ours.p_kind == "exact"
    assert ours.p_min == pytest.approx(1 / 35)


def test_three_runs_each_cannot_reach_5_percent_by_permutation() -> None:
    found = verdict(RUNS_A, RUNS_A + 100, "runs:variant=permutation")
    assert found.p_value == found.p_min == pytest.approx(0.1)
    assert "alpha_unattainable" in found.notes


def test_crossed_does_not_depend_on_how_runs_are_paired() -> None:
    found = verdict(RUNS_A, RUNS_B, "crossed")
    again = verdict(RUNS_A[[2, 0, 1]], RUNS_B[::-1], "crossed")
    assert again.p_value == pytest.approx(found.p_value, rel=1e-9)
    assert again.ci == pytest.approx(found.ci, rel=1e-9)


def test_crossed_is_more_careful_than_either_question_alone() -> None:
    error = {name: float(verdict(RUNS_A, RUNS_B, name).effect["se"] or 0) for name in ("t", "runs", "crossed")}
    assert error["crossed"] >= error["t"]
    conservative = float(verdict(RUNS_A, RUNS_B, "crossed:variant=conservative").effect["se"] or 0)
    assert conservative >= error["crossed"]
    # the variance of independent run and item parts, of which the residual was counted twice
    assert conservative == pytest.approx(math.hypot(error["t"], error["runs"]), rel=0.25)


def test_crossed_finds_no_variance_of_runs_where_runs_are_copies() -> None:
    a, b = np.tile(A, (3, 1)), np.tile(B, (3, 1))
    assert verdict(a, b, "crossed").effect["share_of_variance_from_runs"] == pytest.approx(0, abs=1e-9)
    assert verdict(a, b, "crossed").effect["se"] == pytest.approx(verdict(A, B, "t").effect["se"])


# MultEval: the toys of the outside oracle `multeval` (MultEval 0.5.1, Java; exact laws by enumeration), mean of scores

TOYS: list[tuple[list[list[int]], list[list[int]], float, float]] = [
    ([[5], [3], [2]], [[1], [0], [4]], 1 / 2, 1 / 6),
    ([[5, 3], [2, 7], [1, 6]], [[1, 0], [4, 2], [2, 3]], 3 / 16, 1 / 12),
    ([[5, 3], [2, 7]], [[1, 0], [4, 2]], 1 / 4, 1 / 8),
    ([[5, 3, 9]], [[1, 4, 2]], 1 / 2, 1 / 4),
]


@pytest.mark.parametrize(("a", "b", "valid", "as_coded"), TOYS)
def test_multeval_has_its_valid_law_and_its_printed_one(
    a: list[list[int]], b: list[list[int]], valid: float, as_coded: float
) -> None:
    first, second = np.array(a, dtype=float), np.array(b, dtype=float)
    n = 20000
    for test, expected in (("multeval", valid), ("multeval:as_coded=true", as_coded)):
        found = verdict(first, second, test, n_resamples=n)
        assert found.p_value is not None
        assert abs(found.p_value - expected) < 4.5 * math.sqrt(expected * (1 - expected) / n) + 2 / n, test
        assert "multeval_pseudo_replication" in found.notes
    assert "multeval_as_coded" in verdict(first, second, "multeval:as_coded=true", n_resamples=50).notes


def test_multeval_of_identical_systems_is_1_by_its_valid_law() -> None:
    same = np.array([[4.0, 7.0]])
    assert verdict(same, same, "multeval").p_value == 1
    assert verdict(same, same, "multeval:as_coded=true", n_resamples=99).p_value == 1 / 100


@pytest.mark.parametrize("test", ["t", "mcnemar", "sign", "wilcoxon", "z:sigma=1"])
def test_tests_of_items_refuse_corpus_scores_and_say_what_to_use(test: str) -> None:
    texts = ["a b c d e", "f g h"]
    with pytest.raises(UsageError, match=r"--test|\bauto"):
        outscore.compare({"x": texts, "y": texts[::-1]}, references=texts, metrics="bleu", test=test)


@pytest.mark.parametrize(("test", "says"), [("multeval", "4 and 3.*auto"), ("mcnemar", r"\bauto")])
def test_tests_of_a_design_refuse_another(test: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        verdict(RUNS_A, RUNS_B, test)


@pytest.mark.parametrize("test", ["crossed", "runs"])
def test_tests_over_runs_refuse_single_runs(test: str) -> None:
    with pytest.raises(UsageError, match=r"at least two runs.*--test auto"):
        verdict(A, B, test)


@pytest.mark.parametrize("test", ["runs", "crossed"])
def test_runs_whose_scores_are_the_same_but_for_rounding_do_not_differ(test: str) -> None:
    """The same numbers in another order have means that differ in the last digit, and no spread over runs."""
    for seed in range(20):
        numbers = np.random.default_rng(seed).normal(0, 0.37, 61)
        other = np.random.default_rng(seed + 1).permutation(numbers)
        if test == "crossed":
            other = numbers
        result = outscore.compare({"base": [numbers] * 10, "new": [other] * 7}, test=test)
        assert result.pairs[0].p_value == 1


@given(values=st.lists(st.integers(-99, 99), min_size=2, max_size=3, unique=True), n=st.integers(3, 9))
def test_resamples_of_equal_differences_count_against_a_studentized_rejection(values: list[int], n: int) -> None:
    d = [values[0] / 7] * (n - len(values) + 1) + [value / 7 for value in values[1:]]
    found = outscore.compare(
        {"b": [0.0] * n, "s": d}, test="bootstrap:form=studentized", alternative="greater", n_resamples=4000
    )
    (pair,) = found.pairs
    # resamples that hold the first value alone have no spread
    share = ((n - len(values) + 1) / n) ** n
    assert pair.p_value is not None
    assert pair.p_value >= share - 5 * math.sqrt(share / 4000)


def test_the_interval_beside_exchanged_runs_is_that_of_runs() -> None:
    rng = np.random.default_rng(5)
    data = {s: (rng.normal(size=40) + rng.normal(size=(4, 1))).tolist() for s in ("a", "b")}
    welch, exchanged = (outscore.compare(data, test=t).pairs[0] for t in ("runs", "runs:variant=permutation"))
    assert exchanged.ci == welch.ci
    assert exchanged.ci_method == "Welch t interval over runs"
