"""Who disagrees with whom, on which labels and on which units, as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from outscore.agreement import MOST_LABELS, Credit
from outscore.agreement import AgreementCoefficient as Method
from outscore.agreement.estimate import AgreementEstimate, estimates
from outscore.agreement.inference import score_of
from outscore.agreement.kappas import Cohen
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.engine.design import Design
from outscore.results.annotators import Annotator, AnnotatorPair, LabelAgreement, UnitDisagreement
from outscore.results.plain import finite_or_none

_MOST_SHOWN = 30  # labels of a table of labels against labels
_MOST_ANNOTATORS = 20  # of whom all pairs are looked at, and who are left out in turn


@dataclass(frozen=True)
class DisagreementTables:
    """Who disagrees with whom on what: tables of annotators, pairs, labels and units; see ``Agreement``."""

    annotators: tuple[Annotator, ...] = ()
    pairs: tuple[AnnotatorPair, ...] = ()
    labels: tuple[LabelAgreement, ...] = ()
    coincidences: tuple[tuple[float, ...], ...] = ()
    disputes: tuple[UnitDisagreement, ...] = ()


def disagreement(
    ratings: LabelTable, methods: Sequence[Method], design: Design, units: Sequence[str], level: float, most: int
) -> DisagreementTables:
    """All of it; nothing where the labels are too many to be labels.

    Args:
        methods: taken without each annotator in turn; the first that corrects for chance says how far labels are apart.
        design: units or clusters, for the intervals of pairs of annotators at this ``level``.
        units: their names; those with most disagreement are listed, ``most`` of them.
    """
    if len(ratings.labels) > MOST_LABELS:
        return DisagreementTables()
    return DisagreementTables(
        annotators=_annotators(ratings, methods),
        pairs=_pairs(ratings, design, level),
        labels=_labels(ratings),
        coincidences=_table(ratings),
        disputes=_disputes(ratings, next((m for m in methods if m.name != "percent"), methods[0]), units, most),
    )


def _annotators(ratings: LabelTable, methods: Sequence[Method]) -> tuple[Annotator, ...]:
    """Each annotator, with the coefficients that the others reach without them."""
    if ratings.exchangeable:
        return ()
    with_others = agreement_with_others(ratings)
    given = ratings.chosen.sum(axis=0)
    few = len(ratings.raters) <= _MOST_ANNOTATORS
    return tuple(
        Annotator(
            annotator=name,
            n_labels=int(given[r].sum()),
            labels={label: int(n) for label, n in zip(ratings.labels, given[r], strict=True)},
            agreement=finite_or_none(with_others[r]),
            without=_measure_without(ratings, methods, r) if few and len(ratings.raters) > 2 else {},
        )
        for r, name in enumerate(ratings.raters)
    )


def _measure_without(ratings: LabelTable, methods: Sequence[Method], rater: int) -> dict[str, float | None]:
    kept = np.delete(ratings.codes, rater, axis=1)
    kept = kept[(kept >= 0).any(axis=1)]
    raters = tuple(name for r, name in enumerate(ratings.raters) if r != rater)
    others = replace(ratings, codes=kept, raters=raters)
    values = {m.label: m.measure(others) for m in methods if m.refuses(others) is None and others.pairable.any()}
    return {name: finite_or_none(float(measure.value(measure.rows.sum(axis=0)))) for name, measure in values.items()}


def _pairs(ratings: LabelTable, design: Design, level: float) -> tuple[AnnotatorPair, ...]:
    if ratings.exchangeable or len(ratings.raters) > _MOST_ANNOTATORS:
        return ()
    return tuple(_pair(ratings.raters, two) for two in pairs_of_raters(ratings, design, level))


def _pair(names: Sequence[str], two: TwoRaters) -> AnnotatorPair:
    return AnnotatorPair(
        first=names[two.first],
        second=names[two.second],
        n_units=two.n_units,
        agreement=two.agreement,
        kappa=finite_or_none(two.kappa.value),
        kappa_ci=two.ends,
        kappa_max=finite_or_none(two.kappa_max),
        prevalence=two.prevalence,
        bias=two.bias,
    )


def _labels(ratings: LabelTable) -> tuple[LabelAgreement, ...]:
    beside = coincidences(ratings)
    agreed, given = agreement_on_labels(beside), ratings.counts.sum(axis=0)
    records = []
    for k, label in enumerate(ratings.labels):
        others = beside[k].copy()
        others[k] = 0
        at = int(others.argmax())
        records.append(
            LabelAgreement(
                label=label,
                count=int(given[k]),
                share=float(given[k] / given.sum()),
                agreement=finite_or_none(agreed[k]),
                confused_with=ratings.labels[at] if others[at] > 0 else "",
                confused=float(others[at] / beside[k].sum()) if others[at] > 0 else None,
            )
        )
    return tuple(records)


def _table(ratings: LabelTable) -> tuple[tuple[float, ...], ...]:
    """Labels against labels; of two persons by who gave which."""
    if len(ratings.labels) > _MOST_SHOWN:
        return ()
    persons = len(ratings.raters) == 2 and not ratings.exchangeable
    table = contingency(ratings) if persons else coincidences(ratings)
    return tuple(tuple(row) for row in table.tolist())


def _disputes(ratings: LabelTable, main: Method, units: Sequence[str], most: int) -> tuple[UnitDisagreement, ...]:
    found = []
    for unit in find_most_disagreed(ratings, most, main.measure(ratings).credit):
        codes = ratings.codes[unit]
        pairs = int(ratings.n_pairs[unit])
        found.append(
            UnitDisagreement(
                unit=units[unit],
                labels={name: ratings.labels[c] for name, c in zip(ratings.raters, codes, strict=True) if c >= 0},
                disagreement=1 - float(ratings.sum_over_pairs(np.eye(len(ratings.labels)))[unit]) / pairs,
            )
        )
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class TwoRaters:
    """Two raters on the units that both have rated.

    Attributes:
        first, second: numbers of the raters.
        n_units: units that both have rated.
        agreement: proportion of these with the same label.
        kappa: Cohen's kappa; ``ends``: of its interval.
        kappa_max: the largest kappa that their frequencies of labels allow.
        prevalence: |n_11 - n_22| / n; ``bias``: |n_12 - n_21| / n (Byrt, Bishop & Carlin 1993); None unless there are
            two labels.
    """

    first: int
    second: int
    n_units: int
    agreement: float
    kappa: AgreementEstimate
    ends: tuple[float, float] | None
    kappa_max: float
    prevalence: float | None
    bias: float | None


def pairs_of_raters(ratings: LabelTable, design: Design, level: float) -> list[TwoRaters]:
    """Every two raters who have a unit in common, with intervals of this level."""
    found = []
    for first, second in combinations(range(len(ratings.raters)), 2):
        two = replace(ratings, codes=ratings.codes[:, [first, second]], raters=(str(first), str(second)))
        table = contingency(two)
        if not (n := table.sum()):
            continue
        measure = Cohen().measure(two)
        (kappa,), _ = estimates([measure], [True], design, None)
        ends = score_of(Cohen(), measure, two, kappa, level) if design.labels is None else None
        binary = len(table) == 2
        found.append(
            TwoRaters(
                first=first,
                second=second,
                n_units=int(n),
                agreement=float(np.trace(table) / n),
                kappa=kappa,
                ends=kappa.interval("analytic", level)[0] if ends is None else ends,
                kappa_max=kappa_max(table),
                prevalence=float(abs(table[0, 0] - table[1, 1]) / n) if binary else None,
                bias=float(abs(table[0, 1] - table[1, 0]) / n) if binary else None,
            )
        )
    return found


def contingency(two: LabelTable) -> Float:
    """``(labels, labels)`` units by the label of the first rater and that of the second."""
    first, second = (two.chosen[two.pairable, rater].astype(np.float64) for rater in (0, 1))
    return np.asarray(first.T @ second)


def kappa_max(table: Float) -> float:
    """The largest kappa that these margins allow (Cohen 1960, eq. 6); NaN where chance alone gives full agreement."""
    rows, columns = table.sum(axis=1) / table.sum(), table.sum(axis=0) / table.sum()
    expected = float(rows @ columns)
    return (float(np.minimum(rows, columns).sum()) - expected) / (1 - expected) if expected < 1 else float("nan")


def coincidences(ratings: LabelTable) -> Float:
    """``(labels, labels)`` pairs of ratings of a unit by their labels; a unit with m ratings counts m times.

    Symmetric (Krippendorff 2011, §3): the diagonal is what was agreed on.
    """
    counts = ratings.counts[ratings.pairable]
    weighted = counts / (counts.sum(axis=1, keepdims=True) - 1)
    return np.asarray(counts.T @ weighted - np.diag(weighted.sum(axis=0)))


def agreement_on_labels(coincident: Float) -> Float:
    """``(labels,)`` specific agreement: where one rater gives the label, how often another does.

    NaN for a label that nobody gave. Source: Spitzer & Fleiss 1974.
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(np.diag(coincident) / coincident.sum(axis=1))


def agreement_with_others(ratings: LabelTable) -> Float:
    """``(raters,)`` the proportion of pairs of ratings with this rater that agree, averaged over their units.

    NaN for one who has no unit in common with another.
    """
    shared = np.where(ratings.pairable, 1.0, 0.0)
    same = np.stack(
        [
            np.take_along_axis(ratings.counts, np.maximum(codes, 0)[:, None], axis=1)[:, 0] - 1
            for codes in ratings.codes.T
        ]
    )
    there = (ratings.codes.T >= 0) * shared
    with np.errstate(invalid="ignore"):
        return np.asarray((same / np.maximum(ratings.given - 1, 1) * there).sum(axis=1) / there.sum(axis=1))


def find_most_disagreed(ratings: LabelTable, most: int, credit: Credit | None = None) -> Int:
    """Units whose labels lie farthest apart, by the credit of a coefficient; of equal ones the first stand first."""
    codes = np.arange(len(ratings.labels))
    given = np.eye(len(codes)) if credit is None else credit(codes[:, None], codes)
    apart = ratings.agreement_of_units(np.diag(given)[:, None] - given)
    order = np.argsort(-apart, kind="stable")[:most]
    return order[apart[order] > 0]
