"""How often a comparison errs that is looked at after every item: the table of docs/sequential.md, and its law.

A row of the page that is not what is measured fails with the right row in the message.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from outscore.base.arrays import Bool, Float
from outscore.significance.sequential import ConfidenceSequence, marks_of
from outscore.significance.sequential.betting import Betting
from outscore.significance.sequential.mixture import Mixture
from tests.examples import first
from tests.laws.support import ALPHA, most

ITEMS, RUNS, FIRST = 2000, 1000, 30
PAGE = Path(__file__).parents[2] / "docs" / "sequential.md"

Stream = Callable[[np.random.Generator], Float]


def right_or_wrong(discordant: float) -> Stream:
    return lambda rng: rng.choice([-1.0, 0.0, 1.0], ITEMS, p=[discordant / 2, 1 - discordant, discordant / 2])


def skewed(share: float) -> Stream:
    """Few large gains and many small losses, the mean 0."""
    return lambda rng: np.where(rng.random(ITEMS) < share, 1 - share, -share)


def clusters(rng: np.random.Generator) -> Float:
    """Documents of ten items that share nine tenths of their difference."""
    of_document = np.repeat(rng.uniform(-0.9, 0.9, ITEMS // 10), 10)
    return np.asarray(of_document + rng.uniform(-0.1, 0.1, ITEMS))


STREAMS: dict[str, Stream] = {
    "right or wrong, 2 % discordant": right_or_wrong(0.02),
    "right or wrong, 10 % discordant": right_or_wrong(0.1),
    "right or wrong, 40 % discordant": right_or_wrong(0.4),
    "shares, uniform": lambda rng: rng.uniform(-1, 1, ITEMS),
    "skewed, 10 % carry all gains": skewed(0.1),
    "skewed, 2 % carry all gains": skewed(0.02),
    "documents of 10 items": clusters,
}


def first_alarm(sequence: ConfidenceSequence, gains: Float, size: int = 1) -> bool:
    """Whether the sequence ever excludes 0."""
    sums = gains.reshape(-1, size).sum(axis=1)
    path = sequence.extend(sums, np.full(len(sums), float(size)))
    return bool(path.above[-1, 0] | path.below[-1, 0])


def t_alarms(gains: Float) -> bool:
    """Whether a two-sided t-test at every item from the thirtieth on ever reaches p <= alpha."""
    n = np.arange(1, ITEMS + 1)[FIRST - 1 :]
    mean, squares = (np.cumsum(g)[FIRST - 1 :] / n for g in (gains, gains**2))
    error = np.sqrt(np.maximum(squares - mean**2, 1e-300) / (n - 1))
    p = 2 * special.stdtr(n - 1, -np.abs(mean) / error)
    return bool(((p <= ALPHA) & (error > 1e-9)).any())


def mcnemar_alarms(gains: Float) -> bool:
    """Whether McNemar's exact test at every item ever reaches p <= alpha."""
    won, lost = (np.cumsum(side) for side in (gains > 0, gains < 0))
    p = 2 * special.bdtr(np.minimum(won, lost), won + lost, 0.5)
    return bool((p <= ALPHA).any())


def alarms(name: str) -> dict[str, Bool]:
    """For each method ``(RUNS,)`` whether it errs on a stream whose gain is 0."""
    rng, size = np.random.default_rng(2024), 10 if name.startswith("documents") else 1
    found: dict[str, list[bool]] = {"betting": [], "mixture": [], "t": [], "McNemar": []}
    for _ in range(RUNS):
        gains = STREAMS[name](rng)
        marks = marks_of(None)
        found["betting"].append(
            first_alarm(Betting(alpha=ALPHA, reach=1.0, marks=marks, largest=size, steps=0), gains, size)
        )
        found["mixture"].append(first_alarm(Mixture(alpha=ALPHA, marks=marks), gains, size))
        found["t"].append(t_alarms(gains))
        if name.startswith("right"):
            found["McNemar"].append(mcnemar_alarms(gains))
    return {method: np.array(errors) for method, errors in found.items() if errors}


def row(name: str, found: dict[str, Bool]) -> str:
    rates = (
        f"{found[m].mean():.3f}".removeprefix("0") if m in found else "" for m in ("betting", "mixture", "t", "McNemar")
    )
    return f"| {name} | {' | '.join(rates)} |"


@pytest.mark.slow
@pytest.mark.parametrize("name", STREAMS)
def test_betting_holds_its_level_at_all_items_together_and_the_page_says_so(name: str) -> None:
    # false alarm of the level: 1e-6 a stream; the row is the same for the same seed
    found = alarms(name)
    assert found["betting"].mean() <= most(ALPHA, RUNS)
    assert row(name, found) in PAGE.read_text(encoding="utf-8").splitlines()


def test_betting_holds_its_level_at_every_item_of_short_streams() -> None:
    # 250 streams of 200 items, a third of them discordant; false alarm: 1e-6
    gains = np.random.default_rng(7).choice([-1.0, 0.0, 1.0], (250, 200), p=[1 / 6, 2 / 3, 1 / 6])
    found = [first_alarm(Betting(alpha=0.1, reach=1.0, marks=marks_of(None), steps=0), stream) for stream in gains]
    assert np.mean(found) <= most(0.1, 250)


@pytest.mark.slow
@pytest.mark.parametrize("whole", first([False, True], True))
@pytest.mark.parametrize("streams", first([50, 200], 50))
def test_the_sequence_covers_the_gain_at_all_items_together(streams: int, whole: bool) -> None:
    # gains of .1 of right-or-wrong items, whose two sides differ; streams of 500 items, false alarm: 1e-6
    rng, n = np.random.default_rng(11), 500
    missed = 0
    for _ in range(streams):
        gains = rng.choice([-1.0, 0.0, 1.0], n, p=[0.1, 0.7, 0.2])
        truth = float(gains.mean()) if whole else 0.1
        sequence = Betting(alpha=ALPHA, reach=1.0, marks=np.array([0.0]), population=n if whole else None)
        path = sequence.extend(gains, np.ones(n))
        missed += bool((path.low > truth + 1e-9).any() or (path.high < truth - 1e-9).any())
    assert missed / streams <= most(ALPHA, streams)
