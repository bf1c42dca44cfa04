"""Equivalence in every design: the tests agree with their intervals and with plain ones, and power is what it says."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import optimize, stats

import outscore
from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.engine.design import Design
from outscore.power.plans.mcnemar import mcnemar_power
from outscore.significance import tests
from outscore.significance.equivalence import (
    ENOUGH,
    EquivalenceProcedure,
    Tost,
    procedure,
    tost_from,
    tost_paired_proportions,
)
from outscore.significance.gain import GainContrast, standard_effect
from outscore.significance.means import paired_t
from outscore.significance.multibootstrap import MultiBootstrap
from outscore.significance.proportions import tango_score
from tests.laws import support
from tests.laws.support import cluster_labels, experiment, f1_stats, mean_stats, pairing, settings

RNG = np.random.default_rng(3)


PLAIN = settings(199)


@pytest.fixture(autouse=True)
def same_numbers_in_any_order() -> None:
    """Every test draws the same numbers, whatever ran before it in the same process."""
    RNG.bit_generator.state = np.random.default_rng(3).bit_generator.state


def f1_pair(n: int = 40) -> GainContrast:
    counts = [RNG.poisson([2.0, share, 1.0], (1, n, 3)).astype(float) for share in (1.2, 1.0)]
    return GainContrast(experiment(f1_stats(counts), settings=PLAIN), 0, 1)


def normal_pair(n: int = 40, labels: int | None = None) -> GainContrast:
    d = RNG.normal(0.1, 1.0, (2, 1, n))
    return pairing(d[0], d[1], PLAIN, None if labels is None else cluster_labels(n, labels))


def right_or_wrong(b: int, c: int, n: int) -> GainContrast:
    system = np.repeat([1.0, 0.0, 1.0], [b, c, n - b - c])
    baseline = np.repeat([0.0, 1.0, 1.0], [b, c, n - b - c])
    return pairing(system[None], baseline[None], PLAIN)


def runs_pair() -> GainContrast:
    return pairing(RNG.normal(0.1, 1.0, (4, 30)), RNG.normal(0, 1.0, (3, 30)), PLAIN)


def stratified(d: Float, strata: list[int]) -> GainContrast:
    design = Design(len(d), None, np.array(strata))
    return GainContrast(experiment(mean_stats([0 * d[None], d[None]], design=design), settings=PLAIN), 0, 1)


DESIGNS: dict[str, tuple[Callable[[], GainContrast], str]] = {
    "t": (normal_pair, "t"),
    "CR2 t": (lambda: normal_pair(40, 4), "t"),
    "score test": (lambda: right_or_wrong(9, 5, 60), "mcnemar"),
    "t over linear parts": (f1_pair, "randomization"),
    "t over jackknife pseudo-values within strata": (
        lambda: stratified(RNG.normal(0.1, 1.0, 40), [i % 3 for i in range(40)]),
        "bootstrap",
    ),
    "crossed t over runs and items": (runs_pair, "crossed"),
    "Welch t over runs": (runs_pair, "runs"),
}


def chosen(method: str) -> tuple[GainContrast, EquivalenceProcedure]:
    make, test = DESIGNS[method]
    pair = make()
    return pair, procedure(pair, tests.make(test))


every_design = pytest.mark.parametrize("method", DESIGNS)


@every_design
def test_equivalence_is_shown_where_the_interval_lies_inside_the_margin(method: str) -> None:
    pair, by = chosen(method)
    assert by.method == method
    found = by.tost(1.0 - 1e-9, 0.05)
    assert found is not None
    assert found.low < pair.gain < found.high
    reach = max(-found.low, found.high)
    for margin in (0.5 * reach, 0.999 * reach, 1.001 * reach, min(2 * reach, 0.99)):
        again = by.tost(margin, 0.05)
        assert again is not None
        assert (again.low, again.high) == (found.low, found.high)
        assert (again.p <= 0.05) == (-margin < found.low and found.high < margin)
        assert (again.p_lower <= 0.05) == (-margin < found.low)


@every_design
def test_the_detectable_gain_has_a_power_of_80_per_cent(method: str) -> None:
    _, by = chosen(method)
    for side in ("two-sided", "greater", "less"):
        for alpha in (0.05, 0.01):
            least = by.detectable(alpha, side)
            assert least is not None
            assert by.power(least, alpha, side) == pytest.approx(ENOUGH, abs=1e-9)
            more = by.power(1.1 * least, alpha, side)
            assert more is not None
            assert more > ENOUGH
    sided, both = by.detectable(0.05, "greater"), by.detectable(0.05, "two-sided")
    assert sided is not None
    assert both is not None
    assert sided < both


def tost(differences: Float, margin: float, alpha: float = 0.05) -> Tost:
    plain = paired_t(differences)
    return tost_from(plain.estimate, plain.se, plain.df, margin, alpha=alpha)


@given(st.lists(st.integers(-50, 50), min_size=3, max_size=30), st.integers(1, 80), st.sampled_from([0.05, 0.01]))
@hypothesis_settings(max_examples=60)
def test_t_tests_are_scipys_against_both_margins(values: list[int], margin: int, alpha: float) -> None:
    d = np.array(values, dtype=np.float64)
    if np.ptp(d) == 0:
        return
    found = tost(d, margin, alpha=alpha)
    lower = stats.ttest_1samp(d, -margin, alternative="greater")
    upper = stats.ttest_1samp(d, margin, alternative="less")
    assert found.p_lower == pytest.approx(lower.pvalue, rel=1e-9)
    assert found.p_upper == pytest.approx(upper.pvalue, rel=1e-9)
    interval = stats.ttest_1samp(d, 0).confidence_interval(1 - 2 * alpha)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-9, abs=1e-9)


Table = tuple[int, int, int]


def likelihood_score(b: int, c: int, n: int, delta: float) -> float:
    """The z of the score test from its definition: P(baseline only) maximizes the likelihood at this difference."""
    least, most = max(0.0, -delta), (1 - delta) / 2

    def against(q: float) -> float:
        cells = ((b, q + delta), (c, q), (n - b - c, 1 - 2 * q - delta))
        return -sum(count * math.log(max(p, 1e-300)) for count, p in cells if count)

    q = optimize.minimize_scalar(against, bounds=(least, most), method="bounded", options={"xatol": 1e-12}).x
    return (b - c - n * delta) / math.sqrt(n * (2 * q + delta * (1 - delta)))


tables = st.integers(1, 80).flatmap(
    lambda n: st.integers(0, n).flatmap(lambda b: st.tuples(st.just(b), st.integers(0, n - b), st.just(n)))
)
"""Items that only the system has right, only the baseline, and all."""


@given(tables, st.integers(1, 19))
@hypothesis_settings(max_examples=80)
def test_the_score_is_that_of_the_restricted_likelihood(table: Table, twentieth: int) -> None:
    for delta in (twentieth / 20, -twentieth / 20):
        found, slow = tango_score(*table, delta), likelihood_score(*table, delta)
        if math.isfinite(found) and abs(slow) < 1e3:
            assert found == pytest.approx(slow, rel=1e-3, abs=1e-3)


@given(tables, st.integers(1, 99))
@hypothesis_settings(max_examples=200)
def test_score_tests_reject_where_tangos_interval_lies_inside(table: Table, hundredth: int) -> None:
    b, c, n = table
    margin = hundredth / 100 + 1e-7  # off the rationals at which an end can lie exactly on the margin
    found = tost_paired_proportions(b, c, n, margin)
    assert found.low <= (b - c) / n <= found.high
    assert (found.p <= 0.05) == (-margin < found.low and found.high < margin)


def test_items_right_under_both_systems_are_evidence_of_equivalence() -> None:
    few, many = (procedure(right_or_wrong(0, 0, n), tests.make("mcnemar")).tost(0.05, 0.05) for n in (20, 100))
    assert few is not None
    assert many is not None
    # without a disagreement the score is √(n m / (1 - m)), and the interval ±z²/(n + z²)
    assert few.p == pytest.approx(stats.norm.sf(math.sqrt(20 * 0.05 / 0.95)))
    assert many.p <= 0.05 < few.p


def test_identical_outputs_bound_how_often_outputs_can_differ() -> None:
    values = RNG.uniform(0, 1, 200)
    values[:2] = 0.0, 1.0
    pair = pairing(values[None], values[None], PLAIN)
    found = procedure(pair, tests.make("t")).tost(0.05, 0.05)
    assert found is not None
    # a gain of .05 needs 5 % of items that differ by all that items can differ by
    assert found.p == pytest.approx(0.95**200)
    assert found.high == pytest.approx(1 - 0.05 ** (1 / 200))
    # three values that lie near one another do not tell how far others may lie
    four, five = (procedure(pairing(values[None, 2:n], values[None, 2:n], PLAIN), tests.make("t")) for n in (6, 7))
    assert four.tost(9.0, 0.05) is None
    wide = five.tost(9.0, 0.05)
    assert wide is not None
    assert wide.p == 0.5**5
    alike = pairing(np.full((1, 9), 0.3), np.full((1, 9), 0.3), PLAIN)
    assert procedure(alike, tests.make("t")).tost(0.05, 0.05) is None


@pytest.mark.parametrize("system", [np.ones((1, 20)), np.ones((1, 1))])
def test_without_variance_there_is_neither_test_nor_power(system: Float) -> None:
    by = procedure(pairing(system * 3, system * 2, PLAIN), tests.make("t"))
    assert by.tost(0.1, 0.05) is None
    assert by.power(0.1, 0.05, "two-sided") is None
    assert by.detectable(0.05, "two-sided") is None


def test_strata_take_their_means_out_of_the_variance() -> None:
    strata = [0] * 12 + [1] * 28
    d = RNG.normal(0, 1, 40) + 5 * np.array(strata)
    found = procedure(stratified(d, strata), tests.make("bootstrap")).tost(1.0, 0.05)
    assert found is not None
    # by hand: each stratum's share of the mean, with its own variance
    variance = sum((len(part) / 40) ** 2 * part.var(ddof=1) / len(part) for part in (d[:12], d[12:]))
    half = stats.t.ppf(0.95, 38) * math.sqrt(variance)
    assert (found.low, found.high) == pytest.approx((d.mean() - half, d.mean() + half))


def test_power_of_a_t_test_is_that_of_simulation() -> None:
    # 60 items of deviation 1: se is about .129, and the t law of the approximation is close to the true power
    by = procedure(pairing(RNG.normal(0, 1, (1, 60)), np.zeros((1, 60)), PLAIN), tests.make("t"))
    least = by.detectable(0.05, "two-sided")
    assert least is not None
    se = least / (stats.t.ppf(0.975, 59) + stats.t.ppf(0.8, 59))
    draws = np.random.default_rng(5).normal(least, se * math.sqrt(60), (20_000, 60))
    share = float(np.mean(stats.ttest_1samp(draws, 0, axis=1).pvalue <= 0.05))
    # false alarms: the share is within .0113 (four standard errors) of the power, which is within .005 of .8
    assert share == pytest.approx(ENOUGH, abs=0.0165)


@pytest.mark.parametrize("n", [100, 400, 1600])
@pytest.mark.parametrize("disagreement", [0.06, 0.2])
def test_power_of_right_or_wrong_items_is_near_that_of_mcnemars_test(n: int, disagreement: float) -> None:
    half = round(n * disagreement / 2)
    by = procedure(right_or_wrong(half, half, n), tests.make("mcnemar"))
    for margin in (0.02, 0.05):
        exact = mcnemar_power((disagreement + margin) / 2, (disagreement - margin) / 2, n).power[0]
        # the approximation is a little high where power is low, and low where it is not, if disagreements are few
        assert by.power(margin, 0.05, "two-sided") == pytest.approx(exact, abs=0.06)


@pytest.mark.parametrize(("differ", "margin"), [(0.05, 0.02), (0.03, 0.02), (0.1, 0.03)])
def test_the_planned_items_rule_out_a_margin_in_80_per_cent_of_test_sets(differ: float, margin: float) -> None:
    """Of equal systems, by the test that compare makes; McNemar's plan of a gain as large falls short."""

    def found(n: int) -> float:
        tables, times = np.unique(
            np.random.default_rng(1).multinomial(n, [differ / 2, differ / 2, 1 - differ], size=20_000), axis=0,
            return_counts=True,
        )  # fmt: skip
        return float(times @ [tost_paired_proportions(b, c, n, margin).p_lower <= 0.05 for b, c, _ in tables]) / 20_000

    of_gain = f"mcnemar:baseline=0.8,agreement={1 - differ}"
    plans = (f"margin:agreement={1 - differ}", of_gain)
    needed = [outscore.plan(one, effect=margin, alternative="greater").items_needed for one in plans]
    of_margin, of_gain_only = (found(round(n or 0)) for n in needed)
    assert of_margin == pytest.approx(ENOUGH, abs=0.015)
    assert of_gain_only < ENOUGH - 0.015


