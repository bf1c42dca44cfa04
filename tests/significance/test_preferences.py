"""Bradley-Terry ratings against a published table, other software and the definition in loops."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import optimize

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.significance import preferences
from outscore.significance.p_values import student_quantile
from outscore.significance.preferences import (
    bradley_terry,
    expected_wins,
    find_groups,
    find_separated,
    has_unbounded_ties,
    win_proportions,
    wins_interval,
)
from tests.examples import examples

# 1987 season, American League East (Agresti 2002, Categorical Data Analysis, Table 10.10): wins of row over column
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")


# the fit without home advantage there (Table 10.11), as BradleyTerry2 1.1 gives it too, Baltimore at 0
PUBLISHED = (1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0)


WINS = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)


Judgments = tuple[Int, Int, Float]


def by_itself(judgments: Judgments, k: int, **options: Any) -> Any:
    return bradley_terry(*judgments, np.arange(len(judgments[0])), k, **options)


def of_table(wins: Any) -> Judgments:
    rows = [(i, j) for i, row in enumerate(wins) for j, count in enumerate(row) for _ in range(count)]
    first, second = np.array(rows, dtype=np.int64).T
    return first, second, np.ones(len(rows))


def test_baseball_of_agresti() -> None:
    found = by_itself(of_table(WINS), len(TEAMS))
    assert tuple((found.ratings - found.ratings[-1]).round(2)) == PUBLISHED
    assert found.tie is None


def drawn(seed: int, k: int, each: int, ties: float = 0.0) -> Judgments:
    """``each`` judgments of every two systems, the first ``k`` of them a circle, so that ratings are finite."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0, 0.7, k)
    rows = [(i, (i + 1) % k, 1.0) for i in range(k)]
    for i, j in combinations(range(k), 2):
        for _ in range(each):
            won = 1.0 if rng.random() < 1 / (1 + math.exp(skill[j] - skill[i])) else -1.0
            rows.append((i, j, 0.0 if rng.random() < ties else won))
    first, second, outcome = np.array(rows).T
    return first.astype(np.int64), second.astype(np.int64), outcome


@hypothesis_settings(max_examples=examples(15))
@given(seed=st.integers(0, 10_000), k=st.integers(2, 6), ties=st.sampled_from([0.0, 0.4]))
def test_fast_and_slow_agree(seed: int, k: int, ties: float) -> None:
    """Hunter's MM steps (2004), from the definition: strength = wins / Σ n/(own + other); a tie is half a win."""
    first, second, outcome = drawn(seed, k, 6, ties)
    won = np.zeros((k, k))
    for a, b, said in zip(first.tolist(), second.tolist(), outcome.tolist(), strict=True):
        won[a, b] += (1 + said) / 2
        won[b, a] += (1 - said) / 2
    strength = [1.0] * k
    for _ in range(3000):
        old = list(strength)
        for i in range(k):
            below = sum((won[i, j] + won[j, i]) / (strength[i] + strength[j]) for j in range(k) if j != i)
            strength[i] = won[i].sum() / below
        if max(abs(math.log(a / b)) for a, b in zip(strength, old, strict=True)) < 1e-12:
            break
    slow = np.log(strength)
    np.testing.assert_allclose(by_itself((first, second, outcome), k).ratings, slow - slow.mean(), atol=1e-8)


@hypothesis_settings(max_examples=examples(15))
@given(seed=st.integers(0, 10_000), k=st.integers(2, 4))
def test_davidson_agrees_with_a_general_optimizer(seed: int, k: int) -> None:
    first, second, outcome = drawn(seed, k, 12, 0.3)
    if not (outcome == 0).any():
        return

    def minus_log_likelihood(theta: Float) -> float:
        total = 0.0
        for a, b, said in zip(first.tolist(), second.tolist(), outcome.tolist(), strict=True):
            one, other = math.exp(theta[a]), math.exp(theta[b])
            tie = math.exp(theta[k]) * math.sqrt(one * other)
            total -= math.log({1.0: one, -1.0: other, 0.0: tie}[said] / (one + other + tie))
        return total

    found = by_itself((first, second, outcome), k, ties="davidson")
    other = optimize.minimize(minus_log_likelihood, np.zeros(k + 1), method="BFGS", options={"gtol": 1e-7})
    np.testing.assert_allclose(found.ratings, other.x[:k] - other.x[:k].mean(), atol=1e-4)
    assert found.tie == pytest.approx(math.exp(other.x[k]), rel=1e-3)


