"""A metric that ties less than another agrees better with humans by chance alone, which is no claim."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import outscore


@pytest.mark.parametrize(("signal", "shown"), [(0.0, False), (2.0, True)])
def test_no_metric_agrees_better_where_shuffled_judgments_agree_as_well(signal: float, shown: bool) -> None:
    draw = np.random.default_rng(3)
    human, orders = draw.normal(size=(2, 300, 6))
    columns = {"human": human, "orders": orders + signal * human, "ties": draw.integers(0, 2, size=(300, 6))}
    data = pd.DataFrame({name: of.ravel() for name, of in columns.items()})
    data = data.assign(item=np.repeat(range(300), 6), system=[f"s{k}" for k in range(6)] * 300)
    found = outscore.correlate(
        data,
        human="human",
        levels="segment-by-item",
        coefficients="accuracy",
        test="perm-items",
        resample="items",
        n_resamples=99,
    )
    (pair,) = found.pairs
    assert pair.p_value is not None
    assert pair.p_value <= 0.05
    assert ("agrees better" in str(found)) is shown
    assert {c.metric for c in found.correlations if "accuracy_by_chance" in c.notes} >= (
        {"ties"} if shown else {"orders"}
    )
