"""Families of four systems that are tested at once."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from grid.family import RUN_SIZES, SIZES, Family, f_noncentrality
from outscore.base.arrays import Float
from outscore.significance.omnibus import Groups
from outscore.significance.settings import Settings

SYSTEMS = 4
_NAMES = tuple("abcd")
_STEPS = np.array([-1.5, -0.5, 0.5, 1.5])
_APART = frozenset({"means", "means, spreads alike", "distributions"})
_BLOCKS = frozenset({"exchangeable", "proportions"})


def _spacing(n: int, variance: float, denominator: int) -> Float:
    """Means of the systems, equally far from each other."""
    wanted = f_noncentrality(SYSTEMS - 1, denominator)
    return np.asarray(_STEPS * math.sqrt(wanted * variance / (n * float(_STEPS @ _STEPS))))


def _apart(
    name: str,
    words: str,
    holds: frozenset[str],
    draw: Callable[[np.random.Generator, int], Float],
    *,
    spreads: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
    runs: bool = False,
) -> Family:
    """Systems with numbers of their own, of mean 0 and variance 1, times a spread of each."""

    def made(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> Groups:
        shifts = effect * _spacing(n, float(np.mean(np.square(spreads))), SYSTEMS * (n - 1))
        values = tuple(spread * draw(rng, n) + shift for spread, shift in zip(spreads, shifts, strict=True))
        return Groups(names=_NAMES, values=values, unit="run" if runs else "item", blocks=False, settings=settings)

    return Family(name, words, "groups", holds, made, sizes=RUN_SIZES if runs else SIZES)


def _blocks(name: str, words: str, draw: Callable[[np.random.Generator, int, bool], Float]) -> Family:
    """Systems that answered the same items: ``draw`` gives ``(n, systems)``."""

    def made(rng: np.random.Generator, n: int, effect: bool, settings: Settings) -> Groups:
        values = tuple(np.ascontiguousarray(draw(rng, n, effect).T))
        return Groups(names=_NAMES, values=values, unit="item", blocks=True, settings=settings)

    return Family(name, words, "groups", _BLOCKS, made)


def _normal_blocks(rng: np.random.Generator, n: int, effect: bool) -> Float:
    shifts = effect * _spacing(n, 1.0, (SYSTEMS - 1) * (n - 1))
    return np.asarray(rng.normal(size=(n, 1)) + rng.normal(size=(n, SYSTEMS)) + shifts)


def _tied_blocks(rng: np.random.Generator, n: int, effect: bool) -> Float:
    return np.asarray(np.rint(_normal_blocks(rng, n, effect)))


def _right_or_wrong(rng: np.random.Generator, n: int, effect: bool) -> Float:
    shifts = effect * _spacing(n, 1 / 6, (SYSTEMS - 1) * (n - 1))
    return np.asarray(rng.random((n, SYSTEMS)) < rng.beta(2, 1, size=(n, 1)) + shifts, dtype=np.float64)


def _normal(rng: np.random.Generator, n: int) -> Float:
    return rng.normal(size=n)


GROUPS: tuple[Family, ...] = (
    _apart("runs", "scores of runs of four systems, normal, alike", _APART, _normal, runs=True),
    _apart(
        "runs, unequal spreads",
        "scores of runs of four systems, normal, spread as 1, 1, 2 and 4",
        frozenset({"means"}),
        _normal,
        spreads=(1.0, 1.0, 2.0, 4.0),
        runs=True,
    ),
    _apart("skewed", "four systems, exponential, alike", _APART, lambda rng, n: np.asarray(rng.exponential(size=n))),
    _blocks("blocks", "four systems on the same items, normal", _normal_blocks),
    _blocks("blocks, ties", "four systems on the same items, normal and rounded to whole numbers", _tied_blocks),
    _blocks("blocks, right or wrong", "four systems right or wrong on the same items", _right_or_wrong),
)