def test_ratings_are_those_of_a_logistic_regression_and_errors_those_of_its_sandwich() -> None:
    """scikit-learn without penalty, on +1 for the first system and -1 for the second; sandwich by clusters in loops."""
    from sklearn.linear_model import LogisticRegression

    first, second, outcome = drawn(8, 5, 20)
    units = np.arange(len(first)) % 23
    x = np.zeros((len(first), 5))
    x[np.arange(len(first)), first] += 1
    x[np.arange(len(first)), second] -= 1
    x = x[:, 1:]
    theirs = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=1000).fit(x, outcome > 0)
    ours = bradley_terry(first, second, outcome, units, 5)
    np.testing.assert_allclose(ours.ratings[1:] - ours.ratings[0], theirs.coef_[0], atol=1e-5)
    chance = theirs.predict_proba(x)[:, 1]
    bread = np.linalg.inv(sum(np.outer(row, row) * p * (1 - p) for row, p in zip(x, chance, strict=True)))
    meat = np.zeros((4, 4))
    for unit in range(23):
        rows = np.flatnonzero(units == unit)
        score = sum(x[i] * ((outcome[i] > 0) - chance[i]) for i in rows)
        meat += np.outer(score, score)
    influence = ours.influence[:, 1:] - ours.influence[:, :1]
    np.testing.assert_allclose(influence.T @ influence, bread @ meat @ bread, atol=1e-5)
    np.testing.assert_allclose(ours.errors, np.sqrt(23 / 22 * (ours.influence**2).sum(axis=0)))


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_influence_is_what_one_more_unit_does(ties: Any) -> None:
    first, second, outcome = drawn(3, 4, 10, 0.3)
    units = np.arange(len(first)) % 7
    ours = bradley_terry(first, second, outcome, units, 4, ties=ties)
    np.testing.assert_allclose(ours.influence.sum(axis=0), 0, atol=1e-8)
    copies, here = 400, units == 2
    many = [np.concatenate([np.tile(part, copies), part[here]]) for part in (first, second, outcome)]
    more = bradley_terry(many[0], many[1], many[2], np.arange(len(many[0])), 4, ties=ties)
    np.testing.assert_allclose((more.ratings - ours.ratings) * copies, ours.influence[2], rtol=0.02, atol=1e-3)


def test_against_one_system_only_ratings_are_the_log_odds_of_the_shares() -> None:
    counts = {1: (30, 10), 2: (5, 15), 3: (12, 12)}
    rows = [(s, 0, mark) for s, (won, lost) in counts.items() for mark in [1.0] * won + [-1.0] * lost]
    first, second, outcome = np.array(rows).T
    found = by_itself((first.astype(np.int64), second.astype(np.int64), outcome), 4).ratings
    for system, (won, lost) in counts.items():
        assert found[system] - found[0] == pytest.approx(math.log(won / lost))


def test_judgments_without_a_common_scale_are_told_apart() -> None:
    first, second = np.array([0, 2, 0]), np.array([1, 3, 4])
    assert find_groups(first, second, 5) == [(0, 1, 4), (2, 3)]
    with pytest.raises(UsageError, match="no finite ratings"):
        by_itself((first, second, np.array([1.0, -1.0, 1.0])), 5)


def test_who_never_lost_or_never_won_is_named() -> None:
    first, second = np.array([0, 1, 2]), np.array([1, 2, 1])
    assert find_separated(first, second, np.ones(3), 3) == ((0,), True)
    assert find_separated(first, second, np.array([-1.0, 1.0, 1.0]), 3) == ((0,), False)
    assert find_separated(first, second, np.array([0.0, 1.0, 1.0]), 3) is None
    with pytest.raises(UsageError, match="no finite ratings"):
        by_itself((first, second, np.ones(3)), 3)


