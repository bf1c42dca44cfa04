"""Weights of the Bayesian bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from outscore.engine.resampling import dirichlet_weights


@pytest.mark.parametrize("shapes", [np.ones(5), np.array([0.5, 1.0, 3.0])])
def test_weights_have_the_moments_of_a_dirichlet_law(shapes: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    drawn = np.concatenate([dirichlet_weights(shapes, 7, atom) for atom in range(4000)])
    total = shapes.sum()
    assert drawn.sum(axis=1) == pytest.approx(total)
    expected = stats.dirichlet(shapes)
    # 6 standard errors of a mean; of a variance by a bound on the fourth moment
    assert drawn.mean(axis=0) / total == pytest.approx(expected.mean(), abs=6 * (0.25 / len(drawn)) ** 0.5)
    assert drawn.var(axis=0) / total**2 == pytest.approx(expected.var(), rel=0.06)


def test_weights_do_not_depend_on_what_else_is_drawn() -> None:
    assert (dirichlet_weights(np.ones(9), 3, 5) == dirichlet_weights(np.ones(9), 3, 5)).all()
    assert (dirichlet_weights(np.ones(9), 3, 5) != dirichlet_weights(np.ones(9), 3, 6)).all()
    assert (dirichlet_weights(np.ones(9), 3, 5) != dirichlet_weights(np.ones(9), 4, 5)).all()