@pytest.mark.parametrize("margin", [0.0, -1.0, math.nan])
def test_a_margin_is_above_0(margin: float) -> None:
    with pytest.raises(UsageError, match="above 0"):
        tost(np.array([1.0, 2.0]), margin)


def test_no_difference_of_shares_reaches_1() -> None:
    with pytest.raises(UsageError, match="below 1"):
        tost_paired_proportions(1, 2, 10, 1.0)


@pytest.mark.parametrize("form", ["t", "shift", "percentile"])
def test_the_margin_of_redrawn_runs_is_judged_over_new_runs_too(form: str) -> None:
    rng = np.random.default_rng(0)
    items = rng.normal(size=200)
    a, b = (items + 0.3 * rng.normal(size=(5, 1)) + 0.05 * rng.normal(size=(5, 200)) for _ in range(2))
    pair = pairing(a, b, settings(2000))
    test = tests.make(f"multibootstrap:form={form}")
    judged, crossed = procedure(pair, test).tost(0.2, 0.05), procedure(pair, tests.make("crossed")).tost(0.2, 0.05)
    assert judged and crossed
    # one standard error from redrawn runs and items, the other from their variances
    assert judged.high - judged.low == pytest.approx(crossed.high - crossed.low, rel=0.1)
    df, se = (float(test.run(pair).effect[name] or 0) for name in ("df", "se"))
    assert judged.p_upper == pytest.approx(stats.t(df).cdf((pair.gain - 0.2) / se))


