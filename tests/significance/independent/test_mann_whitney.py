"""Mann and Whitney's test and its shift against scipy and counts."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import wilcoxon
from outscore.significance.independent.mann_whitney import mann_whitney, shift

SAMPLES = [[3, 1, 4, -1, 5], [2, 2, 7, -8, 2, 8], [1, -2, 3], [4], [9, 8, 7, 6, 5, 4, -3]]


@pytest.mark.parametrize("x", [*SAMPLES, np.random.default_rng(4).normal(size=31).tolist()])
@pytest.mark.parametrize("y", [*SAMPLES, np.random.default_rng(5).integers(-3, 4, 20).tolist()])
def test_the_shift_is_the_median_of_all_differences(x: list[float], y: list[float]) -> None:
    expected = np.median(np.subtract.outer(x, y))
    assert shift(np.array(x, dtype=float), np.array(y, dtype=float)) == pytest.approx(expected, abs=1e-12)


def share_of_labellings(values: list[float], observed: float, centre: float, alternative: Alternative) -> float:
    hit = {
        "greater": [v >= observed for v in values],
        "less": [v <= observed for v in values],
        "two-sided": [abs(v - centre) >= abs(observed - centre) for v in values],
    }[alternative]
    return sum(hit) / len(hit)


@pytest.mark.parametrize("x", SAMPLES)
@pytest.mark.parametrize("y", SAMPLES)
@pytest.mark.parametrize("method", ["normal", "normal-cc", "exact"])
def test_mann_whitney_is_scipys_or_counted(x: list[int], y: list[int], method: wilcoxon.Method) -> None:
    n, m = len(x), len(y)
    pooled = x + y
    for alternative in ALTERNATIVES:
        found = mann_whitney(np.array(x, dtype=float), np.array(y, dtype=float), method=method, alternative=alternative)
        u = sum((a > b) + (a == b) / 2 for a, b in product(x, y))
        assert (found.effect["statistic"], found.effect["superiority"]) == pytest.approx((u, u / (n * m)))
        if method == "exact":
            every = []
            for chosen in combinations(range(n + m), n):
                rest = [pooled[i] for i in range(n + m) if i not in chosen]
                every.append(sum((pooled[i] > b) + (pooled[i] == b) / 2 for i in chosen for b in rest))
            p = share_of_labellings(every, u, n * m / 2, alternative)
            least = min(share_of_labellings(every, end, n * m / 2, alternative) for end in (min(every), max(every)))
            assert (found.p_value, found.p_min) == pytest.approx((p, least))
        elif len(set(pooled)) > 1 and (u != n * m / 2 or method == "normal"):
            corrected = method == "normal-cc"
            theirs = stats.mannwhitneyu(x, y, corrected, alternative, method="asymptotic")
            assert found.p_value == pytest.approx(float(theirs.pvalue))
            assert found.p_min is None
