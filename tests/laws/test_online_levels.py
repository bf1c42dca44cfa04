"""Error rates of corrections over simulated histories of a test set, as long as a team would make them.

A history is 60 uses. ``independent``: every use has items of its own. ``shared``: all systems answer the same items
and are compared with the same baseline by a t test, as uses at one test set are. False alarms: 1e-6 for each bound
(see ``support``). The false-discovery rate is the mean of a share in [0, 1], which spreads no more than the
proportion that the bound is made for.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Array, Float
from outscore.multiplicity.online import PROCEDURES, online_levels
from tests.laws.support import ALPHA, least, most

AUTO_SIZES, ITEMS, HISTORIES = 60, 100, 1500

pytestmark = pytest.mark.slow


def history(rng: np.random.Generator, share: float, gain: float, *, shared: bool) -> tuple[Float, Array]:
    """p-values ``(uses,)`` and which of their null hypotheses are false.

    Args:
        share: of uses with a true gain, of ``gain`` standard errors.
    """
    true = rng.random(AUTO_SIZES) < share
    effect = np.where(true, gain / np.sqrt(ITEMS) * np.sqrt(2), 0.0)
    baseline = rng.normal(size=(1 if shared else AUTO_SIZES, ITEMS))
    d = rng.normal(size=(AUTO_SIZES, ITEMS)) + effect[:, None] - baseline
    t = d.mean(axis=1) / (d.std(axis=1, ddof=1) / np.sqrt(ITEMS))
    return np.asarray(2 * stats.t.sf(np.abs(t), ITEMS - 1)), true


def error_rates(name: str, share: float, gain: float, *, shared: bool) -> tuple[float, float, float]:
    """Family-wise error, false-discovery rate, and the share of true gains that are found."""
    rng = np.random.default_rng(20260713)
    any_false, proportion, found = 0, 0.0, []
    for _ in range(HISTORIES):
        p, true = history(rng, share, gain, shared=shared)
        rejected = p <= (ALPHA if name == "none" else online_levels(p, name, ALPHA))
        any_false += bool((rejected & ~true).any())
        proportion += (rejected & ~true).sum() / max(rejected.sum(), 1)
        found.append((rejected & true).sum() / max(true.sum(), 1))
    return any_false / HISTORIES, proportion / HISTORIES, float(np.mean(found))


@pytest.mark.parametrize("shared", [False, True], ids=["independent", "shared"])
@pytest.mark.parametrize(("share", "gain"), [(0.0, 0.0), (0.3, 3.0)], ids=["no gains", "gains"])
def test_alpha_spending_holds_the_family_wise_error_however_uses_depend(
    share: float, gain: float, *, shared: bool
) -> None:
    wrong, _, _ = error_rates("alpha-spending", share, gain, shared=shared)
    assert wrong <= most(ALPHA, HISTORIES)


@pytest.mark.parametrize("name", PROCEDURES)
@pytest.mark.parametrize(("share", "gain"), [(0.0, 0.0), (0.3, 3.0), (0.6, 4.0)], ids=["none", "some", "many"])
def test_the_false_discovery_rate_is_held_over_independent_uses(name: str, share: float, gain: float) -> None:
    _, rate, _ = error_rates(name, share, gain, shared=False)
    assert rate <= most(ALPHA, HISTORIES)


@pytest.mark.parametrize(("share", "gain"), [(0.0, 0.0), (0.3, 3.0), (0.6, 4.0)], ids=["none", "some", "many"])
def test_lond_holds_the_false_discovery_rate_over_uses_at_one_test_set(share: float, gain: float) -> None:
    _, rate, _ = error_rates("lond", share, gain, shared=True)
    assert rate <= most(ALPHA, HISTORIES)


def test_without_a_correction_most_histories_hold_a_false_finding() -> None:
    assert error_rates("none", 0.0, 0.0, shared=True)[0] >= least(0.5, HISTORIES)


@pytest.mark.parametrize("name", ["none", *PROCEDURES])
def test_the_manual_shows_what_is_measured_over_uses_at_one_test_set(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "history.md").read_text(encoding="utf-8")
    head = "no correction" if name == "none" else f"`{name}`"
    (row,) = re.findall(rf"^\| {head} \| (\.\d.*) \|$", page, flags=re.MULTILINE)
    wrong, _, _ = error_rates(name, 0.0, 0.0, shared=True)
    said = [f"{wrong:.2f}"]
    for share, gain in ((0.3, 3.0), (0.6, 4.0)):
        _, rate, found = error_rates(name, share, gain, shared=True)
        said += [f"{rate:.3f}", f"{100 * found:.0f} %"]
    assert [cell.strip() for cell in row.split("|")] == [cell.removeprefix("0") or "0" for cell in said]


def test_corrections_that_learn_find_more_than_alpha_spending() -> None:
    power = {name: error_rates(name, 0.6, 4.0, shared=False)[2] for name in PROCEDURES}
    assert power["alpha-spending"] <= power["lond"] < power["lord"] < power["addis"]
