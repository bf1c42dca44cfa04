"""Named tests of several systems at once, by file or family: is there any difference among them at all?

Such a test sees ``Groups``: the numbers of every system, either independent of each other (runs, items of their own)
or in blocks (the same items). It may bring the pairs that differ, at a level that holds for all pairs together.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import Registry
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
    families={"welch-anova": "anova"},
)
omnibus_test = omnibus_tests.register
