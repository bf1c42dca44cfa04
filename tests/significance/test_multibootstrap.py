"""The multi-bootstrap: against the enumerated law of redrawn runs and items, a twin in plain loops, and its level."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.engine.extreme import Alternative
from outscore.significance import notes, tests
from outscore.significance.gain import GainContrast
from outscore.significance.multibootstrap import MultiBootstrap
from outscore.significance.notes import BOOTSTRAP_OF_FEW_RUNS, FEW_RUNS
from outscore.significance.resamples import BOOTSTRAP
from tests.examples import first
from tests.laws.support import (
    corpus_stats,
    experiment,
    least,
    mean_stats,
    most,
    p_of,
    pairing,
    replicated,
    replicated_pairs,
    settings,
)
from tests.oracles.support import Case, cases

DESIGNS = {"crossed_seeds_unpaired_and_items": False, "crossed_seeds_paired_and_items": True}


ERRORS = 5  # standard errors of a sampled share: false alarm 6e-7 each


ONE_SIDED = (
    ("shift", "greater", "p_shift_ge_2delta"),
    ("percentile", "greater", "p_pct_le_0"),
    ("shift", "two-sided", "p_shift_two_sided_ge"),
    ("percentile", "two-sided", "p_pct_two_sided"),
)


RESAMPLES = 40_000


def redrawn(pair: GainContrast, test: MultiBootstrap) -> Float:
    pair = pair.drawing([BOOTSTRAP])
    return np.asarray(pair.bootstrap_values + np.sum(test._resample_runs(pair), axis=0))


@cases("bootstrap_crossed_exact_small")
@pytest.mark.parametrize("design", first(DESIGNS, next(iter(DESIGNS)), others=pytest.mark.slow))
def test_sampled_gains_follow_the_law_of_all_redrawn_runs_and_items(case: Case, design: str) -> None:
    system, baseline = (np.array(scores, dtype=float) for scores in case["input"]["scores"])
    expected = case["expected"][design]
    for form, side, key in ONE_SIDED:
        alternative: Alternative = side  # type: ignore[assignment]
        made = settings(RESAMPLES, 3, alternative)
        pair = pairing(system, baseline, made)
        test = MultiBootstrap(form=form, rescale=False, paired=DESIGNS[design])  # type: ignore[arg-type]
        found, share = test.run(pair), expected[key]["float"]
        # resamples come in cyclic blocks, whose own measure of their error is in p_error
        error = max(found.p_error or 0.0, math.sqrt(share * (1 - share) / RESAMPLES))
        assert found.p_value == pytest.approx(share, abs=ERRORS * error + 1 / RESAMPLES), (form, side)
        assert pair.gain == pytest.approx(expected["observed"]["float"])
        assert found.effect["se"] == pytest.approx(expected["ideal_bootstrap_se"], rel=0.03)
        draws = redrawn(pair, test)
        assert draws.mean() == pytest.approx(expected["ideal_bootstrap_mean"]["float"], abs=0.05)


def ratio(sums: Float) -> Float:
    return np.asarray(sums[..., 0] / sums[..., 1])


def looped(a: Float, b: Float, wide: float) -> Float:
    """Slow twin: gains of all redrawn runs and items of a corpus score, what redrawn runs add widened."""
    runs, items = len(a), a.shape[1]
    found = []
    for drawn in product(range(items), repeat=items):
        scores = [[float(ratio(rows[list(drawn)].sum(axis=0))) for rows in system] for system in (a, b)]
        means = [sum(s) / runs for s in scores]
        for of_a, of_b in product(product(range(runs), repeat=runs), repeat=2):
            parts = [
                mean + wide * (sum(s[r] for r in of) / runs - mean)
                for s, mean, of in zip(scores, means, (of_a, of_b), strict=True)
            ]
            found.append(parts[0] - parts[1])
    return np.array(found)


@pytest.mark.parametrize("rescale", [True, False])
def test_gains_of_a_corpus_score_follow_the_twin_in_plain_loops(rescale: bool) -> None:
    # Kolmogorov's D of 40,000 draws above .015 has probability 3e-8 if they were independent
    rng = np.random.default_rng(2)
    a, b = (np.stack([rng.integers(0, 9, (2, 4)), rng.integers(5, 12, (2, 4))], axis=-1).astype(float) for _ in "ab")
    pair = GainContrast(experiment(corpus_stats([b, a], ratio), settings=settings(RESAMPLES, 5)), 0, 1)
    twin = np.sort(looped(a, b, math.sqrt(2) if rescale else 1.0))
    draws = np.sort(redrawn(pair, MultiBootstrap(rescale=rescale)))
    at = np.unique(twin)
    below = [np.searchsorted(sample, at + 1e-9, side="right") / sample.size for sample in (twin, draws)]
    assert np.abs(below[0] - below[1]).max() < 0.015
    assert draws.std() == pytest.approx(twin.std(), rel=0.02)


def test_the_variance_of_runs_is_that_of_their_scores_where_items_are_silent() -> None:
    # every item has the score of its run: all variance is of runs, s²/3 + t²/4
    rng = np.random.default_rng(3)
    a, b = (np.tile(rng.normal(size=(runs, 1)), 40) for runs in (3, 4))
    found = MultiBootstrap().run(pairing(a, b, settings(RESAMPLES, 1)))
    expected = sum(float(s[:, 0].var(ddof=1)) / len(s) for s in (a, b))
    assert found.effect["se"] == pytest.approx(math.sqrt(expected), rel=0.02)
    assert found.effect["share_of_variance_from_runs"] == pytest.approx(1)
    plain = MultiBootstrap(rescale=False).run(pairing(a[:, :], b[:3], settings(RESAMPLES, 1)))
    less = sum(float(s[:, 0].var(ddof=0)) / 3 for s in (a, b[:3]))
    assert plain.effect["se"] == pytest.approx(math.sqrt(less), rel=0.02)


def test_runs_that_belong_together_cancel_what_they_share() -> None:
    rng = np.random.default_rng(4)
    shared = rng.normal(size=(5, 1))
    a, b = (shared + rng.normal(0, 0.1, size=(5, 60)) for _ in range(2))
    made = settings(4000, 1)
    paired, apart = (MultiBootstrap(paired=p).run(pairing(a, b, made)).effect["se"] for p in (True, False))
    assert float(paired or 0) < 0.2 * float(apart or 0)


def test_clusters_of_items_are_redrawn_whole() -> None:
    rng = np.random.default_rng(5)
    d = np.repeat(rng.normal(size=20), 5) + 0.1 * rng.normal(size=(3, 100))
    stats = mean_stats([np.zeros((2, 100)), d], np.repeat(np.arange(20), 5))
    whole = MultiBootstrap().run(GainContrast(experiment(stats, settings=settings(4000, 1)), 0, 1))
    alone = MultiBootstrap().run(pairing(d, np.zeros((2, 100)), settings(4000, 1)))
    assert float(whole.effect["se"] or 0) > 1.9 * float(alone.effect["se"] or 0)


def test_one_seed_gives_one_answer_and_runs_of_a_system_are_redrawn_alike_in_all_of_its_pairs() -> None:
    rng = np.random.default_rng(6)
    a, b, c = (rng.normal(size=(3, 30)) for _ in range(3))
    whole = experiment(mean_stats([a, b, c]), settings=settings(500, 9))
    again = experiment(mean_stats([a, b, c]), settings=settings(500, 9))
    test = MultiBootstrap(form="shift")
    assert test.run(GainContrast(whole, 0, 1)) == test.run(GainContrast(again, 0, 1))
    whole = whole.draw([BOOTSTRAP])
    one, other = (test._resample_runs(GainContrast(whole, 0, s))[1] for s in (1, 2))
    np.testing.assert_array_equal(one, other)


def codes(name: str, runs: int, n: int = 50, noise: float = 0.0) -> set[str]:
    rng = np.random.default_rng(7)
    a, b = (rng.normal(size=(runs, 1)) + rng.normal(size=n) + noise * rng.normal(size=(runs, n)) for _ in range(2))
    return {note.code for note in tests.make(name).run(pairing(a, b, settings(200))).notes}


def test_notes_say_where_the_level_is_missed() -> None:
    assert "bootstrap_of_few_runs" in codes("multibootstrap:form=shift", 5)
    assert "bootstrap_of_few_runs" not in codes("multibootstrap:form=shift", 10)
    assert codes("multibootstrap", 5) == set()
    assert codes("multibootstrap", 3) == {"few_runs"}
    assert "noisy_items" in codes("multibootstrap", 5, noise=9.0)
    assert "few_items" in codes("multibootstrap", 5, n=12)


def test_refusals() -> None:
    one, three, two = (np.zeros((r, 9)) for r in (1, 3, 2))
    assert "two runs" in (MultiBootstrap().refuses(pairing(three, one, settings(9))) or "")
    assert "paired=false" in (MultiBootstrap(paired=True).refuses(pairing(three, two, settings(9))) or "")
    assert MultiBootstrap().refuses(pairing(three, two, settings(9))) is None


def test_two_items_are_redrawn() -> None:
    runs = np.array([[0.0, 1.0], [1.0, 1.0]])
    assert MultiBootstrap().run(pairing(runs + 1, runs[:, ::-1], settings(100))).p_value is not None
    one = MultiBootstrap().run(pairing(runs[:, :1] + 1, runs[:, :1], settings(100)))
    assert (one.p_value, [n.code for n in one.notes]) == (None, ["n_too_small"])


def test_gains_that_never_vary_have_no_p() -> None:
    a, b = np.full((2, 6), 2.0), np.full((2, 6), 1.0)
    found = MultiBootstrap().run(pairing(a, b, settings(100)))
    assert found.p_value is None
    assert {n.code for n in found.notes} == {"zero_variance"}


def size_of(name: str, number: int, **design: Any) -> float:
    test = tests.make(name)
    return float(np.mean([p_of(test, pair) <= 0.05 for pair in replicated_pairs(number, settings(299, 11), **design)]))


@pytest.mark.slow
@pytest.mark.parametrize("rho", first([0.0, 1.0, 5.0], 1.0))
@pytest.mark.parametrize("runs", [3, 5, 10])
def test_the_default_form_holds_its_level(runs: int, rho: float) -> None:
    # 600 replicates; binomial quantile 1e-6 over a level of .055
    assert size_of("multibootstrap", 600, n=200, runs=runs, rho=rho) <= most(0.055, 600)


@pytest.mark.slow
def test_the_bootstrap_form_is_as_bad_with_few_runs_as_its_note_says() -> None:
    # 600 replicates, R = 3, run variance far above that of items: .10 rescaled, .19 not; binomial quantiles 1e-6
    for name, true in (("shift", 0.10), ("percentile", 0.10), ("shift,rescale=false", 0.19)):
        found = size_of(f"multibootstrap:form={name}", 600, n=200, runs=3, rho=5.0)
        assert least(true - 0.02, 600) <= found <= most(true + 0.02, 600), name


@pytest.mark.slow
def test_noisy_items_make_it_conservative() -> None:
    # all of the items' variance is noise of single runs: 600 replicates, binomial quantile 1e-6 over .02
    assert size_of("multibootstrap:form=percentile", 600, n=200, runs=5, rho=0.0, share=0.0) <= most(0.02, 600)


@pytest.mark.slow
def test_the_interval_covers_the_gain_of_new_runs_and_items() -> None:
    # 200 replicates of R = 5; binomial quantile 1e-6 below .93
    rng = np.random.default_rng(8)
    covered = 0
    for k in range(200):
        a, b = replicated(rng, 100, 5, 1.0)
        found = MultiBootstrap().run(pairing(a + 0.3, b, settings(199, k)))
        assert found.ci is not None
        covered += found.ci[0] <= 0.3 <= found.ci[1]
    assert covered / 200 >= least(0.93, 200)


@pytest.mark.parametrize(("runs", "items"), [((2, 2), 8), ((4, 5), 29), ((5, 9), 30), ((10, 10), 31)])
def test_redrawn_runs_have_satterthwaites_degrees_of_freedom(runs: tuple[int, int], items: int) -> None:
    draw = np.random.default_rng(items)
    a, b = (draw.normal(size=(r, items)) + draw.normal(size=(r, 1)) for r in runs)
    for form in ("t", "shift", "percentile"):
        found = MultiBootstrap(form=form).run(pairing(a, b, settings(199)))
        effect = found.effect
        shared = float(effect["share_of_variance_from_runs"])  # type: ignore[arg-type]
        se, df = float(effect["se"]), float(effect["df"])  # type: ignore[arg-type]
        assert 0 < shared < 1 and min(*runs, items) - 1 <= df <= sum(runs) + items - 3
        if form == "t":
            gain = float(a.mean() - b.mean())
            assert effect["statistic"] == pytest.approx(gain / se)
            assert found.p_value == pytest.approx(2 * float(stats.t(df).sf(abs(gain) / se)))
            assert found.ci == pytest.approx(
                (gain - float(stats.t(df).ppf(0.975)) * se, gain + float(stats.t(df).ppf(0.975)) * se)
            )


@pytest.mark.parametrize("runs", [(4, 5), (5, 4), (5, 5), (4, 12), (9, 12), (12, 9), (10, 10), (10, 9)])
@pytest.mark.parametrize("form", ["t", "shift", "percentile"])
def test_the_system_with_fewer_runs_decides_what_is_said_of_few(runs: tuple[int, int], form: str) -> None:
    draw = np.random.default_rng(2)
    pair = pairing(draw.normal(size=(runs[0], 30)), draw.normal(size=(runs[1], 30)), settings(99))
    codes = {note.code for note in tests.make(f"multibootstrap:form={form}").run(pair).notes}
    assert (FEW_RUNS.code in codes) == (min(runs) < 5)
    assert (BOOTSTRAP_OF_FEW_RUNS.code in codes) == (min(runs) < 10 and form != "t")


@pytest.mark.parametrize(("runs", "items"), [(4, 29), (5, 30), (9, 30), (10, 30)])
@pytest.mark.parametrize("name", ["crossed", "multibootstrap"])
def test_tests_over_runs_say_how_few_runs_and_items_there_are(name: str, runs: int, items: int) -> None:
    draw = np.random.default_rng(runs)
    easy = draw.normal(size=items)
    system, baseline = (easy + draw.normal(size=(runs, items)) + draw.normal(size=(runs, 1)) for _ in range(2))
    said = tests.make(name).run(pairing(system, baseline, settings(99))).notes
    assert (notes.FEW_RUNS in said) is (runs < 5)
    assert (notes.FEW_ITEMS in said) is (items < 30)


def test_runs_and_items_without_any_variance_are_not_called_noisy() -> None:
    values = np.tile([0.25, 1.0, 0.75, 2.0], (3, 1))
    test = tests.make("multibootstrap")
    assert notes.NOISY_ITEMS not in test.run(pairing(values + 0.5, values, settings(99))).notes
