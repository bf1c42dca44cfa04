"""What lies exactly on a border of a correction: p at alpha, draws at a threshold, units where the law changes."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import pytest
from scipy import special, stats

from outscore.base.arrays import Float
from outscore.base.rng import stream
from outscore.engine.design import Design
from outscore.metrics.mean import Mean
from outscore.multiplicity.adjust import CORRECTIONS, adjust, level_of_one
from outscore.multiplicity.joint import JointLaw
from outscore.multiplicity.online import PROCEDURES, online_levels, spending
from outscore.multiplicity.ranks import bootstrap_ranks, letters, significantly_better
from outscore.multiplicity.replicability import Combination, replicability, to_one_side
from outscore.significance import Outcome
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.multiplicity.test_joint import slow_largest

LEVELS = (0.01, 0.05, 0.1)


# p at alpha exactly


@pytest.mark.parametrize("alpha", LEVELS)
def test_a_p_at_alpha_exactly_is_significant(alpha: float) -> None:
    better = significantly_better(3, [(0, 1), (0, 2)], np.array([1.0, -2.0]), np.array([alpha, alpha * 1.001]), alpha)
    assert np.argwhere(better).tolist() == [[0, 1]]


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("combination", ["bonferroni", "fisher", "stouffer"])
def test_a_data_set_whose_p_is_alpha_exactly_counts(alpha: float, combination: Combination) -> None:
    found = replicability([0.5, alpha / 2], alpha=alpha)
    assert (found.count, found.identified) == (1, (1,))
    single = replicability([alpha], alpha=alpha)
    assert (single.count, single.identified) == (1, (0,))
    assert replicability([alpha * 1.001], alpha=alpha, combination=combination).count == 0


@pytest.mark.parametrize(
    ("side", "gain", "expected"),
    [("greater", 0.0, 0.1), ("less", 0.0, 0.1), ("greater", 1.0, 0.1), ("greater", -1.0, 0.9), ("less", 1.0, 0.9)],
)
def test_no_gain_at_all_lies_on_both_sides(side: str, gain: float, expected: float) -> None:
    assert to_one_side(0.2, gain, side) == pytest.approx(expected)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PROCEDURES)
def test_a_p_at_its_level_exactly_is_a_discovery_of_a_sequence(name: str) -> None:
    first = float(online_levels([1.0], name, 0.05)[0])
    at, above = online_levels([first, 1.0, 1.0], name, 0.05), online_levels([first * 1.0001, 1.0, 1.0], name, 0.05)
    below = online_levels([first / 2, 1.0, 1.0], name, 0.05)
    np.testing.assert_array_equal(at, below)
    assert (at[1:] > above[1:]).any() == (name not in ("alpha-spending", "lond"))


@pytest.mark.parametrize("name", ["saffron", "addis"])
@pytest.mark.parametrize("border", [0.25, 0.5])
def test_time_stands_still_for_candidates_and_their_border_belongs_to_them(name: str, border: float) -> None:
    """SAFFRON: p of ½ is a candidate; ADDIS: p of ¼ is one, and p of ½ is not left out."""
    levels = {p: online_levels([p, 1.0], name, 0.05)[1] for p in (border, border - 1e-9, border + 1e-9)}
    spent = {p: bool(level < levels[border - 1e-9]) for p, level in levels.items()}
    changes = {("saffron", 0.25): (False, False), ("saffron", 0.5): (False, True), ("addis", 0.25): (False, True)}
    if (name, border) in changes:
        assert (spent[border], spent[border + 1e-9]) == changes[name, border]
    else:  # beyond τ time stands still again
        assert levels[border] == levels[border - 1e-9] < levels[border + 1e-9]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_sequence_spends_by_as_many_members_as_it_has_tests(n: int) -> None:
    zeta = float(special.zeta(1.6))
    np.testing.assert_allclose(spending(n), [t**-1.6 / zeta for t in range(1, n + 1)], rtol=1e-12)
    assert online_levels([0.5] * n, "alpha-spending", 0.05).tolist() == (0.05 * spending(n)).tolist()


# corrections written out


@pytest.mark.parametrize("p", [[0.04], [0.01, 0.04], [0.3, 0.01, 0.02, 0.9, 0.02], [1.0, 1.0], [0.5, 0.5, 0.5]])
def test_corrections_are_what_their_definitions_say(p: list[float]) -> None:
    m, order = len(p), np.argsort(p, kind="stable")
    up = np.sort(p)
    rank = np.arange(1, m + 1)
    harmonic = float((1 / rank).sum())
    ordered = {
        "holm": np.maximum.accumulate((m - rank + 1) * up),
        "holm-sidak": np.maximum.accumulate(1 - (1 - up) ** (m - rank + 1)),
        "hochberg": np.minimum.accumulate(((m - rank + 1) * up)[::-1])[::-1],
        "bh": np.minimum.accumulate((m / rank * up)[::-1])[::-1],
        "by": np.minimum.accumulate((harmonic * m / rank * up)[::-1])[::-1],
        "bonferroni": m * up,
        "sidak": 1 - (1 - up) ** m,
        "none": up,
    }
    for name, expected in ordered.items():
        back = np.empty(m)
        back[order] = np.minimum(expected, 1.0)
        np.testing.assert_allclose(adjust(p, name), back, rtol=1e-12, err_msg=name)
    assert set(ordered) == set(CORRECTIONS) - {"hommel"}


@pytest.mark.parametrize("m", [1, 2, 3, 10])
def test_the_level_of_one_of_several_intervals(m: int) -> None:
    for name in CORRECTIONS:
        each = name in ("none", "bh", "by")
        expected = 0.05 if each else 1 - 0.95 ** (1 / m) if "sidak" in name else 0.05 / m
        assert level_of_one(0.05, m, name) == pytest.approx(expected, rel=1e-12), name


# letters and ranks


def test_letters_go_on_after_the_alphabets_with_numbers() -> None:
    k = 55
    scores = -np.arange(k, dtype=float)
    found = letters(scores, scores[:, None] > scores[None, :])
    assert found[:2] + found[25:27] + found[51:] == ["a", "b", "z", "A", "Z", "(53)", "(54)", "(55)"]


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_bootstrap_ranks_leave_out_an_equal_share_at_both_ends(level: float) -> None:
    draws = np.random.default_rng(3).normal(0.1 * np.arange(15.0), 1.0, (101, 15)).round(1)
    ranks = 1 + (draws[:, None, :] > draws[:, :, None]).sum(axis=2)
    for s, (low, high) in enumerate(bootstrap_ranks(draws, level).intervals):
        ordered = np.sort(ranks[:, s])
        # the smallest rank that at least this share of the draws do not exceed
        ends = [next(r for r in ordered if (ordered <= r).mean() >= q) for q in ((1 - level) / 2, (1 + level) / 2)]
        assert [low, high] == ends


# the joint law


def pair_of(differences: Float, *, plain: bool = True, n_resamples: int = 32) -> GainContrast:
    baseline = np.zeros_like(differences)
    columns = [np.stack([one, np.ones_like(one)], axis=-1)[None] for one in (baseline, differences)]
    stats = Statistics("mean", columns, Mean().score, Design(len(differences)), per_item=plain)
    return GainContrast(Resamples(("a", "b"), [stats], 0, Settings(n_resamples=n_resamples)), 0, 1)


def with_draws(p: list[float], draws: list[float]) -> JointLaw:
    """A family of pairs with these p-values, whose draws are given."""

    class Drawn(JointLaw):
        @cached_property
        def largest(self) -> Float:
            return np.array(draws)

    return Drawn([pair_of(np.arange(12.0))] * len(p), [outcome(one) for one in p])


def outcome(p: float) -> Outcome:
    return Outcome(p_value=p, p_kind="asymptotic")


@pytest.mark.parametrize(("infinite", "known"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_level_whose_draw_is_without_bound_is_not_known(infinite: int, known: bool) -> None:
    # of 19 draws p of 0.1 at most has one draw beyond: the level is the p of the second largest
    law = with_draws([0.05], [*(0.1 * i for i in range(19 - infinite)), *[math.inf] * infinite])
    found = law.single_step(0.1)
    assert (found.alone is not None) == known
    if found.alone is not None:
        assert found.alone == pytest.approx(2 * stats.norm.sf(0.1 * 17))
    assert law.single_step(0.05).alone == (None if infinite else pytest.approx(2 * stats.norm.sf(0.1 * 18)))
    assert law.single_step(0.049).alone is None  # no draw may lie beyond, and there are too few to say so


def test_a_draw_as_large_as_the_statistic_counts_against_it() -> None:
    z = float(stats.norm.isf(0.025))
    law = with_draws([0.05, 0.5], [0.0, 1.0, 2.0, z, z, 3.0, 0.1])
    assert law.single_step(0.1).p.tolist() == pytest.approx([(4 + 1) / (7 + 1), (5 + 1) / (7 + 1)])


def own_errors(differences: Float, *, plain: bool = True, copies: int = 1) -> bool:
    """Whether the draws are those of resamples that are each divided by their own standard error."""
    pair = pair_of(differences, plain=plain)
    law = JointLaw([pair] * copies, [outcome(0.05)] * copies)
    return np.allclose(law.largest, slow_largest([pair], 32), rtol=2e-3)


def numbers(n: int) -> Float:
    return np.random.default_rng(n).normal(0.3, 1, n)


@pytest.mark.parametrize(("n", "own"), [(498, True), (499, True), (500, False), (501, False)])
def test_from_500_units_on_draws_are_normal(n: int, own: bool) -> None:
    assert own_errors(numbers(n)) == own


@pytest.mark.parametrize(("copies", "own"), [(512, True), (513, False)])
def test_many_pairs_are_divided_by_fixed_standard_errors(copies: int, own: bool) -> None:
    # 2^17 numbers are units times pairs of one draw at most
    assert own_errors(numbers(256), copies=copies) == own


@pytest.mark.parametrize(("different", "own"), [(19, False), (20, True), (21, True)])
def test_twenty_units_must_differ_from_most(different: int, own: bool) -> None:
    differences = np.concatenate([numbers(different), np.zeros(20)])
    assert own_errors(differences) == own


@pytest.mark.parametrize(("different", "own"), [(18, False), (19, False), (20, True)])
def test_two_units_that_are_alike_are_no_different_ones(different: int, own: bool) -> None:
    assert own_errors(np.concatenate([numbers(different), [5.0, 5.0]])) == own


@pytest.mark.parametrize(("values", "plain", "own"), [(9, False, False), (10, False, True), (9, True, True)])
def test_of_no_mean_of_items_ten_values_must_be_there(values: int, plain: bool, own: bool) -> None:
    assert own_errors(np.arange(60.0) % values, plain=plain) == own


def test_gains_that_do_not_vary_are_drawn_together_and_hang_together_with_no_other() -> None:
    law = JointLaw([pair_of(np.full(30, one)) for one in (0.5, 0.7)], [outcome(0.05)] * 2)
    drawn = stream(law.pairs[0].settings.seed, "still gains from 0", 0).normal(size=(256, 2))
    np.testing.assert_array_equal(law.largest, np.abs(drawn).max(axis=1)[:32])


def test_of_more_than_4096_pairs_each_portion_has_a_stream_of_its_own() -> None:
    law = JointLaw([pair_of(np.full(30, 0.5), n_resamples=256)] * 4097, [outcome(0.05)] * 4097)
    seed = law.pairs[0].settings.seed
    first = stream(seed, "still gains from 0", 0).normal(size=(256, 4096))
    rest = stream(seed, "still gains from 4096", 0).normal(size=(256, 1))
    np.testing.assert_array_equal(law.largest, np.abs(np.hstack([first, rest])).max(axis=1))
