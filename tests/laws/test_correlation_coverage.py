"""The default interval and verdict of two metrics' correlations over systems, new ones and new items each time.

Coverage (95 % nominal) must lie between binomial quantiles at 1e-6 of the levels named beside it, and a verdict come at
least, or at most, as often as the level named (false alarms: 1e-6 for each bound).
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import outscore
from tests.laws.support import least, most, repeated

SYSTEMS, ITEMS = 12, 30
OWN = {"equal": (0.3, 0.3), "unequal": (0.1, 0.6)}
"""How much each metric errs on whole systems, whose quality has the standard deviation one half."""
COVERED = {"pearson": (0.93, 0.97), "kendall": (0.96, 0.998)}
FOUND = {"pearson": 0.3, "kendall": 0.08}
"""The least share of unequal metrics that are told apart; by resampled systems and items it is .16 and .005."""


def judged(rng: np.random.Generator, own: tuple[float, float]) -> pd.DataFrame:
    shape = SYSTEMS, ITEMS
    quality = 0.5 * rng.normal(size=(SYSTEMS, 1))
    text = quality + 0.5 * rng.normal(size=ITEMS) + rng.normal(size=shape)
    columns = {"human": text + 0.5 * rng.normal(size=shape)}
    for name, error in zip("ab", own, strict=True):
        columns[name] = text + error * rng.normal(size=(SYSTEMS, 1)) + rng.normal(size=shape)
    rows = {"system": np.repeat(np.arange(SYSTEMS), ITEMS), "item": np.tile(np.arange(ITEMS), SYSTEMS)}
    return pd.DataFrame({**rows, **{name: values.ravel() for name, values in columns.items()}})


def truths(own: tuple[float, float]) -> dict[str, float]:
    """The differences in the population of systems: their scores are normal."""
    text = 0.25 + 1 / ITEMS
    r = [text / math.sqrt((text + 0.25 / ITEMS) * (text + error**2 + 1 / ITEMS)) for error in own]
    return {"pearson": r[0] - r[1], "kendall": 2 / math.pi * (math.asin(r[0]) - math.asin(r[1]))}


@repeated(None, 400)
@pytest.mark.parametrize("metrics", list(OWN))
def test_differences_over_systems_are_covered_and_told(metrics: str, reps: int) -> None:
    rng = np.random.default_rng(2007)
    held, told = dict.fromkeys(COVERED, 0), dict.fromkeys(COVERED, 0)
    for seed in range(reps):
        result = outscore.correlate(
            judged(rng, OWN[metrics]), human="human", levels="system", n_resamples=99, seed=seed, jobs=1
        )
        for gain in result.pairs:
            assert gain.ci is not None
            assert gain.p_value is not None
            held[gain.coefficient] += gain.ci[0] <= truths(OWN[metrics])[gain.coefficient] <= gain.ci[1]
            told[gain.coefficient] += gain.p_value <= 0.05 and not gain.ci[0] <= 0 <= gain.ci[1]
    for name, (low, high) in COVERED.items():
        assert least(low, reps) <= held[name] / reps <= most(high, reps), (name, held)
        if metrics == "equal":
            assert told[name] / reps <= most(0.05, reps), (name, told)
        else:
            assert told[name] / reps >= least(FOUND[name], reps), (name, told)
