"""Simulated power: against closed forms, its level under no gain, the gain of pilots, and reproducibility."""

from __future__ import annotations

import json
import math
from typing import get_args

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.power.pilot import Pilot, Way
from outscore.power.plans import Question, plans
from outscore.power.plans.fake import Fake, FakeItems
from outscore.power.plans.mcnemar import mcnemar_power
from outscore.power.plans.t import TDesign
from outscore.power.simulation import LEVEL, PowerTally, items_needed, simulate, sum_tallies
from outscore.significance import tests
from outscore.significance.discordant import Method
from outscore.significance.gain import GainContrast
from outscore.significance.settings import Settings
from tests.examples import first
from tests.laws.support import binary_pairing, corpus_stats, experiment, least, most, pairing, repeated, settings

WAYS: tuple[Way, ...] = get_args(Way)


def fake(spec: str, effect: float) -> FakeItems:
    made = plans.make(spec)
    assert isinstance(made, Fake)
    return FakeItems(made, effect)


def power(
    source: FakeItems | Pilot, n: int, test: str, sets: int, *, effect: float, made: Settings | None = None
) -> PowerTally:
    made = made or settings(199)
    return simulate(source, n, tests.make(test), effect=effect, sets=range(sets), settings=made)


def ratio(sums: Float) -> Float:
    return np.asarray(100 * sums[..., 0] / sums[..., 1])


def corpus_pair(n: int = 400, labels: bool = False, runs: int = 1) -> GainContrast:
    rng = np.random.default_rng(5)
    totals = 5.0 + rng.poisson(10, n)
    shared = rng.beta(8, 8, n)
    sides = []
    for lift in (0.0, 0.06):
        right = rng.binomial(totals.astype(int), np.clip(shared + lift, 0, 1), size=(runs, n))
        sides.append(np.stack([right, np.broadcast_to(totals, (runs, n))], axis=-1).astype(float))
    groups = np.arange(n, dtype=np.int64) // 4 if labels else None
    return GainContrast(experiment(corpus_stats(sides, ratio, groups), settings=settings(199)), 0, 1)


def mean_pair(n: int = 300) -> GainContrast:
    rng = np.random.default_rng(6)
    base = rng.normal(size=(1, n))
    return pairing(base + rng.normal(0.1, 0.5, (1, n)), base, settings(199))


# --- against closed forms ----------------------------------------------------------------------------------


@repeated(400, 1500)
def test_simulated_power_of_t_is_the_noncentral_t(reps: int) -> None:
    # false alarm 1e-6 a side
    true = TDesign(sd=0.5).power(40, 0.2)
    found = power(fake("fake:sd=0.5", 0.2), 40, "t", reps, effect=0.2)
    assert least(true.power, reps) <= found.power_at_size.power <= most(true.power, reps)
    type_m, known = found.power_at_size.type_m(0.2), true.type_m(0.2)
    assert type_m is not None
    assert type_m == pytest.approx(known, rel=2 / math.sqrt(reps))


@pytest.mark.slow
def test_simulated_power_of_mcnemar_is_the_exact_one() -> None:
    true = mcnemar_power(0.1, 0.05, 200, method="exact").power[0]
    found = power(fake("fake:p10=0.1,p01=0.05", 0.05), 200, "mcnemar:variant=exact", 2000, effect=0.05)
    assert least(true, 2000) <= found.power_at_size.power <= most(true, 2000)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p10", "p01", "known"), [(200, 0.1, 0.05, 0.43), (1000, 0.06, 0.04, 0.48)])
def test_the_fake_data_recipe_finds_what_the_lecture_finds(n: int, p10: float, p01: float, known: float) -> None:
    found = power(fake(f"fake:p10={p10},p01={p01}", p10 - p01), n, "bootstrap", 2000, effect=p10 - p01)
    assert found.power_at_size.power == pytest.approx(
        known, abs=0.045
    )  # both are simulated, and the known one is rounded


@pytest.mark.slow
def test_the_laplace_mixture_has_the_power_that_its_authors_found() -> None:
    # .756 with 500 test sets, standard error .019
    found = power(fake("bleu:p0=0.13,b0=25.8", 1.0), 2000, "t", 2000, effect=1.0)
    assert found.power_at_size.power == pytest.approx(0.756, abs=4 * math.hypot(0.019, 0.01))
    assert found.gains / found.sets == pytest.approx(1.0, abs=0.04)
    type_m = found.power_at_size.type_m(1.0)
    assert type_m == pytest.approx(1.20, abs=0.06)


