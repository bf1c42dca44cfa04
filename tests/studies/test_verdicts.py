"""What *agrees* means on the page of the sources: equivalence within a stated margin."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.studies.shared.form import compare_numbers


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (0.50, 0.00, "agrees"),
        (0.60, 0.00, "agrees"),
        (0.601, 0.00, "differs"),
        (0.50, 0.06, "agrees"),
        (0.50, 0.07, "cannot tell"),
        (0.50, 9.00, "cannot tell"),
        (0.58, 0.02, "differs"),
        (0.56, 0.02, "agrees"),
        (0.70, 0.06, "differs"),
        (0.70, 0.07, "cannot tell"),
    ],
)
def test_an_interval_that_merely_holds_the_number_does_not_agree(value: float, error: float, said: str) -> None:
    assert compare_numbers(value, 0.5, error, 0.1) == said
    assert compare_numbers(1 - value, 0.5, error, 0.1) == said


def test_what_lies_at_the_margin_agrees_in_one_of_twenty() -> None:
    """The level of two one-sided tests; 4 errors of 20,000 draws: 3 false alarms in 100,000."""
    drawn = np.random.default_rng(22).normal(0.6, 0.02, 20_000)
    agree = np.mean([compare_numbers(value, 0.5, 0.02, 0.1) == "agrees" for value in drawn])
    assert agree == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 20_000))


def test_equal_numbers_differ_in_one_of_a_thousand() -> None:
    """4 errors of 100,000 draws: 6 false alarms in 100,000."""
    drawn = np.random.default_rng(23).normal(0.5, 0.2, 100_000)
    differ = np.mean([compare_numbers(value, 0.5, 0.2, 0.1) == "differs" for value in drawn])
    assert differ == pytest.approx(0.001, abs=4 * np.sqrt(0.001 / 100_000))
