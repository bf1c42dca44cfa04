"""Kruskal and Wallis' test and Dunn's pairs."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.significance.omnibus.kruskal_wallis import dunn


def test_dunn_of_two_groups_is_the_rank_sum_test_without_continuity() -> None:
    rng = np.random.default_rng(9)
    a, b = rng.integers(0, 6, 8).astype(float), rng.integers(1, 8, 9).astype(float)
    (pair,) = dunn([a, b])
    theirs = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=False).pvalue
    assert pair.p_adjusted == pytest.approx(theirs, rel=1e-9)


def test_dunns_pairs_are_normal_gaps_of_mean_ranks_adjusted_by_holm() -> None:
    groups = [np.array(g) for g in ([1.0, 2.0, 4.5], [2.0, 3.5, 3.0, 5.0], [6.0, 4.0])]
    ranked = stats.rankdata(np.concatenate(groups))
    means = [float(r.mean()) for r in np.split(ranked, [3, 7])]
    spread = 9 * 10 / 12 * (1 - 6 / (9**3 - 9))
    raw, found = [], dunn(groups)
    for i, j in combinations(range(3), 2):
        z = (means[j] - means[i]) / math.sqrt(spread * (1 / groups[i].size + 1 / groups[j].size))
        raw.append(2 * float(stats.norm.sf(abs(z))))
    order = np.argsort(raw)
    adjusted = np.maximum.accumulate(np.minimum(1, np.sort(raw) * [3, 2, 1]))
    assert [found[int(i)].p_adjusted for i in order] == pytest.approx(adjusted.tolist())
    assert [d.gain for d in found] == pytest.approx([means[1] - means[0], means[2] - means[0], means[2] - means[1]])


def test_kruskal_wallis_answers_two_runs_of_each_system() -> None:
    runs = {"a": [[1.0, 2.0], [2.0, 4.0]], "b": [[3.0, 6.0], [5.0, 6.0]], "c": [[7.0, 8.0], [9.0, 9.0]]}
    (found,) = outscore.compare(runs, test="kruskal-wallis").overall
    expected = stats.kruskal(*[np.mean(values, axis=1) for values in runs.values()])
    assert found.statistic == pytest.approx(expected.statistic)
