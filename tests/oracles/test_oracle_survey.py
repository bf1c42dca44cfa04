"""Shares in clusters and their gains, as R 4.2.2 has them: survey 4.1.1 and clubSandwich 0.5.8."""

from __future__ import annotations

import numpy as np
import pytest

import outscore

RIGHT_OF_TEN = (10, 9, 10, 7, 10, 10, 8, 10, 10, 5)
CLUSTERS = ((12, 3, 0), (3, 0, 1), (8, 2, 0), (5, 1, 0), (10, 4, 1), (4, 0, 1), (6, 1, 0), (2, 2, 0))
"""Items, items that only the system has right, and that only the baseline has."""


@pytest.mark.parametrize(
    ("alpha", "ends"), [(0.05, (0.695820689257226, 0.966235823635809)), (0.1, (0.744038874514294, 0.957483428049571))]
)
def test_a_share_in_equal_clusters_is_that_of_svyciprop(alpha: float, ends: tuple[float, float]) -> None:
    """``svyciprop(~y, svydesign(ids = ~g, ...), method = "logit", level = ...)``."""
    answers = [float(i < right) for right in RIGHT_OF_TEN for i in range(10)]
    items = {"doc": [g for g in range(10) for _ in range(10)]}
    found = outscore.score({"a": answers}, items=items, cluster="doc", alpha=alpha).scores[0]
    assert found.ci == pytest.approx(ends, rel=1e-9)


def test_the_test_of_clustered_answers_is_that_of_clubsandwich() -> None:
    """``coef_test(lm(d ~ 1), vcov = "CR2", cluster = g)``: p, degrees of freedom and standard error."""
    system, baseline, labels = [], [], []
    for g, (m, b, c) in enumerate(CLUSTERS):
        system += [1.0] * b + [0.0] * (m - b)
        baseline += [0.0] * b + [1.0] * c + [0.0] * (m - b - c)
        labels += [g] * m
    pair = outscore.compare({"a": baseline, "b": system}, items={"doc": labels}, cluster="doc").pairs[0]
    assert pair.test == "t"
    assert pair.p_value == pytest.approx(0.0267960571287, rel=1e-9)
    numbers = [pair.statistic, pair.effect["df"], pair.effect["se"]]
    assert np.array(numbers, dtype=float) == pytest.approx((3.0328907250733, 5.3173970497020, 0.0659436880948515))
    assert pair.ci is not None
    assert pair.ci[0] > 0
    # the lower end lies between 0 and the gain, where the variance is CR2's own: estimate - qt(.975, df) se
    assert pair.ci[0] == pytest.approx(0.03348497, abs=1e-8)
