"""The record of the agreement between annotators."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, Score, kinds


@dataclass(frozen=True, kw_only=True)
class Coefficient:
    """One coefficient of agreement; None stands for what is undefined.

    Attributes:
        coefficient: its name with options; ``title``: what papers call it.
        corrects: agreement by chance as the coefficient defines it, in words.
        domain: the group of units that it is of, or the empty string for all.
        value: the coefficient; 1 is full agreement, 0 what chance gives.
        observed, expected: agreement that was seen, and that chance gives; ``parts`` says whether these are
            ``agreement`` or ``disagreement``.
        ci: interval at level 1 - alpha; ``ci_method``: how it was made.
        se: standard error (Gwet 2014; of Cohen's kappa Fleiss, Cohen & Everitt 1969).
        p_value: two-sided, of ``null``; None where the coefficient is not 0 if raters guess (unless relabelling was
            asked for), or where the data say nothing of it.
        p_method: ``null variance`` or ``relabelling``.
        null: the null hypothesis.
        null_se: standard error if all raters guess (Fleiss, Cohen & Everitt 1969; Fleiss, Nee & Landis 1979), where p
            is by it.
        n_units: units with two labels or more; ``n_clusters``: clusters that they come in, or None.
        against: the domain that this one is compared with; ``difference``: its coefficient less that one's, with the
            interval ``difference_ci`` from the same resamples.
        notes: codes of the notes that concern it.
    """

    coefficient: str
    title: str
    corrects: str
    domain: str
    value: float | None
    observed: float | None
    expected: float | None
    parts: str
    ci: Interval | None
    ci_method: str
    se: float | None
    p_value: float | None
    null: str
    null_se: float | None
    n_units: int
    n_clusters: int | None
    p_method: str = ""
    against: str = ""
    difference: float | None = None
    difference_ci: Interval | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Annotator:
    """One annotator.

    Attributes:
        n_labels: labels given; ``labels``: how often each.
        agreement: proportion of pairs of labels of this and another annotator of a unit that agree; None without any.
        without: the coefficients without this annotator, by name.
    """

    annotator: str
    n_labels: int
    labels: Mapping[str, int]
    agreement: float | None
    without: Mapping[str, float | None]


@dataclass(frozen=True, kw_only=True)
class AnnotatorPair:
    """Two annotators on the units that both have labelled.

    Attributes:
        agreement: proportion of units with the same label.
        kappa: Cohen's kappa; ``kappa_ci``: its interval, by its standard error or, of two labels and of rare ones, by
            score.
        kappa_max: the largest kappa that their frequencies of labels allow.
        prevalence, bias: indices of Byrt, Bishop & Carlin 1993; None unless there are two labels.
    """

    first: str
    second: str
    n_units: int
    agreement: float
    kappa: float | None
    kappa_ci: Interval | None
    kappa_max: float | None
    prevalence: float | None
    bias: float | None


@dataclass(frozen=True, kw_only=True)
class LabelAgreement:
    """One label of the scheme.

    Attributes:
        count: how often it was given; ``share``: of all labels.
        agreement: where one annotator gives it, how often another gives it too; None if nobody gives it.
        confused_with: the label that others give most often instead; empty where there is none.
        confused: how often, of all that others give where one annotator gives this label.
    """

    label: str
    count: int
    share: float
    agreement: float | None
    confused_with: str
    confused: float | None


@dataclass(frozen=True, kw_only=True)
class UnitDisagreement:
    """One unit on which annotators disagree.

    Attributes:
        labels: label of each annotator who gave one.
        disagreement: proportion of the pairs of labels that differ.
    """

    unit: str
    labels: Mapping[str, str]
    disagreement: float


@kinds.register("agree")
@dataclass(frozen=True, kw_only=True, repr=False)
class Agreement(Result):
    """How well annotators agree, who disagrees with whom and on what; there are no scores in it.

    Attributes:
        exchangeable: the columns are slots and not persons, so nothing is said of single annotators.
        coefficients: for all units, then for each domain.
        annotators, annotator_pairs: empty where they are exchangeable; pairs also where there are very many.
        labels: of the scheme, in their order.
        coincidences: ``coincidences[i][j]``: labels i that stand beside a label j in a unit. Of two annotators, units
            by the first one's label and the second one's; of more, pairs of labels in both orders, where a unit with m
            labels counts m times. Empty where labels are too many.
        disputes: the units with most disagreement.
        n_units: units with a label; ``n_single``: those with one label only, which show no agreement.
        n_annotators: annotators, or slots.
    """

    exchangeable: bool
    coefficients: tuple[Coefficient, ...]
    annotators: tuple[Annotator, ...]
    annotator_pairs: tuple[AnnotatorPair, ...]
    labels: tuple[LabelAgreement, ...]
    coincidences: tuple[tuple[float, ...], ...]
    disputes: tuple[UnitDisagreement, ...]
    n_units: int
    n_single: int
    n_annotators: int
    scores: tuple[Score, ...] = ()
    command: str = "agree"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each coefficient, of all units and of each domain."""
        rows = []
        for coefficient in self.coefficients:
            row = dataclasses.asdict(coefficient)
            for name in ("ci", "difference_ci"):
                row[f"{name}_low"], row[f"{name}_high"] = row.pop(name) or (None, None)
            row["notes"] = " ".join(coefficient.notes)
            rows.append(row)
        return rows

    def check_whole(self) -> None:
        """Raises TypeError where the table of labels does not fit the labels."""
        size = len(self.labels)
        if self.coincidences and [len(row) for row in self.coincidences] != [size] * size:
            raise TypeError(f"the table of labels is not {size} x {size}")

    def __repr__(self) -> str:
        whole = [c for c in self.coefficients if not c.domain]
        return (
            f"<Agreement of {inflect(self.n_annotators, 'annotator')} on {inflect(self.n_units, 'unit')}: "
            f"{', '.join(c.coefficient for c in whole)}>"
        )