def f1(rows: Float) -> float:
    tp, fp, fn = rows.sum(axis=0)
    return float(2 * tp / (2 * tp + fp + fn))


@pytest.mark.parametrize("labels", [None, np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5])])
def test_effects_of_a_corpus_score_are_those_of_the_jackknife_and_margins_those_of_its_linear_parts(
    labels: Int | None,
) -> None:
    counts = np.random.default_rng(9).integers(0, 5, (2, 1, 12, 3)).astype(float)
    pair = GainContrast(experiment(f1_stats(list(counts), labels), settings=settings(9)), 0, 1)
    units = np.arange(12) if labels is None else labels
    n, (base, new) = len(set(units.tolist())), counts[:, 0]
    without = np.array([f1(new[units != u]) - f1(base[units != u]) for u in range(n)])
    gain, error = f1(new) - f1(base), math.sqrt((n - 1) * without.var())
    effect = standard_effect(pair)
    assert effect["n_different"] == pair.n_different
    assert effect["se_jackknife"] == pytest.approx(error)
    assert effect["d_z"] == pytest.approx(gain / error / math.sqrt(n))
    held = procedure(pair, tests.make("randomization"))
    found = held.tost(0.3, 0.05)
    assert found is not None and held.method == "t over linear parts"
    of_units = np.stack([[one[units == u].sum(axis=0) for u in range(n)] for one in (new, base)])
    wholes = of_units @ (2.0, 1.0, 1.0)  # what F1 is divided by
    shares = wholes / wholes.sum(axis=1, keepdims=True)
    left = (2 * of_units[..., 0] / wholes.sum(axis=1, keepdims=True) - [[f1(new)], [f1(base)]] * shares).T
    w = (left**2).sum(axis=0) @ shares / (left**2).sum()
    u = w**2 / (1 - w)
    law = stats.t(1 / ((w**2).sum() + u.sum() ** 2 - (u**2).sum()))
    error = math.sqrt(float(((left[:, 0] - left[:, 1]) ** 2 / (1 - w)).sum()))
    assert (found.statistic_lower, found.statistic_upper) == pytest.approx(((gain + 0.3) / error, (gain - 0.3) / error))
    assert (found.p_lower, found.p_upper) == pytest.approx(
        (law.sf((gain + 0.3) / error), law.cdf((gain - 0.3) / error))
    )
    assert (found.low, found.high) == pytest.approx((gain - law.ppf(0.95) * error, gain + law.ppf(0.95) * error))
    for side, tail in (("two-sided", 0.025), ("greater", 0.05)):
        power = held.power(0.2, 0.05, side)  # type: ignore[arg-type]
        assert power == pytest.approx(float(law.sf(law.isf(tail) - 0.2 / error)))
        least = held.detectable(0.05, side)  # type: ignore[arg-type]
        assert least == pytest.approx(error * float(law.isf(tail) + law.ppf(0.8)))


