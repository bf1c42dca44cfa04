"""The least data that each method answers, and the numbers at the ends of what can be said."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.significance.bayes import Posterior
from outscore.significance.bayes.table_law import paired_table
from outscore.significance.independent.prob_better import resample_superiority
from outscore.significance.omnibus import OmnibusFinding
from outscore.significance.omnibus.friedman import friedman


def items(n: int, shift: float = 0.3) -> dict[str, list[float]]:
    """Scores of two systems that differ on every item."""
    rng = np.random.default_rng(n)
    base = rng.normal(0, 1, n)
    return {"base": base.tolist(), "new": (base + shift + rng.normal(0, 0.5, n)).tolist()}


def test_two_systems_on_two_blocks_have_ranks_and_one_of_either_has_none() -> None:
    found = friedman(np.array([[1.0, 2.0], [2.0, 5.0], [4.0, 9.0]]))
    assert found.chi2 == pytest.approx(3.0)  # all three blocks agree: N (k - 1)
    for values in (np.ones((3, 1)), np.array([[1.0, 2.0]])):
        with pytest.raises(UsageError, match="need two blocks and two systems"):
            friedman(values)


@pytest.mark.parametrize("strength", [0.5, 1.0, 3.0])
def test_paired_cells_have_the_mean_of_a_dirichlet_law_with_four_cells(strength: float) -> None:
    b, c, n = 7, 3, 40
    assert paired_table(b, c, n, strength).mean == pytest.approx((b - c) / (n + 4 * strength))


@pytest.mark.parametrize("n_resamples", [1, 2, 999])
def test_as_many_chances_are_redrawn_as_were_asked_for(n_resamples: int) -> None:
    found = resample_superiority(np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0]), n_resamples, 5)
    assert found.shape == (n_resamples,)
    assert ((found >= 0) & (found <= 1)).all()


def test_a_p_too_small_for_a_number_is_the_smallest_number_and_not_zero() -> None:
    found = OmnibusFinding(p_value=0.0, p_kind="asymptotic")
    assert 0 < found.p_value < 1e-300  # type: ignore[operator]


def test_all_belief_lies_on_no_difference_where_outputs_are_the_same() -> None:
    found = Posterior.nothing_differs()
    assert (found.better, found.within, found.worse, found.mean, found.ci) == (0.0, 1.0, 0.0, 0.0, (0.0, 0.0))


def test_bayes_answers_two_items_by_students_law_and_not_one() -> None:
    data = items(2)
    (found,) = outscore.bayes(data, method="t").posteriors
    d = np.subtract(data["new"], data["base"])
    ends = stats.t(1, d.mean(), d.std(ddof=1) / np.sqrt(2)).interval(0.95)
    assert found.ci == pytest.approx(ends)


def test_kruskal_wallis_answers_two_runs_of_each_system() -> None:
    runs = {"a": [[1.0, 2.0], [2.0, 4.0]], "b": [[3.0, 6.0], [5.0, 6.0]], "c": [[7.0, 8.0], [9.0, 9.0]]}
    (found,) = outscore.test(runs, "kruskal-wallis").overall
    expected = stats.kruskal(*[np.mean(values, axis=1) for values in runs.values()])
    assert found.effect["statistic"] == pytest.approx(expected.statistic)
