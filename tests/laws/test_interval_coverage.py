"""Coverage of the named intervals, 95 % nominal: the numbers of the manual, held against sums and simulations.

Coverages of counts are summed over their law, without false alarms. A simulated coverage must lie between binomial
quantiles at 1e-6 of the coverages named beside it (false alarms: 2e-6 for each).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as laws

from outscore.significance.contrast import Contrast, ScoreContrast
from outscore.significance.gain import GainContrast
from outscore.significance.interval import intervals
from outscore.significance.proportions import newcombe_paired
from outscore.significance.resamples import BOOTSTRAP
from tests.examples import first
from tests.laws.support import (
    binary_pairing,
    discordant,
    experiment,
    f1_stats,
    least,
    mean_stats,
    most,
    repeated,
    settings,
)
from tests.laws.test_coverage import sentences, true_f1

PAGE = Path(__file__).parents[2] / "docs" / "intervals.md"

SHARES = {  # accuracy .9 on 50 items, .9 on 200, .98 on 200
    "wald": (0.879, 0.927, 0.908),
    "wilson": (0.970, 0.956, 0.933),
    "wilson:continuity=true": (0.970, 0.956, 0.980),
    "clopper-pearson": (0.970, 0.967, 0.962),
    "agresti-coull": (0.970, 0.956, 0.980),
    "jeffreys": (0.942, 0.941, 0.962),
}
PLACES = ((50, 0.9), (200, 0.9), (200, 0.98))

GAINS = {  # items on which one system alone is right: 20 % and 10 % of 30, 10 % and 5 % of 50, 5 % and 5 % of 200
    "wald": (0.933, 0.942, 0.946),
    "bonett-price": (0.964, 0.973, 0.958),
    "tango": (0.957, 0.956, 0.948),
    "newcombe": (0.961, 0.953, 0.957),
}
CELLS = ((30, 0.2, 0.1), (50, 0.1, 0.05), (200, 0.05, 0.05))
BOTH = 0.6
"""Share of the items that both systems get right: only Newcombe's interval depends on it."""

F1 = {  # micro-F1 of one system on 20 and on 100 items, and its gain on as many
    "normal": (0.927, 0.945, 0.933, 0.948),
    "oconnor": (0.932, 0.949, 0.937, 0.953),
    "percentile": (0.928, 0.945, 0.932, 0.946),
    "basic": (0.924, 0.944, 0.937, 0.951),
    "bca": (0.930, 0.947, 0.931, 0.947),
    "studentized": (0.955, 0.953, 0.947, 0.953),
    "delta": (0.948, 0.950, 0.952, 0.954),
    "jackknife": (0.949, 0.950, 0.954, 0.953),
}


def coverage_of_share(name: str, n: int, p: float) -> float:
    method, covered = intervals.make(name), 0.0
    for right, chance in enumerate(laws.binom.pmf(np.arange(n + 1), n, p)):
        if chance > 1e-12:
            pair = binary_pairing(right, 0, n, settings(1))
            ends = method.compute(ScoreContrast(pair.resamples, 0, pair.system))[0]
            assert ends is not None
            covered += chance * (ends[0] <= p <= ends[1])
    return covered


def tables(n: int, better: float, worse: float) -> Iterator[tuple[int, int, int, float]]:
    """All counts (both right, only the system, only the baseline) with their probability, down to negligible ones."""
    for b, c, chance in discordant(n, better, worse):
        agreed = n - b - c
        both = laws.binom.pmf(np.arange(agreed + 1), agreed, BOTH / (1 - better - worse))
        yield from ((k, b, c, chance * p) for k, p in enumerate(both.tolist()) if chance * p > 1e-8)


def coverage_of_gain(name: str, n: int, better: float, worse: float) -> float:
    """Newcombe's by its function, as it takes all of the table; the others through a comparison."""
    truth, covered = better - worse, 0.0
    found: Iterator[tuple[tuple[float, float] | None, float]]
    if name == "newcombe":
        found = ((newcombe_paired(both, b, c, n), chance) for both, b, c, chance in tables(n, better, worse))
    else:
        method = intervals.make(name)
        cells = discordant(n, better, worse)
        found = ((method.compute(binary_pairing(b, c, n, settings(1)))[0], chance) for b, c, chance in cells)
    for ends, chance in found:
        assert ends is not None
        covered += chance * (ends[0] - 1e-12 <= truth <= ends[1] + 1e-12)
    return covered


@pytest.mark.parametrize("name", SHARES)
def test_coverage_of_intervals_of_an_accuracy(name: str) -> None:
    # the oracle ``sim_other``, accuracy_ci_coverage, has those of wald, wilson and clopper-pearson; no false alarm
    found = [coverage_of_share(name, n, p) for n, p in PLACES]
    assert found == pytest.approx(SHARES[name], abs=6e-4)


