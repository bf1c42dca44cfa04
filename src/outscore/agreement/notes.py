"""The notes that a result about agreement can carry."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

import numpy as np

from outscore.agreement.inference import AgreementQuestion
from outscore.agreement.ratings import LabelTable
from outscore.base.errors import inflect
from outscore.base.notes import Note

FEW_UNITS = Note(
    code="few_units",
    text="fewer than 30 units (or clusters) with two labels: intervals of agreement are rough",
    remedy="have more units labelled twice",
)
UNDEFINED = Note(
    code="agreement_undefined",
    text="every label is the same: chance alone would give full agreement, and kappa and alpha are 0/0",
    remedy="label units on which the labels differ; Gwet's AC1 is defined",
)
NO_DISAGREEMENT = "no_disagreement"
"""The code of the note on coefficients that have no interval, as no two labels of a unit differ."""
SOME_UNDEFINED = Note(
    code="resamples_undefined",
    text="in some resamples every label is the same, and kappa and alpha are undefined: intervals leave these out",
    remedy="have more units labelled",
)
_MISSING = ("null", "na", "n/a", "#n/a", "<na>", "n.a.", "nan", "missing", "-", "--", ".", "?")
_HIGH, _LOW, _PROPORTION = 0.8, 0.6, 0.8  # agreement, kappa and proportion of the label that make the paradox


def no_disagreement(titles: Sequence[str]) -> Note:
    """Coefficients without an interval, where score intervals of others may stand beside them."""
    *most, last = dict.fromkeys(titles)
    of = f"{', '.join(most)} and {last} have" if most else f"{last} has"
    return Note(
        code=NO_DISAGREEMENT,
        text=f"no two labels of a unit differ, so nothing can be resampled: {of} no interval",
        remedy="with n units the proportion of those that would be disputed is below 3/n (95 %)",
    )


def few_disagreements(kappas_hold: bool) -> Note:
    """Intervals by t on a scale; ``kappas_hold``: kappa and alpha have others."""
    text = (
        "fewer than 500 units, or few that differ, may not show how far slips on a scale go: where 1 % of marks from 0 "
        "to 100 are slips to any other, intervals cover 70 % on 100 units, 86 % on 200, 91 % on 400"
    )
    others = ", or report kappa or alpha, whose intervals allow for slips to any label" * kappas_hold
    return Note(code="few_disagreements", text=text, remedy=f"have more units labelled{others}")


def rare_labels(rarest: float, asked: AgreementQuestion) -> Note:
    """Labels so rare that large samples are no guide.

    Args:
        rarest: units on which two annotators by chance both give the rarest label.
    """
    named = asked.interval != "auto"
    if asked.clusters is not None:
        covered = "58 to 93 % near 0" if named else "57 to 98 % in 8 clusters, 81 to 99 % in 40"
        made = f"in clusters there is no p; intervals cover {covered}"
    elif named:
        made = "p is by relabelling, and resampled and analytic intervals cover far too little (40 to 75 % near 0)"
    else:
        made = "p is by relabelling; the score intervals cover 93 % or more, 87 % at the worst"
    one = f"{rarest:.2g}" == "1"
    return Note(
        code="rare_labels",
        text=f"a label is too rare for large-sample formulas (by chance two annotators both give it on {rarest:.2g} "
        f"unit{'' if one else 's'}, fewer than 5): {made}",
        remedy="have more units with the rare labels labelled" + ("; use --interval auto" if named else ""),
    )


def single_ratings(ratings: LabelTable) -> list[Note]:
    """Units that show no agreement because they have one label only."""
    single = int((~ratings.pairable).sum())
    if not single:
        return []
    have = f"{inflect(single, 'unit')} of {len(ratings.codes)} {'has' if single == 1 else 'have'} fewer than two labels"
    text = (
        f"{have}: only the frequencies of labels in the chance agreement of Fleiss, Scott, Conger and Gwet count them"
    )
    return [Note(code="single_ratings", text=text)]


def looking_missing(ratings: LabelTable) -> list[str]:
    """The labels that look like the sign of a missing one, unless the scheme was given with them in it."""
    return [] if ratings.ordered else [label for label in ratings.labels if label.lower() in _MISSING]


def numbers_as_nominal(ratings: LabelTable) -> list[Note]:
    """Labels that look like numbers on a scale, where no coefficient heeds how far they are apart."""
    values = ratings.numbers
    if values is None or len(values) < 3 or np.ptp(values) >= 2 * len(values):
        return []
    text = f"labels {values.min():g} to {values.max():g} are taken as nominal; -k ordinal_alpha takes them as a scale"
    return [Note(code="numbers_as_labels", text=text, remedy="of a scale of equal steps use -k interval_alpha")]


def far_label(ratings: LabelTable) -> list[Note]:
    """A number that was given once or twice and lies far outside of all others, where coefficients are of a scale."""
    values, totals = np.zeros(1) if ratings.numbers is None else ratings.numbers, ratings.counts.sum(axis=0)
    for at in () if ratings.ordered else (int(values.argmin()), int(values.argmax())):
        rest = np.delete(values, at)
        if totals[at] <= 2 and len(rest) > 1 and 0 < 1.5 * np.ptp(rest) <= np.abs(rest - values[at]).min():
            text = f"the label {ratings.labels[at]} lies far from all others, and coefficients of a scale hang on it"
            return [Note(code="few_items_decide", text=text, remedy="mend it if it is a slip, or give all by --labels")]
    return []


def note_labels(ratings: LabelTable, kappas: Sequence[float | None]) -> list[Note]:
    """Labels that look like the sign of a missing one, that differ in case alone, and one that dominates.

    Args:
        kappas: what coefficients that correct for the frequencies of the labels came to.
    """
    totals = ratings.counts.sum(axis=0)
    found = looking_missing(ratings)
    said = []
    if found:
        counts = ", ".join(f"{int(totals[ratings.labels.index(label)])} {label!r}" for label in found)
        said.append(
            Note(
                code="looks_missing",
                text=f"{counts} among the labels: counted as labels like any other",
                remedy=f"use --na {quote(','.join(found))} where these are no labels",
            )
        )
    alike: dict[str, list[str]] = {}
    for label, n in zip(ratings.labels, totals, strict=True):
        alike.setdefault(" ".join(label.lower().split()), []).append(f"{int(n)} {label!r}")
    differ = [" and ".join(spelled) for spelled in alike.values() if len(spelled) > 1 and not ratings.ordered]
    if differ:
        text = f"labels that differ in letter case or blanks alone are taken as different: {'; '.join(differ)}"
        said.append(
            Note(code="cases_differ", text=text, remedy="write them alike; --labels names a scheme that has both")
        )
    agreed = ratings.agreement_of_units(np.eye(len(ratings.labels)))[ratings.pairable].mean()
    lowest = min((kappa for kappa in kappas if kappa is not None), default=1.0)
    shares = ratings.proportions.mean(axis=0)
    largest = ratings.labels[int(shares.argmax())]
    if agreed >= _HIGH and lowest < _LOW and shares.max() >= _PROPORTION:
        said.append(
            Note(
                code="dominant_label",
                text=f"the label {largest!r} dominates, so chance gives high agreement and kappa is low although most "
                "labels agree (the prevalence paradox)",
                remedy="report the agreement on each label, and Gwet's AC1 beside kappa",
            )
        )
    return said