@pytest.mark.parametrize(("b", "c", "n"), [(9, 4, 40), (0, 0, 40), (3, 12, 60)])
def test_power_of_right_or_wrong_items_is_connors(b: int, c: int, n: int) -> None:
    new, base = np.zeros((2, 1, n))
    new[0, :b], base[0, b : b + c] = 1.0, 1.0
    held = procedure(pairing(new, base, settings(9)), tests.make("mcnemar"))
    for side, tail in (("two-sided", 0.025), ("less", 0.05)):
        critical = float(stats.norm.isf(tail))

        def power(gain: float, critical: float = critical) -> float:
            share = max((b + c) / n, gain)
            at = (gain * math.sqrt(n) - critical * math.sqrt(share)) / math.sqrt(share - gain**2)
            return float(stats.norm.cdf(at))

        for gain in (0.05, 0.2, 0.6):
            assert held.power(gain, 0.05, side) == pytest.approx(power(gain))  # type: ignore[arg-type]
        root = optimize.brentq(lambda g: power(g) - 0.8, 1e-6, 1 - 1e-9)
        assert held.detectable(0.05, side) == pytest.approx(root, rel=1e-6)  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "answered"), [(3, False), (4, False), (5, True), (9, True)])
def test_units_that_never_differ_bound_how_often_they_do(n: int, answered: bool) -> None:
    d = np.linspace(0, 2, n)[None]
    held = procedure(pairing(d, d, settings(9)), tests.make("t"))
    for margin in (0.1, 0.7, 1.0, 1.5, 5.0):
        found = held.tost(margin, 0.05)
        assert (found is not None) == answered == (0.5**n <= 0.05)
        if found is not None:
            p = max(1 - margin / 2, 0.5) ** n
            most = 2 * (1 - 0.05 ** (1 / n))
            assert (found.p_lower, found.p_upper, found.low, found.high) == pytest.approx((p, p, -most, most))
    assert held.power(0.1, 0.05, "greater") is held.detectable(0.05, "less") is None


