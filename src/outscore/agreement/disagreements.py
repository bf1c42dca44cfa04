"""Who disagrees with whom, on which labels and on which units."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from outscore.agreement.estimate import AgreementEstimate, estimates
from outscore.agreement.inference import score_of
from outscore.agreement.kappas import Cohen
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.engine.design import Design


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


def find_most_disagreed(ratings: LabelTable, most: int) -> Int:
    """Units with the largest proportions of pairs of ratings that differ, the first of equal ones first; only such."""
    differing = 1 - ratings.agreement_of_units(np.eye(len(ratings.labels)))
    differing[~ratings.pairable] = 0
    order = np.argsort(-differing, kind="stable")[:most]
    return order[differing[order] > 0]
