"""Friedman's test and its pairs."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from outscore.base.errors import UsageError
from outscore.significance.omnibus import omnibus_tests
from outscore.significance.omnibus.friedman import compare_to_control, critical_difference, friedman, rank_gaps
from tests.significance.omnibus.test_omnibus import of_items


def test_mean_ranks_and_gains_prefer_greater_values() -> None:
    values = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [0.0, 5.0, 6.0], [2.0, 3.0, 3.0]])
    found = omnibus_tests.make("friedman").run(of_items(values))
    assert found.effect["mean_rank a"] == 3
    assert {(p.system, p.baseline): p.gain > 0 for p in found.pairs}[1, 0]
    assert {(p.system, p.baseline): p.gain > 0 for p in found.pairs}[2, 0]


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 50])
def test_levels_of_friedman_and_cochran(n: int) -> None:
    # 1,500 replicates; binomial quantile 1e-6 over the nominal level (χ² of right or wrong answers: .055)
    rng, rejected = np.random.default_rng(16), dict.fromkeys(("friedman:law=f", "cochran-q:law=chi2"), 0)
    for _ in range(1500):
        skill = rng.normal(size=(n, 1))
        for name in rejected:
            values = skill + rng.normal(size=(n, 4))
            table = of_items(values if name.startswith("friedman") else (values > 0).astype(float))
            rejected[name] += (omnibus_tests.make(name).run(table).p_value or 1.0) <= 0.05
    assert rejected["friedman:law=f"] <= stats.binom.isf(1e-6, 1500, 0.055)
    assert rejected["cochran-q:law=chi2"] <= stats.binom.isf(1e-6, 1500, 0.055)


def test_two_systems_on_two_blocks_have_ranks_and_one_of_either_has_none() -> None:
    found = friedman(np.array([[1.0, 2.0], [2.0, 5.0], [4.0, 9.0]]))
    assert found.chi2 == pytest.approx(3.0)  # all three blocks agree: N (k - 1)
    for values in (np.ones((3, 1)), np.array([[1.0, 2.0]])):
        with pytest.raises(UsageError, match="need two blocks and two systems"):
            friedman(values)


def test_blocks_that_agree_have_an_infinite_f_however_many_they_are() -> None:
    for n, k in ((2, 3), (30, 6), (400, 9), (1618, 3)):
        same = friedman(np.tile(np.arange(float(k)), (n, 1)))
        assert math.isinf(same.f) and same.kendall_w == pytest.approx(1.0)
        values = np.tile(np.arange(float(k)), (n, 1))
        values[0, :2] = values[0, 1::-1]
        found = friedman(values)
        theirs = float(stats.friedmanchisquare(*values.T).statistic) if k > 2 else 0.0
        assert found.chi2 == pytest.approx(theirs)
        assert found.f == pytest.approx((n - 1) * theirs / (n * (k - 1) - theirs), rel=1e-6)


def test_a_control_against_all_others_by_mean_ranks() -> None:
    values = np.array([[1.0, 2.0, 4.0], [2.0, 1.0, 3.0], [1.0, 5.0, 5.0], [0.0, 1.0, 2.0], [3.0, 2.0, 9.0]])
    means = np.mean([stats.rankdata(row) for row in values], axis=0)
    error = math.sqrt(3 * 4 / (6 * 5))
    for control in range(3):
        raw = np.array([2 * stats.norm.sf(abs(means[control] - means[s]) / error) for s in range(3) if s != control])
        found = compare_to_control(values, control)
        assert found.p_bonferroni_dunn.tolist() == pytest.approx(np.minimum(1, 2 * raw).tolist())
        holm = np.minimum(1, np.maximum.accumulate(np.sort(raw) * [2, 1]))
        assert np.sort(found.p_holm).tolist() == pytest.approx(holm.tolist())
    gaps = rank_gaps(values)
    assert [g.gap for g in gaps] == pytest.approx([means[j] - means[i] for i, j in combinations(range(3), 2)])
    assert [g.z for g in gaps] == pytest.approx([g.gap / error for g in gaps])
    range_law = stats.studentized_range(3, math.inf)
    assert gaps[1].p_nemenyi == pytest.approx(float(range_law.sf(abs(gaps[1].z) * math.sqrt(2))), abs=1e-6)
    assert critical_difference(5, 3) == pytest.approx(float(range_law.ppf(0.95)) / math.sqrt(2) * error, rel=1e-4)
