"""The interval and the p-value of a coefficient of agreement, and how they are chosen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from outscore.agreement import MOST_LABELS, AgreementCoefficient, RatingMeasure
from outscore.agreement.chance import (
    ENOUGH,
    ENOUGH_LABELS,
    BeyondChance,
    Guessing,
    assess_by_variance,
    make_guessing,
)
from outscore.agreement.estimate import AgreementEstimate, IntervalName
from outscore.agreement.permutation import assess_by_permutation
from outscore.agreement.ratings import LabelTable
from outscore.agreement.score import score_interval, spread
from outscore.base.arrays import Bool, Int
from outscore.engine.sampling import Sampling

TestName = Literal["auto", "relabelling"]
UNKNOWN = BeyondChance(p_value=None, error=math.nan, method="")


@dataclass(frozen=True, kw_only=True)
class Inference:
    """How sure a coefficient is.

    Attributes:
        ends: of the interval, or None; ``how``: the name of its method.
        chance: the p-value of no agreement beyond chance.
        rarest: pairs expected by chance in which both ratings are the rarest label; NaN where that is no question.
    """

    ends: tuple[float, float] | None
    how: str
    chance: BeyondChance
    rarest: float = math.nan


@dataclass(frozen=True, kw_only=True)
class AgreementQuestion:
    """The interval and the test asked of every coefficient.

    Attributes:
        interval: ``auto`` or a named one; ``level``: of it.
        test: ``auto``, or ``relabelling`` of every coefficient.
        sampling: of permutations.
        clusters: ``(units,)`` numbers, or None.
    """

    interval: IntervalName
    level: float
    test: TestName
    sampling: Sampling
    clusters: Int | None


def inferences(
    methods: Sequence[AgreementCoefficient],
    ratings: LabelTable,
    here: Bool,
    found: Sequence[AgreementEstimate],
    asked: AgreementQuestion,
) -> list[Inference]:
    """Intervals and p-values of coefficients of some of the units ``(units,)``."""
    part = replace(ratings, codes=ratings.codes[here])
    clusters = None if asked.clusters is None else asked.clusters[here]
    measures = [method.measure(part) for method in methods]
    tested = [i for i, method in enumerate(methods) if method.null or asked.test == "relabelling"]
    apart = not ratings.exchangeable or clusters is not None
    pairs = {i: pair for i in tested if (pair := make_guessing(part, measures[i], apart=apart)) is not None}
    chances = _test_all(pairs, part, measures, found, asked, clusters)
    made = []
    for i, method in enumerate(methods):
        ends, how = interval_of(method, measures[i], part, found[i], asked, clusters)
        rarest = pairs[i].rarest if i in pairs and method.null else math.nan
        made.append(Inference(ends=ends, how=how, chance=chances.get(i, UNKNOWN), rarest=rarest))
    return made


def interval_of(
    method: AgreementCoefficient,
    measure: RatingMeasure,
    ratings: LabelTable,
    found: AgreementEstimate,
    asked: AgreementQuestion,
    clusters: Int | None,
) -> tuple[tuple[float, float] | None, str]:
    """The interval asked for, or the one that suits where none is, and its name.

    The latter is a score interval of two raters and two labels, of rare labels and of full agreement, BCa of all else.
    """
    if asked.interval != "auto":
        return found.interval(asked.interval, asked.level)
    ends = score_of(method, measure, ratings, found, asked.level) if clusters is None else None
    return found.interval("bca", asked.level) if ends is None else (ends, "score")


def score_of(
    method: AgreementCoefficient, measure: RatingMeasure, ratings: LabelTable, found: AgreementEstimate, level: float
) -> tuple[float, float] | None:
    """The score interval where a resample or the variance at the estimate says too little, else None."""
    chance = make_guessing(ratings, measure, apart=False) if method.null else None
    if chance is None or chance.n_labels > MOST_LABELS or not math.isfinite(found.value):
        return None
    own = make_guessing(ratings, measure, apart=True) if measure.own else chance
    assert own is not None
    small = len(ratings.raters) == 2 and int((chance.proportions > 0).sum()) == 2
    if not (small or own.rarest < ENOUGH or found.value == 1):
        return None
    return score_interval(found.value, spread(chance, own, _find_limit(measure, found)), level)


def _find_limit(measure: RatingMeasure, found: AgreementEstimate) -> float:
    return found.expected if measure.disagreement else 1 - found.expected


def _test_all(
    pairs: dict[int, Guessing],
    ratings: LabelTable,
    measures: Sequence[RatingMeasure],
    found: Sequence[AgreementEstimate],
    asked: AgreementQuestion,
    clusters: Int | None,
) -> dict[int, BeyondChance]:
    """The p-value of each, by the null variance or by permutation.

    By the null variance where enough pairs of every two labels are expected and annotators gave enough labels; else, or
    where it is asked for, by permutation. Rare labels in clusters get none: there the normal law is poor, and units
    cannot change places.
    """
    known = {i: pair for i, pair in pairs.items() if math.isfinite(found[i].value)}
    poor = {i for i, pair in known.items() if pair.n_labels > MOST_LABELS or pair.rarest < ENOUGH}
    if clusters is None:
        poor |= {i for i, pair in known.items() if pair.fewest < ENOUGH_LABELS}
    drawn = list(known) if asked.test == "relabelling" else sorted(poor)
    made: dict[int, BeyondChance] = {}
    if drawn and clusters is None:
        wanted = [measures[i] for i in drawn]
        relabelled = assess_by_permutation(ratings, wanted, asked.sampling.n_resamples, asked.sampling.seed)
        made |= zip(drawn, relabelled, strict=True)
    within = None if clusters is None else np.unique(clusters[ratings.pairable], return_inverse=True)[1].ravel()
    centred = not ratings.exchangeable or bool(np.ptp(ratings.given))
    for i in set(known) - set(drawn):
        limit = _find_limit(measures[i], found[i])
        made[i] = assess_by_variance(known[i], found[i].value, limit, within, centred=centred)
    return made
