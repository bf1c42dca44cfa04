"""Named tests of several systems at once, by file or family: is there any difference among them at all?

Such a test sees ``Groups``: the numbers of every system, either independent of each other (runs, items of their own)
or in blocks (the same items). It may bring the pairs that differ, at a level that holds for all pairs together.

The permutation law behind Cochran's and Friedman's tests is that of whole numbers, permuted within each block. The
statistic is Σ G², G the sums of the systems over the blocks: both tests grow with it, whatever the permutation.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from itertools import permutations

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import Registry
from outscore.base.rng import stream
from outscore.engine.extreme import p_from_count
from outscore.engine.montecarlo import Exceedances
from outscore.significance import MONTE_CARLO, Named
from outscore.significance.independent import Unit
from outscore.significance.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Groups:
    """The numbers measured on several systems.

    Attributes:
        names: the systems.
        values: for each system ``(n_s,)`` numbers, signed so that more is better. Numbers that tie are equal as floats.
        unit: what one number stands for, a ``run`` or an ``item``.
        blocks: the i-th number of every system belongs to the same item.
        settings: level, resampling.
    """

    names: tuple[str, ...]
    values: tuple[Float, ...]
    unit: Unit
    blocks: bool
    settings: Settings

    @cached_property
    def matrix(self) -> Float:
        """``(n, systems)`` where the numbers come in blocks."""
        return np.stack(self.values, axis=1)

    @cached_property
    def constant(self) -> bool:
        """All numbers of all systems are the same: there is nothing to test."""
        return all(bool((v == self.values[0][0]).all()) for v in self.values)


@dataclass(frozen=True, kw_only=True)
class PostHoc:
    """Two of the systems, after all were tested together.

    Attributes:
        system, baseline: numbers of the systems.
        gain: what separates them, in ``unit``; ``ci`` its interval, simultaneous over all pairs, where there is one.
        p_adjusted: adjusted over all pairs; NaN where nothing varies that could tell them apart.
    """

    system: int
    baseline: int
    gain: float
    p_adjusted: float
    ci: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class OmnibusFinding:
    """The outcome of a test of several systems.

    Attributes:
        p_value, p_kind, p_error, n_resamples: as in ``Outcome``.
        effect: named numbers that belong to the test (statistic, degrees of freedom, mean ranks).
        pairs: the pairs of systems, where the test brings them; ``pairs_method`` names how they were corrected.
        notes: what a reader must know.
    """

    p_value: float | None
    p_kind: str
    p_error: float | None = None
    n_resamples: int | None = None
    effect: Mapping[str, float | int | str | None] = field(default_factory=dict)
    pairs: tuple[PostHoc, ...] = ()
    pairs_method: str = ""
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if self.p_value == 0.0:  # a tail below the smallest double is small, not impossible
            object.__setattr__(self, "p_value", math.ulp(0.0))


def make_finding(
    exceedances: Exceedances,
    *,
    effect: Mapping[str, float | int | str | None],
    pairs: tuple[PostHoc, ...] = (),
    pairs_method: str = "",
    notes: tuple[Note, ...] = (),
) -> OmnibusFinding:
    """The finding of a test by resampling, from the resamples that count against the null hypothesis."""
    return OmnibusFinding(
        p_value=p_from_count(exceedances.total, exceedances.drawn),
        p_kind=MONTE_CARLO,
        p_error=exceedances.error,
        n_resamples=exceedances.drawn,
        effect={"exceedances": exceedances.total, **effect},
        pairs=pairs,
        pairs_method=pairs_method,
        notes=notes,
    )


@dataclass(frozen=True)
class OmnibusTest(Named):
    """One named test of several systems at once."""

    @abstractmethod
    def question(self, groups: Groups) -> str:
        """The question that the test answers for these systems, in words."""

    @abstractmethod
    def refuses(self, groups: Groups) -> str | None:
        """Why the test cannot answer for these systems, with what to use instead; None if it can."""

    @abstractmethod
    def run(self, groups: Groups) -> OmnibusFinding:
        """The finding for systems that are not refused."""


omnibus_tests: Registry[OmnibusTest] = Registry(
    "test of several systems",
    "outscore.significance.omnibus",
    "outscore.omnibus_tests",
    families={"welch-anova": "anova", "cochran-q": "friedman"},
)
omnibus_test = omnibus_tests.register


MOST_SUMS = 2**20
"""Sums held at once above which the enumeration is given up: a second of work as a rule."""

_MOST_STEPS = 2**22
_MOST_SYSTEMS = 7  # whose orders are written out
_BLOCK_CELLS = 2**20


def permutation_p(table: Int) -> float | None:
    """P(ΣG² >= observed) over all permutations within blocks, each equally likely; None if they are too many.

    Systems are interchangeable under the null hypothesis, so states are sorted sums; ties within a block and equal
    blocks need no care, they only merge states.

    Args:
        table: ``(blocks, k)`` whole numbers, none below 0.
    """
    _, k = table.shape
    informative = table[(table != table[:, :1]).any(axis=1)]
    if (informative == informative[:1]).all():
        # blocks that all agree have the largest sum of squares, which no other permutation reaches
        return float(_orders(informative[0])) ** (1 - len(informative)) if len(informative) else 1.0
    if k > _MOST_SYSTEMS or _cost(informative) > _MOST_STEPS:
        return None
    observed = int((informative.sum(axis=0) ** 2).sum())
    base = int(informative.sum()) + 1
    if base**k >= 2**62:
        return None
    digits = base ** np.arange(k)
    states: Int = np.zeros((1, k), dtype=np.int64)
    mass: Float = np.ones(1)
    for block in informative:
        orders, ways = np.unique(list(permutations(block.tolist())), axis=0, return_counts=True)
        if len(states) * len(orders) > MOST_SUMS:
            return None
        grown = np.sort((states[:, None, :] + orders).reshape(-1, k), axis=1)
        share = np.outer(mass, ways / ways.sum()).ravel()
        _, first, place = np.unique(grown @ digits, return_index=True, return_inverse=True)
        states = grown[first]
        mass = np.bincount(place, weights=share).astype(np.float64)
    return min(1.0, float(mass[(states**2).sum(axis=1) >= observed].sum()))


def permutation_exceedances(table: Int, n_resamples: int, seed: int) -> Exceedances:
    """How many of ``n_resamples`` random permutations within blocks reach the observed ΣG²."""
    n, k = table.shape
    observed = int((table.sum(axis=0) ** 2).sum())
    size = max(1, _BLOCK_CELLS // (n * k))
    reached = 0
    for block, start in enumerate(range(0, n_resamples, size)):
        drawn = min(size, n_resamples - start)
        generator = stream(seed, "permutation within blocks", block)
        moved: Int = generator.permuted(np.broadcast_to(table, (drawn, n, k)), axis=2)
        reached += int(((moved.sum(axis=1) ** 2).sum(axis=1) >= observed).sum())
    return Exceedances(np.array([reached]), np.array([n_resamples]))


def block_ranks(values: Float) -> Int:
    """Twice the mid-ranks within each block ``(blocks, k)``, rank 1 for the largest."""
    above = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    return np.asarray(2 * above + equal + 1, dtype=np.int64)


def _cost(table: Int) -> float:
    """About how many sums the enumeration goes through: sorted sums of k numbers in reach, for each block."""
    n, k = table.shape
    above = table - table.min(axis=1, keepdims=True)
    reach = int(above.max(axis=1).sum()) / int(np.gcd.reduce(above, axis=None))
    return float(n * reach ** (k - 1) / math.factorial(k))


def _orders(block: Int) -> int:
    """Different orders of the numbers of a block."""
    return math.factorial(block.size) // math.prod(math.factorial(t) for t in np.unique_counts(block).counts.tolist())
