"""Resamples of an experiment, and its settings."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.engine.design import Design
from outscore.engine.sampling import Engine
from outscore.significance.resamples import BOOTSTRAP, Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics


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


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"alpha": 0.001}, {"alpha": 0.0}),
        ({"alpha": 0.5}, {"alpha": 0.51}),
        ({"alpha": 0.5}, {"alpha": 1.0}),
        ({"n_resamples": 1}, {"n_resamples": 0}),
        ({"seed": 0}, {"seed": -1}),
        ({"alpha": 0.499, "alternative": "less"}, {"alpha": 0.5, "alternative": "less"}),
        ({"alpha": 0.5}, {"alpha": 0.5, "alternative": "greater"}),
    ],
)
def test_settings_have_ends(good: dict[str, object], bad: dict[str, object]) -> None:
    made = Settings(**good)  # type: ignore[arg-type]
    tails = 1 if made.alternative == "two-sided" else 2
    assert made.coverage == pytest.approx(1 - tails * made.alpha)
    with pytest.raises(UsageError):
        Settings(**bad)  # type: ignore[arg-type]


def test_a_confidence_in_the_place_of_the_level_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^alpha=0\.95: .*, 0\.05 where"):
        Settings(alpha=0.95)
