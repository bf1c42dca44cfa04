"""Named tests of two samples that are independent of each other, one file for each test or family of tests.

A sample holds runs, or items that nobody shares.

Such a test sees ``IndependentSamples``: one number for each run, or for each item, of two systems. Where both systems
answered the same items, the tests of pairs are stronger, and the items cannot be taken for independent samples.
Notes, outcomes without a test and the interval of several tests are here too.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import Registry
from outscore.engine.extreme import tolerance
from outscore.significance import Named, Outcome, notes
from outscore.significance.means import welch
from outscore.significance.proportions import newcombe
from outscore.significance.settings import Settings

Unit = Literal["run", "item"]


@dataclass(frozen=True, kw_only=True)
class IndependentSamples:
    """The numbers measured on two systems, taken as independent samples.

    Attributes:
        system, baseline: ``(n,)`` and ``(m,)`` numbers, signed so that more is better. Numbers that tie are equal as
            floats.
        unit: what one number stands for: the score of a ``run`` on the whole test set, or of an ``item``.
        settings: side, level, resampling.
        shared: both systems answered the same items, so the samples are not independent.
        by_item: ``(n, items)`` and ``(m, items)``, of runs of a mean of items the numbers of these, signed alike.
    """

    system: Float
    baseline: Float
    unit: Unit
    settings: Settings
    shared: bool = False
    by_item: tuple[Float, Float] | None = None

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of the system and of the baseline."""
        return self.system.size, self.baseline.size

    @cached_property
    def gain(self) -> float:
        """Mean of the system minus mean of the baseline."""
        return float(self.system.mean() - self.baseline.mean())

    @cached_property
    def slack(self) -> float:
        """Rounding tolerance for comparing differences of means."""
        return tolerance(float(max(np.abs(self.system).max(), np.abs(self.baseline).max())))

    @cached_property
    def constant(self) -> bool:
        """All numbers of both systems are the same: there is nothing to test.

        Samples that are equal number by number are not: independent ones could have come in any order, and every test
        gives them its own p.
        """
        return bool((self.system == self.system[0]).all() and (self.baseline == self.system[0]).all())

    @cached_property
    def pooled(self) -> Float:
        """``(n + m,)`` the numbers of the system, then those of the baseline."""
        return np.concatenate([self.system, self.baseline])

    @cached_property
    def binary(self) -> bool:
        """Every number says right or wrong: 1 or 0, or, where fewer is better, 0 or -1."""
        return any(bool(np.isin(self.pooled, values).all()) for values in ((0.0, 1.0), (-1.0, 0.0)))

    @cached_property
    def right(self) -> tuple[int, int]:
        """How many numbers of the system and of the baseline are right, where they are right or wrong."""
        best = 0.0 if self.pooled.min() < 0 else 1.0
        return int((self.system == best).sum()), int((self.baseline == best).sum())


@dataclass(frozen=True)
class IndependentTest(Named):
    """One named test of two independent samples."""

    def question(self, samples: IndependentSamples) -> str:
        """The question that the test answers for these samples, in words."""
        if samples.unit == "run":
            return "do new runs differ on this very test set? (items fixed)"
        return "do the systems differ on new items of their own?"

    def refuses(self, samples: IndependentSamples) -> str | None:
        """Why the test cannot answer for these samples, with what to use instead; None if it can, as by default."""
        return None

    @abstractmethod
    def run(self, samples: IndependentSamples) -> Outcome:
        """The outcome for samples that are not refused."""


independent_tests: Registry[IndependentTest] = Registry(
    "test of independent samples",
    "outscore.significance.independent",
    "outscore.independent_tests",
    families={
        "welch": "t_tests",
        "student": "t_tests",
        "prob-better": "brunner_munzel",
        "fisher": "proportions",
        "chi2": "proportions",
        "two-proportions": "proportions",
    },
)
independent_test = independent_tests.register


