"""What is at least as extreme, with ties and within rounding, and the p-value of a count."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.engine import extreme
from outscore.engine.extreme import ALTERNATIVES, Alternative


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_ties_and_what_lies_within_the_slack_are_at_least_as_extreme(alternative: Alternative) -> None:
    values = np.array([-3.0, -2.0, -1.5, -1.0, 0.0, 1.0, 1.5, 2.0, 3.0])
    for observed, slack, centre in product((-1.5, 0.0, 1.0, 2.0), (0.0, 0.5), (0.0, 0.5)):
        expected = {
            "greater": [v >= observed - slack for v in values],
            "less": [v <= observed + slack for v in values],
            "two-sided": [abs(v - centre) >= abs(observed - centre) - slack for v in values],
        }[alternative]
        options = {"centre": centre, "alternative": alternative, "slack": slack}
        assert extreme.is_as_extreme(values, observed, **options).tolist() == expected  # type: ignore[arg-type]
        assert int(extreme.count(values, observed, **options)) == sum(expected)  # type: ignore[arg-type]
        mass = np.full(values.size, 1 / values.size)
        tail = extreme.tail_mass(values, mass, observed, **options)  # type: ignore[arg-type]
        assert tail == pytest.approx(sum(expected) / values.size)
    assert extreme.count_beyond(values, 1.5, slack=0.5) == 1
    assert extreme.count_beyond(values, 1.5, slack=0.25) == 2


def test_positions_count_below_and_not_above_in_each_batch() -> None:
    values, marks = np.array([[0.0, 1.0, 2.0, 3.0], [5.0, 5.0, 4.0, 9.0]]), np.array([[1.0, 2.5], [5.0, 4.0]])
    slack = np.array([0.0, 1.0])
    found = extreme.count_positions(values, marks, slack, batches=2)
    for batch, s, q in product(range(2), range(2), range(2)):
        part = values[s, 2 * batch : 2 * batch + 2]
        expected = [(part < marks[s, q] - slack[s]).sum(), (part <= marks[s, q] + slack[s]).sum()]
        assert found[batch, s, q].tolist() == expected
    many = np.zeros((1, 2**16))
    assert extreme.count_positions(many, np.zeros((1, 1)), np.zeros(1)).ravel().tolist() == [0, 2**16]
    assert extreme.count_positions(many[:, 1:], np.zeros((1, 1)), np.zeros(1)).ravel().tolist() == [0, 2**16 - 1]


def test_tolerance_is_a_part_in_1e12_of_the_size() -> None:
    assert [extreme.tolerance(s) for s in (0.0, 1.0, 250.0)] == [1e-312, 1e-12, 2.5e-10]
    assert [extreme.p_from_count(h, 9) for h in (0, 4, 9)] == [0.1, 0.5, 1.0]
    assert [extreme.p_from_count(h, 9, doubled=True) for h in (0, 4, 7)] == [0.2, 1.0, 1.0]


def test_values_that_differ_by_rounding_alone_are_ties() -> None:
    draws = np.array([0.1 + 0.2, 0.3, 0.3 - 1e-6])
    slack = extreme.tolerance(1.0)
    assert int(extreme.count(draws, 0.1 + 0.2, alternative="greater", slack=slack)) == 2
    assert int(extreme.count(draws, 0.3, alternative="less", slack=slack)) == 3
    assert int(extreme.count(-draws, 0.3, alternative="two-sided", slack=slack)) == 2


def lying(draws: list[float], *marks: float, slack: float = 0.0) -> extreme.Positions:
    counts = extreme.count_positions(np.array([draws]), np.array([marks]), np.array([slack]))
    return extreme.Positions(counts[:, 0], np.array([len(draws)]), True)


def test_equal_tails_count_zero_on_both_sides() -> None:
    found = lying([-1.0, 0.0, 0.0, 2.0, 3.0], 0.0)
    tails = {side: found.smaller_tail(0, side) for side in extreme.ALTERNATIVES}
    assert {side: (exceedances.total, doubled) for side, (exceedances, doubled) in tails.items()} == {
        "two-sided": (3, True),
        "greater": (3, False),
        "less": (4, False),
    }


@given(draws=st.lists(st.integers(-5, 5), min_size=1, max_size=30), gain=st.integers(-3, 3))
def test_counts_at_marks_are_counts_of_extreme_draws(draws: list[int], gain: int) -> None:
    # a redrawn gain about the gain, and a relabelled one about 0: the marks are 2δ and 0, δ and -δ
    values = [float(v) for v in draws]
    for observed, mirrored, centre in ((2 * gain, 0, gain), (gain, -gain, 0)):
        found = lying(values, observed, mirrored, slack=1e-9)
        for side in extreme.ALTERNATIVES:
            exceedances = found.count_as_extreme(0, 1, side, positive=gain >= 0)
            moved = np.array(values) - centre
            assert exceedances.total == int(extreme.count(moved, float(gain), alternative=side, slack=1e-9))
        assert found.count_above(0).total == sum(v > observed for v in values)
        assert found.count_below(0).total == sum(v < observed for v in values)


def test_tail_mass_is_at_most_one() -> None:
    assert extreme.tail_mass(np.zeros(3), np.array([0.4, 0.4, 0.2 + 1e-15]), 0.0) == 1.0