def test_ties_as_an_outcome_need_wins_that_go_round() -> None:
    first, second = np.array([0, 0]), np.array([1, 1])
    assert has_unbounded_ties(first, second, np.array([1.0, 0.0]), 2)
    assert not has_unbounded_ties(np.array([0, 0, 1]), np.array([1, 1, 0]), np.array([1.0, 0.0, 1.0]), 2)
    judgments = first, second, np.array([1.0, 0.0])
    assert by_itself(judgments, 2).ratings[0] == pytest.approx(math.log(3) / 2)
    with pytest.raises(UsageError, match="no finite ratings"):
        by_itself(judgments, 2, ties="davidson")


@pytest.mark.parametrize(
    ("first", "second", "outcome", "unbounded"),
    [
        ([0, 2, 2], [1, 1, 0], [1, -1, 0], False),  # 0 beats 1, 1 beats 2, and a tie leads back: two wins for one tie
        ([0, 1, 2], [1, 2, 0], [1, 1, 0], False),
        ([0, 1, 2], [1, 2, 0], [1, 0, 0], True),  # one win for two ties
        ([0, 0], [1, 1], [0, 1], True),  # as many wins as ties
        ([0, 0], [1, 1], [1, -1], False),
    ],
)
def test_ties_have_a_finite_weight_where_wins_outnumber_them_on_some_way_round(
    first: list[int], second: list[int], outcome: list[int], unbounded: bool
) -> None:
    k = 1 + max(*first, *second)
    given = np.array(first), np.array(second), np.array(outcome, dtype=float)
    assert preferences.has_unbounded_ties(*given, k) == unbounded


@pytest.mark.parametrize("strength", [1, 40])
def test_fitted_ratings_expect_as_many_wins_as_were_seen(strength: int) -> None:
    wins = {(0, 1): 3 * strength, (1, 0): 1, (1, 2): 2, (2, 1): 1, (0, 2): 5 * strength, (2, 0): 2}
    first = np.array([i for (i, _), n in wins.items() for _ in range(n)])
    second = np.array([j for (_, j), n in wins.items() for _ in range(n)])
    found = preferences.bradley_terry(first, second, np.ones(first.size), np.arange(first.size), 3)
    for system in range(3):
        games = [(i, j, n) for (i, j), n in wins.items() if system in (i, j)]
        rivals = [(j if i == system else i, n) for i, j, n in games]
        expected = sum(n / (1 + math.exp(found.ratings[other] - found.ratings[system])) for other, n in rivals)
        assert expected == pytest.approx(sum(n for i, _, n in games if i == system), rel=1e-6)
    assert found.ratings.mean() == pytest.approx(0.0, abs=1e-12)
    places, outcomes = np.zeros(9, dtype=np.int64), np.array([1.0] * 7 + [-1.0] * 2)
    two = preferences.bradley_terry(places, places + 1, outcomes, np.arange(9), 2)
    assert two.ratings[0] - two.ratings[1] == pytest.approx(math.log(7 / 2), rel=1e-6)


def test_wins_of_many_tables_are_those_of_each() -> None:
    wins = np.random.default_rng(1).integers(0, 5, (4, 3, 3)).astype(float)
    for table, shares, means in zip(wins, win_proportions(wins), expected_wins(wins), strict=True):
        for i in range(3):
            each = [table[i, j] / (table[i, j] + table[j, i]) for j in range(3) if i != j and table[i, j] + table[j, i]]
            assert means[i] == pytest.approx(np.mean(each))
            assert np.isnan(shares[i, i])


def test_the_ends_of_a_long_chain_are_as_far_apart_as_its_links_say() -> None:
    links = np.repeat(np.arange(140), 201)
    first, second = np.append(links, 0), np.append(links + 1, 140)
    outcome = np.append(np.where(np.arange(links.size) % 201, 1.0, -1.0), 1.0)
    found = by_itself((first, second, outcome), 141)
    assert -np.diff(found.ratings) == pytest.approx(math.log(200), rel=1e-6)


def test_where_no_unit_differs_wins_are_as_sure_as_so_many_units() -> None:
    even, z = np.ones((4, 1)), student_quantile(0.95, 3)
    half = z / (2 * math.sqrt(4 + z**2))
    assert wins_interval(even, even, 0.95) == pytest.approx((0.5 - half, 0.5 + half))
