"""Kappas and their kin, (P_a - P_e) / (1 - P_e): they differ in P_e, the agreement that chance is taken to give."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from outscore.agreement import AgreementCoefficient, RatingMeasure, coefficient, credit_from_table
from outscore.agreement.ratings import BY_DISTANCE, LabelTable, is_table
from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError, join, suggestion
from outscore.base.lazy import dataclass

_SAID = (*BY_DISTANCE[1:], "TABLE.csv")


@dataclass(frozen=True)
class Weighted(AgreementCoefficient):
    """A coefficient that can give credit for labels that are near each other.

    Args:
        weights: ``none``; by distance ``linear``, ``quadratic``, ``radical``, ``ordinal`` or ``ratio``; or a table, as
            ``credit.csv``, with a row and a column for each label.
    """

    weights: str = "none"

    def __post_init__(self) -> None:
        if self.weights not in BY_DISTANCE and not is_table(self.weights):
            raise UsageError(
                f"{self.name}:weights={self.weights}: expected {join(BY_DISTANCE, 6)}, or a table as credit.csv"
                f"{suggestion(self.weights, BY_DISTANCE)}"
            )

    def refuses(self, ratings: LabelTable) -> str | None:
        if self.weights == "ratio" and (ratings.numbers is None or (ratings.numbers < 0).any()):
            return f"{self.label} needs labels that are numbers, none of them negative; use weights=quadratic"
        return super().refuses(ratings) or ratings.refuses_scale(self.label, self.weights in BY_DISTANCE[1:])

    def _titled(self, plain: str) -> str:
        return plain if self.weights == "none" else f"{plain} ({self.weights})"


@coefficient("percent")
@dataclass(frozen=True)
class Percent(Weighted):
    """The proportion of pairs of ratings of a unit that agree, averaged over units.

    Args:
        weights: ``none``; by distance ``linear``, ``quadratic``, ``radical``, ``ordinal`` or ``ratio``; or a table, as
            ``credit.csv``, with a row and a column for each label.
    """

    also: ClassVar[tuple[str, ...]] = ("percent_agreement",)
    corrects: ClassVar[str] = "nothing: raters who guess agree often where labels are few"
    null: ClassVar[str] = ""
    formula: ClassVar[str] = "P_a = the mean over units of the proportion of their pairs of ratings that agree"
    citation: ClassVar[str] = "Gwet 2014, Handbook of inter-rater reliability"

    @property
    def title(self) -> str:
        return self._titled("Percent agreement")

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit = ratings.credit(self.weights)
        agreed = ratings.agreement_of_units(credit)

        def parts(sums: Array) -> tuple[Array, Array]:
            return sums[..., 0] / sums[..., 1], np.zeros(sums.shape[:-1])

        rows = np.column_stack([agreed, ratings.pairable]).astype(np.float64)
        return RatingMeasure(rows=rows, parts=parts, credit=credit_from_table(credit))


@dataclass(frozen=True)
class OfProportions(Weighted):
    """A coefficient whose expected agreement is a function of the proportions of the labels.

    Shares are averaged over all units, those with a single rating included (Gwet 2014, §5.3).
    """

    @abstractmethod
    def expected(self, shares: Array, credit: Float) -> Array:
        """The agreement ``(...)`` that chance gives for these ``(..., labels)`` and credit ``(labels, labels)``."""

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit, whole = ratings.credit(self.weights), np.ones(len(ratings.codes))
        rows = np.column_stack([ratings.agreement_of_units(credit), ratings.pairable, ratings.proportions, whole])

        def parts(sums: Array) -> tuple[Array, Array]:
            return sums[..., 0] / sums[..., 1], self.expected(sums[..., 2:-1] / sums[..., -1:], credit)

        return RatingMeasure(rows=rows, parts=parts, pairable=ratings.pairable, credit=credit_from_table(credit))


@coefficient("bennett")
@dataclass(frozen=True)
class Bennett(OfProportions):
    """Bennett's S, or Brennan and Prediger's kappa; for two labels it is the PABAK.

    Args:
        weights: ``none``; by distance ``linear``, ``quadratic``, ``radical``, ``ordinal`` or ``ratio``; or a table, as
            ``credit.csv``, with a row and a column for each label.
    """

    also: ClassVar[tuple[str, ...]] = ("pabak", "bennett_s", "brennan_prediger")
    corrects: ClassVar[str] = "raters who guess, with all labels of the scheme equally often"
    null: ClassVar[str] = ""
    formula: ClassVar[str] = "(P_a - P_e)/(1 - P_e), P_a the percent agreement, P_e = 1/Q of Q labels"
    citation: ClassVar[str] = (
        "Bennett et al. 1954, Communications through limited-response questioning; Brennan & Prediger 1981"
    )

    @property
    def title(self) -> str:
        return self._titled("Bennett's S")

    def expected(self, shares: Array, credit: Float) -> Array:
        return np.full(shares.shape[:-1], credit.mean())


@coefficient("gwet")
@dataclass(frozen=True)
class Gwet(OfProportions):
    """Gwet's AC1, or AC2 with weights: less swayed by one label that dominates than the kappas.

    Args:
        weights: ``none``; by distance ``linear``, ``quadratic``, ``radical``, ``ordinal`` or ``ratio``; or a table, as
            ``credit.csv``, with a row and a column for each label.
    """

    also: ClassVar[tuple[str, ...]] = ("ac1", "gwet_ac1", *(f"ac2:weights={one}" for one in _SAID))
    corrects: ClassVar[str] = "raters who guess only where a unit is hard, with labels that are seldom all the same"
    null: ClassVar[str] = ""
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the percent agreement, P_e = Σ π_q (1 - π_q)/(Q - 1), π the proportions of the Q "
        "labels, averaged over units"
    )
    citation: ClassVar[str] = (
        "Gwet 2008, Computing inter-rater reliability and its variance in the presence of high agreement"
    )

    @property
    def title(self) -> str:
        return self._titled("Gwet's AC1" if self.weights == "none" else "Gwet's AC2")

    def expected(self, shares: Array, credit: Float) -> Array:
        q = len(credit)
        scale = float(credit.sum()) / max(q * (q - 1), 1)
        return np.asarray(scale * (shares * (1 - shares)).sum(axis=-1))


@coefficient("fleiss")
@dataclass(frozen=True)
class Fleiss(OfProportions):
    """Fleiss' kappa: any number of raters, who need not be the same persons for every unit.

    Args:
        weights: ``none``; by distance ``linear``, ``quadratic``, ``radical``, ``ordinal`` or ``ratio``; or a table, as
            ``credit.csv``, with a row and a column for each label.
    """

    also: ClassVar[tuple[str, ...]] = ("kappa", "fleiss_kappa")
    corrects: ClassVar[str] = "raters who guess, all with the frequencies that the labels have over all raters"
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the percent agreement, P_e = Σ π_q², π the proportions of the labels, averaged "
        "over units"
    )
    citation: ClassVar[str] = "Fleiss 1971, Measuring nominal scale agreement among many raters; Gwet 2014"

    @property
    def title(self) -> str:
        return self._titled("Fleiss' κ")

    def expected(self, shares: Array, credit: Float) -> Array:
        return np.asarray(((shares @ credit) * shares).sum(axis=-1))


@coefficient("scott")
@dataclass(frozen=True)
class Scott(Fleiss):
    """Scott's pi: two raters, whose frequencies of labels are taken for the same.

    Args:
        weights: ``none``; by distance ``linear``, ``quadratic``, ``radical``, ``ordinal`` or ``ratio``; or a table, as
            ``credit.csv``, with a row and a column for each label.
    """

    also: ClassVar[tuple[str, ...]] = ("pi", "scotts_pi", "scott_pi")
    corrects: ClassVar[str] = "two raters who guess, both with the frequencies that the labels have over both"
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the proportion of units with equal labels, P_e = Σ π_q², π the proportions "
        "of the labels of both raters together"
    )
    citation: ClassVar[str] = "Scott 1955, Reliability of content analysis: the case of nominal scale coding"

    @property
    def title(self) -> str:
        return self._titled("Scott's π")

    def refuses(self, ratings: LabelTable) -> str | None:
        if len(ratings.raters) != 2:
            return f"{self.label} is of two raters and there are {len(ratings.raters)}; use fleiss"
        return super().refuses(ratings)


@coefficient("cohen")
@dataclass(frozen=True)
class Cohen(Weighted):
    """Cohen's kappa of two raters, over the units that both have rated.

    Args:
        weights: ``none``; by distance ``linear``, ``quadratic``, ``radical``, ``ordinal`` or ``ratio``; or a table, as
            ``credit.csv``, with a row and a column for each label.
    """

    also: ClassVar[tuple[str, ...]] = (
        "kappa",
        "cohens_kappa",
        "cohen_kappa",
        *(f"weighted_kappa:weights={one}" for one in _SAID),
        "qwk:weights=quadratic",
    )
    corrects: ClassVar[str] = "two raters who guess, each with the frequencies of labels of their own"
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the proportion of units with equal labels, P_e = Σ p_q p'_q, p and p' the "
        "proportions of the labels of the two raters"
    )
    citation: ClassVar[str] = (
        "Cohen 1960, A coefficient of agreement for nominal scales; Cohen 1968, Weighted kappa; "
        "Fleiss, Cohen & Everitt 1969, Large sample standard errors of kappa and weighted kappa"
    )
    large_sample: ClassVar[bool] = True

    @property
    def title(self) -> str:
        return self._titled("Cohen's κ")

    def refuses(self, ratings: LabelTable) -> str | None:
        if ratings.exchangeable:
            return f"{self.label} needs two persons, and the columns are slots; use fleiss, krippendorff or gwet"
        if len(ratings.raters) != 2:
            return f"{self.label} is of two raters and there are {len(ratings.raters)}; use conger, or see the pairs"
        return super().refuses(ratings)

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit, q = ratings.credit(self.weights), len(ratings.labels)
        both = ratings.pairable[:, None]
        first, second = (np.where(both, ratings.chosen[:, rater], 0.0) for rater in (0, 1))
        agreed = ((first @ credit) * second).sum(axis=1)

        def parts(sums: Array) -> tuple[Array, Array]:
            n = sums[..., 1:2]
            rows, columns = sums[..., 2 : 2 + q] / n, sums[..., 2 + q :] / n
            return sums[..., 0] / n[..., 0], ((rows @ credit) * columns).sum(axis=-1)

        rows = np.column_stack([agreed, both, first, second])
        return RatingMeasure(rows=rows, parts=parts, credit=credit_from_table(credit), own=True)


@coefficient("conger")
@dataclass(frozen=True)
class Conger(Weighted):
    """Conger's kappa: Cohen's for any number of raters, with the chance agreement of all pairs averaged.

    Args:
        weights: ``none``; by distance ``linear``, ``quadratic``, ``radical``, ``ordinal`` or ``ratio``; or a table, as
            ``credit.csv``, with a row and a column for each label.
    """

    also: ClassVar[tuple[str, ...]] = ("kappa", "conger_kappa")
    corrects: ClassVar[str] = "raters who guess, each with the frequencies of labels of their own"
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the percent agreement, P_e the mean over all pairs of raters of Σ p_q p'_q, p and"
        " p' their proportions of the labels"
    )
    citation: ClassVar[str] = (
        "Conger 1980, Integration and generalization of kappas for multiple raters; Gwet 2014, Handbook of inter-rater "
        "reliability"
    )

    @property
    def title(self) -> str:
        return self._titled("Conger's κ")

    def refuses(self, ratings: LabelTable) -> str | None:
        if ratings.exchangeable:
            return f"{self.label} needs persons, and the columns are slots; use fleiss, krippendorff or gwet"
        return super().refuses(ratings)

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit, shape = ratings.credit(self.weights), ratings.chosen.shape
        agreed = ratings.agreement_of_units(credit)
        rows = np.column_stack([agreed, ratings.pairable, ratings.chosen.reshape(len(agreed), -1)]).astype(np.float64)

        def parts(sums: Array) -> tuple[Array, Array]:
            counts = sums[..., 2:].reshape(*sums.shape[:-1], *shape[1:])
            totals = counts.sum(axis=-1, keepdims=True)
            # a rater of few units may be missing in a resample, and then has no part in it
            there = totals.real > 0
            shares = np.where(there, counts / np.where(there, totals, 1), 0)
            raters, together = there.sum(axis=(-1, -2)), shares.sum(axis=-2)
            all_pairs = ((together @ credit) * together).sum(axis=-1)
            with_self = ((shares @ credit) * shares).sum(axis=(-1, -2))
            return sums[..., 0] / sums[..., 1], (all_pairs - with_self) / (raters * (raters - 1))

        return RatingMeasure(
            rows=rows, parts=parts, pairable=ratings.pairable, credit=credit_from_table(credit), own=True
        )
