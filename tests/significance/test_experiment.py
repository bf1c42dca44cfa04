"""What an experiment draws for its panels, beside the definition."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.engine.design import Design
from outscore.engine.sampling import Engine
from outscore.significance.experiment import Experiment
from outscore.significance.panel import Panel
from outscore.significance.settings import Settings


@pytest.mark.parametrize("engine", ["cyclic", "iid"])
def test_a_score_that_is_a_column_of_sums_is_kept_for_each_system(engine: Engine) -> None:
    # three systems that are multiples of each other: so are their redrawn sums, resample by resample
    rng = np.random.default_rng(1)
    base = rng.integers(0, 50, size=(1, 90, 2)).astype(float)
    panel = Panel("sum", [base, 2 * base, 3 * base], lambda sums: sums[..., 1], Design(90))
    made = Experiment("abc", [panel], 0, Settings(n_resamples=3000, engine=engine))
    one, two, three = (made.redrawn_scores(0, system)[0] for system in range(3))
    np.testing.assert_array_equal(two, 2 * one)
    np.testing.assert_array_equal(three, 3 * one)
    assert len(np.unique(one)) > 100
