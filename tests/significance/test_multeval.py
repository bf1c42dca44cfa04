"""MultEval's test: the toys of the outside oracle (MultEval 0.5.1, Java; exact laws by enumeration)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.significance.pairs import verdict

TOYS: list[tuple[list[list[int]], list[list[int]], float, float]] = [
    ([[5], [3], [2]], [[1], [0], [4]], 1 / 2, 1 / 6),
    ([[5, 3], [2, 7], [1, 6]], [[1, 0], [4, 2], [2, 3]], 3 / 16, 1 / 12),
    ([[5, 3], [2, 7]], [[1, 0], [4, 2]], 1 / 4, 1 / 8),
    ([[5, 3, 9]], [[1, 4, 2]], 1 / 2, 1 / 4),
]


@pytest.mark.parametrize(("a", "b", "valid", "as_coded"), TOYS)
def test_multeval_has_its_valid_law_and_its_printed_one(
    a: list[list[int]], b: list[list[int]], valid: float, as_coded: float
) -> None:
    first, second = np.array(a, dtype=float), np.array(b, dtype=float)
    n = 20000
    for test, expected in (("multeval", valid), ("multeval:as_coded=true", as_coded)):
        found = verdict(first, second, test, n_resamples=n)
        assert found.p_value is not None
        assert abs(found.p_value - expected) < 4.5 * math.sqrt(expected * (1 - expected) / n) + 2 / n, test
        assert ("multeval_pseudo_replication" in found.notes) == (len(first) > 1), "one run each has no extra items"
    assert "multeval_as_coded" in verdict(first, second, "multeval:as_coded=true", n_resamples=50).notes


def test_multeval_of_identical_systems_is_1_by_its_valid_law() -> None:
    same = np.array([[4.0, 7.0]])
    assert verdict(same, same, "multeval").p_value == 1
    assert verdict(same, same, "multeval:as_coded=true", n_resamples=99).p_value == 1 / 100