def test_equivalence_within_a_margin_is_two_t_tests() -> None:
    d = np.array([0.1, -0.2, 0.3, 0.0, 0.25])
    found, margin = tost(d, 0.4), 0.4
    se = d.std(ddof=1) / math.sqrt(5)
    lower, upper = (d.mean() + margin) / se, (d.mean() - margin) / se
    assert (found.statistic_lower, found.statistic_upper) == pytest.approx((lower, upper))
    assert (found.p_lower, found.p_upper) == pytest.approx((stats.t(4).sf(lower), stats.t(4).cdf(upper)))
    half = stats.t(4).ppf(0.95) * se
    assert (found.low, found.high) == pytest.approx((d.mean() - half, d.mean() + half))


def test_nothing_is_said_of_equivalence_where_no_resample_varies() -> None:
    """Runs alike, and the system better by one half on every item: no standard error, whatever the margin."""
    values = np.tile([0.25, 1.0, 0.75, 2.0, 1.5, 0.0, 0.5], (3, 1))
    test = MultiBootstrap()
    pair = support.pairing(values + 0.5, values, support.settings(99))
    found = procedure(pair.drawing(test.draws(pair)), test)
    assert found.tost(3.0, 0.05) is None
    assert found.power(0.5, 0.05, "two-sided") is None
    assert found.detectable(0.05, "two-sided") is None
