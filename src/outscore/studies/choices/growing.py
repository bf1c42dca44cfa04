"""Two systems on samples that grow, and on random subsets of the items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.design import Design
from outscore.significance.gain import GainContrast
from outscore.significance.randomization import Randomization
from outscore.significance.sequential.mixture import Method, start
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.studies.shared.pairs import contrast_of

_MOST_RESAMPLES = 1_000_000
_MOST_FOLLOWED = 500  # null versions that are followed item by item
_LARGEST_LOG = 700.0  # of an e-value whose inverse is a float


def order_units(design: Design) -> Int:
    """Numbers of the units ``(units,)`` in the order of their first items."""
    if design.labels is None:
        return np.arange(design.n_units)
    first = np.unique(design.labels, return_index=True)[1]
    return np.argsort(first).astype(np.int64)


def steps_of(design: Design, number: int, order: Int) -> tuple[list[int], list[Bool]]:
    """Units that have come by each of so many equal steps, and the items ``(items,)`` among them.

    Args:
        order: ``(units,)`` numbers of the units as they come.
    """
    n = design.n_units
    steps = [math.ceil(step * n / number) for step in range(1, number + 1)]
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    of_items = place if design.labels is None else place[design.labels]
    return steps, [np.asarray(of_items < step) for step in steps]


@dataclass(frozen=True, kw_only=True)
class Anytime:
    """p of a confidence sequence, which may be looked at after every unit.

    Attributes:
        p: at each step, the smallest so far.
        null_p: ``(steps, versions)`` the same on null versions.
        kind: ``exact`` where scores are bounded, else ``asymptotic``.
    """

    p: list[float]
    null_p: Float
    kind: Literal["exact", "asymptotic"]


def anytime(
    pair: GainContrast, order: Int, steps: Sequence[int], bounds: tuple[float, float], versions: int
) -> Anytime | None:
    """The answer at any time, two-sided; None where the score is no mean of items, which has none.

    Args:
        bounds: lowest and highest score of an item; where scores lie outside the sequence is the asymptotic one.
        versions: null versions, by permutations; at most so many as are followed in reasonable time.
    """
    stats, settings = pair.stats, pair.settings
    if not stats.plain_mean or settings.alternative != "two-sided":
        return None
    values = np.concatenate([stats.items[s][..., 0].ravel() for s in (pair.system, pair.baseline)]) * stats.steps[0]
    bounded = bounds[0] <= values.min() and values.max() <= bounds[1]
    rows = np.stack([pair.differences, np.ones(pair.n_items)], axis=1)
    sums, sizes = stats.design.gather(rows)[order].T
    at = np.array(steps) - 1

    def p_at(signed: Float) -> Float:
        method: Method = "betting" if bounded else "mixture"
        sequence = start(alpha=settings.alpha, bounds=bounds, method=method, largest=int(sizes.max()), ends=False)
        most = np.maximum.accumulate(sequence.extend(signed, sizes).log_e)[at]
        return np.asarray(np.exp(-np.clip(most, 0.0, _LARGEST_LOG)))

    draw = stream(settings.seed, "followed versions")
    followed = min(versions, _MOST_FOLLOWED)
    on_null = np.stack([p_at(sums * draw.choice([-1.0, 1.0], len(sums))) for _ in range(followed)], axis=1)
    return Anytime(p=p_at(sums).tolist(), null_p=on_null, kind="exact" if bounded else "asymptotic")


def p_of_subset(pair: GainContrast, n_units: int, number: int) -> float:
    """p of so many units, drawn at random without replacement, by permutations of their own (randomization, sampled).

    Args:
        number: of the subsample; every one has a seed of its own.
    """
    design = pair.stats.design
    draw = stream(pair.settings.seed, "subsample", number)
    chosen = np.zeros(design.n_units, dtype=bool)
    chosen[draw.permutation(design.n_units)[:n_units]] = True
    items = np.flatnonzero(chosen if design.labels is None else chosen[design.labels])
    settings = replace(pair.settings, seed=int(draw.integers(2**31)))
    return _p(_again(pair.stats.restrict(items), settings), "never")[0]


def p_of_all(pair: GainContrast) -> float:
    """p of all units: exact, or by so many permutations that others would decide alike at alpha, up to a million."""
    p, sure = _p(pair, "auto")
    settings = pair.settings
    while not sure and settings.n_resamples < _MOST_RESAMPLES:
        settings = replace(settings, n_resamples=min(4 * settings.n_resamples, _MOST_RESAMPLES))
        p, sure = _p(_again(pair.stats, settings), "auto")
    return p


def _again(stats: Statistics, settings: Settings) -> GainContrast:
    return contrast_of(stats.items[0], stats.items[1], stats, settings)


def _p(pair: GainContrast, exact: Literal["auto", "never"]) -> tuple[float, bool]:
    outcome = Randomization(exact=exact).run(pair)
    assert outcome.p_value is not None, "permutations always give a p-value"
    return outcome.p_value, outcome.decides(pair.settings.alpha)
