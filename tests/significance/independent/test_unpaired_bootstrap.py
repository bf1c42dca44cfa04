"""The bootstrap of two samples against the loop over all resamples."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from outscore.engine.extreme import ALTERNATIVES, Alternative
from tests.examples import first
from tests.significance.independent.test_permutation import mean_difference
from tests.significance.independent.test_samples import run, samples


@pytest.mark.parametrize("form", ["studentized", "shift", "percentile"])
@pytest.mark.parametrize("alternative", first(ALTERNATIVES, "two-sided", others=pytest.mark.slow))
def test_the_bootstrap_is_the_loop_over_redrawn_samples(form: str, alternative: Alternative) -> None:
    """Every one of 4^4 x 3^3 redrawn pairs of samples in a plain loop, against sampling within five standard errors."""
    x, y = [0.0, 1.0, 2.5, 3.0], [0.0, 1.0, 0.5]

    def error(first: list[float], second: list[float]) -> float:
        return math.sqrt(sum(np.var(v, ddof=1) / len(v) for v in (first, second)))

    gain, se = mean_difference(x, y), error(x, y)
    exceedances = {"greater": 0.0, "less": 0.0, "two-sided": 0.0}
    every = 0
    for ours in itertools.product(x, repeat=4):
        for second in itertools.product(y, repeat=3):
            drawn, own = mean_difference(list(ours), list(second)), error(list(ours), list(second))
            moved, far = drawn - gain, gain
            if form == "studentized":
                stuck = own < 1e-12
                moved, far = (0.0 if stuck else moved / own), gain / se
                seen = {"greater": stuck or moved >= far - 1e-9, "less": stuck or moved <= far + 1e-9}
                seen["two-sided"] = stuck or abs(moved) >= abs(far) - 1e-9
            elif form == "shift":
                seen = {"greater": moved >= far - 1e-9, "less": moved <= far + 1e-9}
                seen["two-sided"] = abs(moved) >= abs(far) - 1e-9
            else:
                seen = {"greater": drawn <= 1e-9, "less": drawn >= -1e-9, "two-sided": drawn <= 1e-9}
            exceedances = {side: exceedances[side] + seen[side] for side in exceedances}
            every += 1
    ideal = exceedances[alternative] / every
    if form == "percentile" and alternative == "two-sided":
        ideal = min(1.0, 2 * min(exceedances["greater"], exceedances["less"]) / every)
    found = run(f"unpaired-bootstrap:form={form}", samples(x, y, alternative=alternative, n_resamples=20_000))
    assert found.p_value is not None
    assert found.p_error is not None
    assert abs(found.p_value - ideal) < 5 * max(found.p_error, 2e-3)
