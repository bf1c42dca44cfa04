"""Rank sets, tiers and letters of corrected comparisons, and ranks of redrawn scores."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Bool, Float
from outscore.multiplicity.adjust import adjust
from outscore.multiplicity.ranks import bootstrap_ranks, letters, rank_sets, tiers
from outscore.significance.means import paired_t
from tests.multiplicity.plain import significantly_better

tables = st.integers(2, 6).flatmap(
    lambda k: st.tuples(
        st.lists(st.integers(0, 9), min_size=k, max_size=k, unique=True),
        st.lists(st.booleans(), min_size=k * k, max_size=k * k),
    )
)


def made(drawn: tuple[list[int], list[bool]]) -> tuple[Float, Bool]:
    """Scores, and some of the pairs significant in the direction of the scores."""
    scores = np.array(drawn[0], dtype=float)
    k = len(scores)
    return scores, np.array(drawn[1]).reshape(k, k) & (scores[:, None] > scores[None, :])


@given(tables)
def test_rank_sets_count_who_is_better_and_worse(drawn: tuple[list[int], list[bool]]) -> None:
    scores, better = made(drawn)
    k, sets = len(scores), rank_sets(better)
    for j in range(k):
        assert sets.best[j] == 1 + sum(bool(better[i, j]) for i in range(k))
        assert sets.worst[j] == k - sum(bool(better[j, i]) for i in range(k))
        assert sets.best[j] <= 1 + int((scores > scores[j]).sum()) <= sets.worst[j]
        assert (j in sets.leaders) == (sets.best[j] == 1)


@given(tables)
def test_tiers_are_split_where_all_above_beat_all_below_and_nowhere_else(drawn: tuple[list[int], list[bool]]) -> None:
    scores, better = made(drawn)
    groups = tiers(scores, better)
    assert sorted(s for group in groups for s in group) == list(range(len(scores)))
    for first, later in combinations(groups, 2):
        assert all(better[i, j] for i, j in product(first, later))
    for n, group in enumerate(groups):
        above = [s for g in groups[:n] for s in g]
        for cut in range(1, len(group)):
            upper, lower = [*above, *group[:cut]], [*group[cut:], *(s for g in groups[n + 1 :] for s in g)]
            assert not all(better[i, j] for i, j in product(upper, lower))


@given(tables)
def test_systems_share_a_letter_where_they_do_not_differ(drawn: tuple[list[int], list[bool]]) -> None:
    scores, better = made(drawn)
    found = letters(scores, better)
    for i, j in combinations(range(len(scores)), 2):
        assert bool(set(found[i]) & set(found[j])) != bool(better[i, j] or better[j, i])
    assert "a" in found[int(scores.argmax())]


def test_letters_and_tiers_of_a_small_leaderboard() -> None:
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    gains = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 1.0])
    better = significantly_better(4, pairs, gains, np.array([0.2, 0.01, 0.001, 0.2, 0.02, 0.03]), 0.05)
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    assert letters(scores, better) == ["a", "ab", "b", "c"]
    assert tiers(scores, better) == [(0, 1, 2), (3,)]
    assert rank_sets(better).leaders == (0, 1)


def test_the_direction_of_a_gain_decides_who_is_better() -> None:
    better = significantly_better(3, [(0, 1), (0, 2), (1, 2)], np.array([-1.0, 0.0, 2.0]), np.zeros(3), 0.05)
    assert np.argwhere(better).tolist() == [[1, 0], [1, 2]]


def test_ranks_of_redrawn_scores_are_counted() -> None:
    found = bootstrap_ranks(np.array([[3.0, 2.0, 2.0], [1.0, 1.0, 0.0], [0.0, 5.0, 4.0]]))
    np.testing.assert_allclose(found.mean, [(1 + 1 + 3) / 3, (2 + 1 + 1) / 3, (2 + 3 + 2) / 3])
    np.testing.assert_allclose(found.first, [1.5 / 3, 1.5 / 3, 0])
    assert found.beats[1, 2] == pytest.approx((0.5 + 1 + 1) / 3)
    np.testing.assert_allclose(found.beats + found.beats.T, 1.0)


def test_rank_sets_cover_all_true_ranks_together() -> None:
    # five systems, two of them equal: all true ranks inside in 95 % of 500 test sets; binomial quantile 1e-6. Equal
    # systems may have either of their ranks
    rng = np.random.default_rng(2)
    truth, pairs = np.array([0.0, 0.0, 0.3, 0.6, 0.9]), list(combinations(range(5), 2))
    lowest = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    highest = 5 - (truth[None, :] < truth[:, None]).sum(axis=1)
    covered = 0
    for _ in range(500):
        table = truth + rng.normal(size=(40, 1)) + 0.7 * rng.normal(size=(40, 5))
        found = [paired_t(table[:, i] - table[:, j]) for i, j in pairs]
        p = adjust([t.p for t in found], "holm")
        sets = rank_sets(significantly_better(5, pairs, np.array([t.estimate for t in found]), p, 0.05))
        covered += bool((np.array(sets.best) <= lowest).all() and (np.array(sets.worst) >= highest).all())
    assert covered >= stats.binom.ppf(1e-6, 500, 0.95)


LEVELS = (0.01, 0.05, 0.1)


@pytest.mark.parametrize("alpha", LEVELS)
def test_a_p_at_alpha_exactly_is_significant(alpha: float) -> None:
    better = significantly_better(3, [(0, 1), (0, 2)], np.array([1.0, -2.0]), np.array([alpha, alpha * 1.001]), alpha)
    assert np.argwhere(better).tolist() == [[0, 1]]


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


def slow_letters(scores: Float, better: Bool) -> list[str]:
    """Piepho's algorithm by sets."""
    order = np.argsort(-scores, kind="stable").tolist()
    groups = [frozenset(order)]
    for i, j in combinations(order, 2):
        if better[i, j] or better[j, i]:
            split = [part for group in groups for part in ((group - {i}, group - {j}) if {i, j} <= group else (group,))]
            groups = [g for g in dict.fromkeys(split) if not any(g < other for other in split)]
    groups.sort(key=lambda group: sorted(order.index(s) for s in group))
    return [
        "".join("abcdefghijklmnopqrstuvwxyz"[n] for n, g in enumerate(groups) if s in g) for s in range(len(scores))
    ]


def test_letters_are_those_of_the_algorithm_by_sets() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        k = int(rng.integers(1, 9))
        scores = np.round(rng.normal(size=k), 1)
        better = (scores[:, None] - scores > rng.uniform(0, 1.5)) & (rng.random((k, k)) < 0.9)
        assert letters(scores, better) == slow_letters(scores, better)
