"""The interval and the p-value of a coefficient of agreement, and how they are chosen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from outscore.agreement import MOST_LABELS, AgreementCoefficient, RatingMeasure
from outscore.agreement.chance import ENOUGH, ENOUGH_LABELS, BeyondChance, Guessing, assess_by_variance, make_guessing
from outscore.agreement.estimate import AgreementEstimate, IntervalName
from outscore.agreement.permutation import assess_by_permutation
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.engine.sampling import Sampling
from outscore.significance.p_values import normal_quantile

TestName = Literal["auto", "relabelling"]
FEW_CLUSTERS = 30
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

    The latter is a score interval of two raters and two labels, of rare labels and of full agreement, t on Fisher's
    scale of kappas in few clusters (of 8 to 20 it covers .92 to .96, BCa .85 to .93), BCa of all else.
    """
    if asked.interval != "auto":
        return found.interval(asked.interval, asked.level)
    if clusters is not None and method.null and found.df < FEW_CLUSTERS - 1 and (few := found.fisher(asked.level)):
        return few, "Fisher-z t"
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


_STEPS = 400
_HALVINGS = 50


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The variance of a coefficient as a polynomial of its true value κ.

    (1 - κ)(guess + κ² tilt) + κ(1 - κ)² clear, the first term from units on which raters guess.
    """

    guess: float
    tilt: float
    clear: float

    def compute(self, kappa: Float) -> Float:
        """Not negative; 0 at 1."""
        rest = 1 - kappa
        return np.maximum(rest * (self.guess + kappa**2 * self.tilt + kappa * rest * self.clear), 0.0)


def spread(chance: Guessing, own: Guessing, possible: float) -> Spread:
    """The variance from the frequencies of labels.

    Args:
        chance: of raters with the same frequencies of labels.
        own: of raters with frequencies of their own, where the coefficient heeds them.
        possible: the denominator of the coefficient, what agreement beyond chance can come to.
    """
    shares, matrix = chance.proportions[0], chance.matrix
    by_label = 2 * (matrix @ shares - shares @ matrix @ shares)
    of_unit = np.bincount(chance.unit, weights=chance.weight)
    scale = (chance.size * possible) ** 2
    squares = of_unit**2
    single = float((squares / chance.given).sum()) * float(shares @ by_label**2)
    whole = float(squares.sum())
    return Spread(
        guess=float((own.weight**2 * own.spreads).sum()) / scale,
        tilt=(single + whole * possible**2) / scale,
        clear=whole * float(shares @ (possible - by_label) ** 2) / scale,
    )


def score_interval(value: float, spread: Spread, level: float) -> tuple[float, float]:
    """From the lowest to the highest value that lies within the normal quantile of its own standard errors."""
    z = normal_quantile(level)

    # less agreement than such a population can have: its variance is that of guessing
    least = spread.compute(np.zeros(1)) if value < 0 and not spread.compute(np.array([value])) > 0 else 0.0

    def beyond(kappa: Float) -> Float:
        return (value - kappa) ** 2 - z**2 * np.maximum(spread.compute(kappa), least * (kappa < 1))

    def end(limit: float) -> float:
        grid = np.linspace(value, limit, _STEPS)
        last = int(np.flatnonzero(beyond(grid) <= 0)[-1])
        if last == len(grid) - 1:
            return limit
        inside, outside = grid[last], grid[last + 1]
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if beyond(middle) > 0 else (middle, outside)
        return float(inside)

    return end(-1.0), end(1.0)
