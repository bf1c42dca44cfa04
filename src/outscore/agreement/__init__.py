"""Coefficients of agreement between annotators; how they are estimated is in ``estimate``.

A coefficient turns ratings into a ``RatingMeasure``: statistics of units that add, and what their sums say of the
agreement that was observed and of the agreement that chance would give. Standard errors and resamples follow from that
alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Array, Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.base.registry import Registry, spell

MOST_LABELS = 50
"""Statistics grow with the square of the labels; more than these are numbers or texts and not labels."""


Credit = Callable[[Int, Int], Float]
"""How much two labels agree, from their numbers; less the distance, where disagreement is measured. Broadcasts."""


def credit_from_table(credit: Float) -> Credit:
    """The credit that stands in a table ``(labels, labels)``."""
    return lambda first, second: np.asarray(credit[first, second])


@dataclass(frozen=True, kw_only=True)
class RatingMeasure:
    """A coefficient of certain ratings as a function of sums over units.

    Attributes:
        rows: ``(units, k)`` statistics; they add.
        parts: sums ``(..., k)`` to the observed and the expected agreement, ``(...)`` each; a polynomial or a ratio of
            such, so that it has derivatives.
        disagreement: the parts are disagreements, of any size.
        pairable: ``(units,)`` which units have two ratings, where the others count for the frequencies of the labels.
        credit: of two labels, whose mean over the pairs of ratings of units is the observed agreement; None where that
            is no such mean, and then nothing can be said of raters who guess.
        by_rating: units count in this mean by their ratings, and not each the same.
        own: agreement by chance comes from every rater's own frequencies of labels.
    """

    rows: Float
    parts: Callable[[Array], tuple[Array, Array]]
    disagreement: bool = False
    pairable: Bool | None = None
    credit: Credit | None = None
    by_rating: bool = False
    own: bool = False

    def value(self, sums: Array) -> Array:
        """The coefficient of sums ``(..., k)``; NaN where chance alone gives full agreement."""
        with np.errstate(all="ignore"):
            observed, expected = self.parts(sums)
            value: Array = 1 - observed / expected if self.disagreement else (observed - expected) / (1 - expected)
        return value


@dataclass(frozen=True)
class AgreementCoefficient(ABC):
    """One coefficient of agreement.

    Class attributes:
        corrects: agreement by chance as it is defined, in words.
        formula: of the coefficient; empty where one of another package says nothing.
        citation: the source.
        also: what others call it, see ``Registry``.
        null: the null hypothesis that the coefficient is 0, in words; empty where it is not 0 if raters guess.
        large_sample: its standard error is that of a large sample, with the normal law; otherwise it is that of
            linearization over units, which but for Krippendorff's alpha is Gwet's (2014), with Student's law.
    """

    name: ClassVar[str]
    corrects: ClassVar[str]
    formula: ClassVar[str] = ""
    citation: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    null: ClassVar[str] = "labels agree as often as chance gives: the coefficient is 0"
    large_sample: ClassVar[bool] = False

    @property
    def label(self) -> str:
        """Its name with the options that differ from the defaults."""
        return spell(self)

    @property
    @abstractmethod
    def title(self) -> str:
        """Its name in papers, as ``Cohen's κ``."""

    @property
    def counts_labels(self) -> bool:
        """Whether it looks at every label by itself, so that labels must be few."""
        return True

    def refuses(self, ratings: LabelTable) -> str | None:
        """Why it cannot be had of these ratings, with what to use instead; None if it can."""
        if self.counts_labels and len(ratings.labels) > MOST_LABELS:
            numbers = "; of numbers use krippendorff:distance=interval" if ratings.numbers is not None else _FREE
            return (
                f"{self.label} of {len(ratings.labels)} different labels is too large (at most {MOST_LABELS}){numbers}"
            )
        return None

    @abstractmethod
    def measure(self, ratings: LabelTable) -> RatingMeasure:
        """The coefficient of ratings that are not refused."""


_FREE = "; free texts are no labels: name the column of labels with -c label=NAME"
_FAMILIES = dict.fromkeys(("percent", "bennett", "gwet", "fleiss", "scott", "cohen", "conger"), "kappas")
"""The coefficients that share a file, with its name."""

coefficients: Registry[AgreementCoefficient] = Registry(
    "coefficient",
    "outscore.agreement",
    "outscore.coefficients",
    families=_FAMILIES,
    elsewhere=dict.fromkeys(("pearson", "spearman", "kendall"), "correlations are made by outscore correlate"),
)
coefficient = coefficients.register
