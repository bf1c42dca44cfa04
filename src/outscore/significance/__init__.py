"""Named tests of one system against the baseline, one file each, and the choice between them.

A test states its null hypothesis in words, says which comparisons it refuses and why, and gives an outcome. It sees
a ``Pairing``: the numbers of two systems under one metric, and the resamples that all tests of a comparison share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from outscore.base.notes import Note
from outscore.base.registry import Registry, spelled
from outscore.significance.experiment import Pairing

_SMALLEST = 5e-324
EXACT, MONTE_CARLO, ASYMPTOTIC = "exact", "monte-carlo", "asymptotic"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a test found for one pair.

    Attributes:
        p_value: None where the test has no answer (then a note says why).
        p_kind: ``exact``, ``monte-carlo`` or ``asymptotic``.
        p_error: Monte-Carlo standard error, for sampled p-values.
        p_min: smallest p-value that these data could have given, where there is a floor.
        n_resamples: resamples used, if any.
        effect: named numbers that belong to the test (statistic, degrees of freedom, counts).
        ci: interval of the gain that belongs to the test, if it brings one; ``ci_method`` names it.
        notes: what a reader must know.
    """

    p_value: float | None
    p_kind: str
    p_error: float | None = None
    p_min: float | None = None
    n_resamples: int | None = None
    effect: Mapping[str, float | int | str | None] = field(default_factory=dict)
    ci: tuple[float, float] | None = None
    ci_method: str = ""
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        # a tail below the smallest double is small, not impossible
        for name in ("p_value", "p_min"):
            if getattr(self, name) == 0.0:
                object.__setattr__(self, name, _SMALLEST)


@dataclass(frozen=True)
class Test(ABC):
    """One named test with its options.

    Class attributes:
        null: the null hypothesis, in words.
        citation: the source.
    """

    __test__ = False  # pytest: not a test of ours

    name: ClassVar[str]
    null: ClassVar[str]
    citation: ClassVar[str]

    @property
    def label(self) -> str:
        """Its name with the options that differ from the defaults."""
        return spelled(self)

    def question(self, pair: Pairing) -> str:
        """What the test answers for this pair, in words."""
        units = "clusters of items" if pair.clustered else "items"
        if pair.has_runs:
            return f"do these trained models differ on new {units}? (runs fixed)"
        return f"do the systems differ on new {units}?"

    @abstractmethod
    def refuses(self, pair: Pairing) -> str | None:
        """Why the test cannot answer for this pair, with what to use instead; None if it can."""

    @abstractmethod
    def run(self, pair: Pairing) -> Outcome:
        """The outcome for a pair that is not refused."""


tests: Registry[Test] = Registry("test", "outscore.significance", "outscore.tests")
test = tests.register
