"""The paired t and z, and what is said of the shape of differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from scipy import stats

from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.significance import tests
from outscore.significance.means import shape_notes
from outscore.significance.notes import HEAVY, SKEWED
from outscore.significance.student import paired_z
from tests.laws.support import pairing, settings
from tests.significance.pairs import A, B, every_side, verdict


@pytest.mark.parametrize(
    ("n", "largest", "rest", "heavy"),
    [
        *((100, [10.0], 0.95, True), (100, [10.0], 1.01, False), (99, [10.0], 0.2, False)),
        *((199, [10.0], 0.7, True), (199, [10.0, 10.0], 0.1, False), (200, [10.0, -9.0], 0.9, True)),
        *((200, [10.0, -10.0], 1.01, False), (100, [10.0], 0.0, False), (200, [10.0, 10.0], 0.0, False)),
    ],
)
def test_a_hundredth_of_the_items_is_many_where_it_has_half_of_the_squares(
    n: int, largest: list[float], rest: float, heavy: bool
) -> None:
    d = np.array([*largest, *np.resize([rest, -rest], n - len(largest))])
    top = n // 100
    shares = sorted((d**2).tolist(), reverse=True)
    if rest and n >= 100:
        assert heavy == (sum(shares[:top]) > sum(shares) / 2)
    assert (HEAVY in shape_notes(d)) == heavy


@pytest.mark.parametrize("wins", [1, 2, 3, 10, 20])
def test_skewness_asks_for_25_times_its_square(wins: int) -> None:
    for n in range(wins + 1, 90, 7):
        d = np.array([1.0] * wins + [0.0] * (n - wins))
        assert (SKEWED in shape_notes(d)) == (n < 25 * float(stats.skew(d)) ** 2)
    assert not shape_notes(np.array([3.0])) and not shape_notes(np.ones(5))


@every_side
def test_t_is_scipys_paired_t(alternative: Alternative) -> None:
    theirs = scipy.stats.ttest_rel(B, A, alternative=alternative)
    ours = verdict(A, B, "t", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.effect["df"] == 24
    if alternative == "two-sided":
        assert ours.ci == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-9)
    assert ours.p_kind == "asymptotic"


@every_side
def test_z_takes_the_deviation_as_known(alternative: Alternative) -> None:
    z = (B - A).mean() / (1.5 / 5)
    upper = float(scipy.stats.norm.sf(z))
    expected = {"greater": upper, "less": 1 - upper, "two-sided": 2 * min(upper, 1 - upper)}[alternative]
    assert verdict(A, B, "z:sigma=1.5", alternative=alternative).p_value == pytest.approx(expected, rel=1e-9)


def test_t_over_clusters_of_one_item_is_the_paired_t() -> None:
    single = verdict(A, B, "t")
    clustered = verdict(A, B, "t", items={"cluster": [f"c{i}" for i in range(25)]})
    assert clustered.p_value == pytest.approx(single.p_value, rel=1e-9)
    assert clustered.ci == pytest.approx(single.ci, rel=1e-9)


def test_t_over_equal_clusters_is_the_t_of_their_means() -> None:
    """With equal sizes CR2 is exactly the one-sample t of the cluster means."""
    labels = [f"c{i // 5}" for i in range(25)]
    means = (B - A).reshape(5, 5).mean(axis=1)
    theirs = scipy.stats.ttest_1samp(means, 0)
    ours = verdict(A, B, "t", items={"cluster": labels})
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.effect["df"] == pytest.approx(4)


@pytest.mark.parametrize(
    ("sigma", "refused"), [("nan", True), ("-1", True), ("0", True), ("0.001", False), ("1e150", False)]
)
def test_a_known_deviation_is_above_0_and_finite(sigma: str, refused: bool) -> None:
    pair = pairing(np.arange(5.0)[None], np.zeros((1, 5)), settings(99))
    assert (tests.make(f"z:sigma={sigma}").refuses(pair) is not None) == refused
    with pytest.raises(UsageError, match="expected 0, or a number of 1e-150 to 1e150"):
        tests.make("z:sigma=inf")


def test_z_has_the_error_of_the_deviation_that_is_known() -> None:
    d = np.array([-0.2, 1.3, 2.8, 3.3])
    found = paired_z(d, 2.0)
    assert (found.statistic, found.se, found.df) == pytest.approx((d.mean(), 1.0, math.inf))