PAIRED_DATA = Note(
    code="paired_data",
    text=(
        "the systems were measured on the same items, so their numbers are not independent samples: this test ignores "
        "the pairs, which as a rule makes p too large"
    ),
    remedy="use a test of pairs, as --test auto does",
)
CONSTANT_SAMPLES = Note(
    code="constant_samples",
    text="neither system's numbers vary, so there is no variance to judge their difference by",
    remedy="use permutation, which is exact",
)
SMALL_SAMPLES = Note(
    code="small_samples",
    text="fewer than 30 numbers of a system: a bootstrap of so few rejects too often",
    remedy="use permutation, or give more runs or items",
)
SMALL_EXPECTED = Note(
    code="small_expected_counts",
    text="a cell of the table has an expected count below 5, too small for the normal approximation",
    remedy="use fisher",
)
NO_OVERLAP = Note(
    code="no_overlap",
    text="all numbers of one system lie above all of the other, so the estimated error is 0 and t says nothing",
    remedy="use brunner-munzel:variant=permutation",
)
UNEQUAL_SPREADS = Note(
    code="unequal_spreads",
    text=(
        "the spreads of the systems differ more than twofold, and one has fewer than 30 numbers: of equal means the "
        "permutation law is then an approximation (n = 10: 2 % of cases at a level of 1 %)"
    ),
    remedy="use welch beside it",
)
SKEWED_SAMPLES = Note(
    code="skewed_samples",
    text=(
        "a sample is skewed for its size (n < 25 skew²): where the spreads of the systems differ too, a test of equal "
        "means rejects too often (exponential numbers, one spread three times the other, n = 20: 7 % instead of 5 %)"
    ),
    remedy="collect more runs or items; brunner-munzel asks a question that skewness does not touch",
)
FEW_OF_A_SYSTEM = Note(
    code="few_items_apart",
    text=(
        "under 300 items of a system: tests of equal means may reject too often, 5 % ones of 5 to 10 skewed scores "
        "against 50 to 100 in 9 to 12 % of cases, and in up to 36 % where a few large ones make up for many small "
        "ones, even if the sample shows no large one"
    ),
    remedy="give more items; look at those that score most and least",
)
ORDER_OF_EQUALS = Note(
    code="order_of_equals",
    text=(
        "the law behind p needs distributions that differ: of two equal ones almost stochastic order at tau=0.2 calls "
        "one larger in 10 % of cases with 3 runs, 6 % with 5 (one-sided, at 5 %), and up to 100 runs twice to three "
        "times as often as alpha where alpha is .01"
    ),
    remedy="use --test welch or brunner-munzel beside it",
)
LOOSE_ORDER = Note(
    code="loose_order",
    text=(
        "a threshold above 0.2: of two equal distributions almost stochastic order calls one larger in 17 to 24 % of "
        "cases at tau=0.5, however many runs there are"
    ),
    remedy="use tau=0.2",
)
SUPERIORITY_OF_FEW = Note(
    code="superiority_of_few_runs",
    text=(
        "fewer than 20 runs: the bootstrap interval of P(A > B) covers too little, 91 % instead of 95 % at 5 runs and "
        "82 % at 3, and much less where the samples hardly overlap"
    ),
    remedy="more runs; the p-value holds its level all the same",
)


_ENOUGH_ITEMS = 300
"""Items of which a mean is judged well, whatever tail the sample lacks; of pairs as many must differ."""

Found = tuple[tuple[float, float] | None, str, tuple[Note, ...]]


def gain_interval(samples: IndependentSamples) -> Found:
    """Interval of a gain at level 1 - alpha, its name, and what must be said of it: Newcombe's, else Welch's t."""
    level = samples.settings.coverage
    if samples.binary:
        (right, base), (n, m) = samples.right, samples.sizes
        return newcombe(right, n, base, m, level), "Newcombe score interval", ()
    if min(samples.sizes) < 2:
        return None, "undefined", ()
    found = welch(samples.system, samples.baseline, level=level)
    if found.degenerate:
        same = found.degenerate == "identical_outputs"
        return (samples.gain, samples.gain), "degenerate", () if same else (CONSTANT_SAMPLES,)
    return (found.low, found.high), "Welch t interval", ()


def indifferent(p_kind: str) -> Outcome:
    """The outcome where there is nothing to test."""
    return Outcome(p_value=1.0, p_kind=p_kind, p_min=1.0, notes=(notes.IDENTICAL,))


def shape_notes(samples: IndependentSamples) -> tuple[Note, ...]:
    """Warnings about samples whose means a test judges badly: few items, or skewed for their size (Cochran's rule)."""
    few = (FEW_OF_A_SYSTEM,) if samples.unit == "item" and min(samples.sizes) < _ENOUGH_ITEMS else ()
    for values in (samples.system, samples.baseline):
        spread = float(values.std())
        if spread > 0 and values.size < 25 * float(np.mean(((values - values.mean()) / spread) ** 3)) ** 2:
            return (*few, SKEWED_SAMPLES)
    return few
