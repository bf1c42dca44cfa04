"""The records of agreement: coefficients, annotators by themselves and in pairs, labels, units in dispute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown
from outscore.results.result import Interval


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
        against: the domain that this one is compared with; ``gain``: its coefficient less that one's, with the
            interval ``gain_ci`` made of both intervals.
        notes: codes of the notes that concern it.
    """

    coefficient: str
    title: Annotated[str, Shown("coefficient")]
    corrects: str
    domain: Annotated[str, Shown("domain")]
    value: Annotated[float | None, Shown("value", "coefficient", ci="ci")]
    observed: float | None
    expected: float | None
    parts: str
    ci: Interval | None
    ci_method: str
    se: Annotated[float | None, Shown("standard error", "coefficient")]
    p_value: Annotated[float | None, Shown("p", "p")]
    null: str
    null_se: float | None
    n_units: Annotated[int, Shown("units", "count")]
    n_clusters: int | None
    p_method: str = ""
    against: str = ""
    gain: float | None = None
    gain_ci: Interval | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CoefficientOtherwise:
    """The first coefficient that corrects for chance, the other way that a note advises.

    Attributes:
        note: code of the note; ``how``: the other way, as it is typed.
        coefficient: of all units.
    """

    note: str
    how: str
    coefficient: Coefficient


@dataclass(frozen=True, kw_only=True)
class Annotator:
    """One annotator.

    Attributes:
        n_labels: labels given; ``labels``: how often each.
        agreement: proportion of pairs of labels of this and another annotator of a unit that agree; None without any.
        without: the coefficients without this annotator, by name.
    """

    annotator: Annotated[str, Shown("annotator")]
    n_labels: Annotated[int, Shown("labels", "count")]
    labels: Mapping[str, int]
    agreement: Annotated[float | None, Shown("agrees with others", "coefficient")]
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

    first: Annotated[str, Shown("annotator")]
    second: Annotated[str, Shown("with")]
    n_units: Annotated[int, Shown("units", "count")]
    agreement: Annotated[float, Shown("same label", "coefficient")]
    kappa: Annotated[float | None, Shown("Cohen's κ", "coefficient", ci="kappa_ci")]
    kappa_ci: Interval | None
    kappa_max: Annotated[float | None, Shown("largest κ", "coefficient")]
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

    label: Annotated[str, Shown("label")]
    count: Annotated[int, Shown("given", "count")]
    share: Annotated[float, Shown("proportion", "coefficient")]
    agreement: Annotated[float | None, Shown("agreement", "coefficient")]
    confused_with: str
    confused: float | None


@dataclass(frozen=True, kw_only=True)
class UnitDisagreement:
    """One unit on which annotators disagree.

    Attributes:
        labels: label of each annotator who gave one.
        disagreement: proportion of the pairs of labels that differ.
    """

    unit: Annotated[str, Shown("unit")]
    labels: Mapping[str, str]
    disagreement: Annotated[float, Shown("pairs that differ", "coefficient")]
