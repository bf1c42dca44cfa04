"""The interval and the p-value of a coefficient of agreement, and how they are chosen.

By permutation p is that of every rater's labels in random order over their units.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from outscore.agreement import MOST_LABELS, AgreementCoefficient, RatingMeasure
from outscore.agreement.chance import ENOUGH, ENOUGH_LABELS, BeyondChance, Guessing, assess_by_variance, make_guessing
from outscore.agreement.estimate import AgreementEstimate, IntervalName
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.extreme import count, p_from_count, tolerance
from outscore.engine.sampling import Sampling
from outscore.significance.p_values import normal_quantile, student_quantile
from outscore.significance.proportions import wilson_of

TestName = Literal["auto", "relabelling"]
UNKNOWN = BeyondChance(p_value=None, error=math.nan, method="")


@dataclass(frozen=True, kw_only=True)
class Inference:
    """How sure a coefficient is.

    Attributes:
        ends: of the interval, or None; ``how``: the name of its method.
        chance: the p-value of no agreement beyond chance.
        rarest: units on which two raters by chance both give the rarest label; NaN where that is no question.
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
    clusters = None if asked.clusters is None else asked.clusters[here][part.pairable]
    measures = [method.measure(part) for method in methods]
    tested = [i for i, method in enumerate(methods) if method.null or asked.test == "relabelling"]
    apart = not ratings.exchangeable or clusters is not None
    pairs = {i: pair for i in tested if (pair := make_guessing(part, measures[i], apart=apart)) is not None}
    chances = _test_all(pairs, part, measures, found, asked, clusters)
    made = []
    for i, method in enumerate(methods):
        ends, how = interval_of(method, measures[i], part, found[i], asked, clusters, pairs.get(i))
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
    pair: Guessing | None,
) -> tuple[tuple[float, float] | None, str]:
    """The interval asked for, or the one that suits where none is, and its name.

    The latter is a score interval of two raters and two labels, of rare labels, of full agreement, and of scales on
    which few units differ; where no labels differ Wilson's of percent agreement, on the scale of coefficients that
    follow from it; t on Fisher's scale in clusters or of graded labels, of kappas with the error of raters who
    guess where that is larger, and degrees of freedom by the kurtosis of what units add (Satterthwaite 1946); else BCa.
    Of 30 to 150 units on a scale of five (400 sets) they cover .92 to .98 wherever slips fall, .94 to 1 of near ones;
    in 8 to 400 clusters t .93 to .99 at shares of .2 to .5, of rare labels in 8 .57, in 40 .81.
    """
    if asked.interval != "auto":
        return found.interval(asked.interval, asked.level)
    if clusters is None and (ends := score_of(method, measure, ratings, found, asked.level)):
        return ends, "score"
    if found.value == 1 and measure.credit and not (method.null or measure.disagreement):
        sizes = np.ones(int(ratings.pairable.sum())) if clusters is None else np.bincount(clusters)
        n = float(sizes.sum() ** 2 / (sizes**2).sum())
        low, _ = wilson_of(1.0, n, student_quantile(asked.level, max(n - 1, 1)))
        return ((low - found.expected) / (1 - found.expected), 1.0), "Wilson"
    of_scale = (known := pair or make_guessing(ratings, measure, apart=False)) and known.graded
    if of_scale or clusters is not None:
        guessed = pair.error(_find_limit(measure, found), clusters) if pair else math.nan
        if ends := found.fisher(asked.level, guessed):
            return ends, "Fisher-z t"
    return found.interval("bca", asked.level)


def score_of(
    method: AgreementCoefficient, measure: RatingMeasure, ratings: LabelTable, found: AgreementEstimate, level: float
) -> tuple[float, float] | None:
    """The score interval where a resample or the variance at the estimate says too little, else None."""
    chance = make_guessing(ratings, measure, apart=False) if method.null else None
    if chance is None or chance.n_labels > 10 * MOST_LABELS or not math.isfinite(found.value):
        return None
    own = make_guessing(ratings, measure, apart=True) if measure.own else chance
    assert own is not None
    small = len(ratings.raters) == 2 and int((chance.proportions > 0).sum()) == 2
    small |= chance.graded and chance.few_differ
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

    By the null variance where every two labels are expected on enough units and annotators gave enough labels; else, or
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
    centred = not ratings.exchangeable or bool(np.ptp(ratings.given))
    for i in set(known) - set(drawn):
        limit = _find_limit(measures[i], found[i])
        made[i] = assess_by_variance(known[i], found[i].value, limit, clusters, centred=centred)
    return made


