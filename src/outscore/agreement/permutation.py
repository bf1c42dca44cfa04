"""The p-value of no agreement beyond chance by permutation: every rater's labels in random order over their units."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from outscore.agreement import MOST_LABELS, RatingMeasure
from outscore.agreement.chance import BeyondChance, Guessing, make_guessing
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.extreme import count, p_from_count, tolerance

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
    null = INDEPENDENT if apart else EXCHANGED
    return [_p(chance, row, null) for chance, row in zip(chances, values, strict=True)]


def _find_known(ratings: LabelTable, measure: RatingMeasure, apart: bool) -> Guessing:
    found = make_guessing(ratings, measure, apart=apart)
    assert found is not None
    return found


def _p(chance: Guessing, values: Float, null: str) -> BeyondChance:
    observed = chance.observed
    everything = np.append(values, observed)
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
