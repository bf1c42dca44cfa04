"""Who disagrees with whom, on which labels and on which units, as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outscore.agreement import MOST_LABELS
from outscore.agreement import AgreementCoefficient as Method
from outscore.agreement.disagreements import (
    TwoRaters,
    agreement_on_labels,
    agreement_with_others,
    coincidences,
    contingency,
    find_most_disagreed,
    pairs_of_raters,
)
from outscore.agreement.ratings import LabelTable
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
        methods: coefficients that are taken without each annotator in turn.
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
        disputes=_find_disagreements(ratings, units, most),
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


def _find_disagreements(ratings: LabelTable, units: Sequence[str], most: int) -> tuple[UnitDisagreement, ...]:
    found = []
    for unit in find_most_disagreed(ratings, most):
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
