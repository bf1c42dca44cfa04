"""Cochran's Q."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.notes import IDENTICAL
from outscore.significance.omnibus import Groups, OmnibusFinding, omnibus_tests, permutation_p
from outscore.significance.omnibus.friedman import cochran_q, informative
from outscore.significance.settings import Settings
from tests.significance.omnibus.test_omnibus import of_items


def test_cochran_of_two_systems_is_mcnemar() -> None:
    rng = np.random.default_rng(12)
    table = (rng.random((30, 2)) < (0.5, 0.8)).astype(float)
    b, c = int((table[:, 1] > table[:, 0]).sum()), int((table[:, 1] < table[:, 0]).sum())
    for law, method in (("chi2", "chi2"), ("permutation", "exact")):
        found = omnibus_tests.make(f"cochran-q:law={law}").run(of_items(table))
        assert found.p_value == pytest.approx(DiscordantPairs(b, c).p(method), rel=1e-9)  # type: ignore[arg-type]


def test_cochran_of_identical_systems() -> None:
    table = np.array([[1, 1, 1], [0, 0, 0]])
    assert math.isnan(cochran_q(table))
    assert (permutation_p(table), informative(table)) == (1.0, 0)
    with pytest.raises(UsageError):
        cochran_q(np.array([[2, 1]]))


def answered(table: Float) -> OmnibusFinding:
    """Cochran's Q of items that are right or wrong ``(items, systems)``."""
    names, columns = tuple(f"system {s}" for s in range(table.shape[1])), tuple(table.T)
    given = Groups(names=names, values=columns, unit="item", blocks=True, settings=Settings())
    return omnibus_tests.make("cochran-q").run(given)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_items_that_all_systems_get_right_tell_nothing_and_one_that_some_do_has_degrees_of_freedom(k: int) -> None:
    table = np.ones((4, k))
    assert math.isnan(cochran_q(table))
    assert informative(table) == 0
    alike = answered(table)
    assert (alike.p_value, alike.notes, alike.effect) == (1.0, (IDENTICAL,), {})
    table[0, 0] = 0.0
    told = answered(table)
    assert (told.effect["df"], told.effect["n_informative"]) == (k - 1, 1)
    assert IDENTICAL not in told.notes
