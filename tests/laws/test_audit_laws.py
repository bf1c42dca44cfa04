"""What an audit says of tests whose level is known."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.base.arrays import Float
from outscore.significance import Test, tests
from outscore.significance.audit import AuditTally, audit
from outscore.significance.gain import GainContrast
from outscore.significance.nulls import NewRunsAndItems, null_versions
from tests.examples import first
from tests.significance.test_nulls import pair_of


def levels(
    pair: GainContrast, names: tuple[str, ...], rounds: int, *, blind: bool = False
) -> dict[str, list[AuditTally]]:
    planned: list[Test] = [tests.make(name) for name in names]
    plans = [(null, planned) for null in null_versions(pair, blind=blind)]
    found = audit(plans, rounds=range(rounds), seed=1, alpha=0.05)
    return {null.name: tallies for (null, _), tallies in zip(plans, found, strict=True)}


@pytest.mark.slow
def test_t_on_normal_data_holds_and_its_interval_covers() -> None:
    """Rejections ~ Bin(1000, .05): outside 25..80 in 2 of 10,000 runs; the seed is fixed."""
    pair = pair_of(*np.random.default_rng(1).normal(0, 1, (2, 1, 100)))
    for tallies in levels(pair, ("t",), 1000).values():
        assert 25 <= tallies[0].rejections <= 80
        assert 920 <= tallies[0].covered <= 975


def clustered(rng: np.random.Generator) -> GainContrast:
    """40 clusters of 5 with an intraclass correlation of .5."""
    a, b = rng.normal(0, 1, (2, 1, 40)).repeat(5, axis=2) + rng.normal(0, 1, (2, 1, 200))
    return pair_of(a, b, clusters=[f"c{i // 5}" for i in range(200)])


@pytest.mark.slow
def test_ignoring_strong_clusters_is_found_out() -> None:
    """The true level is .26 to .29; 200 rounds tell it from .10 by five standard errors."""
    pair = clustered(np.random.default_rng(2))
    for tallies in levels(pair, ("t",), 200, blind=True).values():
        assert 0.15 < tallies[0].rejections / 200 < 0.42
        assert tallies[0].covered / 200 < 0.85
    for tallies in levels(pair, ("t",), 200).values():
        assert tallies[0].rejections / 200 < 0.10


@pytest.mark.slow
@pytest.mark.parametrize("between", first([0.0, 0.1, 0.2], 0.1))
def test_levels_over_runs_and_items_are_those_of_the_model_they_were_drawn_from(between: float) -> None:
    """The audit of 40 data sets against the truth by 1,000 more; .06 is 4 standard errors of what differs between data
    sets, and the level of an estimated variance is a little higher as it cannot be negative.
    """
    names = ("crossed", "t", "runs", "multeval")
    planned = [tests.make(name) for name in names]
    rng = np.random.default_rng(5)

    def world(gain: float) -> GainContrast:
        items = rng.normal(0, 1, 100)

        def system() -> Float:
            runs, cells = rng.normal(0, between, (5, 1)), rng.normal(0, 0.6, (5, 100))
            return np.asarray(items + rng.normal(0, 0.4, 100) + runs + cells)

        return pair_of(system(), system() + gain)

    true = np.zeros(len(names))
    for _ in range(1000):
        pair = world(0.0)
        true += [(test.run(pair).p_value or 1.0) <= 0.05 for test in planned]
    found = np.zeros(len(names))
    for _ in range(40):
        (tallies,) = audit([(NewRunsAndItems(world(0.3)), planned)], rounds=range(50), seed=1, alpha=0.05)
        found += [tally.rejections for tally in tallies]
    for name, truth, measured in zip(names, true / 1000, found / 2000, strict=True):
        assert measured == pytest.approx(truth, abs=0.06), name
    assert found[0] / 2000 < 0.08
    assert found[3] / 2000 > 0.12
