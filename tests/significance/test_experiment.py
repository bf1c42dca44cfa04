"""What an experiment draws for its panels, beside the definition."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest

import outscore
from outscore.base.arrays import Float
from outscore.engine.design import Design
from outscore.engine.sampling import Engine
from outscore.significance.resamples import BOOTSTRAP, Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.significance.studentized import influences, resample_with_errors


@pytest.mark.parametrize("engine", ["cyclic", "iid"])
def test_a_score_that_is_a_column_of_sums_is_kept_for_each_system(engine: Engine) -> None:
    # three systems that are multiples of each other: so are their redrawn sums, resample by resample
    rng = np.random.default_rng(1)
    base = rng.integers(0, 50, size=(1, 90, 2)).astype(float)
    stats = Statistics("sum", [base, 2 * base, 3 * base], lambda sums: sums[..., 1], Design(90))
    made = Resamples("abc", [stats], 0, Settings(n_resamples=3000, engine=engine)).draw([BOOTSTRAP])
    one, two, three = (made.bootstrap_scores(0, system)[0] for system in range(3))
    np.testing.assert_array_equal(two, 2 * one)
    np.testing.assert_array_equal(three, 3 * one)
    assert len(np.unique(one)) > 100


def test_who_names_no_number_of_resamples_gets_ten_thousand() -> None:
    """Also whoever makes settings by hand: the number that ``compare`` has, and that the pages name."""
    default = inspect.signature(outscore.compare).parameters["n_resamples"].default
    assert Settings().n_resamples == default == 10_000


def test_many_units_have_the_errors_that_their_influences_make() -> None:
    """More units than products of columns, which are not whole: the standard error by either way."""
    rng = np.random.default_rng(5)
    rows = np.stack([rng.integers(0, 9, 90), rng.integers(5, 20, 90)], axis=1).astype(float)

    def ratio(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums[..., 1])

    error = resample_with_errors(rows, ratio, Design(90), Settings(n_resamples=20).sampling).error
    assert error == pytest.approx(math.sqrt(float((influences(rows, ratio) ** 2).sum())), rel=1e-6)
