"""Several runs on items in clusters of unequal size: the level and the coverage of a mean are those of CR2 of one run.

Sizes are lognormal, and large clusters hold most of the items. With the variance of jackknife pseudo-values and one
degree of freedom less than clusters the levels are .09 to .10, and intervals of a score cover in .91.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from outscore.significance.contrast import ScoreContrast
from outscore.significance.crossed import over_runs
from outscore.significance.gain import GainContrast
from tests.laws.support import least, most, p_values, pairing, settings, size

CLUSTERS, SETS = 10, 2000

pytestmark = pytest.mark.slow


def pairs(runs: tuple[int, int], gain: float = 0.0, right: bool = False) -> Iterator[GainContrast]:
    """Items and clusters that each system does well or badly in all of its runs; runs themselves are alike."""
    rng, made = np.random.default_rng(7), settings(1)
    for _ in range(SETS):
        sizes = np.maximum(1, np.exp(rng.normal(np.log(8) - 1.5**2 / 2, 1.5, CLUSTERS)).round()).astype(int)
        labels = np.repeat(np.arange(CLUSTERS), sizes)
        hard, *liked = (rng.normal(size=CLUSTERS)[labels] + rng.normal(size=labels.size) for _ in range(3))
        own, other = (
            hard + 0.7 * like + rng.normal(size=(r, labels.size)) for like, r in zip(liked, runs, strict=True)
        )
        if right:
            own, other = (own > 0).astype(float), (other > 0).astype(float)
        yield pairing(own + gain, other, made, labels)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("runs", [(3, 3), (5, 5), (2, 5)])
def test_level_over_runs_in_unequal_clusters(runs: tuple[int, int], right: bool) -> None:
    # false alarms: 1e-6 for a true level of .055
    assert size(p_values(pairs(runs, right=right), "crossed")["crossed"]) <= most(0.055, SETS)


def test_intervals_of_scores_over_runs_in_unequal_clusters_cover() -> None:
    # false alarm: 1e-6 for a true coverage of .94
    scores = (over_runs(ScoreContrast(pair.resamples, 0, pair.system)) for pair in pairs((3, 3)))
    assert np.mean([found.low <= 0 <= found.high for found in scores]) >= least(0.94, SETS)


def test_power_over_runs_in_unequal_clusters_is_that_of_cr2_t_of_their_means() -> None:
    # of the same sets, where runs do not vary
    found = p_values(pairs((5, 5), gain=1.5), "crossed", "t")
    assert abs(size(found["crossed"]) - size(found["t"])) < 0.03
    assert size(found["crossed"]) > 0.4