_STEPS, _HALVINGS = 400, 50


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


INDEPENDENT = "every annotator labels units independently of the others"
EXCHANGED = "labels are dealt out to units at random"

_CHUNK = 1024  # permutations of one random stream
_CELLS = 2**22  # ratings and pairs that are handled at once
# measured: nanoseconds of a hypergeometric number, of a rating that changes its place, and of a look at a pair
_COUNT, _MOVE, _LOOK = 150, 20, 15


def assess_by_permutation(
    ratings: LabelTable, measures: Sequence[RatingMeasure], n_resamples: int, seed: int
) -> list[BeyondChance]:
    """Two-sided p of several coefficients of the same ratings, from the same permutations.

    Every rater keeps the labels and the units, and labels change places; where raters are not told apart all labels
    do. p = (b + 1)/(B + 1), b the permutations whose sum of credit is as far from its mean under permutation as the
    observed one, ties included. Exact where units are exchangeable, however rare the labels.

    Args:
        measures: that say their credit.
    """
    apart = not ratings.exchangeable
    chances = [_find_known(ratings, measure, apart) for measure in measures]
    codes = ratings.codes[ratings.pairable]
    cells = _RatedUnits.of(codes, apart)
    one = chances[0]
    if cells.size * len(cells.labels) * _COUNT < len(one.codes) * _MOVE + len(chances) * len(one.first) * _LOOK:
        values = _sum_by_tables(cells, ratings, measures, apart, n_resamples, seed)
    else:
        values = _sum_by_moves(chances, n_resamples, seed)
    return [_p(chance, row, INDEPENDENT if apart else EXCHANGED) for chance, row in zip(chances, values, strict=True)]


def _find_known(ratings: LabelTable, measure: RatingMeasure, apart: bool) -> Guessing:
    found = make_guessing(ratings, measure, apart=apart)
    assert found is not None
    return found


def _p(chance: Guessing, values: Float, null: str) -> BeyondChance:
    everything = np.append(values, observed := chance.observed)
    slack = tolerance(float(np.abs(everything).max()))
    if float(np.ptp(everything)) <= slack:
        return BeyondChance(p_value=None, error=math.nan, method="")
    # of very many labels the mean is that of the permutations, the observed one among them
    centre = chance.centre if chance.n_labels <= MOST_LABELS else float(everything.mean())
    extreme = count(values, observed, centre=centre, alternative="two-sided", slack=slack)
    p = float(p_from_count(int(extreme), len(values)))
    return BeyondChance(p_value=p, error=math.nan, method="relabelling", null=null)


def _chunks(n_resamples: int) -> Iterator[tuple[int, int]]:
    """Number and size of each chunk."""
    for chunk, start in enumerate(range(0, n_resamples, _CHUNK)):
        yield chunk, min(_CHUNK, n_resamples - start)


