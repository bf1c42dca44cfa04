"""Power of t tests, proportions, McNemar's and the crossed test: against simulation, limits, and each other."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.power.plans import Closed, Question, plans, smallest, smallest_gain
from outscore.power.plans.crossed import Costs, power_of
from outscore.power.plans.mcnemar import mcnemar_power
from outscore.power.plans.t import TDesign
from outscore.significance.crossed import Variances, crossed_t
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.equivalence import tost_paired_proportions
from outscore.verbs.declared import find_verb
from tests.examples import first
from tests.run_tables import additive

CLOSED = {
    "t:sd=0.3": 0.05,
    "t:sd=0.3,paired=false": 0.05,
    "two-proportions:baseline=0.7": 0.05,
    "mcnemar:p10=0.12,p01=0.07": 0.05,
    "mcnemar:baseline=0.8,agreement=0.9": 0.03,
    "mcnemar:baseline=0.8": 0.03,
    "crossed:run=0.0001,item=0.05,residual=0.05": 0.05,
}


def closed(spec: str) -> Closed:
    made = plans.make(spec)
    assert isinstance(made, Closed)
    return made


@pytest.mark.parametrize("spec", CLOSED)
def test_the_items_needed_are_the_first_that_are_enough(spec: str) -> None:
    made, question = closed(spec), Question(effect=CLOSED[spec])
    needed = made.items(question)
    assert needed is not None
    assert made.power(needed, question).power >= 0.8
    assert made.power(needed - 1, question).power < 0.8


@pytest.mark.parametrize("side", ["two-sided", "less", pytest.param("greater", marks=pytest.mark.slow)])
@pytest.mark.parametrize("agreement", [0.7, pytest.param(0.85, marks=pytest.mark.slow), 0.95])
@pytest.mark.parametrize("baseline", first([0.05, 0.3, 0.5, 0.8, 0.9, 0.97], 0.3, 0.97, others=pytest.mark.slow))
def test_no_gain_is_tried_that_accuracy_and_agreement_rule_out(
    baseline: float, agreement: float, side: Alternative
) -> None:
    made = closed(f"mcnemar:baseline={baseline},agreement={agreement}")
    gain = made.detectable(3000, Question(effect=0.0, alternative=side))
    if gain is not None:
        effect = -gain if side == "less" else gain
        assert made.power(3000, Question(effect=effect, alternative=side)).power >= 0.8 - 1e-6


def test_a_system_that_is_always_right_is_told_from_one_that_never_is() -> None:
    gain = closed("two-proportions:baseline=0").detectable(50, Question(effect=0.0))
    assert gain is not None
    assert 0 < gain < 0.5


@pytest.mark.parametrize("side", ALTERNATIVES)
@pytest.mark.parametrize("spec", [s for s in CLOSED if "p10" not in s])
def test_the_detectable_gain_has_the_wanted_power(spec: str, side: Alternative) -> None:
    made = closed(spec)
    gain = made.detectable(1000, Question(effect=0.0, alternative=side))
    assert gain is not None
    assert gain > 0
    effect = -gain if side == "less" else gain
    assert made.power(1000, Question(effect=effect, alternative=side)).power == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("spec", CLOSED)
def test_power_of_no_gain_is_the_level_and_has_no_right_side(spec: str) -> None:
    chance = closed(spec.replace("p10=0.12,p01=0.07", "p10=0.1,p01=0.1")).power(2000, Question(effect=0.0))
    assert chance.power == pytest.approx(0.05, abs=0.006)
    assert chance.type_s(0.0) is None
    assert chance.type_m(0.0) is None


@pytest.mark.parametrize("spec", CLOSED)
def test_power_grows_and_exaggeration_shrinks_with_the_items(spec: str) -> None:
    question = Question(effect=CLOSED[spec])
    found = [closed(spec).power(n, question) for n in (50, 200, 800, 3200, 50_000)]
    assert all(a.power <= b.power + 1e-12 for a, b in pairwise(found))
    errors = [chance.type_m(question.effect) for chance in found]
    assert all(a is not None and b is not None and a > b - 1e-9 for a, b in pairwise(errors))
    assert errors[-1] == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("spec", CLOSED)
@pytest.mark.parametrize("side", ["greater", "less"])
def test_a_gain_on_the_other_side_is_never_found(spec: str, side: Alternative) -> None:
    made = closed(spec)
    effect = -CLOSED[spec] if side == "greater" else CLOSED[spec]
    assert made.items(Question(effect=effect, alternative=side)) is None


def slow_t(n: int, effect: float, sets: int, *, paired: bool, seed: int) -> tuple[float, float, float]:
    """Slow twin: power, type S and type M of many t tests on normal data."""
    rng = np.random.default_rng(seed)
    if paired:
        d = rng.normal(effect, 1, (sets, n))
        gains, p = d.mean(axis=1), stats.ttest_1samp(d, 0, axis=1).pvalue
    else:
        a, b = rng.normal(effect, 1, (sets, n)), rng.normal(0, 1, (sets, n))
        gains, p = a.mean(axis=1) - b.mean(axis=1), stats.ttest_ind(a, b, axis=1).pvalue
    found = gains[p <= 0.05]
    return len(found) / sets, float((found < 0).mean()), float(np.abs(found).mean() / effect)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(("n", "effect"), [(5, 0.4), (12, 0.2), (40, 0.3)])
def test_type_m_and_s_errors_of_t_are_those_of_simulated_tests(n: int, effect: float, paired: bool) -> None:
    # 4 standard errors; one of the 18 comparisons fails a right program in 1 of 900 choices of the seed
    sets = 40_000
    power, wrong, size = slow_t(n, effect, sets, paired=paired, seed=n)
    chance = TDesign(sd=1.0, paired=paired).power(n, effect)
    type_s, type_m = chance.type_s(effect), chance.type_m(effect)
    assert type_s is not None
    assert type_m is not None
    hits = power * sets
    assert chance.power == pytest.approx(power, abs=4 * math.sqrt(power * (1 - power) / sets))
    assert type_s == pytest.approx(wrong, abs=4 * math.sqrt(wrong * (1 - wrong) / hits) + 2e-4)
    assert type_m == pytest.approx(size, abs=4 * 0.5 * size / math.sqrt(hits))


@given(st.sampled_from([(0.3, 0.1), (0.05, 0.2), (0.4, 0.0), (0.15, 0.15)]), st.integers(1, 18))
def test_the_size_of_significant_gains_of_mcnemar_is_that_of_all_outcomes(shares: tuple[float, float], n: int) -> None:
    p10, p01 = shares
    mass = size = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if DiscordantPairs(b, c).p() <= 0.05:
                chance = math.comb(n, b) * math.comb(n - b, c) * p10**b * p01**c * (1 - p10 - p01) ** (n - b - c)
                mass += chance
                size += chance * abs(b - c) / n
    found = mcnemar_power(p10, p01, n).size[0]
    if mass == 0:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(size / mass, rel=1e-9)


def test_unknown_agreement_gives_the_range_of_all_that_are_possible() -> None:
    question = Question(effect=0.02)
    ends = closed("mcnemar:baseline=0.8").range(1000, question)
    assert ends is not None
    for agreement in np.linspace(0.62, 0.98, 13):
        power = closed(f"mcnemar:baseline=0.8,agreement={agreement:.6f}").power(1000, question).power
        assert ends[0] - 1e-9 <= power <= ends[1] + 1e-9
    assert closed("mcnemar:baseline=0.8,agreement=0.62").power(1000, question).power == pytest.approx(ends[0], rel=1e-9)


@pytest.mark.parametrize(
    "spec",
    [
        "mcnemar:p10=0.1",
        "mcnemar",
        "mcnemar:p10=0.1,p01=0.1,agreement=0.8",
        "fake",
        "fake:p10=0.7,p01=0.5",
        "bleu:p0=1",
    ],
)
def test_options_that_do_not_make_a_design_are_refused(spec: str) -> None:
    with pytest.raises(UsageError):
        plans.make(spec)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variances", "n", "runs", "effect"),
    [((0.004, 0.5, 0.4), 120, 5, 0.25), ((10, 3, 1), 60, 2, 12.0), ((10, 3, 1), 60, 3, 9.0), ((1, 20, 3), 8, 4, 5.0)],
)
def test_crossed_power_is_that_of_simulated_crossed_tests(
    variances: tuple[float, float, float], n: int, runs: int, effect: float
) -> None:
    # y = a_sr + u_i + c_si + e_sri; 4 standard errors: a right program fails for 1 seed in 8,000
    parts, sets = Variances(run=variances[0], item=variances[1], residual=variances[2]), 1500
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(sets):
        shared = rng.normal(size=n)
        system, baseline = (
            additive(
                mean
                + rng.normal(0, math.sqrt(parts.run), (runs, 1))
                + shared
                + rng.normal(0, math.sqrt(parts.item), n)
                + rng.normal(0, math.sqrt(parts.residual), (runs, n))
            )
            for mean in (effect, 0.0)
        )
        rejected += crossed_t(system, baseline).test.p <= 0.05
    power = power_of(parts, effect, runs, n, 0.05, "two-sided").power
    assert rejected / sets == pytest.approx(power, abs=4 * math.sqrt(power * (1 - power) / sets))


def test_variances_of_a_pilot_are_those_that_made_it() -> None:
    rng = np.random.default_rng(4)
    made = []
    for _ in range(60):
        shared = rng.normal(0, 2, 200)
        both = [
            additive(rng.normal(0, 0.3, (6, 1)) + shared + rng.normal(0, 0.7, 200) + rng.normal(0, 0.5, (6, 200)))
            for _ in range(2)
        ]
        made.append(Variances.of(*both))
    for name, sd in (("run", 0.3), ("item", 0.7), ("residual", 0.5)):
        values = [getattr(v, name) for v in made]
        assert np.mean(values) == pytest.approx(sd**2, abs=4 * np.std(values) / math.sqrt(len(values)))


def test_a_budget_is_never_overdrawn_and_never_left_for_another_item() -> None:
    costs = Costs(run=40, item=0.3, budget=1000)
    for runs in range(2, 14):
        items = costs.affordable(runs)
        if items:
            assert costs.compute(runs, items) <= 1000 + 1e-6
            assert costs.compute(runs, items + 1) > 1000
    assert costs.affordable(13) == 0


def test_more_runs_help_only_where_runs_vary() -> None:
    def power(run: float, runs: int) -> float:
        parts = Variances(run=run, item=0.5, residual=1e-9)
        return power_of(parts, 0.15, runs, 400, 0.05, "two-sided").power

    assert power(0.01, 20) > power(0.01, 5) + 0.1
    assert power(0.0, 20) == pytest.approx(power(0.0, 5), abs=1e-6)


@given(st.integers(2, 10**6))
def test_the_smallest_size_is_found(size: int) -> None:
    assert smallest(lambda n: n >= size) == size


def test_what_is_never_enough_has_no_size_and_no_gain() -> None:
    assert smallest(lambda n: False) is None
    assert smallest_gain(lambda gain: 0.0, 0.8, 1.0) is None
    assert smallest_gain(lambda gain: float(gain >= 0.25), 0.8, 1.0) == pytest.approx(0.25, abs=1e-12)


def test_r_leaves_the_wrong_side_out() -> None:
    strict = TDesign(sd=1.0)
    both, right = strict.power(5, 0.1), replace(strict, strict=False).power(5, 0.1)
    assert both.power - both.wrong == pytest.approx(right.power, rel=1e-12)
    assert right.wrong == 0.0
    assert both.wrong > 0.01


EXAMPLES = {
    "t": "t:sd=0.3,paired=false",
    "two-proportions": "two-proportions:baseline=0.7",
    "mcnemar": "mcnemar:p10=0.1,p01=0.05,variant=exact",
    "crossed": "crossed:run=1,item=2,residual=3,runs=4",
    "bleu": "bleu:p0=0.2",
    "fake": "fake:sd=1,test=t",
    "margin": "margin:agreement=0.9",
}


@pytest.mark.parametrize("name", plans.names())
def test_every_design_says_what_it_is_and_can_be_made_again_by_its_name(name: str) -> None:
    made = plans.make(EXAMPLES[name])
    assert made.label == EXAMPLES[name]
    assert made.assumes
    assert made.citation
    assert type(made).__doc__
    assert f"{name}:" in find_verb("power").files


@pytest.mark.parametrize(
    ("agreement", "margin", "n"), [(0.9, 0.1, 40), (0.7, 0.2, 31), (0.95, 0.05, 60), (0.99, 0.3, 12)]
)
def test_power_of_a_margin_is_the_chance_of_all_outcomes_that_its_score_test_rejects(
    agreement: float, margin: float, n: int
) -> None:
    """Slow twin: every (b, c), its probability for equal systems, and the test itself."""
    half = (1 - agreement) / 2
    expected = sum(
        float(stats.multinomial.pmf([b, c, n - b - c], n, [half, half, agreement]))
        for b in range(n + 1)
        for c in range(n + 1 - b)
        if tost_paired_proportions(b, c, n, margin).p_lower <= 0.05
    )
    question = Question(effect=margin, alternative="greater")
    assert closed(f"margin:agreement={agreement}").power(n, question).power == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("side", "margin"), [("two-sided", 0.02), ("less", 0.02), ("greater", -0.02), ("greater", 1.0)]
)
def test_a_margin_is_planned_on_the_side_of_no_loss(side: Alternative, margin: float) -> None:
    with pytest.raises(UsageError, match="margin is one-sided"):
        closed("margin:agreement=0.9").items(Question(effect=margin, alternative=side))
    with pytest.raises(UsageError, match="a proportion between 0 and 1"):
        plans.make("margin:agreement=1")


def test_two_samples_are_of_runs_or_of_items() -> None:
    apart, paired = (outscore.plan(f"t:sd=2,paired={paired}", effect=1) for paired in ("false", "true"))
    assert "64 runs or items of each system" in apart.sentence
    assert "34 items" in paired.sentence