@pytest.mark.parametrize("name", first(GAINS, "newcombe", others=pytest.mark.slow))
def test_coverage_of_intervals_of_a_gain_in_accuracy(name: str) -> None:
    # no false alarm: summed over the multinomial law
    found = [coverage_of_gain(name, *cell) for cell in CELLS]
    assert found == pytest.approx(GAINS[name], abs=6e-4)


def f1_estimates(what: str, reps: int, n: int, batch: int = 100) -> Iterator[tuple[Contrast, float]]:
    """Independent scores of skill .7, or gains of skill .75 over .65, and their true values."""
    rng = np.random.default_rng(n)
    for start in range(0, reps, batch):
        skills = [0.7] * batch if what == "score" else [0.75, 0.65] * batch
        stats = f1_stats([sentences(rng, n, skill)[None] for skill in skills])
        whole = experiment(stats, settings=settings(999, start)).draw([BOOTSTRAP])
        for k in range(batch):
            if what == "score":
                yield ScoreContrast(whole, 0, k), true_f1()
            else:
                yield GainContrast(whole, 0, 2 * k, 2 * k + 1), true_f1(0.75) - true_f1(0.65)


def f1_coverage(what: str, reps: int, n: int, names: Iterable[str] = F1) -> dict[str, float]:
    methods = {name: intervals.make(name) for name in names}
    covered = dict.fromkeys(methods, 0)
    for estimate, truth in f1_estimates(what, reps, n):
        for name, method in methods.items():
            ends = method.compute(estimate)[0]
            assert ends is not None
            covered[name] += ends[0] <= truth <= ends[1]
    return {name: hits / reps for name, hits in covered.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "what", "n"),
    first([(0, "score", 20), (1, "score", 100), (2, "gain", 20), (3, "gain", 100)], (0, "score", 20)),
)
def test_coverage_of_intervals_of_a_corpus_score_and_its_gain(column: int, what: str, n: int) -> None:
    # true coverages within .01 of those of the manual; 100 data sets share their resamples
    reps = 2000
    for name, found in f1_coverage(what, reps, n).items():
        stated = F1[name][column]
        assert least(stated - 0.01, reps) <= found <= most(stated + 0.01, reps), name


@repeated(200, 600)
@pytest.mark.slow
def test_few_items_tell_the_studentized_interval_from_the_basic_one(reps: int) -> None:
    # micro-F1, n = 20: .961 and .906 in the oracle; true coverages at least .945 and at most .945
    found = f1_coverage("score", reps, 20, ("studentized", "basic"))
    assert found["studentized"] >= least(0.945, reps)
    assert found["basic"] <= most(0.945, reps)


def family(rng: np.random.Generator, n: int, m: int = 6, rho: float = 0.8) -> list[GainContrast]:
    """One system against another under ``m`` metrics whose differences correlate by ``rho``; no gain at all."""
    shared = rng.normal(size=n) * np.sqrt(rho)
    d = shared + rng.normal(size=(m, n)) * np.sqrt(1 - rho)
    by_metric = [mean_stats([np.zeros((1, n)), row[None]], name=f"m{k}") for k, row in enumerate(d)]
    whole = experiment(*by_metric, settings=settings(499, int(rng.integers(2**31))))
    return [GainContrast(whole, p, 1) for p in range(m)]


def jointly(names: Iterable[str], reps: int, n: int) -> dict[str, float]:
    """How often each kind of interval covers all gains of a family at once."""
    methods, rng = {name: intervals.make(name) for name in names}, np.random.default_rng(n)
    covered = dict.fromkeys(methods, 0)
    for _ in range(reps):
        gains = list(family(rng, n))
        for name, method in methods.items():
            ends = np.array([method.compute(gain)[0] for gain in gains], dtype=float)
            covered[name] += bool(((ends[:, 0] <= 0) & (ends[:, 1] >= 0)).all())
    return {name: hits / reps for name, hits in covered.items()}


JOINT = {"max-t": 0.937, "basic": 0.851}  # six metrics that correlate by .8, 100 items


@pytest.mark.slow
def test_bands_cover_a_family_where_single_intervals_do_not() -> None:
    # a true joint coverage between .92 and .96; on the same data 5 of 250 times more often than single intervals,
    # where 21 are expected (false alarm: 3e-6)
    reps = 250
    bands, single = jointly(("max-t", "basic"), reps, 100).values()
    assert least(0.92, reps) <= bands <= most(0.96, reps)
    assert bands - single >= 5 / reps - 1e-9


@pytest.mark.nightly
def test_joint_coverage_is_that_of_the_manual() -> None:
    # within .01 of the stated
    reps = 3000
    for name, found in jointly(JOINT, reps, 100).items():
        assert least(JOINT[name] - 0.01, reps) <= found <= most(JOINT[name] + 0.01, reps), name


def test_the_manual_states_these_numbers() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for share in JOINT.values():
        assert f"in {printed(share)}" in page


def printed(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")