# --- pilots ------------------------------------------------------------------------------------------------


def answers_pair(n: int = 300) -> GainContrast:
    """Right or wrong answers, of which .14 and .06 are right in one system alone."""
    kinds = np.repeat(np.array([[1, 1], [1, 0], [0, 1], [0, 0]]), np.array([50, 14, 6, 30]) * n // 100, axis=0)
    return pairing(kinds[:, :1].T.astype(float), kinds[:, 1:].T.astype(float), settings(199))


@pytest.mark.parametrize("variant", first(["midp", "exact", "chi2"], "exact", others=pytest.mark.slow))
@pytest.mark.parametrize("share", first([0.5, -0.4, 1.0, 0.0], 0.5, others=pytest.mark.slow))
@repeated(300, 3000)
def test_the_exact_law_of_a_pilot_is_what_its_test_sets_show(variant: Method, share: float, reps: int) -> None:
    pair, named = answers_pair(), f"mcnemar:variant={variant}"
    effect = share * pair.gain
    pilot = Pilot(pair, effect, "exchange")
    law = pilot.law(tests.make(named), 150)
    assert law is not None
    true = law.power(150, Question(effect=effect)).power
    assert true == pytest.approx(mcnemar_power(0.1 + effect / 2, 0.1 - effect / 2, 150, method=variant).power[0])
    found = power(pilot, 150, named, reps, effect=effect).power_at_size.power
    assert least(true, reps) <= found <= most(true, reps)


@pytest.mark.parametrize("way", first(WAYS, "exchange", others=pytest.mark.slow))
@pytest.mark.parametrize("share", first([0.5, -0.8, 1.0], 0.5, others=pytest.mark.slow))
def test_the_law_of_t_is_what_test_sets_of_a_skewed_pilot_show(way: Way, share: float) -> None:
    """Beside all test sets at once, drawn and tested apart from the program; .01 is what the law may be off."""
    rng, n, reps = np.random.default_rng(8), 200, 20_000
    gains = rng.gamma(2.0, 0.7, 600) - 1.2
    pair = pairing(gains[None], np.zeros((1, 600)), settings(199))
    effect = share * pair.gain
    law = Pilot(pair, effect, way).law(tests.make("t"), n)
    assert law is not None
    drawn = gains[rng.integers(600, size=(reps, n))]
    if way == "shift":
        drawn += effect - gains.mean()
    elif way == "scale":
        drawn *= share
    else:
        drawn *= np.where(rng.random(drawn.shape) < (1 - share) / 2, -1, 1)
    rejects = np.abs(drawn.mean(axis=1)) / drawn.std(axis=1, ddof=1) * math.sqrt(n) > stats.t.ppf(0.975, n - 1)
    assert law.power(n, Question(effect=effect)).power == pytest.approx(rejects.mean(), abs=0.01 + 4 * 0.0035)


def test_what_has_no_law_is_simulated() -> None:
    answers, t = answers_pair(), tests.make("t")
    assert Pilot(answers, 0.02, "shift").law(tests.make("mcnemar"), 100) is None
    assert Pilot(answers, 0.02, "exchange").law(tests.make("randomization"), 100) is None
    assert Pilot(corpus_pair(), 1.0, "exchange").law(t, 100) is None
    same = pairing(np.ones((1, 50)), np.zeros((1, 50)), settings(199))
    assert Pilot(same, 1.0, "shift").law(t, 50) is None, "nothing varies"
    far = np.zeros((1, 200))
    far[0, :2] = 1.0
    rare = Pilot(pairing(far, np.zeros((1, 200)), settings(199)), 0.01, "shift")
    assert rare.law(t, 200) is None, "far from normal"
    assert rare.law(t, 20_000) is not None


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("share", first([0.5, 1.0, -0.6], -0.6, others=pytest.mark.slow))
@repeated(100, 400)
def test_test_sets_of_a_pilot_have_the_wanted_gain_on_average(way: Way, share: float, reps: int) -> None:
    pair = mean_pair()
    effect = share * pair.gain
    tally = power(Pilot(pair, effect, way), 100, "t", reps, effect=effect)
    spread = float(pair.differences.std()) * 1.5 / math.sqrt(100 * reps)
    assert tally.gains / tally.sets == pytest.approx(effect, abs=5 * spread)


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("share", first([0.0, 0.4, 1.0], 0.4, others=pytest.mark.slow))
def test_test_sets_of_a_corpus_pilot_have_the_wanted_gain_on_average(share: float, labels: bool) -> None:
    pair = corpus_pair(labels=labels)
    effect = share * pair.gain
    source = Pilot(pair, effect, "exchange")
    gains = [source.pairing(200, np.random.default_rng(k), settings(50)).gain for k in range(400)]
    assert np.mean(gains) == pytest.approx(effect, abs=4.5 * float(np.std(gains)) / math.sqrt(400))


@pytest.mark.parametrize("wrong", range(3, 12))
def test_all_outputs_are_exchanged_where_the_gain_is_the_pilots_turned_round(wrong: int) -> None:
    right = np.ones(20)
    pair = pairing(right[None], np.where(np.arange(20) < wrong, 0.0, 1.0)[None], settings(199))
    gains = [
        Pilot(pair, -pair.gain, "exchange").pairing(400, np.random.default_rng(k), settings(50)).gain for k in range(5)
    ]
    assert np.mean(gains) == pytest.approx(-pair.gain, abs=0.1)


def test_clusters_and_runs_of_a_pilot_stay_whole() -> None:
    pair = corpus_pair(labels=True, runs=3)
    version = Pilot(pair, pair.gain / 2, "exchange").pairing(100, np.random.default_rng(1), settings(50))
    assert (version.n_units, version.n_items, version.n_runs) == (25, 100, (3, 3))
    held = {(*pair.stats.items[0][:, i].ravel(), *pair.stats.items[1][:, i].ravel()) for i in range(pair.n_items)}
    held |= {(*pair.stats.items[1][:, i].ravel(), *pair.stats.items[0][:, i].ravel()) for i in range(pair.n_items)}
    drawn = (version.stats.items[0] * version.stats.steps, version.stats.items[1] * version.stats.steps)
    held = {tuple(np.array(row) * np.tile(pair.stats.steps, 6)) for row in held}
    assert all((*drawn[0][:, i].ravel(), *drawn[1][:, i].ravel()) in held for i in range(100))


@pytest.mark.parametrize("labels", [False, pytest.param(True, marks=pytest.mark.slow)])
@repeated(None, 600)
def test_the_power_to_find_no_gain_is_the_level(labels: bool, reps: int) -> None:
    # exchanged with probability one half: a valid test rejects in 5 % at most; false alarm 1e-6
    tally = power(
        Pilot(corpus_pair(labels=labels), 0.0, "exchange"), 120, "randomization:exact=never", reps, effect=0.0
    )
    assert tally.power_at_size.power <= most(0.05, reps)
    assert tally.power_at_size.power >= least(0.03, reps)


@repeated(None, 800)
def test_the_detectable_gain_of_a_pilot_has_about_the_wanted_power(reps: int) -> None:
    pair = corpus_pair()
    source = Pilot(pair, pair.gain, "exchange")
    n = next(n for n in range(20, 2000, 10) if (source.detectable(n, 0.8) or math.inf) <= pair.gain)
    tally = power(source, n, "randomization:exact=never", reps, effect=pair.gain)
    assert tally.power_at_size.power == pytest.approx(0.8, abs=2 / math.sqrt(reps))


@pytest.mark.parametrize("share", first([0.0, 0.5, 1.0], 0.5, others=pytest.mark.slow))
@repeated(300, 1500)
def test_the_variance_that_exchanging_adds_is_known(share: float, reps: int) -> None:
    rng = np.random.default_rng(7)
    pair = pairing(rng.normal(1.0, 1.0, (1, 400)), np.zeros((1, 400)), settings())
    source = Pilot(pair, share * pair.gain, "exchange")
    gains = [source.pairing(50, np.random.default_rng(k), settings(50)).gain for k in range(reps)]
    drawn = float(np.var(gains)) * 50 / float(pair.differences.var())
    assert drawn == pytest.approx(source.inflation, rel=4.5 * math.sqrt(2 / reps))


def test_what_a_pilot_cannot_give_is_refused() -> None:
    pair = corpus_pair()
    for effect, way, words in ((2 * pair.gain, "exchange", "makes gains up to"), (0.1, "shift", "no mean of items")):
        with pytest.raises(UsageError, match=words):
            Pilot(pair, effect, way)  # type: ignore[arg-type]
    few = binary_pairing(4, 3, 100, settings())  # right on 4 alone and on 3 alone
    with pytest.raises(
        UsageError, match=r"with mcnemar:baseline=[\d.]+,agreement=0\.93 in place of the files; or give"
    ):
        Pilot(few, 0.05, "exchange")
    with pytest.raises(UsageError, match=r"with mcnemar:baseline=0\.03 in place of the files"):
        Pilot(few, 0.08, "exchange")
    same = binary_pairing(0, 0, 30, settings())
    with pytest.raises(UsageError, match="no gain that could be scaled"):
        Pilot(same, 0.1, "scale")


def test_right_and_wrong_stay_right_and_wrong() -> None:
    pair = binary_pairing(30, 15, 200, settings())
    version = Pilot(pair, pair.gain / 3, "exchange").pairing(150, np.random.default_rng(2), settings())
    assert version.binary


# --- reproducibility ---------------------------------------------------------------------------------------


def test_sets_add_up_whoever_makes_them() -> None:
    source, test, made = fake("fake:sd=1", 0.3), tests.make("bootstrap"), Settings(n_resamples=99)
    whole = simulate(source, 50, test, effect=0.3, sets=range(60), settings=made)
    parts = [simulate(source, 50, test, effect=0.3, sets=some, settings=made) for some in (range(25), range(25, 60))]
    found = sum_tallies(parts)
    assert (found.sets, found.rejections, found.wrong) == (60, whole.rejections, whole.wrong)
    assert found.gains == pytest.approx(whole.gains, rel=1e-12)
    assert PowerTally.of(json.loads(json.dumps(whole.to_plain()))) == whole


def test_sources_are_told_apart_by_what_they_make() -> None:
    pair = mean_pair()
    several = [
        fake("fake:sd=1", 0.3),
        fake("fake:sd=1", 0.2),
        fake("fake:sd=2", 0.3),
        Pilot(pair, 0.1, "shift"),
        Pilot(pair, 0.1, "scale"),
        Pilot(pair, 0.2, "shift"),
        Pilot(corpus_pair(), 0.1, "exchange"),
        Pilot(corpus_pair(labels=True), 0.1, "exchange"),
    ]
    assert len({source.identity for source in several}) == len(several)
    assert Pilot(mean_pair(), 0.1, "shift").identity == Pilot(pair, 0.1, "shift").identity


# --- the number of items -----------------------------------------------------------------------------------


def test_items_are_interpolated_where_the_curve_crosses_the_target() -> None:
    design, sizes = TDesign(sd=1.0), [40, 80, 160, 320]
    powers = [design.power(n, 0.25).power for n in sizes]
    needed, (low, high) = items_needed(sizes, powers, [(p - 0.03, min(1.0, p + 0.03)) for p in powers], 0.8)
    assert needed == pytest.approx(design.items(0.25, 0.8), rel=0.01)
    assert low is not None
    assert high is not None
    assert needed is not None
    assert low < needed < high


def test_no_items_are_named_outside_the_sizes() -> None:
    needed, ends = items_needed([10, 20], [0.1, 0.3], [(0.05, 0.2), (0.2, 0.85)], 0.8)
    assert needed is None
    assert ends[0] is not None
    assert ends[1] is None


def test_the_interval_of_the_items_holds_the_right_number() -> None:
    # 200 simulated curves of 500 sets; each holds it with 99 % or more; false alarm below 1e-6
    design, sizes, rng = TDesign(sd=1.0), [40, 80, 160, 320], np.random.default_rng(8)
    right = design.items(0.25, 0.8)
    held = 0
    for _ in range(200):
        tallies = [
            PowerTally(
                sets=500,
                rejections=int(rng.binomial(500, design.power(n, 0.25).power)),
                unanswered=0,
                wrong=0,
                size=0,
                gains=0,
            )
            for n in sizes
        ]
        _, (low, high) = items_needed(
            sizes, [t.power_at_size.power for t in tallies], [t.interval for t in tallies], 0.8
        )
        held += (low or 0) <= right <= (high or math.inf)
    assert held / 200 >= least(LEVEL - 0.005, 200)
