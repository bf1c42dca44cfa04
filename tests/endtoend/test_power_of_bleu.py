"""Power simulated from ``mt_wmt22_de-en``, beside test sets really resampled from it and judged by other code.

Oracle: sacrebleu's statistics of each segment, drawn with replacement, and a randomization test in plain numpy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

import outscore
from outscore.base.arrays import Float

pytestmark = [pytest.mark.data, pytest.mark.slow]

BASELINE, SYSTEM = "Online-W", "Online-A"
SIZES = (200, 500, 1000)
SETS, RELABELLINGS = 1000, 999


@pytest.fixture(scope="module")
def folder(unpacked: Callable[[str], Path]) -> Path:
    return unpacked("mt_wmt22_de-en")


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def counts(folder: Path, system: str) -> Float:
    """sacrebleu's ``[lengths, matches 1..4, totals 1..4]`` of each segment."""
    rows = BLEU()._extract_corpus_statistics(lines(folder / f"{system}.txt"), [lines(folder / "ref.A.txt")])
    return np.array(rows, dtype=np.float64)


def bleu(sums: Float) -> Float:
    """BLEU without smoothing: every order has matches on hundreds of segments."""
    logs = np.log(sums[..., 2:6] / sums[..., 6:10]).mean(axis=-1)
    return np.asarray(100 * np.exp(logs + np.minimum(0.0, 1 - sums[..., 1] / sums[..., 0])))


def share_of_significant(system: Float, baseline: Float, n: int) -> float:
    """How often a randomization test of 999 relabellings rejects at 5 % on n segments drawn with replacement."""
    rng = np.random.default_rng(n)
    found = 0
    for _ in range(SETS):
        drawn = rng.integers(len(system), size=n)
        a, b = system[drawn], baseline[drawn]
        gain = bleu(a.sum(axis=0)) - bleu(b.sum(axis=0))
        moved = (rng.random((RELABELLINGS, n)) < 0.5).astype(np.float64) @ (b - a)
        gains = bleu(a.sum(axis=0) + moved) - bleu(b.sum(axis=0) - moved)
        exceeded = int((np.abs(gains) >= abs(gain) - 1e-9).sum())
        found += (exceeded + 1) / (RELABELLINGS + 1) <= 0.05
    return found / SETS


@pytest.mark.nightly
def test_simulated_power_is_the_share_of_significant_results_on_resampled_test_sets(folder: Path) -> None:
    # both are simulated: within 3.5 standard errors of their difference at three sizes; false alarm 1 in 700
    data = outscore.read(
        [str(folder / f"{name}.txt") for name in (BASELINE, SYSTEM)], references=str(folder / "ref.A.txt")
    )
    planned = outscore.plan(data, metric="bleu", effect="pilot", sizes=SIZES, simulations=SETS)
    system, baseline = counts(folder, SYSTEM), counts(folder, BASELINE)
    for point in planned.points:
        share = share_of_significant(system, baseline, point.n)
        error = math.sqrt((share * (1 - share) + point.power * (1 - point.power)) / SETS)
        assert point.power == pytest.approx(share, abs=3.5 * error), (point.n, point.power, share)
    assert planned.points[0].power < planned.points[1].power < planned.points[2].power
