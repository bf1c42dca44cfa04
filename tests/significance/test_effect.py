"""Effect sizes of a pair."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outscore.significance.gain import cohen_dz, hedges_gz, hedges_j, standard_effect
from tests.laws.support import pairing, settings


def test_effects_count_items_and_divide_by_their_spread() -> None:
    d = np.array([[1.0, 0.0, -0.5, 2.0, 0.0, 0.25]])
    for sign in (1, -1):
        effect = standard_effect(pairing(sign * d, np.zeros_like(d), settings(9)))
        wins, losses = (3, 1) if sign > 0 else (1, 3)
        dz = sign * d.mean() / d.std(ddof=1)
        j = math.gamma(2.5) / (math.sqrt(2.5) * math.gamma(2.0))
        assert effect == {
            "wins": wins, "losses": losses, "ties": 2, "d_z": pytest.approx(dz), "hedges_gz": pytest.approx(j * dz),
        }  # fmt: skip
    assert standard_effect(pairing(d[:, :1], 0 * d[:, :1], settings(9))) == {"wins": 1, "losses": 0, "ties": 0}
    assert standard_effect(pairing(0 * d + 1, 0 * d, settings(9))) == {"wins": 6, "losses": 0, "ties": 0}


@pytest.mark.parametrize("numbers", [1, 2, 3])
def test_effects_are_in_deviations_of_two_numbers_and_corrected_from_three_on(numbers: int) -> None:
    d = np.array([0.5, 1.5, 4.0])[:numbers]
    dz, gz = cohen_dz(d), hedges_gz(d)
    if numbers == 1:
        assert dz is None or math.isnan(dz)
    else:
        assert dz == pytest.approx(d.mean() / d.std(ddof=1))
    assert math.isnan(gz) == (numbers < 3)
    if numbers == 3:
        assert gz == pytest.approx(dz * math.gamma(1) / (math.sqrt(1) * math.gamma(0.5)))


def test_hedges_factor_of_large_samples_is_near_one() -> None:
    assert hedges_j(1000) == pytest.approx(1 - 3 / (4 * 1000 - 1), rel=1e-6)