def _sum_by_moves(chances: Sequence[Guessing], n_resamples: int, seed: int) -> Float:
    """Sums of credit ``(chances, B)`` of labels that change places one by one."""
    one = chances[0]
    groups = [np.flatnonzero(one.who == rater) for rater in np.unique(one.who)]
    at_once = max(1, _CELLS // (len(one.codes) + 2 * len(one.first)))
    found = []
    for chunk, size in _chunks(n_resamples):
        generator = stream(seed, "relabelling", chunk)
        for start in range(0, size, at_once):
            codes = np.empty((min(at_once, size - start), len(one.codes)), dtype=np.int64)
            for members in groups:
                places = np.broadcast_to(one.codes[members], (len(codes), len(members)))
                codes[:, members] = generator.permuted(places, axis=1)
            first, second = codes[:, one.first], codes[:, one.second]
            found.append(np.stack([each.credit(first, second) @ each.weight for each in chances]))
    return np.concatenate(found, axis=1)


@dataclass(frozen=True, kw_only=True)
class _RatedUnits:
    """Units by who rated them, and what can be said of them.

    Attributes:
        rated: ``(m, raters)`` sets of raters; ``units``: ``(m,)`` units that have them.
        labels: labels that were given; ``pools``: ``(raters, labels)`` how often by each rater, or all together.
        apart: every rater has labels of their own.
    """

    rated: Bool
    units: Int
    labels: Int
    pools: Int
    apart: bool

    @classmethod
    def of(cls, codes: Int, apart: bool) -> _RatedUnits:
        rated, units = np.unique(codes >= 0, axis=0, return_counts=True)
        labels = np.unique(codes[codes >= 0])
        pools = np.stack([(codes == label).sum(axis=0) for label in labels], axis=1)
        return cls(
            rated=rated, units=units, labels=labels, pools=pools if apart else pools.sum(axis=0)[None], apart=apart
        )

    @property
    def size(self) -> float:
        """How many cells there are at most."""
        return float((float(len(self.labels)) ** self.rated.sum(axis=1)).sum())

    def draw(self, generator: np.random.Generator, b: int) -> tuple[Int, Int]:
        """Labels of the cells ``(cells, raters)``, -1 for none, and how many units lie in each ``(cells, b)``.

        Rater by rater: their labels are dealt out over the cells that those before them have left.
        """
        rows, sizes = np.full(self.rated.shape, -1), np.repeat(self.units[:, None], b, axis=1)
        rated, left = self.rated, np.repeat(self.pools[:, :, None], b, axis=2)
        for rater in range(self.rated.shape[1]):
            here = rated[:, rater]
            if not here.any():
                continue
            pool = left[rater if self.apart else 0]
            wanted = _dealt(generator, sizes[here].sum(axis=0), pool)
            pool -= wanted
            dealt = _spread(generator, sizes[here], wanted)
            k = np.repeat(np.arange(len(self.labels)), here.sum())
            split = np.tile(rows[here], (len(self.labels), 1))
            split[:, rater] = self.labels[k]
            rows = np.concatenate([rows[~here], split])
            rated = np.concatenate([rated[~here], np.tile(rated[here], (len(self.labels), 1))])
            sizes = np.concatenate([sizes[~here], dealt.reshape(-1, b)])
        return rows, sizes


def _dealt(generator: np.random.Generator, number: Int, pool: Int) -> Int:
    """``(labels, b)`` how many of each label are among ``(b,)`` that are drawn from a pool ``(labels, b)``."""
    found, rest = np.zeros_like(pool), pool.sum(axis=0)
    number = number.copy()
    for k, here in enumerate(pool):
        rest = rest - here
        found[k] = generator.hypergeometric(here, rest, number)
        number -= found[k]
    return found


def _spread(generator: np.random.Generator, sizes: Int, wanted: Int) -> Int:
    """``(labels, cells, b)`` labels ``(labels, b)`` dealt out over cells ``(cells, b)`` that they fill."""
    found = np.empty((len(wanted), *sizes.shape), dtype=np.int64)
    free = sizes.copy()
    for k in range(len(wanted) - 1):
        found[k] = _dealt(generator, wanted[k], free)
        free -= found[k]
    found[-1] = free
    return found


def _sum_by_tables(
    cells: _RatedUnits, ratings: LabelTable, measures: Sequence[RatingMeasure], apart: bool, n_resamples: int, seed: int
) -> Float:
    """Sums of credit ``(measures, B)`` of tables of permuted units, drawn from their law."""
    found = []
    for chunk, size in _chunks(n_resamples):
        rows, sizes = cells.draw(stream(seed, "relabelling", chunk), size)
        each = [_find_known(replace(ratings, codes=rows), measure, apart).credits for measure in measures]
        found.append(np.stack(each) @ sizes)
    return np.concatenate(found, axis=1)
